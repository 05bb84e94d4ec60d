"""A model's inputs: arguments of its program, or constants."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _program as program
from .._errors import CompileError
from .._tensors._formulas import spell_formula
from ._claims import NO_NAMES, Stated
from ._context import Known, from_value
from ._model import Array, Graph, OptionalType, SequenceType, Type
from ._narrow import from_array, hold, release
from ._narrow_types import BY_NAME, storage_of
from ._optionals import Nothing
from ._sequences import TensorSequence

if TYPE_CHECKING:
    from ._importer import Importer

#: Words of the language of loom.extents, which are no names there.
_WORDS = ("where", "to", "step", "floordiv", "ceildiv", "mod")


def enter_inputs(
    c: Importer, graph: Graph, shapes: Mapping[str, Sequence[Any]], constants: Mapping[str, Any]
) -> Stated:
    """Makes arguments of the graph's inputs except those that are constants. A sequence has one for each tensor.
    Returns what the inputs tell of the model's names."""
    empty = [
        name for name, kind in graph.inputs if isinstance(kind, OptionalType) and constants.get(name, name) is None
    ]
    c.values.update({name: Nothing() for name in empty})
    inputs = [(name, kind.inner if isinstance(kind, OptionalType) else kind) for name, kind in graph.inputs]
    inputs = [(name, kind) for name, kind in inputs if name not in empty]
    given = [(name, kind) for name, kind in inputs if name not in graph.constants]
    _check_names("constants", constants, [name for name, _ in graph.inputs])
    _check_names("shapes", shapes, [name for name, _ in given if name not in constants])
    made: dict[str, Any] = {
        name: _make_constants(name, kind, constants[name]) for name, kind in inputs if name in constants
    }
    kinds = dict(inputs)
    for name, array in graph.constants.items():
        _check_initializer(c.name, name, kinds.get(name), array)
        chosen = constants.get(name)
        c.values[name] = (
            from_array(array) if chosen is None else _make_constant(name, Type(array.element, None), chosen)
        )
    stated = Stated()
    for name, kind in given:
        if name in made:
            c.values[name] = made[name]
            _enter_claim(stated, kind, made[name])
    fixed = stated.numbers()
    types = {name: _types_of(c.name, name, kind, shapes.get(name), fixed) for name, kind in given if name not in made}
    names = _name_extents([t.shape or () for several in types.values() for t in several])
    for name, kind in given:
        if name not in made:
            tensors = tuple(_make_argument(c, t, list(map(names, t.shape or ())), name) for t in types[name])
            c.values[name] = TensorSequence(tensors, kind.element) if isinstance(kind, SequenceType) else tensors[0]
            _enter_claim(stated, kind, c.values[name])
    declared = [t.element for several in types.values() for t in several]
    stated.narrow = {at: BY_NAME[element] for at, element in enumerate(declared) if element in BY_NAME}
    return stated


def _make_argument(c: Importer, kind: Type, extents: list[Any], name: str) -> Any:
    return hold(lambda extents, element: from_value(c.builder.argument(element, extents, name)), extents, kind.element)


def _check_initializer(model: str, name: str, kind: Type | SequenceType | str | None, array: Array) -> None:
    """Raises an error where an input has an initializer of another type than the model declares."""
    if isinstance(kind, Type):
        shape = kind.shape if kind.shape is not None else array.array.shape
        differs = [have for have, told in zip(array.array.shape, shape) if isinstance(told, int) and told != have]
        if kind.element != array.element or len(shape) != array.array.ndim or differs:
            raise CompileError(
                f"{model}: error: the input {name!r} is declared as {kind.element}{list(shape)}, but its initializer "
                f"is {array.element}{list(array.array.shape)}"
            )


def _enter_claim(stated: Stated, kind: Type | SequenceType | str | None, value: Any) -> None:
    """Enters what an input tells of the names in its type."""
    if isinstance(kind, Type) and kind.shape is not None:
        for axis, declared in enumerate(kind.shape):
            stated.enter(declared, release(value), axis)


def _types_of(
    model: str,
    name: str,
    kind: Type | SequenceType | str | None,
    chosen: Sequence[Any] | None,
    fixed: Mapping[str, Any],
) -> list[Type]:
    """Returns the types of an input's tensors, with the extents that the user has chosen, and those that constants
    fix."""
    if isinstance(kind, Type) and kind.shape is not None and chosen is None:
        kind = Type(
            kind.element,
            tuple(fixed.get(extent, extent) if isinstance(extent, str) else extent for extent in kind.shape),
        )
    if not isinstance(kind, SequenceType):
        return [_type_of(model, f"the input {name!r}", kind, chosen, f"shapes={{{name!r}: (...)}}")]
    if chosen is None:
        raise ValueError(
            f"{model}: error: the input {name!r} is a sequence, of which a program takes a known number of tensors; "
            f"give shapes={{{name!r}: [(...), (...)]}} with a shape for each, or None for the model's"
        )
    if isinstance(chosen, str) or not isinstance(chosen, Sequence):
        raise TypeError(f"{model}: error: shapes= gives the input {name!r} {chosen!r}, which is no list of shapes")
    return [
        _type_of(
            model,
            f"tensor {i} of the input {name!r}",
            Type(kind.element, kind.shape),
            one,
            f"shapes={{{name!r}: [(...)]}}",
        )
        for i, one in enumerate(chosen)
    ]


