"""Calls the program `broadloom` as a user does."""

import os
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
from element_types import TYPES, load, save

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
PROGRAM = os.path.join(os.environ.get("BROADLOOM_BUILD", os.path.join(ROOT, "build")), "bin", "broadloom")
LIMIT_S = 120
RUNTIME = os.path.join(os.path.dirname(os.path.dirname(PROGRAM)), "lib", "libbroadloom_runtime.so")

# The exit statuses of the command line.
DONE, REJECTED, WRONG_COMMAND, GUARD_FAILED = 0, 1, 2, 3


@dataclass
class Outcome:
    status: int
    out: str
    error: str


def call(*arguments, cwd=None, **environment):
    """Runs `broadloom ARGUMENTS…`; a hang is an assertion failure, and so is
    any exit status besides the four of the command line."""
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)],
        capture_output=True,
        timeout=LIMIT_S,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    error = done.stderr.decode("utf-8", "replace")
    assert done.returncode in (DONE, REJECTED, WRONG_COMMAND, GUARD_FAILED), (
        f"exit status {done.returncode} is a bug: {error}"
    )
    return Outcome(done.returncode, done.stdout.decode("utf-8", "replace"), error)


def keepPrograms(monkeypatch, folder):
    """From here on, a program that runs again is not compiled again: for tests that run
    one of any extents many times. What they run before is verified behind each pass."""
    monkeypatch.setenv("BROADLOOM_CACHE", os.path.join(folder, "cache"))
    monkeypatch.setenv("BROADLOOM_VERIFY_PASSES", "0")


def loadLibrary(library, function=None):
    """A function of a shared library that `broadloom compile` made
    (examples/load.py)."""
    sys.path.append(os.path.join(ROOT, "examples"))
    from load import Program

    return Program(RUNTIME, library, function)


def checkText(folder, text, *options):
    """`broadloom check` of a text, which is in the file p.mlir of `folder`."""
    path = os.path.join(folder, "p.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return call("check", path, *options)


def run(folder, program, inputs, resultTypes, *options):
    """Runs the MLIR text `program` on NumPy arrays (or on strings, typed input
    as it is). Returns (Outcome, results or None). All files are in `folder`."""
    path = os.path.join(folder, "program.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(program)
    arguments = ["run", path, *options]
    for i, value in enumerate(inputs):
        if isinstance(value, np.ndarray):
            name = os.path.join(folder, f"in{i}.npy")
            save(name, value)
            value = name
        arguments.append(f"--input={value}")
    outputs = [os.path.join(folder, f"out{i}.npy") for i in range(len(resultTypes))]
    for output in outputs:
        if os.path.exists(output):
            os.remove(output)
    outcome = call(*arguments, *(f"--output={o}" for o in outputs))
    found = None
    if outcome.status == DONE:
        found = [load(o, kind) for o, kind in zip(outputs, resultTypes)]
    assertShapesAgree(path, inputs, outcome, found, *options)
    if outcome.status != DONE:
        left = [o for o in outputs if os.path.exists(o)]
        assert not left, f"exit status {outcome.status}, and yet {left} were written"
        return outcome, None
    return outcome, found


def runByData(folder, text, *arrays):
    """The outcome and the result, of f32, of a program whose shapes depend on
    data, so that they are not known before it runs."""
    path, output = os.path.join(folder, "program.mlir"), os.path.join(folder, "out.npy")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    inputs = [os.path.join(folder, f"in{i}.npy") for i in range(len(arrays))]
    for name, array in zip(inputs, arrays):
        save(name, array)
    outcome = call("run", path, f"--output={output}", *(f"--input={name}" for name in inputs))
    return outcome, load(output, TYPES["f32"]) if outcome.status == DONE else None


# What a guard says that looks at data, and not at shapes.
ABOUT_DATA = ("index ", "shift", "zero point", "zero-point", "memory")


def shapeOf(value):
    """Spells what `broadloom shapes` is told of an input."""
    if isinstance(value, np.ndarray):
        return "x".join(str(e) for e in value.shape)
    return str(value).split("=")[0]


def assertShapesAgree(path, inputs, outcome, results, *options):
    """abi-2: `broadloom shapes` tells the shapes of a run's results, or fails
    as the run did."""
    queried = call(
        "shapes",
        path,
        *(f"--input={shapeOf(i)}" for i in inputs),
        *(o for o in options if not o.startswith("--threads")),
    )
    if outcome.status != DONE and any(word in outcome.error for word in ABOUT_DATA):
        return
    assert queried.status == outcome.status, (queried, outcome)
    if outcome.status != DONE:
        assert queried.error == outcome.error
        return
    lines = queried.out.split("\n")[:-1]
    assert len(lines) == len(results), (queried.out, results)
    for line, result in zip(lines, results):
        assert line == "x".join(str(e) for e in result.shape), (line, result.shape)
