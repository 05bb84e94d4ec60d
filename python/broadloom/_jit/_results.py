"""Results of a function under `bl.jit`: those that the program computes, and those that each call has."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _trace, _trees
from ._array import TracedArray
from ._extent import TracedExtent
from ._int64 import TracedInt64
from ._trace import Trace
from ._ufuncs import to_array


class _Constant(NamedTuple):
    """A result that is the same in every call."""

    value: Any


class _Number(NamedTuple):
    """A result that is a number of Python's."""

    index: int


def leave(trace: Trace, values: list, leaf):
    """What stands for a leaf of the results."""
    if isinstance(leaf, (TracedArray, TracedExtent)):
        _trace.require_of(trace, leaf)
    if isinstance(leaf, np.ndarray) and leaf.dtype == object:
        # NumPy's functions of lists with extents may give one.
        leaf = to_array(trace, leaf)
    is_number = isinstance(leaf, TracedExtent) and not isinstance(leaf, TracedInt64)
    if isinstance(leaf, TracedExtent):
        leaf = leaf._as_array()
    if isinstance(leaf, TracedArray):
        values.append(leaf._value)
        return _Number(len(values) - 1) if is_number or leaf._weak else len(values) - 1
    return _Constant(leaf)


def finish(results, given):
    """The results of a call as the function returns them, of what the program gives."""
    def leaf(made):
        if isinstance(made, _Constant):
            return made.value.copy() if isinstance(made.value, np.ndarray) else made.value
        return given[made.index].item() if isinstance(made, _Number) else given[made]

    return _trees.build(results, leaf)
