"""Branches and loops of torch.export: operations that take graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._program import Extent, Value
from .._tensors._regions import choose_between, inside, joining, repeat
from .._tensors._tensor import Number, Tensor, from_value, to_value
from ._context import Context, Unsupported, operation
from ._graph import Graph, Type


def _values(c: Context, operands: Sequence[Any], what: str) -> list[Value]:
    """Returns operands, or results of a graph, as values."""
    for operand in operands:
        if operand is None or isinstance(operand, (bool, float, program.Real)):
            raise Unsupported(f"{what} {operand!r}, which is no tensor and no integer; give a tensor")
    return [program.scalar(c.builder, o, "i64") if _is_number(o) else to_value(c.tensor(o)) for o in operands]


def _is_number(operand: Any) -> bool:
    return isinstance(operand, (int, Extent))


def _holds(c: Context, condition: Any) -> str:
    """Returns the name of the i1 that a condition is."""
    if isinstance(condition, Extent):
        return program.compare("ne", condition, 0)
    if isinstance(condition, (bool, int)):
        return program.truth(c.builder, bool(condition))
    return program.extract(program.cast(program.reshape(to_value(c.tensor(condition)), []), "i1"))


@operation("higher_order.cond")
def _cond(c: Context, condition: Any, then: Graph, otherwise: Graph, operands: Sequence[Any] = ()) -> tuple[Any, ...]:
    if isinstance(condition, (bool, int)):
        return tuple(c.import_inner(then if condition else otherwise, operands))
    holds = _holds(c, condition)
    outside, graphs = program.Outside(c.builder), []
    for graph in (then, otherwise):
        with inside(c) as lines:
            graphs.append((lines, _values(c, c.import_inner(graph, operands), "a branch gives")))
    return _as_typed(c, choose_between(c, holds, graphs, outside))


def _as_typed(c: Context, values: Sequence[Value]) -> tuple[Any, ...]:
    """Returns results as tensors, or as the numbers that the graph says them to be."""
    made: list[Any] = []
    for value, type_ in zip(values, c.node.types):
        is_number = isinstance(type_, Type) and type_.element in ("int", "bool")
        made.append(program.to_number(value) if is_number else from_value(value))
    return tuple(made)


@operation("higher_order.while_loop")
def _while_loop(
    c: Context, test: Graph, body: Graph, carried: Sequence[Any], others: Sequence[Any] = ()
) -> tuple[Any, ...]:
    numbers = [_is_number(operand) for operand in carried]
    start = _values(c, carried, "a loop carries")

    def given(values: Sequence[Value]) -> list[Any]:
        pairs = zip(values, numbers)
        return [*(program.to_number(v) if is_number else from_value(v) for v, is_number in pairs), *others]

    def step(values: list[Any]) -> list[Value]:
        return _values(c, c.import_inner(body, given(values)), "a loop's body gives")

    def go(values: list[Any]) -> str:
        (holds,) = c.import_inner(test, given(values))
        return _holds(c, holds)

    with joining():
        return _as_typed(c, program.repeat_while(c.builder, start, go, step, lambda: inside(c)))


def _rows(c: Context, body: Graph, start: Sequence[Any], rows: Sequence[Any], others: Sequence[Any]) -> tuple[Any, ...]:
    """Runs a graph for each row of tensors; it gives what the next step is given, and rows of results."""
    p = program
    values = _values(c, rows, "a loop is given")
    if not values:
        raise Unsupported("a loop over no tensors")
    count, carries = p.extent(values[0], 0), len(start)
    for value in values[1:]:
        p.require(c.builder, "eq", p.extent(value, 0), count, "a loop is over {0} rows, but over {1} rows of another")
    kinds = []
    for at in range(carries, len(c.node.types)):
        type_ = c.result_type(at)
        kinds.append((type_.element, c.numbers(type_.shape[1:])))

    def step(at: Number, carried: list[Any]) -> tuple[list[Value], list[Value]]:
        taken = [p.squeeze(p.take_slice(value, 0, at, 1), [0]) for value in values]
        found = c.import_inner(body, [*map(from_value, (*carried, *taken)), *others])
        made = _values(c, found, "a loop's body gives")
        return made[:carries], made[carries:]

    last, whole = repeat(c, count, _values(c, start, "a loop carries"), kinds, step)
    return tuple(map(from_value, (*last, *whole)))


@operation("higher_order.scan")
def _scan(
    c: Context, body: Graph, start: Sequence[Any], rows: Sequence[Any], others: Sequence[Any] = ()
) -> tuple[Any, ...]:
    return _rows(c, body, start, rows, others)


@operation("higher_order.map_impl")
def _map(c: Context, body: Graph, rows: Sequence[Any], others: Sequence[Any] = ()) -> tuple[Any, ...]:
    return _rows(c, body, [], rows, others)


@operation("higher_order.wrap_with_set_grad_enabled")
def _without_gradients(c: Context, is_enabled: bool, graph: Graph, *operands: Any) -> tuple[Any, ...]:
    return tuple(c.import_inner(graph, operands))


@operation("higher_order.invoke_subgraph")
def _invoke(c: Context, graph: Graph, identifier: str, *operands: Any) -> tuple[Tensor, ...]:
    return tuple(c.import_inner(graph, operands))
