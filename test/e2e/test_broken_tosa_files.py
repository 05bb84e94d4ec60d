"""Tests files of TOSA that are damaged, or that no program can have."""

import struct

import broadloom
import numpy as np
import pytest
from broadloom import DONE, REJECTED, WRONG_COMMAND
from tosa_files import run, serialize, text


def test_broken_files(tmp_path):
    contents = serialize(tmp_path, "convolution").read_bytes()
    broken = tmp_path / "broken.tosa"
    for length in (8, 100, len(contents) // 2, len(contents) - 40):
        broken.write_bytes(contents[:length])
        outcome = broadloom.call("check", broken)
        assert outcome.status == REJECTED
        assert (
            f"broken.tosa: error: is no whole TOSA file: of its {length} bytes, some are wrong or are missing"
            in outcome.error
        ), outcome.error


def build(path, change):
    """A file of one `add` from the official serializer, after `change`."""
    import serializer.tosa_serializer as ts
    from serializer.tosa_serializer import TosaSerializer
    from tosa.DType import DType
    from tosa.Op import Op

    file = TosaSerializer(str(path.parent))
    a = ts.TosaSerializerTensor("a", [2], DType.FP32)
    file.addInputTensor(a)
    out = file.addOutput([2], DType.FP32)
    attribute = ts.TosaSerializerAttribute()
    attribute.AddAttribute()
    operation = dict(op=Op.ADD, inputs=[a.name, a.name], outputs=[out.name], attributes=attribute)
    change(file, operation, ts, Op, DType)
    if operation:
        file.addOperator(**operation)
    path.write_bytes(bytes(file.serialize()))
    return path


def wrongInput(file, operation, ts, Op, DType):
    operation["inputs"] = ["a", "nowhere"]


def wrongOperation(file, operation, ts, Op, DType):
    operation["op"] = 999


def wrongAttribute(file, operation, ts, Op, DType):
    operation["attributes"].SubAttribute()


def wrongRegion(file, operation, ts, Op, DType):
    operation.update(op=Op.COND_IF)
    operation["attributes"].CondIfAttribute("main", "nothing")


def wrongData(file, operation, ts, Op, DType):
    file.currRegion.basicBlocks[0].addTensor("k", [3], DType.FP32, [1.0, 2.0])
    attribute = ts.TosaSerializerAttribute()
    attribute.ConstAttribute()
    file.currRegion.basicBlocks[0].addOperator(Op.CONST, [], ["k"], attribute)


def circular(file, operation, ts, Op, DType):
    operation["inputs"] = ["a", operation["outputs"][0]]


@pytest.mark.parametrize(
    "change, error",
    [
        (wrongInput, "uses 'nowhere', which nothing computes"),
        (wrongOperation, "operation 999: "),
        (wrongAttribute, "has the attribute of operation 30"),
        (wrongRegion, "names the region 'main', which it is in"),
        (wrongData, "tensor 'k' has 8 bytes of data, but tensor<3xf32> needs 12"),
        (circular, "uses what it computes itself"),
    ],
)
def test_wrong_files(tmp_path, change, error):
    outcome = broadloom.call("check", build(tmp_path / "wrong.tosa", change))
    assert outcome.status == REJECTED
    assert "wrong.tosa: operator " in outcome.error and error in outcome.error, outcome.error


def buildWithDataBehind(path, monkeypatch, offset):
    """A file whose constant stands behind the tables, or at `offset`."""
    import serializer.tosa_serializer as ts
    from tosa.TosaTensor import AddOffset, AddSize

    def change(file, operation, ts, Op, DType):
        block = file.currRegion.basicBlocks[0]
        block.addTensor("k", [2], DType.FP32)
        attribute = ts.TosaSerializerAttribute()
        attribute.ConstAttribute()
        block.addOperator(Op.CONST, [], ["k"], attribute)
        operation["inputs"] = ["a", "k"]

    end, serialize, written = ts.TosaTensor.End, ts.TosaSerializerTensor.serialize, []

    def endWithOffset(builder):
        if written[-1] == "k":
            AddOffset(builder, offset or 4096)
            AddSize(builder, 8)
        return end(builder)

    def serializeNamed(tensor, builder):
        written.append(tensor.name)
        return serialize(tensor, builder)

    monkeypatch.setattr(ts.TosaTensor, "End", endWithOffset)
    monkeypatch.setattr(ts.TosaSerializerTensor, "serialize", serializeNamed)
    tables = build(path, change).read_bytes()
    path.write_bytes(tables.ljust(4096, b"\0") + np.array([10, 20], np.float32).tobytes())
    return path


def test_data_behind_the_tables(tmp_path, monkeypatch):
    path = buildWithDataBehind(tmp_path / "p.tosa", monkeypatch, None)
    np.testing.assert_array_equal(run(tmp_path, path, [np.array([1, 2], np.float32)], 1)[0], [11, 22])


@pytest.mark.parametrize("offset", [4100, 2**32, 2**64 - 4])
def test_data_behind_the_file(tmp_path, monkeypatch, offset):
    outcome = broadloom.call("check", buildWithDataBehind(tmp_path / "p.tosa", monkeypatch, offset))
    assert outcome.status == REJECTED
    assert f"tensor 'k' has its data in 8 bytes from {offset} on, but the file has 4104" in outcome.error, outcome.error


def test_is_no_text(tmp_path):
    (tmp_path / "p.mlir").write_text(text("constants"))
    outcome = broadloom.call("compile", tmp_path / "p.mlir", "--emit=tosa")
    assert outcome.status == WRONG_COMMAND and "--emit=tosa is no text; name a file with -o" in outcome.error


def test_what_a_file_has_not(tmp_path):
    (tmp_path / "p.mlir").write_text(
        "func.func @main(%x: tensor<2xf64>) -> tensor<2xf64> {\n  return %x : tensor<2xf64>\n}\n"
    )
    outcome = broadloom.call("compile", tmp_path / "p.mlir", "-o", tmp_path / "p.tosa")
    assert outcome.status == REJECTED
    assert "has a value of type 'tensor<2xf64>', which a TOSA file has not" in outcome.error, outcome.error
    assert not (tmp_path / "p.tosa").exists()


@pytest.mark.parametrize(
    "type, words",
    [
        ("1000000000000xf32", "has the extent 1000000000000, which does not fit the 32 bits of a TOSA file"),
        (
            "2000000000xf32",
            (
                "has a constant of type 'tensor<2000000000xf32>', with which the constants take more than "
                "the 2080374784 bytes of a TOSA file"
            ),
        ),
        ("2000000000x2000000000x2000000000xi1", "take more than the 2080374784 bytes of a TOSA file"),
    ],
)
def test_a_constant_of_one_value_is_too_large(tmp_path, type, words):
    """It takes no memory in the program."""
    one = "1.0" if type.endswith("f32") else "true"
    (tmp_path / "p.mlir").write_text(
        f"func.func @main() -> tensor<{type}> {{\n"
        f'  %c = "tosa.const"() {{values = dense<{one}> : tensor<{type}>}} : () -> tensor<{type}>\n'
        f"  return %c : tensor<{type}>\n}}\n"
    )
    outcome = broadloom.call("compile", tmp_path / "p.mlir", "-o", tmp_path / "p.tosa")
    assert outcome.status == REJECTED
    assert words in outcome.error, outcome.error


@pytest.mark.parametrize("constant", ["0 : index", "1.0 : f32"])
def test_a_number_is_no_tensor(tmp_path, constant):
    (tmp_path / "p.mlir").write_text(
        "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
        f"  %c = arith.constant {constant}\n"
        "  %r = tosa.exp %a : (tensor<?xf32>) -> tensor<?xf32>\n"
        "  return %r : tensor<?xf32>\n}\n"
    )
    outcome = broadloom.call("compile", tmp_path / "p.mlir", "-o", tmp_path / "p.tosa")
    assert outcome.status == REJECTED
    assert "'arith.constant' op is no operation that a TOSA file has" in outcome.error, outcome.error


DECLARED = """
func.func @main(%x: tensor<?x3xf32>) -> tensor<1x3xf32> {
  %0 = tosa.reduce_max %x {axis = 0 : i32} : (tensor<?x3xf32>) -> tensor<1x3xf32>
  %1 = tosa.exp %0 : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return %1 : tensor<1x3xf32>
}"""


def test_declared_extents_are_checked(tmp_path):
    """A file states the shape of every tensor. One that is not what its operator
    computes is an error, one that is open follows from the operator."""
    source, path = tmp_path / "source.mlir", tmp_path / "file.tosa"
    source.write_text(DECLARED)
    assert broadloom.call("compile", source, "-o", path).status == DONE
    contents = path.read_bytes()
    before = struct.pack("<3i", 2, 1, 3)
    places = [i for i in range(len(contents)) if contents.startswith(before, i)]
    assert len(places) == 2
    for place in places:
        for extents, status in [((2, 3), REJECTED), ((0, 3), REJECTED), ((1, 4), REJECTED), ((-1, 3), DONE)]:
            path.write_bytes(contents[:place] + struct.pack("<3i", 2, *extents) + contents[place + 12 :])
            outcome = broadloom.call("run", path, "--input=2x3xf32=0")
            assert outcome.status == status, outcome
            assert status == DONE or "reduce_max" in outcome.error or "exp" in outcome.error
