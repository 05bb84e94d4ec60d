"""Elements read as others of as many bits."""

from __future__ import annotations

from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._tensor import Tensor
from ._arrays import ELEMENTS, OTHERS
from ._context import Context, Known, Unsupported, operator


@operator("BitCast", since=26)
def _bit_cast(c: Context, x: Any, *, to: int) -> Tensor | Known:
    if to not in ELEMENTS:
        raise Unsupported(f"programs have no elements of ONNX's type {OTHERS.get(to, to)}")
    element = ELEMENTS[to]
    if _bits(x.element) != _bits(element):
        raise ValueError(
            f"elements of {x.element} have {_bits(x.element)} bits, and those of {element} {_bits(element)}"
        )
    if isinstance(x, Known) and x.is_number:
        given = x.array.astype(program.to_numpy(x.element))
        return Known(given.view(program.to_numpy(element)).reshape(given.shape), element)
    x = c.tensor(x)
    return Tensor(_read_as(x.value, element), x.order)


def _bits(element: str) -> int:
    # One of i1 is a byte in memory.
    return 8 if element == "i1" else program.width(element)


def _read_as(x: Value, element: str) -> Value:
    p = program
    source, target = x.element, element
    if element == "i1":
        return p.not_equal(_read_as(x, "ui8"), 0)
    if source == "i1":
        return _read_as(p.cast(x, "ui8"), element)
    if not p.is_float(source) and not p.is_float(target):
        return p.cast(x, target)
    if x.rank == 0:
        return p.squeeze(_read_as(p.expand(x, [0]), element), [0])
    types = f"{source.removeprefix('u')} to {target.removeprefix('u')}"
    return p.elements(
        x.builder,
        p.extents(x),
        target,
        [(x, range(x.rank))],
        lambda body, _, name: body.make("arith.bitcast {} : {}", name, types),
    )
