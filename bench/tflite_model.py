"""Writes models of TensorFlow Lite with products alone, by the package `flatbuffers`."""

import flatbuffers

FULLY_CONNECTED, FULLY_CONNECTED_OPTIONS, VERSION = 9, 8, 3


def _table(builder, fields):
    """A table. `fields` are (slot, kind, value): an integer of 8 or 32 bits, or an offset."""
    builder.StartObject(max((slot for slot, _, _ in fields), default=-1) + 1)
    for slot, kind, value in fields:
        if kind == "offset":
            builder.PrependUOffsetTRelativeSlot(slot, value, 0)
        elif kind == "i8":
            builder.PrependInt8Slot(slot, value, 0)
        else:
            builder.PrependInt32Slot(slot, value, 0)
    return builder.EndObject()


def _tables(builder, offsets):
    builder.StartVector(4, len(offsets), 4)
    for offset in reversed(offsets):
        builder.PrependUOffsetTRelative(offset)
    return builder.EndVector()


def _numbers(builder, numbers):
    builder.StartVector(4, len(numbers), 4)
    for number in reversed(numbers):
        builder.PrependInt32(number)
    return builder.EndVector()


def _data(builder, array):
    """A buffer whose bytes begin at a multiple of 16."""
    builder.StartVector(1, array.nbytes, 16)
    builder.head = builder.head - array.nbytes
    builder.Bytes[builder.head : builder.head + array.nbytes] = array.tobytes()
    return _table(builder, [(0, "offset", builder.EndVector())])


def write_products(path, weights, rows):
    """Writes x @ w.T for each of the float32 weights, one after the other."""
    builder = flatbuffers.Builder(sum(weight.nbytes for weight in weights) + (1 << 20))
    buffers = [_table(builder, []), *(_data(builder, weight) for weight in weights)]

    def tensor(name, shape, buffer):
        shape, name = _numbers(builder, shape), builder.CreateString(name)
        return _table(builder, [(0, "offset", shape), (2, "i32", buffer), (3, "offset", name)])

    tensors = [tensor("x", (rows, weights[0].shape[1]), 0)]
    operators, last = [], 0
    for number, weight in enumerate(weights):
        tensors += [
            tensor(f"w{number}", weight.shape, number + 1),
            tensor(f"y{number}", (rows, weight.shape[0]), 0),
        ]
        inputs, outputs = _numbers(builder, (last, len(tensors) - 2, -1)), _numbers(builder, (len(tensors) - 1,))
        options = _table(builder, [])
        fields = [(1, "offset", inputs), (2, "offset", outputs), (4, "offset", options)]
        # The type of a union has 8 bits.
        operators.append(_table(builder, [*fields, (3, "i8", FULLY_CONNECTED_OPTIONS)]))
        last = len(tensors) - 1
    parts = [
        _tables(builder, tensors),
        _numbers(builder, (0,)),
        _numbers(builder, (last,)),
        _tables(builder, operators),
    ]
    graph = _table(builder, [(slot, "offset", part) for slot, part in enumerate(parts)])
    code = _table(builder, [(0, "i8", FULLY_CONNECTED), (2, "i32", 1), (3, "i32", FULLY_CONNECTED)])
    codes, graphs = _tables(builder, [code]), _tables(builder, [graph])
    description, buffers = builder.CreateString("products"), _tables(builder, buffers)
    fields = [(1, codes), (2, graphs), (3, description), (4, buffers)]
    builder.Finish(
        _table(builder, [(0, "i32", VERSION), *((slot, "offset", part) for slot, part in fields)]),
        file_identifier=b"TFL3",
    )
    with open(path, "wb") as file:
        file.write(memoryview(builder.Bytes)[builder.head :])
