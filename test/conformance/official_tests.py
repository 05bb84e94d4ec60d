"""Generates the official TOSA conformance suite, runs Broadloom on it, and reports.
scripts/conformance calls this.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import re
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import page
import suite
import verdicts


def parse():
    parser = argparse.ArgumentParser(prog="scripts/conformance", description=__doc__)
    parser.add_argument(
        "filter", nargs="?", default="", help="regular expression searched in the tests' names, e.g. /cast/"
    )
    parser.add_argument("--all", action="store_true", help="the whole suite")
    parser.add_argument("--sample", type=int, metavar="N", help="N of the tests, of all operations")
    parser.add_argument(
        "--seed", default=datetime.date.today().isoformat(), help="what the sample depends on; otherwise the day"
    )
    parser.add_argument(
        "--operators",
        type=lambda text: text.split(","),
        metavar="A,B",
        help="only the tests of these; nothing else is generated",
    )
    parser.add_argument("--again", metavar="FILE", help="those that did not pass in a run's --results")
    parser.add_argument(
        "--forms",
        default="static,dynamic",
        help="static (as it comes), dynamic (every extent `?`), or both; or oracle: the "
        "NumPy oracle of test/e2e instead of Broadloom, for element-wise operations",
    )
    parser.add_argument("--write", action="store_true", help="write docs/conformance.md; with --all")
    parser.add_argument("--results", metavar="FILE", help="write one line of JSON for each run")
    parser.add_argument("--junit", metavar="FILE", help="write a report")
    parser.add_argument("--build", default="build", help="the build directory")
    parser.add_argument(
        "--suite",
        metavar="FOLDER",
        default=os.environ.get("BROADLOOM_CONFORMANCE_SUITE"),
        help="where the suite is or will be made; BUILD/conformance where neither "
        "this nor BROADLOOM_CONFORMANCE_SUITE is given",
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--unfinished", action="store_true", help="only what has been generated so far")
    options = parser.parse_args()
    if options.write and not options.all:
        parser.error("--write describes the whole suite; give --all")
    if not (options.all or options.sample or options.filter or options.again or options.operators):
        parser.error("give --all, --sample N, --operators or a pattern")
    return parser, options


def prepare(options, root):
    """Generates what is requested and missing. A sample of a suite that is not all
    there is one of a few operators, which the seed chooses."""
    if options.unfinished:
        return
    if options.sample and not options.operators and not suite.isComplete(root):
        options.operators = suite.chooseOperators(root, options.seed)
    suite.generate(root, options.jobs, options.operators)


def select(parser, options, root):
    found = [name for name in suite.names(root, options.operators) if re.search(options.filter, name)]
    if options.again:
        with open(options.again, encoding="utf-8") as file:
            failed = {row["name"] for row in map(json.loads, file) if row["outcome"] != verdicts.PASSED}
        found = [name for name in found if name in failed]
    if not found:
        parser.error("no test was selected")
    if options.sample:
        found = suite.sample(found, options.sample, options.seed)
        operators = f" --operators {','.join(options.operators)}" if options.operators else ""
        print(
            f"conformance: the seed is {options.seed}; this repeats the sample: scripts/conformance "
            f"--sample {options.sample} --seed {options.seed}{operators}",
            flush=True,
        )
    return found


def runAll(root, names, forms, broadloom, jobs, told):
    """Runs each test in each form; a wrong program has one form."""

    def one(name):
        test = suite.Test(root, name)
        rows = []
        for form in forms:
            if test.isNegative and form != "static":
                continue
            start = time.monotonic()
            outcome, message = (
                verdicts.runOracle(test) if form == "oracle" else verdicts.run(test, broadloom, form == "dynamic")
            )
            rows.append(
                {
                    "name": name,
                    "form": form,
                    "operation": test.operation,
                    "negative": test.isNegative,
                    "outcome": outcome,
                    "message": message,
                    "seconds": round(time.monotonic() - start, 3),
                }
            )
        return rows

    rows = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done in pool.map(one, names):
            rows += done
            for row in done:
                told(row)
    return rows


def writeJunit(rows, path):
    tests = ET.Element("testsuite", name="conformance")
    for row in rows:
        case = ET.SubElement(
            tests, "testcase", classname=f"conformance.{row['form']}", name=row["name"], time=str(row["seconds"])
        )
        if row["outcome"] != verdicts.PASSED:
            ET.SubElement(case, "failure", message=f"{row['outcome']}: {row['message'][:2000]}")
    ET.ElementTree(tests).write(path, encoding="utf-8")


def coverage(root):
    """A sentence about the operators that have no tests in the suite."""
    missing = [name for name in suite.operators() if not suite.isGenerated(root, name)]
    if missing:
        return f"Not generated: {', '.join(missing)}."
    empty = [name for name in suite.operators() if not suite.names(root, [name])]
    return f"Of {len(empty)} operators that the generator knows it makes no test of this version."


def main():
    parser, options = parse()
    broadloom = os.path.abspath(os.path.join(options.build, "bin", "broadloom"))
    if not os.path.exists(broadloom):
        parser.error(f"{broadloom} is not there; scripts/build makes it")
    folder = options.suite or os.path.join(options.build, "conformance")
    root = os.path.abspath(folder)
    prepare(options, root)
    names = select(parser, options, root)
    results = open(options.results, "w", encoding="utf-8") if options.results else None

    def told(row):
        if results:
            results.write(json.dumps(row) + "\n")
            results.flush()
        if row["outcome"] != verdicts.PASSED:
            first = row["message"].strip().split("\n")[0]
            print(f"{row['form']}: {row['name']}: {row['outcome']}: {first}", flush=True)

    start = time.monotonic()
    rows = runAll(root, names, options.forms.split(","), broadloom, options.jobs, told)
    seconds = time.monotonic() - start
    for form in options.forms.split(","):
        of = [row for row in rows if row["form"] == form]
        passed = sum(row["outcome"] == verdicts.PASSED for row in of)
        print(f"conformance: {form}: {passed} of {len(of)} passed")
    print(f"conformance: {len(names)} tests in {seconds:.0f} s")
    if options.junit:
        writeJunit(rows, options.junit)
    if options.write:
        Path("docs/conformance.md").write_text(
            page.text(rows, seconds, suite.REQUEST, coverage(root)), encoding="utf-8"
        )
    return 0 if all(row["outcome"] == verdicts.PASSED for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
