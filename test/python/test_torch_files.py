"""Files of torch.export where there is no torch. test/torch/ has the same with torch."""

import os
import subprocess
import sys
import zipfile

import broadloom as bl
import pytest


@pytest.fixture
def archive(tmp_path):
    """What has the marks of such a file, and nothing else."""
    path = tmp_path / "model.pt2"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("model/archive_format", "pt2")
    return path


def test_pytorch_is_needed(archive, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    message = "model.pt2 is a program of torch.export, which PyTorch reads; install it with 'pip install torch'"
    for read in (bl.compile, bl.check, bl.compile_program):
        with pytest.raises(ImportError, match=message):
            read(archive)


def test_the_command_line_needs_it_too(archive):
    script = "import sys; sys.modules['torch'] = None; from _broadloom_cli import main; sys.exit(main())"
    package = os.path.dirname(os.path.dirname(bl.__file__))
    environment = dict(os.environ, PYTHONPATH=package)
    for command in ("check", "run"):
        done = subprocess.run(
            [sys.executable, "-c", script, command, archive], capture_output=True, text=True, env=environment
        )
        assert done.returncode == 1 and done.stdout == ""
        assert done.stderr == (
            f"broadloom: error: {archive} is a program of torch.export, which PyTorch reads; install it with "
            "'pip install torch'\n"
        )


def test_archives_of_something_else(tmp_path):
    path = tmp_path / "model.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("readme", "")
    for read in (bl.compile, bl.check):
        with pytest.raises(bl.CompileError, match="model.zip: error: it is an archive, but none of torch.export.save"):
            read(path)
