"""Variables, kept from call to call: a streaming model against the official
reference model, step by step.
"""

import re
import subprocess
import sys
from pathlib import Path

import broadloom
import numpy as np
import pytest

MODEL = Path(broadloom.ROOT).parent / "shared" / "models" / "wake_word_hey_jarvis"
TOOLS = Path(sys.executable).parent
STEPS = 50


def lift(path):
    """The program with its variables as arguments and results, and what these are at first."""
    text = subprocess.run(
        [Path(broadloom.PROGRAM).parent / "broadloom-opt", path, "--loom-lift-state"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    shapes = re.findall(r"%arg\d+: tensor<([0-9x]+)xi8>", text)[1:]
    return text, [np.full([int(n) for n in shape.split("x")], -128, np.int8) for shape in shapes]


def referenceSteps(tmp_path, inputs):
    """Computes what the reference model gives when the variables are arguments and
    results, as they are behind legalization."""
    from tosa.TosaGraph import TosaGraph

    text, state = lift(MODEL / "wake_word_hey_jarvis.mlirbc")
    # The file format has no casts between equal types.
    text = re.sub(r"builtin\.unrealized_conversion_cast (%\w+) : (\S+) to \S+", r"tosa.identity \1 : (\2) -> \2", text)
    (tmp_path / "lifted.mlir").write_text(text)
    outcome = broadloom.call("compile", tmp_path / "lifted.mlir", "--emit=tosa", "-o", tmp_path / "lifted.tosa")
    assert outcome.status == 0, outcome.error
    block = TosaGraph.GetRootAs((tmp_path / "lifted.tosa").read_bytes()).Regions(0).Blocks(0)
    ins = [block.Inputs(i).decode() for i in range(block.InputsLength())]
    outs = [block.Outputs(i).decode() for i in range(block.OutputsLength())]
    for step in inputs:
        for i, array in enumerate([step, *state]):
            np.save(tmp_path / f"in{i}.npy", array)
        done = subprocess.run(
            [
                TOOLS / "tosa_reference_model",
                f"--tosa_file={tmp_path}/lifted.tosa",
                f"--ifm_name={','.join(ins)}",
                f"--ifm_file={','.join(f'{tmp_path}/in{i}.npy' for i in range(len(ins)))}",
                f"--ofm_name={','.join(outs)}",
                f"--ofm_file={','.join(f'{tmp_path}/out{i}.npy' for i in range(len(outs)))}",
            ],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr + done.stdout
        result, *state = [np.load(tmp_path / f"out{i}.npy") for i in range(len(outs))]
        state = [array.astype(np.int8) for array in state]
        yield result.astype(np.uint8).reshape(1, 1)


@pytest.mark.skipif(not MODEL.exists(), reason=f"there is no {MODEL}")
def test_a_streaming_model_is_the_reference_model(tmp_path):
    # A voice says the words in the last of these steps.
    inputs = np.load(MODEL / "inputs.npy")[:STEPS]
    np.save(tmp_path / "inputs.npy", inputs)
    outcome = broadloom.call(
        "run",
        MODEL / "wake_word_hey_jarvis.mlirbc",
        "--sequence",
        f"--input={tmp_path}/inputs.npy",
        f"--output={tmp_path}/found.npy",
    )
    assert outcome.status == 0, outcome.error
    found = np.load(tmp_path / "found.npy")
    np.testing.assert_array_equal(found, np.stack(list(referenceSteps(tmp_path, inputs))))
    assert len(np.unique(found)) > 3


@pytest.mark.skipif(not MODEL.exists(), reason=f"there is no {MODEL}")
def test_a_streaming_model_is_near_litert(tmp_path):
    """LiteRT rounds sums differently at some steps; the reference model is as
    far from it as we are, at most 11 of 255."""
    outcome = broadloom.call(
        "run",
        MODEL / "wake_word_hey_jarvis.mlirbc",
        "--sequence",
        f"--input={MODEL}/inputs.npy",
        f"--output={tmp_path}/found.npy",
    )
    assert outcome.status == 0, outcome.error
    found, expected = np.load(tmp_path / "found.npy").astype(int), np.load(MODEL / "expected.npy").astype(int)
    difference = np.abs(found.reshape(-1) - expected.reshape(-1))
    assert difference.max() <= 11
    assert (difference > 4).sum() <= 4
