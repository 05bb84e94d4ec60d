"""Operations of ATen that move elements, and those that make tensors of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _program as program
from .._program import Extent
from .._tensors._tensor import Number, Tensor, align, from_value, to_value
from .._tensors._views import add_axis, drop_axes, expand, keep, matrix_indices, pad, part, view
from ._context import Context, Unsupported, operation, promote
from ._graph import Type
from ._ranges import Range
from ._stored import Operand, Stored

# Axes.


@operation("permute.default", stored=True)
def _permute(c: Context, x: Operand, dims: Sequence[int]) -> Operand:
    dims = [dim % x.rank for dim in dims]
    if isinstance(x, Stored):
        return x.permute(dims)
    return Tensor(x.value, tuple(x.order[dim] for dim in dims))


@operation("transpose.int", "swapaxes.default", stored=True)
def _transpose(c: Context, x: Operand, first: int, second: int) -> Operand:
    dims = list(range(x.rank))
    if dims:
        dims[first], dims[second] = dims[second], dims[first]
    return _permute(c, x, dims)


@operation("t.default", "numpy_T.default", "mT.default", stored=True)
def _t(c: Context, x: Operand) -> Operand:
    return _transpose(c, x, -2, -1) if x.rank > 1 else x


@operation("movedim.int", stored=True)
def _movedim(c: Context, x: Operand, source: int, target: int) -> Operand:
    dims = [dim for dim in range(x.rank) if dim != source % x.rank]
    dims.insert(target % x.rank, source % x.rank)
    return _permute(c, x, dims)


@operation("unsqueeze.default", stored=True)
def _unsqueeze(c: Context, x: Operand, dim: int) -> Operand:
    dim %= x.rank + 1
    if isinstance(x, Stored):
        return x.reshape((*x.shape[:dim], 1, *x.shape[dim:]))
    return add_axis(x, dim)


@operation("squeeze.default", "squeeze.dim", "squeeze.dims", stored=True)
def _squeeze(c: Context, x: Operand, dims: Sequence[int] | None = None) -> Operand:
    dims = range(x.rank) if dims is None else [dims] if isinstance(dims, int) else dims
    dims = [dim % x.rank for dim in dims] if x.rank else []
    if isinstance(x, Stored):
        return x.reshape([e for i, e in enumerate(x.shape) if i not in dims or e != 1])
    ones = [dim for dim in dims if x.known(dim) == 1]
    # A guard says of open axes which are 1, and the graph how many.
    missing, unknown = x.rank - len(c.shape) - len(ones), [dim for dim in dims if x.known(dim) is None]
    if missing and missing != len(unknown):
        raise Unsupported(f"{missing} of {len(unknown)} open axes are 1 in the example; name these axes")
    return drop_axes(x, sorted(ones + unknown) if missing else ones)


# Shapes.


@operation(
    "view.default",
    "_unsafe_view.default",
    "reshape.default",
    "flatten.using_ints",
    "view_copy.default",
    "unflatten.int",
    "_reshape_alias.default",
    stored=True,
)
def _view(c: Context, x: Operand, *_: Sequence[Number]) -> Operand:
    target = c.type.shape
    known = [size for size in target if isinstance(size, int)]
    if isinstance(x, Stored) and len(known) == len(target):
        return x.reshape(known)
    return view(c, c.tensor(x), c.shape)


@operation("expand.default", "broadcast_to.default", "expand_copy.default", stored=True)
def _expand(c: Context, x: Operand, *_: Sequence[Number], **options: Any) -> Operand:
    if isinstance(x, Stored) and x.shape == c.type.shape:
        return x
    return expand(c, c.tensor(x), c.shape)


@operation("_assert_async.msg", "_assert_async.default")
def _assert(c: Context, condition: Tensor, message: str = "what must hold does not", *_: Sequence[Any]) -> None:
    # A tensor of one element, whatever its axes.
    program.require_true(program.cast(to_value(view(c, c.tensor(condition), [])), "i1"), message)


@operation("copy.default")
def _copy_into(c: Context, x: Tensor, source: Tensor, non_blocking: bool = False) -> Tensor:
    """Returns what x has after it is written to: functions without effects have this."""
    source = c.tensor(source)
    return expand(c, Tensor(program.cast(source.value, c.element), source.order), c.shape)


@operation("repeat.default")
def _repeat(c: Context, x: Tensor, repeats: Sequence[int]) -> Tensor:
    for _ in range(len(repeats) - x.rank):
        x = add_axis(x, 0)
    target = c.shape
    shape: list[Number] = []
    merged: list[Number] = []
    tensor = x
    for axis in range(x.rank):
        times = c.number(repeats[axis])
        if isinstance(times, int) and times == 1:
            shape.append(x.extent(axis))
        elif x.known(axis) == 1:
            shape.append(times)
        else:
            tensor = add_axis(tensor, axis + len(merged))
            merged.append(axis)
            shape += [times, x.extent(axis)]
    tensor = expand(c, tensor, shape)
    return view(c, tensor, target)


@operation("cat.default", "concat.default")
def _cat(c: Context, tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    element = promote(*tensors)
    # What is empty and of rank 1 is left out, as torch does.
    tensors = list(map(c.tensor, tensors))
    kept = [t for t in tensors if not (t.rank == 1 and t.known(0) == 0)]
    values, order = align(kept or tensors[:1])
    values = [program.cast(v, element) for v in values]
    return Tensor(program.concat(values, order[dim % len(order)]), order)


@operation("stack.default")
def _stack(c: Context, tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    rank = c.tensor(tensors[0]).rank + 1
    return _cat(c, [add_axis(c.tensor(t), dim % rank) for t in tensors], dim)


# Parts.


def _from_start(c: Context, x: Tensor, axis: int, index: int | Extent, span: Range) -> Number:
    """Counts an index from the start; a negative one counts from the end. `span` has all that it may be."""
    extent = x.extent(axis)
    if span.low >= 0:
        return index
    if span.high < 0:
        return extent + index
    is_negative = program.smallest(program.largest(0 - index, 0), 1)
    return index + extent * is_negative


@operation("slice.Tensor", "slice_copy.Tensor")
def _slice(
    c: Context, x: Tensor, dim: int = 0, start: Number | None = None, end: Number | None = None, step: Number = 1
) -> Tensor:
    dim %= x.rank
    count = c.shape[dim]
    start = 0 if start is None else start
    start = _from_start(c, x, dim, start, c.range(start))
    # A part that has an element begins at one. Python lets others begin anywhere.
    if c.range(c.type.shape[dim]).low < 1:
        start = program.smallest(program.largest(start, 0), x.extent(dim))
    elif isinstance(start, Extent) or start < 0:
        start = program.largest(start, 0)
    return part(x, dim, start, count, step)


@operation("narrow.default")
def _narrow(c: Context, x: Tensor, dim: int, start: Number, length: Number) -> Tensor:
    dim %= x.rank
    return part(x, dim, _from_start(c, x, dim, start, c.range(start)), c.shape[dim])


@operation("broadloom.take_slice.default")
def _take_own_slice(c: Context, x: Tensor, dim: int, start: Number, count: Number) -> Tensor:
    return part(x, dim, c.number(start), c.number(count))


@operation("select.int", "select_copy.int", stored=True)
def _select(c: Context, x: Operand, dim: int, index: Number) -> Operand:
    dim %= x.rank
    if isinstance(x, Stored) and isinstance(index, int):
        index %= x.shape[dim]
        return x.part(dim, index, 1).reshape(x.shape[:dim] + x.shape[dim + 1 :])
    x = c.tensor(x)
    return drop_axes(part(x, dim, _from_start(c, x, dim, index, c.range(index)), 1), [dim])


@operation(
    "split_with_sizes.default",
    "split.Tensor",
    "split.sizes",
    "chunk.default",
    "split_with_sizes_copy.default",
    "tensor_split.sections",
)
def _split(c: Context, x: Tensor, sizes: int, dim: int = 0) -> tuple[Tensor, ...]:
    dim %= x.rank
    results, start = [], 0
    for index in range(len(c.node.types)):
        count = c.numbers(c.result_type(index).shape)[dim]
        results.append(part(x, dim, start, count))
        start = start + count
    return tuple(results)


@operation("unbind.int")
def _unbind(c: Context, x: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    dim %= x.rank
    return tuple(drop_axes(part(x, dim, i, 1), [dim]) for i in range(len(c.node.types)))


@operation("flip.default")
def _flip(c: Context, x: Tensor, dims: Sequence[int]) -> Tensor:
    return Tensor(program.flip(x.value, [x.order[dim % x.rank] for dim in dims]), x.order)


@operation("roll.default")
def _roll(c: Context, x: Tensor, shifts: Sequence[int], dims: Sequence[int] = ()) -> Tensor:
    if not dims:
        flat = view(c, x, [program.product(x.extents)])
        return view(c, _roll(c, flat, shifts, [0]), x.extents)
    for shift, dim in zip(shifts, dims):
        dim %= x.rank
        size = x.extent(dim)
        shift = c.number(shift)
        # An empty axis has no place to move to.
        moved = shift % program.largest(size, 1)
        if isinstance(moved, int) and moved == 0:
            continue
        axis = x.order[dim]
        behind = program.take_slice(x.value, axis, size - moved, moved)
        ahead = program.take_slice(x.value, axis, 0, size - moved)
        x = Tensor(program.concat([behind, ahead], axis), x.order)
    return x


@operation("constant_pad_nd.default", "pad.default")
def _pad(
    c: Context, x: Tensor, pads: Sequence[int], mode: str | float | None = "constant", value: float | None = 0.0
) -> Tensor:
    if mode == "constant" or not isinstance(mode, str):
        number = value if isinstance(mode, str) else mode
        return pad(c, x, c.numbers(pads), 0 if number is None else number)
    return _pad_by_place(c, x, c.numbers(pads), mode)


@operation("reflection_pad1d.default", "reflection_pad2d.default", "reflection_pad3d.default")
def _reflection_pad(c: Context, x: Tensor, pads: Sequence[int]) -> Tensor:
    return _pad_by_place(c, x, c.numbers(pads), "reflect")


@operation("replication_pad1d.default", "replication_pad2d.default", "replication_pad3d.default")
def _replication_pad(c: Context, x: Tensor, pads: Sequence[int]) -> Tensor:
    return _pad_by_place(c, x, c.numbers(pads), "replicate")


#: What NumPy calls ways of padding, and by how much less than the axis they pad.
_PADDING = {"reflect": ("reflect", 1), "replicate": ("edge", None), "circular": ("wrap", 0)}


def _pad_by_place(c: Context, x: Tensor, pads: Sequence[Number], mode: str) -> Tensor:
    if mode not in _PADDING:
        raise Unsupported(f"padding of mode {mode!r}")
    name, less = _PADDING[mode]
    if mode != "circular":
        _require_elements(c, x, pads, mode)
    low: list[Number] = [0] * x.rank
    high: list[Number] = [0] * x.rank
    for at in range(len(pads) // 2):
        axis = x.rank - 1 - at
        ends = pads[2 * at : 2 * at + 2]
        low[x.order[axis]], high[x.order[axis]] = ends
        # Those below 0 cut.
        for end in ends:
            if less is not None and not (isinstance(end, int) and end <= 0):
                message = f"{{0}} elements are padded with mode '{mode}' to axis {axis}, which has {{1}}"
                program.require(c.builder, "sle", end + less, x.extent(axis), message)
    return Tensor(program.pad_by_place(x.value, low, high, name), x.order)


def _require_elements(c: Context, x: Tensor, pads: Sequence[Number], mode: str) -> None:
    """Requires that the channels and what is padded have elements, and so the result; batches may be empty."""
    padded = len(pads) // 2
    for axis in range(max(x.rank - padded - 1, 0), x.rank):
        message = f"axis {axis} has {{0}} elements, but padding with mode '{mode}' needs {{1}}"
        program.require(c.builder, "sge", x.extent(axis), 1, message)
    for at in range(padded):
        axis = x.rank - 1 - at
        low, high = pads[2 * at : 2 * at + 2]
        if not (program.is_natural(low) and program.is_natural(high)):
            message = f"axis {axis} has {{0}} elements, of which the pads {{1}} and {{2}} leave none"
            whole = x.extent(axis) + low + high
            program.require_either(c.builder, (("sge", whole, 1),), message, x.extent(axis), low, high)


@operation("diagonal.default", "diagonal_copy.default")
def _diagonal(c: Context, x: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    return from_value(program.diagonal(to_value(x), dim1 % x.rank, dim2 % x.rank, offset))


@operation("unfold.default", "unfold_copy.default")
def _unfold(c: Context, x: Tensor, dim: int, size: int, step: int) -> Tensor:
    if x.rank == 0:
        return from_value(program.take_slice(program.expand(x.value, [0]), 0, 0, size))
    return from_value(program.windows(to_value(x), dim % x.rank, size, step))


# What is made of numbers.


@operation("arange.start_step", "arange.start", "arange.default")
def _arange(c: Context, start: Number, end: Number | None = None, step: int = 1, **options: Any) -> Tensor:
    if end is None:
        start = 0
    element = c.element
    wide = "i64" if not program.is_float(element) else "f64" if element == "f64" else "f32"
    value = program.iota(c.builder, c.shape[0], wide)
    start, step = c.number(start), c.number(step)
    if not (isinstance(step, (int, float)) and step == 1):
        value = program.multiply(value, _number(step, wide))
    if not (isinstance(start, (int, float)) and start == 0):
        value = program.add(value, _number(start, wide))
    return from_value(program.cast(value, element))


@operation("prims.iota.default")
def _iota(c: Context, length: Number, *, start: int = 0, step: int = 1, **options: Any) -> Tensor:
    return _arange(c, start, length, step)


def _number(number: float, element: str) -> float:
    return float(number) if program.is_float(element) and isinstance(number, int) else number


def filled(c: Context, number: Any, type_: Type) -> Tensor:
    """Makes a tensor of one number."""
    value = c.scalar(c.number(number), type_.element)
    return from_value(program.broadcast_to(value, c.numbers(type_.shape)) if type_.shape else value)


@operation("full.default")
def _full(c: Context, size: Sequence[Number], value: float, **options: Any) -> Tensor:
    return filled(c, value, c.type)


@operation("full_like.default", "new_full.default")
def _full_like(c: Context, x: Tensor, *rest: Number | None, **options: Any) -> Tensor:
    return filled(c, rest[-1], c.type)


@operation(
    "zeros.default",
    "zeros_like.default",
    "new_zeros.default",
    "empty.memory_format",
    "empty_like.default",
    "new_empty.default",
    stored=True,
)
def _zeros(c: Context, *_: Sequence[Any], **options: Any) -> Tensor:
    return filled(c, 0, c.type)


@operation("ones.default", "ones_like.default", "new_ones.default", stored=True)
def _ones(c: Context, *_: Sequence[Any], **options: Any) -> Tensor:
    return filled(c, 1, c.type)


@operation("scalar_tensor.default")
def _scalar_tensor(c: Context, value: Number, **options: Any) -> Tensor:
    return filled(c, value, c.type)


@operation("fill.Scalar")
def _fill(c: Context, x: Tensor, value: float) -> Tensor:
    return filled(c, value, c.type)


@operation("tril.default")
def _tril(c: Context, x: Tensor, diagonal: int = 0) -> Tensor:
    rows, columns = matrix_indices(c, x)
    kept = program.less_equal(columns, program.add(rows, c.number(diagonal)))
    return keep(c, x, kept)


@operation("triu.default")
def _triu(c: Context, x: Tensor, diagonal: int = 0) -> Tensor:
    rows, columns = matrix_indices(c, x)
    kept = program.greater_equal(columns, program.add(rows, c.number(diagonal)))
    return keep(c, x, kept)
