#!/usr/bin/env python3
"""How the time of shape analysis grows with the program.

Writes dynamic programs of 1,000, 10,000 and 50,000 operations, in a row and in
loops, and modules of 1,000 functions that call each other, runs the passes that refine, fuse and
guard on them, and prints the least time of several runs of each pass.

usage: bench/analysis.py [--build BUILD] [--runs N]
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

PASSES = ["LoomRefineShapes", "LoomFuseMaps", "LoomInsertGuards"]


KIND = "tensor<?x?x64xf32>"
SHIFT = '  %s = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>'


def operations(count, last):
    """Element-wise operations, reversals and transpositions, one behind the
    other, and the last one's name."""
    lines = []
    for i in range(count):
        lines.append(
            f"  %v{i} = "
            + [
                f"tosa.add {last}, %b : ({KIND}, {KIND}) -> {KIND}",
                f"tosa.exp {last} : ({KIND}) -> {KIND}",
                f"tosa.reverse {last} {{axis = 1 : i32}} : ({KIND}) -> {KIND}",
                f"tosa.mul {last}, %a, %s : ({KIND}, {KIND}, tensor<1xi8>) -> {KIND}",
                f"tosa.transpose {last} {{perms = array<i32: 0, 1, 2>}} : ({KIND}) -> {KIND}",
            ][i % 5]
        )
        last = f"%v{i}"
    return lines, last


def function(arguments, body, result):
    return "\n".join(
        [f"func.func @main({arguments}) -> {KIND} {{", SHIFT, *body, f"  return {result} : {KIND}", "}", ""]
    )


def chain(count):
    """One function."""
    return function(f"%a: {KIND}, %b: {KIND}", *operations(count, "%a"))


def forLoop(count):
    """One loop, which carries a tensor whose shape it does not change."""
    body, last = operations(count, "%x")
    return function(
        f"%a: {KIND}, %b: {KIND}, %n: index",
        [
            "  %c0 = arith.constant 0 : index",
            "  %c1 = arith.constant 1 : index",
            f"  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> ({KIND}) {{",
            *body,
            f"    scf.yield {last} : {KIND}",
            "  }",
        ],
        "%r",
    )


def nestedWhile(count):
    """Loops in each other, three deep, of which each has a third of the
    operations; none changes the shape that it carries."""

    def loop(depth, outer):
        x = f"%x{depth}"
        body, last = operations(count // 3, x)
        body = [line.replace("%v", f"%v{depth}_") for line in body]
        last = last.replace("%v", f"%v{depth}_")
        if depth < 2:
            inner, last = loop(depth + 1, last)
            body += inner
        counter = "tensor<i32>"
        types = f"({counter}, {KIND})"
        return [
            f"  %r{depth}:2 = tosa.while_loop (%i{depth} = %zero, {x} = {outer}) : {types} -> {types} {{",
            f"    %more{depth} = tosa.greater %limit, %i{depth} : ({counter}, {counter}) -> tensor<i1>",
            f"    tosa.yield %more{depth} : tensor<i1>",
            "  } do {",
            f"  ^bb0(%i{depth}: {counter}, {x}: {KIND}):",
            *body,
            f"    %next{depth} = tosa.add %i{depth}, %one : ({counter}, {counter}) -> {counter}",
            f"    tosa.yield %next{depth}, {last} : {counter}, {KIND}",
            "  }",
        ], f"%r{depth}#1"

    constants = [
        f'  %{name} = "tosa.const"() {{values = dense<{value}> : tensor<i32>}} : () -> tensor<i32>'
        for name, value in (("zero", 0), ("one", 1))
    ]
    body, last = loop(0, "%a")
    return function(f"%a: {KIND}, %b: {KIND}, %limit: tensor<i32>", constants + body, last)


def calls(functions, each):
    """Functions of which each calls so many of those that come after it, each
    with what the one before gave, as either of the operands."""
    kind = "tensor<?x?xf32>"
    lines = []
    for i in range(functions):
        visibility = "" if i == 0 else "private "
        lines += [
            f"func.func {visibility}@f{i}(%a: {kind}, %b: {kind}) -> {kind} {{",
            f"  %0 = tosa.add %a, %b : ({kind}, {kind}) -> {kind}",
        ]
        after = functions - 1 - i
        made = min(each, after)
        for j in range(made):
            operands = f"%b, %{j}" if j % 2 else f"%{j}, %b"
            lines.append(f"  %{j + 1} = call @f{i + 1 + j * j % after}({operands}) : ({kind}, {kind}) -> {kind}")
        lines += [f"  return %{made} : {kind}", "}", ""]
    return "\n".join(lines)


def measure(program, opt, runs):
    """Seconds of each pass, the least of all runs."""
    best = {}
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(program)
        file.flush()
        for _ in range(runs):
            text = subprocess.run(
                [
                    opt,
                    file.name,
                    "-verify-each=false",
                    "--mlir-timing",
                    "--mlir-timing-display=list",
                    "--broadloom-prepare",
                    "--convert-tosa-to-loom",
                    "--loom-refine-shapes",
                    "--loom-fuse-maps",
                    "--loom-insert-guards",
                    "-o",
                    "/dev/null",
                ],
                check=True,
                capture_output=True,
                text=True,
            ).stderr
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
    programs += [(f"{n:,} operations in a loop", n, forLoop(n)) for n in (1000, 10000, 50000)]
    programs += [
        ("49,998 operations in three nested loops", 49998, nestedWhile(49998)),
        ("1,000 functions", 2000, calls(1000, 1)),
        ("1,000 functions, 20,000 calls", 21000, calls(1000, 20)),
    ]
    for name, count, text in programs:
        best = measure(text, opt, options.runs)
        total = sum(best.values())
        cells = [f"{best[p] * 1e3:.0f} ms" for p in PASSES]
        print(f"| {name} | " + " | ".join(cells) + f" | {total * 1e3:.0f} ms | {total / count * 1e6:.1f} us |")


if __name__ == "__main__":
    main()
