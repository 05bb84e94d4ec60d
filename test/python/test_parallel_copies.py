"""Loops with memref.copy on several threads (eff-1, mem-4): the values of NumPy, and the error of one thread,
where memory is apart, is one array, or overlaps in a call."""

import random
import re

import broadloom as bl
import numpy as np
import pytest

ROWS = "memref<?x?xi64>"
ROW = "memref<1x?xi64, strided<[?, 1], offset: ?>>"
# Enough elements for threads, of which one copies 2^16 f64 in 8 us (decision 98).
COLUMNS = 4000


class Copy:
    """A copy of a row, or of two rows at once, between two of the arguments a and b."""

    def __init__(self, rng):
        self.arrays = [rng.choice("ab") for _ in range(2)]
        self.rows = [rng.choice([(1, 0), (1, 1), (2, 0), (-1, 20), (0, 3), (1, 20), (1, 2)]) for _ in range(2)]
        self.columns = [rng.choice(["0", "p"]) for _ in range(2)]
        self.sizes = ["m", rng.choice("mmq")]

    def write(self, number):
        text = ""
        sides = zip(self.arrays, self.rows, self.columns, self.sizes)
        for side, (array, (factor, term), column, size) in enumerate(sides):
            name = f"{number}{side}"
            column = "%p" if column == "p" else "0"
            text += (
                f"    %r{name} = affine.apply affine_map<(i) -> ({factor} * i + {term})>(%i)\n"
                f"    %v{name} = memref.subview %{array}[%r{name}, {column}] [1, %{size}] [1, 1] : {ROWS} to {ROW}\n"
            )
        return text + f"    memref.copy %v{number}0, %v{number}1 : {ROW} to {ROW}\n"

    def run(self, arrays, i, **numbers):
        """False if the copy fails."""
        parts = []
        for array, (factor, term), column, size in zip(self.arrays, self.rows, self.columns, self.sizes):
            row, first, size = factor * i + term, numbers.get(column, 0), numbers[size]
            if not (0 <= row < len(arrays[array]) and 0 <= first <= first + size <= COLUMNS):
                return False
            parts.append(arrays[array][row, first : first + size])
        source, target = parts
        if source.size != target.size:
            return False
        target[:] = source.copy()
        return True


def write(name, copies):
    body = "".join(copy.write(number) for number, copy in enumerate(copies))
    return (
        f"func.func @{name}(%a: {ROWS}, %b: {ROWS}, %n: index, %m: index, %q: index, %p: index) {{\n"
        f"  affine.for %i = 0 to %n {{\n{body}  }}\n  return\n}}\n"
    )


