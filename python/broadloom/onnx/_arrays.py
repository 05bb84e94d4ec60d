"""Constants of a model as NumPy arrays."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _program as program
from .._mapped import find_address, map_file
from ._narrow_types import NARROW, storage_of
from ._wire import DamagedError

#: ONNX's numbers of element types.
ELEMENTS = {
    1: "f32", 2: "ui8", 3: "i8", 4: "ui16", 5: "i16", 6: "i32", 7: "i64", 9: "i1", 10: "f16", 11: "f64",
    12: "ui32", 13: "ui64", 16: "bf16", 17: "f8E4M3FN", 19: "f8E5M2",
}  # fmt: skip
#: Those that programs have not, by ONNX's names.
OTHERS = {8: "string", 14: "complex64", 15: "complex128"}
OTHERS |= {number: kind.numpy_name.replace("_", "") for number, kind in NARROW.items()}
#: Those of which a byte has several, and their bits.
_PACKED = {21: 4, 22: 4, 23: 4, 25: 2, 26: 2}
#: In which list of a message numbers stand that are not raw.
_LISTS = {
    "float_data": {1},
    "double_data": {11},
    "int64_data": {7},
    "uint64_data": {12, 13},
    "int32_data": {2, 3, 4, 5, 6, 9, 10, *range(16, 29)},
}


class TypeProblem(TypeError):
    """A tensor whose elements programs have not."""


def element_of(number: int | None) -> str:
    """Returns the element type of programs, by ONNX's number."""
    if number not in ELEMENTS:
        raise TypeProblem(f"programs have no elements of ONNX's type {OTHERS.get(number or 0, number)}")
    return ELEMENTS[number]


def name_element(number: int | None) -> str:
    """Returns the name of an element type, by ONNX's number: one of programs, or one that they hold in bytes."""
    return NARROW[number].name if number in NARROW else element_of(number)


#: Reads the bytes of a tensor that stand in another file: of its entries, by key.
ReadFile = Callable[[dict[str, str]], memoryview]


def open_files(folder: str | None, follows_links: bool = False) -> ReadFile:
    """Reads files beside a model; `folder` is None where nobody knows where it is. Links
    that lead out of the folder are errors unless `follows_links`."""
    kept: dict[str, NDArray[np.uint8]] = {}

    def read(entries: dict[str, str]) -> memoryview:
        name = entries.get("location", "")
        if folder is None:
            raise ValueError(
                f"its elements are in the file {name!r} beside the model, whose folder is not known; "
                "give the model's path, or folder="
            )
        normal_path = os.path.normpath(name)
        if not name or "\0" in name or os.path.isabs(name) or normal_path.split(os.sep)[0] == os.pardir:
            raise DamagedError(f"its elements are in the file {name!r}, which is not in the model's folder")
        path = os.path.join(folder, normal_path)
        real = os.path.realpath(path)
        if (
            not follows_links
            and not real.startswith(os.path.join(os.path.realpath(folder), ""))
            and normal_path != os.curdir
        ):
            raise ValueError(
                f"its elements are in the file {path}, a link to {real}, which is not in the model's folder; "
                f"give from_onnx folder={folder!r} to follow links"
            )
        if path not in kept:
            if not os.path.exists(path):
                raise FileNotFoundError(f"its elements are in the file {path}, which is not there")
            if not os.path.isfile(path):
                raise DamagedError(f"its elements are in {path}, which is no file")
            size = os.path.getsize(path)
            kept[path] = map_file(path) if size else np.zeros(0, np.uint8)
        data = kept[path]
        offset = _read_number(entries, "offset", 0)
        length = _read_number(entries, "length", len(data) - offset)
        if offset < 0 or length < 0 or offset + length > len(data):
            raise DamagedError(
                f"its elements are the bytes {offset} to {offset + length} of {path}, which has {len(data)}"
            )
        return data[offset : offset + length].data

    return read


def _read_number(entries: dict[str, str], key: str, otherwise: int) -> int:
    """Returns the number of an entry, or another one where the entry is missing."""
    try:
        return int(entries.get(key, otherwise))
    except ValueError:
        where = f"its {key} in the file {entries['location']!r}"
        raise DamagedError(f"{where} is no number, but {entries[key]!r}") from None


