"""A program may name what it has as it likes, also like what the compiler and the
libraries have that its code calls: kernels, tables, entries, sinf, memcpy."""

import re

import broadloom
import numpy as np
import pytest

# Functions of math, a reduction, a contraction, loops, a copy and constants:
# each is compiled to symbols of its own.
MAIN = """\
func.func @main(%x: tensor<?xf32>, %w: tensor<4x4xf32>, %i: tensor<1x3xi32>)
    -> (tensor<?xf32>, tensor<4x1xf32>, tensor<1x4x4xf32>, tensor<1x3x4xf32>) {
  %a = tosa.sin %x : (tensor<?xf32>) -> tensor<?xf32>
  %b = tosa.cos %a : (tensor<?xf32>) -> tensor<?xf32>
  %c = tosa.exp %b : (tensor<?xf32>) -> tensor<?xf32>
  %d = tosa.pow %c, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %e = tosa.tanh %d : (tensor<?xf32>) -> tensor<?xf32>
  %f = tosa.erf %e : (tensor<?xf32>) -> tensor<?xf32>
  %g = tosa.reverse %f {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  %s = tosa.reduce_sum %w {axis = 1 : i32} : (tensor<4x4xf32>) -> tensor<4x1xf32>
  %sh = tosa.const_shape {values = dense<[1, 4, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v = tosa.reshape %w, %sh : (tensor<4x4xf32>, !tosa.shape<3>) -> tensor<1x4x4xf32>
  %k = "tosa.const"() {values = dense<[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [1.5, 2.5, 3.5, 4.5],
      [5.5, 6.5, 7.5, 8.5]]]> : tensor<1x4x4xf32>} : () -> tensor<1x4x4xf32>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %m = tosa.matmul %v, %k, %z, %z
    : (tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %r = tosa.gather %v, %i : (tensor<1x4x4xf32>, tensor<1x3xi32>) -> tensor<1x3x4xf32>
CALLS
  return %g, %s, %m, %r : tensor<?xf32>, tensor<4x1xf32>, tensor<1x4x4xf32>, tensor<1x3x4xf32>
}
"""
X = np.float32([1, 2, 3])
INPUTS = (X, np.arange(16, dtype=np.float32).reshape(4, 4), np.int32([[0, 1, 3]]))

# What code has on some processors only, what comes and goes between two passes,
# and what the loader and the C library give a meaning to.
OTHERS = """
broadloom_description shapes_of_main loom_function_main loom_function_loom_kernel_0 loom_global_sinf
loom_rare_sin loom_rare_cos loom_rare_pow loom_cases_sin loom_cases_pow loom_lookup_powers loom_lookup_tanh0
_ZGVdN8v_loom_rare_sin _ZGVeN16v_sinf _ZGVdN8v_sinf _ZGV_LLVM_N8v_sinf
sinf expf powf tanhf erff logf sin exp memcpy memset memmove malloc free aligned_alloc memrefCopy abort printf
_start _init _fini _end _GLOBAL_OFFSET_TABLE_ __dso_handle llvm.used llvm.compiler.used llvm.global_ctors
llvm.memcpy.p0.p0.i64 llvm.sin.f32 .text $d f@@V1 f@plt
""".split()
OTHERS += ["a b", "é", "\\22", "\\01sinf", ""]


def compile(path, *options):
    outcome = broadloom.call("compile", path, *options)
    assert outcome.status == 0, outcome.error
    return outcome.out


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """The symbols that the program is compiled to, for two processors, and
    OTHERS."""
    path = tmp_path_factory.mktemp("names") / "plain.mlir"
    path.write_text(MAIN.replace("CALLS\n", ""))
    found = set()
    for cpu in ("x86-64-v3", "sapphirerapids"):
        form = compile(path, "--emit=llvm", "--target=x86_64-linux-gnu", f"--cpu={cpu}")
        found |= set(re.findall(r"@([\w.$-]+)", form))
        code = compile(path, "--emit=asm", "--target=x86_64-linux-gnu", f"--cpu={cpu}")
        found |= set(re.findall(r"^([A-Za-z_][\w.$]*):", code, re.M))
        found |= set(re.findall(r"\b(?:call|jmp)q?\s+\*?([A-Za-z_][\w.$]*)", code))
    assert {
        "loom_kernel_0",
        "broadloomEnter",
        "broadloom_entry_main",
        "loom_rare_sin",
        "loom_lookup_powers",
        "sinf",
        "__constant_xi32",
    } <= found
    return sorted((found | set(OTHERS)) - {"main"})


