"""The program under construction, and its values."""

from __future__ import annotations

import bisect
import collections
import contextlib
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _types
from ._shared import PROMISE, find_shared
from ._text import END, Line, Part, Words, line, without_number, words
from ._written import LARGE, Written, find_single, name_given, spell_array

#: The name of an extent of the arguments.
Name = str
#: What is known of an extent: its number, a text that stands for one number wherever
#: it is (a name, or what the builder calls it), or nothing.
Known = int | str | None


def spell_text(text: str) -> str:
    """Returns a text as MLIR writes it."""
    quoted = "".join(
        c if c.isprintable() and c.isascii() and c not in '"\\' else "".join(f"\\{byte:02X}" for byte in c.encode())
        for c in text
    )
    return f'"{quoted}"'


def spell_type(element: str, extents: Iterable[Known]) -> str:
    """Returns a tensor type of MLIR."""
    shape = "".join(f"{e}x" if isinstance(e, int) else "?x" for e in extents)
    return f"tensor<{shape}{element}>"


#: What a builder knows of values, of which those of a region are known inside alone.
_INSIDE = ("_numbers", "made", "_units", "required")

#: What stands for the elements of a large constant until the program is written.
_LATER = "dense<later>"


class Value:
    """A tensor that an operation of the program gives, or an argument."""

    __slots__ = ("builder", "element", "extents", "name", "_unsigned")

    def __init__(self, builder: Builder, name: str, element: str, extents: Sequence[Known]):
        self.builder = builder
        #: Its name in the text.
        self.name = name
        #: Its element type, such as 'f32' or 'ui8'.
        self.element = element
        #: What is known of each of its extents.
        self.extents = tuple(extents)
        self._unsigned: str | None = None

    @property
    def rank(self) -> int:
        """The number of its axes."""
        return len(self.extents)

    @property
    def type(self) -> str:
        """The type in the text. Elements of 'ui8' are 'i8' there."""
        return spell_type(_types.signless(self.element), self.extents)

    @property
    def declared_type(self) -> str:
        """The type as an argument or a result."""
        return spell_type(self.element, self.extents)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.declared_type}>"


