"""Functions of other libraries, called from programs over memory (ffi-1)."""

import os
import subprocess

import broadloom as bl
import numpy as np
import pytest

C = """\
#include <stdint.h>
typedef struct { double *allocated, *aligned; int64_t offset, sizes[2], strides[2]; } Matrix;

void scale(int64_t n, double by, double *x) { for (int64_t i = 0; i < n; ++i) x[i] *= by; }
int32_t add32(int32_t a, int32_t b) { return a + b; }
float half(float x) { return x / 2; }
typedef struct { double *allocated, *aligned; int64_t offset, size, stride; } Vector;
int64_t trace(Matrix *m, Vector *sum) {
  *sum->aligned = 0;
  for (int64_t i = 0; i < m->sizes[0]; ++i)
    *sum->aligned += m->aligned[m->offset + i * (m->strides[0] + m->strides[1])];
  return m->allocated == m->aligned;
}
"""

SCALE = """\
func.func private @scale(i64, f64, memref<?xf64>) attributes {loom.effects = @effects}
func.func private @effects(%n: i64, %by: f64, %x: memref<?xf64>) {
  %count = arith.index_cast %n : i64 to index
  affine.for %i = 0 to %count {
    %v = affine.load %x[%i] : memref<?xf64>
    %w = arith.mulf %v, %by : f64
    affine.store %w, %x[%i] : memref<?xf64>
  }
  return
}
func.func @main(%n: i64, %x: memref<?xf64>) {
  %two = arith.constant 2.0 : f64
  call @scale(%n, %two, %x) : (i64, f64, memref<?xf64>) -> ()
  return
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    source = folder / "lib.c"
    source.write_text(C)
    built = folder / "libtest.so"
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", built, source], check=True)
    return built


def test_a_function_writes_an_argument(library):
    f = bl.compile(SCALE, libraries=library)
    x = np.arange(4.0)
    f(3, x)
    assert x.tolist() == [0, 2, 4, 3]


def test_a_call_is_checked_before_the_library_runs(library):
    f = bl.compile(SCALE, name="p.mlir", libraries=[library])
    x = np.arange(4.0)
    with pytest.raises(bl.ShapeError) as error:
        f(5, x)
    assert str(error.value) == (
        "p.mlir:5:10: 'affine.load': index 4 is outside axis 0 of argument 'x' of 'scale', whose extent is 4: "
        "%i = 4 (p.mlir:4:3)"
    )
    assert x.tolist() == [0, 1, 2, 3]


def test_numbers_are_passed_and_returned(library):
    f = bl.compile(
        """\
func.func private @add32(i32, i32) -> i32 attributes {loom.effects = @none}
func.func private @none(%a: i32, %b: i32) {
  return
}
func.func private @half(f32) -> f32 attributes {loom.effects = @of_half}
func.func private @of_half(%x: f32) {
  %zero = arith.constant 0.0 : f32
  %p = arith.cmpf oge, %x, %zero : f32
  cf.assert %p, "half takes numbers from 0 on"
  return
}
func.func @main(%m: memref<f32>, %a: i32) -> (i32, f32) {
  %x = memref.load %m[] : memref<f32>
  %c = call @add32(%a, %a) : (i32, i32) -> i32
  %y = call @half(%x) : (f32) -> f32
  return %c, %y : i32, f32
}
""",
        libraries=library,
    )
    c, y = f(np.array(3, np.float32), 2**31 - 1)
    assert (int(c), float(y)) == (-2, 1.5)
    with pytest.raises(bl.ShapeError, match="half takes numbers from 0 on"):
        f(np.array(-3, np.float32), 1)


TRACE = """\
func.func private @trace(memref<?x?xf64, strided<[?, ?], offset: ?>>, memref<1xf64>) -> i64
    attributes {loom.effects = @effects, loom.convention = "descriptors"}
func.func private @effects(%m: memref<?x?xf64, strided<[?, ?], offset: ?>>, %sum: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %m, %c0 : memref<?x?xf64, strided<[?, ?], offset: ?>>
  affine.for %i = 0 to %n {
    %v = affine.load %m[%i, %i] : memref<?x?xf64, strided<[?, ?], offset: ?>>
  }
  affine.store %zero, %sum[0] : memref<1xf64>
  return
}
func.func @main(%m: memref<?x?xf64, strided<[?, ?], offset: ?>>, %sum: memref<1xf64>) -> i64 {
  %r = call @trace(%m, %sum) : (memref<?x?xf64, strided<[?, ?], offset: ?>>, memref<1xf64>) -> i64
  return %r : i64
}
"""


def test_descriptors_have_any_strides(library):
    f = bl.compile(TRACE, libraries=library)
    a, total = np.arange(12.0).reshape(3, 4), np.zeros(1)
    for matrix in (a, a.T[:3], a[::-1, ::-1], a[:, ::2][:2]):
        assert int(f(matrix, total)) == 1
        assert total[0] == np.trace(matrix)
    with pytest.raises(bl.ShapeError, match="index 3 is outside axis 1 of argument 'm' of 'trace', whose extent is 3"):
        f(a.T, total)


def test_memory_that_is_written_is_no_constant(library):
    program = SCALE.replace(
        "func.func @main(%n: i64, %x: memref<?xf64>) {",
        """\
