"""Images of other sizes, anti-aliased."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _program as program
from .._tensors._antialias import weigh
from .._tensors._tensor import Tensor, from_value, to_value
from ._context import Context, Unsupported, operation, require_elements


def _resize(c: Context, kind: str, x: Tensor, align_corners: bool, scales: Sequence[float | None]) -> Tensor:
    p = program
    if not p.is_float(x.element):
        raise Unsupported(f"anti-aliased resizing of {x.element}; convert it to f32 before, and round after")
    require_elements(c, x, [2, 3], "interpolation")
    wide = "f64" if x.element == "f64" else "f32"
    value = p.cast(to_value(x), wide)
    for axis, (count, scale) in enumerate(zip(c.shape[2:], scales), 2):
        size = p.extent(value, axis)
        if align_corners:
            # Of one element the ratio is not read.
            ratio = (size - 1) / p.largest(count - 1, 1)
        else:
            ratio = 1 / scale if scale else size / count
        weights = weigh(c.builder, kind, size, count, ratio, wide)
        made = p.matmul(value, p.transpose(weights, [1, 0])) if axis == 3 else p.matmul(weights, value)
        value = made
    return from_value(p.cast(value, x.element))


def _rule(kind: str, names: Sequence[str]) -> None:
    @operation(*(f"{name}.default" for name in names))
    def resize(
        c: Context,
        x: Tensor,
        size: Sequence[int],
        align_corners: bool,
        scales_h: float | None = None,
        scales_w: float | None = None,
    ) -> Tensor:
        return _resize(c, kind, x, align_corners, [scales_h, scales_w])

    @operation(*(f"{name}.vec" for name in names))
    def resize_by(
        c: Context, x: Tensor, size: Sequence[int] | None, align_corners: bool, scales: Sequence[float] | None
    ) -> Tensor:
        return _resize(c, kind, x, align_corners, [None, None] if scales is None else list(scales))


_rule("linear", ["_upsample_bilinear2d_aa"])
_rule("cubic", ["_upsample_bicubic2d_aa"])
