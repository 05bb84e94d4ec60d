"""The program `broadloom-onnx`, which commands run to convert a model of ONNX.

    broadloom-onnx MODEL -o PROGRAM [--name NAME]

PROGRAM is MLIR text. NAME is what the model is called, and where files with its weights
are, where MODEL is a copy.
"""

from __future__ import annotations

import argparse
import os
import sys

from .. import _errors
from . import is_model, to_mlir


def main() -> int:
    """Converts a model; 1 where it cannot be converted."""
    parser = argparse.ArgumentParser("broadloom-onnx", description="Converts a model of ONNX to MLIR text.")
    parser.add_argument("model", help="the model")
    parser.add_argument("-o", dest="program", required=True, help="where the program is written")
    parser.add_argument("--name", help="what the model is called, where MODEL is a copy of it")
    options = parser.parse_args()
    name = options.name or options.model
    folder = os.path.dirname(os.path.abspath(name)) if os.path.exists(name) else None
    try:
        with open(options.model, "rb") as file:
            data = file.read()
        if not is_model(data):
            raise _errors.CompileError(f"{name}: error: it is no ONNX model")
        text = to_mlir(data, name, folder)
        with open(options.program, "w", encoding="utf-8") as file:
            file.write(text)
    except (_errors.Error, OSError, TypeError, ValueError) as error:
        print(str(error).removeprefix(f"{name}: error: "), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
