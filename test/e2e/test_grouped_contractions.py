"""Contractions whose channels are groups, against NumPy (sum-1): generated windows of one to three axes, with static
and open extents, weights that are constant and given, one thread and two. Results have the bits of one contraction for
each group."""

import itertools
from dataclasses import dataclass

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED
from contraction_programs import constant, run
from element_types import TYPES
from images import makeImage, tensor

#: The type of the sums, and how exact they are.
SUMS = {
    "f32": ("f32", 1e-5),
    "f64": ("f64", 1e-13),
    "f16": ("f32", 1e-5),
    "bf16": ("f32", 1e-5),
    "i8": ("i32", 0),
    "i32": ("i32", 0),
    "i64": ("i64", 0),
}
#: The modes of padding, as NumPy has them.
MODES = {"": "constant", "replicate": "edge", "reflect": "reflect", "symmetric": "symmetric", "wrap": "wrap"}


@dataclass
class Case:
    image: tuple
    window: tuple
    groups: int
    outputs: int
    #: For each axis: stride, dilation, pad before and behind.
    axes: list
    mode: str = ""
    #: What is subtracted from image and weight.
    zeros: tuple = ()

    @property
    def weight(self):
        return (*self.window, self.image[-1] // self.groups, self.outputs)

    @property
    def counts(self):
        return tuple(
            (n + low + high - (k - 1) * d - 1) // s + 1
            for n, k, (s, d, low, high) in zip(self.image[1:], self.window, self.axes)
        )


def reference(case, image, weight):
    wide = np.int64 if image.dtype.kind == "i" else np.float64
    image, weight = image.astype(wide), weight.astype(wide)
    if case.zeros:
        image, weight = image - case.zeros[0], weight - case.zeros[1]
    pads = [(0, 0), *((low, high) for _, _, low, high in case.axes), (0, 0)]
    padded = np.pad(image, pads, MODES[case.mode])
    size, result = case.outputs // case.groups, []
    for images, kernel in zip(np.split(padded, case.groups, -1), np.split(weight, case.groups, -1)):
        sums = np.zeros((image.shape[0], *case.counts, size), wide)
        for step in np.ndindex(*case.window):
            places = [
                slice(t * d, t * d + (n - 1) * s + 1, s) for t, n, (s, d, *_) in zip(step, case.counts, case.axes)
            ]
            sums = sums + images[(slice(None), *places)] @ kernel[step]
        result.append(sums)
    return np.concatenate(result, -1)


def attributes(case, groups=None):
    """Spells the window."""
    axes = case.axes
    lists = {
        "strides": [a[0] for a in axes],
        "dilations": [a[1] for a in axes],
        "pads": [n for a in axes for n in a[2:]],
        "zeroPoints": case.zeros,
    }
    spelled = [f"{name} = array<i64: {', '.join(map(str, values))}>" for name, values in lists.items() if values]
    if groups:
        spelled.append(f"groups = {groups}")
    if case.mode:
        spelled.append(f"paddingMode = #loom.padding_mode<{case.mode}>")
    return f"{{{', '.join(spelled)}}}"


def contract(case, name, operands, kinds, result, sums, groups=None):
    return [
        f"  {name} = loom.contract({operands}) window {attributes(case, groups)} : ({kinds}) -> {result} {{",
        f"  ^bb0(%sum: {sums}):",
        f"    loom.yield %sum : {sums}",
        "  }",
    ]


def draw(random, element):
    """A case of any extents whose windows fit."""
    groups = int(random.integers(1, 9))
    inside, outside = (int(random.integers(1, 9) if random.random() < 0.6 else random.integers(9, 41)) for _ in "ab")
    rank = int(random.integers(1, 4))
    most = {1: 40, 2: 20, 3: 7}[rank]
    image, window, axes = [int(random.integers(1, 4))], [], []
    for _ in range(rank):
        stride, dilation, low, high = (int(random.integers(*ends)) for ends in ((1, 4), (1, 3), (0, 4), (0, 4)))
        taps = int(random.integers(1, 4))
        reach = (taps - 1) * dilation + 1
        image.append(int(random.integers(max(1, reach - low - high), most + reach)))
        window.append(taps)
        axes.append((stride, dilation, low, high))
    case = Case((*image, groups * inside), tuple(window), groups, groups * outside, axes)
    if random.random() < 0.3:
        case.mode = str(random.choice(list(MODES)))
    elif element == "i8":
        case.zeros = (int(random.integers(-9, 10)), int(random.integers(-3, 4)) if random.random() < 0.5 else 0)
    return case


@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("element", SUMS)
def test_sum1_groups(tmp_path, element, number):
    random = np.random.default_rng([number, *element.encode()])
    case = draw(random, element)
    sums, rtol = SUMS[element]
    image, weight = makeImage(case.image, element), makeImage(case.weight, element, seed=8)
    expected = reference(case, image, weight)
    # NumPy cannot write bf16 as text.
    isOpen, isConstant = number % 2 == 0, number % 3 == 0 and element != "bf16"
    kind = tensor(image.shape, element, "dynamic" if isOpen else "static")
    result = tensor(expected.shape, sums, "dynamic" if isOpen else "static")
    frame = tensor(weight.shape, element)
    lines = contract(case, "%r", "%image, %weight", f"{kind}, {frame}", result, sums, case.groups)
    arguments, inputs = [("%image", kind)], [image]
    if isConstant:
        lines.insert(0, constant("weight", weight, element))
    else:
        # A promised weight is laid out once.
        arguments.append(("%weight", frame + (" {loom.constant}" if number % 4 == 1 else "")))
        inputs.append(weight)
    found = run(tmp_path, lines, arguments, inputs, result, "%r", sums, threads=1 + number // 2 % 2)
    if sums[0] == "i":
        np.testing.assert_array_equal(found, expected.astype(found.dtype), str(case))
        return
    depth = np.prod(case.window) * case.image[-1] // case.groups
    atol = rtol * np.abs(expected).max() * np.sqrt(depth)
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=atol, err_msg=str(case))


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("element", ["f32", "f64", "f16"])
def test_sum1_groups_are_bit_for_bit_what_each_is(tmp_path, element, number):
    random = np.random.default_rng([number + 100, *element.encode()])
    case = draw(random, element)
    sums = SUMS[element][0]
    image, weight = makeImage(case.image, element), makeImage(case.weight, element, seed=8)
    kind, frame = tensor(image.shape, element), tensor(weight.shape, element)
    shape = (image.shape[0], *case.counts, case.outputs)
    lines = contract(case, "%all", "%image, %weight", f"{kind}, {frame}", tensor(shape, sums), sums, case.groups)
    inside, outside = image.shape[-1] // case.groups, case.outputs // case.groups
    results, names = [tensor(shape, sums)], ["%all"]
    for group in range(case.groups):
        parts = []
        for name, whole, size in (("image", image, inside), ("weight", weight, outside)):
            part = tensor((*whole.shape[:-1], size), element)
            starts = ", ".join(["0"] * (whole.ndim - 1) + [str(group * size)])
            sizes = ", ".join(map(str, (*whole.shape[:-1], size)))
            ones = ", ".join(["1"] * whole.ndim)
            lines.append(
                f"  %{name}{group} = tensor.extract_slice %{name}[{starts}] [{sizes}] [{ones}]"
                f" : {tensor(whole.shape, element)} to {part}"
            )
            parts.append(part)
        results.append(tensor((*shape[:-1], outside), sums))
        names.append(f"%r{group}")
        lines += contract(
            case, names[-1], f"%image{group}, %weight{group}", ", ".join(parts), results[-1], sums
        )  # fmt: skip
    text = "\n".join(
        [
            f"func.func @main(%image: {kind}, %weight: {frame}) -> ({', '.join(results)}) {{",
            *lines,
            f"  return {', '.join(names)} : {', '.join(results)}",
            "}",
            "",
        ]
    )
    outcome, found = broadloom.run(tmp_path, text, [image, weight], [TYPES[sums]] * len(results))
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(found[0], np.concatenate(found[1:], -1), str(case))


@pytest.mark.parametrize("groups", [1, 3, 8])
@pytest.mark.parametrize("threads", [1, 2])
def test_sum1_groups_of_many_blocks(tmp_path, groups, threads):
    case = Case((2, 60, 70, groups * 17), (3, 3), groups, groups * 19, [(1, 1, 1, 1)] * 2)
    image, weight = makeImage(case.image, "f32"), makeImage(case.weight, "f32", seed=8)
    expected = reference(case, image, weight)
    kind, frame, result = (tensor(shape, "f32") for shape in (image.shape, weight.shape, expected.shape))
    lines = contract(case, "%r", "%image, %weight", f"{kind}, {frame}", result, "f32", groups)
    found = run(tmp_path, lines, [("%image", kind), ("%weight", frame)], [image, weight], result, "%r", "f32", threads)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-4 * np.abs(expected).max())


@pytest.mark.parametrize("channels, mode", itertools.product([23, 8, 25, 48], ["static", "dynamic"]))
def test_sum1_groups_of_other_channels(tmp_path, channels, mode):
    case = Case((2, 9, 17, channels), (3, 3), 3, 24, [(1, 1, 1, 1)] * 2)
    image, weight = makeImage(case.image, "f32"), makeImage((3, 3, 8, 24), "f32")
    kind, result = tensor(image.shape, "f32", mode), tensor((2, 9, 17, 24), "f32", mode)
    frame = tensor(weight.shape, "f32")
    lines = contract(case, "%r", "%image, %weight", f"{kind}, {frame}", result, "f32", 3)
    text = "\n".join(
        [
            f"func.func @main(%image: {kind}, %weight: {frame}) -> {result} {{",
            *lines,
            f"  return %r : {result}",
            "}",
            "",
        ]
    )
    outcome, _ = broadloom.run(tmp_path, text, [image, weight], [TYPES["f32"]])
    message = f"the image has {channels} channels but the weight is for 24"
    assert message in outcome.error, outcome.error
    assert mode == "static" or outcome.status == GUARD_FAILED
