"""Layers that PyTorch computes as one operation."""

from __future__ import annotations

from .. import _program as program
from .._tensors._activations import gelu
from .._tensors._norms import normalise_layer
from .._tensors._products import attend, linear
from .._tensors._sums import cast, wide_type
from .._tensors._tensor import Tensor, permute
from .._tensors._views import add_axis, part, view
from ._context import Context, elementwise, operation
from ._stored import Operand


def _invert_mask(c: Context, mask: Tensor, mask_type: int | None) -> Tensor:
    """Computes which elements a mask keeps that is not 0 where elements are left out: it is one of (query, key), of
    (batch, key), or of (batch, head, query, key)."""
    if mask.element == "i1":
        kept = elementwise(c, program.logical_not, mask)
    else:
        kept = elementwise(c, lambda value: program.equal(value, 0), mask)
    return add_axis(add_axis(kept, 1), 1) if mask_type == 1 else kept


@operation("_transformer_encoder_layer_fwd.default", stored=True)
def _encoder_layer(
    c: Context,
    x: Operand,
    width: int,
    heads: int,
    qkv_weight: Operand,
    qkv_bias: Operand,
    out_weight: Operand,
    out_bias: Operand,
    use_gelu: bool,
    norm_first: bool,
    eps: float,
    weight1: Operand,
    bias1: Operand,
    weight2: Operand,
    bias2: Operand,
    up: Operand,
    up_bias: Operand,
    down: Operand,
    down_bias: Operand,
    mask: Operand | None = None,
    mask_type: int | None = None,
) -> Tensor:
    kept = None if mask is None else _invert_mask(c, c.tensor(mask), mask_type)
    x = c.tensor(x)

    def norm(y: Tensor, weight: Operand, bias: Operand) -> Tensor:
        return normalise_layer(y, [-1], c.tensor(weight), c.tensor(bias), eps)[0]

    def join(y: Tensor, z: Tensor) -> Tensor:
        return elementwise(c, program.add, y, z)

    def attention(y: Tensor) -> Tensor:
        joint = linear(c, y, permute(qkv_weight, [1, 0]), qkv_bias)
        split = [*y.extents[:2], heads, width // heads]
        q, k, v = (view(c, part(joint, 2, i * width, width), split) for i in range(3))
        q, k, v = (Tensor(z.value, (z.order[0], z.order[2], z.order[1], z.order[3])) for z in (q, k, v))
        found = attend(c, q, k, v, kept, False, None, False, safe=False)
        found = Tensor(found.value, (found.order[0], found.order[2], found.order[1], found.order[3]))
        return linear(c, view(c, found, y.extents), permute(out_weight, [1, 0]), out_bias)

    def feed(y: Tensor) -> Tensor:
        hidden = cast(linear(c, y, permute(up, [1, 0]), up_bias), wide_type(c.element))
        function = gelu if use_gelu else lambda value: program.maximum(value, 0)
        hidden = cast(Tensor(function(hidden.value), hidden.order), c.element)
        return linear(c, hidden, permute(down, [1, 0]), down_bias)

    if norm_first:
        x = join(x, attention(norm(x, weight1, bias1)))
        return join(x, feed(norm(x, weight2, bias2)))
    x = norm(join(x, attention(x)), weight1, bias1)
    return norm(join(x, feed(x)), weight2, bias2)
