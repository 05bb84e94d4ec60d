"""The commands of `broadloom` on files of torch.export, which it is given as MLIR.

The compiler reads no such file: PyTorch does, in this process. What it prints has the lines of Python that the
file has.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from .._errors import Error
from ._files import is_archive, read_exported
from ._fixed import FixedExtent, add_fixed


def run(program: str, arguments: Sequence[str]) -> int:
    """Runs the program with MLIR in place of each such file; its exit status."""
    fixed: list[FixedExtent] = []
    #: What files are called in reports, by the names of their programs.
    names: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="broadloom-") as folder:
        given = list(arguments)
        for place, argument in enumerate(arguments):
            if not argument.endswith(".pt2") or argument.startswith("-") or not os.path.isfile(argument):
                continue
            try:
                with open(argument, "rb") as file:
                    data = file.read()
                if not is_archive(data):
                    continue
                read = read_exported(data, argument)
            except (Error, ImportError, NotImplementedError, OSError, TypeError, ValueError) as error:
                place = "" if argument in str(error) else f"{argument}: "
                print(f"broadloom: error: {place}{error}", file=sys.stderr)
                return 1
            fixed += read.fixed
            given[place] = os.path.join(folder, os.path.basename(argument) + ".mlir")
            names[given[place]] = argument + ".mlir"
            with open(given[place], "w", encoding="utf-8") as file:
                file.write(read.text)
        if names and given[:1] == ["check"]:
            return _check([program, *given], names, fixed)
        return subprocess.run([program, *given], check=False).returncode


def _check(command: Sequence[str], names: dict[str, str], fixed: Sequence[FixedExtent]) -> int:
    """Runs 'check', whose report has what the export has fixed at its head."""
    form = _find_option(command, "format") or ("json" if "--json" in command or "-json" in command else "text")
    path = _find_option(command, "output")
    done = subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE)
    report = done.stdout
    if path not in (None, "-"):
        print(report, end="")
        if not os.path.isfile(path):
            return done.returncode
        with open(path, encoding="utf-8") as file:
            report = file.read()
    if report:
        report = add_fixed(report, form, "main", fixed)
    for made, name in names.items():
        report = report.replace(made, name)
    if path not in (None, "-"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(report)
    else:
        print(report, end="")
    return done.returncode


def _find_option(command: Sequence[str], name: str) -> str | None:
    """The last value of an option, as --name=value or --name value."""
    found = None
    for place, word in enumerate(command):
        key, has_value, value = word.partition("=")
        if key in (f"--{name}", f"-{name}"):
            found = value if has_value else next(iter(command[place + 1 :]), None)
    return found
