"""Operations of TOSA's older forms in NumPy."""

import numpy as np


def conv(image, weight, bias, stride=1, pad=(0, 0, 0, 0), zeros=(0, 0)):
    """In NHWC and OHWI, as floor division has it; exact for integers."""
    wide = np.float64 if image.dtype.kind == "f" else np.int64
    image, weight = image.astype(wide) - zeros[0], weight.astype(wide) - zeros[1]
    image = np.pad(image, ((0, 0), pad[:2], pad[2:], (0, 0)))
    kh, kw = weight.shape[1:3]
    rows, columns = [(image.shape[1 + i] - (kh, kw)[i]) // stride + 1 for i in (0, 1)]
    out = np.empty((image.shape[0], rows, columns, weight.shape[0]), wide)
    for y in range(rows):
        for x in range(columns):
            window = image[:, y * stride : y * stride + kh, x * stride : x * stride + kw, :]
            out[:, y, x, :] = np.einsum("nhwc,ohwc->no", window, weight) + bias
    return out


def depthwise(image, weight):
    """A filter for each channel, as many dense ones with zeros for the others."""
    kh, kw, channels, multiplier = weight.shape
    dense = np.zeros((channels * multiplier, kh, kw, channels), weight.dtype)
    for c in range(channels):
        for m in range(multiplier):
            dense[c * multiplier + m, :, :, c] = weight[:, :, c, m]
    return conv(image, dense, np.zeros(channels * multiplier))


def transposed(image, weight, bias, stride, size):
    """Each element of the image adds the filter at an index of the result."""
    out = np.zeros((image.shape[0], *size, weight.shape[0])) + bias
    for y, x in np.ndindex(image.shape[1:3]):
        out[:, y * stride : y * stride + weight.shape[1], x * stride : x * stride + weight.shape[2], :] += np.einsum(
            "nc,ohwc->nhwo", image[:, y, x].astype(np.float64), weight
        )
    return out


def pool(image, size, stride, pad, reduce):
    padded = np.pad(image.astype(np.float64), ((0, 0), pad[:2], pad[2:], (0, 0)), constant_values=np.nan)
    rows, columns = [(padded.shape[1 + i] - size) // stride + 1 for i in (0, 1)]
    return np.stack(
        [
            np.stack(
                [
                    reduce(padded[:, y * stride : y * stride + size, x * stride : x * stride + size, :], axis=(1, 2))
                    for x in range(columns)
                ],
                1,
            )
            for y in range(rows)
        ],
        1,
    )


def rescale(x, multiplier, shift, inputZero, outputZero, kind, double=False):
    """el-8 in Python's integers."""
    info = np.iinfo(kind)
    out = []
    for value in x.reshape(-1):
        value = int(value) - inputZero
        rounding = 1 << (shift - 1)
        if double and shift > 31:
            rounding += (1 << 30) if value >= 0 else -(1 << 30)
        out.append(min(max((value * multiplier + rounding >> shift) + outputZero, info.min), info.max))
    return np.array(out, kind).reshape(x.shape)
