"""A sum of 3x3 neighbours of an image that goes on beyond its ends, beside the same with a padded image, and Halide.

  PYTHONPATH=build/python .venv/bin/python bench/stencils.py [--rounds N] [--size N] [--threads N] [--memory]

"Made" is the same program whose padding is an argument of the call, so that the padded image has to be made. With
--memory, the program is a loop nest over memory that reads a boundary, and "made" copies that to memory first. Halide
is there if `pip install halide` has been done; it has the best of three schedules. All write to given memory and run
in turns, and the shortest times count. The results are compared with NumPy's.
"""

import argparse
import os
import time

os.environ.setdefault("BROADLOOM_CACHE", "0")

import broadloom as bl
import numpy as np

NINTH = np.float32(1 / 9)
MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


def inner(p):
    """What the stencil takes of an image that is wider already."""
    n, m = p.shape[0] - 2, p.shape[1] - 2
    total = None
    for i in range(3):
        for j in range(3):
            part = p[i : i + n, j : j + m]
            total = part if total is None else total + part
    return total * NINTH


def stencil(mode):
    return lambda x: inner(np.pad(x, 1, mode=mode))


def nest(source):
    """Loops over rows and columns of %o, with the stencil of what %p, or another view, has."""
    lines = ["    affine.for %i = 0 to %n {", "      affine.for %j = 0 to %m {"]
    total = None
    for i in range(3):
        for j in range(3):
            lines.append(f"        %x{i}{j} = affine.load {source}[%i + {i}, %j + {j}] : memref<?x?xf32>")
            if total:
                lines.append(f"        %s{i}{j} = arith.addf {total}, %x{i}{j} : f32")
            total = f"%s{i}{j}" if total else f"%x{i}{j}"
    lines += [
        f"        %r = arith.mulf {total}, %ninth : f32",
        "        affine.store %r, %o[%i, %j] : memref<?x?xf32>",
        "      }",
        "    }",
    ]
    return lines


def memory_program(mode, makes):
    """The stencil over memory; with `makes`, of a copy of the boundary."""
    named = {"edge": "replicate"}.get(mode, mode)
    value = " with %zero : f32" if mode == "constant" else ""
    lines = [
        "func.func @main(%a: memref<?x?xf32>, %o: memref<?x?xf32>) {",
        "    %c0 = arith.constant 0 : index",
        "    %c1 = arith.constant 1 : index",
        "    %zero = arith.constant 0.0 : f32",
        f"    %ninth = arith.constant {float(NINTH)!r} : f32",
        "    %n = memref.dim %o, %c0 : memref<?x?xf32>",
        "    %m = memref.dim %o, %c1 : memref<?x?xf32>",
        f"    %p = loom.boundary {named} %a{value} low[1, 1] high[1, 1] : memref<?x?xf32> to memref<?x?xf32>",
    ]
    if makes:
        lines += [
            "    %pn = memref.dim %p, %c0 : memref<?x?xf32>",
            "    %pm = memref.dim %p, %c1 : memref<?x?xf32>",
            "    %made = memref.alloc(%pn, %pm) : memref<?x?xf32>",
            "    affine.for %i = 0 to %pn {",
            "      affine.for %j = 0 to %pm {",
            "        %x = affine.load %p[%i, %j] : memref<?x?xf32>",
            "        affine.store %x, %made[%i, %j] : memref<?x?xf32>",
            "      }",
            "    }",
        ]
    lines += nest("%made" if makes else "%p")
    if makes:
        lines.append("    memref.dealloc %made : memref<?x?xf32>")
    return "\n".join([*lines, "    return", "}"])


PADDED = "\n".join(
    [
        "func.func @main(%p: memref<?x?xf32>, %o: memref<?x?xf32>) {",
        "    %c0 = arith.constant 0 : index",
        "    %c1 = arith.constant 1 : index",
        f"    %ninth = arith.constant {float(NINTH)!r} : f32",
        "    %n = memref.dim %o, %c0 : memref<?x?xf32>",
        "    %m = memref.dim %o, %c1 : memref<?x?xf32>",
        *nest("%p"),
        "    return",
        "}",
    ]
)


def compiled(text, threads):
    program = bl.compile(text)
    program.threads = threads
    return program


