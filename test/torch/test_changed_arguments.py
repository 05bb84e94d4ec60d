"""Lists and dictionaries among the arguments of a module that it changes while it is traced."""

import warnings

import broadloom as bl
import pytest
import torch
from torch import nn
from torch.export import Dim


class Changes(nn.Module):
    """Does to its argument `state` what `change` does."""

    def __init__(self, change):
        super().__init__()
        self.change = change

    def forward(self, x, state):
        self.change(x, state)
        return x + 1


def _append(x, state):
    state.append(x * 2)


def _replace(x, state):
    state[0] = state[0] * 2


def _take(x, state):
    state.pop()


def _set(x, state):
    state["y"] = x


def _drop(x, state):
    del state["x"]


def _inside(x, state):
    state["x"].append(x)


LISTS, DICTIONARIES = [_append, _replace, _take], [_set, _drop]
ONE = lambda: torch.ones(3, 2)
CASES = [
    *((change, lambda: [ONE(), ONE()], [{0: Dim.AUTO}] * 2) for change in LISTS),
    *((change, lambda: {"x": ONE()}, {"x": {0: Dim.AUTO}}) for change in DICTIONARIES),
    (_inside, lambda: {"x": [ONE()]}, {"x": [{0: Dim.AUTO}]}),
]


def _export(change, state, shapes):
    return bl.torch.export(Changes(change), (ONE(), state), dynamic_shapes=({0: Dim.AUTO}, shapes))


@pytest.mark.parametrize("change, state, shapes", CASES, ids=[change.__name__ for change, *_ in CASES])
def test_what_is_changed_is_told(change, state, shapes):
    message = (
        r"torch.export: the module \(Changes\) changes its argument 'state' while it is traced; calls of the program "
        "leave theirs as they are: return what it puts there"
    )
    with pytest.warns(bl.CompileWarning, match=message) as caught:
        exported = _export(change, state(), shapes)
    (told,) = [w for w in caught if issubclass(w.category, bl.CompileWarning)]
    assert told.filename == __file__
    f, given = bl.from_torch(exported), state()
    torch.testing.assert_close(f(ONE(), given), ONE() + 1)
    torch.testing.assert_close(given, state())


@pytest.mark.parametrize("change, state, shapes", CASES, ids=[change.__name__ for change, *_ in CASES])
def test_compiled_modules_change_them(change, state, shapes):
    found, expected = state(), state()
    bl.torch.compile(Changes(change))(ONE(), found)
    Changes(change)(ONE(), expected)
    torch.testing.assert_close(found, expected)


def test_what_is_left_alone_is_not_told():
    def look(x, state):
        own = [*state]
        own.append(x)
        state[0], state[1] = state[0], state[1]
        state.reverse()
        state.reverse()

    with warnings.catch_warnings():
        warnings.simplefilter("error", bl.CompileWarning)
        _export(look, [ONE(), ONE()], [{0: Dim.AUTO}] * 2)


def test_tensors_that_are_changed_are_refused():
    """A write to a tensor is part of the export, which from_torch refuses."""

    def write(x, state):
        state[0].add_(1)

    with warnings.catch_warnings():
        warnings.simplefilter("error", bl.CompileWarning)
        exported = _export(write, [ONE()], [{0: Dim.AUTO}])
    with pytest.raises(ValueError, match="the exported program changes its inputs state_0; return what changes"):
        bl.from_torch(exported)
