"""Files of ONNX that are damaged or have weights elsewhere, and models that cannot be
imported."""

import re
import subprocess
import sys

import broadloom as bl
import numpy as np
import pytest
from onnx_models import agree, external, field, graph, model, random, tensor, wrap

# What is refused.


def test_all_operators_are_told():
    text = model(
        "x: f32[n]\na = Foo(x, name='first')\nb = other.Bar(a)\nc = StringSplit(x)\nd = Relu(x, slope=1.0)\nreturn c"
    )
    with pytest.raises(bl.UnsupportedOperations) as caught:
        bl.compile(text, name="m.onnx")
    assert [name for name, _, _ in caught.value.operations] == ["Foo", "StringSplit", "Relu"]
    message = str(caught.value)
    assert "m.onnx: node 1 (Foo 'first'): Foo: the importer has no rule for it (inputs x; opset 21)" in message
    assert "StringSplit: programs have no texts" in message
    assert "it has no attribute 'slope' in this opset" in message


@pytest.mark.parametrize(
    "text, opset, message",
    [
        ("x: f32[n]\ny = Gelu(x)\nreturn y", 19, "it is imported from opset 20 on, but the model has opset 19"),
        ("x: f32[n]\ny = Relu(x)\nreturn y", 99, "the model has opset 99, but the newest that is known is 28"),
        ("x: f32[n]\ny = Relu()\nreturn y", 21, "its input 0 is missing"),
        ("x: f32[n]\ny = Relu(x, x)\nreturn y", 21, "it has 2 inputs, but takes at most 1"),
        ("x: f32[n]\ny = Relu(z)\nreturn y", 21, "its input 'z' is given by no input, constant or node before it"),
        ("x: f32[n]\nz = Relu(x)\nreturn y", 21, "the output 'y': output: no node gives it"),
        ("x: f32[n, m]\na: i64[1]\ny = ReduceSum(x, a)\nreturn y", 21, "its axes must be a constant"),
        ("x: f32[n]\ny = Cast(x)\nreturn y", 21, "its attribute 'to' is missing"),
        ("x: f32[n]\ny = Cast(x, to=8)\nreturn y", 21, "programs have no elements of ONNX's type string"),
        ("x: f32[n]\ny = Softmax(x, axis=3)\nreturn y", 21, "axis 3 is outside of the 1 axes of its input"),
    ],
)
def test_what_cannot_be_imported(text, opset, message):
    with pytest.raises(bl.UnsupportedOperations, match=re.escape(message)):
        bl.compile(model(text, opset))


def test_types_and_shapes_of_inputs():
    text = graph("y = Relu(x)\nreturn y")
    for element, shape, kind, message in (
        (
            8,
            b"",
            TypeError,
            "the input 'x' has no type that can be imported: programs have no elements of ONNX's type string",
        ),
        (1, None, ValueError, "the input 'x' has no shape in the model; give shapes={'x': (...)}"),
    ):
        kind_ = field(1, element) + (b"" if shape is None else field(2, shape))
        given = field(11, field(1, "x") + field(2, field(1, kind_)))
        with pytest.raises(kind, match=re.escape(message)):
            bl.compile(wrap(bytes(text) + given))
    data = wrap(bytes(text) + given)
    f = bl.from_onnx(data, shapes={"x": (None, 2)})
    agree(f(-random(3, 2)), np.maximum(-random(3, 2), 0))
    for shape, kind, message in (
        ((-3,), ValueError, "the extent -3 of the input 'x', axis 0, is negative"),
        ((2, 1.5), TypeError, "the extent 1.5 of the input 'x', axis 1, is no number, name or None"),
        ("ab", TypeError, "shapes= gives the input 'x' 'ab', which is no list of extents"),
    ):
        with pytest.raises(kind, match=re.escape(message)):
            bl.from_onnx(data, shapes={"x": shape})


# Files.

WHOLE = model("x: f32[n, 3]\ny = MatMul(x, w)\nreturn y", w=random(3, 3))


def parts_of(data):
    """A message that is cut where one of its parts ends is a whole message that says less."""
    ends, at = [], 0
    while at < len(data):
        key, at = read_varint(data, at)
        if key & 7 == 0:
            _, at = read_varint(data, at)
        else:
            size, at = read_varint(data, at)
            at += size
        ends.append(at)
    return ends


