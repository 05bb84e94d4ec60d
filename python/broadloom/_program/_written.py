"""Programs as text, with large constants beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Constants of so many bytes are beside the text.
LARGE = 1 << 16

#: A line of a constant that is beside the text.
_GIVEN = re.compile(r"(?m)^( *%\w+ = arith\.constant )dense_resource<given_(\d+)>")


class Written(NamedTuple):
    """A program, whose text names large constants by their numbers."""

    short: str
    constants: tuple[NDArray[Any], ...] = ()

    @property
    def text(self) -> str:
        """The text of the program, with all constants in it."""
        return spell_program(self.short, self.constants)


def spell_program(short: str, constants: Sequence[NDArray[Any]]) -> str:
    """Returns the text of a program with the constants in it that are beside it."""
    if not constants:
        return short
    return _GIVEN.sub(lambda found: f"{found[1]}dense<{spell_array(constants[int(found[2])])}>", short)


def name_given(number: int) -> str:
    """Returns how a text names the elements of the constant with a number."""
    return f"dense_resource<given_{number}>"


def spell_array(array: NDArray[Any]) -> str:
    """Returns the elements of a constant as text."""
    if array.size == 0:
        return ""
    if array.dtype == np.bool_:
        return str(array.tolist()).lower() if array.ndim else str(bool(array)).lower()
    return f'"0x{array.tobytes().hex().upper()}"'


def find_single(array: NDArray[Any]) -> NDArray[Any] | None:
    """Returns the element that all elements of a large array are, to the bit; None where there are several."""
    raw = array.reshape(-1).view(f"u{array.itemsize}")
    few = raw[:1024]
    return array.reshape(-1)[:1].reshape(()) if (few == few[0]).all() and (raw == raw[0]).all() else None
