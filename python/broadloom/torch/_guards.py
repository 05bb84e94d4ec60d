"""Guards: what must hold of the extents of a call for a graph to be what was traced. PyTorch traces one way through
the branches of the module's Python, and notes the conditions of the branches."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from .. import _program as program
from .._program import Extent
from .._tensors._tensor import Number
from ._context import Context, Unsupported, why_by_data
from ._graph import FUNCTIONS, Guard, Size, names_of


class RequiredCondition(NamedTuple):
    """A condition that each call must fulfil, since the graph was traced for such calls alone."""

    #: The condition, in the names of the arguments: 'x.shape[1] % 2 == 0'.
    condition: str
    #: 'file:line' of the Python that relies on it; None where it is not known.
    location: str | None

    @property
    def reason(self) -> str:
        """Says why it is so, and what to do."""
        return f"what was traced holds for such extents alone; for others, {_ADVICE}"


_ADVICE = "export the module again for such extents, or write it without a choice by them, as with torch.where"

#: What torch's text of guards calls functions of formulas.
_FUNCTIONS = {
    "math.trunc": "trunc", "math.floor": "floor", "math.ceil": "ceil", "math.sqrt": "sqrt", "torch._sym_sqrt": "sqrt",
    "torch.sym_float": "float", "torch.sym_max": "max", "torch.sym_min": "min", "max": "max", "min": "min",
    "round": "round", "abs": "abs", "float": "float",
}  # fmt: skip

#: Gives what a source stands for, which is a path of an argument, and the axis, None for a number: what the user calls
#: it, and its size. None where it is no size of an input.
Find = Callable[[str, int | None], "tuple[str, int | float | Size] | None"]


class _Reader(ast.NodeTransformer):
    """Puts something in place of the sources in a guard: the names of users, or sizes."""

    def __init__(self, find: Find, for_users: bool) -> None:
        self.find = find
        self.for_users = for_users

    def visit_Subscript(self, tree: Any) -> Any:
        match tree:
            case ast.Subscript(ast.Call(ast.Attribute(source, "size"), [], []), ast.Constant(int(axis))):
                return self._replace(source, axis)
        return self._replace(tree, None)

    def _replace(self, source: ast.expr, axis: int | None) -> ast.expr:
        found = self.find(ast.unparse(source), axis)
        if found is None:
            raise ValueError(f"{ast.unparse(source)} is not an input of the graph")
        return _parse(str(found[0 if self.for_users else 1]))

    def visit_Call(self, tree: Any) -> Any:
        name = ast.unparse(tree.func)
        if name not in _FUNCTIONS:
            raise ValueError(f"{name} is not a function of extents")
        call = ast.Call(ast.Name(_FUNCTIONS[name]), [self.visit(arg) for arg in tree.args], [])
        return _spell_call(call) if self.for_users else call

    def visit_Attribute(self, tree: Any) -> Any:
        name = ast.unparse(tree)
        if name not in ("math.inf", "math.nan"):
            raise ValueError(f"{name} is not a size")
        return ast.Name(tree.attr)


def _parse(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def read_guard(text: str, find: Find, location: str | None = None) -> Guard:
    """Reads a guard from torch's text, such as "(L['x'].size()[1] % 2) == 0". Raises ValueError where it is about
    something else than sizes of inputs."""
    try:
        condition, spelled = (ast.unparse(_Reader(find, is_text).visit(_parse(text))) for is_text in (False, True))
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError("it is no expression of Python's") from None
    return Guard(Size(condition), location, text=spelled)


def _spell_call(call: ast.Call) -> ast.expr:
    """Spells a function of ours as Python has it."""
    match call.func:
        case ast.Name("float"):
            return call.args[0]
        case ast.Name("trunc"):
            return ast.Call(ast.Name("int"), call.args, [])
    return call


class _Speller(ast.NodeTransformer):
    """Puts the user's formulas in place of symbols."""

    def __init__(self, formulas: Mapping[str, str]) -> None:
        self.formulas = formulas

    def visit_Name(self, tree: Any) -> Any:
        return _parse(self.formulas.get(tree.id, tree.id))

    def visit_Call(self, tree: Any) -> Any:
        return _spell_call(ast.Call(tree.func, [self.visit(arg) for arg in tree.args], []))


