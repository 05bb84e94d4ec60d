"""Products of matrices and attention of ATen."""

from __future__ import annotations

from .. import _program as program
from .._program import Value, is_same
from ._context import Context, Missing, Unsupported, elementwise, operation
from ._shapes import add_axis, expand, places, view
from ._sums import cast, softmax, wide_type
from ._tensors import Number, Stored, Tensor, align, plain, settle
from ._windows import contract, is_summed


def linear(c: Context, x: Tensor, weight, bias) -> Tensor:
    """x times the weight `[channels, sums]`, and a bias. Where types allow, the axes
    before the last stay as they are."""
    weight, bias = c.tensor(weight), None if bias is None else c.tensor(bias)
    if not is_summed(x.element) or x.rank < 2:
        result = plain(program.matmul(settle(x), settle(weight)))
        if bias is not None:
            values, order = align([result, bias])
            result = Tensor(program.add(*values), order)
        return result
    return plain(contract(settle(x), settle(weight), None if bias is None else settle(bias)))


@operation("linear.default", stored=True)
def _linear(c: Context, x, weight, bias=None):
    x = c.tensor(x)
    if weight.rank == 1:
        return plain(program.matmul(settle(x), settle(c.tensor(weight))))
    turned = weight.permute([1, 0]) if isinstance(weight, Stored) else Tensor(weight.value, weight.order[::-1])
    return linear(c, x, turned, bias)


@operation("mm.default", stored=True)
def _mm(c: Context, x, y):
    return linear(c, c.tensor(x), y, None)


@operation("addmm.default", stored=True)
def _addmm(c: Context, bias, x, y, *, beta=1, alpha=1):
    if beta == 1 and alpha == 1 and bias.rank == 1:
        return linear(c, c.tensor(x), y, bias)
    product = linear(c, c.tensor(x), y, None)
    return _scaled_sum(c, c.tensor(bias), product, beta, alpha)


def _scaled_sum(c: Context, bias: Tensor, product: Tensor, beta, alpha) -> Tensor:
    p = program
    is_float = p.is_float(product.element)

    def code(bias, product):
        scaled = [v if k == 1 else p.multiply(v, float(k) if is_float else k) for v, k in ((bias, beta), (product, alpha))]
        return p.add(*scaled)

    return elementwise(c, code, bias, product)


@operation("bmm.default", "matmul.default", "mv.default", "dot.default", stored=True)
def _matmul(c: Context, x, y):
    if y.rank == 2:
        return linear(c, c.tensor(x), y, None)
    return plain(_product(c.tensor(x), c.tensor(y)))


def _product(x: Tensor, y: Tensor) -> Value:
    """x times y, whose last two axes are exchanged by the product where they stand
    in the other order."""
    if y.rank < 3 or y.order[-2] < y.order[-1]:
        return program.matmul(settle(x), settle(y))
    turned = Tensor(y.value, (*y.order[:-2], y.order[-1], y.order[-2]))
    return program.matmul(settle(x), settle(turned), turned=True)


@operation("baddbmm.default")
def _baddbmm(c: Context, bias, x, y, *, beta=1, alpha=1):
    return _scaled_sum(c, bias, _matmul(c, x, y), beta, alpha)


# Attention.


@operation("scaled_dot_product_attention.default")
def _attention(c: Context, q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, *, scale=None, enable_gqa=False):
    if dropout_p:
        raise Unsupported("attention with dropout; call .eval() on the module")
    return attend(c, q, k, v, attn_mask, is_causal, scale, enable_gqa)


@operation("_scaled_dot_product_flash_attention_for_cpu.default")
def _flash_attention(c: Context, q, k, v, dropout_p=0.0, is_causal=False, *, attn_mask=None, scale=None):
    result = _attention(c, q, k, v, attn_mask, dropout_p, is_causal, scale=scale)
    return result, Missing("the sums of attention, which are for training")


@operation("_scaled_dot_product_attention_math.default")
def _attention_math(c: Context, q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, dropout_mask=None, *,
                    scale=None, enable_gqa=False):  # fmt: skip
    result = _attention(c, q, k, v, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
    return result, Missing("the weights of attention")


def attend(c: Context, q: Tensor, k: Tensor, v: Tensor, mask, causal: bool, scale, grouped: bool) -> Tensor:
    """softmax(q k^T scale + mask) v, rows of nothing but masked places being 0."""
    p = program
    element = q.element
    if grouped and not is_same(q.extent(-3), k.extent(-3)):
        k, v = (_repeat_heads(c, part, q.extent(-3)) for part in (k, v))
    turned = Tensor(k.value, (*k.order[:-2], k.order[-1], k.order[-2]))
    score = plain(_product(q, turned))
    score = cast(score, wide_type(element))
    if scale is not None:
        score = plain(p.multiply(score.value, float(scale)))
    elif q.known(-1) is not None:
        score = plain(p.multiply(score.value, q.known(-1) ** -0.5))
    else:
        score = plain(p.multiply(score.value, p.rsqrt(c.scalar(q.extent(-1), score.element))))
    least = float("-inf")
    if causal:
        rows, columns = places(c, score)
        kept = p.less_equal(columns, rows)
        score = elementwise(c, lambda kept, s: p.select(kept, s, least), plain(kept), score)
    if mask is not None:
        mask = c.tensor(mask)
        if mask.element == "i1":
            code = lambda m, s: p.select(m, s, least)
        else:
            code = lambda m, s: p.add(s, p.cast(m, s.element))
        score = elementwise(c, code, mask, score)
    weight = cast(softmax(score, score.rank - 1, safe=mask is not None), element)
    return plain(p.matmul(settle(weight), settle(v)))


def _repeat_heads(c: Context, x: Tensor, heads: Number) -> Tensor:
    times = heads // x.extent(-3)
    wide = add_axis(x, x.rank - 2)
    shape = wide.extents
    shape[-3] = times
    target = x.extents
    target[-3] = heads
    return view(c, expand(c, wide, shape), target)
