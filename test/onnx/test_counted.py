"""Operators that give as many elements as data decides."""

import broadloom as bl
import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

KINDS = {"f4": TensorProto.FLOAT, "i8": TensorProto.INT64, "b1": TensorProto.BOOL}


def make(nodes, inputs, outputs, opset=17):
    """A model whose inputs are names with kinds and ranks, and whose outputs have kinds."""
    given = [helper.make_tensor_value_info(name, KINDS[kind], [None] * rank) for name, kind, rank in inputs]
    made = [helper.make_tensor_value_info(name, KINDS[kind], None) for name, kind in outputs]
    graph = helper.make_graph(nodes, "graph", given, made)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def check(f, model, *inputs):
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    found = f(*inputs)
    expected = session.run(None, dict(zip([i.name for i in session.get_inputs()], inputs)))
    for got, wanted in zip(found if isinstance(found, tuple) else (found,), expected, strict=True):
        assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_array_equal(got, wanted)


def some(*shape, seed=0):
    return np.random.default_rng(seed).integers(-2, 3, shape)


def test_positions_of_what_is_not_zero():
    model = make([helper.make_node("NonZero", ["x"], ["y"])], [("x", "f4", 3)], [("y", "i8")])
    f = bl.from_onnx(model)
    assert f.shapes((2, 3, 4)) == [(3, "<=24")]
    assert f.shapes(("A", 2, "B")) == [(3, "<=(2*A*B)")]
    assert f.shapes() == [(3, None)]
    for x in (some(2, 3, 4), np.zeros((2, 3, 4)), some(5, 0, 2), np.ones((1, 1, 1))):
        check(f, model, x.astype("f4"))


def test_bounds_of_counts():
    """What is counted tells the most that there can be (sf-7)."""
    unique = make([helper.make_node("Unique", ["x"], ["y", "i"])], [("x", "f4", 2)], [("y", "f4"), ("i", "i8")])
    assert bl.from_onnx(unique).shapes((3, "N")) == [("<=(3*N)",), ("<=(3*N)",)]
    best = make([helper.make_node("TopK", ["x", "k"], ["y", "i"])], [("x", "f4", 2), ("k", "i8", 1)], [("y", "f4"), ("i", "i8")])  # fmt: skip
    f = bl.from_onnx(best, shapes={"k": (1,)})
    assert f.shapes(("B", 7), (1,)) == [("B", "<=7"), ("B", "<=7")]
    x = some(2, 7).astype("f4")
    np.testing.assert_array_equal(f(x, np.array([3]))[0], -np.sort(-x)[:, :3])
    with pytest.raises(bl.ShapeError, match="its k is 8, but axis 1 has the extent 7"):
        f(x, np.array([8]))
    nodes = [helper.make_node("NonZero", ["x"], ["t"]), helper.make_node("Transpose", ["t"], ["u"])]
    nodes.append(helper.make_node("GatherND", ["x", "u"], ["y"]))
    assert bl.from_onnx(make(nodes, [("x", "f4", 2)], [("y", "f4")])).shapes(("A", "B")) == [("<=(A*B)",)]


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_bounds_of_compressed_axes(axis):
    node = helper.make_node("Compress", ["x", "c"], ["y"], **({} if axis is None else {"axis": axis}))
    f = bl.from_onnx(make([node], [("x", "f4", 2), ("c", "b1", 1)], [("y", "f4")]))
    for shape, count in (((3, 4), 2), (("A", "B"), "C")):
        expected = list(shape) if axis is not None else [None]
        expected[axis or 0] = f"<={count}"
        assert f.shapes(shape, (count,)) == [tuple(expected)]


def test_bounds_of_boxes():
    f = bl.from_onnx(boxes_model())
    for batches, classes, count, most in ((2, 3, 30, "180"), (1, 3, "N", "(3*N)"), ("B", 3, 9, "(27*B)")):
        assert f.shapes((batches, count, 4), (batches, classes, count), (), (), ()) == [(f"<={most}", 3)]
    f = bl.from_onnx(boxes_model(), constants={"most": np.array(5)})
    for count, most in ((30, 2 * 3 * 5), (4, 2 * 3 * 4)):
        given = (2, count, 4), (2, 3, count)
        assert f.shapes(*given, (), ()) == [(f"<={most}", 3)]
        found = f(
            *(np.random.default_rng(0).random(shape, np.float32) for shape in given), np.float32(1), np.float32(0)
        )
        # Boxes that may overlap are all kept.
        assert found.shape == (most, 3)


