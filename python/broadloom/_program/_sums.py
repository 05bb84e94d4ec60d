"""Reductions and products of matrices."""

from __future__ import annotations

from collections.abc import Sequence

from . import _types
from ._builder import Value
from ._elementwise import bitwise_not, bitwise_xor, cast, divide, multiply, negative
from ._extents import Number, check_axes, extent, extents, is_same, product, require
from ._moves import broadcast_to, expand, join_extents, reshape, squeeze, transpose

#: Operations of TOSA, which take numbers or i1.
_KINDS = {"sum": True, "product": True, "max": True, "min": True, "all": False, "any": False}


def reduce(kind: str, x: Value, axes: Sequence[int] | None = None, keepdims: bool = False) -> Value:
    """Returns the 'sum', 'product', 'max' or 'min' of numbers, or whether 'all' or 'any' of
    i1 hold, over some axes or all of them. The element type stays; f16, bf16 and
    floats of eight bits are summed in f32. Nothing sums to 0, and its maximum is the least number."""
    if _KINDS[kind] and x.element == "i1":
        raise TypeError(f"the {kind} is of numbers, not of i1; cast them")
    if not _KINDS[kind] and x.element != "i1":
        raise TypeError(f"'{kind}' is of i1, not of {x.element}")
    axes = list(range(x.rank)) if axes is None else check_axes(axes, x.rank)
    if _types.is_float8(x.element):
        return cast(reduce(kind, cast(x, "f32"), axes, keepdims), x.element)
    builder, shape = x.builder, list(x.extents)
    with builder.naming(kind):
        ordered = kind in ("max", "min") and _types.is_unsigned(x.element)
        value = swap_order(x) if ordered else x
        for axis in axes:
            shape[axis] = 1
            attributes = {"axis": f"{axis} : i32"}
            value = builder.emit_on(f"tosa.reduce_{kind}", [value], x.element, shape, attributes)
        if ordered:
            value = swap_order(value)
    return value if keepdims else squeeze(value, axes)


def swap_order(x: Value) -> Value:
    """Maps numbers without a sign to numbers with a sign that have the same order, and back."""
    return bitwise_xor(x, 1 << (_types.width(x.element) - 1))


def sum(x: Value, axes: Sequence[int] | None = None, keepdims: bool = False) -> Value:
    """Returns the sum over some axes or all of them."""
    return reduce("sum", x, axes, keepdims)


def count(x: Value, axes: Sequence[int] | None = None) -> Number:
    """Returns how many elements are reduced to one."""
    axes = range(x.rank) if axes is None else axes
    return product(extent(x, axis) for axis in axes)


def mean(x: Value, axes: Sequence[int] | None = None, keepdims: bool = False) -> Value:
    """Returns the mean of floats; that of nothing is NaN. f16 and bf16 are computed in f32."""
    wide = cast(x, _types.compute_type(x.element))
    return cast(divide(reduce("sum", wide, axes, keepdims), count(x, axes)), x.element)


def argmax(x: Value, axis: int, keepdims: bool = False) -> Value:
    """Returns the first index of the largest number along an axis, as i64; that of a NaN
    where there is one."""
    (axis,) = check_axes([axis], x.rank)
    if x.element == "i1" or _types.is_float8(x.element):
        x = cast(x, "i8" if x.element == "i1" else "f32")
    builder = x.builder
    with builder.naming("argmax"):
        if _types.is_unsigned(x.element):
            x = swap_order(x)
        left = [e for at, e in enumerate(x.extents) if at != axis]
        found = builder.emit_on("tosa.argmax", [x], "i32", left, {"axis": f"{axis} : i32"})
        found = cast(found, "i64")
    return expand(found, [axis]) if keepdims else found


def argmin(x: Value, axis: int, keepdims: bool = False) -> Value:
    """Returns the first index of the smallest number along an axis, as `argmax`."""
    with x.builder.naming("argmin"):
        return argmax(negative(x) if _types.is_float(x.element) else bitwise_not(x), axis, keepdims)


