"""Tensors of integers whose width is no power of two, which programs have between their
arguments and results: in memory they are as wide as LLVM makes them."""

import broadloom
import numpy as np
import pytest
from broadloom import DONE, REJECTED
from element_types import TYPES

WIDTHS = [2, 3, 5, 7, 9, 13, 17, 24, 31, 33, 40, 47, 49, 56, 63, 65, 100, 127, 128, 129, 192, 200]
VALUES = np.array([[0, 1, -1, 5], [-(2**62), 2**62, 123456789, -987654321], [2**16, -(2**16), 2**32 + 3, -7]], np.int64)
HEAD = """func.func @main(%a: tensor<{0}xi64>, %n: index) -> tensor<{1}xi64> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
"""


def wrap(values, width):
    """The values of so many bits that are equal modulo 2**width."""
    half = 1 << (width - 1)
    return np.array([(int(v) + half) % (2 * half) - half for v in values.flat], object).reshape(values.shape)


def narrow(width, mode, name="%a", result="%x"):
    """The lines that make a tensor of `width` bits of one of 64."""
    operation = "trunci" if width < 64 else "extsi"
    return f"  {result} = arith.{operation} {name} : tensor<{mode}xi64> to tensor<{mode}xi{width}>\n"


def widen(width, shape, name):
    operation = "extsi" if width < 64 else "trunci"
    return (
        f"  %r = arith.{operation} {name} : tensor<{shape}xi{width}> to tensor<{shape}xi64>\n"
        f"  return %r : tensor<{shape}xi64>\n}}\n"
    )


def run(tmp_path, text, values, n=1, *options):
    outcome, found = broadloom.run(tmp_path, text, [values, f"i64={n}"], [TYPES["i64"]], *options)
    assert outcome.status == DONE, outcome.error
    return found[0]


@pytest.mark.parametrize("mode", ["3x4", "?x?"])
@pytest.mark.parametrize("width", WIDTHS)
def test_moves(tmp_path, width, mode):
    """A concatenation, a transposition, and a slice that is written in a loop."""
    joined, turned = ("6x4", "4x6") if mode == "3x4" else ("?x?", "?x?")
    kind = f"tensor<{mode}xi{width}>"
    both, other = f"tensor<{joined}xi{width}>", f"tensor<{turned}xi{width}>"
    text = (
        HEAD.format(mode, turned)
        + narrow(width, mode)
        + f"  %j = tensor.concat dim(0) %x, %x : ({kind}, {kind}) -> {both}\n"
        + f"  %t = tosa.transpose %j {{perms = array<i32: 1, 0>}} : ({both}) -> {other}\n"
        + f"  %l = scf.for %i = %c0 to %n step %c1 iter_args(%s = %t) -> {other} {{\n"
        + f"    %e = tensor.extract_slice %s[0, 0] [2, 1] [1, 1] : {other} to tensor<2x1xi{width}>\n"
        + f"    %w = tensor.insert_slice %e into %s[1, 4] [2, 1] [1, 1] : tensor<2x1xi{width}> into {other}\n"
        + f"    scf.yield %w : {other}\n  }}\n"
        + widen(width, turned, "%l")
    )
    expected = wrap(VALUES, width)
    expected = np.concatenate([expected, expected]).T.copy()
    expected[1:3, 4] = expected[0:2, 0].copy()
    assert np.array_equal(run(tmp_path, text, VALUES), wrap(expected, 64).astype(np.int64))


@pytest.mark.parametrize("width", WIDTHS)
def test_sums(tmp_path, width):
    """Sums of more elements than memory of too few bytes has room for beside it."""
    values = np.arange(-1000, 1000, dtype=np.int64) * 1234567
    text = (
        HEAD.format("?", "?")
        + narrow(width, "?")
        + f"  %y = arith.addi %x, %x : tensor<?xi{width}>\n"
        + f"  %z = tensor.concat dim(0) %y, %x : (tensor<?xi{width}>, tensor<?xi{width}>) -> tensor<?xi{width}>\n"
        + widen(width, "?", "%z")
    )
    narrowed = wrap(values, width)
    expected = np.concatenate([wrap(2 * narrowed, width), narrowed])
    assert np.array_equal(run(tmp_path, text, values), wrap(expected, 64).astype(np.int64))


@pytest.mark.parametrize("width", [width for width in WIDTHS if width > 4])
def test_constants(tmp_path, width):
    text = (
        "func.func @main(%a: tensor<?xi64>, %n: index) -> tensor<5xi64> {\n"
        f"  %c = arith.constant dense<[1, -2, 3, -4, 5]> : tensor<5xi{width}>\n"
        f"  %e = tensor.empty() : tensor<5xi{width}>\n"
        f"  %t = linalg.map ins(%c, %c : tensor<5xi{width}>, tensor<5xi{width}>) outs(%e : tensor<5xi{width}>)\n"
        f"    (%x: i{width}, %y: i{width}, %z: i{width}) {{\n      %s = arith.addi %x, %y : i{width}\n"
        f"      linalg.yield %s : i{width}\n    }}\n"
        f"  %p = tensor.insert_slice %t into %c[0] [5] [1] : tensor<5xi{width}> into tensor<5xi{width}>\n"
        + widen(width, 5, "%p")
    )
    found = run(tmp_path, text, np.zeros(2, np.int64))
    assert found.tolist() == wrap(2 * np.array([1, -2, 3, -4, 5]), width).tolist()