def make_arrays(rng, kind):
    """Two arrays of 42 rows that are apart, are one, or overlap by rows."""
    memory = np.array(rng.sample(range(10**6), 90 * 100)).reshape(90, 100).repeat(COLUMNS // 100 + 1, axis=1)
    memory = np.ascontiguousarray(memory[:, :COLUMNS] + np.arange(COLUMNS))
    start = {"apart": 45, "one": 0, "overlapping": rng.choice([1, 2, 7])}[kind]
    return {"a": memory[:42], "b": memory[start : start + 42]}, memory


def choose(rng):
    """The numbers of a call, of which one in three may be wrong."""
    n, m, p = rng.choice([17, 19]), rng.choice([COLUMNS - 5, COLUMNS - 60]), rng.choice([0, 5])
    q = m
    wrong = rng.choice(["n", "p", "q"] + 6 * [""])
    if wrong == "n":
        n = rng.choice([22, 42, 60])
    elif wrong == "p":
        p = rng.choice([-1, COLUMNS - m + 1])
    elif wrong == "q":
        q = rng.choice([m - 1, m + 1])
    return n, {"m": m, "q": q, "p": p}


def run(cases, arrays, n, numbers):
    """False if a copy fails, which ends the loop."""
    return all(copy.run(arrays, i, **numbers) for i in range(n) for copy in cases)


def test_copies_in_loops():
    rng = random.Random(50)
    cases = [[Copy(rng) for _ in range(rng.choice([1, 1, 2]))] for _ in range(60)]
    program = bl.compile_program("".join(write(f"case{i}", copies) for i, copies in enumerate(cases)))
    outcomes = {True: 0, False: 0}
    for i, copies in enumerate(cases):
        f = program[f"case{i}"]
        for kind in ("apart", "one", "overlapping"):
            n, numbers = choose(rng)
            state = rng.getstate()
            expected, memory = make_arrays(rng, kind)
            # A check in front of the loop fails before anything is written.
            allowed = [memory.copy()]
            returns = run(copies, expected, n, numbers)
            allowed = [memory] if returns else [memory, *allowed]
            outcomes[returns] += 1
            results = []
            for threads in (1, 2, 5):
                rng.setstate(state)
                arrays, found = make_arrays(rng, kind)
                f.threads = threads
                error = None
                try:
                    f(arrays["a"], arrays["b"], n, *numbers.values())
                except bl.ShapeError as failure:
                    error = str(failure)
                results.append((error, found.tobytes()))
                case = (write("main", copies), kind, n, numbers, threads, error)
                assert (error is None) == returns, case
                assert any(np.array_equal(found, memory) for memory in allowed), case
            assert len(set(results)) == 1, (case, [error for error, _ in results])
    assert outcomes[True] >= 90 and outcomes[False] >= 20, outcomes


def view(name, array, offsets, sizes, strides, type):
    numbers = (", ".join(str(n) for n in part) for part in (offsets, sizes, strides))
    parts = "".join(f"[{part}] " for part in numbers)
    return f"    %{name} = memref.subview %{array}{parts}: {{A}} to {type}\n"


def copy_of(offsets, sizes, type, strides=(1, 1, 1)):
    """A copy of the same part of a to b, whose loop is %i."""
    return (
        view("x", "a", offsets, sizes, strides, type)
        + view("y", "b", offsets, sizes, strides, type)
        + f"    memref.copy %x, %y : {type} to {type}\n"
    )


ROW_OF = "memref<?x{T}, strided<[1], offset: ?>>"
COLUMN_OF = "memref<?x{T}, strided<[?], offset: ?>>"
ELEMENT_OF = "memref<{T}, strided<[], offset: ?>>"
HAS_COPY = "it has 'memref.copy'"


def rows_of(rows, columns):
    return f"memref<{rows}x{columns}x{{T}}, strided<[?, 1], offset: ?>>"


def inner(body, variable, bound):
    return f"    scf.for %{variable} = %c0 to %{bound} step %c1 {{\n{body}    }}\n"


# The body of a loop over i from 0 to n, why it is in order, and what iteration i copies of arrays of n x h x w.
KNOWN = {
    "row": (copy_of(("%i", 0, 0), (1, 1, "%w"), ROW_OF), "", lambda i, h, w: np.s_[i, 0, :w]),
    "one row of two axes": (
        copy_of(("%i", 0, 0), (1, 1, "%w"), rows_of(1, "?")), "", lambda i, h, w: np.s_[i, 0, :w]),
    "rows of any length": (
        copy_of(("%i", 0, 0), (1, "%h", "%w"), rows_of("?", "?")), HAS_COPY, lambda i, h, w: np.s_[i, :h, :w]),
    "rows of 63": (copy_of(("%i", 0, 0), (1, "%h", 63), rows_of("?", 63)), HAS_COPY, lambda i, h, w: np.s_[i, :h, :63]),
    "rows of 64": (copy_of(("%i", 0, 0), (1, "%h", 64), rows_of("?", 64)), "", lambda i, h, w: np.s_[i, :h, :64]),
    "two rows of 128": (copy_of(("%i", 0, 0), (1, 2, 128), rows_of(2, 128)), "", lambda i, h, w: np.s_[i, :2, :128]),
    "rows of 1": (copy_of(("%i", 0, 0), (1, "%h", 1), rows_of("?", 1)), HAS_COPY, lambda i, h, w: np.s_[i, :h, :1]),
    "column": (copy_of(("%i", 0, 0), (1, "%h", 1), COLUMN_OF), "", lambda i, h, w: np.s_[i, :h, 0]),
    "each other element": (
        copy_of(("%i", 0, 0), (1, 1, 50), "memref<50x{T}, strided<[2], offset: ?>>", (1, 1, 2)), "",
        lambda i, h, w: np.s_[i, 0, :100:2]),
    "rows in a loop": (
        inner(copy_of(("%i", "%j", 0), (1, 1, "%w"), ROW_OF), "j", "h"), "", lambda i, h, w: np.s_[i, :h, :w]),
    "elements in loops": (
        inner(inner(copy_of(("%i", "%j", "%k"), (1, 1, 1), ELEMENT_OF), "k", "w"), "j", "h"), "",
        lambda i, h, w: np.s_[i, :h, :w]),
    "the first element": (copy_of(("%i", 0, 0), (1, 1, 1), ELEMENT_OF), "", lambda i, h, w: np.s_[i, 0, 0]),
}  # fmt: skip
# By their types in programs. The bits of a load and a store of these are kept, also of a float that is no number.
TYPES = {"i8": np.int8, "i16": np.int16, "f16": np.float16, "f32": np.float32, "i64": np.int64, "f64": np.float64}
DENSE, ANY = "memref<?x?x?x{T}>", "memref<?x?x?x{T}, strided<[?, ?, ?], offset: ?>>"


def write_known(name, type, array=DENSE):
    body = KNOWN[name][0]
    text = (
        "func.func @main(%a: {A}, %b: {A}, %n: index, %h: index, %w: index) {\n"
        "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
        f"  scf.for %i = %c0 to %n step %c1 {{\n{body}  }}\n  return\n}}\n"
    )
    return text.replace("{A}", array).replace("{T}", type)


def read_reasons(text):
    """Of each loop that `check` lists, why it is in order; empty of a parallel one."""
    listed = " ".join(str(bl.check(text)).split("\nloops\n", 1)[1].split("\nby operation\n")[0].split())
    found = re.findall(r"(parallel|in order) because (.*?)(?= scf\.for |$)", listed)
    return [because if order == "in order" else "" for order, because in found]


@pytest.mark.parametrize("name", KNOWN)
def test_known_copies(name):
    _, reason, part = KNOWN[name]
    rng = np.random.default_rng(1)
    for type, dtype in TYPES.items():
        text = write_known(name, type)
        reasons = read_reasons(text)
        assert reason in reasons[0] and bool(reason) == bool(reasons[0]), reasons
        f = bl.compile(text)
        for n, h, w in ((40, 30, 150), (3, 130, 128), (0, 3, 150), (5, 2, 128)):
            a, b = (rng.integers(0, 256, (n, h, w * dtype().itemsize), np.uint8).view(dtype) for _ in range(2))
            # Without columns or rows, where the loop says so.
            for height, width in ((h, w), (0, w), (h, 0)):
                expected = b.copy()
                for i in range(n):
                    expected[part(i, height, width)] = a[part(i, height, width)]
                for threads in (1, 2, 5):
                    found = b.copy()
                    f.threads = threads
                    f(a, found, n, height, width)
                    assert found.tobytes() == expected.tobytes(), (type, n, height, width, threads)


def repeat(a):
    """The first of the arrays as all of them, which may be written."""
    return np.lib.stride_tricks.as_strided(a, a.shape, (0, *a.strides[1:]))


# Those of negative strides, of stride 0 in the source, and of stride 0 in what iterations write, which are in order.
STRIDED = {
    "reversed": (lambda a: a[::-1, :, ::-1], lambda b: b[:, ::-1]),
    "repeated": (repeat, lambda b: b),
    "met": (lambda a: a, repeat),
    "transposed": (lambda a: a.T.copy().T, lambda b: b.T.copy().T),
}


@pytest.mark.parametrize("kind", STRIDED)
@pytest.mark.parametrize("name", ["column", "rows in a loop", "elements in loops"])
def test_strides(name, kind):
    part = KNOWN[name][2]
    text = write_known(name, "f32", ANY)
    # A row is of any stride here.
    text = text.replace("strided<[1]", "strided<[?]")
    assert read_reasons(text)[0] == ""
    f = bl.compile(text)
    rng = np.random.default_rng(2)
    a = rng.random((40, 60, 120), np.float32)
    results = []
    for threads in (0, 1, 2, 5):
        source, memory = STRIDED[kind][0](a), np.zeros(a.shape, np.float32)
        target = STRIDED[kind][1](memory)
        if threads == 0:
            for i in range(40):
                target[part(i, 60, 120)] = source[part(i, 60, 120)]
        else:
            f.threads = threads
            f(source, target, 40, 60, 120)
        results.append(target.tobytes())
    assert len(set(results)) == 1


def test_a_byte_of_an_i1_is_copied_as_it_is():
    text = write_known("row", "i1")
    assert HAS_COPY in read_reasons(text)[0]
    a = np.random.default_rng(3).integers(0, 256, (40, 1, 9000), np.uint8)
    f = bl.compile(text)
    for threads in (1, 2):
        b = np.zeros(a.shape, np.uint8)
        f.threads = threads
        f(a.view(bool), b.view(bool), 40, 1, 9000)
        np.testing.assert_array_equal(b, a)


SUM = """\
func.func @main(%a: memref<?x?x?xi64>, %b: memref<?x?x?xi64>, %n: index, %w: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (i64) {
    %x = memref.subview %a[%i, 0, 0] [1, 1, %w] [1, 1, 1] : memref<?x?x?xi64> to ROW
    %y = memref.subview %b[%i, 0, 0] [1, 1, %w] [1, 1, 1] : memref<?x?x?xi64> to ROW
    memref.copy %x, %y : ROW to ROW
    %number = memref.load %b[%i, %c0, %c0] : memref<?x?x?xi64>
    %next = arith.addi %sum, %number : i64
    scf.yield %next : i64
  }
  return %all : i64
}
""".replace("ROW", ROW_OF.format(T="i64"))


def test_a_sum_beside_a_copy():
    assert read_reasons(SUM) == [""]
    f = bl.compile(SUM)
    a = np.random.default_rng(4).integers(-(2**62), 2**62, (50, 1, 3000))
    for threads in (1, 2, 5):
        b = np.zeros_like(a)
        f.threads = threads
        with np.errstate(over="ignore"):
            assert f(a, b, 50, 3000) == a[:, 0, 0].sum()
        np.testing.assert_array_equal(b, a)
