"""Branches and loops."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import _program as program
from .._program import Extent, Value, index
from .._tensors._tensor import plain
from ._context import Context, Known, Tensor, Unsupported, operator
from ._model import Type
from ._regions import cast_to, inside, join_types, name_results, seen_extents


def _check(results: Sequence) -> None:
    if not all(isinstance(r, (Tensor, Known)) for r in results):
        # Those nodes have been told.
        raise Unsupported("")


@operator("If")
def _if(c: Context, condition, *, then_branch, else_branch):
    if isinstance(condition, Known) and condition.is_number:
        return c.import_graph(then_branch if condition.array.reshape(-1)[0] else else_branch)
    b = c.builder
    value = program.reshape(c.value(condition), [])
    holds = b.new_name()
    b.add_line(f"{holds} = tensor.extract {value.name}[] : {value.type}")
    seen, graphs = seen_extents(c), []
    for graph in (then_branch, else_branch):
        with inside(c) as lines:
            results = c.import_graph(graph)
            _check(results)
            graphs.append((lines, [c.value(r) for r in results]))
    shapes = [join_types(c, pair, seen) for pair in zip(graphs[0][1], graphs[1][1])]
    texts = []
    for lines, values in graphs:
        with inside(c) as more:
            names = [cast_to(c, value, shape) for value, shape in zip(values, shapes)]
        types = [Value(b, n, v.element, s).type for n, v, s in zip(names, values, shapes)]
        texts.append([*lines, *more, f"scf.yield {', '.join(names)} : {', '.join(types)}"])
    head, made = name_results(c, len(shapes), [v.element for v in graphs[0][1]], shapes)
    kinds = ", ".join(v.type for v in made)
    b.add_nested(f"{head} = scf.if {holds} -> ({kinds}) {{", texts[0], "} else {", texts[1], "}")
    return [plain(v) for v in made]


@operator("Loop")
def _loop(c: Context, most, condition, *carried, body):
    if condition is not None and isinstance(condition, Known) and not condition.array.reshape(-1)[0]:
        most = Known(np.array(0, np.int64), "i64")
    count = None if most is None else c.number(most, "trip count")
    scans = len(body.outputs) - 1 - len(carried)
    if scans < 0:
        raise ValueError(f"its body gives {len(body.outputs)} results for {len(carried)} values that it carries")
    start = [c.value(v) for v in carried]
    if scans:
        start += _start_scans(c, body, start, scans)
    go = None if condition is None or isinstance(condition, Known) else program.reshape(c.value(condition), [])
    made = _While(c, body, count, go, len(carried), start).emit()
    return [plain(v) for v in made]


def _start_scans(c: Context, body, start: Sequence[Value], scans: int) -> list[Value]:
    """Tensors without rows, of the shape that the first step's rows have."""
    with inside(c):
        step = plain(program.scalar(c.builder, 0, "i64"))
        going = plain(c.scalar(True, "i1"))
        results = c.import_graph(body, [step, going, *map(plain, start)])
        _check(results)
        rows = [c.value(r) for r in results[len(results) - scans :]]
    made = []
    for row, told in zip(rows, body.types[len(results) - scans :]):
        shape = _tell_shape(row, told)
        array = np.zeros((0, *shape), program.to_numpy(row.element))
        made.append(c.builder.constant(array, row.element))
    return made


def _tell_shape(row: Value, told) -> list[int]:
    """The extents of a row, which are known or which the model tells."""
    given = told.shape if isinstance(told, Type) and told.shape is not None else [None] * row.rank
    if len(given) != row.rank:
        raise ValueError(f"a row has {row.rank} axes, but the model says {len(given)}")
    shape = [own if isinstance(own, int) else other for own, other in zip(row.extents, given)]
    if not all(isinstance(e, int) for e in shape):
        raise Unsupported("a loop that collects rows with open extents; give the shape of this output of its body")
    return shape


