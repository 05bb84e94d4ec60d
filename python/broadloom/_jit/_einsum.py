"""numpy.einsum over arrays without values: products of matrices, from left to right."""

from __future__ import annotations

import collections
import string

import numpy as np

from .. import _program as program
from . import _trace
from ._array import TracedArray, element_of
from ._functions import find_trace, implements
from ._ufuncs import to_array


class _Term:
    """An operand: a value, and a label for each of its axes."""

    def __init__(self, value: program.Value, labels: list[str]):
        self.value = value
        self.labels = labels

    def size(self, label: str):
        return program.extent(self.value, self.labels.index(label))

    def ordered(self, labels) -> program.Value:
        """The value with its axes in this order, which has all of them."""
        return program.transpose(self.value, [self.labels.index(label) for label in labels])

    def sum_over(self, labels) -> _Term:
        """Without some of its axes."""
        if not labels:
            return self
        axes = [i for i, label in enumerate(self.labels) if label in labels]
        kind = "any" if self.value.element == "i1" else "sum"
        return _Term(program.reduce(kind, self.value, axes), [l for l in self.labels if l not in labels])


def _wrong(text: str) -> ValueError:
    return ValueError(f"{_trace.spell_place()}np.einsum: {text}")


def _spell_labels(listed) -> str:
    """A list of axes' numbers, which NumPy takes in the place of a text."""
    if any(not isinstance(i, (int, type(Ellipsis))) for i in listed):
        raise _wrong(f"axes are integers, not {listed!r}")
    return "".join("..." if i is Ellipsis else string.ascii_letters[i] for i in listed)


def _read_arguments(operands):
    """The text of the axes and the operands, of both forms."""
    if operands and isinstance(operands[0], str):
        return operands[0].replace(" ", ""), operands[1:]
    inputs = ",".join(_spell_labels(labels) for labels in operands[1::2])
    if len(operands) % 2:
        inputs += "->" + _spell_labels(operands[-1])
    return inputs, operands[: len(operands) // 2 * 2 : 2]


def _split_labels(text: str, rank: int) -> list[str]:
    """A label for each axis; those that '...' stands for are called '-1' for the last of
    them, '-2' before it, and so on."""
    before, dots, after = text.partition("...")
    if not all(c in string.ascii_letters for c in before + after):
        raise _wrong(f"axes are letters and one '...', not '{text}'")
    hidden = rank - len(before) - len(after)
    if hidden < 0 or (hidden and not dots):
        raise _wrong(f"'{text}' has {len(before) + len(after)} axes, but the operand has {rank}")
    return [*before, *(str(-i) for i in range(hidden, 0, -1)), *after]


def _read_result(text: str | None, terms: list[_Term]) -> list[str]:
    """The labels of the result; without a text, those that are there once, sorted."""
    counts = collections.Counter(label for term in terms for label in term.labels)
    hidden = sorted((label for label in counts if label.startswith("-")), key=int)
    if text is None:
        once = sorted(l for l, n in counts.items() if n == 1 and not l.startswith("-"))
        return hidden + once
    before, dots, after = text.partition("...")
    labels = [*before, *(hidden if dots else ()), *after]
    for label in labels:
        if labels.count(label) > 1:
            raise _wrong(f"the result has axis '{label}' more than once")
        if label not in counts:
            raise _wrong(f"the result has axis '{label}', which no operand has")
    return labels


def _take_diagonals(term: _Term) -> _Term:
    """An operand with each label once: elements whose places on equal labels are equal."""
    labels = list(dict.fromkeys(term.labels))
    if len(labels) == len(term.labels):
        return term
    shape = [term.size(label) for label in labels]
    axes = [labels.index(label) for label in term.labels]
    value = program.elements(
        term.value.builder, shape, term.value.element, [(term.value, axes)], lambda _, places, at: at
    )
    return _Term(value, labels)


def _multiply(x: _Term, y: _Term, kept) -> _Term:
    """The product of two, summed over the axes that are not kept."""
    x = x.sum_over([l for l in x.labels if l not in y.labels and l not in kept])
    y = y.sum_over([l for l in y.labels if l not in x.labels and l not in kept])
    both = [l for l in x.labels if l in y.labels]
    batch, inner = [l for l in both if l in kept], [l for l in both if l not in kept]
    rows = [l for l in x.labels if l not in both]
    columns = [l for l in y.labels if l not in both]
    sizes = {l: program.join_extents(x.size(l), y.size(l)) for l in both}
    sizes.update({l: x.size(l) for l in rows}, **{l: y.size(l) for l in columns})

    def flat(term: _Term, *groups) -> program.Value:
        labels = [label for group in groups for label in group]
        value = program.broadcast_to(term.ordered(labels), [sizes[l] for l in labels])
        return program.reshape(value, [program.product(sizes[l] for l in group) for group in groups])

    if not inner:
        # Element by element; axes of the other are new ones.
        labels = batch + rows + columns
        a = program.expand(x.ordered(batch + rows), range(len(batch) + len(rows), len(labels)))
        b = program.expand(y.ordered(batch + columns), range(len(batch), len(batch) + len(rows)))
        combine = program.bitwise_and if a.element == "i1" else program.multiply
        return _Term(combine(a, b), labels)
    product = program.matmul(flat(x, batch, rows, inner), flat(y, batch, inner, columns))
    labels = batch + rows + columns
    return _Term(program.reshape(product, [sizes[l] for l in labels]), labels)


@implements("einsum")
def einsum(*operands, dtype=None, optimize=False):
    text, given = _read_arguments(operands)
    inputs, arrow, output = text.partition("->")
    listed = inputs.split(",")
    if len(listed) != len(given) or not given:
        raise _wrong(f"'{inputs}' is of {len(listed)} operands, but there are {len(given)}")
    trace = find_trace(given)
    arrays = [to_array(trace, v) for v in given]
    element = element_of(dtype or np.result_type(*(a.dtype for a in arrays)))
    terms = [
        _Term(program.cast(a._value, element), _split_labels(labels, a.ndim))
        for labels, a in zip(listed, arrays)
    ]
    result = _read_result(output if arrow else None, terms)
    terms = [_take_diagonals(term) for term in terms]
    found = terms[0]
    for i, term in enumerate(terms[1:], start=1):
        later = {label for other in terms[i + 1 :] for label in other.labels}
        found = _multiply(found, term, later | set(result))
    found = found.sum_over([label for label in found.labels if label not in result])
    return TracedArray(trace, found.ordered(result))
