"""Generates the official TOSA tests, runs Broadloom on them, and reports.
scripts/conformance calls this.
"""

import argparse
import concurrent.futures
import hashlib
import itertools
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from importlib import metadata

HERE = os.path.dirname(os.path.realpath(__file__))

ELEMENTWISE = (
    "abs bitwise_not cast ceil clamp clz erf exp floor log logical_not negate "
    "reciprocal rsqrt sigmoid tanh sin cos "
    "add arithmetic_right_shift bitwise_and bitwise_or bitwise_xor intdiv equal greater "
    "greater_equal logical_and logical_left_shift logical_or logical_right_shift "
    "logical_xor maximum minimum mul pow sub select").split()
OTHER = (
    "argmax avg_pool2d concat conv2d conv3d depthwise_conv2d gather identity matmul "
    "max_pool2d pad reduce_all reduce_any reduce_max reduce_min reduce_product reduce_sum "
    "rescale reshape resize reverse scatter slice table tile transpose "
    "transpose_conv2d").split()

# What MLIR 22 can express: all but the block-scaled types.
EXTENSIONS = (
    "bf16 int16 int64 fp8e4m3 fp8e5m2 dynamic inexactround doubleround").split()

COMMON = [
    "--test-type", "positive", "--seed", "42", "--test-selection-criteria", "default",
    "--extension", *(f"tosa-ext-{name}" for name in EXTENSIONS),
]
# Name -> operations and options. The special values come with the low ranks. Of
# the others, small extents keep a test small: with the generator's own range
# they are gigabytes.
SETS = {
    "rank0-3": (ELEMENTWISE, ["--target-rank", "0", "1", "2", "3", "--fp-values-range=-max,max"]),
    "rank4-6": (ELEMENTWISE, ["--target-rank", "4", "5", "6", "--tensor-dim-range", "1,5",
                              "--fp-values-range=-max,max"]),
    "other": (OTHER, ["--target-rank", "1", "2", "3", "4", "5", "--tensor-dim-range", "1,6"]),
}
# What is known not to run, by the tests' names, and why; docs/conformance.md
# says how many tests that are. None of them gives a wrong result.
LEFT_OUT = {
    r"i48": "integers of 48 bits have no form outside a program",
    r"^other/.*(conv|matmul|pool|argmax|modeB).*f8e": "8-bit floats are for casts and for what moves elements",
    r"^other/(.*conv|matmul).*_i(8|16)x.*_dyn": "zero points of products of integers are constants",
    r"rescale.*_sc0_.*_dyn": "multipliers of 16 bits are constants",
    r"argmax.*outi64": "positions are i32 (red-5)",
    r"rescale.*_pc1_": "with open channels the upstream verifier refuses a multiplier for each",
}
SUTS = ["broadloom_sut", "broadloom_dynamic_sut"]


def generate(folder):
    """All tests under `folder`, made where they are not there yet."""
    version = metadata.version("tosa-tools")
    stamp = hashlib.sha256(repr((version, COMMON, SETS)).encode()).hexdigest()
    stampPath = os.path.join(folder, "stamp")
    if os.path.exists(stampPath):
        with open(stampPath, encoding="utf-8") as file:
            if file.read() == stamp:
                return
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    print("conformance: generating the official tests (once, some minutes)", flush=True)

    def make(name):
        operations, options = SETS[name]
        subprocess.run(
            [sys.executable, "-m", "generator.tosa_verif_build_tests",
             "-o", os.path.join(folder, name), "--filter", f"^({'|'.join(operations)})$",
             *COMMON, *options],
            check=True, stdout=subprocess.DEVNULL)

    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(make, SETS))
    with open(stampPath, "w", encoding="utf-8") as file:
        file.write(stamp)


