"""Matrix products, convolutions and pools (img-1). Products of floats may be
added in any order: the error that is allowed is that of sums."""

import itertools

import numpy as np
from data import Data, between, kindOf

from operations import TABLE, Entry, Fails, register
from operations.attributes import arrayText
from operations.reductions import extremeOf


def bilinear(function, a, b, kind, terms, bias=None):
    """`function(a, b)`, sums of `terms` products, of known elements; then the bias."""
    if not kind.isFloat:
        value = function(a.low.astype(np.int64), b.low.astype(np.int64))
        if bias is not None:
            value = value + bias.low.astype(np.int64)
        hidden = any(d.unknown is not None and d.unknown.any() for d in (a, b, bias) if d is not None)
        return Data(kind, value.astype(kind.dtype), None, np.ones(value.shape, bool) if hidden else None)
    with np.errstate(all="ignore"):
        low = [d.low.astype(np.float64) for d in (a, b)]
        high = [d.high.astype(np.float64) for d in (a, b)]
        size = [np.maximum(np.abs(x), np.abs(y)) for x, y in zip(low, high)]
        gap = [np.abs(y - x) for x, y in zip(low, high)]
        value, magnitude = function(*low), function(*size)
        spread = function(gap[0], size[1]) + function(size[0], gap[1])
        if bias is not None:
            value = value + bias.low.astype(np.float64)
            magnitude = magnitude + np.maximum(np.abs(bias.low), np.abs(bias.high)).astype(np.float64)
            spread = spread + np.abs(bias.high.astype(np.float64) - bias.low.astype(np.float64))
        whole = all((np.rint(x) == x).all() for x in low) and (bias is None or (np.rint(bias.low) == bias.low).all())
        isExact = (spread == 0) & (magnitude * kind.eps < 1) if whole else np.zeros(np.shape(value), bool)
        # A product below the normal numbers is off by up to the smallest number.
        tiny = np.where(magnitude > 0, (terms + 3) * kind.smallestNormal * kind.eps, 0.0)
        error = np.where(
            isExact, 0.0, spread + tiny + kind.eps * (terms + 3) * magnitude * (2 if kind.name == "f64" else 1)
        )
        unknown = ~(magnitude < kind.largestFinite / 4)
        for d in (a, b, bias):
            if d is not None and d.unknown is not None and d.unknown.any():
                unknown = np.ones(np.shape(value), bool)
        return between(kind, np.where(unknown, 0, value - error), np.where(unknown, 0, value + error), unknown)


class Matmul(Entry):
    """[N, H, C] by [N, C, W]."""

    weight = 1

    def extras(self, attributes):
        return [(attributes["kind"], [0])] * 2

    def propose(self, g):
        a = g.pickOf(lambda v: v.kind in ("f32", "f64", "i8") and len(g.shape(v)) == 3)
        if a is None:
            return None
        n, _, c = g.shape(a)
        b = g.pickOf(lambda v: v.kind == a.kind and len(g.shape(v)) == 3 and g.shape(v)[:2] == (n, c))
        if b is None:
            b = g.newOf(a.kind, (n, c, g.random.choice(g.extents)))
        return [a, b], ["i32" if a.kind == "i8" else a.kind], {"kind": a.kind}

    def evaluate(self, operands, attributes, kinds):
        a, b = operands
        if len(a.shape) != 3 or len(b.shape) != 3 or a.shape[0] != b.shape[0] or a.shape[2] != b.shape[1]:
            raise Fails("matrices that do not fit")
        return [bilinear(np.matmul, a, b, kindOf(kinds[0]), a.shape[2])]


def window(size, kernel, before, after, stride, dilation=1):
    """The extent of a result along one axis."""
    left = size - 1 + before + after - (kernel - 1) * dilation
    if left < 0 or left % stride:
        raise Fails("the windows do not fit")
    return left // stride + 1


