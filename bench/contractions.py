"""Loop nests over memory that are contractions (mem-16) beside the same nests without the flags
that allow it, and beside `tosa.matmul` and `tosa.conv2d` of the same sizes.

  PYTHONPATH=build/python .venv/bin/python bench/contractions.py [--rounds N] [--only TEXT]

All run on one thread, in turns; the shortest times count. The sums are compared with each other.
"""

import argparse
import os
import time
from pathlib import Path

os.environ.setdefault("BROADLOOM_CACHE", "0")

import broadloom as bl
import numpy as np

FAST = "fastmath<fast>"
MATRIX, IMAGE = "memref<?x?xf32>", "memref<?x?x?x?xf32>"
ZERO = '  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>'


def extents(names, kind):
    """Constants and `memref.dim` for names such as `m: a0`."""
    lines = []
    for name, (memory, axis) in names.items():
        lines += [
            f"  %axis_{name} = arith.constant {axis} : index",
            f"  %{name} = memref.dim %{memory}, %axis_{name} : {kind}",
        ]
    return lines


def statement(kind, a, b, c, flags):
    return [
        f"  %v = affine.load %a[{a}] : {kind}",
        f"  %u = affine.load %b[{b}] : {kind}",
        f"  %s = affine.load %c[{c}] : {kind}",
        f"  %p = arith.mulf %v, %u {flags} : f32",
        f"  %t = arith.addf %s, %p {flags} : f32",
        f"  affine.store %t, %c[{c}] : {kind}",
    ]


def product(flags):
    loops = {"i": "m", "j": "n", "l": "k"}
    return "\n".join(
        [f"func.func @main(%a: {MATRIX}, %b: {MATRIX}, %c: {MATRIX}) {{"]
        + extents({"m": ("c", 0), "n": ("c", 1), "k": ("b", 0)}, MATRIX)
        + [f"  affine.for %{loop} = 0 to %{end} {{" for loop, end in loops.items()]
        + statement(MATRIX, "%i, %l", "%l, %j", "%i, %j", flags)
        + ["  }}}", "  return", "}"]
    )


def tiled_product():
    loops = {"i": "m", "j": "n", "l": "k"}
    least = "affine_map<(d0)[s0] -> (d0 + 128, s0)>"
    return "\n".join(
        [f"func.func @main(%a: {MATRIX}, %b: {MATRIX}, %c: {MATRIX}) {{"]
        + extents({"m": ("c", 0), "n": ("c", 1), "k": ("b", 0)}, MATRIX)
        + [f"  affine.for %{loop}0 = 0 to %{end} step 128 {{" for loop, end in loops.items()]
        + [
            f"  affine.for %{loop} = affine_map<(d0) -> (d0)>(%{loop}0) to min {least}(%{loop}0)[%{end}] {{"
            for loop, end in loops.items()
        ]
        + statement(MATRIX, "%i, %l", "%l, %j", "%i, %j", FAST)
        + ["  }}}}}}", "  return", "}"]
    )


def convolution(flags, stride, pad):
    """Strides and dilations are arguments, but with padding, which is a condition."""
    loops = {"g": "n", "y": "h", "x": "w", "o": "f", "i": "kh", "j": "kw", "l": "ch"}
    names = {
        "n": ("c", 0),
        "h": ("c", 1),
        "w": ("c", 2),
        "f": ("c", 3),
        "kh": ("b", 0),
        "kw": ("b", 1),
        "ch": ("b", 2),
        "ih": ("a", 1),
        "iw": ("a", 2),
    }
    symbols = f"d0 * {stride} + d1 - {pad}" if pad else "d0 * s + d1 * d - p"
    at = f"affine_map<(d0, d1)[s, d, p] -> ({symbols})>"
    inside = "affine_set<(d0, d1)[h, w] : (d0 >= 0, d1 >= 0, h - d0 - 1 >= 0, w - d1 - 1 >= 0)>"
    return "\n".join(
        [f"func.func @main(%a: {IMAGE}, %b: {IMAGE}, %c: {IMAGE}, %st: index, %di: index, %pa: index) {{"]
        + extents(names, IMAGE)
        + [f"  affine.for %{loop} = 0 to %{end} {{" for loop, end in loops.items()]
        + [f"  %r = affine.apply {at}(%y, %i)[%st, %di, %pa]", f"  %q = affine.apply {at}(%x, %j)[%st, %di, %pa]"]
        + ([f"  affine.if {inside}(%r, %q)[%ih, %iw] {{"] if pad else [])
        + statement(IMAGE, "%g, %r, %q, %l", "%i, %j, %l, %o", "%g, %y, %x, %o", flags)
        + ["  }" * (len(loops) + bool(pad)), "  return", "}"]
    )


