"""A sum of 3x3 neighbours of an image that goes on beyond its ends, beside the same with a padded image, and Halide.

  PYTHONPATH=build/python .venv/bin/python bench/stencils.py [--rounds N] [--size N] [--threads N]

"Made" is the same program whose padding is an argument of the call, so that the padded image has to be made. Halide
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


def measure(hl, mode, size, threads, rounds):
    x = np.random.default_rng(1).standard_normal((size, size)).astype(np.float32)
    wide, expected = np.pad(x, 1, mode=mode), stencil(mode)(x)
    text = bl.jit(stencil(mode)).mlir(x)
    parts, made = compiled(text, threads), compiled(with_open_padding(text), threads)
    given = compiled(bl.jit(inner).mlir(wide), threads)
    out = np.empty_like(x)
    calls = [lambda: parts(x, out=out), lambda: made(1, x, out=out), lambda: given(wide, out=out)]
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
            measure(hl, mode, options.size, threads, options.rounds)


if __name__ == "__main__":
    main()
