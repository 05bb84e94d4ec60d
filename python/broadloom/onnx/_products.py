"""Products of matrices."""

from __future__ import annotations

from .. import _program as program
from .._program import Value, extent, is_same
from .._tensors._products import linear
from .._tensors._tensor import Held, Tensor, plain
from ._context import Context, Unsupported, operator, spread


def multiply_matrices(c: Context, x, y) -> Tensor:
    """The product, with NumPy's rules; a matrix that is known is laid out at import."""
    if y.rank == 2 and x.rank >= 2 and program.is_float(x.element):
        return linear(c, c.tensor(x), y, None)
    return plain(program.matmul(c.value(x), c.value(y)))


@operator("MatMul")
def _matmul(c: Context, x, y):
    return multiply_matrices(c, x, y)


def _turn(x):
    return x.permute([1, 0]) if isinstance(x, Held) else Tensor(x.value, x.order[::-1])


@operator("Gemm", since=7)
def _gemm(c: Context, x, y, bias=None, *, alpha=1.0, beta=1.0, transA=0, transB=0):
    p = program
    if x.rank != 2 or y.rank != 2:
        raise ValueError(f"its operands have {x.rank} and {y.rank} axes, not 2")
    element = x.element
    x, y = _turn(x) if transA else x, _turn(y) if transB else y
    if bias is not None and bias.rank == 1 and alpha == beta == 1 and _is_whole(bias, y) and p.is_float(element):
        return linear(c, c.tensor(x), y, bias)
    made = multiply_matrices(c, x, y)
    scale = lambda value, number: value if number == 1 else p.multiply(value, number if p.is_float(element) else int(number))
    if not p.is_float(element) and not (alpha == int(alpha) and beta == int(beta)):
        raise Unsupported(f"integers times {alpha} and {beta}")
    made = Tensor(scale(made.value, alpha), made.order)
    if bias is None or beta == 0:
        return made
    return spread(c, lambda m, b: p.add(m, scale(b, beta)), made, c.tensor(bias))


def _is_whole(bias, y) -> bool:
    """Whether a bias has an element for each column."""
    mine = bias.shape[0] if isinstance(bias, Held) else bias.extent(0)
    theirs = y.shape[1] if isinstance(y, Held) else y.extent(1)
    return is_same(mine, theirs)


# Sums of products by names of axes.


@operator("Einsum", since=12)
def _einsum(c: Context, *operands, equation):
    p = program
    terms, result = _read_equation(equation, operands)
    values = [c.value(o) for o in operands]
    parts = [_diagonal(v, t) for v, t in zip(values, terms)]
    value, term = parts[0]
    for number, (other, names) in enumerate(parts[1:], 1):
        later = set(result).union(*(t for _, t in parts[number + 1 :]))
        value, term = _contract(value, term, other, names, later)
    gone = [axis for axis, name in enumerate(term) if name not in result]
    if gone:
        value = p.reduce("sum", value, gone)
        term = [name for name in term if name in result]
    return plain(p.transpose(value, [term.index(name) for name in result]))


def _read_equation(equation: str, operands) -> tuple[list[list[str]], list[str]]:
    """The names of each operand's axes and of the result's. Those of an ellipsis are
    numbers, counted from the last."""
    text = equation.replace(" ", "")
    left, arrow, right = text.partition("->")
    given = left.split(",")
    if len(given) != len(operands):
        raise ValueError(f"the equation {equation!r} has {len(given)} operands, but {len(operands)} are given")
    terms = []
    for term, operand in zip(given, operands):
        ahead, dots, behind = term.partition("...")
        more = operand.rank - len(ahead) - len(behind)
        if more < 0 or more and not dots:
            raise ValueError(f"the equation {equation!r} has {term!r} for an operand of {operand.rank} axes")
        terms.append([*ahead, *map(str, range(more, 0, -1)), *behind])
    widest = max((t for t in terms), key=lambda t: sum(n.isdigit() for n in t))
    dots = [n for n in widest if n.isdigit()]
    if not arrow:
        every = [n for t in terms for n in t if not n.isdigit()]
        return terms, [*dots, *sorted(n for n in set(every) if every.count(n) == 1)]
    ahead, had, behind = right.partition("...")
    result = [*ahead, *(dots if had else []), *behind]
    for name in result:
        if not any(name in t for t in terms):
            raise ValueError(f"the equation {equation!r} has {name!r} on the right alone")
    return terms, result


def _diagonal(value: Value, term: list[str]) -> tuple[Value, list[str]]:
    """Without names that are there twice."""
    p = program
    for name in dict.fromkeys(term):
        while term.count(name) > 1:
            first = term.index(name)
            second = term.index(name, first + 1)
            rank = value.rank
            rows = p.iota(value.builder, extent(value, first), "i64", axis=first, rank=rank)
            columns = p.iota(value.builder, extent(value, second), "i64", axis=second, rank=rank)
            zero = 0.0 if p.is_float(value.element) else 0
            value = p.reduce("sum", p.select(p.equal(rows, columns), value, zero), [second])
            term = term[:second] + term[second + 1 :]
    return value, term


def _contract(x: Value, mine: list[str], y: Value, theirs: list[str], later: set[str]):
    """The product of two operands, summed over what nothing reads later."""
    p = program
    shared = [n for n in mine if n in theirs]
    batch = [n for n in shared if n in later]
    inner = [n for n in shared if n not in later]
    x, mine = _sum_own(x, mine, theirs, later)
    y, theirs = _sum_own(y, theirs, mine, later)
    rows = [n for n in mine if n not in shared]
    columns = [n for n in theirs if n not in shared]
    sizes = {n: extent(x, a) for a, n in enumerate(mine)}
    for axis, name in enumerate(theirs):
        own = extent(y, axis)
        sizes[name] = p.join_extents(sizes[name], own) if name in sizes else own
    if any(not is_same(extent(v, t.index(n)), sizes[n]) for n in shared for v, t in ((x, mine), (y, theirs))):
        return _broadcast_product(x, mine, y, theirs, batch, inner, rows, columns)
    left = p.transpose(x, [mine.index(n) for n in [*batch, *rows, *inner]])
    right = p.transpose(y, [theirs.index(n) for n in [*batch, *inner, *columns]])
    count = lambda names: p.product(sizes[n] for n in names)
    left = p.reshape(left, [count(batch), count(rows), count(inner)])
    right = p.reshape(right, [count(batch), count(inner), count(columns)])
    names = [*batch, *rows, *columns]
    return p.reshape(p.matmul(left, right), [sizes[n] for n in names]), names


def _sum_own(x: Value, mine: list[str], theirs: list[str], later: set[str]) -> tuple[Value, list[str]]:
    """Summed over axes that only this operand has."""
    gone = [a for a, n in enumerate(mine) if n not in theirs and n not in later]
    if not gone:
        return x, mine
    return program.reduce("sum", x, gone), [n for a, n in enumerate(mine) if a not in gone]


def _broadcast_product(x, mine, y, theirs, batch, inner, rows, columns):
    """Where an axis of one operand may be of extent 1 beside the other's."""
    p = program
    names = [*batch, *rows, *columns, *inner]

    def place(value, term):
        value = p.transpose(value, [term.index(n) for n in names if n in term])
        return p.expand(value, [a for a, n in enumerate(names) if n not in term])

    product = p.multiply(place(x, mine), place(y, theirs))
    gone = list(range(len(names) - len(inner), len(names)))
    return (p.reduce("sum", product, gone) if gone else product), names[: len(names) - len(inner)]
