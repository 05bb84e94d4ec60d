"""Files of ONNX with large weights: where these are once the file is read."""

import errno
import os
import pickle
import shutil
import subprocess
import sys
import time

import broadloom as bl
import numpy as np
import pytest
from broadloom import _mapped, _source
from broadloom._mapped import get_stamp, list_owners
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


def _write_large(path, seed=0):
    """Writes a model whose weights are large and inside; returns its input and result."""
    weight, x = random(600, 500, seed=seed), random(3, 600, seed=1)
    path.write_bytes(model("x: f32[n, 600]\ny = MatMul(x, w)\nreturn y", w=weight))
    return x, x @ weight


def _write_apart(path):
    """The same with the weights in the file w.bin beside the model; returns these too."""
    x, expected = _write_large(path)
    weight = random(600, 500)
    (path.parent / "w.bin").write_bytes(weight.tobytes())
    part = field(5, external("w", weight, location="w.bin"))
    path.write_bytes(wrap(bytes(graph("x: f32[n, 600]\ny = MatMul(x, w)\nreturn y")) + part))
    return x, expected, weight


def _run(path, x, folder, cwd=None, **environment):
    """Runs the command; returns its result, or its error."""
    np.save(folder / "x.npy", x)
    result = folder / "y.npy"
    result.unlink(missing_ok=True)
    command = [sys.executable, "-m", "broadloom", "run", path, f"--input={folder / 'x.npy'}", f"--output={result}"]
    done = subprocess.run(command, capture_output=True, cwd=cwd, env={**os.environ, **environment})
    assert (done.returncode == 0) == result.exists()
    return np.load(result) if done.returncode == 0 else done.stderr.decode(errors="surrogateescape")


def test_links_and_dates_and_names_of_models(tmp_path):
    (tmp_path / "real" / "sub").mkdir(parents=True)
    (tmp_path / "here").mkdir()
    path = tmp_path / "real" / "m.onnx"
    x, expected = _write_large(path)
    (tmp_path / "here" / "link").symlink_to(tmp_path / "real" / "sub")
    # What stands where the letters lead to has the same size and time.
    decoy = tmp_path / "here" / "m.onnx"
    for is_there in (False, True):
        if is_there:
            decoy.write_bytes(bytes(path.stat().st_size))
            shutil.copystat(path, decoy)
        agree(_run("link/../m.onnx", x, tmp_path, cwd=tmp_path / "here"), expected, 1e-4)
    # The folder of other files is that of the model.
    _write_apart(tmp_path / "real" / "apart.onnx")
    agree(_run("link/../apart.onnx", x, tmp_path, cwd=tmp_path / "here"), expected, 1e-4)
    agree(bl.compile(tmp_path / "here" / "link" / ".." / "apart.onnx")(x), expected, 1e-4)
    os.utime(path, (-(10**9), -(10**9)))
    agree(_run(path, x, tmp_path), expected, 1e-4)
    unusual = os.path.join(os.fsencode(tmp_path), b"\xff")
    os.mkdir(unusual)
    shutil.copy(path, os.path.join(unusual, b"m.onnx"))
    agree(_run("m.onnx", x, tmp_path, cwd=unusual), expected, 1e-4)
    agree(_run(os.path.join(unusual, b"m.onnx"), x, tmp_path), expected, 1e-4)


@pytest.mark.parametrize("way", ("write", "cut", "replace"))
@pytest.mark.parametrize("is_apart", (False, True))
def test_files_that_change_while_a_command_compiles(tmp_path, is_apart, way):
    """Whenever that is, the result is right or there is an error, and the cache has what belongs to the old file."""
    path = tmp_path / "m.onnx"
    x, expected = (_write_apart if is_apart else _write_large)(path)[:2]
    data = tmp_path / "w.bin" if is_apart else path
    old = data.read_bytes()
    change = {
        "write": f"dd if=/dev/zero of={data} bs=1000 seek=1 count=1000 conv=notrunc status=none",
        "cut": f"truncate -s 1000 {data}",
        "replace": f"head -c {len(old)} /dev/zero > {data}.new && mv {data}.new {data}",
    }[way]
    converter, changed = tmp_path / "converter", tmp_path / "changed"
    change += f"; touch {changed}"
    errors = 0
    for delay in ("", "0.02", "0.1", "0.3"):
        later = f"(sleep {delay}; {change}) </dev/null >/dev/null 2>&1 &" if delay else change
        converter.write_text(f'#!/bin/sh\n{sys.executable} -m broadloom.onnx "$@" || exit 1\n{later}\n')
        converter.chmod(0o755)
        environment = {"BROADLOOM_CACHE": str(tmp_path / "cache"), "BROADLOOM_VERIFY_PASSES": "0"}
        found = _run(path, x, tmp_path, BROADLOOM_ONNX_CONVERTER=str(converter), **environment)
        if isinstance(found, str):
            errors += 1
            assert "has changed" in found or (is_apart and way == "cut" and "was cut off" in found)
            assert "try again once it is written" in found
        else:
            agree(found, expected, 1e-4)
        while not changed.exists():
            time.sleep(0.01)
        changed.unlink()
        data.write_bytes(old)
        agree(_run(path, x, tmp_path, **environment), expected, 1e-4)
    assert errors >= 1


def test_other_files_that_change_while_a_program_is_compiled(tmp_path, monkeypatch):
    """What was imported is of the old file: no code is kept, since it would be found by the old bytes."""
    monkeypatch.setenv("BROADLOOM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("BROADLOOM_VERIFY_PASSES", "0")
    path = tmp_path / "m.onnx"
    x, _, weight = _write_apart(path)
    program = _source.read(path, None)
    with open(tmp_path / "w.bin", "r+b") as file:
        file.write(bytes(1000))
    os.utime(tmp_path / "w.bin", (0, 0))
    with pytest.raises(bl.CompileError, match=r"w\.bin: error: the file has changed while weights were read from it"):
        bl.compile(program)
    assert not list(tmp_path.glob("cache/*"))
    f = bl.compile(path)
    assert list(tmp_path.glob("cache/*"))
    # A pickle has the weights, and no file.
    assert "w.bin" not in str(f.__reduce__()[1][3])
    changed = weight.copy()
    changed.reshape(-1)[:250] = 0
    agree(pickle.loads(pickle.dumps(f))(x), x @ changed, 1e-4)


def test_a_file_that_is_written_to_while_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "m.onnx"
    _write_large(path)
    stamps = iter(range(10))
    monkeypatch.setattr(_source, "get_stamp", lambda file: get_stamp(file)._replace(time=next(stamps)))
    with pytest.raises(bl.CompileError, match=r"m\.onnx: error: the file has changed while it was read; try again"):
        bl.compile(path)


def test_a_file_system_without_maps(tmp_path, monkeypatch):
    """A file beside the model is read where it cannot be mapped."""
    path = tmp_path / "m.onnx"
    x, expected, _ = _write_apart(path)

    def refuse(*_, **__):
        raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))

    monkeypatch.setattr(_mapped.mmap, "mmap", refuse)
    agree(bl.compile(path)(x), expected, 1e-4)
