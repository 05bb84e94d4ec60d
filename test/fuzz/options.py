#!/usr/bin/env python3
"""Random command lines of broadloom: commands, options, values and files that
fit together and ones that do not.

  scripts/fuzz options                       2 minutes
  scripts/fuzz options --count 500 --seed 7
  scripts/fuzz options --seed 7 --index 41   one of them

A command line ends with one of the exit statuses that `broadloom help` names,
says why where it fails, and prints JSON where it says so. What is found is made
shorter, and printed with the folder that it runs in.
"""

import json
import multiprocessing
import os
import random
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

import fuzzing

COMMANDS = [
    "run",
    "run",
    "run",
    "compile",
    "compile",
    "bench",
    "profile",
    "check",
    "shapes",
    "inspect",
    "help",
    "version",
]
# Documented: done, rejected, wrong command line, guard failed.
STATUSES = (0, 1, 2, 3)
# Seconds of its own that a command may compute.
LIMIT_S = 20
BAD_WORDS = ("Assertion", "LLVM ERROR", "terminate called", "runtime error:", "Sanitizer", "Stack dump", "UNREACHABLE")

PROGRAMS = {
    "two.mlir": """func.func @main(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @other(%a: tensor<2xi32>, %n: index) -> (tensor<2xi32>, tensor<?xf32>) {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = tosa.exp %e : (tensor<?xf32>) -> tensor<?xf32>
  return %a, %0 : tensor<2xi32>, tensor<?xf32>
}
""",
    "sum.mlir": """tosa.variable @sum = dense<0.0> : tensor<2xf32>
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %s = tosa.variable_read @sum : tensor<2xf32>
  %t = tosa.add %s, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  tosa.variable_write @sum, %t : tensor<2xf32>
  return %t : tensor<2xf32>
}
""",
    "elided.mlir": """func.func @main(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c = "tosa.const"() {values = dense_resource<__elided__> : tensor<4xf32>} : () -> tensor<4xf32>
  %0 = tosa.add %a, %c : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
""",
    "wrong.mlir": """func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {
  %0 = tosa.add %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
""",
    "none.mlir": "module {}\n",
    "broken.mlir": "func.func @main( {\n",
    "library.mlir": "shape_function.library {}\n",
    "empty": "",
}
FILES = [
    *PROGRAMS,
    "in.npy",
    "bytes",
    "folder",
    "missing",
    "folder/missing",
    "program.tosa",
    "program.so",
    "program.o",
    "saved",
    "/dev/null",
    "/dev/zero",
    "-",
    "",
    "two.mlir/x",
    "unreadable",
]
TEXTS = [
    "2x3xf32=1 2 3 4 5 6",
    "3xf32=1",
    "2xf32=1 2",
    "2xi32=7",
    "i64=4",
    "i64=-1",
    "0xf32=",
    "f32=nan",
    "2x2xf32=1",
    "4xi8=1 2 3 400",
    "99999999999x99999999999xf32=0",
    "x",
    "=",
    "2xf32",
    "bytes:in.npy",
    "bytes:",
    "1xfoo=2",
    "*",
    "4x?x3",
    "BxT",
    "BxTxf32",
    "",
    "a=3xf32=1",
    "a=2xf32=1",
    "b=3xf32=1",
    "a=",
    "a=-",
    "a=a=2xf32=1",
    "b=?",
    "n=i64=4",
    "(2*B)x?",
    "i64=9223372036854775807",
    "1x1x1x1x1x1x1x1x1xf32=0",
    "?",
]
NUMBERS = ["0", "1", "2", "-1", "1000000", "18446744073709551616", "1e3", "0.01", "nan", "inf", "x", ""]
VALUES = {
    "strategy": ["default", "rfc", "fast", ""],
    "dynamic-to-static": ["allow", "forbid", "maybe"],
    "shape-library": FILES,
    "library": [*FILES, "libm.so.6"],
    "effects": FILES,
    "schedule": [*FILES, "auto"],
    "check-effects": [None, "true", "maybe"],
    "error-limit": NUMBERS,
    "save-reproducer": ["out.mlir", "folder", "missing/x", ""],
    "verbose": [None, "true", "maybe"],
    "fill-elided": [None, *NUMBERS],
    "function": ["main", "other", "nothing", "", "@main"],
    "input": [*TEXTS, *TEXTS, *FILES],
    "threads": NUMBERS,
    "compile-threads": NUMBERS,
    "leaks": [None],
    "output": ["out.npy", "out", "folder", "missing/out.npy", "-", "", "/dev/full", "in.npy"],
    "output-argument": [
        "0:out.npy",
        "a:out.npy",
        "0",
        ":",
        "0:",
        "9:out.npy",
        "-1:out.npy",
        "0:-",
        "0:missing/out.npy",
        "0:/dev/full",
        "",
    ],
    "format": ["text", "json", "html", "xml", ""],
    "status": ["proved", "run-time,refuted", "unchecked", "other", ""],
    "shapes": [None, "false"],
    "sequence": [None],
    "state": ["state", "folder", "in.npy", "missing/state", ""],
    "o": ["out.mlir", "out.s", "out.o", "out.so", "out.tosa", "-", "folder", "missing/x", "/dev/full", ""],
    "emit": ["loom", "linalg", "llvm", "asm", "obj", "so", "shape-library", "tosa", "exe", ""],
    "target": ["x86_64-linux-gnu", "aarch64-linux-gnu", "nonsense", "wasm32", ""],
    "cpu": ["x86-64-v3", "cortex-a76", "nonsense", ""],
    "symbol": ["table", "1x", "a b", "", "main"],
    "json": [None, None, None, "2"],
    "all": [None, None, "false", "2"],
    # A quarter of an hour is no hang.
    "seconds": ["0", "0.01", *(number for number in NUMBERS if number != "1e3")],
    "trace": ["trace.json", "folder", "missing/trace.json", "-", "", "/dev/full", "page.html"],
    "html": ["page.html", "folder", "missing/page.html", "-", "", "/dev/full", "in.npy"],
    "help": [None],
    "version": [None],
    "nonsense": [None, "1"],
}
OF_COMMAND = {
    "run": [
        "input",
        "input",
        "input",
        "function",
        "output",
        "output-argument",
        "shapes",
        "sequence",
        "state",
        "json",
        "threads",
        "leaks",
    ],
    "compile": ["emit", "emit", "o", "o", "target", "cpu", "symbol"],
    "bench": ["input", "input", "seconds", "threads", "function", "json"],
    "profile": ["input", "input", "seconds", "threads", "function", "json", "trace", "html"],
    "check": ["format", "output", "status", "all", "json", "function"],
    "shapes": ["input", "input", "function", "json"],
    "inspect": ["json"],
}
OF_ALL = [
    "strategy",
    "dynamic-to-static",
    "shape-library",
    "library",
    "error-limit",
    "save-reproducer",
    "verbose",
    "fill-elided",
    "compile-threads",
]


