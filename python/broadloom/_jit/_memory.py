"""Which arrays share elements, for NumPy.

Values of a program do not change. A write makes a new value of all elements, and each array that shares them gets its
part of it: what x[...] gives of numbers and slices is computed again. Of other views NumPy decides by the order of
elements in memory whether they share, so that a write is refused while one of them is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from weakref import WeakValueDictionary

from .. import _program as program
from .._program import Value
from . import _trace
from ._array import TracedArray
from ._lent import Lent, lend

#: How a view's value is computed of that of the array that it is a view of.
Part = Callable[[Value], Value]


class Place:
    """The elements of a memory that an array has: all, or a part of another place."""

    __slots__ = ("above", "part", "value", "writes", "scope", "places")

    def __init__(self, above: Place | None, part: Part | None, value: Value, writes: int, scope: int) -> None:
        self.above, self.part = above, part
        #: Its elements behind so many writes, known in a region of the program.
        self.value, self.writes, self.scope = value, writes, scope
        #: The numbers of its elements in the flat memory, where a write has asked.
        self.places: Value | None = None


class Memory:
    """The elements that one array has, or several."""

    __slots__ = ("scope", "arrays", "others", "ties", "lent", "writes", "_whole")

    def __init__(self, whole: TracedArray) -> None:
        #: The region of the program in which it was made, and alone is written: views of it are made in others, too.
        self.scope = whole._scope
        #: The arrays whose parts are known, by their identities.
        self.arrays: WeakValueDictionary[int, TracedArray] = WeakValueDictionary()
        #: Arrays that may share elements, with parts that are not known; NumPy's own, too.
        self.others: WeakValueDictionary[int, Any] = WeakValueDictionary()
        #: Memories that may be this one. Its arrays are among their others.
        self.ties: list[Memory] = []
        #: How often the value was set. An array that was computed before is computed again when it is read, so that
        #: each write costs as much however many arrays there are.
        self.writes = 0
        #: The elements of NumPy's arrays that it may have.
        self.lent: dict[tuple[Any, ...], Lent] = {}
        self._put(whole)
        if whole._origin is not None:
            self.lend(lend(whole._origin))
            # Where nothing else has it, it goes: then no array of NumPy's shares the elements.
            whole._origin = None

    def _put(self, whole: TracedArray) -> None:
        """Makes an array that of all elements."""
        self._whole = Place(None, None, whole._value, self.writes, self.scope)
        self.add(whole, self._whole)

    @property
    def value(self) -> Value:
        """All elements."""
        return self._whole.value

    def add(self, array: TracedArray, place: Place | None) -> None:
        """Adds an array that shares the elements."""
        array._memory, array._place, array._writes = self, place, self.writes
        if place is None:
            self.add_other(array)
            return
        self.arrays[id(array)] = array
        for tie in self.ties:
            tie.add_other(array)

    def add_other(self, array: Any) -> None:
        """Adds what may share the elements."""
        if self.others.get(id(array)) is array:
            return
        self.others[id(array)] = array
        for tie in self.ties:
            tie.add_other(array)

    def tie(self, memory: Memory) -> None:
        """Notes that another memory may be this one."""
        if memory is self or memory in self.ties:
            return
        self.ties.append(memory)
        self.lend(memory.lent.values())
        for array in [*self.arrays.values(), *self.others.values()]:
            memory.add_other(array)

    def lend(self, lent: Iterable[Lent]) -> None:
        """Notes that its elements may be those of NumPy's arrays."""
        for one in lent:
            owner = one.find_owner()
            if owner is not None and one.key not in self.lent:
                self.lent[one.key] = one
                self.add_other(owner)

    def require_unchanged(self, trace: _trace.Trace) -> None:
        """Raises an error where NumPy has written to the elements."""
        for lent in self.lent.values():
            lent.read(trace)

    def list_ties(self) -> list[Memory]:
        """Lists itself, and all that may be this one."""
        found = {id(self): self}
        queue = [self]
        for memory in queue:
            new = [tie for tie in memory.ties if id(tie) not in found]
            found.update((id(tie), tie) for tie in new)
            queue += new
        return list(found.values())

    def _count(self) -> int:
        return len(self.arrays) + len(self.others)

    def is_certain(self) -> bool:
        """Tells whether it is known of all its arrays, of those that are still there, which elements they share. If one
        is left, its elements are all."""
        if self._count() == 1:
            key, left = next(iter([*self.arrays.items(), *self.others.items()]))
            if left._place is not self._whole:
                self.others.pop(key, None)
                self._put(left)
        return not self.others and all(tie._count() <= self._count() for tie in self.ties)

    def set(self, value: Value) -> None:
        """Sets the value, of which all arrays have their parts from now on."""
        self.writes += 1
        self._whole.value, self._whole.writes = value, self.writes

    def read(self, array: TracedArray) -> Value:
        """Computes what an array has behind the last write."""
        _trace.require_open(array._trace, self.value.name)
        scope = array._trace.builder.scope
        value = self._compute(array._place, scope)
        # What is computed in the body of a loop is there alone.
        if scope == array._scope:
            array._made, array._writes = value, self.writes
        return value

    def _compute(self, place: Place | None, scope: int) -> Value:
        chain = []
        while place is not None and place.writes != self.writes:
            chain.append(place)
            place = place.above
        assert place is not None
        value = place.value
        for inner in reversed(chain):
            assert inner.part is not None
            value = inner.part(value)
            if inner.scope == scope:
                inner.value, inner.writes = value, self.writes
        return value

    def find_places(self, array: TracedArray) -> Value:
        """Returns the numbers of an array's elements in the flat memory."""
        if self._whole.places is None:
            self._whole.places = number_elements(self.value)
        chain, place = [], array._place
        while place is not None and place.places is None:
            chain.append(place)
            place = place.above
        assert place is not None and place.places is not None
        found = place.places
        for inner in reversed(chain):
            assert inner.part is not None
            found = inner.places = inner.part(found)
        return found


