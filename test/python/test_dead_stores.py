"""Stores that nothing reads are left out, and nobody sees it (rule eff-6): random nests
that write, overwrite and read parts of two arrays, which may be one, against NumPy."""

import broadloom as bl
import numpy as np
import pytest

SIZE = 12


class Nest:
    """`to[at(i)] = value`, or the sum of that and an element of an array, for some i."""

    def __init__(self, rng, number):
        self.to, self.of = rng.choice(["a", "b"], 2)
        self.low, self.high = int(rng.integers(0, 4)), rng.choice(["n", "m", "8"])
        self.step, self.shift = int(rng.choice([1, 1, 1, 2])), int(rng.integers(0, 3))
        self.value = float(number + 1)
        # What is added: nothing, another element, or what has just been stored.
        self.reads = rng.choice(["nothing", "nothing", "element", "own"])
        # Some stand under a condition.
        self.least = int(rng.choice([-9, -9, -9, 5]))

    def text(self, k):
        high = f"%{self.high}" if self.high != "8" else "8"
        to = f"%{self.to}[%i{k} + {self.shift}]"
        store = f"affine.store %{{}}, {to} : memref<?xf64>"
        lines = [f"%v{k} = arith.constant {self.value} : f64", store.format(f"v{k}")]
        if self.reads == "element":
            lines[1:] = [
                f"%x{k} = affine.load %{self.of}[%i{k}] : memref<?xf64>",
                f"%y{k} = arith.addf %x{k}, %v{k} : f64",
                store.format(f"y{k}"),
            ]
        elif self.reads == "own":
            lines += [
                f"%x{k} = affine.load {to} : memref<?xf64>",
                f"%y{k} = arith.addf %x{k}, %v{k} : f64",
                store.format(f"y{k}"),
            ]
        if self.least >= 0:
            lines = [f"affine.if affine_set<(d0) : (d0 - {self.least} >= 0)>(%i{k}) {{", *lines, "}"]
        body = "\n".join(lines)
        return f"affine.for %i{k} = {self.low} to {high} step {self.step} {{\n{body}\n}}"

    def run(self, arrays, numbers):
        to, of = arrays[self.to], arrays[self.of]
        for i in range(self.low, numbers[self.high], self.step):
            if i < self.least:
                continue
            value = self.value
            if self.reads == "element":
                value += of[i]
            to[i + self.shift] = value
            if self.reads == "own":
                to[i + self.shift] += self.value


def program(nests):
    body = "\n".join(nest.text(k) for k, nest in enumerate(nests))
    return f"func.func @main(%a: memref<?xf64>, %b: memref<?xf64>, %n: index, %m: index) {{\n{body}\nreturn\n}}\n"


@pytest.mark.parametrize("seed", range(6))
def test_random_nests(seed):
    rng = np.random.default_rng(seed)
    for _ in range(10):
        nests = [Nest(rng, k) for k in range(int(rng.integers(2, 6)))]
        text = program(nests)
        call = bl.compile(text)
        for distance in (None, 0, 1, -2, 30):
            n, m = (int(x) for x in rng.integers(-1, 10, 2))
            memory = rng.integers(0, 9, 60).astype(float)
            expected = memory.copy()

            def place(base, distance=distance):
                second = base[45:] if distance is None else base[14 + distance :]
                return {"a": base[14 : 14 + SIZE], "b": second[:SIZE]}

            arrays = place(expected)
            for nest in nests:
                nest.run(arrays, {"n": n, "m": m, "8": 8})
            given = place(memory)
            call(given["a"], given["b"], n, m)
            assert memory.tolist() == expected.tolist(), (text, distance, n, m)


TWICE = """\
func.func @main(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %x = arith.constant 1.0 : f64
  affine.for %i = 0 to %n {
    affine.store %x, %a[%i] : memref<?xf64>
  }
  affine.for %i = 0 to %n {
    %y = affine.load %b[%i] : memref<?xf64>
    affine.store %y, %a[%i] : memref<?xf64>
  }
  return
}
"""


def test_memory_that_overlaps_and_numbers_that_are_too_large():
    call = bl.compile(TWICE)
    memory = np.arange(10.0)
    call(memory[:9], memory[1:], 9)
    assert memory.tolist() == [1.0] * 8 + [9.0, 9.0]
    with pytest.raises(bl.ShapeError, match="index 9 is outside axis 0 of argument 'a', whose extent is 9"):
        call(memory[:9], memory[1:], 2**62)
    assert memory.tolist() == [1.0] * 8 + [9.0, 9.0]


# What a call has written before a check fails stays written.
def test_a_check_that_may_fail_sees_what_is_written():
    check = TWICE.replace(
        "  affine.for %i = 0 to %n {\n    %y",
        "  %c0 = arith.constant 0 : index\n  CHECK\n  affine.for %i = 0 to %n {\n    %y",
    )
    text = check.replace(
        "CHECK",
        "%z = memref.load %a[%c0] : memref<?xf64>\n  %zero = arith.constant 0.0 : f64\n"
        '  %fine = arith.cmpf oeq, %z, %zero : f64\n  cf.assert %fine, "not zero"',
    )
    a = np.zeros(3)
    with pytest.raises(bl.ShapeError, match="not zero"):
        bl.compile(text)(a, np.zeros(3), 3)
    assert a.tolist() == [1, 1, 1]


# Rows that are surely inside, so that no check is left, and not known.
ROWS = {
    "clamp": "%r1 = arith.maxsi %r0, %c0 : index\n%r = arith.minsi %r1, %c7 : index",
    "select": "%is = arith.cmpi ugt, %r0, %c7 : index\n%r = arith.select %is, %c7, %c0 : index",
    "remainder": "%r = arith.remui %r0, %c8 : index",
    "bit": "%b = arith.cmpi sgt, %r0, %c7 : index\n%r = arith.index_castui %b : i1 to index",
}


@pytest.mark.parametrize("form", ROWS)
def test_views_at_rows_of_data(form):
    """A store through a view at a row that is not known overwrites one row, and not all."""
    text = f"""
    func.func @main(%y: memref<8x3xf64>, %rows: memref<4xindex>, %v: f64) {{
      %zero = arith.constant 0.0 : f64
      %c0 = arith.constant 0 : index
      %c7 = arith.constant 7 : index
      %c8 = arith.constant 8 : index
      affine.for %i = 0 to 8 {{
        affine.for %j = 0 to 3 {{
          affine.store %zero, %y[%i, %j] : memref<8x3xf64>
        }}
      }}
      affine.for %i = 0 to 4 {{
        %r0 = affine.load %rows[%i] : memref<4xindex>
        {ROWS[form]}
        %row = memref.subview %y[%r, 0] [1, 3] [1, 1] : memref<8x3xf64> to memref<3xf64, strided<[1], offset: ?>>
        affine.for %j = 0 to 3 {{
          affine.store %v, %row[%j] : memref<3xf64, strided<[1], offset: ?>>
        }}
      }}
      return
    }}"""
    found, rows = np.full((8, 3), 9.0), np.array([1, 2, 3, 99])
    bl.compile(text)(found, rows, 5.0)
    expected = np.zeros((8, 3))
    hit = {"clamp": rows.clip(0, 7), "select": 7 * (rows > 7), "remainder": rows % 8, "bit": 1 * (rows > 7)}
    expected[hit[form]] = 5.0
    np.testing.assert_array_equal(found, expected)
