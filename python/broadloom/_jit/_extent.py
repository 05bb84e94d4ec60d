"""Extents of arrays without values: numbers that each call has its own of."""

from __future__ import annotations

import numpy as np

from .. import _program as program
from . import _trace
from ._trace import Trace

_INSTEAD = {
    "bool": "all shapes have one trace: use np.where, or write what holds for every extent",
    "int": "leave it a number of the trace; x.shape[i] takes part in arithmetic, shapes and "
    "slices; np.zeros(x.shape) is np.zeros_like(x), or zeros of x.__array_namespace__()",
    "range": "loop over a number that is no extent, or use operations on whole axes",
}


class TracedExtent:
    """x.shape[i] in a trace: a number with which shapes, slices and arrays are made."""

    __slots__ = ("_number", "_trace")
    __array_priority__ = 1000

    def __init__(self, trace: Trace, number: program.Extent):
        self._trace = trace
        self._number = number

    def _combine(self, other, operation):
        number = number_of(other)
        if type(other) is float:
            return operation(self._as_array(), other)
        if number is None:
            return NotImplemented
        _trace.enter(self._trace)
        return to_python(self._trace, operation(self._number, number))

    def __add__(self, other):
        return self._combine(other, lambda x, y: x + y)

    def __radd__(self, other):
        return self._combine(other, lambda x, y: y + x)

    def __sub__(self, other):
        return self._combine(other, lambda x, y: x - y)

    def __rsub__(self, other):
        return self._combine(other, lambda x, y: y - x)

    def __mul__(self, other):
        return self._combine(other, lambda x, y: x * y)

    def __rmul__(self, other):
        return self._combine(other, lambda x, y: y * x)

    def __floordiv__(self, other):
        return self._combine(other, lambda x, y: x // y)

    def __rfloordiv__(self, other):
        return self._combine(other, lambda x, y: y // x)

    def __mod__(self, other):
        return self._combine(other, lambda x, y: x % y)

    def __rmod__(self, other):
        return self._combine(other, lambda x, y: y % x)

    def __neg__(self):
        return 0 - self

    def __pos__(self):
        return self

    def _as_array(self, weak: bool = True):
        """An array of no axes; a weak one has the type of what it meets."""
        from ._array import TracedArray

        builder = _trace.enter(self._trace)
        value = program.scalar(builder, self._number, "i64")
        return TracedArray(self._trace, value, weak=int if weak else None)

    def _through_array(self, name, *others):
        array = self._as_array()
        return getattr(array, name)(*others)

    def __truediv__(self, other):
        return self._through_array("__truediv__", other)

    def __rtruediv__(self, other):
        return self._through_array("__rtruediv__", other)

    def __pow__(self, other):
        return self._through_array("__pow__", other)

    def __rpow__(self, other):
        return self._through_array("__rpow__", other)

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        inputs = [i._as_array(False) if isinstance(i, TracedExtent) else i for i in inputs]
        return getattr(ufunc, method)(*inputs, **keywords)

    def __array_function__(self, function, types, arguments, keywords):
        arguments = [a._as_array(False) if isinstance(a, TracedExtent) else a for a in arguments]
        return function(*arguments, **keywords)

    def __bool__(self):
        raise _trace.refuse("a decision by an extent", _INSTEAD["bool"])

    def __index__(self):
        raise _trace.refuse("an extent as a number of Python's", _INSTEAD["int"])

    __int__ = __float__ = __index__

    def __iter__(self):
        raise _trace.refuse("a loop over an extent", _INSTEAD["range"])

    def _compare(self, other):
        if other is self:
            return True
        raise _trace.refuse("a comparison of extents", _INSTEAD["bool"])

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = _compare

    def __ne__(self, other):
        return not self._compare(other)

    __hash__ = object.__hash__

    def __repr__(self):
        return "<an extent under bl.jit>"


def number_of(value) -> program.Extent | int | None:
    """The number that a builder takes, of an integer or an extent."""
    if isinstance(value, TracedExtent):
        return value._number
    if isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_)):
        return int(value)
    return None


def to_python(trace: Trace, number):
    """What the user sees of an extent: a number where it is known."""
    return number if isinstance(number, int) else TracedExtent(trace, number)
