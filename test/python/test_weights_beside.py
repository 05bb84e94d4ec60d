"""Large constants, which are beside the text of a program."""

import mmap
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile

import broadloom as bl
import numpy as np
import onnx_models
import pytest
from broadloom import _program as program
from broadloom import _source
from conftest import ADD

RNG = np.random.default_rng(0)
ELEMENTS = {"f4": "f32", "f8": "f64", "f2": "f16", "i4": "i32", "i8": "i64", "i1": "i8", "u1": "ui8", "u4": "ui32"}


def add_to(array, element, rows=None):
    """The sum of a constant and an argument."""
    builder = program.Builder()
    x = builder.argument(element, (rows, array.shape[1]))
    return builder.write([program.add(builder.constant(array, element), x)])


@pytest.mark.parametrize("rows", [None, 1], ids=["dynamic", "static"])
@pytest.mark.parametrize("dtype", ELEMENTS)
def test_element_types(dtype, rows):
    array = (100 * RNG.random((300, 301))).astype(dtype)
    written = add_to(array, ELEMENTS[dtype], rows)
    assert len(written.short) < 1000 and len(written.constants) == 1
    x = np.arange(301).reshape(1, -1).astype(dtype)
    beside, inside = bl.compile(_source.written(written)), bl.compile(written.text)
    np.testing.assert_array_equal(beside(x), array + x)
    np.testing.assert_array_equal(inside(x), array + x)
    assert not rows or beside.check().counts["run-time"] == 0


def test_other_layouts():
    whole = RNG.random((600, 301)).astype("f4")
    x = np.zeros((1, 301), "f4")
    for array in (whole[::2], whole[:300, ::-1], np.asfortranarray(whole[:300])):
        np.testing.assert_array_equal(bl.compile(_source.written(add_to(array, "f32")))(x), array)
    with pytest.raises(bl.ShapeError, match="operands are not broadcast-compatible along axis 0"):
        bl.compile(_source.written(add_to(whole, "f32")))(np.zeros((2, 301), "f4"))


def test_one_number_and_booleans_are_text():
    for array, element in (
        (np.full((300, 300), 2.5, "f4"), "f32"),
        (np.full((300, 300), np.nan, "f4"), "f32"),
        (RNG.random((300, 300)) < 0.5, "i1"),
    ):
        builder = program.Builder()
        x = builder.argument(element, (None, 300))
        written = builder.write([program.maximum(builder.constant(array, element), x) if element == "i1" else
                                 program.add(builder.constant(array, element), x)])  # fmt: skip
        assert not written.constants
        one = np.zeros((1, 300), array.dtype)
        wanted = array | one if element == "i1" else array + one
        np.testing.assert_array_equal(bl.compile(_source.written(written))(one), wanted)
    negative = np.zeros((300, 300), "f4")
    negative[7, 7] = -0.0
    assert len(add_to(negative, "f32").constants) == 1


def weights(shape=(300, 400)):
    """A product with a weight, which is laid out in panels, and a table that is read as it is."""
    w, b = RNG.standard_normal(shape).astype("f4"), RNG.standard_normal((200, shape[1])).astype("f4")
    builder = program.Builder()
    x, i = builder.argument("f32", (None, shape[0])), builder.argument("i64", (None,))
    product = program.matmul(x, builder.constant(w))
    written = builder.write([program.add(product, program.take(builder.constant(b), i, 0))])
    return written, lambda x, i: x @ w + b[i]


@pytest.mark.parametrize("dtype", ["f4", "f2"])
@pytest.mark.parametrize("offset", [0, 1, 16])
def test_weights_at_any_address_are_transposed(dtype, offset):
    w = RNG.standard_normal((301, 300)).astype(dtype)
    builder = program.Builder()
    x = builder.argument({"f4": "f32", "f2": "f16"}[dtype], (None, 300))
    written = builder.write([program.matmul(x, program.transpose(builder.constant(w), [1, 0]))])
    buffer = np.zeros(w.nbytes + 128, np.uint8)
    at = -buffer.ctypes.data % 64 + offset
    moved = buffer[at : at + w.nbytes]
    moved[:] = np.frombuffer(w.tobytes(), np.uint8)
    f = bl.compile(_source.Loaded(written.short.encode(), constants=(moved,)))
    x = RNG.standard_normal((3, 300)).astype(dtype)
    tolerance = 1e-4 if dtype == "f4" else 0.1
    np.testing.assert_allclose(f(x), x.astype("f8") @ w.T.astype("f8"), rtol=tolerance, atol=tolerance)


