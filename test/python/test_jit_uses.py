"""How bl.jit is used: traces, arguments of all kinds, threads, and what is told of a program."""

import broadloom as bl
import numpy as np
import pytest
from jit_comparison import check, numbers


def test_one_trace_for_all_extents():
    calls = []

    @bl.jit
    def f(x, y):
        """Adds."""
        calls.append(1)
        return x + y * 2

    for shape in [(2, 3), (1, 3), (5, 1), (0, 3), (7, 7)]:
        x = numbers("f4", *shape)
        check(f(x, x), x + x * 2)
    assert len(calls) == 1 and f.cache_info().traces == 1 and f.cache_info().seconds > 0
    x = np.ones(3)
    check(f(x, x), x * 3)
    check(f(np.ones((2, 3), "f4"), x), np.ones((2, 3)) * 3)
    assert len(calls) == 3 and f.__name__ == "f" and f.__doc__ == "Adds."
    assert "f: 3 traces" in repr(f)
    f.cache_clear()
    assert f.cache_info() == (0, 0.0)


def test_static_arguments_and_keywords():
    @bl.jit
    def f(x, axis=0, *, power=1.0, name="a", flag=None):
        return x.sum(axis=axis) ** power if flag is None else x * len(name)

    x = numbers("f8", 3, 4)
    check(f(x), x.sum(0))
    check(f(x, 1), x.sum(1))
    check(f(x, axis=(0, 1), power=2.0), x.sum() ** 2)
    check(f(x, flag=True, name="abc"), x * 3)
    check(f(axis=1, x=x), x.sum(1))
    assert f.cache_info().traces == 4
    with pytest.raises(TypeError, match=r"f\(\) missing a required argument: 'x'"):
        f()
    with pytest.raises(TypeError, match="unexpected keyword argument 'axes'"):
        f(x, axes=1)
    signed = bl.jit(lambda x, c: x * c)
    assert np.signbit(signed(np.ones(1), -0.0)) and not np.signbit(signed(np.ones(1), 0.0))
    assert signed(np.ones(1, "i4"), True).dtype == np.int32 and signed(np.ones(1, "i4"), 1.0).dtype == np.float64
    signed(np.ones(1), float("nan")), signed(np.ones(1), float("nan"))
    assert signed.cache_info().traces == 5


def test_trees():
    @bl.jit
    def f(state, scale):
        new = {"w": state["w"] * scale, "b": [state["b"][0] + 1, None]}
        return new, (np.sum(new["w"]), "done", 3)

    state = {"w": np.ones((2, 3), "f4"), "b": [np.zeros(2), None]}
    new, (total, text, number) = f(state, np.float32(2))
    check(new["w"], np.full((2, 3), 2, "f4"))
    check(new["b"][0], np.ones(2))
    assert new["b"][1] is None and total == 12 and (text, number) == ("done", 3)


def test_calls_of_each_other_and_constants():
    table = np.arange(3.0)
    inner = bl.jit(lambda x, n=2: x * n + table)
    outer = bl.jit(lambda x: inner(x, n=3) + inner(x))
    check(outer(np.ones(3)), 5 * np.ones(3) + 2 * table)
    assert inner.cache_info().traces == 0
    same = bl.jit(lambda x: 7)
    assert same(np.ones(2)) == 7
    kept = bl.jit(lambda x: (x, table))(np.ones(2))
    assert kept[1] is not table
    check(kept[0], np.ones(2))


