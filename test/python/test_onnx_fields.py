"""Models of ONNX of which one field says something else: another number, another text, or nothing."""

import itertools
import re

import broadloom as bl
import numpy as np
import pytest
from onnx_models import external, field, graph, model, node, random, tensor, value, varint, wrap

NUMBERS = (0, 1, -1, 7, 2**31, -(2**31), 2**62, -(2**63), 2**63 - 1)
TEXTS = (b"", b"x", b"other", b"../../etc/passwd", b"\xff{0}", b"9" * 400)
#: Of so many models, one is tried. It has no divisor in common with the numbers of values that a field is given.
STEP = 7
#: Python's own words, which tell of the code and not of the model.
PYTHONS = re.compile(
    r"object has no attribute|not subscriptable|unpack|NoneType|positional argument|Traceback|\bself\b"
)


def read_varint(data, at):
    number = shift = 0
    while True:
        number |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return number, at


def fields_of(data):
    """The fields of a message, each as its number, form and bytes; None where it is no message."""
    found, at = [], 0
    try:
        while at < len(data):
            key, at = read_varint(data, at)
            if key & 7 == 0:
                own, at = read_varint(data, at)
            elif key & 7 == 2:
                size, at = read_varint(data, at)
                own, at = data[at : at + size], at + size
            elif key & 7 == 5:
                own, at = data[at : at + 4], at + 4
            else:
                return None
            if at > len(data) or not 0 < key >> 3 < 30:
                return None
            found.append((key >> 3, key & 7, own))
    except IndexError:
        return None
    return found


def write(fields):
    made = b""
    for number, form, own in fields:
        made += varint(number << 3 | form)
        made += varint(own) if form == 0 else varint(len(own)) + own if form == 2 else own
    return made


def changed(data, depth=0):
    """All messages of which one field is missing, there twice, another number or text, or a message that is changed."""
    fields = fields_of(data) if depth < 6 else None
    if not fields:
        return
    for at, (number, form, own) in enumerate(fields):
        around = fields[:at], fields[at + 1 :]
        yield write([*around[0], *around[1]])
        yield write([*around[0], fields[at], *fields[at:]])
        if form == 0:
            others = [(form, n & 2**64 - 1) for n in NUMBERS]
        elif form == 2:
            others = [(form, text) for text in TEXTS] + [(form, inner) for inner in changed(own, depth + 1)]
        else:
            others = [(form, np.float32(n).tobytes()) for n in (0, -1, 1e30, np.nan, np.inf)]
        for other in others:
            yield write([*around[0], (number, *other), *around[1]])


def read_all(data):
    """Tries changed models. Each is one that is checked, or an error that has the model's name and no words of Python's.
    Returns how many were refused."""
    refused = 0
    for other in itertools.islice(changed(data), None, None, STEP):
        try:
            bl.check(other, name="m.onnx")
        except (bl.Error, TypeError, ValueError, OSError) as error:
            assert "m.onnx" in str(error) or "shapes=" in str(error), (other, error)
            assert not PYTHONS.search(str(error)), (other, error)
            refused += 1
    return refused


BRANCHES = {"then": graph("z = Relu(x)\nreturn z"), "other": graph("z = Neg(x)\nreturn z")}
MODELS = {
    "window": model(
        "x: f32[n, 2, h, 5]\nc = Conv(x, w, pads=[1, 1, 1, 1], strides=[1, 2], group=1)\n"
        "y = MaxPool(c, kernel_shape=[2, 2], auto_pad='VALID')\nreturn y",
        w=random(3, 2, 3, 3),
    ),
    "shapes": model(
        "x: f32[n, 6]\na = Reshape(x, s)\nb = Slice(a, i, j, k)\nc = Concat(b, b, axis=2)\ny = ReduceSum(c, k)\nreturn y",
        s=np.array([0, 2, 3]), i=np.array([0]), j=np.array([2]), k=np.array([1]),
    ),
    "branches": model(
        "x: f32[n]\nc: i1\ny = If(c, then_branch=then, else_branch=other)\nreturn y", **BRANCHES
    ),
    "boxes": model(
        "b: f32[k, n, 4]\ns: f32[k, c, n]\ny = NonMaxSuppression(b, s, m, o, l, center_point_box=1)\nreturn y",
        m=np.array([3]), o=np.float32([0.5]), l=np.float32([0.1]),
    ),
    "numbers": wrap(
        field(1, node("Gemm", ["x", "w", "b"], ["y"], transB=1))
        + field(5, tensor("w", np.arange(6).reshape(2, 3).astype("i4"), raw=False))
        + field(5, tensor("b", np.arange(2, dtype="i4")))
        + field(11, value("x", "i32", ["n", 3]))
        + field(12, field(1, "y"))
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_any_field_may_say_something_else(name):
    assert read_all(MODELS[name]) >= 30


def test_fields_of_external_data(tmp_path):
    array = random(2, 3)
    (tmp_path / "w.bin").write_bytes(array.tobytes() * 2)
    made = field(1, node("MatMul", ["x", "w"], ["y"])) + field(11, value("x", "f32", ["n", 2]))
    made += field(5, external("w", array, location="w.bin", offset=24, length=24)) + field(12, field(1, "y"))
    refused = 0
    for other in itertools.islice(changed(wrap(made)), None, None, STEP):
        try:
            bl.from_onnx(other, name="m.onnx", folder=str(tmp_path), optimise=False)
        except (bl.Error, TypeError, ValueError, OSError) as error:
            assert "m.onnx" in str(error) and not PYTHONS.search(str(error)), (other, error)
            refused += 1
    assert refused >= 30
