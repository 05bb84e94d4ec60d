"""Complex numbers of ATen, as pairs of tensors: programs have none. Fourier transforms give them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any

from .. import _program as program
from .._program import Value
from .._tensors._fourier import extend, multiply_pairs, transform
from .._tensors._tensor import Number, Tensor, from_value, to_value
from . import _elementwise, _indexing, _products, _scatter, _shapes, _sums  # noqa: F401
from ._context import OPERATIONS, Context, Rule, Unsupported, elementwise, name_operation, operation
from ._graph import COMPLEX_PARTS, Node, Type


@dataclasses.dataclass(frozen=True)
class Pair:
    """Complex numbers: their real and their imaginary parts, of one shape."""

    real: Tensor
    imaginary: Tensor


#: Rules of operations that take or give complex numbers.
COMPLEX: dict[str, Rule] = {}


def enter(*names: str) -> Callable[[Rule], Rule]:
    """Enters the rule of operations that take or give complex numbers."""

    def note(rule: Rule) -> Rule:
        COMPLEX.update({name_operation(name): rule for name in names})
        return rule

    return note


def part_type(type_: Any) -> Any:
    """Returns the type of the parts of complex numbers; other types are what they are."""
    if isinstance(type_, tuple):
        return tuple(map(part_type, type_))
    return Type(COMPLEX_PARTS.get(type_.element, type_.element), type_.shape) if isinstance(type_, Type) else type_


def is_complex(type_: Any) -> bool:
    """Tells whether a type, or one of several, is of complex numbers."""
    if isinstance(type_, tuple):
        return any(map(is_complex, type_))
    return isinstance(type_, Type) and type_.element in COMPLEX_PARTS


def split(value: Value) -> Pair:
    """Returns the parts of what has them in its last axis."""
    axis = value.rank - 1
    parts = (from_value(program.squeeze(program.take_slice(value, axis, at, 1), [axis])) for at in range(2))
    return Pair(*parts)


def join(pair: Pair) -> Value:
    """Puts both parts in a last axis."""
    parts = [to_value(part) for part in (pair.real, pair.imaginary)]
    return program.concat([program.expand(part, [part.rank]) for part in parts], parts[0].rank)


def as_pair(c: Context, x: Any, element: str | None = None) -> Pair:
    """Returns an operand as a pair, in an element type or else that of the result's parts."""
    if element is None:
        element = part_type(c.node.type).element
        element = element if program.is_float(element) else "f32"
    if isinstance(x, Pair):
        return Pair(*(Tensor(program.cast(part.value, element), part.order) for part in (x.real, x.imaginary)))
    if isinstance(x, complex):
        return Pair(*(from_value(c.scalar(number, element)) for number in (x.real, x.imag)))
    tensor = from_value(c.scalar(x, element)) if not isinstance(x, Tensor) else x
    real = Tensor(program.cast(tensor.value, element), tensor.order)
    zero = Tensor(program.multiply(program.cast(program.not_equal(real.value, real.value), element), 0.0), real.order)
    return Pair(real, zero)


def each_part(*names: str) -> None:
    """Enters operations that do the same to both parts."""
    for name in names:
        rule, _ = OPERATIONS[f"aten.{name}"]

        def apply(c: Context, x: Any, *args: Any, rule: Rule = rule, **options: Any) -> Any:
            outer = c.node
            c.node = Node(outer.name, outer.target, outer.args, outer.kwargs, part_type(outer.type), outer.location)
            try:
                many = isinstance(x, list)
                pairs = [as_pair(c, one) for one in (x if many else [x])]
                parts = [[pair.real for pair in pairs], [pair.imaginary for pair in pairs]]
                real, imaginary = (rule(c, part if many else part[0], *args, **options) for part in parts)
            finally:
                c.node = outer
            if isinstance(real, tuple):
                return tuple(map(Pair, real, imaginary))
            return Pair(real, imaginary)

        COMPLEX[f"aten.{name}"] = apply


