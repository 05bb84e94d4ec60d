"""Attributes of modules, such as counters, that Python changes while a module is traced."""

import copy
import enum
import re
import warnings
from collections import deque

import broadloom as bl
import numpy as np
import pytest
import torch
from torch import nn
from torch.export import Dim


class Mode(enum.Enum):
    FIRST = 1
    SECOND = 2


class Counter(nn.Module):
    """Changes what `change` does, and counts what it has become."""

    def __init__(self, change):
        super().__init__()
        self.change = change
        self.inner = nn.ReLU()
        self.calls, self.scale, self.seen, self.by_length, self.text = 0, 1.0, [], {"n": 1}, "a"
        self.inner.depth = 2
        self.first, self.mode, self.index, self.where = 1, Mode.FIRST, np.int64(1), torch.device("cpu")
        self.recent, self.kept = deque([1], maxlen=2), {"n": 0, "cache": torch.ones(1), "lines": [len]}

    def forward(self, x):
        self.change(self, x)
        state = self.calls, self.scale, len(self.seen), sum(self.by_length.values()), len(self.text), self.inner.depth
        return self.inner(x) * sum(state)


def _count(m, x):
    m.calls += 1


def _double(m, x):
    m.scale *= 2


def _append(m, x):
    m.seen.append(1)


def _remember(m, x):
    m.by_length["m"] = m.by_length.get("m", 0) + 1


def _write(m, x):
    m.text = m.text + "b"


def _deepen(m, x):
    m.inner.depth += 1


def _invent(m, x):
    m.fresh = 3


def _note_length(m, x):
    m.length = x.shape[0]


def _delete(m, x):
    if hasattr(m, "first"):
        del m.first


def _keep(m, x):
    m.kept["n"] += 1


def _keep_more(m, x):
    m.kept["lines"].append(1)


def _switch(m, x):
    m.mode = Mode.SECOND


def _index(m, x):
    m.index = m.index + 1


def _move(m, x):
    m.where = torch.device("meta")


def _push(m, x):
    m.recent.append(2)


CHANGES = {
    "count": (_count, "the module (Counter) changes its attribute 'calls' from 0 to 1"),
    "double": (_double, "the module (Counter) changes its attribute 'scale' from 1.0 to 2.0"),
    "append": (_append, "the module (Counter) changes its attribute 'seen' from [] to [1]"),
    "remember": (_remember, "the module (Counter) changes its attribute 'by_length' from {'n': 1} to {'m': 1, 'n': 1}"),
    "write": (_write, "the module (Counter) changes its attribute 'text' from 'a' to 'ab'"),
    "deepen": (_deepen, "module 'inner' (ReLU) changes its attribute 'depth' from 2 to 3"),
    "invent": (_invent, "the module (Counter) changes its attribute 'fresh'"),
    "note_length": (_note_length, "the module (Counter) changes its attribute 'length'"),
    "delete": (_delete, "the module (Counter) removes its attribute 'first'"),
    "keep": (_keep, "the module (Counter) changes its attribute 'kept' from {'cache': ..., 'lines': [...], 'n': 0} to {'cache': ..., 'lines': [...], 'n': 1}"),
    "keep_more": (_keep_more, "the module (Counter) changes its attribute 'kept' from {'cache': ..., 'lines': [...], 'n': 0} to {'cache': ..., 'lines': [..., 1], 'n': 0}"),
    "switch": (_switch, "the module (Counter) changes its attribute 'mode' from <Mode.FIRST: 1> to <Mode.SECOND: 2>"),
    "index": (_index, f"the module (Counter) changes its attribute 'index' from {np.int64(1)!r} to {np.int64(2)!r}"),
    "move": (_move, "the module (Counter) changes its attribute 'where' from device(type='cpu') to device(type='meta')"),
    "push": (_push, "the module (Counter) changes its attribute 'recent' from [1] to [1, 2]"),
}  # fmt: skip


