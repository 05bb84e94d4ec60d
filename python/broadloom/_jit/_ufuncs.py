"""NumPy's universal functions over arrays without values, with NumPy's own loops to
say which element types these have."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from .. import _program as program
from .._tensors import _bessel, _special
from . import _powers, _selected, _trace
from ._array import TracedArray, element_of
from ._extent import TracedExtent, number_of


def _either(x: Any, y: Any, combine: Any) -> Any:
    return combine(_truth(x), _truth(y))


def _truth(x: Any) -> Any:
    if isinstance(x, program.Value):
        return program.cast(x, "i1")
    return bool(x)


def _log_sum(x: Any, y: Any, log: Any, exp: Any, of_two: Any) -> Any:
    """Computes log(exp(x) + exp(y)) for a base."""
    high = program.maximum(x, y)
    apart = program.negative(program.absolute(program.subtract(x, y)))
    found = program.add(high, log(apart, exp))
    return program.select(program.equal(x, y), program.add(x, of_two), found)


def _logaddexp(x: Any, y: Any) -> Any:
    return _log_sum(x, y, lambda d, exp: program.log1p(exp(d)), program.exp, math.log(2))


def _logaddexp2(x: Any, y: Any) -> Any:
    scale = 1 / math.log(2)
    return _log_sum(x, y, lambda d, exp: program.multiply(program.log1p(exp(d)), scale), program.exp2, 1.0)


def _heaviside(x: Any, y: Any) -> Any:
    step = program.select(program.less(x, 0.0), 0.0, program.select(program.equal(x, 0.0), y, 1.0))
    return program.select(program.isnan(x), x, step)


def _reciprocal(x: Any) -> Any:
    if program.is_float(x.element):
        return program.divide(1.0, x)
    # Toward zero: nothing but 1 and -1 has one. Of 0, NumPy's depends on the processor.
    unit = program.equal(x, 1)
    if not program.is_unsigned(x.element):
        unit = program.bitwise_or(unit, program.equal(x, -1))
    return program.select(unit, x, 0)


def _vecdot(x: Any, y: Any) -> Any:
    for at, operand in enumerate((x, y)):
        if operand.rank == 0:
            raise ValueError(f"np.vecdot: operand {at} has no axes, but needs one")
    message = "the operands of a vecdot have {0} and {1} elements along the axis that is summed"
    program.require(x.builder, "eq", program.extent(x, -1), program.extent(y, -1), message)
    if x.element == "i1":
        return program.reduce("any", program.bitwise_and(x, y), [-1], False)
    return program.sum(program.multiply(x, y), [-1])


#: What a comparison of a number below 0 with one without a sign is.
_BELOW = {"less": True, "less_equal": True, "not_equal": True, "equal": False, "greater": False, "greater_equal": False}
_ABOVE = {"less": False, "less_equal": False, "not_equal": True, "equal": False, "greater": True, "greater_equal": True}


def _compare_signs(name: Any, x: Any, y: Any) -> Any:
    """Returns a comparison of int64 and uint64, of which NumPy compares the numbers."""
    signed, outcome = (y, _ABOVE) if program.is_unsigned(x.element) else (x, _BELOW)
    compared = FUNCTIONS[name](program.cast(x, "ui64"), program.cast(y, "ui64"))
    return program.select(program.less(signed, 0), outcome[name], compared, "i1")


def _scale(factor: Any) -> Any:
    return lambda x: program.multiply(x, factor)


def _modf(x: Any) -> Any:
    """Returns the part behind the point, and the part before it."""
    whole = program.trunc(x)
    rest = program.select(program.isinf(x), 0.0, program.subtract(x, whole))
    return program.copysign(rest, x), whole


def _same(x: Any) -> Any:
    return x


#: What computes each universal function, of operands of one element type.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(program, name)
        for name in (
            "absolute add arccos arccosh arcsin arcsinh arctan arctan2 arctanh bitwise_and bitwise_or "
            "bitwise_xor cbrt ceil copysign cos cosh divide equal exp exp2 expm1 floor floor_divide fmax "
            "fmin fmod greater greater_equal isfinite isinf isnan left_shift less less_equal log log10 "
            "log1p log2 maximum minimum multiply negative not_equal power remainder right_shift sign "
            "signbit sin sinh sqrt square subtract tan tanh trunc"
        ).split()
    },
    "rint": program.round,
    "invert": program.bitwise_not,
    "fabs": program.absolute,
    "float_power": program.power,
    "conjugate": _same,
    "positive": _same,
    "hypot": program.hypot,
    "logaddexp": _logaddexp,
    "logaddexp2": _logaddexp2,
    "heaviside": _heaviside,
    "reciprocal": _reciprocal,
    "degrees": _scale(180 / math.pi),
    "rad2deg": _scale(180 / math.pi),
    "radians": _scale(math.pi / 180),
    "deg2rad": _scale(math.pi / 180),
    "logical_and": lambda x, y: _either(x, y, program.bitwise_and),
    "logical_or": lambda x, y: _either(x, y, program.bitwise_or),
    "logical_xor": lambda x, y: _either(x, y, program.bitwise_xor),
    "logical_not": program.logical_not,
    "divmod": lambda x, y: (program.floor_divide(x, y), program.remainder(x, y)),
    "modf": _modf,
    "matmul": program.matmul,
    "vecdot": _vecdot,
    "nextafter": program.nextafter,
    # Of scipy.special.
    "erf": program.erf,
    "expit": program.sigmoid,
    "erfc": _special.erfc,
    "erfcx": _special.erfcx,
    "erfinv": _special.erfinv,
    "gammaln": _special.lgamma,
    "ndtr": _special.ndtr,
    "ndtri": _special.ndtri,
    "log_ndtr": _special.log_ndtr,
    "psi": _special.digamma,
    **{name: _bessel.BESSEL[name] for name in ("i0", "i0e", "i1", "i1e")},
    **{f"{kind}{n}": _bessel.BESSEL[f"bessel_{kind}{n}"] for kind in "jy" for n in (0, 1)},
    **{f"k{n}": _bessel.BESSEL[f"modified_bessel_k{n}"] for n in (0, 1)},
    **{f"k{n}e": _bessel.BESSEL[f"scaled_modified_bessel_k{n}"] for n in (0, 1)},
}

#: Which running value a method `accumulate` gives.
RUNNING = {
    "add": "sum",
    "multiply": "product",
    "maximum": "max",
    "minimum": "min",
    "logaddexp": "logsumexp",
}
#: Which reduction a method `reduce` is.
REDUCTIONS = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_and": "all",
    "logical_or": "any",
}


def to_array(trace: _trace.Trace, value: Any) -> TracedArray:
    """Makes any operand an array of the trace."""
    if isinstance(value, (TracedArray, TracedExtent)):
        _trace.require_of(trace, value)
        return value if isinstance(value, TracedArray) else value._as_array(weak=False)
    if _is_of_objects(value):
        value = value.tolist()
    if isinstance(value, (list, tuple)) and has_traced(value):
        from ._shapes import stack

        return stack([to_array(trace, v) for v in value])
    array = np.asarray(value)
    weak = type(value) if type(value) in (int, float) else None
    builder = _trace.enter(trace)
    made = TracedArray(trace, builder.constant(array, element_of(array.dtype)), weak=weak)
    made._origin = value if isinstance(value, np.ndarray) else None
    return made


def size_of(value: Any) -> program.Extent | int | None:
    """Returns the number of an integer, of an extent, or of an integer array without axes, whose value takes part in
    shapes and slices as an extent does."""
    if not isinstance(value, TracedArray):
        return number_of(value)
    if value.ndim or value.dtype.kind not in "iu":
        return None
    number = value._value
    if value.dtype == np.uint64:
        # No axis is longer.
        number = program.minimum(number, 2**63 - 1)
    return program.to_number(program.cast(number, "i64"))


def has_traced(value: Any) -> bool:
    """Tells whether it is of the trace, or a list with what is."""
    if isinstance(value, (list, tuple)):
        return any(has_traced(v) for v in value)
    return isinstance(value, (TracedArray, TracedExtent))


def _is_of_objects(value: Any) -> bool:
    """Tells whether it is an array of NumPy's that has extents for elements."""
    return isinstance(value, np.ndarray) and value.dtype == object and has_traced(value.tolist())


