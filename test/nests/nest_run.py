"""Enumerates loop nests in plain Python: what a call reads, writes and computes."""

import math
from dataclasses import dataclass, field

import numpy as np
from nest_program import (
    Branch,
    Call,
    Carried,
    Constant,
    Copy,
    FromIndex,
    Load,
    Loop,
    Name,
    Number,
    Product,
    Quotient,
    Reduction,
    Store,
    Sum,
    Temporary,
    View,
)


class TooLong(Exception):
    """The call has more iterations than are worth enumerating, or a value that nothing defines."""


@dataclass(frozen=True)
class Outside:
    """An access with an index outside, or, without index and axis, a view that is not inside, or a copy of memory
    with other extents."""

    node: object
    index: int | None = None
    axis: int | None = None
    extent: int | None = None
    # Which call of its function it is in.
    call: int = 0
    # What the names of the function are there.
    names: dict = field(default_factory=dict, compare=False)


@dataclass
class Outcome:
    """What a call does, by enumeration."""

    # All that is outside, in the program's order; what else the call does is known where this is empty.
    outside: list = field(default_factory=list)
    # The writes in front of the first access outside: array, index, element.
    writes: list = field(default_factory=list)
    # The loops around that access in its function, each with how many writes came before it; and how many came
    # before the function was called.
    around: list = field(default_factory=list)
    entered: int = 0
    # For each call of a function, access and axis, the only index that it has, or None where it has several.
    only: dict = field(default_factory=dict)
    accesses: int = 0
    operations: int = 0


@dataclass
class Part:
    """A memory as the program sees it; `data` is None where a view is not inside."""

    shape: tuple
    data: np.ndarray | None


def number(form, names):
    """What an index is. A form keeps the code that computes it, since nobody changes a form."""
    try:
        compute = form.compute
    except AttributeError:
        compute = form.compute = eval(f"lambda n: {code(form)}", {"wrap": wrap})
    return compute(names)


# Where the names of a run have what wraps a dividend.
DIVIDEND = ""


def code(form):
    """Sums and products are those of 64 bits, which only quotients, remainders and the end need to see."""
    if isinstance(form, Sum | Product):
        return f"wrap({plain(form)})"
    return plain(form)


def plain(form):
    if isinstance(form, Number):
        return f"({form.value})"
    if isinstance(form, Name):
        return f"n[{form.name!r}]"
    if isinstance(form, Sum | Product):
        return f"({plain(form.left)} {'+' if isinstance(form, Sum) else '*'} {plain(form.right)})"
    return f"(n[{DIVIDEND!r}]({plain(form.left)}) {'//' if isinstance(form, Quotient) else '%'} {form.by})"


def wrap(element):
    """The element as 64 bits hold it."""
    if -(2**63) <= element < 2**63:
        return element
    return (element + 2**63) % 2**64 - 2**63


def as_it_is(element):
    """The dividend of a map. MLIR simplifies maps when it reads them, as if they were over mathematical integers, so
    that nothing defines the quotient of a sum that wraps."""
    if -(2**63) <= element < 2**63:
        return element
    raise TooLong


def is_inside(offset, size, stride, extent):
    """Whether an axis of a view is (mem-3)."""
    if size == 0:
        return 0 <= offset <= extent
    last = offset + (size - 1) * stride
    return size > 0 and (size == 1 or stride != 0) and 0 <= min(offset, last) and max(offset, last) < extent


def part_of(offset, size, stride):
    """What of an axis a view takes."""
    if size <= 1:
        return slice(offset, offset + size)
    end = offset + size * stride
    return slice(offset, end if end >= 0 else None, stride)


