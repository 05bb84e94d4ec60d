"""Extents of 0 and 1 on every axis, for every operator that the importer has a rule for, against eager mode: what eager
mode computes is computed, and what it refuses is refused."""

import dataclasses
import itertools

import broadloom as bl
import pytest
import torch
from operators import APART, EMPTY, NOT_OPEN, Inputs, find_call, known_targets, make_inputs
from torch.export import Dim
from torch.fx.experimental import _config

SHAPES = list(itertools.product(range(4), repeat=2))
#: Those that are programs of their own.
STATIC = [(0, 3), (3, 0), (1, 1)]


class Calls(torch.nn.Module):
    def __init__(self, calls):
        super().__init__()
        self.calls = calls

    def forward(self, *tensors):
        return [call(Inputs(*tensors)) for call in self.calls]


def compile_for(calls, a, b, is_open):
    """A program of calls: of all extents, or of these."""
    inputs = dataclasses.astuple(make_inputs(a, b))
    open_ = Dim("a", min=0, max=64), Dim("b", min=0, max=64)
    axes = {2: open_, 3: (None, *open_), 4: (None, None, *open_), 5: (None, None, None, *open_)}
    lines = [open_[:1], open_[1:], open_[:1]]
    dynamic = [axes[x.dim()] if x.dim() > 1 else lines.pop(0) for x in inputs] if is_open else None
    # Without this, PyTorch traces for extents of 2 or more.
    with _config.patch(backed_size_oblivious=True):
        return bl.from_torch(
            torch.export.export(Calls(calls), inputs, dynamic_shapes=(tuple(dynamic),) if dynamic else None)
        )


def run(call, a, b):
    """Returns what eager mode gives; None where it refuses."""
    try:
        return call(make_inputs(a, b))
    except (RuntimeError, IndexError):
        return None


TARGETS = known_targets()
CALLS = {target: find_call(target) for target in TARGETS}


def test_each_operator_has_a_call():
    assert len(TARGETS) > 300
    missing = [target for target, call in CALLS.items() if call is None]
    assert not missing, f"operators.py has no call of {missing}"


def refuses(target):
    return any(run(CALLS[target], *shape) is None for shape in SHAPES)


CAREFUL = [target for target in TARGETS if CALLS[target] is not None and refuses(target)]
OTHERS = [target for target in TARGETS if CALLS[target] is not None and target not in (*CAREFUL, *APART, *NOT_OPEN)]
GROUPS = [OTHERS[at : at + 70] for at in range(0, len(OTHERS), 70)]


def compare(targets, got, shape):
    for target, result in zip(targets, got):
        expected = CALLS[target](make_inputs(*shape))
        note = lambda message, target=target: f"{target} of {shape}: {message}"
        torch.testing.assert_close(result, expected, equal_nan=True, check_stride=False, msg=note)


@pytest.mark.parametrize("targets", [*GROUPS, *([target] for target in APART)], ids=lambda targets: targets[0])
def test_open_extents(targets):
    f = compile_for([CALLS[target] for target in targets], 3, 4, True)
    for shape in SHAPES:
        try:
            got = f(*dataclasses.astuple(make_inputs(*shape)))
        except bl.ShapeError as error:
            # PyTorch has decided something by the example.
            if len(targets) > 1 or "what was traced holds" not in str(error):
                raise
        else:
            compare(targets, got, shape)


@pytest.mark.parametrize("shape", STATIC)
@pytest.mark.parametrize("targets", [*GROUPS, [*APART, *NOT_OPEN]], ids=lambda targets: targets[0])
def test_known_extents(targets, shape):
    f = compile_for([CALLS[target] for target in targets], *shape, False)
    compare(targets, f(*dataclasses.astuple(make_inputs(*shape))), shape)


@pytest.mark.parametrize("target", CAREFUL)
def test_what_eager_mode_refuses(target):
    """It is refused here too, unless the result has no element that could be wrong."""
    f = compile_for([CALLS[target]], 3, 4, True)
    refused = 0
    for shape in SHAPES:
        inputs = dataclasses.astuple(make_inputs(*shape))
        if run(CALLS[target], *shape) is not None:
            try:
                got = f(*inputs)
            except bl.ShapeError as error:
                if "what was traced holds" not in str(error):
                    raise
            else:
                compare([target], got, shape)
            continue
        try:
            (result,) = f(*inputs)
        except bl.ShapeError:
            refused += 1
        else:
            first = result if isinstance(result, torch.Tensor) else result[0]
            assert first.numel() == 0, f"{target} of {shape}: eager mode refuses, but {first} is given"
    assert refused or target in EMPTY


def test_extremes_of_nothing_that_is_known(backend):
    """Where the extents are known, the program is refused."""
    for function in (lambda x: x.max(), lambda x: x.min(0), lambda x: x.amax(), lambda x: x.argmin()):
        torch._dynamo.reset()
        with pytest.raises(
            Exception,
            match=r"along axis 0 is of at least 1 element, but there are 0|non-zero size|zero-size|to be specified",
        ):
            torch.compile(function, backend=backend)(torch.zeros(0))


OF_NOTHING = {
    "roll": lambda x: (x.roll(1), x[None].roll((1, 2), (0, 1))),
    "cat": lambda x: (torch.cat([x]), torch.cat([x, x]), torch.hstack([x, x])),
    "median": lambda x: (x.median(), x.nanmedian()),
    "sums": lambda x: (x.sum(), x.mean(), x.prod(), x.var(), x.logsumexp(0), x.norm()),
    "attention": lambda x: torch.nn.functional.scaled_dot_product_attention(*[x[None, None].expand(1, 2, -1)] * 3),
}


@pytest.mark.parametrize("name", OF_NOTHING)
def test_compiled_of_nothing(backend, name):
    """As torch.compile has it: for extents of 0 it traces again."""
    f = torch.compile(OF_NOTHING[name], backend=backend, dynamic=True)
    for count in (0, 1, 3):
        x = torch.rand(count)
        torch.testing.assert_close(f(x), OF_NOTHING[name](x), equal_nan=True)
