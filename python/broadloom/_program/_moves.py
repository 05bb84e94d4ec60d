"""Operations that move elements: shapes, slices, joins, padding."""

from __future__ import annotations

from collections.abc import Sequence

from . import _types
from ._builder import Builder, Known, Value
from ._extents import (
    Extent,
    Number,
    check_axes,
    check_axis,
    compare,
    divide_up,
    extent,
    extents,
    from_start,
    index,
    is_same,
    known,
    largest,
    product,
    require,
    smallest,
)
from ._text import Words, words
from ._units import drop_axes, spell_groups


def squeeze(x: Value, axes: Sequence[int]) -> Value:
    """Returns x without axes of extent 1; a call checks that extent where it is not known."""
    axes = check_axes(axes, x.rank)
    if not axes:
        return x
    builder = x.builder
    undone = _undo(builder, x, axes)
    if undone is not None:
        return undone
    with builder.naming("squeeze"):
        if any(x.extents[axis] != 1 for axis in axes):
            ones = [1 if axis in axes else e for axis, e in enumerate(x.extents)]
            x = _declare(x, ones)
        return drop_axes(x, axes)


def expand(x: Value, axes: Sequence[int]) -> Value:
    """Returns x with new axes of extent 1, which `axes` counts in the result."""
    rank = x.rank + len(axes)
    axes = check_axes(axes, rank)
    if not axes:
        return x
    builder = x.builder
    undone = _undo(builder, x, axes, expanding=True)
    if undone is not None:
        return undone
    old, given = iter(x.extents), iter(extents(x))
    shape = [1 if axis in axes else next(old) for axis in range(rank)]
    sizes = ["1" if axis in axes else _spell_index(builder, next(given)) for axis in range(rank)]
    with builder.naming("expand_dims"):
        value = Value(builder, builder.new_name(), x.element, shape)
        groups = spell_groups(rank, axes) if x.rank else "[]"
        builder.add(
            "tensor.expand_shape {} {} output_shape [{}]{} : {} into {}",
            x.name,
            groups,
            sizes,
            builder.origin(),
            x.type,
            value.type,
            result=value.name,
        )
    builder._units[value.name] = (x, tuple(axes), True)
    return value


def _undo(builder: Builder, x: Value, axes: Sequence[int], expanding: bool = False) -> Value | None:
    """Returns the operand of the opposite operation that made x; then no operation stands between maps."""
    source, at, expanded = builder._units.get(x.name, (None, (), expanding))
    return source if expanded != expanding and at == tuple(axes) else None


def _declare(x: Value, shape: Sequence[int | str | None]) -> Value:
    """Returns x with extents that its type then says; a call checks them."""
    value = Value(x.builder, x.builder.new_name(), x.element, shape)
    x.builder.add("tensor.cast {}{} : {} to {}", x.name, x.builder.origin(), x.type, value.type, result=value.name)
    return value


def _spell_index(builder: Builder, number: Number) -> str:
    return str(number) if isinstance(number, int) else index(builder, number)


def reshape(x: Value, shape: Sequence[Number]) -> Value:
    """Returns x with other extents, of which one may be -1: what is left. A call checks that
    the number of elements stays."""
    builder = x.builder
    shape = list(shape)
    open_axes = [axis for axis, number in enumerate(shape) if _is(number, -1)]
    if len(open_axes) > 1:
        raise ValueError("can only specify one unknown dimension")
    wrong = [number for number in shape if isinstance(number, int) and number < -1]
    if wrong:
        raise ValueError(f"extent {wrong[0]} of the new shape is negative")
    with builder.naming("reshape"):
        if open_axes:
            shape[open_axes[0]] = _what_is_left(x, shape, open_axes[0])
        value = Value(builder, builder.new_name(), x.element, [known(n) for n in shape])
        names = [index(builder, n) for n in shape]
        count = len(names)
        listed = builder.new_name()
        if count:
            builder.add("tensor.from_elements {} : tensor<{}xindex>", names, count, result=listed)
        else:
            builder.add("arith.constant dense<> : tensor<0xindex>", result=listed)
        builder.add(
            "tensor.reshape {}({}){} : ({}, tensor<{}xindex>) -> {}",
            x.name,
            listed,
            builder.origin(),
            x.type,
            count,
            value.type,
            result=value.name,
        )
    return value


