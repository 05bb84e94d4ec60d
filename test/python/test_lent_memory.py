"""Libraries that free what they are given, write to it later, or write around it, with `--check-effects` (ffi-3)."""

import os
import subprocess
import time

import broadloom as bl
import numpy as np
import pytest

SOURCE = r"""
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <unistd.h>
static double *kept;
static std::thread writer;
static std::atomic<bool> go;
extern "C" {
void act(int64_t kind, double *x, double *y) {
  x[0] = 7;
  switch (kind) {
  case 1: free(y); break;
  case 2: if (!realloc(x, 1 << 30)) abort(); break;
  case 3: x[4] = 5; break;
  case 4: kept = y; break;
  case 5: go = false; writer = std::thread([y] { while (!go) usleep(100); y[2] = 5; }); break;
  case 6: std::thread([y] { usleep(20000); y[3] = 5; }).detach(); break;
  case 7: free(x); throw std::runtime_error("no");
  case 8: std::thread([x] { x[0] = 8; }).join(); break;
  case 9: y[1] = 5; break;
  case 10: x[-1] = 5; break;
  }
}
void use(double *x) { x[0] = 3; kept[1] = 4; }
void wait(double *x) { x[0] = 4; go = true; writer.join(); }
double reads(double *x) { return x[0] + x[4]; }
typedef struct { double *allocated, *aligned; int64_t offset, sizes[2], strides[2]; } Matrix;
void between(int64_t at, Matrix *a) { a->aligned[a->offset] = 1; a->aligned[a->offset + at] = 2; }
}
"""

FIRST = '#loom.relation<"() -> (i) : (i == 0)">'
DECLARED = "".join(
    f"func.func private @{name}({types}) attributes {{loom.effects = {{writes = [#loom.access_set<{written}, {FIRST}>]}}}}\n"
    for name, types, written in (
        ("act", "i64, memref<4xf64>, memref<4xf64>", 1),
        ("use", "memref<4xf64>", 0),
        ("wait", "memref<4xf64>", 0),
    )
)
PROGRAM = (
    DECLARED
    + """\
func.func @main(%kind: i64, %x: memref<4xf64>, %y: memref<4xf64>) {
  call @act(%kind, %x, %y) : (i64, memref<4xf64>, memref<4xf64>) -> ()
  return
}
"""
)
COPY = "; it was given a copy, so that the memory of the call does not have it"
FREED = ", which is its caller's; it was given a copy, so that the memory of the call is as it was before"
THROWN = (
    "the library's function threw an exception of type std::runtime_error: no; memory that the call writes to has what "
    "was written until then"
)
LATE = " of argument 2 of 'act' after it had returned" + COPY


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    (folder / "lent.cpp").write_text(SOURCE)
    command = ["g++", "-O1", "-w", "-shared", "-fPIC", "-pthread", "-o", folder / "liblent.so", folder / "lent.cpp"]
    subprocess.run(command, check=True)
    return folder / "liblent.so"


def run(f, kind):
    """What a call tells, and its arrays."""
    x, y = np.zeros(4), np.zeros(4)
    try:
        f(kind, x, y)
        message = None
    except bl.ShapeError as error:
        message = str(error)
    return message, x.tolist(), y.tolist()


OUTCOMES = {
    0: (None, [7, 0, 0, 0]),
    1: ("it freed argument 2 of 'act'" + FREED, [7, 0, 0, 0]),
    2: ("it freed argument 1 of 'act'" + FREED, [0, 0, 0, 0]),
    3: ("it wrote memory behind the end of argument 1 of 'act'" + COPY, [7, 0, 0, 0]),
    7: (THROWN, [0, 0, 0, 0]),
    # A thread that ends before its function does is the function.
    8: (None, [8, 0, 0, 0]),
    10: ("it wrote memory before the start of argument 1 of 'act'" + COPY, [7, 0, 0, 0]),
}


@pytest.mark.parametrize("kind", OUTCOMES)
def test_what_a_library_does_to_memory(library, kind):
    f = bl.compile(PROGRAM, name="p.mlir", libraries=library, check_effects=True)
    message, x = OUTCOMES[kind]
    for _ in range(10):
        assert run(f, kind) == (message and f"p.mlir:1:1: 'act': {message}", x, [0, 0, 0, 0])
    assert run(f, 0) == (None, [7, 0, 0, 0], [0, 0, 0, 0])


def test_what_is_not_declared_stays_in_the_copy(library):
    f = bl.compile(PROGRAM, name="p.mlir", libraries=library, check_effects=True)
    message = "it wrote element [1] of argument 2 of 'act', which its effects do not declare" + COPY
    assert run(f, 9) == (f"p.mlir:1:1: 'act': {message}", [7, 0, 0, 0], [0, 0, 0, 0])


def test_a_late_write_by_another_function(library):
    program = PROGRAM.replace("  return", "  call @use(%x) : (memref<4xf64>) -> ()\n  return")
    f = bl.compile(program, name="p.mlir", libraries=library, check_effects=True)
    for _ in range(3):
        assert run(f, 4) == (f"p.mlir:1:1: 'act': it wrote element [1]{LATE}", [3, 0, 0, 0], [0, 0, 0, 0])


