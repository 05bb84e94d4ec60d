"""What goes wrong with a graph of PyTorch."""

from __future__ import annotations

from collections.abc import Sequence

from .._errors import Error


class UnsupportedOperations(Error, NotImplementedError):
    """A graph has operations, or forms of operations, that are not imported.

    `operations` has for each its name, the line of Python that it is from (or None),
    and why.
    """

    def __init__(self, operations: Sequence[tuple[str, str | None, str]], nodes: Sequence[str] = ()):
        self.operations = tuple(operations)
        #: The graph's names of their results.
        self.nodes = tuple(nodes)
        lines = [f"{place or 'the graph'}: {name}: {why}" for name, place, why in self.operations]
        count = f"{len(lines)} operations" if len(lines) > 1 else "an operation"
        advice = 'write them otherwise, or give torch.compile options={"fallback": "eager"}'
        super().__init__("\n".join([f"the graph has {count} that cannot be imported; {advice}:", *lines]))

    def __reduce__(self):
        return type(self), (self.operations, self.nodes)
