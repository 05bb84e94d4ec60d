"""Loop nests over memory with a schedule beside the same nests without, and beside clang 22 and its
polyhedral optimiser Polly on the same loops in C.

  PYTHONPATH=build/python .venv/bin/python bench/schedules.py [--rounds N] [--only TEXT]

All run on one thread, in turns; the shortest times count. What they compute is compared.
"""

import argparse
import ctypes
import os
import subprocess
import tempfile
import time

os.environ.setdefault("BROADLOOM_CACHE", "0")

import broadloom as bl
import numpy as np

MATRIX = "memref<?x?xf32>"
C_FLAGS = ["-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC"]
HEAD = f"""\
func.func @main(%a: {MATRIX}, %b: {MATRIX}, %c: {MATRIX}, %n: index) {{
"""


def loops(names, body):
    lines = [f"affine.for %{name} = 0 to %n {{" for name in names]
    return "\n".join([*lines, *body, *("}" for _ in names)])


def gemm():
    body = [
        f"%x = affine.load %a[%i, %k] : {MATRIX}",
        f"%y = affine.load %b[%k, %j] : {MATRIX}",
        f"%z = affine.load %c[%i, %j] : {MATRIX}",
        "%p = arith.mulf %x, %y : f32",
        "%s = arith.addf %z, %p : f32",
        f"affine.store %s, %c[%i, %j] : {MATRIX}",
    ]
    return HEAD + loops("ijk", body) + "\nreturn\n}"


def transposition():
    body = [f"%x = affine.load %a[%j, %i] : {MATRIX}", f"affine.store %x, %c[%i, %j] : {MATRIX}"]
    return HEAD + loops("ij", body) + "\nreturn\n}"


def two_sweeps():
    first = [
        f"%x = affine.load %a[%i, %j] : {MATRIX}",
        "%y = arith.mulf %x, %x : f32",
        f"affine.store %y, %b[%i, %j] : {MATRIX}",
    ]
    second = [
        f"%u = affine.load %b[%i, %j] : {MATRIX}",
        f"%v = affine.load %a[%i, %j] : {MATRIX}",
        "%w = arith.addf %u, %v : f32",
        f"affine.store %w, %c[%i, %j] : {MATRIX}",
    ]
    return HEAD + loops("ij", first) + "\n" + loops("ij", second) + "\nreturn\n}"


C = {
    "gemm": "for (I i = 0; i < n; ++i) for (I j = 0; j < n; ++j) for (I k = 0; k < n; ++k)"
    " c[i][j] += a[i][k] * b[k][j];",
    "transposition": "for (I i = 0; i < n; ++i) for (I j = 0; j < n; ++j) c[i][j] = a[j][i];",
    "two sweeps": "for (I i = 0; i < n; ++i) for (I j = 0; j < n; ++j) b[i][j] = a[i][j] * a[i][j];"
    " for (I i = 0; i < n; ++i) for (I j = 0; j < n; ++j) c[i][j] = b[i][j] + a[i][j];",
}
C["packed gemm"] = C["gemm"]
CASES = {
    "gemm": (
        gemm,
        [
            "%i, %j, %k = transform.loom.nest @main 0 : 3",
            "%i2, %k2, %j2 = transform.loom.interchange %i, %j, %k to [0, 2, 1]",
            "%t:6 = transform.loom.tile %i2, %k2, %j2 by [32, 64, 256]",
            "%rows, %rest = transform.loom.unroll_and_jam %t#3, %t#4, %t#5 by 4",
        ],
        (256, 512, 1024),
    ),
    "packed gemm": (
        gemm,
        [
            "%i, %j, %k = transform.loom.nest @main 0 : 3",
            "%j2, %k2, %i2 = transform.loom.interchange %i, %j, %k to [1, 2, 0]",
            "%t:4 = transform.loom.tile %j2, %k2 by [256, 128]",
            "%o:5 = transform.loom.interchange %t#0, %t#1, %t#2, %t#3, %i2 to [0, 1, 4, 3, 2]",
            '%p = transform.loom.pack %o#2 of "b"',
            "%rows, %rest = transform.loom.unroll_and_jam %p, %o#3, %o#4 by 4",
        ],
        (512, 1024, 2048),
    ),
    "transposition": (
        transposition,
        ["%i, %j = transform.loom.nest @main 0 : 2", "%t:4 = transform.loom.tile %i, %j by [32, 32]"],
        (2048, 4096),
    ),
    "two sweeps": (
        two_sweeps,
        [
            "%i, %j = transform.loom.nest @main 0 : 2",
            "%k, %l = transform.loom.nest @main 1 : 2",
            "%both = transform.loom.fuse %i, %k",
            "%row = transform.loom.fuse %j, %l",
        ],
        (1024, 4096),
    ),
}


def script(lines):
    body = "\n".join([*lines, "transform.yield"])
    head = "module attributes {transform.with_named_sequence} {\n"
    return f"{head}transform.named_sequence @__transform_main(%program: !transform.any_op) {{\n{body}\n}}\n}}"


def compile_c(folder, name, *options):
    path = os.path.join(folder, f"{name}{len(options)}".replace(" ", "_"))
    kind = "float (*restrict {})[n]"
    arguments = ", ".join(["I n", *(kind.format(letter) for letter in "abc")])
    with open(f"{path}.c", "w", encoding="utf-8") as file:
        file.write(f"typedef long I;\nvoid run({arguments}) {{ {C[name]} }}\n")
    subprocess.run(["clang-22", *C_FLAGS, *options, f"{path}.c", "-o", f"{path}.so"], check=True)
    function = ctypes.CDLL(f"{path}.so").run
    return lambda arrays, n: function(ctypes.c_long(n), *(ctypes.c_void_p(a.ctypes.data) for a in arrays))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", metavar="TEXT")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    print("| nest | n | ms | without a schedule by it | clang by it | Polly by it |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, lines, sizes) in CASES.items():
            if options.only not in name:
                continue
            path = os.path.join(folder, "schedule.mlir")
            with open(path, "w", encoding="utf-8") as file:
                file.write(script(lines))
            edited, plain = bl.compile(text(), schedule=path), bl.compile(text())
            edited.threads = plain.threads = 1
            calls = [
                lambda arrays, n, f=edited: f(*arrays, n),
                lambda arrays, n, f=plain: f(*arrays, n),
                compile_c(folder, name),
                compile_c(folder, name, "-mllvm", "-polly"),
            ]
            for n in sizes:
                given = [rng.standard_normal((n, n), np.float32) for _ in range(3)]
                found, best = [], [float("inf")] * len(calls)
                for call in calls:
                    arrays = [array.copy() for array in given]
                    call(arrays, n)
                    found.append(arrays)
                for arrays in found[:3]:
                    assert arrays[2].tobytes() == found[0][2].tobytes(), name
                # Polly may add products in another order.
                np.testing.assert_allclose(found[3][2], found[0][2], rtol=1e-3, atol=1e-3)
                for number in range(options.rounds):
                    for which, call in enumerate(calls):
                        # A nest that takes long does so each time.
                        if number > 2 and best[which] > 0.2:
                            continue
                        begin = time.perf_counter()
                        call(found[which], n)
                        best[which] = min(best[which], time.perf_counter() - begin)
                ratios = " | ".join(f"{time_ / best[0]:.2f}" for time_ in best[1:])
                print(f"| {name} | {n} | {best[0] * 1e3:.3f} | {ratios} |", flush=True)


if __name__ == "__main__":
    main()
