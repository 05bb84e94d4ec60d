"""`bl.jit`: a Python function as compiled programs, one for each types and ranks."""

from __future__ import annotations

import functools
import inspect
import itertools
import operator
import sys
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple, Never, overload

import numpy as np
from numpy.typing import NDArray

from .. import _compile, _core, _source
from .. import _program as program
from .._errors import CompileWarning, guess_name, refuse_unknown
from .._report import Report
from . import _arguments, _results, _trace, _trees
from ._array import TracedArray, element_of
from ._hooks import numpy_asks
from ._random import DrawnNumbers
from ._trace import Trace

#: What picks a trace for an array.
_describe = operator.attrgetter("__class__", "dtype", "ndim")

#: Arguments that no keyword names.
_NAMELESS = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
#: From how many traces on there is a warning.
_MANY = 64


class CacheInfo(NamedTuple):
    """The traces of a function under `jit`."""

    #: How many programs it has.
    traces: int
    #: The seconds that tracing and compiling them took.
    seconds: float


class _Traced(NamedTuple):
    """The compiled function for one key, and how to call it."""

    function: _core.Function | None
    #: Gives the program, with all its constants.
    write: Callable[[], program.Written]
    #: The constants that the compiled function takes behind its arguments.
    constants: list[NDArray[Any]]
    #: The tree of the results, with the numbers of the compiled function's.
    results: Any
    #: What makes the user's results of the compiled function's; None where they are one array.
    finish: Callable[..., Any] | None

    @property
    def fast(self) -> Callable[..., Any]:
        """A function that takes arrays alone, without `out`."""
        function, constants = self.function, self.constants
        assert function is not None
        return (lambda *arrays: function(*arrays, *constants)) if constants else function


