"""Functions that stand for PyTorch's own in threads that trace."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any


class StandIns:
    """Functions in place of others, each by the module that has it and its name there."""

    def __init__(self, functions: Mapping[tuple[Any, str], Callable[..., Any]]) -> None:
        self._functions = functions
        #: The functions that other threads call meanwhile.
        self._others: dict[tuple[Any, str], Callable[..., Any]] = {}
        #: The threads that call the stand-ins, each as often as it has entered.
        self._threads: list[int] = []
        self._lock = threading.Lock()

    def call_other(self, owner: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        """Calls, from a stand-in, the function that it stands for."""
        return self._others[owner, name](*args, **kwargs)

    @contextlib.contextmanager
    def used(self) -> Iterator[None]:
        """Has PyTorch call the stand-ins in this thread inside the body."""
        with self._lock:
            if not self._threads:
                for owner, name in self._functions:
                    self._others[owner, name] = getattr(owner, name)
                    setattr(owner, name, functools.partial(self._choose, (owner, name)))
            self._threads.append(threading.get_ident())
        try:
            yield
        finally:
            with self._lock:
                self._threads.remove(threading.get_ident())
                if not self._threads:
                    for owner, name in self._functions:
                        setattr(owner, name, self._others[owner, name])

    def _choose(self, which: tuple[Any, str], *args: Any, **kwargs: Any) -> Any:
        functions = self._functions if threading.get_ident() in self._threads else self._others
        return functions[which](*args, **kwargs)
