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

import time

import numpy as np
import readme

SIZES = [
    (64, 64),
    (100, 30),
    (17, 500),
    (256, 256),
    (1000, 10),
    (33, 77),
    (512, 128),
    (8, 2000),
    (300, 300),
    (128, 1000),
]


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


def of_expressions(name):
    """The same function by numexpr, whose reductions are the outermost of an
    expression. Constants are f32, or it computes in f64."""
    import numexpr

    f = np.float32

    def ev(text, **names):
        return numexpr.evaluate(text, names)

    def gelu(x):
        return ev("h*x*(o+tanh(c*(x+k*x*x*x)))", x=x, h=f(0.5), o=f(1), c=f(0.7978846), k=f(0.044715))

    def softmax(x):
        m = ev("max(x, 1)", x=x)[:, None]
        e = ev("exp(x-m)", x=x, m=m)
        return ev("e/s", e=e, s=ev("sum(e, 1)", e=e)[:, None])

    def layer_norm(x, g, b):
        n = f(x.shape[1])
        m = (ev("sum(x, 1)", x=x) / n)[:, None]
        v = (ev("sum((x-m)*(x-m), 1)", x=x, m=m) / n)[:, None]
        return ev("(x-m)/sqrt(v+k)*g+b", x=x, m=m, v=v, g=g, b=b, k=f(1e-5))

    def grey(x):
        return ev("p*r+q*g+s*b", r=x[..., 0], g=x[..., 1], b=x[..., 2], p=f(0.299), q=f(0.587), s=f(0.114))

    def distances(a, b):
        return ev("sqrt(d)", d=ev("sum((a-b)*(a-b), 2)", a=a[:, None], b=b[None]))

    def mandelbrot(zr, zi, cr, ci, count):
        z = {"zr": zr, "zi": zi}
        more = ev("where(zr*zr+zi*zi<four, count+one, count)", **z, count=count, four=f(4), one=np.int32(1))
        return ev("zr*zr-zi*zi+cr", **z, cr=cr), ev("two*zr*zi+ci", **z, ci=ci, two=f(2)), more

    def columns(x):
        n = f(x.shape[0])
        m = ev("sum(x, 0)", x=x) / n
        v = ev("sum((x-m)*(x-m), 0)", x=x, m=m) / n
        return ev("(x-m)/sqrt(v)", x=x, m=m, v=v)

    def normal(x):
        t = ev("o/(o+c*abs(x)*r)", x=x, o=f(1), c=f(0.3275911), r=f(0.70710678))
        numbers = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
        named = dict(zip("abcde", map(f, numbers)))
        text = "h*t*(a+t*(b+t*(c+t*(d+t*e))))*exp(-x*x*h)"
        half = ev(text, t=t, x=x, h=f(0.5), **named)
        return ev("where(x>z, o-half, half)", x=x, half=half, o=f(1), z=f(0))

    def black_scholes(s, k, t):
        d1 = ev("(log(s/k)+a*t)/(b*sqrt(t))", s=s, k=k, t=t, a=f(0.065), b=f(0.3))
        d2 = ev("d-b*sqrt(t)", d=d1, t=t, b=f(0.3))
        return ev("s*n-k*exp(r*t)*m", s=s, k=k, t=t, n=normal(d1), m=normal(d2), r=f(-0.02))

    def log_sum_exp(x):
        m = ev("max(x, 1)", x=x)
        return ev("log(s)+m", s=ev("sum(exp(x-m), 1)", x=x, m=m[:, None]), m=m)

    def weighted_mean(x, w):
        return ev("sum(x*w, 0)", x=x, w=w[:, None]) / w.sum()

    return {
        "GELU": gelu,
        "softmax": softmax,
        "layer norm": layer_norm,
        "RGB to grey": grey,
        "distance matrix": distances,
        "Mandelbrot step": mandelbrot,
        "normalise columns": columns,
        "Black-Scholes": black_scholes,
        "log-sum-exp": log_sum_exp,
        "weighted mean": weighted_mean,
    }[name]


def random(*shape, low=0.1, high=2.0):
    return np.random.default_rng(sum(shape)).uniform(low, high, shape).astype(np.float32)


#: The function, and its arguments for a size.
CASES = {
    "GELU": (gelu, lambda m, n: (random(m, n),)),
    "softmax": (softmax, lambda m, n: (random(m, n),)),
    "layer norm": (layer_norm, lambda m, n: (random(m, n), random(n), random(n))),
    "RGB to grey": (grey, lambda m, n: (random(m, n, 3),)),
    "distance matrix": (distances, lambda m, n: (random(m, 16), random(n, 16))),
    "Mandelbrot step": (
        mandelbrot,
        lambda m, n: (random(m, n), random(m, n), random(m, 1), random(n), np.zeros((m, n), np.int32)),
    ),
    "normalise columns": (columns, lambda m, n: (random(m, n),)),
    "Black-Scholes": (black_scholes, lambda m, n: (random(m * n), random(m * n), random(m * n))),
    "log-sum-exp": (log_sum_exp, lambda m, n: (random(m, n),)),
    "weighted mean": (weighted_mean, lambda m, n: (random(m, n), random(m))),
}


def of_numpy(make, name):
    return make(np), lambda y: y


def of_broadloom(make, name):
    import broadloom as bl

    return bl.jit(make(np), threads=1), lambda y: y


def of_jax(make, name):
    import jax
    import jax.numpy as jnp

    f = jax.jit(make(jnp))
    return f, lambda y: jax.block_until_ready(y)


def of_numexpr(make, name):
    f = of_expressions(name)
    return f, lambda y: y


SYSTEMS = {"NumPy": of_numpy, "Broadloom": of_broadloom, "jax.jit": of_jax, "numexpr": of_numexpr}


def once(f, wait, arguments):
    start = time.perf_counter()
    result = wait(f(*arguments))
    return time.perf_counter() - start, result


def measure(name, system):
    """The seconds of the ten first calls, and of ten later ones."""
    make, inputs = CASES[name]
    try:
        made = SYSTEMS[system](make, name)
    except ImportError:
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
    for make, inputs in CASES.values():
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
    if options.write and not options.only:
        readme.replace("jit", lines)


if __name__ == "__main__":
    main()
