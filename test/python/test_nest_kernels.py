"""Ten kernels of loops over matrices against NumPy, and 200 mutants of them with one wrong
bound or subscript against their enumeration (mem-2)."""

import copy

import broadloom as bl
import numpy as np
import pytest
from nest_generator import Argument, Case, Invocation
from nest_judge import Judge
from nest_kernels import KERNELS
from nest_mutants import EXTENTS, OF_EACH, mutants_of
from nest_run import Run
from nest_text import write


def called(kernel, function, n):
    """What the arrays hold after a call, and as NumPy computes it."""
    given = kernel.arrays(n)
    expected = copy.deepcopy(given)
    function(*given, n)
    kernel.reference(*expected)
    return given, expected


@pytest.mark.parametrize("name", KERNELS)
def test_kernels(name):
    kernel = KERNELS[name]
    function = bl.compile(write([kernel.function()])[0])
    for n in (1, 2, 3, 8, 17):
        for given, expected in zip(*called(kernel, function, n)):
            np.testing.assert_allclose(given, expected, rtol=1e-12, atol=1e-300)
    empty = kernel.arrays(0)
    assert function(*empty, 0) is None


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_with_extents_in_types(name):
    kernel = KERNELS[name]
    function = bl.compile(write([kernel.function(9)])[0])
    for given, expected in zip(*called(kernel, function, 9)):
        np.testing.assert_allclose(given, expected, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("name", KERNELS)
def test_a_number_that_is_larger_than_the_memory(name):
    """What goes outside is refused before anything is written."""
    kernel = KERNELS[name]
    function = bl.compile(write([kernel.function()])[0])
    for small, large in ((4, 5), (1, 9), (0, 3)):
        given = kernel.arrays(small)
        before = copy.deepcopy(given)
        with pytest.raises(bl.ShapeError, match=rf"is outside axis \d of argument '\w+', whose extent is {small}: %"):
            function(*given, large)
        assert all(np.array_equal(a, b) for a, b in zip(given, before))


def case_of(mutant):
    """Its calls, with memory at the end of a page or at the beginning."""
    calls = []
    for n in EXTENTS:
        data = KERNELS[mutant.kernel].arrays(n)
        at = "end" if mutant.number % 2 else "start"
        calls.append(Invocation([Argument(a.shape, i, "rows", at) for i, a in enumerate(data)], [n], data))
    return Case([mutant.function], calls)


@pytest.mark.parametrize("name", KERNELS)
def test_mutants(name):
    """Each is refused where it goes outside, and only there, before it writes; else it computes what it says."""
    mutants = list(mutants_of(name))
    cases = [case_of(mutant) for mutant in mutants]
    judge = Judge(most=100_000, keeps=True)
    findings = judge.judge_together(cases)
    wrong = [f"{m.what}: {f.kind}: {f.text}\n{write([m.function])[0]}" for m, f in zip(mutants, findings) if f]
    assert not wrong, "\n".join(wrong)
    assert judge.counts["nests"] == OF_EACH and judge.counts["calls"] == OF_EACH * len(EXTENTS)
    # Of each kernel some go outside, and some do not.
    assert 0 < judge.counts["calls that fail"] < judge.counts["calls"]


def test_mutants_are_two_hundred_and_different():
    texts = {write([m.function])[0] for name in KERNELS for m in mutants_of(name)}
    assert len(texts) == 200


def test_operations_are_counted_as_they_are_enumerated():
    """What the benchmark's limits are computed from."""
    for kernel in KERNELS.values():
        counted = Run([kernel.function()], 10**6).call("main", kernel.arrays(10), [10]).operations
        assert counted == pytest.approx(kernel.operations(10), rel=0.3), kernel.name
