"""Each operator with extents of 0 and 1 on each of its axes, beside ONNX Runtime, and ONNX's reference where that
gives something else."""

import broadloom as bl
import extents
import microsoft
import nodes
import numpy as np
import pytest
from broadloom.onnx._context import OPERATORS
from extents import arguments, spread

#: What is an error here, and none elsewhere: a part of the message.
REFUSED = {
    "AveragePool": "the window is larger than the padded image",
    "MaxPool": "the window is larger than the padded image",
    "LpPool": "the window is larger than the padded image",
    "GroupNormalization": "has the extent 1, but there are 4 channels",
    "PRelu": "of the slope has the extent",
    "Loop": "axis 0 has extent 0, but 1 is needed",
    "LSTM": "is needed|hidden_size is",
    "CausalConvWithState": "is needed|the window is larger than the padded image|the bias has the extent",
    "FlexAttention": "is needed",
    "RoiAlign": "of batch indices has the extent",
    "RNN": "is needed|hidden_size is",
}


def is_empty(inputs):
    return any(0 in np.shape(x) for x in inputs)


#: What has results here, and is an error elsewhere or has others: for which inputs.
GIVEN = {
    # Without keys, a row is 0, as it is where a mask keeps none.
    "Attention": is_empty,
    "FlexAttention": is_empty,
    # What no kernel reaches has the bias, whatever the shape that is asked for.
    "ConvTranspose": lambda inputs: not is_empty(inputs),
    # Without steps, the last state is the first.
    "GRU": is_empty,
    "LSTM": is_empty,
    "RNN": is_empty,
    "Scan": is_empty,
    "GroupNormalization": is_empty,
    "SimplifiedLayerNormalization": is_empty,
    # Of nothing, there is nothing to compute.
    "Col2Im": is_empty,
    "DFT": is_empty,
    # A signal that is shorter than a frame has none.
    "STFT": lambda inputs: is_empty(inputs) or inputs[0].shape[1] < 16,
    "SoftmaxCrossEntropyLoss": is_empty,
    "TfIdfVectorizer": is_empty,
    "GlobalAveragePool": is_empty,
    "GlobalLpPool": is_empty,
    # Rows of no elements are put nowhere.
    "ScatterND": is_empty,
    # The scale of zeros is 0 (docs/onnx.md).
    "DynamicQuantizeLinear": lambda inputs: not np.any(np.maximum(inputs[0], 0)),
}


@pytest.fixture(scope="module")
def others():
    found = extents.Others()
    yield found
    found.pool.shutdown(wait=False, cancel_futures=True)


def run(f, case, inputs):
    """The results, or the error's text."""
    try:
        found = f(*arguments(case, inputs))
    except bl.Error as problem:
        return str(problem)
    return list(map(np.asarray, found if isinstance(found, tuple) else (found,)))


def agrees(got, expected, case):
    """Whether both are errors, or the same results."""
    if isinstance(got, str) or isinstance(expected, str):
        return isinstance(got, str) and isinstance(expected, str) and not expected.startswith("not there")
    expected = list(map(np.asarray, spread(expected)))
    return len(got) == len(expected) and all(is_close(*pair, case) for pair in zip(got, expected))


def is_close(got, expected, case):
    if (got.shape, got.dtype) != (expected.shape, expected.dtype):
        return False
    is_short = got.dtype.kind not in "biu" and got.dtype.itemsize < 4
    wide = (x.astype("f4") if is_short else x for x in (got, expected))
    return np.allclose(
        *wide, rtol=max(case.rtol, 2**-7 if is_short else 1e-3), atol=max(case.atol, 1e-4), equal_nan=True
    )


#: ONNX Runtime does not look at the extents of operators of its own, and has no fixed answer to what has no element.
LENIENT: dict = {}


def find_excuse(key, got, inputs):
    """The list that has such a difference, or None."""
    domain, operation = key
    if domain == microsoft.MICROSOFT:
        is_ours = operation in ("NhwcFusedConv", "GroupQueryAttention")
        return LENIENT if isinstance(got, str) or is_empty(inputs) or is_ours else None
    if isinstance(got, str):
        return REFUSED if any(part in got for part in REFUSED.get(operation, "\0").split("|")) else None
    return GIVEN if operation in GIVEN and GIVEN[operation](inputs) else None


@pytest.mark.parametrize(
    "key", [key for key in OPERATORS if key[1] not in nodes.RANDOM and key not in extents.ELSEWHERE], ids=".".join
)
def test_extents_of_0_and_1(key, others):
    cases = extents.chosen_cases()[key]
    assert cases, "there is no case of this operator; write one in extents.py"
    excuses = []
    for case in cases:
        f = bl.from_onnx(
            case.model, constants=case.constants, shapes=case.open_shapes or case.shapes, name=case.name, optimise=False
        )
        for inputs in extents.variants(case):
            got = run(f, case, inputs)
            told = {}
            for kind in ("runtime", "reference"):
                told[kind] = others.run(kind, case, inputs)
                if agrees(got, told[kind], case):
                    break
            else:
                excuses.append(find_excuse(key, got, inputs))
                assert excuses[-1] is not None, (case.name, [np.shape(x) for x in inputs], got, told)
    for excuse in (REFUSED, GIVEN):
        assert key[0] == microsoft.MICROSOFT or key[1] not in excuse or any(excuse is found for found in excuses), (
            "nothing differs; take it from the list"
        )


@pytest.mark.parametrize(
    "key", [key for key in OPERATORS if key[1] not in ("Loop", "Scan", *nodes.RANDOM)], ids=".".join
)
def test_extents_of_0_in_types(key):
    """What runs with open extents runs with static ones, with the same results (bcast-7). A body of Loop or Scan
    declares extents itself."""
    for case in extents.chosen_cases()[key][:1]:
        compiled = lambda shapes: bl.from_onnx(
            case.model, constants=case.constants, shapes=shapes, name=case.name, optimise=False
        )
        f = compiled(case.open_shapes or case.shapes)
        for inputs in extents.variants(case, [0]):
            expected = run(f, case, inputs)
            shapes = {
                name: x.shape
                for name, x in zip(case.names, inputs)
                if isinstance(x, np.ndarray) and name in case.open_shapes
            }
            try:
                got = run(compiled({**case.shapes, **shapes}), case, inputs)
            except bl.Error as problem:
                got = str(problem)
            assert agrees(got, expected, case), ([np.shape(x) for x in inputs], got, expected)
