"""Whole models beside LiteRT and IREE, in one run. scripts/bench-models calls this.

The models are those of PyPI's `mediapipe`, converted by `tosa-converter-for-tflite`.
Each system runs in a process of its own, in turns; every result is compared with
LiteRT's on the same input: a model of which one differs by more than 3e-4 of the
result's largest magnitude, and 1e-6, is not measured. IREE compiles what Broadloom
does, the converter's program.
"""

import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np
import readme

HERE = os.path.dirname(os.path.realpath(__file__))
BROADLOOM = os.path.join(HERE, "..", "build", "bin", "broadloom")
ROUNDS, SECONDS = 3, 1.0
# Of a result's largest magnitude, and by itself: a probability of 1e-7 is 0.
TOLERANCE, LEAST = 3e-4, 1e-6
# iree-compile takes seconds for most models; what takes longer is not measured.
IREE_LIMIT_S = 900
UNITS = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}
IREE_OPTIONS = [
    "--iree-input-type=tosa",
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-target-cpu=host",
    "--iree-opt-level=O3",
]


def liteRT(path, threads, inputs):
    """The interpreter of a model, with its input set."""
    from ai_edge_litert.interpreter import Interpreter

    model = Interpreter(model_path=path, num_threads=threads)
    model.allocate_tensors()
    details = model.get_input_details()
    if inputs is None:
        random = np.random.default_rng(7)
        inputs = [random.random(d["shape"], np.float32).astype(d["dtype"]) for d in details]
    for detail, value in zip(details, inputs):
        model.set_tensor(detail["index"], value)
    return model, inputs


def work(path, threads, folder):
    """Runs in a process of LiteRT, and prints its shortest time in us."""
    inputs = [np.load(f) for f in sorted(glob.glob(os.path.join(folder, "in*.npy")))]
    model, _ = liteRT(path, threads, inputs)
    best, end = float("inf"), time.monotonic() + SECONDS
    while time.monotonic() < end:
        begin = time.perf_counter()
        model.invoke()
        best = min(best, time.perf_counter() - begin)
    print(best * 1e6)


def broadloom(*arguments):
    done = subprocess.run([BROADLOOM, *map(str, arguments)], capture_output=True, text=True)
    return done if done.returncode == 0 else None, done.stderr.strip().splitlines()


def findOther(outputs, expected):
    """The first of the arrays in files that is none of `expected`, or None: converters
    give results an order of their own."""
    for found in map(np.load, outputs):
        if not any(
            e.shape == found.shape and np.abs(e - found).max() <= max(TOLERANCE * np.abs(e).max(), LEAST)
            for e in expected
        ):
            return found
    return None


