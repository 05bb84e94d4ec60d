"""A bug of the compiler's own says so, with the pass and the operation, and
ends in a status of its own; a reproducer is written on request (abi-5)."""

import shlex
import subprocess

import broadloom
import pytest

PROGRAM = """\
func.func private @unused(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.tanh %a : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = tosa.reverse %0 {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  %2 = tosa.exp %1 : (tensor<?xf32>) -> tensor<?xf32>
  %3 = tosa.reverse %2 {axis = 0 : i32} : (tensor<?xf32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "p.mlir").write_text(PROGRAM)
    return tmp_path


def call(folder, *arguments):
    done = subprocess.run(
        [broadloom.PROGRAM, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=broadloom.LIMIT_S,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout, done.stderr


INPUTS = ("--input=2xf32=1 2", "--input=2xf32=3 4")
COMMANDS = [("compile", "--emit=llvm"), ("compile", "--emit=asm"), ("run", *INPUTS), ("bench", *INPUTS)]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: " ".join(c[:2]))
@pytest.mark.parametrize(
    "how, said",
    [
        ("", "error: this is a bug in broadloom: pass 'loom-bufferize' fails on 'builtin.module'\n"),
        (
            "!",
            "broadloom: error: this is a bug in broadloom: pass 'loom-bufferize' crashes on 'builtin.module' (p.mlir)",
        ),
    ],
    ids=["fails", "crashes"],
)
def test_status_and_message(folder, command, how, said):
    status, out, error = call(folder, command[0], "p.mlir", *command[1:], f"--provoke-bug={how}loom-bufferize")
    assert status == 4, error
    assert said in error
    assert (
        "please report it with a program that shows it; the same command with "
        "--save-reproducer=FILE writes a small one" in error
    )
    assert out == ""


def test_verifier_finds_the_pass(folder, monkeypatch):
    """A pass that leaves an unsound program is named where passes are verified."""
    monkeypatch.setenv("BROADLOOM_VERIFY_PASSES", "1")
    status, out, error = call(folder, "compile", "p.mlir", "--emit=llvm", "--provoke-bug=~loom-to-llvm")
    assert status == 4, error
    assert (
        "error: this is a bug in broadloom: pass 'loom-to-llvm' fails on 'builtin.module': "
        "'loom.yield' op expects parent op to be one of"
    ) in error
    assert out == ""


@pytest.mark.parametrize("command", [("check",), ("shapes",)], ids=lambda c: c[0])
def test_commands_that_make_no_code(folder, command):
    status, _, error = call(folder, *command, "p.mlir", "--provoke-bug=loom-insert-guards")
    assert status == 4, error
    assert "this is a bug in broadloom: pass 'loom-insert-guards' fails on 'builtin.module'" in error


@pytest.mark.parametrize("how", ["", "!"], ids=["fails", "crashes"])
def test_reproducer_is_small(folder, how):
    """What the pass needs in order to fail stays, and all else goes."""
    status, _, error = call(
        folder,
        "compile",
        "p.mlir",
        "--emit=llvm",
        "-o",
        "out.txt",
        f"--provoke-bug={how}loom-lower-tosa/tosa.reverse",
        "--save-reproducer=small.mlir",
    )
    assert status == 4, error
    assert "small.mlir has a program that shows it" in error
    assert not (folder / "out.txt").exists()
    small = (folder / "small.mlir").read_text()
    assert small.split("\n", 2)[2].count("tosa.reverse") == 1, small
    for gone in ("tosa.add", "tosa.exp", "tosa.tanh", "@unused"):
        assert gone not in small, small
    assert small.startswith("// broadloom compile of this program: pass 'loom-lower-tosa'")
    status, _, again = call(
        folder, "compile", "small.mlir", "--emit=llvm", f"--provoke-bug={how}loom-lower-tosa/tosa.reverse"
    )
    assert status == 4, again


LIBRARY = """\
irdl.dialect @mine {
  irdl.operation @twice {
    %0 = irdl.any
    irdl.operands(x: %0)
    irdl.results(y: %0)
  }
}
func.func private @twice(%a: tensor<?xf32>) -> tensor<?xf32> attributes {loom.implements = "mine.twice"} {
  %0 = tosa.add %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
UNUSED = LIBRARY.replace("@mine", "@other").replace('"mine.', '"other.')
USER = """\
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "mine.twice"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = tosa.exp %0 : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
"""


def test_reproducer_is_complete(folder):
    """The shape libraries that are needed lie beside the reproducer, and its
    head is the command that shows the bug with them."""
    (folder / "libraries").mkdir()
    (folder / "libraries/mine.mlir").write_text(LIBRARY)
    (folder / "libraries/other.mlir").write_text(UNUSED)
    (folder / "user.mlir").write_text(USER)
    status, _, error = call(
        folder,
        "run",
        "--shape-library=libraries/other.mlir",
        "user.mlir",
        "--shape-library",
        "libraries/mine.mlir",
        "--input=2xf32=1 2",
        "--provoke-bug=loom-expand-user-operations/mine.twice",
        "--save-reproducer=small.mlir",
    )
    assert status == 4, error
    command = (
        "broadloom run small.mlir '--input=2xf32=1 2' --provoke-bug=loom-expand-user-operations/mine.twice "
        "--shape-library=small.library0.mlir"
    )
    assert f"small.mlir has a program that shows it: {command}" in error
    head, second, *rest = (folder / "small.mlir").read_text().splitlines()
    assert head == ("// broadloom run of this program: pass 'loom-expand-user-operations' fails on 'builtin.module'")
    assert second == f"// {command}"
    assert "tosa.exp" not in "".join(rest)
    assert (folder / "small.library0.mlir").read_text() == LIBRARY
    assert not (folder / "small.library1.mlir").exists()
    status, _, again = call(folder, *shlex.split(command)[1:])
    assert status == 4 and "pass 'loom-expand-user-operations' fails on 'builtin.module'" in again, again


def test_no_reproducer_without_a_bug(folder):
    (folder / "out.txt").write_text("as before")
    status, out, error = call(folder, "run", "p.mlir", *INPUTS, "--save-reproducer=out.txt")
    assert (status, out, error) == (0, "[ 54.598152 403.4288  ]\n", "")
    assert (folder / "out.txt").read_text() == "as before"
    status, _, error = call(folder, "run", "p.mlir", INPUTS[0], "--input=3xf32=1 2 3", "--save-reproducer=out.txt")
    assert status == 3 and "'tosa.add'" in error


def test_help_tells_statuses():
    done = subprocess.run([broadloom.PROGRAM, "--help"], capture_output=True, text=True)
    assert "4 a bug in broadloom" in done.stdout