def _read_place(entries: list[SimpleNamespace]) -> dict[str, str]:
    """Returns what says where elements are; what an entry leaves out is empty."""
    place: dict[str, str] = {}
    for entry in entries:
        key = entry.key or ""
        if key in place:
            raise DamagedError(f"the {key!r} of its external data is given twice")
        place[key] = entry.value or ""
    return place


def read_array(tensor: SimpleNamespace, read_file: ReadFile) -> tuple[NDArray[Any], str]:
    """Reads the elements of a TensorProto, and their type."""
    kind = tensor.data_type
    bits, element = _PACKED.get(kind, 0), name_element(kind)
    dtype, shape = program.to_numpy(storage_of(element)), tuple(tensor.dims)
    if any(extent < 0 for extent in shape):
        raise DamagedError(f"it has the shape {list(shape)}")
    count = math.prod(shape)
    if tensor.data_location == 1:
        raw = read_file(_read_place(tensor.external_data))
    else:
        given = [name for name in _LISTS if getattr(tensor, name)]
        if tensor.raw_data and given:
            raise DamagedError(f"its elements are given twice, in raw_data and in {given[0]}")
        raw = tensor.raw_data = _align(tensor.raw_data, dtype.itemsize)
    if raw is not None:
        array = _read_raw(raw, dtype, count, bits, shape)
    else:
        array = _read_list(tensor, kind, dtype, count, bits)
    if array.size != count:
        raise DamagedError(f"its shape {list(shape)} has {count} elements, but {array.size} are given")
    return array.reshape(shape), element


def _align(raw: memoryview | None, alignment: int) -> memoryview | None:
    """Returns the bytes of a large tensor at a multiple of `alignment`, which is 8 or less. Where nobody else has the
    file's memory, they are moved over up to 7 bytes in front, which are of their size and of the field before: the
    message has been read, and cannot be read again from this memory."""
    if raw is None or raw.readonly or len(raw) < program.LARGE:
        return raw
    whole = memoryview(raw.obj)
    start = find_address(raw) - find_address(whole)
    end, shift = start + len(raw), find_address(raw) % alignment
    if shift:
        whole[start - shift : end - shift] = raw
    return whole[start - shift : end - shift]


def _read_raw(raw: memoryview, dtype: np.dtype[Any], count: int, bits: int, shape: Sequence[int]) -> NDArray[Any]:
    wanted = -(-count * bits // 8) if bits else count * dtype.itemsize
    if len(raw) != wanted:
        raise DamagedError(f"its shape {list(shape)} takes {wanted} bytes, but {len(raw)} are given")
    if bits:
        return _unpack(np.frombuffer(raw, np.uint8), bits, count, dtype)
    return np.frombuffer(raw, dtype.newbyteorder("<") if dtype.kind in "iuf" else dtype).astype(dtype, copy=False)


def _read_list(tensor: SimpleNamespace, kind: int, dtype: np.dtype[Any], count: int, bits: int) -> NDArray[Any]:
    (name,) = (name for name, kinds in _LISTS.items() if kind in kinds)
    numbers = getattr(tensor, name)
    if bits:
        return _unpack(np.array([n & 255 for n in numbers], np.uint8), bits, count, dtype)
    if name != "int32_data" or dtype.kind in "iu":
        mask = 2**64 - 1 if dtype.kind == "u" else -1
        try:
            return np.array([n & mask for n in numbers] if dtype.kind in "iu" else numbers, dtype)
        except OverflowError:
            raise DamagedError(f"it has a number that {dtype} does not hold") from None
    if dtype.kind == "b":
        return np.array(numbers, np.int64).astype(np.bool_)
    # The bits of floats.
    unsigned = np.uint16 if dtype.itemsize == 2 else np.uint8
    return np.array([n & (2 ** (8 * dtype.itemsize) - 1) for n in numbers], unsigned).view(dtype)


def _unpack(raw: NDArray[Any], bits: int, count: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Takes several integers out of each byte, the first one from its low bits."""
    parts = np.stack([raw >> shift & (2**bits - 1) for shift in range(0, 8, bits)], axis=-1)
    numbers = parts.reshape(-1)[:count].astype(np.int16)
    if dtype.kind == "i":
        numbers = np.where(numbers >= 2 ** (bits - 1), numbers - 2**bits, numbers)
    return numbers.astype(dtype)
