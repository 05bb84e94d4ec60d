"""From programs to functions."""

import io
import os
import pathlib

import broadloom as bl
import numpy as np
import pytest
from conftest import ADD, ROOT

ONE = np.ones((2, 2), np.float32)
TWO = ADD.replace("@main", "@first") + ADD.replace("@main", "@second")


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "my add.mlir"
    path.write_text(ADD)
    return path


def test_sources(path):
    with open(path) as text, open(path, "rb") as data:
        for program, name in [
            (path, str(path)),
            (str(path), str(path)),
            (ADD, "<text>"),
            (ADD.encode(), "<bytes>"),
            (bytearray(ADD.encode()), "<bytes>"),
            (memoryview(ADD.encode()), "<bytes>"),
            (text, str(path)),
            (data, str(path)),
            (io.StringIO(ADD), "<file>"),
            (io.BytesIO(ADD.encode()), "<file>"),
        ]:
            f = bl.compile(program)
            assert (f(ONE, ONE) == 2).all()
            assert f.program.name == name


def test_bytecode_in_a_process_of_several_threads(tmp_path):
    import subprocess

    opt = pathlib.Path(ROOT, "build/bin/broadloom-opt")
    if not opt.exists():
        pytest.skip("there is no broadloom-opt to make bytecode with")
    (tmp_path / "add.mlir").write_text(ADD)
    subprocess.run([opt, tmp_path / "add.mlir", "--emit-bytecode", "-o", tmp_path / "add.mlirbc"], check=True)
    data = (tmp_path / "add.mlirbc").read_bytes()
    assert (bl.compile(data)(ONE, ONE) == 2).all()
    assert (bl.compile(data, trust_bytecode=True)(ONE, ONE) == 2).all()
    with pytest.raises(bl.CompileError):
        bl.compile(data[:100] + b"\xff" * 40)


def test_names(path):
    with pytest.raises(bl.CompileError, match=r"^model.x:1:"):
        bl.compile("func.func @main( {", name="model.x")


@pytest.mark.parametrize(
    "program, kind, message",
    [
        ("none.mlir", FileNotFoundError, "none.mlir"),
        ("", FileNotFoundError, "No such file"),
        (3, TypeError, "a program is a path, text, bytes or an open file, not int"),
        (b"\x7fELF\0\0", bl.CompileError, "<bytes>"),
        ("func.func @main() {\n", bl.CompileError, "^<text>:1:20: error: "),
    ],
)
def test_what_is_no_program(program, kind, message):
    with pytest.raises(kind, match=message):
        bl.compile(program)


def test_compile_errors_as_data():
    with pytest.raises(bl.CompileError) as caught:
        bl.compile("func.func @main() {\n  nothing.here\n}", name="x.mlir")
    assert caught.value.location.startswith("x.mlir:2:")
    assert isinstance(caught.value, ValueError)
    assert caught.value.operation is None and caught.value.extents == ()


def test_functions():
    with pytest.raises(ValueError, match="choose one with function=: first, second"):
        bl.compile(TWO)
    with pytest.raises(ValueError, match="the program has no function 'frist'; it has: first, second"):
        bl.compile(TWO, "frist")
    assert bl.compile(TWO, "second").__name__ == "second"
    assert bl.compile(TWO, function="first").__name__ == "first"
    program = bl.compile_program(TWO, name="two.mlir")
    assert isinstance(program, bl.Program)
    assert list(program) == list(program.functions) == ["first", "second"]
    assert len(program) == 2 and "first" in program and "third" not in program
    assert (program["second"](ONE, ONE) == 2).all()
    assert (program.functions["first"](ONE, ONE) == 2).all()
    assert program["second"].program is program
    assert repr(program) == "<broadloom.Program two.mlir: first, second>"
    with pytest.raises(KeyError, match="no public function 'third'"):
        program["third"]


