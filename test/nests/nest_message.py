"""What an error about a nest tells behind its colon: the expressions of the program for the numbers in front of it,
and the values of their names in the iteration that fails (rt-2)."""

import re
from dataclasses import dataclass

from nest_run import wrap

INDEX = re.compile(r"index (-?\d+) is outside axis \d+ of .*?, whose extent is -?\d+(?:: (.*))?$")
VIEW = re.compile(
    r"the view takes (-?\d+) elements of .* from (-?\d+) on(?: in steps of (-?\d+))?, but the extent is -?\d+(?:: (.*))?$"
)
SLICE = re.compile(r"(.*) elements from (.*) on(?: in steps of (.*))?$")
# The place of a value is a place in the text, or an argument.
VALUE = r"(%[\w.$-]+) = (-?\d+)(?: \([^()]*\))?"
VALUES = re.compile(rf"(?:(.*) with )?({VALUE}(?:, {VALUE})*)$")


class Word(int):
    """64 bits."""

    def __add__(self, other):
        return Word(wrap(int(self) + other))

    def __sub__(self, other):
        return Word(wrap(int(self) - other))

    def __mul__(self, other):
        return Word(wrap(int(self) * other))

    def __neg__(self):
        return Word(wrap(-int(self)))

    # Stands for `ceildiv`, which Python has not.
    def __truediv__(self, other):
        return Word(-(-int(self) // int(other)))

    def __floordiv__(self, other):
        return Word(int(self) // int(other))

    def __mod__(self, other):
        return Word(int(self) % int(other))


@dataclass
class Told:
    """The values of names, and pairs of numbers that are told and what their expressions give."""

    values: dict
    pairs: list


def evaluate(expression, values):
    text = re.sub(r"(?<![\w$.-])(\d+)", r"Word(\1)", re.sub(r"%[\w.$-]+", lambda n: f"values[{n[0]!r}]", expression))
    text = text.replace(" floordiv ", " // ").replace(" ceildiv ", " / ").replace(" mod ", " % ")
    return eval(text, {"Word": Word, "values": values, "min": min, "max": max})


def read(message):
    """What the last line of a message tells, or None where it has no values."""
    line = message.strip().splitlines()[-1]
    index, view = INDEX.search(line), VIEW.search(line)
    match = index or view
    tail = match and match[match.lastindex] if match and match.groups()[-1] is not None else None
    if tail is None:
        return None
    parts = VALUES.match(tail)
    if parts is None:
        raise ValueError(tail)
    values = {name: Word(value) for name, value in re.findall(VALUE, parts[2])}
    # A name alone is its own expression.
    expression = parts[1] or next(iter(values))
    if index:
        return Told(values, [(int(index[1]), evaluate(expression, values))])
    texts = SLICE.match(expression).groups()
    numbers = [int(view[1]), int(view[2]), int(view[3] or 1)]
    return Told(values, [(n, evaluate(text or "1", values)) for n, text in zip(numbers, texts)])
