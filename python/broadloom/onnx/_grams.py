"""Counts of sequences of numbers among those of a list."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .. import _program as program
from .._program import Value
from .._tensors._tensor import Tensor, from_value
from ._context import Context, Operand, Unsupported, operator


@operator("TfIdfVectorizer", since=9)
def _tf_idf_vectorizer(
    c: Context,
    x: Operand,
    *,
    max_gram_length: int,
    max_skip_count: int,
    min_gram_length: int,
    mode: str,
    ngram_counts: Sequence[int],
    ngram_indexes: Sequence[int],
    pool_int64s: Sequence[int] | None = None,
    pool_strings: Sequence[str] | None = None,
    weights: Sequence[float] | None = None,
) -> Tensor:
    p, b = program, c.builder
    if pool_int64s is None:
        raise Unsupported("programs have no texts; give it numbers, with pool_int64s")
    if mode not in ("TF", "IDF", "TFIDF"):
        raise Unsupported(f"its mode is 'TF', 'IDF' or 'TFIDF', not {mode!r}")
    if x.rank not in (1, 2):
        raise ValueError(f"its input has {x.rank} axes, not 1 or 2")
    value = p.cast(c.value(x), "i64")
    rows = value if x.rank == 2 else p.expand(value, [0])
    groups = _read_groups(pool_int64s, ngram_counts)
    if sum(map(len, groups)) != len(ngram_indexes):
        raise ValueError(f"{sum(map(len, groups))} sequences in its pool, but {len(ngram_indexes)} ngram_indexes")
    found: list[Value] = []
    for length, grams in enumerate(groups, 1):
        if not len(grams):
            continue
        # The elements of a sequence may stand apart, all of them equally far.
        skips = range(max_skip_count + 1 if length > 1 else 1) if min_gram_length <= length <= max_gram_length else ()
        total = p.broadcast_to(c.scalar(0, "i64"), [p.extent(rows, 0), len(grams)])
        for skip in skips:
            total = p.add(total, _count(rows, b.constant(grams, "i64"), length, skip + 1))
        found.append(total)
    counts = p.concat([*found, p.broadcast_to(c.scalar(0, "i64"), [p.extent(rows, 0), 1])], 1)
    # A column without a sequence has the zeros behind them.
    places = np.full(max(ngram_indexes, default=-1) + 1, len(ngram_indexes), np.int64)
    places[list(ngram_indexes)] = np.arange(len(ngram_indexes))
    made = p.cast(counts, "f32")
    if mode == "IDF":
        made = p.cast(p.greater(counts, 0), "f32")
    if mode != "TF":
        given = np.ones(len(ngram_indexes)) if weights is None else np.array(weights)
        made = p.multiply(made, b.constant(np.append(given, 0).astype(np.float32), "f32"))
    made = p.take(made, b.constant(places, "i64"), 1)
    return from_value(made if x.rank == 2 else p.squeeze(made, [0]))


def _read_groups(pool: Sequence[int], starts: Sequence[int]) -> list[NDArray[np.int64]]:
    """Returns the sequences of each length, from 1 on."""
    ends = [*starts[1:], len(pool)]
    groups = []
    for length, (start, end) in enumerate(zip(starts, ends), 1):
        if not 0 <= start <= end <= len(pool) or (end - start) % length:
            raise ValueError(f"sequences of {length} numbers from element {start} to {end} of a pool of {len(pool)}")
        groups.append(np.array(pool[start:end], np.int64).reshape(-1, length))
    return groups


def _count(rows: Value, grams: Value, length: int, step: int) -> Value:
    """Counts each sequence in each row, where its elements are `step` apart: [rows, sequences]."""
    p = program
    places = p.largest(p.extent(rows, 1) - (length - 1) * step, 0)
    matches: Value | None = None
    for at in range(length):
        # Of rows that are too short, there is no element.
        start = p.smallest(at * step, p.extent(rows, 1))
        own = p.expand(p.take_slice(rows, 1, start, places), [2])
        wanted = p.squeeze(p.take_slice(grams, 1, at, 1), [1])
        equal = p.equal(own, wanted)
        matches = equal if matches is None else p.bitwise_and(matches, equal)
    assert matches is not None
    return p.sum(p.cast(matches, "i64"), [1])
