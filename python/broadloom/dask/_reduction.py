"""Reductions of blocks, as a tree."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from ._blocks import as_axes
from ._functions import Shapes, block_like, check_chunks, check_types, name_operands, result_types, to_function


def _join(parts: Any, axes: Sequence[int]) -> Any:
    """Joins partial results, in lists of lists along the axes, to one array."""
    if not isinstance(parts, list):
        return parts
    joined = [_join(part, axes[1:]) for part in parts]
    return joined[0] if len(joined) == 1 else np.concatenate(joined, axes[0])


def _pick(parts: Any, number: int) -> Any:
    """Returns one of several partial results, in the same lists."""
    return [_pick(part, number) for part in parts] if isinstance(parts, list) else parts[number]


class Step:
    """A function that Dask calls with one block, or with partial results in lists."""

    def __init__(self, function: Any, count: int, last: Any = None, squeeze: bool = False) -> None:
        self.function, self.count, self.last, self.squeeze = function, count, last, squeeze

    def __call__(
        self, parts: Any, axis: Any = None, keepdims: Any = None, computing_meta: Any = False, **rest: Any
    ) -> Any:
        axes = [axis] if isinstance(axis, int) else list(axis)
        if isinstance(parts, list):
            given = [_join(_pick(parts, n) if self.count > 1 else parts, axes) for n in range(self.count)]
        else:
            given = list(parts) if isinstance(parts, tuple) else [parts]
        found = self.function(*given)
        if self.last is not None:
            found = self.last(*(found if isinstance(found, tuple) else (found,)))
        return np.squeeze(found, tuple(axes)) if self.squeeze else found

    def __dask_tokenize__(self) -> Any:
        return (type(self).__name__, self.function, self.count, self.last, self.squeeze)


def reduce_blocks(chunk: Any, combine: Any, x: Any, axis: Any, final: Any, keepdims: bool, split_every: Any) -> Any:
    """Does as reduction."""
    x = x if isinstance(x, da.Array) else da.from_array(np.asarray(x), chunks=-1)
    check_chunks(x, "the array")
    axes = list(range(x.ndim)) if axis is None else as_axes(axis, x.ndim)
    first = to_function(chunk, [block_like(x.dtype, x.ndim)])
    check_types(first, [x.dtype], [x.ndim], name_operands(chunk, 1))
    partial = result_types(first)
    examples = [block_like(dtype, x.ndim) for dtype in partial]
    merge = to_function(combine, examples)
    check_types(merge, partial, [x.ndim] * len(partial), name_operands(combine, len(partial)))
    if result_types(merge) != partial:
        raise TypeError(f"{merge.__name__} gives {_list(result_types(merge))} of partial results of {_list(partial)}")
    last = None if final is None else to_function(final, examples)
    if last is None and len(partial) > 1:
        raise TypeError(f"{first.__name__} gives {len(partial)} partial results; final= makes one of them")
    if last is not None:
        check_types(last, partial, [x.ndim] * len(partial), name_operands(final, len(partial)))
    blocks = _check_shapes(x, axes, first, merge, last)
    dtype = partial[0] if last is None else result_types(last)[0]
    made = da.reduction(
        x,
        Step(first, 1),
        Step(merge, len(partial), last),
        axis=tuple(axes),
        keepdims=True,
        combine=Step(merge, len(partial)),
        split_every=split_every,
        concatenate=False,
        dtype=dtype,
        meta=np.empty((0,) * x.ndim, dtype),
    )
    made._chunks = tuple((1,) if a in axes else blocks[a] for a in range(x.ndim))
    return made if keepdims else da.squeeze(made, tuple(axes))


def _list(dtypes: Sequence[np.dtype[Any]]) -> str:
    return ", ".join(map(str, dtypes))


def _check_shapes(x: da.Array, axes: Sequence[int], first: Any, merge: Any, last: Any) -> dict[int, tuple[Any, ...]]:
    """Returns the chunks of the axes that stay. Partial results have extent 1 along the others."""
    blocks: dict[int, dict[int, int]] = {axis: {} for axis in range(x.ndim) if axis not in axes}
    shapes_of, merged_shapes_of = Shapes(first), Shapes(merge)
    last_shapes_of = None if last is None else Shapes(last)
    for block in itertools.product(*map(range, x.numblocks)):
        shape = tuple(x.chunks[axis][at] for axis, at in enumerate(block))
        found = shapes_of((shape,))
        for number, part in enumerate(found):
            _check_partial(first, number, part, axes, x.ndim)
        many = tuple(tuple(2 * n if axis in axes else n for axis, n in enumerate(part)) for part in found)
        for number, part in enumerate(merged_shapes_of(many)):
            _check_partial(merge, number, part, axes, x.ndim)
            if part != found[number]:
                raise ValueError(
                    f"result {number} of {merge.__name__} has the shape {part} for partial results of {found[number]}"
                )
        result = found[0] if last_shapes_of is None else last_shapes_of(tuple(found))[0]
        _check_partial(last or first, 0, result, axes, x.ndim)
        for axis in blocks:
            blocks[axis].setdefault(block[axis], result[axis])
    return {axis: tuple(sizes[step] for step in sorted(sizes)) for axis, sizes in blocks.items()}


def _check_partial(function: Any, number: int, shape: tuple[Any, ...], axes: Sequence[int], rank: int) -> None:
    if len(shape) != rank or any(shape[axis] != 1 for axis in axes):
        raise ValueError(
            f"result {number} of {function.__name__} has the shape {shape}, but partial results have {rank} axes, "
            f"and extent 1 along axis {', '.join(map(str, axes))}"
        )
