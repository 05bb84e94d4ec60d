"""Threads, signals, forks and the end of the process."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import broadloom as bl
import numpy as np
import pytest
from conftest import ADD


@pytest.fixture(autouse=True)
def interrupts_are_not_ignored():
    """A process that a shell starts in the background ignores them, and so do its children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def long_program(functions=2000):
    """A program that takes many times as long to compile as a test waits."""
    text = ""
    for i in range(functions):
        text += f"func.func @f{i}(%v: tensor<?x?xf32>) -> tensor<?x?xf32> {{\n"
        last = "%v"
        for k in range(20):
            operation = ("exp", "sigmoid", "erf")[k % 3]
            text += f"  %r{k} = tosa.{operation} {last} : (tensor<?x?xf32>) -> tensor<?x?xf32>\n"
            last = f"%r{k}"
        text += f"  return {last} : tensor<?x?xf32>\n}}\n"
    return text


ENDLESS = """
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = scf.while (%x = %a) : (tensor<?xf32>) -> tensor<?xf32> {
    %true = arith.constant true
    scf.condition(%true) %x : tensor<?xf32>
  } do {
  ^bb0(%x: tensor<?xf32>):
    %y = tosa.tanh %x : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
"""


def test_one_function_from_many_threads(add):
    wrong = []

    def work(seed):
        for i in range(200):
            a = np.full((1 + (seed + i) % 5, 7), seed, np.float32)
            out = np.empty_like(a) if i % 2 else None
            if not (add(a, a, out=out) == 2 * seed).all():
                wrong.append((seed, i))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_compiling_in_many_threads():
    results = []

    def work(value):
        f = bl.compile(ADD)
        x = np.full((2, 2), value, np.float32)
        results.append((f(x, x) == 2 * value).all())

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


def test_cancel_ends_calls_and_others_run_meanwhile(add):
    endless = bl.compile(ENDLESS)
    errors = []

    def work():
        try:
            endless(np.ones(4, np.float32))
        except bl.CancelledError as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    # Python's lock is not held: this thread goes on.
    x = np.ones((2, 2), np.float32)
    assert (add(x, x) == 2).all()
    while thread.is_alive():
        endless.cancel()
        thread.join(0.01)
    assert len(errors) == 1 and str(errors[0]) == "the call was cancelled"
    assert add.cancel() is None and (add(x, x) == 2).all()


def test_an_interrupt_ends_a_compilation():
    text = long_program()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        bl.compile_program(text)
    timer.join()
    assert bl.compile(ADD).__name__ == "main"


def test_other_signals_are_handled_meanwhile():
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.monotonic()))
    try:
        text = long_program(400)
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        bl.compile_program(text)
        ended = time.monotonic()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen and seen[0] < ended


def _child(queue, value):
    x = np.full((600, 600), value, np.float32)
    f = bl.compile(ADD)
    queue.put(bool((f(x, x) == 2 * value).all() and (_shared(x, x) == 2 * value).all()))


_shared = None


def test_a_fork_after_use(add):
    global _shared
    _shared = add
    x = np.ones((600, 600), np.float32)
    assert (add(x, x) == 2).all()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [context.Process(target=_child, args=(queue, i)) for i in range(2)]
    for child in children:
        child.start()
    assert [queue.get(timeout=60) for _ in children] == [True, True]
    for child in children:
        child.join(60)
        assert child.exitcode == 0
    assert (add(x, x) == 2).all()


def run_python(text):
    result = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=120)
    return result.returncode, result.stdout, result.stderr


def test_the_end_of_a_process_with_everything_alive():
    code, out, err = run_python(
        f"""
        import threading, numpy as np, broadloom as bl
        f = bl.compile({ADD!r})
        x = np.ones((700, 700), np.float32)
        y = f(x, x)
        capsule = bl.as_dlpack(y).__dlpack__(max_version=(1, 0))
        def forever():
            while True:
                f(x, x)
        for _ in range(3):
            threading.Thread(target=forever, daemon=True).start()
        import builtins
        builtins.kept = f, y, capsule
        print("end")
        """
    )
    assert (code, out, err) == (0, "end\n", "")


def test_an_interrupt_of_the_process():
    code, _, err = run_python(
        f"""
        import os, signal, sys, threading, broadloom as bl
        sys.path.insert(0, {os.path.dirname(__file__)!r})
        from test_processes import long_program
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        bl.compile_program(long_program())
        """
    )
    assert code == -signal.SIGINT or code == 130 or code == 1
    assert "KeyboardInterrupt" in err


@pytest.mark.parametrize("work", ["bl.compile(TEXT)", "bl.check(TEXT)", "bl.jit(lambda x: x + 1)(ONE)"])
def test_the_end_while_a_daemon_compiles(work):
    """The interpreter ends such a thread when it next takes Python's lock."""
    code = f"""
import threading, time
import numpy as np
import broadloom as bl

TEXT, ONE, begun = {ADD!r}, np.ones(3), threading.Event()

def work():
    while True:
        {work}
        begun.set()

for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
begun.wait(60)
"""
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
        # What the threads do then is over, and they print nothing.
        assert (done.returncode, done.stderr) == (0, ""), done.stderr


def test_the_thread_that_ends_compiles_no_more():
    # What is registered before the module is imported runs after the module's own.
    code, out, err = run_python(
        f"""
        import atexit
        def late():
            try:
                bl.compile({ADD!r})
            except RuntimeError as error:
                print(error)
        atexit.register(late)
        import broadloom as bl
        bl.compile({ADD!r})
        """
    )
    assert (code, out, err) == (0, "nothing is compiled while the interpreter is ending\n", "")


def test_a_fork_beside_a_compilation_ends(tmp_path):
    """The child has no such thread to wait for."""
    path = tmp_path / "long.mlir"
    path.write_text(long_program(400))
    code = f"""
import os, threading, time
import broadloom as bl

threading.Thread(target=lambda: bl.compile_program({str(path)!r}), daemon=True).start()
time.sleep(0.3)
child = os.fork()
if child:
    assert os.waitpid(child, 0)[1] == 0
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
