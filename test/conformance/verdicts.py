"""One official test on Broadloom: run, and judged by the official checker.

The official reference model makes the expected results once; they stay in the
test's folder.
"""

import subprocess
import sysconfig
import tempfile
from pathlib import Path

import files
import rules

BIN = Path(sysconfig.get_path("purelib")) / "bin"
LIMIT_S = 300

# What became of a test.
PASSED = "passed"  # the results comply, or the error names the rule
REFUSED = "refused"  # a correct program was not compiled or not run
WRONG = "wrong"  # the results do not comply
ACCEPTED = "accepted"  # a wrong program ran
UNNAMED = "unnamed"  # a wrong program was rejected, without a name for the rule
CRASHED = "crashed"  # neither a result nor an error
UNJUDGED = "unjudged"  # the reference model has no result


def command(words, folder=None, environment=None):
    """Runs a command; returns its status and what it said. A status of None is a
    command that took too long."""
    try:
        done = subprocess.run(
            [str(word) for word in words], cwd=folder, capture_output=True, env=environment, timeout=LIMIT_S
        )
    except subprocess.TimeoutExpired:
        return None, f"still running after {LIMIT_S} s"
    return done.returncode, (done.stderr + done.stdout).decode(errors="replace").strip()


def needsBounds(test):
    return test.description.get("test_requirements", {}).get("bounds_file_required", False)


def reference(test):
    """Makes the expected results where they are missing; returns what went wrong."""
    results = [test.folder / "reference" / name for name in test.description["ofm_file"]]
    if all(path.exists() for path in results):
        return None
    if "compliance" not in test.description["meta"]:
        expected = [test.folder / name for name in test.description.get("expected_result_file", [])]
        if expected and all(path.exists() for path in expected):
            return None
        return "the test has no expected results and requires none"
    status, said = command(
        [
            BIN / "tosa_reference_model",
            "--tosa_level",
            "EIGHTK",
            "--operator_fbs",
            BIN / "tosa.fbs",
            "--test_desc",
            "desc.json",
            "--precise_mode=1",
        ],
        test.folder,
    )
    if status != 0:
        return f"the reference model: exit status {status}: {said}"
    (test.folder / "reference").mkdir(exist_ok=True)
    for path in results:
        for prefix in ("bounds_", ""):
            made = test.folder / (prefix + path.name)
            if made.exists():
                made.replace(path.parent / (prefix + path.name))
    return None


def verify(test, folder):
    """Compares the results in `folder`; returns what is wrong with them."""
    description = test.description
    for name, tensor in zip(description["ofm_file"], description["ofm_name"]):
        if not (folder / name).exists():
            return f"no {name} was written"
        words = [
            BIN / "tosa_verify",
            "--test_desc",
            test.folder / "desc.json",
            "--imp_result_file",
            folder / name,
            "--ref_result_file",
            test.folder / "reference" / name,
            "--ofm_name",
            tensor,
        ]
        if needsBounds(test):
            words += ["--bnd_result_file", test.folder / "reference" / f"bounds_{name}"]
        status, said = command(words)
        if status != 0:
            return f"{tensor}: {said or f'exit status {status} of the checker'}"
    return None


def runOracle(test):
    """Tells what becomes of the test where NumPy computes it."""
    import oracle

    problem = reference(test)
    if problem:
        return UNJUDGED, problem
    with tempfile.TemporaryDirectory(prefix="broadloom-conformance-") as name:
        try:
            oracle.run(test, Path(name))
        except Exception as error:  # It knows element-wise operations alone.
            return REFUSED, repr(error)
        problem = verify(test, Path(name))
        return (WRONG, problem) if problem else (PASSED, "")


def run(test, broadloom, isDynamic):
    """Tells what becomes of the test, and in which words: with its program as it comes,
    or with every extent made `?`."""
    description = test.description
    if not test.isNegative:
        problem = reference(test)
        if problem:
            return UNJUDGED, problem
    with tempfile.TemporaryDirectory(prefix="broadloom-conformance-") as name:
        folder = Path(name)
        program = test.folder / description["tosa_file"]
        if isDynamic:
            opened = folder / "dynamic.tosa"
            opened.write_bytes(files.dynamic(program.read_bytes()))
            program = opened
        words = [broadloom, "run", program, "--threads=1"]
        words += [f"--input={test.folder / name}" for name in description["ifm_file"]]
        if not test.isNegative:
            words += [f"--output={folder / name}" for name in description["ofm_file"]]
        status, said = command(words)
        if status not in (0, 1, 3):
            return CRASHED, f"exit status {status}: {said}"
        if test.isNegative:
            if status == 0:
                return ACCEPTED, description.get("expected_failure_desc", "")
            return (PASSED, said) if rules.isNamed(test, said) else (UNNAMED, said)
        if status != 0:
            return REFUSED, said
        problem = verify(test, folder)
        return (WRONG, problem) if problem else (PASSED, "")
