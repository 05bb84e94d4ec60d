"""Files of torch.export where there is no torch. test/torch/ has the same with torch."""

import os
import subprocess
import sys
import zipfile

import broadloom as bl
import pytest

MESSAGE = f"a program of torch.export, which PyTorch reads, and {sys.executable} has no module torch; use a Python that has it"


@pytest.fixture
def archive(tmp_path):
    """Makes a file that has the marks, and nothing else."""
    path = tmp_path / "model.pt2"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("model/archive_format", "pt2")
    return path


def test_pytorch_is_needed(archive, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    for read in (bl.compile, bl.check, bl.compile_program):
        with pytest.raises(ImportError) as caught:
            read(archive)
        assert str(caught.value) == f"{archive} is {MESSAGE}"


def test_the_command_line_needs_it_too(archive, tmp_path):
    """The console script names the converter beside it, which need not be in PATH."""
    package = os.path.dirname(os.path.dirname(bl.__file__))
    head = f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {package!r})\nsys.modules['torch'] = None\n"
    for name, module in (("broadloom", "_broadloom_cli"), ("broadloom-torch", "broadloom.torch.__main__")):
        (tmp_path / name).write_text(f"{head}from {module} import main\nsys.exit(main())\n")
        (tmp_path / name).chmod(0o755)
    for command in ("check", "run"):
        done = subprocess.run([tmp_path / "broadloom", command, archive], capture_output=True, text=True)
        assert done.returncode == 1
        assert (
            f"{archive}: error: '{tmp_path}/broadloom-torch' does not convert it: {archive} is {MESSAGE}\n"
        ) in done.stderr


def test_archives_of_something_else(tmp_path):
    path = tmp_path / "model.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("readme", "")
    for read in (bl.compile, bl.check):
        with pytest.raises(
            bl.CompileError, match=r"model.zip: error: the file is an archive that torch.export.save did not write"
        ):
            read(path)
