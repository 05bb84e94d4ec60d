"""The user's names of arguments and extents, in messages and reports of a program."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Mapping, Sequence

from .._report import Report


@dataclasses.dataclass(frozen=True)
class Names:
    """What the user calls the arguments of a program, and extents that have names of torch's."""

    arguments: Sequence[str]
    #: By their names in the program: 'x.shape[0]' for s77.
    extents: Mapping[str, str]

    def apply(self, text: str) -> str:
        """A message in the user's names."""
        text = re.sub(r"\bargument(\s+)(\d+)\b", self._name_argument, text)
        if not self.extents:
            return text
        return re.sub(r"('|&#39;)([^'&\n]+)\1", lambda found: found[1] + self._name_extents(found[2]) + found[1], text)

    def _name_argument(self, found: re.Match) -> str:
        number = int(found[2])
        return f"argument{found[1]}'{self.arguments[number]}'" if number < len(self.arguments) else found[0]

    def _name_extents(self, formula: str) -> str:
        named = self._pattern.sub(lambda found: self.extents[found[0]], formula)
        return named if named == formula else named.replace("floordiv", "//")

    @functools.cached_property
    def _pattern(self) -> re.Pattern:
        return re.compile(rf"(?<![\w.\"])({'|'.join(map(re.escape, self.extents))})(?!\w)")

    def apply_to_error(self, error: Exception) -> None:
        """Puts the user's names into the message of an error."""
        if error.args and isinstance(error.args[0], str):
            error.args = (self.apply(error.args[0]), *error.args[1:])

    def apply_to_report(self, report: Report) -> Report:
        """A report in the user's names."""
        rows = [[self.apply(part) if isinstance(part, str) else part for part in row] for row in report]
        return Report(
            rows, report.accepted, self.apply(str(report)), self.apply(report.to_json()), self.apply(report.to_html())
        )
