"""torch.compile with dynamic shapes; the result is written to a tensor that is
there before the call, which Inductor does without a copy."""

import arrays as memory
import torch
from expression import Formulas

from peers import PythonPeer

TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}


class _Library(Formulas):
    abs, exp, log, tanh, erf = map(staticmethod, (torch.abs, torch.exp, torch.log, torch.tanh, torch.erf))
    sin, cos, sigmoid, pow = map(staticmethod, (torch.sin, torch.cos, torch.sigmoid, torch.pow))
    rsqrt, reciprocal = map(staticmethod, (torch.rsqrt, torch.reciprocal))
    softmax = staticmethod(lambda a: torch.softmax(a, -1))
    gelu = staticmethod(
        lambda a, approximate: torch.nn.functional.gelu(a, approximate="tanh" if approximate else "none")
    )
    sum = staticmethod(lambda a, axis=-1: torch.sum(a, axis, keepdim=True))
    max = staticmethod(lambda a, axis=-1: torch.amax(a, axis, keepdim=True))
    transposed = staticmethod(lambda a: a.t())

    @staticmethod
    def maximum(a, b):
        return torch.clamp_min(a, b) if isinstance(b, float) else torch.maximum(a, b)


def tensor(array):
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view("int16")).view(torch.bfloat16)
    return torch.from_numpy(array)


class Peer(PythonPeer):
    def __init__(self, threads, fresh):
        self.fresh = fresh
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
        self.version = f"PyTorch {torch.__version__}"

    def prepare(self, case, arrays):
        torch._dynamo.reset()
        library = _Library()

        def program(out, *operands):
            out.copy_(case.function(library, *operands))

        if self.fresh:
            operands = [tensor(a) for a in arrays]
            whole = torch.compile(lambda *operands: case.function(library, *operands), dynamic=True)
            self.call = lambda: self._keep(whole(*operands))
            self.call()
            return
        compiled = torch.compile(program, dynamic=True)
        self.out = memory.empty(case.shape, case.dtype)
        out, operands = tensor(self.out), [tensor(a) for a in arrays]
        self.call = lambda: compiled(out, *operands)
        self.call()

    def _keep(self, out):
        self.out = out

    def result(self):
        # NumPy has no bf16; the bits are what is looked at.
        isBits = self.fresh and self.out.dtype is torch.bfloat16
        return self.out.view(torch.int16) if isBits else self.out