def number_elements(value: Value) -> Value:
    """Returns the place of each element in the flat tensor."""
    shape = program.extents(value)
    return program.reshape(program.iota(value.builder, program.product(shape), "i64"), shape)


def memory_of(array: TracedArray) -> Memory:
    """Returns the memory of an array that is no number."""
    return array._memory or Memory(array)


def share(like: TracedArray, value: Value, part: Part | None = None) -> TracedArray:
    """Returns an array of a value that shares elements with another one, whose `part` it is. A number shares none."""
    if like._is_number():
        return TracedArray(like._trace, value)
    memory = memory_of(like)
    made = TracedArray(like._trace, value, kept=like._is_kept)
    above = like._place
    memory.add(made, Place(above, part, value, memory.writes, made._scope) if part and above else None)
    return made


def may_share(array: TracedArray, others: Iterable[TracedArray | Lent]) -> None:
    """Notes that a new array may have elements of others."""
    memory = memory_of(array)
    for other in others:
        if isinstance(other, Lent):
            memory.lend([other])
        else:
            array._is_kept = array._is_kept or other._is_kept
            memory.tie(memory_of(other))


def with_origin(array: Any) -> Any:
    """Returns an array, noted to have the elements of the one of NumPy's that it was made of."""
    if isinstance(array, TracedArray) and array._origin is not None and not array._is_number():
        memory_of(array)
    return array


def with_memory(array: Any) -> Any:
    """Returns a number of the trace as an array of its own, which writes change; anything else as it is."""
    if not isinstance(array, TracedArray) or not array._is_number():
        return with_origin(array)
    made = TracedArray(array._trace, array._value, weak=array._weak)
    made._origin, array._origin = array._origin, None
    Memory(made)
    return made


def as_kind_of(like: TracedArray, array: Any) -> Any:
    """Returns what a function makes of `like`: a number of a number, and an array of an array."""
    return array if like._is_number() else with_memory(array)
