"""The user's names of extents, in messages and reports of a program."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Mapping

from .._report import Report


@dataclasses.dataclass(frozen=True)
class Names:
    """The user's names of extents that have names of torch's. The program itself has the names of arguments."""

    #: By their names in the program: 'x.shape[0]' for s77.
    extents: Mapping[str, str]

    def apply(self, text: str) -> str:
        """Puts the user's names into a message."""
        if not self.extents:
            return text
        return re.sub(r"('|&#39;)([^'&\n]+)\1", lambda found: found[1] + self._name_extents(found[2]) + found[1], text)

    def _name_extents(self, formula: str) -> str:
        named = self._pattern.sub(lambda found: self.extents[found[0]], formula)
        return str(named if named == formula else named.replace("floordiv", "//"))

    @functools.cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![\w.\"])({'|'.join(map(re.escape, self.extents))})(?!\w)")

    def apply_to_error(self, error: Exception) -> None:
        """Puts the user's names into the message of an error."""
        if error.args and isinstance(error.args[0], str):
            error.args = (self.apply(error.args[0]), *error.args[1:])

    def apply_to_report(self, report: Report) -> Report:
        """Puts the user's names into a report."""
        rows = [tuple(self.apply(part) if isinstance(part, str) else part for part in row) for row in report]
        return Report(
            rows, report.accepted, self.apply(str(report)), self.apply(report.to_json()), self.apply(report.to_html())
        )
