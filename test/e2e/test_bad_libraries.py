"""Libraries that throw and that do not return, from the command line and from a compiled library (ffi-1)."""

import ctypes
import signal
import subprocess
import time

import broadloom
import numpy as np
import pytest

SOURCE = r"""
#include <stdexcept>
#include <unistd.h>
extern "C" void throws(double *x) { x[0] = 1; if (x[1] != 0) throw std::logic_error("it cannot"); }
extern "C" void hangs(double *x) { x[0] = 1; for (;;) pause(); }
"""
PROGRAM = """\
func.func private @NAME(memref<2xf64>)
    attributes {loom.effects = {writes = [#loom.access_set<0, #loom.relation<"() -> (i) : (i == 0)">>]}}
func.func @main(%x: memref<2xf64>) {
  call @NAME(%x) : (memref<2xf64>) -> ()
  return
}
"""
MESSAGE = (
    "p.mlir:1:1: 'throws': the library's function threw an exception of type std::logic_error: it cannot; "
    "memory that the call writes to has what was written until then"
)


@pytest.fixture
def library(tmp_path):
    (tmp_path / "bad.cpp").write_text(SOURCE)
    (tmp_path / "p.mlir").write_text(PROGRAM.replace("NAME", "throws"))
    (tmp_path / "hangs.mlir").write_text(PROGRAM.replace("NAME", "hangs"))
    subprocess.run(["g++", "-shared", "-fPIC", "-o", tmp_path / "libbad.so", tmp_path / "bad.cpp"], check=True)
    return "./libbad.so"


@pytest.mark.parametrize("options", [(), ("--check-effects",)])
def test_an_exception_is_an_error_of_run(library, tmp_path, options):
    outcome = broadloom.call("run", "p.mlir", f"--library={library}", "--input=2xf64=0 1", *options, cwd=tmp_path)
    assert outcome.status == broadloom.GUARD_FAILED
    assert MESSAGE in outcome.error


def test_an_exception_is_an_error_of_a_compiled_library(library, tmp_path):
    outcome = broadloom.call("compile", "p.mlir", f"--library={library}", "--emit=so", "-o", "p.so", cwd=tmp_path)
    assert outcome.status == broadloom.DONE, outcome.error
    ctypes.CDLL(str(tmp_path / "libbad.so"), ctypes.RTLD_GLOBAL)
    program = broadloom.loadLibrary(tmp_path / "p.so")

    def call(array):
        tensor = program.tensor(array)
        pointers = (ctypes.POINTER(type(tensor)) * 1)(ctypes.pointer(tensor))
        program.check(program.runtime.broadloomCallRun(program.call, pointers, 1))

    x = np.array([0.0, 1.0])
    with pytest.raises(ValueError) as raised:
        call(x)
    assert str(raised.value) == MESSAGE
    assert x.tolist() == [1, 1]
    x = np.zeros(2)
    call(x)
    assert x.tolist() == [1, 0]


def test_ctrl_c_ends_a_run_whose_library_hangs(library, tmp_path):
    with subprocess.Popen(
        [broadloom.PROGRAM, "run", "hangs.mlir", f"--library={library}", "--input=2xf64=0"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        time.sleep(2)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == -signal.SIGINT


# The number of a declared element is no remainder of 2^64 (ffi-4).
@pytest.mark.parametrize(
    "factor, n, message",
    [
        (2**62, 4, "argument 1 is not between -2^0 and 2^0"),
        (2**62, 0, None),
        (2**32, 2**32, "argument 1 is not between -2^30 and 2^30"),
        (2**32, 1, "index 2 is outside axis 0 of argument 0"),
        (1, 2**63 - 1, "index 2 is outside axis 0 of argument 0"),
    ],
)
def test_numbers_of_declared_sets_that_wrap(library, tmp_path, factor, n, message):
    text = PROGRAM.replace("NAME", "throws").replace("(memref<2xf64>)", "(memref<2xf64>, index)")
    text = text.replace('"() -> (i) : (i == 0)">', f'"()[n] -> (i) : (0 <= i < {factor} * n)">, [1]')
    text = text.replace("%x: memref<2xf64>)", "%x: memref<2xf64>, %n: index)").replace("(%x) :", "(%x, %n) :")
    (tmp_path / "wide.mlir").write_text(text)
    outcome = broadloom.call(
        "run", "wide.mlir", f"--library={library}", "--input=2xf64=0 0", f"--input=i64={n}", cwd=tmp_path
    )
    if message is None:
        assert outcome.status == broadloom.DONE, outcome.error
    else:
        assert outcome.status == broadloom.GUARD_FAILED and message in outcome.error, outcome.error
