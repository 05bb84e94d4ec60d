"""Elements read as others, divisors, places in memory that are written to, and bags with padding, against eager mode."""

import pytest
import torch
from exports import raised
from test_counted import compile_for
from torch.nn import functional as F

SHAPES = ((3, 4), (5, 7), (1, 3), (2, 0))


def check(function, make, shapes=SHAPES):
    """One program for all shapes gives what the function does."""
    f = compile_for(function, *make(*shapes[0]))
    for shape in shapes:
        given = make(*shape)
        torch.testing.assert_close(f(*given), function(*given), equal_nan=True)


@pytest.mark.parametrize("source, target", [("f32", "i32"), ("f16", "i16"), ("bf16", "f16"), ("i8", "u8"), ("f64", "i64")])  # fmt: skip
def test_bits(source, target):
    types = {
        "f32": torch.float32, "i32": torch.int32, "f16": torch.float16, "i16": torch.int16, "bf16": torch.bfloat16,
        "i8": torch.int8, "u8": torch.uint8, "f64": torch.float64, "i64": torch.int64,
    }  # fmt: skip
    there = lambda x: x.view(types[target])
    back = lambda x: x.view(types[target]).view(types[source]).t()
    make = lambda a, b: ((torch.randn(a, b) * 9).to(types[source]),)
    check(there, make)
    check(back, make)


def test_sign_bit_of_a_float():
    check(lambda x: (x.view(torch.int32) >> 31) & 1, lambda a, b: (torch.randn(a, b),))


def test_other_widths_are_refused():
    import broadloom as bl

    message = raised(lambda: compile_for(lambda x: x.view(torch.int16), torch.randn(2, 4)), bl.UnsupportedOperations)
    assert "a view of elements of f32 as i16: those have 32 bits, and these 16" in message


@pytest.mark.parametrize("dtype", (torch.int64, torch.int32, torch.int8, torch.uint8))
def test_divisors(dtype):
    def make(a, b):
        low = 0 if dtype == torch.uint8 else -12
        return tuple(torch.randint(low, 13, shape, dtype=dtype) for shape in ((a, b), (b,)))

    check(lambda x, y: (torch.gcd(x, y), torch.lcm(x, y), torch.gcd(x, x * 0)), make)


def write_diagonal(x):
    y = x.clone()
    y.fill_diagonal_(3)
    return y, x


def write_strided(x):
    y = x.clone()
    y.as_strided((x.shape[0], 2), (x.shape[1], 1), 1).mul_(10)
    return y


@pytest.mark.parametrize("function", (write_diagonal, write_strided))
def test_places_in_memory(function):
    for shape in ((3, 4), (4, 4), (5, 3)):
        x = torch.randn(shape)
        torch.testing.assert_close(compile_for(function, x, is_open=False)(x), function(x))


@pytest.mark.parametrize("mode", ("sum", "mean", "max"))
def test_bags_with_padding(mode):
    table = torch.randn(9, 5)

    def function(x, starts):
        return F.embedding_bag(x, table, starts, mode=mode, padding_idx=2)

    f = compile_for(function, torch.tensor([0, 2, 4, 2, 2]), torch.tensor([0, 3, 3]))
    for x, starts in (([0, 2, 4, 2, 2], [0, 3, 3]), ([2, 2, 1, 8], [0, 2, 4]), ([1], [0]), ([2, 2, 2], [0, 1])):
        given = torch.tensor(x), torch.tensor(starts)
        torch.testing.assert_close(f(*given), function(*given))
