"""Schedules by the Python package: random ones against lists of iterations (rules sch-3 to sch-10), and errors."""

import collections

import broadloom as bl
import numpy as np
import pytest
import schedules as fuzz
from nest_kernels import KERNELS
from nest_text import write
from schedule_cases import Generator
from schedule_judge import Judge
from schedule_programs import SIZES

SCALE = """\
func.func @scale(%a: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf64>
    %y = arith.addf %x, %x : f64
    affine.store %y, %a[%i] : memref<?xf64>
  } {loom.loop = "i"}
  return
}
"""
TILE = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i = transform.loom.loop @scale "i"
    %t:2 = transform.loom.tile %i by [SIZE]
    transform.yield
  }
}
"""


@pytest.mark.parametrize("part", range(4))
def test_random_schedules(part, capsys):
    assert fuzz.main(["--seed=11", f"--first={40 * part}", "--count=40"]) == 0, capsys.readouterr().out
    counts = capsys.readouterr().out
    assert " edits" in counts and " refused" in counts and " calls" in counts


def test_isl_agrees_with_lists(tmp_path):
    """An edit that keeps what meets for all sizes does so for small ones, and one that does not for small ones breaks."""
    pytest.importorskip("islpy", reason="isl's Python package islpy is not installed")
    verdicts = collections.Counter()
    for index in range(60):
        case = Generator(17, index).case()
        judge = Judge(tmp_path)
        for edit in case.edits:
            found = case.symbolic.keeps(edit.leaves, only_calls_that_run=True)
            if found is None or not edit.ways:
                continue
            verdicts[found] += 1
            listed = any(judge.keeps(case, nodes, SIZES) for nodes in edit.ways)
            assert listed or not found, f"{case.program}{edit.text}"
    assert verdicts[True] > 40 and verdicts[False] > 8, verdicts


def test_a_schedule(tmp_path):
    path = tmp_path / "tile.mlir"
    path.write_text(TILE.replace("SIZE", "3"))
    a = np.arange(8.0)
    bl.compile(SCALE, schedule=path)(a, 7)
    assert (a == [0, 2, 4, 6, 8, 10, 12, 7]).all()


def test_errors(tmp_path):
    path = tmp_path / "tile.mlir"
    path.write_text(TILE.replace("SIZE", "0"))
    with pytest.raises(bl.CompileError, match=r"tile.mlir:4:12: error: .* has a tile of 0 iterations; a tile has"):
        bl.compile(SCALE, schedule=path)
    with pytest.raises(FileNotFoundError, match=r"none\.mlir"):
        bl.compile(SCALE, schedule=tmp_path / "none.mlir")
    with pytest.raises(TypeError, match="schedule are paths, not int"):
        bl.compile(SCALE, schedule=3)


def schedule(folder, *edits):
    path = folder / "schedule.mlir"
    path.write_text(
        "module attributes {transform.with_named_sequence} {\n"
        "  transform.named_sequence @__transform_main(%program: !transform.any_op) {\n"
        + "".join(f"    {edit}\n" for edit in edits)
        + "    transform.yield\n  }\n}\n"
    )
    return path


VIEW = "memref<8xi64, strided<[1], offset: ?>>"
VIEWS = f"""\
func.func @main(%a: memref<8x8xi64>) {{
  affine.for %i = 0 to 8 {{
    %v = memref.subview %a[%i, 0] [1, 8] [1, 1] : memref<8x8xi64> to {VIEW}
    affine.for %j = 1 to 8 {{
      %x = affine.load %v[%j - 1] : {VIEW}
      %c1 = arith.constant 1 : i64
      %y = arith.addi %x, %c1 : i64
      affine.store %y, PLACE
    }} {{loom.loop = "j"}}
  }}
  return
}}
"""


@pytest.mark.parametrize("edit", ["%q = transform.loom.reverse %j", "%q, %r = transform.loom.tile %j by [3]"])
@pytest.mark.parametrize("place, meets", [(f"%v[%j] : {VIEW}", True), ("%a[7 - %i, %j] : memref<8x8xi64>", None)])
def test_loops_over_views_that_are_made_around_them(tmp_path, edit, place, meets):
    """A view that an outer loop makes is the memory that it views."""
    path = schedule(tmp_path, '%j = transform.loom.loop @main "j"', edit)
    text = VIEWS.replace("PLACE", place)
    a, b = np.zeros((8, 8), np.int64), np.zeros((8, 8), np.int64)
    bl.compile(text)(a)
    if meets and "reverse" in edit:
        with pytest.raises(bl.CompileError, match=r"comes before .* both touch element \[0, 1\] of argument 'a'"):
            bl.compile(text, schedule=path)
        return
    try:
        bl.compile(text, schedule=path)(b)
    except bl.CompileError as error:
        assert meets is None and "both touch element" in str(error)
        return
    np.testing.assert_array_equal(b, a)


def test_a_refusal_names_all_loops(tmp_path):
    """Nine loops, of which the innermost one has a recurrence."""
    begin = "".join(f"  affine.for %i{k} = 1 to 3 {{\n" for k in range(9))
    end = "".join(f'  }} {{loom.loop = "l{k}"}}\n' for k in reversed(range(9)))
    text = f"""func.func @main(%a: memref<3xi64>) {{
{begin}  %x = affine.load %a[%i8 - 1] : memref<3xi64>
  affine.store %x, %a[%i8] : memref<3xi64>
{end}  return
}}
"""
    path = schedule(tmp_path, '%i = transform.loom.loop @main "l8"', "%q = transform.loom.reverse %i")
    with pytest.raises(bl.CompileError, match=r"l6 = 1, l7 = 1, l8 = 1\)"):
        bl.compile(text, schedule=path)


def test_an_unrolled_loop_without_iterations(tmp_path):
    """The difference of its bounds is no number of 64 bits."""
    text = """func.func @main(%a: memref<1xi64>, %lo: index, %hi: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  scf.for %i = %lo to %hi step %c1 {
    %x = memref.load %a[%c0] : memref<1xi64>
    %y = arith.addi %x, %one : i64
    memref.store %y, %a[%c0] : memref<1xi64>
  }
  return
}
"""
    path = schedule(tmp_path, "%i = transform.loom.nest @main 0 : 1", "%m, %r = transform.loom.unroll %i by 4")
    program = bl.compile(text, schedule=path)
    for lower, upper, count in ((3 * 2**61, 3 - 3 * 2**61, 0), (0, 7, 7), (-3, 2, 5), (2**63 - 4, 2**63 - 1, 3)):
        a = np.zeros(1, np.int64)
        program(a, lower, upper)
        assert a[0] == count


def test_vectors_need_code_that_is_optimised(tmp_path):
    path = schedule(tmp_path, '%i = transform.loom.loop @scale "i"', "%q = transform.loom.vectorize %i by 8")
    bl.compile(SCALE, schedule=path)
    text = (
        r"loop 'i' .*of function '@scale', which the schedule has as vectors, stays as it is in code that is not "
        r"optimised; leave out optimise=False, or loom\.vectorize"
    )
    with pytest.raises(bl.CompileError, match=text):
        bl.compile(SCALE, schedule=path, optimise=False)


def test_a_schedule_of_several_functions(tmp_path):
    """One of them is chosen, and what edits the other is no error."""
    text = SCALE + SCALE.replace("@scale", "@other")
    path = schedule(
        tmp_path,
        '%i = transform.loom.loop @scale "i"',
        "%q = transform.loom.reverse %i",
        '%j = transform.loom.loop @other "i"',
        "%r = transform.loom.reverse %j",
    )
    a = np.arange(8.0)
    bl.compile(text, function="other", schedule=path)(a, 7)
    assert (a == [0, 2, 4, 6, 8, 10, 12, 7]).all()


def test_a_schedule_is_not_saved(tmp_path):
    program = bl.compile_program(SCALE, schedule=schedule(tmp_path, '%i = transform.loom.loop @scale "i"'))
    with pytest.raises(bl.CompileError, match="cannot be saved: its schedule is no part of what is saved"):
        program.save(tmp_path / "saved")


@pytest.mark.parametrize("extent", [None, 37])
@pytest.mark.parametrize("name", KERNELS)
def test_a_schedule_that_is_found(name, extent):
    """The bits are those without one, and about the values of NumPy."""
    kernel = KERNELS[name]
    text = write([kernel.function(extent)])[0]
    found, plain = bl.compile(text, schedule="auto"), bl.compile(text)
    for n in [extent] if extent else [1, 5, 37]:
        arrays, others, expected = (kernel.arrays(n) for _ in range(3))
        found(*arrays, n)
        plain(*others, n)
        kernel.reference(*expected)
        for array, other, value in zip(arrays, others, expected):
            np.testing.assert_array_equal(array, other)
            np.testing.assert_allclose(array, value, rtol=1e-9, atol=1e-9)


# sch-19: a row of a triangle is as long as the memref, which here is one element many times.
def test_no_memory_for_a_copy(tmp_path):
    memory = "memref<?x?xf64, strided<[?, ?], offset: ?>>"
    program = f"""\
func.func @f(%a: {memory}, %b: memref<?xf64>, %n: index) {{
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {{
      %x = affine.load %a[%i, %j] : {memory}
      affine.store %x, %b[%i] : memref<?xf64>
    }} {{loom.loop = "j"}}
  }}
  return
}}
"""
    packed = schedule(tmp_path, '%j = transform.loom.loop @f "j"', '%p = transform.loom.pack %j of "a"')
    a, b = np.lib.stride_tricks.as_strided(np.full(1, 2.0), (3, 10**13), (0, 0)), np.zeros(3)
    with pytest.raises(MemoryError, match=r"<text>:3:5: there is no memory .* shape 1x10000000000000"):
        bl.compile(program, schedule=packed)(a, b, 3)
    bl.compile(program)(a, b, 3)
    assert (b == 2).all()
