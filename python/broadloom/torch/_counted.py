"""Operations of ATen that give as many elements as data decides."""

from __future__ import annotations

from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors import _counted
from .._tensors._tensor import Number, Tensor, from_value, to_value
from ._context import Context, Missing, Unsupported, operation


def flat_mask_places(c: Context, mask: Tensor, shape: list[Number], axis: int) -> Value:
    """Returns where a mask of the axes from `axis` on of a shape holds, as the places of a flat tensor."""
    for at, (size, wanted) in enumerate(zip(mask.extents, shape[axis : axis + mask.rank])):
        message = f"the mask has extent {{0}} along axis {at}, but what it indexes has {{1}} along axis {axis + at}"
        program.require(c.builder, "eq", size, wanted, message)
    return _counted.positions(_counted.flatten(to_value(mask)))


def mask_indices(c: Context, mask: Tensor, shape: list[Number], axis: int) -> list[Value]:
    """Returns the indices along each axis of where a mask of the axes from `axis` on holds."""
    return _counted.split_places(flat_mask_places(c, mask, shape, axis), mask.extents)


@operation("_local_scalar_dense.default")
def _item(c: Context, x: Tensor) -> Any:
    p = program
    value = to_value(x)
    if p.is_float(value.element):
        return p.Real(c.builder, p.extract(p.cast(value, "f64")))
    return p.to_number(p.cast(value, "i64"))


@operation("nonzero.default", "argwhere.default")
def _nonzero(c: Context, x: Tensor) -> Tensor:
    p = program
    value = to_value(x)
    at = _counted.positions(_counted.flatten(_counted.is_true(value)))
    if not value.rank:
        return from_value(_counted.zeros(c.builder, [p.extent(at, 0), 0]))
    return from_value(p.concat([p.expand(row, [1]) for row in _counted.split_places(at, p.extents(value))], 1))


@operation("nonzero_numpy.default")
def _nonzero_numpy(c: Context, x: Tensor) -> tuple[Tensor, ...]:
    value = to_value(x)
    value = value if value.rank else program.expand(value, [0])
    at = _counted.positions(_counted.flatten(_counted.is_true(value)))
    return tuple(map(from_value, _counted.split_places(at, program.extents(value))))


@operation("nonzero_static.default")
def _nonzero_static(c: Context, x: Tensor, *, size: Number, fill_value: int = -1) -> Tensor:
    """Gives the first `size` of the indices, and behind them a number."""
    p, size = program, c.number(size)
    found = to_value(_nonzero(c, x))
    have = p.smallest(p.extent(found, 0), size)
    found = p.take_slice(found, 0, 0, have)
    return from_value(p.pad(found, [0, 0], [size - have, 0], fill_value))


@operation("masked_select.default")
def _masked_select(c: Context, x: Tensor, mask: Tensor) -> Tensor:
    p = program
    shape = p.join_shapes([x.extents, mask.extents])
    flat, marks = (_counted.flatten(p.broadcast_to(to_value(v), shape) if shape else to_value(v)) for v in (x, mask))
    return from_value(p.take(flat, _counted.positions(marks), 0, from_end=False))


@operation("repeat_interleave.Tensor")
def _repeat_interleave(c: Context, counts: Tensor, *, output_size: Number | None = None) -> Tensor:
    p, value = program, to_value(counts)
    p.require_true(p.reduce("all", p.greater_equal(value, 0)), "repeats can not be negative")
    found = _counted.repeat_places(value)
    if output_size is not None:
        message = "the repeats are {0} in all, but output_size is {1}"
        p.require(c.builder, "eq", p.extent(found, 0), c.number(output_size), message)
    return from_value(p.cast(found, c.element))


# Elements that differ.

_NOT_ASKED = Missing("it was not asked for")


def _unique(
    c: Context, value: Value, axis: int, is_sorted: bool, shape: list[Number], inverse: bool, counts: bool
) -> tuple[Tensor | Missing, ...]:
    p = program
    groups = _counted.group_rows(_counted.as_rows(value, axis), is_sorted, is_nan_one=False)
    whole = groups.inverse if len(shape) == 1 else p.reshape(groups.inverse, shape)
    return (
        from_value(p.take(value, groups.first, axis, from_end=False)),
        from_value(whole) if inverse else _NOT_ASKED,
        from_value(groups.counts) if counts else _NOT_ASKED,
    )


