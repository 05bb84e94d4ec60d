"""TOSA files: those that the official tools write, and those that Broadloom writes,
run as the texts do that they were made from."""

import json
import os
import struct
import subprocess
import sysconfig

import broadloom
import numpy as np
import pytest
from broadloom import DONE, REJECTED, WRONG_COMMAND

TOOLS = os.path.join(sysconfig.get_path("purelib"), "bin")
RNG = np.random.default_rng(5)


def floats(*shape):
    return RNG.uniform(-2, 2, shape).astype(np.float32)


ZERO = '%z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>\n'
# name: (text, arguments)
PROGRAMS = {
    "convolution": (
        """
func.func @main(%x: tensor<1x6x6x2xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<3xf32>) -> tensor<1x4x4x3xf32> {
  ZERO
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>,
      stride = array<i64: 1, 1>} : (tensor<1x6x6x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
  %1 = tosa.clamp %0 {max_val = 1.0 : f32, min_val = -1.0 : f32} : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  return %1 : tensor<1x4x4x3xf32>
}""",
        [floats(1, 6, 6, 2), floats(3, 3, 3, 2), floats(3)],
    ),
    "constants": (
        """
func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>, tensor<5000xi8>) {
  %0 = "tosa.const"() <{values = dense<[true, false, true]> : tensor<3xi1>}> : () -> tensor<3xi1>
  %1 = tosa.const_shape {values = dense<[1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %2 = tosa.reshape %0, %1 : (tensor<3xi1>, !tosa.shape<2>) -> tensor<1x3xi1>
  %3 = tosa.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = tosa.select %2, %x, %3 : (tensor<1x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = tosa.transpose %4 {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %6 = "tosa.const"() <{values = dense<-3> : tensor<5000xi8>}> : () -> tensor<5000xi8>
  return %4, %5, %6 : tensor<2x3xf32>, tensor<3x2xf32>, tensor<5000xi8>
}""",
        [floats(2, 3)],
    ),
    "integers": (
        """
func.func @main(%x: tensor<2x3xi8>) -> (tensor<2x3xi8>, tensor<2x1xi32>, tensor<2x3xi8>) {
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %a, %a {input_unsigned = false, output_unsigned = false, per_channel = false,
      rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3xi8>
  %1 = tosa.cast %0 : (tensor<2x3xi8>) -> tensor<2x3xi32>
  %2 = tosa.reduce_sum %1 {axis = 1 : i32} : (tensor<2x3xi32>) -> tensor<2x1xi32>
  %3 = tosa.clamp %x {max_val = 50 : i8, min_val = -50 : i8} : (tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0, %2, %3 : tensor<2x3xi8>, tensor<2x1xi32>, tensor<2x3xi8>
}""",
        [RNG.integers(-128, 128, (2, 3)).astype(np.int8)],
    ),
    "regions": (
        """
func.func @main(%c: tensor<i1>, %n: tensor<i32>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<i32>) {
  %0 = tosa.cond_if %c (%t = %x) : tensor<i1> (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%t: tensor<2xf32>):
    %1 = tosa.exp %t : (tensor<2xf32>) -> tensor<2xf32>
    tosa.yield %1 : tensor<2xf32>
  } else {
  ^bb0(%t: tensor<2xf32>):
    tosa.yield %t : tensor<2xf32>
  }
  %2 = tosa.while_loop (%i = %n) : (tensor<i32>) -> tensor<i32> {
    %l = "tosa.const"() <{values = dense<40> : tensor<i32>}> : () -> tensor<i32>
    %3 = tosa.greater %l, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %3 : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>):
    %4 = tosa.add %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %4 : tensor<i32>
  }
  return %0, %2 : tensor<2xf32>, tensor<i32>
}""",
        [np.array(True), np.array(3, np.int32), floats(2)],
    ),
}


def text(name):
    return PROGRAMS[name][0].replace("ZERO", ZERO)


def countResults(name):
    return text(name).split("return ")[-1].count("%")


def run(folder, program, arguments, count):
    options = []
    for i, array in enumerate(arguments):
        np.save(folder / f"in{i}.npy", array)
        options.append(f"--input={folder}/in{i}.npy")
    outputs = [folder / f"out{i}.npy" for i in range(count)]
    outcome = broadloom.call("run", program, *options, *(f"--output={o}" for o in outputs))
    assert outcome.status == DONE, outcome.error
    return [np.load(o) for o in outputs]


def serialize(folder, name):
    """The file that the official tool makes."""
    path = folder / f"{name}.tosa"
    source = folder / f"{name}.mlir"
    source.write_text(text(name))
    subprocess.run(
        [f"{TOOLS}/tosa-opt", source, f"--tosa-serialize=tosa-flatbuffer-filename={path}"],
        check=True,
        capture_output=True,
    )
    return path


