"""Guards: conditions of extents that a trace relies on are checked by each call."""

import io
import itertools
import re

import broadloom as bl
import pytest
import torch
from exports import Call
from torch.export import Dim

ones = torch.ones

# Branches of Python, each with the other branch's values elsewhere: the example is [4, 6] and [4].
BRANCHES = {
    "a remainder": lambda x, y: x.shape[1] % 2 == 0,
    "a product": lambda x, y: x.shape[0] * y.shape[0] > 10,
    "a comparison of axes": lambda x, y: x.shape[1] >= y.shape[0],
    "a difference": lambda x, y: x.shape[1] != y.shape[0] + 1,
    "a range": lambda x, y: 3 <= x.shape[0] < 6,
    "an equality": lambda x, y: x.shape[0] == y.shape[0],
    "one of two": lambda x, y: x.shape[0] == 4 or y.shape[0] > 4,
    "a quotient": lambda x, y: (x.shape[0] + x.shape[1]) // 3 >= 2,
    "a fraction": lambda x, y: x.shape[1] / 3 < 2.5,
    "a rounded fraction": lambda x, y: int(x.shape[1] * (1 / 3)) == 2,
    "a root": lambda x, y: int(x.shape[0] ** 0.5) == 2,
    "an extreme": lambda x, y: max(x.shape[0], y.shape[0]) < 6,
    "a distance": lambda x, y: abs(x.shape[0] - y.shape[0]) < 2,
    "a fixed extent": lambda x, y: y.shape[0] == 4,
}
SHAPES = [((a, b), (c,)) for a, b, c in itertools.product((2, 4, 5, 7), (2, 6, 7, 9), (2, 3, 4, 5, 6))]


def exports(program):
    """The program, and what is left of it in a file."""
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    return program, torch.export.load(file)


@pytest.mark.parametrize("kind", [Dim.AUTO, Dim.DYNAMIC])
@pytest.mark.parametrize("name", BRANCHES)
def test_branches_that_were_taken(name, kind):
    """A call gives what the module gives, or fails where the exported module does."""
    function = lambda x, y: x + 1 if BRANCHES[name](x, y) else x - y.sum()
    # torch.export refuses to fix what is DYNAMIC, or to make two of these equal.
    kind = Dim.AUTO if name in ("a fixed extent", "an equality", "one of two") else kind
    open_ = {0: kind, 1: kind}, {0: kind}
    example = ones(4, 6), ones(4)
    assert BRANCHES[name](*example)
    exported = torch.export.export(Call(function).eval(), example, dynamic_shapes=(open_,))
    for program in exports(exported):
        f, module = bl.from_torch(program), exported.module()
        seen = set()
        for shapes in SHAPES:
            inputs = tuple(map(ones, shapes))
            try:
                expected = module(*inputs)
            except AssertionError:
                with pytest.raises(bl.ShapeError, match=r"alone: export the module again|argument|but '"):
                    f(*inputs)
                seen.add("fails")
            else:
                torch.testing.assert_close(f(*inputs), expected)
                torch.testing.assert_close(expected, function(*inputs))
                seen.add("runs")
        assert seen == {"fails", "runs"}
        assert len(f.fixed) >= 1


class Chosen(torch.nn.Module):
    def forward(self, batch, *, scale):
        if batch["x"].shape[1] % 2 == 0:
            return batch["x"] * scale
        return batch["x"] - 1


def export_chosen():
    dynamic = {"batch": {"x": {0: Dim.AUTO, 1: Dim.AUTO}}, "scale": {0: Dim.AUTO}}
    return torch.export.export(Chosen(), ({"x": ones(3, 4)},), {"scale": ones(4)}, dynamic_shapes=dynamic)


def test_what_is_said_of_a_guard():
    f = bl.from_torch(export_chosen())
    line = Chosen.forward.__code__.co_firstlineno + 1
    found = {row.condition: row for row in f.fixed}
    row = found["batch['x'].shape[1] % 2 == 0"]
    assert row.location == f"{__file__}:{line}" and "holds for such extents alone" in row.reason
    message = (
        rf"^{re.escape(__file__)}:{line}:0: 'torch.export': batch\['x'\].shape\[1\] is 5, but what was traced holds where "
        r"batch\['x'\].shape\[1\] % 2 == 0 alone: export the module again for such extents, or write it without a choice by them, "
        r"as with torch.where$"
    )
    with pytest.raises(bl.ShapeError, match=message) as caught:
        f({"x": ones(3, 5)}, scale=ones(5))
    assert caught.value.location == f"{__file__}:{line}:0"
    rows = [row for row in f.check() if row.location == f"{__file__}:{line}:0"]
    assert rows and rows[0].operation == "torch.export" and rows[0].status == "run-time"


def test_what_a_guard_advises_works():
    odd = torch.export.export(
        Chosen(),
        ({"x": ones(3, 5)},),
        {"scale": ones(5)},
        dynamic_shapes={"batch": {"x": {0: Dim.AUTO, 1: Dim.AUTO}}, "scale": {0: Dim.AUTO}},
    )
    torch.testing.assert_close(bl.from_torch(odd)({"x": ones(4, 7)}, scale=ones(7)), ones(4, 7) - 1)
    choose = lambda x: torch.where(torch.tensor(x.shape[0] % 2 == 0), x + 1, x - 1)
    both = bl.from_torch(torch.export.export(Call(choose), (ones(4),), dynamic_shapes=(({0: Dim.AUTO},),)))
    for n in (4, 5, 6):
        torch.testing.assert_close(both(ones(n)), choose(ones(n)))


