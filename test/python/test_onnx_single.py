"""Inputs of ONNX's operators that are one number, and attributes of the kinds that operators take."""

import inspect
import re

import broadloom as bl
import numpy as np
import pytest
from broadloom.onnx._context import OPERATORS, Unsupported
from broadloom.onnx._importer import Importer  # noqa: F401  # It enters the rules of all operators.
from broadloom.onnx._kinds import KINDS
from broadloom.onnx._rule_calls import call_rule
from broadloom.onnx._single import SINGLE
from onnx_models import agree, field, graph, model, node, random, tensor, wrap

DTYPES = {"b": bool, "i": np.int64, "f": np.float32}
PLACES = [(key, at, what) for key, found in SINGLE.items() for at, what in found.items()]


def node_with(key, at, shape):
    """A model of one node, whose inputs are constants of one number each, but for one."""
    words = KINDS.get(key, "").split()
    words += words[-1:] * (at + 1 - len(words))
    domain, _, operation = key.rpartition(".")
    shapes = [shape if place == at else () for place in range(at + 1)]
    constants = [np.ones(s, DTYPES[word[0]]) for s, word in zip(shapes, words)]
    names = [f"x{place}" for place in range(at + 1)]
    made = field(1, node(operation, names, ["y"], domain, "the node"))
    made += b"".join(field(5, tensor(name, array)) for name, array in zip(names, constants))
    return wrap(made + field(12, field(1, "y")), 28, *([(domain, 1)] if domain else []))


@pytest.mark.parametrize("key, at, what", PLACES, ids=[f"{key}-{at}" for key, at, _ in PLACES])
@pytest.mark.parametrize("shape", [(0,), (1, 3)], ids=str)
def test_constants_that_are_not_one_number(key, at, what, shape):
    count = int(np.prod(shape))
    told = f"its input {at}, 'x{at}', the {what}, has {count} elements, but it takes 1"
    with pytest.raises(bl.UnsupportedOperations, match=rf"node 1 \(.* 'the node'\): .*{re.escape(told)}"):
        bl.from_onnx(node_with(key, at, shape))


@pytest.mark.parametrize("at, what", [(3, "scale"), (4, "zero point"), (6, "scale"), (10, "zero point")])
@pytest.mark.parametrize("count", [0, 2])
def test_scales_of_tensors_that_are_joined(at, what, count):
    """Each tensor has a scale and a zero point of its own."""
    constants = {"q": np.array(0.5, "f4"), "z": np.array(1, "u1"), "w": np.ones(count, "u1" if at % 3 == 1 else "f4")}
    names = ["q", "z", *["x", "q", "z"] * 3]
    names[at] = "w"
    text = f"x: ui8[n, 2]\ny = com.microsoft.QLinearConcat({', '.join(names)}, axis=0)\nreturn y"
    told = f"its input {at}, 'w', the {what} of its tensor, has {count} elements, but it takes 1"
    with pytest.raises(bl.UnsupportedOperations, match=re.escape(told)):
        bl.from_onnx(wrap(graph(text, **constants), 21, ("com.microsoft", 1)))


def test_scales_of_one_element():
    text = "x: ui8[n, 2]\ns: f32[m]\ny = com.microsoft.QLinearConcat(q, z, x, s, z, x, q, z, axis=0)\nreturn y"
    f = bl.from_onnx(wrap(graph(text, q=np.float32([0.5]), z=np.uint8([1])), 21, ("com.microsoft", 1)))
    x = np.array([[1, 2], [3, 9]], "u1")
    np.testing.assert_array_equal(f(x, np.float32([1])), [[1, 3], [5, 17], [1, 2], [3, 9]])
    for count in (0, 2):
        with pytest.raises(bl.ShapeError, match=f"its input 3, 's', the scale of its tensor, has {count} elements"):
            f(x, np.ones(count, "f4"))


#: Bodies of loops whose condition is a constant, a value that a call computes, and one beside a sequence.
LOOPS = {
    "constant": ("c: i1\nv: f32[n]\nw = Add(v, o)\nd = Identity(k)\nreturn d, w", "y = Loop(m, _, x, body=body)"),
    "computed": ("c: i1\nv: f32[n]\nw = Add(v, o)\nd = Identity(t)\nreturn d, w", "y = Loop(m, _, x, body=body)"),
    "sequence": (
        "c: i1\ns: sequence_f32[n]\nw = SequenceInsert(s, o)\nd = Identity(k)\nreturn d, w",
        "s = SequenceConstruct(x)\nr = Loop(m, _, s, body=body)\ny = SequenceLength(r)",
    ),
}