def emit(folder, name, source=None):
    """The file that Broadloom makes."""
    path = folder / f"{name}.own.tosa"
    if source is None:
        source = folder / f"{name}.mlir"
        source.write_text(text(name))
    outcome = broadloom.call("compile", source, "--emit=tosa", "-o", path)
    assert outcome.status == DONE, outcome.error
    return path


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("make", [serialize, emit])
def test_runs_as_its_text(tmp_path, name, make):
    path, arguments, count = make(tmp_path, name), PROGRAMS[name][1], countResults(name)
    expected = run(tmp_path, tmp_path / f"{name}.mlir", arguments, count)
    found = run(tmp_path, path, arguments, count)
    for f, e in zip(found, expected, strict=True):
        np.testing.assert_array_equal(f, e)


@pytest.mark.parametrize("name", PROGRAMS)
def test_official_tool_reads_ours(tmp_path, name):
    path = emit(tmp_path, name)
    done = subprocess.run(
        [f"{TOOLS}/tosa-opt", f"--tosa-deserialize=tosa-flatbuffer-filename={path}", "-"],
        input="module {}",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    # The tool's remarks stand between the lines.
    lines = [line for line in done.stdout.splitlines() if "WARNING" not in line]
    (tmp_path / "back.mlir").write_text("\n".join(lines))
    arguments, count = PROGRAMS[name][1], countResults(name)
    expected = run(tmp_path, tmp_path / f"{name}.mlir", arguments, count)
    for f, e in zip(run(tmp_path, tmp_path / "back.mlir", arguments, count), expected, strict=True):
        np.testing.assert_array_equal(f, e)


@pytest.mark.parametrize("name", ["convolution", "integers"])
def test_official_model_computes_ours(tmp_path, name):
    """The reference model, on a file of ours."""
    path, arguments = emit(tmp_path, name), PROGRAMS[name][1]
    expected = run(tmp_path, tmp_path / f"{name}.mlir", arguments, countResults(name))
    done = subprocess.run(
        [
            f"{TOOLS}/tosa_reference_model",
            f"--tosa_file={path}",
            f"--ifm_name={','.join(f'input_{i}' for i in range(len(arguments)))}",
            f"--ifm_file={','.join(f'{tmp_path}/in{i}.npy' for i in range(len(arguments)))}",
            f"--ofm_name={','.join(outputNames(path))}",
            f"--ofm_file={','.join(f'{tmp_path}/ref{i}.npy' for i in range(len(expected)))}",
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    for i, e in enumerate(expected):
        np.testing.assert_allclose(np.load(tmp_path / f"ref{i}.npy"), e, rtol=1e-5, atol=1e-5)


def outputNames(path):
    from tosa.TosaGraph import TosaGraph

    block = TosaGraph.GetRootAs(path.read_bytes()).Regions(0).Blocks(0)
    return [block.Outputs(i).decode() for i in range(block.OutputsLength())]


def test_is_told_by_its_contents(tmp_path):
    path = serialize(tmp_path, "constants")
    renamed = path.rename(tmp_path / "program.mlir")
    outcome = broadloom.call("inspect", renamed, "--json")
    assert outcome.status == DONE, outcome.error
    assert json.loads(outcome.out)["form"] == "TOSA file"
    for command in ("check", "shapes", "compile"):
        options = ["--input=2x3"] if command == "shapes" else []
        outcome = broadloom.call(command, renamed, *options)
        assert outcome.status == DONE, outcome.error
    with open(renamed, "rb") as file:
        done = subprocess.run([broadloom.PROGRAM, "inspect", "-"], stdin=file, capture_output=True, text=True)
    assert done.returncode == DONE and "TOSA file" in done.stdout, done.stderr


def test_locations_of_errors(tmp_path):
    (tmp_path / "p.mlir").write_text("""
func.func @main(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) -> tensor<?x3xf32> {
  %0 = tosa.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = tosa.add %0, %y : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}""")
    outcome = broadloom.call("check", emit(tmp_path, "p", tmp_path / "p.mlir"))
    assert outcome.status == REJECTED
    assert (
        "p.own.tosa: operator 1 of 'main', 'tosa.add': error: \"value_3\": 'tosa.add' op operands are not "
        "broadcast-compatible" in outcome.error
    ), outcome.error


def test_old_text_becomes_a_file(tmp_path):
    (tmp_path / "old.mlir").write_text(
        "func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {\n"
        '  %0 = "tosa.div"(%x, %x) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>\n'
        "  return %0 : tensor<2xi32>\n}\n"
    )
    path = emit(tmp_path, "old", tmp_path / "old.mlir")
    assert (run(tmp_path, path, [np.array([5, 7], np.int32)], 1)[0] == 1).all()


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
