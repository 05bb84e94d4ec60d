"""Programs written from Python, operation by operation, as MLIR text.

    from broadloom import _program as program

    p = program.Builder()
    x = p.argument("f32", (None, "n"))
    m = program.mean(x, [1], keepdims=True)
    y = program.divide(program.subtract(x, m), 2.0)
    text = p.finish([y])               # broadloom.compile takes it

`bl.jit` and the importer of PyTorch's graphs are built on this. It knows no rules
of promotion: operands of one operation have one element type, which `cast`
changes, and a Python number takes the type of the other operand. What broadcasts
in NumPy broadcasts here, whatever the ranks.

A Value has an element type, a rank and extents: numbers, names of extents, or None
for one that only a call tells. `extent` gives one as a number or an Extent, which
can be computed with and stands wherever a shape is required. Where something must
hold of extents, the compiler proves it or has the call check it; messages have the
name (`Builder.naming`) and the location (`Builder.place`) of the operation.
"""

from ._builder import Builder, Name, Value
from ._composed import bits_of, hypot, nextafter
from ._diagonals import diagonal, windows
from ._einsum import einsum, read_result, split_labels
from ._elementwise import *  # noqa: F403
from ._elementwise import __all__ as _functions
from ._extents import (
    AxisError,
    Extent,
    check_axes,
    compare,
    divide_up,
    escape_message,
    extent,
    extents,
    fill_message,
    find_argument,
    from_start,
    holds,
    index,
    is_natural,
    is_same,
    known,
    largest,
    number_argument,
    product,
    require,
    require_either,
    require_fit,
    require_true,
    smallest,
)
from ._linear import *  # noqa: F403
from ._linear import __all__ as _linear
from ._loops import *  # noqa: F403
from ._loops import __all__ as _loops
from ._moments import degrees_of_freedom, moments, sum_deviations
from ._moves import (
    broadcast_to,
    concat,
    expand,
    find_slice,
    flip,
    join_extents,
    join_shapes,
    pad,
    put_slice,
    reduced_last,
    require_shape,
    reshape,
    slice_axis,
    split_axis,
    squeeze,
    take_slice,
    transpose,
)
from ._padding import pad_by_place
from ._picking import (
    elements,
    first_picked,
    gather_elements,
    iota,
    pick,
    scalar,
    take,
    to_index,
    wrap_indices,
)
from ._reals import FUNCTIONS, AnyNumber, Real, both, choose, is_within, rounded
from ._scalars import Body, broadcast_known
from ._scans import scan
from ._scatter import scatter
from ._searching import search
from ._shared import PROMISE
from ._sorting import sort
from ._sums import argmax, argmin, count, matmul, mean, reduce, sum
from ._text import Line, line, words
from ._types import (
    Scalar,
    is_float,
    is_float8,
    is_integer,
    is_unsigned,
    largest_float,
    limits,
    spell,
    spell_float,
    to_numpy,
    width,
)
from ._written import LARGE, Written, spell_program

__all__ = [
    "LARGE",
    "AnyNumber",
    "Body",
    "Builder",
    "Extent",
    "Line",
    "AxisError",
    "FUNCTIONS",
    "Name",
    "PROMISE",
    "Real",
    "Scalar",
    "Value",
    "Written",
    "argmax",
    "both",
    "argmin",
    "broadcast_known",
    "bits_of",
    "broadcast_to",
    "check_axes",
    "choose",
    "compare",
    "concat",
    "count",
    "degrees_of_freedom",
    "diagonal",
    "divide_up",
    "einsum",
    "elements",
    "escape_message",
    "expand",
    "extent",
    "extents",
    "fill_message",
    "find_argument",
    "first_picked",
    "flip",
    "from_start",
    "gather_elements",
    "holds",
    "hypot",
    "index",
    "iota",
    "is_float",
    "is_float8",
    "is_integer",
    "is_natural",
    "is_same",
    "is_unsigned",
    "is_within",
    "join_extents",
    "join_shapes",
    "known",
    "largest",
    "largest_float",
    "limits",
    "line",
    "matmul",
    "mean",
    "moments",
    "nextafter",
    "number_argument",
    "pad",
    "pad_by_place",
    "pick",
    "product",
    "put_slice",
    "read_result",
    "reduce",
    "reduced_last",
    "require",
    "require_either",
    "require_fit",
    "require_true",
    "require_shape",
    "reshape",
    "rounded",
    "scalar",
    "scan",
    "scatter",
    "search",
    "find_slice",
    "slice_axis",
    "smallest",
    "sort",
    "spell",
    "spell_float",
    "spell_program",
    "split_axis",
    "split_labels",
    "squeeze",
    "sum",
    "sum_deviations",
    "take",
    "take_slice",
    "to_index",
    "to_numpy",
    "transpose",
    "width",
    "windows",
    "words",
    "wrap_indices",
    *_functions,
    *_linear,
    *_loops,
]