def test_forms():
    program = bl.compile_program(ADD)
    assert b"loom.map" in program.emit("loom")
    assert b"linalg.generic" in bl.compile_program(ADD, strategy="rfc").emit("linalg")
    assert program.emit("obj").startswith(b"\x7fELF")
    tosa = program.emit("tosa")
    assert tosa[4:8] == b"TOSA" and (bl.compile(tosa)(ONE, ONE) == 2).all()
    with pytest.raises(ValueError, match=r"^there is no form 'pdf'; there are loom, linalg.*tosa$"):
        program.emit("pdf")


def test_keywords_that_there_are_not():
    for function in (bl.compile, bl.compile_program, bl.check):
        with pytest.raises(TypeError, match=r"did you mean 'strategy'?"):
            function(ADD, stratgy="rfc")
    with pytest.raises(TypeError, match=r"compile\(\) has no keyword argument 'thread'; did you"):
        bl.compile(ADD, thread=1)
    with pytest.raises(TypeError, match=r"'zzz'; there are: function, name, shape_libraries, .*, threads$"):
        bl.compile(ADD, zzz=1)


def test_values_that_there_are_not():
    with pytest.raises(ValueError, match=r"^option strategy has no value 'fast'; there are default and rfc$"):
        bl.compile(ADD, strategy="fast")
    with pytest.raises(ValueError, match="dynamic-to-static has no value"):
        bl.compile(ADD, dynamic_to_static="no")
    with pytest.raises(ValueError, match="threads is 1000"):
        bl.compile(ADD, threads=1000)
    with pytest.raises(ValueError, match=r"^compile_threads is -1; it must be from 0, for all cores, to 128$"):
        bl.compile(ADD, compile_threads=-1)
    with pytest.raises(FileNotFoundError, match=r"No such file or directory: 'none.mlir'"):
        bl.compile(ADD, shape_libraries="none.mlir")


def test_options():
    static = (
        ADD.replace("-> tensor<?x?xf32> {", "-> tensor<?x4xf32> {")
        .replace("return %r : tensor<?x?xf32>", "return %r : tensor<?x4xf32>")
        .replace("tensor<?x?xf32>) -> tensor<?x?xf32>\n", "tensor<?x?xf32>) -> tensor<?x4xf32>\n")
    )
    assert bl.compile(static).results == ("tensor<?x4xf32>",)
    with pytest.raises(bl.Error):
        bl.compile(static, dynamic_to_static="forbid")
    assert (bl.compile(ADD, optimise=False)(ONE, ONE) == 2).all()
    # Vectors of bf16, of which the optimiser would leave none.
    ml_dtypes = pytest.importorskip("ml_dtypes")
    sums = bl.compile(
        "func.func @main(%x: tensor<?x?xbf16>) -> tensor<?x1xbf16> {\n"
        "  %r = tosa.reduce_max %x {axis = 1 : i32} : (tensor<?x?xbf16>) -> tensor<?x1xbf16>\n"
        "  return %r : tensor<?x1xbf16>\n}\n",
        optimise=False,
    )
    rows = np.arange(200, dtype=np.float32).reshape(5, 40).astype(ml_dtypes.bfloat16)
    assert (sums(rows) == rows.max(axis=1, keepdims=True)).all()
    assert (bl.compile(ADD, strategy="rfc")(ONE, ONE) == 2).all()
    assert (bl.compile(ADD, compile_threads=1)(ONE, ONE) == 2).all()
    wrong = "func.func @main() {\n" + "  a.b\n" * 1 + "}\n"
    with pytest.raises(bl.CompileError):
        bl.compile(wrong, error_limit=0)


def test_values_that_were_left_out():
    text = (
        "func.func @main(%a: tensor<100xf32>) -> tensor<100xf32> {\n"
        '  %c = "tosa.const"() {values = dense_resource<__elided__> : tensor<100xf32>}'
        " : () -> tensor<100xf32>\n"
        "  %r = tosa.add %a, %c : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xf32>\n"
        "  return %r : tensor<100xf32>\n}"
    )
    with pytest.raises(bl.CompileError):
        bl.compile(text)
    zero = np.zeros(100, np.float32)
    one, two = (bl.compile(text, fill_elided=seed)(zero) for seed in (1, 2))
    assert len(set(one)) > 1 and (one != two).any()