def loop_while(condition, kind):
    """A loop of up to three steps that goes on while a condition holds, and what to give it beside x."""
    body, text = LOOPS[kind]
    inner = graph(f"i: i64\n{body}", o=np.ones(1, "f4"), **({} if kind == "computed" else {"k": condition}))
    more = f"t: i1[{', '.join('ab'[: condition.ndim])}]\n" if kind == "computed" else ""
    f = bl.from_onnx(wrap(graph(f"x: f32[n]\n{more}{text}\nreturn y", m=np.array(3), body=inner), 21), name="loop.onnx")
    return f, [condition] if kind == "computed" else []


@pytest.mark.parametrize("kind", LOOPS)
@pytest.mark.parametrize("condition", [[True, False], [False, True], [], [True], [[True]], [False]], ids=str)
def test_conditions_of_loops(kind, condition):
    condition = np.array(condition, bool)
    x = np.array([0, 1], "f4")
    if condition.size == 1:
        f, more = loop_while(condition, kind)
        steps = 3 if condition.item() else 1
        np.testing.assert_array_equal(f(x, *more), 1 + steps if kind == "sequence" else x + steps)
        return
    told = f"its body's condition, 'd', has {condition.size} elements, but it takes 1"
    with pytest.raises(bl.ShapeError if kind == "computed" else bl.UnsupportedOperations, match=re.escape(told)):
        f, more = loop_while(condition, kind)
        f(x, *more)


BOXES = "boxes: f32[b, n, 4]\nscores: f32[b, c, n]\n"
CALLS = [
    ("Clip", "x: f32[n]\n", "x, s", "f32", "min", np.float32(0.25), lambda y: np.array([0.25, 0.25, 3], "f4")),
    ("Range", "", "zero, s, one", "i64", "limit", 3, lambda y: np.arange(3)),
    ("Range", "", "zero_, s, one_", "f32", "limit", np.float32(2.5), lambda y: np.arange(3, dtype="f4")),
    ("TopK", "x: f32[n]\n", "x, s", "i64", "k", 2, lambda y: np.array([3, 0.125], "f4")),
]
NUMBERS = dict(zero=np.array(0), one=np.array(1), zero_=np.array(0, "f4"), one_=np.array(1, "f4"))


@pytest.mark.parametrize("operation, inputs, given, element, what, number, values", CALLS)
def test_a_call_tells_whether_it_is_one_number(operation, inputs, given, element, what, number, values):
    outputs = "y, _" if operation == "TopK" else "y"
    f = bl.from_onnx(model(f"{inputs}s: {element}[m, k]\n{outputs} = {operation}({given})\nreturn y", **NUMBERS))
    x = [np.array([-1, 0.125, 3], "f4")] if inputs else []
    s = np.full((1, 1), number)
    agree(f(*x, s), values(x))
    for shape in ((2, 1), (1, 0)):
        told = f"the {what}, has {2 * shape[1]} elements, but it takes 1"
        with pytest.raises(bl.ShapeError, match=rf"'{operation} \(.*\)': its input ., 's', {told}"):
            f(*x, np.full(shape, number))


def test_numbers_of_suppressed_boxes():
    text = "m: i64[j]\no: f32[k]\nl: f32[r]\ny = NonMaxSuppression(boxes, scores, m, o, l, name='the node')\nreturn y"
    f = bl.from_onnx(model(BOXES + text), name="boxes.onnx")
    corners = np.array([[[0, 0, 1, 1], [5, 5, 6, 6], [0, 0, 1, 0.9]]], "f4")
    given = [corners, np.array([[[0.5, 0.25, 0.75]]], "f4"), np.array([3]), np.float32([0.5]), np.float32([0.3])]
    assert f(*given).tolist() == [[0, 0, 2]]
    names = {2: "'m', the max_output_boxes_per_class", 3: "'o', the iou_threshold", 4: "'l', the score_threshold"}
    for at, name in names.items():
        for count in (0, 2):
            wrong = [np.repeat(x, count) if place == at else x for place, x in enumerate(given)]
            told = rf"boxes.onnx:1:1: 'NonMaxSuppression the node .*': its input {at}, {name}, has {count} elements"
            with pytest.raises(bl.ShapeError, match=told):
                f(*wrong)
    for wrong in (-0.5, 1.5, np.nan):
        with pytest.raises(bl.ShapeError, match="the iou_threshold must be from 0 to 1"):
            f(*given[:3], np.float32([wrong]), given[4])


