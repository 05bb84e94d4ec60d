"""The transformer block of the shared models with batch and sequence length
open: what is left to check is about arguments alone, and for all sizes the
values are NumPy's."""

import json
import os

import broadloom
import numpy as np
import pytest
import transformer
from broadloom import DONE, GUARD_FAILED

LEFT = (
    's6 = s4, else "axis 0 has extent s4 and cannot become s6"',
    's7 = s5, else "axis 1 has extent s5 and cannot become 1x1xs7"',
)
WHY = (
    "it is not known for all values of s6 (axis 0 of argument 8) and s4 (axis 0 of argument 6)",
    "it is not known for all values of s7 (axis 1 of argument 8) and s5 (axis 1 of argument 6)",
)


@pytest.fixture
def text(models):
    with open(os.path.join(models, "transformer_block.mlir"), encoding="utf-8") as file:
        return file.read()


@pytest.fixture
def block(text, tmp_path):
    (tmp_path / "block.mlir").write_text(transformer.makeDynamic(transformer.shrink(text)))
    return tmp_path


def run(folder, inputs):
    for i, array in enumerate(inputs):
        np.save(folder / f"in{i}.npy", array)
    return broadloom.call(
        "run",
        folder / "block.mlir",
        *(f"--input={folder / f'in{i}.npy'}" for i in range(len(inputs))),
        f"--output={folder / 'out.npy'}",
    )


def test_only_arguments_are_left(text, tmp_path):
    """At full size: the mask is an argument of its own, the extents of which
    must be those of the values; all else follows."""
    path = tmp_path / "block.mlir"
    path.write_text(transformer.makeDynamic(text))
    outcome = broadloom.call("check", path, "--format=json")
    assert outcome.status == DONE, outcome.error
    rows = json.loads(outcome.out)
    left = [row for row in rows if row["status"] == "run-time"]
    assert len(rows) > 300 and sum(row["status"] == "proved" for row in rows) == len(rows) - len(left)
    assert tuple(row["constraint"] for row in left) == LEFT
    assert tuple(row["reason"] for row in left) == WHY


@pytest.mark.parametrize("batch, sequence", [(1, 40), (2, 5), (3, 1), (1, 7)])
def test_values_for_every_size(block, batch, sequence):
    inputs = transformer.makeInputs(batch, sequence)
    outcome = run(block, inputs)
    assert outcome.status == DONE, outcome.error
    got, expected = np.load(block / "out.npy"), transformer.compute(inputs)
    assert got.shape == expected.shape == (batch, sequence, 24)
    assert np.abs(got - expected).max() <= 1e-5 * np.abs(expected).max()
    broadloom.assertShapesAgree(block / "block.mlir", inputs, outcome, [got])


@pytest.mark.parametrize(
    "shape, message",
    [((3, 5), "axis 0 has extent 3 and cannot become 2"), ((2, 4), "axis 1 has extent 4 and cannot become 1x1x5")],
)
def test_a_mask_of_another_size(block, shape, message):
    inputs = transformer.makeInputs(2, 5)
    inputs[6] = np.ones(shape, np.int64)
    outcome = run(block, inputs)
    assert outcome.status == GUARD_FAILED and message in outcome.error