def test_arguments():
    f = bl.jit(lambda x: x * 2)
    check(f(np.float32(2)), np.float32(4))
    check(f(np.ones((2, 3))[::-1, ::2]), np.full((2, 2), 2.0))
    check(f(memoryview(np.ones(2))), np.full(2, 2.0))
    out = np.zeros(2)
    assert f(np.ones(2), out=out) is out and (out == 2).all()
    assert bl.jit(lambda out: out + 1)(out=np.zeros(1)) == 1

    class Exported:
        def __init__(self, x):
            self.x = x

        def __dlpack__(self, **keywords):
            return self.x.__dlpack__()

        def __dlpack_device__(self):
            return self.x.__dlpack_device__()

    check(f(Exported(np.ones(2))), np.full(2, 2.0))
    for wrong, message in [
        (np.ones(2, ">f4"), "of the other byte order; give x.astype"),
        (np.array(["a"]), "argument 'x' has elements of NumPy's type <U1"),
        (np.array([object()]), "argument 'x' has elements of NumPy's type object"),
        (np.ones(2, complex), "NumPy's type complex128"),
        (np.ones(2, "M8[s]"), "NumPy's type datetime64"),
        (np.ma.ones(2), "argument 'x' is a MaskedArray, whose meaning differs"),
        (np.ones((1, 2)).view(np.matrix), "argument 'x' is a matrix"),
        (1j, "argument 'x' is a complex"),
        ({1, 2}, "argument 'x' is a set"),
        ((i for i in [1]), "argument 'x' is a generator"),
    ]:
        with pytest.raises(TypeError, match=message):
            f(wrong)
    check(f(np.ones(2)), np.full(2, 2.0))
    with pytest.raises(TypeError, match="argument 'x' is a MaskedArray"):
        f(np.ma.ones(2))


def test_help_lists_the_functions():
    # In an installed package there is no docs/jit.md.
    assert {"take_along_axis", "einsum", "linalg.norm"} <= set(bl.jit.__doc__.split())
    # What only says why it cannot be traced is none of them.
    assert not {"linalg.eigvals", "nanargmax"} & set(bl.jit.__doc__.split())


def test_arrays_of_earlier_traces():
    kept = []
    bl.jit(lambda x: kept.append(x) or x * 2)(np.ones(2))
    with pytest.raises(bl.TraceError, match="an array of an earlier trace is used"):
        kept[0] + 1
    with pytest.raises(bl.TraceError, match="an array of an earlier trace is used"):
        bl.jit(lambda x: x + kept[0])(np.ones(2))


def test_the_array_api():
    @bl.jit
    def f(x):
        xp = x.__array_namespace__()
        n, m = x.shape
        mask = xp.arange(m) < xp.asarray(n)
        total = xp.sum(xp.where(mask, x, xp.zeros((1, m), dtype=x.dtype)), axis=0)
        return {
            "total": xp.astype(total, xp.float32), "acos": xp.acos(x / 9), "pow": xp.pow(x, 2), "pi": x * xp.pi,
            "full": xp.full((n, 2), 3.5), "ones": xp.ones(n, dtype=xp.int8), "concat": xp.concat([x, x]),
            "round": xp.round(x), "vecdot": xp.vecdot(x, x), "permute": xp.permute_dims(x, (1, 0)),
            "range": xp.arange(1, n, 2), "back": xp.arange(n, 0, -1), "list": xp.asarray([n, m]),
        }  # fmt: skip

    x = numbers("f8", 2, 3)
    found = f(x)
    expected = {
        "total": np.array([*x[:, :2].sum(0), 0], "f4"), "acos": np.arccos(x / 9), "pow": x**2, "pi": x * np.pi,
        "full": np.full((2, 2), 3.5), "ones": np.ones(2, "i1"), "concat": np.concatenate([x, x]),
        "round": np.rint(x), "vecdot": (x * x).sum(-1), "permute": x.T, "range": np.arange(1, 2, 2),
        "back": np.arange(2, 0, -1), "list": np.array([2, 3]),
    }  # fmt: skip
    for name, value in expected.items():
        check(found[name], value, ulp=8, name=name)


def test_the_namespace_has_what_it_lists():
    from broadloom._jit import _namespace

    assert all(hasattr(_namespace, name) for name in _namespace.__all__)
    assert {"sum", "matmul", "where", "reshape", "take", "stack", "argmax"} <= set(_namespace.__all__)


def test_looking_at_the_program(tmp_path):
    f = bl.jit(lambda x, y: np.exp(x) + y)
    x = np.ones((2, 3), "f4")
    text = f.mlir(x, x)
    assert "loom.map" in text and "numpy.add" in text and "test_jit_uses.py" in text
    assert [row.operation for row in f.check(x, x) if row.status == "run-time"] == ["numpy.add"] * 2
    g = f.lower(x, x)
    assert isinstance(g, bl.Function) and g.shapes((None, "n"), (1, "n")) == [(None, "n")]
    g.save(tmp_path / "f.blm")
    check(bl.load(tmp_path / "f.blm")(x, x), np.exp(x) + x, ulp=4)
    assert f.cache_info().traces == 1
    with pytest.raises(ValueError, match="computes nothing with arrays"):
        bl.jit(lambda x: 3).lower(x)


