"""What the messages of bl.jit advise works: for each place that refuses something, a function that is refused there, and
functions that do what its message says. A place without a case fails, so that no message advises what nobody has tried."""

import ast
import pathlib
import sys
import warnings

import broadloom as bl
import numpy as np
import pytest
from broadloom._jit import _trace
from jit_comparison import flatten

FOLDER = pathlib.Path(_trace.__file__).parent
X = np.arange(12.0).reshape(3, 4) + 1
LINE = np.arange(6.0)
TABLE = np.arange(20.0) ** 2
zeros, asarray, array = np.zeros, np.asarray, np.array


def find_places():
    """The calls that make an error of what cannot be traced: the file and what they say cannot be, and their lines."""
    places = {}
    for path in sorted(FOLDER.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            name = getattr(node, "func", None)
            name = getattr(name, "attr", getattr(name, "id", None))
            if (isinstance(node, ast.Call) and name in ("refuse", "error") and path.name != "_trace.py") or (
                isinstance(node, ast.Call) and name == "refuse" and node.args and isinstance(node.args[0], ast.Constant)
            ):
                places[f"{path.stem}: {ast.unparse(node.args[0])[:60]}"] = (str(path), node.lineno, node.end_lineno)
    return places


def with_write(x):
    x[0] = 1
    return x


def add_to(x, c):
    c += x
    return c


def write(x):
    x += 1
    return x


def view(x):
    y = np.ravel(x * 2)
    z = y[1:]
    w = np.reshape(z, -1)
    z += 1
    return w


def write_zero(x):
    x[...] = 0
    return x


def write_places(x, i):
    x[i, i] = 1
    return x


def write_nan(x):
    x[...] = np.nan_to_num(x)
    return x


def write_outside(x):
    y = x * 1

    def step(i, z):
        y[0] = 1
        return z + y

    return bl.fori_loop(0, 2, step, x)


def add_at(z, x):
    np.add.at(z, [0, 0, 1], x[0, :3])
    return z


def other_trace(x):
    kept = []
    bl.jit(lambda y: kept.append(y) or y)(np.ones(3))
    return kept


def write_lent(x, lend=np.asarray):
    """A write of NumPy to an array that shares elements with one of the trace."""
    z = np.zeros(4)
    a = np.asarray(lend(z), like=x)
    z[0] = 1
    return a + x[0]


def write_in_body(x):
    z = np.zeros(4)

    def body(_, c):
        z[0] += 1
        return c + z

    return bl.fori_loop(0, 3, body, x[0])


def assign_in_body(x):
    z = np.zeros(4)

    def body(_, c):
        nonlocal z
        z = z + 1
        return c + z

    return bl.fori_loop(0, 3, body, x[0])


def carry_in_body(x):
    def body(_, carried):
        c, z = carried
        z = z + 1
        return c + z, z

    return bl.fori_loop(0, 3, body, (x[0], np.zeros(4)))[0]


def write_to_own(x):
    a = np.zeros_like(x, shape=(4,))
    a[0] = 1
    return a + x[0]


def inside_another(x):
    # The inner function is traced for itself, and finds an array of the outer one.
    return bl.jit(lambda y: y + x)(np.ones(3))


def leave_loop(x):
    kept = []
    bl.fori_loop(0, 3, lambda i, a: kept.append(a * 2) or a, x)
    return kept[0]


#: For each place: what is refused there, and what its message advises instead.
CASES = {
    "_array: f\"the attribute '{name}'\"": (lambda x: x.flat, lambda x: x.ravel()),
    "_array: \"a write to an array of NumPy's, as by c += x,\"": (lambda x: add_to(x, np.zeros((3, 4))), lambda x: np.add(np.zeros((3, 4)), x)),
    "_array: f\"out= of '{ufunc.__name__}'\"": (lambda x: np.add(x, 1, out=x), lambda x: np.add(x, 1)),
    "_array: f\"where= of '{ufunc.__name__}'\"": (lambda x: np.add(x, 1, where=x > 2), lambda x: np.where(x > 2, np.add(x, 1), x)),
    "_array: f\"{min(unknown)}= of '{ufunc.__name__}'\"": (lambda x: np.add(x, 1, subok=False), lambda x: np.add(x, 1)),
    "_array: f\"'{ufunc.__name__}.{method}'\"": (lambda x: np.hypot.reduce(x), lambda x: np.sqrt(np.sum(x * x, axis=0))),
    "_array: f\"'{_functions.name_of(function)}' is not supported under bl": (lambda x: np.angle(x), lambda x: np.linalg.norm(x)),
    "_array: \"a decision by an array's values\"": (
        lambda x: x if x.sum() > 0 else -x, lambda x: np.where(x.sum() > 0, x, -x), lambda x: bl.while_loop(lambda y: y.sum() > 1, lambda y: y / 2, x)),
    "_array: \"a number of Python's from a float that is computed of exten": (
        lambda x: x[: int(0.8 * x.shape[0])], lambda x: x[: x.shape[0] * 4 // 5], lambda x: x[: -(-x.shape[0] // 2)], lambda x: x * np.sqrt(x.shape[0])),
    "_array: \"a number of Python's from an array\"": (
        lambda x: [x, -x][x[0, 0].astype(int)], lambda x: np.stack([x, -x])[x[0, 0].astype(int)], lambda x: np.take(TABLE, x[0, 0].astype(int), axis=0),
        lambda x: bl.fori_loop(0, x[0, 0].astype(int), lambda i, s: s + i, x), lambda x: np.concatenate([x[:1], x]), lambda x: np.where(x > 1, x, 0)),
    "_array: 'a rounded float that is computed of extents'": (lambda x: x[: round(x.shape[0] / 2)], lambda x: x[: x.shape[0] // 2], lambda x: x * np.floor(x.shape[0] / 2)),
    "_array: 'round()'": (lambda x: round(x), lambda x: np.round(x), lambda x: np.round(x / 3, 2)),
    "_array: 'a number of an array as text'": (lambda x: f"{x:.3f}", lambda x: x),
    "_array: 'item()'": (lambda x: x * x[0, 0].item(), lambda x: x * x[0, 0]),
    "_array: 'tolist()'": (lambda x: x.tolist(), lambda x: x),
    "_array: \"an array of NumPy's from an array under bl.jit\"": (
        lambda x: asarray(x), lambda x: np.asarray(x), lambda x: np.dot(np.ones(3), x), lambda x: np.stack([x, x]), lambda x: np.concatenate([x, x]),
        lambda x: np.column_stack([x, x]), lambda x: x.astype(np.float32)),
    "_array: 'a loop over an axis'": (
        lambda x: sum(row for row in x), lambda x: np.sum(x, axis=0), lambda x: bl.scan(lambda s, row: (s + row, None), x[0] * 0, x)[0],
        lambda x: x[0] + x[..., 1:2]),
    "_array: 'len()'": (
        lambda x: x / len(x), lambda x: x / x.shape[0], lambda x: bl.fori_loop(0, x.shape[0], lambda i, s: s + x[i], x[0])),
    "_array: \"'in'\"": (lambda x: np.where(1.0 in x, x, 0), lambda x: np.where(np.any(x == 1.0), x, 0)),
    "_writing: 'a write to an argument'": (write, lambda x: np.add(x, 1)),
    "_writing: 'a write to an array that shares elements with another'": (
        view, lambda x: np.add((x * 2)[0], 1), lambda x: write_zero(np.copy(x))),
    "_writing: 'a write in the body of a loop to an array from outside'": (
        write_outside, lambda x: bl.fori_loop(0, 2, lambda i, y: y + x, x)),
    "_functions: 'np.nan_to_num with copy=False'": (
        lambda x: np.nan_to_num(x, copy=False), lambda x: write_nan(x * 1)),
    "_writing: 'a write to what a loop carries'": (
        lambda x: bl.fori_loop(0, 3, lambda i, y: y.__iadd__(1), x), lambda x: bl.fori_loop(0, 3, lambda i, y: np.copy(y).__iadd__(1), x)),
    "_writing: 'a write to what a loop gives, an array or a number by how m": (
        lambda x: write_zero(bl.fori_loop(0, 3, lambda i, y: np.copy(y), x[0, 0])),
        lambda x: write_zero(np.copy(bl.fori_loop(0, 3, lambda i, y: np.copy(y), x[0, 0])))),
    "_writing: f'np.{ufunc.__name__}.at of {joint} into {written.dtype}'": (
        lambda x: np.add.at(x.astype(np.int8), 0, x[0]), lambda x: add_at(np.zeros_like(x, shape=(3,)), x)),
    "_writing: 'a write to a number'": (lambda x: write_zero(x.sum()), lambda x: write_zero(np.copy(x.sum()))),
    "_writing: \"a write to an array of NumPy's\"": (
        lambda x: add_at(np.zeros(3), x), lambda x: add_at(np.zeros_like(x, shape=(3,)), x)),
    "_writing: 'np.fill_diagonal of other than two axes, or with wrap='": (
        lambda x: np.fill_diagonal(np.copy(x), 1, True), lambda x: write_places(np.copy(x), np.arange(2))),
    "_extent: 'a rounded extent'": (lambda x: x * round(x.shape[0], -1), lambda x: x * ((x.shape[0] + 5) // 10 * 10)),
    "_extent: 'bits of an extent'": (lambda x: x * (x.shape[0] & 1), lambda x: x * (x.shape[0] % 2), lambda x: x * 2 ** x.shape[0], lambda x: x * (x.shape[0] // 2)),
    "_extent: \"an array of NumPy's from an extent\"": (
        lambda x: array(x.shape), lambda x: np.stack([x.shape[0], x.shape[1]]), lambda x: np.zeros((x.shape[0], 2)), lambda x: np.arange(x.shape[0]),
        lambda x: np.linspace(0, 1, x.shape[0]), lambda x: x * (np.int64(1) * x.shape[0])),
    "_extent: 'a decision by an extent'": (
        lambda x: x if x.shape[0] > 1 else -x, lambda x: np.where(x.shape[0] > 1, x, -x), lambda x: x[: np.minimum(x.shape[0], 2)],
        lambda x: x * np.maximum(*x.shape), lambda x: bl.while_loop(lambda c: c[0] < x.shape[0], lambda c: (c[0] + 1, c[1] * 2), (0, x))[1]),
    "_extent: \"an extent as a number of Python's\"": (
        lambda x: sum(x[i] for i in range(x.shape[0])), lambda x: bl.fori_loop(0, x.shape[0], lambda i, s: s + x[i], x[0]),
        lambda x: np.stack([x, -x])[x.shape[0] - 2], lambda x: x.reshape(x.shape[0] * x.shape[1])[: x.shape[0]], lambda x: np.zeros((x.shape[0], 2)),
        lambda x: np.arange(x.shape[0]), lambda x: np.linspace(0, 1, x.shape[0])),
    "_extent: \"an extent as a float of Python's\"": (
        lambda x: x * float(x.shape[0]), lambda x: x * (1.0 * x.shape[0]), lambda x: x * np.sqrt(x.shape[0]) + np.log(x.shape[1]), lambda x: x * (np.float32(1) * x.shape[0])),
    "_extent: f'{name}() of an extent'": (lambda x: x * x.shape[0].bit_length(), lambda x: x * x.shape[0]),
    "_extent: 'a loop over an extent'": (lambda x: [*x.shape[0]], lambda x: bl.fori_loop(0, x.shape[0], lambda i, s: s + i, x)),
    "_extent: 'an extent as text'": (lambda x: f"{x.shape[0]:3d}", lambda x: (x, f"{x.shape[0]}")[0]),
    "_extent: 'an extent as the key of a dictionary or the element of a se": (
        lambda x: {3: x}[x.shape[0]], lambda x: np.where(x.shape[0] == 3, x, -x), lambda x: np.take(np.stack([x, -x]), x.shape[0] - 2, axis=0)),
    "_extent: 'the inverse of an extent in pow(n, -1, m)'": (lambda x: x * pow(x.shape[0], -1, 7), lambda x: x * pow(x.shape[0], 2, 7)),
    "_integers: self.message": (lambda x: x[: x.shape[0] + 2**70], lambda x: x * (1.0 * x.shape[0] + 2.0**70)),
    "_indexing: 'a slice whose ends are no numbers'": (
        lambda x: x[: x.sum()], lambda x: x[:2], lambda x: x[: x.shape[0] // 2], lambda x: x[: np.sum(x > 2)]),
    "_indexing: 'a slice whose step is no number'": (lambda x: x[:: x.shape[0]], lambda x: x[::2]),
    "_indexing: 'an index of bool without axes'": (lambda x: x[x[0, 0] > 2], lambda x: np.where(x[0, 0] > 2, x, 0)),
    "_joins: 'np.unstack of an axis whose extent a call tells'": (lambda x: np.unstack(x), lambda x: (x[0], x[1])),
    "_joins: f\"{name} with {('a slice' if isinstance(obj, slice) else 'in": (lambda x: np.delete(x, slice(1), axis=0), lambda x: np.concatenate([x[:0], x[1:]])),
    "_joins: f'{name} at some indices that count from the start and some ": (lambda x: np.delete(x, [0, -1], axis=0), lambda x: np.concatenate([x[1:2], x[1:-1]])),
    "_joins: 'np.insert at a mask'": (
        lambda x: np.insert(x, [True, False, True], 5, axis=0), lambda x: np.insert(x, np.flatnonzero([True, False, True]), 5, axis=0)),
    "_joins: 'a window whose size is no number'": (
        lambda x: np.lib.stride_tricks.sliding_window_view(x, x.shape[0] - 1, axis=0), lambda x: np.lib.stride_tricks.sliding_window_view(x, 2, axis=0)),
    "_linear: f'np.linalg.qr with mode={mode!r}'": (
        lambda x: np.linalg.qr(x, "raw"), lambda x: np.linalg.qr(x[:2], "reduced"), lambda x: np.linalg.qr(x[:2], "complete"), lambda x: np.linalg.qr(x[:2], "r")),
    "_linear: f'np.{name}'": (lambda x: np.linalg.eig(x @ x.T), lambda x: np.linalg.eigh(x[:2] @ x[:2].T).eigenvalues),
    "_methods: f\"the method '{name}'\"": (lambda x: x.view("i8"), lambda x: x.astype("i8")),
    "_namespace: 'arange of what is no integer'": (
        lambda x: np.arange(0, x.shape[0], 1 / 3), lambda x: np.arange(x.shape[0], like=x) * 0.5,
        lambda x: np.arange(x.shape[0]) * 0.5),
    "_nan: 'an index among what is no NaN'": (lambda x: np.nanargmax(x), lambda x: np.argmax(np.where(np.isnan(x), -np.inf, x))),
    "_products: 'np.dot with a second operand of more than two axes'": (
        lambda x: np.dot(x, np.ones((2, 4, 5))), lambda x: np.matmul(x, np.ones((2, 4, 5))), lambda x: np.tensordot(x, np.ones((2, 4, 5)), (1, 1))),
    "_products: f'np.linalg.norm with ord={ord!r} over {rank} axes'": (
        lambda x: np.linalg.norm(x, 3, axis=0), lambda x: np.sum(np.abs(x) ** 3, axis=0) ** (1 / 3), lambda x: np.sqrt(np.max(np.sum(x * x, axis=0)))),
    "_products: f'vector_norm with ord={ord!r} over all axes'": (
        lambda x: np.linalg.vector_norm(x, ord=1), lambda x: np.linalg.vector_norm(x, ord=1, axis=0)),
    "_products: 'out= of np.linalg.multi_dot'": (
        lambda x: np.linalg.multi_dot([x, x.T, x], out=np.zeros((3, 4))), lambda x: np.linalg.multi_dot([x, x.T, x])),
    "_quantiles: f'np.{name} with method={method!r}'": (
        lambda x: np.quantile(x, 0.5, method="hazen"),
        *(lambda x, m=m: np.quantile(x, 0.5, method=m) for m in ("linear", "lower", "higher", "nearest", "midpoint"))),
    "_quantiles: f'np.{name} with weights or out='": (
        lambda x: np.quantile(x, 0.5, method="linear", out=x), lambda x: np.quantile(x, 0.5)),
    "_quantiles: f'np.{name} of what is computed'": (
        lambda x: np.quantile(x, x[0, 0] / 100), lambda x: np.quantile(x, 0.5), lambda x: np.quantile(x, [0.5, 1])),
    "_quantiles: f'np.{name} of {quantiles.ndim} axes of quantiles'": (
        lambda x: np.quantile(x, [[0.5]]), lambda x: np.quantile(x, 0.5), lambda x: np.quantile(x, [0.5, 1])),
    "_reductions: 'np.mean with where= and a type of integers'": (
        lambda x: np.mean(x, where=x > 1, dtype=int), lambda x: np.mean(x, where=x > 1).astype(int)),
    "_reductions: \"returned=True of 'numpy.average'\"": (
        lambda x: np.average(x, 0, np.ones(3), returned=True), lambda x: (np.average(x, 0, np.ones(3)), np.sum(np.ones(3)))),
    "_reductions: f'{name} with dtype=bool'": (
        lambda x: np.cumsum(x, dtype=bool), lambda x: np.cumsum(x > 2, dtype=np.int64) != 0),
    "_results: 'a text of what has no value yet, as a result,'": (lambda x: str(x), lambda x: x),
    "_counted: f'np.trim_zeros of {array.ndim} axes'": (lambda x: np.trim_zeros(x), lambda x: x[0 : 1 + 1]),
    "_sorting: 'np.lexsort of an array whose number of keys a call tells'": (lambda x: np.lexsort(x), lambda x: np.lexsort((x[0], x[1]))),
    "_searching: 'np.interp with period='": (
        lambda x: np.interp(x, LINE, LINE, period=6), lambda x: np.interp(np.remainder(x, 6), LINE % 6, LINE)),
    "_searching: 'np.histogram with weights or density'": (
        lambda x: np.histogram(x, LINE, density=True), lambda x: np.histogram(x, LINE)[0] / np.histogram(x, LINE)[0].sum() / np.diff(LINE)),
    "_searching: f'np.histogram with bins={bins!r}'": (lambda x: np.histogram(x, "auto"), lambda x: np.histogram(x, [0, 3, 9])),
    "_searching: f'np.unravel_index with order={order!r}'": (
        lambda x: np.unravel_index(x.astype(int), (4, 5), order="F"), lambda x: np.unravel_index(x.astype(int), (5, 4))[::-1]),
    "_searching: 'np.ravel_multi_index with mode= or order='": (
        lambda x: np.ravel_multi_index((x.astype(int), x.astype(int)), (4, 5), mode="clip"),
        lambda x: np.ravel_multi_index((np.clip(x.astype(int), 0, 3), np.clip(x.astype(int), 0, 4)), (4, 5))),
    "_searching: 'np.piecewise with conditions whose number a call tells'": (
        lambda x: np.piecewise(x[0], x > 2, [1]), lambda x: np.piecewise(x, [x > 2, x > 4], [1, 2])),
    "_selected: f'{what} of the elements that a condition of np.piecewise se": (
        lambda x: np.piecewise(x, [x > 2], [lambda v: v - v.sum()]), lambda x: np.piecewise(x, [x > 2], [lambda v, s: v - s], x.sum()),
        lambda x: np.where(x > 2, x - np.sum(np.where(x > 2, x, 0)), 0)),
    "_selected: 'a function of np.piecewise whose result is not computed of ": (
        lambda x: np.piecewise(x, [x > 2], [lambda v: np.ones(5)]), lambda x: np.where(x > 2, 1.0, 0)),
    "_shapes: f'order={order!r}'": (lambda x: x.ravel(order="F"), lambda x: x.T.ravel(order="C"), lambda x: x.T.reshape(-1, 2, order="C").T),
    "_shapes: 'np.squeeze without an axis'": (lambda x: np.squeeze(x[:1]), lambda x: np.squeeze(x[:1], axis=0)),
    "_shapes: 'np.roll by an array'": (lambda x: np.roll(x, x[0].astype(int)), lambda x: np.roll(x, x[0, 0].astype(int)), lambda x: np.roll(x, 1), lambda x: np.roll(x, x.shape[0] // 2, axis=1)),
    "_shapes: f'np.pad with constant_values={constant_values!r}'": (
        lambda x: np.pad(x, 1, constant_values=((1, 2), (3, 4))), lambda x: np.pad(x, 1, constant_values=5), lambda x: np.concatenate([x[:1] * 0 + 1, x])),
    "_shapes: f'np.pad with mode={mode!r}'": (
        lambda x: np.pad(x, 1, "mean"), *(lambda x, m=m: np.pad(x, 1, m) for m in ("constant", "edge", "reflect", "symmetric", "wrap"))),
    "_taking: 'a triangle of fewer than two axes'": (lambda x: np.tril(x[0]), lambda x: np.tril(x)),
    "_signals: f'np.gradient with edge_order={edge_order!r}'": (lambda x: np.gradient(x, axis=1, edge_order=2), lambda x: np.gradient(x, axis=1)),
    "_signals: 'np.gradient with coordinates as an array'": (lambda x: np.gradient(x, np.arange(4.0) ** 2, axis=1), lambda x: np.gradient(x, 0.5, axis=1)),
    "_signals: 'np.ediff1d with to_end= or to_begin='": (
        lambda x: np.ediff1d(x, to_end=0.0), lambda x: np.concatenate([np.ediff1d(x), np.zeros(1)])),
    "_signals: f'np.{name} with weights'": (
        lambda x: np.cov(x, fweights=np.arange(1, 5)), lambda x: np.average(x, axis=1, weights=np.arange(1, 5))),
    "_signals: 'np.polyval with coefficients whose number a call tells'": (lambda x: np.polyval(x[0], x), lambda x: np.polyval([x[0, 0], 2, 1], x)),
    "_signals: 'np.vander without a number of columns'": (lambda x: np.vander(x[0]), lambda x: np.vander(x[0], N=3)),
    "_sorting: f'np.{name} with order={order!r}'": (lambda x: np.sort(x, order="a"), lambda x: np.sort(x)),
    "_trace: 'what another trace computes, used in this one,'": (inside_another, lambda x: bl.jit(lambda y, x: y + x)(np.ones(4), x)),
    "_trace: 'what the body of a loop computes, used outside of it,'": (
        leave_loop, lambda x: bl.fori_loop(0, 3, lambda i, c: (c[0], c[0] * 2), (x, x))[1]),
    "_ufuncs: _trace.NO_COMPLEX": (lambda x: x * 1j, lambda x: (x * 0, x)),
    "_ufuncs: f\"'{ufunc.__name__}' is not supported under bl.jit; there ar": (lambda x: np.frexp(x), lambda x: np.modf(x)),
    "_lent: \"a write to an array of NumPy's with which an array of the t": (write_lent, lambda x: write_lent(x, np.copy), write_to_own),
    "_lent: \"a write to an array of NumPy's in the body of a loop\"": (write_in_body, carry_in_body),
    "_lent: f'an assignment to {name}, which is from outside, in the bod": (assign_in_body, carry_in_body),
    # Loops.
    "_carried: f\"'bl.{loop}': the body gives a {type(leaf).__name__} for {s": (
        lambda x: bl.fori_loop(0, 3, lambda i, a: "x", x), lambda x: bl.fori_loop(0, 3, lambda i, a: a * 2, x)),
    "_carried: f\"'bl.{loop}': the body gives {self.name} the type {array.dt": (
        lambda x: bl.fori_loop(0, 3, lambda i, a: np.astype(a, np.float32), x),
        lambda x: bl.fori_loop(0, 3, lambda i, a: a, np.astype(x, np.float32)),
        lambda x: bl.fori_loop(0, 3, lambda i, a: np.astype(np.astype(a, np.float32), np.float64), x)),
    "_carried: f\"'bl.{self.loop}': {name} is a {type(leaf).__name__}; a loo": (
        lambda x: bl.fori_loop(0, 3, lambda i, a: a, {1, 2}), lambda x: bl.fori_loop(0, 3, lambda i, c: c, {"a": [x, 1], "b": (x,)})["a"][0]),
    "_carried: f\"'bl.{self.loop}': the body gives {given}, but what it carr": (
        lambda x: bl.fori_loop(0, 3, lambda i, a: (a, a), x), lambda x: bl.fori_loop(0, 3, lambda i, c: (c[0], c[0]), (x, x))),
    "_carried: f\"'bl.{self.loop}': the body makes {new!r} of {name}, which ": (
        lambda x: bl.fori_loop(0, 3, lambda i, c: (c[0], "b"), (x, "a")), lambda x: bl.fori_loop(0, 3, lambda i, c: c, (x, "a"))[0]),
    "_loops: \"'bl.scan': the function gives a tuple of the carry and a ro": (
        lambda x: bl.scan(lambda s, r: s, x[0], x), lambda x: bl.scan(lambda s, r: (s + r, None), x[0], x)[0]),
    "_loops: f\"'bl.scan': it goes over the first axis of {name}, which ha": (
        lambda x: bl.scan(lambda s, r: (s + r[1], None), x[0], (x, x[0, 0])), lambda x: bl.scan(lambda s, r: (s + x[0, 0], None), x[0], x)[0],
        lambda x: bl.scan(lambda c, r: ((c[0] + c[1], c[1]), None), (x[0], x[0, 0]), x)[0]),
    "_loops: \"'bl.scan': without xs it needs length=\"": (
        lambda x: bl.scan(lambda s, r: (s, None), x), lambda x: bl.scan(lambda s, r: (s * 2, None), x, length=3)[0]),
    "_loops: f'{name} of the loop is an integer without axes, not {bound.": (
        lambda x: bl.fori_loop(0, x[0, 1], lambda i, a: a, x), lambda x: bl.fori_loop(0, x[0, 1].astype(int), lambda i, a: a * 2, x)),
    "_loops: f'{name} of the loop is an integer, an extent or an array of": (
        lambda x: bl.fori_loop(0, 2.5, lambda i, a: a, x), lambda x: bl.fori_loop(0, x.shape[0], lambda i, a: a * 2, x)),
    "_loops: f\"'bl.while_loop': cond gives an array of shape {spell_shape": (
        lambda x: bl.while_loop(lambda a: a > 1, lambda a: a / 2, x), lambda x: bl.while_loop(lambda a: np.any(a > 1), lambda a: a / 2, x),
        lambda x: bl.while_loop(lambda a: np.all(a > 0.1), lambda a: a / 2, x)),
    "_loops: f\"'bl.while_loop': cond gives {found!r}, not a truth\"": (
        lambda x: bl.while_loop(lambda a: "yes", lambda a: a, x), lambda x: bl.while_loop(lambda a: a.sum() > 1, lambda a: a / 2, x)),
    "_loops: f'{name} of bl.scan, whose axis {shape.index(None)} has an e": (
        lambda x: bl.scan(lambda s, r: (s + 1, r[:s]), 4, x), lambda x: bl.scan(lambda s, r: (s + 1, np.reshape(r[:s], x[0].shape)), 4, x)[1]),
}  # fmt: skip


def test_each_place_has_a_case():
    assert sorted(find_places()) == sorted(CASES)


@pytest.mark.parametrize("place", CASES)
def test_what_a_message_advises_works(place, monkeypatch):
    refused, *advised = CASES[place]
    reached = []

    def note(make):
        def noting(*arguments, **keywords):
            frame = sys._getframe(1)
            reached.append((frame.f_code.co_filename, frame.f_lineno))
            return make(*arguments, **keywords)

        return noting

    for name in ("refuse", "error"):
        monkeypatch.setattr(_trace, name, note(getattr(_trace, name)))
    with pytest.raises(bl.TraceError):
        bl.jit(refused, optimise=False)(X)
    monkeypatch.undo()
    path, first, last = find_places()[place]
    assert any(pathlib.Path(name).samefile(path) and first <= line <= last for name, line in reached), reached
    for function in advised:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            expected = flatten(function(X))
        found = flatten(bl.jit(function, optimise=False)(X))
        assert len(found) == len(expected)
        for one, other in zip(found, expected):
            assert (one.dtype, one.shape) == (other.dtype, other.shape)
            np.testing.assert_allclose(one, other, rtol=1e-6)
