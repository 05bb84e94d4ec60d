"""The user's names of arguments, extents and the backend in errors and reports."""

import re

import broadloom as bl
import numpy as np
import pytest
import torch
from torch import nn
from torch.export import Dim


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, 3)

    def forward(self, img, batch):
        return self.linear(img) + batch["x"][:, None]


def test_arguments_and_extents_have_the_users_names():
    dynamic = ({0: Dim.AUTO}, {"x": {0: Dim.AUTO}})
    f = bl.from_torch(
        torch.export.export(Named().eval(), (torch.ones(4, 6), {"x": torch.ones(4)}), dynamic_shapes=dynamic)
    )
    named = (
        "argument 'batch['x']', axis 0 has extent 5, but 'img.shape[0]' is 4, the extent of axis 0 of argument 'img'"
    )
    for img, x, kind, message in (
        (torch.ones(4, 6), torch.ones(5), bl.ShapeError, named),
        (
            torch.ones(1, 6),
            torch.ones(1),
            bl.ShapeError,
            "argument 'img', axis 0 has extent 1, but 'img.shape[0]' is at least 2",
        ),
        (torch.ones(4, 7), torch.ones(4), bl.ShapeError, "argument 'img' has shape 4x7 but the function takes ?x6"),
        (
            torch.ones(4, 6).double(),
            torch.ones(4),
            TypeError,
            "argument 'img' has element type f64 but the function takes f32",
        ),
        (torch.ones(4, 6), torch.ones(4).long(), TypeError, "argument 'batch['x']' has element type i64"),
    ):
        with pytest.raises(kind, match=re.escape(message)):
            f(img, {"x": x})
    report = f.check()
    (row,) = [row for row in report if "batch" in row.constraint]
    assert row.constraint == "axis 0 of argument 'batch['x']' is 'img.shape[0]', as is axis 0 of argument 'img'"
    for text in (str(report), report.to_json(), report.to_html()):
        assert "img.shape[0]" in text and not re.search(r"argument \d|(?:'|&#39;)s\d", text)


def test_the_backend_has_its_name(backend):
    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed, match=r"^backend='broadloom' raised:\n"):
        torch.compile(torch.special.airy_ai, backend=backend)(torch.randn(3, 6))


class Scaled(Named):
    def forward(self, img, factor, batch):
        return super().forward(img, batch) * factor


def test_the_program_has_the_names_of_its_arguments():
    """Its own messages have the names of inputs, of numbers and of weights, without torch's layer around it."""
    rows = Dim("rows", min=2)
    exported = torch.export.export(
        Scaled().eval(),
        (torch.ones(4, 6), 3, {"x": torch.ones(4)}),
        dynamic_shapes=({0: rows}, Dim.DYNAMIC, {"x": {0: rows}}),
    )
    f = bl.from_torch(exported)
    given = {"img": (4, 6), "batch['x']": (4,), "factor": (), "linear.weight": (6, 3), "linear.bias": (3,)}
    assert re.findall(r' loc\("([^"]*)"\)[,)]', f.mlir) == list(given)
    for wrong in given:
        arguments = [np.ones(shape, np.float32 if shape else np.int64) for shape in given.values()]
        arguments[list(given).index(wrong)] = np.ones((4, 6), bool)
        with pytest.raises(TypeError, match=re.escape(f"argument '{wrong}' has element type i1")):
            f.function(*arguments)


@pytest.mark.parametrize(
    "file, is_library",
    [
        (torch.nn.functional.__file__, True),
        (torch.functional.__file__, True),
        (bl.torch.__file__, True),
        ("/opt/venv/lib/python3.12/site-packages/torch/nn/modules/linear.py", True),
        ("/usr/lib/python3/dist-packages/broadloom/torch/_compiled.py", True),
        (torch.__file__.replace("/torch/", "/torchvision/"), False),
        ("/opt/venv/lib/python3.12/site-packages/torchvision/models/resnet.py", False),
        ("/home/u/pytorch/torch/nn/modules/linear.py", True),
        ("/home/u/pytorch/torch/_tensor.py", True),
        ("/home/u/pytorch/torch/_dynamo/eval_frame.py", True),
        ("C:\\pytorch\\torch\\nn\\modules\\linear.py", True),
        ("/home/u/broadloom/build/python/broadloom/torch/_x.py", True),
        ("/home/me/torch/nn/model.py", False),
        ("/home/me/torch/_model.py", False),
        ("/home/me/torch/_dynamos.py", False),
        ("/home/me/broadloom/test/torch/test_x.py", False),
    ],
)
def test_whose_lines_are_told(file, is_library):
    """Messages name lines of the user's own, and those of other packages."""
    from broadloom.torch import _fx

    assert _fx.is_library(file) == is_library


MODEL, LINEAR = "/home/me/torch/nn/model.py", "/home/u/pytorch/torch/nn/modules/linear.py"
OURS = [
    "/home/u/broadloom/build/python/broadloom/torch/_x.py",
    "/opt/venv/lib/python3.12/site-packages/broadloom/torch/_calls.py",
]


@pytest.mark.parametrize(
    "files, expected",
    [
        ([MODEL, LINEAR, *OURS], f"{MODEL}:1"),
        ([LINEAR, MODEL, LINEAR], f"{MODEL}:2"),
        # Without the user's, the last line that is not ours.
        ([LINEAR, *OURS], f"{LINEAR}:1"),
        (OURS, None),
        ([], None),
    ],
)
def test_the_line_of_a_node(files, expected):
    from broadloom.torch import _fx

    node = torch.fx.Graph().placeholder("x")
    node.meta["stack_trace"] = "\n".join(f'  File "{file}", line {i}, in f' for i, file in enumerate(files, 1))
    assert _fx.find_location(node) == expected
