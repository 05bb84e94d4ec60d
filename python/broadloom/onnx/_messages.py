"""The messages of ONNX, as far as the importer reads them (onnx.proto)."""

from __future__ import annotations

from typing import Any

from ._wire import Fields

ENTRY: Fields = {1: ("key", "text"), 2: ("value", "text")}

TENSOR: Fields = {
    1: ("[dims]", "int"), 2: ("data_type", "int"), 4: ("[float_data]", "float"), 5: ("[int32_data]", "int"),
    6: ("[string_data]", "bytes"), 7: ("[int64_data]", "int"), 8: ("name", "text"), 9: ("raw_data", "bytes"),
    10: ("[double_data]", "double"), 11: ("[uint64_data]", "int"), 13: ("[external_data]", ENTRY),
    14: ("data_location", "int"),
}  # fmt: skip

SPARSE_TENSOR: Fields = {1: ("values", TENSOR), 2: ("indices", TENSOR), 3: ("[dims]", "int")}

_DIMENSION: Fields = {1: ("dim_value", "int"), 2: ("dim_param", "text")}
_SHAPE: Fields = {1: ("[dim]", _DIMENSION)}
_TENSOR_TYPE: Fields = {1: ("elem_type", "int"), 2: ("shape", _SHAPE)}
_SEQUENCE_TYPE: Fields = {1: ("elem_type", {1: ("tensor_type", _TENSOR_TYPE)})}
#: Of other types than tensors and sequences of them it is enough to know which they are.
_TYPE: Fields = {
    1: ("tensor_type", _TENSOR_TYPE),
    4: ("sequence_type", _SEQUENCE_TYPE),
    5: ("map_type", "bytes"),
    8: ("sparse_tensor_type", "bytes"),
    9: ("optional_type", {1: ("elem_type", {1: ("tensor_type", _TENSOR_TYPE), 4: ("sequence_type", _SEQUENCE_TYPE)})}),
}

VALUE: Fields = {1: ("name", "text"), 2: ("type", _TYPE)}

#: A graph's nodes have attributes that are graphs.
GRAPH: dict[int, tuple[str, Any]] = {}

ATTRIBUTE: Fields = {
    1: ("name", "text"), 2: ("f", "float"), 3: ("i", "int"), 4: ("s", "bytes"), 5: ("t", TENSOR),
    6: ("g", GRAPH), 7: ("[floats]", "float"), 8: ("[ints]", "int"), 9: ("[strings]", "bytes"),
    10: ("[tensors]", TENSOR), 11: ("[graphs]", GRAPH), 20: ("type", "int"), 21: ("ref_attr_name", "text"),
    22: ("sparse_tensor", SPARSE_TENSOR),
}  # fmt: skip

NODE: Fields = {
    1: ("[input]", "text"),
    2: ("[output]", "text"),
    3: ("name", "text"),
    4: ("op_type", "text"),
    5: ("[attribute]", ATTRIBUTE),
    7: ("domain", "text"),
    8: ("overload", "text"),
}

GRAPH.update(
    {
        1: ("[node]", NODE),
        2: ("name", "text"),
        5: ("[initializer]", TENSOR),
        11: ("[input]", VALUE),
        12: ("[output]", VALUE),
        15: ("[sparse_initializer]", SPARSE_TENSOR),
    }
)

OPSET: Fields = {1: ("domain", "text"), 2: ("version", "int")}

FUNCTION: Fields = {
    1: ("name", "text"),
    4: ("[input]", "text"),
    5: ("[output]", "text"),
    6: ("[attribute]", "text"),
    7: ("[node]", NODE),
    9: ("[opset_import]", OPSET),
    10: ("domain", "text"),
    11: ("[attribute_proto]", ATTRIBUTE),
    13: ("overload", "text"),
}

MODEL: Fields = {
    1: ("ir_version", "int"),
    2: ("producer_name", "text"),
    7: ("graph", GRAPH),
    8: ("[opset_import]", OPSET),
    25: ("[functions]", FUNCTION),
}
