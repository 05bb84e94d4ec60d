"""tosa.fft2d and tosa.rfft2d. TOSA divides in neither direction."""

import numpy as np
from data import between
from element_types import FLOATS

from operations import Entry, Fails, register


def isPowerOfTwo(number):
    return number > 0 and number & (number - 1) == 0


def transform(real, imaginary, isInverse, isHalf):
    """In f64. One of both axes after the other, so that extents of 0 do not matter."""
    values = real.astype(np.float64) + 1j * imaginary.astype(np.float64)
    if 0 not in values.shape:
        function = np.fft.ifft2 if isInverse else np.fft.fft2
        values = function(values, axes=(1, 2), norm="forward" if isInverse else "backward")
    return values[:, :, : values.shape[2] // 2 + 1] if isHalf else values


def overImages(values):
    """A number for each image of the batch that goes with all its elements."""
    return values.sum(axis=(1, 2), keepdims=True)


def boundsOf(kind, parts, isInverse, isHalf):
    """The results from operands as Data, which are off by no more than img-2 says;
    16 more are NumPy's own."""
    low, high = ([getattr(p, end).astype(np.float64) for p in parts] for end in ("low", "high"))
    hidden = sum(p.mask() | ~np.isfinite(a) | ~np.isfinite(b) for p, a, b in zip(parts, low, high)) > 0
    # Each element is in every sum of its image, at most once as it is.
    size = overImages(sum(np.where(hidden, 0, np.maximum(np.abs(a), np.abs(b))) for a, b in zip(low, high)))
    gap = overImages(sum(np.where(hidden, 0, np.abs(b - a)) for a, b in zip(low, high)))
    known = [np.where(hidden, 0, a) for a in low]
    value = transform(known[0], known[1] if len(known) > 1 else np.zeros(known[0].shape), isInverse, isHalf)
    count = 2 * (low[0].shape[1] + low[0].shape[2]) + 32 + 16
    tiny = np.where(size > 0, count * np.finfo(np.float64).smallest_subnormal, 0)
    error = gap + tiny + count * 2.0**-53 * size
    unknown = np.broadcast_to(~(size < kind.largestFinite / 4) | (overImages(hidden) > 0), value.shape)
    return [
        between(kind, np.where(unknown, 0, part - error), np.where(unknown, 0, part + error), unknown)
        for part in (value.real, value.imag)
    ]


class Transform(Entry):
    weight = 0.4

    def __init__(self, isHalf):
        self.isHalf = isHalf

    def attributes(self, attributes):
        return ", ".join(f"{name} = {str(value).lower()}" for name, value in attributes.items())

    def propose(self, g):
        def fits(v):
            return v.kind in FLOATS and len(g.shape(v)) == 3 and all(map(isPowerOfTwo, g.shape(v)[1:]))

        real = g.pickOf(fits)
        if real is None and g.random.random() < 0.5:
            real = g.newOf(
                g.random.choice(FLOATS), [g.random.choice(e) for e in ((1, 1, 2, 3), (1, 2, 4, 8), (1, 2, 4, 8, 16))]
            )
        if real is None:
            return None
        attributes = {"local_bound": g.random.random() < 0.3}
        if self.isHalf:
            return [real], [real.kind] * 2, attributes
        attributes["inverse"] = g.random.random() < 0.5
        imaginary = g.pickOf(lambda v: v.kind == real.kind and g.shape(v) == g.shape(real))
        if g.random.random() < 0.4:
            imaginary = g.newOf(real.kind, g.shape(real))
        return [real, imaginary], [real.kind] * 2, attributes

    def evaluate(self, operands, attributes, kinds):
        shape = operands[0].shape
        if any(o.shape != shape for o in operands) or len(shape) != 3:
            raise Fails("one shape of three axes")
        if not all(map(isPowerOfTwo, shape[1:])):
            raise Fails("no power of two")
        with np.errstate(all="ignore"):
            return boundsOf(operands[0].kind, operands, attributes.get("inverse", False), self.isHalf)


register("fft2d", Transform(False))
register("rfft2d", Transform(True))
