"""Threads that compile: files have the same bytes for each number of threads, and compute what they should
(decision 100)."""

import os
import re
import subprocess

import broadloom
import numpy as np
import pytest

FUNCTIONS = 80


def nests():
    """Functions over memory of one nest each, and one that calls them all."""
    functions = "".join(
        f"""
func.func @f{number}(%v: memref<?xf64>, %w: memref<?xf64>, %n: index) {{
  %factor = arith.constant {number}.5 : f64
  affine.for %i = 0 to %n {{
    %x = affine.load %v[%i + {number}] : memref<?xf64>
    %y = affine.load %w[%i] : memref<?xf64>
    %p = arith.mulf %x, %factor : f64
    %q = arith.addf %p, %y : f64
    affine.store %q, %w[%i] : memref<?xf64>
  }}
  return
}}"""
        for number in range(FUNCTIONS)
    )
    calls = "".join(
        f"\n  call @f{number}(%v, %w, %n) : (memref<?xf64>, memref<?xf64>, index) -> ()" for number in range(FUNCTIONS)
    )
    return f"{functions}\nfunc.func @main(%v: memref<?xf64>, %w: memref<?xf64>, %n: index) {{{calls}\n  return\n}}\n"


def tensors(extent):
    """Functions over tensors, whose kernels all differ."""
    type = f"tensor<{extent}x5xf32>"
    return "".join(
        f"""
func.func @f{number}(%a: {type}, %b: {type}) -> {type} {{
  %0 = "tosa.const"() <{{values = dense<{number / 100 + 0.5}> : tensor<1x1xf32>}}> : () -> tensor<1x1xf32>
  %1 = tosa.add %a, %0 : ({type}, tensor<1x1xf32>) -> {type}
  %2 = tosa.{("tanh", "exp", "sigmoid", "abs")[number % 4]} %1 : ({type}) -> {type}
  %3 = tosa.sub %2, %b : ({type}, {type}) -> {type}
  return %3 : {type}
}}
"""
        for number in range(FUNCTIONS)
    )


def weights():
    """Constants so large that they have names of their own in a text, converted in each function."""
    return "".join(
        f"""
func.func @f{number}(%a: tensor<?xf32>) -> tensor<?xf32> {{
  %0 = "tosa.const"() <{{values = dense<{number}> : tensor<3000xi8>}}> : () -> tensor<3000xi8>
  %1 = "tosa.const"() <{{values = dense<"0x{number:04x}{"0102030405060708" * 1000}"> : tensor<8002xi8>}}> : () -> tensor<8002xi8>
  %2 = tosa.cast %1 : (tensor<8002xi8>) -> tensor<8002xf32>
  %3 = tosa.add %2, %a : (tensor<8002xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}}
"""
        for number in range(20)
    )


PROGRAMS = {"nests": nests(), "dynamic": tensors("?"), "static": tensors("7"), "weights": weights()}


def write(folder, name):
    (folder / f"{name}.mlir").write_text(PROGRAMS[name])
    return folder / f"{name}.mlir"


def compiled(path, output, *options):
    outcome = broadloom.call("compile", path, *options, "-o", output)
    assert outcome.status == broadloom.DONE, outcome.error
    return output.read_bytes()


def assertIsOneForm(path, folder, ending):
    output = folder / f"out.{ending}"
    options = ["--emit=llvm"] if ending == "mlir" else []
    made = {compiled(path, output, f"--compile-threads={threads}", *options) for threads in (1, 2, 3)}
    assert len(made) == 1


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("ending", ["o", "mlir"])
def test_bytes_do_not_depend_on_threads(tmp_path, name, ending):
    assertIsOneForm(write(tmp_path, name), tmp_path, ending)


@pytest.mark.parametrize("ending", ["o", "mlir"])
def test_bytes_of_models(tmp_path, models, ending):
    assertIsOneForm(os.path.join(models, "mobilenet_v2.llvm19.mlir"), tmp_path, ending)


def test_parts_of_a_file(tmp_path):
    """A file is made of several parts. Only its table is visible, and it links to a library that computes."""
    path = write(tmp_path, "dynamic")
    compiled(path, tmp_path / "dynamic.o", "--compile-threads=2")
    listed = subprocess.run(["readelf", "-SsW", tmp_path / "dynamic.o"], capture_output=True, text=True, check=True)
    assert not listed.stderr
    assert len(re.findall(r"\] \.text ", listed.stdout)) == 1
    visible = [line.split()[-1] for line in listed.stdout.splitlines() if " GLOBAL " in line and " UND " not in line]
    assert visible == ["broadloom_functions"]
    compiled(path, tmp_path / "dynamic.so", "--compile-threads=2")
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((2, 9, 5)).astype(np.float32)
    for number in (0, 1, FUNCTIONS - 1):
        x = a + np.float32(number / 100 + 0.5)
        expected = (np.tanh(x), np.exp(x), 1 / (1 + np.exp(-x)), np.abs(x))[number % 4] - b
        got = broadloom.loadLibrary(tmp_path / "dynamic.so", f"f{number}")(a, b, out=np.empty_like(a))
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