@operation("_unique2.default")
def _unique2(
    c: Context, x: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
) -> tuple[Tensor | Missing, ...]:
    return _unique(c, _counted.flatten(to_value(x)), 0, True, x.extents, return_inverse, return_counts)


@operation("unique_dim.default")
def _unique_dim(
    c: Context, x: Tensor, dim: int, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
) -> tuple[Tensor | Missing, ...]:
    dim %= x.rank
    return _unique(c, to_value(x), dim, True, [x.extent(dim)], return_inverse, return_counts)


@operation("unique_consecutive.default")
def _unique_consecutive(
    c: Context, x: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> tuple[Tensor | Missing, ...]:
    if dim is None:
        value = _counted.flatten(to_value(x))
        return _unique(c, value, 0, False, x.extents, return_inverse, return_counts)
    dim %= x.rank
    return _unique(c, to_value(x), dim, False, [x.extent(dim)], return_inverse, return_counts)


# Counts.


@operation("bincount.default")
def _bincount(c: Context, x: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    given = None
    if weights is not None:
        # PyTorch 2.11 traces sums of weights as counts, which only those of no elements are.
        is_right = program.is_float(c.element) or 0 in x.extents
        given = program.cast(to_value(c.tensor(weights)), c.element if is_right else "f64")
    return from_value(_counted.count_numbers(to_value(x), given, c.number(minlength)))


@operation("histc.default")
def _histc(c: Context, x: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    """Counts the elements in parts of equal length, of which the last one has its upper end. Without ends, these are
    the least and the largest element."""
    p, b = program, c.builder
    value = _counted.flatten(to_value(x))
    if not isinstance(bins, int) or bins < 1:
        raise Unsupported(f"a histogram of {bins} parts")
    wide = value.element if p.is_float(value.element) else "f64"
    value = p.cast(value, wide)
    low, high = (p.cast(c.scalar(float(n), "f64"), wide) for n in (min, max))
    if min == max:
        ends = (p.reduce(kind, value) for kind in ("min", "max"))
        is_empty = p.equal(p.scalar(b, p.extent(value, 0), "i64"), 0)
        low, high = (p.select(is_empty, float(min), end) for end in ends)
        is_finite = p.bitwise_and(p.isfinite(low), p.isfinite(high))
        p.require_true(is_finite, "the least and the largest element of a histogram must be finite")
        is_point = p.equal(low, high)
        low, high = p.select(is_point, p.subtract(low, 1.0), low), p.select(is_point, p.add(high, 1.0), high)
    is_inside = p.bitwise_and(p.greater_equal(value, low), p.less_equal(value, high))
    place = p.divide(p.multiply(p.subtract(value, low), float(bins)), p.subtract(high, low))
    at = p.minimum(p.cast(p.select(is_inside, place, 0.0), "i64"), bins - 1)
    # What is outside is counted behind the end.
    at = p.select(is_inside, at, bins)
    ones = p.add(p.multiply(at, 0), 1)
    made = p.scatter(_counted.zeros(b, [bins + 1]), ones, [(at, [0])], "sum", from_end=False)
    return from_value(p.cast(p.take_slice(made, 0, 0, bins), c.element))


@operation("mode.default")
def _mode(c: Context, x: Tensor, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Finds the element that there is most often along an axis, and where the last such one is."""
    p, value = program, to_value(x)
    if not value.rank:
        return from_value(value), from_value(_counted.zeros(c.builder, []))
    dim %= value.rank
    size = p.extent(value, dim)
    p.require(c.builder, "sge", size, 1, f"the mode along axis {dim} is of at least {{1}} element, but there are {{0}}")
    ordered, order = p.sort(value, dim)
    line = p.iota(c.builder, size, "i64", axis=dim, rank=value.rank)
    before = p.take(ordered, p.maximum(p.subtract(p.iota(c.builder, size, "i64"), 1), 0), dim, from_end=False)
    is_first = p.bitwise_or(p.equal(line, 0), p.not_equal(ordered, before))
    starts = p.scan("max", p.select(is_first, line, 0), dim)
    # Of several lengths the first one is that of the smallest element.
    last = p.expand(p.argmax(p.subtract(line, starts), dim), [dim])
    found = [p.gather_elements(v, p.cast(last, "i64"), dim, from_end=False) for v in (ordered, p.cast(order, "i64"))]
    values, indices = (from_value(v if keepdim else p.squeeze(v, [dim])) for v in found)
    return values, indices