def makeFiles(program, folder):
    """Writes the files that command lines speak of."""
    import numpy as np

    for name, text in PROGRAMS.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    np.save(os.path.join(folder, "in.npy"), np.arange(6, dtype=np.float32).reshape(2, 3))
    with open(os.path.join(folder, "bytes"), "wb") as file:
        file.write(bytes(range(256)))
    os.mkdir(os.path.join(folder, "folder"))
    for form, name in (("tosa", "program.tosa"), ("so", "program.so"), ("obj", "program.o")):
        source = "sum.mlir" if form == "tosa" else "two.mlir"
        subprocess.run([program, "compile", source, f"--emit={form}", "-o", name], cwd=folder, check=True)
    with open(os.path.join(folder, "saved"), "wb") as file, open(os.path.join(folder, "program.tosa"), "rb") as whole:
        file.write(whole.read()[:-40])
    open(os.path.join(folder, "unreadable"), "w", encoding="utf-8").close()
    os.chmod(os.path.join(folder, "unreadable"), 0)


def option(dice, name):
    value = dice.choice(VALUES[name])
    dashes = "-" if name == "o" or dice.random() < 0.1 else "--"
    if value is None:
        return [dashes + name]
    if name == "o" or dice.random() < 0.1:
        return [dashes + name, value]
    return [f"{dashes}{name}={value}"]


