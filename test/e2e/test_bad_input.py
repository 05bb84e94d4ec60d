"""Bad input gets an error that says what and where, the exit status of the
command line, and no output file (abi-3)."""

import re
import shutil
import subprocess

import broadloom
import numpy as np
import pytest
from broadloom import DONE, REJECTED, WRONG_COMMAND

ADD = """\
func.func @f(%a: tensor<?x4xf32>, %b: tensor<?x?xf32>) -> tensor<?x4xf32> {
  %0 = tosa.add %a, %b : (tensor<?x4xf32>, tensor<?x?xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
"""
ADD_I8 = ADD.replace("f32", "i8").replace("?x4x", "?x?x")
TWO = """\
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
"""
ONE = "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {{\n  %0 = {} : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}}\n"
ARRAY = np.arange(12, dtype=np.float32).reshape(3, 4)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "add.mlir").write_text(ADD)
    (tmp_path / "add_i8.mlir").write_text(ADD_I8)
    (tmp_path / "two.mlir").write_text(TWO)
    np.save(tmp_path / "a.npy", ARRAY)
    return tmp_path


def expect(folder, status, message, *arguments):
    outcome = broadloom.call(*arguments, "--output=out.npy", cwd=folder)
    assert outcome.status == status, outcome.error
    assert re.search(message, outcome.error), f"{message!r} is not in: {outcome.error}"
    assert outcome.out == ""
    assert not (folder / "out.npy").exists()


@pytest.mark.parametrize(
    "text, message",
    [
        ("func.func @f(%a: tensor<?x4xf32>) -> {\n", r"program\.mlir:1:\d+: error: "),
        ("\x00\x01\x02garbage", r"program\.mlir:1:\d+: error: "),
        (ONE.format("tosa.frobnicate %a"), r"program\.mlir:2:8: error: .*'?tosa\.frobnicate'?"),
        (ONE.format('"nodialect.foo"(%a)'), r"program\.mlir:2:\d+: error: .*"),
        (ONE.format('"tosa.frobnicate"(%a)'), r"program\.mlir:2:\d+: error: .*tosa\.frobnicate"),
        (ONE.format("tosa.abs %nowhere"), r"program\.mlir:2:17: error: .*undeclared"),
        (ONE.format("tosa.clz %a"), r"program\.mlir:2:8: error: .*tosa\.clz.*f32"),
        (ONE.format("tosa.abs %a, %a"), r"program\.mlir:2:\d+: error: "),
        (ONE.format('"tosa.add"(%a)'), r"program\.mlir:2:\d+: error: .*tosa\.add"),
        (
            ADD.replace("(tensor<?x4xf32>, tensor<?x?", "(tensor<?x99999999999999999999xf32>, tensor<?x?"),
            r"program\.mlir:2:\d+: error: .*dimension",
        ),
        ("func.func private @f()\n", "no public function"),
        ("", "no public function"),
    ],
    ids=lambda value: None,
)
def test_programs(folder, text, message):
    (folder / "program.mlir").write_text(text)
    outcome = broadloom.call("run", "program.mlir", "--input=a.npy", "--output=out.npy", cwd=folder)
    assert outcome.status in (REJECTED, WRONG_COMMAND) and re.search(message, outcome.error), outcome.error
    assert outcome.status == REJECTED or "no public function" in message
    assert not (folder / "out.npy").exists()


def test_program_that_is_not_there(folder):
    expect(folder, REJECTED, r"none\.mlir: error: ", "run", "none.mlir", "--input=a.npy")


def test_truncated_bytecode(folder):
    optimizer = shutil.which("mlir-opt", path="/usr/lib/llvm-22/bin")
    subprocess.run([optimizer, "--emit-bytecode", folder / "add.mlir", "-o", folder / "all.mlirbc"], check=True)
    whole = (folder / "all.mlirbc").read_bytes()
    good = broadloom.call("run", "all.mlirbc", "--input=a.npy", "--input=a.npy", cwd=folder)
    assert good.status == DONE
    for length in [*range(4, len(whole), 23), len(whole) - 1]:
        (folder / "cut.mlirbc").write_bytes(whole[:length])
        expect(folder, REJECTED, r"cut\.mlirbc:?.*error: ", "run", "cut.mlirbc", "--input=a.npy", "--input=a.npy")


