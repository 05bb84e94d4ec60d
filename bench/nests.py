"""How long programs over memory of many loop nests take to compile, and how that
grows with their number: N nests in one function, in several, and in a function
each. Beside it stands what upstream takes for the same loops without checks:
mlir-opt, mlir-translate, opt -O3 and llc for this processor. All times are
processor time of all threads, of the shortest of some runs, so that other work on
the machine counts little.

  python3 bench/nests.py [--kinds simple,shifted,product] [--functions one,10,each] [--sizes 100,200,500]
                         [--upstream N] [--runs 1] [--threads 1]

A `simple` nest is one loop over two vectors, a `product` three loops over three
matrices. No two nests are equal: each has a constant of its own. Those of a function
have the same conditions, and each `shifted` nest, one loop over two vectors, has another one.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile

LLVM = "/usr/lib/llvm-22/bin"
LOWERING = [
    "--lower-affine",
    "--convert-scf-to-cf",
    "--convert-arith-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
]
MACHINE = ["-mtriple=x86_64-pc-linux-gnu", "-mcpu=native"]

NESTS = {
    "simple": (
        "%v: memref<?xf64>, %w: memref<?xf64>, %n: index",
        """
  affine.for %i = 0 to %n {
    %x = affine.load %v[%i] : memref<?xf64>
    %y = affine.load %w[%i] : memref<?xf64>
    %p = arith.mulf %x, %factor : f64
    %q = arith.addf %p, %y : f64
    affine.store %q, %w[%i] : memref<?xf64>
  }""",
    ),
    "shifted": (
        "%v: memref<?xf64>, %w: memref<?xf64>, %n: index",
        """
  affine.for %i = 0 to %n {
    %x = affine.load %v[%i + @number] : memref<?xf64>
    %y = affine.load %w[%i] : memref<?xf64>
    %p = arith.mulf %x, %factor : f64
    %q = arith.addf %p, %y : f64
    affine.store %q, %w[%i] : memref<?xf64>
  }""",
    ),
    "product": (
        "%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index",
        """
  affine.for %i = 0 to %n {
    affine.for %k = 0 to %n {
      affine.for %j = 0 to %n {
        %x = affine.load %a[%i, %k] : memref<?x?xf64>
        %y = affine.load %b[%k, %j] : memref<?x?xf64>
        %z = affine.load %c[%i, %j] : memref<?x?xf64>
        %p = arith.mulf %x, %y : f64
        %q = arith.mulf %p, %factor : f64
        %s = arith.addf %z, %q : f64
        affine.store %s, %c[%i, %j] : memref<?x?xf64>
      }
    }
  }""",
    ),
}


def nest(kind, number):
    factor = f"%factor{number}"
    text = NESTS[kind][1].replace("%factor", factor).replace("@number", str(number))
    return f"\n  {factor} = arith.constant {number}.5 : f64{text}"


def program(kind, functions, size):
    """`functions` functions with `size` nests in all."""
    of_each = size // functions

    def function(number):
        body = "".join(nest(kind, one) for one in range(number * of_each, (number + 1) * of_each))
        return f"func.func @f{number}({NESTS[kind][0]}) {{{body}\n  return\n}}\n"

    return "".join(map(function, range(functions)))


def takes(*command, runs=1):
    """The processor time of a command in seconds."""

    def measure():
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "BROADLOOM_CACHE": "0"})
        if done.returncode:
            sys.exit(f"{' '.join(command)}: {done.stderr}")
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    return min(measure() for _ in range(runs))


def upstream(folder, path):
    steps = [os.path.join(folder, name) for name in ("lowered.mlir", "program.ll", "optimised.bc", "upstream.o")]
    return (
        takes(f"{LLVM}/mlir-opt", path, *LOWERING, "-o", steps[0])
        + takes(f"{LLVM}/mlir-translate", "--mlir-to-llvmir", steps[0], "-o", steps[1])
        + takes(f"{LLVM}/opt", "-O3", *MACHINE, steps[1], "-o", steps[2])
        + takes(f"{LLVM}/llc", "-O2", *MACHINE, "--filetype=obj", steps[2], "-o", steps[3])
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--broadloom", default="build/bin/broadloom", help=argparse.SUPPRESS)
    parser.add_argument("--kinds", default="simple,shifted,product", help="which nests")
    parser.add_argument("--functions", default="one,each", help="one, each, or a number of functions")
    parser.add_argument("--sizes", default="100,200,500,1000", help="how many nests")
    parser.add_argument("--runs", type=int, default=1, help="of which the shortest counts")
    parser.add_argument("--threads", type=int, default=1, help="of Broadloom's compiler")
    parser.add_argument("--upstream", type=int, default=500, help="run upstream for at most as many nests")
    options = parser.parse_args()
    print("| nests | functions | number | stages | all | per nest | upstream | all ÷ upstream |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path, output = os.path.join(folder, "program.mlir"), os.path.join(folder, "output")
        for kind in options.kinds.split(","):
            for functions in options.functions.split(","):
                for size in map(int, options.sizes.split(",")):
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(program(kind, {"one": 1, "each": size}.get(functions) or int(functions), size))
                    compiles = [
                        options.broadloom,
                        "compile",
                        path,
                        f"--compile-threads={options.threads}",
                        "-o",
                        output,
                    ]
                    stages = takes(*compiles, "--emit=llvm", runs=options.runs)
                    whole = takes(*compiles, "--emit=obj", runs=options.runs)
                    theirs = upstream(folder, path) if size <= options.upstream else None
                    ratio = f"{theirs:.2f} s | {whole / theirs:.2f}" if theirs else "– | –"
                    print(
                        f"| {kind} | {functions} | {size} | {stages:.2f} s | {whole:.2f} s"
                        f" | {1000 * whole / size:.1f} ms | {ratio} |",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
