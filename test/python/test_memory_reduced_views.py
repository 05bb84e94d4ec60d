"""Views of memory that leave out axes of one element (rules mem-3 and mem-13)."""

import itertools

import broadloom as bl
import numpy as np
import pytest


def reduced_views():
    """Views with any axes of one element left out: sizes, axes that are kept, and strides in the type or not."""
    for rank in (1, 2, 3, 4):
        for sizes in itertools.product((1, 2), repeat=rank):
            ones = [axis for axis in range(rank) if sizes[axis] == 1]
            for count in range(len(ones) + 1):
                for dropped in itertools.combinations(ones, count):
                    kept = [axis for axis in range(rank) if axis not in dropped]
                    yield from ((sizes, kept, is_open) for is_open in (False, True))


def test_views_without_axes_of_one_element():
    """A view has the elements of its part, whichever axes of one element its type leaves out."""
    texts, parts = [], []
    for number, (sizes, kept, is_open) in enumerate(reduced_views()):
        rank = len(sizes)
        shape = (3, 4, 3, 3)[:rank]
        strides = [int(np.prod(shape[axis + 1 :])) for axis in range(rank)]
        source = f"memref<{''.join(f'{extent}x' for extent in shape)}i64>"
        if is_open:
            source = f"memref<{'?x' * rank}i64, strided<[{', '.join('?' * rank)}], offset: ?>>"
        extents = "".join(f"{sizes[axis]}x" for axis in kept)
        layout = ", ".join("?" if is_open else str(strides[axis]) for axis in kept)
        view = f"memref<{extents}i64, strided<[{layout}], offset: ?>>"
        offsets = ", ".join(["%i"] + ["1"] * (rank - 1))
        texts.append(
            f"""func.func @f{number}(%a: {source}, %o: memref<{extents}i64>, %i: index) {{
  %v = memref.subview %a[{offsets}] {list(sizes)} {[1] * rank} : {source} to {view}
  memref.copy %v, %o : {view} to memref<{extents}i64>
  return
}}
"""
        )
        part = np.arange(np.prod(shape), dtype=np.int64).reshape(shape)
        cut = part[tuple(slice(1, 1 + size) for size in sizes)]
        parts.append((part, cut.reshape([sizes[axis] for axis in kept])))
    program = bl.compile_program("".join(texts))
    for number, (whole, part) in enumerate(parts):
        result = np.zeros_like(part)
        program[f"f{number}"](whole, result, 1)
        assert np.array_equal(result, part), texts[number]
        with pytest.raises(bl.ShapeError, match=r"the view takes \d elements of axis 0 of argument 'a' from 3"):
            program[f"f{number}"](whole, result, 3)


OPEN = "strided<[?, ?, ?], offset: ?>"


def test_extents_of_views_in_loops():
    """The axes of one element at both ends: the view's second axis is the memory's, whatever its strides are."""
    kind, view = f"memref<1x?x?x4xi64, {OPEN.replace('?, ?, ?', '?, ?, ?, ?')}>", f"memref<1x?x?xi64, {OPEN}>"
    program = bl.compile(
        f"""func.func @main(%a: {kind}, %k: index, %m: index) {{
  %v = memref.subview %a[0, 0, 0, 0] [1, %k, %m, 1] [1, 1, 1, 1] : {kind} to {view}
  affine.for %j = 0 to %m {{
    %x = arith.constant 7 : i64
    affine.store %x, %v[0, %j, 0] : {view}
  }}
  return
}}
"""
    )
    whole = np.zeros((1, 64, 5, 4), np.int64)
    with pytest.raises(bl.ShapeError, match=r"index 2 is outside axis 1 of %v \(the result of 'memref\.subview'"):
        program(whole[:, :2], 2, 5)
    assert not whole.any()
    program(whole[:, :2], 2, 2)
    assert np.argwhere(whole).tolist() == [[0, 0, 0, 0], [0, 1, 0, 0]]


def test_dependences_by_views_in_loops():
    """A view of the same elements, of which iterations read what others have written."""
    kind, view = f"memref<1x?x?xi64, {OPEN}>", "memref<1x?xi64, strided<[?, ?], offset: ?>>"
    text = f"""func.func @main(%a: {kind}, %k: index) {{
  %one = arith.constant 1 : i64
  affine.for %j = 1 to %k {{
    %w = memref.subview %a[0, 0, 0] [1, %k, 1] [1, 1, 1] : {kind} to {view}
    %x = affine.load %a[0, %j - 1, 0] : {kind}
    %y = arith.addi %x, %one : i64
    affine.store %y, %w[0, %j] : {view}
  }}
  return
}}
"""
    assert "because iterations %j = 1 and %j = 2 meet at element" in " ".join(
        str(bl.compile_program(text).check()).split()
    )
    count = 400_000
    a = np.zeros((1, count, 1), np.int64)
    bl.compile(text, threads=4)(a, count)
    np.testing.assert_array_equal(a[0, :, 0], np.arange(count))
