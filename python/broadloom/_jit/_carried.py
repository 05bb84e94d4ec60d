"""The values that the steps of a loop carry, as arrays and numbers of the trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _program as program
from .._errors import ShapeError
from . import _arguments, _integers, _trace, _trees
from ._array import TracedArray, element_of
from ._extent import TracedExtent, is_truth, to_python
from ._int64 import TracedInt64
from ._lent import Watch, lend
from ._memory import Memory, may_share, memory_of
from ._ufuncs import to_array

_ARRAYS = (TracedArray, TracedExtent, np.ndarray, np.generic, bool, int, float)


def spell_shape(array: TracedArray) -> str:
    """Returns a shape in a message, with ? for what a call tells."""
    listed = [str(e) if isinstance(e, int) else "?" for e in array._value.extents]
    return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"


def _is_integer(leaf: Any) -> bool:
    """Tells whether it is a number of Python's, or an extent."""
    if isinstance(leaf, TracedExtent):
        return not is_truth(leaf) and not isinstance(leaf, TracedInt64)
    return type(leaf) is int


def _to_array(trace: _trace.Trace, leaf: Any) -> TracedArray:
    """Returns a leaf as an array, which adapts where it is a number of Python's."""
    return leaf._as_array() if isinstance(leaf, TracedExtent) else to_array(trace, leaf)


def _is_array(leaf: Any) -> bool:
    """Tells whether it is an array for NumPy, and no number."""
    return isinstance(leaf, np.ndarray) or (isinstance(leaf, TracedArray) and not leaf._is_number())


def _list_memories(leaf: Any) -> list[Memory]:
    """Lists the memories that an array may have."""
    return memory_of(leaf).list_ties() if isinstance(leaf, TracedArray) and not leaf._is_number() else []


def _list_sources(leaf: Any) -> list[Any]:
    """Lists what has an array's elements: itself, or what it lends."""
    return lend(leaf) if isinstance(leaf, np.ndarray) else [leaf]


class _Changed(Exception):
    """A number gets the type that the body gives it, or becomes an array, so that the step is traced again."""


