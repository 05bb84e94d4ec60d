"""Inputs of types that ONNX's operators do not take, of all operators that the node tests have."""

import copy
import inspect

import broadloom as bl
import kinds
import nodes
import numpy as np
import onnx
from broadloom.onnx._context import OPERATORS
from broadloom.onnx._kinds import KINDS
from onnx import TensorProto

TYPES = {"f4": TensorProto.FLOAT, "f8": TensorProto.DOUBLE, "i8": TensorProto.INT64, "b1": TensorProto.BOOL}
LETTERS = {"f": "f", "i": "i", "u": "i", "b": "b"}


def test_the_table_is_that_of_the_packages():
    assert kinds.describe_all() == KINDS


#: What the annotations of rules say of an attribute, by the type of the attribute in a schema.
ANNOTATIONS = {
    "INT": ["int", "float"], "FLOAT": ["float"], "STRING": ["str"], "GRAPH": ["Graph"], "TENSOR": ["Known"],
    "SPARSE_TENSOR": ["Known"], "INTS": ["Sequence[int]"], "FLOATS": ["Sequence[float]"], "STRINGS": ["Sequence[str]"],
    "TYPE_PROTO": ["Any"],
}  # fmt: skip


def rules_and_schemas():
    """The rules of all operators, each with the schemas of the versions for which it is called."""
    for key, rules in OPERATORS.items():
        schemas = sorted(kinds.all_schemas().get(key, []), key=lambda schema: schema.since_version)
        for schema in schemas:
            later = [other.since_version for other in schemas if other.since_version > schema.since_version]
            first = max((since for since in rules if since <= schema.since_version), default=min(rules))
            inside = [since for since in rules if schema.since_version < since < min(later, default=1000)]
            for since in {first, *inside}:
                yield f"{key}-{since}", rules[since], schema


def test_attributes_have_the_types_of_the_schemas():
    """In all versions: the order of LpPool is a float in the first one, and an integer in others."""
    wrong, compared = [], 0
    for name, rule, schema in rules_and_schemas():
        parameters = inspect.signature(rule).parameters
        for attribute in schema.attributes.values():
            kind = str(attribute.type).split(".")[-1]
            # ONNX Runtime has no name for some of its types.
            if attribute.name in parameters and kind != "???":
                annotation = str(parameters[attribute.name].annotation)
                compared += 1
                if not {*annotation.split(" | ")} & {*ANNOTATIONS[kind]}:
                    wrong.append((name, schema.since_version, attribute.name, kind, annotation))
    assert not wrong
    assert compared > 1000


def is_valid(forms, types):
    """Whether a version of an operator takes inputs of these types. Types of one kind are as good as each other."""
    for form in forms:
        bound = {}
        for at, dtype in enumerate(types):
            letters, variable, _, is_alike = form[min(at, len(form) - 1)]
            if dtype is None:
                continue
            if LETTERS[dtype.kind] not in letters or (is_alike and bound.setdefault(variable, dtype) != dtype):
                break
        else:
            return True
    return False


def wrong_models():
    """Models of one node, of which one input has another type, and the operators and places of these inputs."""
    seen = set()
    for case in nodes.collect():
        graph = case.model.graph
        given = {value.name: value.type.tensor_type for value in graph.input}
        node = graph.node[0]
        key = node.domain, node.op_type, len(node.input)
        if key in seen or len(graph.node) > 1 or not all(t.elem_type for t in given.values()):
            continue
        if any(name and name not in given for name in node.input):
            continue
        seen.add(key)
        types = [None] * len(node.input)
        for at, name in enumerate(node.input):
            if name:
                types[at] = onnx.helper.tensor_dtype_to_np_dtype(given[name].elem_type)
        if any(t is not None and t.kind not in LETTERS for t in types):
            continue
        forms = kinds.forms_of(node.domain, node.op_type)
        for at, name in enumerate(node.input):
            for kind, number in TYPES.items() if name else ():
                changed = [np.dtype(kind) if other == name else dtype for other, dtype in zip(node.input, types)]
                if is_valid(forms, changed):
                    continue
                model = copy.deepcopy(case.model)
                next(v for v in model.graph.input if v.name == name).type.tensor_type.elem_type = number
                for output in model.graph.output:
                    output.ClearField("type")
                yield f"{node.op_type} {at} {kind}", model


def test_wrong_types_are_refused():
    accepted, refused = [], 0
    for name, model in wrong_models():
        try:
            bl.onnx.to_mlir(model.SerializeToString(), "model")
            accepted.append(name)
        except (bl.UnsupportedOperations, bl.CompileError):
            refused += 1
    assert not accepted
    assert refused > 1000
