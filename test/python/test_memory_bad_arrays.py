"""Arrays that are none for an argument that is a memref (mem-1): each defect with each element type and
layout is an error before the call, with its reason, and nothing is written."""

import broadloom as bl
import ml_dtypes
import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

TYPES = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "ui8": np.uint8,
    "index": np.int64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "f8E5M2": ml_dtypes.float8_e5m2,
}
LAYOUTS = {
    "row-major": "",
    "open": ", strided<[?, ?], offset: ?>",
    "columns": ", strided<[1, 4], offset: ?>",
}


def program(element, layout):
    kind = f"memref<4x4x{element}{LAYOUTS[layout]}>"
    return f"""func.func @main(%a: {kind}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %a[%c0, %c0] : {kind}
  memref.store %x, %a[%c1, %c1] : {kind}
  return
}}"""


def strided(a, *strides):
    """The memory of `a` with other strides; as_strided does not know all types."""
    return as_strided(a.view(f"u{a.dtype.itemsize}"), strides=strides).view(a.dtype)


def memory(kind, layout):
    """Bytes, and the array of them that a call takes."""
    size = np.dtype(kind).itemsize
    held = np.zeros(64 * 16 + 64, np.uint8)
    skip = -held.ctypes.data % 64
    held = held[skip : skip + 64 * 16]
    held[:size] = 1
    a = held[: 16 * size].view(kind).reshape(4, 4)
    return held, a.T if layout == "columns" else a


def defects(a, held, layout):
    """Arrays that are wrong in one way, and what is told."""
    kind, size = a.dtype, a.dtype.itemsize
    other = np.dtype(np.int32 if size != 4 else np.int16)
    yield held[: 16 * other.itemsize].view(other).reshape(4, 4), TypeError, "argument 'a' has element type"
    if size > 1:
        odd = held[1 : 1 + 16 * size].view(kind).reshape(4, 4)
        yield (
            odd.T if layout == "columns" else odd,
            ValueError,
            f"argument 'a' is not aligned to its elements of {size} ",
        )
        wide = strided(a, 4 * size + 1, size)
        yield wide, ValueError, "has strides that are no multiples of its element's size"
    if size > 1 and kind.kind in "if":
        yield a.view(kind.newbyteorder()), TypeError, "bytes are not in this machine's order"
    fixed = a.view()
    fixed.flags.writeable = False
    yield fixed, ValueError, "argument 'a' is read-only; the function works on the array itself"
    yield a[0], bl.ShapeError, "argument 'a'"
    yield a[:, :3], (bl.ShapeError, ValueError), "argument 'a'"
    yield strided(a, 2**62, size), ValueError, "reach further than any memory|has strides"
    if layout != "open":
        yield a.T, ValueError, "argument 'a' has strides"
        yield a[::-1], ValueError, "argument 'a' has strides"
        yield strided(a, 0, size), ValueError, "argument 'a' has strides"
    yield a.tolist(), TypeError, "argument 'a' is of type list; give an array"
    yield None, TypeError, "argument 'a' is of type NoneType; give an array"
    yield 3, TypeError, "is a number; the function needs an array to be written to"


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("element", TYPES)
def test_defects(element, layout):
    f = bl.compile(program(element, layout))
    held, a = memory(TYPES[element], layout)
    count = 0
    for wrong, kind, told in defects(a, held, layout):
        before = held.copy()
        with pytest.raises(kind, match=told):
            f(wrong)
        np.testing.assert_array_equal(held, before, err_msg=told)
        count += 1
    assert count >= 8
    f(a)
    assert a[1, 1] == a[0, 0] != 0