class Run:
    """One call. The arrays that are given are changed, up to the first access outside."""

    def __init__(self, functions, most=20_000):
        self.functions = {f.name: f for f in functions}
        self.most = most
        self.outcome = Outcome()
        self.entered = self.count = 0

    def call(self, name, arrays, numbers):
        function = self.functions[name]
        self.integers = np.issubdtype(arrays[0].dtype, np.integer)
        parts = {m.name: Part(a.shape, a) for m, a in zip(function.memories, arrays)}
        self.block(self.enter(function, parts, numbers))
        return self.outcome

    def enter(self, function, parts, numbers):
        self.parts, self.names, self.around = parts, dict(zip(function.numbers, numbers)), []
        self.names[DIVIDEND] = as_it_is if function.form == "affine" else wrap
        self.entered += 1
        self.activation = self.entered
        self.written = len(self.outcome.writes)
        self.name_extents()
        return function.body

    def name_extents(self):
        for name, part in self.parts.items():
            for axis, extent in enumerate(part.shape):
                self.names[f"{name}_{axis}"] = extent

    def block(self, statements):
        for statement in statements:
            self.statement(statement)

    def statement(self, node):
        getattr(self, STATEMENTS[type(node)])(node)

    def loop(self, node):
        for _ in self.iterations(node):
            self.block(node.body)

    def branch(self, node):
        numbers = ((number(f, self.names), is_equal) for f, is_equal in node.conditions)
        hold = all(v == 0 if is_equal else v >= 0 for v, is_equal in numbers)
        self.block(node.then if hold else node.otherwise)

    def temporary(self, node):
        source = self.parts[node.memory]
        self.parts[node.name] = Part(source.shape, None if source.data is None else source.data.copy())
        self.name_extents()
        if min(source.shape, default=0) < 0:
            self.fail(Outside(node, call=self.activation, names=dict(self.names)))

    def iterations(self, node):
        self.around.append((node, len(self.outcome.writes)))
        first = max(number(b, self.names) for b in node.lowers)
        for i in range(first, min(number(b, self.names) for b in node.uppers), node.step):
            self.count += 1
            if self.count > self.most:
                raise TooLong
            self.names[node.variable] = i
            yield i
        self.around.pop()

    def reduction(self, node):
        carried = self.compute(node.start)
        for _ in self.iterations(node):
            self.carried = carried
            carried = self.compute(node.update)
        self.store(node, carried)

    def store(self, node, element=None):
        if element is None:
            element = self.compute(node.value)
        place, inside = self.access(node)
        if inside:
            self.write(self.parts[node.memory].data, place, element)

    def write(self, data, place, element):
        data[place] = element
        self.outcome.writes.append((data, place, element))

    def copy(self, node):
        source, target = self.parts[node.memory], self.parts[node.target]
        if source.shape != target.shape:
            self.fail(Outside(node, call=self.activation, names=dict(self.names)))
        if not self.outcome.outside:
            self.write(target.data, ..., source.data.copy())

    def call_inside(self, node):
        outer = self.parts, self.names, self.around, self.activation, self.written
        parts = [self.parts[m] for m in node.memories]
        numbers = [number(n, self.names) for n in node.numbers]
        function = self.functions[node.function]
        self.block(self.enter(function, {m.name: p for m, p in zip(function.memories, parts)}, numbers))
        self.parts, self.names, self.around, self.activation, self.written = outer

    def view(self, node):
        source = self.parts[node.memory]
        offsets, sizes, strides = (
            [number(f, self.names) for f in forms] for forms in (node.offsets, node.sizes, node.strides)
        )
        if all(map(is_inside, offsets, sizes, strides, source.shape)):
            data = source.data
            for axis, (offset, size, stride) in enumerate(zip(offsets, sizes, strides)) if data is not None else ():
                data = data[(slice(None),) * axis + (part_of(offset, size, stride),)]
        else:
            data = None
            self.fail(Outside(node, call=self.activation, names=dict(self.names)))
        self.parts[node.name] = Part(tuple(sizes), data)
        self.name_extents()

    def fail(self, outside):
        if not self.outcome.outside:
            self.outcome.around, self.outcome.entered = list(self.around), self.written
        self.outcome.outside.append(outside)

    def access(self, node):
        """The place, and whether it is inside and nothing has been outside so far."""
        self.outcome.accesses += 1
        if self.outcome.accesses > self.most:
            raise TooLong
        names, only = self.names, self.outcome.only
        place = tuple([number(s, names) for s in node.subscripts])
        part = self.parts[node.memory]
        for axis, (i, extent) in enumerate(zip(place, part.shape)):
            key = (self.activation, id(node), axis)
            if only.setdefault(key, i) != i:
                only[key] = None
            if not 0 <= i < extent:
                self.fail(Outside(node, i, axis, extent, self.activation, dict(self.names)))
        return place, not self.outcome.outside and part.data is not None

    def compute(self, node):
        kind = type(node)
        if kind is Load:
            place, inside = self.access(node)
            return self.parts[node.memory].data.item(place) if inside else (0 if self.integers else 1.0)
        if kind is Constant:
            return node.value
        if kind is Carried:
            return self.carried
        if kind is FromIndex:
            found = number(node.index, self.names)
            return found if self.integers else float(found)
        operands = [self.compute(o) for o in node.operands]
        self.outcome.operations += 1
        found = OPERATIONS[node.name](*operands)
        return wrap(found) if self.integers else found


# The methods by their names, so that classes that note what happens replace them.
STATEMENTS = {
    Loop: "loop",
    Reduction: "reduction",
    Branch: "branch",
    Store: "store",
    View: "view",
    Temporary: "temporary",
    Copy: "copy",
    Call: "call_inside",
}

OPERATIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b if b else float(np.divide(a, b)),
    "xor": lambda a, b: a ^ b,
    "sqrt": lambda a: math.sqrt(a) if a >= 0 else math.nan,
    "least": lambda a, b: a if a < b else b,
    "above": lambda a, b, c, d: d if a > c else b,
}
