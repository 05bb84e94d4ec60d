"""The package of the build tree, or the installed one where there is none."""

import os
import sys
import warnings

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

if "BROADLOOM_TEST_INSTALLED" not in os.environ:
    build = os.environ.get("BROADLOOM_BUILD", os.path.join(ROOT, "build"))
    sys.path.insert(0, os.path.join(build, "python"))
    # Programs that tests start find it too.
    os.environ["PYTHONPATH"] = os.path.join(build, "python")
# No test may find what an earlier run has compiled.
os.environ["BROADLOOM_CACHE"] = "0"

# Loop nests, which the benchmark has too, and their fuzzer.
sys.path += [os.path.join(ROOT, "test", "nests"), os.path.join(ROOT, "test", "fuzz")]

import broadloom as bl  # noqa: E402

ADD = """
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""


def unary(element, operation="tosa.identity", shape="*x"):
    """A program that does `operation` to one tensor."""
    kind = f"tensor<{shape}{element}>"
    return (
        f"func.func @main(%a: {kind}) -> {kind} {{\n"
        f"  %r = {operation} %a : ({kind}) -> {kind}\n  return %r : {kind}\n}}\n"
    )


def double(element):
    """A program that adds a tensor to itself."""
    kind = f"tensor<*x{element}>"
    return (
        f"func.func @main(%a: {kind}) -> {kind} {{\n"
        f"  %r = tosa.add %a, %a : ({kind}, {kind}) -> {kind}\n  return %r : {kind}\n}}\n"
    )


@pytest.fixture(scope="session")
def add():
    return bl.compile(ADD, name="add.mlir")


@pytest.fixture(params=["?", "static"])
def vector_type(request):
    """Gives the type of memory of so many i64, with its extent or without."""
    return lambda extent: f"memref<{'?' if request.param == '?' else extent}xi64>"


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.fixture(autouse=True)
def finds_leaks(request, monkeypatch):
    """Programs of tests about memory free what they make."""
    if not request.module.__name__.startswith("test_memory"):
        return

    def compile_and_find(*args, compile=bl.compile, **options):
        function = compile(*args, **options)
        function.finds_leaks = True
        return function

    monkeypatch.setattr(bl, "compile", compile_and_find)