def function(name, visibility=""):
    return (
        f'func.func {visibility} @"{name}"(%x: tensor<?xf32>) -> tensor<?xf32> {{\n'
        f"  %y = tosa.exp %x : (tensor<?xf32>) -> tensor<?xf32>\n  return %y : tensor<?xf32>\n}}\n"
    )


def callOf(name, i):
    return f'  %c{i} = call @"{name}"(%x) : (tensor<?xf32>) -> tensor<?xf32>'


# How a program may have symbols: what declares one, and what main does with it.
KINDS = {
    "public": (function, None),
    "private": (lambda name: function(name, "private"), callOf),
    "declared": (lambda name: f'func.func private @"{name}"(tensor<?xf32>) -> tensor<?xf32>\n', None),
    "variable": (lambda name: f'tosa.variable @"{name}" = dense<1.0> : tensor<2xf32>\n', None),
    "global": (
        lambda name: f'ml_program.global private @"{name}"(dense<1.0> : tensor<2xf32>) : tensor<2xf32>\n',
        lambda name, i: f'  %c{i} = ml_program.global_load @"{name}" : tensor<2xf32>',
    ),
    "pointer": (
        lambda name: f'llvm.mlir.global internal constant @"{name}"(1 : i32) : i32\n',
        lambda name, i: f'  %c{i} = llvm.mlir.addressof @"{name}" : !llvm.ptr',
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_any_name_is_a_programs_own(tmp_path, names, kind):
    declare, use = KINDS[kind]
    plain, named = tmp_path / "plain.mlir", tmp_path / "named.mlir"
    plain.write_text(MAIN.replace("CALLS\n", ""))
    calls = [use(name, i) for i, name in enumerate(names)] if use else []
    named.write_text("".join(map(declare, names)) + MAIN.replace("CALLS", "\n".join(calls)))

    inputs = []
    for i, array in enumerate(INPUTS):
        np.save(tmp_path / f"in{i}.npy", array)
        inputs.append(f"--input={tmp_path}/in{i}.npy")

    def run(path):
        outcome = broadloom.call("run", path, "--function=main", *inputs)
        assert outcome.status == 0, outcome.error
        return outcome.out

    assert run(named) == run(plain)
    # Also where code has functions of its own for math, and where a linker joins it
    # to others.
    compile(named, "--emit=obj", "--target=x86_64-linux-gnu", "--cpu=sapphirerapids", "-o", tmp_path / "wide.o")
    results = []
    for path in (plain, named):
        compile(path, "--emit=so", "-o", path.with_suffix(".so"))
        results.append(broadloom.loadLibrary(path.with_suffix(".so"), "main")(*INPUTS, out=np.empty_like(X)))
    np.testing.assert_array_equal(*results)


def test_functions_of_such_names_are_called(tmp_path, names):
    path, library = tmp_path / "named.mlir", tmp_path / "named.so"
    path.write_text("".join(map(function, names)))
    compile(path, "--emit=so", "-o", library)
    np.save(tmp_path / "x.npy", X)
    for name in ("loom_kernel_0", "sinf", "broadloomEnter", "shapes_of_main", "loom_function_main", "é", "f@@V1"):
        outcome = broadloom.call(
            "run", path, f"--function={name}", f"--input={tmp_path}/x.npy", f"--output={tmp_path}/y.npy"
        )
        assert outcome.status == 0, outcome.error
        expected = np.load(tmp_path / "y.npy")
        np.testing.assert_allclose(expected, np.exp(X), rtol=1e-6)
        np.testing.assert_array_equal(broadloom.loadLibrary(library, name)(X, out=np.empty_like(X)), expected)
