"""Inputs of operators, and conditions of loops, that are one number: a tensor without axes, or of one element."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._tensors._tensor import Tensor, from_value
from ._context import Context, Known, Operand
from ._layout import extents_of
from ._model import Graph, Node

_SCALES = {1: "scale of x", 2: "zero point of x", 3: "scale of y", 4: "zero point of y"}
_BOTH_SCALES = {
    1: "scale of a", 2: "zero point of a", 4: "scale of b", 5: "zero point of b", 6: "scale of c", 7: "zero point of c",
}  # fmt: skip
_FRAMES = {0: "start", 1: "limit", 2: "delta"}
_POSITION = {1: "position"}
_TABLES = ("word embedding", "position embedding", "segment embedding", "gamma", "beta")

#: By the name of an operator, as in KINDS: inputs of which ONNX's text says that they are a scalar, or a tensor of one
#: element, and what they are. Its schemas do not say it.
SINGLE: dict[str, dict[int, str]] = {
    "BlackmanWindow": {0: "size"},
    "Clip": {1: "min", 2: "max"},
    "ConvInteger": {2: "zero point of x"},
    "CumProd": {1: "axis"},
    "CumSum": {1: "axis"},
    "DFT": {1: "dft_length", 2: "axis"},
    "Dropout": {1: "ratio", 2: "training_mode"},
    "HammingWindow": {0: "size"},
    "HannWindow": {0: "size"},
    "If": {0: "condition"},
    "Loop": {0: "trip count", 1: "condition"},
    "MelWeightMatrix": {
        0: "num_mel_bins", 1: "dft_length", 2: "sample_rate", 3: "lower_edge_hertz", 4: "upper_edge_hertz",
    },
    "NonMaxSuppression": {2: "max_output_boxes_per_class", 3: "iou_threshold", 4: "score_threshold"},
    "OneHot": {1: "depth"},
    "Pad": {2: "constant_value"},
    "QLinearConv": {1: "scale of x", 2: "zero point of x", 6: "scale of y", 7: "zero point of y"},
    "Range": _FRAMES,
    "STFT": {1: "frame_step", 3: "frame_length"},
    "SequenceAt": _POSITION,
    "SequenceErase": _POSITION,
    "SequenceInsert": {2: "position"},
    "TopK": {1: "k"},
    "Trilu": {1: "k"},
    "com.microsoft.BiasDropout": {3: "ratio", 4: "training_mode"},
    "com.microsoft.ExpandDims": {1: "axis"},
    "com.microsoft.GroupQueryAttention": {6: "total_sequence_length"},
    "com.microsoft.MulInteger": {1: "zero point of a", 3: "zero point of b"},
    "com.microsoft.Pad": {2: "constant_value"},
    "com.microsoft.QAttention": {3: "scale of the input", 6: "zero point of the input"},
    "com.microsoft.QEmbedLayerNormalization": {
        at + place: f"{what} of the {table}"
        for at, what in ((8, "scale"), (13, "zero point"))
        for place, table in enumerate(_TABLES)
    },
    "com.microsoft.QGemm": {1: "scale of a", 2: "zero point of a", 7: "scale of y", 8: "zero point of y"},
    "com.microsoft.QLinearAdd": _BOTH_SCALES,
    "com.microsoft.QLinearAveragePool": _SCALES,
    "com.microsoft.QLinearConcat": {
        0: "scale of y", 1: "zero point of y", 3: "scale of its tensor", 4: "zero point of its tensor",
    },
    "com.microsoft.QLinearGlobalAveragePool": _SCALES,
    "com.microsoft.QLinearLeakyRelu": _SCALES,
    "com.microsoft.QLinearMul": _BOTH_SCALES,
    "com.microsoft.QLinearSigmoid": _SCALES,
    "com.microsoft.QLinearSoftmax": _SCALES,
    "com.microsoft.QLinearWhere": {
        2: "scale of x", 3: "zero point of x", 5: "scale of y", 6: "zero point of y", 7: "scale of z",
        8: "zero point of z",
    },
    "com.microsoft.Range": _FRAMES,
    "com.microsoft.SparseAttention": {7: "total_sequence_length"},
    "com.microsoft.Trilu": {1: "k"},
}  # fmt: skip
#: Operators with any number of inputs: the first input of those that repeat, and after how many they do.
_REPEATED = {"com.microsoft.QLinearConcat": (2, 3)}


def _single_inputs(key: str, count: int) -> dict[int, str]:
    """Returns which of so many inputs of an operator are one number, and what they are."""
    row = SINGLE.get(key, {})
    first, step = _REPEATED.get(key, (count, 1))
    like = {at: at if at < first else first + (at - first) % step for at in range(count)}
    return {at: row[other] for at, other in like.items() if other in row}


def take_single(c: Context, node: Node, inputs: Sequence[Any]) -> list[Any]:
    """Returns the inputs of a node, those that are one number without axes. A call checks what only it tells: that they
    have one element. Raises ValueError where they have another number of elements."""
    taken = list(inputs)
    for at, what in _single_inputs(f"{node.domain}.{node.operation}".lstrip("."), len(inputs)).items():
        if isinstance(inputs[at], (Known, Tensor)):
            taken[at] = drop_axes(c, inputs[at], f"input {at}, {node.inputs[at]!r}, the {what},")
    return taken


def take_condition(c: Context, body: Graph, operand: Operand) -> Operand:
    """Returns the first result of the body of a loop, which says whether the loop goes on, without axes. Raises
    ValueError where it is not one bool."""
    if operand.element != "i1":
        raise ValueError(f"its body's condition has elements of {operand.element}, not of bool")
    return drop_axes(c, operand, f"body's condition, {body.outputs[0]!r},")


def drop_axes(c: Context, operand: Operand, what: str) -> Operand:
    """Returns an operand of one element as one without axes. A call checks what only it tells: that it has one element.
    Raises ValueError where it has another number of elements; `what` names it in the message."""
    if not operand.rank:
        return operand
    message = program.escape_message(f"its {what} has ") + "{0} elements, but it takes {1}"
    program.require(c.builder, "eq", math.prod(extents_of(operand)), 1, message)
    if isinstance(operand, Known):
        return operand.reshape([])
    return from_value(program.reshape(c.value(operand), []))
