"""Programs that are saved, loaded and cached."""

import io
import os
import pathlib
import subprocess
import sys

import broadloom as bl
import numpy as np
import pytest
from conftest import ADD

ONE = np.ones((2, 2), np.float32)
TWO = ADD.replace("@main", "@first") + ADD.replace("@main", "@second").replace("add", "sub")


def test_a_function(tmp_path):
    bl.compile(ADD, name="add.mlir").save(tmp_path / "add.blm")
    f = bl.load(tmp_path / "add.blm", threads=1)
    assert isinstance(f, bl.Function) and f.threads == 1
    assert (f(ONE, ONE) == 2).all()
    assert f.shapes((None, "N"), (1, 3)) == [(None, 3)]
    assert f.shapes(ONE, ONE) == [(2, 2)]
    assert f.check().counts["run-time"] == 2
    with pytest.raises(bl.ShapeError, match=r"^add.mlir:3:8: 'tosa.add': operands are not"):
        f(ONE, np.ones((3, 2), np.float32))
    # What was loaded can be saved again.
    f.save(str(tmp_path / "again.blm"))
    with open(tmp_path / "again.blm", "rb") as file:
        assert (bl.load(file)(ONE, ONE) == 2).all()


def test_one_of_several(tmp_path):
    program = bl.compile_program(TWO)
    program.save(tmp_path / "two.blm")
    assert (bl.load(tmp_path / "two.blm", "second")(ONE, ONE) == 0).all()
    with pytest.raises(ValueError, match="choose one with function=: first, second"):
        bl.load(tmp_path / "two.blm")
    program["second"].save(tmp_path / "second.blm")
    assert bl.load(tmp_path / "second.blm").__name__ == "second"
    program.save(tmp_path / "first.blm", function="first")
    assert bl.load(tmp_path / "first.blm").__name__ == "first"
    with pytest.raises(ValueError, match="no public function 'third'; it has: first, second"):
        program.save(tmp_path / "third.blm", function="third")
    assert not (tmp_path / "third.blm").exists()


