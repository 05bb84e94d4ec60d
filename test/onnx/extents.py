"""Calls of the node tests' models with extents of 0 and 1, and what ONNX Runtime and ONNX's reference make of them."""

import concurrent.futures
import copy
import functools
import multiprocessing
import warnings

import microsoft
import nodes
import numpy as np
import test_graphics_forms
import test_learning
from broadloom.onnx._context import OPERATORS
from onnx import TensorProto, helper

#: How many cases of an operator are run.
MOST = 4
#: Operators that have tests of their own alone: those that ONNX Runtime has not on processors, and linear models.
ELSEWHERE = {(microsoft.MICROSOFT, row[0]) for row in test_graphics_forms.CASES}
ELSEWHERE |= {(test_learning.DOMAIN, row[0]) for row in test_learning.CASES}


def spread(values):
    """The tensors of sequences."""
    return [x for value in values for x in (value if isinstance(value, list) else [value])]


def operators_of(case):
    return {("" if n.domain == "ai.onnx" else n.domain, n.op_type) for n in case.model.graph.node}


def _own(name, made, inputs, opset=17):
    """A case of an operator that no node test has."""
    given = [helper.make_tensor_value_info(f"x{i}", TensorProto.FLOAT, [None] * x.ndim) for i, x in enumerate(inputs)]
    graph = helper.make_graph(made, name, given, [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    return nodes.Case(name, model, inputs, [], 1e-3, 1e-5)


def own_cases():
    random = np.random.default_rng(0)
    x, y = (random.standard_normal(shape).astype("f4") for shape in ((2, 3), (4, 3)))
    n = helper.make_node
    one = n("Constant", [], ["one"], value_int=1)
    yield _own(
        "concat_from_sequence",
        [n("SequenceConstruct", ["x0", "x1"], ["s"]), n("ConcatFromSequence", ["s"], ["y"], axis=0)],
        [x, y],
    )
    yield _own(
        "sequence_at", [one, n("SequenceConstruct", ["x0", "x1"], ["s"]), n("SequenceAt", ["s", "one"], ["y"])], [x, y]
    )
    erased = [
        one,
        n("SequenceConstruct", ["x0", "x1"], ["s"]),
        n("SequenceErase", ["s", "one"], ["t"]),
        n("ConcatFromSequence", ["t"], ["y"], axis=1),
    ]
    yield _own("sequence_erase", erased, [x, y])
    optional = [n("Optional", ["x0"], ["o"]), n("OptionalGetElement", ["o"], ["y"])]
    yield _own("optional", optional, [x], 18)
    yield from microsoft.CASES
    yield _own(
        "global_lp_pool", [n("GlobalLpPool", ["x0"], ["y"], p=2)], [random.standard_normal((2, 3, 4, 2)).astype("f4")]
    )


@functools.cache
def chosen_cases():
    """Some cases of each operator, of different attributes, ranks and kinds of elements."""
    found = {key: {} for key in OPERATORS}
    for case in [*nodes.collect(), *own_cases()]:
        if case.is_random or any(x is None for x in case.inputs):
            continue
        graph = case.model.graph
        given = [(np.ndim(x), x.dtype.kind) if isinstance(x, np.ndarray) else len(x) for x in case.inputs]
        kind = (*(a.name for node in graph.node for a in node.attribute), *given)
        for key in operators_of(case) & OPERATORS.keys():
            # Where one node is the whole model, what is wrong is this operator's.
            found[key].setdefault(len(graph.node) > 1, {}).setdefault(kind, case)
    return {key: list(by_size[min(by_size)].values())[:MOST] if by_size else [] for key, by_size in found.items()}


def widen(model):
    """The model without the extents of its inputs and outputs."""
    model = copy.deepcopy(model)
    del model.graph.value_info[:]
    for value in [*model.graph.input, *model.graph.output]:
        if value.type.HasField("tensor_type"):
            for dim in value.type.tensor_type.shape.dim:
                dim.Clear()
    return model


def places(case):
    """The axes of the inputs that are open, by name and axis."""
    for name, array in zip(case.names, case.inputs):
        if isinstance(array, np.ndarray) and name not in case.constants:
            for axis, extent in enumerate(case.open_shapes.get(name, ())):
                if extent is None:
                    yield name, axis


def with_extents(case, extents):
    """The inputs with other extents, by name and axis, and the elements that they have, as often as it takes."""
    made = []
    for name, array in zip(case.names, case.inputs):
        if isinstance(array, np.ndarray):
            shape = [extents.get((name, axis), n) for axis, n in enumerate(array.shape)]
            array = (
                array
                if shape == list(array.shape)
                else np.resize(array, shape)
                if array.size
                else np.zeros(shape, array.dtype)
            )
        made.append(array)
    return made


def variants(case, numbers=(0, 1)):
    """Inputs with an extent of 0 or 1 at each open axis, and at all open axes of one extent together."""
    own = {name: x.shape for name, x in zip(case.names, case.inputs) if isinstance(x, np.ndarray)}
    together = {}
    for name, axis in places(case):
        together.setdefault(own[name][axis], []).append((name, axis))
    groups = {tuple(group) for group in together.values()} | {(place,) for place in places(case)}
    for group in sorted(groups):
        for extent in numbers:
            if any(own[name][axis] != extent for name, axis in group):
                yield with_extents(case, dict.fromkeys(group, extent))


def arguments(case, inputs):
    """Lists what a program of the case takes."""
    return spread([x for x, name in zip(inputs, case.names) if name not in case.constants])


# Other implementations.

_sessions = {}


def _run(kind, key, data, inputs):
    """The results of another implementation, or a text that says why there are none."""
    warnings.simplefilter("ignore")
    if (kind, key) not in _sessions:
        _sessions.clear()
        try:
            _sessions[kind, key] = _open(kind, data)
        except Exception as problem:
            _sessions[kind, key] = str(problem)
    run = _sessions[kind, key]
    if isinstance(run, str):
        return f"not there: {run}"
    try:
        return run(inputs)
    except Exception as problem:
        return str(problem) or type(problem).__name__


def _open(kind, data):
    if kind == "reference":
        import onnx.reference

        evaluator = onnx.reference.ReferenceEvaluator(onnx.load_from_string(data))
        return lambda inputs: evaluator.run(None, inputs)
    return microsoft.open_runtime(data)


class Others:
    """Other implementations, in a process that may crash."""

    def __init__(self):
        self.start()

    def start(self):
        self.pool = concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))

    def run(self, kind, case, inputs):
        """The results, or a text that says why there are none."""
        named = dict(zip(case.names, inputs))
        try:
            return self.pool.submit(_run, kind, case.name, widen(case.model).SerializeToString(), named).result(60)
        except (concurrent.futures.process.BrokenProcessPool, TimeoutError, concurrent.futures.TimeoutError):
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.start()
            return "it crashes"
        except Exception as problem:
            return f"not there: {problem}"