def with_open_padding(text):
    """The program with one number of its padding as an argument."""
    start, found, rest = text.partition("low[1, 1]")
    assert found
    return start.replace("func.func @main(", "func.func @main(%more: index, ", 1) + "low[%more, 1]" + rest


def halide_pipelines(hl, mode, image, out, threads):
    """A call for each schedule: rows in blocks, the same with the padded rows of a block made first, and tiles."""
    exterior = {
        "constant": lambda image: hl.BoundaryConditions.constant_exterior(image, 0.0),
        "edge": hl.BoundaryConditions.repeat_edge,
        "reflect": hl.BoundaryConditions.mirror_interior,
        "symmetric": hl.BoundaryConditions.mirror_image,
        "wrap": hl.BoundaryConditions.repeat_image,
    }[mode]
    for schedule in ("rows", "stored", "tiles"):
        x, y, xi, yi, yo = (hl.Var(name) for name in ("x", "y", "xi", "yi", "yo"))
        given = hl.ImageParam(hl.Float(32), 2)
        wide, blur = exterior(given), hl.Func("blur")
        total = None
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                part = wide[x + j, y + i]
                total = part if total is None else total + part
        blur[x, y] = total * NINTH
        if schedule == "tiles":
            blur.tile(x, y, xi, yi, 128, 32).vectorize(xi, 16)
            outer = y
        else:
            blur.split(y, yo, yi, 32).vectorize(x, 16)
            outer = yo
        if schedule == "stored":
            wide.compute_at(blur, yo).vectorize(wide.args()[0], 16)
        if threads > 1:
            blur.parallel(outer)
        blur.compile_jit(hl.get_jit_target_from_environment())
        given.set(hl.Buffer(image))
        target = hl.Buffer(out)
        yield lambda blur=blur, target=target, given=given: blur.realize(target)


def shortest(calls, rounds):
    """The shortest time of each call in microseconds, in turns."""
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for i, call in enumerate(calls):
            for _ in range(20):
                start = time.perf_counter()
                call()
                best[i] = min(best[i], (time.perf_counter() - start) * 1e6)
    return best


def tensor_calls(mode, threads, x, wide, out):
    """Calls of the program, of the same with a padded image that is made, and of one that is given it."""
    text = bl.jit(stencil(mode)).mlir(x)
    parts, made = compiled(text, threads), compiled(with_open_padding(text), threads)
    given = compiled(bl.jit(inner).mlir(wide), threads)
    return [lambda: parts(x, out=out), lambda: made(1, x, out=out), lambda: given(wide, out=out)]


def memory_calls(mode, threads, x, wide, out):
    parts, made = (compiled(memory_program(mode, makes), threads) for makes in (False, True))
    given = compiled(PADDED, threads)
    return [lambda: parts(x, out), lambda: made(x, out), lambda: given(wide, out)]


def measure(hl, mode, size, threads, rounds, get_calls):
    x = np.random.default_rng(1).standard_normal((size, size)).astype(np.float32)
    wide, expected = np.pad(x, 1, mode=mode), stencil(mode)(x)
    out = np.empty_like(x)
    calls = get_calls(mode, threads, x, wide, out)
    for call in calls:
        out[:] = 0
        call()
        np.testing.assert_array_equal(out, expected)
    for call in halide_pipelines(hl, mode, x, out, threads) if hl else ():
        out[:] = 0
        call()
        np.testing.assert_allclose(out, expected, rtol=1e-5, atol=1e-6)
        calls.append(call)
    mine, copied, inside, *peers = shortest(calls, rounds)
    peer = min(peers, default=float("nan"))
    print(
        f"| {mode} | {threads} | {mine:.1f} | {copied:.1f} | {copied / mine:.2f} | {inside:.1f} | {peer:.1f} | "
        f"{peer / mine:.2f} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--memory", action="store_true")
    options = parser.parse_args()
    try:
        import halide as hl
    except ImportError:
        hl = None
    print("| mode | threads | µs | made | made by it | padded before | Halide | Halide by it |")
    print("|---|---|---|---|---|---|---|---|")
    for threads in options.threads:
        os.environ["HL_NUM_THREADS"] = str(threads)
        for mode in MODES:
            measure(hl, mode, options.size, threads, options.rounds, memory_calls if options.memory else tensor_calls)


if __name__ == "__main__":
    main()
