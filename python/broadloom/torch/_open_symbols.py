"""Symbols of extents that may be 0. PyTorch has symbols be positive, so that what a module asks of an extent of 0 is
answered without a guard."""

from __future__ import annotations

import contextlib
from typing import Any

import sympy
from torch.fx.experimental import symbolic_shapes
from torch.utils._sympy.symbol import SymT

from ._stand_ins import StandIns


def _make_symbol(kind: SymT, number: int, **assumptions: bool | None) -> Any:
    """Makes a symbol."""
    if kind == SymT.SIZE and assumptions.get("positive"):
        assumptions = {**assumptions, "positive": None, "nonnegative": True}
    return _stand_ins.call_other(symbolic_shapes, "make_symbol", kind, number, **assumptions)


def _try_solve(relation: Any, unknown: Any, *args: Any, **kwargs: Any) -> Any:
    """Solves a relation for an unknown; None where that takes a division by what may be 0. PyTorch divides by what is
    not negative."""
    for product in relation.atoms(sympy.Mul):
        if product.has(unknown) and any(not part.has(unknown) and part.is_zero is not False for part in product.args):
            return None
    return _stand_ins.call_other(symbolic_shapes, "try_solve", relation, unknown, *args, **kwargs)


_stand_ins = StandIns(
    {(symbolic_shapes, "make_symbol"): _make_symbol, (symbolic_shapes, "try_solve"): _try_solve},
)


def open_symbols() -> contextlib.AbstractContextManager[None]:
    """Has extents be symbols that may be 0 in what this thread traces inside the body."""
    return _stand_ins.used()