def test_models_of_tensorflow_lite(monkeypatch):
    monkeypatch.setenv("BROADLOOM_TFLITE_CONVERTER", "/nowhere/converter")
    with pytest.raises(bl.CompileError, match=r"^model.tflite: error: .*converter"):
        bl.compile(b"\x1c\0\0\0TFL3" + bytes(40), name="model.tflite")


def test_messages_name_keywords(tmp_path):
    """What a message says to give is a keyword here, and giving it helps."""
    program = """
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.custom %a {domain_name = "mine", operator_name = "twice", implementation_attrs = ""} : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
    with pytest.raises(bl.CompileError, match="give shape_libraries= a text with a function") as error:
        bl.compile(program)
    message = str(error.value)
    assert "--" not in message and "examples/user-operations/" in message
    head = message.split("such as: ")[1].split("{ ... }")[0]
    body = "%0 = tosa.add %arg0, %arg0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n  return %0 : tensor<?xf32>"
    library = tmp_path / "twice.mlir"
    library.write_text(f"{head}{{\n  {body}\n}}\n")
    assert bl.compile(program, shape_libraries=library)(np.ones(2, np.float32)).tolist() == [2, 2]
    elided = 'func.func @main() -> tensor<2xf32> {\n  %c = "tosa.const"() {values = dense_resource<__elided__> : tensor<2xf32>} : () -> tensor<2xf32>\n  return %c : tensor<2xf32>\n}\n'
    with pytest.raises(bl.CompileError, match="or let fill_elided= make up values"):
        bl.compile(elided)
    assert bl.compile(elided, fill_elided=1)().shape == (2,)


def test_shape_libraries():
    library = pathlib.Path(ROOT, "examples/user-operations/mine.mlir")
    program = pathlib.Path(ROOT, "examples/user-operations/program.mlir")
    report = bl.check(program, shape_libraries=[library])
    assert report.accepted and any(row.operation.startswith("mine.") for row in report)
    assert not bl.check(program).accepted


def test_paths_that_are_not_utf8(tmp_path):
    folder = os.fsencode(tmp_path)
    path = os.fsdecode(folder + b"/\xff.mlir")
    try:
        pathlib.Path(path).write_text(ADD)
    except OSError:
        pytest.skip("names of files are UTF-8 here")
    for program in (path, pathlib.Path(path)):
        f = bl.compile(program)
        assert (f(ONE, ONE) == 2).all() and f.program.name == f"{tmp_path}/?.mlir"
    with open(path) as file:
        assert bl.compile(file).program.name == f"{tmp_path}/?.mlir"
    f.save(os.fsdecode(folder + b"/\xff.blm"))
    assert (bl.load(os.fsdecode(folder + b"/\xff.blm"))(ONE, ONE) == 2).all()
    with pytest.raises(FileNotFoundError):
        bl.compile("/nowhere/\udcff.mlir")

    library = folder + b"/\xff-library.mlir"
    user = pathlib.Path(ROOT, "examples/user-operations")
    pathlib.Path(os.fsdecode(library)).write_text((user / "mine.mlir").read_text())
    for given in (library, os.fsdecode(library), [os.fsdecode(library)]):
        assert bl.check(user / "program.mlir", shape_libraries=given).accepted
    with pytest.raises(FileNotFoundError, match="none"):
        bl.compile(ADD, shape_libraries=os.fsdecode(folder + b"/none\xff.mlir"))


def test_warnings():
    external = (
        "func.func private @other(tensor<?xf32>) -> tensor<?xf32>\n"
        "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
        "  %r = call @other(%a) : (tensor<?xf32>) -> tensor<?xf32>\n"
        "  return %r : tensor<?xf32>\n}\n"
    )
    with pytest.warns(bl.CompileWarning, match="calls 'other', which has no body"):
        assert bl.check(external).accepted
    with pytest.raises(bl.CompileError, match="calls 'other', which has no body"):
        bl.compile(external)


def test_internal_errors_are_no_users_errors():
    assert issubclass(bl.InternalError, RuntimeError) and issubclass(bl.InternalError, bl.Error)
    assert not issubclass(bl.InternalError, ValueError)
