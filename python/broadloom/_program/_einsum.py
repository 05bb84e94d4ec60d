"""Sums of products of several operands, told by labels of axes."""

from __future__ import annotations

import collections
import string
from collections.abc import Collection, Sequence

from ._builder import Value
from ._elementwise import bitwise_and, multiply
from ._extents import Number, extent, product
from ._moves import broadcast_to, expand, join_extents, reshape, transpose
from ._picking import elements
from ._sums import matmul, reduce


def split_labels(text: str, rank: int) -> list[str]:
    """Returns a label for each axis; those that '...' stands for are called '-1' for the last of
    them, '-2' before it, and so on."""
    before, dots, after = text.partition("...")
    if not all(c in string.ascii_letters for c in before + after):
        raise ValueError(f"axes are letters and one '...', not '{text}'")
    hidden = rank - len(before) - len(after)
    if hidden < 0 or (hidden and not dots):
        raise ValueError(f"'{text}' has {len(before) + len(after)} axes, but the operand has {rank}")
    return [*before, *(str(-i) for i in range(hidden, 0, -1)), *after]


def read_result(text: str | None, terms: Sequence[Sequence[str]]) -> list[str]:
    """Returns the labels of the result; without a text, those that are there once, sorted."""
    counts = collections.Counter(label for labels in terms for label in labels)
    hidden = sorted((label for label in counts if label.startswith("-")), key=int)
    if text is None:
        once = sorted(label for label, n in counts.items() if n == 1 and not label.startswith("-"))
        return hidden + once
    before, dots, after = text.partition("...")
    labels = [*before, *(hidden if dots else ()), *after]
    for label in labels:
        if labels.count(label) > 1:
            raise ValueError(f"the result has axis '{label}' more than once")
        if label not in counts:
            raise ValueError(f"the result has axis '{label}', which no operand has")
    return labels


def _take_diagonals(term: _Term) -> _Term:
    """Returns an operand with each label once: elements whose indices on equal labels are equal."""
    labels = list(dict.fromkeys(term.labels))
    if len(labels) == len(term.labels):
        return term
    shape = [term.size(label) for label in labels]
    axes = [labels.index(label) for label in term.labels]
    value = elements(term.value.builder, shape, term.value.element, [(term.value, axes)], lambda _, point, at: at)
    return _Term(value, labels)


def _multiply(x: _Term, y: _Term, kept: Collection[str]) -> _Term:
    """Returns the product of two, summed over the axes that are not kept."""
    x = x.sum_over([label for label in x.labels if label not in y.labels and label not in kept])
    y = y.sum_over([label for label in y.labels if label not in x.labels and label not in kept])
    both = [label for label in x.labels if label in y.labels]
    batch, inner = [label for label in both if label in kept], [label for label in both if label not in kept]
    rows = [label for label in x.labels if label not in both]
    columns = [label for label in y.labels if label not in both]
    sizes = {label: join_extents(x.size(label), y.size(label)) for label in both}
    sizes.update({label: x.size(label) for label in rows}, **{label: y.size(label) for label in columns})

    def flat(term: _Term, *groups: Sequence[str]) -> Value:
        labels = [label for group in groups for label in group]
        value = broadcast_to(term.ordered(labels), [sizes[label] for label in labels])
        return reshape(value, [product(sizes[label] for label in group) for group in groups])

    if not inner:
        # Element by element; axes of the other are new ones.
        labels = batch + rows + columns
        a = expand(x.ordered(batch + rows), range(len(batch) + len(rows), len(labels)))
        b = expand(y.ordered(batch + columns), range(len(batch), len(batch) + len(rows)))
        combine = bitwise_and if a.element == "i1" else multiply
        return _Term(combine(a, b), labels)
    made = matmul(flat(x, batch, rows, inner), flat(y, batch, inner, columns))
    labels = batch + rows + columns
    return _Term(reshape(made, [sizes[label] for label in labels]), labels)


class _Term:
    """An operand: a value, and a label for each of its axes."""

    def __init__(self, value: Value, labels: list[str]):
        self.value = value
        self.labels = labels

    def size(self, label: str) -> Number:
        return extent(self.value, self.labels.index(label))

    def ordered(self, labels: Sequence[str]) -> Value:
        """Returns the value with its axes in this order, which has all of them."""
        return transpose(self.value, [self.labels.index(label) for label in labels])

    def sum_over(self, labels: Sequence[str]) -> _Term:
        """Returns the term summed over some of its axes."""
        if not labels:
            return self
        axes = [i for i, label in enumerate(self.labels) if label in labels]
        kind = "any" if self.value.element == "i1" else "sum"
        return _Term(reduce(kind, self.value, axes), [label for label in self.labels if label not in labels])


def einsum(values: Sequence[Value], labels: Sequence[Sequence[str]], result: Sequence[str]) -> Value:
    """Returns the sum of products with axes `result`, from left to right as products of
    matrices, of operands with a label for each axis (`split_labels`)."""
    terms = [_take_diagonals(_Term(value, list(own))) for value, own in zip(values, labels)]
    found = terms[0]
    for i, term in enumerate(terms[1:], start=1):
        later = {label for other in terms[i + 1 :] for label in other.labels}
        found = _multiply(found, term, later | set(result))
    found = found.sum_over([label for label in found.labels if label not in result])
    return found.ordered(result)
