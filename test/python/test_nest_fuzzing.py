"""scripts/fuzz nests itself: its nests are the same each time, its enumeration is right
where it was done by hand, and it sees what is wrong."""

import copy
import os

import nest_judge
import nests
import numpy as np
import pytest
from nest_generator import Argument, Case, Generator, Invocation
from nest_judge import Judge
from nest_memory import LAYOUTS, SIZE, lay
from nest_program import (
    Array,
    Branch,
    Call,
    Carried,
    Constant,
    Copy,
    Function,
    Load,
    Memory,
    Name,
    Number,
    Operation,
    Reduction,
    Temporary,
    View,
    loop,
    walk,
)
from nest_run import Run
from nest_shrinker import Shrinker
from nest_text import write

A = Array("a")
i, j, n = Name("i"), Name("j"), Name("n")


def one(*body, form="affine", extent=None):
    return Function("f", [Memory("a", [extent])], ["n"], list(body), form)


def triangle(form="affine"):
    """Writes 10 i + j to element i + j, for j up to i."""
    return one(loop(i, 0, n, loop(j, 0, i + 1, A.put(i + j, A[i + j] + 1))), form=form)


def test_enumeration():
    a = np.zeros(6, np.int64)
    outcome = Run([triangle()]).call("f", [a], [3])
    assert not outcome.outside
    assert a.tolist() == [1, 1, 2, 1, 1, 0]
    assert outcome.accesses == 12 and outcome.operations == 6 and len(outcome.writes) == 6


def test_enumeration_of_what_is_outside():
    a = np.zeros(4, np.int64)
    outcome = Run([triangle()]).call("f", [a], [3])
    # A load and a store of element 4, the only one that is outside.
    assert [(o.index, o.axis, o.extent) for o in outcome.outside] == [(4, 0, 4)] * 2
    assert a.tolist() == [1, 1, 2, 1]
    # The loops around have begun in front of the first write, and of the fourth.
    assert [count for _, count in outcome.around] == [0, 3]


