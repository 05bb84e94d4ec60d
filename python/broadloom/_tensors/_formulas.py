"""Formulas of extents."""

from __future__ import annotations

import ast
from collections.abc import Mapping


def spell_formula(text: str, formulas: Mapping[str, str]) -> str | None:
    """A formula in the language of `loom.extents`, of one that is an expression of
    Python's; None where it has no such form. `formulas` has what names stand for."""
    signs = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "floordiv", ast.Mod: "mod"}

    def spell(tree) -> str | None:
        match tree:
            case ast.Constant(int(value)) if value >= 0:
                return str(value)
            case ast.Name(name):
                return formulas.get(name)
            case ast.BinOp(left, operator, right) if type(operator) in signs:
                if isinstance(operator, (ast.FloorDiv, ast.Mod)) and not isinstance(right, ast.Constant):
                    return None
                parts = spell(left), spell(right)
                return None if None in parts else f"({parts[0]} {signs[type(operator)]} {parts[1]})"
            case ast.UnaryOp(ast.USub(), operand):
                part = spell(operand)
                return None if part is None else f"(0 - {part})"
        return None

    try:
        return spell(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