class Builder:
    """Writes a function, one operation after the other."""

    def __init__(self, copies_large: bool = False):
        #: Large constants by their names; finish_apart tells which of them are arguments. With `copies_large`, they
        #: are as they were when they were added.
        self._large: dict[str, tuple[Value, NDArray[Any]]] = {}
        self._copies_large = copies_large
        self._arguments: list[tuple[str, str]] = []
        #: The declarations of variables.
        self._variables: list[str] = []
        self._lines: list[Line] = []
        #: The numbers of lines whose results may turn out not to be needed.
        self._spare: set[int] = set()
        self._maps: dict[str, str] = {}
        self._names = 0
        self._origin: str | None = None
        self._location = ""
        self._ranges: dict[Name, str] = {}
        #: Index constants and computed numbers, by what computes them.
        self._numbers: dict[tuple[Any, ...], str] = {}
        #: Values, by what computes them: nothing is computed twice.
        self.made: dict[tuple[Any, ...], Value] = {}
        #: The i1 of what is required, and of what may be, by what requires it.
        self.required: dict[Any, str] = {}
        #: The first and the last number of the names that regions which are closed have for themselves.
        self._closed: list[tuple[int, int]] = []
        #: The number of the region that is open: 0 outside of all, and another one for each.
        self.scope = self._scopes = 0
        #: Where a call finds an extent: the argument, its type, and the axis.
        self._sources: dict[str, tuple[str, str, int]] = {}
        #: What stands for an extent, by the name of its number.
        self._known: dict[str, str] = {}
        #: Values whose names with their sign are of the region at hand.
        self._declared: list[Value] = []
        #: What an extent that has no name is of others, by what it would be called: how, and of which.
        self.derived: dict[str, tuple[str, tuple[Known, ...]]] = {}
        #: Entries of the attribute loom.fixed.
        self._fixed: list[str] = []
        #: What a value with more or fewer axes of extent 1 is made of.
        self._units: dict[str, tuple[Value, tuple[int, ...], bool]] = {}

    # What operations are called and where they are.

    @contextlib.contextmanager
    def naming(self, origin: str, is_own: bool = False) -> Iterator[None]:
        """Gives the operations of the body the name `origin` in messages, unless in one
        that has a name already and `is_own` is not set."""
        outer, self._origin = self._origin, origin if is_own else self._origin or origin
        try:
            yield
        finally:
            self._origin = outer

    def place(self, file: str | None, line: int = 0, column: int = 0) -> None:
        """Gives the operations that follow this location in the user's code; None for nowhere."""
        self._location = f" loc({spell_text(file)}:{line}:{column})" if file else ""

    # Arguments and results.

    def argument(
        self, element: str, extents: Sequence[Known | Name], called: str = "", is_constant: bool = False
    ) -> Value:
        """Adds an argument, and says what messages call it. A name is one extent in all of the function; a
        formula of names ("2 * n", see docs/named-extents.md) is promised too. One that `is_constant` has the same
        elements in all calls that give it the same memory (abi-9)."""
        _types.check_element(element)
        name = f"%arg{len(self._arguments)}"
        declared = [e if isinstance(e, int) or _is_name(e) else None for e in extents]
        known = [f"{name}#{axis}" if e is None else e for axis, e in enumerate(declared)]
        for axis, extent in enumerate(known):
            if isinstance(extent, str):
                self._sources.setdefault(extent, (name, spell_type(element, known), axis))
        attribute = ""
        if any(isinstance(e, str) for e in extents):
            listed = ", ".join("?" if e is None else str(e) for e in extents)
            first = [n for n in dict.fromkeys(declared) if isinstance(n, str) and n in self._ranges]
            where = ", ".join(f"{n} = {self._ranges.pop(n)}" for n in first)
            attribute = f"loom.extents = #loom.extents<[{listed}]{' where ' + where if where else ''}>"
        if is_constant:
            attribute = ", ".join(filter(None, (attribute, PROMISE)))
        self._add_argument(spell_type(element, known), attribute, called)
        if not _types.is_unsigned(element):
            return Value(self, name, element, known)
        value = self.emit("tosa.cast", [name], [spell_type(element, known)], element, known)
        value._unsigned = name
        return value

    def variable(self, name: str, element: str, extents: Sequence[int | None], initial: NDArray[Any]) -> Value:
        """Declares a variable with its first value, which tells the extents that are None for a while, and returns its
        value before the call. A call writes it in place where it can, and loses it where it fails behind that."""
        _types.check_element(element)
        if _types.is_unsigned(element):
            raise TypeError(f"there are no variables of elements of type {element}")
        listed = ", ".join(str(-1 if e is None else e) for e in extents)
        shape = f"dense<[{listed}]> : tensor<{len(extents)}xindex>" if extents else "dense<> : tensor<0xindex>"
        array = np.asarray(initial).astype(_types.to_numpy(element), order="C")
        spelled = spell_array(array if array.any() else array.ravel()[:1].reshape(()) if array.size else array)
        self._variables.append(
            f'"tosa.variable"() <{{initial_value = dense<{spelled}> : {spell_type(element, array.shape)}, '
            f"sym_name = {spell_text(name)}, type = {element}, var_shape = {shape}}}> {{loom.in_place}} : () -> ()"
        )
        value = Value(self, self.new_name(), element, extents)
        template = "tosa.variable_read @{} : {}"
        self.add(template, spell_text(name), value.type, result=value.name)
        return value

    def write_variable(self, name: str, extents: Sequence[int | None], value: Value) -> None:
        """Gives a variable the value that it has behind the call."""
        declared = spell_type(value.element, extents)
        given = value.name
        if declared != value.type:
            given = self.add("tensor.cast {} : {} to {}", given, value.type, declared)
        self.add("tosa.variable_write @{}, {} : {}", spell_text(name), given, declared, result="")

    def _add_argument(self, type: str, attribute: str, called: str = "") -> str:
        """Adds an argument and returns its name."""
        text = type + (f" {{{attribute}}}" if attribute else "")
        text += f" loc({spell_text(called)})" if called else ""
        self._arguments.append((f"%arg{len(self._arguments)}", text))
        return self._arguments[-1][0]

    def limit(self, name: Name, low: int, high: int | None = None, step: int = 1) -> None:
        """Says that the extent `name` of the arguments to come is from `low` to `high`, in
        steps; each call checks it."""
        text = f"{low} to {'?' if high is None else high}"
        self._ranges[name] = text + (f" step {step}" if step != 1 else "")

    def note_fixed(self, argument: int, axis: int, by: str, name: str, at: str | None, because: str) -> None:
        """Notes that `by`, which made the program, has fixed the extent of an argument's axis: a row of reports.
        `name` is its name for the argument, `at` the location that has fixed it."""
        location = f"at = {spell_text(at)}, " if at else ""
        self._fixed.append(
            f"{{argument = {argument}, {location}axis = {axis}, because = {spell_text(because)}, "
            f"by = {spell_text(by)}, name = {spell_text(name)}}}"
        )

    def finish(self, results: Sequence[Value], name: str = "main") -> str:
        """Returns the text of the program, a function of the arguments."""
        return self.write(results, name).text

    def write(self, results: Sequence[Value], name: str = "main") -> Written:
        """Returns the program, a function of the arguments, with large constants beside its text."""
        return self._write(results, name, ())

    def finish_apart(self, results: Sequence[Value], name: str = "main") -> tuple[Written, list[NDArray[Any]]]:
        """Returns a program that takes large constants as its last arguments, and these."""
        names = [self.as_declared(value) for value in results]
        shared = find_shared(self._used_lines(names), self._large) if self._large else []
        return self._write(results, name, shared), [self._large[one][1] for one in shared]

    def _write(self, results: Sequence[Value], name: str, shared: Sequence[str]) -> Written:
        names = [self.as_declared(value) for value in results]
        types = [value.declared_type for value in results]
        given = [(one, f'{self._large[one][0].type} {{{PROMISE}}} loc("a constant")') for one in shared]
        arguments = ", ".join(f"{name}: {text}" for name, text in (*self._arguments, *given))
        fixed = f" attributes {{loom.fixed = [{', '.join(self._fixed)}]}}" if self._fixed else ""
        head = [f"{alias} = {text}" for text, alias in self._maps.items()]
        constants: list[NDArray[Any]] = []

        def spell(line: Line) -> str:
            if line.result not in self._large:
                return "  " + line.text
            constants.append(self._large[line.result][1])
            return "  " + line.text.replace(_LATER, name_given(len(constants) - 1), 1)

        short = "\n".join(
            head
            + self._variables
            + [f"func.func @{name}({arguments}) -> ({', '.join(types)}){fixed} {{"]
            + [spell(one) for one in self._used_lines(names) if one.result not in shared]
            + [f"  return {', '.join(names)}{' : ' if types else ''}{', '.join(types)}", "}", ""]
        )
        return Written(short, tuple(constants))

    # Operations.

    def derive(self, value: Value, axis: int, how: str, operands: Sequence[Value], axes: Sequence[int]) -> None:
        """Notes that an extent without a name is the "sum" or the "broadcast" of those of other values' axes."""
        if value.extents[axis] is None:
            pairs = zip(operands, axes)
            parts = tuple(v.extents[a] if v.extents[a] is not None else f"{v.name}#{a}" for v, a in pairs)
            self.derived[f"{value.name}#{axis}"] = how, parts

    def require_own(self, *operands: Any) -> None:
        """Raises an error where an operand, a Value or an Extent, is one of another program:
        its name means something else here."""
        for operand in operands:
            if operand.builder is not self:
                raise ValueError(f"{operand!r} is part of another program; pass it as an argument")

    def new_name(self) -> str:
        """Returns a name that no value has."""
        self._names += 1
        return f"%{self._names}"

    def add(self, template: str, *parts: Part, result: str | None = None, is_spare: bool = False) -> str:
        """Adds an operation, whose text is a template with a part in place of each {}; returns the name of its result:
        a new one without `result`, which is '' where there is none. Where nothing uses the result and it `is_spare`,
        the program does without it."""
        if is_spare:
            self._spare.add(len(self._lines))
        name = self.new_name() if result is None else result
        self._lines.append(line(template, *parts, result=name).followed_by(self._location))
        return name

    def add_lines(self, head: Line, body: Sequence[Line], last: Line, tail: Line = END) -> None:
        """Adds an operation with a region, whose operations get the same location. That of one
        with a region of its own stands at its end."""
        self._lines.append(head)
        for one in body:
            has_location = not one.text.startswith("^") and not one.text.endswith("{")
            self._lines.append(one.indented().followed_by(self._location if has_location else ""))
        self._lines += [last.indented(), tail.followed_by(self._location)]

    def add_nested(self, *parts: Line | Sequence[Line]) -> None:
        """Adds an operation with regions up to its last line: lines of its own, and lists of lines that have their
        locations already."""
        for part in parts:
            self._lines += [part] if isinstance(part, Line) else [one.indented() for one in part]
        self._lines.append(END.followed_by(self._location))

    @contextlib.contextmanager
    def region(self) -> Iterator[list[Line]]:
        """Opens a region: gives the list of its lines, which the body adds. Nothing
        outside may refer to what is made inside."""
        outer, first = (self._lines, self._spare, self._declared, self.scope), self._names + 1
        kept = {name: dict(getattr(self, name)) for name in _INSIDE}
        self._lines, self._spare, self._declared = [], set(), []
        self._scopes += 1
        self.scope = self._scopes
        try:
            yield self._lines
        finally:
            for value in self._declared:
                value._unsigned = None
            self._lines, self._spare, self._declared, self.scope = outer
            for name, entries in kept.items():
                setattr(self, name, entries)
            # Those of regions inside are among them.
            self._closed = [one for one in self._closed if one[0] < first] + [(first, self._names)]

    def is_closed(self, name: str) -> bool:
        """Tells whether a name is one of a region that is closed."""
        digits = without_number(name)[1:]
        number = int(digits) if digits.isdecimal() else 0
        at = bisect.bisect_right(self._closed, (number, math.inf)) - 1
        return at >= 0 and self._closed[at][0] <= number <= self._closed[at][1]

    def _used_lines(self, results: Sequence[str]) -> list[Line]:
        """Lists the operations, but for those that no other one needs."""
        uses = collections.Counter(map(without_number, results))
        uses.update(itertools.chain.from_iterable(one.operands for one in self._lines))
        left = set()
        for number in sorted(self._spare, reverse=True):
            if not uses[self._lines[number].result]:
                left.add(number)
                uses.subtract(self._lines[number].operands)
        return [one for number, one in enumerate(self._lines) if number not in left]

    def origin(self, more: Mapping[str, str] | None = None, head: str = " {", end: str = "}") -> Words:
        """Attributes with the operation's name for messages, between `head` and `end`; nothing where there are none."""
        listed = [f"{key} = {text}" for key, text in (more or {}).items()]
        if self._origin:
            listed.append(f"loom.origin = {spell_text(self._origin)}")
        # A name has any characters.
        return Words(f"{head}{', '.join(listed)}{end}" if listed else "")

    def emit(
        self,
        operation: str,
        operands: Sequence[str],
        types: Sequence[str],
        element: str,
        extents: Sequence[Known],
        attributes: Mapping[str, str] | None = None,
    ) -> Value:
        """Adds an operation in the general form, with one result, which it returns;
        where there is one like it, returns that one's."""
        listed = ", ".join(f"{name} = {text}" for name, text in (attributes or {}).items())
        key = (operation, *operands, listed, element, *extents)
        value = self.made.get(key)
        if value is None:
            value = self.made[key] = Value(self, self.new_name(), element, extents)
            self.add(
                '"{}"({}){} : ({}) -> {}',
                operation,
                operands,
                self.origin(attributes),
                types,
                value.type,
                result=value.name,
            )
        return value

    def emit_on(
        self,
        operation: str,
        operands: Sequence[Value],
        element: str,
        extents: Sequence[Known],
        attributes: Mapping[str, str] | None = None,
    ) -> Value:
        """Does as `emit`, for operands that are values."""
        self.require_own(*operands)
        return self.emit(
            operation, [v.name for v in operands], [v.type for v in operands], element, extents, attributes
        )

    def affine_map(self, text: str) -> str:
        """Returns the name of an affine map."""
        return self._maps.setdefault(f"affine_map<{text}>", f"#map{len(self._maps)}")

    def constant(self, array: NDArray[Any], element: str | None = None) -> Value:
        """Adds a constant, the elements of an array."""
        array = np.asarray(array)
        element = element or _types.from_numpy(array.dtype)
        if element is None:
            raise TypeError(f"programs have no constants of NumPy's type {array.dtype}")
        value = Value(self, self.new_name(), element, array.shape)
        if self._copies_large and array.nbytes >= LARGE:
            kept = array.astype(_types.to_numpy(element), order="C")
            kept = kept.view(f"i{kept.itemsize}") if _types.is_unsigned(element) else kept
            kept.flags.writeable = False
            self._large[value.name] = value, kept
            self.add("arith.constant {} : {}", _LATER, value.type, result=value.name)
            return value
        array = array.astype(_types.to_numpy(element), order="C", copy=False)
        single = None
        if array.nbytes >= LARGE and array.dtype != np.bool_:
            single = find_single(array)
            if single is None:
                self._large[value.name] = value, array
                self.add("arith.constant {} : {}", _LATER, value.type, result=value.name)
                return value
        spelled = spell_array(array if single is None else single)
        self.add("arith.constant dense<{}> : {}", spelled, value.type, result=value.name)
        return value

    def require(self, condition: str, message: str, numbers: Sequence[str] = ()) -> None:
        """A call fails with `message` unless `condition`, an i1, holds. {0} in it
        is the first of the numbers, which are of type index."""
        values = words("({} : {})", numbers, ["index"] * len(numbers)) if numbers else ""
        origin, told = Words(spell_text(self._origin or "program")), Words(spell_text(message))
        self.add("loom.constrain {}, {}, {}{}", origin, condition, told, values, result="")

    def as_declared(self, value: Value) -> str:
        """Returns the name of a value that has its type's sign."""
        self.require_own(value)
        if not _types.is_unsigned(value.element):
            return value.name
        if value._unsigned is None:
            value._unsigned = self.new_name()
            self._declared.append(value)
            self.add("tosa.cast {} : ({}) -> {}", value.name, value.type, value.declared_type, result=value._unsigned)
        return value._unsigned


def _is_name(extent: Any) -> bool:
    return isinstance(extent, str) and extent.isidentifier()
