"""scripts/progress shows how far a build is."""

import os
import pty
import subprocess

from conftest import SCRIPTS

PROGRESS = os.path.join(SCRIPTS, "progress")
BUILD = r"""
echo 'ninja: Entering directory `build`'
echo '[1/3] Compiling a'; sleep 1.2
echo 'a.cpp:1: warning: a word'; echo '[2/3] Compiling b'
printf 'a line in'; sleep 1.2; printf ' two parts\n'
printf 'the end'
"""


def show(build, *options, **settings):
    return subprocess.run(
        ["bash", "-c", f'({build}) | "$@"', "bash", PROGRESS, "build", *options], text=True, timeout=60, **settings
    )


def test_counts_and_other_lines():
    done = show(BUILD, "--each", "1", stdout=subprocess.PIPE)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert [line for line in lines if not line.startswith("build: ")] == [
        "a.cpp:1: warning: a word",
        "a line in two parts",
        "the end",
    ]
    counts = [line for line in lines if line.startswith("build: ")]
    assert "build: 1 of 3 steps done after 0:01 min" in counts and counts[-1].startswith(
        "build: 2 of 3 steps done after"
    )


def test_counts_only():
    lines = show(BUILD, "--each", "1", "--only", stdout=subprocess.PIPE).stdout.splitlines()
    assert lines and all(line.startswith("build: ") for line in lines)


def test_what_is_short_says_nothing():
    assert show("echo '[1/1] all'; echo 'ninja: no work to do.'", stdout=subprocess.PIPE).stdout == ""


def test_without_a_count():
    assert show("sleep 1.2", "--each", "1", stdout=subprocess.PIPE).stdout == "build: at work after 0:01 min\n"


def test_one_line_on_a_terminal():
    terminal, other = pty.openpty()
    show(BUILD, stdout=other)
    os.close(other)
    text = b""
    try:
        while part := os.read(terminal, 4096):
            text += part
    except OSError:  # the other end is closed
        pass
    os.close(terminal)
    assert b"\r\x1b[Kbuild: 1 of 3 steps done, 0:01 min\r\x1b[Ka.cpp:1: warning: a word\r\n" in text
    assert text.endswith(b"the end\r\n\r\x1b[K")
