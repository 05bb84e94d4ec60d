"""Forms of operators that opsets 1 to 6 have: operands that broadcast from a named axis on, and attributes that are
inputs in newer opsets."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import _program as program
from .._program import Value
from .._tensors._fits import require_extents
from .._tensors._regions import inside, repeat
from .._tensors._tensor import Number, Tensor, from_value
from . import (  # noqa: F401  # What they enter has older forms here.
    _activations,
    _elementwise,
    _images,
    _layout,
    _norms,
    _parts,
    _pools,
    _products,
    _recurrent,
    _reductions,
    _resize,
)
from ._arrays import ELEMENTS
from ._context import OPERATORS, Context, Operand, Rule, Unsupported, from_rank, known_numbers, operator
from ._control import _find_row_shape, _scan
from ._elementwise import cast_to
from ._layout import extents_of, reshape
from ._model import Graph

if TYPE_CHECKING:
    from ._importer import Importer

#: ONNX's numbers of the names that Cast has.
_NAMES = {
    "FLOAT": 1, "UINT8": 2, "INT8": 3, "UINT16": 4, "INT16": 5, "INT32": 6, "INT64": 7, "BOOL": 9, "FLOAT16": 10,
    "DOUBLE": 11, "UINT32": 12, "UINT64": 13,
}  # fmt: skip


def _oldest(name: str) -> Rule:
    rules = OPERATORS["", name]
    return rules[min(rules)]


def _ignoring(rule: Rule, *names: str) -> Rule:
    """Returns the rule with attributes more, which change nothing: integers, or lists of them."""

    def wider(c: Context, *operands: Any, **attributes: Any) -> Any:
        return rule(c, *operands, **{key: value for key, value in attributes.items() if key not in names})

    own = inspect.signature(rule)
    kinds = {name: "Sequence[int]" if name == "consumed_inputs" else "int" for name in names}
    only = inspect.Parameter.KEYWORD_ONLY
    more = [inspect.Parameter(name, only, default=None, annotation=kind) for name, kind in kinds.items()]
    wider.__signature__ = own.replace(parameters=[*own.parameters.values(), *more])  # type: ignore[attr-defined]
    return wider


def _enter_ignoring(name: str, *attributes: str, since: int = 1) -> None:
    """Enters the oldest rule of an operator for older opsets, where it has attributes that say nothing."""
    rules, rule = OPERATORS["", name], _oldest(name)
    if min(rules) <= since:
        rules[6] = rule
    rules[since] = _ignoring(rule, *attributes)


for _name in (
    "Abs", "Ceil", "Clip", "Elu", "Exp", "Floor", "HardSigmoid", "InstanceNormalization", "LeakyRelu", "Log", "Max",
    "Mean", "Min", "Neg", "Reciprocal", "Relu", "Selu", "Sigmoid", "Sqrt", "Sum", "Tanh",
):  # fmt: skip
    # Which inputs a result may be written over.
    _enter_ignoring(_name, "consumed_inputs")
_enter_ignoring("AveragePool")
_enter_ignoring("BatchNormalization", "is_test", "consumed_inputs")
_enter_ignoring("Dropout", "is_test", "consumed_inputs")
_enter_ignoring("Gemm", "broadcast")
for _name in ("GRU", "LSTM", "RNN"):
    # The results that a node names are computed.
    _enter_ignoring(_name, "output_sequence")


# Operands that broadcast.


def _spread_from(c: Context, x: Operand, y: Operand, axis: int | None, broadcast: int) -> Any:
    """Gives the second operand the axes of the first that its own are: from an axis on, or the last ones."""
    if not broadcast:
        require_extents(c, y, extents_of(x), "second input")
        return y
    first = x.rank - y.rank if axis is None else from_rank(axis, x.rank)
    if first < 0 or first + y.rank > x.rank:
        raise ValueError(f"{y.rank} axes from axis {first} on do not fit {x.rank} axes")
    return reshape(c, y, [*extents_of(y), *[1] * (x.rank - first - y.rank)])


def _enter_broadcast(name: str) -> None:
    rule = _oldest(name)

    @operator(name)
    def old(
        c: Context,
        x: Operand,
        y: Operand,
        *,
        axis: int | None = None,
        broadcast: int = 0,
        consumed_inputs: Sequence[int] | None = None,
    ) -> Any:
        return rule(c, x, _spread_from(c, x, y, axis, broadcast))


for _name in ("Add", "And", "Div", "Equal", "Greater", "Less", "Mul", "Or", "Pow", "Sub", "Xor"):
    _enter_broadcast(_name)

_prelu = _oldest("PRelu")


@operator("PRelu")
def _old_prelu(c: Context, x: Operand, slope: Operand, *, consumed_inputs: Sequence[int] | None = None) -> Any:
    if slope.rank == 1 and x.rank > 1:
        slope = reshape(c, slope, [extents_of(slope)[0], *[1] * (x.rank - 2)])
    return _prelu(c, x, slope)


# Attributes that newer opsets have as inputs, or with other names.

_concat, _tile, _pad = (_oldest(name) for name in ("Concat", "Tile", "Pad"))
_lp_pool, _global_lp_pool = (_oldest(name) for name in ("LpPool", "GlobalLpPool"))
_reshape, _upsample, _split = (_oldest(name) for name in ("Reshape", "Upsample", "Split"))


@operator("Cast")
def _old_cast(c: Context, x: Operand, *, to: str | int) -> Any:
    number = _NAMES.get(to, 0) if isinstance(to, str) else to
    if number not in ELEMENTS:
        raise Unsupported(f"programs have no elements of ONNX's type {to}")
    return cast_to(c, x, number)


@operator("Concat")
def _old_concat(c: Context, *operands: Operand, axis: int = 1) -> Any:
    return _concat(c, *operands, axis=axis)


# The order of a norm is a fraction there, and an integer in newer opsets.


@operator("GlobalLpPool")
def _old_global_lp_pool(c: Context, x: Operand, *, p: float = 2.0) -> Any:
    return _global_lp_pool(c, x, p=p)


@operator("LpPool")
def _old_lp_pool(
    c: Context,
    x: Operand,
    *,
    kernel_shape: Sequence[int],
    auto_pad: str = "NOTSET",
    p: float = 2.0,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Any:
    return _lp_pool(c, x, kernel_shape=kernel_shape, auto_pad=auto_pad, p=p, pads=pads, strides=strides)


@operator("Pad")
def _old_pad(c: Context, x: Operand, *, paddings: Sequence[int], mode: str = "constant", value: float = 0.0) -> Any:
    return _pad(c, x, pads=paddings, mode=mode, value=value)


@operator("Reshape")
def _old_reshape(c: Context, x: Operand, *, shape: Sequence[int], consumed_inputs: Sequence[int] | None = None) -> Any:
    return _reshape(c, x, known_numbers(list(shape)))


@operator("Split")
def _old_split(
    c: Context, x: Operand, sizes: Operand | None = None, *, axis: int = 0, split: Sequence[int] | None = None
) -> Any:
    given: Any = split if sizes is None else c.numbers(sizes, "split")
    return _split(c, x, axis=axis, split=given)


OPERATORS["", "Split"][2] = _split


@operator("Tile")
def _old_tile(c: Context, x: Operand, tiles: Operand, axis: Operand) -> Any:
    repeats: list[Number] = [1] * x.rank
    (at,) = c.integers(axis, "axis")
    repeats[from_rank(at, x.rank)] = c.count(tiles, "number of tiles")
    return _tile(c, x, known_numbers(repeats))


@operator("Upsample")
def _old_upsample(c: Context, x: Operand, *, height_scale: float, width_scale: float, mode: str = "nearest") -> Any:
    if x.rank != 4:
        raise ValueError(f"its input has {x.rank} axes, not 4")
    return _upsample(c, x, scales=[1.0, 1.0, height_scale, width_scale], mode=mode)


@operator("Scan", since=8)
def _batched_scan(
    c: Importer,
    lengths: Operand | None,
    *operands: Operand,
    body: Graph,
    num_scan_inputs: int,
    directions: Sequence[int] | None = None,
) -> list[Tensor]:
    """Scans each batch by itself: axis 0 is that of batches, and axis 1 that of steps."""
    p = program
    if lengths is not None:
        raise Unsupported("a scan with lengths of sequences; convert it with onnx.version_converter")
    values = [c.value(x) for x in operands]

    def scan(at: Number) -> list[Value]:
        taken = [from_value(p.squeeze(p.take_slice(x, 0, at, 1), [0])) for x in values]
        made = _scan(c, *taken, body=body, num_scan_inputs=num_scan_inputs, scan_input_directions=directions)
        return [c.value(x) for x in made]

    known = p.Outside(c.builder)
    with inside(c):
        rows = scan(p.Extent(c.builder, p.index(c.builder, 0)))
    # States keep their shapes; what the body gives of each step is known before.
    states = len(values) - num_scan_inputs
    kinds = [(x.element, p.extents(x)[1:]) for x in values[:states]]
    kinds += [(row.element, _find_row_shape(row, None, known)) for row in rows[states:]]
    _, whole = repeat(c, p.extent(values[0], 0), [], kinds, lambda at, _: ([], scan(at)))
    return [from_value(value) for value in whole]
