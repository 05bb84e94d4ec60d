"""Outputs of a graph that share memory: with an input, or with one another.

AOTAutograd makes such an output again from the tensor that has the memory, by the
sizes, strides and offset of what a backend returns. So these outputs are real views,
and the tensor that has the memory lies in it as the graph says.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import torch

from . import _fx, _graph
from ._graph import Size, symbols_in


@dataclasses.dataclass(frozen=True)
class _Layout:
    """The places of a tensor's elements in memory, in formulas of symbols."""

    size: tuple[int | Size, ...]
    stride: tuple[int | Size, ...]
    #: From the first element of the tensor that has the memory.
    offset: int | Size


def _describe(value: torch.Tensor, base: torch.Tensor) -> _Layout:

    def sizes(numbers: Sequence[Any]) -> tuple[int | Size, ...]:
        return tuple(map(_fx.size_of, numbers))

    offset = _fx.size_of(value.storage_offset() - base.storage_offset())
    return _Layout(sizes(value.shape), sizes(value.stride()), offset)


def _memory(value: Any) -> Any:
    """Returns what tensors with the same memory have in common."""
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return None
    return value.untyped_storage()._cdata


class Views:
    """The outputs of a graph that are views, which are made at a call."""

    def __init__(self, graph: torch.fx.Graph, keep_layouts: bool = False) -> None:
        """With `keep_layouts` all outputs lie in memory as the graph says, not only
        those that others are views of."""
        inputs = [node for node in graph.nodes if node.op == "placeholder"]
        (output,) = (node for node in graph.nodes if node.op == "output")
        given = output.args[0]
        outputs = list(given) if isinstance(given, (list, tuple)) else [given]
        values: list[Any] = [n.meta.get("val") if isinstance(n, torch.fx.Node) else None for n in outputs]
        #: For each output that is a view: whether of an input, of which, and its layout.
        self._views: dict[int, tuple[bool, int, _Layout]] = {}
        #: Outputs whose elements are put where the graph has them.
        self._placed: dict[int, _Layout] = {}
        self._sources = find_symbols([node.meta.get("val") for node in inputs])
        owners: dict[int, tuple[bool, int, torch.Tensor]] = {}
        for at, node in enumerate(inputs):
            memory = _memory(node.meta.get("val"))
            if memory is not None:
                owners.setdefault(memory, (True, at, node.meta["val"]))
        for at in sorted(range(len(outputs)), key=lambda at: _is_part(values[at])):
            memory = _memory(values[at])
            if memory is None or outputs[at] in inputs:
                continue
            if memory not in owners:
                owners[memory] = (False, at, values[at])
                if keep_layouts:
                    self._placed[at] = _describe(values[at], values[at])
                continue
            is_input, of, base = owners[memory]
            if base.dtype != values[at].dtype or not (is_input or _covers(base)):
                continue
            layout = _describe(values[at], base)
            if not symbols_in([*layout.size, *layout.stride, layout.offset]) <= self._sources.keys():
                # Data decide how large it is.
                continue
            self._views[at] = (is_input, of, layout)
            if not is_input:
                self._placed[of] = _describe(base, base)

    @property
    def of_inputs(self) -> set[int]:
        """Returns the outputs that no program has to compute."""
        return {at for at, (is_input, _, _) in self._views.items() if is_input}

    def apply(self, inputs: Sequence[Any], results: list[Any]) -> list[Any]:
        """Returns the outputs, of which views are made here."""
        if not self._views and not self._placed:
            return results
        numbers = {name: read(inputs) for name, read in self._sources.items()}

        def number(size: int | Size) -> Any:
            return _graph.evaluate(size, numbers, _graph.FUNCTIONS)

        for at, layout in self._placed.items():
            results[at] = _place(results[at], tuple(map(number, layout.stride)))
        for at, (is_input, of, layout) in self._views.items():
            base = (inputs if is_input else results)[of]
            sizes, strides = tuple(map(number, layout.size)), tuple(map(number, layout.stride))
            results[at] = base.as_strided(sizes, strides, base.storage_offset() + number(layout.offset))
        return results


def _is_part(value: Any) -> bool:
    """Tells whether a tensor may be less than all of its memory."""
    return isinstance(value, torch.Tensor) and not _covers(value)


def _covers(value: torch.Tensor) -> bool:
    """Tells whether a tensor is all of its memory, which begins with it."""
    dense = 1
    steps = sorted(zip(value.stride(), value.shape), key=lambda step: _example_of(step[0]))
    for stride, size in steps:
        if _example_of(size) != 1 and _example_of(stride) != dense:
            return False
        dense *= _example_of(size)
    return _example_of(value.storage_offset()) == 0 and dense * value.element_size() == _example_of(
        value.untyped_storage().nbytes()
    )


def _example_of(number: Any) -> int:
    """Returns a number as the example of the trace has it, 0 where data decides it: no guard is made."""
    return (number.node.hint or 0) if isinstance(number, torch.SymInt) else number


def _place(tensor: torch.Tensor, stride: tuple[int, ...]) -> torch.Tensor:
    if tensor.stride() == stride or tensor.numel() == 0:
        return tensor
    return torch.empty_strided(tensor.shape, stride, dtype=tensor.dtype).copy_(tensor)


def find_symbols(values: Sequence[Any]) -> dict[str, Callable[..., Any]]:
    """Finds how each symbol is read from the inputs of a call."""
    found: dict[str, Callable[..., Any]] = {}

    def enter(number: Any, read: Callable[..., Any]) -> None:
        size = _fx.size_of(number)
        if isinstance(size, Size) and size.text.isidentifier():
            found.setdefault(size.text, read)

    for at, value in enumerate(values):
        if isinstance(value, torch.SymInt):
            enter(value, lambda inputs, at=at: int(inputs[at]))
        elif isinstance(value, torch.Tensor):
            for axis in range(value.dim()):
                enter(value.shape[axis], lambda inputs, at=at, axis=axis: inputs[at].shape[axis])
                enter(value.stride()[axis], lambda inputs, at=at, axis=axis: inputs[at].stride(axis))
    return found
