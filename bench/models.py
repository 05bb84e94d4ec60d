"""Whole models beside LiteRT, in one run. scripts/bench-models calls this.

The models are those of PyPI's `mediapipe`, converted by `tosa-converter-for-tflite`.
Each system runs in a process of its own, in turns; every result is compared with
LiteRT's on the same input: a model of which one differs by more than 3e-4 of the
result's largest magnitude, and 1e-6, is not measured.
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

import report

HERE = os.path.dirname(os.path.realpath(__file__))
BROADLOOM = os.path.join(HERE, "..", "build", "bin", "broadloom")
ROUNDS, SECONDS = 3, 1.0
# Of a result's largest magnitude, and by itself: a probability of 1e-7 is 0.
TOLERANCE, LEAST = 3e-4, 1e-6


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
    """What a process of LiteRT does: prints its shortest time in us."""
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


def prepare(path, folder):
    """Converts a model and computes with both systems. Returns the program and its
    inputs, or why there is none."""
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
    options = []
    for i, value in enumerate(inputs):
        name = os.path.join(folder, f"in{i}.npy")
        np.save(name, value)
        options.append(f"--input={name}")
    outputs = [os.path.join(folder, f"out{i}.npy") for i in range(len(expected))]
    done, errors = broadloom("run", program, *options, *(f"--output={o}" for o in outputs))
    if not done:
        return None, re.sub(r"^.*error: ", "", errors[0] if errors else "it fails")
    # Converters give results an order of their own.
    for found in map(np.load, outputs):
        if not any(e.shape == found.shape and np.abs(e - found).max() <= max(TOLERANCE * np.abs(e).max(), LEAST) for e in expected):
            return None, f"a result of shape {found.shape} is none of LiteRT's"
    return (program, options), None


def measure(path, threads, folder, program, options):
    """The shortest times in us of LiteRT and Broadloom, of several turns."""
    best = [float("inf")] * 2
    for _ in range(ROUNDS):
        worker = subprocess.run([sys.executable, __file__, "--worker", path, str(threads), folder],
                                capture_output=True, text=True, check=True)
        best[0] = min(best[0], float(worker.stdout))
        done, errors = broadloom("bench", program, *options, f"--threads={threads}", f"--seconds={SECONDS}", "--json")
        if not done:
            sys.exit(f"bench-models: {path}: {errors}")
        best[1] = min(best[1], json.loads(done.stdout)["min_ns"] / 1e3)
    return best


def compileTime(program, options):
    """In ms, all stages of `broadloom run`."""
    done = subprocess.run([BROADLOOM, "run", program, *options, "--verbose", "--shapes"], capture_output=True, text=True)
    return sum(float(ms) for ms in re.findall(r"^\s*([\d.]+) ms  ", done.stderr, re.MULTILINE))


def row(path, counts):
    name = os.path.splitext(os.path.basename(path))[0]
    with tempfile.TemporaryDirectory() as folder:
        ready, reason = prepare(path, folder)
        if not ready:
            return f"| {name} | {' | ' * (3 * len(counts) - 1)} | | {reason} |"
        cells = []
        for threads in counts:
            lite, own = measure(path, threads, folder, *ready)
            cells += [f"{lite / 1e3:.2f}", f"{own / 1e3:.2f}", f"{lite / own:.2f}"]
        return f"| {name} | {' | '.join(cells)} | {compileTime(*ready) / 1e3:.2f} | |"


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
    head = "".join(f" LiteRT, {n} | Broadloom, {n} | ratio |" for n in counts)
    lines = [f"| model |{head} compile s | |", "|---" * (3 * len(counts) + 3) + "|"]
    for path in sorted(glob.glob(os.path.join(options.folder, "**", "*.tflite"), recursive=True)):
        if options.only in path:
            lines.append(row(path, counts))
            print(lines[-1], flush=True)
    if not options.no_write:
        report.replace("models", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
