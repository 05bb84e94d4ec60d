"""Attention with functions of scores (flex_attention)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._tensors._products import matmul, repeat_heads
from .._tensors._sums import cast, log_sum_exp, softmax, wide_type
from .._tensors._tensor import Tensor, from_value, to_value
from ._context import Context, Missing, Unsupported, elementwise, operation
from ._graph import Graph

_BINARY = math.log(2)


def _mapped(c: Context, graph: Graph, operands: Sequence[Any], what: str) -> Tensor:
    """Applies a graph of one score to all of them."""
    (result,) = c.import_inner(graph, operands, is_mapped=True)
    if not isinstance(result, Tensor):
        result = from_value(c.scalar(result, c.node.types[0].element))
    if result.rank not in (0, 4):
        raise Unsupported(f"{what} gives {result.rank} axes for one score; it gives one number")
    return result


@operation("higher_order.flex_attention")
def _flex_attention(
    c: Context,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    score_mod: Graph,
    block_mask: Sequence[Any],
    scale: float,
    options: Any,
    score_buffers: Sequence[Any] = (),
    mask_buffers: Sequence[Any] = (),
) -> tuple[Tensor | Missing, ...]:
    """Computes softmax(score_mod(q k^T scale)) v where the mask's function holds; rows that are masked as a whole give
    0. Which blocks are empty is not asked."""
    p, wide = program, wide_type(q.element)
    k, v = (repeat_heads(c, x, q.extent(1)) for x in (k, v))
    turned = Tensor(k.value, (*k.order[:-2], k.order[-1], k.order[-2]))
    score = cast(matmul(q, turned), wide)
    score = elementwise(c, p.multiply, score, scale)
    places = []
    for axis in range(4):
        numbers = p.iota(c.builder, score.extent(axis), "i32", axis=0, rank=1)
        places.append(from_value(p.expand(numbers, [at for at in range(4) if at != axis])))
    changed = _mapped(c, score_mod, [score, *places, *score_buffers], "score_mod")
    kept = _mapped(c, block_mask[-1], [*places, *mask_buffers], "mask_mod")
    changed = cast(changed, wide)
    if changed.rank == 0:
        # The function gives the same number for all.
        changed = from_value(p.broadcast_to(to_value(changed), p.extents(to_value(score))))
    score = elementwise(c, lambda m, s: p.select(m, s, float("-inf")), kept, changed)
    weights = cast(softmax(score, 3, safe=True), q.element)
    result = matmul(weights, v)
    value = to_value(score)
    total = from_value(p.multiply(log_sum_exp(value, [3]), 1 / _BINARY)) if c.is_read(1) else Missing("its sums")
    most = (
        from_value(p.multiply(p.reduce("max", value, [3], False), 1 / _BINARY)) if c.is_read(2) else Missing("maxima")
    )
    return result, total, most
