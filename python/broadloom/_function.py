"""The methods of Function that are written in Python.

The binding imports this file for the base of its type, so nothing here imports the binding at once.
"""

from __future__ import annotations

import hashlib
import operator
import os
import threading
import warnings
from typing import TYPE_CHECKING, Any

from ._errors import CompileWarning
from ._mapped import OPTION, require_unchanged

if TYPE_CHECKING:
    from ._compile import Program
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


class Function:
    """The methods of the type Function that are written in Python; the type itself is one of the binding's."""

    __slots__ = ()
    __name__: str
    threads: int
    if TYPE_CHECKING:

        @property
        def program(self) -> Program:
            """The program that the function is of."""

        @property
        def arguments(self) -> tuple[str, ...]:
            """The types of the arguments."""

        def _shapes(self, *arrays: Any) -> list[tuple[int | str | None, ...] | None]: ...

    def shapes(self, *shapes: Any) -> list[tuple[int | str | None, ...] | None]:
        """Return the shapes of the results for arguments of these shapes, without running.

            f.shapes((None, "N", 3), (1, 3))    # [(None, 'N', 3)]

        An extent is a number, a name, which stands for the same number everywhere,
        or None. A shape is a tuple of them, None where not even the rank is known,
        or a text: '4x?x3', '*', or 'i64=4' for an integer that shapes depend on.
        Beside one of these, an array or another object with a `shape` stands for
        its shape, and its type does not count. Without arguments, what the types
        say.

        Of arrays alone, and of numbers beside them, the shapes of a call with
        these, in about a microsecond: they have the types that a call needs, or
        TypeError is raised, and the values of integers count.

        Gives a list with a tuple for each result, or None where its rank is not
        known. Extents are numbers, names, formulas such as '(2*B)', '<=8' where
        data decides, or None. Raises ShapeError where no arguments of these shapes
        fit, and TypeError where there are more or fewer than the function takes.
        Where loops are too long to be followed, guards in them may fail all the
        same: a CompileWarning says so.
        """
        others = [shape for shape in shapes if not hasattr(shape, "shape")]
        if len(others) < len(shapes) and all(isinstance(other, (int, float, complex)) for other in others):
            return self._shapes(*shapes)
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

    @property
    def variables(self) -> dict[str, Any]:
        """The variables of the program, by name, as new arrays.

        Assign a dictionary of arrays to set those that it names. A program has one
        value of each variable, for all its functions; a call takes them and, where
        it succeeds, changes them. Two calls at the same time are refused with
        ValueError: compile the program again, which takes no time with the cache,
        for another set of variables.
        """
        return self.program.variables

    @variables.setter
    def variables(self, values: dict[str, Any]) -> None:
        self.program.variables = values

    def reset(self) -> None:
        """Give all variables of the program their first values."""
        self.program.reset()

    def check(self) -> Report:
        """List what must hold of the shapes in this function and in those that it calls.

        Gives a Report: rows that say what is proved and by what, and what is left
        to be checked by each call.
        """
        return self.program._report(self.__name__)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the compiled program to a file that `broadloom.load` and
        `broadloom run` take without compiling.

        The file holds machine code for this processor and this version, and the
        program: elsewhere it is compiled again. Load only files that you trust.
        """
        self.program.save(path, function=self.__name__)

    def __reduce__(self) -> tuple[Any, ...]:
        program = self.program
        if program._variables():
            raise TypeError(f"{self.__name__} has variables, whose values a pickle has not; save it, or pass them")
        return _restore, (
            type(program),
            _self_contained(program),
            program.name,
            tuple(option for option in program._options if option[0] != OPTION),
            self.__name__,
            self.threads,
        )

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        """Returns the key that Dask names tasks by."""
        _, (_, source, name, options, function, _) = self.__reduce__()
        return "broadloom.Function", hashlib.sha256(source).hexdigest(), name, options, function


def _self_contained(program: Program) -> bytes:
    """Returns what a program is made of, with the constants in it."""
    if program._constants:
        require_unchanged(program._constants)
        from ._program import spell_program

        return spell_program(bytes(program._source).decode(), program._constants).encode()
    return bytes(program._source)


#: Programs that were pickled into this process, by what they are made of.
_unpickled: dict[tuple[Any, ...], Program] = {}
_lock = threading.Lock()


def _restore(
    kind: type[Program],
    source: bytes,
    name: str,
    options: tuple[tuple[str, str | bytes], ...],
    function: str,
    threads: int,
) -> Function:
    """Returns a function of a program, which is compiled once in each process."""
    key = (source, name, options)
    with _lock:
        if key not in _unpickled:
            _unpickled[key] = kind(source, [], name, list(options))
        program = _unpickled[key]
    found = program._function(function, 0)
    assert found is not None
    found.threads = threads
    return found