def _type_of(model: str, what: str, kind: Type | str | None, chosen: Sequence[Any] | None, advice: str) -> Type:
    if not isinstance(kind, Type):
        raise TypeError(
            f"{model}: error: {what} has no type that can be imported: {kind or 'the model does not give it'}"
        )
    if kind.shape is None:
        if chosen is None:
            raise ValueError(
                f"{model}: error: {what} has no shape in the model; give {advice}, where None is an open extent"
            )
    elif chosen is None:
        return kind
    if isinstance(chosen, str) or not isinstance(chosen, Sequence):
        raise TypeError(f"{model}: error: shapes= gives {what} {chosen!r}, which is no list of extents")
    if kind.shape is not None and len(chosen) != len(kind.shape):
        raise ValueError(f"{model}: error: {what} has {len(kind.shape)} axes, but shapes= gives {len(chosen)}")
    for axis, theirs in enumerate(chosen):
        if not (theirs is None or (isinstance(theirs, (int, str)) and not isinstance(theirs, bool))):
            raise TypeError(f"{model}: error: the extent {theirs!r} of {what}, axis {axis}, is no number, name or None")
        if isinstance(theirs, int) and theirs < 0:
            raise ValueError(f"{model}: error: the extent {theirs} of {what}, axis {axis}, is negative")
    return Type(kind.element, tuple(chosen))


def _check_names(what: str, given: Mapping[str, Any], known: Sequence[str]) -> None:
    for name in given:
        if name not in known:
            listed = ", ".join(map(repr, known)) or "none"
            raise ValueError(f"{what}= names {name!r}, which is no input of the model; inputs are: {listed}")


def _make_constants(name: str, kind: Type | SequenceType | str | None, given: NDArray[Any]) -> Known | TensorSequence:
    if not isinstance(kind, SequenceType):
        return _make_constant(name, kind, given)
    if isinstance(given, (str, bytes, np.ndarray)) or not isinstance(given, Sequence):
        raise TypeError(
            f"constants= gives {name!r} as {type(given).__name__}, but the input is a sequence: give a list of arrays"
        )
    return TensorSequence(
        tuple(_make_constant(name, Type(kind.element, kind.shape), one) for one in given), kind.element
    )


def _make_constant(name: str, kind: Type | str | None, given: NDArray[Any]) -> Known:
    if not isinstance(kind, Type):
        raise TypeError(f"the input {name!r} cannot be a constant: {kind or 'the model does not give its type'}")
    dtype = program.to_numpy(storage_of(kind.element))
    array = np.asarray(given)
    if kind.element in BY_NAME and hasattr(given, "dtype"):
        array = BY_NAME[kind.element].to_storage(array)
        given = array
    if (
        array.dtype != dtype
        and array.size
        and (hasattr(given, "dtype") or not np.can_cast(array.dtype, dtype, "same_kind"))
    ):
        hint = f"; give it as .astype({str(dtype)!r})" if hasattr(given, "dtype") else ""
        raise TypeError(f"constants= gives {name!r} as {array.dtype}, but the input has elements of {dtype}{hint}")
    if (
        array.dtype.kind in "iu"
        and not program.is_float(storage_of(kind.element))
        and (array.astype(dtype) != array).any()
    ):
        low, high = program.limits(storage_of(kind.element))
        raise ValueError(
            f"constants= gives {name!r} numbers that are not from {low} to {high}, the elements of {dtype}"
        )
    array = array.astype(dtype)
    if kind.shape is not None:
        fits = len(kind.shape) == array.ndim and all(
            not isinstance(mine, int) or mine == have for mine, have in zip(kind.shape, array.shape)
        )
        if not fits:
            raise ValueError(
                f"constants= gives {name!r} with the shape {list(array.shape)}, but the input has {list(kind.shape)}"
            )
    made: Known = hold(Known, array, kind.element)
    return made


def _name_extents(shapes: Sequence[Sequence[int | str | None]]) -> Callable[..., Any]:
    """Returns what the program calls an extent of the model: one text is one extent."""
    texts = dict.fromkeys(e for shape in shapes for e in shape if isinstance(e, str) and e not in NO_NAMES)
    # A formula has a letter: what is written as '1' is a name too.
    names = {text: text for text in texts if text.isidentifier() or not re.search(r"[^\W\d]", text)}
    formulas = {}
    for text in texts:
        if text not in names:
            formulas[text] = spell_formula(text, names)
            if formulas[text] is None:
                names[text] = text
    spelled: dict[str, str] = {}
    for text in names:
        plain_name = re.sub(r"\W", "_", text, flags=re.ASCII).lstrip("0123456789") or "_"
        plain_name += "_" if plain_name in _WORDS else ""
        while plain_name in spelled.values():
            plain_name += "_"
        spelled[text] = plain_name
    # Formulas are of the names as they are spelled.
    for text, formula in formulas.items():
        if formula is not None:
            formulas[text] = spell_formula(text, spelled)

    def name(extent: int | str | None) -> int | str | None:
        return (spelled.get(extent) or formulas.get(extent)) if isinstance(extent, str) else extent

    return name