def matmul(x: Value, y: Value, *, turned: bool = False) -> Value:
    """Returns the product of matrices, with NumPy's rules: vectors are matrices of one row
    or column, and axes before the last two broadcast. f16 and bf16 are summed in
    f32; integers wrap. With `turned` the last two axes of y, which has that many,
    are exchanged, which moves nothing in memory."""
    if x.element != y.element:
        raise TypeError(f"matmul: operands have element types {x.element} and {y.element}; cast one")
    if x.rank == 0 or y.rank == 0:
        raise ValueError("matmul: input operand does not have enough dimensions; use multiply")
    if _types.is_float8(x.element):
        return cast(matmul(cast(x, "f32"), cast(y, "f32"), turned=turned), x.element)
    with x.builder.naming("matmul"):
        left = expand(x, [0]) if x.rank == 1 else x
        right = expand(y, [1]) if y.rank == 1 else y
        if turned and (y.rank == 2 or not _types.is_float(y.element)):
            right, turned = _turn(right), False
        result = _multiply_matrices(left, right, turned)
        if x.rank == 1:
            result = squeeze(result, [result.rank - 2])
        return squeeze(result, [result.rank - 1]) if y.rank == 1 else result


def _turn(x: Value) -> Value:
    """Exchanges the last two axes."""
    return transpose(x, [*range(x.rank - 2), x.rank - 1, x.rank - 2])


def _multiply_matrices(x: Value, y: Value, turned: bool) -> Value:
    """Multiplies matrices, of rank 2 or more. One matrix on the right takes all rows on the left."""
    if x.rank == y.rank == 2:
        return squeeze(_multiply_batches(expand(x, [0]), expand(y, [0])), [0])
    rows, columns = extent(x, -2), extent(y, -2 if turned else -1)
    if y.rank == 2:
        shape = extents(x)[:-1]
        flat = reshape(x, [1, product(shape), extent(x, -1)])
        return reshape(_multiply_batches(flat, expand(y, [0])), [*shape, columns])
    batch, (x, y) = _broadcast_batches(x, y)
    if len(batch) > 1:
        many = product(batch)
        x = reshape(x, [many, *extents(x)[-2:]])
        y = reshape(y, [many, *extents(y)[-2:]])
    # Next to the product, which then reads y as it is.
    result = _multiply_batches(x, _turn(y) if turned else y)
    return result if len(batch) == 1 else reshape(result, [*batch, rows, columns])


def _broadcast_batches(x: Value, y: Value) -> tuple[list[Number], tuple[Value, Value]]:
    """Returns the extents before the last two, and both operands with all of them."""
    rank = max(x.rank, y.rank)
    both: list[list[Number]] = [[*[1] * (rank - value.rank), *extents(value)[:-2]] for value in (x, y)]
    batch = [join_extents(a, b) for a, b in zip(*both)]
    made = []
    for value, own in zip((x, y), both):
        if value.rank < rank or not all(is_same(n, m) for n, m in zip(own, batch)):
            value = broadcast_to(value, batch + extents(value)[-2:])
        made.append(value)
    return batch, (made[0], made[1])


def _multiply_batches(x: Value, y: Value) -> Value:
    """Multiplies matrices pair by pair; both operands have as many."""
    x.builder.require_own(y)
    require(
        x.builder,
        "eq",
        extent(x, 2),
        extent(y, 1),
        "the first operand has {0} columns, but the second has {1} rows",
    )
    if not _types.is_float(x.element):
        return _multiply_rows(x, y)
    builder = x.builder
    zero, points = builder.new_name(), f"tensor<1x{x.element}>"
    builder.add('"tosa.const"() {values = dense<0.0> : {}} : () -> {}', points, points, result=zero)
    batch = next((e for e in (x.extents[0], y.extents[0]) if isinstance(e, int)), x.extents[0])
    # f16 and bf16 are summed in f32 and rounded.
    value = builder.emit(
        "tosa.matmul",
        [x.name, y.name, zero, zero],
        [x.type, y.type, points, points],
        _types.compute_type(x.element),
        [batch, x.extents[1], y.extents[2]],
    )
    return cast(value, x.element)


def _multiply_rows(x: Value, y: Value) -> Value:
    """Returns the same of other element types, which have no tiles: a sum for each row of x and
    column of y."""
    rows, columns = expand(x, [2]), expand(transpose(y, [0, 2, 1]), [1])
    kind = "any" if x.element == "i1" else "sum"
    return reduce(kind, multiply(rows, columns), [3])
