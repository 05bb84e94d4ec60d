"""Random numbers that a function under jit draws while it is traced."""

from __future__ import annotations

import random
import warnings
from typing import Any, Self

import numpy as np

from .._errors import CompileWarning


class DrawnNumbers:
    """Warns where the shared generators of NumPy and Python have another state at its end.

    What is drawn is a constant of the program, the same in each call. Another thread may have
    drawn it, so that it is no error. A generator of the function's own is not seen.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> Self:
        self._before = _read_states()
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is not None:
            return
        for module, before, after in zip(("np.random", "random"), self._before, _read_states()):
            if before != after:
                warnings.warn(
                    f"numbers of {module} were drawn while {self._name} was traced: each call gets the same "
                    "ones; draw them outside and pass them as an argument",
                    CompileWarning,
                    stacklevel=6,
                )


def _read_states() -> tuple[Any, ...]:
    state: Any = np.random.get_state()  # noqa: NPY002 - the state that users of the old functions have
    kind, keys, *rest = state
    return (kind, keys.tobytes(), *rest), random.getstate()
