"""scripts/fuzz and what all kinds of fuzzing share."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ET

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test", "fuzz"))
import fuzzing  # noqa: E402


def run(*arguments):
    return subprocess.run([os.path.join(ROOT, "scripts", "fuzz"), *arguments], capture_output=True, text=True)


def test_unknown_kind():
    result = run("nothing")
    assert result.returncode == 2
    assert result.stderr.startswith("fuzz: no kind is called nothing; there are: ")
    assert "guards" in result.stderr


def test_a_kind_is_needed():
    assert "a kind is needed: " in run().stderr


def values(tmp_path):
    return fuzzing.parse(fuzzing.parser("test"), ["--seed=7", f"--junit={tmp_path / 'r.xml'}"])


def test_nothing_found(tmp_path, capsys):
    assert fuzzing.finish("k", values(tmp_path), {"programs": 3, "calls": 9}, {}) == 0
    assert capsys.readouterr().out == "fuzz k: seed 7: 3 programs, 9 calls; 0 failed\n"
    report = ET.parse(tmp_path / "r.xml")
    assert [p.get("value") for p in report.iter("property")] == ["3 programs, 9 calls"]
    assert [c.find("failure") for c in report.iter("testcase")] == [None]


def test_findings(tmp_path, capsys):
    assert fuzzing.finish("k", values(tmp_path), {"programs": 3}, {"a": "why <", "b": "because"}) == 1
    assert "fuzz k: FAILED: a\nwhy <\n" in capsys.readouterr().out
    failures = [c.find("failure").get("message") for c in ET.parse(tmp_path / "r.xml").iter("testcase")]
    assert failures == ["why <", "because"]


def test_nothing_tried_is_no_success(tmp_path):
    assert fuzzing.finish("k", values(tmp_path), {"programs": 0}, {}) == 1


def test_a_process_writes_more_than_a_pipe_holds():
    """Of two, the second is read when the first has ended, and runs until then."""
    writes = "import sys; sys.stderr.write('x' * 1_000_000); sys.exit(3)"
    background = fuzzing.Background([sys.executable, "-c", writes], "stderr", quiet=True)
    assert background.process.wait(timeout=60) == 3
    assert background.finish() == (3, "x" * 1_000_000)


def test_seed_of_the_commit():
    assert fuzzing.parse(fuzzing.parser("test"), []).seed == fuzzing.commit_seed()


def test_nests():
    result = run("nests", "--seed=2", "--count=30", "--jobs=1")
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.startswith("fuzz nests: seed 2: 30 nests, ")


def test_schedules():
    result = run("schedules", "--seed=2", "--count=30")
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.startswith("fuzz schedules: seed 2: 30 schedules, ")


def test_bytecode_is_fuzzed_in_a_process_of_one_thread():
    """libFuzzer's watch of the memory is a thread; with it, no fork reads
    bytecode first, and all of it is refused."""
    import inputs

    assert "-rss_limit_mb=0" in inputs.command("bytecode")
    assert "-rss_limit_mb=6144" in inputs.command("program")
