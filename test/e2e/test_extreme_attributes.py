"""Tests extreme numbers that are attributes and coefficients of operations (rt-13)."""

import itertools

import numpy as np
import pytest
from extreme_programs import TOP, V, assertRight, function, pad, slice_

STATIC = [
    (
        "slice",
        "tensor.extract_slice %a[{0}] [{1}] [{2}] : tensor<{e}xf32> to tensor<{1}xf32>",
        "{1}",
        slice_,
        [(0, 2, 2**62), (1, 3, 2**62), (0, 2, TOP), (3, 2, -TOP), (0, 4, 1), (TOP, 1, 1), (1, 2, 2**63 - 2)],
    ),
    (
        "pad",
        (
            "tensor.pad %a low[{0}] high[{1}] {{\n^bb0(%i: index):\ntensor.yield %z : f32\n}} "
            ": tensor<{e}xf32> to tensor<?xf32>"
        ),
        "?",
        pad,
        [(0, 1), (TOP, TOP), (TOP, 0), (0, 2**62), (2**62, 2**62), (TOP, 2)],
    ),
]


@pytest.mark.parametrize("name, text, result, expect, cases", STATIC, ids=[c[0] for c in STATIC])
def test_rt13_as_attributes(tmp_path, name, text, result, expect, cases):
    for numbers, extent in itertools.product(cases, ("?", 4) if name == "slice" else ("?",)):
        program = function(
            f"%a: tensor<{extent}xf32>",
            f"tensor<{result.format(*numbers)}xf32>",
            "%z = arith.constant 7.0 : f32",
            text.format(*numbers, e=extent),
        )
        assertRight(tmp_path, program, [V], expect(*numbers))


def tosa(name, operands, constants):
    """An operation on a tensor and shapes that are constants."""

    def make(numbers):
        values = iter(numbers)
        lines = [
            f"%s{i} = tosa.const_shape {{values = dense<[{', '.join(str(next(values)) for _ in range(n))}]> "
            f": tensor<{n}xindex>}} : () -> !tosa.shape<{n}>"
            for i, n in enumerate(constants)
        ]
        shapes = "".join(f", %s{i}" for i in range(len(constants)))
        types = "".join(f", !tosa.shape<{n}>" for n in constants)
        extra, extraType = operands
        return function(
            "%a: tensor<?xf32>",
            "tensor<?xf32>",
            *lines,
            '%z = "tosa.const"() {values = dense<7.0> : tensor<1xf32>} : () -> tensor<1xf32>',
            f"tosa.{name} %a{shapes}{extra} : (tensor<?xf32>{types}{extraType}) -> tensor<?xf32>",
        )

    return make


TOSA = [
    (
        "tile",
        tosa("tile", ("", ""), [1]),
        lambda n: np.tile(V, n) if 1 <= n < 2**20 else None,
        [(1,), (3,), (2305843009213693953,), (2**62,), (TOP,), (2**61,)],
    ),
    (
        "pad",
        tosa("pad", (", %z", ", tensor<1xf32>"), [2]),
        lambda low, high: pad(low, high),
        [(1, 2), (TOP, 0), (0, TOP - 1), (2**62, 2**62), (TOP, TOP), (2**62, 2**62 + 1)],
    ),
    (
        "slice",
        tosa("slice", ("", ""), [1, 1]),
        lambda start, size: slice_(start, size, 1) if size > 0 else None,
        [(1, 2), (TOP, 1), (1, TOP), (2**62, 2**62), (TOP, TOP), (0, 2**63 - 4)],
    ),
    (
        "reshape",
        tosa("reshape", ("", ""), [1]),
        lambda n: V if n in (4, -1) else None,
        [(4,), (-1,), (TOP,), (2**62,), (2**61 + 4,)],
    ),
]


@pytest.mark.parametrize("name, make, expect, cases", TOSA, ids=[c[0] for c in TOSA])
def test_tosa_shape1_constants(tmp_path, name, make, expect, cases):
    for numbers in cases:
        assertRight(tmp_path, make(numbers), [V], expect(*numbers))


def test_rt13_coefficients(tmp_path):
    """An operand that is read in steps: 0, c, 2 c, ..."""
    for coefficient in (3, 2**31, 2**61 + 1, 2**62, 2**62 + 1):
        program = f"#at = affine_map<(i) -> (i * {coefficient})>\n#own = affine_map<(i) -> (i)>\n" + function(
            "%a: tensor<?xf32>, %b: tensor<?xf32>",
            "tensor<?xf32>",
            'linalg.generic {indexing_maps = [#at, #own], iterator_types = ["parallel"]} '
            "ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) {\n"
            "^bb0(%x: f32, %y: f32):\nlinalg.yield %x : f32\n} -> tensor<?xf32>",
        )
        for extent in (0, 1, 2, 4, 5):
            inside = extent == 0 or coefficient * (extent - 1) < 4
            expected = V[::coefficient][:extent] if inside else None
            assertRight(tmp_path, program, [V, np.zeros(extent, np.float32)], expected)
