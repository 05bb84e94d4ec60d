"""What PyTorch is told of results while it traces, beside what it finds itself, for open extents and all layouts."""

import threading

import pytest
import torch
from broadloom.torch import _quick_shapes
from broadloom.torch._quick_shapes import quick_shapes
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext

LAYOUTS = {
    "rows": lambda x: x,
    "channels last": lambda x: x.to(memory_format=torch.channels_last),
    "transposed": lambda x: x.transpose(1, 3),
    "part": lambda x: x[:, :, 1:, ::2],
    "expanded": lambda x: x[:, :1].expand(-1, 5, -1, -1),
    "empty": lambda x: x[:0],
}
#: The arguments behind the tensor.
MORE = {"clamp": (-1.0, 0.5), "hardtanh": (0.0, 6.0), "leaky_relu": (0.1,), "elu": (0.5,)}
OPERATIONS = [operation for operation in _quick_shapes._RULES if operation is not _quick_shapes._NORM]


def fake(x):
    """A tensor without elements, whose extents are open."""
    mode = FakeTensorMode(shape_env=ShapeEnv())
    context = StatelessSymbolicContext(dynamic_sizes=[DimDynamic.DYNAMIC] * x.dim())
    return mode, mode.from_tensor(x, symbolic_context=context)


def describe(operation, x, *more):
    """The shape, the strides, the type and the device of each result, in terms of the example."""
    mode, operand = fake(x)
    more = [mode.from_tensor(value) if isinstance(value, torch.Tensor) else value for value in more]
    with mode:
        found = operation(operand, *more)
    found = found if isinstance(found, tuple) else (found,)
    hints = lambda sizes: tuple(size.node.hint if isinstance(size, torch.SymInt) else size for size in sizes)
    return [(hints(t.shape), hints(t.stride()), t.dtype, t.device, t is operand) for t in found]


def outcome(operation, *args):
    try:
        return describe(operation, *args)
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_element_by_element(operation, layout):
    more = MORE.get(operation.overloadpacket.__name__.removesuffix("_"), ())
    for dtype in (torch.float32, torch.bfloat16, torch.float64, torch.int64):
        x = LAYOUTS[layout](torch.ones((2, 3, 4, 6), dtype=dtype))
        theirs = outcome(operation, x, *more)
        with quick_shapes():
            assert outcome(operation, x, *more) == theirs, dtype


@pytest.mark.parametrize("layout", LAYOUTS)
def test_batch_norm(layout):
    x = LAYOUTS[layout](torch.ones(2, 3, 4, 6))
    call = (_quick_shapes._NORM, x, *[torch.ones(x.shape[1])] * 4, 0.1, 1e-5)
    theirs = describe(*call)
    with quick_shapes():
        assert describe(*call) == theirs


def test_what_pytorch_has_comes_back():
    """Behind the last of several traces, everything is as before."""
    from torch._C import DispatchKey
    from torch._subclasses import fake_impls

    operation = torch.ops.aten.hardtanh_.default
    before = operation.py_kernels[DispatchKey.Meta]
    assert operation not in fake_impls.get_fast_op_impls()
    entered, leave = threading.Event(), threading.Event()

    def trace():
        with quick_shapes():
            entered.set()
            leave.wait(60)

    thread = threading.Thread(target=trace)
    with quick_shapes():
        thread.start()
        assert entered.wait(60)
    assert operation in fake_impls.get_fast_op_impls()
    assert operation.py_kernels[DispatchKey.Meta] is not before
    leave.set()
    thread.join()
    assert operation not in fake_impls.get_fast_op_impls()
    assert operation.py_kernels[DispatchKey.Meta] is before