class Words(NamedTuple):
    """The user's words for the numbers of a call."""

    #: Each number by its name: that of 'x.shape[0]', or of 'k'.
    places: dict[str, Number]
    #: Each symbol in terms of these: '(x.shape[0] - 1) // 2'.
    formulas: dict[str, str]

    def find(self, text: str) -> dict[str, Number]:
        """Returns the places that a text names."""
        return {
            place: number
            for place, number in self.places.items()
            if re.search(rf"(?<![\w.]){re.escape(place)}(?!\w)", text)
        }


_PREDICATES = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "slt", ast.LtE: "sle", ast.Gt: "sgt", ast.GtE: "sge"}


def require_guards(
    c: Context, guards: Sequence[Guard], words: Words, locate: Callable[[str | None], None], advice: str = _ADVICE
) -> tuple[list[RequiredCondition], list[tuple[Guard, str]]]:
    """Has each call check guards. Gives what calls must fulfil by them, and those that cannot be checked, with the
    reason. `locate` places what follows; messages end with the advice, if there is one."""
    required: dict[str, RequiredCondition] = {}
    problems = []
    for guard in {str(guard.condition): guard for guard in guards}.values():
        locate(guard.location)
        try:
            text = _require(c, guard, words, advice)
        except (Unsupported, ValueError, TypeError) as problem:
            if guard.is_needed:
                spelled = guard.text or ast.unparse(_parse(str(guard.condition)))
                problems.append((guard, f"the guard {spelled} cannot be checked: {problem}"))
        else:
            if text:
                required.setdefault(text, RequiredCondition(text, guard.location))
    locate(None)
    return list(required.values()), problems


def _require(c: Context, guard: Guard, words: Words, advice: str) -> str | None:
    """Requires a condition, and returns it in the user's words; None for one about nothing that calls choose."""
    symbols = _symbols_of(guard.condition)
    for name in symbols:
        if name not in words.formulas:
            raise Unsupported(why_by_data(name))
    conditions = _conditions(c, guard.condition)
    if not symbols:
        return None
    text = guard.text or ast.unparse(_Speller(words.formulas).visit(_parse(str(guard.condition))))
    found = words.find(text)
    told = " and ".join(f"{program.escape_message(place)} is {{{at}}}" for at, place in enumerate(found))
    message = f"{told}, but what was traced holds where {program.escape_message(text)} alone"
    message += f": {advice}" if advice else ""
    numbers = [program.index(c.builder, number) for number in found.values()]
    for holds in conditions:
        c.builder.require(holds, message, numbers)
    return text


def _symbols_of(condition: int | float | Size) -> list[str]:
    """Returns the symbols of a condition, as they come."""
    if not isinstance(condition, Size):
        return []
    names = names_of(condition) - FUNCTIONS.keys() - {"inf", "nan"}
    return sorted(names, key=re.findall(r"\w+", condition.text).index)


def _conditions(c: Context, condition: int | float | Size) -> list[str]:
    """Emits the parts of a condition that a call tells, each an i1 of the program."""
    if isinstance(condition, Size):
        match _parse(condition.text):
            case ast.BoolOp(ast.And(), parts):
                return [name for part in parts for name in _conditions(c, Size(ast.unparse(part)))]
            case ast.Compare(left, [sign], [right]) if type(sign) in _PREDICATES:
                x, y = (c.number(Size(ast.unparse(side))) for side in (left, right))
                predicate = _PREDICATES[type(sign)]
                if program.is_same(x, y) and predicate in ("eq", "sle", "sge"):
                    return []
                if all(isinstance(v, (int, Extent)) for v in (x, y)) and any(isinstance(v, Extent) for v in (x, y)):
                    # The compiler reasons about comparisons that stay such.
                    return [program.compare(predicate, x, y)]
    holds = c.number(condition)
    if isinstance(holds, Extent):
        return [program.compare("ne", holds, 0)]
    if not holds:
        raise Unsupported("what it asserts never holds")
    return []
