"""Reports: the constraints on a program's shapes, as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, overload


class Row(NamedTuple):
    """One constraint: what it requires, and what became of it."""

    #: The function that the operation is in.
    function: str
    #: The operation, such as 'tosa.add'.
    operation: str
    #: 'file:line:column'; empty where it is not known.
    location: str
    #: The axis of the result, or of an argument whose extent is fixed; None where the row is about none.
    axis: int | None
    #: What must hold.
    constraint: str
    #: 'proved', 'run-time', 'refuted', 'unchecked' or 'fixed' (docs/check.md).
    status: str
    #: By what it is proved or refuted, or why it is left to run time.
    reason: str
    #: The names in the location; mostly empty.
    names: str


class Report(Sequence[Row]):
    """The rows of `check`, in the order of the program.

    It is a sequence of Row. str() is the text of `broadloom check`: the verdict,
    the rows that are not proved, and a line for each kind of operation. A
    notebook shows the page of `broadloom check --format=html`.
    """

    def __init__(self, rows: Iterable[tuple[Any, ...]], accepted: bool, text: str, json: str, html: str) -> None:
        self._rows = tuple(Row(*row) for row in rows)
        self._accepted = accepted
        self._text, self._json, self._html = text, json, html

    @property
    def accepted(self) -> bool:
        """True where the program would be compiled."""
        return self._accepted

    @property
    def counts(self) -> dict[str, int]:
        """How many rows have each status."""
        counts = dict.fromkeys(("proved", "run-time", "refuted", "unchecked", "fixed"), 0)
        for row in self._rows:
            counts[row.status] += 1
        return counts

    def to_json(self) -> str:
        """Return the rows as `broadloom check --json` prints them (docs/json.md)."""
        return self._json

    def to_html(self) -> str:
        """Return one page, which needs no other file."""
        return self._html

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __str__(self) -> str:
        return self._text

    @property
    def verdict(self) -> str:
        """The report in a sentence, such as "every shape is proved; nothing is checked when it runs"."""
        return self._text.split("\n", 1)[0]

    def __repr__(self) -> str:
        return f"<broadloom.Report: {self.verdict}>"

    def _repr_html_(self) -> str:
        # A page of its own: its style must not reach the notebook.
        import html

        return (
            f'<iframe srcdoc="{html.escape(self._html, quote=True)}" style="width:100%;height:40em;border:0"></iframe>'
        )
