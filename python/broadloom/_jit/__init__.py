"""NumPy functions, compiled once for all shapes."""

from . import _einsum, _methods, _products, _reductions, _shapes  # noqa: F401
from ._function import CacheInfo, JitFunction, jit

_methods.define_methods()

__all__ = ["CacheInfo", "JitFunction", "jit"]
