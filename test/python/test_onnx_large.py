"""Files of ONNX with large weights: where these are once the file is read."""

import subprocess
import sys

import broadloom as bl
import numpy as np
import pytest
from broadloom._mapped import list_owners
from onnx_models import agree, external, field, graph, model, random, wrap


@pytest.mark.parametrize("dtype", ("f4", "f2", "f8", "i8"))
def test_large_weights_are_aligned_where_they_were_read(tmp_path, dtype):
    """Whatever stands in front of them: names of different lengths move them to all places."""
    names = ["w" * length for length in range(1, 12)]
    arrays = {name: (random(40, 2049, seed=at) * 100).astype(dtype) for at, name in enumerate(names)}
    kind = {"f4": "f32", "f2": "f16", "f8": "f64", "i8": "i64"}[dtype]
    lines = [f"y{at + 1} = Add(y{at}, {name})" for at, name in enumerate(names)]
    text = "\n".join([f"y0: {kind}[40, 2049]", *lines, f"return y{len(names)}"])
    path = tmp_path / "m.onnx"
    path.write_bytes(model(text, **arrays))
    assert path.stat().st_size > 1 << 20
    expected = random(40, 2049).astype(dtype)
    x = expected.copy()
    for array in arrays.values():
        expected = expected + array
    f = bl.from_onnx(path)
    for weight, array in zip(f.weights, arrays.values()):
        assert weight.flags.aligned
        np.testing.assert_array_equal(weight, array)
        # A part of what was read, and no copy.
        assert max(getattr(owner, "nbytes", 0) for owner in list_owners(weight)) >= path.stat().st_size
    np.testing.assert_allclose(f(x), expected, rtol=1e-2 if dtype == "f2" else 1e-6)
    np.testing.assert_allclose(bl.compile(path)(x), expected, rtol=1e-2 if dtype == "f2" else 1e-6)
    # A file may be written to when it has been read, and read again.
    data = path.read_bytes()
    path.write_bytes(bytes(len(data)))
    np.testing.assert_allclose(f(x), expected, rtol=1e-2 if dtype == "f2" else 1e-6)
    np.testing.assert_allclose(bl.from_onnx(data)(x), expected, rtol=1e-2 if dtype == "f2" else 1e-6)


@pytest.mark.parametrize("is_apart", (False, True))
def test_commands_leave_weights_in_their_files(tmp_path, is_apart):
    """What a converter writes for a command tells where the weights are, at any place of a file."""
    weight, x = random(600, 500), random(3, 600, seed=1)
    text = "x: f32[n, 600]\ny = MatMul(x, w)\nreturn y"
    path, written, result = tmp_path / "m.onnx", tmp_path / "m.blw", tmp_path / "y.npy"
    if is_apart:
        (tmp_path / "w.bin").write_bytes(b"???" + weight.tobytes())
        path.write_bytes(wrap(bytes(graph(text)) + field(5, external("w", weight, location="w.bin", offset=3))))
    else:
        path.write_bytes(model(text, w=weight))
    subprocess.run([sys.executable, "-m", "broadloom.onnx", path, "-o", written], check=True)
    assert written.stat().st_size < 10000
    np.save(tmp_path / "x.npy", x)
    run = [sys.executable, "-m", "broadloom", "run"]
    for given, name in ((path, path), ("-", None)):
        if is_apart and name is None:
            # Nobody knows where the other file is.
            continue
        command = [*run, given, f"--input={tmp_path / 'x.npy'}", f"--output={result}"]
        subprocess.run(command, check=True, input=None if name else path.read_bytes())
        agree(np.load(result), x @ weight, 1e-4)
