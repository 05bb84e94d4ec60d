"""scripts/fuzz options itself: the same command lines each time, and what it
takes for a finding."""

import os
import re
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test", "fuzz"))
import options  # noqa: E402


def test_a_seed_always_gives_the_same_command_lines():
    assert [options.commandLine(3, i) for i in range(50)] == [options.commandLine(3, i) for i in range(50)]
    assert options.commandLine(3, 1) != options.commandLine(4, 1)


def test_every_option_of_the_program_is_tried():
    """A new option that is not in the table fails here."""
    with open(os.path.join(ROOT, "tools", "broadloom", "CommandLine.cpp"), encoding="utf-8") as file:
        text = file.read()
    named = set(re.findall(r'cl::(?:opt|list)<[^;]*?\{\s*"([\w-]+)"', text))
    assert "shape-library" in named and "seconds" in named
    assert named - set(options.VALUES) <= {"provoke-bug"}
    for names in (*options.OF_COMMAND.values(), options.OF_ALL):
        assert set(names) <= named


def program(tmp_path, script):
    path = tmp_path / "program"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    "script, words, found",
    [
        ("exit 0", [], None),
        ("echo no >&2; exit 1", [], None),
        ("exit 1", [], "silent: status 1, and no word why"),
        ("echo bug >&2; exit 4", [], "status 4"),
        ("kill -11 $$", [], "crash: signal 11"),
        ("echo 'LLVM ERROR: x' >&2; exit 1", [], "says LLVM ERROR"),
        ("echo text", ["--json"], "json: "),
        ("echo []", ["--json"], None),
    ],
)
def test_what_is_a_finding(tmp_path, script, words, found):
    words = options.judge(program(tmp_path, script), words, "", tmp_path)
    assert words is None if found is None else words.startswith(found)


def test_a_command_that_takes_too_long_is_a_finding(tmp_path, monkeypatch):
    monkeypatch.setattr(options, "LIMIT_S", 1)
    found = options.judge(program(tmp_path, "while :; do :; done"), [], "", tmp_path)
    assert found.startswith("hang: it computes for more than 1 s")


def test_words_that_a_finding_does_not_need_go(tmp_path):
    crash = program(tmp_path, 'for w in "$@"; do if [ "$w" = bad ]; then kill -11 $$; fi; done')
    words = ["run", "a", "bad", "--b"]
    found = options.judge(crash, words, "", tmp_path)
    assert options.shrink(crash, words, "", tmp_path, found)[0] == ["bad"]