class _While:
    """A loop whose values keep their ranks, and as much of their extents as each step does."""

    def __init__(self, c: Context, body, count, go: Value | None, carried: int, start: Sequence[Value]):
        self.c, self.body, self.count, self.go = c, body, count, go
        self.carried, self.start = carried, list(start)

    def _step(self, shapes: Sequence[Sequence]):
        """One step: its lines, the arguments' names, whether it goes on, and what it carries."""
        c, b = self.c, self.c.builder
        with inside(c) as lines:
            at, going = b.new_name(), b.new_name()
            given = [Value(b, b.new_name(), v.element, s) for v, s in zip(self.start, shapes)]
            number = program.scalar(b, Extent(b, at), "i64")
            flag = Value(b, b.new_name(), "i1", [])
            b.add_line(f"{flag.name} = tensor.from_elements {going} : tensor<i1>")
            results = c.import_graph(self.body, [plain(number), plain(flag), *map(plain, given[: self.carried])])
            _check(results)
            values = [c.value(r) for r in results[1 : 1 + self.carried]]
            for rows, row in zip(given[self.carried :], results[1 + self.carried :]):
                own = program.require_shape(c.value(row), program.extents(rows)[1:])
                values.append(program.concat([rows, program.expand(own, [0])], 0))
            more = self._goes_on(results[0])
        return lines, (at, going), given, more, values

    def _goes_on(self, flag) -> str:
        c, b = self.c, self.c.builder
        value = program.reshape(c.value(flag), [])
        name = b.new_name()
        b.add_line(f"{name} = tensor.extract {value.name}[] : {value.type}")
        return name

    def emit(self) -> list[Value]:
        """The loop's results."""
        c, b = self.c, self.c.builder
        seen = seen_extents(c)
        shapes = [list(v.extents) for v in self.start[: self.carried]]
        shapes += [[None, *v.extents[1:]] for v in self.start[self.carried :]]
        while True:
            lines, (at, going), given, more, values = self._step(shapes)
            joined = [join_types(c, [g, v], seen) for g, v in zip(given, values)]
            if joined == shapes:
                break
            shapes = joined
        begin = [cast_to(c, v, s) for v, s in zip(self.start, shapes)]
        types = ["index", "i1", *(g.type for g in given)]
        zero, one = index(b, 0), index(b, 1)
        first = self._first()
        limit = None if self.count is None else index(b, self.count)
        with inside(c) as behind:
            names = [cast_to(c, v, s) for v, s in zip(values, shapes)]
            following = b.new_name()
            b.add_line(f"{following} = arith.addi {at}, {one} : index")
        with inside(c) as test:
            entries = [b.new_name() for _ in types]
            holds = entries[1]
            if limit is not None:
                less, holds = b.new_name(), b.new_name()
                b.add_line(f"{less} = arith.cmpi slt, {entries[0]}, {limit} : index")
                b.add_line(f"{holds} = arith.andi {less}, {entries[1]} : i1")
            b.add_line(f"scf.condition({holds}) {', '.join(entries)} : {', '.join(types)}")
        name = b.new_name()
        initial = ", ".join(f"{e} = {v}" for e, v in zip(entries, [zero, first, *begin]))
        listed = ", ".join(types)
        inner = ", ".join(f"{n}: {t}" for n, t in zip([at, going, *(g.name for g in given)], types))
        yielded = f"scf.yield {', '.join([following, more, *names])} : {listed}"
        b.add_nested(
            f"{name}:{len(types)} = scf.while ({initial}) : ({listed}) -> ({listed}) {{", test,
            "} do {", [f"^bb0({inner}):", *lines, *behind, yielded], "}",
        )  # fmt: skip
        return [Value(b, f"{name}#{i + 2}", v.element, s) for i, (v, s) in enumerate(zip(self.start, shapes))]

    def _first(self) -> str:
        """Whether there is a first step, but for the number of steps."""
        b = self.c.builder
        name = b.new_name()
        if self.go is None:
            b.add_line(f"{name} = arith.constant true")
        else:
            b.add_line(f"{name} = tensor.extract {self.go.name}[] : {self.go.type}")
        return name
