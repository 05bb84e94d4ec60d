"""NumPy functions, compiled once for all shapes."""

from . import (  # noqa: F401
    _einsum, _joins, _methods, _nan, _products, _quantiles, _reductions, _searching, _shapes, _signals, _sorting,
)  # fmt: skip
from ._function import CacheInfo, JitFunction, jit

_methods.define_methods()

__all__ = ["CacheInfo", "JitFunction", "jit"]
