"""Tests the messages about inputs that do not fit, for each operator: the node, its inputs, and axes of the model."""

import copy
import re

import broadloom as bl
import extents
import nodes
import numpy as np
import pytest
from broadloom.onnx._context import OPERATORS
from extents import arguments
from onnx import AttributeProto, helper

#: What is of programs, and not of models.
INTERNAL = re.compile(r"\b(tensor|linalg|loom|tosa|arith|scf|func)\.")
#: Where extents come from, in words of the program.
TRACE = re.compile(r" \((operand|input|result) shapes? .*?\)(?= \||$)|; extent .*", re.S)
#: Operators of sequences, whose tensors have shapes of their own.
SEQUENCES = ("SequenceInsert", "SequenceMap", "SequenceConstruct", "SequenceAt", "SequenceErase", "ConcatFromSequence")

#: Operators of tensors that have no channels.
FLAT = ("Einsum", "Expand", "Gemm", "MatMul", "ScatterND", "TopK")


def name_nodes(graph):
    """Names the nodes; gives the names of their inputs."""
    names = set()
    for node in graph.node:
        node.name = "the/node"
        names |= {*node.input} - {""}
        for attribute in node.attribute:
            if attribute.type == AttributeProto.GRAPH:
                names |= name_nodes(attribute.g)
    return names


def wrong_calls(case):
    """Inputs with one more element along one axis, for each open axis."""
    own = {name: x.shape for name, x in zip(case.names, case.inputs) if isinstance(x, np.ndarray)}
    for name, axis in extents.places(case):
        yield extents.with_extents(case, {(name, axis): own[name][axis] + 1})


def tell(function):
    """The text of an error, or None."""
    try:
        function()
    except bl.Error as problem:
        return str(problem)
    return None


def check(text, names):
    text = TRACE.sub("", text)
    assert "the/node" in text, text
    assert any(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", text) for name in names), text
    assert not INTERNAL.search(text), text


def compile_case(case, model, shapes):
    return bl.from_onnx(model, constants=case.constants, shapes=shapes, name="model", optimise=False)


def usable(key):
    return [case for case in extents.chosen_cases()[key] if len(case.model.graph.node) == 1][:2]


@pytest.mark.parametrize("key", [key for key in OPERATORS if key[1] not in (*SEQUENCES, *nodes.RANDOM)], ids=".".join)
def test_what_does_not_fit_is_told_in_terms_of_the_model(key):
    for case in usable(key):
        model = copy.deepcopy(case.model)
        names = name_nodes(model.graph)
        f = compile_case(case, model, case.open_shapes or case.shapes)
        for number, inputs in enumerate(wrong_calls(case)):
            text = tell(lambda: f(*arguments(case, inputs)))
            if text is None:
                continue
            check(text, names)
            assert "channels" not in text or key[1] not in FLAT, text
            if number < 6:
                given = {name: x.shape for name, x in zip(case.names, inputs) if name in case.open_shapes}
                text = tell(lambda: compile_case(case, model, given))
                assert text is None or check(text, names) is None


def turn(case):
    """The model whose inputs have their axes in the opposite order, which it turns: tensors then stand in that order."""
    model = copy.deepcopy(case.model)
    name_nodes(model.graph)
    turned, shapes = set(), dict(case.open_shapes)
    for value in model.graph.input:
        rank = len(shapes.get(value.name, ()))
        if rank > 1 and value.type.HasField("tensor_type"):
            turned.add(value.name)
            shapes[f"{value.name}_turned"] = shapes.pop(value.name)[::-1]
    for value in model.graph.input:
        if value.name in turned:
            dims = list(value.type.tensor_type.shape.dim)[::-1]
            del value.type.tensor_type.shape.dim[:]
            value.type.tensor_type.shape.dim.extend(dims)
            perm = list(range(len(dims)))[::-1]
            model.graph.node.insert(0, helper.make_node("Transpose", [f"{value.name}_turned"], [value.name], perm=perm))
            value.name = f"{value.name}_turned"
    return model, turned, shapes


@pytest.mark.parametrize("key", [key for key in OPERATORS if key[1] not in (*SEQUENCES, *nodes.RANDOM)], ids=".".join)
def test_axes_are_those_of_the_model_however_tensors_stand(key):
    for case in usable(key)[:1]:
        model, turned, shapes = turn(case)
        if not turned:
            continue
        named = copy.deepcopy(case.model)
        name_nodes(named.graph)
        f, g = compile_case(case, named, case.open_shapes), compile_case(case, model, shapes)
        for inputs in wrong_calls(case):
            direct = tell(lambda: f(*arguments(case, inputs)))
            if direct is None:
                continue
            other = [np.transpose(x) if name in turned else x for name, x in zip(case.names, inputs)]
            text = tell(lambda: g(*arguments(case, other)))
            plain = lambda text: re.sub(r"^model:\d+:", "model:", TRACE.sub("", text or ""))
            assert plain(text) == plain(direct)
