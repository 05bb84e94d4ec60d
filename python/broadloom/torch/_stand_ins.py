"""Changes of PyTorch while threads trace, and functions that stand for its own."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any


class Change:
    """A change of PyTorch, which is made when the first thread enters, and taken back when the last one leaves."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        #: Each thread as often as it has entered.
        self._threads: list[int] = []

    def make(self) -> None:
        raise NotImplementedError

    def take_back(self) -> None:
        raise NotImplementedError

    def is_here(self) -> bool:
        """Tells whether this thread has entered."""
        return threading.get_ident() in self._threads

    @contextlib.contextmanager
    def used(self) -> Iterator[None]:
        """Has PyTorch be changed inside the body."""
        with self._lock:
            if not self._threads:
                self.make()
            self._threads.append(threading.get_ident())
        try:
            yield
        finally:
            with self._lock:
                self._threads.remove(threading.get_ident())
                if not self._threads:
                    self.take_back()


class StandIns(Change):
    """Functions in place of others, each by the module that has it and its name there, for threads that enter."""

    def __init__(self, functions: Mapping[tuple[Any, str], Callable[..., Any]]) -> None:
        super().__init__()
        self._functions = functions
        #: The functions that other threads call meanwhile.
        self._others: dict[tuple[Any, str], Callable[..., Any]] = {}

    def call_other(self, owner: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        """Calls, from a stand-in, the function that it stands for."""
        return self._others[owner, name](*args, **kwargs)

    def make(self) -> None:
        for owner, name in self._functions:
            self._others[owner, name] = getattr(owner, name)
            setattr(owner, name, functools.partial(self._choose, (owner, name)))

    def take_back(self) -> None:
        for owner, name in self._functions:
            setattr(owner, name, self._others[owner, name])

    def _choose(self, which: tuple[Any, str], *args: Any, **kwargs: Any) -> Any:
        functions = self._functions if self.is_here() else self._others
        return functions[which](*args, **kwargs)