each_part(
    "permute.default", "transpose.int", "t.default", "unsqueeze.default", "squeeze.dim", "squeeze.dims",
    "squeeze.default", "view.default", "_unsafe_view.default", "reshape.default", "flatten.using_ints",
    "expand.default", "repeat.default", "cat.default", "stack.default", "slice.Tensor", "select.int",
    "split_with_sizes.default", "split.Tensor", "unbind.int", "flip.default", "roll.default",
    "constant_pad_nd.default", "sum.default", "sum.dim_IntList", "mean.default", "mean.dim", "index_select.default",
)  # fmt: skip


@enter("clone.default", "alias.default", "detach.default", "resolve_conj.default", "resolve_neg.default")
def _same(c: Context, x: Pair, **options: Any) -> Pair:
    return x


@enter("_to_copy.default")
def _convert(c: Context, x: Pair | Tensor, **options: Any) -> Any:
    if is_complex(c.node.type):
        return as_pair(c, x)
    assert isinstance(x, Pair)
    return Tensor(program.cast(x.real.value, c.element), x.real.order)


COMPLEX["prims.convert_element_type.default"] = lambda c, x, element: _convert(c, x)


@enter("view_as_complex.default")
def _view_as_complex(c: Context, x: Tensor) -> Pair:
    return split(to_value(x))


@enter("view_as_real.default", "view_as_real_copy.default")
def _view_as_real(c: Context, x: Pair) -> Tensor:
    return from_value(join(x))


@enter("real.default")
def _real(c: Context, x: Pair) -> Tensor:
    return x.real


@enter("imag.default")
def _imaginary(c: Context, x: Pair) -> Tensor:
    return x.imaginary


@enter("complex.default")
def _complex(c: Context, real: Tensor, imaginary: Tensor) -> Pair:
    shape = program.join_shapes([real.extents, imaginary.extents])
    values = (to_value(part) for part in (real, imaginary))
    return Pair(*(from_value(program.broadcast_to(value, shape) if shape else value) for value in values))


@enter("polar.default")
def _polar(c: Context, length: Tensor, angle: Tensor) -> Pair:
    p = program
    parts = (elementwise(c, lambda r, a, f=f: p.multiply(r, f(a)), length, angle) for f in (p.cos, p.sin))
    return Pair(*parts)


# Numbers.


def _combine(c: Context, operation: Callable[[Value, Value], Value], x: Tensor, y: Tensor) -> Tensor:
    return elementwise(c, operation, x, y)


def multiply(c: Context, x: Pair, y: Pair) -> Pair:
    """Multiplies element by element."""
    product = lambda a, b, d, e: multiply_pairs((a, b), (d, e))
    return apply(c, product, x.real, x.imaginary, y.real, y.imaginary)


def _scaled(x: Pair, function: Callable[[Value], Value]) -> Pair:
    return Pair(*(Tensor(function(part.value), part.order) for part in (x.real, x.imaginary)))


@enter("mul.Tensor", "mul.Scalar")
def _mul(c: Context, x: Any, y: Any) -> Pair:
    return multiply(c, as_pair(c, x), as_pair(c, y))


@enter("add.Tensor", "add.Scalar")
def _add(c: Context, x: Any, y: Any, *, alpha: Any = 1) -> Pair:
    return _sum(c, program.add, x, y, alpha)


def add(c: Context, x: Any, y: Any) -> Pair:
    """Adds element by element."""
    return _sum(c, program.add, x, y, 1)


def _sum(c: Context, operation: Callable[[Value, Value], Value], x: Any, y: Any, alpha: Any) -> Pair:
    x, y = as_pair(c, x), as_pair(c, y)
    if alpha != 1:
        y = multiply(c, y, as_pair(c, alpha))
    return Pair(_combine(c, operation, x.real, y.real), _combine(c, operation, x.imaginary, y.imaginary))


