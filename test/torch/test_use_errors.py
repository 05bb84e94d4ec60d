"""Tests what users do wrong, and what is said of it."""

import logging
import re
import sys

import broadloom as bl
import pytest
import sympy
import torch
from exports import Call, export, raised
from torch import nn
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode


class Unruled(nn.Module):
    """With an operation that there is no rule for."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, 6)

    def forward(self, x):
        y = self.linear(x).relu()
        z = torch.special.airy_ai(y)
        return (self.linear(z) + torch.igamma(y + 1, y + 2)).softmax(-1)


def test_unknown_operations_are_listed_with_their_lines(backend):
    for message in (
        raised(
            lambda: torch.compile(Unruled().eval(), backend=backend, dynamic=True)(torch.randn(3, 6)),
            bl.UnsupportedOperations,
        ),
        raised(lambda: bl.from_torch(export(Unruled(), torch.randn(3, 6))), bl.UnsupportedOperations),
    ):
        assert (
            "test_use_errors.py:" in message
            and "aten.special_airy_ai.default: the importer has no rule for it" in message
        )
        assert (
            "aten.igamma.default" in message and "2 operations that cannot be imported; write them otherwise" in message
        )
    # The option is torch.compile's alone.
    assert "fallback" not in message


def test_fallback_says_so(backend, caplog):
    module = Unruled().eval()
    f = torch.compile(module, backend=backend, dynamic=True, options={"fallback": "eager"})
    with caplog.at_level(logging.WARNING, "broadloom.torch"):
        for n in (3, 5, 9):
            x = torch.randn(n, 6)
            torch.testing.assert_close(f(x), module(x))
    (record,) = [r for r in caplog.records if r.name == "broadloom.torch"]
    assert "operations run in eager mode" in record.getMessage()
    assert "aten.igamma.default, aten.special_airy_ai.default" in record.getMessage()


def test_options_that_there_are_not(backend):
    call = lambda **options: torch.compile(nn.ReLU(), backend=backend, options=options)(torch.ones(2))
    assert "has no option 'falback'; did you mean 'fallback'?" in raised(lambda: call(falback="eager"), ValueError)
    assert "'fallback' is 'eager' or left out, not 'no'" in raised(lambda: call(fallback="no"), ValueError)


def test_gradients(backend):
    f = torch.compile(nn.Linear(4, 3), backend=backend, dynamic=True)
    with torch.enable_grad():
        message = raised(lambda: f(torch.randn(2, 4)), RuntimeError)
    assert "computes none; call the compiled module inside torch.no_grad()" in message


def test_training_mode():
    module = nn.BatchNorm1d(4).train()
    exported = torch.export.export(module, (torch.randn(3, 4),))
    with pytest.raises(bl.UnsupportedOperations, match=r"batch_norm.*training mode: call \.eval\(\)"):
        bl.from_torch(exported)


@pytest.mark.parametrize("module", [nn.BatchNorm1d(4), nn.Dropout(), nn.RReLU(), nn.AlphaDropout()])
def test_training_mode_says_what_to_do(backend, module):
    module.train()
    x = torch.randn(3, 4)
    message = raised(lambda: torch.compile(module, backend=backend, dynamic=True)(x), bl.UnsupportedOperations)
    assert "call .eval() on the module" in message
    message = raised(lambda: bl.from_torch(torch.export.export(module, (x,))), (ValueError, bl.UnsupportedOperations))
    assert "call .eval() on the module" in message


def test_complex_numbers():
    class Turn(nn.Module):
        def forward(self, x):
            return torch.view_as_real(torch.view_as_complex(x).cumprod(0) * 1j)

    message = raised(lambda: bl.from_torch(export(Turn(), torch.randn(3, 2))), TypeError)
    assert re.search(
        r"test_use_errors.py:\d+: aten.cumprod.default: the importer has no rule for cumprod of complex numbers; compute with their parts",
        message,
    )
    with pytest.raises(
        NotImplementedError, match=r"aten.add.*: there are no elements of type torch.uint16 in programs; there"
    ):
        bl.from_torch(export(Double(), torch.ones(3, dtype=torch.uint16)))


class Double(nn.Module):
    def forward(self, x):
        return x + x


class Spectrum(nn.Module):
    def forward(self, x, weight):
        return torch.relu(torch.fft.rfft(x - 1, n=8).asinh().abs() * 2) + weight.real


def test_complex_numbers_in_eager_mode(backend, caplog):
    """What takes or gives them is left to torch, and what is between is not."""
    f = torch.compile(Spectrum(), backend=backend, dynamic=True, options={"fallback": "eager"})
    for count in (2, 3):
        x, weight = torch.randn(count, 8), torch.randn(5, dtype=torch.complex64)
        torch.testing.assert_close(f(x, weight), Spectrum()(x, weight))
    assert "run in eager mode" in caplog.text and "aten.asinh" in caplog.text
    message = raised(lambda: torch.compile(Spectrum(), backend=backend, dynamic=True)(x, weight), TypeError)
    assert "the importer has no rule for asinh of complex numbers" in message


def test_other_devices(backend):
    x = torch.empty(3, 4, device="meta")
    exported = torch.export.export(nn.ReLU(), (x,))
    with pytest.raises(BufferError, match="is on device meta, but broadloom computes on the processor"):
        bl.from_torch(exported)
    f = bl.from_torch(export(nn.ReLU(), torch.randn(3, 4)))
    with pytest.raises(BufferError, match="argument 'input' is on device meta"):
        f(x)
    with pytest.raises(TypeError, match=r"argument 'input' is quantized \(torch.qint8\); call .dequantize\(\) on it"):
        f(torch.quantize_per_tensor(torch.randn(3, 4), 0.1, 0, torch.qint8))
    with pytest.raises(TypeError, match=r"argument 'input' has layout torch.sparse_coo; call .to_dense\(\) on it"):
        f(torch.randn(3, 4).to_sparse())


def test_what_is_no_program():
    with pytest.raises(TypeError, match=r"from_torch takes what torch.export.export gives, not Linear"):
        bl.from_torch(nn.Linear(2, 2))
    with pytest.raises(ValueError, match="weights is 'shared' or 'constant', not 'none'"):
        bl.from_torch(export(nn.ReLU(), torch.randn(3)), weights="none")


@pytest.mark.parametrize(
    "function, name",
    [
        (lambda x: x + torch.rand_like(x), "aten.rand_like.default"),
        (lambda x: x + torch.randn(x.shape), "aten.randn.default"),
        (lambda x: torch.multinomial(x.softmax(-1), 1), "aten.multinomial.default"),
    ],
)
def test_random_numbers(function, name):
    text = raised(lambda: bl.torch.compile(function)(torch.randn(3, 4)), bl.UnsupportedOperations)
    why = "the importer has no rule for it; it draws random numbers: call .eval() on the module, or give them to it as an argument"
    assert f"{name}: {why}" in text


class Twice(nn.Module):
    """Uses its weight as it is, a part of it, and a turned one."""

    def __init__(self):
        super().__init__()
        self.linear, self.scale = nn.Linear(4, 3), nn.Parameter(torch.ones(6))

    def forward(self, x):
        return self.linear(x) * self.scale[:3] + self.scale[3:]


WEIGHTS = {
    "linear.weight": (torch.ones(5, 4), "the weight 'linear.weight' has shape 5x4, but the program is made for 3x4"),
    "linear.bias": (torch.ones(()), "the weight 'linear.bias' has shape none, but the program is made for 3"),
    "scale": (torch.ones(6).double(), "the weight 'scale' has elements of type f64, but the program is made for f32"),
}


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("weights", ["shared", "constant"])
def test_weights_of_other_types(name, weights):
    """Before they are laid out, whether the program has them or each call gives them."""
    tensor, message = WEIGHTS[name]
    exported = export(Twice(), torch.randn(2, 4))
    exported.state_dict[name] = tensor
    with pytest.raises((bl.ShapeError, TypeError), match=message):
        bl.from_torch(exported, weights=weights)(torch.randn(2, 4))


@pytest.mark.parametrize("name", WEIGHTS)
def test_weights_that_become_others(name):
    tensor, message = WEIGHTS[name]
    module, x = Twice().eval(), torch.randn(2, 4)
    f = bl.from_torch(export(module, x))
    expected, own = f(x), module.get_parameter(name).data
    module.get_parameter(name).data = tensor
    for _ in range(2):
        with pytest.raises((bl.ShapeError, TypeError), match=message):
            f(x)
    module.get_parameter(name).data = own
    torch.testing.assert_close(f(x), expected)


NO_WEIGHTS = {
    "none": (None, TypeError, "the weight 'scale' is no tensor but of NoneType"),
    "meta": (torch.ones(6, device="meta"), BufferError, "the weight 'scale' is on the device meta"),
    "sparse": (
        torch.ones(6).to_sparse(),
        TypeError,
        "the weight 'scale' has the layout sparse_coo; programs take strided",
    ),
}


@pytest.mark.parametrize("kind", NO_WEIGHTS)
@pytest.mark.parametrize("weights", ["shared", "constant"])
def test_weights_that_are_not_in_memory(kind, weights):
    tensor, error, message = NO_WEIGHTS[kind]
    exported = export(Twice(), torch.randn(2, 4))
    exported.state_dict["scale"] = tensor
    with pytest.raises(error, match=message):
        bl.from_torch(exported, weights=weights)


def test_weights_that_are_not_there():
    exported = export(Twice(), torch.randn(2, 4))
    del exported.state_dict["scale"]
    with pytest.raises(bl.CompileError, match="the exported program has no 'scale' in its state_dict"):
        bl.from_torch(exported)


def choose(x):
    if x.sum() > 0:
        return x + 1
    return x - 1


def cut(x):
    count = x.sum().int().item()
    return x[:count] if count > 2 else x


@pytest.mark.parametrize("function, offset", [(choose, 1), (cut, 2)])
def test_exports_of_choices_by_data(function, offset):
    """The line that chooses is named, and what the message says to do works."""
    x = torch.tensor([1.0, 3.0, -5.0])
    with pytest.raises(bl.CompileError, match="which data decide, so that no export holds for all calls") as caught:
        bl.torch.export(Call(function), (x,), dynamic_shapes=(({0: torch.export.Dim.AUTO},),))
    line = function.__code__.co_firstlineno + offset
    assert caught.value.location == f"{__file__}:{line}" and f"{__file__}:{line}: torch.export: the line" in str(
        caught.value
    )
    torch.testing.assert_close(bl.torch.compile(function)(x), function(x))


@pytest.mark.parametrize(
    "files, expected",
    [
        (["/home/me/model.py", "<string>"], "/home/me/model.py:1: torch.export: a line asks for Eq(u0, 1)"),
        ([torch.functional.__file__, "<string>"], f"{torch.functional.__file__}:1: torch.export: the line '"),
        (["<string>", "<eval_with_key>.0"], "torch.export: a line asks for Eq(u0, 1)"),
        ([], "torch.export: a line asks for Eq(u0, 1)"),
    ],
)
def test_the_line_that_chooses(files, expected):
    """Texts that are no files are not named; PyTorch's own are where there is nothing else."""
    from broadloom.torch import _compiled

    error = GuardOnDataDependentSymNode(sympy.Eq(sympy.Symbol("u0"), 1), "")
    text, space = "def call(): raise error", {"error": error}
    for file in reversed(files):
        exec(compile(text, file, "exec"), space)
        text, space = "def call(): inner()", {"inner": space["call"]}
    if files:
        with pytest.raises(GuardOnDataDependentSymNode):
            space["inner"]()
        # Without the line here.
        error = error.with_traceback(error.__traceback__.tb_next)
    made = _compiled._explain_choice(error)
    assert str(made).startswith(expected)
    assert made.location == (expected.partition(": ")[0] if expected[0] == "/" else None)


def test_choices_of_modules_of_torch():
    """All lines are PyTorch's."""
    module = nn.AdaptiveLogSoftmaxWithLoss(4, 6, [2]).eval()
    with pytest.raises(bl.CompileError, match=r"adaptive.py:\d+: torch.export: the line '.+' asks for") as caught:
        bl.torch.export(module, (torch.randn(3, 4), torch.tensor([0, 3, 5])))
    assert caught.value.location.rpartition(":")[0] == sys.modules[type(module).__module__].__file__


def test_what_a_choice_may_be():
    taken = lambda x: torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))
    both = lambda x: torch.where(x.sum() > 0, x + 1, x - 1)
    for function in (taken, both):
        f = bl.from_torch(
            bl.torch.export(Call(function), (torch.ones(3),), dynamic_shapes=(({0: torch.export.Dim.AUTO},),))
        )
        for x in (torch.ones(2), -torch.ones(4)):
            torch.testing.assert_close(f(x), choose(x))