memref.global "private" constant @c : memref<3xf64> = dense<1.0>
func.func @main(%n: i64) {
  %g = memref.get_global @c : memref<3xf64>
  %x = memref.cast %g : memref<3xf64> to memref<?xf64>""",
    )
    with pytest.raises(bl.ShapeError, match="'scale': the memory is a constant's"):
        bl.compile(program, libraries=library)(3)


def test_memory_that_is_handed_over_is_live(library):
    program = SCALE.replace("  %two =", "  memref.dealloc %y : memref<?xf64>\n  %two =").replace(
        "%x: memref<?xf64>) {\n  memref", "%k: index) {\n  %y = memref.alloc(%k) : memref<?xf64>\n  memref"
    )
    program = program.replace("call @scale(%n, %two, %x)", "call @scale(%n, %two, %y)")
    with pytest.raises(bl.CompileError, match="this memory was freed"):
        bl.compile(program, libraries=library)


NOWHERE = (
    "1:1: error: function 'scale' is in none of the libraries 'libm.so.6', nor in the C library; "
    "name the one that has it with libraries=FILE, and declare a function of C\\+\\+ 'extern \"C\"'"
)


@pytest.mark.parametrize(
    "libraries, message",
    [
        ("none.so", "the library 'none.so' cannot be opened: none.so: cannot open shared object file"),
        (["libm.so.6"], NOWHERE),
        ((), "function 'scale' is in no library"),
        (__file__, "cannot be opened: .*: invalid ELF header; it is no shared library$"),
    ],
)
def test_a_library_that_does_not_have_it(libraries, message):
    with pytest.raises(bl.CompileError, match=message):
        bl.compile(SCALE, libraries=libraries)


def test_a_function_of_the_process_is_in_no_library():
    """Python has one of this name, and it is not meant."""
    text = SCALE.replace("scale", "PyObject_Repr")
    with pytest.raises(
        bl.CompileError, match=r"function 'PyObject_Repr' is in none of the libraries 'libm\.so\.6', nor"
    ):
        bl.compile(text, libraries="libm.so.6")
    with pytest.raises(bl.CompileError, match="function 'PyObject_Repr' is in no library"):
        bl.compile(text)


def test_libraries_are_paths():
    for libraries, message in ((3, "libraries is a path, or several, not int"), ([0], "libraries are paths, not int")):
        with pytest.raises(TypeError, match=message):
            bl.compile(SCALE, libraries=libraries)


def test_a_function_that_declares_nothing_is_refused(library):
    program = SCALE.replace(" attributes {loom.effects = @effects}", "")
    with pytest.raises(bl.CompileError, match=r"declares what it reads and writes with 'loom\.effects'"):
        bl.compile(program, libraries=library)


def test_a_saved_program_takes_its_libraries_again(library, tmp_path):
    bl.compile_program(SCALE, libraries=library).save(tmp_path / "p.blm")
    x = np.ones(2)
    bl.load(tmp_path / "p.blm", libraries=library)(2, x)
    assert x.tolist() == [2, 2]
    with pytest.raises(bl.CompileError, match="function 'scale' is in no library"):
        bl.load(tmp_path / "p.blm")


WRONG = """\
#include <stdint.h>
#include <string.h>
void wrong(int64_t n, double *x, double *y) {
  switch (n) {
  case 0: x[0] = 7; break;                    /* an element of what it only reads */
  case 1: y[3] += 1; break;                   /* one behind what it declares */
  case 2: memcpy(y, x, 32); break;            /* more than it declares */
  case 3: y[0] = -0.0; break;                 /* the same number, other bits */
  case 4: y[0] = y[0]; y[1] = y[1]; break;    /* nothing that one sees */
  case 5: y[1] = 5; break;                    /* what it declares */
  }
}
"""


# ffi-3
def test_a_library_is_held_to_its_word(tmp_path):
    (tmp_path / "wrong.c").write_text(WRONG)
    library = tmp_path / "libwrong.so"
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", library, tmp_path / "wrong.c"], check=True)
    program = """\
func.func private @wrong(i64, memref<?xf64>, memref<?xf64>) attributes {loom.effects = @effects}
func.func private @effects(%n: i64, %x: memref<?xf64>, %y: memref<?xf64>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<?xf64>
  }
  %zero = arith.constant 0.0 : f64
  affine.store %zero, %y[1] : memref<?xf64>
  return
}
func.func @main(%n: i64, %x: memref<?xf64>, %y: memref<?xf64>) {
  call @wrong(%n, %x, %y) : (i64, memref<?xf64>, memref<?xf64>) -> ()
  return
}
"""
    watched = bl.compile(program, name="p.mlir", libraries=library, check_effects=True)
    trusted = bl.compile(program, name="p.mlir", libraries=library)
    for n, element in enumerate(
        ("[0] of argument 'x'", "[3] of argument 'y'", "[0] of argument 'y'", "[0] of argument 'y'")
    ):
        x, y = np.arange(4.0) + 1, np.zeros(4)
        with pytest.raises(bl.ShapeError) as error:
            watched(n, x, y)
        lost = "what was there is lost"
        copied = "it was given a copy, so that the memory of the call does not have it"
        assert str(error.value) == (
            f"p.mlir:1:1: 'wrong': it wrote element {element} of 'wrong', which its effects do not declare; "
            + (copied if n == 0 else lost)
        )
        assert x.tolist() == [1, 2, 3, 4]
        trusted(n, np.arange(4.0), np.zeros(4))
    for n in (4, 5):
        watched(n, np.arange(4.0), np.full(4, np.nan))


def test_a_matrix_is_compared_as_one(library):
    f = bl.compile(TRACE, libraries=library, check_effects=True)
    a, total = np.arange(12.0).reshape(3, 4), np.zeros(1)
    for matrix in (a, a.T[:3], a[::-1, ::-1]):
        f(matrix, total)
        assert total[0] == np.trace(matrix)
    missing = TRACE.replace("  affine.store %zero, %sum[0] : memref<1xf64>\n", "")
    with pytest.raises(bl.ShapeError, match=r"it wrote element \[0\] of argument 'sum' of 'trace'"):
        bl.compile(missing, libraries=library, check_effects=True)(a, total)


def test_a_view_cannot_be_watched(library):
    program = SCALE.replace(
        "    affine.store %w, %x[%i] : memref<?xf64>",
        "    %y = memref.subview %x[0] [1] [1] : memref<?xf64> to memref<1xf64, strided<[1]>>\n"
        "    affine.store %w, %y[0] : memref<1xf64, strided<[1]>>",
    )
    bl.compile(program, libraries=library)(1, np.ones(1))
    with pytest.raises(bl.CompileError, match=r"'affine\.store' is about a view, and with --check-effects"):
        bl.compile(program, libraries=library, check_effects=True)


VECTORS = """\
func.func private @scale(i64, f64, memref<?xvector<2xf64>>) attributes {{loom.effects = @effects{}}}
func.func private @effects(%n: i64, %by: f64, %x: memref<?xvector<2xf64>>) {{
  return
}}
func.func @main(%n: i64, %by: f64, %x: memref<?xvector<2xf64>>) {{
  call @scale(%n, %by, %x) : (i64, f64, memref<?xvector<2xf64>>) -> ()
  return
}}
"""


def test_memory_of_vectors_is_its_numbers(library):
    x = np.ones((2, 2))
    bl.compile(VECTORS.format(""), libraries=library)(3, 2.0, x)
    assert x.tolist() == [[2, 2], [2, 1]]
    with pytest.raises(bl.CompileError, match="a descriptor would have the axes of the vectors"):
        bl.compile(VECTORS.format(', loom.convention = "descriptors"'), libraries=library)


def test_vectors_are_not_handed_over(library):
    program = SCALE.replace("f64, memref", "vector<2xf64>, memref").replace("%by: f64", "%by: vector<2xf64>")
    program = program.replace("    %w = arith.mulf %v, %by : f64\n    affine.store %w", "    affine.store %v")
    program = program.replace("constant 2.0 : f64", "constant dense<2.0> : vector<2xf64>")
    with pytest.raises(bl.CompileError, match="a function of another library gets and gives numbers and memory"):
        bl.compile(program, libraries=library)


def test_what_cannot_be_bound_is_an_error_of_the_program(library):
    for program, message in (
        (SCALE.replace("@effects}", "@none}"), r"there is no function of that name with a body"),
        (
            SCALE.replace("  affine.for", "  %m = memref.alloc() : memref<f64>\n  affine.for"),
            r"'memref\.alloc' cannot stand",
        ),
        (
            SCALE.replace("= @effects}", '= @effects, loom.convention = "bare"}'),
            'there are "pointers" and "descriptors"',
        ),
    ):
        with pytest.raises(bl.CompileError, match=message):
            bl.compile(program, libraries=library)


def test_a_shared_library_needs_the_libraries(library, tmp_path):
    program, built = tmp_path / "p.mlir", tmp_path / "p.so"
    program.write_text(SCALE)
    command = os.path.join(os.environ.get("BROADLOOM_BUILD", "build"), "bin", "broadloom")
    subprocess.run([command, "compile", program, f"--library={library}", "-o", built], check=True)
    needed = subprocess.run(["readelf", "-d", built], check=True, capture_output=True, text=True).stdout
    assert str(library) in needed
    subprocess.run([command, "compile", program, "--library=libopenblas.so.0", "-o", built], check=True)
