"""Public names that other tests only use in passing: each would fail if it misbehaved."""

import inspect
import os
import pickle
import subprocess
import sys
import typing

import broadloom as bl
import numpy as np
import pytest
from onnx_models import agree, model, random


def test_a_function_with_its_weights():
    w, s = random(200, 100), random(100)
    text = "x: f32[n, 200]\ny = MatMul(x, w)\nz = Mul(y, s)\nreturn z"
    f = bl.from_onnx(model(text, w=w, s=s), weights="shared")
    assert isinstance(f, bl.OnnxFunction)
    assert f.__name__ == f.function.__name__
    # The weights are no inputs, though the function takes them.
    assert f.arguments == ["tensor<nx200xf32>"] and len(f.function.arguments) == 2
    assert f.results == list(f.function.results) and f.results[0].endswith("x100xf32>")
    assert f.shapes((3, 200)) == [(3, 100)]
    assert f.shapes() == f.function.shapes()
    assert list(f.check()) == list(f.function.check())
    assert repr(f) == f"<broadloom.OnnxFunction of {f.function!r}: 1 weights>"
    assert f.weights[0].shape == (200, 100)
    agree(f(random(3, 200)), random(3, 200) @ w * s, 1e-4)


def test_unsupported_operations_are_data():
    error = bl.UnsupportedOperations(
        [("aten.foo.default", "model.py:3", "no rule"), ("aten.bar.default", None, "of f8")],
        ["foo", "bar"],
        "leave them out",
    )
    assert isinstance(error, bl.Error) and isinstance(error, NotImplementedError)
    for one in (error, pickle.loads(pickle.dumps(error))):
        assert str(one) == (
            "the graph has 2 operations that cannot be imported; leave them out:\n"
            "model.py:3: aten.foo.default: no rule\nthe graph: aten.bar.default: of f8"
        )
        assert [operation[0] for operation in one.operations] == ["aten.foo.default", "aten.bar.default"]
        assert one.nodes == ("foo", "bar") and one.advice == "leave them out"
    said = [str(bl.UnsupportedOperations([("aten.foo.default", None, "no rule")] * n)).splitlines()[0] for n in (1, 2)]
    assert said == [
        "the graph has an operation that cannot be imported; write it otherwise:",
        "the graph has 2 operations that cannot be imported; write them otherwise:",
    ]


def test_a_function_under_jit_tells_of_itself():
    @bl.jit
    def twice(x, k):
        """Its text."""
        return x * k

    x = np.ones((2, 3), np.float32)
    assert isinstance(twice, bl.JitFunction) and twice.__doc__ == "Its text."
    assert isinstance(twice.cache_info(), bl.CacheInfo) and twice.cache_info() == bl.CacheInfo(0, 0.0)
    assert repr(twice).endswith("twice: 0 traces>")
    # Reading the program makes the trace that a call uses.
    text = twice.mlir(x, 2)
    assert text.startswith("func.func @main(%arg0: tensor<?x?xf32>") and twice.cache_info().traces == 1
    assert isinstance(twice.check(x, 2), bl.Report)
    assert isinstance(twice.lower(x, 2), bl.Function)
    np.testing.assert_array_equal(twice(x, 2), x * 2)
    assert twice.cache_info().traces == 1
    twice.cache_clear()
    assert twice.cache_info().traces == 0


@pytest.mark.parametrize("function", (bl.compile, bl.compile_program, bl.load, bl.check, bl.jit, bl.from_torch))
def test_parameters_have_types(function):
    # A checker reports a keyword that there is not: nothing is a Never.
    parameters = inspect.signature(function).parameters
    assert not [name for name, p in parameters.items() if p.annotation is inspect.Parameter.empty]
    assert all(p.annotation == "Never" for p in parameters.values() if p.kind is inspect.Parameter.VAR_KEYWORD)
    with pytest.raises(TypeError, match=r"has no keyword argument 'treads'"):
        function("", treads=1)


TRIM = """
import broadloom as bl, numpy as np

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 >> 20

add = bl.compile('''func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %c : tensor<?xf32>
}''')
x = np.ones(16 << 20, np.float32)
y = add(x, x)
del y
before = resident()
bl.trim()
print(before - resident(), add(x, x).sum() == 2 * len(x))
"""


def test_trim_gives_memory_back():
    package = os.path.dirname(os.path.dirname(bl.__file__))
    done = subprocess.run(
        [sys.executable, "-c", TRIM], capture_output=True, text=True, env=dict(os.environ, PYTHONPATH=package)
    )
    megabytes, is_right = done.stdout.split()
    assert is_right == "True" and int(megabytes) > 32, done.stdout


def test_types_that_checkers_see():
    """What `@bl.jit` makes is no Any, and a report has rows."""
    returned = [one.__annotations__["return"] for one in typing.get_overloads(bl.jit)]
    assert returned == ["JitFunction", "Callable[[Callable[..., Any]], JitFunction]"]
    assert typing.get_args(bl.Report.__orig_bases__[0]) == (bl.Row,)
    assert [one.__annotations__["return"] for one in typing.get_overloads(bl.Report.__getitem__)] == [
        "Row",
        "tuple[Row, ...]",
    ]
    report = bl.check(
        "func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {\n"
        "  %r = tosa.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n  return %r : tensor<?xf32>\n}\n"
    )
    assert isinstance(report[0], bl.Row) and isinstance(report[:1], tuple)
