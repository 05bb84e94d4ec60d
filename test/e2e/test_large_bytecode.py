"""Bytecode with large constants is accepted and refused as the text of the same program is."""

import os
import subprocess

import broadloom
import numpy as np
import pytest
from broadloom import DONE, REJECTED

OPT = os.path.join(os.path.dirname(broadloom.PROGRAM), "broadloom-opt")
PROBE = os.path.join(os.path.dirname(broadloom.PROGRAM), "broadloom-probe")


def dense(array):
    return f'dense<"0x{array.tobytes().hex()}">'


def forms(folder, text):
    """The paths of a program as text and as bytecode."""
    path, bytecode = folder / "p.mlir", folder / "p.mlirbc"
    path.write_text(text)
    subprocess.run([OPT, "--emit-bytecode", "-o", bytecode, path], check=True)
    return str(path), str(bytecode)


def rescale(count, wrong):
    """A rescale with as many shifts as channels, of which one is wrong."""
    shifts, multipliers = np.full(count, 30, np.int8), np.full(count, 1 << 30, np.int32)
    if wrong is not None:
        shifts[count // 3] = wrong
    # Equal numbers would be a splat.
    multipliers[3] += 5
    shifts[4] = 31
    return f"""
func.func @main(%x: tensor<1x{count}xi32>) -> tensor<1x{count}xi8> {{
  %m = "tosa.const"() <{{values = {dense(multipliers)} : tensor<{count}xi32>}}> : () -> tensor<{count}xi32>
  %s = "tosa.const"() <{{values = {dense(shifts)} : tensor<{count}xi8>}}> : () -> tensor<{count}xi8>
  %iz = "tosa.const"() <{{values = dense<0> : tensor<1xi32>}}> : () -> tensor<1xi32>
  %oz = "tosa.const"() <{{values = dense<0> : tensor<1xi8>}}> : () -> tensor<1xi8>
  %y = tosa.rescale %x, %m, %s, %iz, %oz {{scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = true,
    input_unsigned = false, output_unsigned = false}} : (tensor<1x{count}xi32>, tensor<{count}xi32>,
    tensor<{count}xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x{count}xi8>
  return %y : tensor<1x{count}xi8>
}}"""


@pytest.mark.parametrize("count", (100, 70000))
@pytest.mark.parametrize("wrong", (None, 1, 63, -3))
def test_shifts(tmp_path, count, wrong):
    for path in forms(tmp_path, rescale(count, wrong)):
        outcome = broadloom.call("check", path)
        if wrong is None:
            assert outcome.status == DONE, outcome.error
        else:
            assert outcome.status == REJECTED
            assert f"has the shift {wrong}; it must be from 2 to 62" in outcome.error


@pytest.mark.parametrize("count", (100, 20000))
@pytest.mark.parametrize("wrong", (None, 50, -1))
def test_indices(tmp_path, count, wrong):
    indices = (np.arange(count) % 50).astype(np.int32)
    if wrong is not None:
        indices[count // 2] = wrong
    text = f"""
func.func @main(%x: tensor<1x50x1xf32>) -> tensor<1x{count}x1xf32> {{
  %w = "tosa.const"() <{{values = {dense(indices[None])} : tensor<1x{count}xi32>}}> : () -> tensor<1x{count}xi32>
  %y = tosa.gather %x, %w : (tensor<1x50x1xf32>, tensor<1x{count}xi32>) -> tensor<1x{count}x1xf32>
  return %y : tensor<1x{count}x1xf32>
}}"""
    errors = []
    for path in forms(tmp_path, text):
        outcome = broadloom.call("check", path)
        assert (outcome.status == DONE) == (wrong is None), outcome.error
        errors.append(broadloom.call("compile", path, "-o", str(tmp_path / "p.o")).status)
    assert errors == ([DONE] * 2 if wrong is None else [REJECTED] * 2)


@pytest.mark.parametrize("count", (100, 20000))
def test_sparse(tmp_path, count):
    places = ", ".join(f"[{2 * at}]" for at in range(count))
    numbers = ", ".join(f"{at}.5" for at in range(count))
    size = 2 * count + 1
    text = f"""
func.func @main(%i: tensor<1xi64>) -> f32 {{
  %w = arith.constant sparse<[{places}], [{numbers}]> : tensor<{size}xf32>
  %c0 = arith.constant 0 : index
  %a = tensor.extract %i[%c0] : tensor<1xi64>
  %b = arith.index_cast %a : i64 to index
  %r = tensor.extract %w[%b] : tensor<{size}xf32>
  return %r : f32
}}"""
    for path in forms(tmp_path, text):
        for place, expected in ((84, 42.5), (85, 0.0)):
            outcome = broadloom.call("run", path, f"--input=1xi64={place}")
            assert outcome.status == DONE, outcome.error
            assert float(outcome.out) == expected


def test_the_probe_reads_pipes(tmp_path):
    _, path = forms(tmp_path, rescale(70000, None))
    with open(path, "rb") as file:
        good = file.read()
    damaged = good[:5] + bytes(295) + good[300:]
    for data, answer in ((good, b"y"), (damaged, b"n")):
        (tmp_path / "given").write_bytes(data)
        with open(tmp_path / "given", "rb") as file:
            assert subprocess.run([PROBE, "p"], stdin=file, capture_output=True).stdout[:1] == answer
        assert subprocess.run([PROBE, "p"], input=data, capture_output=True).stdout[:1] == answer
    for nothing in ({"stdin": subprocess.DEVNULL}, {"input": b""}):
        done = subprocess.run([PROBE, "p"], capture_output=True, **nothing)
        assert (done.returncode, done.stdout) == (1, b"")
        assert done.stderr == b"broadloom-probe: error: standard input is empty\n"


def test_bytecode_that_is_written_again_while_it_is_compiled(tmp_path):
    """It is read at once: the result is that of the file as it was or as it is, or there is an error."""
    weight = np.random.default_rng(0).random((600, 500), np.float32)
    text = f"""
func.func @main(%x: tensor<?x600xf32>) -> tensor<?x500xf32> {{
  %w = arith.constant {dense(weight)} : tensor<600x500xf32>
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x600xf32>
  %e = tensor.empty(%n) : tensor<?x500xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x500xf32>) -> tensor<?x500xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x600xf32>, tensor<600x500xf32>) outs(%f : tensor<?x500xf32>)
    -> tensor<?x500xf32>
  return %y : tensor<?x500xf32>
}}"""
    _, path = forms(tmp_path, text)
    with open(path, "rb") as file:
        good = file.read()
    begin, size = good.index(weight.tobytes()) + weight.nbytes // 2, weight.nbytes // 4
    new = weight.copy().reshape(-1)
    new[new.size // 2 :][: new.size // 4] = 0
    x = np.random.default_rng(1).random((3, 600), np.float32)
    results = x @ weight, x @ new.reshape(weight.shape)
    np.save(tmp_path / "x.npy", x)
    result = tmp_path / "y.npy"
    for delay in (0, 0.02, 0.05, 0.1, 0.2, 0.4):
        for is_cut in (False, True):
            with open(path, "wb") as file:
                file.write(good)
            result.unlink(missing_ok=True)
            command = [broadloom.PROGRAM, "run", path, f"--input={tmp_path / 'x.npy'}", f"--output={result}"]
            running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            try:
                running.wait(delay)
            except subprocess.TimeoutExpired:
                if is_cut:
                    os.truncate(path, 1000)
                else:
                    with open(path, "r+b") as file:
                        file.seek(begin)
                        file.write(bytes(size))
            said = running.communicate()[0]
            if running.returncode == DONE:
                found = np.load(result)
                assert any(np.allclose(found, expected, rtol=1e-4) for expected in results)
            else:
                # Either the reading was disturbed, or the command began with what is left.
                assert running.returncode == REJECTED, said
                assert is_cut or b"the file has changed while it was read; try again once it is written" in said
