"""Which Python converts a model: `broadloom-onnx` and `broadloom-torch` of the build tree, and what they say of a
Python that cannot."""

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile

import broadloom
import pytest
from broadloom import DONE, REJECTED

BUILD = os.path.dirname(os.path.dirname(broadloom.PROGRAM))
MODEL = os.path.join(broadloom.ROOT, "examples", "perceptron.onnx")
CONVERTER = {kind: os.path.join(BUILD, "bin", f"broadloom-{kind}") for kind in ("onnx", "torch")}
HAS_IT = os.path.dirname(sys.executable)
SYSTEM = os.pathsep.join(["/usr/bin", "/bin"])
SEVERAL = "a Python 3.11 or later that has"


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A Python that has no modules but its own."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    return str(folder / "bin" / "python3")


@pytest.fixture
def tools(tmp_path):
    """A folder with what the shell script calls, and no Python."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for tool in ("sh", "dirname", "readlink"):
        os.symlink(shutil.which(tool), folder / tool)
    return str(folder)


@pytest.fixture
def converter(tmp_path):
    """The converter of a kind as an installation has it whose own Python is not there any more."""

    def make(kind):
        with open(CONVERTER[kind], encoding="utf-8") as file:
            text = file.read()
        # The line that runs it ends in the Python that Broadloom was built with.
        built_with = text.splitlines()[-1].split('"')[-4]
        path = tmp_path / f"broadloom-{kind}"
        path.write_text(text.replace(built_with, "/nowhere/python3"))
        path.chmod(0o755)
        return str(path)

    return make


@pytest.fixture
def exported(tmp_path):
    """Makes a file that has the marks of torch.export, and nothing else."""
    with zipfile.ZipFile(tmp_path / "model.pt2", "w") as file:
        file.writestr("model/archive_format", "pt2")
    return tmp_path / "model.pt2"


def moved(folder, *words, **environment):
    """Runs a copy of the program and its libraries that has nothing else beside it."""
    files = {"bin/broadloom": broadloom.PROGRAM}
    for name in ("libbroadloom.so.0", "libbroadloom_runtime.so"):
        files[f"lib/{name}"] = os.path.realpath(os.path.join(BUILD, "lib", name))
    for name, file in files.items():
        copy = folder / name
        copy.parent.mkdir(exist_ok=True)
        if not copy.exists():
            try:
                os.link(file, copy)
            except OSError:  # another file system
                shutil.copy(file, copy)
    return subprocess.run(
        [folder / "bin" / "broadloom", *words], capture_output=True, text=True, env={"PATH": SYSTEM, **environment}
    )


def convert(converter, output, **environment):
    done = subprocess.run(
        [converter, MODEL, "-o", output],
        capture_output=True,
        text=True,
        env={"HOME": str(output.parent), **environment},
    )
    assert done.stdout == ""
    if done.returncode == 0:
        assert output.read_text().startswith("func.func @main(")
        return ""
    assert done.returncode == 1 and not output.exists()
    return done.stderr


def makePath(*folders):
    return os.pathsep.join(folders)


def test_first_that_can(converter, bare, tools, tmp_path):
    for path in (
        makePath(HAS_IT, tools),
        makePath(os.path.dirname(bare), HAS_IT, tools),
        makePath(tools, "/nowhere", "", os.path.dirname(bare), HAS_IT),
    ):
        assert convert(converter("onnx"), tmp_path / "program", PATH=path) == ""
        os.remove(tmp_path / "program")


def test_what_it_lacks(converter, bare, tools, tmp_path):
    program = converter("onnx")
    path = makePath(os.path.dirname(bare), tools)
    assert convert(program, tmp_path / "p", PATH=path) == (
        f"{bare} has no module numpy; set BROADLOOM_PYTHON to a Python that has it\n"
    )
    # What the message says works.
    assert convert(program, tmp_path / "p", PATH=path, BROADLOOM_PYTHON=sys.executable) == ""


def test_only_the_named_one_is_asked(converter, bare, tools, tmp_path):
    assert convert(converter("onnx"), tmp_path / "p", PATH=makePath(HAS_IT, tools), BROADLOOM_PYTHON=bare) == (
        f"{bare} has no module numpy; set BROADLOOM_PYTHON to a Python that has it\n"
    )


def test_all_that_were_asked(converter, bare, tools, tmp_path):
    """PATH has a folder twice, a program of this name that is none, and what cannot be run."""
    folder = os.path.dirname(bare)
    for name, text, mode in (
        ("broken", "#!/bin/sh\nexit 3\n", 0o755),
        ("none", "#!/nowhere\n", 0o755),
        ("plain", "", 0o644),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "python3").write_text(text)
        (tmp_path / name / "python3").chmod(mode)
    os.symlink(folder, tmp_path / "link")
    path = makePath(
        folder, tools, str(tmp_path / "link"), *(str(tmp_path / name) for name in ("broken", "none", "plain"))
    )
    assert convert(converter("torch"), tmp_path / "p", PATH=path) == (
        f"{bare} has no module numpy and no module torch, {tmp_path}/broken/python3 cannot run the converter, "
        f"{tmp_path}/none/python3 cannot be run: No such file or directory; set BROADLOOM_PYTHON to {SEVERAL} numpy and torch\n"
    )


@pytest.mark.parametrize("kind, needed", [("onnx", "numpy"), ("torch", "numpy and torch")])
def test_no_python(converter, tools, tmp_path, kind, needed):
    program = converter(kind)
    assert convert(program, tmp_path / "p", PATH=tools) == (
        f"there is no program python3; set BROADLOOM_PYTHON to {SEVERAL} {needed}\n"
    )
    for named in ("/nowhere/python3", "no-such-python", str(tmp_path), MODEL):
        assert convert(program, tmp_path / "p", PATH=makePath(HAS_IT, tools), BROADLOOM_PYTHON=named) == (
            f"there is no program {named}; set BROADLOOM_PYTHON to {SEVERAL} {needed}\n"
        )


def test_the_one_of_the_build_is_last(bare, tools, tmp_path):
    for path in (makePath(os.path.dirname(bare), tools), tools):
        assert convert(CONVERTER["onnx"], tmp_path / "p", PATH=path) == ""
        os.remove(tmp_path / "p")


def test_old_pythons(monkeypatch):
    place = importlib.util.spec_from_file_location(
        "convert", os.path.join(broadloom.ROOT, "python", "_broadloom_convert.py")
    )
    script = importlib.util.module_from_spec(place)
    place.loader.exec_module(script)
    assert script.find_lack("onnx") == ""
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    assert script.find_lack("onnx") == "is version 3.9"
    assert script.explain("onnx", [("/p/python3", script.find_lack("onnx"))]) == (
        "/p/python3 is version 3.9; set BROADLOOM_PYTHON to a Python 3.11 or later that has numpy"
    )


def test_the_converter_beside_the_program(exported):
    """PATH has none."""
    outcome = broadloom.call("shapes", MODEL, PATH=SYSTEM)
    assert (outcome.status, outcome.out.strip()) == (DONE, "batchx3"), outcome.error
    outcome = broadloom.call("check", exported, PATH=SYSTEM, BROADLOOM_PYTHON=sys.executable)
    assert outcome.status == REJECTED
    assert (
        f"model.pt2: error: '{CONVERTER['torch']}' does not convert it: {sys.executable} has no module torch; "
        "set BROADLOOM_PYTHON to a Python that has it"
    ) in outcome.error


def test_the_converter_beside_a_program_in_path(tmp_path):
    """Not one in the folder of the same name that the user is in."""
    (tmp_path / "broadloom").mkdir()
    (tmp_path / "broadloom-onnx").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "broadloom-onnx").chmod(0o755)
    done = subprocess.run(
        ["broadloom", "shapes", MODEL],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": makePath(os.path.join(BUILD, "bin"), SYSTEM)},
    )
    assert (done.returncode, done.stdout.strip()) == (DONE, "batchx3"), done.stderr


def test_the_converter_beside_a_library():
    """In a program of somebody else's it is in the folder bin beside the library's own."""
    code = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
for function in (library.broadloomCompilerCreate, library.broadloomCompileFile, library.broadloomDiagnostics):
    function.restype = ctypes.c_void_p
compiler = ctypes.c_void_p(library.broadloomCompilerCreate())
if not library.broadloomCompileFile(compiler, sys.argv[2].encode()):
    sys.exit(ctypes.string_at(library.broadloomDiagnostics(compiler)).decode())
"""
    done = subprocess.run(
        [sys.executable, "-c", code, os.path.join(BUILD, "lib", "libbroadloom.so"), MODEL],
        capture_output=True,
        text=True,
        env={"PATH": SYSTEM},
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", ["check", "run", "shapes", "inspect", "compile"])
def test_the_program_alone(exported, tmp_path, command):
    """A program that was moved has no converter beside it."""
    for model, kind, name in ((MODEL, "an ONNX model", "onnx"), (exported, "a program of torch.export", "torch")):
        done = moved(tmp_path, command, model)
        assert done.returncode == REJECTED
        assert (
            f"{model}: error: is {kind}, which 'broadloom-{name}' converts, and PATH has no such program; "
            "add the folder bin of a build or an installation of Broadloom to PATH, or name it in "
            f"BROADLOOM_{name.upper()}_CONVERTER\n"
        ) in done.stderr


def test_what_that_message_says(tmp_path):
    for done in (
        moved(tmp_path, "shapes", MODEL, PATH=makePath(os.path.join(BUILD, "bin"), SYSTEM)),
        moved(tmp_path, "shapes", MODEL, BROADLOOM_ONNX_CONVERTER=CONVERTER["onnx"]),
    ):
        assert (done.returncode, done.stdout.strip()) == (DONE, "batchx3"), done.stderr
