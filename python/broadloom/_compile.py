"""From a program to functions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, Never

from . import _core, _output, _source
from ._errors import CompileError, refuse_unknown
from ._mapped import require_unchanged, spell_files
from ._options import CheckOptions, CompileOptions, ProgramOptions, spell_libraries, spell_switch, takes
from ._report import Report

if TYPE_CHECKING:
    from ._options import Path


class Program(_core.Program):
    """A compiled program: functions by their names."""

    __slots__ = ()

    @property
    def functions(self) -> dict[str, _core.Function]:
        """The functions that can be called, by their names, in the program's order."""
        return {name: self[name] for name in self._names()}

    def __getitem__(self, name: str) -> _core.Function:
        function = self._function(name, 0) if isinstance(name, str) else None
        if function is None:
            raise KeyError(_describe_choice(self._names(), str(name)))
        return function

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def __repr__(self) -> str:
        return f"<broadloom.Program {self.name}: {', '.join(self._names())}>"

    @property
    def variables(self) -> dict[str, Any]:
        """The variables of the program (docs/python.md), by name, as new arrays.

        Assign a dictionary of arrays to set those that it names.
        """
        return self._variables()

    @variables.setter
    def variables(self, values: Mapping[str, Any]) -> None:
        if not isinstance(values, Mapping):
            raise TypeError(f"variables are a dictionary of arrays by their names, not {type(values).__name__}")
        # One that does not fit leaves all as they were.
        self._set_variables(dict(values))

    def check(self, function: str | None = None) -> Report:
        """List what must hold of the program's shapes, or of one function's."""
        return self._report(function)

    def _report(self, function: str | None) -> Report:
        _source.check_name(function=function)
        require_unchanged(self._constants)
        return Report(*_core._check(self._source, self._constants, self.name, self._options, function))

    def emit(self, form: str) -> bytes:
        """Return the program in another form: loom, linalg, llvm, asm, obj or tosa.

        'obj' is an object file for docs/compile-and-load.md, and 'loom' the
        program before it becomes code.
        """
        _source.check_text(form=form)
        require_unchanged(self._constants)
        return _core._emit(self._source, self._constants, self.name, self._options, form)

    def save(self, path: str | os.PathLike[str], function: str | None = None) -> None:
        """Write the compiled program, or one function of it, for `load`.

        The file has machine code for this processor and this version, and the
        program: elsewhere it is compiled again. Load only files that you trust.
        It appears when it is whole; a symbolic link, a device and a FIFO stay.
        """
        _source.check_name(function=function)
        if function is not None and function not in self._names():
            raise ValueError(_describe_choice(self._names(), function))
        require_unchanged(self._constants)

        def write(add: Callable[[bytes | memoryview], None]) -> None:
            # What is raised here leaves the file that was there.
            if not self._save(function, add):
                why = ": its schedule is no part of what is saved" if "schedule" in dict(self._options) else ""
                raise CompileError(f"{self.name}: error: the program cannot be saved{why}")

        _output.write_file(os.fsdecode(path), write)


def _describe_choice(names: Sequence[str], name: str | None) -> str:
    """Returns the error for a name that picks no function."""
    if not names:
        return "the program has no public function to call"
    listed = ", ".join(names)
    if name is None:
        return f"the program has several public functions and none is 'main'; choose one with function=: {listed}"
    return f"the program has no public function '{name}'; it has: {listed}"


@takes(ProgramOptions)
def compile_program(options: ProgramOptions) -> Program:
    """Compile all functions of a program, which the result has by their names.

        p = bl.compile_program("model.mlir")
        y = p["encode"](x)

    Arguments and errors are those of `compile`.
    """
    return _compile(options)


@takes(CompileOptions)
def compile(options: CompileOptions) -> _core.Function:
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
    libraries: shared libraries with functions that the program declares
        (docs/start/kernels.md); files, or names that the system's loader finds.
    effects: files that tell what such functions read and write.
    check_effects: whether what they write besides is an error.
    strategy: 'default', or 'rfc' for the reference lowering.
    dynamic_to_static: 'forbid' refuses a static extent that operands do not
        give; with 'allow' each call checks it.
    error_limit: how many errors of one program are told; 0 for all.
    compile_threads: how many threads compile; 0 for all cores. Code is the same
        for each number.
    fill_elided: a seed for constants whose values were left out when the
        program was printed; without one they are an error.
    optimise: False for the least time to compile, and slower code.
    schedule: a file of edits of the program's loops over memory, or 'auto' for
        edits that are found (docs/start/schedules.md). Such a function is not
        saved.
    trust_bytecode: read bytecode at once, and not in another process first.

    Gives a Function. What the compiler warns of becomes a CompileWarning.
    Ctrl-C ends a long compilation with KeyboardInterrupt. Files of weights
    beside an ONNX model are mapped: leave them as they are while functions
    live. One that has changed is a CompileError of check, emit, save and pickle.

    Raises ShapeError where the shapes of the program can never fit, with the
    operation, the axis and the extents; CompileError where the program is
    refused for another reason; ValueError for a function or a value of an
    option that there is not, and for a saved program, which `load` takes;
    OSError where a file cannot be read; TypeError for what is no program.
    """
    return _choose(_compile(options), options.function, options.threads)


def _compile(options: ProgramOptions) -> Program:
    source = _source.read_program(options.program, options.name)
    constants = source.list_constants()
    program = Program(source.data, constants, source.name, options.spell() + spell_files(constants))
    require_unchanged(program._constants)
    return program


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
    libraries: Path | Iterable[Path] = (),
    effects: Path | Iterable[Path] = (),
    verify: bool = False,
    **unknown: Never,
) -> _core.Function:
    """Load a function that `Function.save` or `Program.save` has written.

        f.save("model.blm")
        f = bl.load("model.blm")

    path: a path, the file's bytes, or an open file.
    function, threads, libraries, effects: as for `compile`; effects are needed
        where the program is compiled again.
    verify: True reads all of the file and compares it with its checksums.

    A file is mapped into memory: large weights are read when they are used, and
    processes share them. Leave the file as it is while functions of it live.
    On a processor of the same kind, with the same version, nothing is compiled.
    Elsewhere the program that the file has too is compiled again. The file is
    code: load only what you trust.

    Raises OSError where a file cannot be read, and CompileError for what is no
    saved program or is damaged.
    """
    refuse_unknown("load", unknown, ("function", "threads", "libraries", "effects", "verify"))
    _source.check_name(function=function)
    _source.check_threads(threads=threads)
    file = _source.read_file(path, None)
    if not file.is_saved:
        raise CompileError(f"{file.name}: error: it is no saved program; broadloom.compile takes programs")
    options: list[tuple[str, str | bytes]] = [("keep-code", "on"), ("verify-saved", spell_switch("verify", verify))]
    options += spell_libraries(libraries, effects)
    return _choose(Program(file.data, [], file.name, options), function, threads)


@takes(CheckOptions)
def check(options: CheckOptions) -> Report:
    """List what must hold of a program's shapes, without compiling it.

        r = bl.check("model.mlir")
        [row for row in r if row.status == "run-time"]

    Arguments are those of `compile`. A program whose shapes never fit gives a
    report as well, with rows that are 'refuted'. Raises CompileError where it
    is no program.
    """
    source = _source.read(options.program, options.name)
    return Report(*_core._check(source.data, source.list_constants(), source.name, options.spell(), options.function))
