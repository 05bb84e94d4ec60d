"""Products of matrices and attention of ATen."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _program as program
from .._tensors._products import attend, linear, matmul, scale
from .._tensors._sums import cast, wide_type
from .._tensors._tensor import Tensor, from_value, permute, to_value
from .._tensors._views import add_axis
from ._context import Context, Missing, Unsupported, elementwise, operation, reduced
from ._integers import multiply_integers
from ._stored import Operand


@operation("linear.default", "broadloom.linear.default", stored=True)
def _linear(c: Context, x: Operand, weight: Operand, bias: Operand | None = None) -> Tensor:
    if (made := multiply_integers(c, bias)) is not None:
        return made
    x = c.tensor(x)
    if weight.rank == 1:
        return from_value(program.matmul(to_value(x), to_value(c.tensor(weight))))
    return linear(c, x, permute(weight, [1, 0]), bias)


@operation("mm.default", stored=True)
def _mm(c: Context, x: Operand, y: Operand) -> Tensor:
    return linear(c, c.tensor(x), y, None)


@operation("addmm.default", stored=True)
def _addmm(c: Context, bias: Operand, x: Operand, y: Operand, *, beta: float = 1, alpha: float = 1) -> Tensor:
    if beta == 1 and alpha == 1 and bias.rank == 1:
        return linear(c, c.tensor(x), y, bias)
    product = linear(c, c.tensor(x), y, None)
    return _scaled_sum(c, c.tensor(bias), product, beta, alpha)


def _scaled_sum(c: Context, bias: Tensor, product: Tensor, beta: float, alpha: float) -> Tensor:
    return elementwise(c, lambda b, product: program.add(scale(b, beta), scale(product, alpha)), bias, product)


@operation("bmm.default", "matmul.default", "broadloom.matmul.default", "mv.default", "dot.default", stored=True)
def _matmul(c: Context, x: Operand, y: Operand) -> Tensor:
    if y.rank == 2:
        return linear(c, c.tensor(x), y, None)
    return matmul(c.tensor(x), c.tensor(y))


@operation("baddbmm.default")
def _baddbmm(c: Context, bias: Tensor, x: Tensor, y: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    return _scaled_sum(c, bias, _matmul(c, x, y), beta, alpha)


@operation("addbmm.default")
def _addbmm(c: Context, bias: Tensor, x: Tensor, y: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    product = matmul(x, y)
    total = from_value(program.sum(to_value(product), [0]))
    return _scaled_sum(c, bias, total, beta, alpha)


@operation("_trilinear.default")
def _trilinear(
    c: Context,
    x: Tensor,
    y: Tensor,
    z: Tensor,
    expand1: Sequence[int],
    expand2: Sequence[int],
    expand3: Sequence[int],
    sumdim: Sequence[int],
    unroll_dim: int = 1,
) -> Tensor:
    """Sums the product of three tensors with more axes over some axes."""
    values = []
    for tensor, more in ((x, expand1), (y, expand2), (z, expand3)):
        for axis in sorted(more):
            tensor = add_axis(tensor, axis)
        values.append(cast(tensor, wide_type(c.element)))
    product = elementwise(c, lambda x, y, z: program.multiply(program.multiply(x, y), z), *values)
    _, gone, order = reduced(product, sumdim)
    return cast(Tensor(program.sum(product.value, gone), order), c.element)


# Distances.


@operation("_cdist_forward.default")
def _cdist(c: Context, x: Tensor, y: Tensor, order: float, mode: float | None = None) -> Tensor:
    """Computes the distance of each row of x from each of y."""
    p = program
    rows, columns = (
        add_axis(cast(x, wide_type(c.element)), x.rank - 1),
        add_axis(cast(y, wide_type(c.element)), y.rank - 2),
    )
    apart = elementwise(c, lambda x, y: p.absolute(p.subtract(x, y)), rows, columns)
    _, gone, left = reduced(apart, [-1])
    if order == float("inf"):
        return cast(Tensor(p.reduce("max", apart.value, gone), left), c.element)
    if order == 0:
        made = p.sum(p.cast(p.not_equal(apart.value, 0.0), apart.element), gone)
    elif order == 1:
        made = p.sum(apart.value, gone)
    elif order == 2:
        made = p.sqrt(p.sum(p.square(apart.value), gone))
    else:
        made = p.power(p.sum(p.power(apart.value, float(order)), gone), 1 / order)
    return cast(Tensor(made, left), c.element)


# Attention.


@operation("scaled_dot_product_attention.default")
def _attention(
    c: Context,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    if dropout_p:
        raise Unsupported("attention with dropout; call .eval() on the module")
    return attend(c, q, k, v, attn_mask, is_causal, scale, enable_gqa)


@operation("broadloom.attend.default")
def _own_attention(
    c: Context,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None,
    scale: float | None,
    causal: bool,
    softcap: float | None = None,
) -> Tensor:
    return attend(c, q, k, v, mask, causal, scale, True, softcap=softcap)


@operation("_scaled_dot_product_flash_attention_for_cpu.default")
def _flash_attention(
    c: Context,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    attn_mask: Tensor | None = None,
    scale: float | None = None,
) -> tuple[Missing | Tensor, ...]:
    # PyTorch writes this for several queries for each key as well.
    result = _attention(c, q, k, v, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=True)
    return result, Missing("the sums of attention, which are for training")


@operation("_scaled_dot_product_attention_math.default")
def _attention_math(
    c: Context,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    dropout_mask: Tensor | None = None,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> tuple[Tensor, Missing]:
    result = _attention(c, q, k, v, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
    return result, Missing("the weights of attention")
