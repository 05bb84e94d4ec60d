"""The node tests of the package onnx: which are run, with what, and which are not."""

import dataclasses
import glob
import os
import warnings

import numpy as np
import onnx
from broadloom.onnx import _importer  # noqa: F401
from broadloom.onnx._context import OPERATORS
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases
from onnx.backend.test.loader import load_model_tests

#: Inputs that decide a rank, or the form of the code: they are given as constants.
CONSTANTS = {
    "ReduceSum": [1], "ReduceMean": [1], "ReduceMax": [1], "ReduceMin": [1], "ReduceProd": [1], "ReduceL1": [1],
    "ReduceL2": [1], "ReduceLogSum": [1], "ReduceLogSumExp": [1], "ReduceSumSquare": [1], "Squeeze": [1],
    "Unsqueeze": [1], "CumSum": [1], "CumProd": [1], "Resize": [1, 2], "Upsample": [1], "Slice": [3, 4], "Pad": [3],
    "Compress": [1], "Range": [0, 1, 2], "Dropout": [1, 2], "HannWindow": [0], "HammingWindow": [0],
    "BlackmanWindow": [0], "MelWeightMatrix": [0, 1, 2, 3, 4], "DFT": [2], "AffineGrid": [1], "Col2Im": [1, 2], "SplitToSequence": [1], "SequenceInsert": [2],
}  # fmt: skip
#: By the names of tests: all of these inputs.
CONSTANTS_OF = {
    "window": ["size", "x"],
    "sizes_nearest_not": ["sizes"],
    "sizes_linear_antialias": ["sizes"],
    "sizes_cubic_antialias": ["sizes"],
    "range_float_type": ["start", "limit", "delta"],
    "nonzero": ["condition"],
    "affine_grid": ["size"],
    "loop13_seq": ["trip_count", "cond"],
    "loop16_seq_none": ["trip_count", "cond"],
    "if_opt": ["cond"],
    "has_element_empty": ["optional_input"],
}
#: Inputs whose extents stay as they are: windows of weights, and lists of numbers.
CLOSED = {
    "Conv": [1], "ConvTranspose": [1], "QLinearConv": [3, 4, 5], "ConvInteger": [1], "Reshape": [1], "Expand": [1],
    "Tile": [1], "Slice": [1, 2], "Pad": [1], "ConstantOfShape": [0], "Resize": [3], "Split": [1],
    "CenterCropPad": [1], "OneHot": [1, 2], "TopK": [1], "Trilu": [1], "NonMaxSuppression": [2, 3, 4],
    "CausalConvWithState": [1], "MaxUnpool": [2], "DeformConv": [1],
}  # fmt: skip
#: Operators whose results are random numbers.
RANDOM = (
    "Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
)  # fmt: skip
#: Tests that are not run, by parts of their names, and why.
LEFT_OUT = {
    "equal_string": "texts",
    "string": "texts",
    "label_encoder_tensor": "texts",
    "strnormalizer": "texts",
}


#: Those whose extents have to be known.
CLOSED_TESTS = (
    "sizes_nearest_not",
    "sizes_linear_antialias",
    "sizes_cubic_antialias",
    "linear_attention",
    "split_to_sequence_1",
    "split_to_sequence_nokeepdims",
    "sequence_model6",
    "sequence_model7",
)


