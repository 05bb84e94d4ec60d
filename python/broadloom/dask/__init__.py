"""Compiled functions as block functions of Dask arrays (docs/dask.md).

    y = bl.dask.map_blocks(f, x, weight)
    z = bl.dask.blockwise(f, "ij", x, "ik", w, "kj")
    s = bl.dask.reduction(chunk, combine, x, axis=0)

The chunks and the dtypes of results are what the functions' own shape functions and
types give; what does not fit is an error when the graph is built. Dask is imported by
the first use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Never

from .._errors import refuse_unknown

__all__ = ["blockwise", "map_blocks", "reduction"]


def map_blocks(
    f: Any, *arrays: Any, drop_axis: int | Sequence[int] = (), new_axis: int | Sequence[int] = (), **unknown: Never
) -> Any:
    """Apply a function to each block of arrays.

        y = bl.dask.map_blocks(f, x, bias)

    f: a Function of `compile`, `load` or `from_onnx`, or a function under `bl.jit`.
    arrays: Dask arrays, whose axes broadcast as NumPy's and whose chunks are made alike;
        other arrays are one block, and numbers are given to each call. For a function under
        `bl.jit` a number of Python's is part of its program, and adapts to other types.
    drop_axis: axes of the operands that results have not; each has one chunk.
    new_axis: axes of the results that operands have not.

    Gives a Dask array, or a tuple of them where f has several results. Raises ShapeError
    where blocks do not fit the function, and ValueError where the results of blocks do
    not make one array of the shape that the function gives for the whole.
    """
    refuse_unknown("map_blocks", unknown, ("drop_axis", "new_axis"))
    from ._blocks import apply_to_blocks

    return apply_to_blocks(f, arrays, drop_axis, new_axis)


def blockwise(f: Any, out: Sequence[Any], *operands: Any, new_axes: Sequence[Any] = (), **unknown: Never) -> Any:
    """Apply a function to blocks that indices pick, as dask.array.blockwise.

        z = bl.dask.blockwise(f, "ij", x, "ik", w, "kj")

    f: as for `map_blocks`.
    out: the indices of the result's axes. Axes of an index that is not among them are
        whole in each call.
    operands: arrays and their indices in turn; None is the indices of a number.
    new_axes: indices of the result that no operand has.
    """
    refuse_unknown("blockwise", unknown, ("new_axes",))
    from ._blocks import apply_by_indices

    return apply_by_indices(f, out, operands, new_axes)


def reduction(
    chunk: Any,
    combine: Any,
    x: Any,
    axis: int | Sequence[int] | None = None,
    *,
    final: Any = None,
    keepdims: bool = False,
    split_every: int | Mapping[int, int] | None = None,
    **unknown: Never,
) -> Any:
    """Reduce axes of an array, block by block and then as a tree.

        total = bl.dask.reduction(block_sum, block_sum, x, axis=0)

    chunk: a function of one block, whose results have extent 1 along the axes. It may
        have several results, such as a sum and a count.
    combine: a function that takes as many arrays, of several partial results along the
        axes, and gives as many that are one again.
    final: a function of the last partial results; without it there is one, which is
        the result.
    split_every: how many partial results one call combines, as for dask.array.reduction.
    """
    refuse_unknown("reduction", unknown, ("axis", "final", "keepdims", "split_every"))
    from ._reduction import reduce_blocks

    return reduce_blocks(chunk, combine, x, axis, final, keepdims, split_every)