def test_what_jit_takes():
    with pytest.raises(TypeError, match=r"bl.jit takes a function, not int"):
        bl.jit(3)
    with pytest.raises(TypeError, match="cannot tell the arguments of <built-in function max"):
        bl.jit(max)

    def generator(x):
        yield x

    with pytest.raises(TypeError, match="generator is a generator"):
        bl.jit(generator)

    class Model:
        @bl.jit
        def f(self, x):
            return x

    with pytest.raises(TypeError, match=r"Model.f is a method, and bl.jit takes functions of arrays"):
        Model().f(np.ones(1))
    f = bl.jit(threads=1)(lambda x: x + 1)
    assert f.lower(np.ones(1)).threads == 1


def test_numbers_that_change_are_told_of():
    f = bl.jit(lambda x, c: x, optimise=False)
    with pytest.warns(bl.CompileWarning, match="has been traced 64 times, since c is 0, 1, 2, ...; what is no array"):
        for i in range(64):
            f(np.ones(1), i)
    g = bl.jit(lambda x, options: x["a"], optimise=False)
    message = r"since x\['a'\] is an array of float64 with 1 axes, an array of float32 with 1 axes; options\['k'\]\[0\] is 0.0, 1.0, 2.0, ...;"
    with pytest.warns(bl.CompileWarning, match=message):
        for i in range(64):
            g({"a": np.ones(1, "f4" if i % 2 else "f8")}, {"k": [i / 1]})


def test_threads():
    import threading

    traces = []

    @bl.jit
    def f(x):
        traces.append(1)
        return np.tanh(x) * 2

    x = numbers("f4", 50, 50)
    results = [None] * 8

    def work(i):
        results[i] = f(x)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(traces) == 1
    for result in results:
        check(result, np.tanh(x) * 2, ulp=8)


def test_layer_norm_and_softmax_are_one_kernel():
    def norm(x, g, b):
        m = x.mean(axis=-1, keepdims=True)
        v = ((x - m) ** 2).mean(axis=-1, keepdims=True)
        return (x - m) / np.sqrt(v + 1e-5) * g + b

    x, g = numbers("f4", 6, 32), numbers("f4", 32, seed=3)
    f = bl.jit(norm)
    check(f(x, g, g), norm(x, g, g), ulp=16)
    loom = f.lower(x, g, g).program.emit("loom").decode()
    assert loom.count("loom.fused_reduction") == 1 and "loom.map(" not in loom
    # A mean without its axis, which comes back, is the same.
    centred = bl.jit(lambda x: x - x.mean(axis=-1)[..., None])
    check(centred(x), x - x.mean(-1, keepdims=True), ulp=16)
    loom = centred.lower(x).program.emit("loom").decode()
    assert loom.count("loom.fused_reduction") == 1 and "loom.map(" not in loom
    columns = bl.jit(lambda x: (x - x.mean(axis=0)) / x.std(axis=0))
    check(columns(x), (x - x.mean(axis=0)) / x.std(axis=0), ulp=32)
    loom = columns.lower(x).program.emit("loom").decode()
    assert loom.count("loom.fused_reduction") == 1 and "loom.map(" not in loom


def _is_there(name):
    """Whether this NumPy has a function."""
    owner = np
    for part in name.split("."):
        owner = getattr(owner, part, None)
    return owner is not None


def test_the_document_lists_what_there_is():
    import os
    import re

    from broadloom._jit import _functions, _ufuncs
    from conftest import ROOT

    path = os.path.join(ROOT, "docs", "jit.md")
    with open(path) as file:
        text = file.read()

    def listed(name):
        block = re.search(f"<!-- {name}: begin -->(.*)<!-- {name}: end -->", text, re.S)[1]
        return block.splitlines()[3].strip("| ").split(";")[0].split()

    universal = sorted(n for n in _ufuncs.FUNCTIONS if isinstance(getattr(np, n, None), np.ufunc))
    # Names of NumPy's are those of the newest that is supported.
    functions = set(_functions.list_supported())
    assert universal == [n for n in listed("universal") if hasattr(np, n)]
    newer = {n for n in listed("functions") if n in _functions.NAMED and not _is_there(n)}
    assert sorted(functions | newer) == listed("functions")
