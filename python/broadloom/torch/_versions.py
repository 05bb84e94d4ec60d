"""What differs between versions of PyTorch."""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch.fx.experimental import symbolic_shapes

#: The oldest version that all tests are run with.
TESTED = (2, 15)

if tuple(map(int, torch.__version__.split(".")[:2])) < TESTED:
    warnings.warn(
        f"PyTorch {torch.__version__} is older than {TESTED[0]}.{TESTED[1]}, with which broadloom.torch is tested: "
        "compare results with eager mode, or update it with pip install --upgrade torch",
        stacklevel=2,
    )

if hasattr(symbolic_shapes, "guarding_hint_or_throw"):
    from torch.fx.experimental.symbolic_shapes import guarding_hint_or_throw, has_guarding_hint
else:
    # Names of PyTorch 2.11.
    from torch.fx.experimental.symbolic_shapes import has_hint as has_guarding_hint

    def guarding_hint_or_throw(a: Any) -> int:
        """Returns what an extent is in the example that PyTorch traces with; an error where it has none."""
        return int(a.node.require_hint()) if isinstance(a, torch.SymInt) else int(a)


__all__ = ["guarding_hint_or_throw", "has_guarding_hint"]
