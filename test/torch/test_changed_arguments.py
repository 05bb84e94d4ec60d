"""Lists and dictionaries among the arguments of a module that it changes while it is traced."""

import dataclasses
import warnings

import broadloom as bl
import pytest
import torch
from torch import nn
from torch.export import Dim
from torch.utils import _pytree as pytree


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


@dataclasses.dataclass
class State:
    """An argument that is a dataclass."""

    keys: list
    count: int = 0


class Cache:
    """A cache whose parts have to be tensors, as the caches of transformers do."""

    def __init__(self, keys, values):
        self.keys, self.values = keys, values
        self.device = keys[0].device if keys else values[0].device


pytree.register_dataclass(State)
pytree.register_pytree_node(
    Cache,
    lambda cache: ([cache.keys, cache.values], ["keys", "values"]),
    lambda parts, _: Cache(*parts),
    serialized_type_name="test_changed_arguments.Cache",
    flatten_with_keys_fn=lambda cache: (
        [(pytree.MappingKey(name), getattr(cache, name)) for name in ("keys", "values")],
        ["keys", "values"],
    ),
)


class Grows(nn.Module):
    """Puts a tensor into its argument `state`, and returns what `give` makes of it."""

    def __init__(self, give):
        super().__init__()
        self.give = give

    def forward(self, x, state):
        keys = state if isinstance(state, list) else state.keys
        keys[0] = torch.cat([keys[0], x])
        return self.give(x + 1, state)


STATES = {
    "list": lambda: [ONE()],
    "dataclass": lambda: State([ONE()]),
    "cache": lambda: Cache([ONE()], [ONE(), ONE()]),
}
RETURNED = {
    "itself": lambda x, state: state,
    "beside": lambda x, state: (x, state),
    "inside": lambda x, state: {"x": x, "more": [state]},
}


@pytest.mark.parametrize("kind", STATES)
@pytest.mark.parametrize("returned", RETURNED)
def test_what_is_returned_is_not_told(kind, returned):
    module = Grows(RETURNED[returned])
    with warnings.catch_warnings():
        warnings.simplefilter("error", bl.CompileWarning)
        exported = bl.torch.export(module, (ONE(), STATES[kind]()))
    found, wanted = bl.from_torch(exported)(ONE(), STATES[kind]()), module(ONE(), STATES[kind]())
    found, wanted = pytree.tree_flatten(found), pytree.tree_flatten(wanted)
    torch.testing.assert_close(found[0], wanted[0])
    assert found[1] == wanted[1]


@pytest.mark.parametrize("kind", STATES)
def test_what_is_not_returned_is_told(kind):
    for give in (lambda x, state: x, lambda x, state: (x, [ONE()])):
        with pytest.warns(bl.CompileWarning, match="changes its argument 'state'"):
            exported = bl.torch.export(Grows(give), (ONE(), STATES[kind]()))
    torch.testing.assert_close(bl.from_torch(exported)(ONE(), STATES[kind]())[0], ONE() + 1)


class Named(nn.Module):
    """Takes any arguments, and changes one of a name or a number."""

    def __init__(self, gives):
        super().__init__()
        self.gives = gives

    def forward(self, x, *more, **named):
        state = more[0] if more else named["state"]
        state.append(x * 2)
        return (x, state) if self.gives else x


@pytest.mark.parametrize("args, kwargs, name", [((), {"state": [ONE()]}, "state"), (([ONE()],), {}, "more[0]")])
def test_arguments_of_any_name(args, kwargs, name):
    with warnings.catch_warnings():
        warnings.simplefilter("error", bl.CompileWarning)
        bl.torch.export(Named(True), (ONE(), *args), kwargs)
    with pytest.warns(bl.CompileWarning) as caught:
        bl.torch.export(Named(False), (ONE(), *args), kwargs)
    assert any(f"changes its argument '{name}'" in str(one.message) for one in caught)


@pytest.mark.parametrize("number, same, other", [(1000, 1000, 1001), (0.5, 0.5, 0.75), ("a b", "a b", "b")])
def test_equal_numbers_are_left_as_they_are(number, same, other):
    def put(value):
        def change(x, state):
            # An object of its own.
            state[1] = type(value)(str(value))

        return change

    with warnings.catch_warnings():
        warnings.simplefilter("error", bl.CompileWarning)
        bl.torch.export(Changes(put(same)), (ONE(), [ONE(), number]))
    with pytest.warns(bl.CompileWarning, match="changes its argument 'state'"):
        bl.torch.export(Changes(put(other)), (ONE(), [ONE(), number]))


def test_a_cache_whose_parts_are_tensors():
    """Messages name its parts as torch does."""

    class Reads(nn.Module):
        def forward(self, x, cache):
            return x + cache.keys[0] * cache.values[1]

    rows = Dim("rows")
    shapes = ({0: rows}, [[{0: rows}], [None, {0: rows}]])
    exported = bl.torch.export(Reads(), (ONE(), Cache([ONE()], [ONE(), ONE()])), dynamic_shapes=shapes)
    f = bl.from_torch(exported)
    x = torch.rand(5, 2)
    torch.testing.assert_close(f(x, Cache([x], [ONE(), x])), x + x * x)
    with pytest.raises(bl.ShapeError, match=r"cache\['keys'\]\[0\]"):
        f(x, Cache([ONE()], [ONE(), x]))
