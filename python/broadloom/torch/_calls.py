"""Compiled graphs as functions of tensors."""

from __future__ import annotations

import functools
import operator
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import torch
from numpy.typing import NDArray
from torch.optim.optimizer import register_optimizer_step_post_hook

from .._core import Function
from .._dlpack import as_dlpack
from .._errors import ShapeError
from . import _graph
from ._fx import element_of
from ._graph import Node, Size
from ._importer import Imported
from ._inputs import Given
from ._stored import Stored

_STEPS: dict[str, Callable[..., torch.Tensor]] = {
    "permute": lambda x, order: x.permute(order),
    "reshape": lambda x, shape: x.reshape(shape),
    "narrow": lambda x, axis, start, count: x.narrow(axis, start, count),
    "pad": lambda x, behind: torch.nn.functional.pad(x, [n for b in reversed(behind) for n in (0, b)]),
    "flip": lambda x, axes: x.flip(axes),
    "rsqrt": lambda x, eps: (x + eps).rsqrt(),
    "multiply": lambda x, y: x * y,
    "subtract": lambda x, y: x - y,
    "sum": lambda x, axis: x.sum(axis, dtype=torch.int32),
}
_DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}


def compute(stored: Sequence[Stored], weights: dict[str, torch.Tensor]) -> list[torch.Tensor]:
    """Computes the tensors that are made of weights: the weight itself where nothing is done. What several of them are
    made of, such as the groups of a weight, is computed once, and is there until the last of them is made."""
    uses: Counter[int] = Counter()
    kept: dict[int, torch.Tensor] = {}

    def count(one: Stored) -> None:
        uses[id(one)] += 1
        if uses[id(one)] == 1:
            for operand in one.operands:
                if isinstance(operand, Stored):
                    count(operand)

    def make(one: Stored) -> torch.Tensor:
        made = kept.pop(id(one), None)
        if made is None:
            made = _compute_step(one, [make(o) if isinstance(o, Stored) else o for o in one.operands], weights)
        uses[id(one)] -= 1
        if uses[id(one)]:
            kept[id(one)] = made
        return made

    for one in stored:
        count(one)
    return [made if _stays(one) else made.contiguous() for one, made in ((one, make(one)) for one in stored)]


def _stays(stored: Stored) -> bool:
    """Whether a program takes the tensor as it is: a weight, or a transposed matrix, which is laid out from there."""
    return stored.operation == "weight" or (stored.operation == "permute" and len(stored.shape) == 2)


def _compute_step(stored: Stored, operands: Sequence[Any], weights: dict[str, torch.Tensor]) -> torch.Tensor:
    if stored.operation == "weight":
        weight = weights[stored.operands[0]].detach()
        weight = torch.view_as_real(weight.resolve_conj()) if weight.is_complex() else weight
        check_weight(stored.operands[0], weight, stored.shape, stored.element)
        return weight
    if stored.operation in ("rsqrt", "multiply", "subtract"):
        wide = _DTYPES[stored.element]
        operands = [o.to(wide) if isinstance(o, torch.Tensor) else o for o in operands]
    return _STEPS[stored.operation](*operands)


def check_weight(name: str, weight: Any, shape: Sequence[int], element: str) -> None:
    """Checks that a weight is a tensor in memory of the processor, of the type that a program is made for."""
    if not isinstance(weight, torch.Tensor):
        raise TypeError(f"the weight '{name}' is no tensor but of {type(weight).__name__}; give it a tensor")
    if weight.layout != torch.strided:
        kind = str(weight.layout).removeprefix("torch.")
        raise TypeError(
            f"the weight '{name}' has the layout {kind}; programs take strided tensors, as to_dense() makes them"
        )
    if weight.device.type != "cpu":
        raise BufferError(f"the weight '{name}' is on the device {weight.device}; programs compute on the processor")
    if tuple(weight.shape) != tuple(shape):
        found, wanted = ("x".join(map(str, extents)) or "none" for extents in (weight.shape, shape))
        raise ShapeError(
            f"the weight '{name}' has shape {found}, but the program is made for {wanted}; export the module again, or "
            "give it a weight of that shape"
        )
    if element_of(weight.dtype) != element:
        raise TypeError(
            f"the weight '{name}' has elements of type {element_of(weight.dtype)}, but the program is made for "
            f"{element}; export the module again, or convert the weight"
        )


