"""Files of weights that are mapped into memory, and whether they are as they were."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ._errors import CompileError


class MappedFile(np.memmap[Any, Any]):
    """The bytes of a file. They are read from it when they are used, so that it must stay as it is."""

    #: The file, and its size and its time as they were. Parts have None, and the whole as their base.
    origin: tuple[str, tuple[int, int]] | None = None


def map_file(path: str) -> MappedFile:
    """Maps a file that is not empty."""
    stamp = _stamp(path)
    mapped = MappedFile(path, np.uint8, "r")
    mapped.origin = path, stamp
    return mapped


def require_unchanged(arrays: Iterable[Any]) -> None:
    """Raises CompileError where arrays are parts of a mapped file that has been written to since."""
    origins = {owner.origin for array in arrays for owner in list_owners(array) if isinstance(owner, MappedFile)}
    for path, stamp in filter(None, origins):
        if _stamp(path) != stamp:
            raise CompileError(
                f"{path}: error: the file has changed since the model was read, whose weights are in it; read the "
                "model again"
            )


class Place(NamedTuple):
    """Where elements stand in a file that is mapped."""

    path: str
    #: The size and the time that the file had.
    stamp: tuple[int, int]
    offset: int


def find_place(array: Any) -> Place | None:
    """Returns where the elements of an array, which stand one behind the other, are in a mapped file."""
    for owner in list_owners(array):
        if isinstance(owner, MappedFile) and owner.origin is not None:
            return Place(*owner.origin, _find_address(array) - _find_address(owner))
    return None


def _find_address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def list_owners(array: Any) -> Iterator[Any]:
    """Yields an array and what has its memory, one behind the other."""
    while array is not None:
        yield array
        array = array.obj if isinstance(array, memoryview) else getattr(array, "base", None)


def _stamp(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except OSError:
        return -1, -1
    return status.st_size, status.st_mtime_ns
