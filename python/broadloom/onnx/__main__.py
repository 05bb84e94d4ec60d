"""The program `broadloom-onnx`, which commands run to convert a model of ONNX (broadloom/_converter.py)."""

from __future__ import annotations

import sys

from .. import _converter, _errors
from .._program import Written
from . import is_model, translate

#: The options of this converter, and what their help says.
_OPTIONS = {"unchecked_outputs": "the outputs may have other types and extents than the model declares"}


def _convert(data: bytes | memoryview, name: str, folder: str | None, unchecked_outputs: bool) -> Written:
    if not is_model(data):
        raise _errors.CompileError(f"{name}: error: it is no ONNX model")
    return translate(data, name, folder, check_outputs=not unchecked_outputs)


def main() -> int:
    """Converts a model; returns 1 where it cannot be converted."""
    return _converter.convert_file("broadloom-onnx", "a model of ONNX", _convert, _OPTIONS)


if __name__ == "__main__":
    sys.exit(main())
