"""Large constants that a compiled function is given at each call, in place of having them in its code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ._text import Line

#: The attribute of an argument that has the same elements in all calls that give it the same memory (abi-9).
PROMISE = "loom.constant"
#: Operations that read elements one by one, so that it makes no difference where these are.
_READING = ("tosa.gather", "tensor.extract")
#: Operations that give the elements as another tensor, of which the same must hold.
_VIEWS = ("tensor.expand_shape", "tensor.collapse_shape", "tensor.extract_slice")


def find_shared(lines: Sequence[Line], names: Iterable[str]) -> list[str]:
    """Returns the constants among `names` of which the lines of a program only read elements."""
    program = _Uses(lines)
    return [name for name in names if program.is_read(name)]


class _Uses:
    """The uses of a program's values, and the operations that make them."""

    def __init__(self, lines: Sequence[Line]):
        self.uses: dict[str, list[Line]] = {}
        self.makers = {line.result: line.kind for line in lines if line.result}
        for line in lines:
            for name in set(line.operands):
                self.uses.setdefault(name, []).append(line)

    def is_read(self, name: str, is_slice: bool = False) -> bool:
        """Tells whether only elements of a value are read, of a constant or a slice of one that a call tells."""
        for line in self.uses.get(name, ()):
            kind = line.kind
            if kind in _VIEWS:
                is_same = self.is_read(line.result, is_slice or kind == "tensor.extract_slice")
            elif kind == "loom.map":
                is_same = self._is_map_read(name, line, is_slice)
            elif kind == "tosa.matmul":
                # The runtime lays out a weight in its first call, and keeps that.
                is_same = not is_slice
            else:
                is_same = kind in _READING
            if not is_same:
                return False
        return True

    def _is_map_read(self, name: str, line: Line, is_slice: bool) -> bool:
        others = {one for one in line.operands if one != name}
        computed = [one for one in others if self.makers.get(one) not in ("tensor.empty", "arith.constant")]
        if computed or is_slice:
            return True
        # The compiler computes a constant of a constant. One that is only broadcast is what it was.
        return bool(others) and self.is_read(line.result)
