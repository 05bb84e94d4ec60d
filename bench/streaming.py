"""A step of a streaming model beside LiteRT, in turns, each in a process of its own.

  .venv-models/bin/python bench/streaming.py MODEL.tflite

The tools are those of scripts/bench-models, which makes the environment. The model keeps
variables from call to call and takes integers of 8 bits; before it is measured, a hundred
steps of noise are compared. A time is the shortest average of a thousand steps, in us, with
one thread; LiteRT is called from Python, Broadloom by `broadloom bench`.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

import models
import numpy as np

ROUNDS, SECONDS, STEPS, AT_ONCE = 5, 1.0, 100, 1000
# LiteRT's kernels round once more than TOSA says (of 255).
TOLERANCE = 4


def makeSteps(model):
    detail = model.get_input_details()[0]
    return np.random.default_rng(7).integers(-128, 128, (STEPS, *detail["shape"])).astype(detail["dtype"])


def work(path):
    """Runs in a process of LiteRT, and prints its shortest time in us."""
    model, _ = models.liteRT(path, 1, [])
    detail = model.get_input_details()[0]
    model.set_tensor(detail["index"], makeSteps(model)[0])
    best, end = float("inf"), time.monotonic() + SECONDS
    while time.monotonic() < end:
        begin = time.perf_counter()
        for _ in range(AT_ONCE):
            model.invoke()
        best = min(best, (time.perf_counter() - begin) / AT_ONCE)
    print(best * 1e6)


def compare(path, program, folder):
    """Ends the program if a step's result is not LiteRT's. Returns a file with one step."""
    model, _ = models.liteRT(path, 1, [])
    steps = makeSteps(model)
    expected = []
    for step in steps:
        model.set_tensor(model.get_input_details()[0]["index"], step)
        model.invoke()
        expected.append(model.get_tensor(model.get_output_details()[0]["index"]))
    one, every, out = (os.path.join(folder, name) for name in ("one.npy", "steps.npy", "out.npy"))
    np.save(every, steps)
    np.save(one, steps[0])
    done, errors = models.broadloom("run", program, "--sequence", f"--input={every}", f"--output={out}")
    if not done:
        sys.exit(f"streaming: {path}: {errors}")
    apart = np.abs(np.load(out).astype(int) - np.array(expected, int)).max()
    if apart > TOLERANCE:
        sys.exit(f"streaming: {path}: a step differs from LiteRT's by {apart}, more than {TOLERANCE}")
    return one


def main(path):
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "model.mlirbc")
        subprocess.run(
            ["tosa-converter-for-tflite", path, "--bytecode", "-o", program], capture_output=True, check=True
        )
        step = compare(path, program, folder)
        lite, own = [], []
        for _ in range(ROUNDS):
            lite.append(
                float(
                    subprocess.run(
                        [sys.executable, __file__, "--worker", path], capture_output=True, text=True, check=True
                    ).stdout
                )
            )
            done, errors = models.broadloom(
                "bench", program, f"--input={step}", "--threads=1", f"--seconds={SECONDS}", "--json"
            )
            if not done:
                sys.exit(f"streaming: {path}: {errors}")
            own.append(json.loads(done.stdout)["min_ns"] / 1e3)
        print(f"LiteRT {min(lite):.2f} us, Broadloom {min(own):.2f} us a step: {min(own) / min(lite):.2f} of LiteRT's")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        work(sys.argv[2])
    elif len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    else:
        main(sys.argv[1])
