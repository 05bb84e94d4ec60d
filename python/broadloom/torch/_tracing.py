"""How PyTorch traces what has open extents: nothing but what is broadcast is decided by those of the example."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch._prims_common import is_contiguous_or_false
from torch._subclasses import fake_impls
from torch._subclasses.fake_tensor import FakeTensor
from torch._subclasses.functional_tensor import FunctionalTensor
from torch.fx.experimental import _config
from torch.fx.experimental.symbolic_shapes import is_nested_int, statically_known_true
from torch.utils._sympy.functions import Max, Min

from ._open_lengths import open_lengths
from ._open_symbols import open_symbols
from ._quick_shapes import quick_shapes
from ._stand_ins import Change, StandIns
from ._versions import guarding_hint_or_throw, has_guarding_hint
from ._view_strides import contiguous, split_axes

_ORDER = "compute_elementwise_output_logical_to_physical_perm"


_BROADCAST = "_broadcast_shapes"
_SLICE = "_compute_slice_index"


def _hint(extent: Any) -> int | None:
    """Returns the extent of the example; None where data decide it."""
    return guarding_hint_or_throw(extent) if not is_nested_int(extent) and has_guarding_hint(extent) else None


def _fix(extent: Any, number: int) -> None:
    """Has an extent be a number in all calls. Which part of a maximum or minimum is taken, as in 1 - max(0, 1 - n), is
    a guard of its own: PyTorch keeps a range of n then, and sees that the extent is the number."""
    environment = extent.node.shape_env
    for choice in extent.node.expr.atoms(Max, Min):
        parts = [environment.create_symintnode(part, hint=None) for part in choice.args]
        chosen = (max if isinstance(choice, Max) else min)(parts, key=guarding_hint_or_throw)
        for part in parts:
            torch._check(part <= chosen if isinstance(choice, Max) else chosen <= part)
    torch._check(extent == number)


def _broadcast(*shapes: Any) -> Any:
    """Computes the shape of an element-wise operation. An extent that is 1 in the example is fixed where another one is
    not."""
    given = [[shape] if isinstance(shape, int | torch.SymInt) else list(shape) for shape in shapes if shape is not None]
    for axis in range(-max(map(len, given), default=0), 0):
        here = [shape for shape in given if len(shape) >= -axis]
        hints = [_hint(shape[axis]) for shape in here]
        if None in hints or all(hint == 1 for hint in hints):
            continue
        for shape, hint in zip(here, hints):
            if hint == 1 and not isinstance(shape[axis], int):
                _fix(shape[axis], 1)
                shape[axis] = 1
    return _stand_ins.call_other(torch._refs, _BROADCAST, *given)


def _broadcast_two(x: Sequence[Any], y: Sequence[Any]) -> tuple[Any, ...]:
    """Computes the shape of an element-wise operation of two operands, for which PyTorch has another function."""
    return tuple(_broadcast(x, y))


def _find_slice_end(size: Any, index: Any) -> Any:
    """Computes where a slice begins or ends, from 0 to the axis' size. Where the sign of the index is a question of
    extents, that of the example is a guard: PyTorch makes the size a number that data decide."""
    found = _stand_ins.call_other(fake_impls, _SLICE, size, index)
    if found is None and _hint(index) is not None:
        found = torch.sym_min(index, size) if index >= 0 else torch.sym_max(index + size, 0)
    return found


def _suggest_layout(x: torch.Tensor) -> torch.memory_format:
    """Answers that results are row-major, unless channels are innermost whatever the extents are. Which axis is
    innermost may depend on extents of 1."""
    if x.dim() in (4, 5) and not is_contiguous_or_false(x):
        count: Any = 1
        for axis in (1, *reversed(range(2, x.dim())), 0):
            if not statically_known_true(x.stride(axis) == count):
                return torch.contiguous_format
            count = count * x.shape[axis]
        return torch.channels_last if x.dim() == 4 else torch.channels_last_3d
    return torch.contiguous_format


def _order_axes(*tensors: Any, **kwargs: Any) -> tuple[list[int], bool]:
    """Orders the axes of an element-wise result from the outermost to the innermost: as they are where one is empty in
    the example, which PyTorch divides by."""
    try:
        found: tuple[list[int], bool] = _stand_ins.call_other(torch._prims_common, _ORDER, *tensors, **kwargs)
    except ZeroDivisionError:
        return list(range(max(x.dim() for x in tensors if isinstance(x, torch.Tensor)))), False
    return found


def _compute_stride(
    shape: Sequence[Any], strides: Sequence[Any], wanted: Sequence[Any], size_oblivious: bool = False
) -> list[Any] | None:
    """Computes the strides of a view; None if there is none. Where open extents do not tell them, PyTorch asks by those
    of the example, and first whether each is 1."""
    found = None if size_oblivious else split_axes(shape, strides, wanted)
    if found is None:
        found = _stand_ins.call_other(fake_impls, "_compute_stride", shape, strides, wanted, size_oblivious)
    return found


def _find_overlap(x: torch.Tensor) -> int:
    """Finds whether elements of what is written to are one memory: 0 for no, as where no axis is spread. PyTorch asks
    first whether the tensor is dense, which depends on extents of 1."""
    if not any(statically_known_true(step == 0) for step in x.stride()):
        return 0
    found: int = _stand_ins.call_other(torch, "_debug_has_internal_overlap", x)
    return found


#: What functions of PyTorch are in a thread that compiles. It chooses kernels of convolutions and layouts of results by
#: whether there is one image; programs have kernels and layouts of their own.
_stand_ins = StandIns(
    {
        (torch._C, "_select_conv_backend"): lambda *args, **kwargs: None,
        (torch._C, "_conv_determine_backend_memory_format"): lambda *args, **kwargs: torch.contiguous_format,
        (torch._prims_common, "suggest_memory_format"): _suggest_layout,
        (torch._meta_registrations, "suggest_memory_format"): _suggest_layout,
        (torch._prims_common, _ORDER): _order_axes,
        (torch._refs, _BROADCAST): _broadcast,
        (fake_impls, "infer_size"): _broadcast_two,
        (fake_impls, _SLICE): _find_slice_end,
        (fake_impls, "_compute_stride"): _compute_stride,
        (torch, "_debug_has_internal_overlap"): _find_overlap,
    }
)


class _Copies(Change):
    """Has `Tensor.contiguous` copy what is contiguous in the example alone. PyTorch asks the example in the method
    itself, before there is an operation."""

    _KINDS = (FakeTensor, FunctionalTensor)

    def make(self) -> None:
        def choose(x: torch.Tensor, memory_format: torch.memory_format = torch.contiguous_format) -> torch.Tensor:
            made = contiguous(x, memory_format) if self.is_here() else None
            return torch.Tensor.contiguous(x, memory_format=memory_format) if made is None else made

        for kind in self._KINDS:
            kind.contiguous = choose

    def take_back(self) -> None:
        for kind in self._KINDS:
            del kind.contiguous


_copies = _Copies()


@contextlib.contextmanager
def open_extents() -> Iterator[None]:
    """Has what this thread traces inside the body decide nothing by whether an extent of the example is 0 or 1."""
    with (
        _config.patch(backed_size_oblivious=True),
        _stand_ins.used(),
        _copies.used(),
        open_symbols(),
        open_lengths(),
        quick_shapes(),
    ):
        yield
