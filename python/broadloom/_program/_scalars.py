"""Scalar code: what an element-wise operation computes of one element of each operand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

import numpy as np

from . import _types
from ._builder import Builder, Known, Value, spell_type
from ._extents import Extent
from ._reals import Real
from ._text import Line, Part, Words, line, words
from ._types import Scalar
from ._units import drop_axes, keep_axes

#: An operand: a tensor, a number of the program's text, or one that a call tells.
Operand = Value | Scalar | Extent | Real


class Body:
    """Writes the code of one element. Values are names; their type is `compute`,
    or as the operation says."""

    def __init__(self, compute: str):
        self._names = 0
        #: The type that arithmetic is done in.
        self.compute = compute
        self.is_float = _types.is_float(compute)
        self.lines: list[Line] = []

    def new_name(self) -> str:
        """Returns a name that no value of the body has."""
        self._names += 1
        return f"%b{self._names}"

    def make(self, template: str, *parts: Part) -> str:
        """Returns the value of an operation, whose text is a template with a part in place of each {}."""
        # No other body sees it, so that equal bodies are equal texts.
        name = self.new_name()
        self.lines.append(line(template, *parts, result=name))
        return name

    def do(self, operation: str, *operands: str, type: str | None = None) -> str:
        """Returns an operation whose operands and result have one type."""
        return self.make("{} {} : {}", operation, operands, type or self.compute)

    def number(self, value: Scalar, type: str | None = None) -> str:
        """Returns a constant."""
        type = type or self.compute
        if type == "i1":
            return self.make("arith.constant {}", _types.spell(value, type))
        return self.make("arith.constant {} : {}", _types.spell(value, type), _types.signless(type))

    def compare(self, predicate: str, x: str, y: str, type: str | None = None) -> str:
        """Returns the i1 of a comparison: 'olt' and the like of floats, 'slt' of integers."""
        operation = "arith.cmpf" if predicate[0] in "ou" and len(predicate) == 3 and self.is_float else "arith.cmpi"
        return self.make("{} {}, {}, {} : {}", operation, predicate, x, y, type or self.compute)

    def select(self, condition: str, x: str, y: str, type: str | None = None) -> str:
        """Returns x where the condition holds, else y."""
        return self.make("arith.select {}, {}, {} : {}", condition, x, y, type or self.compute)

    def convert(self, x: str, source: str, target: str) -> str:
        """Converts between floats, exactly or with one rounding."""
        if source == target:
            return x
        operation = "arith.extf" if _types.width(source) < _types.width(target) else "arith.truncf"
        return self.make("{} {} : {} to {}", operation, x, source, target)


def bind(name: str, given: str, type: str) -> Words:
    """Spells an input of a map, whose code calls it `name`."""
    return words("{} = {} : {}", Words(name), given, type)


def get_element(*operands: Operand) -> str:
    """Returns the element type of the operands that have one."""
    for operand in operands:
        if isinstance(operand, Value):
            return operand.element
    raise TypeError("no operand is a tensor, so that they have no element type")


def as_value(operand: Operand, element: str, *beside: Operand) -> Value:
    """Returns an operand as a tensor; one of no axes of a number, in the program of what is `beside` it."""
    from ._picking import scalar

    if isinstance(operand, Value):
        return operand
    builder = next(v.builder for v in beside if isinstance(v, (Value, Extent, Real)))
    if isinstance(operand, (Extent, Real)):
        return scalar(builder, operand, element)
    return builder.constant(np.asarray(operand), element)


def refuse(origin: str, element: str, wanted: str) -> NoReturn:
    """Raises the error of an operation that takes other element types."""
    raise TypeError(f"{origin} takes {wanted}, not {element}")


#: Writes the code of one element; its arguments are the operands' names.
Code = Callable[..., str]


def broadcast_known(extents: Sequence[Sequence[Known]]) -> tuple[Known, ...]:
    """Returns the extents that are known of a broadcast; None for each other one."""
    rank = max((len(e) for e in extents), default=0)
    result: list[Known] = []
    for axis in range(-rank, 0):
        found = {e[axis] for e in extents if len(e) >= -axis} - {1}
        numbers = {e for e in found if isinstance(e, int)}
        if not found:
            result.append(1)
        elif len(numbers) == 1:
            result.append(numbers.pop())
        else:
            # One name, and nothing else.
            result.append(found.pop() if len(found) == 1 else None)
    return tuple(result)


def apply(origin: str, operands: Sequence[Operand], code: Code, result: str | None = None) -> Value:
    """Adds an element-wise operation of operands that broadcast.

    They have one element type, but for those that are numbers. `code` takes a Body
    and the operands' names. It computes floats shorter than 32 bits in f32. `result`
    is the element type of the result, 'i1' for a comparison; without it, the
    operands'.
    """
    tensors = [v for v in operands if isinstance(v, Value)]
    if not tensors:
        raise TypeError(f"{origin}: no operand is a tensor")
    element = tensors[0].element
    for other in tensors[1:]:
        if other.element != element:
            raise TypeError(f"{origin}: operands have element types {element} and {other.element}; cast one")
    return apply_mixed(origin, operands, [element] * len(operands), code, result or element)


def apply_mixed(
    origin: str,
    operands: Sequence[Operand],
    elements: Sequence[str],
    code: Code,
    result: str,
) -> Value:
    """Does as `apply`, for operands that have element types of their own. The code computes in
    the last one's type."""
    told = [v for v in operands if isinstance(v, (Value, Extent, Real))]
    builder = told[0].builder
    builder.require_own(*told)
    if any(map(_types.is_float8, (*elements, result))):
        return _apply_to_float8(origin, operands, elements, code, result)
    operands, dropped = keep_axes(builder, operands)
    with builder.naming(origin):
        body = Body(_types.compute_type(elements[-1]))
        inputs: list[Words] = []
        names: list[str] = []
        for operand, element in zip(operands, elements):
            names.append(_enter(builder, body, operand, element, inputs))
        value = code(body, *names)
        made = "i1" if result == "i1" else _types.compute_type(result)
        signless = _types.signless(result)
        if _types.is_float(made):
            value = body.convert(value, made, signless)
        known = broadcast_known([v.extents for v in operands if isinstance(v, Value)])
        type = spell_type(signless, known)
        yielded = line("loom.yield {} : {}", value, signless)
        key = ("loom.map", *inputs, *body.lines, yielded, type, result)
        output = builder.made.get(key)
        if output is None:
            output = builder.made[key] = Value(builder, builder.new_name(), result, known)
            attributes = builder.origin(head=" attributes {")
            builder.add_lines(
                line("loom.map({}){} -> {} {", inputs, attributes, type, result=output.name), body.lines, yielded
            )
            tensors = [v for v in operands if isinstance(v, Value)]
            for axis in range(-len(known), 0):
                wide = [v for v in tensors if v.rank >= -axis]
                builder.derive(output, len(known) + axis, "broadcast", wide, [v.rank + axis for v in wide])
        return drop_axes(output, dropped)


