"""Nests with products of a loop variable and a symbol, in conditions too, and quotients by symbols: one check in
front of all loops, which need not be exact, and messages and elements that are the program's (mem-2)."""

import random
import re

import broadloom as bl
import numpy as np
import pytest

TEXT = """
#at = affine_map<(d0, d1)[s, d, p] -> (d0 * s + d1 * d - p)>
#inside = affine_set<(d0)[b, e] : (d0 mod b == 0, d0 >= 0, e - d0 - 1 >= 0)>
func.func @main(%a: memref<?xi64>, %w: memref<?xi64>, %r: memref<?xi64>, %n: index, %k: index, %s: index, %d: index,
    %p: index, %b: index, %e: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %k {
      %x = affine.apply #at(%i, %j)[%s, %d, %p]
      affine.if #inside(%x)[%b, %e] {
        %y = affine.apply affine_map<(d0)[b] -> (d0 floordiv b)>(%x)[%b]
        %v = affine.load %a[%y] : memref<?xi64>
        %u = affine.load %w[%j] : memref<?xi64>
        %z = affine.load %r[%i] : memref<?xi64>
        %m = arith.muli %v, %u : i64
        %t = arith.addi %z, %m : i64
        affine.store %t, %r[%i] : memref<?xi64>
      }
    }
  }
  return
}
"""


@pytest.fixture(scope="module")
def program():
    return bl.compile(TEXT)


def enumerate_calls(a, w, r, n, k, s, d, p, b, e):
    """Changes `r` as the program does; gives the line and the index of the first access outside."""
    for i in range(n):
        for j in range(k):
            x = i * s + j * d - p
            if b < 1:
                return 9, None
            if x % b == 0 and 0 <= x < e:
                for line, index, memory in ((11, x // b, a), (12, j, w), (13, i, r)):
                    if not 0 <= index < len(memory):
                        return line, index
                r[i] += a[x // b] * w[j]
    return None


def test_one_check_is_in_front_of_all_loops():
    rows = [row for row in bl.compile_program(TEXT).check() if row.status == "run-time"]
    assert {row.operation for row in rows} == {"affine.for", "affine.if"}
    assert any("and access by access where that does not hold" in row.reason for row in rows)
    assert any("argument 'e' <= argument 'b'*axis 0 of argument 'a'" in row.constraint for row in rows)


def test_random_calls(program):
    failed = 0
    for seed in range(600):
        rng = random.Random(seed)
        sizes = [rng.randint(0, 7) for _ in range(3)]
        a, w, r = (np.arange(1, size + 1, dtype=np.int64) for size in sizes)
        s, d, p = rng.randint(-2, 3), rng.randint(-1, 3), rng.randint(-2, 4)
        b = rng.choice([0, 1, 1, 1, 2, 3, -1])
        # Most ends are those of the dilated memory; others may or may not be reached.
        e = rng.choice([len(a) * b, len(a) * b, (len(a) - 1) * b + 1, rng.randint(-1, 30)])
        n = rng.choice([len(r), len(r), len(r), rng.randint(0, 8)])
        k = rng.choice([len(w), len(w), len(w), rng.randint(0, 8)])
        expected = r.copy()
        outside = enumerate_calls(a, w, expected, n, k, s, d, p, b, e)
        if outside is None:
            program(a, w, r, n, k, s, d, p, b, e)
            np.testing.assert_array_equal(r, expected, err_msg=str(seed))
            continue
        failed += 1
        with pytest.raises(bl.ShapeError) as error:
            program(a, w, r, n, k, s, d, p, b, e)
        line, index = outside
        found = re.search(r"<text>:(\d+):\d+: .*(?:index (-?\d+) is outside|divides by)", str(error.value))
        assert found, (seed, str(error.value))
        assert int(found[1]) == line, (seed, outside, str(error.value))
        assert index is None or int(found[2]) == index, (seed, outside, str(error.value))
    assert 100 < failed < 500
