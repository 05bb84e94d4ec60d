"""The node tests of the package onnx, for the operators that are covered: as they come,
and with every extent open."""

import broadloom as bl
import nodes
import numpy as np
import pytest

CASES = {case.name: case for case in nodes.collect()}


def widen(array):
    """Floats of ml_dtypes as f32."""
    return array if array.dtype.kind in "biuf" and array.dtype.isbuiltin == 1 else array.astype(np.float32)


def tolerance(case, array):
    """The test's own; steps of intermediate results are larger in short floats."""
    if array.dtype.name == "bfloat16":
        return {"rtol": 2.0**-6, "atol": 2.0**-8}
    if array.dtype.name == "float16":
        return {"rtol": 2.0**-9, "atol": max(case.atol, 2.0**-10)}
    return {"rtol": case.rtol, "atol": case.atol}


def check(case, shapes):
    constants = case.constants
    f = bl.from_onnx(case.model, constants=constants, shapes=shapes, name=case.name, optimise=False)
    found = f(*(x for x, name in zip(case.inputs, case.names) if name not in constants))
    found = found if isinstance(found, tuple) else (found,)
    assert len(found) == len(case.outputs)
    for got, expected in zip(found, case.outputs):
        got = np.asarray(got)
        assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
        np.testing.assert_allclose(widen(got), widen(expected), **tolerance(case, expected))


@pytest.mark.parametrize("name", CASES)
def test_asItComes(name):
    check(CASES[name], {})


@pytest.mark.parametrize("name", CASES)
def test_open(name):
    case = CASES[name]
    shapes = case.open_shapes
    if not any(shapes.values()):
        pytest.skip("no extent can be open")
    check(case, shapes)
