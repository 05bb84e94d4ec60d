"""Files of torch.export in commands, where there is no torch. test/torch/ has the same with torch."""

import os
import subprocess
import sys
import zipfile

import broadloom
import pytest
from broadloom import REJECTED

CONVERTER = os.path.join(os.path.dirname(broadloom.PROGRAM), "broadloom-torch")

needsPackage = pytest.mark.skipif(not os.path.exists(CONVERTER), reason="the Python package is not built")


@pytest.fixture(params=["model/archive_format", "serialized_exported_program.json"])
def archive(request, tmp_path):
    """Makes a file that has the mark, of this or an older form, and nothing else."""
    path = tmp_path / "model.any"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(request.param, "pt2")
    return path


@pytest.fixture
def converter(tmp_path):
    """The converter of the build tree in a Python that has no torch."""
    path = tmp_path / "converter"
    package = os.path.join(os.path.dirname(os.path.dirname(CONVERTER)), "python")
    path.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {package!r})\nsys.modules['torch'] = None\n"
        "from broadloom.torch.__main__ import main\nsys.exit(main())\n"
    )
    path.chmod(0o755)
    return path


@needsPackage
@pytest.mark.parametrize("command", ["check", "run"])
def test_without_pytorch(archive, converter, command):
    outcome = broadloom.call(command, archive, BROADLOOM_TORCH_CONVERTER=str(converter), TMPDIR=str(archive.parent))
    assert outcome.status == REJECTED
    assert (
        f"model.any: error: '{converter}' does not convert it: {archive} is a program of torch.export, which "
        f"PyTorch reads, and {sys.executable} has no module torch; use a Python that has it"
    ) in outcome.error
    assert not list(archive.parent.glob("broadloom-model*"))


def test_converter_that_is_not_there(archive, tmp_path):
    outcome = broadloom.call("check", archive, BROADLOOM_TORCH_CONVERTER=str(tmp_path / "none"))
    assert outcome.status == REJECTED
    assert "/none', which BROADLOOM_TORCH_CONVERTER names, is no program that can be run" in outcome.error


@needsPackage
def test_converter_by_itself(converter, tmp_path):
    """What it is given may be no archive."""
    (tmp_path / "text").write_text("text")
    done = subprocess.run([converter, tmp_path / "text", "-o", tmp_path / "program"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "it is no file of torch.export.save\n"
    assert not (tmp_path / "program").exists()


def test_other_archives(tmp_path):
    path = tmp_path / "arrays.npz"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a.npy", "")
    outcome = broadloom.call("run", path)
    assert outcome.status == REJECTED
    assert (
        "arrays.npz: error: the file is an archive that torch.export.save did not write, or it is damaged"
        in outcome.error
    )
