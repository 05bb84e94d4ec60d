"""Floats that are written as text read back as the same bits: results as JSON, typed
inputs, and constants in the forms that `compile --emit` writes, over random bit
patterns, subnormals and the ends of the ranges included."""

import json

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from element_types import TYPES, load, save

FLOATS = ["f16", "bf16", "f32", "f64"]
COUNT = 400


def makeNumbers(name):
    """Finite numbers of all magnitudes, each bit pattern as probable."""
    kind = TYPES[name]
    words = np.dtype(f"u{kind.dtype.itemsize}")
    bits = np.random.default_rng(kind.bits).integers(0, 2**kind.bits - 1, 2 * COUNT, words, endpoint=True)
    numbers = bits.view(kind.dtype)
    numbers = numbers[np.isfinite(numbers.astype(np.float64))][:COUNT]
    numbers[:6] = [
        0.0,
        -0.0,
        kind.largestFinite,
        -kind.largestFinite,
        kind.smallestNormal,
        kind.smallestNormal * kind.eps,
    ]
    # Numbers near decimals with few digits, which a short text may miss.
    numbers[6:16] = [0.1, 1 / 3, 2 / 3, 0.7, 1.1, 4.35, 1e-5, 1e4 + 0.1, 96 * (1 / 3), 3.14159265358979]
    return numbers


def bitsOf(array):
    return array.view(f"u{array.dtype.itemsize}")


def runIdentity(tmp_path, name, given, *options):
    path = tmp_path / "identity.mlir"
    path.write_text(
        f"func.func @main(%a: tensor<?x{name}>) -> tensor<?x{name}> {{\n  return %a : tensor<?x{name}>\n}}\n"
    )
    outcome = broadloom.call("run", path, f"--input={given}", *options)
    assert outcome.status == DONE, outcome.error
    return outcome.out


@pytest.mark.parametrize("name", FLOATS)
def test_results_and_inputs(tmp_path, name):
    """What --json prints is the shortest text of each number, and an input."""
    numbers = makeNumbers(name)
    save(str(tmp_path / "in.npy"), numbers)
    (result,) = json.loads(runIdentity(tmp_path, name, tmp_path / "in.npy", "--json"), parse_float=str, parse_int=str)[
        "results"
    ]
    text = f"{numbers.size}x{name}={' '.join(result['values'])}"
    runIdentity(tmp_path, name, text, f"--output={tmp_path / 'out.npy'}")
    np.testing.assert_array_equal(bitsOf(load(str(tmp_path / "out.npy"), TYPES[name])), bitsOf(numbers))


def writeConstants(name, numbers):
    """Each number as a constant of its own, since those become scalars of bodies, and all
    of them as one; subtracted from an argument in a way that keeps the sign of zero."""
    words = [f"0x{int(bits):0{TYPES[name].bits // 4}X}" for bits in bitsOf(numbers)]
    lines = [
        f'  %all = "tosa.const"() {{values = dense<[{", ".join(words)}]> : tensor<{len(words)}x{name}>}} : () -> tensor<{len(words)}x{name}>'
    ]
    results, types = ["%all"], [f"tensor<{len(words)}x{name}>"]
    for i, word in enumerate(words):
        lines.append(f'  %c{i} = "tosa.const"() {{values = dense<{word}> : tensor<1x{name}>}} : () -> tensor<1x{name}>')
        lines.append(
            f"  %r{i} = tosa.select %s, %c{i}, %a : (tensor<?xi1>, tensor<1x{name}>, tensor<?x{name}>) -> tensor<?x{name}>"
        )
        results.append(f"%r{i}")
        types.append(f"tensor<?x{name}>")
    return (
        f"func.func @main(%s: tensor<?xi1>, %a: tensor<?x{name}>) -> ({', '.join(types)}) {{\n"
        + "\n".join(lines)
        + f"\n  return {', '.join(results)} : {', '.join(types)}\n}}\n"
    )


@pytest.mark.parametrize("form", ["loom", "linalg"])
@pytest.mark.parametrize("name", FLOATS)
def test_constants(tmp_path, name, form):
    numbers = makeNumbers(name)[:40]
    program, emitted = tmp_path / "program.mlir", tmp_path / "emitted.mlir"
    program.write_text(writeConstants(name, numbers))
    outcome = broadloom.call("compile", program, f"--emit={form}", "-o", emitted)
    assert outcome.status == DONE, outcome.error
    again = broadloom.call("run", emitted, "--json", "--input=1xi1=true", f"--input=1x{name}=0")
    assert again.status == DONE, again.error
    results = json.loads(again.out, parse_float=str, parse_int=str)["results"]
    texts = results[0]["values"], [r["values"][0] for r in results[1:]]
    for values in texts:
        text = f"{numbers.size}x{name}={' '.join(values)}"
        runIdentity(tmp_path, name, text, f"--output={tmp_path / 'out.npy'}")
        np.testing.assert_array_equal(bitsOf(load(str(tmp_path / "out.npy"), TYPES[name])), bitsOf(numbers))