def tosa_product():
    kind = "tensor<1x?x?xf32>"
    return f"""func.func @main(%a: {kind}, %b: {kind}) -> {kind} {{
{ZERO}
  %r = tosa.matmul %a, %b, %zp, %zp : ({kind}, {kind}, tensor<1xf32>, tensor<1xf32>) -> {kind}
  return %r : {kind}
}}"""


def tosa_convolution(kernel, channels, features, stride, pad):
    image, weight = f"tensor<?x?x?x{channels}xf32>", f"tensor<{features}x{kernel}x{kernel}x{channels}xf32>"
    result, bias = f"tensor<?x?x?x{features}xf32>", f"tensor<{features}xf32>"
    pads, strides = ", ".join([str(pad)] * 4), f"{stride}, {stride}"
    return f"""func.func @main(%a: {image}, %w: {weight}, %b: {bias}) -> {result} {{
{ZERO}
  %r = tosa.conv2d %a, %w, %b, %zp, %zp {{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: {pads}>,
    stride = array<i64: {strides}>}} : ({image}, {weight}, {bias}, tensor<1xf32>, tensor<1xf32>) -> {result}
  return %r : {result}
}}"""


def compiled(text):
    program = bl.compile(text)
    program.threads = 1
    return program


def products(random):
    nest, loops, peer = compiled(product(FAST)), compiled(product("")), compiled(tosa_product())
    for n in (64, 128, 256, 512):
        a, b = random((n, n)), random((n, n))
        c, d, out = (np.zeros((n, n), np.float32) for _ in range(3))
        yield (
            f"{n} x {n} x {n}",
            (lambda: nest(a, b, c)),
            (lambda: peer(a[None], b[None], out=out[None])),
            (lambda: loops(a, b, d)),
            (c, d, out),
        )


def tiles(random):
    """The product in tiles, with copies of them, and without."""
    text = Path(__file__).parent.joinpath("../examples/rationale/tiled-matmul.mlir").read_text()
    peer = compiled(tosa_product())
    for name, source in (("tiles in a scratchpad", text), ("tiles", tiled_product())):
        nest, loops = compiled(source), compiled(source.replace(FAST, ""))
        for n in (512, 1024):
            a, b = random((n, n)), random((n, n))
            c, d, out = (np.zeros((n, n), np.float32) for _ in range(3))
            yield (
                f"{n} x {n} x {n}, {name}",
                (lambda: nest(a, b, c)),
                (lambda: peer(a[None], b[None], out=out[None])),
                (lambda: loops(a, b, d)),
                (c, d, out),
            )


def convolutions(random):
    for height, channels, kernel, features, stride, pad in (
        (56, 64, 3, 64, 1, 0),
        (56, 64, 3, 64, 1, 1),
        (28, 128, 3, 128, 1, 1),
        (224, 3, 3, 32, 2, 1),
        (14, 256, 3, 256, 1, 1),
    ):
        nest, loops = (compiled(convolution(flags, stride, pad)) for flags in (FAST, ""))
        peer = compiled(tosa_convolution(kernel, channels, features, stride, pad))
        # TOSA wants windows that end with the image.
        height -= (height + 2 * pad - kernel) % stride
        rows = (height + 2 * pad - kernel) // stride + 1
        a, b = random((1, height, height, channels)), random((kernel, kernel, channels, features))
        w, bias = np.ascontiguousarray(b.transpose(3, 0, 1, 2)), np.zeros(features, np.float32)
        c, d, out = (np.zeros((1, rows, rows, features), np.float32) for _ in range(3))
        name = f"{height}x{height}x{channels}, {kernel}x{kernel}, {features} channels, stride {stride}, padding {pad}"
        yield (
            name,
            (lambda: nest(a, b, c, stride, 1, pad)),
            (lambda: peer(a, w, bias, out=out)),
            (lambda: loops(a, b, d, stride, 1, pad)),
            (c, d, out),
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--only", default="", metavar="TEXT")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    print("| nest | us | tosa's time by it | the time of its loops by it |\n|---|---|---|---|")
    for cases in (products, tiles, convolutions):
        for name, *calls, sums in cases(lambda shape: rng.standard_normal(shape, np.float32)):
            if options.only not in name:
                continue
            for call in calls:
                call()
            for found in sums[1:]:
                np.testing.assert_allclose(found, sums[0], rtol=0, atol=1e-5 * np.abs(sums[0]).max())
            best = [float("inf")] * 3
            for number in range(options.rounds):
                # The loops alone take long.
                for which in range(3 if number < 2 else 2):
                    begin = time.perf_counter()
                    calls[which]()
                    best[which] = min(best[which], time.perf_counter() - begin)
            print(f"| {name} | {best[0] * 1e6:.1f} | {best[1] / best[0]:.2f} | {best[2] / best[0]:.0f} |", flush=True)


if __name__ == "__main__":
    main()
