"""Loops with memref.copy on several threads (eff-1, mem-4): the values of NumPy, and the error of one thread,
where memory is apart, is one array, or overlaps in a call."""

import random

import broadloom as bl
import numpy as np

ROWS = "memref<?x?xi64>"
ROW = "memref<1x?xi64, strided<[?, 1], offset: ?>>"
# Enough elements for threads.
COLUMNS = 3000


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
    n, m, p = rng.choice([7, 19]), rng.choice([COLUMNS - 5, COLUMNS // 2]), rng.choice([0, 5])
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