def kind_of(value: Any) -> Any:
    """Returns an operand as `resolve_dtypes` takes it: a type of NumPy's, or a weak one."""
    if isinstance(value, TracedArray):
        return value._weak or value.dtype
    if isinstance(value, TracedExtent):
        return value._kind
    if type(value) in (int, float):
        return type(value)
    if isinstance(value, complex):
        raise _trace.error(_trace.NO_COMPLEX)
    return np.asarray(value).dtype


def resolve(
    ufunc: np.ufunc, inputs: Any, dtype: Any = None, casting: Any = None
) -> tuple[list[np.dtype[Any]], list[np.dtype[Any]]]:
    """Returns the element types that NumPy's loop takes and gives."""
    kinds = [kind_of(value) for value in inputs]
    if not any(isinstance(kind, np.dtype) for kind in kinds):
        kinds = [np.dtype("int64" if kind is int else "float64") for kind in kinds]
    more = {} if casting is None else {"casting": casting}
    if dtype is not None:
        more["signature"] = (None,) * ufunc.nin + (np.dtype(dtype),) * ufunc.nout
    found = ufunc.resolve_dtypes((*kinds, *[None] * ufunc.nout), **more)  # type: ignore[attr-defined]
    return list(found[: ufunc.nin]), list(found[ufunc.nin :])