class _Slot:
    """One array or number of what a loop carries."""

    def __init__(self, trace: _trace.Trace, name: str, leaf: Any) -> None:
        self.trace, self.name, self._leaf = trace, name, leaf
        #: The element type; None for an integer of Python's.
        self.dtype: np.dtype[Any] | None = None
        #: Of a number of Python's that adapts to what it meets: int or float.
        self.weak: type | None = int
        self.shape: list[program.Extent | int] = []
        #: Whether it begins as an array of NumPy's, which x += 1 changes for all its names, and is one in some step.
        self._begins_as_array = self.is_array = False
        #: Whether the body gives a number of NumPy's.
        self._gives_number = False
        #: What has the elements that it begins with, and those that the body gives from outside.
        self._start: list[Any] = []
        self._given: list[Any] = []
        #: Whether the result may be what it begins with: where there are no steps, or the body gives this back.
        self.may_stay = True
        if not _is_integer(leaf):
            array = self._leaf = _to_array(trace, leaf)
            self.dtype, self.weak, self.shape = array.dtype, array._weak, program.extents(array._value)
            self._begins_as_array = self.is_array = isinstance(leaf, np.ndarray) or not array._is_number()
            self._start = _list_sources(leaf if isinstance(leaf, np.ndarray) else array) if self.is_array else []

    @property
    def sources(self) -> list[Any]:
        """The arrays whose elements the result may have."""
        return [*(self._start if self.may_stay else []), *self._given]

    def begin(self) -> program.Carried:
        """Returns the value that the loop begins with."""
        if self.dtype is None:
            return self._leaf._as_integer() if isinstance(self._leaf, TracedExtent) else self._leaf
        return program.cast(_to_array(self.trace, self._leaf)._value, element_of(self.dtype))

    def build(self, carried: program.Carried, is_result: bool = False) -> Any:
        """Returns the value that the body takes, or that the loop gives, which is what it begins with if there are no
        steps."""
        if isinstance(carried, program.Value):
            return TracedArray(self.trace, carried, weak=self.weak, kept=self._find_keeper(is_result))
        return to_python(self.trace, _integers.clipped(carried, _integers.LOW, _integers.HIGH))

    def _find_keeper(self, is_result: bool) -> str:
        """Says why it is not written to; nothing where it may be."""
        if not self.is_array or (is_result and self.shape):
            return ""
        if not is_result:
            return "carried"
        is_array = self._begins_as_array and not self._gives_number
        return "" if is_array else "given"

    def note(self, leaf: Any, is_outside: bool) -> None:
        """Notes what the body has given."""
        if not _is_array(leaf):
            self._gives_number = True
            return
        if not self.is_array:
            # The next step has it.
            self.is_array = True
            raise _Changed
        if is_outside:
            self._given += _list_sources(leaf)

    def leave(self, loop: str, leaf: Any) -> Any:
        """Returns the value that the body gives for it, in its type and shape."""
        if not isinstance(leaf, _ARRAYS):
            raise _trace.error(
                f"'bl.{loop}': the body gives a {type(leaf).__name__} for {self.name}, which is an array"
            )
        if self.dtype is None and _is_integer(leaf):
            return leaf._as_integer() if isinstance(leaf, TracedExtent) else leaf
        array = _to_array(self.trace, leaf)
        self._require_shape(loop, array)
        adapts = array._weak is not None and (array._weak is int or (self.dtype is not None and self.dtype.kind == "f"))
        if self.weak is not None and (array._weak is None or not adapts):
            # A number of Python's has the type of what becomes of it.
            self.dtype, self.weak = array.dtype, array._weak
            raise _Changed
        if self.dtype is None:
            self.dtype = array.dtype
            raise _Changed
        if array.dtype != self.dtype and not (adapts and self.dtype.kind in "iuf"):
            raise _trace.error(
                f"'bl.{loop}': the body gives {self.name} the type {array.dtype}, but it begins as {self.dtype}; "
                f"begin with np.astype({self.name}, np.{array.dtype}), or end the body with "
                f"np.astype({self.name}, np.{self.dtype})"
            )
        return program.cast(array._value, element_of(self.dtype))

    def _require_shape(self, loop: str, array: TracedArray) -> None:
        """Requires the shape that the loop begins with; a call checks extents that only it tells."""
        sizes = program.extents(array._value)
        numbers: list[str] = []

        def spell(shape: Any) -> str:
            listed = []
            for size in shape:
                listed.append(str(size) if isinstance(size, int) else f"{{{len(numbers)}}}")
                if not isinstance(size, int):
                    numbers.append(program.index(self.trace.builder, size))
            return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"

        name = program.escape_message(self.name)
        message = f"the body gives {name} the shape {spell(sizes)}, but it begins with {spell(self.shape)}"
        pairs = [(x, y) for x, y in zip(sizes, self.shape) if not program.is_same(x, y)]
        if len(sizes) != len(self.shape) or any(isinstance(x, int) and isinstance(y, int) for x, y in pairs):
            said = program.fill_message(message, *["?"] * len(numbers))
            raise ShapeError(f"{_trace.spell_location()}'bl.{loop}': {said}; what a loop carries keeps its shape")
        for x, y in pairs:
            self.trace.builder.require(program.compare("eq", x, y), message, numbers)


