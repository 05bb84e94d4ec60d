"""TensorFlow Lite models, by way of a converter: here one that is made up, and the
real one where it is installed."""

import os
import shutil
import stat
import subprocess

import broadloom
import pytest
from broadloom import DONE, REJECTED

MODEL = b"\x1c\x00\x00\x00TFL3" + bytes(100)


def makeConverter(folder, script):
    """A program that is called as the converter is."""
    path = folder / "bin" / "tosa-converter-for-tflite"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def makeModel(folder):
    path = folder / "model.any"
    path.write_bytes(MODEL)
    return path


# Its arguments are MODEL --bytecode -o PROGRAM.
NEGATE = """
test "$(head -c 8 "$1" | tail -c 4)" = TFL3 && test "$2 $3" = "--bytecode -o" || exit 9
cat > "$4" <<END
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "tosa.negate"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
END
"""


@pytest.mark.parametrize("isNamed", [False, True])
def test_runs(tmp_path, isNamed):
    converter = makeConverter(tmp_path, NEGATE)
    environment = (
        {"BROADLOOM_TFLITE_CONVERTER": str(converter)}
        if isNamed
        else {"PATH": f"{converter.parent}:{os.environ['PATH']}"}
    )
    outcome = broadloom.call("run", makeModel(tmp_path), "--input=2xf32=1 -2", **environment)
    assert outcome.status == DONE, outcome.error
    assert outcome.out.strip() == "[-1.  2.]"


def test_temporary_files_are_private(tmp_path):
    """All three are there, for their owner alone, until the converter is done."""
    check = 'test "$(stat -c %a "$1" "$4" "$TMPDIR"/broadloom-model*.txt | sort -u)" = 600 || exit 9\n'
    converter = makeConverter(tmp_path, check + NEGATE)
    outcome = broadloom.call(
        "check", makeModel(tmp_path), BROADLOOM_TFLITE_CONVERTER=str(converter), TMPDIR=str(tmp_path)
    )
    assert outcome.status == DONE, outcome.error
    assert not list(tmp_path.glob("broadloom-model*"))


def test_reads_standard_input(tmp_path):
    converter = makeConverter(tmp_path, NEGATE)
    with open(makeModel(tmp_path), "rb") as file:
        done = subprocess.run(
            [broadloom.PROGRAM, "inspect", "-"],
            stdin=file,
            capture_output=True,
            text=True,
            env={**os.environ, "BROADLOOM_TFLITE_CONVERTER": str(converter)},
        )
    assert done.returncode == DONE and "tosa.negate" in done.stdout, done.stderr


def test_without_converter(tmp_path):
    outcome = broadloom.call("check", makeModel(tmp_path), PATH=str(tmp_path))
    assert outcome.status == REJECTED
    assert (
        "model.any: error: is a TensorFlow Lite model, which 'tosa-converter-for-tflite' converts, and PATH has "
        "no such program; install it with 'pip install tosa-converter-for-tflite', or name it in "
        "BROADLOOM_TFLITE_CONVERTER"
    ) in outcome.error


def test_wrong_name(tmp_path):
    outcome = broadloom.call("check", makeModel(tmp_path), BROADLOOM_TFLITE_CONVERTER="/nowhere")
    assert outcome.status == REJECTED
    assert "'/nowhere', which BROADLOOM_TFLITE_CONVERTER names, is no program that can be run" in outcome.error


@pytest.mark.parametrize(
    "script, words",
    [
        ("echo cannot do that >&2; exit 3\n", "does not convert it: cannot do that"),
        ("exit 3\n", "does not convert it: it says nothing"),
        ("exit 0\n", "does not convert it: it says nothing"),
        ("kill -SEGV $$\n", "does not convert it: "),
    ],
)
def test_converter_fails(tmp_path, script, words):
    converter = makeConverter(tmp_path, script)
    outcome = broadloom.call(
        "check", makeModel(tmp_path), BROADLOOM_TFLITE_CONVERTER=str(converter), TMPDIR=str(tmp_path)
    )
    assert outcome.status == REJECTED
    assert words in outcome.error, outcome.error
    assert not list(tmp_path.glob("broadloom-model*"))


def test_operations_that_the_converter_leaves(tmp_path):
    """It writes them as bytecode, in the dialect of TensorFlow."""
    program = tmp_path / "left.mlir"
    program.write_text(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        '  %0 = "tf.If"(%x) : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n'
    )
    left = tmp_path / "left.mlirbc"
    optimizer = shutil.which("mlir-opt", path="/usr/lib/llvm-22/bin")
    subprocess.run([optimizer, "--allow-unregistered-dialect", "--emit-bytecode", program, "-o", left], check=True)
    converter = makeConverter(tmp_path, f'cp {left} "$4"\n')
    outcome = broadloom.call("check", makeModel(tmp_path), BROADLOOM_TFLITE_CONVERTER=str(converter))
    assert outcome.status == REJECTED
    assert (
        "dialect 'tf' is unknown; its operations are what the converter of TensorFlow Lite models had no TOSA for, "
        "such as IF: make the model without them"
    ) in outcome.error, outcome.error


def test_real_converter(models, tmp_path):
    if not shutil.which("tosa-converter-for-tflite"):
        pytest.skip("tosa-converter-for-tflite is not installed")
    folder = f"{models}/wake_word_hey_jarvis"
    path = next(f for f in os.listdir(folder) if f.endswith(".tflite"))
    outcome = broadloom.call("inspect", f"{folder}/{path}")
    assert outcome.status == DONE and "tosa.variable" in outcome.out, outcome.error
