"""Images of other sizes, one axis after the other: each element of the result weighs some
neighbours of the coordinate that it comes from."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import numpy as np

from .. import _program as program
from .._program import Value
from .._tensors._axes import fold_axes
from .._tensors._tensor import Number, Tensor, are_known
from ._context import Context, Known, Operand, Unsupported, from_rank, operator
from ._layout import extents_of

_COORDINATES = (
    "half_pixel",
    "half_pixel_symmetric",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
    "tf_crop_and_resize",
)
_ROUNDING = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")


@dataclasses.dataclass(frozen=True)
class _Options:
    """The attributes that say how coordinates are found and weighed."""

    mode: str
    coordinates: str
    rounding: str
    cubic: float = -0.75
    antialias: bool = False
    exclude: bool = False
    beyond: float = 0.0

    @property
    def repeats(self) -> bool:
        """Tells whether a whole factor repeats each element."""
        return self.mode == "nearest" and (self.coordinates, self.rounding) in (
            ("asymmetric", "floor"),
            ("half_pixel", "round_prefer_floor"),
            ("half_pixel", "round_prefer_ceil"),
        )

    def check(self) -> _Options:
        """Raises an error for what is not supported; returns itself."""
        for given, known in (
            (self.mode, ("nearest", "linear", "cubic")),
            (self.coordinates, _COORDINATES),
            (self.rounding, _ROUNDING),
        ):
            if given not in known:
                raise Unsupported(f"a resize by {given!r}; there are {', '.join(known)}")
        return self


#: A factor: a fraction, or a number that a call tells, as f64.
_Factor = Fraction | Value
#: Products of extents with fractions of so few bits above are exact in f32.
_EXACT = 8
#: Where the part of an axis that is kept begins and ends, in parts of the axis.
_Ends = tuple[float, float]


@operator("Upsample", since=7)
def _old_upsample(c: Context, x: Operand, *, scales: Sequence[float], mode: str = "nearest") -> Tensor:
    return _scale(c, c.tensor(x), _to_factors(scales), _Options(mode, "asymmetric", "floor").check(), None)


@operator("Upsample", since=9)
def _upsample(c: Context, x: Operand, scales: Operand, *, mode: str = "nearest") -> Tensor:
    return _scale(c, c.tensor(x), _read_factors(c, x, scales), _Options(mode, "asymmetric", "floor").check(), None)


@operator("Resize", since=10)
def _old_resize(c: Context, x: Operand, scales: Operand, *, mode: str = "nearest") -> Tensor:
    return _scale(c, c.tensor(x), _read_factors(c, x, scales), _Options(mode, "asymmetric", "floor").check(), None)


def _to_factors(scales: Iterable[float]) -> list[_Factor]:
    scales = [float(s) for s in scales]
    if not all(0 < s < math.inf for s in scales):
        raise ValueError(f"its scales are {scales}, but must be finite numbers above 0")
    return [Fraction(s) for s in scales]


def _read_factors(c: Context, x: Operand, scales: Operand, axes: Sequence[int] | None = None) -> list[_Factor]:
    """Returns the scales of axes, or of all. Those that a call computes are for images: a call checks that batch and
    channels, axes 0 and 1, have 1."""
    p = program
    if isinstance(scales, Known) and scales.is_number:
        return _to_factors(scales.array.reshape(-1))
    value, axes = c.value(scales), range(x.rank) if axes is None else axes
    if value.rank != 1:
        raise ValueError(f"its scales have {value.rank} axes, not 1")
    p.require(c.builder, "eq", p.extent(value, 0), len(axes), "{0} scales are given for {1} axes")
    made: list[_Factor] = []
    for number, axis in enumerate(axes):
        one = p.reshape(p.take_slice(value, 0, number, 1), [])
        if axis < 2 < x.rank:
            p.require_true(p.equal(one, 1.0), f"the scale of axis {axis} is not 1")
        made.append(Fraction(1) if axis < 2 < x.rank else p.cast(one, "f64"))
    return made


def _count_elements(c: Context, size: Number, factor: _Factor) -> Number:
    """Computes the extent that a factor gives: the product in f32, rounded down."""
    p = program
    if isinstance(factor, Fraction):
        if factor.numerator.bit_length() <= _EXACT:
            return size * factor.numerator // factor.denominator
        if isinstance(size, int):
            return int(np.floor(np.float32(size) * np.float32(float(factor))))
    scale = float(factor) if isinstance(factor, Fraction) else p.cast(factor, "f32")
    made = p.to_number(p.cast(p.floor(p.multiply(c.scalar(size, "f32"), scale)), "i64"))
    p.require(c.builder, "sge", made, 0, "a scale gives {0} elements")
    return made


@operator("Resize", since=11)
def _resize(
    c: Context,
    x: Operand,
    roi: Operand | None = None,
    scales: Operand | None = None,
    sizes: Operand | None = None,
    *,
    mode: str = "nearest",
    antialias: int = 0,
    axes: Sequence[int] | None = None,
    coordinate_transformation_mode: str = "half_pixel",
    cubic_coeff_a: float = -0.75,
    exclude_outside: int = 0,
    extrapolation_value: float = 0.0,
    keep_aspect_ratio_policy: str = "stretch",
    nearest_mode: str = "round_prefer_floor",
) -> Tensor:
    x = c.tensor(x)
    options = _Options(
        mode,
        coordinate_transformation_mode,
        nearest_mode,
        cubic_coeff_a,
        bool(antialias) and mode != "nearest",
        bool(exclude_outside),
        extrapolation_value,
    ).check()
    chosen = list(range(x.rank)) if axes is None else [from_rank(axis, x.rank) for axis in axes]
    window = None
    if options.coordinates == "tf_crop_and_resize":
        if roi is None:
            raise Unsupported("it has no roi")
        ends = [float(n) for n in c.constant(roi, "roi").reshape(-1)]
        window = {axis: (ends[i], ends[i + len(chosen)]) for i, axis in enumerate(chosen)}
    given = None if scales is None or (isinstance(scales, Known) and not scales.array.size) else scales
    if given is not None:
        factors = dict(zip(chosen, _read_factors(c, x, given, chosen)))
        return _scale(c, x, [factors.get(axis, Fraction(1)) for axis in range(x.rank)], options, window)
    if sizes is None:
        raise Unsupported("it has neither scales nor sizes")
    wanted = dict(zip(chosen, c.counts(sizes, "size")))
    if keep_aspect_ratio_policy != "stretch":
        return _scale_alike(c, x, wanted, keep_aspect_ratio_policy, options, window)
    for axis, count in wanted.items():
        x = _resize_axis(c, x, axis, count, _ratio(c, count, x.extent(axis)), options, (window or {}).get(axis))
    return x


def _ratio(c: Context, count: Number, size: Number) -> _Factor:
    if isinstance(count, int) and isinstance(size, int):
        return Fraction(count, max(size, 1))
    return program.divide(c.scalar(count, "f64"), c.scalar(size, "f64"))


def _scale(
    c: Context, x: Tensor, factors: Sequence[_Factor], options: _Options, window: Mapping[int, _Ends] | None
) -> Tensor:
    if len(factors) != x.rank:
        raise ValueError(f"{len(factors)} scales are given for {x.rank} axes")
    for axis, factor in enumerate(factors):
        x = _resize_axis(
            c, x, axis, _count_elements(c, x.extent(axis), factor), factor, options, (window or {}).get(axis)
        )
    return x


def _scale_alike(
    c: Context, x: Tensor, wanted: dict[int, Number], policy: str, options: _Options, window: Mapping[int, _Ends] | None
) -> Tensor:
    """Scales all axes by one factor, which sizes limit."""
    own = extents_of(x)
    sizes = [own[axis] for axis in wanted]
    counts = list(wanted.values())
    if not are_known(sizes) or not are_known(counts):
        raise Unsupported(f"keep_aspect_ratio_policy {policy!r} with open extents")
    if policy not in ("not_larger", "not_smaller"):
        raise Unsupported(f"keep_aspect_ratio_policy {policy!r}")
    factors = [Fraction(count, size) for count, size in zip(counts, sizes)]
    factor = min(factors) if policy == "not_larger" else max(factors)
    for axis, size in zip(wanted, sizes):
        count = math.floor(factor * size + Fraction(1, 2))
        x = _resize_axis(c, x, axis, count, factor, options, (window or {}).get(axis))
    return x


def _resize_axis(
    c: Context, x: Tensor, axis: int, count: Number, factor: _Factor, options: _Options, window: _Ends | None
) -> Tensor:
    size = x.extent(axis)
    if window is None and (factor == 1 or (program.is_same(size, count) and options.coordinates != "asymmetric")):
        return x
    if isinstance(factor, Fraction) and factor.denominator == 1 and options.repeats:
        return _repeat(x, axis, int(factor))
    coordinate = _find_coordinates(c, size, count, factor, options, window)
    at = x.order[axis]
    element = x.element
    if options.mode == "nearest":
        made = program.take(x.value, _limit(_round(coordinate, options.rounding), size), at)
    else:
        made = _weigh(c, x, at, coordinate, size, factor, options)
    if window is not None:
        p = program
        outside = p.bitwise_or(p.less(coordinate, 0.0), p.greater(coordinate, p.cast(c.scalar(size - 1, "i64"), "f64")))
        outside = p.expand(outside, [a for a in range(x.rank) if a != at])
        beyond = options.beyond if p.is_float(element) else int(options.beyond)
        made = p.select(outside, beyond, made)
    return Tensor(program.cast(made, element), x.order)


def _repeat(x: Tensor, axis: int, times: int) -> Tensor:
    at, shape = x.order[axis], program.extents(x.value)
    wide = program.expand(x.value, [at + 1])
    wide = program.broadcast_to(wide, [*shape[: at + 1], times, *shape[at + 1 :]])
    return Tensor(fold_axes(wide, at, 2), x.order)


def _find_coordinates(
    c: Context, size: Number, count: Number, factor: _Factor, options: _Options, window: _Ends | None
) -> Value:
    """Computes for each index of the result its coordinate in the image, as f64."""
    p = program
    at = p.iota(c.builder, count, "f64")
    whole = _scale_size(c, factor, size)
    scale = float(factor) if isinstance(factor, Fraction) else factor
    if options.coordinates == "asymmetric":
        return p.divide(at, scale)
    if options.coordinates == "align_corners":
        return _space_coordinates(c, at, whole, 1.0, size, 0.0)
    if window is not None:
        first, last = window
        moved = _space_coordinates(c, at, whole, last - first, size, (last - first) / 2)
        return p.add(moved, p.multiply(p.cast(c.scalar(size - 1, "i64"), "f64"), first))
    half = p.subtract(p.divide(p.add(at, 0.5), scale), 0.5)
    if options.coordinates == "pytorch_half_pixel":
        one = p.equal(c.scalar(count, "i64"), 1)
        return p.select(one, -0.5, half)
    if options.coordinates == "half_pixel_symmetric":
        adjust = p.divide(c.scalar(count, "f64"), whole)
        centre = p.divide(c.scalar(size, "f64"), 2.0)
        return p.add(half, p.multiply(centre, p.subtract(1.0, adjust)))
    return half


def _scale_size(c: Context, factor: _Factor, size: Number) -> Value:
    """Computes the size that a factor gives, not rounded."""
    own = c.scalar(size, "f64")
    return program.multiply(own, float(factor) if isinstance(factor, Fraction) else factor)


def _space_coordinates(c: Context, at: Value, whole: Value, span: float, size: Number, single: float) -> Value:
    """Spaces coordinates from the first element of the image to the last, or gives `single` of it for one."""
    p = program
    last = p.cast(c.scalar(size - 1, "i64"), "f64")
    is_one = p.equal(whole, 1.0)
    steps = p.select(is_one, 1.0, p.subtract(whole, 1.0))
    return p.select(is_one, p.multiply(last, single), p.divide(p.multiply(p.multiply(at, last), span), steps))


def _round(coordinate: Value, rounding: str) -> Value:
    p = program
    if rounding == "floor":
        return p.floor(coordinate)
    if rounding == "ceil":
        return p.ceil(coordinate)
    if rounding == "round_prefer_floor":
        return p.ceil(p.subtract(coordinate, 0.5))
    return p.floor(p.add(coordinate, 0.5))


def _limit(coordinate: Value, size: Number) -> Value:
    """Clips an index to the image."""
    p = program
    return p.maximum(p.minimum(p.cast(coordinate, "i64"), size - 1), 0)


def _weigh(
    c: Context, x: Tensor, at: int, coordinate: Value, size: Number, factor: _Factor, options: _Options
) -> Value:
    """Computes the weighed sum of neighbours along an axis of the value."""
    p = program
    wide = "f64" if x.element == "f64" else "f32"
    value = p.cast(x.value, wide)
    base = p.subtract(p.ceil(coordinate), 1.0)
    ratio = p.subtract(coordinate, base)
    reach, scale = (1 if options.mode == "linear" else 2), 1.0
    first, last = 1 - reach, reach
    if options.antialias:
        if not isinstance(factor, Fraction):
            raise Unsupported("a resize with antialias to sizes that a call tells; give scales")
        scale = min(float(factor), 1.0)
        first = math.floor(-reach / scale) + 1
        last = 1 - first
    weights, indices = [], []
    for shift in range(first, last + 1):
        distance = p.multiply(p.absolute(p.subtract(ratio, float(shift))), scale)
        weight = _kernel(distance, options)
        moved = p.add(base, float(shift))
        if options.exclude:
            inside = p.bitwise_and(p.greater_equal(moved, 0.0), p.less(moved, c.scalar(size, "f64")))
            weight = p.select(inside, weight, 0.0)
        weights.append(weight)
        indices.append(_limit(moved, size))
    if options.exclude or options.antialias:
        total = _sum(weights)
        weights = [p.divide(weight, total) for weight in weights]
    around = [axis for axis in range(value.rank) if axis != at]
    return _sum(
        [
            p.multiply(p.take(value, one, at), p.expand(p.cast(weight, wide), around))
            for one, weight in zip(indices, weights)
        ]
    )


def _sum(values: Sequence[Value]) -> Value:
    total = values[0]
    for value in values[1:]:
        total = program.add(total, value)
    return total


def _kernel(distance: Value, options: _Options) -> Value:
    """Computes the weight of a neighbour at a distance."""
    p = program
    if options.mode == "linear":
        return p.maximum(p.subtract(1.0, distance), 0.0)
    a = options.cubic
    square = p.multiply(distance, distance)
    near = p.add(p.multiply(square, p.subtract(p.multiply(distance, a + 2), a + 3)), 1.0)
    far = p.multiply(
        p.subtract(p.multiply(p.add(p.multiply(p.subtract(distance, 5.0), distance), 8.0), distance), 4.0), a
    )
    return p.select(p.less_equal(distance, 1.0), near, p.select(p.less(distance, 2.0), far, 0.0))