def test_a_late_write_is_told_by_a_later_call(library):
    """What happens after a call is told by the next one that lends memory."""
    text = DECLARED + ("func.func @main(%x: memref<4xf64>) {\n  call @wait(%x) : (memref<4xf64>) -> ()\n  return\n}\n")
    first = bl.compile(PROGRAM, name="p.mlir", libraries=library, check_effects=True)
    second = bl.compile(text, name="q.mlir", libraries=library, check_effects=True)
    # The thread writes in the second call, whatever the time.
    assert run(first, 5) == (None, [7, 0, 0, 0], [0, 0, 0, 0])
    x = np.zeros(4)
    with pytest.raises(bl.ShapeError) as raised:
        second(x)
    assert str(raised.value) == f"p.mlir:1:1: 'act': it wrote element [2]{LATE}"
    assert x.tolist() == [4, 0, 0, 0]


def test_a_call_waits_for_threads(library):
    """A thread that is not too late is told by its own call; how late it is, the system says."""
    f = bl.compile(PROGRAM, name="p.mlir", libraries=library, check_effects=True)
    told = f"p.mlir:1:1: 'act': it wrote element [3]{LATE}"
    for _ in range(50):
        message, *_ = run(f, 6)
        if message == told:
            break
        # A later call tells it.
        assert message is None
        time.sleep(1)
        assert run(f, 0)[0] == told
    else:
        pytest.fail("no call has waited for its thread")


def test_reads_behind_the_end_make_a_second_call_differ(library):
    program = f"""\
func.func private @reads(memref<4xf64>) -> f64
    attributes {{loom.effects = {{deterministic, reads = [#loom.access_set<0, {FIRST}>]}}}}
func.func @main(%x: memref<4xf64>) -> f64 {{
  %r = call @reads(%x) : (memref<4xf64>) -> f64
  return %r : f64
}}
"""
    f = bl.compile(program, name="p.mlir", libraries=library, check_effects=True)
    with pytest.raises(bl.ShapeError, match=r"'reads': a second call, .* returned another result; it is not determ"):
        f(np.zeros(4))


def test_memory_between_elements(library):
    program = """\
func.func private @between(i64, memref<?x?xf64, strided<[?, ?], offset: ?>>) attributes {loom.effects =
    {writes = [#loom.access_set<1, #loom.relation<"() -> (i, j) : (i == 0, j == 0)">>]}, loom.convention = "descriptors"}
func.func @main(%at: i64, %a: memref<?x?xf64, strided<[?, ?], offset: ?>>) {
  call @between(%at, %a) : (i64, memref<?x?xf64, strided<[?, ?], offset: ?>>) -> ()
  return
}
"""
    f = bl.compile(program, name="p.mlir", libraries=library, check_effects=True)
    for view, at, told in (
        (lambda a: a[:, ::2], 1, "memory between the elements of argument 1"),
        (lambda a: a[:, ::-2], -1, "memory between the elements of argument 1"),
        (lambda a: a[::-1, :2], -4, "memory between the elements of argument 1"),
        (lambda a: a.T, 1, "element [1, 0] of argument 1"),
        (lambda a: a[:, ::2], 2, "element [0, 1] of argument 1"),
        (lambda a: a[::-1], -6, "element [1, 0] of argument 1"),
    ):
        a = np.zeros((4, 6))
        with pytest.raises(bl.ShapeError) as raised:
            f(at, view(a))
        assert f"'between': it wrote {told} of 'between'" in str(raised.value)
        assert view(a)[0, 0] == 1
        assert np.count_nonzero(a) == (1 if "between the" in told else 2)
        f(0, view(a))


def test_the_command_line_waits_for_threads(library, tmp_path):
    """A process that makes one call tells of a thread that the call has left."""
    (tmp_path / "p.mlir").write_text(PROGRAM)
    command = os.path.join(os.environ.get("BROADLOOM_BUILD", "build"), "bin", "broadloom")
    inputs = ["--input=i64=6", "--input=4xf64=0", "--input=4xf64=0"]
    words = [command, "run", tmp_path / "p.mlir", f"--library={library}", "--check-effects", *inputs]
    # The thread is seldom so late that the process ends before.
    found = [subprocess.run(words, capture_output=True, text=True).stderr for _ in range(10)]
    assert any(f"'act': it wrote element [3]{LATE}" in error for error in found)


def test_memory_that_cannot_be_written(library, tmp_path):
    """Memory that is read-only by its type may be a map of a file (mem-17)."""
    (tmp_path / "one").write_bytes(np.array([5.0]).tobytes())
    source = 'extern "C" double first(double **x, long i) { if (i) x[1][0] = 9; return x[1][0]; }\n'
    (tmp_path / "first.cpp").write_text(source)
    subprocess.run(
        ["g++", "-shared", "-fPIC", "-o", tmp_path / "libfirst.so", tmp_path / "first.cpp"],
        check=True,
    )
    program = """\
func.func private @first(memref<4xf64, strided<[0]>>, i64) -> f64 attributes {loom.convention = "descriptors",
    loom.effects = {deterministic, reads = [#loom.access_set<0, #loom.relation<"() -> (i) : (i == 0)">>]}}
func.func @main(%x: memref<4xf64, strided<[0]>>, %i: i64) -> f64 {
  %r = call @first(%x, %i) : (memref<4xf64, strided<[0]>>, i64) -> f64
  return %r : f64
}
"""
    one = np.memmap(tmp_path / "one", np.float64, "r")
    x = np.broadcast_to(one, (4,))
    f = bl.compile(program, name="p.mlir", libraries=tmp_path / "libfirst.so", check_effects=True)
    assert float(f(x, 0)) == 5
    with pytest.raises(
        bl.ShapeError, match=r"it wrote element \[0\] of argument \d of 'first', which its effects do not"
    ):
        f(x, 1)
    assert one[0] == 5