@dataclasses.dataclass
class Case:
    """One test: a model, what it is given, and what it gives: arrays, and lists of them for sequences."""

    name: str
    model: onnx.ModelProto
    inputs: list
    outputs: list
    rtol: float
    atol: float

    @property
    def names(self):
        return [value.name for value in given_inputs(self.model)]

    @property
    def is_random(self):
        """Whether the results are random numbers, of which only types and extents are compared."""
        drawn = {*RANDOM} & {node.op_type for node in self.model.graph.node}
        return bool(drawn) or ("training_dropout" in self.name and "zero_ratio" not in self.name)

    @property
    def constants(self):
        """Inputs that are given as constants."""
        chosen = {name for part, names in CONSTANTS_OF.items() if part in self.name for name in names}
        for node in self.model.graph.node:
            chosen |= {node.input[i] for i in CONSTANTS.get(node.op_type, []) if i < len(node.input)}
        return {name: value for name, value in zip(self.names, self.inputs) if name in chosen}

    @property
    def shapes(self):
        """How many tensors sequences have."""
        sequences = {name: value for name, value in zip(self.names, self.inputs) if isinstance(value, list)}
        return {name: [v.shape for v in value] for name, value in sequences.items() if name not in self.constants}

    @property
    def open_shapes(self):
        """All inputs with open extents, but for those that have to be known."""
        if any(part in self.name for part in CLOSED_TESTS):
            return {}
        opened = lambda value: [None] * value.ndim if isinstance(value, np.ndarray) else [opened(v) for v in value]
        shapes = {name: opened(v) for name, v in zip(self.names, self.inputs) if name not in self.constants}
        for node in self.model.graph.node:
            for name in [node.input[i] for i in CLOSED.get(node.op_type, []) if i < len(node.input)]:
                shapes.pop(name, None)
            if node.op_type in ("DFT", "STFT") and node.input[0] in shapes:
                # Real and imaginary parts.
                shapes[node.input[0]][-1] = self.inputs[self.names.index(node.input[0])].shape[-1]
            if node.op_type in ("GatherND", "ScatterND") and node.input[1] in shapes:
                # The last axis of indices says how many there are.
                index = self.names.index(node.input[1])
                shapes[node.input[1]][-1] = self.inputs[index].shape[-1]
        return shapes


def given_inputs(model):
    """The inputs that are no constants of the model."""
    constants = {tensor.name for tensor in model.graph.initializer}
    return [value for value in model.graph.input if value.name not in constants]


def is_covered(node, functions):
    domain = "" if node.domain == "ai.onnx" else node.domain
    return (domain, node.op_type) in OPERATORS or any(f.name == node.op_type for f in functions)


def why_not(test):
    """Why a test is not run; None where it is."""
    if not all(is_covered(node, test.model.functions) for node in test.model.graph.node):
        return "an operator without a rule"
    graph = test.model.graph
    if not all(
        any(value.type.HasField(kind) for kind in ("tensor_type", "sequence_type", "optional_type"))
        for value in [*graph.input, *graph.output]
    ):
        return "values that are no tensors"
    return next((why for part, why in LEFT_OUT.items() if part in test.name), None)


def to_array(value):
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


def to_value(value):
    """An array, or a list of them for a sequence."""
    if isinstance(value, list):
        return [to_array(v) for v in value]
    return None if value is None else to_array(value)


def collect():
    """The tests that are run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tests = [t for t in collect_testcases(None) if t.model is not None]
    for test in tests:
        if why_not(test) is None:
            for number, (inputs, outputs) in enumerate(test.data_sets):
                name = test.name + (f"-{number}" if number else "")
                yield Case(name, test.model, *(list(map(to_value, v)) for v in (inputs, outputs)), test.rtol, test.atol)


#: The package's models of several nodes.
KINDS = ("pytorch-converted", "pytorch-operator", "simple")


def _load(path, value):
    """The tensor, or the tensors of a sequence, in a file."""
    is_sequence = value.type.HasField("sequence_type")
    message = onnx.SequenceProto() if is_sequence else onnx.TensorProto()
    with open(path, "rb") as file:
        message.ParseFromString(file.read())
    return numpy_helper.to_list(message) if is_sequence else numpy_helper.to_array(message)


def collect_models():
    """The package's models of several nodes that are run."""
    for kind in KINDS:
        for test in load_model_tests(kind=kind):
            model = onnx.load(os.path.join(test.model_dir, "model.onnx"))
            test.model = model
            if why_not(test) is not None:
                continue
            for number, folder in enumerate(sorted(glob.glob(os.path.join(test.model_dir, "test_data_set_*")))):
                found = [
                    [_load(os.path.join(folder, f"{what}_{i}.pb"), value) for i, value in enumerate(values)]
                    for what, values in (("input", given_inputs(model)), ("output", model.graph.output))
                ]
                yield Case(f"{kind}-{test.name}-{number}", model, *found, test.rtol, test.atol)
