"""Which arrays share elements, for NumPy.

Values of a program do not change. A write makes a new value of all elements, and each array that shares them gets its
part of it: what x[...] gives of numbers and slices is computed again. Of other views NumPy decides by the order of
elements in memory whether they share, so that a write is refused while one of them is there.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from .._program import Value
from ._array import TracedArray

#: How a view's value is computed of that of all elements.
Part = Callable[[Value], Value]


def _whole(value: Value) -> Value:
    return value


class Memory:
    """The elements that one array has, or several."""

    __slots__ = ("value", "arrays", "writes")

    def __init__(self, whole: TracedArray) -> None:
        self.value = whole._value
        #: The arrays, and how each is computed of the value; None where that is not known.
        self.arrays: list[tuple[weakref.ref[TracedArray], Part | None]] = []
        #: How often the value was set. An array that was computed before is computed again when it is read, so that
        #: each write costs as much however many arrays there are.
        self.writes = 0
        self.add(whole, _whole)

    def add(self, array: TracedArray, part: Part | None) -> None:
        """Adds an array that shares the elements."""
        array._memory, array._writes = self, self.writes
        self.arrays.append((weakref.ref(array), part))

    def part_of(self, array: TracedArray) -> Part | None:
        """Returns how an array is computed."""
        return next(part for reference, part in self.arrays if reference() is array)

    def is_certain(self) -> bool:
        """Tells whether it is known of all its arrays, of those that are still there, which elements they share. If one
        is left, its elements are all."""
        self.arrays = [(reference, part) for reference, part in self.arrays if reference() is not None]
        if len(self.arrays) == 1:
            ((reference, _),) = self.arrays
            left = reference()
            assert left is not None
            self.value, self.arrays = left._value, [(reference, _whole)]
        return all(part is not None for _, part in self.arrays)

    def compute(self, array: TracedArray, value: Value) -> Value:
        """Computes what an array has if all elements are those of a value."""
        part = self.part_of(array)
        assert part is not None
        return part(value)

    def set(self, value: Value) -> None:
        """Sets the value, of which all arrays have their parts from now on."""
        self.value = value
        self.writes += 1

    def read(self, array: TracedArray) -> Value:
        """Computes what an array has behind the last write."""
        value = self.compute(array, self.value)
        # What is computed in the body of a loop is there alone.
        if array._trace.builder.depth == array._depth:
            array._made, array._writes = value, self.writes
        return value


def share(like: TracedArray, value: Value, part: Part | None = None) -> TracedArray:
    """Returns an array of a value that shares elements with another one, whose `part` it is. A number shares none."""
    if like._is_number():
        return TracedArray(like._trace, value)
    memory = like._memory or Memory(like)
    made = TracedArray(like._trace, value, kept=like._is_kept)
    of_like = memory.part_of(like)
    memory.add(made, part and of_like and (lambda whole: part(of_like(whole))))
    return made


def with_memory(array: Any) -> Any:
    """Returns a number of the trace as an array of its own, which writes change; anything else as it is."""
    if not isinstance(array, TracedArray) or not array._is_number():
        return array
    made = TracedArray(array._trace, array._value, weak=array._weak)
    Memory(made)
    return made
