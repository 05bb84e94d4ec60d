"""The programs of docs/rationale.md (examples/rationale/) against NumPy."""

import re

import broadloom
import numpy as np
import pytest
from element_types import TYPES
from memory_programs import example, fails, refuses, run


def run_example_text(folder, text, function_name, arrays, scalars=()):
    return run(folder, text, arrays, scalars, f"--function={function_name}")


def run_example(folder, name, function_name, arrays, scalars=()):
    return run_example_text(folder, example(name), function_name, arrays, scalars)


def test_example_of_dynamic_columns(tmp_path):
    a = np.arange(24, dtype=np.float32).reshape(8, 3)
    _, arrays = run_example(tmp_path, "add-one.mlir", "foo", [a, np.zeros_like(a)])
    np.testing.assert_array_equal(arrays[0], a)
    np.testing.assert_array_equal(arrays[1], a + 1)
    error = fails(tmp_path, example("add-one.mlir"), [a, np.zeros((8, 2), np.float32)], (), "--function=foo")
    assert "'memref.copy'" in error


def test_example_of_a_search(tmp_path):
    rng = np.random.default_rng(4)
    a = rng.integers(0, 5, (7, 6), dtype=np.int32)
    found = np.full(7, -1, np.int32)
    _, arrays = run_example(tmp_path, "search.mlir", "search", [a, found], ["i32=3"])
    rows = [np.flatnonzero(row == 3) for row in a]
    np.testing.assert_array_equal(arrays[1], [row[0] if len(row) else -1 for row in rows])
    assert "index 2 is outside axis 0 of argument 'S' of 'search_body', whose extent is 2" in fails(
        tmp_path, example("search.mlir"), [np.ones((3, 1), np.int32), found[:2]], ["i32=1"], "--function=search"
    )


def test_example_of_loops_by_powers(tmp_path):
    (tmp_path / "p.mlir").write_text(example("power-loops.mlir"))
    outcome = broadloom.call("run", tmp_path / "p.mlir", "--function=outer_nest", "--input=i64=5", "--input=i64=0")
    assert outcome.out == f"argument 'count':\n{5 * (2**5 - 1) * 5}\n", outcome.error


@pytest.mark.parametrize("name", ["sum.mlir", "sum-in-memory.mlir"])
def test_examples_of_sums(tmp_path, name):
    a = np.arange(10, 19, dtype=np.int32)
    (tmp_path / "p.mlir").write_text(example(name))
    np.save(tmp_path / "a.npy", a)
    for function_name, expected in (("sum", a[:7].sum()), ("sum_half", a[4:7].sum())):
        outcome = broadloom.call(
            "run", tmp_path / "p.mlir", f"--function={function_name}", f"--input={tmp_path}/a.npy", "--input=i64=7"
        )
        assert outcome.out.splitlines()[0] == str(expected), outcome.error
        outcome = broadloom.call(
            "run", tmp_path / "p.mlir", f"--function={function_name}", f"--input={tmp_path}/a.npy", "--input=i64=10"
        )
        assert "index 9 is outside axis 0 of argument 'A', whose extent is 9" in outcome.error