def test_what_is_computed_of_positions():
    nodes = [
        helper.make_node("Greater", ["x", "low"], ["kept"]),
        helper.make_node("Compress", ["x", "kept"], ["some"], axis=0),
        helper.make_node("ReduceSum", ["some"], ["total"], keepdims=0),
        helper.make_node("Mul", ["some", "some"], ["y"]),
    ]
    model = make(nodes, [("x", "f4", 1), ("low", "f4", 0)], [("y", "f4"), ("total", "f4")])
    f = bl.from_onnx(model)
    for x in (some(30), some(0), np.full(4, -9)):
        check(f, model, x.astype("f4"), np.array(0.5, "f4"))


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_compressed_axes(axis):
    more = {} if axis is None else {"axis": axis}
    model = make(
        [helper.make_node("Compress", ["x", "c"], ["y"], **more)], [("x", "i8", 2), ("c", "b1", 1)], [("y", "i8")]
    )
    f = bl.from_onnx(model)
    for condition in ([True, False, True], [False], [True, True], []):
        check(f, model, some(4, 3), np.array(condition, bool))
    with pytest.raises(bl.ShapeError):
        f(some(2, 2), np.ones(9, bool))


@pytest.mark.parametrize("ordered", [0, 1])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_elements_that_differ(axis, ordered):
    more = {} if axis is None else {"axis": axis}
    names = ["y", "first", "inverse", "counts"]
    model = make(
        [helper.make_node("Unique", ["x"], names, sorted=ordered, **more)],
        [("x", "f4", 2)],
        [("y", "f4"), *((name, "i8") for name in names[1:])],
    )
    f = bl.from_onnx(model)
    for x in (some(6, 2), some(2, 7, seed=1), np.zeros((3, 3)), some(1, 1)):
        check(f, model, x.astype("f4"))


def boxes_model(**attributes):
    node = helper.make_node("NonMaxSuppression", ["boxes", "scores", "most", "overlap", "least"], ["y"], **attributes)
    inputs = [("boxes", "f4", 3), ("scores", "f4", 3), ("most", "i8", 0), ("overlap", "f4", 0), ("least", "f4", 0)]
    return make([node], inputs, [("y", "i8")])


@pytest.mark.parametrize("form", [0, 1])
def test_boxes_that_do_not_overlap(form):
    model = boxes_model(center_point_box=form)
    f = bl.from_onnx(model)
    random = np.random.default_rng(0)
    for batches, classes, count in ((1, 1, 1), (2, 3, 40), (1, 5, 200)):
        boxes, scores = random.random((batches, count, 4)), random.random((batches, classes, count))
        scores[:, :, ::3] = scores[:, :, :1]
        for most, overlap, least in ((0, 0.5, 0.0), (3, 0.3, 0.2), (1000, 0.7, 0.9), (10, 0.5, 2.0)):
            numbers = [np.array(most), np.array(overlap, "f4"), np.array(least, "f4")]
            check(f, model, boxes.astype("f4"), scores.astype("f4"), *numbers)
    with pytest.raises(bl.ShapeError, match=r"axis 1 of the boxes has the extent 3, but 4 is needed"):
        f(np.zeros((1, 3, 4), "f4"), np.zeros((1, 1, 4), "f4"), *numbers)


def test_boxes_in_clusters():
    """Of many that overlap few are kept; scores are equal, infinite, and not numbers, and boxes have no area."""
    model = boxes_model()
    f = bl.from_onnx(model)
    random = np.random.default_rng(4)
    centres = random.random((2, 6, 2)) * 100
    corners = np.repeat(centres, 50, 1) + random.standard_normal((2, 300, 2))
    boxes = np.concatenate([corners, corners + 8 + random.standard_normal((2, 300, 2))], 2)
    boxes[:, ::7, 2:] = boxes[:, ::7, :2]
    scores = np.round(random.random((2, 3, 300)), 1)
    scores[0, 1, ::2] = np.inf
    scores[1, 2] = 0.5
    for most in (1, 5, 300, 10**6):
        for overlap in (0.0, 0.1, 0.6, 1.0):
            numbers = [np.array(most), np.array(overlap, "f4"), np.array(0.3, "f4")]
            check(f, model, boxes.astype("f4"), scores.astype("f4"), *numbers)
    scores[0, 0, 5:20] = np.nan
    numbers = [np.array(20), np.array(0.5, "f4"), np.array(0.3, "f4")]
    check(f, model, boxes.astype("f4"), scores.astype("f4"), *numbers)


@pytest.mark.parametrize("form", ["static", "open", "constant"])
def test_forms_of_boxes(form):
    model = boxes_model()
    random = np.random.default_rng(2)
    for batches, classes, count in ((2, 3, 30), (1, 2, 1), (2, 1, 0)):
        boxes, scores = random.random((batches, count, 4)), random.random((batches, classes, count))
        numbers = [np.array(4), np.array(0.4, "f4"), np.array(0.3, "f4")]
        names = [value.name for value in model.graph.input]
        given = dict(zip(names, [boxes.astype("f4"), scores.astype("f4"), *numbers]))
        if form == "constant":
            f = bl.from_onnx(model, constants=given)
            found = lambda *_, f=f: f()
        else:
            shapes = {name: list(x.shape) for name, x in given.items()} if form == "static" else None
            found = bl.from_onnx(model, shapes=shapes)
        check(found, model, *given.values())


