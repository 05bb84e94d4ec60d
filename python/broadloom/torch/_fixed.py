"""The extents that an export has fixed, which it says nowhere. Reports of the program have them
(infer/report/FixedExtents.h)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from ._graph import COMPLEX_PARTS, ELEMENTS, Graph, Type, label_of


class FixedExtent(NamedTuple):
    """An axis of an argument that has one extent in all calls."""

    #: The argument, as the module has it: "more['a']".
    argument: str
    #: Its axis.
    axis: int
    #: The extent that each call must have.
    extent: int
    #: Whether dynamic_shapes leaves it open and the export has fixed it all the same.
    is_marked: bool
    #: 'file:line' of the Python that has fixed it; None where it is not known.
    location: str | None = None
    #: Whether the program has a recurrent layer, of which torch.export keeps the example's number of steps.
    is_recurrent: bool = False

    @property
    def reason(self) -> str:
        """Says why it is so, and what to do."""
        if self.is_marked:
            fact = "the export has fixed it, although dynamic_shapes leaves it open"
            if self.is_recurrent:
                return f"{fact}, as torch.export does with the steps of recurrent layers; bl.torch.export does not"
            return (
                f"{fact}: what the module computes holds for this extent alone; write that part for all extents, or "
                "leave the axis out of dynamic_shapes to say that it is meant"
            )
        if self.extent < 2:
            return (
                f"the example of the export has {self.extent} there, which torch.export fixes whatever dynamic_shapes "
                "says; export with an example whose extent is 2 or more, and the axis in dynamic_shapes"
            )
        return f"dynamic_shapes does not leave it open; {{{self.axis}: Dim.AUTO}} for '{self.argument}' would"

    @property
    def condition(self) -> str:
        """The condition that each call must fulfil."""
        return f"{self.argument}.shape[{self.axis}] == {self.extent}"


_SOURCE = re.compile(r"(L\[.+)\.size\(\)\[(\d+)\]")
_GUARD = re.compile(_SOURCE.pattern + r" == \d+")


def find_fixed(
    graph: Graph, guards: Iterable[str], locations: Mapping[str, str], find: Callable[[str], int | None]
) -> tuple[FixedExtent, ...]:
    """Finds the fixed extents of a graph's inputs. `guards` are the conditions that the export has noted of extents
    that were left open, in Python; `locations` has the line that has fixed an extent, by torch's text of it, and `find`
    the number of the input that torch calls so."""
    inputs = [node for node in graph.nodes if node.target == "input"]
    marked = set()
    for guard in guards:
        if found := _GUARD.fullmatch(guard):
            marked.add((find(found[1]), int(found[2])))
    lines = {
        (find(found[1]), int(found[2])): line for text, line in locations.items() if (found := _SOURCE.fullmatch(text))
    }
    recurrent = any(re.match(r"aten\.(lstm|gru|rnn_tanh|rnn_relu)\.", node.target) for node in graph.nodes)
    return tuple(
        FixedExtent(label_of(node), axis, extent, (number, axis) in marked, lines.get((number, axis)), recurrent)
        for number, node in enumerate(inputs)
        if isinstance(node.type, Type) and node.type.element in (*ELEMENTS, *COMPLEX_PARTS)
        for axis, extent in enumerate(node.type.shape)
        if isinstance(extent, int)
    )
