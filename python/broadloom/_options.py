"""Options of compilation: the keyword arguments of `compile` and its like, and what the C interface takes."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import operator
import os
from collections.abc import Callable, Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

import numpy as np

from . import _source
from ._errors import refuse_unknown

if TYPE_CHECKING:
    from onnx import ModelProto

    #: A path of a file.
    Path: TypeAlias = str | bytes | os.PathLike[str] | os.PathLike[bytes]
    #: What `compile` takes as a program: a path or text, bytes, an open file, or a model.
    Source: TypeAlias = (
        str | os.PathLike[str] | os.PathLike[bytes] | bytes | bytearray | memoryview | IO[Any] | ModelProto
        | _source.Loaded
    )  # fmt: skip
    #: An option of the C interface: its name and its value. A path is bytes, which need not be text.
    Option: TypeAlias = tuple[str, str | bytes]

_Arguments = ParamSpec("_Arguments")
_Options = TypeVar("_Options")
_Result = TypeVar("_Result")


def _list_paths(name: str, paths: Path | Iterable[Path]) -> Iterator[Path]:
    """Yields the paths of an argument that has one or several; raises TypeError for anything else."""
    if isinstance(paths, (str, bytes, os.PathLike)):
        paths = (paths,)
    elif not isinstance(paths, Iterable):
        raise TypeError(f"{name} is a path, or several, not {type(paths).__name__}")
    for path in paths:
        if not isinstance(path, (str, bytes, os.PathLike)):
            # For a number, open() takes a file that this process has open.
            raise TypeError(f"{name} are paths, not {type(path).__name__}")
        yield path


def spell_libraries(libraries: Path | Iterable[Path], effects: Path | Iterable[Path]) -> list[Option]:
    """Returns the options of the C interface for shared libraries and files of their effects; raises TypeError for what
    is no path."""
    return [
        *(("library", os.fsencode(path)) for path in _list_paths("libraries", libraries)),
        *(("effects", os.fsencode(path)) for path in _list_paths("effects", effects)),
    ]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Options:
    """The arguments that all functions take that read programs."""

    program: Source = dataclasses.field(kw_only=False)
    name: str | None = None
    shape_libraries: Path | Iterable[Path] = ()
    libraries: Path | Iterable[Path] = ()
    effects: Path | Iterable[Path] = ()
    check_effects: bool = False
    strategy: str = "default"
    dynamic_to_static: str = "allow"
    error_limit: int = 20
    compile_threads: int = 0
    fill_elided: int | None = None
    trust_bytecode: bool = False

    def spell(self) -> list[Option]:
        """Returns the options of the C interface; raises TypeError for a value of another type."""
        _source.check_text(strategy=self.strategy, dynamic_to_static=self.dynamic_to_static)
        _source.check_threads(compile_threads=self.compile_threads)
        options: list[Option] = []
        for path in _list_paths("shape_libraries", self.shape_libraries):
            # The compiler would call what cannot be read an error of the program.
            with open(path, "rb"):
                options.append(("shape-library", os.fsencode(path)))
        options += spell_libraries(self.libraries, self.effects)
        if self.fill_elided is not None:
            options.append(("fill-elided", _spell_integer("fill_elided", self.fill_elided)))
        return [
            *options,
            ("strategy", self.strategy),
            ("dynamic-to-static", self.dynamic_to_static),
            ("error-limit", _spell_integer("error_limit", self.error_limit)),
            ("compile-threads", _spell_integer("compile_threads", self.compile_threads)),
            ("trust-bytecode", spell_switch("trust_bytecode", self.trust_bytecode)),
            ("check-effects", spell_switch("check_effects", self.check_effects)),
            ("cache", "on"),
            ("keep-code", "on"),
        ]


@dataclasses.dataclass(frozen=True, kw_only=True)
class CheckOptions(Options):
    """The arguments of `check`."""

    function: str | None = dataclasses.field(default=None, kw_only=False)

    def __post_init__(self) -> None:
        _source.check_name(function=self.function)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ProgramOptions(Options):
    """The arguments of `compile_program`."""

    optimise: bool = True
    schedule: Path | None = None

    def spell(self) -> list[Option]:
        """Returns the options of the C interface."""
        options = [*super().spell(), ("optimise", spell_switch("optimise", self.optimise))]
        if self.schedule is not None:
            (path,) = _list_paths("schedule", (self.schedule,))
            if path != "auto":
                with open(path, "rb"):
                    pass
            options.append(("schedule", os.fsencode(path)))
        return options


@dataclasses.dataclass(frozen=True, kw_only=True)
class CompileOptions(ProgramOptions):
    """The arguments of `compile`."""

    function: str | None = dataclasses.field(default=None, kw_only=False)
    threads: int = 0

    def __post_init__(self) -> None:
        _source.check_name(function=self.function)
        _source.check_threads(threads=self.threads)

    def spell(self) -> list[Option]:
        """Returns the options of the C interface. `threads` is none: a function has it, and not its program."""
        options = super().spell()
        return options if self.function is None else [*options, ("function", self.function)]


def _spell_integer(name: str, value: Any) -> str:
    try:
        return str(operator.index(value))
    except TypeError:
        raise TypeError(f"{name} is an integer, not {type(value).__name__}") from None


def spell_switch(name: str, is_on: object) -> str:
    """Spells True and False; raises TypeError for anything else, of which a text would be true whatever it says."""
    if not isinstance(is_on, (int, np.bool_)):
        raise TypeError(f"{name} is True or False, not {is_on!r}")
    return "on" if is_on else "off"


def list_keywords(kind: Callable[..., Options]) -> list[str]:
    """Lists the arguments but the program, in the order of the signature."""
    return list(inspect.signature(kind).parameters)[1:]


def takes(
    kind: Callable[_Arguments, _Options],
) -> Callable[[Callable[[_Options], _Result]], Callable[_Arguments, _Result]]:
    """Makes a function of options, of the class `kind`, a function of the arguments that make these."""
    signature = inspect.signature(kind)

    def decorate(function: Callable[[_Options], _Result]) -> Callable[_Arguments, _Result]:
        @functools.wraps(function)
        def call(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
            unknown = {name: value for name, value in kwargs.items() if name not in signature.parameters}
            refuse_unknown(call.__name__, unknown, list(signature.parameters)[1:])
            try:
                signature.bind(*args, **kwargs)
            except TypeError as error:
                raise TypeError(f"{call.__name__}() {error}") from None
            return function(kind(*args, **kwargs))

        call.__annotations__ = {}
        call.__signature__ = signature.replace(return_annotation=function.__annotations__["return"])  # type: ignore[attr-defined]
        return call

    return decorate
