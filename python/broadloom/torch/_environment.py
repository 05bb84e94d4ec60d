"""Reads what torch's environment of symbols (ShapeEnv) knows of a graph: ranges, names, guards, and the lines of Python
behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import sympy
import torch
from torch._guards import detect_fake_mode
from torch.fx.experimental.symbolic_shapes import ShapeEnv, ShapeGuardPythonPrinter

from . import _fx
from ._graph import Guard, Size


def find_environment(graph: torch.fx.Graph) -> ShapeEnv | None:
    """Returns the environment of a graph's symbols; None where it has none, as a program that was read from a file."""
    mode = detect_fake_mode([node.meta.get("val") for node in graph.nodes if node.op == "placeholder"])
    return mode.shape_env if mode is not None else None


def ranges_of(environment: ShapeEnv | None) -> dict[str, tuple[int, int | None]]:
    """Returns the ranges of symbols."""
    if environment is None:
        return {}
    return {str(symbol): bounds(found) for symbol, found in environment.var_to_range.items()}


def bounds(found: Any) -> tuple[int, int | None]:
    """Converts a range of torch's to one of ours; None is for an end that it has not."""
    low, high = (int(end) if getattr(end, "is_Integer", False) else None for end in (found.lower, found.upper))
    return max(low or 0, 0), high if high is not None and high < 2**31 else None


def names_of_symbols(environment: ShapeEnv | None) -> dict[str, str]:
    """Returns what the user calls symbols, as in Dim("height")."""
    given = getattr(environment, "source_name_to_debug_name", {})
    names: dict[str, str] = {}
    if environment is None:
        return names
    for source, symbol in getattr(environment, "source_to_var", {}).items():
        # That of a dimension such as 2 * Dim("pairs") has the name for its source.
        names[str(environment.replacements.get(symbol, symbol))] = given.get(str(source)) or str(source)
    return names


def locations_of_fixed(environment: ShapeEnv | None) -> dict[str, str]:
    """Returns the lines of Python that have fixed extents, by torch's text of these: "L['x'].size()[0]"."""
    found: dict[str, str] = {}
    if environment is None:
        return found
    for source, symbol in getattr(environment, "source_to_var", {}).items():
        location = _spell_location(environment.replacements_slocs.get(symbol))
        if location:
            found[str(source)] = location
    return found


def _is_of_layout(guard: Any) -> bool:
    """Tells whether a guard is about the places of elements in memory alone, which programs do not depend on. One that
    says that something is not 1 may be what torch knows of a broadcast too."""
    frame = getattr(guard.sloc, "framework_loc", None)
    name, file = getattr(frame, "name", ""), getattr(frame, "filename", "")
    asks = name == "meta_copy_" or (file.endswith("_prims_common/__init__.py") and "contiguous" in name)
    return (
        asks and isinstance(guard.expr, sympy.Ne) and not any(side.is_number and side <= 1 for side in guard.expr.args)
    )


def drop_guards_of_layout(environment: ShapeEnv | None) -> None:
    """Removes the guards of an environment that are about layouts: a program is the same without them."""
    if environment is not None:
        environment.guards[:] = [guard for guard in environment.guards if not _is_of_layout(guard)]


def guards_of_layout(environment: ShapeEnv | None) -> set[str]:
    """Returns the guards about layouts, as torch's text."""
    if environment is None:
        return set()
    return {text for guard, text in _spell_guards(environment) if _is_of_layout(guard)}


def _spell_guards(environment: ShapeEnv) -> Iterator[tuple[Any, str]]:
    sources = environment.var_to_sources
    printer = ShapeGuardPythonPrinter(sources, lambda source: source.name, sources)
    for guard in environment.guards:
        if guard.expr.free_symbols <= sources.keys():
            yield guard, printer.doprint(guard.expr)


def locations_of_guards(environment: ShapeEnv | None) -> dict[str, str]:
    """Returns the lines of Python that guards are from, by torch's text of them."""
    if environment is None:
        return {}
    located = ((text, _spell_location(guard.sloc)) for guard, text in _spell_guards(environment))
    return {text: location for text, location in located if location}


def guards_of(environment: ShapeEnv | None) -> Iterator[Guard]:
    """Returns the guards so far. Dynamo has each call fulfil them, if its user lets it."""
    if environment is None:
        return
    for guard in environment.guards:
        condition = environment.replace(guard.expr)
        if condition in (sympy.true, sympy.false) or _is_of_layout(guard):
            continue
        yield Guard(Size(_fx.spell_formula(condition)), _spell_location(guard.sloc), is_needed=False)


def _spell_location(location: Any) -> str | None:
    """Spells 'file:line' of the user's Python; returns None where it is not known."""
    frame: Any = getattr(location, "framework_loc", None)
    if getattr(frame, "filename", None) and not _fx.is_library(frame.filename):
        return f"{frame.filename}:{frame.lineno}"
    found = re.search(r"# (\S+:\d+) in ", getattr(location, "maybe_user_loc", None) or "")
    return found[1] if found else None
