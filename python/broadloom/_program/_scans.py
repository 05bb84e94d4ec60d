"""Running sums and the like: each element is combined with what stands before it."""

from __future__ import annotations

import math

from . import _types
from ._builder import Value
from ._elementwise import cast
from ._extents import check_axis, extents, index, product
from ._moves import reshape
from ._scalars import Body, refuse
from ._text import END, Line, line, loop_head, words

#: Of floats: what combines, and the number that changes nothing.
_FLOATS = {
    # 0 would make 0 of -0.
    "sum": ("arith.addf", -0.0),
    "product": ("arith.mulf", 1.0),
    "max": ("arith.maximumf", -math.inf),
    "min": ("arith.minimumf", math.inf),
    "logsumexp": ("logsumexp", -math.inf),
}


def _of_integers(kind: str, element: str) -> tuple[str, int] | None:
    """Returns the operation and the neutral number of integers."""
    low, high = _types.limits(element)
    sign = "ui" if _types.is_unsigned(element) else "si"
    return {
        "sum": ("arith.addi", 0),
        "product": ("arith.muli", 1),
        "max": (f"arith.max{sign}", low),
        "min": (f"arith.min{sign}", high),
    }.get(kind)


def scan(kind: str, x: Value, axis: int) -> Value:
    """Returns the running 'sum', 'product', 'max', 'min' or, of floats, 'logsumexp' along an axis:
    element i combines elements 0 to i, one after the other, and is rounded to the element
    type each time, floats of eight bits to f32. Sums and products of integers wrap."""
    axis = check_axis(axis, x.rank)
    if x.element == "i1":
        refuse(f"running {kind}", x.element, "numbers")
    combine = _FLOATS[kind] if _types.is_float(x.element) else _of_integers(kind, x.element)
    if combine is None:
        refuse(f"running {kind}", x.element, "floats")
    if _types.is_float8(x.element):
        return cast(scan(kind, cast(x, "f32"), axis), x.element)
    with x.builder.naming(f"running {kind}"):
        sizes = extents(x)
        before, after = product(sizes[:axis]), product(sizes[axis + 1 :])
        if axis == x.rank - 1:
            found = _scan_rows(reshape(x, [before, sizes[axis]]), *combine)
        else:
            found = _scan_columns(reshape(x, [before, sizes[axis], after]), combine[0])
        return reshape(found, sizes)


def _combine(body: Body, operation: str, element: str, x: str, y: str) -> str:
    """Computes one step, rounded to the element type."""
    signless = _types.signless(element)
    if not body.is_float:
        return body.do(operation, x, y)
    x, y = (body.convert(v, signless, body.compute) for v in (x, y))
    made = _add_logarithms(body, x, y) if operation == "logsumexp" else body.do(operation, x, y)
    return body.convert(made, body.compute, signless)


def _add_logarithms(body: Body, x: str, y: str) -> str:
    """Returns the logarithm of the sum of two numbers, of their logarithms."""
    apart = body.do("math.absf", body.do("arith.subf", x, y))
    less = body.do("math.log1p", body.do("math.exp", body.do("arith.negf", apart)))
    # The difference of two equal infinities is none.
    less = body.select(body.compare("oeq", x, y), body.number(math.log(2)), less)
    return body.do("arith.addf", body.do("arith.maximumf", x, y), less)


def _scan_rows(x: Value, operation: str, neutral: float) -> Value:
    """Scans along the last of two axes, with the last result at hand."""
    builder, element = x.builder, _types.signless(x.element)
    rows, columns = extents(x)
    zero, one = index(builder, 0), index(builder, 1)
    ends = index(builder, rows), index(builder, columns)
    start, empty = builder.new_name(), builder.new_name()
    builder.add("arith.constant {} : {}", _types.spell(neutral, x.element), element, result=start)
    open_sizes = [index(builder, n) for n in (rows, columns) if not isinstance(n, int)]
    builder.add("tensor.empty({}) : {}", open_sizes, x.type, result=empty)
    result = Value(builder, builder.new_name(), x.element, x.extents)
    body = Body(_types.compute_type(x.element))
    given = body.make("tensor.extract {}[{}, {}] : {}", x.name, "%i", "%j", x.type)
    now = _combine(body, operation, x.element, "%before", given)
    made = body.make("tensor.insert {} into {}[{}, {}] : {}", now, "%inner", "%i", "%j", x.type)
    carried = [words("{} = {}", "%inner", "%outer"), words("{} = {}", "%before", start)]
    builder.add_lines(
        loop_head(result.name, "%i", (zero, ends[0], one), [words("{} = {}", "%outer", empty)], [x.type]),
        [
            loop_head("%row:2", "%j", (zero, ends[1], one), carried, [x.type, element]),
            *body.lines,
            line("scf.yield {} : {}", [made, now], [x.type, element]),
            END,
        ],
        line("scf.yield {} : {}", "%row#0", x.type),
    )
    return result


def _scan_columns(x: Value, operation: str) -> Value:
    """Scans along the second of three axes, whole lines at a time."""
    builder = x.builder
    zero, one = index(builder, 0), index(builder, 1)
    ends = [index(builder, n) for n in extents(x)]
    result = Value(builder, builder.new_name(), x.element, x.extents)
    body = Body(_types.compute_type(x.element))
    before = body.make("tensor.extract {}[{}, {}, {}] : {}", "%inner", "%i", "%last", "%k", x.type)
    given = body.make("tensor.extract {}[{}, {}, {}] : {}", "%inner", "%i", "%j", "%k", x.type)
    now = _combine(body, operation, x.element, before, given)
    made = body.make("tensor.insert {} into {}[{}, {}, {}] : {}", now, "%inner", "%i", "%j", "%k", x.type)

    def loop(name: str, at: str, start: str, end: str, tensor: str, given: str) -> Line:
        return loop_head(name, at, (start, end, one), [words("{} = {}", tensor, given)], [x.type])

    builder.add_lines(
        loop(result.name, "%i", zero, ends[0], "%outer", x.name),
        [
            loop("%part", "%j", one, ends[1], "%middle", "%outer"),
            line("arith.subi {}, {} : index", "%j", one, result="%last"),
            loop("%line", "%k", zero, ends[2], "%inner", "%middle"),
            *body.lines,
            line("scf.yield {} : {}", made, x.type),
            END,
            line("scf.yield {} : {}", "%line", x.type),
            END,
        ],
        line("scf.yield {} : {}", "%part", x.type),
    )
    return result