def _is(number: Number, value: int) -> bool:
    return isinstance(number, int) and number == value


def _what_is_left(x: Value, shape: Sequence[Number], axis: int) -> Number:
    """Returns the extent that keeps the number of elements. Extents that stay are not
    multiplied and divided again."""
    mine = extents(x)
    others = [n for i, n in enumerate(shape) if i != axis]
    for number in list(others):
        same = next((n for n in mine if is_same(n, number)), None)
        if same is not None and not _is(number, 0):
            mine.remove(same)
            others.remove(number)
    divisor = product(others)
    if _is(divisor, 0):
        raise ValueError("cannot tell the extent -1 beside an extent of 0")
    return product(mine) // divisor


def split_axis(x: Value, axis: int, sizes: Sequence[Number]) -> Value:
    """Returns x with one axis as several, of which one size may be -1."""
    axis = check_axis(axis, x.rank)
    sizes = list(sizes)
    for at, size in enumerate(sizes):
        if _is(size, -1):
            sizes[at] = extent(x, axis) // product(s for i, s in enumerate(sizes) if i != at)
    shape = extents(x)
    return reshape(x, shape[:axis] + sizes + shape[axis + 1 :])


def reduced_last(x: Value, axes: Sequence[int]) -> tuple[Value, int]:
    """Returns x with all of its axes `axes` as one, behind the others, and which axis that is."""
    rest = [i for i in range(x.rank) if i not in axes]
    if list(axes) != [x.rank - 1]:
        x = transpose(x, [*rest, *axes])
    if len(axes) != 1:
        sizes = extents(x)
        x = reshape(x, [*sizes[: len(rest)], product(sizes[len(rest) :])])
    return x, len(rest)


def transpose(x: Value, axes: Sequence[int]) -> Value:
    """Returns x with its axes in another order: axis i of the result is axes[i]."""
    if check_axes(axes, x.rank) != list(range(x.rank)):
        raise ValueError(f"axes don't match array: {list(axes)} for rank {x.rank}")
    order = [axis % x.rank for axis in axes]
    if order == sorted(order):
        return x
    numbers = ", ".join(map(str, order))
    with x.builder.naming("transpose"):
        return x.builder.emit_on(
            "tosa.transpose",
            [x],
            x.element,
            [x.extents[axis] for axis in order],
            {"perms": f"array<i32: {numbers}>"},
        )


def join_extents(a: Number, b: Number) -> Number:
    """Returns the extent of a broadcast; that the two fit is checked where it is used."""
    if _is(a, 1):
        return b
    if _is(b, 1) or is_same(a, b):
        return a
    if isinstance(a, int) or isinstance(b, int):
        return a if isinstance(a, int) else b
    builder = a.builder
    chosen, is_one = builder.new_name(), compare("eq", a, 1)
    builder.add("arith.select {}, {}, {} : index", is_one, index(builder, b), index(builder, a), result=chosen)
    return Extent(builder, chosen)


def join_shapes(shapes: Sequence[Sequence[Number]]) -> list[Number]:
    """Returns the extents of a broadcast."""
    joint: list[Number] = [1] * max(map(len, shapes))
    for shape in shapes:
        for at, number in enumerate(shape, len(joint) - len(shape)):
            joint[at] = join_extents(joint[at], number)
    return joint


def broadcast_to(x: Value, shape: Sequence[Number]) -> Value:
    """Returns x repeated to a shape. It is computed with what reads it."""
    builder = x.builder
    shape = list(shape)
    if len(shape) < x.rank:
        raise ValueError("the shape has fewer axes than the array")
    with builder.naming("broadcast_to"):
        for axis, wanted in enumerate(shape[len(shape) - x.rank :]):
            _require_broadcast(x, axis, wanted)
        witness = Value(builder, builder.new_name(), "i1", [known(n) for n in shape])
        sizes = [index(builder, n) for n in shape if not isinstance(n, int)]
        builder.add("tensor.empty({}){} : {}", sizes, builder.origin(), witness.type, result=witness.name)
        result = Value(builder, builder.new_name(), x.element, witness.extents)
        body, unread = (Words(builder.new_name()) for _ in range(2))
        builder.add(
            "loom.map({} = {} : {}, {} = {} : {}){} -> {} { loom.yield {} : {} }",
            body,
            x.name,
            x.type,
            unread,
            witness.name,
            witness.type,
            builder.origin(head=" attributes {"),
            result.type,
            body,
            _types.signless(x.element),
            result=result.name,
        )
    return result