def test_damaged_bytecode(folder):
    """Whatever byte is wrong: an error or a result, never a crash or a hang."""
    optimizer = shutil.which("mlir-opt", path="/usr/lib/llvm-22/bin")
    subprocess.run([optimizer, "--emit-bytecode", folder / "add.mlir", "-o", folder / "all.mlirbc"], check=True)
    whole = bytearray((folder / "all.mlirbc").read_bytes())
    for position in range(4, len(whole), 17):
        damaged = bytearray(whole)
        damaged[position] ^= 0x5B
        (folder / "damaged.mlirbc").write_bytes(damaged)
        broadloom.call("run", "damaged.mlirbc", "--input=a.npy", "--input=a.npy", cwd=folder)


def test_constant_of_another_size(folder):
    """Bytecode says how many elements a constant has, and has its bytes."""
    (folder / "constant.mlir").write_text("""\
func.func @main() -> tensor<13xf32> {
  %c = "tosa.const"() {values = dense<[1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13.]> : tensor<13xf32>}
    : () -> tensor<13xf32>
  return %c : tensor<13xf32>
}
""")
    optimizer = shutil.which("mlir-opt", path="/usr/lib/llvm-22/bin")
    subprocess.run([optimizer, "--emit-bytecode", folder / "constant.mlir", "-o", folder / "all.mlirbc"], check=True)
    whole = (folder / "all.mlirbc").read_bytes()
    # 13 and 63 as extents are written.
    places = [i for i, byte in enumerate(whole) if byte == 0x35]
    errors = []
    for place in places:
        (folder / "longer.mlirbc").write_bytes(whole[:place] + b"\xfd" + whole[place + 1 :])
        errors.append(broadloom.call("run", "longer.mlirbc", cwd=folder).error)
    assert any("'tosa.const' op has a constant of 52 bytes, which are not all of 'tensor<63xf32>'" in e for e in errors)


# What `broadloom inspect` says of the function, too.
TAKES = r"'f' takes 2 arguments: a: tensor<\?x4xf32>, b: tensor<\?x\?xf32>"


@pytest.mark.parametrize(
    "inputs, message",
    [
        ([], r"no arguments are given, but " + TAKES),
        (["a.npy"], r"1 argument is given, but " + TAKES),
        (["a.npy"] * 3, r"3 arguments are given, but " + TAKES),
        (["3x5xf32=1", "a.npy"], r"argument 'a' .*3x5.*\?x4"),
        (["4xf32=1", "a.npy"], r"argument 'a' .*4.*\?x4"),
        (["3x4xi32=1", "a.npy"], r"argument 'a' .*(i32.*f32|f32.*i32)"),
        (["3x4xf64=1", "a.npy"], r"argument 'a' .*(f64.*f32|f32.*f64).*; " + TAKES),
        (["3x4xf32=1 2", "a.npy"], r"argument 'a' .*12 elements but 2"),
        (["3x4xq8=1", "a.npy"], r"argument 'a' .*'q8' is not known"),
        (["3x4xf32=abc", "a.npy"], r"argument 'a' .*'abc' is not a number"),
        (["-3x4xf32=1", "a.npy"], r"argument 'a' "),
        (["3x4xf32=", "a.npy"], r"argument 'a' "),
        (["a.npy", "none.npy"], r"argument 'b' .*none\.npy"),
        (["4611686018427387904x4xf32=1", "a.npy"], r"argument 'a' .*overflows"),
    ],
    ids=str,
)
def test_inputs(folder, inputs, message):
    expect(folder, REJECTED, message, "run", "add.mlir", *(f"--input={i}" for i in inputs))


DATA = ARRAY.tobytes()


def npy(header, data=DATA, version=(1, 0)):
    header = header.encode().ljust(117) + b"\n"
    return b"\x93NUMPY" + bytes(version) + len(header).to_bytes(2, "little") + header + data


GOOD = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }"