def test_products_and_tables(tmp_path):
    written, compute = weights()
    f = bl.compile(_source.written(written))
    x, i = RNG.standard_normal((5, 300)).astype("f4"), np.array([0, 7, 199, 7, 3])
    np.testing.assert_allclose(f(x, i), compute(x, i), rtol=1e-5, atol=1e-4)
    assert f.program._constants
    again = pickle.loads(pickle.dumps(f))
    np.testing.assert_array_equal(again(x, i), f(x, i))
    f.save(tmp_path / "f.blm")
    loaded = bl.load(tmp_path / "f.blm")
    np.testing.assert_array_equal(loaded(x, i), f(x, i))
    np.testing.assert_array_equal(bl.load((tmp_path / "f.blm").read_bytes(), verify=True)(x, i), f(x, i))
    # What was loaded has its text and its constants.
    assert loaded.check().counts == f.check().counts
    assert b"dense_resource" in loaded.program.emit("loom")
    loaded.save(tmp_path / "again.blm")
    assert (tmp_path / "again.blm").read_bytes() == (tmp_path / "f.blm").read_bytes()


def test_the_cache_has_them(tmp_path, monkeypatch):
    monkeypatch.setenv("BROADLOOM_CACHE", str(tmp_path))
    # Where passes are verified, nothing is cached.
    monkeypatch.setenv("BROADLOOM_VERIFY_PASSES", "0")
    written, compute = weights()
    x, i = RNG.standard_normal((5, 300)).astype("f4"), np.array([0, 7, 199, 7, 3])
    found = []
    for constants in (written.constants, written.constants, [written.constants[0] + 1, *written.constants[1:]]):
        f = bl.compile(_source.Loaded(written.short.encode(), constants=tuple(constants)))
        found.append(f(x, i))
        f.save(tmp_path / "saved")
        np.testing.assert_array_equal(bl.load(tmp_path / "saved", verify=True)(x, i), found[-1])
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_allclose(found[0], compute(x, i), rtol=1e-5, atol=1e-4)
    assert not np.allclose(found[0], found[2])
    assert len(list(tmp_path.glob("*.blm"))) == 2


def test_damaged_files(tmp_path):
    written, _ = weights()
    path = tmp_path / "f.blm"
    bl.compile(_source.written(written)).save(path)
    whole = path.read_bytes()
    for size in (9, 47, 48, 60, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(bl.CompileError, match="damaged"):
            bl.load(path)
    path.write_bytes(whole + b"x")
    with pytest.raises(bl.CompileError, match="the saved program is damaged; save it again"):
        bl.load(path)
    # The last bytes are those of a weight, which are verified on request.
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    bl.load(path)
    with pytest.raises(bl.CompileError, match="the saved program is damaged; save it again"):
        bl.load(path, verify=True)
    (row,) = bl.load(path).check()
    assert row.status == "refuted" and "damaged or has another format" in row.reason
    with pytest.raises(bl.CompileError, match="damaged or has another format; save it again with this version"):
        bl.load(path).program.emit("loom")


def test_a_program_is_saved_to_the_file_that_it_is_mapped_from(tmp_path, monkeypatch):
    """Also where no other file can be made beside it, as in /dev and in a folder that cannot be written to."""
    table = RNG.random((300, 301)).astype("f4")
    f = bl.compile(_source.written(add_to(table, "f32")))
    x = np.ones((1, 301), "f4")
    original = os.open

    def refuse(path, flags, *rest, **options):
        if os.fspath(path).endswith(".tmp"):
            raise PermissionError(13, "Permission denied", path)
        return original(path, flags, *rest, **options)

    monkeypatch.setattr(os, "open", refuse)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as shared:
        for path in (tmp_path / "f.blm", pathlib.Path(shared) / "f.blm"):
            path.write_bytes(b"")
            f.save(path)
            first = path.read_bytes()
            assert len(first) > table.nbytes
            loaded = bl.load(path)
            loaded.save(path)
            assert path.read_bytes() == first
            np.testing.assert_array_equal(loaded(x), table + x)
            # A shorter program leaves nothing of a longer one.
            del loaded
            bl.compile(ADD).save(path)
            assert (bl.load(path)(x, x) == 2).all() and path.stat().st_size < table.nbytes


def test_tables_of_integers_are_always_verified(tmp_path):
    table = RNG.integers(0, 100, (300, 300))
    builder = program.Builder()
    x = builder.argument("f32", (100, None))
    written = builder.write([program.take(x, builder.constant(table), 0)])
    path = tmp_path / "f.blm"
    bl.compile(_source.written(written)).save(path)
    whole = bytearray(path.read_bytes())
    at = bytes(whole).find(table.tobytes()[:4096])
    assert at > 0
    whole[at] ^= 64
    path.write_bytes(whole)
    with pytest.raises(bl.CompileError, match="the saved program is damaged; save it again"):
        bl.load(path)


def test_a_missing_constant():
    written, _ = weights()
    with pytest.raises(bl.CompileError, match="'given_1', whose data is not in the file"):
        bl.compile(_source.Loaded(written.short.encode(), constants=written.constants[:1]))
    wrong = (written.constants[0], written.constants[1][:-1])
    with pytest.raises(bl.CompileError, match="which has 318400 bytes, but 'tensor<200x400xf32>' needs 320000"):
        bl.compile(_source.Loaded(written.short.encode(), constants=wrong))


MEASURE = """
import os, sys
import numpy as np
import broadloom as bl

def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) << 10

bl.compile("func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\\n return %a : tensor<?xf32>\\n}")
before = peak()
f = getattr(bl, sys.argv[1])(sys.argv[2])
print((peak() - before) / os.path.getsize(sys.argv[2]))
x = np.ones((2, 1024), "f4")
f(x)
if sys.argv[1] == "compile":
    f.save(sys.argv[3])
"""


def test_memory(tmp_path):
    """A model of 64 MB takes its panels and its file once each; a saved program nothing before it is called."""
    weights = {f"w{i}": RNG.standard_normal((1024, 1024)).astype("f4") for i in range(16)}
    lines = ["x0: f32[n, 1024]", *(f"x{i + 1} = MatMul(x{i}, w{i})" for i in range(16)), "return x16"]
    model = onnx_models.model("\n".join(lines), **weights)
    path = tmp_path / "m.onnx"
    path.write_bytes(model)

    def run(*arguments):
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, *map(str, arguments)], capture_output=True, text=True, check=True
        )
        return float(done.stdout)

    assert run("compile", path, tmp_path / "m.blm") < 2.6
    assert run("load", tmp_path / "m.blm") < 0.2


