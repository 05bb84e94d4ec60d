"""Fourier transforms. Complex numbers are a last axis of two elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _program as program
from .._program import Value
from .._tensors._fits import require_numbers
from .._tensors._fourier import Pair, extend, resize, transform
from .._tensors._tensor import Number, Tensor, from_value
from ._arrays import ELEMENTS
from ._context import Context, Known, Operand, Unsupported, from_rank, operator


def _read(c: Context, x: Operand) -> tuple[Value, Value | None, str]:
    """Returns real and imaginary parts, in f32 or f64, and the element type."""
    p = program
    value, element = c.value(x), x.element
    parts = value.extents[-1] if value.rank > 1 else None
    if parts not in (1, 2):
        raise Unsupported(f"the last axis of its input is {parts or 'open'}, and not 1 or 2; give it with shapes=")
    wide = p.cast(value, "f64" if element == "f64" else "f32")
    found = [p.squeeze(p.take_slice(wide, value.rank - 1, at, 1), [value.rank - 1]) for at in range(int(parts))]
    return found[0], found[1] if parts == 2 else None, element


def _join(pair: Pair, element: str) -> Tensor:
    p = program
    return from_value(p.cast(p.concat([p.expand(x, [x.rank]) for x in pair], pair[0].rank), element))


def _transform(
    c: Context, x: Operand, length: Operand | None, axis: int, is_inverse: bool, is_onesided: bool
) -> Tensor:
    p = program
    axis = from_rank(axis, x.rank)
    if axis == x.rank - 1:
        raise ValueError(f"axis {axis} is that of real and imaginary parts")
    real, imaginary, element = _read(c, x)
    order = [*(at for at in range(real.rank) if at != axis), axis]
    back = [order.index(at) for at in range(real.rank)]
    real = p.transpose(real, order)
    imaginary = None if imaginary is None else p.transpose(imaginary, order)
    have, last = p.extent(real, -1), real.rank - 1
    given = None if length is None else c.count(length, "dft_length")
    if is_inverse and is_onesided:
        count: Number = p.largest((have - 1) * 2, 0) if given is None else given
        pair = extend(real, p.multiply(real, 0.0) if imaginary is None else imaginary, count)
        made, _ = transform(*pair, True)
        return from_value(p.cast(p.expand(p.transpose(made, back), [made.rank]), element))
    count = have if given is None else given
    pair = transform(
        resize(real, last, count), None if imaginary is None else resize(imaginary, last, count), is_inverse
    )
    if is_onesided:
        pair = tuple(p.take_slice(x, last, 0, p.smallest(count // 2 + 1, count)) for x in pair)
    return _join((p.transpose(pair[0], back), p.transpose(pair[1], back)), element)


@operator("DFT", since=17)
def _old_dft(
    c: Context, x: Operand, length: Operand | None = None, *, axis: int = 1, inverse: int = 0, onesided: int = 0
) -> Tensor:
    return _transform(c, x, length, axis, bool(inverse), bool(onesided))


@operator("DFT", since=20)
def _dft(
    c: Context,
    x: Operand,
    length: Operand | None = None,
    axis: Operand | None = None,
    *,
    inverse: int = 0,
    onesided: int = 0,
) -> Tensor:
    (at,) = [-2] if axis is None else c.integers(axis, "axis")
    return _transform(c, x, length, at, bool(inverse), bool(onesided))


@operator("STFT", since=17)
def _stft(
    c: Context,
    signal: Operand,
    frame_step: Operand,
    window: Operand | None = None,
    frame_length: Operand | None = None,
    *,
    onesided: int = 1,
) -> Tensor:
    p = program
    if signal.rank == 2:
        # ONNX Runtime takes real signals without an axis of parts, and PyTorch writes them so.
        signal = from_value(p.expand(c.value(signal), [2]))
    step = c.number(frame_step, "frame_step")
    p.require(c.builder, "sge", step, 1, "the frame_step is {0}, but at least {1} is needed")
    parts = [x for x in _read(c, signal)[:2] if x is not None]
    whole = p.extent(parts[0], 1)
    count: Any = None if frame_length is None else c.count(frame_length, "frame_length")
    if count is None:
        count = whole if window is None else p.extent(c.value(window), 0)
    require_numbers(c, window, count, "window", "elements in a frame")
    frames = p.largest((whole - count) // step + 1, 0)
    starts = p.multiply(p.iota(c.builder, frames, "i64", axis=0, rank=2), step)
    places = p.add(starts, p.iota(c.builder, count, "i64", axis=1, rank=2))
    rows = [p.take(x, places, 1, from_end=False) for x in parts]
    if window is not None:
        weight = p.cast(c.value(window), rows[0].element)
        rows = [p.multiply(x, weight) for x in rows]
    pair = transform(rows[0], rows[1] if len(rows) > 1 else None, False)
    if onesided:
        shown = p.smallest(count // 2 + 1, count)
        pair = p.take_slice(pair[0], 2, 0, shown), p.take_slice(pair[1], 2, 0, shown)
    return _join(pair, signal.element)


@operator("MelWeightMatrix", since=17)
def _mel_weight_matrix(
    c: Context,
    num_mel_bins: Operand,
    dft_length: Operand,
    sample_rate: Operand,
    lower_edge_hertz: Operand,
    upper_edge_hertz: Operand,
    *,
    output_datatype: int = 1,
) -> Known:
    names = ("num_mel_bins", "dft_length", "sample_rate", "lower_edge_hertz", "upper_edge_hertz")
    given = zip((num_mel_bins, dft_length, sample_rate, lower_edge_hertz, upper_edge_hertz), names)
    bins, length, rate, low, high = (c.constant(x, what).item() for x, what in given)
    if output_datatype not in ELEMENTS:
        raise Unsupported("its output_datatype is none of programs")
    ends = [2595 * np.log10(1 + edge / 700) for edge in (low, high)]
    mels = ends[0] + np.arange(bins + 2) * (ends[1] - ends[0]) / (bins + 2)
    left, centre, right = (
        np.floor((length + 1) * 700 * (10 ** (mels / 2595) - 1) / rate)[at : at + bins] for at in range(3)
    )
    line = np.arange(length // 2 + 1)[:, np.newaxis]
    with np.errstate(all="ignore"):
        rising = np.where((line >= left) & (line <= centre), (line - left) / (centre - left), 0.0)
        falling = np.where((line >= centre) & (line < right), (right - line) / (right - centre), 0.0)
    rising = np.where(centre == left, (line == centre).astype(float), rising)
    made = np.where((line >= centre) & (right > centre) & (line < right), falling, rising)
    element = ELEMENTS[output_datatype]
    return Known(made.astype(program.to_numpy(element)), element)
