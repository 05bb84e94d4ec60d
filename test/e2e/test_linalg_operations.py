"""Every named operation of `linalg` that is loops, on memory and on tensors, against loops in Python."""

import os
import re

import broadloom
import linalg_operations
import numpy as np
import pytest

OPERATIONS = linalg_operations.names()
LLVM = "/usr/lib/llvm-22"


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("kind", ["memref", "tensor"])
@pytest.mark.parametrize("open_extents", [False, True])
def test_values(tmp_path, name, kind, open_extents):
    operation = OPERATIONS[name]
    arrays = linalg_operations.arrays(operation)
    path, out = tmp_path / "p.mlir", tmp_path / "out.npy"
    path.write_text(linalg_operations.program(operation, arrays, kind, open_extents))
    inputs = []
    for i, array in enumerate(arrays):
        np.save(tmp_path / f"a{i}.npy", array)
        inputs.append(f"--input={tmp_path}/a{i}.npy")
    last = len(arrays) - 1
    output = f"--output={out}" if kind == "tensor" else f"--output-argument={last}:{out}"
    outcome = broadloom.call("run", path, *inputs, output)
    assert outcome.status == broadloom.DONE, outcome.error
    np.testing.assert_allclose(np.load(out), operation.expected(*arrays), rtol=2e-6)


@pytest.mark.parametrize("name", [name for name, it in OPERATIONS.items() if len(it.operands) > 1])
def test_extents_that_disagree(tmp_path, name):
    """An operand that is too short along its first axis is an error, on memory as on tensors."""
    operation = OPERATIONS[name]
    arrays = linalg_operations.arrays(operation)
    if not arrays[0].ndim:
        pytest.skip("it has no axis")
    told = []
    for kind in ("memref", "tensor"):
        path = tmp_path / "p.mlir"
        path.write_text(linalg_operations.program(operation, arrays, kind, True))
        inputs = []
        for i, array in enumerate(arrays):
            np.save(tmp_path / f"a{i}.npy", array[:-1] if i == 0 else array)
            inputs.append(f"--input={tmp_path}/a{i}.npy")
        outcome = broadloom.call("run", path, *inputs)
        assert outcome.status == broadloom.GUARD_FAILED, outcome.error + outcome.out
        told.append(outcome.error)
    assert f"'linalg.{operation.name.split(' ')[0]}'" in told[0]


def test_all_operations_are_here():
    """The list of the installed `linalg`, but for those that are no loops."""
    header = os.path.join(LLVM, "include/mlir/Dialect/Linalg/IR/LinalgStructuredOps.h.inc")
    if not os.path.exists(header):
        pytest.skip("the headers of LLVM are elsewhere")
    with open(header, encoding="utf-8") as file:
        names = set(re.findall(r'StringLiteral\("linalg\.([a-z0-9_]+)"\)', file.read()))
    assert names - {"fill_rng_2d"} == {operation.name.split(" ")[0] for operation in OPERATIONS.values()}
