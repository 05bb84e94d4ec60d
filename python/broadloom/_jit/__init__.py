"""NumPy functions, compiled once for all shapes."""

import textwrap

from . import (  # noqa: F401
    _comparison,
    _counted,
    _einsum,
    _functions,
    _joins,
    _linear,
    _methods,
    _nan,
    _products,
    _quantiles,
    _reductions,
    _searching,
    _shapes,
    _signals,
    _sorting,
    _taking,
    _writing,
)

# isort: split
from . import _making  # noqa: F401 - the namespace that it uses has the functions of the others
from ._function import CacheInfo, JitFunction, jit
from ._loops import fori_loop, scan, while_loop

_methods.define_methods()
# A package that was installed has no docs/jit.md beside it. Without docstrings (-OO) there
# is nothing to add to.
if jit.__doc__:
    _names = _functions.list_supported()
    jit.__doc__ = (
        jit.__doc__.rstrip()
        + "\n\n    Of NumPy, the element-wise functions can be called, and\n\n"
        + textwrap.indent(textwrap.fill(" ".join(_names), 76), " " * 8)
        + "\n    "
    )

__all__ = ["CacheInfo", "JitFunction", "fori_loop", "jit", "scan", "while_loop"]
