"""Views and reshaped tensors while PyTorch traces, without asking whether extents are 1."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import _prims_common as common
from torch._subclasses import fake_impls
from torch.fx.experimental.symbolic_shapes import statically_known_true

from ._versions import guarding_hint_or_throw, has_guarding_hint


class _Asking(threading.local):
    """Whether this thread leaves to PyTorch what is a view."""

    views = False


_asking = _Asking()


@contextlib.contextmanager
def asking_of_views(asks: bool) -> Iterator[None]:
    """Leaves to PyTorch whether what is reshaped is a view, if `asks`."""
    before, _asking.views = _asking.views, asks
    try:
        yield
    finally:
        _asking.views = before


def is_open(extent: Any) -> bool:
    """Tells whether an extent is none of a number that is known."""
    return not isinstance(extent, int)


def hints_of(extents: Sequence[Any]) -> list[int]:
    """Returns what extents are in the example."""
    return [guarding_hint_or_throw(extent) if is_open(extent) else extent for extent in extents]


def reshape(x: torch.Tensor, shape: Sequence[Any]) -> torch.Tensor | None:
    """Returns a tensor in another shape: a view where it is one for all extents, and a copy where it is one but for
    extents of 1. Whether a result shares memory with its operand is nothing that `reshape` promises; a program that
    writes to either is left to PyTorch (`asking_of_views`). None where the example has to tell."""
    if _asking.views or not any(map(is_open, (*x.shape, *x.stride(), *shape))):
        return None
    if not all(map(has_guarding_hint, (*x.shape, *x.stride(), *shape))):
        return None
    wanted = common.infer_size(tuple(shape), x.numel())
    if common.is_contiguous_or_false(x) or split_axes(x.shape, x.stride(), wanted, is_known=True) is not None:
        return x.view(wanted)
    own, steps, hints = hints_of(x.shape), hints_of(x.stride()), hints_of(wanted)
    has_one = any(is_open(extent) and hint == 1 for extent, hint in zip((*x.shape, *wanted), (*own, *hints)))
    if 0 in own or not (has_one or fake_impls._compute_stride(own, steps, hints) is None):
        return None
    return x.clone(memory_format=torch.contiguous_format).view(wanted)


def flatten(x: torch.Tensor, first: int = 0, last: int = -1) -> torch.Tensor | None:
    """Returns a tensor with some axes as one, as `reshape` does."""
    if not all(-x.dim() <= axis < x.dim() for axis in (first, last)):
        return None
    first, last = first % x.dim(), last % x.dim()
    if first >= last:
        return None
    merged = 1
    for extent in x.shape[first : last + 1]:
        merged = merged * extent
    return reshape(x, (*x.shape[:first], merged, *x.shape[last + 1 :]))


def contiguous(x: torch.Tensor, memory_format: torch.memory_format = torch.contiguous_format) -> torch.Tensor | None:
    """Returns a tensor in a layout: the tensor itself where it has that layout for all extents, and otherwise a copy.
    None where the example has to tell."""
    if _asking.views or not any(map(is_open, (*x.shape, *x.stride()))):
        return None
    if common.is_contiguous_for_memory_format_or_false(x, memory_format=memory_format):
        return x
    return x.clone(memory_format=memory_format)


def split_axes(
    shape: Sequence[Any], strides: Sequence[Any], wanted: Sequence[Any], is_known: bool = False
) -> list[Any] | None:
    """Computes the strides of a tensor of `shape` and `strides` as one of the shape `wanted`; None where it finds none.
    Axes whose elements are evenly spaced are one run, and each axis of the view is a part of a run. Where the example
    alone tells which axes are a run, their numbers of elements are required to be equal, or with `is_known`, none."""
    if not shape or not all(map(has_guarding_hint, (*shape, *strides, *wanted))):
        return None
    if 0 in hints_of(wanted):
        return None
    doubled = doubled_of(wanted)
    found: list[Any] = [0] * len(wanted)
    axis = len(wanted) - 1
    count, step = 1, strides[-1]
    for at in reversed(range(len(shape))):
        count = count * shape[at]
        if at and statically_known_true(strides[at - 1] == count * step):
            continue
        # The axes of the view that are this run, the innermost first.
        taken, size = 1, 1
        (total,) = doubled_of([count])
        while axis >= 0 and size * doubled[axis] <= total:
            found[axis] = taken * step
            taken, size = taken * wanted[axis], size * doubled[axis]
            axis -= 1
        if size != total or not _are_equal(taken, count, is_known):
            return None
        if at:
            count, step = 1, strides[at - 1]
    return found if axis < 0 else None


def doubled_of(extents: Sequence[Any]) -> list[int]:
    """Returns what extents are where those of the inputs are twice those of the example: none is 1 by chance."""
    made = []
    for extent, hint in zip(extents, hints_of(extents)):
        if is_open(extent):
            expression, known = extent.node.expr, extent.node.shape_env.backed_var_to_val
            symbols = expression.free_symbols
            if symbols <= known.keys():
                hint = int(expression.xreplace({symbol: 2 * known[symbol] for symbol in symbols}))
        made.append(hint)
    return made


def _are_equal(x: Any, y: Any, is_known: bool) -> bool:
    """Tells whether two numbers of elements are equal for all extents; unless all `is_known`, those of the example may
    tell, and are required to be equal in each call."""
    if statically_known_true(x == y):
        return True
    one, other = hints_of([x, y])
    if is_known or one != other:
        return False
    torch._check(x == y)
    return True
