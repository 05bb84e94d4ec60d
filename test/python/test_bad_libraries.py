"""Libraries that cannot be loaded, that throw, and that do not return (ffi-1)."""

import os
import signal
import subprocess
import sys
import time

import broadloom as bl
import numpy as np
import pytest

SOURCE = r"""
#include <cstdint>
#include <new>
#include <stdexcept>
#include <unistd.h>
struct Other { int number; };
struct Descriptor { double *allocated, *aligned; int64_t offset, size, stride; };
static void fail(int64_t kind) {
  switch (kind) {
  case 1: throw std::runtime_error("no such\nmatrix");
  case 2: throw 7;
  case 3: throw Other{3};
  case 4: throw std::bad_alloc();
  case 5: throw std::runtime_error("");
  }
}
extern "C" {
double work(int64_t kind, double *x) { x[0] = 1; fail(kind); x[1] = 2; return 3; }
int32_t described(int64_t kind, Descriptor *x) { x->aligned[x->offset] = 1; fail(kind); return 4; }
double sleeps(int64_t ms, double *x) { x[0] = 1; for (; ms != 0; --ms) usleep(1000); return 3; }
}
"""
WRITES = '{writes = [#loom.access_set<1, #loom.relation<"() -> (i) : (0 <= i <= 1)">>], reentrant}'


def program(name, convention="", result="f64", type="memref<2xf64>"):
    return f"""\
func.func private @{name}(i64, {type}) -> {result} attributes {{loom.effects = {WRITES}{convention}}}
func.func @main(%kind: i64, %x: {type}) -> {result} {{
  %r = call @{name}(%kind, %x) : (i64, {type}) -> {result}
  return %r : {result}
}}
"""


