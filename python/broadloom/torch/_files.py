"""Files of torch.export (`.pt2`) as programs."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import IO, Any

from .._errors import CompileError
from .._program import Written

#: What an archive of torch.export has, now and before PyTorch 2.8.
_MARKS = ("/archive_format", "serialized_exported_program.json")


class _ViewFile(io.RawIOBase):
    """A view of memory as a file, without a copy."""

    def __init__(self, data: memoryview) -> None:
        self._data, self._at = data, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: len(self._data)}[whence]
        if start + offset < 0:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        self._at = start + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        part = self._data[self._at : self._at + len(buffer)]
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)


def _open(data: bytes | memoryview) -> IO[bytes]:
    return io.BytesIO(data) if isinstance(data, bytes) else io.BufferedReader(_ViewFile(data))


def is_archive(data: bytes | memoryview) -> bool:
    """Tells whether the bytes are an archive, as those of torch.export.save are. No other program begins so."""
    return data[:4] == b"PK\x03\x04"


def _is_exported(data: bytes | memoryview) -> bool:
    import zipfile

    try:
        with zipfile.ZipFile(_open(data)) as archive:
            return any(name.endswith(_MARKS) for name in archive.namelist())
    except zipfile.BadZipFile:
        return False


def explain_missing(error: ModuleNotFoundError, what: str) -> ModuleNotFoundError:
    """Returns the error for a missing PyTorch, which `what` needs. Any other missing module is the error itself."""
    if error.name != "torch":
        return error
    return ModuleNotFoundError(
        f"{what}, and {sys.executable} has no module torch; use a Python that has it", name="torch"
    )


def read_exported(data: bytes | memoryview, name: str) -> Written:
    """Translates the program of an archive, with the weights as constants; `name` is what messages call it."""
    if not is_archive(data):
        raise CompileError(f"{name}: error: it is no file of torch.export.save")
    if not _is_exported(data):
        raise CompileError(
            f"{name}: error: the file is an archive that torch.export.save did not write, or it is damaged"
        )
    try:
        import torch
    except ModuleNotFoundError as error:
        raise explain_missing(error, f"{name} is a program of torch.export, which PyTorch reads") from None
    from ._export import lower_exported

    try:
        exported = torch.export.load(_open(data))
    except Exception as error:
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise CompileError(
            f"{name}: error: torch.export.load of PyTorch {torch.__version__} does not read it: {reason}"
        ) from None
    return lower_exported(exported, "constant").imported.written