def to_operand(trace: _trace.Trace, value: Any, dtype: np.dtype[Any]) -> Any:
    """Returns an operand of one element type: a value, or a number."""
    element = element_of(dtype)
    if isinstance(value, (TracedArray, TracedExtent)):
        _trace.require_of(trace, value)
    if isinstance(value, TracedExtent):
        return _extent_operand(trace, value, dtype)
    if isinstance(value, TracedArray):
        return program.cast(value._value, element)
    if isinstance(value, (list, tuple)) and has_traced(value):
        return program.cast(to_array(trace, value)._value, element)
    array = np.asarray(value)
    if array.ndim:
        return trace.builder.constant(array.astype(dtype, copy=False), element)
    number = array.item() if type(value) in (bool, int, float) else array.astype(dtype).item()
    return number if dtype.kind in "biu" else float(number)


def _extent_operand(trace: _trace.Trace, value: TracedExtent, dtype: np.dtype[Any]) -> Any:
    """Returns an extent as an operand. An integer type must have it, as in NumPy a number of Python's."""
    if dtype.kind == "f" or not program.is_integer(element_of(dtype)):
        element = element_of(dtype)
        return (
            value._integer.as_float() if program.is_float(element) else program.cast(value._as_array()._value, element)
        )
    number = value._as_integer()
    if value._kind is not int:
        # A number of NumPy's is cast as arrays are.
        return number if dtype == np.int64 else program.cast(value._as_array()._value, element_of(dtype))
    low, high = program.limits(element_of(dtype))
    for predicate, end, is_safe in (
        ("sge", low, value._integer.low >= low),
        ("sle", high, value._integer.high <= high),
    ):
        if not is_safe and end < 2**63 - 1:
            message = f"the integer {{0}}, which is computed of extents, is out of bounds for {dtype}"
            program.require(trace.builder, predicate, number, end, message)
    return number


def _compare_beyond(name: str, inputs: Any, wanted: Any) -> tuple[int, bool] | None:
    """Finds which operand is compared with a number of Python's that its type does not have,
    and what all its elements give."""
    if name not in _BELOW:
        return None
    for side, other in ((0, 1), (1, 0)):
        number = inputs[side]
        if type(number) is not int or wanted[side].kind not in "iu":
            continue
        limits = np.iinfo(wanted[side])
        if not limits.min <= number <= limits.max:
            is_left_below = (number < limits.min) == (side == 0)
            return other, (_BELOW if is_left_below else _ABOVE)[name]
    return None


#: Functions of several operations, which floats shorter than 32 bits are computed with in f32 and rounded once.
_COMPOSED = ("degrees", "deg2rad", "hypot", "logaddexp", "logaddexp2", "rad2deg", "radians")
#: Functions that take values alone, and no numbers.
_OF_VALUES = ("heaviside", "logaddexp", "logaddexp2", "matmul", "reciprocal", "vecdot")


def _as_value(trace: _trace.Trace, operand: Any, dtype: np.dtype[Any]) -> program.Value:
    """Returns an operand as a value of its type."""
    if isinstance(operand, program.Value):
        return operand
    element = element_of(dtype)
    if isinstance(operand, (bool, int, float)):
        return trace.builder.constant(np.asarray(operand, dtype), element)
    return program.scalar(trace.builder, operand, element)