class JitFunction:
    """A function of arrays, compiled for all shapes. `jit` makes it."""

    #: As an argument of another one it is part of what is traced, as all functions are.
    _is_static = True

    def __init__(self, function: Callable[..., Any], options: dict[Any, Any]) -> None:
        functools.update_wrapper(self, function)
        # Objects that are called have no name of their own.
        inner = getattr(function, "func", function)
        self.__name__ = getattr(inner, "__name__", type(inner).__name__)
        self.__qualname__ = getattr(inner, "__qualname__", self.__name__)
        self._function = function
        self._options = options
        self._signature = _arguments.find_signature(function)
        self._takes_out = "out" in self._signature.parameters
        self._traced: dict[Any, _Traced] = {}
        # Calls with arrays alone, whose result is one.
        self._fast: dict[tuple[Any, ...], Callable[..., Any]] = {}
        self._lock = threading.Lock()
        # What is being traced, by its key, and what tells that it has ended.
        self._running: dict[Any, threading.Event] = {}
        self._seconds = 0.0

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        if not keywords:
            try:
                found = self._fast.get(tuple(map(_describe, arguments)))
            except (AttributeError, TypeError):
                found = None
            if found is not None:
                return found(*arguments)
        return self._call(arguments, keywords)

    def __repr__(self) -> str:
        return f"<broadloom.jit of {self.__qualname__}: {len(self._traced)} traces>"

    def __getattr__(self, name: str) -> None:
        # Reached by what is not found. What a compiled function has belongs to the program of some types.
        message = f"{type(self).__name__!r} object has no attribute {name!r}"
        if not name.startswith("_") and hasattr(_core.Function, name):
            message += f"; lower() gives the function for arguments of some types, which has it: f.lower(x).{name}"
        raise AttributeError(message, name=name, obj=self)

    def __reduce__(self) -> Any:
        # A process that reads it imports the module that has it.
        found: Any = sys.modules.get(self.__module__)
        for part in self.__qualname__.split("."):
            found = getattr(found, part, None)
        return self.__qualname__ if found is self else (_restore, (self._function, self._options))

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        raise TypeError(
            f"{self.__qualname__} is a method, and bl.jit takes functions of arrays: in __init__, write "
            "self.f = bl.jit(...) of a function that has what it needs as arguments"
        )

    def _call(self, arguments: Any, keywords: Any) -> Any:
        out = None if self._takes_out else keywords.pop("out", None)
        if _arguments.is_under_trace(arguments, keywords):
            return self._function(*arguments, **keywords)
        key, arrays = self._read(arguments, keywords)
        traced = self._traced.get(key) or self._trace(key)
        if traced.function is None:
            assert traced.finish is not None
            return traced.finish(())
        results = traced.function(*arrays, *traced.constants, out=out)
        if traced.finish is None:
            if not keywords and out is None and all(type(a) is np.ndarray for a in arguments):
                self._fast[tuple(map(_describe, arguments))] = traced.fast
            return results
        return traced.finish(results if isinstance(results, tuple) else (results,))

    def _read(self, arguments: Any, keywords: Any) -> Any:
        """Returns the key of a call, and its arrays."""
        try:
            bound = self._signature.bind(*arguments, **keywords)
        except TypeError as error:
            raise TypeError(f"{self.__name__}() {error}{self._guess(keywords)}") from None
        arrays: list[NDArray[Any]] = []

        def read(name: str) -> Any:
            counter = itertools.count()

            def leaf(value: Any) -> Any:
                place = next(counter)
                if (static := _arguments.find_static(value)) is not None:
                    return static
                spell = functools.partial(_trees.spell_path, bound.arguments[name], name, place)
                array = _arguments.as_array(self.__name__, spell, value)
                arrays.append(array)
                return _arguments.Array(array.dtype, array.ndim, isinstance(value, np.generic))

            return name, _trees.flatten(bound.arguments[name], leaf)

        return tuple(map(read, bound.arguments)), arrays

    def _guess(self, keywords: Any) -> str:
        """Says which argument an unknown keyword may mean, as the end of a message."""
        known = [name for name, one in self._signature.parameters.items() if one.kind not in _NAMELESS]
        wrong = next((name for name in keywords if name not in known), "")
        return guess_name(wrong, [*known, "out"])

    def _trace(self, key: Any) -> _Traced:
        # The lock is not held while the user's function runs, which may call others under
        # jit. A thread waits for another's trace of the key unless it is tracing itself:
        # the other may be waiting for what this one traces.
        while True:
            with self._lock:
                if (found := self._traced.get(key)) is not None:
                    return found
                ended = self._running.get(key)
                if ended is None or _trace.is_tracing():
                    ended = self._running[key] = threading.Event()
                    break
            ended.wait()
        try:
            return self._make(key)
        finally:
            with self._lock:
                if self._running.get(key) is ended:
                    del self._running[key]
            ended.set()

    def _make(self, key: Any) -> _Traced:
        """Traces and compiles. Where another thread has been faster, its trace is kept."""
        start = time.perf_counter()
        builder, values, results = self._write(key)
        count, function = len(values), None
        constants: list[NDArray[Any]] = []
        if count:
            apart, constants = builder.finish_apart(values)
            function = self._compile(apart)
        finish = None if results == 0 and count == 1 else functools.partial(_results.finish, results)
        write = functools.partial(builder.write, values)
        if function and not constants:
            # What the builder knows is not needed any more.
            write = functools.partial(_read_program, function, apart.constants)
        made = _Traced(function, write, constants, results, finish)
        with self._lock:
            found = self._traced.setdefault(key, made)
            if found is not made:
                return found
            self._seconds += time.perf_counter() - start
            many = len(self._traced) == _MANY
        if many:
            changes = _arguments.describe_changes(list(self._traced))
            warnings.warn(
                f"{self.__name__} has been traced {_MANY} times, since {changes}; what is no array is part of what is "
                "traced: where a number changes from call to call, pass np.float64(x) or an array",
                CompileWarning,
                stacklevel=5,
            )
        return found

    def _compile(self, written: program.Written) -> _core.Function:
        return _compile.compile(_source.written(written), name=self.__name__, **self._options)

    def _write(self, key: Any) -> tuple[program.Builder, list[program.Value], Any]:
        """Returns the program for a key, the values that it gives, and the tree of its results."""
        with Trace() as trace:
            builder = trace.builder

            def enter(path: str, leaf: Any) -> Any:
                if isinstance(leaf, _arguments.Static):
                    return leaf.restore()
                value = builder.argument(element_of(leaf.dtype), [None] * leaf.ndim, path)
                return TracedArray(trace, value, argument=not leaf.is_number)

            entered = iter([enter(path, leaf) for path, leaf in _arguments.name_leaves(key)])
            given = {name: _trees.build(structure, lambda _: next(entered)) for name, structure in key}
            bound = inspect.BoundArguments(self._signature, given)
            with DrawnNumbers(self.__name__), numpy_asks():
                result = _run(trace, self._function, bound)
            values: list[program.Value] = []
            results = _trees.flatten(result, functools.partial(_results.leave, trace, values))
            for require in trace.ending.values():
                require()
        return builder, values, results

    # What the program is.

    def _find(self, arguments: Any, keywords: Any) -> _Traced:
        key, _ = self._read(arguments, keywords)
        return self._traced.get(key) or self._trace(key)

    def lower(self, *arguments: Any, **keywords: Any) -> _core.Function:
        """Returns the compiled function for arguments like these: for `save`, `shapes`,
        `program.emit` and the like. It takes the arrays alone, in order."""
        found = self._find(arguments, keywords)
        if found.function is None:
            raise ValueError(f"{self.__name__} computes nothing with arrays")
        return self._compile(found.write()) if found.constants else found.function

    def mlir(self, *arguments: Any, **keywords: Any) -> str:
        """Returns the program for arguments like these, as text."""
        return self._find(arguments, keywords).write().text

    def check(self, *arguments: Any, **keywords: Any) -> Report:
        """Lists what must hold of the shapes of arguments like these."""
        return self.lower(*arguments, **keywords).check()

    def cache_info(self) -> CacheInfo:
        """Returns how many traces there are, and the time that they took."""
        return CacheInfo(len(self._traced), self._seconds)

    def cache_clear(self) -> None:
        """Forgets all traces."""
        with self._lock:
            self._traced.clear()
            self._fast.clear()
            self._seconds = 0.0


