#!/usr/bin/env python3
"""How long it takes to find what functions read and write (ffi-5), by the shape of the calls.

Writes programs of 10,000 calls: chains, trees and layers of functions, one function that is
called from one place or from many, and many that are called once; each time with equal and with
different operands. Prints the least processor time of several runs of --loom-infer-effects,
and of --loom-bind-externals where each function declares its sets (ffi-6), with parsing.

usage: bench/effects.py [--build BUILD] [--runs N] [--calls N]
"""

import argparse
import pathlib
import resource
import subprocess

TYPE = "(memref<?xf32>, index)"
SET = '[#loom.access_set<0, #loom.relation<"()[n] -> (r) : (0 <= r < n)">, [dim(0, 0)]>]'
DECLARED = f" attributes {{loom.effects = {{may_reads = {SET}, may_writes = {SET}}}}}"
LEAF = "  %v = memref.load %a[%i] : memref<?xf32>\n  memref.store %v, %a[%i] : memref<?xf32>\n"


def function(name, body):
    return f"func.func @{name}(%a: memref<?xf32>, %i: index) {{\n{body}  return\n}}\n"


def leaf(name):
    return function(name, LEAF)


def caller(name, callees, differ):
    """A function that calls others, of which each works on another element if they differ."""
    body = ""
    for k, callee in enumerate(callees):
        index = f"%i{k}" if differ else "%i"
        if differ:
            body += f"  %c{k} = arith.constant {k} : index\n  %i{k} = arith.addi %i, %c{k} : index\n"
        body += f"  call @{callee}(%a, {index}) : {TYPE} -> ()\n"
    return function(name, body)


def chain(calls, differ, each):
    rest = [caller(f"f{k}", [f"f{k - 1}"] * each, differ) for k in range(1, calls // each + 1)]
    return [leaf("f0"), *rest]


def tree(calls, differ):
    last = calls // 2 + 1
    names = lambda k: f"f{k}" if k < last else "leaf"
    return [leaf("leaf"), *(caller(f"f{k}", [names(2 * k), names(2 * k + 1)], differ) for k in range(1, last))]


def layers(calls, differ):
    functions = [leaf(f"f0_{j}") for j in range(10)]
    for k in range(1, calls // 100 + 1):
        below = [f"f{k - 1}_{i}" for i in range(10)]
        functions += [caller(f"f{k}_{j}", below, differ) for j in range(10)]
    return functions


SHAPES = {
    "a chain, one call each": lambda n, differ: chain(n, differ, 1),
    "a chain, ten calls each": lambda n, differ: chain(n, differ, 10),
    "a tree": tree,
    "layers of ten functions": layers,
    "one function, from one place": lambda n, differ: [leaf("f"), caller("main", ["f"] * n, differ)],
    "one function, from many": lambda n, differ: [
        leaf("f"),
        *(caller(f"g{k}", ["f"] * 10, differ) for k in range(n // 10)),
    ],
    "many functions, once each": lambda n, differ: [
        *(leaf(f"f{k}") for k in range(n)),
        caller("main", [f"f{k}" for k in range(n)], differ),
    ],
}


def measure(opt, text, runs, declares):
    if declares:
        text = text.replace("%i: index) {", f"%i: index){DECLARED} {{")
    to_run = "--loom-bind-externals" if declares else "--loom-infer-effects"

    def run():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [opt, "-", "--loom-mark-memory-functions", to_run, "-o", "/dev/null"],
            input=text,
            text=True,
            check=True,
            capture_output=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    return min(run() for _ in range(runs))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--runs", default=3, type=int)
    parser.add_argument("--calls", default=10_000, type=int)
    options = parser.parse_args()
    print("| calls | equal operands, s | different operands, s | declared, equal, s | declared, different, s |")
    print("|---|---|---|---|---|")
    opt = options.build / "bin" / "broadloom-opt"
    for name, make in SHAPES.items():
        times = [
            measure(opt, "".join(make(options.calls, differ)), options.runs, declares)
            for declares in (False, True)
            for differ in (False, True)
        ]
        print(f"| {name} | " + " | ".join(f"{time:.1f}" for time in times) + " |")


if __name__ == "__main__":
    main()
