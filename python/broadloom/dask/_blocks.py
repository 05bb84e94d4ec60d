"""Functions of blocks, whose results are blocks."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from ._functions import (
    Shapes,
    argument_type,
    check_chunks,
    check_types,
    is_in_program,
    name_operands,
    result_types,
    to_function,
)


def as_axes(axes: int | Sequence[int], rank: int) -> list[int]:
    """Counts axes from 0, and sorts them."""
    axes = [operator.index(axis) for axis in np.atleast_1d(axes).tolist()]
    for axis in axes:
        if not -rank <= axis < rank:
            raise ValueError(f"axis {axis} is outside of {rank} axes")
    found = sorted(axis % rank for axis in axes)
    if len(set(found)) != len(found):
        raise ValueError(f"an axis is given twice: {axes}")
    return found


def _as_array(operand: Any) -> Any:
    if isinstance(operand, da.Array) or np.ndim(operand) == 0:
        return operand
    return da.from_array(np.asarray(operand), chunks=-1)


def apply_to_blocks(f: Any, arrays: Sequence[Any], drop_axis: Any, new_axis: Any) -> Any:
    """Does as map_blocks: the last axes of all operands have one index."""
    operands = [_as_array(a) for a in arrays]
    rank = max((np.ndim(a) for a in operands), default=0)
    labels = list(range(rank))
    pairs: list[Any] = []
    for operand in operands:
        axes = np.ndim(operand)
        pairs += [operand, tuple(labels[rank - axes :]) if axes else None]
    dropped = as_axes(drop_axis, rank) if rank else []
    out = [label for label in labels if label not in dropped]
    count = len([new_axis] if isinstance(new_axis, int) else list(new_axis))
    added = as_axes(new_axis, len(out) + count) if count else []
    for axis in added:
        out.insert(axis, rank + axis)
    for axis in dropped:
        for operand in operands:
            at = np.ndim(operand) - rank + axis
            if isinstance(operand, da.Array) and at >= 0 and operand.numblocks[at] > 1:
                raise ValueError(
                    f"axis {axis} has {operand.numblocks[at]} chunks and is to be dropped; rechunk it to one, "
                    "or use bl.dask.reduction"
                )
    return apply_by_indices(f, out, pairs, [rank + axis for axis in added])


def apply_by_indices(f: Any, out: Sequence[Any], operands: Sequence[Any], new_axes: Sequence[Any] = ()) -> Any:
    """Does as blockwise."""
    if len(operands) % 2:
        raise TypeError("operands and their indices are given in turn; those of a number are None")
    arrays = [_as_array(a) for a in operands[::2]]
    indices = [None if np.ndim(a) == 0 else tuple(i) for a, i in zip(arrays, operands[1::2])]
    names = name_operands(f, len(arrays))
    for name, array, index in zip(names, arrays, indices):
        if index is not None and len(index) != np.ndim(array):
            raise ValueError(f"{name} has {np.ndim(array)} axes, but the indices {index}")
    for name, array in zip(names, arrays):
        check_chunks(array, name)
    known = set().union(*(i for i in indices if i is not None))
    for label in out:
        if label not in known and label not in new_axes:
            raise ValueError(f"the index {label!r} of the result is none of an operand's, and none of new_axes=")
    function = to_function(f, arrays)
    kept = [not is_in_program(f, a) for a in arrays]
    arrays, indices, names = (list(itertools.compress(listed, kept)) for listed in (arrays, indices, names))
    ranks = [np.ndim(a) for a in arrays]
    arrays = [_as_number(a, text) for a, text in zip(arrays, function.arguments)]
    dtypes = [a.dtype if hasattr(a, "dtype") else None for a in arrays]
    check_types(function, dtypes, ranks, names)
    shapes = Shapes(function)
    whole = shapes(tuple(np.shape(a) for a in arrays))
    pairs = itertools.chain(*((a, i) for a, i in zip(arrays, indices) if i is not None))
    chunks, aligned = da.core.unify_chunks(*pairs)
    rest = iter(aligned)
    arrays = [a if i is None else next(rest) for a, i in zip(arrays, indices)]
    grids = _result_chunks(function, shapes, arrays, indices, chunks, list(out), new_axes)
    for number, (wanted, grid) in enumerate(zip(whole, grids)):
        found = tuple(map(sum, grid))
        if found != wanted:
            raise ValueError(
                f"result {number} of {function.__name__} has the shape {wanted} for the whole arrays, but its "
                f"blocks make {found}; the function does not go block by block"
            )
    return _build(function, list(out), arrays, indices, grids, new_axes)


def _as_number(operand: Any, text: str) -> Any:
    """Returns a number as an array of the type that the function takes."""
    if isinstance(operand, da.Array) or hasattr(operand, "dtype"):
        return operand
    wanted = argument_type(text)
    return np.asarray(operand) if wanted is None else np.asarray(operand, wanted)


def _result_chunks(
    function: Any, shapes: Shapes, arrays: Any, indices: Any, chunks: Any, out: list[Any], new_axes: Any
) -> list[tuple[Any, ...]]:
    """Returns the chunks of each result. Those of one step of an index must be of one size."""
    looped = [label for label in out if label not in new_axes]
    counts = [len(chunks[label]) for label in looped]
    grids: list[list[dict[int, tuple[Any, ...]]]] = [[{} for _ in out] for _ in function.results]
    for block in itertools.product(*map(range, counts)):
        at = dict(zip(looped, block))
        found = shapes(tuple(_block_shape(a, i, at) for a, i in zip(arrays, indices)))
        for number, shape in enumerate(found):
            if len(shape) != len(out):
                raise ValueError(
                    f"result {number} of {function.__name__} has {len(shape)} axes, but {len(out)} are expected; "
                    "drop_axis and new_axis say which ones differ"
                )
            for axis, (label, extent) in enumerate(zip(out, shape)):
                step = at.get(label, 0)
                size, first = grids[number][axis].setdefault(step, (extent, block))
                if size != extent:
                    raise ValueError(
                        f"result {number} of {function.__name__} has extent {size} along axis {axis} for the block "
                        f"{first}, but {extent} for the block {block}"
                    )
    return [tuple(tuple(axis[step][0] for step in sorted(axis)) for axis in grid) for grid in grids]


def _block_shape(array: Any, index: Any, at: dict[Any, Any]) -> tuple[int, ...]:
    """Returns the shape of an operand's block; axes that are not looped over are whole."""
    if index is None:
        return np.shape(array)
    shape = []
    for axis, label in enumerate(index):
        own = array.chunks[axis]
        if label not in at:
            shape.append(array.shape[axis])
        else:
            # One chunk of extent 1 stands beside all.
            shape.append(own[at[label]] if len(own) > 1 else own[0])
    return tuple(shape)


