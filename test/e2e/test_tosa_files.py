"""TOSA files: those that the official tools write, and those that Broadloom writes,
run as the texts do that they were made from."""

import json
import subprocess

import broadloom
import numpy as np
import pytest
from broadloom import DONE, REJECTED
from tosa_files import PROGRAMS, TOOLS, run, serialize, text


def countResults(name):
    return text(name).split("return ")[-1].count("%")


def emit(folder, name, source=None):
    """The file that Broadloom makes."""
    path = folder / f"{name}.own.tosa"
    if source is None:
        source = folder / f"{name}.mlir"
        source.write_text(text(name))
    outcome = broadloom.call("compile", source, "--emit=tosa", "-o", path)
    assert outcome.status == DONE, outcome.error
    return path


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("make", [serialize, emit])
def test_runs_as_its_text(tmp_path, name, make):
    path, arguments, count = make(tmp_path, name), PROGRAMS[name][1], countResults(name)
    expected = run(tmp_path, tmp_path / f"{name}.mlir", arguments, count)
    found = run(tmp_path, path, arguments, count)
    for f, e in zip(found, expected, strict=True):
        np.testing.assert_array_equal(f, e)


@pytest.mark.parametrize("name", PROGRAMS)
def test_official_tool_reads_ours(tmp_path, name):
    path = emit(tmp_path, name)
    done = subprocess.run(
        [f"{TOOLS}/tosa-opt", f"--tosa-deserialize=tosa-flatbuffer-filename={path}", "-"],
        input="module {}",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    # The tool's remarks stand between the lines.
    lines = [line for line in done.stdout.splitlines() if "WARNING" not in line]
    (tmp_path / "back.mlir").write_text("\n".join(lines))
    arguments, count = PROGRAMS[name][1], countResults(name)
    expected = run(tmp_path, tmp_path / f"{name}.mlir", arguments, count)
    for f, e in zip(run(tmp_path, tmp_path / "back.mlir", arguments, count), expected, strict=True):
        np.testing.assert_array_equal(f, e)


@pytest.mark.parametrize("name", ["convolution", "integers"])
def test_official_model_computes_ours(tmp_path, name):
    """The reference model, on a file of ours."""
    path, arguments = emit(tmp_path, name), PROGRAMS[name][1]
    expected = run(tmp_path, tmp_path / f"{name}.mlir", arguments, countResults(name))
    done = subprocess.run(
        [
            f"{TOOLS}/tosa_reference_model",
            f"--tosa_file={path}",
            f"--ifm_name={','.join(f'input_{i}' for i in range(len(arguments)))}",
            f"--ifm_file={','.join(f'{tmp_path}/in{i}.npy' for i in range(len(arguments)))}",
            f"--ofm_name={','.join(outputNames(path))}",
            f"--ofm_file={','.join(f'{tmp_path}/ref{i}.npy' for i in range(len(expected)))}",
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    for i, e in enumerate(expected):
        np.testing.assert_allclose(np.load(tmp_path / f"ref{i}.npy"), e, rtol=1e-5, atol=1e-5)


def outputNames(path):
    from tosa.TosaGraph import TosaGraph

    block = TosaGraph.GetRootAs(path.read_bytes()).Regions(0).Blocks(0)
    return [block.Outputs(i).decode() for i in range(block.OutputsLength())]


def test_is_told_by_its_contents(tmp_path):
    path = serialize(tmp_path, "constants")
    renamed = path.rename(tmp_path / "program.mlir")
    outcome = broadloom.call("inspect", renamed, "--json")
    assert outcome.status == DONE, outcome.error
    assert json.loads(outcome.out)["form"] == "TOSA file"
    for command in ("check", "shapes", "compile"):
        options = ["--input=2x3"] if command == "shapes" else []
        outcome = broadloom.call(command, renamed, *options)
        assert outcome.status == DONE, outcome.error
    with open(renamed, "rb") as file:
        done = subprocess.run([broadloom.PROGRAM, "inspect", "-"], stdin=file, capture_output=True, text=True)
    assert done.returncode == DONE and "TOSA file" in done.stdout, done.stderr


def test_locations_of_errors(tmp_path):
    (tmp_path / "p.mlir").write_text("""
func.func @main(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) -> tensor<?x3xf32> {
  %0 = tosa.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = tosa.add %0, %y : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}""")
    outcome = broadloom.call("check", emit(tmp_path, "p", tmp_path / "p.mlir"))
    assert outcome.status == REJECTED
    assert (
        "p.own.tosa: operator 1 of 'main', 'tosa.add': error: \"value_3\": 'tosa.add' op operands are not "
        "broadcast-compatible" in outcome.error
    ), outcome.error


def test_old_text_becomes_a_file(tmp_path):
    (tmp_path / "old.mlir").write_text(
        "func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {\n"
        '  %0 = "tosa.div"(%x, %x) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>\n'
        "  return %0 : tensor<2xi32>\n}\n"
    )
    path = emit(tmp_path, "old", tmp_path / "old.mlir")
    assert (run(tmp_path, path, [np.array([5, 7], np.int32)], 1)[0] == 1).all()