def _widen(value: program.Value) -> program.Value:
    """Returns a value in the type in which it is computed with."""
    return program.cast(value, "f32") if value.element in ("f16", "bf16") or program.is_float8(value.element) else value


def apply(ufunc: np.ufunc, inputs: Any, dtype: Any = None, operator: bool = False, casting: str | None = None) -> Any:
    """Computes ufunc(*inputs) in the trace. An `operator` makes a number of Python's of such numbers alone."""
    code = FUNCTIONS.get(ufunc.__name__)
    if code is None:
        known = ", ".join(sorted(FUNCTIONS))
        raise _trace.error(f"'{ufunc.__name__}' is not supported under bl.jit; there are: {known}")
    if _selected.has_selected(inputs):
        return _selected.apply(ufunc, inputs, lambda inputs: apply(ufunc, inputs, dtype, operator, casting))
    # NumPy's functions of lists with extents may give such arrays.
    inputs = [to_array(_trace.current(), i) if _is_of_objects(i) else i for i in inputs]
    trace = next((i._trace for i in inputs if isinstance(i, (TracedArray, TracedExtent))), None) or _trace.current()
    kinds = [k for k in map(kind_of, inputs) if isinstance(k, np.dtype)]
    if ufunc.__name__ in _BELOW and any(program.is_integer(element_of(k)) for k in kinds):
        # NumPy compares the numbers, also where the other's type does not have them.
        inputs = [i._as_array(weak=False) if isinstance(i, TracedExtent) else i for i in inputs]
    wanted, given = resolve(ufunc, inputs, dtype, casting)
    builder = _trace.enter(trace)
    with builder.naming(f"numpy.{ufunc.__name__}"), translate_errors():
        if beyond := _compare_beyond(ufunc.__name__, inputs, wanted):
            shape = program.extents(to_array(trace, inputs[beyond[0]])._value)
            return TracedArray(trace, program.broadcast_to(builder.constant(np.asarray(beyond[1])), shape))
        operands = [to_operand(trace, v, d) for v, d in zip(inputs, wanted)]
        if ufunc is np.power and wanted[1].kind == "i" and isinstance(inputs[1], TracedExtent):
            _powers.require_exponent(inputs[1]._integer, builder)
        elements = {element_of(d) for d in (*wanted, *given)}
        if any(map(program.is_float8, elements)) or (ufunc.__name__ in _COMPOSED and elements & {"f16", "bf16"}):
            # Rounded once, however many operations the function is written with.
            operands = [_widen(_as_value(trace, o, d)) for o, d in zip(operands, wanted)]
        elif not any(isinstance(o, program.Value) for o in operands):
            operands[0] = _as_value(trace, operands[0], wanted[0])
        elif ufunc.__name__ in _OF_VALUES:
            operands = [_as_value(trace, o, d) for o, d in zip(operands, wanted)]
        if wanted[0] != wanted[-1] and ufunc.__name__ in _BELOW:
            values = [to_array(trace, o)._value if not isinstance(o, program.Value) else o for o in operands]
            results = _compare_signs(ufunc.__name__, *values)
        else:
            results = code(*operands)
        results = results if isinstance(results, tuple) else (results,)
        weak = None
        if operator and all(not isinstance(kind_of(i), np.dtype) for i in inputs):
            weak = {"f": float, "i": int}.get(given[0].kind)
        arrays = tuple(TracedArray(trace, program.cast(r, element_of(d)), weak=weak) for r, d in zip(results, given))
    return arrays if ufunc.nout > 1 else arrays[0]


class translate_errors:
    """Puts the location in the user's code before what a builder refuses."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: Any, _: Any) -> Any:
        if kind is program.AxisError:
            location = _trace.spell_location()
            if location and not str(error).startswith(location):
                # NumPy puts the colon behind what it is given.
                raise kind(error.axis, error.ndim, location.rstrip(": ")) from None
        if kind in (TypeError, ValueError, OverflowError) and error.args:
            location = _trace.spell_location()
            if location and not str(error.args[0]).startswith(location):
                raise kind(location + str(error.args[0])) from None
        return False
