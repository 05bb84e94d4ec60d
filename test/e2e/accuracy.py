"""Compares results with what the oracle says: bit for bit, all NaNs equal, or
within the error that el-9 allows."""

import numpy as np
from tosa_oracle import Reference, ulp


def _wrongExact(got, expected):
    if got.dtype.kind in "biu":
        return got != expected
    wide, want = got.astype(np.float64), expected.astype(np.float64)
    same = (wide == want) & (np.signbit(wide) == np.signbit(want))
    return ~(same | (np.isnan(wide) & np.isnan(want)))


def _wrongApproximate(got, reference):
    kind = reference.kind
    wide = got.astype(np.float64)
    high, low, bound = reference.high, reference.low, reference.bound
    with np.errstate(all="ignore"):
        near = np.abs((wide - high) - low) <= bound
        # Infinity stands for everything from half a unit above the largest number.
        overflow = kind.largestFinite + ulp(kind, kind.largestFinite) / 2
        near |= np.isinf(wide) & (np.sign(wide) == np.sign(high)) & (np.abs(high) + bound >= overflow)
        near = np.where(np.isinf(high), wide == high, near)
        if kind.name == "f64":
            near |= np.isinf(high) & (np.abs(wide) > kind.largestFinite * (1 - 1e-12))
        inside = (wide >= reference.least) & (wide <= reference.most)
        if reference.zeroSign:
            inside &= (high != 0) | (np.signbit(wide) == np.signbit(high))
    return ~np.where(np.isnan(high), np.isnan(wide), near & inside)


def difference(got, expected):
    """None where `got` is right, else a sentence about the first wrong element."""
    isReference = isinstance(expected, Reference)
    shape = expected.high.shape if isReference else expected.shape
    dtype = expected.kind.dtype if isReference else expected.dtype
    if got.shape != shape or got.dtype != dtype:
        return f"got {got.dtype} {got.shape}, expected {dtype} {shape}"
    wrong = (_wrongApproximate if isReference else _wrongExact)(got, expected)
    if not wrong.any():
        return None
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    value = expected.high[index] if isReference else expected[index]
    words = f"{int(wrong.sum())} of {wrong.size} wrong; at {index} got {got[index]!r}, expected {value!r}"
    if isReference:
        words += f" within {expected.bound[index]:.3g}"
    return words
