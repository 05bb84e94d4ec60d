"""The common part of the programs `broadloom-onnx` and `broadloom-torch`, which commands run to convert a model.

    PROGRAM MODEL -o OUTPUT [--name NAME] [--SWITCH ...]

OUTPUT is MLIR text. NAME is what the model is called, and where files that belong to it are, where MODEL is a
copy. SWITCH is an option of one converter.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping

from . import _errors, _output


def convert_file(program: str, form: str, convert: Callable[..., str], switches: Mapping[str, str] = {}) -> int:
    """Converts the model that the command line names; 1 where it cannot be converted.

    program: what the program is called; form: what it converts, such as 'a model of ONNX'.
    convert: makes MLIR of a model's bytes, its name and its folder, which is None where it is not known, and of
        whether each of `switches` is given, by its name.
    switches: options without a value of this converter, and what their help says.
    """
    parser = argparse.ArgumentParser(program, description=f"Converts {form} to MLIR text.")
    parser.add_argument("model", help="the model")
    parser.add_argument("-o", dest="program", required=True, help="where the program is written")
    parser.add_argument("--name", help="what the model is called, where MODEL is a copy of it")
    for switch, told in switches.items():
        parser.add_argument("--" + switch.replace("_", "-"), action="store_true", help=told)
    options = parser.parse_args()
    name = options.name or options.model
    folder = os.path.dirname(os.path.abspath(name)) if os.path.exists(name) else None
    try:
        with open(options.model, "rb") as file:
            data = file.read()
        text = convert(data, name, folder, **{switch: getattr(options, switch) for switch in switches})
        _output.write_file(options.program, text.encode())
    except (_errors.Error, ImportError, NotImplementedError, OSError, TypeError, ValueError) as error:
        print(str(error).removeprefix(f"{name}: error: "), file=sys.stderr)
        return 1
    return 0
