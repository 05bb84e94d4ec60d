"""Ten functions that people write with NumPy, under bl.jit, NumPy itself, numexpr
and jax.jit, where these are installed: what ten shapes in turn cost when each of
them is met for the first time, and from then on. Prints a table; --write puts it
into bench/README.md. Every result is compared with NumPy's.

  PYTHONPATH=build/python PYTHON bench/jit.py [--write] [--only NAME]
"""

import argparse
import os

# One thread each, before anything is loaded.
os.environ.update(NUMEXPR_NUM_THREADS="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ.setdefault("BROADLOOM_CACHE", "0")

import re  # noqa: E402
import time  # noqa: E402

import numpy as np  # noqa: E402

README = os.path.join(os.path.dirname(os.path.realpath(__file__)), "README.md")
SIZES = [(64, 64), (100, 30), (17, 500), (256, 256), (1000, 10), (33, 77), (512, 128), (8, 2000), (300, 300), (128, 1000)]


def normal_distribution(xp, x):
    """By Abramowitz and Stegun, 7.1.26."""
    t = 1 / (1 + 0.3275911 * xp.abs(x) * 0.70710678)
    tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    half = 0.5 * tail * xp.exp(-x * x / 2)
    return xp.where(x > 0, 1 - half, half)


def gelu(xp):
    return lambda x: 0.5 * x * (1 + xp.tanh(0.7978846 * (x + 0.044715 * x**3)))


def softmax(xp):
    def f(x):
        e = xp.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    return f


def layer_norm(xp):
    def f(x, g, b):
        m = x.mean(axis=-1, keepdims=True)
        v = ((x - m) ** 2).mean(axis=-1, keepdims=True)
        return (x - m) / xp.sqrt(v + 1e-5) * g + b

    return f


def grey(xp):
    return lambda rgb: 0.299 * rgb[..., 0] + 0.587 * rgb[..., 1] + 0.114 * rgb[..., 2]


def distances(xp):
    return lambda a, b: xp.sqrt(((a[:, None] - b[None]) ** 2).sum(axis=-1))


def mandelbrot(xp):
    def f(zr, zi, cr, ci, count):
        return zr * zr - zi * zi + cr, 2 * zr * zi + ci, count + (zr * zr + zi * zi < 4)

    return f


def columns(xp):
    return lambda x: (x - x.mean(axis=0)) / x.std(axis=0)


def black_scholes(xp):
    def f(s, k, t):
        d1 = (xp.log(s / k) + 0.065 * t) / (0.3 * xp.sqrt(t))
        d2 = d1 - 0.3 * xp.sqrt(t)
        return s * normal_distribution(xp, d1) - k * xp.exp(-0.02 * t) * normal_distribution(xp, d2)

    return f


def log_sum_exp(xp):
    def f(x):
        m = x.max(axis=-1, keepdims=True)
        return xp.log(xp.exp(x - m).sum(axis=-1)) + m[..., 0]

    return f


def weighted_mean(xp):
    return lambda x, w: (x * w[:, None]).sum(axis=0) / w.sum()


def random(*shape, low=0.1, high=2.0):
    return np.random.default_rng(sum(shape)).uniform(low, high, shape).astype(np.float32)


#: The function, its arguments for a size, and the expressions of numexpr, if it has it.
CASES = {
    "GELU": (gelu, lambda m, n: (random(m, n),), ("0.5*x*(1+tanh(0.7978846*(x+0.044715*x*x*x)))", "x")),
    "softmax": (softmax, lambda m, n: (random(m, n),), None),
    "layer norm": (layer_norm, lambda m, n: (random(m, n), random(n), random(n)), None),
    "RGB to grey": (grey, lambda m, n: (random(m, n, 3),), None),
    "distance matrix": (distances, lambda m, n: (random(m, 16), random(n, 16)), None),
    "Mandelbrot step": (
        mandelbrot,
        lambda m, n: (random(m, n), random(m, n), random(m, 1), random(n), np.zeros((m, n), np.int32)),
        None,
    ),
    "normalise columns": (columns, lambda m, n: (random(m, n),), None),
    "Black-Scholes": (black_scholes, lambda m, n: (random(m * n), random(m * n), random(m * n)), None),
    "log-sum-exp": (log_sum_exp, lambda m, n: (random(m, n),), None),
    "weighted mean": (weighted_mean, lambda m, n: (random(m, n), random(m)), None),
}


def of_numpy(make, _):
    return make(np), lambda y: y


def of_broadloom(make, _):
    import broadloom as bl

    return bl.jit(make(np), threads=1), lambda y: y


def of_jax(make, _):
    import jax
    import jax.numpy as jnp

    f = jax.jit(make(jnp))
    return f, lambda y: jax.block_until_ready(y)


def of_numexpr(make, expression):
    if expression is None:
        return None
    import numexpr

    text, *names = expression
    return lambda *a: numexpr.evaluate(text, dict(zip(names, a))), lambda y: y


SYSTEMS = {"NumPy": of_numpy, "Broadloom": of_broadloom, "jax.jit": of_jax, "numexpr": of_numexpr}


def once(f, wait, arguments):
    start = time.perf_counter()
    result = wait(f(*arguments))
    return time.perf_counter() - start, result


def measure(name, system):
    """The seconds of the ten first calls, and of ten later ones."""
    make, inputs, expression = CASES[name]
    try:
        made = SYSTEMS[system](make, expression)
    except ImportError:
        return None
    if made is None:
        return None
    f, wait = made
    first = steady = 0.0
    for size in SIZES:
        arguments = inputs(*size)
        seconds, result = once(f, wait, arguments)
        first += seconds
        expected = make(np)(*arguments)
        for x, y in zip(*((r if isinstance(r, tuple) else (r,)) for r in (result, expected))):
            np.testing.assert_allclose(np.asarray(x), y, rtol=2e-4, atol=2e-5)
        stop = time.perf_counter() + 0.25
        best = float("inf")
        while time.perf_counter() < stop:
            best = min(best, once(f, wait, arguments)[0])
        steady += best
    return first, steady


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only")
    options = parser.parse_args()
    for make, inputs, _ in CASES.values():
        make(np)(*inputs(*SIZES[0]))
    lines = ["| ten shapes of | " + " | ".join(SYSTEMS) + " |", "|---|" + "---|" * len(SYSTEMS)]
    for name in CASES:
        if options.only and options.only not in name:
            continue
        cells = []
        for system in SYSTEMS:
            found = measure(name, system)
            cells.append(f"{found[0] * 1e3:.1f} ms, {found[1] * 1e6:.0f} us" if found else "—")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    table = "\n".join(lines)
    if options.write and not options.only:
        with open(README) as file:
            text = file.read()
        block = f"<!-- jit: begin -->\n{table}\n<!-- jit: end -->"
        text = re.sub(r"<!-- jit: begin -->.*<!-- jit: end -->", lambda _: block, text, flags=re.S)
        with open(README, "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