@enter("sub.Tensor", "sub.Scalar")
def _sub(c: Context, x: Any, y: Any, *, alpha: Any = 1) -> Pair:
    return _sum(c, program.subtract, x, y, alpha)


@enter("div.Tensor", "div.Scalar")
def _div(c: Context, x: Any, y: Any) -> Pair:
    p = program
    if not isinstance(y, (Pair, complex)):
        one, divisor = as_pair(c, x), as_pair(c, y).real
        return Pair(_combine(c, p.divide, one.real, divisor), _combine(c, p.divide, one.imaginary, divisor))
    return multiply(c, as_pair(c, x), _invert(c, as_pair(c, y)))


@enter("reciprocal.default")
def _reciprocal(c: Context, x: Pair) -> Pair:
    return _invert(c, x)


def invert(real: Value, imaginary: Value) -> tuple[Value, Value]:
    """Divides 1 by a number: by its larger part first, so that no square is infinite."""
    p = program
    size = p.maximum(p.absolute(real), p.absolute(imaginary))
    a, b = p.divide(real, size), p.divide(imaginary, size)
    whole = p.multiply(p.add(p.multiply(a, a), p.multiply(b, b)), size)
    return p.divide(a, whole), p.divide(p.negative(b), whole)


def apply(c: Context, function: Callable[..., tuple[Value, Value]], *parts: Tensor, element: str | None = None) -> Pair:
    """Computes both parts of a number from each element of tensors, in that element type if there is one."""
    imaginary: list[Value] = []

    def compute(*values: Value) -> Value:
        real, other = function(*values)
        imaginary.append(other)
        return real

    real = elementwise(c, compute, *parts, element=element)
    return Pair(real, Tensor(imaginary[0], real.order))


def _invert(c: Context, x: Pair) -> Pair:
    return apply(c, invert, x.real, x.imaginary)


@enter("neg.default")
def _neg(c: Context, x: Pair) -> Pair:
    return _scaled(x, program.negative)


@enter("_conj.default", "conj.default", "_conj_physical.default", "conj_physical.default")
def _conj(c: Context, x: Pair) -> Pair:
    return Pair(x.real, Tensor(program.negative(x.imaginary.value), x.imaginary.order))


@enter("abs.default")
def _abs(c: Context, x: Pair) -> Tensor:
    return elementwise(c, program.hypot, x.real, x.imaginary)


@enter("angle.default")
def _angle(c: Context, x: Pair) -> Tensor:
    return elementwise(c, program.arctan2, x.imaginary, x.real)


@enter("mm.default", "bmm.default", "matmul.default", "broadloom.matmul.default", "dot.default", "mv.default")
def _matmul(c: Context, x: Any, y: Any) -> Pair:
    one, other = ((to_value(v.real), to_value(v.imaginary)) for v in (as_pair(c, x), as_pair(c, y)))
    return Pair(*map(from_value, multiply_pairs(one, other, program.matmul)))


@enter("vdot.default")
def _vdot(c: Context, x: Any, y: Any) -> Pair:
    found: Pair = _matmul(c, _conj(c, as_pair(c, x)), y)
    return found


# Fourier transforms.


def _along(pair: tuple[Value, Value | None], axis: int, is_inverse: bool) -> tuple[Value, Value]:
    """Transforms an axis, without a factor."""
    p, rank = program, pair[0].rank
    turn = [at for at in range(rank) if at != axis] + [axis]
    back = [turn.index(at) for at in range(rank)]
    given = [None if part is None else p.transpose(part, turn) for part in pair]
    assert given[0] is not None
    count = p.extent(given[0], -1)
    p.require(given[0].builder, "sge", count, 1, "a Fourier transform is of at least {1} element, but there are {0}")
    real, imaginary = transform(given[0], given[1], is_inverse)
    if is_inverse:
        # The factor is that of all axes.
        whole = p.scalar(real.builder, count, real.element)
        real, imaginary = p.multiply(real, whole), p.multiply(imaginary, whole)
    return p.transpose(real, back), p.transpose(imaginary, back)


