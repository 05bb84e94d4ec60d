"""Attention, and the embedding of positions that goes with it."""

from __future__ import annotations

import math

from .. import _program as program
from .._program import Value
from .._tensors._fits import require_extents
from .._tensors._products import repeat_heads
from .._tensors._regions import either
from .._tensors._sums import wide_type
from .._tensors._tensor import Number, Tensor, from_value, to_value
from .._tensors._views import part, view
from ._activations import activate
from ._arrays import ELEMENTS
from ._context import Context, Operand, Unsupported, from_rank, operator
from ._data import require_within
from ._layout import extents_of

_LEAST = float("-inf")


def _split_heads(c: Context, x: Tensor, heads: int, what: str) -> Tensor:
    """Views [batch, length, heads * size] as [batch, heads, length, size]."""
    if x.rank == 4:
        return x
    if not heads:
        raise Unsupported("operands of three axes without q_num_heads and kv_num_heads")
    batch, length, whole = x.extents
    program.require(
        c.builder,
        "eq",
        whole // heads * heads,
        whole,
        f"axis 2 of {what} has the extent {{1}}, no multiple of {heads} heads",
    )
    wide = view(c, x, [batch, length, heads, whole // heads])
    return Tensor(wide.value, tuple(wide.order[axis] for axis in (0, 2, 1, 3)))


def _append(c: Context, past: Operand | None, x: Tensor) -> Tensor:
    return x if past is None else from_value(program.concat([c.value(past), to_value(x)], 2))


def _find_root(c: Context, scale: float | None, q: Tensor) -> Value | float:
    """Returns the root of the scale, by which both operands of the scores are multiplied."""
    p = program
    if scale is not None:
        return math.sqrt(scale)
    size = q.known(3)
    if size is not None:
        return math.pow(max(size, 1), -0.25)
    return p.cast(p.rsqrt(p.sqrt(c.scalar(q.extent(3), "f32"))), q.element)


class _Mask:
    """The scores that count: a condition, and a number that is added."""

    def __init__(self, c: Context, mask: Operand | None, score: Value) -> None:
        p = program
        self.c = c
        self.kept: Value | None = None
        self.added: Value | None = None
        rank = score.rank
        self.rows = p.iota(c.builder, p.extent(score, rank - 2), "i64", axis=0, rank=2)
        self.columns = p.iota(c.builder, p.extent(score, rank - 1), "i64", axis=1, rank=2)
        if mask is None:
            return
        value = c.value(mask)
        value = self._pad(value, p.extent(score, rank - 1))
        if value.element == "i1":
            self.kept = value
        else:
            self.added = value

    def _pad(self, value: Value, columns: Number) -> Value:
        """Extends a shorter mask, which keeps none of the others."""
        own = program.extent(value, -1)
        if program.is_same(own, columns) or (isinstance(own, int) and own == 1):
            return value
        none = [0] * value.rank
        more = [*none[:-1], program.largest(columns - own, 0)]
        return program.pad(value, none, more, False if value.element == "i1" else _LEAST)

    def keep(self, kept: Value) -> None:
        self.kept = kept if self.kept is None else program.bitwise_and(self.kept, kept)

    def apply(self, score: Value) -> Value:
        p = program
        if self.added is not None:
            score = p.add(score, p.cast(self.added, score.element))
        return score if self.kept is None else p.select(self.kept, score, _LEAST)


@operator("Attention", since=23)
def _attention(
    c: Context,
    q: Operand,
    k: Operand,
    v: Operand,
    mask: Operand | None = None,
    past_key: Operand | None = None,
    past_value: Operand | None = None,
    lengths: Operand | None = None,
    *,
    is_causal: int = 0,
    kv_num_heads: int = 0,
    q_num_heads: int = 0,
    qk_matmul_output_mode: int = 0,
    scale: float | None = None,
    softcap: float = 0.0,
    softmax_precision: int = 0,
    left_window_size: int = -1,
    right_window_size: int = -1,
) -> tuple[Tensor, ...]:
    p = program
    q = c.tensor(q)
    flat, element = q.rank == 3, q.element
    q = _split_heads(c, q, q_num_heads, c.named(0))
    k, v = (_split_heads(c, c.tensor(x), kv_num_heads, c.named(number)) for number, x in ((1, k), (2, v)))
    offset = 0 if past_key is None else c.tensor(past_key).extent(2)
    k, v = _append(c, past_key, k), _append(c, past_value, v)
    present = k, v
    require_extents(c, v, [None, k.extent(1), k.extent(2), None], "value")
    if not p.is_same(q.extent(1), k.extent(1)):
        k, v = (repeat_heads(c, x, q.extent(1)) for x in (k, v))
    root = _find_root(c, scale, q)
    turned = Tensor(k.value, (*k.order[:2], k.order[3], k.order[2]))
    score = p.matmul(*(p.multiply(to_value(x), root) for x in (q, turned)))
    modes = {0: score}
    if softcap:
        score = p.multiply(p.tanh(p.divide(score, softcap)), softcap)
    modes[1] = score
    shape = _Mask(c, mask, score)
    _limit(c, shape, is_causal, left_window_size, right_window_size, offset, lengths, *p.extents(score)[2:])
    score = shape.apply(p.cast(score, wide_type(element)))
    modes[2] = score
    wide = ELEMENTS[softmax_precision] if softmax_precision else score.element
    score = p.cast(score, wide if p.width(wide) >= 32 else "f32")
    largest = p.reduce("max", score, [3], keepdims=True)
    powers = p.exp(p.subtract(score, p.select(p.equal(largest, _LEAST), 0.0, largest)))
    total = p.reduce("sum", powers, [3], keepdims=True)
    weights = p.cast(p.divide(powers, p.select(p.equal(total, 0.0), 1.0, total)), element)
    modes[3] = weights
    made = from_value(p.matmul(weights, to_value(v)))
    if flat:
        turned = Tensor(made.value, (0, 2, 1, 3))
        batch, length, heads, own = turned.extents
        made = view(c, turned, [batch, length, heads * own])
    return (made, *present, from_value(p.cast(modes[qk_matmul_output_mode], element)))[: max(c.outputs, 1)]


def _limit(
    c: Context,
    shape: _Mask,
    causal: int,
    left: int,
    right: int,
    offset: Number,
    lengths: Operand | None,
    count: Number,
    columns: Number,
) -> None:
    """Keeps what is not ahead, in the window, and within the lengths."""
    p = program
    if lengths is not None:
        require_within(c, lengths, columns, "number of keys", "the number of all keys")
    where = None if lengths is None else p.expand(p.cast(c.value(lengths), "i64"), [1, 2, 3])
    # Where each row is among the columns.
    if where is None:
        at = p.add(shape.rows, offset)
    else:
        at = p.add(shape.rows, p.subtract(where, count))
    if causal:
        shape.keep(p.less_equal(shape.columns, at))
    if left >= 0:
        shape.keep(p.less_equal(p.subtract(at, shape.columns), left))
    if right >= 0:
        shape.keep(p.less_equal(p.subtract(shape.columns, at), right))
    if where is not None:
        shape.keep(p.less(shape.columns, where))


@operator("RotaryEmbedding", since=23)
def _rotary_embedding(
    c: Context,
    x: Operand,
    cos: Operand,
    sin: Operand,
    positions: Operand | None = None,
    *,
    interleaved: int = 0,
    num_heads: int = 0,
    rotary_embedding_dim: int = 0,
) -> Tensor:
    p = program
    given = c.tensor(x)
    x = _split_heads(c, given, num_heads, c.named(0))
    size = x.extent(3)
    count = rotary_embedding_dim or size
    p.require(c.builder, "eq", count // 2 * 2, count, "{1} elements are turned, which are no pairs")
    at = None if positions is None else c.tensor(positions)
    if at is not None:
        require_extents(c, at, [x.extent(0), x.extent(2)], "position_ids")
    angles = []
    for table, what in ((cos, "cos_cache"), (sin, "sin_cache")):
        rows = [None] if at is not None else [x.extent(0), x.extent(2)]
        require_extents(c, table, [*rows, count // 2], what)
        value = c.value(table)
        if positions is not None:
            value = p.take(value, c.value(positions), 0)
        angles.append(p.expand(value, [1]))
    turning = part(x, 3, 0, count)
    value = to_value(turning)
    if interleaved:
        halves = [p.slice_axis(value, 3, start, None, 2) for start in (0, 1)]
    else:
        halves = [p.take_slice(value, 3, start, count // 2) for start in (0, count // 2)]
    first, second = halves
    real = p.subtract(p.multiply(angles[0], first), p.multiply(angles[1], second))
    imaginary = p.add(p.multiply(angles[1], first), p.multiply(angles[0], second))
    if interleaved:
        shape = p.extents(value)
        made = p.reshape(p.concat([p.expand(v, [4]) for v in (real, imaginary)], 4), shape)
    else:
        made = p.concat([real, imaginary], 3)
    if not p.is_same(count, size):
        made = p.concat([made, to_value(part(x, 3, count, size - count))], 3)
    if given.rank == 4:
        return from_value(made)
    return view(c, Tensor(made, (0, 2, 1, 3)), given.extents)


@operator("TensorScatter", since=24)
def _tensor_scatter(
    c: Context,
    past: Operand,
    update: Operand,
    write_indices: Operand | None = None,
    *,
    axis: int = -2,
    mode: str = "linear",
) -> Tensor:
    p = program
    past, update = c.value(past), c.value(update)
    rank = past.rank
    axis = from_rank(axis, rank)
    size, count = p.extent(past, axis), p.extent(update, axis)
    require_extents(c, from_value(update), [None if a == axis else p.extent(past, a) for a in range(rank)], "update")
    if write_indices is not None:
        require_extents(c, write_indices, [p.extent(past, 0)], "write_indices")
    line = p.iota(c.builder, size, "i64", axis=axis, rank=rank)
    p.require(
        c.builder, "sle", count, size, "the update has {0} elements along the axis that it is written to, which has {1}"
    )
    if write_indices is not None:
        if mode == "linear":
            require_within(
                c, write_indices, size - count, "write index", "behind which the update reaches beyond the cache"
            )
        start = p.expand(p.cast(c.value(write_indices), "i64"), [a for a in range(rank) if a != 0])
        line = p.subtract(line, start)
    if mode == "circular":
        line = p.remainder(line, size)
    elif mode != "linear":
        raise Unsupported(f"its mode is 'linear' or 'circular', not {mode!r}")
    inside = p.bitwise_and(p.greater_equal(line, 0), p.less(line, count))

    def put() -> Value:
        at = p.broadcast_to(p.select(inside, line, 0), p.extents(past))
        return p.select(inside, p.gather_elements(update, at, axis), past)

    # An update of nothing has no element to read.
    return from_value(either(c, "sge", count, 1, put, lambda: past))


@operator("SwiGLU", since=28)
def _swiglu(c: Context, a: Operand, b: Operand, *, alpha: float = 1.0) -> Tensor:
    p = program
    require_extents(c, b, extents_of(a), "second operand")
    return activate(c, lambda a, b: p.multiply(p.multiply(a, p.sigmoid(p.multiply(a, alpha))), b), a, b)
