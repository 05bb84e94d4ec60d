"""Elements read as others of as many bits."""

from __future__ import annotations

from .. import _program as program
from .._program import Value


def count_bits(element: str) -> int:
    """Returns how many bits an element has in memory."""
    # One of i1 is a byte.
    return 8 if element == "i1" else program.width(element)


def read_as(x: Value, element: str) -> Value:
    """Reads the bits of each element as one of another type of as many bits."""
    p = program
    source, target = x.element, element
    if source == target:
        return x
    if element == "i1":
        return p.not_equal(read_as(x, "ui8"), 0)
    if source == "i1":
        return read_as(p.cast(x, "ui8"), element)
    if not p.is_float(source) and not p.is_float(target):
        return p.cast(x, target)
    if x.rank == 0:
        return p.squeeze(read_as(p.expand(x, [0]), element), [0])
    types = f"{source.removeprefix('u')} to {target.removeprefix('u')}"
    return p.elements(
        x.builder,
        p.extents(x),
        target,
        [(x, range(x.rank))],
        lambda body, _, name: body.make("arith.bitcast {} : {}", name, types),
    )