def _normalize(c: Context, parts: Sequence[Value], counts: Sequence[Number], normalization: int) -> list[Value]:
    """Divides by 1, the root of the number of elements, or the number."""
    p, count = program, program.product(counts)
    if normalization == 0:
        return list(parts)
    element = parts[0].element
    if isinstance(count, int):
        divisor: Any = math.sqrt(count) if normalization == 1 else float(count)
    else:
        divisor = p.scalar(c.builder, count, element)
        divisor = p.sqrt(divisor) if normalization == 1 else divisor
    return [p.divide(part, divisor) for part in parts]


@enter("_fft_r2c.default")
def _fft_r2c(c: Context, x: Tensor, dims: Sequence[int], normalization: int, onesided: bool) -> Pair:
    p, value = program, to_value(x)
    dims = [dim % value.rank for dim in dims]
    counts = [p.extent(value, dim) for dim in dims]
    pair: tuple[Value, Value] = _along((value, None), dims[-1], False)
    if onesided:
        half = counts[-1] // 2 + 1
        pair = p.take_slice(pair[0], dims[-1], 0, half), p.take_slice(pair[1], dims[-1], 0, half)
    for dim in dims[:-1]:
        pair = _along(pair, dim, False)
    return Pair(*map(from_value, _normalize(c, pair, counts, normalization)))


@enter("_fft_c2c.default")
def _fft_c2c(c: Context, x: Pair, dims: Sequence[int], normalization: int, forward: bool) -> Pair:
    pair = to_value(x.real), to_value(x.imaginary)
    dims = [dim % pair[0].rank for dim in dims]
    for dim in dims:
        pair = _along(pair, dim, not forward)
    counts = [program.extent(pair[0], dim) for dim in dims]
    return Pair(*map(from_value, _normalize(c, pair, counts, normalization)))


@enter("_fft_c2r.default")
def _fft_c2r(c: Context, x: Pair, dims: Sequence[int], normalization: int, last_dim_size: Number) -> Tensor:
    p = program
    pair = to_value(x.real), to_value(x.imaginary)
    dims = [dim % pair[0].rank for dim in dims]
    for dim in dims[:-1]:
        pair = _along(pair, dim, True)
    count, rank, last = c.number(last_dim_size), pair[0].rank, dims[-1]
    turn = [at for at in range(rank) if at != last] + [last]
    back = [turn.index(at) for at in range(rank)]
    real, imaginary = (p.transpose(part, turn) for part in pair)
    real, imaginary = extend(real, imaginary, count)
    pair = p.transpose(real, back), p.transpose(imaginary, back)
    real, _ = _along(pair, last, True)
    counts = [*(p.extent(real, dim) for dim in dims[:-1]), count]
    (real,) = _normalize(c, [real], counts, normalization)
    return from_value(real)


@operation("fft_fftfreq.default", "fft_rfftfreq.default")
def _frequencies(c: Context, n: Number, d: float = 1.0, **options: Any) -> Tensor:
    """Gives the frequency of each element of a transform of n elements, d seconds apart."""
    p, count = program, c.number(n)
    line = p.iota(c.builder, c.shape[0], "i64")
    if c.node.target == "aten.fft_fftfreq.default":
        # The upper half are negative ones.
        length = p.scalar(c.builder, count, "i64")
        half = p.scalar(c.builder, (count + 1) // 2, "i64")
        line = p.select(p.less(line, half), line, p.subtract(line, length))
    whole = p.multiply(c.scalar(count, "f64"), c.scalar(c.number(d), "f64"))
    return from_value(p.cast(p.divide(p.cast(line, "f64"), whole), c.element))


def refuse(target: str) -> Unsupported:
    """Returns what is said of an operation without a rule for complex numbers."""
    return Unsupported(
        f"the importer has no rule for {target.split('.')[1]} of complex numbers; compute with their parts, as "
        "torch.view_as_real gives them"
    )
