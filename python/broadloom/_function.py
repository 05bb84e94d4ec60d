"""The methods of Function that are written in Python."""

from __future__ import annotations

import hashlib
import operator
import os
import threading
import warnings
from typing import Any

from . import _core
from ._errors import CompileWarning
from ._report import Report


def _spell(shape: Any) -> str:
    """Returns a shape as the command line takes it: '4x?x3', '*'."""
    if isinstance(shape, str):
        return shape
    if shape is None:
        return "*"
    extents = getattr(shape, "shape", shape)
    try:
        extents = list(extents)
    except TypeError:
        raise TypeError(
            f"a shape is a tuple of extents, an array, a text or None, not {type(shape).__name__}"
        ) from None
    return "x".join(map(_spell_extent, extents))


def _spell_extent(extent: Any) -> str:
    if extent is None:
        return "?"
    if isinstance(extent, str):
        return extent
    try:
        return str(operator.index(extent))
    except TypeError:
        raise TypeError(f"an extent is an integer, a name or None, not {extent!r}") from None


def shapes(self: _core.Function, *shapes: Any) -> list[tuple[int | str | None, ...] | None]:
    """Return the shapes of the results for arguments of these shapes, without running.

        f.shapes((None, "N", 3), (1, 3))    # [(None, 'N', 3)]

    An extent is a number, a name, which stands for the same number everywhere,
    or None. A shape is a tuple of them, an array, whose shape is meant, None
    where not even the rank is known, or a text: '4x?x3', '*', or 'i64=4' for an
    integer that shapes depend on. Without arguments, what the types say.

    Gives a list with a tuple for each result, or None where its rank is not
    known. Extents are numbers, names, formulas such as '(2*B)', '<=8' where
    data decides, or None. Raises ShapeError where no arguments of these shapes
    fit, and TypeError where there are more or fewer than the function takes.
    Where loops are too long to be followed, guards in them may fail all the
    same: a CompileWarning says so.
    """
    try:
        results, why = self.program._symbolic_shapes(self.__name__, [_spell(shape) for shape in shapes])
    except ValueError as error:
        if len(shapes) == len(self.arguments):
            raise
        # As a call's.
        raise TypeError(str(error)) from None
    if why:
        warnings.warn(f"a call of {self.__name__!r} may fail all the same: {why}", CompileWarning, stacklevel=2)
    return results


def shapes_of(self: _core.Function, *arrays: Any) -> list[tuple[int | str | None, ...]]:
    """Return the shapes of the results of a call with these arrays, in about a
    microsecond. Extents are numbers, or texts such as '<=8' where data decides.
    """
    return self._shapes(*arrays)


def _get_variables(self: _core.Function) -> dict[str, Any]:
    """Returns the variables of the program, by name, as new arrays.

    Assign a dictionary of arrays to set those that it names. A program has one
    value of each variable, for all its functions; a call takes them and, where
    it succeeds, changes them. Two calls at the same time are refused with
    ValueError: compile the program again, which takes no time with the cache,
    for another set of variables.
    """
    return self.program.variables


def _set_variables(self: _core.Function, values: dict[str, Any]) -> None:
    self.program.variables = values


def reset(self: _core.Function) -> None:
    """Give all variables of the program their first values."""
    self.program.reset()


def check(self: _core.Function) -> Report:
    """List what must hold of the shapes in this function and in those that it calls.

    Gives a Report: rows that say what is proved and by what, and what is left
    to be checked by each call.
    """
    return self.program._report(self.__name__)


def save(self: _core.Function, path: str | os.PathLike[str]) -> None:
    """Writes the compiled program to a file that `broadloom.load` and
    `broadloom run` take without compiling.

    The file holds machine code for this processor and this version, and the
    program: elsewhere it is compiled again. Load only files that you trust.
    """
    self.program.save(path, function=self.__name__)


#: Programs that were pickled into this process, by what they are made of.
_unpickled: dict[tuple[Any, ...], _core.Program] = {}
_lock = threading.Lock()


def _restore(
    source: bytes, name: str, options: tuple[tuple[str, str | bytes], ...], function: str, threads: int
) -> _core.Function:
    """Returns a function of a program, which is compiled once in each process."""
    key = (source, name, options)
    with _lock:
        if key not in _unpickled:
            _unpickled[key] = _core.Program(source, name, list(options))
        program = _unpickled[key]
    found = program._function(function, 0)
    assert found is not None
    found.threads = threads
    return found


def _reduce(self: _core.Function) -> tuple[Any, ...]:
    program = self.program
    if program._variables():
        raise TypeError(f"{self.__name__} has variables, whose values a pickle has not; save it, or pass them")
    return _restore, (program._source, program.name, tuple(program._options), self.__name__, self.threads)


def _tokenize(self: _core.Function) -> tuple[Any, ...]:
    """Returns the key that Dask names tasks by."""
    _, (source, name, options, function, _) = _reduce(self)
    return "broadloom.Function", hashlib.sha256(source).hexdigest(), name, options, function


_methods: tuple[Any, ...] = (shapes, shapes_of, reset, check, save)
for _method in _methods:
    _method.__qualname__ = f"Function.{_method.__name__}"
    _method.__module__ = "broadloom"
_members = {
    **{_method.__name__: _method for _method in _methods},
    "__reduce__": _reduce,
    "__dask_tokenize__": _tokenize,
    "variables": property(_get_variables, _set_variables, doc=_get_variables.__doc__),
}
for _name, _member in _members.items():
    setattr(_core.Function, _name, _member)
