"""Products of matrices."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _program as program
from .._program import is_same
from .._tensors._fits import require_spread_to
from .._tensors._products import linear, matmul, scale
from .._tensors._tensor import Held, Tensor, from_value, permute
from ._context import Context, Operand, Unsupported, operator, spread
from ._layout import extents_of


def multiply_matrices(c: Context, x: Operand, y: Operand) -> Tensor:
    """Multiplies matrices, with NumPy's rules; a matrix that is known is laid out at import."""
    if y.rank == 2 and x.rank >= 2 and program.is_float(x.element):
        return linear(c, c.tensor(x), y, None)
    return matmul(c.tensor(x), c.tensor(y))


def _require_product(c: Context, x: Operand, axis: int, y: Operand, other: int) -> None:
    """Requires that what is summed has one extent: axis `axis` of the first input, `other` of the second."""
    message = f"axis {axis} of {c.named(0)} has the extent {{0}}, but axis {other} of {c.named(1)} has {{1}}"
    program.require(c.builder, "eq", extents_of(x)[axis], extents_of(y)[other], message)


@operator("MatMul")
def _matmul(c: Context, x: Operand, y: Operand) -> Tensor:
    if x.rank and y.rank:
        _require_product(c, x, x.rank - 1, y, max(y.rank - 2, 0))
    for back in range(3, min(x.rank, y.rank) + 1):
        one, other = x.rank - back, y.rank - back
        message = f"axis {one} of {c.named(0)} has the extent {{0}}, but axis {other} of {c.named(1)} has {{1}}"
        program.require_fit(c.builder, extents_of(x)[one], extents_of(y)[other], message)
    return multiply_matrices(c, x, y)


@operator("Gemm", since=7)
def _gemm(
    c: Context,
    x: Operand,
    y: Operand,
    bias: Operand | None = None,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    transA: int = 0,
    transB: int = 0,
) -> Tensor:
    p = program
    if x.rank != 2 or y.rank != 2:
        raise ValueError(f"its operands have {x.rank} and {y.rank} axes, not 2")
    element = x.element
    _require_product(c, x, 0 if transA else 1, y, 1 if transB else 0)
    x, y = permute(x, [1, 0]) if transA else x, permute(y, [1, 0]) if transB else y
    if bias is not None and bias.rank == 1 and alpha == beta == 1 and _is_whole(bias, y) and p.is_float(element):
        return linear(c, c.tensor(x), y, bias)
    made = multiply_matrices(c, x, y)
    if not p.is_float(element):
        if not (alpha == int(alpha) and beta == int(beta)):
            raise Unsupported(f"integers times {alpha} and {beta}")
        alpha, beta = int(alpha), int(beta)
    made = Tensor(scale(made.value, alpha), made.order)
    if bias is None or beta == 0:
        return made
    require_spread_to(c, bias, made, "summand")
    return spread(c, lambda m, b: p.add(m, scale(b, beta)), made, c.tensor(bias))


def _is_whole(bias: Operand, y: Operand) -> bool:
    """Tells whether a bias has an element for each column."""
    mine = bias.shape[0] if isinstance(bias, Held) else bias.extent(0)
    theirs = y.shape[1] if isinstance(y, Held) else y.extent(1)
    return is_same(mine, theirs)


def _require_labels(c: Context, operands: Sequence[Operand], labels: Sequence[Sequence[str]]) -> None:
    """Requires that axes of one label have one extent, or broadcast where they are of several inputs."""
    seen: dict[str, tuple[int, int]] = {}
    for number, own in enumerate(labels):
        for axis, label in enumerate(own):
            first, place = seen.setdefault(label, (number, axis))
            x, y = extents_of(operands[first])[place], extents_of(operands[number])[axis]
            message = (
                f"axis {place} of {c.named(first)} has the extent {{0}}, but axis {axis} of {c.named(number)}, also "
                f"{label!r}, has {{1}}"
            )
            if first == number:
                program.require(c.builder, "eq", x, y, message)
            else:
                program.require_fit(c.builder, x, y, message)


@operator("Einsum", since=12)
def _einsum(c: Context, *operands: Operand, equation: str) -> Tensor:
    left, arrow, right = equation.replace(" ", "").partition("->")
    listed = left.split(",")
    if len(listed) != len(operands):
        raise ValueError(f"the equation {equation!r} has {len(listed)} operands, but {len(operands)} are given")
    labels = [program.split_labels(own, operand.rank) for own, operand in zip(listed, operands)]
    _require_labels(c, operands, labels)
    result = program.read_result(right if arrow else None, labels)
    return from_value(program.einsum([c.value(o) for o in operands], labels, result))
