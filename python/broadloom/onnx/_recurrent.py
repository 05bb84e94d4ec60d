"""Recurrent layers. What is not recurrent, the product of all inputs with the weights,
is computed before the loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import _program as program
from .._program import Value
from .._tensors._fits import require_extents, require_numbers
from .._tensors._regions import repeat
from .._tensors._tensor import Held, Number, Tensor, from_value, permute, to_value
from .._tensors._views import drop_axes, part, view
from ._context import Context, Known, Operand, Unsupported, operator
from ._data import require_within
from ._products import multiply_matrices

_ACTIVATIONS: dict[str, Callable[[Value], Value]] = {
    "sigmoid": program.sigmoid,
    "tanh": program.tanh,
    "relu": lambda x: program.maximum(x, 0.0),
    "softsign": lambda x: program.divide(x, program.add(program.absolute(x), 1.0)),
}


def _activations(
    names: Sequence[str] | None, default: Sequence[str], directions: int
) -> list[list[Callable[[Value], Value]]]:
    """Returns the activations of each direction."""
    names = list(names or [*default] * directions)
    if len(names) != len(default) * directions:
        raise ValueError(f"{len(names)} activations are given for {directions} directions of {len(default)}")
    for name in names:
        if name.lower() not in _ACTIVATIONS:
            raise Unsupported(f"the activation {name!r}; there are {', '.join(_ACTIVATIONS)}")
    found = [_ACTIVATIONS[name.lower()] for name in names]
    return [found[i : i + len(default)] for i in range(0, len(found), len(default))]


class _Layer:
    """The weights and the loop over steps that the operators have in common."""

    def __init__(
        self,
        c: Context,
        x: Operand,
        weight: Operand,
        recurrence: Operand,
        bias: Operand | None,
        lengths: Operand | None,
        direction: str,
        layout: int,
        gates: int,
        size: int | None,
    ) -> None:
        self.c = c
        x = c.tensor(x)
        #: [steps, batch, inputs].
        self.x = Tensor(x.value, (x.order[1], x.order[0], x.order[2])) if layout else x
        self.weights, self.bias, self.layout, self.gates = (weight, recurrence), bias, layout, gates
        if direction not in ("forward", "reverse", "bidirectional"):
            raise Unsupported(f"the direction {direction!r}")
        self.backward = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}[direction]
        count, batch = len(self.backward), self.x.extent(1)
        self.size = recurrence.shape[2] if isinstance(recurrence, Held) else recurrence.extent(2)
        rows = gates * self.size
        for operand, wanted, what in (
            (weight, [count, rows, self.x.extent(2)], "weight W"),
            (recurrence, [count, rows, self.size], "recurrence R"),
            (bias, [count, 2 * rows], "bias B"),
        ):
            require_extents(c, operand, wanted, what)
        if size is not None:
            program.require(
                c.builder, "eq", self.size, size, "the recurrence R is of {0} elements, but hidden_size is {1}"
            )
        if lengths is not None:
            require_numbers(c, lengths, batch, "list of lengths", "sequences")
            require_within(c, lengths, self.x.extent(0), "length", "the number of steps")
        self.lengths = None if lengths is None else program.expand(program.cast(c.value(lengths), "i64"), [1])

    def of(self, operand: Operand, number: int) -> Operand:
        """Takes what one direction has of a weight."""
        if isinstance(operand, Known):
            return Known(operand.array[number], operand.element)
        return drop_axes(part(operand, 0, number, 1), [0])

    def start(self, given: Operand | None, number: int) -> Value:
        """Returns the first state: [batch, size]."""
        c = self.c
        batch = self.x.extent(1)
        if given is None:
            return program.broadcast_to(c.scalar(0.0, self.x.element), [batch, self.size])
        given = c.tensor(given)
        count = len(self.backward)
        require_extents(
            c, given, [batch, count, self.size] if self.layout else [count, batch, self.size], "first state"
        )
        if self.layout:
            given = Tensor(given.value, (given.order[1], given.order[0], given.order[2]))
        return c.value(self.of(given, number))

    def project(self, number: int, biases: Sequence[int]) -> Value:
        """Multiplies the inputs of all steps by the weight, and adds parts of the bias."""
        c, p = self.c, program
        steps, batch, width = self.x.extents
        flat = view(c, self.x, [steps * batch, width])
        made = to_value(multiply_matrices(c, flat, permute(self.of(self.weights[0], number), [1, 0])))
        for part_ in biases:
            if self.bias is not None:
                made = p.add(made, self.part_of_bias(self.bias, number, part_))
        return p.reshape(made, [steps, batch, self.gates * self.size])

    def part_of_bias(self, bias: Operand, number: int, which: int) -> Value:
        """Takes a part of the bias: that of the inputs is 0, that of the recurrence 1."""
        whole = self.c.value(self.of(bias, number))
        count = self.gates * self.size
        return program.take_slice(whole, 0, which * count, count)

    def recur(self, number: int) -> Callable[[Value], Value]:
        """Returns a function that multiplies a state by the weight of the recurrence."""
        matrix = self.c.value(permute(self.of(self.weights[1], number), [1, 0]))
        return lambda state: program.matmul(state, matrix)

    def gate(self, x: Value, number: int) -> Value:
        """Takes a part of the sums of a step."""
        return program.take_slice(x, 1, number * self.size, self.size)

    def run(
        self, step: Callable[..., list[Value]], starts: Sequence[Sequence[Value]], projected: Sequence[Value]
    ) -> tuple[Tensor, ...]:
        """Runs all directions: `step(number, inputs, states)` gives the next states. Returns the results of all steps
        and the last states."""
        c, p = self.c, program
        steps, batch = self.x.extent(0), self.x.extent(1)
        rows, lasts = [], []
        for number, (backward, start) in enumerate(zip(self.backward, starts)):

            def one(at: Number, states: Sequence[Value], number: int = number) -> tuple[list[Value], list[Value]]:
                inputs = p.squeeze(p.take_slice(projected[number], 0, at, 1), [0])
                made = step(number, inputs, states)
                shown = made[0]
                if self.lengths is not None:
                    inside = p.greater(self.lengths, p.scalar(c.builder, at, "i64"))
                    shown = p.select(inside, shown, 0.0)
                    made = [p.select(inside, new, old) for new, old in zip(made, states)]
                return made, [shown]

            last, (row,) = repeat(c, steps, start, [(self.x.element, [batch, self.size])], one, backward)
            rows.append(p.expand(row, [1]))
            lasts.append([p.expand(state, [0]) for state in last])
        whole = p.concat(rows, 1)
        states = [p.concat(list(parts), 0) for parts in zip(*lasts)]
        if self.layout:
            whole = p.transpose(whole, [2, 0, 1, 3])
            states = [p.transpose(state, [1, 0, 2]) for state in states]
        return tuple(map(from_value, (whole, *states)))[: max(c.outputs, 1)]


def _clip(x: Value, clip: float | None) -> Value:
    return x if clip is None else program.clip(x, -clip, clip)


@operator("RNN", since=7)
def _rnn(
    c: Context,
    x: Operand,
    weight: Operand,
    recurrence: Operand,
    bias: Operand | None = None,
    lengths: Operand | None = None,
    start: Operand | None = None,
    *,
    activations: Sequence[str] | None = None,
    activation_alpha: Sequence[float] | None = None,
    activation_beta: Sequence[float] | None = None,
    clip: float | None = None,
    direction: str = "forward",
    hidden_size: int | None = None,
    layout: int = 0,
) -> tuple[Tensor, ...]:
    layer = _Layer(c, x, weight, recurrence, bias, lengths, direction, layout, 1, hidden_size)
    functions = _activations(activations, ["Tanh"], len(layer.backward))
    numbers = range(len(layer.backward))
    recur = [layer.recur(number) for number in numbers]

    def step(number: int, inputs: Value, states: Sequence[Value]) -> list[Value]:
        return [functions[number][0](_clip(program.add(inputs, recur[number](states[0])), clip))]

    return layer.run(step, [[layer.start(start, n)] for n in numbers], [layer.project(n, [0, 1]) for n in numbers])


@operator("GRU", since=7)
def _gru(
    c: Context,
    x: Operand,
    weight: Operand,
    recurrence: Operand,
    bias: Operand | None = None,
    lengths: Operand | None = None,
    start: Operand | None = None,
    *,
    activations: Sequence[str] | None = None,
    activation_alpha: Sequence[float] | None = None,
    activation_beta: Sequence[float] | None = None,
    clip: float | None = None,
    direction: str = "forward",
    hidden_size: int | None = None,
    layout: int = 0,
    linear_before_reset: int = 0,
) -> tuple[Tensor, ...]:
    p = program
    layer = _Layer(c, x, weight, recurrence, bias, lengths, direction, layout, 3, hidden_size)
    functions = _activations(activations, ["Sigmoid", "Tanh"], len(layer.backward))
    numbers, size = range(len(layer.backward)), layer.size
    matrices = [c.value(permute(layer.of(recurrence, number), [1, 0])) for number in numbers]
    offsets = [None if bias is None else layer.part_of_bias(bias, number, 1) for number in numbers]

    def columns(value: Value, first: int, count: int) -> Value:
        return p.take_slice(value, value.rank - 1, first * size, count * size)

    def shift(value: Value, number: int, first: int, count: int) -> Value:
        offset = offsets[number]
        return value if offset is None else p.add(value, columns(offset, first, count))

    def step(number: int, inputs: Value, states: Sequence[Value]) -> list[Value]:
        (state,) = states
        sigmoid, tanh = functions[number]
        both = shift(p.matmul(state, columns(matrices[number], 0, 2)), number, 0, 2)
        gates = sigmoid(_clip(p.add(columns(inputs, 0, 2), both), clip))
        update, reset = layer.gate(gates, 0), layer.gate(gates, 1)
        matrix = columns(matrices[number], 2, 1)
        if linear_before_reset:
            mixed = p.multiply(reset, shift(p.matmul(state, matrix), number, 2, 1))
        else:
            mixed = shift(p.matmul(p.multiply(reset, state), matrix), number, 2, 1)
        fresh = tanh(_clip(p.add(columns(inputs, 2, 1), mixed), clip))
        return [p.add(p.multiply(p.subtract(1.0, update), fresh), p.multiply(update, state))]

    return layer.run(step, [[layer.start(start, n)] for n in numbers], [layer.project(n, [0]) for n in numbers])


@operator("LSTM", since=7)
def _lstm(
    c: Context,
    x: Operand,
    weight: Operand,
    recurrence: Operand,
    bias: Operand | None = None,
    lengths: Operand | None = None,
    start: Operand | None = None,
    cell: Operand | None = None,
    peepholes: Operand | None = None,
    *,
    activations: Sequence[str] | None = None,
    activation_alpha: Sequence[float] | None = None,
    activation_beta: Sequence[float] | None = None,
    clip: float | None = None,
    direction: str = "forward",
    hidden_size: int | None = None,
    input_forget: int = 0,
    layout: int = 0,
) -> tuple[Tensor, ...]:
    p = program
    layer = _Layer(c, x, weight, recurrence, bias, lengths, direction, layout, 4, hidden_size)
    functions = _activations(activations, ["Sigmoid", "Tanh", "Tanh"], len(layer.backward))
    numbers, size = range(len(layer.backward)), layer.size
    recur = [layer.recur(number) for number in numbers]
    require_extents(c, peepholes, [len(layer.backward), 3 * size], "peepholes P")
    looks = [None if peepholes is None else c.value(layer.of(peepholes, number)) for number in numbers]

    def look(sums: Value, number: int, which: int, state: Value) -> Value:
        """Adds to a gate what it sees of the cell, where there are peepholes."""
        seen = looks[number]
        if seen is None:
            return sums
        return p.add(sums, p.multiply(p.take_slice(seen, 0, which * size, size), state))

    def step(number: int, inputs: Value, states: Sequence[Value]) -> list[Value]:
        hidden, old = states
        first, second, third = functions[number]
        sums = p.add(inputs, recur[number](hidden))
        enter = first(_clip(look(layer.gate(sums, 0), number, 0, old), clip))
        forget = first(_clip(look(layer.gate(sums, 2), number, 2, old), clip))
        if input_forget:
            forget = p.subtract(1.0, enter)
        fresh = second(_clip(layer.gate(sums, 3), clip))
        new = p.add(p.multiply(forget, old), p.multiply(enter, fresh))
        leave = first(_clip(look(layer.gate(sums, 1), number, 1, new), clip))
        return [p.multiply(leave, third(new)), new]

    starts = [[layer.start(start, n), layer.start(cell, n)] for n in numbers]
    return layer.run(step, starts, [layer.project(n, [0, 1]) for n in numbers])
