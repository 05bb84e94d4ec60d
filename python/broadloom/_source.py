"""What a program is read from: a path, text, bytes, an open file, or a model of ONNX or of torch.export."""

from __future__ import annotations

import os

from . import onnx
from .torch import _files

#: What a saved program begins with (driver/saved/SavedProgram.cpp).
SAVED = b"\x89BLM\r\n\x1a"


def check_text(**options) -> None:
    """Raises TypeError for what is no text."""
    for name, value in options.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} is a str, not {type(value).__name__}")


def check_name(**options) -> None:
    """The same of what may be None."""
    check_text(**{name: value for name, value in options.items() if value is not None})


def check_threads(threads) -> None:
    """Raises TypeError or ValueError for what is no number of threads."""
    if not hasattr(threads, "__index__"):
        raise TypeError(f"threads is an integer, not {type(threads).__name__}")
    if not 0 <= threads <= 128:
        raise ValueError(f"threads is {threads}; it must be from 0, for all cores, to 128")


def _is_text(program: str) -> bool:
    """Whether it is a program and not a path."""
    return "\n" in program or "{" in program


def _print_name(name: str) -> str:
    """A name as messages have it: in a path, '?' stands for what is no UTF-8."""
    return name.encode(errors="replace").decode()


def read_file(file, name: str | None) -> tuple[bytes, str]:
    """The bytes of a path, of an open file, or those given, and a name for them."""
    if isinstance(file, (str, os.PathLike)):
        path = os.fspath(file)
        with open(path, "rb") as opened:
            return opened.read(), _print_name(name or os.fsdecode(path))
    if isinstance(file, (bytes, bytearray, memoryview)):
        return bytes(file), _print_name(name or "<bytes>")
    if hasattr(file, "read"):
        data = file.read()
        given = getattr(file, "name", None)
        name = name or (given if isinstance(given, str) else "<file>")
        return data.encode() if isinstance(data, str) else bytes(data), _print_name(name)
    raise TypeError(f"a program is a path, text, bytes or an open file, not {type(file).__name__}")


def read(program, name: str | None) -> tuple[bytes, str]:
    """The bytes of a program, or of a saved one, and what diagnostics call it."""
    check_name(name=name)
    if isinstance(program, str) and _is_text(program):
        return program.encode(), _print_name(name or "<text>")
    source, name, folder = onnx.read_program(program, name)
    if onnx.is_model(source):
        return onnx.to_mlir(source, name, folder).encode(), onnx.text_name(name)
    if _files.is_archive(source):
        return _files.read_exported(source, name).encode(), onnx.text_name(name)
    return source, name


def read_program(program, name: str | None) -> tuple[bytes, str]:
    """The bytes of a program without machine code, and what diagnostics call it."""
    source, name = read(program, name)
    if source.startswith(SAVED):
        raise ValueError(
            f"{name} is a saved program, which has machine code; broadloom.load takes it, where you trust it"
        )
    return source, name