def test_errors_name_the_path_that_was_given(tmp_path):
    f = bl.compile(ADD)
    with pytest.raises(FileNotFoundError, match=r"No such file or directory: '.*/none/add.blm'$") as caught:
        f.save(tmp_path / "none" / "add.blm")
    assert caught.value.filename == str(tmp_path / "none" / "add.blm")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=r"folder'$"):
        f.save(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    f.save(os.fsencode(tmp_path / "add.blm"))
    assert (bl.load(tmp_path / "add.blm")(ONE, ONE) == 2).all()


def test_what_is_no_saved_program(tmp_path):
    with pytest.raises(FileNotFoundError):
        bl.load(tmp_path / "none.blm")
    (tmp_path / "add.blm").write_text(ADD)
    with pytest.raises(bl.CompileError, match=r"it is no saved program; broadloom.compile takes"):
        bl.load(tmp_path / "add.blm")
    bl.compile(ADD).save(tmp_path / "add.blm")
    data = bytearray((tmp_path / "add.blm").read_bytes())
    data[len(data) // 2] ^= 1
    with pytest.raises(bl.CompileError, match="the saved program is damaged; save it again"):
        bl.load(bytes(data))
    with pytest.raises(TypeError, match=r"did you mean 'threads'?"):
        bl.load(tmp_path / "add.blm", thread=3)
    for verify in ("yes", None):
        with pytest.raises(TypeError, match=f"verify is True or False, not {verify!r}"):
            bl.load(tmp_path / "add.blm", verify=verify)
    for option in ("optimise", "check_effects", "trust_bytecode"):
        with pytest.raises(TypeError, match=f"{option} is True or False, not 'no'"):
            bl.compile(ADD, **{option: "no"})


@pytest.mark.parametrize("compile", [bl.compile, bl.compile_program])
def test_only_load_runs_machine_code(tmp_path, compile):
    path = tmp_path / "add.blm"
    bl.compile(ADD).save(path)
    data = path.read_bytes()
    for program in (path, data, bytearray(data), io.BytesIO(data)):
        with pytest.raises(ValueError, match=r"is a saved program, .*; broadloom.load takes it"):
            compile(program)
    assert bl.check(path).accepted
    assert (bl.load(io.BytesIO(data))(ONE, ONE) == 2).all()


def test_a_name_with_braces_is_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bl.compile(ADD).save("m{1}.blm")
    f = bl.load("m{1}.blm")
    assert (f(ONE, ONE) == 2).all() and f.program.name == "m{1}.blm"
    with pytest.raises(FileNotFoundError):
        bl.load(ADD)


def test_a_file_is_written_whole_or_not(tmp_path):
    with pytest.raises(OSError):
        bl.compile(ADD).save(tmp_path / "no folder" / "add.blm")
    bl.compile(ADD).save(tmp_path / "add.blm")
    assert os.listdir(tmp_path) == ["add.blm"]


def test_a_program_that_cannot_be_saved_leaves_the_file(tmp_path, monkeypatch):
    f = bl.compile(ADD)
    path = tmp_path / "add.blm"
    path.write_text("old")
    monkeypatch.setattr(bl.Program, "_save", lambda *_: False)
    with pytest.raises(bl.CompileError, match="the program cannot be saved"):
        f.save(path)
    assert path.read_text() == "old" and len(list(tmp_path.iterdir())) == 1


def test_links_and_permissions_stay(tmp_path):
    f = bl.compile(ADD)
    target, link, loose = tmp_path / "target.blm", tmp_path / "link.blm", tmp_path / "loose.blm"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to("target.blm")
    loose.symlink_to("later.blm")
    with open(target) as reader:
        f.save(link)
        assert reader.read() == "old"
    f.save(loose)
    assert link.is_symlink() and loose.is_symlink() and target.stat().st_mode & 0o777 == 0o640
    for path in (target, link, loose, tmp_path / "later.blm"):
        assert (bl.load(path)(ONE, ONE) == 2).all()
    assert len(os.listdir(tmp_path)) == 4


def test_fifos_and_devices_are_written(tmp_path):
    f = bl.compile(ADD)
    os.mkfifo(tmp_path / "fifo")
    with subprocess.Popen(["cat", tmp_path / "fifo"], stdout=subprocess.PIPE) as reader:
        f.save(tmp_path / "fifo")
        assert (bl.load(reader.stdout.read())(ONE, ONE) == 2).all()
    assert (tmp_path / "fifo").is_fifo()
    f.save(os.devnull)
    assert pathlib.Path(os.devnull).is_char_device()
    with pytest.raises(OSError, match="No space left on device: '/dev/full'") as caught:
        f.save("/dev/full")
    assert caught.value.filename == "/dev/full" and pathlib.Path("/dev/full").is_char_device()
    # A program that was given its output opened it already.
    script = "import sys, broadloom as bl; bl.load(sys.argv[1]).save('/dev/stdout')"
    f.save(tmp_path / "add.blm")
    with open(tmp_path / "out.blm", "wb") as out:
        subprocess.run([sys.executable, "-c", script, tmp_path / "add.blm"], stdout=out, check=True)
    assert (bl.load(tmp_path / "out.blm")(ONE, ONE) == 2).all()


def test_the_command_line_takes_them(tmp_path):
    bl.compile(ADD).save(tmp_path / "add.blm")
    script = "import sys; from _broadloom_cli import main; sys.exit(main())"
    result = subprocess.run(
        [sys.executable, "-c", script, "run", tmp_path / "add.blm", "--input=1x1xf32=2", "--input=1x1xf32=3"],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0 and "5" in result.stdout, result.stderr


def test_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BROADLOOM_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("BROADLOOM_VERIFY_PASSES", raising=False)
    assert (bl.compile(ADD)(ONE, ONE) == 2).all()
    [kept] = pathlib.Path(tmp_path, "cache").iterdir()
    used = kept.stat().st_mtime_ns
    os.utime(kept, ns=(0, 0))
    f = bl.compile(ADD)
    assert kept.stat().st_mtime_ns >= used
    assert (f(ONE, ONE) == 2).all()
    bl.compile(ADD, optimise=False)
    assert len(list(pathlib.Path(tmp_path, "cache").iterdir())) == 2
    monkeypatch.setenv("BROADLOOM_CACHE", "0")
    bl.compile(ADD + "\n")
    assert len(list(pathlib.Path(tmp_path, "cache").iterdir())) == 2
