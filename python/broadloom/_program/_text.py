"""The text of operations, with the names of the values that they use.

A name stands in a text only as a part of a template, which records it: whether a value is
used is found from these records, and no operand can be missing in them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_NAME = re.compile(r"%\w+(#\d+)?")
_KIND = re.compile(r'"?([\w.]+)')


class Words(NamedTuple):
    """A text, and the names in it."""

    text: str
    names: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.text)


#: What stands in a template: a name, a text without names, or several of them, with commas between.
Part = str | int | Words | Iterable["str | Words"]


class Line(NamedTuple):
    """A line of the program: an operation, or the head or the end of one that has regions."""

    text: str
    #: The name that the line gives its results: '%5', or '%5:2' of two; '' where there are none.
    result: str
    #: The names of the values that the line uses, without the numbers of results.
    operands: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The name of the operation."""
        found = _KIND.match(self.text.lstrip().removeprefix(f"{self.result} = "))
        return found[1] if found else ""

    def followed_by(self, location: str) -> Line:
        """Returns the line with its location."""
        return Line(self.text + location, self.result, self.operands) if location else self

    def indented(self) -> Line:
        """Returns the line as one of a region."""
        return Line("  " + self.text, self.result, self.operands)


@functools.lru_cache(1024)
def without_number(name: str) -> str:
    """Returns the name of all results of an operation, of the name of one of them."""
    if not _NAME.fullmatch(name):
        raise AssertionError(f"{name!r} has a name that is not a part by itself")
    return name.partition("#")[0]


@functools.cache
def _format_of(template: str) -> str:
    """Returns a template as Python formats it fastest."""
    if "%" in template:
        raise AssertionError(f"{template!r} has a name")
    return template.replace("{}", "%s")


def words(template: str, *parts: Part) -> Words:
    """Fills each {} of a template with a part. Raises an error for a name that is in the template, or only a piece of a
    part."""
    names: list[str] = []
    text = _format_of(template) % tuple([_fill(part, names) for part in parts])
    return Words(text, tuple(names))


def _fill(part: Part, names: list[str]) -> str:
    """Returns the text of a part, and adds the names in it to `names`."""
    if isinstance(part, str):
        if "%" in part:
            names.append(without_number(part))
        return part
    if isinstance(part, Words):
        names += part.names
        return part.text
    if isinstance(part, int):
        return str(part)
    return ", ".join([_fill(one, names) for one in part])


def line(template: str, *parts: Part, result: str = "") -> Line:
    """Returns a line that gives its results the name `result`, of a template without that name."""
    filled = words(template, *parts)
    return Line(f"{result} = {filled.text}" if result else filled.text, result, filled.names)


#: The last line of an operation with regions.
END = line("}")


def loop_head(name: str, at: str, bounds: Sequence[str], carried: Sequence[Words], types: Sequence[str]) -> Line:
    """Returns the head of a loop with this variable, by its start, end and step, and the values that it carries."""
    return line("scf.for {} = {} to {} step {} iter_args({}) -> ({}) {", at, *bounds, carried, types, result=name)
