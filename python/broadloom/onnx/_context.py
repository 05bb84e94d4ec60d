"""Has what the import of a node needs, and the table of operators."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import _program as program
from .._program import Extent, Value
from .._tensors._making import Maker, Unsupported
from .._tensors._making import elementwise as apply_to_all
from .._tensors._tensor import Held, Number, Tensor, are_known, from_value, to_value
from ._model import Node

#: Imports a node: of a Context, its inputs, and its attributes as keywords.
Rule = Callable[..., Any]
#: For each operator, by domain and name, its rules by the opset that they begin with.
OPERATORS: dict[tuple[str, str], dict[int, Rule]] = {}
#: Operators that have no rule for a reason.
REFUSED: dict[str, str] = {}


def refuse(why: str, *names: str) -> None:
    """Enters operators that have no rule."""
    REFUSED.update(dict.fromkeys(names, why))


refuse("programs do not read images as they are in files; decode them before", "ImageDecoder")
refuse(
    "programs are not trained",
    *(f"ai.onnx.preview.training.{name}" for name in ("Adagrad", "Adam", "Gradient", "Momentum")),
)
refuse(
    "trees are not imported; export the model as products of matrices",
    *(f"ai.onnx.ml.TreeEnsemble{kind}" for kind in ("", "Classifier", "Regressor")),
)
refuse(
    "ONNX Runtime has laid the model out for one processor; save it with the optimization level ORT_ENABLE_EXTENDED",
    *(f"com.microsoft.nchwc.{name}" for name in ("Conv", "ReorderInput", "ReorderOutput", "Upsample")),
    *(f"com.microsoft.nchwc.{kind}Pool" for kind in ("Average", "GlobalAverage", "GlobalMax", "Max")),
)
refuse(
    "programs have no texts",
    "com.microsoft.Tokenizer",
    "RegexFullMatch",
    "StringConcat",
    "StringNormalizer",
    "StringSplit",
)


#: The oldest opset whose operators are known, and the newest.
OLDEST, NEWEST = 1, 28
#: Constants of more elements are computed by the program.
LARGEST = 1 << 16


_Rule = TypeVar("_Rule", bound=Rule)


def operator(*names: str, since: int = 1, domain: str = "") -> Callable[[_Rule], _Rule]:
    """Enters a rule for operators, from an opset on until the next rule's."""

    def enter(rule: _Rule) -> _Rule:
        for name in names:
            OPERATORS.setdefault((domain, name), {})[since] = rule
        return rule

    return enter


def find_rule(node: Node, opset: int) -> Rule:
    """Returns the rule for a node of a model of this opset."""
    rules = OPERATORS.get((node.domain, node.operation))
    if rules is None:
        name = f"{node.domain}.{node.operation}" if node.domain else node.operation
        raise Unsupported(REFUSED.get(name, "the importer has no rule for it"))
    fitting = [since for since in rules if since <= opset]
    if not fitting:
        raise Unsupported(
            f"it is imported from opset {min(rules)} on, but the model has opset {opset}; "
            "convert it with onnx.version_converter"
        )
    return rules[max(fitting)]


class Known(Held):
    """A tensor that is known at import: numbers, or extents that a call tells."""

    def __init__(self, array: NDArray[Any], element: str) -> None:
        #: Of objects, where some are Extents.
        self.array = np.asarray(array)
        self.element = element

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        """Its extents."""
        return tuple(self.array.shape)

    @property
    def is_number(self) -> bool:
        """Tells whether all its elements are numbers."""
        return self.array.dtype != object or not any(isinstance(n, Extent) for n in self.array.flat)

    @property
    def is_small(self) -> bool:
        """Tells whether it is computed with at import."""
        return self.array.size <= LARGEST

    @property
    def items(self) -> list[Any]:
        """Its elements, in a list."""
        return list(self.array.reshape(-1).tolist())

    def permute(self, order: Sequence[int]) -> Known:
        return Known(self.array.transpose(order), self.element)

    def reshape(self, shape: Sequence[int]) -> Known:
        return Known(self.array.reshape(shape), self.element)

    def part(self, axis: int, start: int, count: Number) -> Known:
        return Known(self.array[(slice(None),) * axis + (slice(start, start + count),)], self.element)

    def pad(self, behind: Sequence[int]) -> Known:
        return Known(np.pad(self.array, [(0, n) for n in behind]), self.element)

    def flip(self, axes: Sequence[int]) -> Known:
        return Known(np.flip(self.array, tuple(axes)), self.element)

    def combine(self, operation: str, element: str, *operands: Held | float) -> Known:
        dtype = program.to_numpy(element)
        x, y = (o.array.astype(dtype) if isinstance(o, Known) else dtype.type(o) for o in (self, *operands))
        if operation == "rsqrt":
            return Known(1 / np.sqrt(x + y), element)
        return Known(x * y if operation == "multiply" else x - y, element)


