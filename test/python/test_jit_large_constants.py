"""Large arrays that a function under bl.jit closes over: its program is given them at each call, where it only reads their
elements or multiplies matrices. They have the values of when it was traced, as all constants have."""

import gc
import re
import threading

import broadloom as bl
import ml_dtypes
import numpy as np
import pytest

TABLE = np.random.default_rng(0).standard_normal((300, 200)).astype("f4")
INDEX = np.array([[3, -1], [0, 299]])
ROWS = TABLE[:40, :1] + np.arange(300, dtype="f4") % 7


def compile_for(function, *arguments):
    """The function under jit after a call, and what the program of the call has and is given."""
    f = bl.jit(function, optimise=False)
    found = f(*arguments)
    (traced,) = f._traced.values()
    return f, found, traced


def agrees(function, *arguments, count=1, rtol=1e-6):
    f, found, traced = compile_for(function, *arguments)
    np.testing.assert_allclose(found, function(*arguments), rtol=rtol, atol=rtol)
    np.testing.assert_array_equal(f(*arguments), found)
    assert len(traced.constants) == count
    program = traced.function.program
    # No large constant is text, wherever it is.
    assert len(program._source) < (10_000 if count or program._constants else 2**18)
    assert not (count and program._constants)
    return f


@pytest.mark.parametrize(
    "function, argument, count",
    [
        (lambda i: TABLE[i], INDEX, 1),
        (lambda i: TABLE[:, i % 200], INDEX, 1),
        (lambda i: TABLE[i, i % 200], INDEX, 1),
        (lambda i: np.take(TABLE, i, axis=0) * 2, INDEX, 1),
        (lambda i: TABLE[i] + TABLE[i + 0], INDEX, 2),
        (lambda x: x + TABLE, TABLE * 2, 1),
        (lambda x: np.maximum(x, TABLE).sum(axis=0), TABLE * 2, 1),
        (lambda n: bl.fori_loop(0, n, lambda i, s: s + TABLE[i], np.zeros(200, "f4")), np.int64(5), 1),
        (lambda x: x @ TABLE.astype("f8"), np.ones((2, 300)), 1),
        (lambda x: TABLE[: x.shape[0]] + 1, np.ones(3), 1),
        (lambda x: np.broadcast_to(TABLE, (x.shape[0], 300, 200)) * x[:, None, None], np.ones(3, "f4"), 1),
    ],
)
def test_elements_that_are_read_are_not_in_the_program(function, argument, count):
    if argument.ndim:
        agrees(function, argument, count=count)
    else:
        _f, found, traced = compile_for(function, argument)
        np.testing.assert_allclose(found, TABLE[:5].sum(axis=0), rtol=1e-5)
        assert len(traced.constants) == count


@pytest.mark.parametrize("dtype", ("u1", "i1", "u4", "i8", "f2", "f8", "?", ml_dtypes.bfloat16, ml_dtypes.float8_e5m2))
def test_of_each_type(dtype):
    table = np.concatenate([TABLE] * 5).astype(dtype)
    _f, found, traced = compile_for(lambda i: table[i], INDEX)
    assert found.dtype == table.dtype and len(traced.constants) == 1
    np.testing.assert_array_equal(found.astype("f4"), table[INDEX].astype("f4"))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.sqrt(np.abs(np.asarray(TABLE, like=x))) + x[0, 0],
        lambda x: np.einsum("ij,jk->ik", x, TABLE),
        lambda x: x.astype("i4") @ TABLE.astype("i4"),
    ],
)
def test_what_is_computed_of_constants_and_other_products_are_constants(function):
    agrees(function, ROWS[:2], count=0, rtol=1e-3)


@pytest.mark.parametrize(
    "function, count",
    [
        (lambda x: x @ TABLE, 1),
        (lambda x: np.dot(x, TABLE) + TABLE[0], 1),
        (lambda x: np.tanh(x @ TABLE) @ TABLE.T, 2),
        (lambda x: TABLE.T @ x.T, 1),
        (lambda x: (x[:, None, :] @ TABLE)[:, 0], 1),
        (lambda x: x @ TABLE[:, :100] + (x @ TABLE)[:, :100], 2),
    ],
)
@pytest.mark.parametrize("rows", (1, 3, 40))
def test_weights_of_products_are_laid_out_once(function, count, rows):
    f = agrees(function, ROWS[:rows], count=count, rtol=1e-3)
    # What the compiler lays out has the same bits.
    np.testing.assert_array_equal(f(ROWS[:rows]), f.lower(ROWS)(ROWS[:rows]))