def require_shape(x: Value, shape: Sequence[Number]) -> Value:
    """Returns x with these extents, which a call checks."""
    for axis, wanted in enumerate(shape):
        message = f"axis {axis} has extent {{0}}, but {{1}} is needed"
        require(x.builder, "eq", extent(x, axis), wanted, message)
    return x


def _require_broadcast(x: Value, axis: int, wanted: Number) -> None:
    """Requires that the result's extent is `wanted`, also where that is 1."""
    have = extent(x, axis)
    if _is(have, 1) or is_same(have, wanted):
        return
    if isinstance(have, int) and isinstance(wanted, int):
        raise ValueError(f"extent {have} of axis {axis} cannot be broadcast to {wanted}")
    builder = x.builder
    equal = compare("eq", have, wanted)
    one = compare("eq", have, 1) if isinstance(have, Extent) else None
    condition = equal
    if one:
        condition = builder.add("arith.ori {}, {} : i1", equal, one)
    builder.require(
        condition,
        f"axis {axis} has extent {{0}} and cannot be broadcast to {{1}}",
        [index(builder, have), index(builder, wanted)],
    )


def concat(values: Sequence[Value], axis: int) -> Value:
    """Returns the values, one behind the other along an axis."""
    first = values[0]
    axis = check_axis(axis, first.rank)
    for value in values[1:]:
        if value.rank != first.rank:
            raise ValueError(f"operands have {first.rank} and {value.rank} axes")
        if value.element != first.element:
            raise TypeError(f"operands have element types {first.element} and {value.element}; cast one")
    if len(values) == 1:
        return first
    shape: list[Known] = []
    for at in range(first.rank):
        parts = [v.extents[at] for v in values]
        if at == axis:
            numbers = [p for p in parts if isinstance(p, int)]
            shape.append(sum(numbers) if len(numbers) == len(parts) else None)
        else:
            shape.append(next((p for p in parts if isinstance(p, int)), parts[0]))
    with first.builder.naming("concat"):
        joined = first.builder.emit_on("tosa.concat", values, first.element, shape, {"axis": f"{axis} : i32"})
    first.builder.derive(joined, axis, "sum", values, [axis] * len(values))
    return joined


def slice_axis(x: Value, axis: int, start: Number | None = None, stop: Number | None = None, step: int = 1) -> Value:
    """Returns x[start:stop:step] along an axis, with Python's rules: negative numbers count
    from the end, and what lies outside is left out. `step` is a number but 0."""
    axis = check_axis(axis, x.rank)
    if start is None and stop is None and step == 1:
        return x
    first, count = find_slice(extent(x, axis), start, stop, step)
    return take_slice(x, axis, first, count, step)


def find_slice(size: Number, start: Number | None, stop: Number | None, step: int) -> tuple[Number, Number]:
    """Returns the first index of a slice of an axis, and how many there are."""
    if step == 0:
        raise ValueError("slice step cannot be zero")
    low, high = (0, size) if step > 0 else (-1, size - 1)
    first = _clamp(start, size, low, high) if start is not None else (low if step > 0 else high)
    last = _clamp(stop, size, low, high) if stop is not None else (high if step > 0 else low)
    length = last - first if step > 0 else first - last
    # x[:-k] and x[k:] have one extent: max(size - k, 0).
    if isinstance(start, int) and start >= 0 and stop is None and step > 0:
        length = largest(size - start, 0)
    elif start in (None, 0) and isinstance(stop, int) and stop >= 0 and step > 0:
        length = smallest(size, stop)
    else:
        length = largest(length, 0)
    # Of nothing, too, the first index must be on the axis.
    return first if step > 0 else largest(first, 0), length if abs(step) == 1 else divide_up(length, abs(step))


