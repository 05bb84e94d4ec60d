"""scripts/check-format finds and repairs what is not formatted, and what the linter finds."""

import os
import shutil
import subprocess
import sys

import pytest
from conftest import SCRIPTS

ROOT = os.path.dirname(os.path.realpath(SCRIPTS))
RUFF = os.path.join(os.path.dirname(sys.executable), "ruff")


def run(*command, folder):
    return subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


@pytest.fixture
def folder(tmp_path):
    """A repository with the configuration of this one, and no other files."""
    os.makedirs(tmp_path / "scripts")
    shutil.copy(os.path.join(SCRIPTS, "check-format"), tmp_path / "scripts")
    for name in (".clang-format", ".gitignore", "pyproject.toml"):
        shutil.copy(os.path.join(ROOT, name), tmp_path)
    os.makedirs(tmp_path / ".venv/bin")
    os.symlink(RUFF, tmp_path / ".venv/bin/ruff")
    run("git", "init", "-q", folder=tmp_path)
    return tmp_path


def check(folder, path, text, *options):
    """Returns what the script says of a file with this text, and the text after it."""
    file = folder / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    done = run("scripts/check-format", *options, folder=folder)
    return done, file.read_text()


@pytest.mark.parametrize(
    "path, wrong, right",
    [
        ("shape/A.cpp", "int  a;\n", "int a;\n"),
        ("bench/a.py", "x  = 1\n", "x = 1\n"),
        ("bench/a.py", "import os\n\nx = 1\n", "x = 1\n"),
        ("bench/a.py", "import sys\nimport os\n\nx = os, sys\n", "import os\nimport sys\n\nx = os, sys\n"),
        ("scripts/check-layers", "x  = 1\n", "x = 1\n"),
        ("docs/site/conf.py", "x = 'a'\n", 'x = "a"\n'),
    ],
)
def test_wrong_files_are_shown_and_repaired(folder, path, wrong, right):
    os.makedirs(folder / "docs/site")
    done, text = check(folder, path, wrong)
    assert done.returncode == 1 and path in done.stdout and text == wrong
    done, text = check(folder, path, wrong, "--fix")
    assert (done.returncode, done.stdout, text) == (0, "", right)
    assert check(folder, path, right)[0].returncode == 0


def test_what_cannot_be_repaired_is_shown(folder):
    for options in ((), ("--fix",)):
        done, _ = check(folder, "bench/a.py", "print(y)\n", *options)
        assert done.returncode == 1 and "F821" in done.stdout and "bench/a.py:1:7" in done.stdout


@pytest.mark.parametrize("path", ["build/a.py", ".venv/a.py", "docs/a.md"])
def test_other_files_are_left_out(folder, path):
    done, _ = check(folder, path, "```python\nx  = 1\n```\n" if path.endswith(".md") else "x  = 1\n")
    assert (done.returncode, done.stdout) == (0, "")


def test_without_ruff_the_script_says_what_to_do(folder):
    os.remove(folder / ".venv/bin/ruff")
    done, _ = check(folder, "bench/a.py", "x = 1\n")
    assert done.returncode == 2 and done.stdout.endswith("run scripts/setup\n")


def test_unknown_options_are_refused(folder):
    done = run("scripts/check-format", "--write", folder=folder)
    assert (done.returncode, done.stdout) == (2, "check-format: unknown option --write\n")


def test_each_script_of_python_is_checked():
    """pyproject.toml lists those whose names have no ending."""
    scripts = run("git", "grep", "-lE", "^#!.*python", "--", ":!*.py", folder=ROOT).stdout.split()
    checked = run(RUFF, "check", "--show-files", folder=ROOT).stdout.split()
    assert scripts and not {os.path.join(ROOT, name) for name in scripts} - set(checked)