def test_parts_for_another_processor(tmp_path):
    path = write(tmp_path, "nests")
    options = ("--target=aarch64-linux-gnu", "--emit=obj")
    made = {compiled(path, tmp_path / "nests.o", *options, f"--compile-threads={threads}") for threads in (1, 2)}
    assert len(made) == 1
    listed = subprocess.run(["readelf", "-hSsrW", tmp_path / "nests.o"], capture_output=True, text=True, check=True)
    assert "AArch64" in listed.stdout and not listed.stderr
    assert len(re.findall(r"\] \.text ", listed.stdout)) == 1


def test_constants_for_another_processor(tmp_path):
    """Linkers put equal constants of a section at one place, which they find by the symbol of the section alone."""
    body = """  affine.for %i = 0 to %n {
    %k = arith.index_cast %i : index to i64
    %y = arith.sitofp %k : i64 to f64
    affine.store %y, %w[%i] : memref<?xf64>
  }
"""
    functions = "".join(
        f"func.func @f{number}(%w: memref<?xf64>, %n: index) {{\n{body * (1 + number % 2)}  return\n}}\n"
        for number in range(FUNCTIONS)
    )
    path = tmp_path / "constants.mlir"
    path.write_text(functions)
    compiled(path, tmp_path / "constants.o", "--target=aarch64-linux-gnu", "--emit=obj", "--compile-threads=2")
    listed = subprocess.run(["readelf", "-SsrW", tmp_path / "constants.o"], capture_output=True, text=True, check=True)
    assert re.search(r"\.rodata\.cst\d+ .* AM ", listed.stdout)
    # A symbol without a name is one of a section, at its beginning.
    unnamed = [
        line.split()
        for line in listed.stdout.splitlines()
        if re.match(r" +[1-9]\d*: \w+ +0 NOTYPE +LOCAL +DEFAULT +\d+ *$", line)
    ]
    assert unnamed == []
    used = re.findall(r"R_AARCH64_\w+ +(\w+) +(\.rodata\.cst\d+) \+ (\w+)", listed.stdout)
    assert used and all(int(value, 16) == 0 for value, _, _ in used)
    # Parts have constants of their own.
    assert any(int(addend, 16) for _, _, addend in used)


@pytest.mark.parametrize("threads", [1, 2])
def test_values_and_errors(tmp_path, threads):
    path = write(tmp_path, "nests")
    np.save(tmp_path / "v.npy", np.ones(FUNCTIONS + 3))
    np.save(tmp_path / "w.npy", np.zeros(8))

    def run(count):
        return broadloom.call(
            "run",
            path,
            "--function=main",
            f"--compile-threads={threads}",
            f"--input={tmp_path}/v.npy",
            f"--input={tmp_path}/w.npy",
            f"--input=i64={count}",
            f"--output-argument=1:{tmp_path}/out.npy",
        )

    assert run(4).status == broadloom.DONE
    assert np.array_equal(np.load(tmp_path / "out.npy")[:4], np.full(4, sum(i + 0.5 for i in range(FUNCTIONS))))
    # The last function reads an element too many.
    failed = run(5)
    assert failed.status == broadloom.GUARD_FAILED
    line = 11 * (FUNCTIONS - 1) + 5
    assert f"nests.mlir:{line}:10: 'affine.load': index {FUNCTIONS + 3} is outside axis 0" in failed.error


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_errors_keep_their_order(tmp_path, threads):
    """Errors of many functions are told in the order of the program."""
    wrong = "".join(
        f"""
func.func @f{number}(%a: tensor<{number + 2}xf32>, %b: tensor<{number + 3}xf32>) -> tensor<?xf32> {{
  %0 = tosa.add %a, %b : (tensor<{number + 2}xf32>, tensor<{number + 3}xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}}
"""
        for number in range(30)
    )
    (tmp_path / "wrong.mlir").write_text(wrong)
    outcome = broadloom.call("check", tmp_path / "wrong.mlir", "--error-limit=0", f"--compile-threads={threads}")
    assert outcome.status == broadloom.REJECTED
    lines = [int(line.split(":")[1]) for line in outcome.error.splitlines() if ": error: " in line]
    assert lines == [3 + 5 * number for number in range(30)]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_bug_in_one_function_is_told_once(tmp_path, threads):
    path = write(tmp_path, "static")
    arguments = ("compile", path, "--emit=loom", f"--compile-threads={threads}", "--provoke-bug=loom-fuse-maps")
    done = subprocess.run([broadloom.PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 4
    assert done.stderr.count("this is a bug in broadloom: pass 'loom-fuse-maps' fails on 'func.func' @f") == 1