def test_enumeration_of_views_calls_and_conditions():
    inner = Function("inner", [Memory("a", [None], layout="any")], ["n"], [A.put(n // 2 % 2, 7)])
    body = [
        View("v", "a", [n - 1], [Number(2)], [Number(-1)]),
        Branch([(n - 4, True)], [Call("inner", ["v"], [n + 1])], [A.put(0, 5)]),
    ]
    a = np.zeros(4, np.int64)
    assert not Run([inner, one(*body)]).call("f", [a], [4]).outside
    # The view has elements 3 and 2, in this order.
    assert a.tolist() == [0, 0, 0, 7]
    assert not Run([inner, one(*body)]).call("f", [a], [2]).outside
    assert a[0] == 5
    assert [o.index for o in Run([inner, one(*body)]).call("f", [a], [1]).outside] == [None]


def test_nests_follow_from_seed_and_index():
    texts = [write(Generator(1, index).case().functions)[0] for index in range(150)]
    assert texts == [write(Generator(1, index).case().functions)[0] for index in range(150)]
    assert len(set(texts)) == 150
    everything = "\n".join(texts)
    loops = "affine.for scf.for cf.br affine.parallel scf.parallel affine.if scf.if iter_args"
    for part in [*loops.split(), *"memref.subview memref.alloc memref.copy func.call floordiv mod".split()]:
        assert part in everything, part


def test_enumeration_of_reductions_copies_and_numbers_that_wrap():
    body = [
        Temporary("t", "a"),
        Reduction("i", [Number(0)], [n], Constant(1), Operation("mul", [Carried(), Load("t", [i])]), "a", [n - n]),
        Copy("t", "b"),
    ]
    function = Function("f", [Memory("a", [None]), Memory("b", [None])], ["n"], body)
    a, b = np.array([2, 3, 5]), np.zeros(3, np.int64)
    assert not Run([function]).call("f", [a, b], [3]).outside
    assert a.tolist() == [30, 3, 5] and b.tolist() == [2, 3, 5]
    outcome = Run([function]).call("f", [a, np.zeros(2, np.int64)], [3])
    assert [o.node for o in outcome.outside] == [body[2]]
    wraps = one(A.put(n + n, 1))
    assert not Run([wraps]).call("f", [a], [-(2**63)]).outside


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_lie_on_the_pages(layout):
    for at in ("end", "begin"):
        page = np.zeros(SIZE, np.uint8)
        array = lay(page, (2, 3), np.int64, layout, at)
        assert array.shape == (2, 3) and np.shares_memory(array, page)
        array[...] = -1
        assert (page == 255).sum() == 48
        assert page[-1 if at == "end" else 0] == 255


def calls(*numbers, extent=6):
    return [Invocation([Argument((extent,), 0, "rows", "end")], [number]) for number in numbers]


@pytest.mark.parametrize("form", ["affine", "scf", "cf"])
def test_what_is_right_is_no_finding(form):
    judge = Judge()
    assert judge.judge(Case([triangle(form)], calls(0, 3, 4, 9))) is None
    assert judge.counts == {"nests": 1, "calls": 4, "calls that fail": 2}


WRONG = {
    "missed": (lambda f: setattr(f.body[0], "uppers", [n - 2]), 4),
    "refused": (lambda f: setattr(f.body[0], "uppers", [n + 2]), 3),
    "wrong": (lambda f: setattr(f.body[0].body[0], "lowers", [i]), 3),
    "message": (lambda f: setattr(f.body[0].body[0].body[0].value.operands[0], "subscripts", [i + j + 7]), 4),
}


@pytest.mark.parametrize("kind", WRONG)
def test_the_judge_sees(kind, monkeypatch):
    """The program that is compiled is another one than the program that is enumerated."""
    change, number = WRONG[kind]
    other = triangle()
    change(other)
    case = Case([triangle()], calls(number))

    def write_other(functions, line):
        text, places = write([other], line)
        nodes = dict(zip(map(id, walk(other.body)), walk(functions[0].body)))
        return text, {at: nodes.get(id(node), node) for at, node in places.items()}

    monkeypatch.setattr(nest_judge, "write", write_other)
    assert Judge().judge(case).kind == kind


def test_the_judge_sees_what_a_failed_call_has_written(monkeypatch):
    judge = Judge()
    case = Case([triangle()], calls(4))
    real = judge.begin

    def begin(case, call, pages=None):
        made, arrays = real(case, call, pages)
        if pages is None:
            arrays[0][5] = 99
        return made, arrays

    monkeypatch.setattr(judge, "begin", begin)
    assert judge.judge(case).kind == "written"


def test_a_program_that_is_refused_has_no_valid_call():
    """Element 7 of 6 is refused when the program is compiled."""
    case = Case([one(A.put(7, 1), extent=6)], calls(1))
    assert Judge().judge(case) is None
    valid = Case([one(A.put(7, 1), extent=6)], calls(1))
    valid.calls[0].arguments[0].shape = (8,)
    assert Judge().judge(valid).kind == "rejected"


def test_findings_are_made_small():
    """What is left of a random nest is what the finding needs: here, a store to memory `a`."""
    case = next(c for c in (Generator(3, k).case() for k in range(50)) if len(write(c.functions)[0]) > 3000)

    class Found:
        kind, call = "found", case.calls[0]

    def judge(smaller):
        return Found if any(getattr(node, "memory", None) == "a" for node in walk(smaller.functions[-1].body)) else None

    smaller, _ = Shrinker(judge, 2000).shrink(copy.deepcopy(case), Found)
    assert len(write(smaller.functions)[0].splitlines()) < 12


def test_a_process_that_dies_is_a_finding(monkeypatch, capsys):
    """Those that are compiled with the one that kills the process are judged all the same."""
    real = Judge.judge_together

    def dies(self, cases):
        if any(case.index == 7 for case in cases):
            os._exit(77)
        return real(self, cases)

    monkeypatch.setattr(Judge, "judge_together", dies)
    assert nests.main(["--seed=1", "--count=40", "--jobs=2"]) == 1
    told = capsys.readouterr().out
    assert "FAILED: crash (77): scripts/fuzz nests --seed 1 --index 7\n" in told
    assert "fuzz nests: seed 1: 39 nests, " in told and told.endswith("1 failed\n")
