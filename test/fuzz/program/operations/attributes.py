"""Attributes as text."""

from element_types import TYPES


def constantText(value, kind):
    kind = TYPES[kind]
    if kind.isFloat:
        return repr(float(value))
    return str(int(value))


def axisText(axis):
    return f"axis = {axis} : i32"


def arrayText(name, numbers, kind="i64"):
    return f"{name} = array<{kind}{': ' if numbers else ''}{', '.join(map(str, numbers))}>"