def commandLine(seed, index):
    """The words behind the program's name, and what standard input has."""
    dice = random.Random(f"options/{seed}/{index}")
    command = dice.choice(COMMANDS)
    words = []
    # Mostly what fits together, so that commands get somewhere.
    if dice.random() < 0.9:
        words.append(dice.choice(FILES[:3]) if dice.random() < 0.6 else dice.choice(FILES))
    mine = OF_COMMAND.get(command, [])
    if command in ("run", "bench", "profile") and dice.random() < 0.5:
        words += dice.choice(
            [
                ["--input=2x3xf32=1", "--input=3xf32=1"],
                ["--input=2xf32=1"],
                ["--function=other", "--input=2xi32=1", "--input=i64=3"],
                ["--input=in.npy"],
            ]
        )
    for _ in range(dice.choice([0, 1, 1, 2, 3, 5])):
        name = dice.choice(mine) if mine and dice.random() < 0.75 else dice.choice(OF_ALL)
        words += option(dice, dice.choice(list(VALUES)) if dice.random() < 0.05 else name)
    if command in ("bench", "profile"):
        # The last of an option counts, and they take a second without it.
        words.append("--seconds=0.01")
    if dice.random() < 0.1:
        dice.shuffle(words)
    if dice.random() < 0.02:
        command = dice.choice(["", "runn", "-", "--json", "check "])
    given = dice.choice(["", PROGRAMS["two.mlir"], "3xf32=1", "\0\xff"])
    return [command, *words], given


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def judge(program, words, given, folder):
    """Describes what is wrong with how the command ends, or returns None."""
    environment = {**os.environ, "BROADLOOM_CACHE": "0"}
    try:
        done = subprocess.run(
            [program, *words],
            cwd=folder,
            input=given.encode("latin-1"),
            capture_output=True,
            timeout=30 * LIMIT_S,
            preexec_fn=limit,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        return "hang: it does not end"
    except ValueError as error:
        return f"fuzzer: {error}"
    errors = done.stderr.decode("utf-8", "replace")
    if done.returncode in (-24, -9):
        return f"hang: it computes for more than {LIMIT_S} s"
    if done.returncode < 0:
        return f"crash: signal {-done.returncode}\n{errors[-1500:]}"
    if done.returncode not in STATUSES:
        return f"status {done.returncode}\n{errors[-1500:]}"
    for word in BAD_WORDS:
        if word in errors:
            return f"says {word}\n{errors[-1500:]}"
    if done.returncode and not errors.strip() and not done.stdout.strip():
        return f"silent: status {done.returncode}, and no word why"
    if (
        done.returncode == 0
        and "--json" in words
        and not any(w.lstrip("-").split("=")[0] in ("help", "version", "output", "format") for w in words)
    ):
        try:
            json.loads(done.stdout)
        except ValueError as error:
            return f"json: {error}\n{done.stdout[:500]!r}"
    return None


def shrink(program, words, given, folder, found):
    """Without the words that the finding does not need."""
    kind = found.split("\n")[0]
    for i in reversed(range(len(words))):
        fewer = words[:i] + words[i + 1 :]
        again = judge(program, fewer, given, folder)
        if again and again.split("\n")[0] == kind:
            words, found = fewer, again
    return words, found


def work(options, number, end, results):
    folder = tempfile.mkdtemp(prefix="broadloom-options-")
    makeFiles(options.program, folder)
    done, kept = 0, False
    try:
        for index in range(options.first + number, options.first + options.count, options.jobs):
            if not end:
                break
            words, given = commandLine(options.seed, index)
            found = judge(options.program, words, given, folder)
            done += 1
            if found:
                kept = True
                words, found = shrink(options.program, words, given, folder, found)
                results.put(
                    (
                        f"{found.splitlines()[0]}: {words[0] if words else ''}",
                        (
                            f"cd {folder}; {shlex.join([options.program, *words])}\nstandard input: {given!r}\n"
                            f"{found}\nbefore it was shrunk: scripts/fuzz options --seed {options.seed} "
                            f"--index {index}"
                        ),
                    )
                )
    finally:
        if not kept:
            shutil.rmtree(folder)
        results.put(done)


def main(arguments=None):
    parser = fuzzing.parser(__doc__)
    parser.add_argument("--count", type=int, help="number of command lines; then there is no limit of time")
    parser.add_argument("--index", type=int, help="only this command line")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: %(default)s)")
    options = fuzzing.parse(parser, arguments)
    if options.count or options.index is not None:
        options.minutes = 1e6
    options.first, options.count = 0, options.count or 1 << 40
    if options.index is not None:
        options.first, options.count, options.jobs = options.index, 1, 1
    options.program = os.path.join(options.build, "bin", "broadloom")
    results = multiprocessing.Queue()
    end = fuzzing.Clock(options.minutes)
    workers = [multiprocessing.Process(target=work, args=(options, i, end, results)) for i in range(options.jobs)]
    for worker in workers:
        worker.start()
    failures, lines, left = {}, 0, len(workers)
    while left:
        item = results.get()
        if isinstance(item, tuple):
            failures.setdefault(*item)
        else:
            lines, left = lines + item, left - 1
    return fuzzing.finish("options", options, {"command lines": lines}, failures)


if __name__ == "__main__":
    sys.exit(main())
