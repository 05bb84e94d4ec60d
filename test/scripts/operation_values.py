"""Operands and attributes of operations of the fuzzer."""

import fuzz_path  # noqa: F401


def f32x(*row):
    """An image of one row."""
    return ("f32", [[row]])


IMAGE = ("f32", [[[[1], [2]], [[3], [4]]]])  # 1x2x2x1
WINDOWS = {"stride": [1, 1], "pad": [0, 0, 0, 0]}
STEPS = {"strides": [1, 1], "dilations": [1, 1]}
RESCALE = {"multiplier": [1 << 30], "shift": [31], "rounding": "SINGLE_ROUND", "channels": False, "in": 0, "out": 0}
