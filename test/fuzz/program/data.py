"""Holds what the evaluator knows of a tensor: each element exactly, or between which
bounds, or nothing.

An element is exact where `low` equals `high`. The type of both is the element
type's own: a bound that is rounded to the nearest number of the type still has
every number of the type on its right side. `unknown` marks elements of which
nothing is claimed, such as those that an overflow may or may not reach.
"""

import numpy as np
from element_types import TYPES, Type, roundTo

# Numbers that are no tensors.
INDEX = Type("index", np.dtype(np.int64))


class Data:
    __slots__ = ("kind", "low", "high", "unknown", "unrounded")

    def __init__(self, kind, low, high=None, unknown=None):
        self.kind = kind
        self.low = low
        self.high = low if high is None else high
        self.unknown = unknown
        # Of a sum or a product that the next one may continue before it is rounded
        # (red-1): bounds as float64 and what is unknown, or None.
        self.unrounded = None

    @property
    def shape(self):
        return self.low.shape

    @property
    def isExact(self):
        return self.high is self.low and self.unknown is None

    def map(self, function):
        """The same movement of elements for all that is known."""
        low = function(self.low)
        return Data(
            self.kind,
            low,
            low if self.high is self.low else function(self.high),
            None if self.unknown is None else function(self.unknown),
        )

    def mask(self):
        return np.zeros(self.shape, bool) if self.unknown is None else self.unknown

    def uncertain(self):
        """Which elements are not exact."""
        if self.high is self.low:
            return self.mask()
        return self.mask() | ~same(self.low, self.high)


def same(a, b):
    """Element by element: equal, or both NaN. Zeros are equal."""
    with np.errstate(all="ignore"):
        if a.dtype.kind in "biu":
            return a == b
        a, b = a.astype(np.float64), b.astype(np.float64)
        return (a == b) | (np.isnan(a) & np.isnan(b))


def exact(kind, array):
    return Data(kind, np.ascontiguousarray(np.asarray(array, kind.dtype)).reshape(np.shape(array)))


def between(kind, low, high, unknown=None):
    """From bounds as float64, which are rounded to the type. A zero whose sign
    is not known has the bounds -0 and 0. What may be infinite or NaN and may be
    not is unknown."""
    low, high = np.asarray(low, np.float64), np.asarray(high, np.float64)
    with np.errstate(all="ignore"):
        low, high = roundTo(kind, low), roundTo(kind, high)
        wideLow, wideHigh = low.astype(np.float64), high.astype(np.float64)
        isSame = (wideLow == wideHigh) & (np.signbit(wideLow) == np.signbit(wideHigh))
        differ = ~(isSame | (np.isnan(wideLow) & np.isnan(wideHigh)))
        vague = differ & ~(np.isfinite(wideLow) & np.isfinite(wideHigh))
    if unknown is not None:
        vague = vague | unknown
    return Data(kind, low, high if differ.any() else None, vague if vague.any() else None)


def join(kind, parts, function):
    """`function` puts arrays together: of lows, of highs and of masks."""
    low = function([p.low for p in parts])
    isExact = all(p.isExact for p in parts)
    if isExact:
        return Data(kind, low)
    return Data(kind, low, function([p.high for p in parts]), function([p.mask() for p in parts]))


def kindOf(name):
    return INDEX if name == "index" else TYPES[name]


def difference(got, expected):
    """None where the array `got` is one of those that `expected` allows, else a
    sentence about the first element that is not."""
    if got.shape != expected.shape or got.dtype != expected.low.dtype:
        return f"got {got.dtype} {got.shape}, expected {expected.low.dtype} {expected.shape}"
    if got.dtype.kind in "biu":
        good = got == expected.low
    else:
        with np.errstate(all="ignore"):
            wide, low = got.astype(np.float64), expected.low.astype(np.float64)
            good = (wide == low) | (np.isnan(wide) & np.isnan(low))
            if expected.high is expected.low:
                good &= np.isnan(wide) | (np.signbit(wide) == np.signbit(low))
            else:
                high = expected.high.astype(np.float64)
                good |= (wide >= low) & (wide <= high)
    if expected.unknown is not None:
        good |= expected.unknown
    if good.all():
        return None
    index = tuple(int(i) for i in np.argwhere(~good)[0])
    return (
        f"{int((~good).sum())} of {good.size} wrong; at {index} got {got[index]!r}, expected "
        f"{expected.low[index]!r}" + ("" if expected.high is expected.low else f" to {expected.high[index]!r}")
    )
