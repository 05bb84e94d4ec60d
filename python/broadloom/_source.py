"""Finds out what a program is: text, a path, bytes, an open file, or a model that a registered reader takes."""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ._errors import CompileError
from ._mapped import Stamp, find_address, get_stamp

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._program import Written

#: What a saved program begins with (driver/saved/SavedProgram.cpp).
SAVED = b"\x89BLM\r\n\x1a"


#: Files of so many bytes are large: saved programs are mapped into memory, where nothing needs all of their bytes.
LARGE = 1 << 20
_ALIGNMENT = 64


class Loaded(NamedTuple):
    """The bytes of a program or a model. As an argument of `compile` it is MLIR, and is not examined again."""

    #: A view is of a saved program's file, which is mapped, or of memory that nobody else has, with a zero behind the
    #: file. The compiler reads text and the like up to a zero, which bytes have too.
    data: bytes | memoryview
    #: What messages call it.
    name: str = "<text>"
    #: The folder that its file is in; None where it comes from no file.
    folder: str | None = None
    #: The elements of large constants, which the text names by their numbers.
    constants: tuple[NDArray[Any], ...] = ()

    @property
    def is_saved(self) -> bool:
        """Whether it is a saved program."""
        return self.data[: len(SAVED)] == SAVED

    def list_constants(self) -> list[NDArray[Any]]:
        """Lists the memory of the constants, of whatever type."""
        return [array.reshape(-1).view("u1") for array in self.constants]


class Reader(NamedTuple):
    """Makes programs of models of one form."""

    #: Tells whether bytes are a model of this form.
    is_model: Callable[[bytes | memoryview], bool]
    #: Gives the program of a model.
    to_mlir: Callable[[Loaded], Written]
    #: Gives the bytes of an object that holds a model of this form; None of any other object.
    serialize: Callable[[Any], Loaded | None] = lambda _: None


_readers: list[Reader] = []
#: Registers a reader.
register = _readers.append


def check_text(**options: object) -> None:
    """Raises TypeError unless every option is a text."""
    for name, value in options.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} is a str, not {type(value).__name__}")


def check_name(**options: object) -> None:
    """Raises TypeError unless every option is a text or None."""
    check_text(**{name: value for name, value in options.items() if value is not None})


def check_threads(**options: Any) -> None:
    """Raises TypeError or ValueError unless every option is a number of threads."""
    for name, threads in options.items():
        if not hasattr(threads, "__index__"):
            raise TypeError(f"{name} is an integer, not {type(threads).__name__}")
        if not 0 <= threads <= 128:
            raise ValueError(f"{name} is {threads}; it must be from 0, for all cores, to 128")


def _is_text(program: str) -> bool:
    return "\n" in program or "{" in program


def print_name(name: str) -> str:
    """Returns a name as messages print it: in a path, '?' replaces each byte that is not UTF-8."""
    return name.encode(errors="replace").decode()


def written(program: Written) -> Loaded:
    """Wraps a program that this package has written, for `compile`."""
    return Loaded(program.short.encode(), constants=program.constants)


def name_text(name: str) -> str:
    """Names the MLIR text of a model. The model's own name stands in front of its nodes' names in locations."""
    return f"{name}.mlir"


def read_file(file: Any, name: str | None) -> Loaded:
    """Reads a path or an open file, or takes the bytes that are given."""
    if isinstance(file, (str, os.PathLike)):
        path = os.fspath(file)
        with open(path, "rb") as opened:
            return Loaded(read_opened(opened), print_name(name or os.fsdecode(path)), find_folder(path))
    if isinstance(file, (bytes, bytearray, memoryview)):
        return Loaded(bytes(file), print_name(name or "<bytes>"))
    if hasattr(file, "read"):
        data = file.read()
        path = getattr(file, "name", None)
        name = name or (path if isinstance(path, str) else "<file>")
        folder = find_folder(path) if isinstance(path, (str, os.PathLike)) else None
        return Loaded(data.encode() if isinstance(data, str) else bytes(data), print_name(name), folder)
    raise TypeError(f"a program is a path, text, bytes or an open file, not {type(file).__name__}")


def read_opened(file: Any) -> bytes | memoryview:
    """Reads a file; a large saved program is mapped. Models are read, since their files may be written to later."""
    stamp = get_stamp(file.fileno())
    start = file.read(len(SAVED))
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode) or stamp.size < LARGE:
        return bytes(start + file.read())
    if start == SAVED:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    return _read_large(file, start, stamp)


def _read_large(file: Any, start: bytes, stamp: Stamp) -> memoryview:
    """Reads a file behind `start`, into memory of its own, which has large pages. Raises CompileError unless the file
    is as `stamp` says."""
    # MLIR copies bytecode that is not aligned.
    whole = np.empty(stamp.size + _ALIGNMENT, np.uint8)
    first = -find_address(whole) % _ALIGNMENT
    memory = whole.data[first : first + stamp.size + 1]
    memory[: len(start)] = start
    end = len(start)
    while count := file.readinto(memory[end : stamp.size]):
        end += count
    memory[end] = 0
    if end < stamp.size or get_stamp(file.fileno()) != stamp:
        raise CompileError(
            f"{print_name(os.fsdecode(file.name))}: error: the file has changed while it was read; try again once "
            "it is written"
        )
    return memory[:end]


def find_folder(path: Any) -> str:
    """Returns the folder that a file is in. What '..' leads to may depend on links, so it stays."""
    return os.path.dirname(os.path.join(os.getcwd(), os.fsdecode(path)))


def read_model(model: Any, name: str | None = None) -> Loaded:
    """Reads a file, or serialises an object of another package that holds a model."""
    for reader in _readers:
        if (found := reader.serialize(model)) is not None:
            return found._replace(name=name or found.name)
    return read_file(model, name)


def read(program: Any, name: str | None) -> Loaded:
    """Reads a program; a model becomes MLIR text, and a saved program stays as it is."""
    check_name(name=name)
    if isinstance(program, Loaded):
        return program._replace(name=print_name(name or program.name))
    if isinstance(program, str) and _is_text(program):
        return Loaded(program.encode(), print_name(name or "<text>"))
    model = read_model(program, name)
    for reader in _readers:
        if reader.is_model(model.data):
            return written(reader.to_mlir(model))._replace(name=name_text(model.name))
    return model


def read_program(program: Any, name: str | None) -> Loaded:
    """Reads a program as `read` does; raises ValueError for a saved one, which has machine code."""
    found = read(program, name)
    if found.is_saved:
        raise ValueError(
            f"{found.name} is a saved program, which has machine code; broadloom.load takes it, where you trust it"
        )
    return found
