"""Products of matrices, and attention."""

from __future__ import annotations

from typing import Any

from .. import _program as program
from .._program import Value, is_same
from ._making import Maker, elementwise
from ._sums import cast, softmax, wide_type
from ._tensor import Number, Operand, Tensor, align, from_value, to_value
from ._views import add_axis, expand, matrix_indices, view
from ._windows import contract, is_summed


def scale(value: Value, factor: Any) -> Value:
    """Multiplies a value by a number, unless the number is 1."""
    if factor != 1:
        value = program.multiply(value, float(factor) if program.is_float(value.element) else factor)
    return value


def linear(c: Maker, x: Tensor, weight: Operand, bias: Operand | None) -> Tensor:
    """Multiplies x by the weight `[channels, sums]` and adds a bias. Where types allow, the axes before the last stay
    as they are."""
    weight, bias = c.tensor(weight), None if bias is None else c.tensor(bias)
    if not is_summed(x.element) or x.rank < 2:
        result = from_value(program.matmul(to_value(x), to_value(weight)))
        if bias is not None:
            values, order = align([result, bias])
            result = Tensor(program.add(*values), order)
        return result
    return from_value(contract(to_value(x), to_value(weight), None if bias is None else to_value(bias)))


def matmul(x: Tensor, y: Tensor) -> Tensor:
    """Multiplies x by y. Where the last two axes of y stand in the other order, the product reads them so."""
    if y.rank < 3 or y.order[-2] < y.order[-1]:
        return from_value(program.matmul(to_value(x), to_value(y)))
    turned = Tensor(y.value, (*y.order[:-2], y.order[-1], y.order[-2]))
    return from_value(program.matmul(to_value(x), to_value(turned), turned=True))


def attend(
    c: Maker,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Operand | None,
    causal: bool,
    scale: float | None,
    grouped: bool,
    safe: bool = True,
    softcap: float | None = None,
) -> Tensor:
    """Computes softmax(q k^T scale + mask) v; with a soft cap c, scores s are c tanh(s / c). Rows that
    are masked as a whole give 0, or NaN where it is not `safe`."""
    p = program
    element = q.element
    if grouped and not is_same(q.extent(-3), k.extent(-3)):
        k, v = (repeat_heads(c, part, q.extent(-3)) for part in (k, v))
    turned = Tensor(k.value, (*k.order[:-2], k.order[-1], k.order[-2]))
    score = matmul(q, turned)
    score = cast(score, wide_type(element))
    if scale is not None:
        score = from_value(p.multiply(score.value, float(scale)))
    elif (size := q.known(-1)) is not None:
        score = from_value(p.multiply(score.value, max(size, 1) ** -0.5))
    else:
        score = from_value(p.multiply(score.value, p.rsqrt(c.scalar(q.extent(-1), score.element))))
    if softcap is not None:
        score = from_value(p.multiply(p.tanh(p.multiply(score.value, 1 / softcap)), softcap))
    least = float("-inf")
    if causal:
        rows, columns = matrix_indices(c, score)
        kept = p.less_equal(columns, rows)
        score = elementwise(c, lambda kept, s: p.select(kept, s, least), from_value(kept), score)
    if mask is not None:
        mask = c.tensor(mask)
        if mask.element == "i1":
            code = lambda m, s: p.select(m, s, least)
        else:
            code = lambda m, s: p.add(s, p.cast(m, s.element))
        score = elementwise(c, code, mask, score)
    weight = cast(softmax(score, score.rank - 1, safe=safe and mask is not None), element)
    return matmul(weight, v)


def repeat_heads(c: Maker, x: Tensor, heads: Number) -> Tensor:
    """Repeats the heads of keys or values, each of them for several queries."""
    own = x.extent(-3)
    times = heads // program.largest(own, 1)
    program.require(
        c.builder, "eq", times * own, heads, "{1} heads of the queries are no multiple of the heads of the keys"
    )
    wide = add_axis(x, x.rank - 2)
    shape = wide.extents
    shape[-3] = times
    target = x.extents
    target[-3] = heads
    return view(c, expand(c, wide, shape), target)