def _export(module, *inputs):
    return bl.torch.export(module.eval(), inputs, dynamic_shapes=tuple({0: Dim.AUTO} for _ in inputs))


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_changed_is_told(name):
    change, message = CHANGES[name]
    module = Counter(change).eval()
    before = {key: copy.deepcopy(value) for key, value in vars(module).items() if not key.startswith("_")}
    texts = [
        re.escape(message),
        "while it is traced; calls of the program neither read nor change it",
        "register_buffer.* or give it as an argument; .*recompile_limit times, and calls behind these run in eager mode",
    ]
    with pytest.warns(bl.CompileWarning, match="torch.export: " + ".*".join(texts)) as caught:
        exported = _export(module, torch.ones(3, 2))
    (told,) = [w for w in caught if issubclass(w.category, bl.CompileWarning)]
    assert told.filename == __file__
    # What the module had before is as it was, and the program computes what it says.
    assert before == {key: vars(module)[key] for key in before}
    expected = Counter(change)(torch.ones(4, 2))
    f = bl.from_torch(exported)
    for _ in range(2):
        torch.testing.assert_close(f(torch.ones(4, 2)), expected)


@pytest.mark.parametrize("name", CHANGES)
def test_compiled_modules_change_them(name):
    """torch.compile has Python change attributes at each call."""
    module, eager = (Counter(CHANGES[name][0]) for _ in range(2))
    f = bl.torch.compile(module)
    for n in (1, 3, 5):
        x = torch.randn(n, 2)
        torch.testing.assert_close(f(x), eager(x))
    assert module.calls == eager.calls and module.seen == eager.seen and module.by_length == eager.by_length


def _count_in_array(m, x):
    m.counts[0, 1] += 1


def _count_in_set(m, x):
    m.lengths.add(2)


@pytest.mark.parametrize(
    "change, values",
    [
        (_count_in_array, "'counts' from [[0, 0]] to [[0, 1]]"),
        (_count_in_set, "'lengths' from {1} to {1, 2}"),
    ],
)
def test_what_is_changed_in_place(change, values):
    """PyTorch does not put back elements of arrays and sets."""
    module = Counter(change)
    module.counts, module.lengths = np.zeros((1, 2), int), {1}
    with pytest.warns(bl.CompileWarning, match=re.escape(values)):
        _export(module, torch.ones(3, 2))
    assert (module.counts[0, 1], module.lengths) in ((1, {1}), (0, {1, 2}))


def test_a_counter_is_compiled_until_the_limit(compilations):
    """The warning says so."""
    limit = torch._dynamo.config.recompile_limit
    module, eager = Counter(_count), Counter(_count)
    f, x = bl.torch.compile(module), torch.randn(3, 2)
    for _ in range(limit + 4):
        torch.testing.assert_close(f(x), eager(x))
    assert len(compilations) == limit


def test_what_is_left_alone_is_not_told():
    def same(m, x):
        m.calls, m.scale, m.by_length = 0, 1.0, {"n": 1}
        m.mode, m.index, m.recent = Mode.FIRST, np.int64(1), deque([1])
        # Other objects are not compared.
        m.kept = {"n": 0, "cache": object(), "lines": [object()]}
        m.fresh, m.many[0] = object(), 1

    with warnings.catch_warnings():
        warnings.simplefilter("error", bl.CompileWarning)
        module = Counter(same)
        module.many = np.zeros(5000)
        _export(module, torch.ones(3, 2))
        # PyTorch itself warns of tensors.
        _export(nn.LSTM(2, 2), torch.ones(3, 1, 2))


def test_hooks_that_a_module_installs_while_it_is_traced():
    """They stay, and so does the attribute that says so: they are not installed twice."""

    class Hooked(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.ReLU()

        def forward(self, x):
            if not hasattr(self, "_is_hooked"):
                self.inner.register_forward_hook(lambda module, inputs, output: output + 1)
                self._is_hooked = True
            return self.inner(x)

    module = Hooked().eval()
    with pytest.warns(bl.CompileWarning, match="changes its attribute '_is_hooked'"):
        f = bl.from_torch(_export(module, torch.ones(3, 2)))
    x = torch.randn(4, 2)
    torch.testing.assert_close(f(x), x.relu() + 1)
    torch.testing.assert_close(module(x), x.relu() + 1)