def tests(folder, pattern):
    """The tests as set/operation/name, in order, whose name `pattern` finds and
    which are not left out."""
    found = []
    for group in SETS:
        for operation in sorted(os.listdir(os.path.join(folder, group))):
            for name in sorted(os.listdir(os.path.join(folder, group, operation))):
                test = f"{group}/{operation}/{name}"
                if pattern.search(test) and not any(re.search(left, test) for left in LEFT_OUT):
                    found.append(test)
    return found


def sample(names, count):
    """`count` of the tests: of each operation in turn, in an order that depends
    on the names only."""
    byOperation = {}
    for name in names:
        byOperation.setdefault(name.split("/")[1], []).append(name)
    digest = lambda name: hashlib.sha256(name.encode()).hexdigest()
    rounds = itertools.zip_longest(*(sorted(group, key=digest) for group in byOperation.values()))
    return sorted(itertools.islice((n for r in rounds for n in r if n), count))


def run(folder, names, suts, broadloom, jobs):
    """Runs the official runner; returns its report, an ElementTree."""
    listPath = os.path.join(folder, "selected")
    with open(listPath, "w", encoding="utf-8") as file:
        file.writelines(os.path.join(folder, name) + "\n" for name in names)
    report = os.path.join(folder, "report.xml")
    if os.path.exists(report):
        os.remove(report)
    environment = dict(os.environ, PYTHONPATH=HERE, PYTHONDONTWRITEBYTECODE="1")
    with open(os.path.join(folder, "run.log"), "wb") as log:
        subprocess.run(
            [sys.executable, "-m", "runner.tosa_verif_run_tests", "--no-color",
             "--sut-module", *suts,
             "--sut-module-args", *(f"{sut}:{broadloom}" for sut in suts),
             "--test-list", listPath, "-j", str(jobs), "--xunit-file", report],
            check=True, env=environment, stdout=log, stderr=subprocess.STDOUT)
    return ET.parse(report)


def summarise(report, folder, suts, count):
    """Shortens names, drops what passed of the reference model's own runs, says
    what failed. Returns whether each test passed on each system."""
    good = True
    root = report.getroot()
    for suite in list(root):
        cases = list(suite.iter("testcase"))
        failed = []
        for case in cases:
            case.set("name", os.path.relpath(case.get("name"), folder))
            problem = case.find("failure")
            if problem is None:
                problem = case.find("error")
            if problem is not None:
                failed.append(case)
                words = problem.get("message") or problem.text or ""
                print(f"{suite.get('name')}: {case.get('name')}: {words.strip()}")
        if suite.get("name") in suts:
            print(f"conformance: {suite.get('name')}: {len(cases) - len(failed)} of {count} passed")
            good = good and not failed and len(cases) == count
        else:
            for case in cases:
                if case not in failed:
                    suite.remove(case)
            good = good and not failed
    return good


def main():
    parser = argparse.ArgumentParser(prog="scripts/conformance", description=__doc__)
    parser.add_argument("filter", nargs="?", default="",
                        help="regular expression searched in set/operation/test, e.g. /cast/")
    parser.add_argument("--build", default="build", help="the build directory")
    parser.add_argument("--sample", type=int, metavar="N", help="run only N of the tests")
    parser.add_argument("--junit", metavar="FILE", help="write a report")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--sut", action="append", metavar="MODULE",
                        help="another system under test, e.g. runner.tosa_refmodel_sut_run, "
                             "the reference model itself")
    options = parser.parse_args()
    suts = options.sut or SUTS
    broadloom = os.path.abspath(os.path.join(options.build, "bin", "broadloom"))
    if suts == SUTS and not os.path.exists(broadloom):
        parser.error(f"{broadloom} is not there; scripts/build makes it")
    folder = os.path.abspath(os.path.join(options.build, "conformance"))
    generate(folder)
    names = tests(folder, re.compile(options.filter))
    if not names:
        parser.error(f"no test's name has {options.filter!r}")
    if options.sample:
        names = sample(names, options.sample)
    report = run(folder, names, suts, broadloom, options.jobs)
    good = summarise(report, folder, suts, len(names))
    if options.junit:
        report.write(options.junit, encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
