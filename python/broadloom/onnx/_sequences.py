"""Sequences of tensors, whose count is known at import: programs have their tensors alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ._arrays import element_of
from ._context import Known, Operand, Tensor, Unsupported, from_rank, known_numbers, operator
from ._layout import extents_of, join, squeeze_axes, unsqueeze_axes
from ._model import Graph
from ._parts import split_axis
from ._single import take_condition

if TYPE_CHECKING:
    from ._importer import Importer

#: Operators that take sequences: those that hand on what they get, too.
TAKING = (
    "ConcatFromSequence",
    "Identity",
    "Loop",
    "Optional",
    "OptionalGetElement",
    "OptionalHasElement",
    "SequenceAt",
    "SequenceErase",
    "SequenceInsert",
    "SequenceLength",
    "SequenceMap",
)
#: The most steps of a loop that are imported one by one.
MOST_STEPS = 1024


@dataclasses.dataclass(frozen=True)
class TensorSequence:
    """The tensors of a sequence, and their element type."""

    items: tuple[Operand, ...]
    element: str

    def __str__(self) -> str:
        return f"{_spell_count(len(self.items))} of {self.element}"


def _spell_count(count: int) -> str:
    return f"a sequence of {count} tensor" + ("" if count == 1 else "s")


def refuse_sequences(operation: str, inputs: Sequence[Operand | TensorSequence | None]) -> None:
    """Raises an error where an operator of tensors is given a sequence."""
    if operation in TAKING:
        return
    for number, given in enumerate(inputs):
        if isinstance(given, TensorSequence):
            raise Unsupported(
                f"its input {number} is {given}, but it takes tensors; use SequenceAt or ConcatFromSequence"
            )


def take_apart(values: Sequence[Operand | TensorSequence]) -> tuple[list[tuple[int, str] | None], list[Operand]]:
    """Replaces sequences by their tensors; returns these, and of how many of which element type each sequence is: None
    for a tensor."""
    forms = [(len(v.items), v.element) if isinstance(v, TensorSequence) else None for v in values]
    return forms, [item for v in values for item in (v.items if isinstance(v, TensorSequence) else (v,))]


def put_together(forms: list[tuple[int, str] | None], tensors: Sequence[Operand]) -> list[Operand | TensorSequence]:
    """Makes sequences of their tensors again."""
    made: list[Operand | TensorSequence] = []
    rest = list(tensors)
    for form in forms:
        count = 1 if form is None else form[0]
        own, rest = rest[:count], rest[count:]
        made.append(own[0] if form is None else TensorSequence(tuple(own), form[1]))
    return made


def _to_sequence(given: TensorSequence) -> TensorSequence:
    if not isinstance(given, TensorSequence):
        raise ValueError("its first input is a tensor, but it takes a sequence")
    return given


def _tensor(given: Operand, element: str) -> Operand:
    """Returns a tensor that a sequence of this element type takes."""
    if isinstance(given, TensorSequence):
        raise ValueError("a sequence of sequences is none of tensors")
    if given.element != element:
        raise ValueError(f"a tensor of {given.element} is put into a sequence of {element}")
    return given


def _place(c: Importer, position: Operand, count: int, last: int) -> int:
    """Returns a position from 0 to `last`; negative ones count from the end."""
    (at,) = c.integers(position, "position")
    if not -count <= at <= last:
        raise ValueError(f"position {at} is outside of {_spell_count(count)}")
    return at + count if at < 0 else at


@operator("SequenceConstruct", since=11)
def _construct(c: Importer, *operands: Operand) -> TensorSequence:
    element = operands[0].element
    return TensorSequence(tuple(_tensor(o, element) for o in operands), element)


@operator("SequenceEmpty", since=11)
def _empty(c: Importer, *, dtype: int = 1) -> TensorSequence:
    return TensorSequence((), element_of(dtype))


@operator("SequenceAt", since=11)
def _at(c: Importer, sequence: TensorSequence, position: Operand) -> Operand:
    items = _to_sequence(sequence).items
    return items[_place(c, position, len(items), len(items) - 1)]


@operator("SequenceInsert", since=11)
def _insert(c: Importer, sequence: TensorSequence, tensor: Operand, position: Operand | None = None) -> TensorSequence:
    given = _to_sequence(sequence)
    items = list(given.items)
    at = len(items) if position is None else _place(c, position, len(items), len(items))
    items.insert(at, _tensor(tensor, given.element))
    return TensorSequence(tuple(items), given.element)


@operator("SequenceErase", since=11)
def _erase(c: Importer, sequence: TensorSequence, position: Operand | None = None) -> TensorSequence:
    given = _to_sequence(sequence)
    items = list(given.items)
    if position is None and not items:
        raise ValueError("the sequence is empty")
    del items[-1 if position is None else _place(c, position, len(items), len(items) - 1)]
    return TensorSequence(tuple(items), given.element)


@operator("SequenceLength", since=11)
def _length(c: Importer, sequence: TensorSequence) -> Known:
    return Known(np.array(len(_to_sequence(sequence).items), np.int64), "i64")


@operator("SplitToSequence", since=11)
def _split_to_sequence(
    c: Importer, x: Operand, split_sizes: Operand | None = None, *, axis: int = 0, keepdims: int = 1
) -> TensorSequence:
    axis = from_rank(axis, x.rank)
    if split_sizes is not None and split_sizes.rank == 1:
        parts = split_axis(c, x, c.numbers(split_sizes, "split"), axis, None)
        return TensorSequence(tuple(parts), x.element)
    whole = extents_of(x)[axis]
    if not isinstance(whole, int):
        raise Unsupported(
            f"how many tensors it gives is decided by the open extent of axis {axis}; give the extent with shapes=, or "
            "sizes as a list"
        )
    size = 1 if split_sizes is None else int(c.constant(split_sizes, "split").reshape(())[()])
    if size <= 0:
        raise ValueError(f"parts of size {size}")
    sizes = [min(size, whole - start) for start in range(0, whole, size)]
    parts = split_axis(c, x, sizes, axis, None) if sizes else []
    if split_sizes is None and not keepdims:
        parts = [squeeze_axes(c, part, [axis]) for part in parts]
    return TensorSequence(tuple(parts), x.element)


@operator("ConcatFromSequence", since=11)
def _concat_from_sequence(c: Importer, sequence: TensorSequence, *, axis: int, new_axis: int = 0) -> Operand:
    items = _to_sequence(sequence).items
    if not items:
        raise ValueError("nothing can be made of an empty sequence")
    if new_axis:
        items = [unsqueeze_axes(item, [axis]) for item in items]
    return join(c, *items, axis=axis)


@operator("SequenceMap", since=17)
def _map(c: Importer, sequence: TensorSequence, *others: Operand | TensorSequence, body: Graph) -> list[TensorSequence]:
    items = _to_sequence(sequence).items
    steps = []
    for number, item in enumerate(items):
        given = [item]
        for other in others:
            if not isinstance(other, TensorSequence):
                given.append(other)
            elif len(other.items) != len(items):
                raise ValueError(f"sequences of {len(items)} and of {len(other.items)} tensors")
            else:
                given.append(other.items[number])
        steps.append(c.import_graph(body, given))
    if not steps:
        raise Unsupported("an empty sequence, of whose results no element type is known")
    if not all(isinstance(made, (Tensor, Known)) for step in steps for made in step):
        # Those nodes have been told.
        raise Unsupported("")
    return [
        TensorSequence(tuple(_tensor(made, column[0].element) for made in column), column[0].element)
        for column in zip(*steps)
    ]


def picks_by_step(c: Importer, body: Graph) -> bool:
    """Tells whether the body of a loop picks a tensor of a sequence around it at a position that steps compute."""
    known = {name for node in body.nodes if node.operation == "Constant" for name in node.outputs} | set(body.constants)
    picked = [node.inputs for node in body.nodes if node.operation == "SequenceAt" and len(node.inputs) == 2]
    return any(
        isinstance(c.values.get(name), TensorSequence) and at not in known and not isinstance(c.values.get(at), Known)
        for name, at in picked
    )


def repeat_known(
    c: Importer, most: Operand | None, carried: Sequence[Operand | TensorSequence], body: Graph
) -> list[Operand | TensorSequence]:
    """Imports a loop with sequences, each step by itself."""
    if not isinstance(most, Known) or not most.is_number:
        raise Unsupported("a loop that carries a sequence, and whose number of steps is not a constant")
    count = int(most.array.item())
    if count > MOST_STEPS:
        raise Unsupported(
            f"a loop of {count} steps that carries a sequence; up to {MOST_STEPS} are imported one by one"
        )
    values, rows = list(carried), []
    for number in range(count):
        given = [known_numbers([number], shape=()), Known(np.array(True), "i1"), *values]
        goes_on, *made = c.import_graph(body, given)
        if not all(isinstance(v, (Tensor, Known, TensorSequence)) for v in (goes_on, *made)):
            raise Unsupported("")
        if not isinstance(goes_on, Known) or not goes_on.is_number:
            raise Unsupported("a loop that carries a sequence, and that its steps may end")
        # A condition that is known stays so.
        condition = take_condition(c, body, goes_on)
        values = made[: len(values)]
        if any(isinstance(row, TensorSequence) for row in made[len(values) :]):
            raise Unsupported("a loop collects tensors, and its graph gives a sequence to collect")
        rows.append([unsqueeze_axes(row, [0]) for row in made[len(values) :]])
        if isinstance(condition, Known) and not condition.array.item():
            break
    if not rows and len(body.outputs) - 1 > len(values):
        raise Unsupported("a loop of no steps that carries a sequence and collects results")
    return [*values, *(join(c, *column, axis=0) for column in zip(*rows))]
