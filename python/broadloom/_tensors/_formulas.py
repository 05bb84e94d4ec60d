"""Formulas of extents."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

#: Python's operators: what `loom.extents` calls them, and what they compute.
_OPERATORS = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.FloorDiv: ("floordiv", operator.floordiv),
    ast.Mod: ("mod", operator.mod),
}


def _fold(text: str, names: Mapping[str, Any], constant: Callable[[int], Any], combine: Callable[..., Any]) -> Any:
    """Combines the operators of a formula by `combine`, from the inside out; returns None where a name is not in
    `names` or the formula has no form in `loom.extents`."""

    def fold(tree: ast.expr) -> Any:
        match tree:
            case ast.Constant(int(value)) if value >= 0:
                return constant(value)
            case ast.Name(name):
                return names.get(name)
            case ast.BinOp(left, sign, right) if type(sign) in _OPERATORS:
                if isinstance(sign, (ast.FloorDiv, ast.Mod)) and not (isinstance(right, ast.Constant) and right.value):
                    return None
                parts = fold(left), fold(right)
                return None if None in parts else combine(*_OPERATORS[type(sign)], *parts)
            case ast.UnaryOp(ast.USub(), operand):
                part = fold(operand)
                return None if part is None else combine("-", operator.sub, constant(0), part)
        return None

    try:
        return fold(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def spell_formula(text: str, formulas: Mapping[str, str]) -> str | None:
    """Translates a formula from Python to the language of `loom.extents`; returns None where it has no such form.
    `formulas` has what names stand for."""
    spelled: str | None = _fold(text, formulas, str, lambda sign, _, left, right: f"({left} {sign} {right})")
    return spelled


def compute_formula(text: str, numbers: Mapping[str, Any]) -> Any:
    """Computes a formula; returns None where `numbers` has not all of its names."""
    return _fold(text, numbers, int, lambda _, function, left, right: function(left, right))
