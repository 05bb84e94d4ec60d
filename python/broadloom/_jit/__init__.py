"""NumPy functions, compiled once for all shapes."""

import textwrap

from . import _einsum, _functions, _methods, _products, _reductions, _shapes, _sorting  # noqa: F401
from ._function import CacheInfo, JitFunction, jit

_methods.define_methods()
# A package that was installed has no docs/jit.md beside it. Without docstrings (-OO) there
# is nothing to add to.
if jit.__doc__:
    _names = sorted({_functions.name_of(function).removeprefix("numpy.") for function in _functions.NUMPY})
    jit.__doc__ = (jit.__doc__.rstrip() + "\n\n    Of NumPy, the element-wise functions can be called, and\n\n"
                   + textwrap.indent(textwrap.fill(" ".join(_names), 76), " " * 8) + "\n    ")

__all__ = ["CacheInfo", "JitFunction", "jit"]
