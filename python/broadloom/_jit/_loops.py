"""`bl.fori_loop`, `bl.while_loop` and `bl.scan`: loops of a program, of which each step is traced once."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .. import _program as program
from .._errors import ShapeError
from . import _integers, _trace, _trees
from ._array import TracedArray
from ._carried import Carry, spell_shape
from ._extent import TracedExtent, integer_of, to_python
from ._memory import share
from ._ufuncs import to_array


def fori_loop(lower: Any, upper: Any, body: Callable[..., Any], init: Any) -> Any:
    """Returns `carry` after `carry = body(i, carry)` for each i from `lower` to before `upper`; it begins as `init`.

        bl.fori_loop(0, 200, lambda i, x: x + np.sin(x), x)

    A function under `bl.jit` gets a loop with one step in it, however many there are. `lower` and `upper` are numbers,
    extents or integer arrays without axes, and `i` is a number as an extent is. `init` is an array, a number, or a
    tuple, list or dictionary of them. Each step gives the shapes and the element types that it is given; a number of
    Python's takes the type that the body gives it. Elsewhere it is a loop of Python's.
    """
    if not _trace.is_tracing():
        for i in range(operator.index(lower), operator.index(upper)):
            init = body(i, init)
        return init
    trace = _trace.current()
    builder = _trace.enter(trace)
    first, last = (_spell_bound(trace, bound, name) for bound, name in ((lower, "lower"), (upper, "upper")))
    low, high = first.as_integer(builder), last.as_integer(builder)
    carry = Carry(trace, "fori_loop", init, body)
    carry.has_steps = first.high < last.low

    def step(at: program.Extent, given: list[Any]) -> list[Any]:
        number = to_python(trace, _integers.clipped(at, first.low, last.high - 1))
        return carry.leave(body(number, carry.build(given)))

    return carry.run(lambda start: program.repeat(builder, low, high, start, step))


def while_loop(cond: Callable[..., Any], body: Callable[..., Any], init: Any) -> Any:
    """Returns `carry` after `carry = body(carry)` for as long as `cond(carry)` holds; it begins as `init`.

        bl.while_loop(lambda x: np.max(x) > 1, lambda x: x / 2, x)

    `cond` gives a truth: an array without axes, or a comparison of extents. What is carried is as for `fori_loop`.
    """
    if not _trace.is_tracing():
        while cond(init):
            init = body(init)
        return init
    trace = _trace.current()
    builder = _trace.enter(trace)
    carry = Carry(trace, "while_loop", init, cond, body)

    def test(given: list[Any]) -> str:
        return _spell_condition(trace, cond(carry.build(given)))

    def step(given: list[Any]) -> list[Any]:
        return carry.leave(body(carry.build(given)))

    return carry.run(lambda start: program.repeat_while(builder, start, test, step))


def scan(f: Callable[..., Any], init: Any, xs: Any = None, length: Any = None, reverse: bool = False) -> Any:
    """Returns the last carry, and the arrays of the rows, of `carry, row = f(carry, x)` for each x along the first axes
    of `xs`.

        total, sums = bl.scan(lambda s, x: (s + x, s + x), np.float32(0), x)

    `xs` is an array, or a tuple, list or dictionary of arrays whose first axes have one extent; without it, `length` is
    how many steps there are, and x is None. A row is an array or a tree of them, and None for none. With `reverse` the
    last x is first; its row is the last all the same. What is carried is as for `fori_loop`.
    """
    if not _trace.is_tracing():
        return _scan_arrays(f, init, xs, length, reverse)
    trace = _trace.current()
    builder = _trace.enter(trace)
    structure, leaves = _trees.number_leaves(xs)
    arrays = [None if x is None else to_array(trace, x) for x in leaves]
    count = _count_steps(trace, dict(zip(_trees.spell_paths(structure, "xs"), arrays)), length)
    for array, leaf in zip(arrays, leaves):
        if array is not None and isinstance(leaf, np.ndarray):
            # Its rows are parts of an array of NumPy's.
            array._is_kept = True
    carry, rows = Carry(trace, "scan", init, f), _Rows(trace)
    carry.has_steps = isinstance(count, int) and count > 0

    def call(at: Any, given: Any) -> Any:
        row = _trees.build(structure, lambda place: None if arrays[place] is None else _take_row(arrays[place], at))
        found = f(given, row)
        if not isinstance(found, tuple) or len(found) != 2:
            raise _trace.error("'bl.scan': the function gives a tuple of the carry and a row: (carry, None) for no row")
        return found

    def step(at: Any, given: list[Any]) -> Any:
        left, row = call(at, carry.build(given))
        return carry.leave(left), rows.leave(row)

    def run(start: list[Any]) -> list[Any]:
        rows.look(lambda: call(program.Extent(builder, builder.new_name()), carry.enter(start))[1])
        left, rows.made = program.collect(builder, count, start, rows.kinds, step, bool(reverse))
        return left

    return carry.run(run), rows.build()


def _scan_arrays(f: Callable[..., Any], init: Any, xs: Any, length: Any, reverse: bool) -> Any:
    """Computes `scan` where nothing is traced."""
    counts = [] if length is None else [operator.index(length)]
    counts += [np.shape(x)[0] for x in _trees.number_leaves(xs)[1] if x is not None]
    if not counts:
        raise ValueError("bl.scan without xs needs length=")
    if len(set(counts)) > 1:
        raise ValueError(
            f"the first axes of xs, and length, have the extents {', '.join(map(str, counts))}; they must be one"
        )
    if not counts[0]:
        # Shapes of rows, of which there are none, are those of a program.
        from ._function import jit

        return jit(lambda init, xs: scan(f, init, xs, 0, reverse))(init, xs)
    structure, leaves = _trees.number_leaves(xs)
    rows: list[Any] = []
    for i in reversed(range(counts[0])) if reverse else range(counts[0]):
        parts = [None if leaf is None else leaf[i] for leaf in leaves]
        init, row = f(init, _trees.build(structure, parts.__getitem__))
        rows.append(row)
    columns = list(zip(*(_trees.number_leaves(row)[1] for row in (reversed(rows) if reverse else rows))))
    structure, _ = _trees.number_leaves(rows[0])
    return init, _trees.build(structure, lambda at: None if columns[at][0] is None else np.stack(columns[at]))


def _take_row(array: TracedArray, at: Any) -> TracedArray:
    """Returns array[at], which is inside."""
    value = program.squeeze(program.take_slice(array._value, 0, at, 1), [0])
    return share(array, value) if value.rank else TracedArray(array._trace, value)


def _count_steps(trace: _trace.Trace, arrays: Mapping[str, TracedArray | None], length: Any) -> program.Extent | int:
    """Returns how many steps there are; a call checks that all agree."""
    builder = trace.builder
    counts: list[tuple[str, program.Extent | int]] = []
    if length is not None:
        counts.append(("length=", _spell_bound(trace, length, "length").as_integer(builder)))
    for name, array in arrays.items():
        if array is None:
            continue
        if not array.ndim:
            raise _trace.error(
                f"'bl.scan': it goes over the first axis of {name}, which has none; carry it, or close over it"
            )
        counts.append((f"axis 0 of {name}", program.extent(array._value, 0)))
    if not counts:
        raise _trace.error("'bl.scan': without xs it needs length=")
    (first, count), *others = [(program.escape_message(name), number) for name, number in counts]
    with builder.naming("bl.scan"):
        for name, other in others:
            try:
                program.require(builder, "eq", count, other, f"{first} is {{0}} steps, but {name} is {{1}}")
            except ValueError as error:
                raise ShapeError(f"{_trace.spell_location()}'bl.scan': {error}") from None
    return program.largest(count, 0)


def _spell_bound(trace: _trace.Trace, bound: Any, name: str) -> _integers.Integer:
    """Returns an end of a loop, as an integer."""
    if isinstance(bound, TracedArray):
        if bound.ndim or bound.dtype.kind not in "iu":
            raise _trace.error(
                f"{name} of the loop is an integer without axes, not {bound.dtype} of shape {spell_shape(bound)}; "
                f"for one of floats, give {name}.astype(int)"
            )
        low, high = (int(getattr(np.iinfo(bound.dtype), end)) for end in ("min", "max"))
        return _integers.Integer(program.to_number(bound._value), low, min(high, _integers.HIGH))
    if (isinstance(bound, np.ndarray) and bound.ndim == 0 and bound.dtype.kind in "iu") or isinstance(
        bound, np.integer
    ):
        return _integers.known(int(bound))
    integer = None if isinstance(bound, (bool, np.bool_)) else integer_of(bound)
    if integer is None:
        raise _trace.error(f"{name} of the loop is an integer, an extent or an array of one, not {bound!r}")
    return integer


def _spell_condition(trace: _trace.Trace, found: Any) -> str:
    """Returns the i1 of a truth that `cond` of a loop gives."""
    _trace.enter(trace)
    if isinstance(found, TracedExtent):
        found = found._as_array()
    if isinstance(found, TracedArray):
        _trace.require_of(trace, found)
        if found.ndim:
            raise _trace.error(
                f"'bl.while_loop': cond gives an array of shape {spell_shape(found)}, not one truth; use np.any or "
                "np.all of it"
            )
        return program.extract(program.cast(found._value, "i1"))
    if isinstance(found, (bool, int, np.generic)) or (isinstance(found, np.ndarray) and found.ndim == 0):
        return program.truth(trace.builder, bool(found))
    raise _trace.error(f"'bl.while_loop': cond gives {found!r}, not a truth")


class _Rows:
    """The rows of a loop: their tree, and the element types and shapes of each."""

    def __init__(self, trace: _trace.Trace) -> None:
        self.trace = trace
        self.structure: Any = None
        self.kinds: list[tuple[str, list[Any]]] = []
        self.made: list[program.Value] = []

    def look(self, first: Callable[..., Any]) -> None:
        """Finds what one step gives, of which nothing stays."""
        builder = self.trace.builder
        outside = program.Outside(builder)
        with builder.region():
            row = first()
            self.structure, leaves = _trees.number_leaves(row)
            values = self.leave(row)
            sizes = [[program.known(n) for n in program.extents(value)] for value in values]
            made = program.numbers_made(builder)
        names = _trees.spell_paths(self.structure, "row")
        self._is_none = [leaf is None for leaf in leaves]
        names = [name for name, leaf in zip(names, leaves) if leaf is not None]
        self.kinds = []
        for name, value, known in zip(names, values, sizes):
            shape = [outside.number(one, made) for one in known]
            if None in shape:
                raise _trace.refuse(
                    f"{name} of bl.scan, whose axis {shape.index(None)} has an extent that only its steps tell,",
                    f"give it the shape of an array from outside, as in np.reshape({name}, x.shape)",
                )
            self.kinds.append((value.element, shape))

    def leave(self, row: Any) -> list[program.Value]:
        """Returns the values of the rows of a step."""
        _trace.enter(self.trace)
        return [to_array(self.trace, leaf)._value for leaf in _trees.number_leaves(row)[1] if leaf is not None]

    def build(self) -> Any:
        """Returns the arrays of all rows."""
        values = iter(self.made)
        made = [None if is_none else TracedArray(self.trace, next(values)) for is_none in self._is_none]
        return _trees.build(self.structure, made.__getitem__)
