"""Extents of arrays without values: numbers that each call has its own of."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from .. import _program as program
from . import _integers, _powers, _trace
from ._trace import Trace

_MAKERS = (
    "functions of NumPy's take extents where they are called as np.zeros((n, 2)), np.arange(n) and np.linspace(0, 1, n)"
)
_INSTEAD = {
    "bool": "one trace serves all shapes: use np.where(n > 1, a, b), np.minimum and np.maximum in place of min() and "
    "max(), bl.while_loop in place of while, or write what holds for every extent",
    "int": "leave it a number of the trace: x.shape[i] takes part in arithmetic, shapes, slices and indices; "
    "bl.fori_loop(0, n, body, init) is a loop over range(n), and np.stack(list)[n] is list[n] of arrays; " + _MAKERS,
    "float": "write 1.0 * n; np.sqrt, np.log and others of NumPy's take it, and np.float32(1) * n is np.float32(n)",
    "range": "use bl.fori_loop(0, n, body, init), or operations on whole axes",
    "array": f"write np.stack([x.shape[0], x.shape[1]]), which makes an array of the trace; {_MAKERS}; np.int64(1) * n "
    "is np.int64(n)",
    "text": "write {n} alone, or format the result of the function",
    "key": "its value is known when the function is called, and one trace serves all calls; use np.where, or "
    "np.take of np.stack(list)",
    "bits": "use //, % and ** with a power of 2",
}


class TracedExtent:
    """x.shape[i] in a trace: a number with which shapes, slices and arrays are made."""

    __slots__ = ("_made", "_trace")
    __array_priority__ = 1000
    #: By what it compares which two numbers, where it is a comparison.
    _compared: tuple[Any, ...] | None = None
    #: What universal functions have it as: a number of Python's, which has the type of what it meets.
    _kind: type | np.dtype[Any] = int

    def __init__(self, trace: Trace, integer: _integers.Integer) -> None:
        self._trace = trace
        self._made = integer

    @property
    def _integer(self) -> _integers.Integer:
        number = self._made.number
        if isinstance(number, program.Extent):
            _trace.require_open(self._trace, number.name)
        return self._made

    def _combine(self, x: Any, y: Any, ufunc: np.ufunc) -> Any:
        """Applies an operator: to a number, or to an array of no axes where one operand is a float."""
        if type(x) is float or type(y) is float:
            return compute(ufunc, x, y)
        return combine(self._trace, ufunc, (x, y), any(map(_is_int64, (x, y))))

    def __add__(self, other: Any) -> Any:
        return self._combine(self, other, np.add)

    def __radd__(self, other: Any) -> Any:
        return self._combine(other, self, np.add)

    def __sub__(self, other: Any) -> Any:
        return self._combine(self, other, np.subtract)

    def __rsub__(self, other: Any) -> Any:
        return self._combine(other, self, np.subtract)

    def __mul__(self, other: Any) -> Any:
        return self._combine(self, other, np.multiply)

    def __rmul__(self, other: Any) -> Any:
        return self._combine(other, self, np.multiply)

    def __floordiv__(self, other: Any) -> Any:
        return self._combine(self, other, np.floor_divide)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._combine(other, self, np.floor_divide)

    def __mod__(self, other: Any) -> Any:
        return self._combine(self, other, np.remainder)

    def __rmod__(self, other: Any) -> Any:
        return self._combine(other, self, np.remainder)

    def __divmod__(self, other: Any) -> Any:
        quotient = self // other
        return NotImplemented if quotient is NotImplemented else (quotient, self % other)

    def __rdivmod__(self, other: Any) -> Any:
        return (other // self, other % self)

    def __truediv__(self, other: Any) -> Any:
        return (
            NotImplemented
            if integer_of(other) is None and type(other) is not float
            else compute(np.divide, self, other)
        )

    def __rtruediv__(self, other: Any) -> Any:
        return (
            NotImplemented
            if integer_of(other) is None and type(other) is not float
            else compute(np.divide, other, self)
        )

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        return _power(self._trace, self, other, modulo)

    def __rpow__(self, other: Any, modulo: Any = None) -> Any:
        return _power(self._trace, other, self, modulo)

    def __neg__(self) -> Any:
        return 0 - self

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return combine(self._trace, np.absolute, (self,), _is_int64(self))

    def __round__(self, digits: Any = None) -> Any:
        if digits is not None and digits < 0:
            raise _trace.refuse("a rounded extent", "write (n + 5) // 10 * 10")
        return self

    def __trunc__(self) -> Any:
        return self

    __floor__ = __ceil__ = __trunc__

    def _bits(self, other: Any) -> Any:
        if isinstance(other, np.generic) or (integer_of(other) is None and not isinstance(other, float)):
            # An array, or a number of NumPy's, has bits of the number.
            return NotImplemented
        raise _trace.refuse("bits of an extent", _INSTEAD["bits"])

    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _bits
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _bits

    def __invert__(self) -> Any:
        return -1 - self

    # What Python's integers have besides.

    @property
    def real(self) -> Any:
        """Itself."""
        return self

    @property
    def imag(self) -> int:
        """0."""
        return 0

    numerator = real

    @property
    def denominator(self) -> int:
        """1."""
        return 1

    def conjugate(self) -> Any:
        """Returns itself."""
        return self

    def _as_array(self, weak: bool = True) -> Any:
        """Returns an array of no axes; a weak one has the type of what it meets."""
        from ._array import TracedArray

        builder = _trace.enter(self._trace)
        value = program.scalar(builder, self._as_integer(), "i64")
        return TracedArray(self._trace, value, weak=int if weak and self._kind is int else None)

    def _as_integer(self) -> program.Extent | int:
        """Returns the number that a builder takes; a call checks that it is within 64 bits."""
        builder = _trace.enter(self._trace)
        with builder.naming("extents"):
            return self._integer.as_integer(builder)

    def __array_ufunc__(self, ufunc: np.ufunc, method: Any, *inputs: Any, **keywords: Any) -> Any:
        from ._array import TracedArray

        is_known = method == "__call__" and not keywords and (ufunc in _OF_INTEGERS or ufunc is np.divmod)
        if is_known and not all(map(is_truth, inputs)):
            if ufunc is np.power:
                _trace.forget_probe(self._trace)
            # What NumPy makes of numbers of Python's is one of int64.
            found = combine(self._trace, ufunc, inputs, True)
            if found is not NotImplemented:
                return found
        return TracedArray.__array_ufunc__(self, ufunc, method, *inputs, **keywords)  # type: ignore[arg-type]

    def __array_function__(self, *arguments: Any) -> Any:
        from ._array import TracedArray

        return TracedArray.__array_function__(self, *arguments)  # type: ignore[arg-type]

    # What would need its value.

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        raise _trace.refuse("an array of NumPy's from an extent", _INSTEAD["array"])

    def __bool__(self) -> Any:
        from ._decisions import find_way

        way = find_way(self._compared[0] if self._compared else None)
        if way is None:
            raise _trace.refuse("a decision by an extent", _INSTEAD["bool"])
        self._require(way, _trace.enter(self._trace))
        return way

    def _require(self, way: bool, builder: program.Builder) -> None:
        """Requires that a call fails unless its truth is this."""
        predicate = ("sgt" if self._integer.low == 0 else "ne") if way else "eq"
        message = f"the function raises here, for {{0}}, where a number is{' not' if way else ''} 0"
        program.require(builder, predicate, self._as_integer(), 0, message)

    def __index__(self) -> NoReturn:
        raise _trace.refuse("an extent as a number of Python's", _INSTEAD["int"], in_passing=True)

    __int__ = __index__

    def __float__(self) -> NoReturn:
        raise _trace.refuse("an extent as a float of Python's", _INSTEAD["float"], in_passing=True)

    __complex__ = __float__

    def __getattr__(self, name: str) -> None:
        # A number of Python's has it, so that hasattr must not be false.
        if name.startswith("_") or not hasattr(int, name):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        raise _trace.refuse(f"{name}() of an extent", "its value is known when the function is called")

    def __iter__(self) -> NoReturn:
        raise _trace.refuse("a loop over an extent", _INSTEAD["range"])

    def __format__(self, form: Any) -> str:
        if form:
            raise _trace.refuse("an extent as text", _INSTEAD["text"])
        return str(self)

    def __hash__(self) -> NoReturn:
        raise _trace.refuse("an extent as the key of a dictionary or the element of a set", _INSTEAD["key"])

    def __deepcopy__(self, _: Any) -> Any:
        return self

    def __repr__(self) -> str:
        return "<an extent under bl.jit>"


# What asks whether it has an integer has one.
numbers.Integral.register(TracedExtent)


def integer_of(value: Any) -> _integers.Integer | None:
    if isinstance(value, TracedExtent):
        return value._integer
    if isinstance(value, (int, np.int64)):
        return _integers.known(int(value))
    return None


def _is_int64(value: Any) -> bool:
    """Tells whether it is a number of NumPy's, so that what is computed of it is one."""
    return isinstance(value, np.int64) or (isinstance(value, TracedExtent) and value._kind == np.int64)


