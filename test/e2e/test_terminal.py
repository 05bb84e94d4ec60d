"""Tests that `broadloom` shows progress and colours at a terminal, and neither elsewhere."""

import os
import pty
import select
import subprocess
import time

import broadloom
import pytest
from broadloom import DONE, REJECTED

ADD = """\
func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %0 = tosa.add %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
WRONG = ADD.replace("%b: tensor<3xf32>", "%b: tensor<4xf32>").replace(
    "(tensor<3xf32>, tensor<3xf32>)", "(tensor<3xf32>, tensor<4xf32>)"
)
ERASE = "\r\x1b[K"
COLOUR = "\x1b["


class Terminal:
    """Runs `broadloom` with a pseudo terminal as standard error. The program comes
    from standard input, so that reading it takes as long as a test likes."""

    def __init__(self, *arguments, terminal="xterm", **environment):
        self.master, slave = pty.openpty()
        kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
        self.process = subprocess.Popen(
            [broadloom.PROGRAM, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=slave,
            env={**kept, "TERM": terminal, **environment},
        )
        os.close(slave)
        self.seen = ""

    def read(self, seconds):
        """Reads what comes within so many seconds; False at the end."""
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            piece = os.read(self.master, 1 << 16)
        except OSError:  # The program has ended.
            return False
        self.seen += piece.decode().replace("\r\n", "\n")
        return bool(piece)

    def wait_for(self, text):
        end = time.monotonic() + broadloom.LIMIT_S
        while text not in self.seen:
            assert time.monotonic() < end and self.read(1), self.seen

    def finish(self, program):
        """Gives the program; the exit status when all is read."""
        self.process.stdin.write(program.encode())
        self.process.stdin.close()
        end = time.monotonic() + broadloom.LIMIT_S
        while self.read(1):
            assert time.monotonic() < end, self.seen
        self.process.stdout.read()
        os.close(self.master)
        return self.process.wait(timeout=broadloom.LIMIT_S)


INPUTS = ["--input=3xf32=1", "--input=3xf32=2"]


@pytest.mark.parametrize(
    "arguments, what",
    [
        (["run", "-", *INPUTS], "compiling"),
        (["bench", "-", *INPUTS, "--seconds=0"], "compiling"),
        (["compile", "-", "--emit=loom"], "compiling"),
        (["check", "-"], "checking"),
        (["shapes", "-"], "reading"),
        (["inspect", "-"], "reading"),
    ],
)
def test_what_takes_long_is_shown_and_erased(arguments, what):
    terminal = Terminal(*arguments)
    terminal.wait_for(f"{ERASE}{what} standard input (2 s)")
    assert terminal.finish(ADD) == DONE
    # The line is gone before the end, and nothing stands behind it.
    assert terminal.seen.endswith(ERASE)


@pytest.mark.parametrize("how", ["dumb", "pipe", "verbose"])
def test_progress_is_for_terminals(how, tmp_path):
    if how == "pipe":
        process = subprocess.Popen(
            [broadloom.PROGRAM, "check", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        time.sleep(1.5)
        assert process.communicate(ADD.encode(), timeout=broadloom.LIMIT_S)[1] == b""
        return
    terminal = Terminal(
        "check", "-", *(["--verbose"] if how == "verbose" else []), terminal="dumb" if how == "dumb" else "xterm"
    )
    time.sleep(1.5)
    assert terminal.finish(ADD) == DONE
    assert "checking" not in terminal.seen and ERASE not in terminal.seen


def test_an_error_stands_in_place_of_progress():
    terminal = Terminal("run", "-", "--input=3xf32=1")
    terminal.wait_for("(1 s)")
    assert terminal.finish(ADD) == REJECTED
    last = terminal.seen.split(ERASE)[-1]
    assert last.startswith(f"{COLOUR}1mbroadloom: ") and "1 argument is given" in last


@pytest.mark.parametrize("how", ["xterm", "no-color", "empty-no-color", "dumb"])
def test_diagnostics_have_colours_at_a_terminal(how):
    environment = {"no-color": {"NO_COLOR": "1"}, "empty-no-color": {"NO_COLOR": ""}}.get(how, {})
    terminal = Terminal("check", "-", terminal="dumb" if how == "dumb" else "xterm", **environment)
    assert terminal.finish(WRONG) == REJECTED
    error = "'tosa.add' op operands are not broadcast-compatible along axis 0: extents 3 and 4"
    assert error in terminal.seen
    if how in ("xterm", "empty-no-color"):
        assert f"{COLOUR}0;1;31merror: {COLOUR}0m{error}" in terminal.seen
    else:
        assert COLOUR not in terminal.seen and f"error: {error}" in terminal.seen


def test_files_have_no_colours(tmp_path):
    outcome = broadloom.checkText(tmp_path, WRONG)
    assert outcome.status == REJECTED and "error: " in outcome.error and COLOUR not in outcome.error
