"""Attention of blocks: a mask of blocks for some heads says which keys each row of queries looks at."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _program as program
from .._program import Value
from .._tensors._fits import require_extents
from .._tensors._tensor import Number, Tensor, from_value
from ._context import Context, Operand, operator
from ._layout import extents_of
from ._microsoft import MICROSOFT
from ._microsoft_attention import Scores, join_heads
from ._microsoft_grouped import put_rows, read_total, rotate_both, split_operands


def _read_blocks(rows: NDArray[Any], columns: NDArray[Any], heads: int) -> NDArray[Any]:
    """Returns the mask of blocks of each layout, from where the columns of each row begin in a list."""
    if rows.ndim != 2 or columns.ndim != 2 or len(rows) != len(columns) or rows.shape[1] < 2:
        raise ValueError(
            f"block_row_indices have the shape {rows.shape} and block_col_indices {columns.shape}; they need a row for "
            "each layout"
        )
    layouts, blocks = len(rows), rows.shape[1] - 1
    if heads % layouts:
        raise ValueError(f"{heads} heads are no multiple of {layouts} layouts of blocks")
    if (np.diff(rows) < 0).any() or (rows < 0).any() or (rows > columns.shape[1]).any():
        raise ValueError(f"block_row_indices must not fall, and lie between 0 and {columns.shape[1]}")
    mask = np.zeros((layouts, blocks, blocks), bool)
    for layout in range(layouts):
        for row in range(blocks):
            found = columns[layout, rows[layout, row] : rows[layout, row + 1]]
            if ((found < 0) | (found >= blocks)).any():
                raise ValueError(f"block_col_indices of row {row} are {found.tolist()}, but there are {blocks} blocks")
            mask[layout, row, found] = True
    return mask


def _spread(c: Context, mask: NDArray[Any], places: Value, keys: Number, heads: int, size: int) -> Value:
    """Returns which keys count, [batch, heads, rows, keys], for rows at places, [batch, rows]."""
    p, b = program, c.builder
    layouts, blocks, _ = mask.shape
    # A head has the layout of its number.
    whole = b.constant(mask[np.arange(heads) % layouts], "i1")
    rows = p.take(whole, p.minimum(p.truncate_divide(places, size), blocks - 1), 1, from_end=False)
    columns = p.minimum(p.truncate_divide(p.iota(b, keys, "i64"), size), blocks - 1)
    return p.transpose(p.take(rows, columns, 3, from_end=False), [1, 0, 2, 3])


@operator("SparseAttention", domain=MICROSOFT)
def _sparse_attention(
    c: Context,
    query: Operand,
    key: Operand | None,
    value: Operand | None,
    past_key: Operand,
    past_value: Operand,
    block_row_indices: Operand,
    block_col_indices: Operand,
    total_sequence_length: Operand,
    key_total_sequence_lengths: Operand,
    cos_cache: Operand | None = None,
    sin_cache: Operand | None = None,
    *,
    num_heads: int,
    kv_num_heads: int,
    sparse_block_size: int,
    do_rotary: int = 0,
    rotary_interleaved: int = 0,
    scale: float = 0.0,
) -> tuple[Tensor, ...]:
    p, b = program, c.builder
    if sparse_block_size < 1:
        raise ValueError(f"its sparse_block_size is {sparse_block_size}, not 1 or more")
    given = (c.constant(block_row_indices, "block_row_indices"), c.constant(block_col_indices, "block_col_indices"))
    mask = _read_blocks(*given, num_heads)
    q, k, v = split_operands(c, query, key, value, num_heads, kv_num_heads)
    batch, _, length, _ = p.extents(q)
    have = extents_of(past_key)[2]
    require_extents(c, past_value, [None, None, have, None], "past_value")
    most = mask.shape[1] * sparse_block_size
    p.require(b, "sle", have, most, "the past_key has {0} rows, but the blocks are {1}")
    total = read_total(c, total_sequence_length)
    p.require(b, "sle", total, have, "the total_sequence_length is {0}, but the past_key has {1} rows")
    require_extents(c, key_total_sequence_lengths, [batch], "key_total_sequence_lengths")
    lengths = p.cast(c.value(key_total_sequence_lengths), "i64")
    is_total = p.equal(lengths, p.scalar(b, total, "i64"))
    message = "key_total_sequence_lengths must be the total_sequence_length: batches of other lengths are not imported"
    p.require_true(p.reduce("all", is_total), message)
    p.require(b, "sge", total, length, "the total_sequence_length is {0}, but there are {1} queries")
    starts = p.subtract(lengths, length)
    places = p.add(p.expand(starts, [1]), p.iota(b, length, "i64", axis=1, rank=2))
    if do_rotary:
        q, k = rotate_both(c, (q, k), cos_cache, sin_cache, places, rotary_interleaved)
    k = put_rows(c, past_key, k, starts, have, "past_key")
    v = put_rows(c, past_value, v, starts, have, "past_value")
    scores = Scores(c, q, k, scale)
    scores.keep(_spread(c, mask, places, have, num_heads, sparse_block_size))
    scores.limit(p.expand(starts, [1, 2, 3]))
    made = (join_heads(scores.apply(v)), k, v)
    return tuple(map(from_value, made[: max(c.outputs, 1)]))