def test_boxes_that_do_not_fit():
    model = boxes_model()
    for boxes, scores, message in (
        ([1, 3, 5], [1, 2, 3], "axis 2 of the boxes has the extent 5, but 4 is needed"),
        ([2, 3, 4], [1, 2, 3], "axis 0 of the boxes has the extent 2, but 1 is needed"),
        ([1, 3, 4], [1, 2, 4], "axis 1 of the boxes has the extent 3, but 4 is needed"),
    ):
        with pytest.raises((bl.ShapeError, bl.UnsupportedOperations), match=message):
            bl.from_onnx(model, shapes={"boxes": boxes, "scores": scores})
        with pytest.raises(bl.ShapeError, match=message):
            bl.from_onnx(model)(np.zeros(boxes, "f4"), np.zeros(scores, "f4"), *(np.array(0, k) for k in ("i8", "f4", "f4")))  # fmt: skip


@pytest.mark.parametrize("value", [-0.1, 1.5, 50.0, np.nan, np.inf])
@pytest.mark.parametrize("form", ["call", "constant", "initializer"])
def test_overlaps_that_are_no_parts(value, form):
    """Percents, and what is no number: an error of the file where it is known there, and else of the call."""
    model, number = boxes_model(), np.array(value, "f4")
    given = [np.zeros((1, 3, 4), "f4"), np.ones((1, 1, 3), "f4"), np.array(1), number, np.array(0, "f4")]
    if form == "call":
        f = bl.from_onnx(model)
        with pytest.raises(bl.ShapeError, match=r"NonMaxSuppression.*: the iou_threshold must be from 0 to 1"):
            f(*given)
        given[3] = np.array(1, "f4")
        assert f(*given).shape == (1, 3)
        return
    if form == "initializer":
        model.graph.initializer.append(numpy_helper.from_array(number, "overlap"))
    constants = {"overlap": number} if form == "constant" else {}
    with pytest.raises(
        bl.UnsupportedOperations, match=f"NonMaxSuppression.*: its iou_threshold is {value:g}, but it must"
    ):
        bl.from_onnx(model, constants=constants)


def test_what_detectors_make_of_boxes():
    """Boxes that are kept are gathered, and the best of all classes are taken: as exporters write it."""
    n = helper.make_node
    nodes = [
        n("Constant", [], ["most"], value_ints=[20]),
        n("Constant", [], ["overlap"], value_floats=[0.5]),
        n("Constant", [], ["two"], value_ints=[2]),
        n("Constant", [], ["zero"], value_ints=[0]),
        n("Constant", [], ["last"], value_ints=[-1]),
        n("NonMaxSuppression", ["boxes", "scores", "most", "overlap", "least"], ["kept"]),
        n("Gather", ["kept", "two"], ["column"], axis=1),
        n("Squeeze", ["column", "one"], ["at"]),
        n("Constant", [], ["one"], value_ints=[1]),
        n("Squeeze", ["boxes", "zero"], ["all"]),
        n("Gather", ["all", "at"], ["some"], axis=0),
        n("GatherND", ["scores", "places"], ["values"]),
        n("Slice", ["kept", "zero", "two", "one"], ["lines"]),
        n("Concat", ["lines", "column"], ["places"], axis=1),
        n("Shape", ["values"], ["count"]),
        n("Constant", [], ["five"], value_ints=[5]),
        n("Min", ["count", "five"], ["k"]),
        n("TopK", ["values", "k"], ["best", "order"], axis=0),
        n("Gather", ["some", "order"], ["y"], axis=0),
    ]
    by_name = {name: node for node in nodes for name in node.output}
    ordered, seen = [], set()

    def visit(node):
        for name in node.input:
            if name in by_name and name not in seen:
                visit(by_name[name])
        if node.output[0] not in seen:
            seen.update(node.output)
            ordered.append(node)

    for node in nodes:
        visit(node)
    inputs = [("boxes", "f4", 3), ("scores", "f4", 3), ("least", "f4", 0)]
    model = make(ordered, inputs, [("y", "f4"), ("best", "f4")])
    f = bl.from_onnx(model)
    random = np.random.default_rng(1)
    for count, least in ((40, 0.3), (3, 0.0), (7, 2.0)):
        boxes, scores = random.random((1, count, 4)).astype("f4"), random.random((1, 3, count)).astype("f4")
        check(f, model, boxes, scores, np.array(least, "f4"))
