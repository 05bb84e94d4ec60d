"""Operators of ONNX Runtime beside it: as they come, with every extent open, and with inputs that are constants."""

import copy

import broadloom as bl
import microsoft
import numpy as np
import onnxruntime
import pytest


def run(case, inputs):
    (node,) = case.model.graph.node
    if node.op_type == "NhwcFusedConv":
        # ONNX Runtime has it for graphics processors alone.
        other = copy.deepcopy(case)
        other.model.graph.node[0].op_type = "FusedConv"
        return [np.moveaxis(found, 1, -1) for found in run(other, [np.moveaxis(x, -1, 1) for x in inputs])]
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(case.model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, dict(zip(case.names, inputs)))


@pytest.mark.parametrize("form", ["static", "open", "constant"])
@pytest.mark.parametrize("case", microsoft.CASES, ids=lambda case: case.name)
def test_beside_onnx_runtime(case, form):
    given = dict(zip(case.names, case.inputs))
    static = {name: list(x.shape) for name, x in given.items()}
    how = {"static": {"shapes": static}, "open": {"shapes": case.open_shapes}, "constant": {"constants": given}}
    f = bl.from_onnx(case.model, name=case.name, optimise=False, **how[form])
    found = f(*(() if form == "constant" else case.inputs))
    found = found if isinstance(found, tuple) else (found,)
    for got, wanted in zip(found, run(case, case.inputs), strict=True):
        if np.size(wanted) == 0 and np.size(got):
            # What is computed for training alone.
            continue
        assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
        wide = (x.astype("f4") if got.dtype.kind in "iu" else x for x in (got, wanted))
        np.testing.assert_allclose(*wide, rtol=case.rtol, atol=case.atol)
