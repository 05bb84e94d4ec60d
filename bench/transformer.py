"""A transformer block whose batch and length are open, beside the library called by hand:
NumPy's products of the same sizes alone, whose library is OpenBLAS, and the block in
NumPy. It is a block as language models have it (root mean square norms, attention with
a mask, a gated linear unit) of 1536 channels, 12 heads and 8960 channels between; the
function that NumPy runs is the one that bl.jit traces, once for all sizes. Prints a
table; --write puts it into bench/README.md. Every result is compared with NumPy's.

  PYTHONPATH=build/python .venv/bin/python bench/transformer.py [--threads 1] [--write]
"""

import argparse

import products
import readme

CHANNELS, HEADS, BETWEEN = 1536, 12, 8960
SIZES = [(1, 1), (1, 7), (1, 40), (1, 129), (3, 40), (2, 200)]
HEAD = "| {} thread(s) | batch x length | NumPy, ms | its products, ms | Broadloom, ms | products ÷ Broadloom | NumPy ÷ Broadloom |"


def makeBlock(np):
    def norm(x, weight):
        return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + np.float32(1e-6)) * weight

    def heads(x):
        return x.reshape(x.shape[0], x.shape[1], HEADS, CHANNELS // HEADS).transpose(0, 2, 1, 3)

    def block(x, mask, first, q, k, v, o, second, gate, up, down):
        h = norm(x, first)
        score = heads(h @ q) @ heads(h @ k).transpose(0, 1, 3, 2) * np.float32((HEADS / CHANNELS) ** 0.5) + mask
        weight = np.exp(score - score.max(axis=-1, keepdims=True))
        weight = weight / weight.sum(axis=-1, keepdims=True)
        attended = (weight @ heads(h @ v)).transpose(0, 2, 1, 3)
        y = x + attended.reshape(x.shape[0], x.shape[1], CHANNELS) @ o
        h = norm(y, second)
        g = h @ gate
        return y + (g / (1 + np.exp(-g)) * (h @ up)) @ down

    return block


def makeInputs(np, batch, length):
    random = np.random.default_rng(1)
    f = lambda *shape: random.standard_normal(shape, np.float32) * np.float32(shape[0] ** -0.5)
    mask = np.where(random.random((batch, 1, 1, length)) < 0.8, np.float32(0), np.float32(-1e4))
    x = random.standard_normal((batch, length, CHANNELS), np.float32)
    ones = np.ones(CHANNELS, np.float32)
    square = [f(CHANNELS, CHANNELS) for _ in range(4)]
    return [x, mask, ones, *square, ones, f(CHANNELS, BETWEEN), f(CHANNELS, BETWEEN), f(BETWEEN, CHANNELS)]


def makeProducts(np, batch, length, inputs):
    """The products of the block and nothing else, into memory that is there."""
    rows, width = batch * length, CHANNELS // HEADS
    f = lambda *shape: np.random.default_rng(2).standard_normal(shape, np.float32)
    x, between = f(rows, CHANNELS), f(rows, BETWEEN)
    a, b, score = f(batch * HEADS, length, width), f(batch * HEADS, width, length), f(batch * HEADS, length, length)
    pairs = [(x, w) for w in inputs[3:7]] + [(a, b), (score, a), (x, inputs[8]), (x, inputs[9]), (between, inputs[10])]
    outs = [np.empty((*left.shape[:-1], right.shape[-1]), np.float32) for left, right in pairs]

    def run():
        for (left, right), out in zip(pairs, outs):
            np.matmul(left, right, out=out)

    return run


def measure(threads):
    import broadloom as bl
    import numpy as np

    block = makeBlock(np)
    traced = bl.jit(block, threads=threads)
    for batch, length in SIZES:
        inputs = makeInputs(np, batch, length)
        wanted, found = block(*inputs), traced(*inputs)
        assert np.abs(found - wanted).max() <= 1e-4 * np.abs(wanted).max(), (batch, length)
        whole, alone, own = products.shortest(
            [lambda: block(*inputs), makeProducts(np, batch, length, inputs), lambda: traced(*inputs)],
            pauses=threads > 1,
        )
        print(
            f"| | {batch} x {length} | {whole / 1e3:.2f} | {alone / 1e3:.2f} | {own / 1e3:.2f} | {alone / own:.2f} "
            f"| {whole / own:.2f} |",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--threads", type=int, action="append")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    threads = options.threads or [1, 2]
    if options.inside:
        return measure(threads[0])
    table = [products.machine(), ""]
    for number in threads:
        table += products.runWith(number, __file__, HEAD.format(number))
    if options.write:
        readme.replace("transformer", table)


if __name__ == "__main__":
    main()
