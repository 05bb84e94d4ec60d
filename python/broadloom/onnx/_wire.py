"""Messages of protocol buffers, read by tables.

A file may be cut off or damaged anywhere: whatever stands in it, reading ends with a
message or with a DamagedError that names the byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np


class DamagedError(ValueError):
    """Bytes that are no message."""


#: A message's fields by number: the name, and what it is: 'int', 'float', 'double',
#: 'bytes', 'text' or the fields of a message. A name in brackets is a list.
Fields = Mapping[int, tuple[str, Any]]

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_SIZES = {"float": 4, "double": 8}
_DTYPES = {"float": "<f4", "double": "<f8"}
#: Messages inside messages; those of real models have some ten.
_DEEPEST = 100


def _read_varint(data: memoryview, at: int) -> tuple[int, int]:
    """Reads a number without a sign, and where it ends."""
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise DamagedError(f"a number does not end at byte {at}")
        byte = data[at]
        value |= (byte & 127) << shift
        at += 1
        if byte < 128:
            return value & (2**64 - 1), at
        shift += 7


def _to_signed(value: int) -> int:
    return value - 2**64 if value >= 2**63 else value


def _read_numbers(data: memoryview, kind: str, at: int) -> list[Any]:
    """Reads numbers that stand together."""
    if kind != "int":
        if len(data) % _SIZES[kind]:
            raise DamagedError(f"numbers of {_SIZES[kind]} bytes have {len(data)} bytes at byte {at}")
        return list(np.frombuffer(data, _DTYPES[kind]).tolist())
    found, offset = [], 0
    while offset < len(data):
        value, offset = _read_varint(data, offset)
        found.append(_to_signed(value))
    return found


def _read_raw(data: memoryview, at: int, form: int, base: int) -> tuple[Any, int]:
    """Reads the number or the bytes of a field, and where they end."""
    if form == _VARINT:
        return _read_varint(data, at)
    if form == _BYTES:
        count, at = _read_varint(data, at)
    elif form in (_FIXED32, _FIXED64):
        count = 4 if form == _FIXED32 else 8
    else:
        raise DamagedError(f"byte {base + at} has a field of the unknown form {form}")
    if count > len(data) - at:
        raise DamagedError(f"a field of {count} bytes begins at byte {base + at}, where {len(data) - at} are left")
    return data[at : at + count], at + count


def _decode(raw: Any, kind: Any, form: int, at: int, depth: int) -> Any:
    """Returns a field's value; that of numbers is a list."""
    if kind == "int" and form == _VARINT:
        return [_to_signed(raw)]
    if kind in ("int", "float", "double") and form != _VARINT:
        return _read_numbers(raw, kind, at)
    if form != _BYTES:
        raise DamagedError(f"byte {at} has a field of the form {form}, which its kind has not")
    if kind == "bytes":
        return raw
    if kind == "text":
        return bytes(raw).decode(errors="replace")
    return read(raw, kind, at, depth + 1)


def read(data: memoryview, fields: Fields, base: int = 0, depth: int = 0) -> SimpleNamespace:
    """Reads a message: what is not there is None, or an empty list. Unknown fields are left out. `base` is where the
    message begins in the file."""
    if depth > _DEEPEST:
        raise DamagedError(f"messages lie more than {_DEEPEST} deep at byte {base}")
    found: dict[str, Any] = {name.strip("[]"): [] if name.startswith("[") else None for name, _ in fields.values()}
    at = 0
    while at < len(data):
        tag, after = _read_varint(data, at)
        if tag >> 3 == 0:
            raise DamagedError(f"byte {base + at} has a field of number 0")
        raw, end = _read_raw(data, after, tag & 7, base)
        name, kind = fields.get(tag >> 3, (None, None))
        if name is not None:
            start = base + end - (len(raw) if isinstance(raw, memoryview) else 1)
            value = _decode(raw, kind, tag & 7, start, depth)
            numbers = kind in ("int", "float", "double")
            if not name.startswith("["):
                if numbers and not value:
                    raise DamagedError(f"the field at byte {start} has no number")
                found[name] = value[-1] if numbers else value
            elif numbers:
                found[name[1:-1]] += value
            else:
                found[name[1:-1]].append(value)
        at = end
    return SimpleNamespace(**found)
