"""From a program to functions."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, Never

from . import _core, _function, _output, _source  # noqa: F401
from ._errors import CompileError, refuse_unknown
from ._report import Report

if TYPE_CHECKING:
    from onnx import ModelProto

    #: A path of a file.
    Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
    #: What `compile` takes as a program: a path or text, bytes, an open file, or a model.
    Source = str | os.PathLike[str] | os.PathLike[bytes] | bytes | bytearray | memoryview | IO[Any] | ModelProto

OPTIONS = (
    "function",
    "name",
    "threads",
    "shape_libraries",
    "strategy",
    "dynamic_to_static",
    "error_limit",
    "fill_elided",
    "optimise",
    "trust_bytecode",
)


def _spell_integer(name: str, value) -> str:
    try:
        return str(operator.index(value))
    except TypeError:
        raise TypeError(f"{name} is an integer, not {type(value).__name__}") from None


def _spell_options(
    shape_libraries,
    strategy,
    dynamic_to_static,
    error_limit,
    fill_elided,
    optimise,
    trust_bytecode,
) -> list[tuple[str, str | bytes]]:
    """Options as the C interface takes them."""
    if isinstance(shape_libraries, (str, bytes, os.PathLike)):
        shape_libraries = (shape_libraries,)
    elif not isinstance(shape_libraries, Iterable):
        raise TypeError(f"shape_libraries is a path, or several, not {type(shape_libraries).__name__}")
    _source.check_text(strategy=strategy, dynamic_to_static=dynamic_to_static)
    options: list[tuple[str, str | bytes]] = []
    for path in shape_libraries:
        if not isinstance(path, (str, bytes, os.PathLike)):
            # For a number, open() takes a file that this process has open.
            raise TypeError(f"shape_libraries are paths, not {type(path).__name__}")
        # The compiler would call what cannot be read an error of the program.
        with open(path, "rb"):
            # A path is bytes, which need not be text.
            options.append(("shape-library", os.fsencode(path)))
    if fill_elided is not None:
        options.append(("fill-elided", _spell_integer("fill_elided", fill_elided)))
    switch = ("off", "on")
    options += [
        ("strategy", strategy),
        ("dynamic-to-static", dynamic_to_static),
        ("error-limit", _spell_integer("error_limit", error_limit)),
        ("optimise", switch[bool(optimise)]),
        ("trust-bytecode", switch[bool(trust_bytecode)]),
        ("cache", "on"),
        ("keep-code", "on"),
    ]
    return options


class _Program(_core.Program if TYPE_CHECKING else object):  # type: ignore[misc]
    """The methods of Program that are written in Python."""

    @property
    def functions(self) -> dict[str, _core.Function]:
        """The functions that can be called, by their names, in the program's order."""
        return {name: self[name] for name in self._names()}

    def __getitem__(self, name):
        function = self._function(name, 0) if isinstance(name, str) else None
        if function is None:
            raise KeyError(_describe_choice(self._names(), str(name)))
        return function

    def __iter__(self):
        return iter(self._names())

    def __len__(self):
        return len(self._names())

    def __contains__(self, name):
        return name in self._names()

    def __repr__(self):
        return f"<broadloom.Program {self.name}: {', '.join(self._names())}>"

    @property
    def variables(self) -> dict[str, Any]:
        """The variables of the program (docs/python.md), by name, as new arrays.

        Assign a dictionary of arrays to set those that it names.
        """
        return self._variables()

    @variables.setter
    def variables(self, values):
        if not isinstance(values, Mapping):
            raise TypeError(f"variables are a dictionary of arrays by their names, not {type(values).__name__}")
        # One that does not fit leaves all as they were.
        self._set_variables(dict(values))

    def check(self, function: str | None = None) -> Report:
        """What must hold of the program's shapes, or of one function's."""
        return self._report(function)

    def _report(self, function):
        _source.check_name(function=function)
        return Report(*_core._check(self._source, self.name, self._options, function))

    def emit(self, form: str) -> bytes:
        """The program in another form: loom, linalg, llvm, asm, obj or tosa.

        'obj' is an object file for docs/compile-and-load.md, and 'loom' the
        program before it becomes code.
        """
        _source.check_text(form=form)
        return _core._emit(self._source, self.name, self._options, form)

    def save(self, path: str | os.PathLike, function: str | None = None) -> None:
        """Write the compiled program, or one function of it, for `load`.

        The file has machine code for this processor and this version, and the
        program: elsewhere it is compiled again. Load only files that you trust.
        It appears when it is whole; a symbolic link, a device and a FIFO stay.
        """
        _source.check_name(function=function)
        data = self._save(function)
        if not data:
            raise ValueError(_describe_choice(self._names(), function))
        _output.write_file(os.fsdecode(path), data)


for _name, _member in vars(_Program).items():
    if _name not in ("__module__", "__dict__", "__weakref__", "__doc__"):
        setattr(_core.Program, _name, _member)

Program = _core.Program


def _describe_choice(names: Sequence[str], name: str | None) -> str:
    """What to say where a name picks no function."""
    if not names:
        return "the program has no public function to call"
    listed = ", ".join(names)
    if name is None:
        return f"the program has several public functions and none is 'main'; choose one with function=: {listed}"
    return f"the program has no public function '{name}'; it has: {listed}"