def imageOf(g, kinds, rank=4):
    """A value of that rank, or sometimes a new one: what other operations give
    rarely has so many axes. None else."""
    image = g.pickOf(lambda v: v.kind in kinds and len(g.shape(v)) == rank)
    if image is None and g.random.random() < 0.4:
        image = g.newOf(g.random.choice(kinds), [g.random.choice([1, 2, 3, 3, 4]) for _ in range(rank)])
    return image


class Convolution(Entry):
    weight = 0.4

    def __init__(self, isDepthwise):
        self.isDepthwise = isDepthwise

    def attributes(self, attributes):
        return ", ".join(
            [f"acc_type = {attributes['sums']}"] + [arrayText(k, attributes[k]) for k in ("dilation", "pad", "stride")]
        )

    def extras(self, attributes):
        return [(attributes["kind"], [0])] * 2

    def propose(self, g):
        image = imageOf(g, ("f32", "i8"))
        if image is None:
            return None
        _n, _h, _w, c = g.shape(image)
        kernel = [g.random.choice([1, 2, 3]) for _ in range(2)]
        dilation = [g.random.choice([1, 1, 2]) for _ in range(2)]
        stride = [g.random.choice([1, 1, 2]) for _ in range(2)]
        pad = [g.random.choice([0, 0, 1, 2]) for _ in range(4)]
        out = g.random.choice([1, 2, 3])
        shape = (*kernel, c, out) if self.isDepthwise else (out, *kernel, c)
        sums = "i32" if image.kind == "i8" else "f32"
        weight = g.newOf(image.kind, shape)
        bias = g.newOf(sums, (g.random.choice([1, c * out if self.isDepthwise else out]),))
        return (
            [image, weight, bias],
            [sums],
            {"kind": image.kind, "sums": sums, "dilation": dilation, "stride": stride, "pad": pad},
        )

    def evaluate(self, operands, attributes, kinds):
        image, weight, bias = operands
        if len(image.shape) != 4 or len(weight.shape) != 4 or len(bias.shape) != 1:
            raise Fails("ranks")
        stride, dilation, pad = attributes["stride"], attributes["dilation"], attributes["pad"]
        kernel = weight.shape[:2] if self.isDepthwise else weight.shape[1:3]
        inputs = weight.shape[2] if self.isDepthwise else weight.shape[3]
        channels = weight.shape[2] * weight.shape[3] if self.isDepthwise else weight.shape[0]
        if image.shape[3] != inputs or bias.shape[0] not in (1, channels) or 0 in kernel:
            raise Fails("channels")
        sizes = [
            window(image.shape[1 + i], kernel[i], pad[2 * i], pad[2 * i + 1], stride[i], dilation[i]) for i in range(2)
        ]

        def convolve(a, b):
            padded = np.pad(a, ((0, 0), pad[:2], pad[2:], (0, 0)))
            out = np.zeros((a.shape[0], *sizes, channels), a.dtype)
            for y, x in itertools.product(range(kernel[0]), range(kernel[1])):
                seen = padded[
                    :,
                    y * dilation[0] : y * dilation[0] + (sizes[0] - 1) * stride[0] + 1 : stride[0],
                    x * dilation[1] : x * dilation[1] + (sizes[1] - 1) * stride[1] + 1 : stride[1],
                ]
                if self.isDepthwise:
                    out += (seen[..., None] * b[y, x]).reshape(out.shape)
                else:
                    out += seen @ b[:, y, x].T
            return out

        terms = kernel[0] * kernel[1] * (1 if self.isDepthwise else inputs)
        return [bilinear(convolve, image, weight, kindOf(kinds[0]), terms, bias)]