class Iree:
    """A program as IREE compiles it; `module` is None where it does not, or where its
    results are not LiteRT's."""

    def __init__(self, program, inputs, expected, folder):
        self.module, self.inputs = os.path.join(folder, "model.vmfb"), [f"--input=@{i}" for i in inputs]
        outputs = [os.path.join(folder, f"iree{i}.npy") for i in range(len(expected))]
        try:
            subprocess.run(
                ["iree-compile", *IREE_OPTIONS, program, "-o", self.module],
                capture_output=True,
                check=True,
                timeout=IREE_LIMIT_S,
            )
            self.run("iree-run-module", "--device=local-sync", *(f"--output=@{o}" for o in outputs))
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            self.module = None
        else:
            if findOther(outputs, expected) is not None:
                self.module = None

    def run(self, tool, *options):
        return subprocess.run(
            [tool, f"--module={self.module}", "--function=main", *self.inputs, *options],
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def measure(self, threads):
        """The shortest time in us, of averages over tenths of SECONDS; with one thread, of
        both kinds of devices."""
        devices = [["--device=local-task", f"--task_topology_max_group_count={threads}"]]
        if threads == 1:
            devices.append(["--device=local-sync"])
        best = float("inf")
        for device in devices:
            told = json.loads(
                self.run(
                    "iree-benchmark-module",
                    *device,
                    "--benchmark_format=json",
                    "--benchmark_repetitions=10",
                    f"--benchmark_min_time={SECONDS / 10}s",
                )
            )
            best = min(
                [best]
                + [
                    one["real_time"] * UNITS[one["time_unit"]]
                    for one in told["benchmarks"]
                    if one["run_type"] == "iteration"
                ]
            )
        return best


def prepare(path, folder):
    """Converts a model and computes with all systems. Returns the program, the options
    that it runs with, and what IREE makes of it, or why there is none."""
    program = os.path.join(folder, "model.mlirbc")
    converted = subprocess.run(["tosa-converter-for-tflite", path, "--bytecode", "-o", program], capture_output=True)
    if converted.returncode or not os.path.exists(program):
        return None, "the converter does not convert it"
    try:
        model, inputs = liteRT(path, 1, None)
    except RuntimeError as error:
        return None, f"LiteRT: {str(error).splitlines()[0]}"
    model.invoke()
    expected = [model.get_tensor(d["index"]) for d in model.get_output_details()]
    files = [os.path.join(folder, f"in{i}.npy") for i in range(len(inputs))]
    for name, value in zip(files, inputs):
        np.save(name, value)
    options = [f"--input={name}" for name in files]
    outputs = [os.path.join(folder, f"out{i}.npy") for i in range(len(expected))]
    done, errors = broadloom("run", program, *options, *(f"--output={o}" for o in outputs))
    if not done:
        return None, re.sub(r"^.*error: ", "", errors[0] if errors else "it fails")
    other = findOther(outputs, expected)
    if other is not None:
        return None, f"a result of shape {other.shape} is none of LiteRT's"
    return (program, options, Iree(program, files, expected, folder)), None


def measure(path, threads, folder, program, options, iree):
    """The shortest times in us of LiteRT, IREE and Broadloom, of several turns; None
    where IREE has none."""
    best = {}

    def note(system, time):
        best[system] = min(best.get(system, time), time)

    for _ in range(ROUNDS):
        worker = subprocess.run(
            [sys.executable, __file__, "--worker", path, str(threads), folder],
            capture_output=True,
            text=True,
            check=True,
        )
        note("LiteRT", float(worker.stdout))
        if iree.module:
            note("IREE", iree.measure(threads))
        done, errors = broadloom("bench", program, *options, f"--threads={threads}", f"--seconds={SECONDS}", "--json")
        if not done:
            sys.exit(f"bench-models: {path}: {errors}")
        note("Broadloom", json.loads(done.stdout)["min_ns"] / 1e3)
    return best["LiteRT"], best.get("IREE"), best["Broadloom"]


def footprints(path, folder, program, options, iree):
    """Returns the dictionary of footprint.py of each system; None for IREE where it has none."""
    library = os.path.join(folder, "model.so")
    done, errors = broadloom(
        "compile", program, *(o for o in options if not o.startswith("--input")), "--emit=so", "-o", library
    )
    if not done:
        sys.exit(f"bench-models: {path}: {errors}")

    def one(system, file):
        return json.loads(
            subprocess.run(
                [sys.executable, os.path.join(HERE, "footprint.py"), system, file, folder],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )

    return one("LiteRT", path), one("IREE", iree.module) if iree.module else None, one("Broadloom", library)


def compileTime(program, options):
    """In ms, all stages of `broadloom run`, without code that is kept: the shortest of three."""

    def once():
        done = subprocess.run(
            [BROADLOOM, "run", program, *options, "--verbose", "--shapes"],
            capture_output=True,
            text=True,
            env={**os.environ, "BROADLOOM_CACHE": "0"},
        )
        return sum(float(ms) for ms in re.findall(r"^\s*([\d.]+) ms  ", done.stderr, re.MULTILINE))

    return min(once() for _ in range(3))


def row(path, counts):
    """The line of the table for a model; the folder has what the systems read."""
    name = os.path.splitext(os.path.basename(path))[0]
    with tempfile.TemporaryDirectory() as folder:
        ready, reason = prepare(path, folder)
        if not ready:
            return f"| {name} | {' | ' * (4 * len(counts) + 4)} | {reason} |"
        cells = []
        for threads in counts:
            lite, iree, own = measure(path, threads, folder, *ready)
            cells += [
                f"{lite / 1e3:.2f}",
                f"{iree / 1e3:.2f}" if iree else "-",
                f"{own / 1e3:.2f}",
                f"{min(lite, iree or lite) / own:.2f}",
            ]
        cells.append(f"{compileTime(*ready[:2]) / 1e3:.2f}")
        *others, own = footprints(path, folder, *ready)
        cells.append(f"{own['load_s'] * 1e3:.1f} + {own['first_s'] * 1e3:.1f}")
        cells += [f"{one['bytes'] / 1e6:.1f}" if one else "-" for one in (*others, own)]
        return f"| {name} | {' | '.join(cells)} | |"


def main():
    if sys.argv[1:2] == ["--worker"]:
        return work(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    parser = argparse.ArgumentParser(prog="scripts/bench-models", description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="where .tflite files are, in folders or not")
    parser.add_argument("--only", default="", help="models whose name has this")
    parser.add_argument("--threads", default="1,2", help="numbers of threads, separated by commas")
    parser.add_argument("--no-write", action="store_true", help="leave bench/README.md as it is")
    options = parser.parse_args()
    counts = [int(n) for n in options.threads.split(",")]
    head = "".join(f" LiteRT, {n} | IREE, {n} | Broadloom, {n} | ratio |" for n in counts)
    lines = [
        f"| model |{head} compile s | load ms | LiteRT, MB | IREE, MB | Broadloom, MB | |",
        "|---" * (4 * len(counts) + 7) + "|",
    ]
    for path in sorted(glob.glob(os.path.join(options.folder, "**", "*.tflite"), recursive=True)):
        if options.only in path:
            lines.append(row(path, counts))
            print(lines[-1], flush=True)
    if not options.no_write:
        readme.replace("models", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
