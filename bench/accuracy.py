"""Runs broadloom-bench-accuracy for every function and writes the table in
bench/README.md. scripts/bench-accuracy calls this."""

import argparse
import json
import os
import subprocess
import sys

import readme

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
PROGRAM = os.path.join(ROOT, "build", "bin", "broadloom-bench-accuracy")
FUNCTIONS = ("exp", "log", "tanh", "sigmoid", "erf", "sin", "cos", "reciprocal", "rsqrt", "pow")


def at(values, function):
    return ", ".join(values) if function == "pow" else values[0]


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench-accuracy", description=__doc__)
    parser.add_argument(
        "--samples",
        type=int,
        default=26,
        help="log2 of the number of samples where not all are tried; below 26 nowhere",
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="functions, by name")
    parser.add_argument("--no-write", action="store_true", help="leave bench/README.md as it is")
    options = parser.parse_args()
    rows, wrong = (
        [
            "| function | type | arguments | largest error, ULP | at | largest share of the bound | at |",
            "|---|---|---|---|---|---|---|",
        ],
        [],
    )
    for kind in ("f32", "f64"):
        for function in options.only.split(",") if options.only else FUNCTIONS:
            done = subprocess.run(
                [PROGRAM, function, kind, str(options.threads), str(options.samples)],
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
            found = json.loads(done.stdout)
            every = found["count"] == 1 << 32
            rows.append(
                f"| {function} | {kind} | {'all ' if every else ''}{found['count']:,} | {found['ulps']} "
                f"| {at(found['ulps_at'], function)} | {found['share']} | {at(found['share_at'], function)} |"
            )
            print(rows[-1], flush=True)
            if found["wrong"]:
                wrong.append(
                    f"{function}, {kind}: {found['wrong']} results outside el-9, the first at "
                    f"{at(found['wrong_at'], function)}: {found['wrong_got']}"
                )
    if wrong:
        sys.exit("\n".join(wrong))
    if not options.no_write:
        readme.replace("accuracy", rows)


if __name__ == "__main__":
    main()
