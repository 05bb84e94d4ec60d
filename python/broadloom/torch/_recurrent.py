"""Recurrent layers over any number of steps. The product of all inputs with the weights is computed before the loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._products import linear
from .._tensors._regions import repeat
from .._tensors._sums import wide_type
from .._tensors._tensor import Number, Tensor, from_value, permute, to_value
from ._context import Context, Unsupported, operation
from ._stored import Operand

#: Computes the next states of sums: those of the inputs, those of the hidden state, and the states.
_Cell = Callable[[Value, Value, Sequence[Value]], list[Value]]


def _gates(sums: Value, count: int) -> list[Value]:
    """Splits sums [batch, gates * size] into those of the gates."""
    size = program.extent(sums, 1) // count
    return [program.take_slice(sums, 1, gate * size, size) for gate in range(count)]


def _step_lstm(inputs: Value, hidden: Value, states: Sequence[Value]) -> list[Value]:
    p = program
    enter, forget, fresh, leave = _gates(p.add(inputs, hidden), 4)
    cell = p.add(p.multiply(p.sigmoid(forget), states[1]), p.multiply(p.sigmoid(enter), p.tanh(fresh)))
    return [p.multiply(p.sigmoid(leave), p.tanh(cell)), cell]


def _step_gru(inputs: Value, hidden: Value, states: Sequence[Value]) -> list[Value]:
    p = program
    reset, update, fresh = _gates(inputs, 3)
    reset_state, update_state, fresh_state = _gates(hidden, 3)
    kept = p.sigmoid(p.add(update, update_state))
    new = p.tanh(p.add(fresh, p.multiply(p.sigmoid(p.add(reset, reset_state)), fresh_state)))
    return [p.add(new, p.multiply(kept, p.subtract(states[0], new)))]


def _step_tanh(inputs: Value, hidden: Value, states: Sequence[Value]) -> list[Value]:
    return [program.tanh(program.add(inputs, hidden))]


def _step_relu(inputs: Value, hidden: Value, states: Sequence[Value]) -> list[Value]:
    return [program.maximum(program.add(inputs, hidden), 0.0)]


class _Weights:
    """The weights of one direction of a layer, or of a cell."""

    def __init__(self, c: Context, own: Sequence[Operand | None]) -> None:
        self.c = c
        filled: list[Operand | None] = [*own, *(None for _ in range(5 - len(own)))]
        self.inputs, recurrence, self.bias, bias, projection = filled
        assert recurrence is not None
        self.recurrence = permute(recurrence, [1, 0])
        self.recurrent_bias = bias
        #: Of the hidden state, which is smaller than the cell (proj_size).
        self.projection = None if projection is None else permute(projection, [1, 0])

    def project(self, x: Tensor) -> Tensor:
        """Multiplies the inputs of all steps by their weight."""
        assert self.inputs is not None
        return linear(self.c, x, permute(self.inputs, [1, 0]), self.bias)

    def stepper(self, cell: _Cell, element: str) -> Callable[[Value, Sequence[Value]], list[Value]]:
        """Returns what computes the next states of projected inputs and states. It multiplies numbers of `element`, and
        computes in f32 or f64 what is between."""
        c, p, wide = self.c, program, wide_type(element)
        for operand in (self.recurrence, self.recurrent_bias, self.projection):
            if operand is not None:
                # A loop reads what is there before it.
                to_value(c.tensor(operand))

        def step(inputs: Value, states: Sequence[Value]) -> list[Value]:
            sums = to_value(linear(c, from_value(states[0]), self.recurrence, self.recurrent_bias))
            made = cell(p.cast(inputs, wide), p.cast(sums, wide), [p.cast(state, wide) for state in states])
            made = [p.cast(state, element) for state in made]
            if self.projection is not None:
                made[0] = to_value(linear(c, from_value(made[0]), self.projection, None))
            return made

        return step


def _take(state: Tensor, number: int) -> Value:
    """Takes the state of one direction of one layer."""
    return program.squeeze(program.take_slice(to_value(state), 0, number, 1), [0])


def _run_direction(
    c: Context, cell: _Cell, x: Tensor, start: Sequence[Value], own: Sequence[Operand | None], backward: bool
) -> tuple[list[Value], Value]:
    """Runs one direction of one layer; returns the last states and the results of all steps."""
    p, shared = program, _Weights(c, own)
    projected, step = to_value(shared.project(x)), shared.stepper(cell, x.element)

    def one(at: Number, given: Sequence[Value]) -> tuple[list[Value], list[Value]]:
        made = step(p.squeeze(p.take_slice(projected, 0, at, 1), [0]), given)
        return made, [made[0]]

    last, (rows,) = repeat(c, x.extent(0), start, [(x.element, p.extents(start[0]))], one, backward)
    return last, rows


def _run(
    c: Context,
    cell: _Cell,
    x: Tensor,
    states: Sequence[Tensor],
    weights: Sequence[Operand],
    has_biases: bool,
    layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> tuple[Tensor, ...]:
    """Runs all layers; returns the results of all steps and the last states, as ATen's operations do."""
    p = program
    if dropout and train:
        raise Unsupported("dropout between recurrent layers in training mode; call .eval() on the module")
    x = Tensor(x.value, (x.order[1], x.order[0], x.order[2])) if batch_first else x
    p.require(c.builder, "sge", x.extent(0), 1, "a recurrent layer takes at least {1} step, but there are {0}")
    directions = [False, True] if bidirectional else [False]
    per = len(weights) // (layers * len(directions))
    lasts: list[list[Value]] = []
    for _ in range(layers):
        sides: list[Value] = []
        for backward in directions:
            number = len(lasts)
            own: list[Operand | None] = list(weights[number * per : (number + 1) * per])
            if not has_biases:
                own[2:2] = [None, None]
            last, rows = _run_direction(c, cell, x, [_take(state, number) for state in states], own, backward)
            sides.append(rows)
            lasts.append([p.expand(state, [0]) for state in last])
        x = from_value(sides[0] if len(sides) == 1 else p.concat(sides, 2))
    if batch_first:
        x = Tensor(x.value, (x.order[1], x.order[0], x.order[2]))
    return (x, *(from_value(p.concat(list(parts), 0)) for parts in zip(*lasts)))