@pytest.mark.parametrize("shape", [(1, 1), (2, 5), (300, 200)])
def test_example_of_a_blur(tmp_path, shape):
    x = np.random.default_rng(4).standard_normal(shape).astype(np.float32)
    outcome, found = broadloom.run(tmp_path, example("blur.mlir"), [x], [TYPES["f32"]])
    assert outcome.status == broadloom.DONE, outcome.error
    p = np.pad(x, 1, mode="reflect")
    np.testing.assert_array_equal(found[0], p[:-2, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + p[2:, 1:-1])
    outcome, _ = broadloom.run(tmp_path, example("blur.mlir"), [x[:, :0]], [TYPES["f32"]])
    assert outcome.status == broadloom.GUARD_FAILED
    assert "axis 1 has no elements, and padding of 1 and 1 by mode 'reflect' needs one" in outcome.error


def results(folder, name, function_name, *inputs):
    (folder / "p.mlir").write_text(example(name))
    outcome = broadloom.call(
        "run", folder / "p.mlir", f"--function={function_name}", *[f"--input={text}" for text in inputs]
    )
    assert outcome.status == broadloom.DONE, outcome.error
    return outcome.out.split()


@pytest.mark.parametrize("n", [-1, 0, 1, 2, 50])
def test_example_of_block_arguments(tmp_path, n):
    x, y = 0, 1
    for _ in range(n):
        x, y = y, x + y
    assert results(tmp_path, "block-arguments.mlir", "fibonacci", f"i64={n}") == [str(x)]


def test_example_of_index_elements(tmp_path):
    source, places = np.arange(5, 9, dtype=np.float32), np.array([3, 0, 0, 2])
    given = [source, places, np.zeros(4, np.float32)]
    _, arrays = run_example(tmp_path, "index-elements.mlir", "gather", given)
    np.testing.assert_array_equal(arrays[2], source[places])
    error = fails(tmp_path, example("index-elements.mlir"), [source, places + 1, given[2]], (), "--function=gather")
    assert "'memref.load': index 4 is outside axis 0 of argument 'from', whose extent is 4" in error
    _, arrays = run_example(tmp_path, "index-elements.mlir", "next_four", [places])
    np.testing.assert_array_equal(arrays[0], places + 1)
    np.save(tmp_path / "places.npy", places)
    printed = results(tmp_path, "index-elements.mlir", "next", f"{tmp_path}/places.npy")
    assert " ".join(printed) == "[4 1 1 3]"


@pytest.mark.parametrize("x, y", [(-8, 3), (8, -3), (-1, -1), (127, 1), (-128, 127)])
def test_example_of_signs(tmp_path, x, y):
    printed = results(tmp_path, "signs.mlir", "signs", f"i8={x}", f"i8={y}")

    def signed(number):
        return (number + 128) % 256 - 128

    # Signed division truncates.
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    unsigned = signed((x % 256) // (y % 256))
    expected = [signed(x + y), signed(quotient), unsigned, x < y, x < y, x % 256 < y % 256]
    assert printed == list(map(str, expected))


@pytest.mark.parametrize("x, y", [("nan", "1"), ("1", "nan"), ("1", "2"), ("2", "1"), ("0.0", "-0.0")])
def test_example_of_unordered_numbers(tmp_path, x, y):
    a, b = float(x), float(y)
    nan = a != a or b != b
    expected = [a < b, nan or a <= b, nan]
    assert results(tmp_path, "signs.mlir", "unordered", f"f32={x}", f"f32={y}") == list(map(str, expected))


def test_example_of_a_data_layout(tmp_path):
    points = np.arange(12, dtype=np.int64).reshape(4, 3)
    _, arrays = run_example(tmp_path, "data-layout.mlir", "scale", [points], ["i64=-5"])
    np.testing.assert_array_equal(arrays[0], -5 * points)
    text = example("data-layout.mlir").replace("index = 64", "index = 32")
    assert "says that 'index' has 32 bits, but it has 64 here" in refuses(tmp_path, text)


def test_example_of_regions(tmp_path):
    a = np.array([1.0, -2.0, 0.0, np.nan, 4.0])
    _, arrays = run_example(tmp_path, "regions.mlir", "scale_positive", [a], ["f64=3"])
    np.testing.assert_array_equal(arrays[0], np.where(a > 0, a * 3, a))


def test_tiles_of_the_rationale(tmp_path):
    a = np.arange(96, dtype=np.float32).reshape(8, 12)
    _, arrays = run(tmp_path, example("tiles.mlir"), [a, np.zeros((12, 8), np.float32)])
    np.testing.assert_array_equal(arrays[1], a.T)


@pytest.mark.parametrize("m, n, k", [(300, 140, 260), (128, 128, 128), (1, 5, 129), (0, 3, 3), (3, 3, 0)])
def test_example_of_tiles_in_a_scratchpad(tmp_path, m, n, k):
    rng = np.random.default_rng(8)
    a, b, c = (rng.standard_normal(shape, np.float32) for shape in ((m, k), (k, n), (m, n)))
    _, arrays = run_example(tmp_path, "tiled-matmul.mlir", "matmul", [a, b, c])
    np.testing.assert_allclose(arrays[2], c + a @ b, rtol=0, atol=1e-3)


def test_errors_of_tiles_in_a_scratchpad(tmp_path):
    a, b, c = np.ones((5, 200), np.float32), np.ones((199, 4), np.float32), np.zeros((5, 4), np.float32)
    error = fails(tmp_path, example("tiled-matmul.mlir"), [a, b, c])
    assert "index 199 is outside axis 0 of argument 'B', whose extent is 199" in error


def convolve(image, kernel, shape, strides, dilations, padding, base):
    """The sum over all elements of the kernel, where the dilated image has an element."""
    result = np.zeros(shape, np.float32)
    for y, x, i, j in np.ndindex(shape[1], shape[2], *kernel.shape[:2]):
        places = [at * s + k * d - p for at, k, s, d, p in zip((y, x), (i, j), strides, dilations, padding)]
        if all(p % b == 0 and 0 <= p < n * b for p, b, n in zip(places, base, image.shape[1:3])):
            row, column = (p // b for p, b in zip(places, base))
            result[:, y, x] += image[:, row, column] @ kernel[i, j]
    return result


CONVOLUTIONS = [((1, 1), (1, 1), (0, 0), (1, 1)), ((2, 1), (1, 2), (1, 2), (1, 1)), ((1, 2), (2, 1), (0, 3), (2, 3))]


@pytest.mark.parametrize("numbers", CONVOLUTIONS)
def test_example_of_a_convolution(tmp_path, numbers):
    rng = np.random.default_rng(5)
    image, kernel = rng.random((2, 5, 6, 3), np.float32), rng.random((3, 2, 3, 4), np.float32)
    given = [image, kernel, np.zeros((2, 4, 5, 4), np.float32)]
    scalars = [f"i64={n}" for n in np.ravel(numbers)]
    _, arrays = run_example(tmp_path, "convolution.mlir", "conv2d", given, scalars)
    np.testing.assert_allclose(arrays[2], convolve(image, kernel, given[2].shape, *numbers), rtol=1e-5)


def test_errors_of_a_convolution(tmp_path):
    """A kernel of too few features, and a dilation of 0."""
    image, out = np.ones((1, 4, 4, 3), np.float32), np.zeros((1, 2, 2, 1), np.float32)

    def told(features, base):
        kernel = np.ones((2, 2, features, 1), np.float32)
        scalars = [f"i64={n}" for n in (1, 1, 1, 1, 0, 0, *base)]
        return fails(tmp_path, example("convolution.mlir"), [image, kernel, out], scalars)

    assert "index 3 is outside axis 3 of argument 'input', whose extent is 3" in told(4, (1, 1))
    assert "'affine.if': 'd0 mod s0' divides by 0, expected at least 1" in told(3, (0, 1))


@pytest.mark.parametrize("by", [1, 2, 3, 4096])
def test_example_of_a_library(tmp_path, by):
    m = np.random.default_rng(5).normal(size=(1024, 3)).astype(np.float32)
    np.save(tmp_path / "m.npy", m)
    (tmp_path / "p.mlir").write_text(example("library-sum.mlir"))
    outcome = broadloom.call(
        "run",
        tmp_path / "p.mlir",
        "--function=cblas_reduce",
        "--library=libopenblas.so.0",
        f"--input={tmp_path}/m.npy",
        f"--input=i32={by}",
    )
    np.testing.assert_allclose(float(outcome.out.splitlines()[0]), np.abs(m.ravel()[::by]).sum(), rtol=1e-5)


def test_example_of_a_scratchpad(tmp_path):
    a = np.arange(1024, dtype=np.float32)
    np.save(tmp_path / "a.npy", a)
    (tmp_path / "p.mlir").write_text(example("scratchpad.mlir"))

    def call(n):
        return broadloom.call(
            "run", tmp_path / "p.mlir", "--function=sum_of_squares", f"--input={tmp_path}/a.npy", f"--input=i64={n}"
        )

    assert float(call(20).out.splitlines()[0]) == (a[:20] ** 2).sum()
    assert (
        "p.mlir:10:14: 'affine.load': index 1024 is outside axis 0 of argument 'from' of 'memcpy', whose extent is 1024"
    ) in call(1025).error


DECLARED = "declared-effects.mlir"


def test_declared_sets_of_a_body(tmp_path):
    a = np.arange(1, 129, dtype=np.float32)
    outcome, _ = run_example(tmp_path, DECLARED, "count", [a], ["i64=5"])
    assert float(outcome.out.splitlines()[0]) == a[5] * a[6]
    assert "index 128 is outside axis 0 of argument 'A', whose extent is 128" in fails(
        tmp_path, example(DECLARED), [a], ["i64=127"], "--function=count"
    )


def test_body_that_contradicts_its_declaration(tmp_path):
    """A write, and a read of an element more, that the four sets do not have."""
    text = example(DECLARED)
    (tmp_path / "p.mlir").write_text(text.replace("symbol(%pos) + 1", "symbol(%pos) + 2"))
    error = broadloom.call("check", tmp_path / "p.mlir").error.replace(f"{tmp_path}/", "")
    assert (
        "p.mlir:11:8: error: 'affine.load' reads element [2] of argument 'A', where argument 'pos' is 0, which is not in "
        "what 'loom.effects' of '@count' declares"
    ) in error
    assert 'the access reads "()[pos] -> (r0) : (r0 == pos + 2)"' in error
    assert "'reads' and 'may_reads' of argument 'A' are \"()[pos] -> (r0) : (pos <= r0 <= pos + 1)\"" in error
    stores = text.replace("  %p = arith", "  affine.store %b, %A[symbol(%pos)] : memref<128xf32>\n  %p = arith", 1)
    (tmp_path / "p.mlir").write_text(stores)
    error = broadloom.call("check", tmp_path / "p.mlir").error
    assert "'affine.store' writes element [0] of argument 'A', where argument 'pos' is 0, which is not in what" in error
    assert "'writes' and 'may_writes' of argument 'A' are nothing" in error


def test_declaration_that_is_not_compared(tmp_path):
    """A subscript from memory is told of wherever a program is read, and nothing else changes."""
    a = np.arange(1, 129, dtype=np.float32)
    text = example(DECLARED).replace(
        "  %b = affine.load %A[symbol(%pos) + 1] : memref<128xf32>\n",
        """  %i = arith.fptosi %a : f32 to i64
  %k = arith.index_cast %i : i64 to index
  %b = memref.load %A[%k] : memref<128xf32>
""",
        1,
    )
    outcome, _ = run_example_text(tmp_path, text, "count", [a], ["i64=5"])
    assert float(outcome.out.splitlines()[0]) == a[5] * a[6]
    told = (
        "p.mlir:13:8: warning: not compared with 'loom.effects' of '@count': 'memref.load' reads elements of argument 'A' "
        "that are not known, because a subscript is not affine in the function's arguments"
    )
    assert told in outcome.error.replace(f"{tmp_path}/", "")
    # The second element is not surely read either.
    assert "entry 0 of 'reads' in 'loom.effects' of '@count' has elements that the body may read and need not" in (
        outcome.error
    )
    assert told in broadloom.call("check", tmp_path / "p.mlir").error.replace(f"{tmp_path}/", "")


@pytest.mark.parametrize("count", [0, 1, 5, 6])
def test_declared_sets_of_a_library(tmp_path, count):
    m = np.random.default_rng(5).normal(size=10).astype(np.float32)
    arguments = ("--function=reduce", "--library=libopenblas.so.0")
    if count == 6:
        assert (
            "p.mlir:18:1: 'cblas_sasum': index 10 is outside axis 0 of argument 1 of 'cblas_sasum', whose extent is 10"
        ) in fails(tmp_path, example(DECLARED), [m], [f"i32={count}"], *arguments)
        return
    outcome, _ = run(tmp_path, example(DECLARED), [m], [f"i32={count}"], *arguments)
    np.testing.assert_allclose(float(outcome.out.splitlines()[0]), np.abs(m[: 2 * count : 2]).sum(), rtol=1e-5)


def test_declared_sets_of_a_copy(tmp_path):
    a = np.arange(1024, dtype=np.float32)
    options = ("--function=dma_mem_to_scratchpad", "--check-effects")
    _, arrays = run(tmp_path, example(DECLARED), [a, np.zeros_like(a)], ["i64=20"], *options)
    np.testing.assert_array_equal(arrays[1], np.where(a < 20, a, 0))
    assert "'memcpy': index 1024 is outside axis 0 of argument 1 of 'memcpy', whose extent is 1024" in fails(
        tmp_path, example(DECLARED), [a, np.zeros_like(a)], ["i64=1025"], *options
    )
    # The library is held to the sets.
    text = example(DECLARED).replace("4*r0 < bytes", "4*r0 < bytes - 4")
    assert "it wrote element [19] of argument 0 of 'memcpy', which its effects do not declare" in fails(
        tmp_path, text, [a, np.zeros_like(a)], ["i64=20"], *options
    )


def test_sets_in_a_file(tmp_path):
    """The declarations stand in a file of --effects, of functions with and without bodies."""
    text = example(DECLARED)
    heads = [line for line in text.splitlines() if line.startswith("#")]
    bare = re.sub(r" attributes \{loom.effects = \{.*?\}\}", "", text, flags=re.DOTALL)
    assert "loom.effects" not in bare
    (tmp_path / "effects.mlir").write_text(
        "\n".join(heads)
        + """
func.func private @count(memref<128xf32>, index) -> f32 attributes {loom.effects = {reads = [#loom.access_set<0, #two, [1]>]}}
func.func private @cblas_sasum(i32, memref<?xf32>, i32) -> f32 attributes {loom.effects = {reads = [#loom.access_set<1, #even, [0]>]}}
"""
    )
    effects = f"--effects={tmp_path}/effects.mlir"
    m = np.arange(10, dtype=np.float32)
    library = "--library=libopenblas.so.0"
    outcome, _ = run(tmp_path, bare, [m], ["i32=5"], "--function=reduce", library, effects)
    assert float(outcome.out.splitlines()[0]) == 20
    assert "index 10 is outside axis 0 of argument 1 of 'cblas_sasum'" in fails(
        tmp_path, bare, [m], ["i32=6"], "--function=reduce", library, effects
    )
    (tmp_path / "p.mlir").write_text(bare.replace("symbol(%pos) + 1", "symbol(%pos) + 2"))
    assert (
        "which is not in what 'loom.effects' of '@count' declares"
        in broadloom.call("compile", tmp_path / "p.mlir", effects, "-o", tmp_path / "p.o").error
    )
    # A body is compared with sets alone.
    (tmp_path / "effects.mlir").write_text(
        "func.func @count(%a: memref<128xf32>, %b: index) -> f32 {\n  %z = arith.constant 0.0 : f32\n  return %z : f32\n}"
    )
    assert (
        "function '@count' has a body, and so has the function that tells its effects; a body is compared with sets"
    ) in broadloom.call("compile", tmp_path / "p.mlir", effects, "-o", tmp_path / "p.o").error


def test_example_of_tuples(tmp_path):
    (tmp_path / "p.mlir").write_text(example("tuples.mlir"))
    outcome = broadloom.call("run", tmp_path / "p.mlir", "--input=f32=1.5", "--input=3xf32=1,2,3", "--input=f32=4")
    assert outcome.out.split() == ["[1.", "2.", "3.]", "5.5"], outcome.error
    outcome = broadloom.call("run", tmp_path / "p.mlir", "--input=f32=1", "--input=f32=2", "--input=f32=3")
    assert "'pair.1'" in outcome.error


def test_example_of_other_dialects(tmp_path):
    """What nothing needs is left out (abi-11)."""
    path = tmp_path / "p.mlir"
    path.write_text(example("other-dialects.mlir"))
    outcome = broadloom.call("run", path, "--input=2xf32=0,1", "--verbose")
    assert outcome.out.split() == ["[1.", "2.7182817]"], outcome.error
    assert "has what is of a dialect that is not known; this function is left out" in outcome.error
    outcome = broadloom.call("check", path)
    assert outcome.status == broadloom.DONE and "quantum" not in outcome.out, outcome.error
    outcome = broadloom.call("inspect", path)
    assert outcome.status == broadloom.DONE, outcome.error
    assert "private function turn" in outcome.out and "quantum.rotate" in outcome.out
    assert "left_out" not in outcome.out
    # What the program needs is not left out.
    called = """\
func.func private @f(%a: !quantum.qubit) {
  return
}
func.func @main() {
  %q = "quantum.new"() : () -> !quantum.qubit
  call @f(%q) : (!quantum.qubit) -> ()
  return
}
"""
    for text in (
        example("other-dialects.mlir").replace("func private", "func"),
        example("other-dialects.mlir").replace("tosa.exp %x", '"quantum.exp"(%x)'),
        example("other-dialects.mlir") + '"quantum.device"() : () -> ()\n',
        called,
        "module attributes {quantum.chip = #quantum.chip} {\n" + example("other-dialects.mlir") + "}\n",
    ):
        path.write_text(text)
        for command in (["compile", path, "-o", tmp_path / "p.so"], ["check", path], ["inspect", path]):
            outcome = broadloom.call(*command)
            assert outcome.status == broadloom.REJECTED
            assert "unregistered dialect; define the dialect with 'irdl.dialect' in a text" in outcome.error, (
                outcome.error
            )
    # An error elsewhere is reported as it is.
    path.write_text(example("other-dialects.mlir") + "func.func @wrong() -> f32 {\n  return %none : f32\n}\n")
    outcome = broadloom.call("check", path)
    assert outcome.status == broadloom.REJECTED
    assert "use of undeclared SSA value name" in outcome.error and "unregistered" not in outcome.error, outcome.error
