"""The elements of NumPy's own arrays that arrays of a trace share.

A trace takes an array of NumPy's as it is when it is used. What shares its elements for NumPy, as a part of it does,
would see what is written to it later. The trace is not told of such writes: whatever reads these elements compares them
with what they were.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import hashlib
import operator
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from . import _trace

#: How many bytes the arrays may have together that the functions of a loop name, and that are compared.
_WATCHED = 1 << 28
#: How many objects are followed from the functions of a loop.
_FOLLOWED = 1 << 16
#: From so many bytes on, elements are compared once where one line reads them again and again.
_LARGE = 1 << 20


def find_owner(array: NDArray[Any]) -> NDArray[Any]:
    """Returns the array whose memory one of NumPy's has."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


class _Elements:
    """Elements at an address, as NumPy makes an array of them that owns nothing."""

    def __init__(self, array: NDArray[Any]) -> None:
        self.__array_interface__ = {
            "version": 3,
            "data": (array.__array_interface__["data"][0], True),
            "shape": array.shape,
            "strides": array.strides,
            "typestr": f"|V{array.itemsize}",
        }


def _digest(elements: _Elements) -> bytes:
    """Returns a hash of all bytes of elements, those of padding included."""
    array = np.ascontiguousarray(np.asarray(elements))
    return hashlib.sha256(array.reshape(-1).view(np.uint8).data if array.nbytes else b"").digest()


class Lent:
    """The elements of one of NumPy's arrays, whose type has no objects, and a hash of what they were."""

    __slots__ = (
        "key",
        "_find_owner",
        "_held",
        "_elements",
        "_digest",
        "_is_changed",
        "_is_large",
        "_read_at",
        "_place",
        "__weakref__",
    )

    def __init__(self, array: NDArray[Any]) -> None:
        owner, lent = find_owner(array), ref(self)
        # What was written stays so when the array goes. Its memory is freed behind this.
        self._find_owner = ref(owner, lambda _: (one := lent()) and one._compare())
        # Arrays that are none of its views may have memory that is no array's, as a file's.
        self._held = None if owner.base is None else owner
        self._elements = _Elements(array)
        self._digest = _digest(self._elements)
        self._is_changed = False
        self._is_large = array.nbytes > _LARGE
        #: The user's line that has read them last.
        self._read_at = _trace.find_line()
        self._place = _trace.spell_location().removesuffix(": ") or "an unknown line"
        #: What two have in common that are the same elements with the same values.
        self.key = (id(owner), array.__array_interface__["data"][0], array.shape, array.strides, self._digest)

    def _compare(self) -> bool:
        self._is_changed = _digest(self._elements) != self._digest
        return not self._is_changed

    def find_owner(self) -> NDArray[Any] | None:
        """Returns the array that has the elements; None where no array has them any more, so that none is written."""
        return self._find_owner()

    def is_unchanged(self) -> bool:
        """Tells whether the elements are what they were."""
        owner = self.find_owner()
        return not self._is_changed if owner is None else self._compare()

    def require_unchanged(self) -> None:
        """Raises an error where the elements are not what they were."""
        if not self.is_unchanged():
            raise _trace.refuse(
                "a write to an array of NumPy's with which an array of the trace shares elements",
                f"they are shared at {self._place}; take np.copy of it there, or begin with an array of the trace, as "
                "np.zeros_like(x, shape=(3,))",
            )

    def read(self, trace: _trace.Trace) -> None:
        """Requires unchanged elements for an array of a trace that is read. Where a line reads many again, which may be
        a loop of Python's, they are compared the first time and at the end of the trace."""
        if self._is_large:
            line = _trace.find_line()
            if line is not None and line == self._read_at:
                trace.ending[self.key] = self.require_unchanged
                return
            self._read_at = line
        self.require_unchanged()


def lend(array: NDArray[Any]) -> list[Lent]:
    """Lists what an array of NumPy's lends to one of the trace: nothing where its elements are objects, which
    are copied."""
    return [] if array.dtype.hasobject else [Lent(array)]


# What the functions of a loop can reach.

#: Packages whose functions and objects are not the user's.
_PACKAGES = {"numpy", "broadloom", "builtins"}
_PLAIN = (int, float, complex, bool, str, bytes, type(None), np.generic)
_Names = dict[str, Any] | list[Any]


def _is_users(value: Any) -> bool:
    """Tells whether a function, a class or a module is not one of NumPy's, of Python's or of this package."""
    name = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    return not isinstance(name, str) or name.partition(".")[0] not in _PACKAGES


def _list_names(code: types.CodeType) -> Iterator[str]:
    """Lists the globals and attributes that code names, also in the functions in it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _list_names(constant)


def _read_module(module: types.ModuleType, names: Iterable[str]) -> dict[str, Any]:
    """Returns what a module has of names."""
    return {name: vars(module)[name] for name in names if name in vars(module)}


def _read_function(function: types.FunctionType) -> dict[str, Any]:
    """Returns the variables from outside that a function names, with their values."""
    found = {n: function.__globals__[n] for n in _list_names(function.__code__) if n in function.__globals__}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # Nothing is assigned to it yet.
            found.pop(name, None)
    return found


def _read_generator(generator: types.GeneratorType[Any, Any, Any]) -> dict[str, Any]:
    """Returns the variables of a generator, and where it stands; nothing of one that has ended."""
    frame = generator.gi_frame
    return {} if frame is None else {"": frame.f_lasti, **frame.f_locals}


def _read_object(value: Any) -> dict[str, Any]:
    """Returns the attributes that an object has: its own, and those of its class that it may get for itself."""
    found: dict[str, Any] = {}
    for kind in reversed(type(value).__mro__):
        if _is_users(kind):
            found.update((n, v) for n, v in _read_class(kind).items() if not hasattr(type(v), "__get__"))
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else tuple(slots):
            try:
                found[name] = object.__getattribute__(value, name)
            except AttributeError:  # It is not set, or its name is a private one.
                continue
    with contextlib.suppress(AttributeError):
        found.update(object.__getattribute__(value, "__dict__"))
    return found


def _read_class(kind: type) -> dict[str, Any]:
    """Returns the attributes of a class that are no special ones of Python's, but for __call__."""
    return {n: v for n, v in vars(kind).items() if n == "__call__" or not n.startswith(("__", "_abc_"))}


