"""Losses of classes that are known: the logarithms of probabilities, at the classes' places."""

from __future__ import annotations

from .. import _program as program
from .._program import Value
from .._tensors import _sums as sums
from .._tensors._fits import require_extents, require_numbers
from .._tensors._tensor import Tensor, from_value
from ._context import Context, Operand, Unsupported, operator
from ._layout import extents_of


def _pick(
    c: Context, logs: Value, target: Operand, weight: Operand | None, ignored: int | None, reduction: str
) -> Value:
    """Computes the loss from the logarithms of probabilities, of which axis 1 is the classes."""
    p = program
    if reduction not in ("none", "sum", "mean"):
        raise Unsupported(f"its reduction is 'none', 'sum' or 'mean', not {reduction!r}")
    if logs.rank < 2:
        raise ValueError(f"its first input has {logs.rank} axes, but at least 2 are needed")
    around = [n for axis, n in enumerate(p.extents(logs)) if axis != 1]
    require_extents(c, target, around, "list of classes")
    require_numbers(c, weight, p.extent(logs, 1), "weight", "classes")
    classes, kept = p.cast(c.value(target), "i64"), None
    if ignored is not None:
        kept = p.not_equal(classes, ignored)
        classes = p.select(kept, classes, 0)
    # A class that is ignored may be chosen of no classes; it is no element then.
    found = p.gather_elements(logs, p.expand(classes, [1]), 1, from_end=False)
    loss = p.negative(p.squeeze(found, [1]))
    share: Value | None = None
    if weight is not None:
        share = p.take(p.cast(c.value(weight), logs.element), classes, 0, from_end=False)
    elif kept is not None:
        share = p.cast(kept, logs.element)
    if share is not None:
        loss = p.multiply(loss, share)
    if kept is not None:
        # The logarithm of what is ignored may be an infinity.
        loss = p.select(kept, loss, 0.0)
        share = p.select(kept, share, 0.0) if share is not None else None
    if reduction == "none":
        return loss
    total = p.sum(loss)
    if reduction == "sum":
        return total
    return p.divide(total, p.count(loss) if share is None else p.sum(share))


@operator("NegativeLogLikelihoodLoss", since=12)
def _negative_log_likelihood(
    c: Context,
    x: Operand,
    target: Operand,
    weight: Operand | None = None,
    *,
    ignore_index: int | None = None,
    reduction: str = "mean",
) -> Tensor:
    wide = sums.wide_type(x.element)
    loss = _pick(c, program.cast(c.value(x), wide), target, weight, ignore_index, reduction)
    return from_value(program.cast(loss, x.element))


@operator("SoftmaxCrossEntropyLoss", since=12)
def _softmax_cross_entropy(
    c: Context,
    scores: Operand,
    target: Operand,
    weight: Operand | None = None,
    *,
    ignore_index: int | None = None,
    reduction: str = "mean",
) -> tuple[Tensor, ...]:
    if scores.rank < 2:
        raise ValueError(f"its first input has {len(extents_of(scores))} axes, but at least 2 are needed")
    wide = sums.wide_type(scores.element)
    logs = sums.log_softmax(from_value(program.cast(c.value(scores), wide)), 1)
    loss = _pick(c, c.value(logs), target, weight, ignore_index, reduction)
    made = (from_value(program.cast(loss, scores.element)), sums.cast(logs, scores.element))
    return made[: max(c.outputs, 1)]
