"""Programs of the builder, run on arrays, for the tests of what its functions compute."""

import broadloom as bl
import ml_dtypes
import numpy as np
from broadloom import _program as program
from broadloom._program import _types

FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64")
ALL = ("i1", *INTEGERS, *FLOATS)


def run(code, *arrays, shapes=None):
    """Returns what `code`, of a builder and arguments of any extents, gives for arrays."""
    builder = program.Builder()
    builder.place("test.py", 7, 3)
    shapes = shapes or [[None] * np.ndim(a) for a in arrays]
    values = [builder.argument(_types.from_numpy(np.asarray(a).dtype), shape) for a, shape in zip(arrays, shapes)]
    results = code(*values)
    text = builder.finish(results if isinstance(results, (list, tuple)) else [results])
    return bl.compile(text)(*arrays)


def numbers(element, *shape, seed=0, low=-8, high=8):
    """Small numbers that any element type can hold."""
    random = np.random.default_rng(seed)
    if element == "i1":
        return random.integers(0, 2, shape).astype(bool)
    if program.is_float(element):
        return random.uniform(low, high, shape).astype(_types.to_numpy(element))
    low = max(low, 0) if program.is_unsigned(element) else low
    return random.integers(low, high, shape).astype(_types.to_numpy(element))


def check(found, expected, ulp=0):
    """One shape and type, and values that are so close."""
    assert found.dtype == expected.dtype and found.shape == expected.shape
    wide = np.float64 if found.dtype.kind not in "biu" else found.dtype
    if not ulp:
        return np.testing.assert_array_equal(found.astype(wide), expected.astype(wide))
    kind = ml_dtypes.finfo(found.dtype) if found.dtype.name == "bfloat16" else np.finfo(found.dtype)
    limit = ulp * float(kind.eps)
    np.testing.assert_allclose(found.astype(wide), expected.astype(wide), rtol=limit, atol=limit)
