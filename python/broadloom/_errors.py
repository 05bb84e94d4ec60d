"""What goes wrong, as exceptions."""

from __future__ import annotations


class Error(Exception):
    """What all errors of Broadloom's own have in common.

    The message is the one of the command line. The attributes say the same as
    data; each is None, or empty, where there is nothing to say.
    """

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

    def __reduce__(self):
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind, args, attributes):
    error = kind(*args)
    error.__dict__.update(attributes)
    return error


class ShapeError(Error, ValueError):
    """Shapes do not fit: found when a program is compiled, or by a call."""


class CompileError(Error, ValueError):
    """A program is refused for another reason than its shapes."""


class InternalError(Error, RuntimeError):
    """Broadloom itself has failed: a bug to be reported (docs/bugs.md)."""


class CancelledError(Error, RuntimeError):
    """Another thread has ended the call (Function.cancel)."""


class TraceError(Error, TypeError):
    """A function under `jit` does what cannot be traced: the message has the line,
    and what to do instead."""


class CompileWarning(UserWarning):
    """What a program's compilation warns of."""
