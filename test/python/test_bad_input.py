"""What is no argument is an exception of the right type."""

import sys

import broadloom as bl
import numpy as np
import pytest
from conftest import double

ONE = np.ones((2, 2), np.float32)


def identity(element):
    """A program that gives back what it is given."""
    kind = f"tensor<{element}>"
    return f"func.func @main(%a: {kind}) -> {kind} {{\n  return %a : {kind}\n}}\n"


@pytest.mark.parametrize(
    "value, kind, message",
    [
        (None, TypeError, "argument 'b' is of type NoneType; give an array"),
        ("text", TypeError, "argument 'b' is of type str"),
        ([[1.0]], TypeError, "argument 'b' is of type list"),
        ((x for x in [1]), TypeError, "argument 'b' is of type generator"),
        (b"bytes", TypeError, "argument 'b' is of type bytes"),
        (ONE.astype(object), TypeError, "argument 'b' has element type object"),
        (ONE.astype("U3"), TypeError, "argument 'b' has element type <U3"),
        (ONE.astype("M8[s]"), TypeError, r"argument 'b' has element type datetime64\[s\]"),
        (ONE.astype(complex), TypeError, "element type complex128, which no tensor has"),
        (ONE.astype(">f4"), TypeError, "whose bytes are not in this machine's order"),
        (ONE.astype(np.float64), TypeError, "argument 'b' has element type f64 but the function"),
        (
            np.ma.masked_array(ONE, ONE > 0),
            TypeError,
            r"argument 'b' is a masked array, whose mask no tensor has; give x.fil",
        ),
        (2j, TypeError, "argument 'b' is of type complex"),
        (np.ones(3, np.float32), bl.ShapeError, "argument 'b' has shape 3 but the function takes"),
        (1.0, bl.ShapeError, "argument 'b' has shape"),
        (np.ones((3, 2), np.float32), bl.ShapeError, "extents 2 and 3"),
    ],
)
def test_arguments(add, value, kind, message):
    with pytest.raises(kind, match=message):
        add(ONE, value)
    assert (add(ONE, ONE) == 2).all()


@pytest.mark.parametrize(
    "element, value, kind, message",
    [
        ("i32", 2.7, TypeError, "argument 'a' is a float, but i32 takes integers; int"),
        ("i32", 2.0, TypeError, "argument 'a' is a float, but i32 takes integers"),
        ("ui8", 2.0, TypeError, "argument 'a' is a float, but ui8 takes integers"),
        ("i1", 1, TypeError, "argument 'a' is of type int, but i1 takes True and False"),
        ("i1", 1.0, TypeError, "argument 'a' is of type float, but i1 takes True and False"),
        ("i8", 256, ValueError, "argument 'a' is 256, but i8 takes numbers from -128 to 255"),
        ("i8", -129, ValueError, "argument 'a' is -129, but i8 takes numbers from -128 to 255"),
        ("ui8", 256, ValueError, "argument 'a' is 256, but ui8 takes numbers from 0 to 255"),
        ("ui8", -1, ValueError, "argument 'a' is -1, but ui8 takes numbers from 0 to 255"),
        ("i64", 1 << 64, ValueError, "from -9223372036854775808 to 18446744073709551615"),
        ("i64", -(1 << 63) - 1, ValueError, "from -9223372036854775808 to 184467440"),
        ("f16", 65520.0, ValueError, "is 65520.0, but f16 takes numbers from -65504 to 65504"),
        (
            "f32",
            -1e39,
            ValueError,
            r"is -1e\+39, but f32 takes numbers from -3.4028234663852886e\+38 to 3.4028234663852886e\+38",
        ),
        ("f32", 10**400, ValueError, "but f32 takes numbers from"),
        ("bf16", 1e39, ValueError, "but bf16 takes numbers from"),
    ],
)
def test_numbers_that_are_not_converted(element, value, kind, message):
    f = bl.compile(identity(element))
    with pytest.raises(kind, match=message):
        f(value)


def test_numbers_too_long_to_be_printed():
    with pytest.raises(ValueError, match="argument 'a' is a longer number, but i32 takes numbers"):
        bl.compile(identity("i32"))(10**5000)


