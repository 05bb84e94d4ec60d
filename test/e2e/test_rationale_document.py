"""docs/rationale.md: each section has a program, each program a test, and those that are about functions run here."""

import os
import re
import subprocess

import broadloom
import numpy as np
import pytest
from element_types import TYPES
from memory_programs import EXAMPLES, example, fails, run

OPT = os.path.join(os.path.dirname(broadloom.PROGRAM), "broadloom-opt")
DOCUMENT = os.path.join(broadloom.ROOT, "docs", "rationale.md")
TESTS = [os.path.join(broadloom.ROOT, "test", folder) for folder in ("e2e", "python")]


def rows():
    """The rows of the document's tables, without their heads."""
    with open(DOCUMENT) as file:
        lines = [line for line in file.read().splitlines() if line.startswith("| ")]
    return [line for line in lines if not line.startswith("| section")]


def test_each_section_has_a_program():
    assert len(rows()) > 20
    for row in rows():
        linked = re.findall(r"\]\(\.\./(examples/[^)]*\.mlir)\)", row)
        assert linked, row
        for path in linked:
            assert os.path.exists(os.path.join(broadloom.ROOT, path)), path


@pytest.mark.parametrize("name", sorted(os.listdir(EXAMPLES)))
def test_each_program_has_a_section_and_a_test(name):
    with open(DOCUMENT) as file:
        assert f"(../examples/rationale/{name})" in file.read()
    found = subprocess.run(["grep", "-rlF", "--include=*.py", name, *TESTS], capture_output=True, text=True)
    assert found.stdout, f"no test runs {name}"


@pytest.mark.parametrize("extent", [0, 1, 5])
def test_example_of_functions(tmp_path, extent):
    x, y = np.arange(extent, dtype=np.float32), np.ones(extent, np.float32)
    _, (found,) = broadloom.run(tmp_path, example("functions.mlir"), [x, y], [TYPES["f32"]])
    np.testing.assert_array_equal(found, x * x + 1)


def test_errors_of_functions(tmp_path):
    """The list of arguments at the function says what each has; its name is one, and it is no value."""
    text = example("functions.mlir")
    (tmp_path / "p.mlir").write_text(text)
    outcome = broadloom.call("run", tmp_path / "p.mlir", "--input=2xf32=1", "--input=3xf32=1")
    assert outcome.status == broadloom.GUARD_FAILED
    assert "argument 'y', axis 0 has extent 3, but 'n' is 2, the extent of axis 0 of argument 'x'" in outcome.error
    (tmp_path / "p.mlir").write_text(text.replace("callee = @square", "callee = @cube"))
    outcome = broadloom.call("check", tmp_path / "p.mlir")
    assert outcome.status == broadloom.REJECTED and "'cube' does not reference a valid function" in outcome.error
    value = '%f = "func.constant"() <{value = @square}> : () -> ((tensor<?xf32>) -> tensor<?xf32>)'
    (tmp_path / "p.mlir").write_text(text.replace('%s = "func.call"', f'{value}\n  %s = "func.call"'))
    outcome = broadloom.call("check", tmp_path / "p.mlir")
    assert outcome.status == broadloom.REJECTED
    assert "functions are no values; call the function by its name" in outcome.error


def test_example_of_named_extents(tmp_path):
    a, b = np.arange(4, dtype=np.float32), np.ones(4, np.float32)
    _, arrays = run(tmp_path, example("named-extents.mlir"), [a, b])
    np.testing.assert_array_equal(arrays[1], a + 1)
    assert "argument 'b', axis 0 has extent 3, but 'n' is 4, the extent of axis 0 of argument 'a'" in fails(
        tmp_path, example("named-extents.mlir"), [a, b[:3]]
    )


def test_example_of_compiler_threads(tmp_path):
    """The same bytes for any number of threads, and the same numbers."""
    (tmp_path / "p.mlir").write_text(example("compiler-threads.mlir"))
    objects = []
    for threads in (1, 2, 3):
        path = tmp_path / f"{threads}.o"
        outcome = broadloom.call("compile", tmp_path / "p.mlir", f"--compile-threads={threads}", "-o", path)
        assert outcome.status == broadloom.DONE, outcome.error
        objects.append(path.read_bytes())
        a = np.arange(5, dtype=np.float32)
        _, (found,) = run(
            tmp_path, example("compiler-threads.mlir"), [a], (), "--function=main", f"--compile-threads={threads}"
        )
        np.testing.assert_array_equal(found, 2 * a + 2)
    assert objects[0] == objects[1] == objects[2]


def check_command(path, folder, command, *options):
    output = ["-o", folder / "out"] if command == "compile" else []
    outcome = broadloom.call(command, path, *options, *output)
    assert outcome.status == broadloom.DONE, outcome.error


@pytest.mark.parametrize(
    "command",
    [
        ["shapes", "--input=5"],
        ["bench", "--input=2xf32=1"],
        ["profile", "--input=2xf32=1"],
        *[["compile", f"--emit={form}"] for form in ("loom", "linalg", "llvm", "so", "tosa")],
    ],
    ids=" ".join,
)
def test_commands_that_need_not_understand_a_dialect(tmp_path, command):
    check_command(os.path.join(EXAMPLES, "other-dialects.mlir"), tmp_path, *command)


@pytest.mark.parametrize("command", [["run", "--input=2xf32=0,1"], ["check"], ["inspect"]], ids=" ".join)
def test_bytecode_of_a_dialect_that_is_not_known(tmp_path, command):
    path = tmp_path / "p.mlir"
    options = ["--allow-unregistered-dialect", "--emit-bytecode", "-o", path]
    subprocess.run([OPT, os.path.join(EXAMPLES, "other-dialects.mlir"), *options], check=True)
    check_command(path, tmp_path, *command)