def _find_reader(value: Any) -> Callable[[Any], _Names] | None:
    """Returns the function that reads what can be assigned in an object; None where nothing of it is followed."""
    if isinstance(value, np.ndarray):
        return (lambda array: list(array.flat)) if value.dtype == object else None
    if isinstance(value, (list, collections.deque)):
        return list
    if isinstance(value, dict):
        return dict
    if isinstance(value, types.FunctionType):
        return _read_function if _is_users(value) else None
    if isinstance(value, types.GeneratorType):
        return _read_generator
    if isinstance(value, type):
        return _read_class if _is_users(value) else None
    if isinstance(value, (types.ModuleType, *_PLAIN)):
        return None
    return _read_object if _is_users(type(value)) else None


def _list_others(value: Any) -> Iterator[Any]:
    """Lists what an object has besides what can be assigned in it."""
    if isinstance(value, (tuple, set, frozenset)):
        yield from value
    elif isinstance(value, types.FunctionType):
        yield from (value.__defaults__ or (), value.__kwdefaults__ or {}, getattr(value, "__wrapped__", None))
    elif isinstance(value, types.MethodType):
        yield from (value.__func__, value.__self__)
    elif isinstance(value, functools.partial):
        yield from (value.func, value.args, value.keywords)
    elif isinstance(value, property):
        yield from (value.fget, value.fset)
    elif isinstance(value, (staticmethod, classmethod)):
        yield value.__func__
    elif isinstance(value, type):
        yield from value.__bases__
    elif not isinstance(value, (types.ModuleType, np.ndarray)):
        yield type(value)
        yield getattr(type(value), "__dict__", {}) and _read_object(value).get("__wrapped__")


def _is_same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is type(other) and isinstance(one, _PLAIN) and bool(one == other))


def _find_assigned(old: _Names, new: _Names) -> str | None:
    """Returns what was assigned, for a message; None where nothing was. Names that are new may be those of a cache."""
    if isinstance(old, list) or isinstance(new, list):
        # Items behind the others are what a body keeps, and cannot use outside.
        if len(old) <= len(new) and all(map(operator.is_, old, new)):
            return None
        return None if len(old) <= len(new) and all(map(_is_same, old, new)) else "an item of a list"
    for name, value in old.items():
        if name not in new or not _is_same(value, new[name]):
            return f"{name!r}" if name else "a generator"
    return None


class Watch:
    """What the functions of a loop could write of NumPy's, or assign: each is traced once, and NumPy calls it in each
    step."""

    def __init__(self, *functions: Any) -> None:
        #: What can be assigned: how it is read, and what it was.
        self._read: list[tuple[Callable[[], _Names], _Names]] = []
        arrays: dict[int, NDArray[Any]] = {}
        seen: dict[int, Any] = {}
        queue = collections.deque(functions)
        while queue and len(seen) < _FOLLOWED:
            value = queue.popleft()
            if isinstance(value, _PLAIN) or id(value) in seen:
                continue
            # It stays, so that no other object has its identity.
            seen[id(value)] = value
            if isinstance(value, np.ndarray) and not value.dtype.hasobject:
                arrays[id(value)] = value
            queue.extend(one for one in self._follow(value) if not isinstance(one, _PLAIN))
        self._lent, size = [], 0
        for array in sorted(arrays.values(), key=lambda a: a.nbytes):
            if array.flags.writeable or find_owner(array).flags.writeable:
                size += array.nbytes
                self._lent += [Lent(array)] if size <= _WATCHED else []

    def _follow(self, value: Any) -> Iterator[Any]:
        """Lists what an object has, and notes what can be assigned in it."""
        reader = _find_reader(value)
        if reader is not None:
            yield from self._note(functools.partial(reader, value))
        if isinstance(value, types.FunctionType):
            names, modules = set(_list_names(value.__code__)), [*_read_function(value).values()]
            known: set[int] = set()
            for module in modules:
                if isinstance(module, types.ModuleType) and _is_users(module) and id(module) not in known:
                    known.add(id(module))
                    found = self._note(functools.partial(_read_module, module, names))
                    modules += found
                    yield from found
        if reader is not None or not isinstance(value, types.FunctionType):
            yield from _list_others(value)

    def _note(self, read: Callable[[], _Names]) -> list[Any]:
        names = read()
        self._read.append((read, names))
        return names if isinstance(names, list) else list(names.values())

    def require_unwritten(self) -> None:
        """Raises an error where a function has written or assigned."""
        if not all(lent.is_unchanged() for lent in self._lent):
            raise _trace.refuse(
                "a write to an array of NumPy's in the body of a loop", "carry it, and give what the body makes of it"
            )
        for read, old in self._read:
            name = _find_assigned(old, read())
            if name is not None:
                raise _trace.refuse(
                    f"an assignment to {name}, which is from outside, in the body of a loop",
                    "carry it, and give what the body makes of it",
                )
