"""The common part of the programs `broadloom-onnx` and `broadloom-torch`, which commands run to convert a model.

    PROGRAM MODEL -o OUTPUT [--name NAME] [--SWITCH ...]

OUTPUT is MLIR text; where it ends in '.blw', large constants are beside the text, or stay
in the model's files (driver/sources/ConvertedFile.h). NAME is what the model is called, and where
files that belong to it are, where MODEL is a copy. SWITCH is an option of one converter.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from . import _errors, _output, _source
from ._mapped import find_place, get_stamp, keep_place, require_unchanged

if TYPE_CHECKING:
    from ._program import Written

#: What a program with its constants begins with.
_MAGIC = b"\x89BLW\r\n\x1a\x03"
#: Constants begin at multiples of it.
_ALIGNMENT = 64


def _write_apart(written: Written, write: Callable[[bytes | memoryview], None]) -> None:
    """Writes a program and where its large constants are: the magic number; numbers, which have 64 bits, with the
    least byte first: how many files and how many constants there are, and the size of the text; for each file the size
    of its path, and its stamp; for each constant 0, or the number of the file that has it,
    where it begins in that file, and its size; the paths; the text; and after zeros each constant that is in no other
    file."""
    program = _source.written(written)
    constants = program.list_constants()
    places = [find_place(array) for array in constants]
    require_unchanged(constants)
    files = {place[:2]: number for number, place in enumerate(dict.fromkeys(p[:2] for p in places if p), 1)}
    numbers = [len(files), len(constants), len(program.data)]
    paths = [path for path, _ in files]
    for path, (_, stamp) in zip(paths, files):
        numbers += [len(path), *stamp]
    for array, place in zip(constants, places):
        numbers += [files[place[:2]], place.offset, array.nbytes] if place else [0, 0, array.nbytes]
    head = _MAGIC + b"".join(number.to_bytes(8, "little") for number in numbers) + b"".join(paths) + bytes(program.data)
    write(head)
    end = len(head)
    for array in (array for array, place in zip(constants, places) if not place):
        write(b"\0" * (-end % _ALIGNMENT))
        write(array.data)
        end += -end % _ALIGNMENT + array.nbytes


def _read_model(path: str) -> bytes | memoryview:
    """Reads a model; of a large one, weights are known by their places in the file."""
    with open(path, "rb") as file:
        stamp = get_stamp(file.fileno())
        data = _source.read_opened(file)
    return data if isinstance(data, bytes) else keep_place(data, path, stamp).data


def convert_file(program: str, form: str, convert: Callable[..., Written], switches: Mapping[str, str] = {}) -> int:
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
    folder = _source.find_folder(name) if os.path.exists(name) else None
    name = _source.print_name(name)
    try:
        data = _read_model(options.model)
        written = convert(data, name, folder, **{switch: getattr(options, switch) for switch in switches})
        apart = options.program.endswith(".blw")
        _output.write_file(
            options.program, lambda write: _write_apart(written, write) if apart else write(written.text.encode())
        )
    except (_errors.Error, ImportError, NotImplementedError, OSError, TypeError, ValueError) as error:
        print(str(error).removeprefix(f"{name}: error: "), file=sys.stderr)
        return 1
    return 0
