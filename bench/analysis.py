#!/usr/bin/env python3
"""How the time of shape analysis grows with the program.

Writes dynamic programs of 1,000, 10,000 and 50,000 operations and a module of
1,000 functions that call each other, runs the passes that refine, fuse and
guard on them, and prints the least time of several runs of each pass.

usage: bench/analysis.py [--build BUILD] [--runs N]
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

PASSES = ["LoomRefineShapes", "LoomFuseMaps", "LoomInsertGuards"]


def chain(count):
    """One function: element-wise operations, reversals and transpositions."""
    kind = "tensor<?x?x64xf32>"
    lines = [
        f"func.func @main(%a: {kind}, %b: {kind}) -> {kind} {{",
        '  %s = "tosa.const"() {values = dense<0> : tensor<1xi8>}'
        " : () -> tensor<1xi8>",
    ]
    last = "%a"
    for i in range(count):
        lines.append(
            f"  %v{i} = "
            + [
                f"tosa.add {last}, %b : ({kind}, {kind}) -> {kind}",
                f"tosa.exp {last} : ({kind}) -> {kind}",
                f"tosa.reverse {last} {{axis = 1 : i32}} : ({kind}) -> {kind}",
                f"tosa.mul {last}, %a, %s"
                f" : ({kind}, {kind}, tensor<1xi8>) -> {kind}",
                f"tosa.transpose {last} {{perms = array<i32: 0, 1, 2>}}"
                f" : ({kind}) -> {kind}",
            ][i % 5]
        )
        last = f"%v{i}"
    return "\n".join(lines + [f"  return {last} : {kind}", "}", ""])


def calls(count):
    """Functions of which each calls the next."""
    kind = "tensor<?x?xf32>"
    lines = []
    for i in range(count):
        visibility = "" if i == 0 else "private "
        lines += [
            f"func.func {visibility}@f{i}(%a: {kind}, %b: {kind}) -> {kind} {{",
            f"  %0 = tosa.add %a, %b : ({kind}, {kind}) -> {kind}",
        ]
        if i + 1 < count:
            lines.append(
                f"  %1 = call @f{i + 1}(%0, %b) : ({kind}, {kind}) -> {kind}"
            )
        lines += [f"  return %{int(i + 1 < count)} : {kind}", "}", ""]
    return "\n".join(lines)


def measure(program, opt, runs):
    """Seconds of each pass, the least of all runs."""
    best = {}
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(program)
        file.flush()
        for _ in range(runs):
            text = subprocess.run(
                [opt, file.name, "-verify-each=false", "--mlir-timing",
                 "--mlir-timing-display=list",
                 "--convert-tosa-to-loom=shape-functions=true",
                 "--loom-refine-shapes", "--loom-fuse-maps",
                 "--loom-insert-guards", "-o", "/dev/null"],
                check=True, capture_output=True, text=True).stderr
            for name in PASSES:
                # The wall clock is the last time on a line.
                line = next(x for x in text.splitlines() if x.endswith(name))
                time = float(re.findall(r"([0-9.]+) \(", line)[-1])
                best[name] = min(best.get(name, time), time)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--runs", default=5, type=int)
    options = parser.parse_args()
    opt = options.build / "bin" / "broadloom-opt"
    print("| program | refine | fuse | guard | all | per operation |")
    print("|---|---|---|---|---|---|")
    programs = [(f"{n:,} operations", n, chain(n)) for n in (1000, 10000, 50000)]
    programs.append(("1,000 functions", 2000, calls(1000)))
    for name, count, text in programs:
        best = measure(text, opt, options.runs)
        total = sum(best.values())
        cells = [f"{best[p] * 1e3:.0f} ms" for p in PASSES]
        print(f"| {name} | " + " | ".join(cells) +
              f" | {total * 1e3:.0f} ms | {total / count * 1e6:.1f} us |")


if __name__ == "__main__":
    main()
