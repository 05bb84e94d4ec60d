"""Element types: MLIR's names, NumPy's, how floats round, and `.npy` files."""

from dataclasses import dataclass

import ml_dtypes
import numpy as np


@dataclass(frozen=True)
class Type:
    """`precision` counts the implicit bit; `smallest` and `largest` are the
    exponents of the smallest normal and the largest finite number."""

    name: str
    dtype: np.dtype
    precision: int = 0
    smallest: int = 0
    largest: int = 0
    largestFinite: float = 0.0

    @property
    def isFloat(self):
        return self.precision > 0

    @property
    def isBool(self):
        return self.name == "i1"

    @property
    def bits(self):
        return 1 if self.isBool else self.dtype.itemsize * 8

    @property
    def eps(self):
        return 2.0 ** (1 - self.precision)

    @property
    def smallestNormal(self):
        return 2.0**self.smallest


def _float(name, dtype, precision, smallest, largest, finite=None):
    finite = finite or (2.0 - 2.0 ** (1 - precision)) * 2.0**largest
    return Type(name, np.dtype(dtype), precision, smallest, largest, finite)


TYPES = {
    t.name: t
    for t in (
        Type("i1", np.dtype(np.bool_)),
        Type("i8", np.dtype(np.int8)),
        Type("i16", np.dtype(np.int16)),
        Type("i32", np.dtype(np.int32)),
        Type("i64", np.dtype(np.int64)),
        # The bit pattern of 480 is NaN: there is no infinity.
        _float("f8E4M3FN", ml_dtypes.float8_e4m3fn, 4, -6, 8, 448.0),
        _float("f8E5M2", ml_dtypes.float8_e5m2, 3, -14, 15),
        _float("f16", np.float16, 11, -14, 15),
        _float("bf16", ml_dtypes.bfloat16, 8, -126, 127),
        _float("f32", np.float32, 24, -126, 127),
        _float("f64", np.float64, 53, -1022, 1023),
    )
}

INTEGERS = ("i8", "i16", "i32", "i64")
FLOATS = ("f16", "bf16", "f32", "f64")
SMALL_FLOATS = ("f8E4M3FN", "f8E5M2")


def roundTo(kind, values):
    """`values` (float64) rounded once, half to even, to the float type `kind`."""
    values = np.asarray(values, np.float64)
    if kind.name == "f64":
        return values.copy()
    _, exponent = np.frexp(values)
    # The weight of the last bit that the type has at this magnitude.
    last = np.maximum(exponent - kind.precision, kind.smallest - kind.precision + 1)
    with np.errstate(all="ignore"):
        rounded = np.ldexp(np.rint(np.ldexp(values, -last)), last)
    rounded = np.where(np.isfinite(values), rounded, values)
    beyond = np.abs(rounded) > kind.largestFinite
    overflow = np.nan if kind.name == "f8E4M3FN" else np.inf
    rounded = np.where(beyond, np.copysign(overflow, values), rounded)
    # Exact from here on: every value is one of the type's.
    with np.errstate(all="ignore"):
        return rounded.astype(kind.dtype)


def roundToOdd(integers):
    """int64 as float64 such that a further rounding to fewer than 52 bits is as
    one rounding from the exact value: inexact values get an odd last bit."""
    integers = np.asarray(integers, np.int64)
    magnitude = np.where(integers < 0, -(integers.astype(object)), integers.astype(object))
    out = np.empty(integers.shape, np.float64)
    for index in np.ndindex(integers.shape):
        value = int(magnitude[index])
        drop = max(0, value.bit_length() - 53)
        kept = value >> drop
        if drop and value & ((1 << drop) - 1):
            kept |= 1
        out[index] = float(kept) * 2.0**drop
    return np.where(integers < 0, -out, out)


def save(path, array):
    """Writes `.npy` as the command line reads it: bf16 as <V2, the f8 types as
    <V1 and |u1."""
    array = np.asarray(array)
    if array.dtype == TYPES["f8E5M2"].dtype:
        array = array.view(np.uint8)
    np.save(path, array)


def load(path, kind):
    """Reads `.npy` as the element type `kind`; checks its header."""
    array = np.load(path)
    expected = {
        "bf16": np.dtype("V2"),
        "f8E4M3FN": np.dtype("V1"),
        "f8E5M2": np.dtype(np.uint8),
    }.get(kind.name, kind.dtype)
    assert array.dtype == expected, f"{path} has {array.dtype.str}, not {expected.str}"
    return array if array.dtype == kind.dtype else array.view(kind.dtype)
