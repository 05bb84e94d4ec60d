"""The exceptions of the package."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

#: Options of the command line that messages name, as keywords.
_KEYWORDS = {
    "--shape-library": "shape_libraries=",
    "--library=": "libraries=",
    "--fill-elided": "fill_elided=",
    "--error-limit=": "error_limit=",
}


def _spell_options(text: Any) -> Any:
    if isinstance(text, str):
        for option, keyword in _KEYWORDS.items():
            text = text.replace(option, keyword)
    return text


class Error(Exception):
    """The base class of Broadloom's own errors.

    The message is the one of the command line, with options as keywords. The attributes say the same as
    data; each is None, or empty, where there is nothing to say.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*(_spell_options(arg) for arg in args))

    #: The operation that the error is about, such as 'tosa.add'.
    operation: str | None = None
    #: 'file:line:column' of the operation.
    location: str | None = None
    #: The axis of the result that the error is about.
    axis: int | None = None
    #: The extents that do not fit; None in place of one that is not known.
    extents: tuple[int | None, ...] = ()
    #: The shapes of the operands that do not fit, such as ('4x3', '4x2').
    operands: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind: type[Error], args: tuple[Any, ...], attributes: dict[str, Any]) -> Error:
    error = kind(*args)
    error.__dict__.update(attributes)
    return error


class ShapeError(Error, ValueError):
    """Shapes do not fit: found when a program is compiled, or by a call.

    One that is about an index outside its axis is an IndexError, too; one about a matrix
    without an inverse or a factor is a numpy.linalg.LinAlgError, too."""

    def __new__(cls, *args: Any) -> ShapeError:
        if cls is ShapeError and args:
            if _OF_INDEX.search(str(args[0])):
                cls = IndexShapeError
            elif _OF_MATRIX.search(str(args[0])):
                cls = MatrixShapeError
        return super().__new__(cls, *args)


class IndexShapeError(ShapeError, IndexError):
    """An index is outside its axis."""


class MatrixShapeError(ShapeError, np.linalg.LinAlgError):
    """A matrix has no inverse, no factor or no eigenvalues."""


#: What linear algebra says (runtime/abi/LinearAlgebraKind.h).
_OF_MATRIX = re.compile(
    r"\b(the matrix|matrix \d+ of the batch) "
    r"(is singular|is not positive definite|has no (singular values|eigenvalues))"
)
#: What the checks of indices say (infer/constraints, broadloom._program).
_OF_INDEX = re.compile(
    r"\bindex \S+( \(.*?\))? is (outside axis|out of bounds)|\bindices are from |\bboolean index did not match"
)


class CompileError(Error, ValueError):
    """A program is refused for another reason than its shapes."""


class InternalError(Error, RuntimeError):
    """Broadloom itself has failed: a bug to be reported (docs/bugs.md)."""


class CancelledError(Error, RuntimeError):
    """Another thread has ended the call (Function.cancel)."""


class TraceError(Error, TypeError):
    """A function under `jit` does what cannot be traced: the message has the line,
    and what to do instead."""


class UnsupportedOperations(Error, NotImplementedError):
    """A graph has operations, or forms of operations, that are not imported.

    `operations` has for each its name, where it is (or None), and why. `{them}` in the advice is what they are called.
    """

    def __init__(
        self,
        operations: Sequence[tuple[str, str | None, str]],
        nodes: Sequence[str] = (),
        advice: str = "write {them} otherwise",
    ):
        self.operations = tuple(operations)
        #: The graph's names of their results.
        self.nodes = tuple(nodes)
        self.advice = advice
        lines = [f"{location or 'the graph'}: {name}: {why}" for name, location, why in self.operations]
        count, them = (f"{len(lines)} operations", "them") if len(lines) > 1 else ("an operation", "it")
        advice = advice.replace("{them}", them)
        super().__init__("\n".join([f"the graph has {count} that cannot be imported; {advice}:", *lines]))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.operations, self.nodes, self.advice)


class UnsupportedTypes(UnsupportedOperations, TypeError):
    """One whose operations take or give elements of types that programs have not."""


class CompileWarning(UserWarning):
    """A warning of the compiler."""


def guess_name(name: str, known: Sequence[str]) -> str:
    """Returns the end of a message: which name may be meant; an empty text where none is near."""
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


def refuse_unknown(caller: str, unknown: Mapping[str, Any], known: Sequence[str]) -> None:
    """Raises TypeError for keyword arguments that there are not."""
    for name in unknown:
        hint = guess_name(name, known) or f"; there are: {', '.join(known)}"
        raise TypeError(f"{caller}() has no keyword argument '{name}'{hint}")
