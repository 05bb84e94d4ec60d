"""The extents that an export has fixed, which it says nowhere."""

from __future__ import annotations

import html
import json
import re
import textwrap
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .._report import Report, Row
from ._graph import ELEMENTS, Graph, Type


class FixedExtent(NamedTuple):
    """An axis of an argument that has one extent in all calls."""

    #: The argument, by the name that the export has for it.
    argument: str
    #: Its axis.
    axis: int
    #: The extent that each call must have.
    extent: int
    #: Whether dynamic_shapes leaves it open and the export has fixed it all the same.
    is_marked: bool
    #: 'file:line' of the Python that has fixed it; None where it is not known.
    location: str | None = None

    @property
    def constraint(self) -> str:
        """What each call must fulfil."""
        return f"axis {self.axis} of argument '{self.argument}' is {self.extent}"

    @property
    def reason(self) -> str:
        """Why it is so, and what to do."""
        if self.is_marked:
            return (
                "the export has fixed it, although dynamic_shapes leaves it open: what the module computes holds for "
                "this extent alone; write that part for all extents, or leave the axis out of dynamic_shapes to say "
                "that it is meant"
            )
        if self.extent < 2:
            return (
                f"the example of the export has {self.extent} there, which torch.export fixes whatever dynamic_shapes "
                "says; export with an example whose extent is 2 or more, and the axis in dynamic_shapes"
            )
        return f"dynamic_shapes does not leave it open; {{{self.axis}: Dim.AUTO}} for '{self.argument}' would"


_GUARD = re.compile(r"(L\[.+)\.size\(\)\[(\d+)\] == \d+")


def name_argument(source: str) -> str:
    """The export's name of an argument, of what its guards call it: 'more_a_0' of L['more']['a'][0]."""
    return "_".join(re.findall(r"\w+", source)[1:])


def find_fixed(graph: Graph, guards: Iterable[str], places: Mapping[tuple[str, int], str]) -> tuple[FixedExtent, ...]:
    """The fixed extents of a graph's inputs. `guards` are the conditions that the export has noted of extents
    that were left open, in Python; `places` has the line that has fixed an axis of an argument."""
    marked = set()
    for guard in guards:
        if found := _GUARD.fullmatch(guard):
            marked.add((name_argument(found[1]), int(found[2])))
    return tuple(
        FixedExtent(node.name, axis, extent, (node.name, axis) in marked, places.get((node.name, axis)))
        for node in graph.nodes
        if node.target == "input" and isinstance(node.type, Type) and node.type.element in ELEMENTS
        for axis, extent in enumerate(node.type.shape)
        if isinstance(extent, int)
    )


class ExportReport(Report):
    """What must hold of the shapes of an exported program: rows whose status is 'fixed', which are about the
    extents that the export allows no others of, and then those of `check`."""

    def __init__(self, report: Report, fixed: tuple[FixedExtent, ...], function: str):
        #: The extents that the export has fixed.
        self.fixed = fixed
        forms = {"text": str(report), "json": report.to_json(), "html": report.to_html()}
        made = [add_fixed(text, form, function, fixed) for form, text in forms.items()]
        super().__init__([*_rows(function, fixed), *report], report.accepted, *made)

    @property
    def counts(self) -> dict[str, int]:
        """How many rows have each status."""
        counts = dict.fromkeys(("fixed", "proved", "run-time", "refuted", "unchecked"), 0)
        for row in self:
            counts[row.status] += 1
        return counts


def _rows(function: str, fixed: Iterable[FixedExtent]) -> list[Row]:
    return [Row(function, "torch.export", f.location or "", f.axis, f.constraint, "fixed", f.reason, "") for f in fixed]


def add_fixed(report: str, form: str, function: str, fixed: Iterable[FixedExtent]) -> str:
    """A report of `check` in one of its forms, 'text', 'json' or 'html', with the extents that an export has
    fixed at its head."""
    rows = _rows(function, fixed)
    if form == "text":
        return _spell(rows) + report
    if form == "html":
        return _draw(rows, report)
    listed = [{key: value for key, value in row._asdict().items() if key != "names" or value} for row in rows]
    return json.dumps([*listed, *json.loads(report)], indent=1) if rows else report


def _spell(rows: list[Row]) -> str:
    """The rows as the text of `check` has rows."""
    lines, place = [], None
    for row in rows:
        if place != row.location:
            place = row.location
            lines.append(f"{row.operation}  {place}".rstrip())
        for mark, text in (("fixed", row.constraint), ("", f"because {row.reason}")):
            lines += textwrap.wrap(text, 100, initial_indent=f"  {mark:8}  ", subsequent_indent=" " * 12)
    return "".join(f"{line}\n" for line in lines) + ("\n" if lines else "")


def _draw(rows: list[Row], page: str) -> str:
    """The page of `check` with the rows at its head."""
    if not rows:
        return page
    cells = "".join(
        f"<tr>{''.join(f'<td>{html.escape(text)}</td>' for text in (r.constraint, r.reason, r.location))}</tr>"
        for r in rows
    )
    table = f"<h2>What the export has fixed</h2><table><tbody>{cells}</tbody></table>"
    return re.sub(r"<body[^>]*>", lambda found: found[0] + table, page, count=1)
