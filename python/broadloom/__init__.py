"""Broadloom compiles tensor programs once, for all shapes, and checks every call.

    import broadloom as bl

    f = bl.compile("model.mlir")      # a path, text, bytes or an open file
    y = f(a, b)                       # NumPy arrays, or what has __dlpack__
    f(a, b, out=y)                    # the caller's memory
    f.shapes((None, "N", 3), (1, 3))  # [(None, 'N', 3)]
    f.check()                         # what must hold of the shapes

    @bl.jit                           # a function of NumPy's, for all shapes
    def normalise(x):
        return (x - x.mean(axis=0)) / x.std(axis=0)

`help(bl.compile)` and `help(bl.Function)` say more, and docs/python.md all.
"""

from contextlib import suppress as _suppress

from . import dask  # noqa: F401
from ._compile import Program, check, compile, compile_program, load
from ._core import Function, __version__, trim
from ._dlpack import Exported, as_dlpack
from ._errors import (
    CancelledError,
    CompileError,
    CompileWarning,
    Error,
    IndexShapeError,
    InternalError,
    MatrixShapeError,
    ShapeError,
    TraceError,
    UnsupportedOperations,
)
from ._jit import CacheInfo, JitFunction, fori_loop, jit, scan, while_loop
from ._report import Report, Row
from .onnx import OnnxFunction, from_onnx
from .torch import from_torch

__all__ = [
    "CacheInfo",
    "CancelledError",
    "CompileError",
    "CompileWarning",
    "Error",
    "Exported",
    "Function",
    "IndexShapeError",
    "InternalError",
    "JitFunction",
    "MatrixShapeError",
    "OnnxFunction",
    "Program",
    "Report",
    "Row",
    "ShapeError",
    "TraceError",
    "UnsupportedOperations",
    "__version__",
    "as_dlpack",
    "check",
    "compile",
    "compile_program",
    "fori_loop",
    "from_onnx",
    "from_torch",
    "jit",
    "load",
    "scan",
    "trim",
    "while_loop",
]

# Where users see them from.
for _name in __all__:
    if isinstance(globals()[_name], type):
        with _suppress(AttributeError, TypeError):
            globals()[_name].__module__ = "broadloom"
del _name
