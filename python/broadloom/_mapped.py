"""The bytes of files as arrays: where parts of them stand, and whether the files are as they were."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ._errors import CompileError


class Stamp(NamedTuple):
    """What differs where another file has a path, or a file has other contents: numbers of 64 bits without a sign."""

    device: int
    inode: int
    size: int
    #: Of the last write, in nanoseconds.
    time: int


def get_stamp(file: Any) -> Stamp:
    """Returns the stamp of a path or a descriptor; raises OSError where there is no file."""
    status = os.stat(file)
    return Stamp(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns & (2**64 - 1))


class FileArray(np.ndarray[Any, Any]):
    """The bytes of a file. Those of a mapped one are read when they are used, so that it must stay as it is."""

    #: The file, and its stamp as it was. Parts have None, and the whole as their base.
    origin: tuple[str, Stamp] | None = None


def map_file(path: str) -> FileArray:
    """Maps a file that is not empty; reads it where its file system maps none."""
    with open(path, "rb") as file:
        stamp = get_stamp(file.fileno())
        data: Any
        try:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError:
            data = file.read()
    return keep_place(data, path, stamp)


def keep_place(data: Any, path: str, stamp: Stamp) -> FileArray:
    """Returns the bytes of a whole file as an array that cannot be written to, of whose parts find_place tells where
    they stand."""
    array = np.frombuffer(data, np.uint8).view(FileArray)
    array.flags.writeable = False
    array.origin = path, stamp
    return array


def require_unchanged(arrays: Iterable[Any]) -> None:
    """Raises CompileError where arrays are parts of a mapped file that has been written to since."""
    origins = {owner.origin for array in arrays for owner in list_owners(array) if isinstance(owner, FileArray)}
    for path, stamp in filter(None, origins):
        if not _is_unchanged(path, stamp):
            raise CompileError(
                f"{path}: error: the file has changed since the model was read, whose weights are in it; read the "
                "model again"
            )


#: The option of the C interface that spell_files() gives.
OPTION = "constant-file"


def spell_files(arrays: Iterable[Any]) -> list[tuple[str, str | bytes]]:
    """Returns options of the C interface: the files that the compiler has to find as they were when it has used arrays
    that are parts of them."""
    places = (find_place(array) for array in arrays)
    origins = dict.fromkeys(place[:2] for place in places if place)
    return [(OPTION, " ".join(map(str, stamp)).encode() + b" " + path) for path, stamp in origins]


def _is_unchanged(path: str, stamp: Stamp) -> bool:
    try:
        return get_stamp(path) == stamp
    except OSError:
        return False


class Place(NamedTuple):
    """Where elements stand in a file."""

    #: That of the file, from the root on, as the system spells it.
    path: bytes
    #: What the file had before it was read or mapped.
    stamp: Stamp
    offset: int


def find_place(array: Any) -> Place | None:
    """Returns where the elements of an array, which stand one behind the other, are in a file."""
    for owner in list_owners(array):
        if isinstance(owner, FileArray) and owner.origin is not None:
            path, stamp = owner.origin
            # Not normalised: what '..' leads to may depend on links.
            whole = os.fsencode(os.path.join(os.getcwd(), path))
            return Place(whole, stamp, find_address(array) - find_address(owner))
    return None


def find_address(array: Any) -> int:
    """Returns where the memory of an array, or of a view of bytes, begins."""
    return int(np.asarray(array).__array_interface__["data"][0])


def list_owners(array: Any) -> Iterator[Any]:
    """Yields an array and what has its memory, one behind the other."""
    while array is not None:
        yield array
        array = array.obj if isinstance(array, memoryview) else getattr(array, "base", None)