def read_varint(data, at):
    number = shift = 0
    while True:
        number |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return number, at


def test_damaged_files_are_told():
    """A file that was cut is told wherever that was, but between the parts of the model."""
    whole = parts_of(WHOLE)
    assert whole[-1] == len(WHOLE)
    for cut in range(4, len(WHOLE)):
        if cut in whole:
            continue
        with pytest.raises(bl.CompileError, match=r"m.onnx: error: the ONNX model is damaged: "):
            bl.check(WHOLE[:cut], name="m.onnx")
    with pytest.raises(bl.CompileError, match=r"m.onnx: error: the ONNX model is damaged: a field of"):
        bl.compile(WHOLE[:-9], name="m.onnx")


def test_a_number_that_is_none_is_told():
    """An element type that is written as a list of no numbers."""
    value = field(1, "x") + field(2, field(1, b"\x0a\x00"))
    with pytest.raises(bl.CompileError, match=r"the ONNX model is damaged: the field at byte [0-9]+ has no number"):
        bl.compile(wrap(graph=field(1, b"") + field(11, value)), name="m.onnx")


def test_any_byte_may_be_another():
    """What another byte means is an error that is told, or another model."""
    random = np.random.default_rng(0)
    refused = 0
    for offset in random.integers(3, len(WHOLE), 100):
        data = bytearray(WHOLE)
        data[offset] ^= random.integers(1, 256)
        try:
            bl.check(data, name="m.onnx")
        except (bl.Error, TypeError, ValueError, OSError) as error:
            assert "m.onnx" in str(error)
            refused += 1
    # The others are in names and numbers.
    assert refused >= 30


@pytest.mark.parametrize(
    "data, message",
    [
        (b"\x08\x0a\x3a" + b"\x80" * 10, "a number does not end at byte"),
        (b"\x08\x0a\x3a\x7f\x00", "a field of 127 bytes begins at byte 4, where 1 are left"),
        (b"\x08\x0a\x3a\x00\x3b", "byte 5 has a field of the unknown form 3"),
        (b"\x08\x0a\x3a\x00\x38\x00", "has a field of the form 0, which its kind has not"),
        (b"\x08\x0a\x42\x02\x00\x00", "has a field of number 0"),
        (b"\x08\x0a\x42\x02\x10\x15", "it has no graph"),
    ],
)
def test_damaged_fields_are_told(data, message):
    with pytest.raises(bl.CompileError, match=f"m.onnx: error: the ONNX model is damaged: .*{re.escape(message)}"):
        bl.check(data, name="m.onnx")


@pytest.mark.parametrize(
    "dims, kind, elements, message",
    [
        ([3, 3], 1, field(9, bytes(35)), "its shape [3, 3] takes 36 bytes, but 35 are given"),
        ([3, 3], 1, field(9, bytes(37)), "its shape [3, 3] takes 36 bytes, but 37 are given"),
        (
            [2**40, 2**40],
            1,
            field(9, bytes(36)),
            "its shape [1099511627776, 1099511627776] takes 4835703278458516698824704 bytes, but 36 are given",
        ),
        ([0], 1, field(9, bytes(4)), "its shape [0] takes 0 bytes, but 4 are given"),
        ([-1, -9], 1, field(9, bytes(36)), "it has the shape [-1, -9]"),
        ([3], 1, field(4, bytes(8)), "its shape [3] has 3 elements, but 2 are given"),
        ([3], 7, b"".join(field(7, n) for n in range(4)), "its shape [3] has 3 elements, but 4 are given"),
        ([2**62], 7, field(7, 1), "its shape [4611686018427387904] has 4611686018427387904 elements, but 1 are given"),
        ([3], 3, field(5, 1) + field(5, 300) + field(5, 1), "it has a number that int8 does not hold"),
        ([3], 22, field(9, bytes(3)), "its shape [3] takes 2 bytes, but 3 are given"),
        ([3], 1, b"", "its shape [3] has 3 elements, but 0 are given"),
    ],
)
def test_counts_of_elements_are_checked(dims, kind, elements, message):
    w = b"".join(field(1, n) for n in dims) + field(2, kind) + field(8, "w") + elements
    with pytest.raises(bl.CompileError, match=re.escape(f"is damaged: the initializer 'w': {message}")):
        bl.compile(wrap(graph("return w") + field(5, w)))