def _run(trace: Trace, function: Callable[..., Any], bound: inspect.BoundArguments) -> Any:
    """Calls the user's function. What cannot be traced is an error also where the function, or NumPy,
    has caught that error or made another one of it."""
    try:
        result = function(*bound.args, **bound.kwargs)
    except Exception as error:
        if trace.refusal is None or error is trace.refusal:
            raise
        raise trace.refusal from error
    if trace.refusal is not None:
        raise trace.refusal
    return result


def _read_program(function: _core.Function, constants: tuple[NDArray[Any], ...]) -> program.Written:
    return program.Written(bytes(function.program._source).decode(), constants)


def _restore(function: Callable[..., Any], options: dict[Any, Any]) -> JitFunction:
    """Makes a function again that is not found by its name, such as g = bl.jit(f)."""
    return JitFunction(function, options)


@overload
def jit(function: Callable[..., Any], *, threads: int = 0, optimise: bool = True) -> JitFunction: ...
@overload
def jit(
    function: None = None, *, threads: int = 0, optimise: bool = True
) -> Callable[[Callable[..., Any]], JitFunction]: ...
def jit(
    function: Callable[..., Any] | None = None, *, threads: int = 0, optimise: bool = True, **unknown: Never
) -> Any:
    """Compile a function of NumPy arrays, once for all shapes.

        @bl.jit
        def softmax(x):
            e = np.exp(x - np.max(x, axis=-1, keepdims=True))
            return e / np.sum(e, axis=-1, keepdims=True)

        y = softmax(np.random.rand(3, 4))

    The function runs once for each tuple of element types and ranks, with arrays
    that have no values (docs/jit.md says what these can do); what it does becomes
    a program, which later calls run, whatever the extents. Numbers of Python's, texts,
    None, and what tuples, lists and dictionaries hold are part of what is traced;
    arrays that the function finds elsewhere are constants of the program.

    threads: the most threads that a call uses; 0 for all cores.
    optimise: False for the least time to compile, and slower code.

    Results have the element types and shapes of NumPy's, and values as docs/jit.md
    says. `out=` gives the caller's memory, unless the function has such an argument.

    Raises TraceError for what cannot be traced, such as a decision by values, with the
    line and what to do instead; ShapeError where shapes do not fit, with the line.
    """
    refuse_unknown("jit", unknown, ("threads", "optimise"))
    _source.check_threads(threads=threads)
    if not hasattr(np, "permute_dims"):
        raise ImportError(f"bl.jit needs NumPy 2, whose rules of types it follows; here is {np.__version__}")
    options = {"threads": threads, "optimise": optimise}
    if function is None:
        return functools.partial(jit, threads=threads, optimise=optimise)
    if not callable(function):
        raise TypeError(f"bl.jit takes a function, not {type(function).__name__}")
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        name = getattr(function, "__name__", function)
        raise TypeError(f"bl.jit takes functions that return arrays; {name} is a generator or coroutine")
    return JitFunction(function, options)
