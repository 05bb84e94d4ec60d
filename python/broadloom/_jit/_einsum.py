"""numpy.einsum over arrays without values: products of matrices, from left to right."""

from __future__ import annotations

import string
from typing import Any

import numpy as np

from .. import _program as program
from . import _trace
from ._array import TracedArray, element_of
from ._functions import find_trace, implements, wrap
from ._ufuncs import to_array


def _wrong(text: str) -> ValueError:
    return ValueError(f"{_trace.spell_location()}np.einsum: {text}")


def _spell_labels(listed: Any) -> str:
    """Returns a list of axes' numbers, which NumPy takes in the place of a text."""
    if any(not isinstance(i, (int, type(Ellipsis))) for i in listed):
        raise _wrong(f"axes are integers, not {listed!r}")
    return "".join("..." if i is Ellipsis else string.ascii_letters[i] for i in listed)


def _read_arguments(operands: Any) -> Any:
    """Returns the text of the axes and the operands, of both forms."""
    if operands and isinstance(operands[0], str):
        return operands[0].replace(" ", ""), operands[1:]
    inputs = ",".join(_spell_labels(labels) for labels in operands[1::2])
    if len(operands) % 2:
        inputs += "->" + _spell_labels(operands[-1])
    return inputs, operands[: len(operands) // 2 * 2 : 2]


@implements("einsum")
def einsum(*operands: Any, dtype: Any = None, optimize: Any = False) -> Any:
    text, given = _read_arguments(operands)
    inputs, arrow, output = text.partition("->")
    listed = inputs.split(",")
    if len(listed) != len(given) or not given:
        raise _wrong(f"'{inputs}' is of {len(listed)} operands, but there are {len(given)}")
    trace = find_trace(given)
    arrays = [to_array(trace, v) for v in given]
    element = element_of(dtype or np.result_type(*(a.dtype for a in arrays)))
    try:
        labels = [program.split_labels(own, a.ndim) for own, a in zip(listed, arrays)]
        result = program.read_result(output if arrow else None, labels)
    except ValueError as problem:
        raise _wrong(str(problem)) from None
    values = [program.cast(a._value, element) for a in arrays]
    found = program.einsum(values, labels, result)
    if len(arrays) == 1 and result and set(labels[0]) == set(result):
        # Nothing is summed: NumPy gives the operand's own elements.
        return wrap(arrays[0], found, view=True)
    return TracedArray(trace, found)
