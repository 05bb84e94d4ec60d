"""Large constants that a compiled function is given at each call, in place of having them in its code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

#: Operations that read elements one by one, so that it makes no difference where these are.
_READING = ("= tosa.gather", '= "tosa.gather"', "= tensor.extract ")
#: Operations that give the elements as another tensor, of which the same must hold.
_VIEWS = ("= tensor.expand_shape ", "= tensor.collapse_shape ", "= tensor.extract_slice ")
#: Products of matrices. The runtime lays out a weight in its first call, and keeps that.
_PRODUCT = '= "tosa.matmul"'
#: What a map is of, beside its constants.
_OPERAND = re.compile(r"= (%\w+) :")


def find_shared(lines: Sequence[str], names: Iterable[str]) -> list[str]:
    """Returns the constants among `names` of which the lines of a program only read elements."""
    program = _Uses(lines)
    return [name for name in names if program.is_read(name)]


class _Uses:
    """The uses of a program's values, and the operations that make them."""

    def __init__(self, lines: Sequence[str]):
        self.uses: dict[str, list[str]] = {}
        self.makers: dict[str, str] = {}
        for line in map(str.strip, lines):
            found = re.findall(r"%\w+", line)
            if found and line.startswith(f"{found[0]} = "):
                self.makers[found.pop(0)] = line
            for name in set(found):
                self.uses.setdefault(name, []).append(line)

    def is_read(self, name: str, is_slice: bool = False) -> bool:
        """Tells whether only elements of a value are read, of a constant or a slice of one that a call tells."""
        for line in self.uses.get(name, ()):
            made = line.split(" ", 1)[0]
            if any(view in line for view in _VIEWS):
                is_same = self.is_read(made, is_slice or "= tensor.extract_slice " in line)
            elif "= loom.map(" in line:
                is_same = self._is_map_read(name, made, line, is_slice)
            elif _PRODUCT in line:
                is_same = not is_slice
            else:
                is_same = any(reading in line for reading in _READING)
            if not is_same:
                return False
        return True

    def _is_map_read(self, name: str, made: str, line: str, is_slice: bool) -> bool:
        others = {one for one in _OPERAND.findall(line) if one != name}
        computed = [one for one in others if not re.search("= (tensor.empty|arith.constant)", self.makers.get(one, ""))]
        if computed or is_slice:
            return True
        # The compiler computes a constant of a constant. One that is only broadcast is what it was.
        return bool(others) and self.is_read(made)