@pytest.mark.parametrize("dtype", ("f2", "f4", ml_dtypes.bfloat16))
@pytest.mark.parametrize("shape", ((300, 200), (2100, 16), (70000, 1), (33, 1025), (3, 150, 80)))
def test_weights_of_all_shapes(dtype, shape):
    rng = np.random.default_rng(1)
    weight = rng.standard_normal(shape).astype(dtype)
    f = bl.jit(lambda x: x @ weight, optimise=False)
    for rows in (1, 2, 9, 30):
        x = rng.standard_normal((*shape[:-2], rows, shape[-2])).astype(dtype)
        once = f(x)
        for again in (f(x), f.lower(x)(x)):
            assert once.tobytes() == again.tobytes()
    (traced,) = f._traced.values()
    assert len(traced.constants) == (weight.nbytes >= 1 << 16)


def test_functions_share_a_weight_and_keep_their_own():
    weight = TABLE.copy()
    first, second = bl.jit(lambda x: x @ weight), bl.jit(lambda x: x @ weight)  # noqa: F821 - it is deleted later
    found = first(ROWS)
    np.testing.assert_array_equal(second(ROWS), found)
    weight[:] = 0
    np.testing.assert_array_equal(first(ROWS), found)
    first.cache_clear()
    gc.collect()
    assert not first(ROWS).any()
    np.testing.assert_array_equal(second(ROWS), found)
    del weight
    np.testing.assert_array_equal(second(ROWS[:3]), found[:3])


def test_functions_come_and_go():
    # Their weights may have the addresses of earlier ones.
    for scale in range(1, 20):
        weight = TABLE * scale
        np.testing.assert_allclose(bl.jit(lambda x: x @ weight)(ROWS), ROWS @ weight, rtol=1e-3, atol=1e-3 * scale)


def test_threads_lay_a_weight_out_together():
    f = bl.jit(lambda x: x @ TABLE)
    start, found = threading.Barrier(8), []

    def call():
        start.wait()
        for rows in (1, 40, 7):
            found.append((rows, f(ROWS[:rows])))  # noqa: PERF401 - other threads append too

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = f.lower(ROWS)(ROWS)
    assert len(found) == 24
    for rows, one in found:
        np.testing.assert_array_equal(one, wanted[:rows])


def test_a_promise_of_the_text():
    # abi-9: what is laid out stays; another weight has panels of its own.
    text = """
      func.func @main(%x: tensor<1x?x300xf32>, %v: tensor<300x200xf32> {loom.constant}) -> tensor<1x?x200xf32> {
        %w = tensor.expand_shape %v [[0, 1], [2]] output_shape [1, 300, 200] : tensor<300x200xf32> into tensor<1x300x200xf32>
        %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
        %y = tosa.matmul %x, %w, %z, %z : (tensor<1x?x300xf32>, tensor<1x300x200xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x200xf32>
        return %y : tensor<1x?x200xf32>
      }"""
    f = bl.compile(text)
    for weight in (
        TABLE,
        -TABLE,
        np.asfortranarray(TABLE),
        np.asfortranarray(-TABLE),
        TABLE[::-1],
        -TABLE[:, ::-1],
        TABLE,
    ):
        for _ in range(2):
            np.testing.assert_allclose(f(ROWS[None], weight)[0], ROWS @ weight, rtol=1e-3, atol=1e-2)


CONVOLUTION = """
  func.func @main(%x: tensor<?x?x?x5xf32>, %w: tensor<3x2x5x40xf32> {loom.constant}) -> tensor<?x?x?x40xf32> {
    %y = loom.contract(%x, %w) window {strides = array<i64: 1, 2>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 0, 0, 1>} : (tensor<?x?x?x5xf32>, tensor<3x2x5x40xf32>) -> tensor<?x?x?x40xf32> {
    ^bb0(%s: f32):
      loom.yield %s : f32
    }
    return %y : tensor<?x?x?x40xf32>
  }"""


def convolve(x, w):
    padded = np.pad(x, ((0, 0), (1, 0), (0, 1), (0, 0))).astype("f8")
    views = np.lib.stride_tricks.sliding_window_view(padded, w.shape[:2], (1, 2))[:, :, ::2]
    return np.einsum("nhwcij,ijco->nhwo", views, w.astype("f8"))