@pytest.mark.parametrize("width", WIDTHS)
def test_scalars(tmp_path, width):
    """Arguments of functions, what a body captures, and the elements of a loom.map."""
    kind, open_ = f"i{width}", f"tensor<?xi{width}>"
    operation, back = ("trunci", "extsi") if width < 64 else ("extsi", "trunci")
    text = (
        f"func.func private @twice(%x: {kind}) -> {kind} {{\n  %y = arith.addi %x, %x : {kind}\n  return %y : {kind}\n}}\n"
        + HEAD.format("?", "?")
        + narrow(width, "?")
        + f"  %i = arith.index_cast %n : index to i64\n  %s = arith.{operation} %i : i64 to {kind}\n"
        + f"  %t = func.call @twice(%s) : ({kind}) -> {kind}\n  %p = tensor.from_elements %t : tensor<1x{kind}>\n"
        + (
            f"  %m = loom.map(%u = %x : {open_}, %v = %p : tensor<1x{kind}>) -> {open_} {{\n"
            f"    %w = arith.addi %u, %v : {kind}\n    loom.yield %w : {kind}\n  }}\n"
            if width <= 64
            else f"  %q = tensor.extract %p[%c0] : tensor<1x{kind}>\n  %h = tensor.dim %x, %c0 : {open_}\n"
            f"  %g = tensor.splat %q[%h] : {open_}\n  %m = arith.addi %x, %g : {open_}\n"
        )
        + f"  %d = tensor.dim %m, %c0 : {open_}\n  %e = tensor.empty(%d) : {open_}\n"
        + f"  %l = linalg.map ins(%m : {open_}) outs(%e : {open_})\n    (%u: {kind}, %z: {kind}) {{\n"
        + f"      %w = arith.addi %u, %s : {kind}\n      linalg.yield %w : {kind}\n    }}\n"
        + f"  %r = arith.{back} %l : {open_} to tensor<?xi64>\n  return %r : tensor<?xi64>\n}}\n"
    )
    values = VALUES.flatten()
    for n in (5, -(2**40) - 3):
        expected = wrap(wrap(values, width) + 3 * int(wrap(np.array([n]), width)[0]), width)
        assert np.array_equal(run(tmp_path, text, values, n), wrap(expected, 64).astype(np.int64)), n


def test_long_integers_in_maps(tmp_path):
    text = (
        "func.func @main(%a: tensor<3xi64>) -> tensor<3xi64> {\n"
        + narrow(100, "3")
        + "  %m = loom.map(%u = %x : tensor<3xi100>) -> tensor<3xi100> {\n    loom.yield %u : i100\n  }\n"
        + widen(100, "3", "%m")
    )
    (tmp_path / "p.mlir").write_text(text)
    for command in ("check", "run"):
        outcome = broadloom.call(command, tmp_path / "p.mlir")
        assert outcome.status == REJECTED
        assert (
            "loom.map: its integers have at most 64 bits; compute with longer ones by 'linalg.map'"
            in outcome.error.replace("'loom.map' op ", "loom.map: ")
        ), outcome


@pytest.mark.parametrize("type", ["i7", "tensor<?xi24>", "tensor<?xi128>", "tensor<2xcomplex<f32>>", "!shape.shape"])
@pytest.mark.parametrize("what", ["argument 'a'", "result 0"])
def test_interfaces(tmp_path, type, what):
    """Such types have no form outside a program: all commands say so."""
    path = tmp_path / "p.mlir"
    path.write_text(
        f"func.func @f(%a: {type}) -> {type} {{\n  return %a : {type}\n}}\n"
        if what[0] == "a"
        else f"func.func private @g() -> {type}\nfunc.func @f() -> {type} {{\n  %a = func.call @g() : () -> {type}\n"
        f"  return %a : {type}\n}}\n"
    )
    for command in (
        ["check", path],
        ["run", path],
        ["compile", path, "-o", tmp_path / "p.so"],
        ["compile", path, "--emit=asm"],
    ):
        outcome = broadloom.call(*command)
        assert outcome.status == REJECTED, (command, outcome)
        assert f": error: {what} of 'f' has type '{type}', which has no form outside" in outcome.error
    assert not (tmp_path / "p.so").exists()


def test_variables(tmp_path):
    (tmp_path / "p.mlir").write_text(
        "tosa.variable @v = dense<[1, 2, 3]> : tensor<3xi24>\nfunc.func @f(%a: tensor<3xi32>) -> tensor<3xi32> {\n"
        "  %c = tosa.variable_read @v : tensor<3xi24>\n  %x = arith.extsi %c : tensor<3xi24> to tensor<3xi32>\n"
        "  return %x : tensor<3xi32>\n}\n"
    )
    outcome = broadloom.call("check", tmp_path / "p.mlir")
    assert outcome.status == REJECTED
    assert "variable 'v' of 'f' has type 'tensor<3xi24>', which has no form outside" in outcome.error
