"""Branches that give tensors of other numbers of axes: what is computed of these is imported in each branch, up to
results that both branches give with one type."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import _program as program
from .._program import Extent
from .._tensors._regions import choose_between, inside
from .._tensors._tensor import from_value
from ._context import Known, Tensor, Unsupported
from ._misfits import spell_input
from ._model import Graph, Node, Type
from ._order import read_by

if TYPE_CHECKING:
    from ._importer import Importer

#: How many nodes are looked at first; twice as many where they do not do.
_FIRST = 4


#: A result of which each branch gives another type: only nodes that are imported in the branches read it.
PARTED = object()


@dataclasses.dataclass
class Scope:
    """The nodes of a graph, and what is read of their results behind them."""

    nodes: Sequence[Node]
    outputs: Sequence[str] = ()
    #: What the model says of the outputs.
    types: Sequence[Any] = ()
    #: Whether all outputs must be there.
    is_strict: bool = True
    #: The lines of nodes in messages, by their identities.
    lines: Mapping[int, int] = dataclasses.field(default_factory=dict)
    #: Nodes that are imported already.
    done: set[int] = dataclasses.field(default_factory=set)


class _BranchResults:
    """The results of a branch and of the nodes behind it, where it is taken."""

    def __init__(self, c: Importer, branch: Graph, nodes: Sequence[Node]) -> None:
        outputs = [*c.node.outputs, *(name for node in nodes for name in node.outputs)]
        count, values = len(c.problems), c.values
        c.values = dict(values)
        try:
            with inside(c):
                c.values.update(zip(c.node.outputs, c.import_graph(branch)))
                c.import_nodes(Scope(nodes, outputs, is_strict=False))
                self.found: dict[str, Any] = {name: c.values.get(name) for name in outputs if name}
        finally:
            c.values = values
        #: Why the branch cannot be taken; empty where it can.
        self.problems = c.problems[count:]
        del c.problems[count:]

    def forget(self, nodes: Sequence[Node]) -> None:
        """Leaves out the problems of nodes, which they have in both branches."""
        places = [n.location for n in nodes]
        self.problems = [p for p in self.problems if not any(p[1] == at or p[1].startswith(f"{at},") for at in places)]


def _is_joint(one: Any, other: Any, outside: program.Outside) -> bool:
    """Tells whether two branches give a result of one type, or neither gives one. What is known at import has to be the
    same in both."""
    if one is other:
        return True
    if isinstance(one, Known) or isinstance(other, Known):
        return join_known(one, other, outside) is not None
    return (
        isinstance(one, Tensor) and isinstance(other, Tensor) and (one.rank, one.element) == (other.rank, other.element)
    )


def join_known(one: Any, other: Any, outside: program.Outside) -> Known | None:
    """Joins numbers and extents that both branches give; returns None where they differ."""
    if not (isinstance(one, Known) and isinstance(other, Known)):
        return None
    if (one.shape, one.element) != (other.shape, other.element):
        return None
    spelled = [[program.known(n) if isinstance(n, Extent) else n for n in known.items] for known in (one, other)]
    made = [(outside.number(a) if isinstance(a, str) else a) if a == b else None for a, b in zip(*spelled)]
    if None in made:
        return None
    array = one.array.copy()
    if not one.is_number:
        array.reshape(-1)[:] = made
    return Known(array, one.element)


def fork(c: Importer, holds: str, branches: Sequence[Graph]) -> list[Any]:
    """Imports an If whose branches give other types, and returns its results; those of the nodes behind it are entered
    where they are in both branches what they are in one. `holds` is the condition, an i1."""
    scope, node = c.scope, c.node
    at = next(i for i, other in enumerate(scope.nodes) if other is node)
    rest = [n for n in scope.nodes[at + 1 :] if id(n) not in scope.done]
    behind = _import_needed(c, scope, rest, set(node.outputs))
    c.place_node(node)
    outside, count, parted = program.Outside(c.builder), _FIRST, set()
    while True:
        looked = [_BranchResults(c, branch, behind[:count]) for branch in branches]
        one, other = (each.found for each in looked)
        parted = {name for name in one if not _is_joint(one[name], other[name], outside)}
        for each in looked:
            each.forget([n for n in behind[:count] if not parted & read_by(n)])
        if any(each.problems for each in looked):
            break
        if count >= len(behind) or not any(parted & read_by(n) for n in behind[count:]):
            break
        count *= 2
    broken = _by_declared_rank(scope, looked, parted)
    if all(broken):
        c.problems += looked[0].problems + looked[1].problems
        raise Unsupported(_describe_types(looked, node.outputs))
    if any(broken):
        return _take_one(c, holds, branches, looked, broken)
    inner = _with_dependencies([n for n in behind[:count] if parted & read_by(n)], behind[:count])
    others = [n for n in behind if not any(n is i for i in inner)]
    read = set(scope.outputs).union(*map(read_by, others))
    wanted = [name for n in (node, *inner) for name in n.outputs if name in read]
    lost = [name for name in wanted if name in parted and not _have_one_type(looked, name)]
    if lost and scope.is_strict:
        raise Unsupported(_describe_types(looked, lost))
    wanted = [name for name in wanted if name not in lost]
    known = {name: join_known(one[name], other[name], outside) for name in wanted}
    c.values.update({name: value for name, value in known.items() if value is not None})
    return _emit(c, holds, branches, inner, [name for name in wanted if known[name] is None])


def _with_dependencies(inner: Sequence[Node], behind: Sequence[Node]) -> list[Node]:
    """Returns the nodes, and those of `behind` that they need."""
    names, found = set().union(*map(read_by, inner)), []
    for node in reversed(behind):
        if any(node is n for n in inner) or names & set(node.outputs):
            found.append(node)
            names |= read_by(node)
    return found[::-1]


def _import_needed(c: Importer, scope: Scope, rest: Sequence[Node], names: set[str]) -> list[Node]:
    """Finds the nodes behind an If that depend on names, and so are imported in its branches. What these need besides
    is imported at once, but for other branches, which may give other types too."""
    forced: set[int] = set()
    while True:
        behind, reached = [], set(names)
        for node in rest:
            if id(node) in forced or reached & read_by(node):
                behind.append(node)
                reached |= set(node.outputs)
        needed = [n for n in _with_dependencies(behind, rest) if not any(n is b for b in behind)]
        branching = {id(n) for n in needed if n.operation == "If"}
        if not branching:
            break
        forced |= branching
    for node in needed:
        scope.done.add(id(node))
        c.import_line(node)
    return behind


def _by_declared_rank(scope: Scope, looked: Sequence[_BranchResults], parted: set[str]) -> list[bool]:
    """Finds which branches give an output another number of axes than the model declares."""
    for name, kind in zip(scope.outputs, scope.types):
        if name in parted and isinstance(kind, Type) and kind.shape is not None:
            for one in looked:
                value = one.found[name]
                if isinstance(value, (Tensor, Known)) and value.rank != len(kind.shape):
                    why = f"it has {value.rank} axes, but the model declares {len(kind.shape)}"
                    one.problems.append(("output", f"the output {name!r}", why))
    return [bool(one.problems) for one in looked]


def _have_one_type(looked: Sequence[_BranchResults], name: str) -> bool:
    values = [one.found[name] for one in looked]
    return all(isinstance(v, (Tensor, Known)) for v in values) and len({(v.rank, v.element) for v in values}) == 1


def _describe_types(looked: Sequence[_BranchResults], names: Sequence[str]) -> str:
    name = next((n for n in names if not _have_one_type(looked, n)), names[0])
    one, other = (spell_input(each.found[name]) for each in looked)
    return (
        f"its branches give {one} and {other} as {name!r}, of which one result cannot be made; give shapes= or "
        "constants= that decide its condition"
    )


def _take_one(
    c: Importer, holds: str, branches: Sequence[Graph], looked: Sequence[_BranchResults], broken: Sequence[bool]
) -> list[Any]:
    """Returns the results of the only branch whose results the nodes behind it can take; a call checks that it is that
    one."""
    b, taken = c.builder, broken.index(False)
    _, where, why = looked[1 - taken].problems[0]
    if taken == 1:
        yes = b.add("arith.constant true")
        condition = b.add("arith.xori {}, {} : i1", holds, yes)
        holds = condition
    told = f"its {('else', 'then')[taken]} branch cannot be taken: {where}: {why}"
    b.require(holds, program.escape_message(told))
    return c.import_graph(branches[taken])


def _emit(
    c: Importer, holds: str, branches: Sequence[Graph], inner: Sequence[Node], wanted: Sequence[str]
) -> list[Any]:
    """Emits both branches with the nodes, and enters the wanted results."""
    scope, node, outside = c.scope, c.node, program.Outside(c.builder)
    graphs = []
    for branch in branches:
        values, c.values = c.values, dict(c.values)
        try:
            with inside(c) as lines:
                c.values.update(zip(node.outputs, c.import_graph(branch)))
                c.import_nodes(Scope(inner, wanted, lines=scope.lines))
                graphs.append((lines, [c.value(c.values[name]) for name in wanted]))
        finally:
            c.values = values
    scope.done.update(map(id, inner))
    c.place_node(node)
    c.values.update(zip(wanted, map(from_value, choose_between(c, holds, graphs, outside))))
    return [c.values.get(name, PARTED) for name in node.outputs]
