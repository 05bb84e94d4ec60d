"""Files that appear only when they are whole, as those of the command line (tools/io/OutputFile.h)."""

from __future__ import annotations

import errno
import functools
import itertools
import os
import stat
from collections.abc import Callable
from io import FileIO

_numbers = itertools.count()


#: What writes a file's bytes, piece by piece, by calls of what it is given.
Writer = Callable[[Callable[[bytes | memoryview], None]], object]


def write_file(path: str, write: Writer) -> None:
    """Writes a file that a process sees whole, or as it was before.

    A symbolic link stays, and leads to what is written; a file keeps its permissions. Devices, FIFOs and files in a
    folder that takes no new ones are written where they stand.
    """
    try:
        _write(path, write)
    except OSError as error:
        # The user's path, and not that of a draft.
        raise OSError(error.errno, error.strerror, path) from None


def _write(path: str, write: Writer) -> None:
    try:
        found = os.stat(path).st_mode
    except FileNotFoundError:
        found = None
    # What /dev and /proc name is open already (as /dev/stdout): a file in its place would not reach who opened it.
    stands = (found is not None and not stat.S_ISREG(found)) or path.startswith(("/dev/", "/proc/"))
    if stands:
        return _write_in_place(path, write)
    if found is not None and not os.access(path, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    draft = os.path.join(folder, f".broadloom-{os.getpid()}-{next(_numbers)}.tmp")
    try:
        descriptor = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    except OSError:
        if found is None:
            raise
        return _write_in_place(path, write)
    try:
        with open(descriptor, "wb", buffering=0) as file:
            if found is not None:
                os.fchmod(descriptor, stat.S_IMODE(found))
            write(functools.partial(_write_all, file))
        os.replace(draft, target)
    except BaseException:
        os.remove(draft)
        raise


def _write_in_place(path: str, write: Writer) -> None:
    with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o666), "wb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            write(functools.partial(_write_all, file))
            return
        # The program may be mapped from this file: all pieces are read before the file changes, and the file is not
        # made shorter before it is written.
        pieces: list[bytes] = []
        write(lambda piece: pieces.append(bytes(piece)))
        for piece in pieces:
            _write_all(file, piece)
        file.truncate()


def _write_all(file: FileIO, data: bytes | memoryview) -> None:
    """Writes all of the data: a device or a pipe may take a part at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]
