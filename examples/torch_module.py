"""A module of PyTorch, compiled once for every batch and every length.

PYTHONPATH=build/python python examples/torch_module.py
"""

import broadloom as bl
import torch
from torch.export import Dim


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Linear(8, 16)
        self.norm = torch.nn.LayerNorm(16)
        self.head = torch.nn.Linear(16, 3)

    def forward(self, x, mask):
        h = self.norm(torch.nn.functional.gelu(self.embed(x)))
        return self.head((h * mask).mean(dim=1)).softmax(dim=-1)


module = Classifier().eval()
x, mask = torch.randn(2, 5, 8), torch.ones(2, 5, 1)

# 1. In place of the module. The name "broadloom" works where the package is installed.
f = torch.compile(module, backend=bl.torch.backend, dynamic=True)
with torch.no_grad():
    print(f(x, mask).shape)
    print(torch.allclose(f(torch.randn(7, 9, 8), torch.ones(7, 9, 1)).sum(-1), torch.ones(7)))

# 2. As a program, exported with the extents that stay open.
batch, length = Dim("batch", min=1), Dim("length", min=1)
axes = {0: batch, 1: length}
program = torch.export.export(module, (x, mask), dynamic_shapes=(axes, axes))
g = bl.from_torch(program, weights="constant")
print(torch.allclose(g(x, mask), module(x, mask), atol=1e-5))

# 3. What must hold of the extents, and an error.
print({row.status for row in g.check()})
try:
    g(x, torch.ones(2, 4, 1))
except bl.ShapeError as error:
    print(error)

# 4. For a machine without PyTorch.
g.save("classifier.blm")
