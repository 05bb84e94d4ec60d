"""conv3d, transpose_conv2d and resize (img-1)."""

import itertools

import numpy as np
from data import between, exact, kindOf

from operations import Entry, Fails, register
from operations.attributes import arrayText
from operations.images import bilinear, imageOf, window


class Convolution(Entry):
    """Both convolutions have these in common: image, weight and bias."""

    weight = 0.3
    axes = 0
    kernelAxes = slice(0, 0)

    def extras(self, attributes):
        return [(attributes["kind"], [0])] * 2

    def attributes(self, attributes):
        return ", ".join([f"acc_type = {attributes['sums']}"] + [arrayText(k, attributes[k]) for k in self.arrays])

    def propose(self, g):
        image = imageOf(g, ("f32", "i8"), self.axes + 2)
        if image is None:
            return None
        out = g.random.choice([1, 2, 3])
        shape = (out, *(g.random.choice([1, 1, 2]) for _ in range(self.axes)), g.shape(image)[-1])
        sums = "i32" if image.kind == "i8" else "f32"
        operands = [image, g.newOf(image.kind, shape), g.newOf(sums, (g.random.choice([1, out]),))]
        return operands, [sums], {"kind": image.kind, "sums": sums, **self.choose(g)}

    def check(self, operands):
        image, weight, bias = operands
        if len(image.shape) != self.axes + 2 or len(weight.shape) != self.axes + 2 or len(bias.shape) != 1:
            raise Fails("ranks")
        kernel = weight.shape[1:-1]
        if image.shape[-1] != weight.shape[-1] or bias.shape[0] not in (1, weight.shape[0]) or 0 in kernel:
            raise Fails("channels")
        return kernel


class Conv3d(Convolution):
    axes = 3
    arrays = ("dilation", "pad", "stride")

    def choose(self, g):
        return {
            "dilation": [g.random.choice([1, 1, 2]) for _ in range(3)],
            "stride": [g.random.choice([1, 1, 2]) for _ in range(3)],
            "pad": [g.random.choice([0, 0, 1]) for _ in range(6)],
        }

    def evaluate(self, operands, attributes, kinds):
        kernel = self.check(operands)
        image, weight, bias = operands
        stride, dilation, pad = attributes["stride"], attributes["dilation"], attributes["pad"]
        sizes = [
            window(image.shape[1 + i], kernel[i], pad[2 * i], pad[2 * i + 1], stride[i], dilation[i]) for i in range(3)
        ]

        def convolve(a, b):
            padded = np.pad(a, ((0, 0), *(pad[2 * i : 2 * i + 2] for i in range(3)), (0, 0)))
            out = np.zeros((a.shape[0], *sizes, b.shape[0]), a.dtype)
            for at in itertools.product(*map(range, kernel)):
                index = tuple(
                    slice(k * dilation[i], k * dilation[i] + (sizes[i] - 1) * stride[i] + 1, stride[i])
                    for i, k in enumerate(at)
                )
                out += padded[(slice(None), *index)] @ b[(slice(None), *at)].T
            return out

        terms = int(np.prod(kernel)) * weight.shape[-1]
        return [bilinear(convolve, image, weight, kindOf(kinds[0]), terms, bias)]


class TransposeConv2d(Convolution):
    axes = 2
    arrays = ("out_pad", "stride")

    def choose(self, g):
        return {
            "out_pad": [g.random.choice([0, 0, 1, 2]) for _ in range(4)],
            "stride": [g.random.choice([1, 2, 3]) for _ in range(2)],
        }

    def evaluate(self, operands, attributes, kinds):
        kernel = self.check(operands)
        image, weight, bias = operands
        stride, pad = attributes["stride"], attributes["out_pad"]
        sizes = [(image.shape[1 + i] - 1) * stride[i] + pad[2 * i] + pad[2 * i + 1] + kernel[i] for i in range(2)]
        if min(image.shape[1:3]) < 1:
            raise Fails("an image without a row or a column")

        def convolve(a, b):
            # What is between the elements of the image counts as 0, by which an
            # infinite weight may be multiplied (sum-1).
            out = np.zeros((a.shape[0], *sizes, b.shape[0]), a.dtype) + 0 * b.sum((1, 2, 3), dtype=a.dtype)
            for y, x in itertools.product(*map(range, kernel)):
                top, left = y + pad[0], x + pad[2]
                out[
                    :,
                    top : top + (a.shape[1] - 1) * stride[0] + 1 : stride[0],
                    left : left + (a.shape[2] - 1) * stride[1] + 1 : stride[1],
                ] += a @ b[:, y, x].T
            return out

        terms = int(np.prod(kernel)) * weight.shape[-1]
        return [bilinear(convolve, image, weight, kindOf(kinds[0]), terms, bias)]