@pytest.mark.parametrize(
    "contents, message",
    [
        (b"", "not a .npy file"),
        (b"hello", "not a .npy file"),
        (b"PK\x03\x04" + bytes(100), "not a .npy file"),
        (npy(GOOD)[:60], "truncated"),
        (npy(GOOD)[:-5], r"truncated.*48 bytes.*43"),
        (npy(GOOD.replace("(3, 4)", "(9, 9)")), r"324 bytes.*48"),
        (npy(GOOD) + b"12345678", "wrong about its size"),
        (npy(GOOD.replace("(3, 4)", "(4611686018427387904, 4)")), "overflows"),
        (npy(GOOD.replace("(3, 4)", "(-3, 4)")), "negative"),
        (npy(GOOD.replace("(3, 4)", "(3, 99999999999999999999)")), "99999999999999999999 overflows"),
        (npy(GOOD.replace("(3, 4)", "3, 4")), "malformed: 'shape'"),
        (npy(GOOD.replace("<f4", "|O")), "objects"),
        (npy(GOOD.replace("<f4", "<c8")), "complex"),
        (npy(GOOD.replace("<f4", "<U3")), "'<U3'"),
        (npy(GOOD.replace("<f4", "<f3")), "'<f3'"),
        (npy(GOOD.replace("'<f4'", "[('x', '<f4')]")), "structured"),
        (npy(GOOD.replace("'descr'", "'dezcr'")), "malformed"),
        (npy("not a dictionary"), "malformed"),
        (npy(GOOD, version=(9, 0)), r"9\.0"),
        (
            npy("{'descr': '<f4', 'fortran_order': False, 'shape': (" + "1, " * 40 + "), }", ARRAY.tobytes()[:4]),
            "40 axes",
        ),
    ],
    ids=lambda value: None,
)
def test_npy_files(folder, contents, message):
    (folder / "b.npy").write_bytes(contents)
    expect(
        folder,
        REJECTED,
        rf"error: argument 'b' .*b\.npy: .*{message}",
        "run",
        "add.mlir",
        "--input=a.npy",
        "--input=b.npy",
    )


@pytest.mark.parametrize(
    "array",
    [np.asfortranarray(ARRAY), ARRAY.astype(">f4"), np.asfortranarray(ARRAY.astype(">f4"))],
    ids=["fortran order", "big-endian", "both"],
)
def test_other_layouts(folder, array):
    np.save(folder / "b.npy", array)
    outcome = broadloom.call("run", "add.mlir", "--input=a.npy", "--input=b.npy", "--output=out.npy", cwd=folder)
    assert outcome.status == DONE, outcome.error
    np.testing.assert_array_equal(np.load(folder / "out.npy"), ARRAY + ARRAY)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], ""),
        (["frobnicate"], "frobnicate"),
        (["run"], ""),
        (["run", "add.mlir", "--frobnicate"], "--frobnicate"),
        (["run", "add.mlir", "--strategy=frobnicate"], "frobnicate"),
        (["run", "add.mlir", "--threads=some"], "some"),
        (["compile", "add.mlir", "--emit=asm", "--cpu=some"], "broadloom: error: there is no processor some for "),
        (["compile", "add.mlir", "--emit=asm", "--target=some"], "broadloom: error: .*'some' is neither"),
        (
            ["compile", "add.mlir", "--emit=loom", "--target=aarch64-linux-gnu", "--cpu=skylake"],
            "no processor skylake for aarch64",
        ),
        (["compile", "add.mlir", "-o", "x.npy", "-o", "y.mlir"], "-o is given 2 times, but one file is written"),
        (["run", "two.mlir", "--input=4xf32=1"], "--function.*f, g"),
        (["run", "two.mlir", "--input=4xf32=1", "--function=h"], "'h'.*f, g"),
        (
            ["run", "add.mlir", "--input=a.npy", "--input=a.npy", "--output=x.npy", "--output=y.npy"],
            "1 results? but 2 outputs",
        ),
    ],
)
def test_command_lines(folder, arguments, message):
    outcome = broadloom.call(*arguments, cwd=folder)
    assert outcome.status == WRONG_COMMAND, outcome.error
    assert re.search(message, outcome.error), outcome.error
    assert not (folder / "x.npy").exists()


