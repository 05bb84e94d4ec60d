"""NumPy functions, compiled once for all shapes."""

from . import _methods
from ._function import CacheInfo, JitFunction, jit

_methods.define_methods()

__all__ = ["CacheInfo", "JitFunction", "jit"]
