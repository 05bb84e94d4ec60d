"""Models of known architectures: one compilation, and eager mode's results for all
shapes, through torch.export and through torch.compile."""

import broadloom as bl
import models
import pytest
import torch
from torch.export import Dim

batch, length = Dim("batch", min=1, max=64), Dim("length", min=2, max=64)
TEXTS = [(2, 8), (1, 5), (3, 64), (4, 2), (7, 33)]
IMAGES = [(2, 64, 48), (1, 33, 57), (3, 96, 64), (2, 40, 40), (1, 65, 65)]


def tokens(n, s):
    return (torch.randint(0, 97, (n, s)),)


def maskedTokens(n, s):
    mask = (torch.rand(n, s) < 0.8).long()
    mask[:, 0] = 1
    return (*tokens(n, s), mask)


def vectors(n, s):
    return (torch.randn(n, s, 32),)


def image(n, h, w):
    return (torch.randn(n, 3, h, w),)


text = {0: batch, 1: length}
anySize = {0: batch, 2: Dim.AUTO, 3: Dim.AUTO}
quarters = {0: batch, 2: 4 * Dim("h", min=2, max=64), 3: 4 * Dim("w", min=2, max=64)}
MODELS = {
    "bert": (models.Bert, maskedTokens, (text, text), TEXTS),
    "gpt2": (models.Gpt2, tokens, (text,), TEXTS),
    "llama": (models.LlamaBlock, vectors, (text,), TEXTS),
    "vit": (models.Vit, lambda n: image(n, 32, 32), ({0: batch},), [(2,), (1,), (5,), (3,), (8,)]),
    "resnet18": (models.ResNet18, image, (anySize,), IMAGES),
    "mobilenet2": (models.MobileNetV2, image, (anySize,), IMAGES),
    "unet": (models.UNet, image, (quarters,), [(2, 64, 48), (1, 32, 56), (3, 96, 64), (2, 40, 40), (1, 64, 64)]),
}


def settleStatistics(module):
    """Statistics of batches as after training."""
    for part in module.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.running_mean.uniform_(-0.5, 0.5)
            part.running_var.uniform_(0.5, 2)
            part.weight.uniform_(0.5, 1.5)
            part.bias.uniform_(-0.5, 0.5)
    return module.eval()


@pytest.mark.parametrize("name", MODELS)
def test_exported(name, compilations):
    model, make, dynamic, shapes = MODELS[name]
    module = settleStatistics(model())
    f = bl.from_torch(torch.export.export(module, make(*shapes[0]), dynamic_shapes=dynamic))
    for shape in shapes:
        inputs = make(*shape)
        torch.testing.assert_close(f(*inputs), module(*inputs))
    assert compilations == ["torch"]


@pytest.mark.parametrize("name", MODELS)
def test_compiled(name, compilations, backend):
    model, make, _, shapes = MODELS[name]
    module = settleStatistics(model())
    f = torch.compile(module, backend=backend, dynamic=True, fullgraph=True)
    # Dynamo itself takes extents of 1 for constants, and equal ones of the first call
    # for one: the batch must not be the number of channels.
    for n, *rest in shapes:
        inputs = make(n + 3, *rest)
        torch.testing.assert_close(f(*inputs), module(*inputs))
    assert compilations == ["torch"]


def test_weights_as_constants(tmp_path):
    module = settleStatistics(models.MobileNetV2())
    exported = torch.export.export(module, image(2, 64, 48), dynamic_shapes=(anySize,))
    f = bl.from_torch(exported, weights="constant")
    assert len(f.function.arguments) == 1
    f.save(tmp_path / "mobile.blm")
    loaded = bl.load(tmp_path / "mobile.blm")
    for shape in IMAGES:
        (x,) = image(*shape)
        torch.testing.assert_close(f(x), module(x))
        torch.testing.assert_close(torch.from_numpy(loaded(x)), module(x))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float64])
def test_other_element_types(dtype, compilations):
    module = models.LlamaBlock().eval().to(dtype)
    f = bl.from_torch(torch.export.export(module, (torch.randn(2, 8, 32, dtype=dtype),), dynamic_shapes=(text,)))
    for n, s in TEXTS:
        x = torch.randn(n, s, 32, dtype=dtype)
        y = f(x)
        assert y.dtype == dtype
        # Eager mode rounds short floats between operations as well, but others of them.
        exact = module.double()(x.double())
        bound = 4 * (module.to(dtype)(x).double() - exact).abs().max() + 1e-9
        assert (y.double() - exact).abs().max() <= bound
    assert len(compilations) == 1