#: A tensor that a call computes, or one that is known at import.
Operand = Tensor | Known


def known_numbers(numbers: Sequence[Number], element: str = "i64", shape: Sequence[int] | None = None) -> Known:
    """Makes a Known of numbers of which some may be Extents."""
    if are_known(numbers):
        array = np.array(numbers, program.to_numpy(element))
    else:
        array = np.empty(len(numbers), object)
        array[:] = list(numbers)
    return Known(array if shape is None else array.reshape(shape), element)


class Context(Maker):
    """The program under construction, and the node at hand."""

    def __init__(self) -> None:
        super().__init__()
        self.node = Node("", "", [], [], {}, "")
        self.opsets: dict[str, int] = {}
        #: Constants of so many bytes are arguments, which are here in order; None for none.
        self.largest: int | None = None
        self.weights: list[NDArray[Any]] = []
        #: The arguments that are constants, by the identity of the array, which stays.
        self._shared: dict[int, tuple[NDArray[Any], Value]] = {}

    @property
    def opset(self) -> int:
        """The version of ONNX's own operators."""
        return self.opsets.get("", NEWEST)

    @property
    def outputs(self) -> int:
        """Counts the outputs of the node that something may read: up to the last with a name."""
        return max((i + 1 for i, name in enumerate(self.node.outputs) if name), default=0)

    def named(self, number: int) -> str:
        """Returns what messages with numbers call an input of the node."""
        return program.escape_message(repr(self.node.inputs[number]))

    def bind(self, held: Held) -> Value:
        assert isinstance(held, Known)
        if held.is_number:
            array = held.array.astype(program.to_numpy(held.element), copy=False)
            if self.largest is not None and array.nbytes >= self.largest:
                return self._bind_weight(held, array)
            return self.builder.constant(array, held.element)
        values = [self.scalar(n, held.element) for n in held.items]
        if not held.shape:
            return values[0]
        joined = program.concat([program.expand(v, [0]) for v in values], 0)
        return joined if held.rank == 1 else program.reshape(joined, held.shape)

    def _bind_weight(self, held: Known, array: NDArray[Any]) -> Value:
        _, value = self._shared.get(id(held.array), (None, None))
        if value is None:
            # What is not aligned is copied, and laid out, by each call.
            self.weights.append(np.require(array, requirements=("C_CONTIGUOUS", "ALIGNED")))
            value = self.builder.argument(held.element, array.shape, is_constant=True)
            # One without a sign is the result of a cast, which a region may have.
            if not program.is_unsigned(held.element):
                self._shared[id(held.array)] = held.array, value
        return value

    def value(self, operand: Operand) -> Value:
        """Returns an operand as a value whose axes stand in their own order."""
        return to_value(self.tensor(operand))

    def constant(self, operand: Operand, what: str) -> NDArray[Any]:
        """Returns the elements of an operand that must be numbers at import."""
        if not isinstance(operand, Known) or not operand.is_number:
            raise Unsupported(
                f"its {what} must be a constant, not what a call computes; make it an initializer, or give constants="
            )
        return operand.array.astype(program.to_numpy(operand.element))

    def integers(self, operand: Operand, what: str) -> list[int]:
        """Returns the elements of such an operand as a list of integers."""
        self._require_integers(operand, what)
        return [int(n) for n in self.constant(operand, what).reshape(-1)]

    def numbers(self, operand: Operand, what: str, wanted: int | None = None) -> list[Number]:
        """Returns an operand as numbers: those that a call computes too, where their count is known. A call checks
        that there are as many as are wanted."""
        self._require_integers(operand, what)
        if isinstance(operand, Known) and operand.rank <= 1:
            return [n if isinstance(n, Extent) else int(n) for n in operand.items]
        value = self.value(operand)
        count = value.extents[0] if value.rank else 1
        if wanted is not None and value.rank == 1 and not isinstance(count, int):
            message = f"its {what} must have {{1}} elements, not {{0}}"
            program.require(self.builder, "eq", program.extent(value, 0), wanted, message)
            count = wanted
        if value.rank > 1 or not isinstance(count, int):
            raise Unsupported(f"its {what} must have one axis whose extent is known, not {value.declared_type}")
        return [self.extract(value, index) for index in range(count)]

    def _require_integers(self, operand: Operand, what: str) -> None:
        # Before opset 6 tiles are of the tensor's type.
        if operand.element == "i1" or (program.is_float(operand.element) and self.opset >= 6):
            raise ValueError(f"its {what} must have elements of an integer type, not {operand.element}")

    def number(self, operand: Operand, what: str) -> Number:
        """Returns an operand that is one number."""
        (number,) = self.numbers(operand, what)
        return number

    def counts(self, operand: Operand, what: str, wanted: int | None = None) -> list[Number]:
        """Returns an operand as numbers that must not be negative: `what` is one of them."""
        found = self.numbers(operand, what, wanted)
        for number in found:
            if not program.is_natural(number):
                program.require(self.builder, "sge", number, 0, f"the {what} {{0}} is negative")
        return found

    def count(self, operand: Operand, what: str) -> Number:
        """Returns an operand that is one number that must not be negative."""
        (number,) = self.counts(operand, what)
        return number

    def extract(self, value: Value, index: int) -> Extent:
        """Reads an element of a value of at most one axis, as a number."""
        if value.element == "i1":
            raise TypeError("a boolean is no extent")
        value = program.cast(value, "i64") if program.is_float(value.element) else value
        b = self.builder
        key = ("extract", value.name, index)
        if key not in b._numbers:
            element, at = b.new_name(), program.index(b, index) if value.rank else ""
            b.add("tensor.extract {}[{}] : {}", value.name, at, value.type, result=element)
            signless = value.element.removeprefix("u")
            b._numbers[key] = b.add("arith.index_cast {} : {} to index", element, signless)
        return Extent(b, b._numbers[key])


