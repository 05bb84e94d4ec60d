"""Modules of functions, their exports, and the errors of calls."""

import pytest
import torch
from torch import nn
from torch.export import Dim


class Call(nn.Module):
    """Calls a function with modules, and with what it is called with."""

    def __init__(self, function, *parts):
        super().__init__()
        self.function, self.parts = function, nn.ModuleList(parts)

    def forward(self, *inputs):
        return self.function(*self.parts, *inputs)


def export(module, *inputs, dynamic=None):
    dynamic = dynamic or tuple({0: Dim.AUTO} for _ in inputs)
    return torch.export.export(module.eval(), inputs, dynamic_shapes=dynamic)


# Errors.


def raised(call, kind):
    """The exception of a backend, which dynamo wraps."""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    with pytest.raises((*kinds, torch._dynamo.exc.BackendCompilerFailed)) as caught:
        call()
    error = caught.value
    error = getattr(error, "inner_exception", None) or error
    assert isinstance(error, kind), error
    return str(error)
