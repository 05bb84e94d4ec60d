"""The program `broadloom-onnx`, which commands run to convert a model of ONNX (broadloom/_converter.py)."""

from __future__ import annotations

import sys

from .. import _converter, _errors
from . import is_model, to_mlir


def _convert(data: bytes, name: str, folder: str | None) -> str:
    if not is_model(data):
        raise _errors.CompileError(f"{name}: error: it is no ONNX model")
    return to_mlir(data, name, folder)


def main() -> int:
    """Converts a model; 1 where it cannot be converted."""
    return _converter.convert_file("broadloom-onnx", "a model of ONNX", _convert)


if __name__ == "__main__":
    sys.exit(main())