class Carry:
    """The tree of what a loop carries."""

    def __init__(self, trace: _trace.Trace, loop: str, init: Any, *functions: Callable[..., Any]) -> None:
        self.trace, self.loop = trace, loop
        self._watch = Watch(*functions)
        self.structure, self._leaves = _trees.number_leaves(init)
        self._names = _trees.spell_paths(self.structure, "carry")
        #: One for each leaf; None for one that is no array, and stays as it is.
        self._slots = [self._make(name, leaf) for name, leaf in zip(self._names, self._leaves)]
        #: What the body was given last.
        self._inner: list[Any] = []
        #: Whether there is a step, whatever a call gives, and the slots whose carry the body gives back.
        self.has_steps = False
        self._returned: set[int] = set()
        #: Whether results may have elements of each other.
        self._is_joined = False

    def _make(self, name: str, leaf: Any) -> _Slot | None:
        if isinstance(leaf, _ARRAYS):
            return _Slot(self.trace, name, leaf)
        if _arguments.find_static(leaf) is not None:
            return None
        raise _trace.error(
            f"'bl.{self.loop}': {name} is a {type(leaf).__name__}; a loop carries arrays, numbers, and tuples, "
            "lists and dictionaries of them"
        )

    @property
    def _open(self) -> list[_Slot]:
        return [slot for slot in self._slots if slot is not None]

    def build(self, carried: list[Any], is_result: bool = False) -> Any:
        """Returns the tree that the body takes, or that the loop gives, of the program's values."""
        values = iter(carried)
        made = [
            leaf if slot is None else slot.build(next(values), is_result)
            for slot, leaf in zip(self._slots, self._leaves)
        ]
        if is_result:
            self._share([(s, array) for s, array in zip(self._slots, made) if s is not None and s.is_array])
        self._inner = [] if is_result else made
        return _trees.build(self.structure, made.__getitem__)

    def _share(self, results: list[tuple[_Slot, TracedArray]]) -> None:
        """Notes whose elements the results may have."""
        for at, slot in enumerate(self._slots):
            if slot is not None:
                slot.may_stay = not self.has_steps or at in self._returned
        if not self._is_joined:
            for slot, array in results:
                may_share(array, slot.sources)
            return
        (_, first), *others = results
        for _, array in others:
            memory_of(first).add(array, None)
        for _, array in results:
            may_share(array, [source for slot, _ in results for source in slot.sources])

    def _note(self, leaves: list[Any]) -> None:
        """Notes whose elements the body has given."""
        carried = [_list_memories(array) for array in self._inner]
        given = [_list_memories(leaf) for leaf in leaves]
        for at, (slot, leaf) in enumerate(zip(self._slots, leaves)):
            if slot is None:
                continue
            owners = [j for j, memories in enumerate(carried) if any(m in given[at] for m in memories)]
            self._returned.update(owners)
            twins = [j for j in range(at) if leaves[j] is leaf or any(m in given[at] for m in given[j])]
            self._is_joined = self._is_joined or (_is_array(leaf) and (bool(twins) or any(j != at for j in owners)))
            is_own = not isinstance(leaf, np.ndarray) and all(
                memory.scope == self.trace.builder.scope for memory in given[at]
            )
            slot.note(leaf, not is_own or (not owners and getattr(leaf, "_is_kept", False)))

    def run(self, write: Callable[[list[Any]], list[Any]]) -> Any:
        """Writes a loop by `write`, which takes the start; returns the loop's results."""
        while True:
            _trace.enter(self.trace)
            try:
                found = write([slot.begin() for slot in self._open])
            except _Changed:
                continue
            _trace.enter(self.trace)
            self._watch.require_unwritten()
            return self.build(found, is_result=True)

    def enter(self, start: list[Any]) -> Any:
        """Returns values with the types and shapes that the body takes."""
        builder = self.trace.builder
        return self.build(
            [
                program.Value(builder, builder.new_name(), value.element, value.extents)
                if isinstance(value, program.Value)
                else program.Extent(builder, builder.new_name())
                for value in start
            ]
        )

    def leave(self, result: Any) -> list[Any]:
        """Returns the values that a step carries on."""
        builder = _trace.enter(self.trace)
        structure, leaves = _trees.number_leaves(result)
        if structure != self.structure:
            given, begins = (_trees.describe(tree) for tree in (structure, self.structure))
            raise _trace.error(f"'bl.{self.loop}': the body gives {given}, but what it carries is {begins}")
        made: list[Any] = []
        with builder.naming(f"bl.{self.loop}"):
            for slot, name, old, new in zip(self._slots, self._names, self._leaves, leaves):
                if slot is not None:
                    made.append(slot.leave(self.loop, new))
                elif new is not old and (type(new) is not type(old) or new != old):
                    raise _trace.error(
                        f"'bl.{self.loop}': the body makes {new!r} of {name}, which is {old!r} in each step"
                    )
            self._note(leaves)
        return made