@pytest.mark.parametrize(
    "output, message",
    [
        ("nowhere/out.npy", "nowhere/out.npy.*No such file or directory"),
        (".", "folder|directory"),
    ],
)
def test_output_that_cannot_be_written(folder, output, message):
    """Checked before anything is computed: the wrong shapes are not reached."""
    outcome = broadloom.call("run", "add.mlir", "--input=a.npy", "--input=2x4xf32=1", f"--output={output}", cwd=folder)
    assert outcome.status == REJECTED
    assert re.search(message, outcome.error), outcome.error
    assert "broadcast" not in outcome.error


@pytest.mark.parametrize(
    "output, better",
    [
        ("y.csv", "y.npy"),
        ("results/y.txt", "results/y.npy"),
        ("y.npz", "y.npy"),
        ("a.b/y.json", "a.b/y.npy"),
    ],
)
def test_output_of_another_form(folder, output, better):
    """What the error says to write is accepted, and so is a name without an ending."""
    given = ["run", "add.mlir", "--input=a.npy", "--input=a.npy"]
    outcome = broadloom.call(*given, f"--output={output}", cwd=folder)
    assert outcome.status == WRONG_COMMAND
    assert f"--output={output}: a result is written as a .npy file; write --output={better}" in outcome.error
    assert not (folder / output).exists()
    (folder / better).parent.mkdir(exist_ok=True)
    for name in (better, "result"):
        assert broadloom.call(*given, f"--output={name}", cwd=folder).status == broadloom.DONE
        assert (folder / name).read_bytes().startswith(b"\x93NUMPY")
    assert broadloom.call(*given, "--output=/dev/null", cwd=folder).status == broadloom.DONE


@pytest.mark.parametrize("shape, better", [("2x4xf32", "2x4xf32=0"), ("f32", "f32=0")])
def test_input_without_values(folder, shape, better):
    outcome = broadloom.call("run", "add.mlir", f"--input={shape}", "--input=a.npy", cwd=folder)
    assert outcome.status == REJECTED
    assert (
        f"argument 'a' ('{shape}'): no values are given; write {better} for zeros, or name a .npy file" in outcome.error
    )
    again = broadloom.call("run", "add.mlir", f"--input={better}", "--input=a.npy", cwd=folder)
    assert "no values" not in again.error


def test_an_old_output_stays_when_a_call_fails(folder):
    (folder / "out.npy").write_bytes(b"of an earlier run")
    outcome = broadloom.call("run", "add.mlir", "--input=a.npy", "--input=2x4xf32=1", "--output=out.npy", cwd=folder)
    assert outcome.status == broadloom.GUARD_FAILED
    assert (folder / "out.npy").read_bytes() == b"of an earlier run"


def test_more_than_there_is_memory(folder):
    expect(
        folder,
        REJECTED,
        "memory.*10000000x10000000",
        "run",
        "add_i8.mlir",
        "--input=10000000x1xi8=1",
        "--input=1x10000000xi8=1",
    )


def test_extents_whose_product_overflows(folder):
    program = ADD_I8.replace("?x?", "?x?x?").replace("@f", "@g")
    (folder / "rank3.mlir").write_text(program)
    expect(
        folder,
        REJECTED,
        "overflow|memory",
        "run",
        "rank3.mlir",
        "--input=3000000x1x1xi8=1",
        "--input=1x3000000x3000000xi8=1",
    )
    # Broadcast of arguments that are small each.
    program = program.replace("?x?x?", "?x?x?x?")
    (folder / "rank4.mlir").write_text(program)
    outcome = broadloom.call("run", "rank4.mlir", "--input=100000x100000x1x1xi8=", "--output=out.npy", cwd=folder)
    assert outcome.status == REJECTED


def test_outputs_of_many_results_all_or_none(folder):
    """One path of two cannot be written: neither file is."""
    (folder / "two_results.mlir").write_text("""\
func.func @f(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tosa.abs %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %a : tensor<4xf32>, tensor<4xf32>
}
""")
    outcome = broadloom.call(
        "run", "two_results.mlir", "--input=4xf32=1", "--output=out.npy", "--output=nowhere/b.npy", cwd=folder
    )
    assert outcome.status == REJECTED and not (folder / "out.npy").exists()
