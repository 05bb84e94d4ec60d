"""Elements that indices pick, and elements that are computed from their indices."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import _types
from ._builder import Builder, Value
from ._elementwise import cast
from ._extents import Number, check_axis, extent, extents, index, known, product
from ._moves import broadcast_to, expand, join_shapes, reshape, squeeze
from ._reals import Real
from ._scalars import Body, apply_mixed, broadcast_known
from ._text import line, words


def elements(
    builder: Builder,
    shape: Sequence[Number],
    element: str,
    inputs: Sequence[tuple[Value, Sequence[int]]],
    code: Callable[..., str],
) -> Value:
    """Computes each element by itself: `code` takes a Body, the names of the indices (of type
    index) and those of the inputs' elements. An input is given with the axes of the
    result that its own are."""
    builder.require_own(*(v for v, _ in inputs))
    rank = len(shape)
    point = [f"d{axis}" for axis in range(rank)]
    head = f"({', '.join(point)}) -> "
    maps = [builder.affine_map(head + f"({', '.join(point[a] for a in axes)})") for _, axes in inputs]
    maps.append(builder.affine_map(head + f"({', '.join(point)})"))
    result = Value(builder, builder.new_name(), element, [known(n) for n in shape])
    signless = _types.signless(element)
    empty = builder.new_name()
    sizes = [index(builder, n) for n in shape if not isinstance(n, int)]
    builder.add("tensor.empty({}){} : {}", sizes, builder.origin(), result.type, result=empty)
    body = Body(signless)
    names = [body.new_name() for _ in inputs]
    given = [words("{}: {}", name, _types.signless(v.element)) for name, (v, _) in zip(names, inputs)]
    indices = [body.make("linalg.index {} : index", axis) for axis in range(rank)]
    value = code(body, indices, *names)
    ins = words("ins({} : {}) ", [v.name for v, _ in inputs], [v.type for v, _ in inputs]) if inputs else ""
    arguments = [*given, words("{}: {}", body.new_name(), signless)]
    builder.add_lines(
        line(
            "linalg.generic {indexing_maps = [{}], iterator_types = [{}]} {}outs({} : {}) {}{",
            maps,
            ['"parallel"'] * rank,
            ins,
            empty,
            result.type,
            builder.origin(head="attrs = {", end="} "),
            result=result.name,
        ),
        [line("^bb0({}):", arguments), *body.lines],
        line("linalg.yield {} : {}", value, signless),
        line("} -> {}", result.type),
    )
    return result


def iota(builder: Builder, count: Number, element: str, axis: int = 0, rank: int = 1) -> Value:
    """Returns 0, 1, 2, ... along one axis; the others have extent 1."""
    integer = "i64" if _types.is_float(element) else _types.signless(element)

    def code(b: Body, indices: Sequence[str]) -> str:
        number = b.make("arith.index_cast {} : index to {}", indices[axis], integer)
        if not _types.is_float(element):
            return number
        wide = _types.compute_type(element)
        return b.convert(b.make("arith.sitofp {} : {} to {}", number, integer, wide), wide, element)

    shape = [count if at == axis else 1 for at in range(rank)]
    return elements(builder, shape, element, [], code)


def scalar(builder: Builder, number: Number | Real, element: str) -> Value:
    """Returns a tensor of no axes that holds a number a call tells."""
    if isinstance(number, Real):
        value = Value(builder, builder.new_name(), "f64", [])
        builder.add("tensor.from_elements {} : {}", number.name, value.type, result=value.name)
        return cast(value, element)
    given, value = builder.new_name(), Value(builder, builder.new_name(), "i64", [])
    builder.add("arith.index_cast {} : index to i64", index(builder, number), result=given)
    builder.add("tensor.from_elements {} : {}", given, value.type, result=value.name)
    return cast(value, element)


def wrap_indices(indices: Value, size: Number) -> Value:
    """Adds the size of an axis to negative indices, which count from its end; the result is i64, which has every
    size."""
    if _types.is_unsigned(indices.element):
        return indices
    if _types.is_float(indices.element):
        raise TypeError(f"indices are of {indices.element}, but integers are needed")

    def code(b: Body, at: str, size: str) -> str:
        if indices.element != "i64":
            at = b.make("arith.extsi {} : {} to i64", at, indices.element)
        zero, counted = b.number(0), b.do("arith.addi", at, size)
        # Those before the start stay what they are, for the message.
        is_inside = b.do("arith.andi", b.compare("slt", at, zero), b.compare("sge", counted, zero), type="i1")
        return b.select(is_inside, counted, at)

    return apply_mixed("indices", [indices, size], [indices.element, "i64"], code, "i64")


def to_index(b: Body, name: str, element: str) -> str:
    """Returns an integer of a body as an index."""
    operation = "arith.index_castui" if _types.is_unsigned(element) else "arith.index_cast"
    return b.make("{} {} : {} to index", operation, name, _types.signless(element))


def take(x: Value, indices: Value, axis: int, from_end: bool = True) -> Value:
    """Returns the parts of x at `indices`, integers of any rank, along an axis. Negative ones
    count from the end, if `from_end`; a call checks them."""
    axis = check_axis(axis, x.rank)
    builder = x.builder
    with builder.naming("take"):
        size = extent(x, axis)
        if from_end:
            indices = wrap_indices(indices, size)
        around = extents(x)
        shape = around[:axis] + extents(indices) + around[axis + 1 :]
        if axis == 0 and x.rank and indices.element in ("i32", "i64") and x.element != "i1":
            return _gather_rows(x, indices, shape)

        origin = builder.origin()

        def code(b: Body, point: Sequence[str], at: str) -> str:
            chosen = [*point[:axis], to_index(b, at, indices.element), *point[axis + indices.rank :]]
            return b.make("tensor.extract {}[{}]{} : {}", x.name, chosen, origin, x.type)

        return elements(builder, shape, x.element, [(indices, range(axis, axis + indices.rank))], code)


def _gather_rows(x: Value, indices: Value, shape: Sequence[Number]) -> Value:
    """Copies rows of a matrix."""
    builder = x.builder
    table = expand(x, [0]) if x.rank == 2 else reshape(x, [1, extent(x, 0), product(extents(x)[1:])])
    rows = expand(indices, [0]) if indices.rank == 1 else reshape(indices, [1, product(extents(indices))])
    found = builder.emit_on("tosa.gather", [table, rows], x.element, [1, rows.extents[1], table.extents[2]])
    if x.rank == 2 and indices.rank == 1 and isinstance(indices.extents[0], int):
        return squeeze(found, [0])
    # Shape queries know an extent that data decide by its own bound, and not by that of a gather (sf-7).
    return reshape(found, shape)


def gather_elements(x: Value, indices: Value, axis: int, from_end: bool = True) -> Value:
    """Picks x[i, indices[i, j]] for element [i, j] of the result, for the last of two axes:
    NumPy's take_along_axis. The indices' other extents are at most x's. Negative integers
    count from the end, if `from_end`; a call checks them."""
    axis = check_axis(axis, x.rank)
    if indices.rank != x.rank:
        raise ValueError(f"`indices` and `arr` must have the same number of dimensions: {indices.rank} and {x.rank}")
    builder = x.builder
    with builder.naming("gather_elements"):
        if from_end:
            indices = wrap_indices(indices, extent(x, axis))

        origin = builder.origin()

        def code(b: Body, point: Sequence[str], at: str) -> str:
            chosen = list(point)
            chosen[axis] = to_index(b, at, indices.element)
            return b.make("tensor.extract {}[{}]{} : {}", x.name, chosen, origin, x.type)

        return elements(builder, extents(indices), x.element, [(indices, range(x.rank))], code)


def first_picked(axes: Sequence[int]) -> int:
    """Returns the place of the indices' axes in the result of `pick`: that of the picked axes where these are side by
    side, else 0."""
    return axes[0] if list(axes) == list(range(axes[0], axes[0] + len(axes))) else 0


def pick(x: Value, axes: Sequence[int], indices: Sequence[Value], joint: Sequence[Number] | None = None) -> Value:
    """Returns the elements of x at indices along several axes, which broadcast: NumPy's x[i, :, j]. `joint` has the
    extents of the broadcast, where they are known. Negative ones count from the end; a call checks them."""
    builder = x.builder
    with builder.naming("pick"):
        joint = join_shapes([extents(value) for value in indices]) if joint is None else list(joint)
        rank, first = len(joint), first_picked(axes)
        rest = [axis for axis in range(x.rank) if axis not in axes]
        shape = [extent(x, axis) for axis in rest]
        shape[first:first] = joint
        given = []
        for axis, value in zip(axes, indices):
            if value.extents != broadcast_known([value.extents, [None] * rank]) or value.rank < rank:
                value = broadcast_to(value, joint)
            given.append(wrap_indices(value, extent(x, axis)))
        origin = builder.origin()

        def code(body: Body, point: Sequence[str], *found: str) -> str:
            names = dict(zip(rest, [*point[:first], *point[first + rank :]]))
            for axis, name, value in zip(axes, found, given):
                names[axis] = to_index(body, name, value.element)
            listed = [names[axis] for axis in range(x.rank)]
            return body.make("tensor.extract {}[{}]{} : {}", x.name, listed, origin, x.type)

        inputs = [(value, range(first, first + rank)) for value in given]
        return elements(builder, shape, x.element, inputs, code)
