"""Inputs of operators that are one number: a tensor without axes, or of one element."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._tensors._tensor import Tensor, from_value
from ._context import Context, Known, Operand
from ._layout import extents_of
from ._model import Node

_SCALES = {1: "scale of x", 2: "zero point of x", 3: "scale of y", 4: "zero point of y"}
_BOTH_SCALES = {
    1: "scale of a", 2: "zero point of a", 4: "scale of b", 5: "zero point of b", 6: "scale of c", 7: "zero point of c",
}  # fmt: skip
_FRAMES = {0: "start", 1: "limit", 2: "delta"}
_POSITION = {1: "position"}

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
    "com.microsoft.ExpandDims": {1: "axis"},
    "com.microsoft.GroupQueryAttention": {6: "total_sequence_length"},
    "com.microsoft.Pad": {2: "constant_value"},
    "com.microsoft.QLinearAdd": _BOTH_SCALES,
    "com.microsoft.QLinearAveragePool": _SCALES,
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


def take_single(c: Context, node: Node, inputs: Sequence[Any]) -> list[Any]:
    """Returns the inputs of a node, those that are one number without axes. A call checks what only it tells: that they
    have one element. Raises ValueError where they have another number of elements."""
    taken = list(inputs)
    for at, what in SINGLE.get(f"{node.domain}.{node.operation}".lstrip("."), {}).items():
        if at < len(inputs) and isinstance(inputs[at], (Known, Tensor)) and inputs[at].rank:
            named = program.escape_message(f"its input {at}, {node.inputs[at]!r}, the {what}, has ")
            taken[at] = _drop_axes(c, inputs[at], named + "{0} elements, but it takes {1}")
    return taken


def _drop_axes(c: Context, operand: Operand, message: str) -> Operand:
    program.require(c.builder, "eq", math.prod(extents_of(operand)), 1, message)
    if isinstance(operand, Known):
        return operand.reshape([])
    return from_value(program.reshape(c.value(operand), []))
