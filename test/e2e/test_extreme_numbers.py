"""Offsets, sizes, strides, paddings, multiples, steps and indices near the ends
of 64 bits: each call gives what Python's integers and NumPy say, or an error
(rt-13, ext-5)."""

import itertools
import random

import broadloom
import numpy as np
import pytest
from broadloom import GUARD_FAILED, REJECTED
from extreme_programs import LEAST, TOP, V, assertRight, function, pad, slice_

WORDS = [0, 1, 2, 3, 4, -1, -2, 2**31, 2**32, 2**61 + 1, 2**62, 2**62 + 1, TOP - 1, TOP, -TOP, LEAST]


def wrap(number):
    """The signed word of 64 bits that is congruent to a number."""
    return (number + 2**63) % 2**64 - 2**63


def cast(*names):
    return tuple(f"%{n} = arith.index_cast %{n}64 : i64 to index" for n in names)


def insert(offset, size, stride):
    """Inserts two elements."""
    if size != 2 or slice_(offset, size, stride) is None:
        return None
    result = V.copy()
    for i, value in enumerate((8, 9)):
        result[offset + i * stride] = value
    return result


def expand(n, m):
    return V.reshape(n, m) if n >= 0 and m >= 0 and n * m == 4 else None


def element(i):
    return V[i] if 0 <= i < 4 else None


def after(i):
    return element(wrap(i + 1))


def product(i, j):
    return element(wrap(i * j))


def range_(offset, size):
    """What the program asserts by itself is about words."""
    inside = offset >= 0 and size >= 0 and wrap(offset + size) <= 4
    return slice_(offset, size, 1) if inside else None


SLICE = function(
    "%a: tensor<?xf32>, %o: index, %n: index, %s: index",
    "tensor<?xf32>",
    "tensor.extract_slice %a[%o] [%n] [%s] : tensor<?xf32> to tensor<?xf32>",
)
INSERT = function(
    "%a: tensor<?xf32>, %b: tensor<?xf32>, %o: index, %n: index, %s: index",
    "tensor<?xf32>",
    "tensor.insert_slice %b into %a[%o] [%n] [%s] : tensor<?xf32> into tensor<?xf32>",
)
PAD = function(
    "%a: tensor<?xf32>, %l: index, %h: index",
    "tensor<?xf32>",
    "%z = arith.constant 7.0 : f32",
    "tensor.pad %a low[%l] high[%h] {\n^bb0(%i: index):\ntensor.yield %z : f32\n} : tensor<?xf32> to tensor<?xf32>",
)
EXPAND = function(
    "%a: tensor<?xf32>, %n: index, %m: index",
    "tensor<?x?xf32>",
    "tensor.expand_shape %a [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>",
)
ELEMENT = function("%a: tensor<?xf32>, %i: index", "f32", "tensor.extract %a[%i] : tensor<?xf32>")
AFTER = function(
    "%a: tensor<?xf32>, %i64: i64",
    "f32",
    *cast("i"),
    "%c1 = arith.constant 1 : index",
    "%j = arith.addi %i, %c1 overflow<nsw, nuw> : index",
    "tensor.extract %a[%j] : tensor<?xf32>",
)
PRODUCT = function(
    "%a: tensor<?xf32>, %i: index, %j: index",
    "f32",
    "%k = arith.muli %i, %j overflow<nsw> : index",
    "tensor.extract %a[%k] : tensor<?xf32>",
)
FOURTH = function(
    "%a: tensor<?xf32>, %i: index",
    "f32",
    "%k = affine.apply affine_map<()[s0] -> (s0 * 4 + 1)>()[%i]",
    "tensor.extract %a[%k] : tensor<?xf32>",
)
RANGE = function(
    "%a: tensor<?xf32>, %o64: i64, %n64: i64",
    "tensor<?xf32>",
    *cast("o", "n"),
    "%c0 = arith.constant 0 : index",
    "%d = tensor.dim %a, %c0 : tensor<?xf32>",
    "%p = arith.cmpi sge, %o, %c0 : index",
    "%q = arith.cmpi sge, %n, %c0 : index",
    "%e = arith.addi %o, %n : index",
    "%s = arith.cmpi sle, %e, %d : index",
    "%pq = arith.andi %p, %q : i1",
    "%pqs = arith.andi %pq, %s : i1",
    'cf.assert %pqs, "no such range"',
    "tensor.extract_slice %a[%o] [%n] [1] : tensor<?xf32> to tensor<?xf32>",
)
GUARDED = function(
    "%a: tensor<?xf32>, %i64: i64",
    "f32",
    *cast("i"),
    "%c0 = arith.constant 0 : index",
    "%c1 = arith.constant 1 : index",
    "%z = arith.constant 0.0 : f32",
    "%n = tensor.dim %a, %c0 : tensor<?xf32>",
    "%j = arith.addi %i, %c1 : index",
    "%p = arith.cmpi sge, %i, %c0 : index",
    "%q = arith.cmpi slt, %j, %n : index",
    "%pq = arith.andi %p, %q : i1",
    "scf.if %pq -> f32 {\n%e = tensor.extract %a[%j] : tensor<?xf32>\nscf.yield %e : f32\n"
    "} else {\nscf.yield %z : f32\n}",
)


def guarded(i):
    """The comparison in the program is one of words: i + 1 may be far below 0."""
    j = wrap(i + 1)
    return element(j) if i >= 0 and j < 4 else np.float32(0)


