"""Runs `broadloom-onnx` or `broadloom-torch` of a build or of an installation, in the first Python that can.

    python3 _broadloom_convert.py KIND BUILT_WITH MODEL -o OUTPUT [--name NAME]

KIND is `onnx` or `torch`, and BUILT_WITH the Python that Broadloom was built with, or nothing. A Python can convert
if it is new enough and has the modules of NEEDED. If the environment names one as BROADLOOM_PYTHON, no other is
asked; otherwise each python3 in PATH, in this order, and BUILT_WITH last. This file is written so that an older
Python can read it.
"""

import os
import subprocess
import sys
import types

#: The modules that a conversion imports. PyTorch does not require NumPy.
NEEDED = {"onnx": ["numpy"], "torch": ["numpy", "torch"]}
OLDEST = (3, 11)
VARIABLE = "BROADLOOM_PYTHON"


def find_lack(kind):
    """Says what this Python lacks for a conversion; an empty text if it lacks nothing. It imports no module."""
    if sys.version_info[:2] < OLDEST:
        return "is version %d.%d" % sys.version_info[:2]
    from importlib.util import find_spec

    lacking = [name for name in NEEDED[kind] if find_spec(name) is None]
    return "has no module " + " and no module ".join(lacking) if lacking else ""


def ask(python, kind):
    """Asks another Python what it lacks."""
    try:
        asked = subprocess.Popen(
            [python, os.path.abspath(__file__), "--lack", kind], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError as error:
        return "cannot be run: " + str(error.strerror)
    answer = asked.communicate()[0].decode("utf-8", "replace").strip()
    return answer if asked.returncode == 0 else "cannot run the converter"


def list_pythons(built_with):
    """Lists the Pythons to ask, in this order. A folder that PATH has twice, or by a link, counts once."""
    if os.environ.get(VARIABLE):
        return []
    found, seen = [], set()
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        python = os.path.join(os.path.abspath(folder), "python3")
        real = os.path.realpath(folder)
        if real not in seen and os.path.isfile(python) and os.access(python, os.X_OK):
            found.append(python)
        seen.add(real)
    if built_with and os.path.realpath(os.path.dirname(built_with)) not in seen and os.access(built_with, os.X_OK):
        found.append(built_with)
    return found


def explain(kind, asked):
    """Returns the error for the case that no Python can convert: what each of them lacks, and what to do."""
    if len(asked) == 1 and asked[0][1].startswith("has no module ") and " and " not in asked[0][1]:
        wanted = "that has it"
    else:
        wanted = "%d.%d or later that has " % OLDEST + " and ".join(NEEDED[kind])
    lacks = ", ".join("%s %s" % each for each in asked)
    return "%s; set %s to a Python %s" % (lacks, VARIABLE, wanted)


def convert(kind, words):
    """Converts in this Python."""

    # The compiled module of the package is for one version of Python, and no conversion calls it: each of its
    # names stands for an empty class here.
    class Core(types.ModuleType):
        def __getattr__(self, name):
            if name.startswith("__") and name != "__version__":
                raise AttributeError(name)
            setattr(self, name, type(name, (), {}))
            return getattr(self, name)

    sys.modules["broadloom._core"] = Core("broadloom._core")
    sys.argv[1:] = words
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from importlib import import_module

    return import_module("broadloom." + kind + ".__main__").main()


def main():
    """Converts, here or in another Python; 1 where that cannot be done."""
    if sys.argv[1] == "--lack":
        print(find_lack(sys.argv[2]))
        return 0
    kind, built_with = sys.argv[1:3]
    lack = find_lack(kind)
    if not lack:
        return convert(kind, sys.argv[3:])
    # The first Python of PATH is this one.
    asked = [(os.environ.get(VARIABLE) or sys.executable, lack)]
    for python in list_pythons(built_with)[1:]:
        lack = ask(python, kind)
        if not lack:
            sys.stdout.flush()
            os.execv(python, [python, os.path.abspath(__file__), *sys.argv[1:]])
        asked.append((python, lack))
    sys.stderr.write(explain(kind, asked) + "\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