def _build(function: Any, out: list[Any], arrays: Any, indices: Any, grids: Any, new_axes: Any) -> Any:
    pairs = list(itertools.chain(*zip(arrays, indices)))
    added = dict.fromkeys(new_axes, 1)
    dtypes = result_types(function)
    rank = len(out)
    if len(grids) == 1:
        return da.blockwise(
            function, out, *pairs, adjust_chunks=dict(zip(out, grids[0])), new_axes=_sizes(added, out, grids[0]),
            dtype=dtypes[0], meta=np.empty((0,) * rank, dtypes[0]), concatenate=True, align_arrays=False,
            name=None, token=function.__name__,
        )  # fmt: skip
    # One task computes all results, and others pick theirs.
    joint = da.blockwise(
        function,
        out,
        *pairs,
        new_axes=added,
        dtype=object,
        meta=np.empty((0,) * rank, object),
        concatenate=True,
        align_arrays=False,
        token=function.__name__,
    )
    return tuple(
        da.blockwise(
            operator.itemgetter(number),
            out,
            joint,
            out,
            adjust_chunks=dict(zip(out, grid)),
            dtype=dtype,
            meta=np.empty((0,) * rank, dtype),
            token=f"{function.__name__}-{number}",
        )
        for number, (grid, dtype) in enumerate(zip(grids, dtypes))
    )


def _sizes(added: dict[Any, Any], out: list[Any], grid: tuple[Any, ...]) -> dict[Any, Any]:
    return {label: sum(grid[out.index(label)]) for label in added}