WORK = program("work")
STATE = "memory that the call writes to has what was written until then"
THROWN = {
    1: "of type std::runtime_error: no such matrix",
    2: "of type int",
    3: "of type Other",
    4: "of type std::bad_alloc: std::bad_alloc",
    5: "of type std::runtime_error: ",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    (folder / "bad.cpp").write_text(SOURCE)
    subprocess.run(["g++", "-O1", "-shared", "-fPIC", "-o", folder / "libbad.so", folder / "bad.cpp"], check=True)
    return folder / "libbad.so"


@pytest.mark.parametrize("checks", [False, True])
@pytest.mark.parametrize("kind", THROWN)
def test_an_exception_is_an_error_of_the_call(library, kind, checks):
    f = bl.compile(WORK, name="p.mlir", libraries=library, check_effects=checks)
    x = np.zeros(2)
    with pytest.raises(bl.ShapeError) as raised:
        f(kind, x)
    assert str(raised.value) == (
        f"p.mlir:1:1: 'work': the library's function threw an exception {THROWN[kind]}; {STATE}"
    )
    assert x.tolist() == [1, 0]
    # The next call begins anew.
    assert f(0, x) == 3
    assert x.tolist() == [1, 2]


def test_an_exception_of_one_that_takes_descriptors(library):
    text = program("described", ', loom.convention = "descriptors"', "i32", "memref<2xf64, strided<[?], offset: ?>>")
    f = bl.compile(text, libraries=library)
    x = np.zeros(4)
    with pytest.raises(bl.ShapeError, match="'described': the library's function threw an exception of type int; "):
        f(2, x[::-2])
    assert x.tolist() == [0, 0, 0, 1]
    assert f(0, x[::2]) == 4
    assert x.tolist() == [1, 0, 0, 1]


LOOP = (
    WORK.split("func.func @main")[0]
    + """\
func.func @main(%kinds: memref<?xi64>, %x: memref<?x2xf64>) {
  %zero = arith.constant 0 : index
  %n = memref.dim %x, %zero : memref<?x2xf64>
  affine.for %i = 0 to %n {
    %kind = affine.load %kinds[%i] : memref<?xi64>
    %row = memref.subview %x[%i, 0] [1, 2] [1, 1] : memref<?x2xf64> to memref<2xf64, strided<[1], offset: ?>>
    func.call @work(%kind, %row) : (i64, memref<2xf64, strided<[1], offset: ?>>) -> f64
  }
  return
}
"""
).replace("(i64, memref<2xf64>)", "(i64, memref<2xf64, strided<[1], offset: ?>>)")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("bad", [[700], [0], [999], [3, 400, 998]])
def test_an_exception_in_a_loop_that_runs_on_threads(library, threads, bad, monkeypatch):
    monkeypatch.setenv("BROADLOOM_LEAST_PARALLEL_WORK", "0")
    f = bl.compile(LOOP, libraries=library)
    f.threads = threads
    for _ in range(20):
        kinds, x = np.zeros(1000, np.int64), np.zeros((1000, 2))
        kinds[bad] = 1
        with pytest.raises(bl.ShapeError, match="'work': the library's function threw an exception of type std::runt"):
            f(kinds, x)
        # What was written is what the library wrote; in order, nothing behind the first one.
        assert {tuple(row) for row in x} <= {(0, 0), (1, 0), (1, 2)}
        assert any(x[i].tolist() == [1, 0] for i in bad)
        if threads == 1:
            assert x[: bad[0]].min(initial=1) == 1 and not x[bad[0] + 1 :].any()
        f(np.zeros(1000, np.int64), x)
        assert (x == [1, 2]).all()


def set_machine(path, machine):
    """Patches e_machine of an ELF file."""
    data = bytearray(path.read_bytes())
    data[18:20] = machine.to_bytes(2, "little")
    path.write_bytes(data)


@pytest.mark.parametrize(
    "machine, name", [(183, "aarch64"), (243, "riscv64"), (21, "powerpc64le"), (0xBEEF, "machines of another kind")]
)
def test_a_library_of_another_machine(library, tmp_path, machine, name):
    other = tmp_path / "libother.so"
    other.write_bytes(library.read_bytes())
    set_machine(other, machine)
    with pytest.raises(bl.CompileError) as raised:
        bl.compile(WORK, libraries=other)
    assert f"the library '{other}' cannot be opened: " in str(raised.value)
    assert f"; it is for {name}, and this process is for x86_64: build the library for that" in str(raised.value)


def test_files_that_are_no_library(library, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    subprocess.run(["g++", "-c", "-fPIC", "-o", tmp_path / "bad.o", library.parent / "bad.cpp"], check=True)
    subprocess.run(["ar", "rc", tmp_path / "bad.a", tmp_path / "bad.o"], check=True)
    (tmp_path / "empty.so").touch()
    os.mkfifo(tmp_path / "pipe.so")
    (tmp_path / "text.so").write_text("INPUT(libm.so)\n" * 100)
    (tmp_path / "short.so").write_bytes(library.read_bytes()[:200])
    for name, message in (
        (tmp_path / "bad.o", "; it is an object file: link a shared library of it$"),
        (tmp_path / "bad.a", "; it is an archive of object files: link a shared library of them$"),
        (tmp_path / "empty.so", "; it is no shared library$"),
        (tmp_path / "text.so", "; it is no shared library$"),
        (tmp_path / "short.so", "cannot be opened: "),
        (tmp_path, "cannot be opened: it is not a regular file$"),
        ("/dev/zero", "cannot be opened: it is not a regular file$"),
        (tmp_path / "pipe.so", "cannot be opened: it is not a regular file$"),
        (tmp_path / "none.so", "cannot open shared object file: No such file or directory$"),
        ("bad.o", r"; a name without '/' is looked for .*: write '\./bad\.o' for the file here$"),
    ):
        with pytest.raises(bl.CompileError, match=message):
            bl.compile(WORK, libraries=name)
    monkeypatch.chdir(library.parent)
    assert bl.compile(WORK, libraries="./libbad.so")(0, np.zeros(2)) == 3


HANG = """\
import sys, time
import broadloom as bl, numpy as np
f = bl.compile(sys.argv[1], name="p.mlir", libraries=sys.argv[2])
x = np.zeros(2)
for ms in map(int, sys.argv[3:]):
    print("calls", flush=True)
    try:
        f(ms, x)
        print("returned", x.tolist(), flush=True)
    except KeyboardInterrupt as error:
        print("interrupted", x.tolist(), flush=True)
try:
    print("waits", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    print("ends", flush=True)
"""
TOLD = (
    "broadloom: p.mlir:1:1: 'sleeps': the library's function has not returned, and nothing can interrupt it; "
    "Ctrl-C again ends the process\n"
)


def start(library, *milliseconds):
    return subprocess.Popen(
        [sys.executable, "-c", HANG, program("sleeps"), library, *map(str, milliseconds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def test_a_second_interrupt_ends_a_process_whose_library_hangs(library):
    with start(library, -1) as process:
        assert process.stdout.readline() == "calls\n"
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        assert [process.stderr.readline() for _ in range(2)] == ["\n", TOLD]
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == -signal.SIGINT
        assert process.stdout.read() == ""


def test_an_interrupt_is_raised_once_a_slow_library_returns(library):
    """And Ctrl-C is Python's again."""
    with start(library, 4000, 0) as process:
        assert process.stdout.readline() == "calls\n"
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        assert [process.stdout.readline() for _ in range(4)] == [
            "interrupted [1.0, 0.0]\n",
            "calls\n",
            "returned [1.0, 0.0]\n",
            "waits\n",
        ]
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "ends\n"
        assert process.wait(20) == 0
        assert process.stderr.read() == "\n" + TOLD