class Resize(Entry):
    """f32 and i8, to the nearest element or a mixture of four."""

    weight = 0.4

    def attributes(self, attributes):
        return f"mode = {attributes['mode']}"

    def extras(self, attributes):
        return [("shape", attributes[k]) for k in ("scale", "offset", "border")]

    def propose(self, g):
        image = imageOf(g, ("f32", "i8"))
        if image is None:
            return None
        scale, offset, border = [], [], []
        for extent in g.shape(image)[1:3]:
            n, d, o = g.random.choice([1, 2, 3, 4]), g.random.choice([1, 1, 2, 3]), g.random.choice([0, 0, 1, -1])
            # What is left over goes into the border.
            rest = ((extent - 1) * n - o) % d
            b = g.random.choice([-rest, d - rest])
            if b >= n or b < -16 * n or o < -n or d >= 16 * n:
                return None
            scale += [n, d]
            offset.append(o)
            border.append(b)
        mode = g.random.choice(["NEAREST_NEIGHBOR", "BILINEAR"])
        kind = "i32" if image.kind == "i8" and mode == "BILINEAR" else image.kind
        return [image], [kind], {"scale": scale, "offset": offset, "border": border, "mode": mode}

    def evaluate(self, operands, attributes, kinds):
        (image,) = operands
        if len(image.shape) != 4 or min(image.shape[1:3]) < 1:
            raise Fails("no image")
        scale, isNearest = attributes["scale"], attributes["mode"] == "NEAREST_NEIGHBOR"
        parts = []  # of both axes: the two elements, and how far the second is
        for i in range(2):
            extent, (n, d), o = image.shape[1 + i], scale[2 * i : 2 * i + 2], attributes["offset"][i]
            left = (extent - 1) * n - o + attributes["border"][i]
            if left < 0 or left % d:
                raise Fails("the scale does not fit")
            place = np.arange(left // d + 1) * d + o
            first = place // n
            far = place - first * n
            ends = [np.clip(first + k, 0, extent - 1) for k in range(2)]
            parts.append((ends, far, n))
        (rows, dy, ny), (columns, dx, nx) = parts
        if isNearest:
            y, x = np.where(2 * dy >= ny, rows[1], rows[0]), np.where(2 * dx >= nx, columns[1], columns[0])
            return [image.map(lambda a: a[:, y][:, :, x])]
        kind = kindOf(kinds[0])
        weights = [
            (rows[j], columns[i], (dy if j else ny - dy)[:, None, None] * (dx if i else nx - dx)[:, None])
            for j, i in itertools.product(range(2), range(2))
        ]
        take = lambda a, y, x: a[:, y][:, :, x]
        unknown = None
        if image.unknown is not None:
            unknown = sum(take(image.unknown, y, x).astype(int) for y, x, _ in weights) > 0
        if not kind.isFloat:
            mixed = exact(kind, sum(take(image.low.astype(np.int64), y, x) * w for y, x, w in weights))
            mixed.unknown = unknown
            return [mixed]
        with np.errstate(all="ignore"):
            ends = [
                sum(np.where(w, take(a.astype(np.float64), y, x) * w, 0) for y, x, w in weights) / (ny * nx)
                for a in (image.low, image.high)
            ]
            size = sum(
                take(np.maximum(np.abs(image.low), np.abs(image.high)).astype(np.float64), y, x) for y, x, _ in weights
            )
            error = size * 16 * kind.eps + np.where(size > 0, 16 * kind.smallestNormal * kind.eps, 0)
            # What is infinite may be multiplied by 0.
            vague = ~(size < kind.largestFinite / 16) | (False if unknown is None else unknown)
            return [between(kind, np.where(vague, 0, ends[0] - error), np.where(vague, 0, ends[1] + error), vague)]


register("conv3d", Conv3d())
register("transpose_conv2d", TransposeConv2d())
register("resize", Resize())