class MaxPool(Entry):
    weight = 0.5

    def attributes(self, attributes):
        return ", ".join(arrayText(k, attributes[k]) for k in ("kernel", "pad", "stride"))

    def propose(self, g):
        image = imageOf(g, ("f32", "f16", "i8"))
        if image is None:
            return None
        kernel = [g.random.choice([1, 2, 3]) for _ in range(2)]
        return (
            [image],
            [image.kind],
            {
                "kernel": kernel,
                "stride": [g.random.choice([1, 1, 2]) for _ in range(2)],
                "pad": [g.random.randrange(k) for k in kernel for _ in range(2)],
            },
        )

    def evaluate(self, operands, attributes, kinds):
        data = operands[0]
        kernel, stride, pad = attributes["kernel"], attributes["stride"], attributes["pad"]
        if len(data.shape) != 4:
            raise Fails("ranks")
        if 0 in data.shape[1:3]:
            raise Fails("an image without a row or a column")
        sizes = [window(data.shape[1 + i], kernel[i], pad[2 * i], pad[2 * i + 1], stride[i]) for i in range(2)]
        kind = data.kind
        lowest = -np.inf if kind.isFloat else np.iinfo(kind.dtype).min

        def views(array, fill):
            padded = np.full(
                (array.shape[0], array.shape[1] + sum(pad[:2]), array.shape[2] + sum(pad[2:]), array.shape[3]),
                fill,
                array.dtype,
            )
            padded[:, pad[0] : pad[0] + array.shape[1], pad[2] : pad[2] + array.shape[2]] = array
            return np.stack(
                [
                    padded[
                        :,
                        y : y + (sizes[0] - 1) * stride[0] + 1 : stride[0],
                        x : x + (sizes[1] - 1) * stride[1] + 1 : stride[1],
                    ]
                    for y, x in itertools.product(range(kernel[0]), range(kernel[1]))
                ]
            )

        ends = [
            extremeOf(views(a, lowest), kind, 0, True, "PROPAGATE")[0]
            for a in ([data.low] if data.high is data.low else [data.low, data.high])
        ]
        unknown = None if data.unknown is None else views(data.unknown, False).any(axis=0)
        return [Data(kind, ends[0], ends[1] if len(ends) > 1 else None, unknown)]


class AveragePool(Entry):
    """Averages floats: divides the sum by the number of elements that are no padding."""

    weight = 0.4

    def attributes(self, attributes):
        return "acc_type = f32, " + ", ".join(arrayText(k, attributes[k]) for k in ("kernel", "pad", "stride"))

    def extras(self, attributes):
        return [("f32", [0])] * 2

    def propose(self, g):
        image = imageOf(g, ("f32",))
        if image is None:
            return None
        kernel = [g.random.choice([1, 2, 3]) for _ in range(2)]
        return (
            [image],
            ["f32"],
            {
                "kernel": kernel,
                "stride": [g.random.choice([1, 1, 2]) for _ in range(2)],
                "pad": [g.random.randrange(k) for k in kernel for _ in range(2)],
            },
        )

    def evaluate(self, operands, attributes, kinds):
        (image,) = operands
        kernel = attributes["kernel"]
        ones = Data(image.kind, np.ones((*kernel, image.shape[-1] if len(image.shape) == 4 else 1, 1), np.float32))
        none = Data(image.kind, np.zeros(1, np.float32))
        if len(image.shape) != 4 or 0 in image.shape[1:3]:
            raise Fails("no image")
        summed = dict(attributes, dilation=[1, 1])
        (total,) = TABLE["depthwise_conv2d"].evaluate([image, ones, none], summed, kinds)
        (counts,) = TABLE["depthwise_conv2d"].evaluate(
            [Data(image.kind, np.ones(image.shape, np.float32)), ones, none], summed, kinds
        )
        with np.errstate(all="ignore"):
            count = counts.low.astype(np.float64)
            low, high = total.low / count, total.high / count
            error = np.maximum(np.abs(low), np.abs(high)) * 4 * image.kind.eps
        return [between(image.kind, low - error, high + error, total.unknown)]


register("avg_pool2d", AveragePool())
register("matmul", Matmul())
register("conv2d", Convolution(False))
register("depthwise_conv2d", Convolution(True))
register("max_pool2d", MaxPool())