def to_numpy(tensor: torch.Tensor) -> NDArray[Any]:
    """Returns the elements of a tensor, without a copy."""
    tensor = tensor.detach()
    if tensor.dtype == torch.bfloat16:
        tensor = tensor.view(torch.int16)
        return np.asarray(tensor.numpy()).view(ml_dtypes.bfloat16)
    return np.asarray(tensor.numpy())


def to_torch(array: Any) -> torch.Tensor:
    """Returns a result as a tensor, without a copy."""
    if not isinstance(array, np.ndarray):
        return torch.as_tensor(array)
    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_dlpack(as_dlpack(array))
    return torch.from_numpy(array)


_all: weakref.WeakSet[Weights] = weakref.WeakSet()
#: Each call asks for these of all weights.
_find_address, _count_changes = torch.Tensor.data_ptr, operator.attrgetter("_version")


def refresh() -> None:
    """Refreshes all weights, as broadloom.torch.refresh says."""
    for weights in list(_all):
        weights.refresh()


def _note_step(optimizer: Any, *_: Any) -> None:
    """Refreshes the weights that a fused step of an optimizer has changed, which torch does not count."""
    if not any(group.get("fused") for group in optimizer.param_groups):
        return
    changed = {_find_memory(p) for group in optimizer.param_groups for p in group["params"]}
    for weights in list(_all):
        weights.refresh_of(changed)


def _find_memory(tensor: torch.Tensor) -> int:
    return int(tensor.untyped_storage().data_ptr())


@functools.cache
def _watch_optimizers() -> None:
    """Has every optimizer of the process tell of its steps."""
    register_optimizer_step_post_hook(torch.compiler.disable(_note_step))


class Weights:
    """The arrays that a program is given of a module's weights. What is laid out anew is kept until torch counts a
    change of a weight, and so is what the program makes of the arrays, which `forget` has it forget. Torch counts none
    of a weight that was made in inference mode: what is made of such a weight is made by each call."""

    def __init__(
        self, arguments: Sequence[Given | Stored], weights: dict[str, torch.Tensor], forget: Callable[[], None]
    ) -> None:
        self._stored = [a for a in arguments if isinstance(a, Stored)]
        self._forget = forget
        self._lock = threading.Lock()
        self._state: list[Any] | None = None
        self._bound: list[NDArray[Any]] = []
        self._set(weights)
        _all.add(self)
        _watch_optimizers()

    def refresh(self) -> None:
        """Forgets what was made of weights: the next call makes it again."""
        with self._lock:
            self._state = None

    def refresh_of(self, memory: Collection[int]) -> None:
        """Refreshes the weights if any of them lies in memory at these addresses."""
        if any(_find_memory(weight) in memory for weight in self._used):
            self.refresh()

    def _set(self, weights: dict[str, torch.Tensor]) -> None:
        self._weights = weights
        self._used = [weights[name] for name in sorted(set().union(*(s.weights for s in self._stored), set()))]
        self._counted = [weight for weight in self._used if not weight.is_inference()]
        #: What is made of weights that torch counts no changes of.
        self._uncounted = [
            at
            for at, s in enumerate(self._stored)
            if s.operation != "weight" and any(weights[name].is_inference() for name in s.weights)
        ]

    def bind(self, weights: dict[str, torch.Tensor] | None = None) -> list[NDArray[Any]]:
        """Returns the arrays, of the weights as they are at the call."""
        with self._lock:
            if weights is not None and any(weights[k] is not v for k, v in self._weights.items()):
                self._set(weights)
                self._state = None
            state = [*map(_find_address, self._used), *map(_count_changes, self._counted)]
            # Other arrays may lie where these are, as soon as nothing holds these.
            if state != self._state:
                bound = [to_numpy(tensor) for tensor in compute(self._stored, self._weights)]
                self._forget()
                self._bound, self._state = bound, state
            elif len(self._counted) != len(self._used):
                bound = list(self._bound)
                again = compute([self._stored[at] for at in self._uncounted], self._weights)
                for at, tensor in zip(self._uncounted, again):
                    bound[at] = to_numpy(tensor)
                self._forget()
                self._bound = bound
            return self._bound

    def release(self, bound: list[NDArray[Any]]) -> None:
        """Ends a call with arrays of `bind`: where there are newer ones, the program forgets what it made of these."""
        if bound is not self._bound:
            self._forget()


