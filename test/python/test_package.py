"""The package itself: names, documents, types."""

import inspect
import os
import pathlib
import re
import subprocess
import sys

import broadloom as bl
import numpy as np
import pytest


def test_public_names():
    assert len(set(bl.__all__)) == len(bl.__all__)
    for name in bl.__all__:
        assert hasattr(bl, name), name
    visible = {name for name in dir(bl) if not name.startswith("_")}
    # A star import must not hide PyTorch behind the module for it.
    assert visible - {"dask", "onnx", "torch"} == set(bl.__all__) - {"__version__"}


def test_everything_public_has_a_document():
    for name in set(bl.__all__) - {"__version__"}:
        value = getattr(bl, name)
        assert inspect.getdoc(value), name
        if isinstance(value, type):
            assert value.__module__ == "broadloom", name
            for member, function in vars(value).items():
                if not member.startswith("_") and callable(function):
                    assert inspect.getdoc(function), f"{name}.{member}"


def test_help_is_enough_to_start():
    text = inspect.getdoc(bl.compile)
    assert "f = bl.compile(" in text and "Raises" in text and "ShapeError" in text
    for parameter in inspect.signature(bl.compile).parameters:
        if parameter != "unknown":
            assert f"{parameter}:" in text, parameter
    assert "out=" in inspect.getdoc(bl.Function)
    assert "bl.compile" in inspect.getdoc(bl)


def test_the_example_of_the_readme(tmp_path, monkeypatch, capsys):
    root = pathlib.Path(__file__).resolve().parents[2]
    blocks = re.findall(r"^```python\n(.*?)^```$", (root / "README.md").read_text(), re.M | re.S)
    os.symlink(root / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(blocks[0], "README.md", "exec"), names)
    np.testing.assert_allclose(names["y"].sum(axis=1), np.ones(100))
    exec(compile(blocks[1], "README.md", "exec"), names)
    assert names["y"].shape == (100, 3)
    assert names["f"].shapes(("B", 3), (1, 3)) == [("B", 3)]
    assert "# [('B', 3)]" in blocks[1]
    assert capsys.readouterr().out == "tosa.add 1 (3, 2)\n"
    assert (bl.load("gelu.blm")(names["x"][::-1], np.zeros((1, 3), "f4")) == names["y"]).all()


def test_the_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", bl.__version__)


def test_types_are_declared():
    folder = pathlib.Path(bl.__file__).resolve().parent
    assert (folder / "py.typed").exists()
    stub = (folder / "_core.pyi").read_text()
    # What is written in Python has its types there.
    for kind in (bl.Function, bl.Program.__base__):
        for name in vars(kind):
            if not name.startswith("_"):
                declared = re.search(rf"def {name}\(|^    {name}:", stub, re.M)
                assert declared, f"{kind.__name__}.{name}"
    # A stub is Python.
    compile(stub, "_core.pyi", "exec")


@pytest.mark.parametrize(
    "command", [("-c", "import sys; from _broadloom_cli import main; sys.exit(main())"), ("-m", "broadloom")]
)
def test_the_command_line(command):
    environment = dict(os.environ, BROADLOOM_CACHE="0")
    run = lambda *words: subprocess.run(
        [sys.executable, *command, *words], capture_output=True, text=True, env=environment
    )
    version = run("--version")
    assert version.returncode == 0 and bl.__version__ in version.stdout
    example = pathlib.Path(__file__).parents[2] / "examples" / "add.mlir"
    result = run("run", example, "--input=1x2xf32=1 2", "--input=1x1xf32=10")
    assert result.returncode == 0, result.stderr
    assert "11" in result.stdout and "12" in result.stdout
    wrong = run("run", example, "--input=4x3xf32=1", "--input=4x2xf32=1")
    assert wrong.returncode == 3 and "extents 3 and 2" in wrong.stderr


def test_importing_does_not_need_ml_dtypes():
    script = (
        "import sys; sys.modules['ml_dtypes'] = None\n"
        "import broadloom as bl, numpy as np\n"
        "f = bl.compile('func.func @main(%a: tensor<?xf32>) -> tensor<?xbf16> {\\n"
        " %r = tosa.cast %a : (tensor<?xf32>) -> tensor<?xbf16>\\n return %r : tensor<?xbf16>\\n}')\n"
        "try: f(np.ones(2, np.float32))\n"
        "except ImportError as error: print(error)\n"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout == "NumPy has no bfloat16; install ml_dtypes, which has\n", result.stderr


@pytest.mark.parametrize("name", ["py.typed", "__init__.py", "_core.pyi"])
def test_files_of_the_package(name):
    assert (pathlib.Path(bl.__file__).parent / name).exists()