def is_truth(value: Any) -> bool:
    """Tells whether it is a bool, which NumPy's functions give other results for."""
    return type(value) is bool or (isinstance(value, TracedExtent) and value._kind == np.bool_)


def to_int64(value: Any) -> Any:
    """Returns an integer of Python's or an extent as NumPy's number of it; anything else as it is."""
    integer = None if _is_int64(value) else integer_of(value)
    return value if integer is None else _to_int64(_trace.current(), integer)


def _to_int64(trace: Trace, integer: _integers.Integer) -> Any:
    from ._int64 import TracedInt64

    return TracedInt64(trace, integer) if not integer.is_known else np.int64(integer.as_integer(trace.builder))  # type: ignore[arg-type]


#: What computes a universal function of integers, with the builder.
_OF_INTEGERS: dict[np.ufunc, Callable[..., _integers.Integer]] = {
    np.add: lambda _, x, y: _integers.add(x, y),
    np.subtract: lambda _, x, y: _integers.subtract(x, y),
    np.multiply: lambda _, x, y: _integers.multiply(x, y),
    np.floor_divide: lambda builder, x, y: _integers.floor_divide(x, y, builder),
    np.remainder: lambda builder, x, y: _integers.remainder(x, y, builder),
    np.power: lambda builder, x, y: _raise(x, y, builder),
    np.negative: lambda _, x: _integers.subtract(_integers.known(0), x),
    np.positive: lambda _, x: x,
    np.absolute: lambda builder, x: _integers.absolute(x, builder),
    np.maximum: lambda builder, x, y: _integers.largest(x, y, builder),
    np.minimum: lambda builder, x, y: _integers.smallest(x, y, builder),
}
#: The same of numbers of NumPy's, where these differ from Python's.
_OF_INT64: dict[np.ufunc, Callable[..., _integers.Integer]] = {
    np.floor_divide: lambda builder, x, y: _integers.divide_or_zero(_integers.floor_divide, x, y, builder),
    np.remainder: lambda builder, x, y: _integers.divide_or_zero(_integers.remainder, x, y, builder),
    np.power: lambda builder, x, y: _raise(x, _powers.require_exponent(y, builder), builder),
}


