"""Products of matrices of f32 beside NumPy's, whose library is OpenBLAS, in turns and in
one process: every extent is open, and both factors are given by each call unless the
case says that the weight is constant. Prints a table; --write puts it into
bench/README.md. Every result is compared with NumPy's.

  PYTHONPATH=build/python .venv/bin/python bench/products.py [--threads 1] [--only TEXT] [--write]
"""

import argparse
import os
import re
import subprocess
import sys
import time

import readme

SIZES = [1, 3, 7, 17, 63, 65, 127, 255, 257, 511, 1000, 1023, 2047, 2048]
# Rows, sums, columns.
OTHERS = [(1, 512, 512), (1, 2048, 2048), (4, 512, 1408), (17, 1000, 257), (102, 512, 512),
          (1000, 512, 128), (2047, 64, 2047), (2048, 17, 65), (33, 2047, 7)]  # fmt: skip
SECONDS = 0.3

GIVEN = """
func.func @main(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.matmul %a, %b, %z, %z : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
"""
TURNED = """
func.func @main(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %t = tosa.transpose %b {perms = array<i32: 0, 2, 1>} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %r = tosa.matmul %a, %t, %z, %z : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
"""
# As PyTorch's Linear keeps it: channels, sums.
CONSTANT = """
func.func @main(%a: tensor<1x?x{k}xf32>) -> tensor<1x?x{n}xf32> {{
  %z = "tosa.const"() {{values = dense<0.0> : tensor<1xf32>}} : () -> tensor<1xf32>
  %b = "tosa.const"() {{values = dense<"0x{hex}"> : tensor<1x{n}x{k}xf32>}} : () -> tensor<1x{n}x{k}xf32>
  %t = tosa.transpose %b {{perms = array<i32: 0, 2, 1>}} : (tensor<1x{n}x{k}xf32>) -> tensor<1x{k}x{n}xf32>
  %r = tosa.matmul %a, %t, %z, %z : (tensor<1x?x{k}xf32>, tensor<1x{k}x{n}xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x{n}xf32>
  return %r : tensor<1x?x{n}xf32>
}}
"""
KINDS = {"given": GIVEN, "transposed": TURNED, "constant": CONSTANT}


# OpenBLAS's threads keep a core for a tenth of a second after a product.
PAUSE_SECONDS = 0.3


def shortest(calls, pauses):
    """The shortest time of each call, in us, in turns: of three calls, or of as many as
    take a while, with a pause before them."""
    best = [float("inf")] * len(calls)
    end = time.monotonic() + SECONDS
    turns = 0
    while turns < 2 if pauses else time.monotonic() < end or turns < 5:
        turns += 1
        for i, call in enumerate(calls):
            if pauses:
                time.sleep(PAUSE_SECONDS)
            done, until = 0, time.monotonic() + (SECONDS / 2 if pauses else 0)
            while done < 3 or time.monotonic() < until:
                done += 1
                begin = time.perf_counter()
                call()
                best[i] = min(best[i], time.perf_counter() - begin)
    return [b * 1e6 for b in best]


def measure(threads, kinds, cases):
    import broadloom as bl
    import numpy as np

    random = np.random.default_rng(1)
    functions = {kind: bl.compile(KINDS[kind]) for kind in kinds if kind != "constant"}
    for kind in kinds:
        for m, k, n in cases:
            a = random.standard_normal((1, m, k), np.float32)
            b = random.standard_normal((1, k, n) if kind == "given" else (1, n, k), np.float32)
            wide = b[0] if kind == "given" else b[0].T
            out, told = np.empty((1, m, n), np.float32), np.empty((m, n), np.float32)
            if kind == "constant":
                f = bl.compile(CONSTANT.format(k=k, n=n, hex=b.tobytes().hex()))
                given = (a,)
            else:
                f, given = functions[kind], (a, b)
            f.threads = threads
            f(*given, out=out)
            np.matmul(a[0], wide, out=told)
            assert np.abs(out[0] - told).max() <= 1e-4 * max(1, np.abs(told).max()), (kind, m, k, n)
            ours, theirs = shortest(
                [lambda: f(*given, out=out), lambda: np.matmul(a[0], wide, out=told)], pauses=threads > 1
            )
            rate = 2e-3 * m * k * n / ours
            print(
                f"| {kind} | {m} x {k} x {n} | {theirs:.1f} | {ours:.1f} | {rate:.0f} | {theirs / ours:.2f} |",
                flush=True,
            )


def runWith(threads, script, head, arguments=()):
    """The lines of a table: what `script` prints in a process of its own with so many threads."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": str(threads), "BROADLOOM_CACHE": "0"}
    table = [head, "|---" * (head.count("|") - 1) + "|"]
    print("\n".join(table), flush=True)
    command = [sys.executable, script, "--inside", "--threads", str(threads), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    for line in process.stdout:
        print(line, end="", flush=True)
        table.append(line.rstrip())
    if process.wait():
        sys.exit(process.returncode)
    print()
    return [*table, ""]


def machine():
    """One line about what the numbers were measured on."""
    import numpy as np

    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = re.findall(r"model name\s*: (.*)", file.read())
    return (
        f"{names[0] if names else 'unknown processor'}, {os.cpu_count()} cores, load at the start "
        f"{os.getloadavg()[0]:.1f}; NumPy {np.__version__}. Shortest times of turns."
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--threads", type=int, action="append")
    parser.add_argument("--kind", action="append", choices=KINDS)
    parser.add_argument("--only", help="cases like 1x512x512, with commas")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    threads = options.threads or [1, 2]
    cases = [(n, n, n) for n in SIZES] + OTHERS
    if options.only:
        cases = [tuple(map(int, case.split("x"))) for case in options.only.split(",")]
    if options.inside:
        measure(threads[0], options.kind or list(KINDS), cases)
        return
    table = [machine(), ""]
    arguments = [f"--kind={k}" for k in options.kind or []] + ([f"--only={options.only}"] if options.only else [])
    for number in threads:
        head = (
            f"| {number} thread(s) | rows x sums x columns | NumPy, us | Broadloom, us | GFLOP/s | NumPy ÷ Broadloom |"
        )
        table += runWith(number, __file__, head, arguments)
    if options.write:
        readme.replace("products", table)


if __name__ == "__main__":
    main()