CASES = {
    "slice": (SLICE, 3, slice_, ()),
    "insert_slice": (INSERT, 3, insert, (np.array([8, 9], np.float32),)),
    "pad": (PAD, 2, pad, ()),
    "expand": (EXPAND, 2, expand, ()),
    "element": (ELEMENT, 1, element, ()),
    "element_after": (AFTER, 1, after, ()),
    "element_of_product": (PRODUCT, 2, product, ()),
    "element_of_affine": (FOURTH, 1, lambda i: element(wrap(4 * i + 1)), ()),
    "range_check": (RANGE, 2, range_, ()),
    "guarded_element": (GUARDED, 1, guarded, ()),
}


def draw(name, count):
    """All tuples where there are few, else some by a seed."""
    numbers = CASES[name][1]
    # There is memory for 2^32 elements.
    words = [w for w in WORDS if name != "pad" or not 2**31 <= w <= 2**32]
    if len(words) ** numbers <= count:
        return list(itertools.product(words, repeat=numbers))
    rng = random.Random(name)
    drawn = [tuple(rng.choice(words) for _ in range(numbers)) for _ in range(count // 2)]
    # Near what is right, with one number that is not.
    for i in range(count - len(drawn)):
        near = [rng.choice([0, 1, 2]) for _ in range(numbers)]
        near[i % numbers] = rng.choice(words)
        drawn.append(tuple(near))
    return drawn


@pytest.mark.parametrize("name", CASES)
def test_rt13_as_arguments(tmp_path, name):
    program, _, expect, more = CASES[name]
    for numbers in draw(name, 16):
        assertRight(tmp_path, program, [V, *more, *numbers], expect(*numbers), (GUARD_FAILED,))


@pytest.mark.parametrize("name", CASES)
def test_rt13_as_constants(tmp_path, name):
    """What is refuted is an error when it is compiled."""
    program, count, expect, more = CASES[name]
    head, body = program.split("{\n", 1)
    parameters = [p.strip() for p in head[head.index("(") + 1 : head.index(")")].split(",")]
    kept, given = parameters[:-count], parameters[-count:]
    for numbers in draw(name, 6):
        constants = "".join(
            f"{p.split(':')[0]} = arith.constant {n} : {p.split(':')[1].strip()}\n" for p, n in zip(given, numbers)
        )
        text = head.replace(", ".join(parameters), ", ".join(kept)) + "{\n" + constants + body
        assertRight(tmp_path, text, [V, *more], expect(*numbers))


LOOPS = [
    (0, TOP, 2**62),
    (LEAST, TOP, 2**62),
    (TOP - 2, TOP, 1),
    (TOP - 2, TOP, 2),
    (0, TOP, TOP),
    (5, 5, TOP),
    (TOP, LEAST, 3),
    (LEAST, LEAST + 5, 2),
    (1, 10, 3),
    (-1, TOP, TOP),
    (0, TOP, 2**61 + 7),
]


@pytest.mark.parametrize("constants", [False, True], ids=["arguments", "constants"])
def test_rt13_loops_end(tmp_path, constants):
    names = ("l", "u", "s")
    for bounds in LOOPS:
        given = [f"%{n} = arith.constant {v} : index" for n, v in zip(names, bounds)]
        program = function(
            "" if constants else "%l64: i64, %u64: i64, %s64: i64",
            "i64",
            *(given if constants else cast(*names)),
            "%z = arith.constant 0 : i64",
            "scf.for %i = %l to %u step %s iter_args(%x = %z) -> (i64) {\n"
            "%w = arith.index_cast %i : index to i64\n%c = arith.constant 31 : i64\n"
            "%y = arith.muli %x, %c : i64\n%v = arith.addi %y, %w : i64\nscf.yield %v : i64\n}",
        )
        expected = 0
        for i in range(*bounds):
            expected = wrap(31 * expected + i)
        assertRight(tmp_path, program, [] if constants else list(bounds), np.int64(expected))


def test_rt13_arithmetic_wraps(tmp_path):
    """Arithmetic wraps for data, which is no index, and for what the analysis follows."""
    program = function(
        "%x: i64, %y: i64",
        "tensor<3xi64>",
        "%a = arith.addi %x, %y overflow<nsw> : i64",
        "%b = arith.subi %x, %y : i64",
        "%c = arith.muli %x, %y overflow<nuw> : i64",
        "tensor.from_elements %a, %b, %c : tensor<3xi64>",
    )
    for x, y in itertools.product([0, -1, 2**32, TOP, LEAST], repeat=2):
        assertRight(tmp_path, program, [x, y], np.array([wrap(x + y), wrap(x - y), wrap(x * y)]))


def test_abi1_promises_do_not_wrap(tmp_path):
    power = " * ".join(["n"] * 8)
    program = (
        "func.func @f(%a: tensor<?xf32> {loom.extents = #loom.extents<[n]>}, "
        f"%b: tensor<?xf32> {{loom.extents = #loom.extents<[{power}]>}}) -> tensor<?xf32> "
        "{\nreturn %b : tensor<?xf32>\n}\n"
    )
    empty = np.zeros(0, np.float32)
    assertRight(tmp_path, program, [np.zeros(256, np.float32), empty], None)
    assertRight(tmp_path, program, [empty, empty], empty)
    assertRight(tmp_path, program, [V[:2], np.ones(256, np.float32)], np.ones(256, np.float32))


def test_ext5_what_no_memory_holds(tmp_path):
    """Beside an extent of 0 the others are limited as if it were not there."""
    program = function(
        "%a: tensor<?x?xf32>", "tensor<?xf32>", "tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>"
    )
    assertRight(tmp_path, program, [np.zeros((2**32, 0), np.float32)], np.zeros(0, np.float32))
    outcome = broadloom.call("shapes", tmp_path / "program.mlir", f"--input=0x{2**60}")
    assert outcome.status in (REJECTED, GUARD_FAILED)
    assert f"argument 'a' has shape 0x{2**60}, which no memory can hold" in outcome.error