def combine(trace: Trace, ufunc: np.ufunc, inputs: Any, is_int64: bool) -> Any:
    """Applies a universal function to extents and integers; NotImplemented where one is neither."""
    integer = [integer_of(value) for value in inputs]
    if None in integer:
        return NotImplemented
    if ufunc is np.divmod:
        return tuple(combine(trace, part, inputs, is_int64) for part in (np.floor_divide, np.remainder))
    builder = _trace.enter(trace)
    operation = _OF_INT64.get(ufunc, _OF_INTEGERS[ufunc]) if is_int64 else _OF_INTEGERS[ufunc]
    with builder.naming("extents"):
        found = operation(builder, *integer)
        return _to_int64(trace, found) if is_int64 else to_python(trace, found)


def compute(ufunc: np.ufunc, x: Any, y: Any) -> Any:
    """Applies an operator that gives a float, as a number that adapts to the other operand's type."""
    from ._ufuncs import apply

    return apply(ufunc, (x, y), operator=True)


def _power(trace: Trace, x: Any, y: Any, modulo: Any) -> Any:
    """Returns x ** y, as Python's: an integer, but a float where the exponent is negative."""
    if modulo is not None:
        return _power_modulo(trace, x, y, modulo)
    if type(x) is float or type(y) is float:
        return compute(np.power, x, y)
    base, times, is_int64 = integer_of(x), integer_of(y), _is_int64(x) or _is_int64(y)
    if base is None or times is None:
        return NotImplemented
    if _is_fraction(times) and not is_int64 and not base.low == base.high == 0:
        # At a call where the exponent is 0 it is a float, too.
        return compute(np.power, float(x) if isinstance(x, int) else 1.0 * x, float(y) if isinstance(y, int) else y)
    return combine(trace, np.power, (x, y), is_int64)


def _raise(base: _integers.Integer, times: _integers.Integer, builder: program.Builder) -> _integers.Integer:
    """Computes base ** times."""
    if times.is_known:
        return _powers.raise_to(base, times.low)
    return _powers.power_of(base.low, times, builder) if base.is_known else _powers.power(base, times, builder)


def _is_fraction(times: _integers.Integer) -> bool:
    return times.high <= 0 and times.low < 0


def _power_modulo(trace: Trace, x: Any, y: Any, modulo: Any) -> Any:
    """Computes pow(x, y, modulo) of integers."""
    base, times, over = integer_of(x), integer_of(y), integer_of(modulo)
    if base is None or times is None or over is None or any(map(_is_int64, (x, y, modulo))):
        # Numbers of NumPy's have no such power.
        return NotImplemented
    if _is_fraction(times):
        raise _trace.refuse("the inverse of an extent in pow(n, -1, m)", "use an exponent that is not negative")
    if times.is_known and over.is_known and 0 < abs(over.low) <= 2**31:
        return to_python(trace, _powers.raise_modulo(base, times.low, over, _trace.enter(trace)))
    return _power(trace, x, y, None) % modulo


def number_of(value: Any) -> program.Extent | int | None:
    """Returns the number that a builder takes, of an integer or an extent."""
    if isinstance(value, TracedExtent):
        return value._as_integer()
    if isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_)):
        return int(value)
    return None


def to_python(trace: Trace, integer: _integers.Integer) -> Any:
    """Returns the object that the user sees for an extent: a number where it is known."""
    return integer.low if integer.is_known else TracedExtent(trace, integer)