def test_operands_of_wrong_types():
    for text in (
        "x: f32[n]\ni: i64[n]\ny = Add(x, i)\nreturn y",
        "x: f32[n, 3]\nw: f64[3, 3]\ny = MatMul(x, w)\nreturn y",
        "x: f32[n]\ni: f32[2]\ny = Gather(x, i)\nreturn y",
        "x: f32[n]\ni: f16[2]\ny = GatherElements(x, i)\nreturn y",
        "x: f32[n]\ny = And(x, x)\nreturn y",
        "x: f32[n]\nc: f32[n]\ny = Where(c, x, x)\nreturn y",
        "x: i64[n]\ny = Sqrt(x)\nreturn y",
    ):
        with pytest.raises(
            bl.UnsupportedOperations, match=r"m.onnx: node 1 \((\w+)\): \1: it does not fit what it is given"
        ):
            bl.compile(model(text), name="m.onnx")


def test_deep_messages():
    data = b""
    for _ in range(3000):
        data = field(5, field(1, "g") + field(6, field(1, data)) + field(20, 5))
    with pytest.raises(bl.CompileError, match="messages lie more than 100 deep"):
        bl.compile(wrap(field(1, data)))


def test_forms_of_constants():
    for array in (np.array([1, -2], "i1"), np.array([3, 4], "u2"), np.array([True, False]), np.array([-5, 6], "i4")):
        for raw in (True, False):
            data = wrap(graph("return w") + field(5, tensor("w", array, raw)))
            np.testing.assert_array_equal(bl.compile(data)(), array)
    packed = field(1, 3) + field(2, 22) + field(8, "w") + field(9, bytes([0x1F, 0x07]))
    np.testing.assert_array_equal(bl.compile(wrap(graph("return w") + field(5, packed)))(), np.array([-1, 1, 7], "i1"))


def save(folder, **entries):
    path = folder / "model.onnx"
    weight = external("w", random(3, 3), **entries)
    path.write_bytes(wrap(graph("x: f32[n, 3]\ny = MatMul(x, w)\nreturn y") + field(5, weight)))
    return path


def test_external_data(tmp_path):
    (tmp_path / "weights").write_bytes(bytes(8) + random(3, 3).tobytes())
    path = save(tmp_path, location="weights", offset=8, length=36)
    agree(bl.compile(path)(random(2, 3)), random(2, 3) @ random(3, 3))
    with open(path, "rb") as file:
        agree(bl.compile(file)(random(2, 3)), random(2, 3) @ random(3, 3))
    with pytest.raises(ValueError, match="whose folder is not known; give the model's path, or folder="):
        bl.compile(path.read_bytes())
    agree(bl.from_onnx(path.read_bytes(), folder=tmp_path)(random(2, 3)), random(2, 3) @ random(3, 3))


def test_external_data_that_is_not_there(tmp_path):
    with pytest.raises(
        FileNotFoundError, match=r"the initializer 'w': its elements are in the file .*weights, which is not there"
    ):
        bl.compile(save(tmp_path, location="weights"))
    (tmp_path / "weights").write_bytes(bytes(8))
    with pytest.raises(bl.CompileError, match=r"the bytes 0 to 36 of .*weights, which has 8"):
        bl.compile(save(tmp_path, location="weights", length=36))
    for location in ("../weights", "/etc/passwd", ""):
        with pytest.raises(bl.CompileError, match="which is not in the model's folder"):
            bl.compile(save(tmp_path, location=location))


