"""Compares what a model declares of its outputs with what it computes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import _program as program
from .._errors import CompileError, ShapeError
from .._tensors._formulas import compute_formula
from ._context import Known, Number, Operand
from ._layout import extents_of
from ._model import Graph, SequenceType, Type
from ._narrow_types import Narrow
from ._sequences import TensorSequence

if TYPE_CHECKING:
    from ._importer import Importer

#: Texts that exporters write for an extent without a name.
NO_NAMES = ("", "?", "None")
#: Names that PyTorch makes up for extents of outputs. It may give one name to several extents.
_MADE_UP = re.compile(r"\w+_dim_\d+")
_ADVICE = "; correct the model's output, or give bl.from_onnx check_outputs=False or broadloom-onnx --unchecked-outputs"


@dataclasses.dataclass
class Stated:
    """The extents that a model's names and formulas stand for, told by its inputs."""

    #: A number, or a value and the axis that has the extent.
    extents: dict[str, Any] = dataclasses.field(default_factory=dict)
    #: Whether the user has given extents that the model's own do not allow. What the model declares of outputs is
    #: about its own inputs, and says nothing then.
    is_replaced: bool = False
    #: The arguments that the program holds in bytes, by their numbers.
    narrow: dict[int, Narrow] = dataclasses.field(default_factory=dict)

    def enter(self, declared: int | str | None, value: Operand, axis: int) -> None:
        """Notes that an axis of an input has the extent of the program's `value`; the model declares another one, or
        the same."""
        own = value.shape[axis] if isinstance(value, Known) else value.value.extents[axis]
        if isinstance(declared, int):
            self.is_replaced |= own != declared
        elif isinstance(declared, str) and declared not in NO_NAMES:
            known, _, _ = self.extents.setdefault(declared, (own, value, axis))
            self.is_replaced |= known != own

    def numbers(self) -> dict[str, Number]:
        """Returns what names and formulas stand for."""
        return {name: extents_of(value)[axis] for name, (_, value, axis) in self.extents.items()}


def check_outputs(c: Importer, graph: Graph, stated: Stated, producers: Mapping[str, tuple[int, str]]) -> None:
    """Requires that the outputs have the types and the extents that the model declares; where the types do not tell, a
    call checks it. `producers` has the number and the label of the node that gives an output."""
    names = {} if stated.is_replaced else stated.numbers()
    free: dict[str, tuple[Number, str]] = {}
    for name, kind in zip(graph.outputs, graph.types):
        if not isinstance(kind, (Type, SequenceType)):
            continue
        number, label = producers.get(name, (0, f"output {name!r}"))
        c.builder.place(c.name if number else None, number, 1)
        with c.builder.naming(label):
            value = c.values[name]
            tensors = value.items if isinstance(value, TensorSequence) else [value]
            for at, tensor in enumerate(tensors):
                what = f"output {name!r}" + (f", tensor {at}" if isinstance(value, TensorSequence) else "")
                _check_type(c, what, tensor, kind)
                if kind.shape is not None and not stated.is_replaced:
                    # A name in the type of a sequence is not one number for all of its tensors.
                    shape = [n if isinstance(n, int) or isinstance(kind, Type) else None for n in kind.shape]
                    _check_extents(c, what, tensor, shape, names, free)
    c.builder.place(None)


def _check_type(c: Importer, what: str, tensor: Operand, kind: Type | SequenceType) -> None:
    if tensor.element != kind.element:
        raise CompileError(
            f"{c.name}: error: {what} has elements of {tensor.element}, but the model declares {kind.element}{_ADVICE}"
        )
    if kind.shape is not None and len(kind.shape) != tensor.rank:
        raise ShapeError(
            f"{c.name}: error: {what} has {tensor.rank} axes, but the model declares {len(kind.shape)}{_ADVICE}"
        )


def _check_extents(
    c: Importer,
    what: str,
    tensor: Operand,
    shape: Sequence[int | str | None],
    names: Mapping[str, Number],
    free: dict[str, tuple[Number, str]],
) -> None:
    for axis, (declared, own) in enumerate(zip(shape, extents_of(tensor))):
        where = program.escape_message(f"{what}, axis {axis}")
        if isinstance(declared, int):
            _require(c, where, own, declared, "the model declares {1}")
        elif declared is not None and declared not in NO_NAMES:
            spelled = program.escape_message(repr(declared))
            wanted = names[declared] if declared in names else compute_formula(declared, names)
            if wanted is not None:
                _require(c, where, own, wanted, f"the model declares {spelled}, which is {{1}}")
            elif not _MADE_UP.fullmatch(declared):
                # A name that no input has stands for one extent of the outputs.
                first, place = free.setdefault(declared, (own, where))
                _require(c, where, own, first, f"the model declares {spelled}, which is {{1}} at {place}")


def _require(c: Importer, where: str, own: Number, wanted: Number, told: str) -> None:
    """Adds a constraint, of numbers too, so that a report has what contradicts."""
    if not program.is_same(own, wanted):
        b, message = c.builder, f"{where} has the extent {{0}}, but {told}{_ADVICE}"
        numbers, holds = [program.index(b, n) for n in (own, wanted)], b.new_name()
        b.add("arith.cmpi eq, {}, {} : index", numbers[0], numbers[1], result=holds)
        b.require(holds, message, numbers)
