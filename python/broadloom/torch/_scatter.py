"""Operations of ATen that put elements at indices that data tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import _program as program
from .._program import Extent, Value, extents, is_same
from .._tensors._sums import cast, cumulate, wide_type
from .._tensors._tensor import Number, Tensor, from_value, to_value
from .._tensors._views import view
from ._context import Context, Missing, elementwise, operation
from ._elementwise import as_element
from ._indexing import index_by_axes

_KINDS = {"sum": "sum", "add": "sum", "prod": "product", "multiply": "product", "amax": "max", "amin": "min"}


def _at_elements(x: Value, dim: int, indices: Value) -> list[int | tuple[Value, Sequence[int]]]:
    """Returns the indices of elements that differ from their own along one axis."""
    dim %= max(x.rank, 1)
    axes = range(indices.rank)
    return [(indices, axes) if axis == dim else axis for axis in range(x.rank)]


def _cut(source: Value, indices: Value) -> Value:
    """Takes the elements of `source` that there are indices of."""
    for axis, (own, count) in enumerate(zip(extents(source), extents(indices))):
        if not is_same(own, count):
            source = program.take_slice(source, axis, 0, count)
    return source


def _scatter(
    c: Context, x: Tensor, dim: int, indices: Tensor, source: Tensor | float, combine: str | None = None
) -> Tensor:
    x, indices = to_value(c.tensor(x)), to_value(c.tensor(indices))
    if isinstance(source, Tensor):
        source = _cut(to_value(source), indices)
    else:
        one = as_element(c.number(source), x.element)
        source = program.broadcast_to(c.scalar(one, x.element), extents(indices))
    if x.rank == 0:
        x = program.expand(x, [0])
        indices, source = (program.expand(v, [0]) if v.rank == 0 else v for v in (indices, source))
        return from_value(
            program.squeeze(program.scatter(x, source, _at_elements(x, 0, indices), combine, from_end=False), [0])
        )
    return from_value(program.scatter(x, source, _at_elements(x, dim, indices), combine, from_end=False))


@operation("scatter.src", "scatter.value")
def _scatter_elements(c: Context, x: Tensor, dim: int, indices: Tensor, source: float) -> Tensor:
    return _scatter(c, x, dim, indices, source)


@operation("scatter.reduce", "scatter.value_reduce")
def _scatter_combined(c: Context, x: Tensor, dim: int, indices: Tensor, source: Tensor, *, reduce: str) -> Tensor:
    return _scatter(c, x, dim, indices, source, _KINDS[reduce])


@operation("scatter_add.default")
def _scatter_add(c: Context, x: Tensor, dim: int, indices: Tensor, source: Tensor) -> Tensor:
    return _scatter(c, x, dim, indices, source, "sum")


@operation("scatter_reduce.two")
def _scatter_reduce(
    c: Context, x: Tensor, dim: int, indices: Tensor, source: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    if reduce == "mean":
        return _average(c, x, source, lambda x, source, kind: _scatter(c, x, dim, indices, source, kind), include_self)
    kind = _KINDS[reduce]
    if not include_self:
        x = _scatter(c, x, dim, indices, _neutral(kind, x.element))
    return _scatter(c, x, dim, indices, source, kind)


def _average(
    c: Context,
    x: Tensor,
    source: Tensor,
    put: Callable[[Tensor, Tensor | float, str | None], Tensor],
    include_self: bool,
) -> Tensor:
    """Returns the means of what is put at the same place, and of what was there."""
    p, value = program, to_value(x)
    wide = wide_type(x.element)
    start = x if include_self else put(x, 0, None)
    shape = p.extents(value)
    given = c.tensor(source)
    ones = p.broadcast_to(c.scalar(1, "i64"), given.extents) if given.rank else c.scalar(1, "i64")
    filled = c.scalar(int(include_self), "i64")
    counts = to_value(put(from_value(p.broadcast_to(filled, shape) if shape else filled), from_value(ones), "sum"))
    total = to_value(put(cast(start, wide), cast(given, wide), "sum"))
    counts = p.cast(p.maximum(counts, 1), wide)
    made = p.divide(total, counts) if p.is_float(wide) else p.floor_divide(total, counts)
    return from_value(p.cast(made, x.element))


@operation("index_reduce.default")
def _index_reduce(
    c: Context, x: Tensor, dim: int, indices: Tensor, source: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    def put(x: Tensor, source: Tensor | float, kind: str | None) -> Tensor:
        if isinstance(source, Tensor):
            return _put_parts(x, dim, indices, source, kind)
        return _put_parts(x, dim, indices, from_value(c.scalar(source, x.element)), kind, from_end=True)

    if reduce == "mean":
        return _average(c, x, source, put, include_self)
    kind = _KINDS[reduce]
    return put(x if include_self else put(x, _neutral(kind, x.element), None), c.tensor(source), kind)


def _neutral(kind: str, element: str) -> float:
    if kind in ("sum", "product"):
        return int(kind == "product")
    if program.is_float(element):
        return float("-inf") if kind == "max" else float("inf")
    info = program.limits(element)
    return info[0] if kind == "max" else info[1]


# By indices along some axes.


@operation("index_put.default", "_unsafe_index_put.default", "_index_put_impl_.default")
def _index_put(
    c: Context,
    x: Tensor,
    indices: Sequence[Tensor | None],
    values: Tensor,
    accumulate: bool = False,
    unsafe: bool = False,
) -> Tensor:
    values = c.tensor(values)
    masks = [index for index in indices if index is not None and c.tensor(index).element == "i1"]
    if len(masks) == 1 and indices.count(None) == len(indices) - 1 and _is_one(values):
        return _put_masked(c, x, indices.index(masks[0]), c.tensor(masks[0]), values, accumulate)
    whole = x.extents
    x, given, _ = index_by_axes(c, x, indices)
    base, update = to_value(x), to_value(values)
    axes = [axis for axis, _ in given]
    index_values = [index for _, index in given]
    rank = max(index.rank for index in index_values)
    joint = program.join_shapes([extents(index) for index in index_values])
    first = program.first_picked(axes)
    rest = [axis for axis in range(base.rank) if axis not in axes]
    shape = [program.extent(base, axis) for axis in rest]
    shape[first:first] = joint
    # The axes of the updates that the indices, and the other axes of the result, have.
    own = range(first, first + rank)
    others = [axis for axis in range(len(shape)) if axis not in own]
    targets: list[Any] = [None] * base.rank
    for axis, index in zip(axes, index_values):
        if (index.rank and index.rank < rank) or any(not is_same(a, b) for a, b in zip(extents(index), joint)):
            index = program.broadcast_to(index, joint)
        targets[axis] = (index, own if index.rank else ())
    for axis, at in zip(rest, others):
        targets[axis] = at
    update = program.broadcast_to(update, shape) if shape else update
    made = program.scatter(base, program.cast(update, base.element), targets, "sum" if accumulate else None)
    return view(c, from_value(made), whole)


def _is_one(values: Tensor) -> bool:
    return all(values.known(axis) == 1 for axis in range(values.rank))


def _put_masked(c: Context, x: Tensor, axis: int, mask: Tensor, values: Tensor, accumulate: bool) -> Tensor:
    """Puts one number wherever a mask says so."""
    value = to_value(mask)
    behind = x.rank - axis - value.rank
    value = program.expand(value, list(range(value.rank, value.rank + behind))) if behind else value
    number = program.squeeze(to_value(values), list(range(values.rank)))

    def code(mask: Value, x: Value, number: Value) -> Value:
        number = program.cast(number, x.element)
        return program.select(mask, program.add(x, number) if accumulate else number, x)

    return elementwise(c, code, from_value(value), x, from_value(number))


@operation("index_add.default")
def _index_add(c: Context, x: Tensor, dim: int, indices: Tensor, source: Tensor, *, alpha: int = 1) -> Tensor:
    source = c.tensor(source)
    if alpha != 1:
        source = Tensor(program.multiply(source.value, as_element(c.number(alpha), x.element)), source.order)
    return _put_parts(x, dim, indices, source, "sum")


@operation("index_copy.default")
def _index_copy(c: Context, x: Tensor, dim: int, indices: Tensor, source: Tensor) -> Tensor:
    source, axis = c.tensor(source), dim % max(x.rank, 1)
    if axis == max(x.rank, 1) - 1 or c.tensor(indices).rank == 0:
        return _put_parts(x, dim, indices, source, None)
    base, update, at = (to_value(v) for v in (x, source, indices))
    p, size = program, x.extent(axis)
    _require_source(update, [p.extent(at, 0) if a == axis else n for a, n in enumerate(x.extents)])

    def put(number: Extent, given: list[Any]) -> list[Value]:
        # Parts are longer than an element, and are moved as a whole.
        place = p.to_number(p.squeeze(p.take_slice(at, 0, number, 1), [0]))
        p.require(c.builder, "sge", place, 0, f"index {{0}} is outside axis {axis}, whose first index is {{1}}")
        p.require(c.builder, "slt", place, size, f"index {{0}} is outside axis {axis}, which has extent {{1}}")
        return [p.put_slice(given[0], p.take_slice(update, axis, number, 1), axis, place)]

    return from_value(p.repeat(c.builder, 0, p.extent(at, 0), [base], put)[0])


@operation("index_fill.int_Scalar", "index_fill.int_Tensor")
def _index_fill(c: Context, x: Tensor, dim: int, indices: Tensor, value: float) -> Tensor:
    # Here alone a negative index counts from the end.
    if not isinstance(value, Tensor):
        value = from_value(c.scalar(as_element(c.number(value), x.element), x.element))
    value = Tensor(program.cast(value.value, x.element), value.order)
    return _put_parts(x, dim, indices, value, None, from_end=True)


def _put_parts(
    x: Tensor, dim: int, indices: Tensor, source: Tensor, combine: str | None, from_end: bool = False
) -> Tensor:
    """Puts each part of the source along an axis, or its one number, at its index."""

    def one(value: Value) -> Value:
        return program.expand(value, [0]) if value.rank == 0 else value

    base, at = one(to_value(x)), one(to_value(indices))
    dim %= base.rank
    shape = [program.extent(at, 0) if axis == dim else n for axis, n in enumerate(extents(base))]
    if from_end:
        update = program.broadcast_to(to_value(source), shape)
    else:
        update = one(to_value(source))
        _require_source(update, shape)
    targets = [(at, [axis]) if axis == dim else axis for axis in range(base.rank)]
    made = program.scatter(base, update, targets, combine, from_end)
    return from_value(made if x.rank else program.squeeze(made, [0]))


@operation("put.default")
def _put(c: Context, x: Tensor, indices: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    flat, at, update = (
        to_value(view(c, c.tensor(v), [program.product(c.tensor(v).extents)])) for v in (x, indices, source)
    )
    message = "the source has {0} elements, but there are {1} indices"
    program.require(c.builder, "eq", program.extent(update, 0), program.extent(at, 0), message)
    made = program.scatter(flat, update, [(at, [0])], "sum" if accumulate else None)
    return view(c, from_value(made), x.extents)


@operation("masked_scatter.default")
def _masked_scatter(c: Context, x: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    x, mask = c.tensor(x), c.tensor(mask)
    shape = program.join_shapes([x.extents, mask.extents])
    count = [program.product(shape)]
    flat, marks = (to_value(view(c, from_value(program.broadcast_to(to_value(v), shape)), count)) for v in (x, mask))
    given = to_value(view(c, c.tensor(source), [program.product(c.tensor(source).extents)]))
    # Each marked element takes the next one. What is not marked takes one that is put in front.
    numbers = to_value(cumulate(from_value(program.cast(marks, "i64")), 0))
    many = program.reduce("all", program.less_equal(numbers, program.extent(given, 0)))
    program.require_true(many, "the mask holds for more elements than the source has")
    padded = program.pad(given, [1], [0], 0.0 if program.is_float(x.element) else 0)
    taken = program.take(padded, program.select(marks, numbers, 0), 0)
    return view(c, from_value(program.select(marks, program.cast(taken, x.element), flat)), shape)


# Parts of an axis.


def _require_source(source: Value, shape: Sequence[Number]) -> None:
    """Requires that what is put in place of a part is as large as the part."""
    for axis, wanted in enumerate(shape):
        message = f"the source has extent {{0}} along axis {axis}, but what it replaces has {{1}}"
        program.require(source.builder, "eq", program.extent(source, axis), wanted, message)


@operation("slice_scatter.default")
def _slice_scatter(
    c: Context,
    x: Tensor,
    source: Tensor,
    dim: int = 0,
    start: Number | None = None,
    end: Number | None = None,
    step: int = 1,
) -> Tensor:
    dim %= x.rank
    base, update = to_value(x), program.cast(to_value(source), x.element)
    size = x.extent(dim)
    start, end = (
        program.smallest(program.largest(program.from_start(c.number(n), size), 0), size)
        for n in (0 if start is None else start, size if end is None else end)
    )
    count = program.divide_up(program.largest(end - start, 0), step)
    _require_source(update, [count if axis == dim else n for axis, n in enumerate(x.extents)])
    if step == 1:
        return from_value(program.put_slice(base, update, dim, start))
    at = program.add(program.multiply(program.iota(c.builder, count, "i64"), step), start)
    return from_value(program.scatter(base, update, [(at, [axis]) if axis == dim else axis for axis in range(x.rank)]))


@operation("broadloom.put_slice.default")
def _put_own_slice(c: Context, x: Tensor, part: Tensor, dim: int, start: Number) -> Tensor:
    return from_value(program.put_slice(to_value(x), to_value(part), dim, c.number(start)))


@operation("select_scatter.default")
def _select_scatter(c: Context, x: Tensor, source: Tensor, dim: int, index: Number) -> Tensor:
    dim %= x.rank
    wide = from_value(program.expand(to_value(source), [dim]))
    index = program.from_start(c.number(index), x.extent(dim))
    return _slice_scatter(c, x, wide, dim, index, index + 1)


@operation("diagonal_scatter.default")
def _diagonal_scatter(c: Context, x: Tensor, source: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    first, second = dim1 % x.rank, dim2 % x.rank
    update = program.cast(to_value(source), x.element)
    shifts = {first: max(-offset, 0), second: max(offset, 0)}
    sizes = [x.extent(axis) - shift for axis, shift in shifts.items()]
    length = program.largest(program.smallest(*sizes), 0)
    _require_source(update, [*(n for axis, n in enumerate(x.extents) if axis not in shifts), length])
    line = program.iota(c.builder, program.extent(update, -1), "i64")
    last = [update.rank - 1]
    rest = iter(range(update.rank))
    targets = [(program.add(line, shifts[a]), last) if a in shifts else next(rest) for a in range(x.rank)]
    return from_value(program.scatter(to_value(x), update, targets))


# Sums of rows of a table.


@operation("_embedding_bag.default", "_embedding_bag_forward_only.default")
def _embedding_bag(
    c: Context,
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad: bool = False,
    mode: float = 0,
    sparse: bool = False,
    weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> tuple[Tensor | Missing, ...]:
    """Reduces the rows at indices, which offsets cut into bags, to the sum, the mean or the largest of each bag."""
    p = program
    indices, starts = to_value(indices), p.cast(to_value(offsets), "i64")
    element, length = weight.element, p.extent(indices, 0)
    wide = wide_type(element)
    rows = p.cast(p.take(to_value(weight), indices, 0, from_end=False), wide)
    if weights is not None:
        rows = p.multiply(rows, p.expand(p.cast(to_value(weights), wide), [1]))
    # A bag begins at each offset, which may be the length. What stands before the first is in none,
    # nor is what stands behind the last where that is an end.
    zeros = p.broadcast_to(c.scalar(0, "i64"), [length + 1])
    ones = p.broadcast_to(c.scalar(1, "i64"), p.extents(starts))
    bags = p.take_slice(p.scan("sum", p.scatter(zeros, ones, [(starts, [0])], "sum", from_end=False), 0), 0, 0, length)
    if padding_idx >= 0:
        # A row of padding is in no bag either.
        bags = p.select(p.equal(indices, padding_idx), 0, bags)
    count = p.extent(starts, 0) - int(include_last_offset)

    def gather(start: float, updates: Value, kind: str) -> Value:
        shape = [p.extent(starts, 0) + 1, *p.extents(updates)[1:]]
        into = p.broadcast_to(c.scalar(start, updates.element), shape)
        return p.take_slice(p.scatter(into, updates, [(bags, [0]), *range(1, updates.rank)], kind), 0, 1, count)

    made = gather(float("-inf") if mode == 2 else 0.0, rows, "max" if mode == 2 else "sum")
    if mode:
        held = p.expand(gather(0, p.broadcast_to(c.scalar(1, "i64"), [length]), "sum"), [1])
        if mode == 1:
            made = p.divide(made, p.cast(p.maximum(held, 1), wide))
        else:
            made = p.select(p.equal(held, 0), 0.0, made)
    why = Missing("what bags save for training")
    return from_value(p.cast(made, element)), why, why, why
