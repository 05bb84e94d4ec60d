"""How long programs take to compile, by stage, and how that grows with their
length. scripts/bench-compile calls this.

All extents are dynamic. A chain is one operation after another on two
arguments, with the operations in turn; `random` is a chain of operations and
arguments chosen at random, so that no two kernels are equal; `wide` has as many
independent operations, all of them results; `operands` is a chain in which each
operation has an argument of its own, with its guards. `remainders` pads each
argument by what the extent of the last one leaves of its own.
"""

import argparse
import collections
import datetime
import os
import random
import re
import subprocess
import sys
import tempfile

import readme

OPERATIONS = ["add", "sub", "maximum", "minimum"]
TENSOR = "tensor<?x?xf32>"
SIZES = {
    "chain": (10, 1000, 10000, 50000),
    "random": (1000, 10000, 50000),
    "wide": (1000, 10000, 50000),
    "operands": (200, 400, 1000),
    "remainders": (10, 100),
}
SHAPE = "!tosa.shape<1>"
TAKES = re.compile(r"^\s*([\d.]+) ms  (.+)$", re.MULTILINE)


def step(index, operation, a, b):
    return f"  %{index} = tosa.{operation} {a}, {b} : ({TENSOR}, {TENSOR}) -> {TENSOR}"


def remainders(length):
    """The text of a program whose shapes are computed from its arguments'."""
    binary = f": ({SHAPE}, {SHAPE}) -> {SHAPE}"
    arguments = ", ".join(f"%a{i}: {TENSOR}" for i in range(length + 1))
    types = ", ".join([TENSOR] * length)
    lines = [
        f"func.func @main({arguments}) -> ({types}) {{",
        f"  %one = tosa.const_shape {{values = dense<1> : tensor<1xindex>}} : () -> {SHAPE}",
        "  %zeros = tosa.const_shape {values = dense<0> : tensor<3xindex>} : () -> !tosa.shape<3>",
        '  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>',
        f"  %n = tosa.dim %a{length} {{axis = 0 : i32}} : ({TENSOR}) -> {SHAPE}",
        f"  %by = tosa.add_shape %n, %one {binary}",
    ]
    for i in range(length):
        lines += [
            f"  %d{i} = tosa.dim %a{i} {{axis = 1 : i32}} : ({TENSOR}) -> {SHAPE}",
            f"  %r{i} = tosa.mod_shape %d{i}, %by {binary}",
            f"  %p{i} = tosa.concat_shape %zeros, %r{i} : (!tosa.shape<3>, {SHAPE}) -> !tosa.shape<4>",
            f"  %{i} = tosa.pad %a{i}, %p{i}, %zero : ({TENSOR}, !tosa.shape<4>, tensor<1xf32>) -> {TENSOR}",
        ]
    results = ", ".join(f"%{i}" for i in range(length))
    return "\n".join([*lines, f"  return {results} : {types}", "}\n"]), length + 1


def program(kind, length):
    """The text of a program, and how many arguments it takes."""
    if kind == "remainders":
        return remainders(length)
    choose = random.Random(0)
    arguments = length + 1 if kind == "operands" else 2
    lines, last = [], "%a0"
    for i in range(length):
        operation = choose.choice(OPERATIONS) if kind == "random" else OPERATIONS[i % 4]
        other = {"random": f"%a{choose.randrange(2)}", "operands": f"%a{i + 1}"}.get(kind, "%a1")
        lines.append(step(i, operation, "%a0" if kind == "wide" else last, other))
        last = f"%{i}"
    results = [f"%{i}" for i in range(length)] if kind == "wide" else [last]
    types = ", ".join([TENSOR] * len(results))
    head = ", ".join(f"%a{i}: {TENSOR}" for i in range(arguments))
    return "\n".join(
        [f"func.func @main({head}) -> ({types}) {{", *lines, f"  return {', '.join(results)} : {types}", "}\n"]
    ), arguments


def measure(broadloom, path, arguments, repeats):
    """The shortest time of each stage in ms, in order."""
    best = collections.OrderedDict()
    for _ in range(repeats):
        done = subprocess.run(
            [broadloom, "run", path, "--verbose", "--shapes", *["--input=2x2xf32=1"] * arguments],
            capture_output=True,
            text=True,
        )
        if done.returncode:
            sys.exit(f"bench-compile: {path}: {done.stderr}")
        for time, stage in TAKES.findall(done.stderr):
            best[stage] = min(float(time), best.get(stage, float("inf")))
    return best


def table(results):
    stages = list(next(iter(results.values())))
    lines = [
        "| program | operations | " + " | ".join(stages) + " | all | per operation |",
        "|---|---|" + "---|" * (len(stages) + 2),
    ]
    for (kind, length), times in results.items():
        whole = sum(times.values())
        cells = " | ".join(f"{times.get(stage, 0):.1f}" for stage in stages)
        lines.append(f"| {kind} | {length} | {cells} | **{whole:.0f} ms** | {1000 * whole / length:.1f} µs |")
    return "\n".join(lines)


def cpu():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return re.search(r"model name\s*: (.*)", file.read())[1].strip()


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench-compile", description=__doc__)
    parser.add_argument("--broadloom", default="build/bin/broadloom", help=argparse.SUPPRESS)
    parser.add_argument("--repeats", type=int, default=5, help="runs of each, of which the shortest counts")
    parser.add_argument("--most", type=int, default=50000, help="leave out longer programs")
    parser.add_argument("--no-write", action="store_true", help="leave the table in bench/README.md as it is")
    options = parser.parse_args()
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.mlir")
        for kind, sizes in SIZES.items():
            for length in sizes:
                if length > options.most:
                    continue
                text, arguments = program(kind, length)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                times = results[kind, length] = measure(options.broadloom, path, arguments, options.repeats)
                print(f"{kind} {length}: {sum(times.values()):.0f} ms", flush=True)
    if options.no_write:
        print(table(results))
        return
    when = f"{datetime.date.today().isoformat()}, {cpu()}, {os.cpu_count()} cores; milliseconds."
    readme.replace("compile", [when, "", table(results)])
    print("bench-compile: wrote the table in bench/README.md")


if __name__ == "__main__":
    main()
