"""Extents as numbers of NumPy's own."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from . import _trace
from ._extent import TracedExtent, combine, compute, integer_of, to_int64


class TracedInt64(TracedExtent):
    """A number of NumPy's that is computed of extents, as np.prod(x.shape) and x.shape[0] + np.int64(1).

    It is a number of shapes and slices, too, and meets others as an array of int64 does. It does not wrap.
    """

    __slots__ = ()
    _kind = np.dtype(np.int64)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        return getattr(self._as_array(), name)

    def __round__(self, digits: Any = None) -> Any:
        # As of NumPy's numbers, without digits it is one of Python's.
        return super().__round__(digits) if digits is not None else self.__trunc__()

    def __trunc__(self) -> Any:
        return TracedExtent(self._trace, self._integer)

    __floor__ = __ceil__ = __trunc__

    def __invert__(self) -> Any:
        return np.invert(self._as_array())

    __hash__ = TracedExtent.__hash__


def _define_array_operators() -> None:
    """Defines the operators that make a number of NumPy's an array of no axes: those of bits, and comparisons."""

    def define(name: str, ufunc: np.ufunc, is_reflected: bool = False) -> None:
        def operator(x: Any, y: Any) -> Any:
            if integer_of(y) is None and not isinstance(y, float):
                return NotImplemented
            return compute(ufunc, *((y, x) if is_reflected else (x, y)))

        operator.__name__ = name
        setattr(TracedInt64, name, operator)

    for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        short = {"equal": "eq", "not_equal": "ne"}.get(name) or name[0] + ("e" if "_" in name else "t")
        define(f"__{short}__", getattr(np, name))
    for name in ("and", "or", "xor", "lshift", "rshift"):
        ufunc = getattr(np, {"lshift": "left_shift", "rshift": "right_shift"}.get(name, f"bitwise_{name}"))
        define(f"__{name}__", ufunc)
        define(f"__r{name}__", ufunc, True)


_define_array_operators()


class TracedShape(tuple[Any, ...]):
    """x.shape where a call tells an extent of it. A tuple that functions of NumPy's take as an array of int64."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return to_shape(found) if isinstance(key, slice) else found

    def __add__(self, other: Any) -> Any:
        return to_shape(super().__add__(other)) if isinstance(other, tuple) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return to_shape((*other, *self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, count: Any) -> Any:
        return to_shape(super().__mul__(count))

    __rmul__ = __mul__

    def __eq__(self, other: Any) -> Any:
        from ._comparison import compare_shapes

        return compare_shapes(self, other, True) if isinstance(other, tuple) else NotImplemented

    def __ne__(self, other: Any) -> Any:
        from ._comparison import compare_shapes

        return compare_shapes(self, other, False) if isinstance(other, tuple) else NotImplemented

    __hash__ = tuple.__hash__

    def __array_function__(self, function: Any, types: Any, arguments: Any, keywords: Any) -> Any:
        from ._array import TracedArray

        ufunc = _OF_SHAPES.get(function)
        of_type = {"dtype"} if ufunc in (np.multiply, np.add) else set()
        is_plain = len(arguments) == 1 and keywords.keys() <= of_type and keywords.get("dtype") in (None, int, np.int64)
        if ufunc is None or not is_plain:
            return TracedArray.__array_function__(self, function, types, arguments, keywords)  # type: ignore[arg-type]
        numbers = [to_int64(number) for number in self]
        return functools.reduce(lambda x, y: combine(_trace.current(), ufunc, (x, y), True), numbers)


#: What NumPy's functions that are numbers of a shape compute.
_OF_SHAPES = {np.prod: np.multiply, np.sum: np.add, np.max: np.maximum, np.min: np.minimum}


def to_shape(extents: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns the extents of an array, or a part of them."""
    return TracedShape(extents) if any(isinstance(e, TracedExtent) for e in extents) else tuple(extents)
