"""Operations of ATen whose indices are data."""

from __future__ import annotations

from .. import _program as program
from .._program import Value, broadcast_known
from .._tensors._tensor import Number, Tensor, plain, settle
from .._tensors._views import view
from ._context import Context, Unsupported, operation


@operation("embedding.default")
def _embedding(c: Context, weight, indices, *rest):
    return plain(program.take(settle(weight), settle(indices), 0))


@operation("index_select.default")
def _index_select(c: Context, x, dim, indices):
    if x.rank == 0:
        return x
    return plain(program.take(settle(x), settle(indices), dim))


@operation("gather.default")
def _gather(c: Context, x, dim, indices, *, sparse_grad=False):
    return plain(program.gather_elements(settle(x), settle(indices), dim))


@operation("index.Tensor", "_unsafe_index.Tensor")
def _index(c: Context, x, indices):
    given = [(axis, c.tensor(index)) for axis, index in enumerate(indices) if index is not None]
    for _, index in given:
        if index.element in ("i1", "ui8"):
            raise Unsupported("an index that is a mask, whose number of elements data decides; use torch.where")
    if len(given) == 1:
        axis, index = given[0]
        return plain(program.take(settle(x), settle(index), axis))
    axes = [axis for axis, _ in given]
    values = [settle(index) for _, index in given]
    rank = max(value.rank for value in values)
    joint = [c.number(size) for size in _joint_shape(c, x, axes, rank)]
    together = axes == list(range(axes[0], axes[0] + len(axes)))
    first = axes[0] if together else 0
    return plain(_pick(settle(x), axes, values, joint, first))


def _joint_shape(c: Context, x: Tensor, axes, rank: int):
    """The sizes of the broadcast indices, as the result has them."""
    together = axes == list(range(axes[0], axes[0] + len(axes)))
    first = axes[0] if together else 0
    return c.type.shape[first : first + rank]


def _pick(x: Value, axes, indices, joint: list[Number], first: int) -> Value:
    """The elements of x at indices along several axes, which stand from axis `first`
    of the result on."""
    rank = len(joint)
    rest = [axis for axis in range(x.rank) if axis not in axes]
    shape = [program.extent(x, axis) for axis in rest]
    shape[first:first] = joint
    given = []
    for axis, value in zip(axes, indices):
        if value.extents != broadcast_known([value.extents, [None] * rank]) or value.rank < rank:
            value = program.broadcast_to(value, joint)
        given.append(program.wrap_indices(value, program.extent(x, axis)))

    def code(body, places, *found):
        chosen = list(places[:first]) + list(places[first + rank :])
        names = dict(zip(rest, chosen))
        for axis, name, value in zip(axes, found, given):
            names[axis] = program.to_index(body, name, value.element)
        listed = ", ".join(names[axis] for axis in range(x.rank))
        return body.make(f"tensor.extract {x.name}[{listed}] : {x.type}")

    inputs = [(value, range(first, first + rank)) for value in given]
    return program.elements(x.builder, shape, x.element, inputs, code)


@operation("take.default")
def _take(c: Context, x, indices):
    flat = view(c, x, [program.product(x.extents)])
    return plain(program.take(settle(flat), settle(indices), 0))