class Numbered(torch.nn.Module):
    def forward(self, x, k, *more, **named):
        x = x + 1 if k == x.shape[0] else x * k
        x = x * 2 if more[1][0].shape[0] % 2 == 0 else x
        return x - 3 if named["a"]["b"].shape[0] > 4 else x


@pytest.mark.parametrize("strict", [False, True])
def test_forms_of_arguments(strict):
    one = {0: Dim.AUTO}
    dynamic = {"x": one, "k": Dim.AUTO, "more": (one, [one]), "named": {"a": {"b": one}}}
    exported = torch.export.export(
        Numbered(), (ones(4), 4, ones(2), [ones(6)]), {"a": {"b": ones(5)}}, dynamic_shapes=dynamic, strict=strict
    )
    call = lambda f, n, k, m, b: f(ones(n), k, ones(3), [ones(m)], a={"b": ones(b)})
    for program in exports(exported):
        f = bl.from_torch(program)
        torch.testing.assert_close(call(f, 7, 7, 2, 6), call(Numbered(), 7, 7, 2, 6))
        for sizes, message in (
            ((7, 6, 2, 6), r"k is 6 and x.shape\[0\] is 7, but what was traced holds where k == x.shape\[0\] alone"),
            ((7, 7, 3, 6), r"more_1\[0\].shape\[0\] is 3, but .* where more_1\[0\].shape\[0\] % 2 == 0 alone"),
            ((7, 7, 2, 4), r"argument 'a\['b'\]', axis 0 has extent 4, but 'a\['b'\].shape\[0\]' is at least 5"),
        ):
            with pytest.raises(bl.ShapeError, match=message):
                call(f, *sizes)


def test_ranges_of_numbers():
    times = lambda x, k: x * k if 3 < k <= 9 else x
    f = bl.from_torch(torch.export.export(Call(times), (ones(3), 5), dynamic_shapes=(({0: Dim.AUTO}, Dim.AUTO),)))
    for k in (4, 9):
        torch.testing.assert_close(f(ones(2), k), ones(2) * k)
    for k in (3, 10, -5):
        with pytest.raises(bl.ShapeError, match=rf"inputs_1 is {k}, but what was traced holds where inputs_1 .* alone"):
            f(ones(2), k)


@pytest.mark.parametrize(
    "function, what",
    [
        (lambda x: x.shape[0] & 3 == 0, r"inputs_0.shape\[0\] & 3"),
        (lambda x: round(x.shape[0] / 3, 1) == 1.3, r"round\(.*, 1\)"),
    ],
)
def test_guards_that_cannot_be_checked(function, what):
    module = Call(lambda x: x + 1 if function(x) else x)
    exported = torch.export.export(module, (ones(4),), dynamic_shapes=(({0: Dim.AUTO},),))
    message = (
        rf"test_guards.py:\d+: torch.export: the guard .*{what}.* cannot be checked: .* has a part that is not known: "
    )
    with pytest.raises(bl.UnsupportedOperations, match=message):
        bl.from_torch(exported)


# What dynamo leaves to the graph, or to its user.


def test_assertions_of_open_extents(backend):
    """Dynamo makes no guards of extents that are marked so; the graph asserts what it relies on."""

    def checked(x):
        torch._check(x.shape[0] % 2 == 0)
        return x.reshape(2, -1) + 1

    x = ones(4)
    torch._dynamo.decorators.mark_unbacked(x, 0)
    f = torch.compile(checked, backend=backend)
    torch.testing.assert_close(f(x), checked(x))
    torch.testing.assert_close(f(ones(6)), checked(ones(6)))
    with pytest.raises(
        bl.ShapeError,
        match=r"'torch.compile': x.shape\[0\] is 5, but what was traced holds where x.shape\[0\] % 2 == 0",
    ):
        f(ones(5))


def test_guards_that_are_skipped(backend):
    function = lambda x, y: x + y.sum() if x.shape[0] > 2 * y.shape[0] else x - y.sum()
    f = torch.compile(
        function, backend=backend, dynamic=True, options={"guard_filter_fn": torch.compiler.skip_all_guards_unsafe}
    )
    torch.testing.assert_close(f(ones(9), ones(3)), ones(9) + 3)
    torch.testing.assert_close(f(ones(8), ones(3)), ones(8) + 3)
    with pytest.raises(bl.ShapeError, match=r"'torch.compile': x.shape\[0\] is 5 and y.shape\[0\] is 3, but .* alone"):
        f(ones(5), ones(3))


def test_dynamo_traces_again(backend, compilations):
    function = lambda x, y: x + 1 if x.shape[0] > 2 * y.shape[0] else x - y.sum()
    f = torch.compile(function, backend=backend, dynamic=True)
    for a, b in ((9, 3), (5, 3), (12, 4), (4, 5)):
        torch.testing.assert_close(f(ones(a), ones(b)), function(ones(a), ones(b)))
    assert len(compilations) == 2