def test_a_promise_of_a_convolution_s_weight():
    # abi-9, of any strides.
    f = bl.compile(CONVOLUTION)
    random = np.random.default_rng(1)
    base = random.standard_normal((3, 2, 5, 40)).astype("f4")
    weights = (
        base,
        -base,
        np.asfortranarray(base),
        base[::-1],
        -base[:, ::-1, ::-1],
        np.repeat(base, 2, axis=3)[..., ::2],
    )
    for shape in ((2, 6, 7, 5), (1, 9, 30, 5), (1, 2, 2, 5)):
        x = random.standard_normal(shape).astype("f4")
        for weight in weights:
            for _ in range(2):
                np.testing.assert_allclose(f(x, weight), convolve(x, weight), rtol=1e-4, atol=1e-4)


def test_a_promise_of_weights_that_are_not_aligned():
    # abi-9: a call reads copies of them, in memory that has other weights in the next call.
    count, size = 12, 150
    arguments = "".join(f", %w{i}: tensor<{size}x{size}xf32> {{loom.constant}}" for i in range(count))
    lines = "".join(
        f"""
        %y{i + 1} = loom.contract(%y{i}, %w{i}) window {{strides = array<i64>, dilations = array<i64>, pads = array<i64>}} : (tensor<?x{size}xf32>, tensor<{size}x{size}xf32>) -> tensor<?x{size}xf32> {{
        ^bb0(%s: f32):
          loom.yield %s : f32
        }}"""
        for i in range(count)
    )
    f = bl.compile(
        f"func.func @main(%y0: tensor<?x{size}xf32>{arguments}) -> tensor<?x{size}xf32> {{{lines}\n"
        f"return %y{count} : tensor<?x{size}xf32>\n}}"
    )
    random, weights = np.random.default_rng(5), []
    for _ in range(count):
        memory = np.zeros(size * size * 4 + 1, "u1")
        weights.append(memory[1:].view("f4").reshape(size, size))
        weights[-1][:] = random.standard_normal((size, size)) / 12
    assert not weights[0].flags.aligned
    for rows in (1, 40, 3, 200, 40, 1):
        wanted = x = random.standard_normal((rows, size)).astype("f4")
        for weight in weights:
            wanted = wanted.astype("f8") @ weight
        np.testing.assert_allclose(f(x, *weights), wanted, rtol=1e-3, atol=1e-3)


def test_a_promise_is_forgotten():
    # abi-9: what was laid out stays until it is forgotten.
    f = bl.compile(CONVOLUTION)
    random = np.random.default_rng(2)
    x, weight = random.standard_normal((2, 9, 9, 5)).astype("f4"), random.standard_normal((3, 2, 5, 40)).astype("f4")
    before = f(x, weight)
    weight *= 2
    np.testing.assert_array_equal(f(x, weight), before)
    f.forget_constants()
    np.testing.assert_array_equal(f(x, weight), before * 2)


def test_threads_while_promises_are_forgotten():
    f = bl.compile(CONVOLUTION)
    random = np.random.default_rng(3)
    x, weight = random.standard_normal((2, 9, 9, 5)).astype("f4"), random.standard_normal((3, 2, 5, 40)).astype("f4")
    wanted, wrong, done = f(x, weight), [], threading.Event()

    def call():
        while not done.is_set():
            if not np.array_equal(f(x, weight), wanted):
                wrong.append(True)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(300):
        f.forget_constants()
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong


def test_small_arrays_are_constants():
    small = TABLE[:10]
    agrees(lambda i: small[i], INDEX % 10, count=0)


def test_values_are_those_of_the_trace():
    table = TABLE.copy()
    f = bl.jit(lambda i: table[i])
    first = f(INDEX)
    table[:] = 0
    np.testing.assert_array_equal(f(INDEX), first)
    f.cache_clear()
    assert not f(INDEX).any()


def test_what_is_saved_has_them(tmp_path):
    f = bl.jit(lambda i: TABLE[i] * 2)
    f(INDEX)
    out = np.empty((2, 2, 200), "f4")
    assert f(INDEX, out=out) is out
    lowered = f.lower(INDEX)
    assert lowered.arguments == ("tensor<?x?xi64>",)
    lowered.save(tmp_path / "f.blm")
    for function in (lowered, bl.load(tmp_path / "f.blm")):
        np.testing.assert_array_equal(function(INDEX), out)
    assert re.search(r"dense<\"0x[0-9A-F]{1000}", f.mlir(INDEX))
    assert f.check(INDEX).accepted and f.cache_info().traces == 1
