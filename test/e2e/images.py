"""Programs on one image, with all extents static, all open, and the image a
constant, for the tests of TOSA's operations on images.
"""

import broadloom
import numpy as np
from broadloom import DONE
from element_types import TYPES, roundTo

MODES = ["static", "dynamic", "constant"]
# Constants are written as text, which is exact for these alone.
WRITTEN = ("f32", "i8")


def withModes(*elements):
    """Pairs of element type and mode."""
    return [(e, mode) for e in elements for mode in MODES if mode != "constant" or e in WRITTEN]


def tensor(shape, element, mode="static"):
    return f"tensor<{'x'.join('?' if mode == 'dynamic' else str(e) for e in shape)}x{element}>"


def numbers(values):
    """A dense attribute's elements; the shortest text that gives them back."""
    return "[" + ", ".join(numbers(v) if isinstance(v, np.ndarray) else repr(v.item()) for v in values) + "]"


def program(image, element, mode, lines, result, arguments=()):
    """`lines` use %image; the further arguments are (name, type) pairs."""
    kind = tensor(image.shape, element, mode)
    head = [] if mode == "constant" else [f"%image: {kind}"]
    signature = ", ".join(head + [f"{name}: {type_}" for name, type_ in arguments])
    constant = [f'  %image = "tosa.const"() {{values = dense<{numbers(image)}> : {kind}}} : () -> {kind}']
    return "\n".join(
        [
            f"func.func @main({signature}) -> {result} {{",
            *(constant if mode == "constant" else []),
            *lines,
            f"  return %r : {result}",
            "}",
            "",
        ]
    )


def run(folder, image, element, mode, lines, shape, resultType, arguments=(), inputs=()):
    text = program(image, element, mode, lines, tensor(shape, resultType, mode), arguments)
    inputs = [*([] if mode == "constant" else [image]), *inputs]
    outcome, results = broadloom.run(folder, text, inputs, [TYPES[resultType]])
    assert outcome.status == DONE, outcome.error
    return results[0]


def makeImage(shape, element, seed=5):
    random = np.random.default_rng(seed)
    if TYPES[element].isFloat:
        return roundTo(TYPES[element], random.normal(0, 3, shape))
    limits = np.iinfo(TYPES[element].dtype)
    return random.integers(limits.min, limits.max, shape, endpoint=True).astype(TYPES[element].dtype)
