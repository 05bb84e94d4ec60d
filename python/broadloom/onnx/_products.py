"""Products of matrices."""

from __future__ import annotations

from .. import _program as program
from .._program import is_same
from .._tensors._fits import require_spread_to
from .._tensors._products import linear, matmul
from .._tensors._tensor import Held, Tensor, plain
from ._context import Context, Unsupported, operator, spread


def multiply_matrices(c: Context, x, y) -> Tensor:
    """The product, with NumPy's rules; a matrix that is known is laid out at import."""
    if y.rank == 2 and x.rank >= 2 and program.is_float(x.element):
        return linear(c, c.tensor(x), y, None)
    return matmul(c.tensor(x), c.tensor(y))


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
    require_spread_to(c, bias, made, "summand")
    return spread(c, lambda m, b: p.add(m, scale(b, beta)), made, c.tensor(bias))


def _is_whole(bias, y) -> bool:
    """Whether a bias has an element for each column."""
    mine = bias.shape[0] if isinstance(bias, Held) else bias.extent(0)
    theirs = y.shape[1] if isinstance(y, Held) else y.extent(1)
    return is_same(mine, theirs)


@operator("Einsum", since=12)
def _einsum(c: Context, *operands, equation):
    left, arrow, right = equation.replace(" ", "").partition("->")
    listed = left.split(",")
    if len(listed) != len(operands):
        raise ValueError(f"the equation {equation!r} has {len(listed)} operands, but {len(operands)} are given")
    labels = [program.split_labels(own, operand.rank) for own, operand in zip(listed, operands)]
    result = program.read_result(right if arrow else None, labels)
    return plain(program.einsum([c.value(o) for o in operands], labels, result))