@pytest.mark.parametrize(
    "entries, message",
    [
        ({"offset": -4, "length": 36}, "the bytes -4 to 32 of"),
        ({"offset": 40, "length": -4}, "the bytes 40 to 36 of"),
        ({"offset": 8, "length": 36}, "the bytes 8 to 44 of"),
        ({"offset": 2**63, "length": 36}, "the bytes 9223372036854775808 to 9223372036854775844 of"),
        ({"offset": "x"}, "its offset in the file 'weights' is no number"),
        ({"offset": 0, "length": 32}, "its shape [3, 3] takes 36 bytes, but 32 are given"),
        ({"offset": 4}, "its shape [3, 3] takes 36 bytes, but 32 are given"),
    ],
)
def test_places_of_external_data_are_checked(tmp_path, entries, message):
    (tmp_path / "weights").write_bytes(bytes(36))
    with pytest.raises(bl.CompileError, match=f"the initializer 'w': .*{re.escape(message)}"):
        bl.compile(save(tmp_path, location="weights", **entries))


def test_entries_of_external_data(tmp_path):
    """Without a value, no numbers, and there twice."""
    (tmp_path / "weights").write_bytes(bytes(36))
    for more, message in (
        (field(1, "offset"), "its offset in the file 'weights' is no number, but ''"),
        (field(1, "length"), "its length in the file 'weights' is no number, but ''"),
        (field(1, "length") + field(2, "many"), "its length in the file 'weights' is no number, but 'many'"),
        (field(1, "location") + field(2, "weights"), "the 'location' of its external data is given twice"),
    ):
        data = field(5, external("w", np.zeros((3, 3), "f4"), location="weights") + field(13, more))
        with pytest.raises(bl.CompileError, match=f"the initializer 'w': .*{message}"):
            bl.from_onnx(wrap(data), folder=str(tmp_path))


def test_external_data_may_overlap(tmp_path):
    """Weights may have bytes in common: they are only read."""
    numbers = random(12)
    (tmp_path / "weights").write_bytes(numbers.tobytes())
    tensors = [
        field(5, external(name, random(3, 3), location="weights", offset=offset, length=36))
        for name, offset in (("v", 0), ("w", 12))
    ]
    whole = graph("x: f32[n, 3]\na = MatMul(x, v)\ny = MatMul(a, w)\nreturn y") + b"".join(tensors)
    (tmp_path / "model.onnx").write_bytes(wrap(whole))
    v, w = numbers[:9].reshape(3, 3), numbers[3:].reshape(3, 3)
    agree(bl.compile(tmp_path / "model.onnx")(random(2, 3)), random(2, 3) @ v @ w)


def test_weights_that_are_links(tmp_path):
    """They are followed within the model's folder, and out of it where the caller says so."""
    model_folder, store = tmp_path / "model", tmp_path / "store"
    model_folder.mkdir(), store.mkdir()
    (store / "data").write_bytes(random(3, 3).tobytes())
    (model_folder / "weights").symlink_to("../store/data")
    path = save(model_folder, location="weights")
    message = f"the initializer 'w': its elements are in the file {model_folder}/weights, a link to {store}/data"
    with pytest.raises(ValueError, match=re.escape(message) + ".*give from_onnx folder="):
        bl.compile(path)
    agree(bl.from_onnx(path, folder=model_folder)(random(2, 3)), random(2, 3) @ random(3, 3))
    (model_folder / "real").write_bytes((store / "data").read_bytes())
    (model_folder / "link").symlink_to("real")
    agree(bl.compile(save(model_folder, location="link"))(random(2, 3)), random(2, 3) @ random(3, 3))
    with pytest.raises(bl.CompileError, match=r"'../store/data', which is not in the model's folder"):
        bl.from_onnx(save(model_folder, location="../store/data"), folder=model_folder)


