"""All kinds of fuzzing share these: options, seeds, time, and reports.

A kind is an executable file KIND.py in this folder, which scripts/fuzz runs. It
takes the options of `parser`, stops when `Clock` says so, and ends with
`finish`, so that scripts/test can add up what was tried.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from xml.sax.saxutils import quoteattr

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


def commit_seed():
    """A number that each commit has of its own, so that every commit tries
    something else and a failure can be repeated; 1 where there is no commit."""
    result = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return int(result.stdout[:8], 16) if result.returncode == 0 else 1


def parser(description, minutes=2.0):
    """The options that every kind has."""
    options = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seed", type=int, default=None, help="where to begin; by default a number of the commit")
    options.add_argument("--minutes", type=float, default=minutes, help="how long to go on (default: %(default)s)")
    options.add_argument(
        "--build",
        default=os.environ.get("BROADLOOM_BUILD", os.path.join(ROOT, "build")),
        help="the folder of the build to try (default: %(default)s)",
    )
    options.add_argument("--junit", help="write a report in JUnit's form to this file")
    return options


def parse(options, arguments=None):
    """The values of the options, the seed chosen where none is given."""
    values = options.parse_args(arguments)
    if values.seed is None:
        values.seed = commit_seed()
    values.build = os.path.abspath(values.build)
    return values


class Background:
    """A process whose output is read at its end. Several run at once, and one
    that writes to a pipe stops when that is full and nobody reads; so the output
    goes to a file. `stream` is "stdout" or "stderr", the other one is the
    parent's or, with `quiet`, nobody's."""

    def __init__(self, command, stream, quiet=False, env=None):
        self.output = tempfile.TemporaryFile("w+", errors="replace")
        streams = {"stdout": None, "stderr": None}
        if quiet:
            streams = dict.fromkeys(streams, subprocess.DEVNULL)
        streams[stream] = self.output
        self.process = subprocess.Popen(command, env=env, **streams)

    def finish(self):
        """Waits for the end; returns the exit status and the output."""
        status = self.process.wait()
        with self.output:
            self.output.seek(0)
            return status, self.output.read()


class Clock:
    """Says when the time is up."""

    def __init__(self, minutes):
        self.end = time.monotonic() + 60 * minutes

    def left(self):
        """Seconds that are left, at least 0."""
        return max(0.0, self.end - time.monotonic())

    def __bool__(self):
        return self.left() > 0


def finish(kind, values, counts, failures):
    """Prints the closing line of a kind and writes its report.

    `counts` is {what: how many} of what was tried, such as {"programs": 2400};
    `failures` is {name: text} of what was found. Returns the exit status."""
    tried = ", ".join(f"{number} {what}" for what, number in counts.items())
    if not any(counts.values()):
        failures = dict(failures, nothing="nothing was tried")
    for name, text in failures.items():
        print(f"fuzz {kind}: FAILED: {name}\n{text}\n")
    print(f"fuzz {kind}: seed {values.seed}: {tried}; {len(failures)} failed")
    if values.junit:
        write_report(values.junit, kind, tried, failures)
    sys.stdout.flush()
    return 1 if failures else 0


def write_report(path, kind, tried, failures):
    """One test case for the kind, or one for each failure; what was tried is a
    property, which scripts/count-tests puts into its closing line."""
    cases = [
        f"<testcase classname={quoteattr('fuzz.' + kind)} name={quoteattr(name)}>"
        f"<failure message={quoteattr(text[-4000:])}/></testcase>"
        for name, text in failures.items()
    ]
    cases = cases or [f"<testcase classname='fuzz' name={quoteattr(kind)}/>"]
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            f"<testsuite><properties><property name='tried' value={quoteattr(tried)}/>"
            f"</properties>{''.join(cases)}</testsuite>\n"
        )