def _clamp(index: Number, size: Number, low: Number, high: Number) -> Number:
    """Returns a start or a stop, within the axis."""
    if isinstance(index, int):
        # Of its two ends one can be left.
        return largest(size + index, low) if index < 0 else smallest(index, high)
    return smallest(largest(from_start(index, size), low), high)


def put_slice(x: Value, update: Value, axis: int, start: Number) -> Value:
    """Returns x with `update` in place of the elements of an axis from `start` on; a call checks that they are there.
    The other extents are those of x."""
    axis = check_axis(axis, x.rank)
    builder = x.builder
    builder.require_own(x, update)
    with builder.naming("slice"):
        wanted = [e if at == axis else own for at, (e, own) in enumerate(zip(update.extents, x.extents))]
        if any(isinstance(e, int) and e != own for e, own in zip(wanted, update.extents)):
            update = _declare(update, wanted)
        value = Value(builder, builder.new_name(), x.element, x.extents)
        offsets = [_spell_index(builder, start) if p == axis else "0" for p in range(x.rank)]
        sizes = [_spell_index(builder, extent(update if p == axis else x, p)) for p in range(x.rank)]
        builder.add(
            "tensor.insert_slice {} into {}[{}] [{}] [{}]{} : {} into {}",
            update.name,
            x.name,
            offsets,
            sizes,
            ["1"] * x.rank,
            builder.origin(),
            update.type,
            x.type,
            result=value.name,
        )
    return value


def take_slice(x: Value, axis: int, start: Number, count: Number, step: Number = 1) -> Value:
    """Returns `count` elements of an axis from `start` on; a call checks that they are there, and that a step that it
    tells is positive."""
    axis = check_axis(axis, x.rank)
    builder = x.builder
    sizes = extents(x)
    shape = [known(count) if at == axis else e for at, e in enumerate(x.extents)]
    sizes[axis] = count
    with builder.naming("slice"):
        if isinstance(step, Extent):
            require(
                builder, "sge", step, 1, f"the step of the slice of axis {axis} is {{0}}, but at least {{1}} is needed"
            )
        value = Value(builder, builder.new_name(), x.element, shape)
        offsets = [_spell_index(builder, start) if p == axis else "0" for p in range(x.rank)]
        steps = [_spell_index(builder, step) if p == axis else "1" for p in range(x.rank)]
        listed = [_spell_index(builder, n) for n in sizes]
        builder.add(
            "tensor.extract_slice {}[{}] [{}] [{}]{} : {} to {}",
            x.name,
            offsets,
            listed,
            steps,
            builder.origin(),
            x.type,
            value.type,
            result=value.name,
        )
    return value


def flip(x: Value, axes: Sequence[int]) -> Value:
    """Returns x with the elements of these axes in the other order."""
    for axis in check_axes(axes, x.rank):
        x = slice_axis(x, axis, step=-1)
    return x


def pad(x: Value, low: Sequence[Number], high: Sequence[Number], number: _types.Scalar) -> Value:
    """Returns x with as many elements more before and behind each axis, all of them `number`."""
    builder = x.builder
    shape = [
        e + lo + hi
        if isinstance(e, int) and isinstance(lo, int) and isinstance(hi, int)
        else e
        if _is(lo, 0) and _is(hi, 0)
        else None
        for e, lo, hi in zip(x.extents, low, high)
    ]
    if x.rank == 0:
        return x
    with builder.naming("pad"):
        signless = _types.signless(x.element)
        typed = "" if x.element == "i1" else f" : {signless}"
        constant = builder.add("arith.constant {}{}", _types.spell(number, x.element), typed)
        value = Value(builder, builder.new_name(), x.element, shape)
        before, behind = ([_spell_index(builder, n) for n in numbers] for numbers in (low, high))
        arguments = [words("{}: index", builder.new_name()) for _ in range(x.rank)]
        builder.add(
            "tensor.pad {} low[{}] high[{}] { ^bb0({}): tensor.yield {} : {} }{} : {} to {}",
            x.name,
            before,
            behind,
            arguments,
            constant,
            signless,
            builder.origin(),
            x.type,
            value.type,
            result=value.name,
        )
    return value