@pytest.mark.parametrize(
    "element, values",
    [
        ("i1", [True, False]),
        ("i8", [-128, 127, True]),
        ("ui8", [0, 255]),
        ("i64", [-(1 << 63), (1 << 63) - 1]),
        ("f16", [65504.0, -65519.0, 2, float("inf"), True]),
        ("f32", [3.4028235e38, float("-inf")]),
        ("f64", [1.7e308, 1 << 70]),
        ("bf16", [3.38e38]),
    ],
)
def test_numbers_that_fit(element, values):
    f = bl.compile(identity(element))
    for value in values:
        result = f(value)
        assert result == np.array(value).astype(result.dtype) and result.shape == ()


def test_numbers_of_a_signless_type_have_either_sign():
    f = bl.compile(double("i8"))
    assert f(200) == f(np.uint8(200)) and f(-56) == f(200)
    f = bl.compile(double("i64"))
    assert f((1 << 64) - 1) == -2


def test_their_number(add):
    with pytest.raises(TypeError, match="1 argument is given, but 'main' takes 2 arguments"):
        add(ONE)
    with pytest.raises(TypeError, match="3 arguments are given"):
        add(ONE, ONE, ONE)
    with pytest.raises(TypeError, match="no arguments"):
        add()


def test_keywords(add):
    with pytest.raises(TypeError, match="'main' has no keyword argument 'oud'; there are: a, b, out"):
        add(ONE, ONE, oud=ONE)


def test_too_many_axes():
    f = bl.compile(double("f32"))
    assert f(np.ones((1,) * 32, np.float32)).ndim == 32
    with pytest.raises(ValueError, match="argument 'a' has 33 axes; a tensor has at most 32"):
        f(np.ones((1,) * 33, np.float32))


def test_memory_that_is_not_there():
    f = bl.compile(
        "func.func @main(%a: tensor<?x1xf32>, %b: tensor<1x?xf32>) -> tensor<?x?xf32> {\n"
        "  %r = tosa.add %a, %b : (tensor<?x1xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>\n"
        "  return %r : tensor<?x?xf32>\n}"
    )
    zero = np.zeros(1, np.float32)
    column, row = np.broadcast_to(zero, (1 << 30, 1)), np.broadcast_to(zero, (1, 1 << 30))
    with pytest.raises(MemoryError, match="no memory for a tensor of shape 1073741824x1073741824"):
        f(column, row)


def test_functions_are_not_made_by_hand():
    with pytest.raises(TypeError):
        bl.Function()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"strategy": None}, "strategy is a str, not NoneType"),
        ({"dynamic_to_static": 1}, "dynamic_to_static is a str, not int"),
        ({"name": 3}, "name is a str, not int"),
        ({"function": 3}, "function is a str, not int"),
        ({"error_limit": "20"}, "error_limit is an integer, not str"),
        ({"compile_threads": "2"}, "compile_threads is an integer, not str"),
        ({"fill_elided": 1.5}, "fill_elided is an integer, not float"),
        ({"shape_libraries": 3}, "shape_libraries is a path, or several, not int"),
        ({"shape_libraries": [0]}, "shape_libraries are paths, not int"),
    ],
)
@pytest.mark.parametrize("read", [bl.compile, bl.check])
def test_options_of_another_type(read, options, message):
    with pytest.raises(TypeError, match=f"^{message}$"):
        read(identity("f32"), **options)


def test_functions_of_saved_programs_have_texts_as_names(add, tmp_path):
    add.save(tmp_path / "add.blm")
    with pytest.raises(TypeError, match=r"^function is a str, not int$"):
        bl.load(tmp_path / "add.blm", 3)


@pytest.mark.parametrize(
    "threads, kind, message",
    [
        ("2", TypeError, "an integer, not str"),
        (1.5, TypeError, "an integer, not float"),
        (-1, ValueError, "-1; it must be from 0"),
    ],
)
def test_threads_are_a_number(add, threads, kind, message):
    for call in (bl.compile, bl.load, bl.jit, bl.from_torch):
        # Before anything is read.
        with pytest.raises(kind, match=f"^threads is {message}"):
            call(None, threads=threads)
    with pytest.raises(kind, match=f"^threads is {message}"):
        add.threads = threads


def test_shapes_of_another_type(add):
    with pytest.raises(TypeError, match=r"^an extent is an integer, a name or None, not 1.5$"):
        add.shapes((1.5, 2), (1, 2))
    with pytest.raises(TypeError, match=r"^a shape is a tuple of extents, an array, a text or None, not int$"):
        add.shapes(3, (1, 2))
    assert add.shapes((np.int64(3), 2), (1, 2)) == [(3, 2)]


