"""The elements of NumPy's own arrays that arrays of a trace share.

A trace takes an array of NumPy's as it is when it is used. What shares its elements for NumPy, as a part of it does,
would see what is written to it later. The trace is not told of such writes: whatever reads these elements compares them
with what they were.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from typing import Any
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from . import _trace

#: How many bytes an array may have that is watched. What is watched is copied.
_WATCHED = 1 << 24


def find_owner(array: NDArray[Any]) -> NDArray[Any]:
    """Returns the array whose memory one of NumPy's has."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _words_of(array: NDArray[Any]) -> NDArray[Any]:
    """Returns the bytes of an array, as integers that are as long as possible."""
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return flat.view(np.uint64) if flat.size % 8 == 0 else flat


class _Elements:
    """Elements at an address, as NumPy makes an array of them that owns nothing."""

    def __init__(self, array: NDArray[Any]) -> None:
        self.__array_interface__ = {
            "version": 3,
            "data": (array.__array_interface__["data"][0], True),
            "shape": array.shape,
            "strides": array.strides,
            "typestr": f"|V{array.itemsize}",
        }


class Lent:
    """The elements of one of NumPy's arrays, and what they were."""

    __slots__ = ("_find_owner", "_held", "_elements", "_words", "_is_changed", "_place", "__weakref__")

    def __init__(self, array: NDArray[Any]) -> None:
        owner, lent = find_owner(array), ref(self)
        # What was written stays so when the array goes. Its memory is freed behind this.
        self._find_owner = ref(owner, lambda _: (one := lent()) and one._compare())
        # Arrays that are none of its views may have memory that is no array's, as a file's.
        self._held = None if owner.base is None else owner
        self._elements = _Elements(array)
        self._words = _words_of(array).copy()
        self._is_changed = False
        self._place = _trace.spell_location().removesuffix(": ") or "an unknown line"

    def _compare(self) -> bool:
        self._is_changed = not np.array_equal(_words_of(np.asarray(self._elements)), self._words)
        return not self._is_changed

    def find_owner(self) -> NDArray[Any] | None:
        """Returns the array that has the elements; None where no array has them any more, so that none is written."""
        return self._find_owner()

    def is_unchanged(self) -> bool:
        """Tells whether the elements are what they were."""
        owner = self.find_owner()
        return not self._is_changed if owner is None else self._compare()

    def require_unchanged(self) -> None:
        """Raises an error where the elements are not what they were."""
        if not self.is_unchanged():
            raise _trace.refuse(
                "a write to an array of NumPy's with which an array of the trace shares elements",
                f"they are shared at {self._place}; take np.copy of it there, or begin with an array of the trace, as "
                "np.zeros_like(x, shape=(3,))",
            )


def _list_reached(value: Any, depth: int = 4) -> Iterator[NDArray[Any]]:
    """Lists the arrays of NumPy's that a function, or what it has, can name."""
    if isinstance(value, np.ndarray):
        yield value
        return
    inner: list[Any] = []
    if isinstance(value, types.FunctionType):
        for cell in value.__closure__ or ():
            try:
                inner.append(cell.cell_contents)
            except ValueError:  # The cell is empty: nothing is assigned to it yet.
                continue
        inner += [value.__globals__.get(name) for name in value.__code__.co_names]
        inner += [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
    elif isinstance(value, types.MethodType):
        inner = [value.__func__, *getattr(value.__self__, "__dict__", {}).values()]
    elif isinstance(value, functools.partial):
        inner = [value.func, *value.args, *value.keywords.values()]
    elif isinstance(value, (list, tuple)):
        inner = list(value)
    elif isinstance(value, dict):
        inner = list(value.values())
    if depth:
        for one in inner:
            yield from _list_reached(one, depth - 1)


class Watch:
    """What the functions of a loop could write of NumPy's: each is traced once, and NumPy calls it in each step."""

    def __init__(self, *functions: Any) -> None:
        arrays = {id(array): array for function in functions for array in _list_reached(function)}
        self._lent = [
            Lent(a) for a in arrays.values() if a.flags.writeable and not a.dtype.hasobject and a.nbytes <= _WATCHED
        ]

    def require_unwritten(self) -> None:
        """Raises an error where a function has written."""
        if not all(lent.is_unchanged() for lent in self._lent):
            raise _trace.refuse(
                "a write to an array of NumPy's in the body of a loop", "carry it, and give what the body makes of it"
            )