@operation("lstm.input", "broadloom.lstm.default", stored=True)
def _lstm(
    c: Context, x: Operand, states: Sequence[Operand], weights: Sequence[Operand], *more: Any
) -> tuple[Tensor, ...]:
    return _run(c, _step_lstm, c.tensor(x), [c.tensor(state) for state in states], weights, *more)


def _enter(name: str, cell: _Cell) -> None:
    @operation(f"{name}.input", f"broadloom.{name}.default", stored=True)
    def run(c: Context, x: Operand, state: Operand, weights: Sequence[Operand], *more: Any) -> tuple[Tensor, ...]:
        return _run(c, cell, c.tensor(x), [c.tensor(state)], weights, *more)


for _name, _function in (("gru", _step_gru), ("rnn_tanh", _step_tanh), ("rnn_relu", _step_relu)):
    _enter(_name, _function)


def _run_cell(
    c: Context, cell: _Cell, x: Operand, states: Sequence[Operand], weights: Sequence[Operand | None]
) -> list[Tensor]:
    """Computes one step."""
    given = c.tensor(x)
    # In the order of layers: both weights, then both biases.
    shared = _Weights(c, weights)
    values = [to_value(c.tensor(state)) for state in states]
    made = shared.stepper(cell, given.element)(to_value(shared.project(given)), values)
    return [from_value(value) for value in made]


@operation("lstm_cell.default", "broadloom.lstm_cell.default", stored=True)
def _lstm_cell(c: Context, x: Operand, states: Sequence[Operand], *weights: Operand | None) -> tuple[Tensor, ...]:
    return tuple(_run_cell(c, _step_lstm, x, states, weights))


def _enter_cell(name: str, cell: _Cell) -> None:
    @operation(f"{name}.default", f"broadloom.{name}.default", stored=True)
    def run(c: Context, x: Operand, state: Operand, *weights: Operand | None) -> Tensor:
        return _run_cell(c, cell, x, [state], weights)[0]


for _name, _function in (("gru_cell", _step_gru), ("rnn_tanh_cell", _step_tanh), ("rnn_relu_cell", _step_relu)):
    _enter_cell(_name, _function)
