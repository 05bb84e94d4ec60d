"""The node tests of the package onnx, for the operators that are covered: as they come,
and with every extent open."""

import broadloom as bl
import nodes
import numpy as np
import pytest

CASES = {case.name: case for case in (*nodes.collect(), *nodes.collect_models())}


def widen(array):
    """Floats of ml_dtypes as f32."""
    return array if array.dtype.kind in "biuf" and array.dtype.isbuiltin == 1 else array.astype(np.float32)


def tolerance(case, array):
    """The test's own; steps of intermediate results are larger in short floats."""
    if array.dtype.name == "bfloat16":
        return {"rtol": 2.0**-6, "atol": 2.0**-8}
    if array.dtype.name == "float16":
        return {"rtol": 2.0**-9, "atol": max(case.atol, 2.0**-10)}
    # What sums to nothing has the rounding of its terms.
    return {"rtol": case.rtol, "atol": max(case.atol, 1e-6) if "dft" in case.name else case.atol}


def spread(values):
    """The tensors of sequences."""
    return [x for value in values for x in (value if isinstance(value, list) else [value])]


def check(case, shapes):
    constants = case.constants
    f = bl.from_onnx(case.model, constants=constants, shapes=shapes, name=case.name, optimise=False)
    found = f(*spread([x for x, name in zip(case.inputs, case.names) if name not in constants]))
    found, outputs = found if isinstance(found, tuple) else (found,), spread(case.outputs)
    assert len(found) == len(outputs)
    for got, expected in zip(found, outputs):
        got = np.asarray(got)
        assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
        if not case.is_random:
            np.testing.assert_allclose(widen(got), widen(expected), **tolerance(case, expected))


@pytest.mark.parametrize("name", CASES)
def test_as_it_comes(name):
    check(CASES[name], CASES[name].shapes)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if spread(case.open_shapes.values())])
def test_open(name):
    check(CASES[name], CASES[name].open_shapes)
