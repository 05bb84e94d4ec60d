"""Loop nests over memory as Python objects: what the kernels, the mutants and the
fuzzer of nests have in common.

A program is written in several languages (`nest_text`, `nest_c`, `nest_fortran`) and
enumerated (`nest_run`). An index is made by arithmetic on `Name`s, and names of loop
variables, of numbers that the caller gives, and of extents, such as `a_0`, are the same
thing.
"""

from dataclasses import dataclass, field


class Index:
    """A number that a bound, a condition or a subscript has."""

    def __add__(self, other):
        return Sum(self, index(other))

    def __radd__(self, other):
        return Sum(index(other), self)

    def __sub__(self, other):
        return Sum(self, Product(index(other), Number(-1)))

    def __rsub__(self, other):
        return Sum(index(other), Product(self, Number(-1)))

    def __mul__(self, other):
        return Product(self, index(other))

    __rmul__ = __mul__

    def __floordiv__(self, other):
        return Quotient(self, other)

    def __mod__(self, other):
        return Remainder(self, other)


@dataclass
class Number(Index):
    value: int


@dataclass
class Name(Index):
    name: str


@dataclass
class Sum(Index):
    left: Index
    right: Index


@dataclass
class Product(Index):
    left: Index
    right: Index


@dataclass
class Quotient(Index):
    """Rounds down; `by` is a positive number."""

    left: Index
    by: int


@dataclass
class Remainder(Index):
    """Is never negative; `by` is a positive number."""

    left: Index
    by: int


def index(value):
    return Number(value) if isinstance(value, int) else value


class Value:
    """What is computed of elements."""

    def __add__(self, other):
        return Operation("add", [self, value(other)])

    def __sub__(self, other):
        return Operation("sub", [self, value(other)])

    def __mul__(self, other):
        return Operation("mul", [self, value(other)])

    def __truediv__(self, other):
        return Operation("div", [self, value(other)])


@dataclass
class Constant(Value):
    value: float


@dataclass
class FromIndex(Value):
    """An index as an element."""

    index: Index


@dataclass
class Carried(Value):
    """What the iteration before has handed on."""


@dataclass(eq=False)
class Load(Value):
    memory: str
    subscripts: list


@dataclass
class Operation(Value):
    """`add`, `sub`, `mul`, `div`, `xor`, `sqrt`, `least`, or `above`, which is the second
    operand where the first one is not above the third, and else the fourth."""

    name: str
    operands: list


def value(other):
    return other if isinstance(other, Value) else Constant(other)


class Statement:
    pass


@dataclass(eq=False)
class Store(Statement):
    memory: str
    subscripts: list
    value: Value


@dataclass(eq=False)
class Loop(Statement):
    """From the largest of `lowers` to the smallest of `uppers`, which is not included."""

    variable: str
    lowers: list
    uppers: list
    body: list
    step: int = 1
    is_parallel: bool = False


@dataclass(eq=False)
class Reduction(Statement):
    """A loop that hands a value on, which is `Carried` in `update`; the last one is stored."""

    variable: str
    lowers: list
    uppers: list
    start: Value
    update: Value
    memory: str
    subscripts: list
    step: int = 1


@dataclass(eq=False)
class Branch(Statement):
    """Each condition is an index and whether it must be 0, or at least 0."""

    conditions: list
    then: list
    otherwise: list = field(default_factory=list)


@dataclass(eq=False)
class Call(Statement):
    function: str
    memories: list
    numbers: list


@dataclass(eq=False)
class View(Statement):
    """A part of a memory, which a function takes before its loops."""

    name: str
    memory: str
    offsets: list
    sizes: list
    strides: list


@dataclass(eq=False)
class Copy(Statement):
    memory: str
    target: str


@dataclass(eq=False)
class Temporary(Statement):
    """Memory of the function's own, which begins as a copy of another one."""

    name: str
    memory: str


@dataclass
class Memory:
    """`extents` has None where calls choose; `layout` is "row-major" or "any"."""

    name: str
    extents: list
    element: str = "i64"
    layout: str = "row-major"


@dataclass
class Function:
    name: str
    memories: list
    numbers: list
    body: list
    # How loops are written: "affine", "scf", or "cf", which are blocks and branches.
    form: str = "affine"

    def memory(self, name):
        return next((m for m in self.memories if m.name == name), None)


def loop(variable, lower, upper, *body, step=1):
    """A loop; each bound is one index or a list of them."""
    bounds = [[index(b) for b in (bound if isinstance(bound, list) else [bound])] for bound in (lower, upper)]
    return Loop(variable.name, *bounds, list(body), step)


class Array:
    """A memory whose elements are written as in Python."""

    def __init__(self, name):
        self.name = name

    def __getitem__(self, subscripts):
        return Load(self.name, subscripts_of(subscripts))

    def put(self, subscripts, computed):
        return Store(self.name, subscripts_of(subscripts), value(computed))

    def add(self, subscripts, computed):
        return self.put(subscripts, self[subscripts] + computed)


def subscripts_of(given):
    return [index(s) for s in (given if isinstance(given, tuple) else (given,))]


def walk(node):
    """The node, and all that it has inside, in the program's order."""
    yield node
    for child in children(node):
        yield from walk(child)


def children(node):
    if isinstance(node, list | tuple):
        yield from node
    elif hasattr(node, "__dataclass_fields__"):
        for name in node.__dataclass_fields__:
            inner = getattr(node, name)
            if isinstance(inner, list | tuple) or hasattr(inner, "__dataclass_fields__"):
                yield inner


def bind(node, numbers):
    """A copy with numbers in place of names."""
    if isinstance(node, Name):
        return Number(numbers[node.name]) if node.name in numbers else node
    if isinstance(node, list | tuple):
        return type(node)(bind(inner, numbers) for inner in node)
    if not hasattr(node, "__dataclass_fields__"):
        return node
    return type(node)(**{name: bind(getattr(node, name), numbers) for name in node.__dataclass_fields__})