@pytest.mark.parametrize(
    "ending, what",
    [
        ("tosa", "a TOSA file"),
        ("tflite", "a TensorFlow Lite model"),
        ("onnx", "an ONNX model"),
        ("pt2", "a program of torch.export"),
        ("mlirbc", "bytecode"),
        ("blm", "a saved program"),
    ],
)
def test_files_that_are_not_what_their_names_say(tmp_path, ending, what):
    path = tmp_path / f"model.{ending}"
    path.write_text("nothing of the kind\n")
    message = f"model.{ending}: note: it is read as MLIR text, since it does not begin as {what} does"
    with pytest.raises(bl.CompileError, match=message):
        bl.compile(path)
    path.write_text(identity("f32"))
    assert bl.compile(path)(1.0) == 1.0


def test_keywords_of_functions_that_compile():
    message = r"\(\) has no keyword argument 'thread'; did you mean 'threads'\?$"
    for call in (bl.compile, bl.jit, bl.from_torch, bl.from_onnx, bl.load):
        with pytest.raises(TypeError, match=f"^{call.__name__}{message}"):
            call(None, thread=2)
    with pytest.raises(TypeError, match=r"^from_onnx\(\) has no keyword argument 'shape'; did you mean 'shapes'\?$"):
        bl.from_onnx(None, shape={})
    f = bl.jit(lambda x, scale: x * scale)
    with pytest.raises(
        TypeError, match=r"^<lambda>\(\) got an unexpected keyword argument 'scal'; did you mean 'scale'\?$"
    ):
        f(ONE, scale=ONE, scal=ONE)
    with pytest.raises(
        TypeError, match=r"^<lambda>\(\) got an unexpected keyword argument 'ot'; did you mean 'out'\?$"
    ):
        f(ONE, ONE, ot=ONE)
    with pytest.raises(TypeError, match=r"^<lambda>\(\) missing a required argument: 'scale'$"):
        f(ONE)
    with pytest.raises(TypeError, match=r"^jit\(\) has no keyword argument 'z'; there are: threads, optimise$"):
        bl.jit(z=2)


def test_a_traced_array_as_text():
    with pytest.raises(
        bl.TraceError, match=r"a number of an array as text cannot be traced; .* print the result of the"
    ):
        bl.jit(lambda x: x if f"{x:.2f}" else x)(ONE)
    assert (bl.jit(lambda x: x + len(f"{x}") * 0)(ONE) == ONE).all()


def test_functions_that_there_are_not(add):
    program = bl.compile_program(identity("f32"))
    for check in (program.check, lambda name: bl.check(identity("f32"), name)):
        assert [row.function for row in check("main")] in ([], ["main"])
        with pytest.raises(ValueError, match=r"the program has no function 'mian'; it has: main$"):
            check("mian")
    with pytest.raises(ValueError, match=r"the program has no function 'mian'; it has: main$"):
        bl.compile(identity("f32"), function="mian")
    for name in ("mian", 3, None):
        with pytest.raises(KeyError, match="the program has no public function"):
            program[name]
    for use in (program.check, program.save, program.emit):
        with pytest.raises(TypeError, match=r"is a str, not int|missing 1 required|expected str"):
            use(3)


def test_variables_that_are_no_dictionary(add):
    with pytest.raises(TypeError, match=r"^variables are a dictionary of arrays by their names, not int$"):
        add.variables = 3


@pytest.mark.parametrize("device", ("cpu", None, [1, 0], (1,), ("cpu", 0)))
def test_devices_of_another_form(add, device):
    class Array:
        __dlpack__ = ONE.__dlpack__

        def __dlpack_device__(self):
            return device

    with pytest.raises(
        TypeError, match=r"no tuple of two numbers|function takes exactly 2|object cannot be interpreted"
    ):
        add(Array(), ONE)


def test_packages_that_are_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in [
        name for name in sys.modules if name.startswith("broadloom.torch._") and name != "broadloom.torch._files"
    ]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ModuleNotFoundError) as caught:
        bl.from_torch(None)
    assert str(caught.value) == (
        f"from_torch takes what torch.export.export gives, and {sys.executable} has no module torch; use a Python that has it"
    )