def compile_program(
    program: Source,
    *,
    name: str | None = None,
    shape_libraries: Path | Iterable[Path] = (),
    strategy: str = "default",
    dynamic_to_static: str = "allow",
    error_limit: int = 20,
    fill_elided: int | None = None,
    optimise: bool = True,
    trust_bytecode: bool = False,
    **unknown: Never,
) -> Program:
    """Compile all functions of a program, which the result has by their names.

        p = bl.compile_program("model.mlir")
        y = p["encode"](x)

    Arguments and errors are those of `compile`.
    """
    refuse_unknown("compile_program", unknown, OPTIONS[1:2] + OPTIONS[3:])
    source, name = _source.read_program(program, name)
    options = _spell_options(
        shape_libraries,
        strategy,
        dynamic_to_static,
        error_limit,
        fill_elided,
        optimise,
        trust_bytecode,
    )
    return Program(source, name, options)


def compile(
    program: Source,
    function: str | None = None,
    *,
    name: str | None = None,
    threads: int = 0,
    shape_libraries: Path | Iterable[Path] = (),
    strategy: str = "default",
    dynamic_to_static: str = "allow",
    error_limit: int = 20,
    fill_elided: int | None = None,
    optimise: bool = True,
    trust_bytecode: bool = False,
    **unknown: Never,
) -> _core.Function:
    """Compile a function of a program, once for all shapes that its types allow.

        f = bl.compile("model.mlir")
        y = f(a, b)

    program: a path, MLIR text (a str with a line break or a brace), bytes of
        text, bytecode, a TOSA file, a TensorFlow Lite or an ONNX model, a file of
        torch.export that you trust (.pt2, which PyTorch reads; docs/pytorch.md), or an
        open file; or an onnx.ModelProto (docs/onnx.md). Programs are in TOSA, with
        tensor, scf, arith and linalg around it.
    function: its name; without it the only public function, or `main`.
    name: what diagnostics call the program, in place of its path.
    threads: the most threads that a call uses; 0 for all cores.
    shape_libraries: files with operations of your own (docs/user-operations.md).
    strategy: 'default', or 'rfc' for the reference lowering.
    dynamic_to_static: 'forbid' refuses a static extent that operands do not
        give; with 'allow' each call checks it.
    error_limit: how many errors of one program are told; 0 for all.
    fill_elided: a seed for constants whose values were left out when the
        program was printed; without one they are an error.
    optimise: False for the least time to compile, and slower code.
    trust_bytecode: read bytecode at once, and not in another process first.

    Gives a Function. What the compiler warns of becomes a CompileWarning.
    Ctrl-C ends a long compilation with KeyboardInterrupt.

    Raises ShapeError where the shapes of the program can never fit, with the
    operation, the axis and the extents; CompileError where the program is
    refused for another reason; ValueError for a function or a value of an
    option that there is not, and for a saved program, which `load` takes;
    OSError where a file cannot be read; TypeError for what is no program.
    """
    refuse_unknown("compile", unknown, OPTIONS)
    _source.check_name(function=function)
    _source.check_threads(threads)
    source, name = _source.read_program(program, name)
    options = _spell_options(
        shape_libraries,
        strategy,
        dynamic_to_static,
        error_limit,
        fill_elided,
        optimise,
        trust_bytecode,
    )
    if function is not None:
        options.append(("function", function))
    return _choose(Program(source, name, options), function, threads)


def _choose(program: Program, function: str | None, threads: int) -> _core.Function:
    chosen = program._function(function, 0)
    if chosen is None:
        raise ValueError(_describe_choice(program._names(), function))
    chosen.threads = threads
    return chosen


def load(
    path: Path | bytes | bytearray | memoryview | IO[Any],
    function: str | None = None,
    *,
    threads: int = 0,
    **unknown: Never,
) -> _core.Function:
    """Load a function that `Function.save` or `Program.save` has written.

        f.save("model.blm")
        f = bl.load("model.blm")

    path: a path, the file's bytes, or an open file.
    function, threads: as for `compile`.

    On a processor of the same kind, with the same version, nothing is compiled.
    Elsewhere the program that the file has too is compiled again. The file is
    code: load only what you trust.

    Raises OSError where a file cannot be read, and CompileError for what is no
    saved program or is damaged.
    """
    refuse_unknown("load", unknown, ("function", "threads"))
    _source.check_name(function=function)
    _source.check_threads(threads)
    data, name = _source.read_file(path, None)
    if not data.startswith(_source.SAVED):
        raise CompileError(f"{name}: error: it is no saved program; broadloom.compile takes programs")
    options = [("keep-code", "on")]
    return _choose(Program(data, name, options), function, threads)


def check(
    program: Source,
    function: str | None = None,
    *,
    name: str | None = None,
    shape_libraries: Path | Iterable[Path] = (),
    strategy: str = "default",
    dynamic_to_static: str = "allow",
    error_limit: int = 20,
    fill_elided: int | None = None,
    trust_bytecode: bool = False,
    **unknown: Never,
) -> Report:
    """List what must hold of a program's shapes, without compiling it.

        r = bl.check("model.mlir")
        [row for row in r if row.status == "run-time"]

    Arguments are those of `compile`. A program whose shapes never fit gives a
    report as well, with rows that are 'refuted'. Raises CompileError where it
    is no program.
    """
    known = [option for option in OPTIONS if option not in ("threads", "optimise")]
    refuse_unknown("check", unknown, known)
    _source.check_name(function=function)
    source, name = _source.read(program, name)
    options = _spell_options(
        shape_libraries,
        strategy,
        dynamic_to_static,
        error_limit,
        fill_elided,
        True,
        trust_bytecode,
    )
    return Report(*_core._check(source, name, options, function))
