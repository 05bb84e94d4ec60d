"""Elements in order."""

from __future__ import annotations

from . import _types
from ._builder import Value
from ._extents import Number, check_axis, extents, index, known, require
from ._sums import swap_order


def sort(x: Value, axis: int, count: Number | None = None, descending: bool = False) -> tuple[Value, Value]:
    """Returns the elements in order along an axis, or the first `count` of them, and the indices
    where they were, as i64. Equal elements keep their order, and NaN is larger than
    every number. A call checks the count."""
    axis = check_axis(axis, x.rank)
    builder = x.builder
    with builder.naming("sort"):
        is_unsigned = _types.is_unsigned(x.element)
        if is_unsigned:
            x = swap_order(x)
        sizes = extents(x)
        if count is not None:
            _require_count(x, count, sizes[axis], axis)
            sizes[axis] = count
        shape = [known(n) for n in sizes]
        name = builder.new_name()
        values = Value(builder, f"{name}#0", x.element, shape)
        indices = Value(builder, f"{name}#1", "i64", shape)
        open_sizes = [index(builder, n) for n in sizes if not isinstance(n, int)]
        into = []
        for made in (values, indices):
            into.append(builder.new_name())
            builder.add("tensor.empty({}){} : {}", open_sizes, builder.origin(), made.type, result=into[-1])
        attributes = {"axis": f"{axis} : i64"}
        if descending:
            attributes["descending"] = "unit"
        builder.add(
            "loom.sort {} into {}{} : ({}) -> ({})",
            x.name,
            into,
            builder.origin(attributes),
            [x.type, values.type, indices.type],
            [values.type, indices.type],
            result=f"{name}:2",
        )
        return swap_order(values) if is_unsigned else values, indices


def _require_count(x: Value, count: Number, size: Number, axis: int) -> None:
    """Raises an error where there are not so many elements."""
    message = f"the first {{0}} elements along axis {axis} are wanted, but there are {{1}}"
    if isinstance(count, int) and count < 0:
        raise ValueError(message.format(count, size if isinstance(size, int) else "at least 0"))
    require(x.builder, "sle", count, size, message)