def test_saved_programs_are_mapped(tmp_path):
    path = tmp_path / "big.blm"
    path.write_bytes(_source.SAVED + bytes(1 << 21))
    data = _source.read_file(path, None).data
    assert isinstance(data, memoryview) and isinstance(data.obj, mmap.mmap)
    path.write_bytes(_source.SAVED + bytes(10))
    assert _source.read_file(path, None).data == _source.SAVED + bytes(10)
    # The file of a model may be written to while its functions live.
    path.write_bytes(bytes(1 << 21))
    data = _source.read_file(path, None).data
    path.write_bytes(b"x" * (1 << 21))
    assert data == bytes(1 << 21)


@pytest.mark.parametrize("how", ["compile", "constant", "shared"])
def test_the_file_of_a_model_may_change(tmp_path, how):
    w = RNG.standard_normal((600, 600)).astype("f4")
    path = tmp_path / "m.onnx"
    text = "x: f32[n, 600]\ny = MatMul(x, w)\nz = Mul(y, v)\nreturn z"
    v = RNG.standard_normal((1, 600)).astype("f4")
    path.write_bytes(onnx_models.model(text, w=w, v=v))
    f = bl.compile(path) if how == "compile" else bl.from_onnx(path, weights=how)
    # In place, and then cut.
    for data in (onnx_models.model(text, w=w * 0 + 5, v=v), b"short"):
        path.write_bytes(data)
        for rows in (1, 3):
            x = RNG.standard_normal((rows, 600)).astype("f4")
            np.testing.assert_allclose(f(x), x @ w * v, rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(pickle.loads(pickle.dumps(f))(x), x @ w * v, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("how", ["compile", "constant", "shared"])
def test_files_of_weights_that_change_are_told(tmp_path, how):
    w = RNG.standard_normal((300, 300)).astype("f4")
    path, beside = tmp_path / "m.onnx", tmp_path / "m.data"
    beside.write_bytes(w.tobytes())
    weight = onnx_models.field(5, onnx_models.external("w", w, location="m.data"))
    path.write_bytes(onnx_models.wrap(onnx_models.graph("x: f32[n, 300]\ny = MatMul(x, w)\nreturn y") + weight))
    f = bl.compile(path) if how == "compile" else bl.from_onnx(path, weights=how)
    x = RNG.standard_normal((2, 300)).astype("f4")
    np.testing.assert_allclose(f(x), x @ w, rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(pickle.loads(pickle.dumps(f))(x), x @ w, rtol=1e-4, atol=1e-3)
    beside.write_bytes(w.tobytes() + b"more")
    uses = [lambda: pickle.dumps(f)]
    if how != "shared":
        uses += [f.check, lambda: f.program.emit("loom"), lambda: f.save(tmp_path / "m.blm")]
    for gone in (False, True):
        if gone:
            beside.unlink()
        for use in uses:
            with pytest.raises(bl.CompileError, match=r"m\.data: error: the file has changed since the model was read"):
                use()
    assert not (tmp_path / "m.blm").exists()
