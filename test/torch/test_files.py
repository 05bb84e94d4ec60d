"""Files of torch.export as programs: in Python, and on the command line."""

import json
import os
import subprocess
import sys
import zipfile

import broadloom as bl
import numpy as np
import pytest
import torch
from torch import nn
from torch.export import Dim


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 4)

    def forward(self, x, y):
        return self.linear(x) + y


@pytest.fixture
def saved(tmp_path):
    """A model and its file."""
    model = Model().eval()
    example = torch.randn(5, 3), torch.randn(4)
    exported = torch.export.export(model, example, dynamic_shapes=({0: Dim("n", min=1)}, None))
    path = tmp_path / "model.pt2"
    torch.export.save(exported, path)
    return model, path


@pytest.fixture
def run(tmp_path):
    """The command line, as the console script and the program of the build tree have it. The converter is the
    one of this Python."""
    package = os.path.dirname(os.path.dirname(bl.__file__))
    converter = tmp_path / "broadloom-torch"
    converter.write_text(f'#!/bin/sh\nPYTHONPATH={package} exec {sys.executable} -m broadloom.torch "$@"\n')
    converter.chmod(0o755)
    environment = dict(os.environ, BROADLOOM_CACHE="0", BROADLOOM_TORCH_CONVERTER=str(converter))
    program = os.path.join(package, "broadloom", "bin", "broadloom")
    return lambda *words: subprocess.run([program, *map(str, words)], capture_output=True, text=True, env=environment)


FIXED = ["axis 1 of argument 'x' is 3", "axis 0 of argument 'y' is 4"]


def test_large_files(tmp_path, run):
    """They are read where they were read to, or mapped."""
    module = nn.Linear(700, 900).eval()
    x = torch.randn(3, 700)
    path, result = tmp_path / "m.pt2", tmp_path / "y.npy"
    torch.export.save(torch.export.export(module, (x,), dynamic_shapes=({0: Dim("n")},)), path)
    assert path.stat().st_size > 1 << 20
    with torch.no_grad():
        expected = module(x).numpy()
    np.testing.assert_allclose(bl.compile(path)(x.numpy()), expected, rtol=1e-4, atol=1e-5)
    np.save(tmp_path / "x.npy", x.numpy())
    done = run("run", path, f"--input={tmp_path / 'x.npy'}", f"--output={result}")
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(np.load(result), expected, rtol=1e-4, atol=1e-5)


def test_compile(saved):
    model, path = saved
    for given in (path, path.read_bytes(), open(path, "rb")):
        f = bl.compile(given)
        for n in (1, 7):
            x, y = torch.randn(n, 3), torch.randn(4)
            np.testing.assert_allclose(f(x.numpy(), y.numpy()), model(x, y).numpy(), rtol=1e-5, atol=1e-6)


#: What stands behind the verdict.
FIRST = "\n\nfunction main\n\ntorch.export\n  fixed     axis 1 of argument 'x' is 3\n"


def test_check(saved):
    report = bl.check(saved[1])
    assert [row.constraint for row in report if row.status == "fixed"] == FIXED
    assert report.counts["fixed"] == 2
    assert report.verdict.endswith("; 2 extents of its arguments are fixed")
    assert str(report).startswith(report.verdict + FIRST)


def test_commands(saved, run, tmp_path):
    model, path = saved
    done = run("check", path)
    assert done.returncode == 0, done.stderr
    assert FIRST in done.stdout
    assert done.stdout == str(bl.check(path)) and ", 2 fixed\n" in done.stdout
    only = run("check", path, "--status=fixed").stdout
    assert only.count("  fixed  ") == 2 and "run-time  " not in only
    assert f"func.func  {path}.mlir:1:" in done.stdout and "at least 1" in done.stdout
    rows = json.loads(run("check", path, "--json").stdout)
    assert [row["constraint"] for row in rows if row["status"] == "fixed"] == FIXED
    page = tmp_path / "report.html"
    assert run("check", path, "--format=html", f"--output={page}").returncode == 0
    assert page.read_text().count("<td>axis 1 of argument &#39;x&#39; is 3</td>") == 1
    done = run("run", path, "--input=2x3xf32=1", "--input=4xf32=2", f"--output={tmp_path / 'y.npy'}")
    assert done.returncode == 0, done.stderr
    expected = model(torch.ones(2, 3), torch.full((4,), 2.0)).numpy()
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), expected, rtol=1e-5)
    wrong = run("run", path, "--input=2x4xf32=1", "--input=4xf32=2")
    assert wrong.returncode == 1 and "argument 'x' has shape 2x4" in wrong.stderr


def test_the_converter_of_the_build(saved):
    """It runs in the Python that BROADLOOM_PYTHON names, as its message advises where the first one has no torch."""
    program = os.path.join(os.path.dirname(bl.__file__), "bin", "broadloom")
    environment = dict(os.environ, BROADLOOM_CACHE="0", PATH="/usr/bin:/bin")
    words = [program, "shapes", str(saved[1]), "--input=7x3", "--input=4"]
    done = subprocess.run(words, capture_output=True, text=True, env=dict(environment, BROADLOOM_PYTHON=sys.executable))
    assert (done.returncode, done.stdout) == (0, "7x4\n"), done.stderr
    # Nor need it be named if it is in PATH.
    environment["PATH"] += os.pathsep + os.path.dirname(sys.executable)
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout) == (0, "7x4\n"), done.stderr


def test_files_that_cannot_be_read(saved, run, tmp_path):
    _, path = saved
    damaged = tmp_path / "damaged.pt2"
    damaged.write_bytes(path.read_bytes()[:2000])
    done = run("check", damaged)
    assert done.returncode == 1
    assert (
        done.stderr
        == f"{damaged}: error: the file is an archive that torch.export.save did not write, or it is damaged\n"
    )
    # What PyTorch itself finds.
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(damaged, "w") as part:
        for name in whole.namelist():
            if not name.endswith("model.json"):
                part.writestr(name, whole.read(name))
    done = run("run", damaged)
    assert done.returncode == 1 and "/broadloom-torch' does not convert it: torch.export.load of PyTorch" in done.stderr
    text = tmp_path / "text.pt2"
    text.write_text("func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n return %a : tensor<?xf32>\n}\n")
    assert run("check", text).returncode == 0
    assert "no such file" in run("check", tmp_path / "none.pt2").stderr.lower()


def test_operations_that_are_not_imported(run, tmp_path):
    class Airy(nn.Module):
        def forward(self, x):
            return torch.special.airy_ai(x)

    bad = tmp_path / "bad.pt2"
    torch.export.save(torch.export.export(Airy(), (torch.tensor([1.0, 2.0]),)), bad)
    with pytest.raises(bl.UnsupportedOperations, match=r"aten.special_airy_ai.default"):
        bl.compile(bad)
    done = run("run", bad)
    assert done.returncode == 1 and f"{bad}: error: " in done.stderr
    assert "does not convert it: the graph has an operation that cannot be imported" in done.stderr