class Compiled:
    """A graph as a function of tensors: one program for all extents."""

    def __init__(self, imported: Imported, weights: dict[str, torch.Tensor], function: Function) -> None:
        self.imported = imported
        self.function = function
        self.weights = Weights(imported.arguments, weights, function.forget_constants)
        self._given = [a.input for a in imported.arguments if isinstance(a, Given)]
        self._order = [isinstance(a, Given) for a in imported.arguments]
        self._are_last = self._order == sorted(self._order, reverse=True)

    def __call__(self, inputs: Sequence[Any], weights: dict[str, torch.Tensor] | None = None) -> list[Any]:
        """Computes the outputs of the graph for its inputs."""
        given = [self._take(inputs[number], number) for number in self._given]
        bound = self.weights.bind(weights)
        if self._are_last:
            arguments = [*given, *bound]
        else:
            first, second = iter(given), iter(bound)
            arguments = [next(first if is_given else second) for is_given in self._order]
        try:
            results = self.function(*arguments) if self.function.results else ()
        except Exception as error:
            self.imported.names.apply_to_error(error)
            raise
        finally:
            self.weights.release(bound)
        results = results if isinstance(results, tuple) else (results,)
        return [self._output(output, inputs, results) for output in self.imported.outputs]

    def _take(self, tensor: Any, number: int) -> Any:
        if not isinstance(tensor, torch.Tensor):
            return tensor
        if tensor.device.type != "cpu":
            raise BufferError(
                f"argument '{self.imported.labels[number]}' is on device {tensor.device}, but broadloom computes on "
                "the processor; call .cpu() on it"
            )
        if tensor.layout != torch.strided:
            raise TypeError(
                f"argument '{self.imported.labels[number]}' has layout {tensor.layout}; call .to_dense() on it"
            )
        if tensor.is_quantized:
            raise TypeError(
                f"argument '{self.imported.labels[number]}' is quantized ({tensor.dtype}); call .dequantize() on it"
            )
        if tensor.requires_grad and torch.is_grad_enabled():
            raise RuntimeError(
                f"argument '{self.imported.labels[number]}' requires gradients, but broadloom computes no gradients; "
                "call the function inside torch.no_grad()"
            )
        if tensor.is_conj() or tensor.is_neg():
            tensor = tensor.resolve_conj().resolve_neg()
        if tensor.is_complex():
            tensor = torch.view_as_real(tensor.detach())
        return to_numpy(tensor)

    def _output(self, output: Any, inputs: Sequence[Node], results: Any) -> Any:
        if isinstance(output, int):
            return to_torch(results[output])
        kind, value = output
        if kind == "input":
            return inputs[value]
        if kind == "complex":
            return torch.view_as_complex(to_torch(results[value]))
        if kind == "number":
            number = to_torch(results[value[0]]).item()
            return bool(number) if value[1] else number
        if kind == "size" and isinstance(value, Size):
            return _graph.evaluate(value, self._symbols(inputs), _graph.FUNCTIONS)
        return value

    def _symbols(self, inputs: Sequence[Node]) -> dict[str, int]:
        found = {}
        for name, source in self.imported.symbols.items():
            if source[0] == "number":
                found[name] = int(inputs[source[1]])
            else:
                _, number, axis, factor, summand = source
                found[name] = (inputs[number].shape[axis] - summand) // factor
        return found
