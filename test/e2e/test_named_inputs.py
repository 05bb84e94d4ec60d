"""Arguments by name on the command line: whatever is named, in whatever order,
each argument gets its own input; whatever a program calls them."""

import itertools

import broadloom
import numpy as np
import pytest
from broadloom import DONE, REJECTED

# Names that text can have, and those that only a location can; some contain types,
# and "=", or begin with one another.
NAMES = ["img", "x", "xf32", "f33", "i8x", "a.b-c$", "a=b", "a", "batch['x']", "a b", "größe", "4x", "bytes:a"]


def program(names):
    """Gives back its arguments."""
    arguments = ", ".join(f'%arg{i}: tensor<f32> loc("{name}")' for i, name in enumerate(names))
    values, types = ", ".join(f"%arg{i}" for i in range(len(names))), ", ".join(["tensor<f32>"] * len(names))
    return f"func.func @main({arguments}) -> ({types}) {{\n  return {values} : {types}\n}}\n"


def results(path, inputs):
    outcome = broadloom.call("run", path, *(f"--input={text}" for text in inputs))
    assert outcome.status == DONE, outcome.error
    return [float(line) for line in outcome.out.split()]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_any_names_in_any_order(tmp_path, count):
    rng = np.random.default_rng(count)
    path = tmp_path / "p.mlir"
    for _ in range(12):
        names = list(rng.permutation(NAMES)[:count])
        path.write_text(program(names), encoding="utf-8")
        named = [bool(rng.integers(2)) for _ in names]
        given = [f"{name}=f32={i}" if isNamed else f"f32={i}" for i, (name, isNamed) in enumerate(zip(names, named))]
        # Inputs without a name keep their order.
        orders = [
            order
            for order in itertools.permutations(range(count))
            if [i for i in order if not named[i]] == [i for i in range(count) if not named[i]]
        ]
        order = orders[rng.integers(len(orders))]
        assert results(path, [given[i] for i in order]) == list(range(count)), (names, given, order)


@pytest.mark.parametrize("name", NAMES)
def test_errors_have_the_name(tmp_path, name):
    path = tmp_path / "p.mlir"
    path.write_text(program(["other", name]), encoding="utf-8")
    takes = f"'main' takes 2 arguments: other: tensor<f32>, {name}: tensor<f32>"
    outcome = broadloom.call("run", path, f"--input={name}=i32=1", "--input=f32=0")
    assert outcome.status == REJECTED
    assert (
        f"error: argument '{name}' ('i32=1'): the element type is i32, but f32 is expected; {takes}" in outcome.error
    ), outcome.error
    outcome = broadloom.call("run", path, f"--input={name}=f32=1", f"--input={name}=f32=0")
    assert outcome.status == REJECTED and f"argument '{name}' is given twice; {takes}" in outcome.error
    outcome = broadloom.call("run", path, f"--input={name}=2xf32=1", "--input=f32=0")
    assert outcome.status == REJECTED
    assert f"argument '{name}' has shape 2 but the function takes" in outcome.error, outcome.error
    assert f"{name}: tensor<f32>" in broadloom.call("inspect", path).out


@pytest.mark.parametrize("name", ["f32", "2xf32", "4x?xi8"])
def test_a_type_is_no_name(tmp_path, name):
    """Such an argument is given by position."""
    path = tmp_path / "p.mlir"
    path.write_text(program([name]), encoding="utf-8")
    assert results(path, ["f32=3"]) == [3]
    outcome = broadloom.call("run", path, f"--input={name}=f32=3")
    assert outcome.status == REJECTED and f"argument '{name}' (" in outcome.error


@pytest.mark.parametrize("name", ["", "a\\0Ab", "\\1B[31m", "n" * 200])
def test_what_no_message_can_have_is_no_name(tmp_path, name):
    path = tmp_path / "p.mlir"
    path.write_text(program([name]), encoding="utf-8")
    outcome = broadloom.call("run", path, "--input=i32=1")
    assert outcome.status == REJECTED and "error: argument 0 ('i32=1')" in outcome.error, outcome.error


def test_a_name_that_no_argument_has(tmp_path):
    path = tmp_path / "program.mlir"
    path.write_text(
        "func.func @main(%img: tensor<?x4xf32>, %mask: tensor<?x4xf32>) -> tensor<?x4xf32> {\n"
        "%r = tosa.add %img, %mask : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>\n"
        "return %r : tensor<?x4xf32>\n}\n"
    )
    message = "there is no argument 'im'; there are: 'img', 'mask'"
    for command, given, other in (
        ("run", "im=2x4xf32=1", "2x4xf32=1"),
        ("run", "im=x.npy", "2x4xf32=1"),
        ("shapes", "im=2x4", "2x4"),
        ("shapes", "im=9", "2x4"),
    ):
        outcome = broadloom.call(command, path, f"--input={given}", f"--input={other}")
        assert outcome.status == broadloom.REJECTED and message in outcome.error, outcome.error
        right = broadloom.call(
            command, path, f"--input={given.replace('im=', 'img=')}", f"--input={other}", cwd=tmp_path
        )
        assert "there is no argument" not in right.error