def test_paths_that_are_no_files(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(
        bl.CompileError, match=r"model.onnx: .*the initializer 'w': its elements are in .*folder, which is no file"
    ):
        bl.compile(save(tmp_path, location="folder"))
    with pytest.raises(bl.CompileError, match="which is not in the model's folder"):
        bl.compile(save(tmp_path, location="a\0b"))


def sparse(shape, indices, values):
    tensors = field(1, tensor("w", np.array(values, "f4"))) + field(2, tensor("i", np.array(indices, "i8")))
    return wrap(graph("return w") + field(15, tensors + b"".join(field(3, n) for n in shape)))


def test_sparse_constants():
    np.testing.assert_array_equal(bl.compile(sparse([2, 3], [1, 5], [7, 8]))(), [[0, 7, 0], [0, 0, 8]])
    np.testing.assert_array_equal(bl.compile(sparse([2, 3], [[0, 1], [1, 2]], [7, 8]))(), [[0, 7, 0], [0, 0, 8]])
    for shape, indices, message in (
        ([4], [0, -1], "the initializer 'w' is a sparse tensor with indices outside of [4]"),
        ([4], [0, 4], "indices outside of [4]"),
        ([2, 3], [[0, 1], [1, 3]], "indices outside of [2, 3]"),
        ([2, 3], [[0], [1]], "of the shape [2, 3] with 2 values, but indices of the shape [2, 1]"),
        ([2, 3], [1, 2, 3], "of the shape [2, 3] with 2 values, but indices of the shape [3]"),
        ([-2], [0, 1], "of the shape [-2]"),
    ):
        with pytest.raises(bl.CompileError, match=re.escape(message)):
            bl.compile(sparse(shape, indices, [7, 8]))
    with pytest.raises(
        ValueError, match=r"the initializer 'w' is a sparse tensor of the shape .*, for which there is no memory"
    ):
        bl.compile(sparse([2**40, 2**10], [0, 1], [7, 8]))


def test_attributes_that_no_rule_takes():
    kind = field(5, field(1, "type") + field(14, field(1, field(1, 1))) + field(20, 13))
    node = field(2, "y") + field(4, "Constant") + kind
    with pytest.raises(
        bl.UnsupportedOperations, match="its attribute 'type' is of the kind 'type', which is not imported"
    ):
        bl.compile(wrap(field(1, node) + graph("return y")))


def test_inputs_of_one_name():
    text = graph("x: f32[n]\nx: f32[n]\ny = Add(x, x)\nreturn y")
    with pytest.raises(bl.CompileError, match="the ONNX model is damaged: 2 inputs are called 'x'"):
        bl.compile(wrap(text))


def test_a_saved_function(tmp_path):
    path = tmp_path / "model.blm"
    bl.compile(WHOLE).save(path)
    agree(bl.load(path)(random(2, 3)), random(2, 3) @ random(3, 3))


def test_weights_that_are_shared(tmp_path):
    w = random(200, 100)
    f = bl.from_onnx(
        model("x: f32[n, 200]\ny = MatMul(x, w)\nz = Mul(y, s)\nreturn z", w=w, s=random(100)), weights="shared"
    )
    assert [x.shape for x in f.weights] == [(200, 100)] and "dense" in f.mlir
    agree(f(random(3, 200)), random(3, 200) @ w * random(100), 1e-4)
    out = np.empty((3, 100), "f4")
    f(random(3, 200), out=out)
    agree(out, random(3, 200) @ w * random(100), 1e-4)
    with pytest.raises(TypeError, match="the model takes 1 inputs, but 2 are given"):
        f(random(3, 200), w)
    assert "{loom.constant}" in f.mlir
    with pytest.raises(ValueError, match="read-only"):
        f.weights[0][:] = 0
    with pytest.raises(ValueError, match="weights= is 'constant' or 'shared', not 'none'"):
        bl.from_onnx(WHOLE, weights="none")


def test_no_package_is_needed(tmp_path):
    code = "import sys, broadloom as bl; bl.compile(open(sys.argv[1], 'rb').read()); print('onnx' in sys.modules)"
    path = tmp_path / "model.onnx"
    path.write_bytes(WHOLE)
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


@pytest.mark.parametrize(
    "text, message",
    [
        ("x: f32[n]\ny = StringNormalizer(x)\nreturn y", "StringNormalizer: programs have no texts"),
        ("x: ui8[n]\ny = ImageDecoder(x)\nreturn y", "ImageDecoder: programs do not read images as they are in files"),
        ("x: f32[n]\ny = ai.onnx.preview.training.Adam(x)\nreturn y", "Adam: programs are not trained"),
        ("x: f32[n]\ny = ai.onnx.ml.TreeEnsemble(x)\nreturn y", "TreeEnsemble: trees are not imported"),
        ("x: f32[n]\ny = other.Unique(x)\nreturn y", "Unique: the importer has no rule for it"),
    ],
)
def test_operators_that_have_no_rule_for_a_reason(text, message):
    with pytest.raises(bl.UnsupportedOperations, match=re.escape(message)):
        bl.compile(model(text))