def _apply_to_float8(
    origin: str, operands: Sequence[Operand], elements: Sequence[str], code: Code, result: str
) -> Value:
    """Does as `apply_mixed`, for floats of eight bits: computes in f32, and rounds once."""
    from ._elementwise import cast

    wide: list[Operand] = []
    for operand, element in zip(operands, elements):
        if _types.is_float8(element):
            if isinstance(operand, (bool, int, float)):
                operand = _types.round_float8(operand, element)
            else:
                operand = cast(as_value(operand, element, operand), "f32")
        wide.append(operand)
    listed = ["f32" if _types.is_float8(element) else element for element in elements]
    made = apply_mixed(origin, wide, listed, code, "f32" if _types.is_float8(result) else result)
    return cast(made, result)


def _enter(builder: Builder, body: Body, operand: Operand, element: str, inputs: list[Words]) -> str:
    """Returns the name of an operand in the code, in the type that it computes in."""
    compute = _types.compute_type(element)
    if isinstance(operand, (bool, int, float)):
        # Rounded to the type that it is given as.
        if compute != _types.signless(element):
            return body.convert(body.number(operand, element), element, compute)
        return body.number(operand, element)
    name = body.new_name()
    if isinstance(operand, Value):
        inputs.append(bind(name, operand.name, operand.type))
        if _types.is_float(element):
            return body.convert(name, element, compute)
        return name
    if isinstance(operand, Real):
        if not _types.is_float(element):
            raise TypeError(f"a number with a fraction is no {element}; cast the operands to a float")
        inputs.append(bind(name, operand.name, "f64"))
        return body.convert(name, "f64", compute)
    # A number that the call tells stands before the operation once.
    wide = "i64" if _types.is_float(element) or compute == "i64" else compute
    key = ("arith.index_cast", operand.name, wide)
    if key not in builder._numbers:
        builder._numbers[key] = builder.new_name()
        builder.add("arith.index_cast {} : index to {}", operand.name, wide, result=builder._numbers[key])
    given = builder._numbers[key]
    inputs.append(bind(name, given, wide))
    if _types.is_float(element):
        return body.make("arith.sitofp {} : {} to {}", name, wide, compute)
    return name