def fold(function: Callable[..., NDArray[Any]], element: str, *operands: Operand) -> Known | None:
    """Applies a function of NumPy's to operands where all of them are known; returns None where they are not."""
    known = [o for o in operands if isinstance(o, Known) and o.is_small]
    if len(known) < len(operands):
        return None
    if not all(o.is_number for o in known) and not all(program.is_integer(o.element) for o in known):
        return None
    arrays = [o.array for o in known]
    if any(a.dtype == object for a in arrays):
        arrays = [a.astype(object) for a in arrays]
    else:
        arrays = [a.astype(program.to_numpy(o.element)) for a, o in zip(arrays, known)]
    try:
        with np.errstate(all="ignore"):
            found = np.asarray(function(*arrays))
    except (TypeError, ValueError, ZeroDivisionError, Undecided):
        return None
    if found.dtype != object:
        return Known(found.astype(program.to_numpy(element)), element)
    if not any(isinstance(n, Extent) for n in found.flat):
        return Known(found.astype(program.to_numpy(element)), element)
    return Known(found, element)


class Undecided(Exception):
    """A question about extents that only a call answers."""


def spread(c: Context, function: Callable[..., Value], *operands: Operand, element: str | None = None) -> Tensor:
    """Applies an element-wise function to operands that broadcast; constants of one element become numbers of its code.
    Operands are cast to `element`, where it is given."""
    rank = max((o.rank for o in operands if isinstance(o, Tensor)), default=-1)
    given = []
    for operand in operands:
        if isinstance(operand, Known) and operand.array.size == 1 and operand.rank <= rank:
            (operand,) = operand.items if operand.array.dtype == object else [_to_number(operand)]
        given.append(operand)
    if not any(isinstance(o, (Tensor, Known)) for o in given):
        raise TypeError("no operand is a tensor")
    return apply_to_all(c, function, *given, element=element)


def require_alike(*operands: Operand) -> None:
    """Requires that operands have one element type, as ONNX does; NumPy would choose one for them."""
    elements = dict.fromkeys(o.element for o in operands)
    if len(elements) > 1:
        raise ValueError(f"its inputs have elements of {' and '.join(elements)}, not of one type; put a Cast in front")


def _to_number(known: Known) -> float:
    number = known.array.reshape(())[()]
    if known.element == "i1":
        return bool(number)
    return float(number) if program.is_float(known.element) else int(number)


def from_rank(axis: int, rank: int) -> int:
    """Counts an axis from 0."""
    if not -max(rank, 1) <= axis < max(rank, 1):
        raise ValueError(f"axis {axis} is outside of the {rank} axes of its input")
    return axis % max(rank, 1)


def takes_attributes_of(other: Callable[..., Any]) -> Callable[[Rule], Rule]:
    """Decorates a rule that hands its `**attributes` on to another one: it takes the attributes of that, but for those
    that it has as inputs."""

    def decorate(rule: Rule) -> Rule:
        own, theirs = (inspect.signature(r).parameters.values() for r in (rule, other))
        taken = {p.name for p in own}
        listed = [p for p in own if p.kind != p.VAR_KEYWORD] + [
            p for p in theirs if p.kind == p.KEYWORD_ONLY and p.name not in taken
        ]
        rule.__signature__ = inspect.Signature(listed)  # type: ignore[attr-defined]
        return rule

    return decorate


__all__ = [
    "Context",
    "Extent",
    "Known",
    "Operand",
    "LARGEST",
    "Number",
    "OPERATORS",
    "REFUSED",
    "Tensor",
    "Undecided",
    "Unsupported",
    "Value",
    "find_rule",
    "fold",
    "from_rank",
    "known_numbers",
    "operator",
    "require_alike",
    "from_value",
    "to_value",
    "spread",
]
