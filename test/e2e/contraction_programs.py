"""Runs contractions, and compares their sums."""

import broadloom
import numpy as np
from broadloom import DONE
from element_types import TYPES
from images import tensor

MODES = ["static", "dynamic"]


def constant(name, value, element):
    kind = tensor(value.shape, element)
    data = value.tobytes().hex() if value.dtype.kind != "V" else None
    return f'  %{name} = "tosa.const"() {{values = dense<"0x{data}"> : {kind}}} : () -> {kind}'


def run(folder, lines, arguments, inputs, result, value, element, threads=1):
    signature = ", ".join(f"{name}: {kind}" for name, kind in arguments)
    text = "\n".join([f"func.func @main({signature}) -> {result} {{", *lines, f"  return {value} : {result}", "}", ""])
    outcome, found = broadloom.run(folder, text, inputs, [TYPES[element]], f"--threads={threads}")
    assert outcome.status == DONE, outcome.error
    return found[0]


def assertNear(found, expected, depth, sums=None):
    """As near as sums of `depth` products in f32 are, which may be larger than
    what is computed of them."""
    scale = np.abs(expected if sums is None else sums).max(initial=0)
    assert found.shape == expected.shape
    assert np.allclose(found, expected, rtol=1e-5, atol=1e-6 * scale * np.sqrt(depth))


def multiply(a, b, mode, constant_b=False, turned=""):
    """The lines of the product of `a` and `b`, each with its last axes in another order
    where `turned` names it."""
    shapes = {"x": a.shape, "w": b.shape}
    lines = ['  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>']
    if constant_b:
        lines.append(constant("w", b, "f32"))
    names = {"x": "%x", "w": "%w"}
    kinds = {"x": tensor(a.shape, "f32", mode), "w": tensor(b.shape, "f32", "static" if constant_b else mode)}
    for name in turned:
        shape = shapes[name]
        shapes[name] = (shape[0], shape[2], shape[1])
        kind = tensor(shapes[name], "f32", "static" if constant_b and name == "w" else mode)
        lines.append(f"  %t{name} = tosa.transpose %{name} {{perms = array<i32: 0, 2, 1>}} : ({kinds[name]}) -> {kind}")
        names[name], kinds[name] = f"%t{name}", kind
    result = tensor((a.shape[0], shapes["x"][1], shapes["w"][2]), "f32", mode)
    lines.append(
        f"  %0 = tosa.matmul {names['x']}, {names['w']}, %z, %z : ({kinds['x']}, {kinds['w']}, "
        f"tensor<1xf32>, tensor<1xf32>) -> {result}"
    )
    arguments = [("%x", tensor(a.shape, "f32", mode))]
    if not constant_b:
        arguments.append(("%w", tensor(b.shape, "f32", mode)))
    return lines, arguments, result
