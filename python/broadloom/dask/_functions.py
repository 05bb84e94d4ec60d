"""The types of a compiled function for Dask, and its shapes for blocks."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._jit import JitFunction
from .._program import to_numpy
from ..onnx import OnnxFunction

#: What is called for each block.
BlockFunction = _core.Function | OnnxFunction
#: The shape and the element type in what a Function says of its arguments and results.
_TYPE = re.compile(r"(?P<shape>(?:[^x]+x)*)(?P<element>[a-z]+[0-9][A-Za-z0-9]*)")


def check_chunks(array: Any, what: str) -> None:
    """Raises an error where Dask does not know the chunks of an array, as behind a mask."""
    if isinstance(array, da.Array) and any(math.isnan(size) for sizes in array.chunks for size in sizes):
        raise ValueError(f"the chunks of {what} are unknown; call compute_chunk_sizes() of it first")


def is_in_program(f: Any, operand: Any) -> bool:
    """Tells whether an operand is a number of Python's that a program of `bl.jit` has inside: it adapts to what it
    meets."""
    return isinstance(f, JitFunction) and type(operand) in (bool, int, float)


def to_function(f: Any, operands: Sequence[Any]) -> BlockFunction:
    """Returns the compiled function for operands of these types and ranks, but for those that are in its program."""
    if isinstance(f, (_core.Function, OnnxFunction)):
        wanted = len(f.arguments)
        if wanted != len(operands):
            operand = "argument" if wanted == 1 else "arguments"
            verb = "is" if len(operands) == 1 else "are"
            raise TypeError(f"{f.__name__} takes {wanted} {operand}, but {len(operands)} {verb} given")
        return f
    if isinstance(f, JitFunction):
        return f.lower(*(a if is_in_program(f, a) else block_like(type_of(a), np.ndim(a)) for a in operands))
    raise TypeError(
        f"a block function is a Function, a model of from_onnx or one under bl.jit, not {type(f).__name__}"
        + ("; bl.jit makes one of a function of NumPy's" if callable(f) else "")
    )


def name_operands(f: Any, count: int) -> list[str]:
    """Names the operands of a function for messages: by the parameters of one of Python's, else by their numbers."""
    names = [f"argument {number}" for number in range(count)]
    if not isinstance(f, JitFunction):
        return names
    for number, one in enumerate(f._signature.parameters.values()):
        if one.kind is inspect.Parameter.VAR_POSITIONAL:
            for rest in range(number, count):
                names[rest] = f"argument {one.name}[{rest - number}]"
        if (
            one.kind not in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
            or number >= count
        ):
            break
        names[number] = f"argument '{one.name}'"
    return names


def block_like(dtype: np.dtype[Any], rank: int) -> NDArray[Any]:
    """Returns a block that has no extents yet: 2 is neither nothing nor what broadcasts."""
    return np.zeros((2,) * rank, dtype)


def type_of(operand: Any) -> np.dtype[Any]:
    """Returns the dtype of an array or a number."""
    return operand.dtype if hasattr(operand, "dtype") else np.asarray(operand).dtype


def result_types(f: BlockFunction) -> list[np.dtype[Any]]:
    """Returns the dtypes of the results."""
    return [to_numpy(_TYPE.fullmatch(_inside(text))["element"]) for text in f.results]  # type: ignore[index]


def argument_type(text: str) -> np.dtype[Any] | None:
    """Returns the dtype of an argument; None where it is no tensor."""
    match = _TYPE.fullmatch(_inside(text))
    return None if match is None else to_numpy(match["element"])


def check_types(
    f: BlockFunction, dtypes: Sequence[np.dtype[Any] | None], ranks: Sequence[int], names: Sequence[str] | None = None
) -> None:
    """Raises an error where operands, which have names, have other element types or ranks than the function."""
    names = name_operands(f, len(dtypes)) if names is None else names
    for name, text, dtype, rank in zip(names, f.arguments, dtypes, ranks):
        inside = _inside(text)
        match = _TYPE.fullmatch(inside)
        if match is None:
            continue
        wanted = to_numpy(match["element"])
        if dtype != wanted:
            raise TypeError(f"{name} of {f.__name__} has elements of {wanted}, but is given {dtype}")
        axes = match["shape"].count("x")
        if "*" not in match["shape"] and axes != rank:
            raise ValueError(f"{name} of {f.__name__} has {axes} axes, but is given {rank}")


def _inside(text: str) -> str:
    """Returns the text inside of 'tensor<...>'."""
    return text.removeprefix("tensor<").removesuffix(">")


class Shapes:
    """The shapes of a function's results, queried once for each shapes of its operands."""

    def __init__(self, f: BlockFunction) -> None:
        self.function = f
        self._known: dict[tuple[Any, ...], list[tuple[int, ...]]] = {}

    def __call__(self, shapes: tuple[tuple[int, ...], ...]) -> list[tuple[int, ...]]:
        if shapes not in self._known:
            found: list[Any] = self.function.shapes(*shapes)
            for number, shape in enumerate(found):
                if shape is None or not all(isinstance(n, int) for n in shape):
                    raise ValueError(
                        f"result {number} of {self.function.__name__} has the shape {shape} for blocks of "
                        f"{', '.join(map(str, shapes))}: what data decides has no chunks"
                    )
            self._known[shapes] = found
        return self._known[shapes]