@pytest.mark.parametrize(
    "value, message",
    [(2, "its attribute 'center_point_box' is 2, but it must be 0 or 1"), (0.5, "is 0.5, but it takes an integer")],
)
def test_forms_of_boxes(value, message):
    text = f"{BOXES}y = NonMaxSuppression(boxes, scores, center_point_box={value})\nreturn y"
    with pytest.raises(bl.UnsupportedOperations, match=re.escape(message)):
        bl.from_onnx(model(text))


#: Values of other kinds than an annotation says, and the words for what it takes.
WRONG = {
    "int": ([1.5, "a", [1]], "an integer"),
    "float": (["a", [1.5]], "a number"),
    "str": ([1, 1.5, ["a"]], "a text"),
    "Graph": ([1, "a"], "a graph"),
    "Known": ([1, 1.5, "a", [1]], "a tensor"),
    "Sequence[int]": ([1, [1.5], ["a"]], "a list of integers"),
    "Sequence[float]": ([1.5, ["a"]], "a list of numbers"),
    "Sequence[str]": (["a", [1]], "a list of texts"),
}


def attributes():
    for (domain, operation), rules in OPERATORS.items():
        for since, rule in rules.items():
            parameters = list(inspect.signature(rule).parameters.values())
            for p in parameters:
                kinds = [kind for kind in str(p.annotation).split(" | ") if kind != "None"]
                # A type, which is read elsewhere.
                if p.kind == p.KEYWORD_ONLY and (operation, p.name) != ("Optional", "type"):
                    assert {*kinds} <= {*WRONG}, f"{operation}, {p.name}: {kinds}"
                if p.kind == p.KEYWORD_ONLY and len(kinds) == 1 and kinds[0] in WRONG:
                    (kind,) = kinds
                    yield f"{domain}.{operation}-{since}".lstrip("."), rule, parameters, p.name, kind


def test_attributes_of_other_kinds():
    """Each attribute of each rule, with values of each kind that it does not take."""
    tried = 0
    for name, rule, parameters, attribute, kind in attributes():
        inputs = [object() for p in parameters[1:] if p.kind == p.POSITIONAL_OR_KEYWORD]
        values, told = WRONG[kind]
        for value in values:
            message = f"its attribute {attribute!r} is {value!r}, but it takes {told}"
            with pytest.raises(Unsupported, match=re.escape(message)):
                call_rule(None, rule, inputs, {attribute: value})
                pytest.fail(f"{name}: {attribute}={value!r} is taken")
            tried += 1
    assert tried > 1000


def test_integers_where_numbers_are_taken():
    x = random(4)
    agree(bl.from_onnx(model("x: f32[n]\ny = LeakyRelu(x, alpha=2)\nreturn y"))(x), np.where(x < 0, 2 * x, x))


@pytest.mark.parametrize("text", ["q = Constant(value=3)", "s = Shape(x)\nq = ConstantOfShape(s, value=3)"])
def test_a_number_in_place_of_a_tensor(text):
    with pytest.raises(bl.UnsupportedOperations) as told:
        bl.from_onnx(model(f"x: f32[n]\n{text}\ny = Mul(q, x)\nreturn y"))
    assert re.search(r"node \d \(Constant.*its attribute 'value' is 3, but it takes a tensor", str(told.value))
    assert "(Mul" not in str(told.value)


def test_a_graph_in_place_of_a_number():
    body = graph("return z", z=np.ones(1, "f4"))
    with pytest.raises(
        bl.UnsupportedOperations, match="its attribute 'axis' is of another kind, but it takes an integer"
    ):
        bl.from_onnx(model("x: f32[n]\ny = Softmax(x, axis=body)\nreturn y", body=body))
