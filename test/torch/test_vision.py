"""Operations of torchvision against its own, from one compilation of all extents."""

import broadloom as bl
import pytest
import torch
import torchvision
from exports import Call, raised
from torch.export import Dim


def compile_for(function, *inputs):
    axes = tuple(dict.fromkeys(range(x.dim()), Dim.AUTO) for x in inputs)
    return bl.from_torch(bl.torch.export(Call(function), inputs, dynamic_shapes=(axes,)))


def boxes(count, size=60.0):
    corners = torch.rand(count, 2) * size
    return torch.cat([corners, corners + torch.rand(count, 2) * size / 2], 1)


@pytest.mark.parametrize("aligned", (False, True))
@pytest.mark.parametrize("ratio", (-1, 2))
def test_regions(aligned, ratio):
    def function(x, rois):
        return torchvision.ops.roi_align(x, rois, (3, 2), 0.25, ratio, aligned)

    def inputs(images, height, width, count):
        numbers = torch.randint(0, images, (count, 1)).float()
        return torch.randn(images, 5, height, width), torch.cat([numbers, boxes(count) - 5], 1)

    f = compile_for(function, *inputs(2, 16, 20, 4))
    for shape in ((2, 16, 20, 4), (1, 9, 33, 7), (3, 12, 12, 1), (2, 16, 20, 0)):
        given = inputs(*shape)
        torch.testing.assert_close(f(*given), function(*given), atol=1e-4, rtol=1e-4)


def test_other_regions():
    def function(x, rois):
        return torchvision.ops.roi_align(x, rois, 2)

    f = compile_for(function, torch.randn(1, 2, 8, 9), torch.randn(3, 5))
    message = raised(lambda: f(torch.randn(1, 2, 8, 9), torch.randn(3, 4)), bl.ShapeError)
    assert "has shape 3x4 but the function takes" in message


@pytest.mark.parametrize("threshold", (0.0, 0.3, 0.9))
def test_boxes(threshold):
    def function(x, scores):
        return torchvision.ops.nms(x, scores, threshold)

    f = compile_for(function, boxes(9), torch.rand(9))
    for count in (9, 60, 200):
        given = boxes(count), torch.rand(count)
        assert torch.equal(f(*given), function(*given))
    # torchvision says so of its operation.
    message = raised(lambda: f(boxes(1), torch.rand(1)), bl.ShapeError)
    assert "nms.shape[0] is 1, but what was traced holds where nms.shape[0] >= 2 alone" in message
    # Equal scores stay in their order, and boxes without area overlap nothing.
    same = torch.tensor([[0, 0, 4, 4], [0, 0, 4, 4], [1, 1, 1, 1], [1, 1, 1, 1.0]])
    assert torch.equal(f(same, torch.ones(4)), function(same, torch.ones(4)))


def test_boxes_of_classes():
    def function(x, scores, classes):
        return torchvision.ops.batched_nms(x, scores, classes, 0.4)

    f = torch.compile(function, backend=bl.torch.backend, dynamic=True)
    for count in (30, 50):
        given = boxes(count), torch.rand(count), torch.randint(0, 3, (count,))
        assert torch.equal(f(*given), function(*given))
