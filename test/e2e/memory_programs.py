"""Programs over memory, and what NumPy makes of the same arrays."""

import os

import broadloom
import numpy as np

EXAMPLES = os.path.join(broadloom.ROOT, "examples", "rationale")


def example(name):
    with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
        return file.read()


# Fills a view with 0, 1, 2, ...
FILL = """\
  %c0 = arith.constant 0 : index
  %extent = memref.dim {v}, %c0 : {type}
  affine.for %i = 0 to %extent {{
    %k = arith.index_cast %i : index to i64
    affine.store %k, {v}[%i] : {type}
  }}
  return"""


JACOBI = """\
func.func @main(%a: memref<{0}x{0}xf64>, %b: memref<{0}x{0}xf64>) {{
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<{0}x{0}xf64>
  %fifth = arith.constant 0.2 : f64
  affine.for %i = {1} to affine_map<()[n] -> (n - 1)>()[%n] {{
    affine.for %j = 1 to affine_map<()[n] -> (n - 1)>()[%n] {{
      %0 = affine.load %a[%i, %j] : memref<{0}x{0}xf64>
      %1 = affine.load %a[%i - 1, %j] : memref<{0}x{0}xf64>
      %2 = affine.load %a[%i + {2}, %j] : memref<{0}x{0}xf64>
      %3 = affine.load %a[%i, %j - 1] : memref<{0}x{0}xf64>
      %4 = affine.load %a[%i, %j + 1] : memref<{0}x{0}xf64>
      %5 = arith.addf %0, %1 : f64
      %6 = arith.addf %5, %2 : f64
      %7 = arith.addf %6, %3 : f64
      %8 = arith.addf %7, %4 : f64
      %9 = arith.mulf %8, %fifth : f64
      affine.store %9, %b[%i, %j] : memref<{0}x{0}xf64>
    }}
  }}
  return
}}
"""


def jacobi(extent="?", first=1, below=1):
    return JACOBI.format(extent, first, below)


GEMM = """\
func.func @main(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %l = 0 to %k {
        %x = affine.load %a[%i, %l] : memref<?x?xf32>
        %y = affine.load %b[%l, %j] : memref<?x?xf32>
        %z = affine.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
"""


def save(folder, arrays):
    for i, array in enumerate(arrays):
        np.save(folder / f"a{i}.npy", array)


def run(folder, text, arrays, scalars=(), *options, leaks="--leaks"):
    """Runs a program on arrays, which stand before the scalars. Gives the outcome
    and what the arrays hold afterwards; nothing where it failed, as it does where
    memory is left that the program has made. With `leaks` None, it may be."""
    if leaks:
        options = (*options, leaks)
    (folder / "p.mlir").write_text(text)
    save(folder, arrays)
    inputs = [f"--input={folder}/a{i}.npy" for i in range(len(arrays))] + [f"--input={s}" for s in scalars]
    outputs = [f"--output-argument={i}:{folder}/b{i}.npy" for i in range(len(arrays))]
    outcome = broadloom.call("run", folder / "p.mlir", *inputs, *outputs, *options)
    if outcome.status != broadloom.DONE:
        return outcome, None
    return outcome, [np.load(folder / f"b{i}.npy") for i in range(len(arrays))]


def fails(folder, text, arrays, scalars=(), *options):
    outcome, _ = run(folder, text, arrays, scalars, *options)
    assert outcome.status == broadloom.GUARD_FAILED, outcome.error + outcome.out
    return outcome.error.replace(f"{folder}/", "")


def refuses(folder, text):
    (folder / "p.mlir").write_text(text)
    outcome = broadloom.call("compile", folder / "p.mlir", "-o", folder / "p.o")
    assert outcome.status == broadloom.REJECTED, outcome.error
    return outcome.error


def function(arguments, body, results=""):
    return f"func.func @main({arguments}){results} {{\n{body}\n}}\n"


def scalars(*values):
    return [f"i64={value}" for value in values]
