"""Elements that are put at indices that data tells."""

from __future__ import annotations

from collections.abc import Sequence

from . import _types
from ._builder import Value
from ._extents import extents, index
from ._moves import expand
from ._picking import to_index, wrap_indices
from ._scalars import Body, refuse
from ._text import END, Line, line

#: Of floats, of integers with and without a sign, and of i1.
_COMBINE = {
    "sum": ("arith.addf", "arith.addi", "arith.addi", None),
    "product": ("arith.mulf", "arith.muli", "arith.muli", None),
    "max": ("arith.maximumf", "arith.maxsi", "arith.maxui", "arith.ori"),
    "min": ("arith.minimumf", "arith.minsi", "arith.minui", "arith.andi"),
}

#: Where an axis of the result finds its index: an axis of the updates, whose own index it is; or
#: integers, and the axes of the updates that theirs are.
Place = int | tuple[Value, Sequence[int]]


def scatter(
    x: Value, updates: Value, places: Sequence[Place], combine: str | None = None, from_end: bool = True
) -> Value:
    """Returns x with updates put at `places`, one for each axis of x, one update after the other: the last one at an
    index stays. With `combine`, 'sum', 'product', 'max' or 'min', each is combined with what is there.
    Negative integers count from the end, if `from_end`; a call checks them."""
    builder = x.builder
    builder.require_own(updates, *(p[0] for p in places if not isinstance(p, int)))
    if updates.element != x.element:
        raise TypeError(f"scatter: operands have element types {x.element} and {updates.element}; cast one")
    with builder.naming("scatter"):
        sizes = extents(x)
        if from_end:
            places = [p if isinstance(p, int) else (wrap_indices(p[0], n), p[1]) for p, n in zip(places, sizes)]
        if updates.rank == 0:
            updates = expand(updates, [0])
        ends = [index(builder, n) for n in extents(updates)]
        zero, one = index(builder, 0), index(builder, 1)
        rank = updates.rank
        innermost = f"%t{rank - 1}"
        body, new = _write_body(x, updates, places, combine, innermost)
        result = Value(builder, builder.new_name(), x.element, x.extents)

        def head(name: str, axis: int, given: str) -> Line:
            template = "scf.for {} = {} to {} step {} iter_args({} = {}) -> ({}) {"
            return line(template, f"%i{axis}", zero, ends[axis], one, f"%t{axis}", given, x.type, result=name)

        lines = [head(f"%p{axis}", axis, f"%t{axis - 1}") for axis in range(1, rank)]
        lines += body
        for axis in reversed(range(1, rank)):
            lines += [line("scf.yield {} : {}", new if axis == rank - 1 else f"%p{axis + 1}", x.type), END]
        last = new if rank == 1 else "%p1"
        builder.add_lines(head(result.name, 0, x.name), lines, line("scf.yield {} : {}", last, x.type))
    return result


def _write_body(
    x: Value, updates: Value, places: Sequence[Place], combine: str | None, into: str
) -> tuple[list[Line], str]:
    """Writes the code of one update; returns its lines, and the name of the updated tensor."""
    body = Body(_types.compute_type(x.element))
    signless = _types.signless(x.element)
    listed = [f"%i{axis}" for axis in range(updates.rank)]
    given = body.make("tensor.extract {}[{}] : {}", updates.name, listed, updates.type)
    chosen = []
    for place in places:
        if isinstance(place, int):
            chosen.append(f"%i{place}")
            continue
        value, axes = place
        own = [f"%i{axis}" for axis in axes]
        found = body.make("tensor.extract {}[{}] : {}", value.name, own, value.type)
        chosen.append(to_index(body, found, value.element))
    # It reads in any case, since reading checks the indices.
    before = body.make("tensor.extract {}[{}]{} : {}", into, chosen, x.builder.origin(), x.type)
    if combine is not None:
        kinds = _COMBINE[combine]
        is_float = _types.is_float(x.element)
        operation = kinds[3 if x.element == "i1" else 0 if is_float else 2 if _types.is_unsigned(x.element) else 1]
        if operation is None:
            refuse(f"scattered {combine}", x.element, "numbers")
        if is_float:
            before, given = (body.convert(v, signless, body.compute) for v in (before, given))
            given = body.convert(body.do(operation, before, given), body.compute, signless)
        else:
            given = body.do(operation, before, given)
    return body.lines, body.make("tensor.insert {} into {}[{}] : {}", given, into, chosen, x.type)
