"""Convolutions whose windows reach far beyond the image, as dilated ones of small images do, against NumPy. Their
weights are constants, and arguments that are laid out once."""

import broadloom as bl
import numpy as np
import pytest
from onnx_models import model, random


def convolve(x, w, b, dilation, stride, pads):
    low, high = pads
    padded = np.pad(x.astype("f8"), ((0, 0), (0, 0), (low, high), (low, high)))
    reach = 2 * dilation + 1
    seen = np.lib.stride_tricks.sliding_window_view(padded, (reach, reach), (2, 3))
    seen = seen[:, :, ::stride, ::stride, ::dilation, ::dilation]
    return np.einsum("nchwij,ocij->nohw", seen, w.astype("f8"), optimize=True) + b[:, None, None]


@pytest.mark.parametrize("weights", ["constant", "shared"])
@pytest.mark.parametrize(
    "dilation, stride, pads", [(1, 1, (1, 1)), (1, 2, (1, 2)), (6, 1, (6, 6)), (12, 1, (12, 12)), (12, 2, (11, 14))]
)
def test_windows_of_small_images(weights, dilation, stride, pads):
    w, b = random(70, 48, 3, 3, seed=1), random(70, seed=2)
    text = (
        f"x: f32[n, 48, h, w0]\ny = Conv(x, w, b, dilations=[{dilation}, {dilation}], strides=[{stride}, {stride}], "
        f"pads={[pads[0], pads[0], pads[1], pads[1]]})\nz = Relu(y)\nreturn z"
    )
    f = bl.from_onnx(model(text, w=w, b=b), weights=weights)
    for shape in ((1, 7, 7), (2, 14, 13), (3, 4, 5), (1, 1, 1), (1, 33, 30)):
        x = random(shape[0], 48, *shape[1:])
        if min(shape[1:]) + sum(pads) < 2 * dilation + 1:
            continue
        wanted = np.maximum(convolve(x, w, b, dilation, stride, pads), 0)
        np.testing.assert_allclose(f(x), wanted, rtol=1e-4, atol=1e-4)


def test_an_infinity_stays_in_its_windows():
    w = random(40, 48, 3, 3, seed=1)
    f = bl.from_onnx(model("x: f32[n, 48, h, w0]\ny = Conv(x, w, dilations=[6, 6], pads=[6, 6, 6, 6])\nreturn y", w=w))
    x = random(1, 48, 7, 7)
    x[0, 3, 0, 0], x[0, 5, 3, 3] = np.inf, np.nan
    y = f(x)
    # These windows have one of the two elements.
    seen = np.zeros((7, 7), bool)
    seen[[0, 0, 6, 6, 3], [0, 6, 0, 6, 3]] = True
    assert (~np.isfinite(y[0]) == seen).all()
