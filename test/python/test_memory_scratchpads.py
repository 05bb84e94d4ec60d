"""Copies to memory of a function's own that contractions read (mem-16): values against NumPy, and
what a report says of each copy."""

import re

import broadloom as bl
import numpy as np
import pytest

N = 40
KIND = "memref<?x?xf32>"
TILE = "memref<64x64xf32>"


def program(between="", upper="%n", after="", at="%i, %j", flags="fastmath<fast>"):
    """C += A B, where A is copied to a scratchpad."""
    return f"""\
func.func @main(%a: {KIND}, %b: {KIND}, %c: {KIND}, %n: index, %m: index) {{
  %one = arith.constant 1.0 : f32
  %tile = memref.alloc() : {TILE}
  %sums = memref.alloc() : {TILE}
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to %n {{
      affine.store %one, %sums[%i, %j] : {TILE}
    }}
  }}
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to %n {{
      %x = affine.load %a[{at}] : {KIND}
      affine.store %x, %tile[%i, %j] : {TILE}
    }}
  }}
{between}
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to %n {{
      affine.for %k = 0 to {upper} {{
        %x = affine.load %tile[%i, %k] : {TILE}
        %y = affine.load %b[%k, %j] : {KIND}
        %z = affine.load %sums[%i, %j] : {TILE}
        %p = arith.mulf %x, %y {flags} : f32
        %s = arith.addf %z, %p {flags} : f32
        affine.store %s, %sums[%i, %j] : {TILE}
      }}
    }}
  }}
{after}
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to %n {{
      %z = affine.load %sums[%i, %j] : {TILE}
      affine.store %z, %c[%i, %j] : {KIND}
    }}
  }}
  memref.dealloc %tile : {TILE}
  memref.dealloc %sums : {TILE}
  return
}}
"""


def told(text):
    """What the report says of copies."""
    report = " ".join(str(bl.compile_program(text).check()).split())
    return re.findall(r"; (it copies .*?)(?= affine\.for | by operation)", report)


WRITE = f"  affine.store %one, {{}}[0, 0] : {KIND}"
KEPT = "it copies argument 'a' to %tile (the result of 'memref.alloc' at <text>:3:11), and the copy is kept, since "
CASES = {
    "redundant": (program(), "is redundant: contractions read argument 'a'", lambda a, b: a @ b),
    "transposed": (program(at="%j, %i"), "is redundant: contractions read argument 'a'", lambda a, b: a.T @ b),
    "shifted": (program(at="%i + 2, %j + 1"), "is redundant", lambda a, b: a[2 : N + 2, 1 : N + 1] @ b),
    "changed": (program(WRITE.format("%a")), "may change what it copies", lambda a, b: a @ b),
    "perhaps changed": (program(WRITE.format("%c")), "may change what it copies", lambda a, b: a @ b),
    "written elsewhere": (
        program(f"  affine.store %one, %tile[0, 0] : {TILE}"),
        "writes to the same memory",
        lambda a, b: np.where(np.arange(N * N).reshape(N, N) == 0, 1, a) @ b,
    ),
    "read elsewhere": (
        program(after=f"  %t = affine.load %tile[0, 0] : {TILE}\n  affine.store %t, %sums[0, 0] : {TILE}"),
        "is in no contraction",
        None,
    ),
    "more than is copied": (
        program(upper="%m"),
        "may read elements along axis 1 that it has not written",
        lambda a, b: a @ b,
    ),
    "gathered": (program(at="%i, %j * 2"), "is redundant", lambda a, b: a[:N, : 2 * N : 2] @ b),
    "a row": (program(at="%m - %m, %j"), "are no contraction of what it copies", lambda a, b: a[[0] * N] @ b),
    "no flags": (program(flags=""), "is in no contraction", lambda a, b: a @ b),
}


@pytest.mark.parametrize("name", CASES)
def test_copies_to_a_scratchpad(name):
    text, expected, compute = CASES[name]
    (found,) = told(text)
    assert expected in found
    assert found.startswith(KEPT) or "redundant" in found
    rng = np.random.default_rng(1)
    wide = rng.integers(-3, 4, (2 * N, 2 * N)).astype(np.float32)
    b = rng.integers(-3, 4, (N, N)).astype(np.float32)
    a = wide if name in ("gathered", "shifted") else wide[:N, :N].copy()
    c = np.zeros((N, N), np.float32)
    before = a.copy()
    bl.compile(text)(a, b, c, N, N)
    if compute is None:
        sums = 1 + before @ b
        sums[0, 0] = before[0, 0]
    else:
        sums = 1 + compute(before, b)
    np.testing.assert_array_equal(c, sums)


def test_an_index_outside_of_what_is_copied_is_told():
    a, b, c = (np.zeros((n, N), np.float32) for n in (N - 1, N, N))
    with pytest.raises(
        bl.ShapeError, match=rf"index {N - 1} is outside axis 0 of argument 'a', whose extent is {N - 1}"
    ):
        bl.compile(program())(a, b, c, N, N)
