"""Writes programs of one operation of TensorFlow Lite, and runs them."""

import struct

from element_types import TYPES

F32 = TYPES["f32"]
SAME, VALID = 1, 2


def makeMap(entries):
    """A FlexBuffer with a map; every part has a width of 8 bytes."""
    kinds = {int: (1, "<q"), float: (3, "<d")}
    data, places, parts = bytearray(), {}, []
    names = sorted(entries)
    for name in names:
        places[name] = len(data)
        data += name.encode() + b"\0"
    data += bytes(-len(data) % 8)
    lists = {}
    for name in names:
        if isinstance(entries[name], list):
            data += struct.pack("<Q", len(entries[name]))
            lists[name] = len(data)
            data += b"".join(struct.pack("<q", number) for number in entries[name])
    data += struct.pack("<Q", len(names))
    keys = len(data)
    for name in names:
        data += struct.pack("<Q", len(data) - places[name])
    data += struct.pack("<Q", len(data) - keys) + struct.pack("<QQ", 8, len(names))
    values = len(data)
    for name in names:
        value = entries[name]
        if isinstance(value, list):
            data += struct.pack("<Q", len(data) - lists[name])
            parts.append(11 << 2 | 3)
        else:
            kind, form = kinds[type(value)]
            data += struct.pack(form, value)
            parts.append(kind << 2 | 3)
    data += bytes(parts)
    return bytes(data) + struct.pack("<B", len(data) - values) + bytes([9 << 2 | 3, 1])


def makePool(padding, strides, window, activation=0):
    return struct.pack("<6i", padding, strides[1], strides[0], window[1], window[0], activation)


def makeProgram(name, options, types, results):
    escaped = "".join(f"\\{byte:02X}" for byte in options)
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
    operands = ", ".join(f"%a{i}" for i in range(len(types)))
    given = ", ".join(results)
    values = ", ".join(f"%0#{i}" for i in range(len(results)))
    return f"""func.func @main({arguments}) -> ({given}) {{
  %0:{len(results)} = tosa.custom {operands} {{domain_name = "TFL", implementation_attrs = "{escaped}", operator_name = "{name}"}} : ({", ".join(types)}) -> ({given})
  return {values} : {given}
}}
"""


def tensor(extents):
    return f"tensor<{''.join(f'{e}x' for e in extents)}f32>"
