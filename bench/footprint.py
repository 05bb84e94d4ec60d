"""Measures the memory and the time that a model takes until its first result, in a process that
has done nothing else. bench/models.py calls this.

  footprint.py SYSTEM FILE FOLDER

FOLDER has the inputs as in*.npy and what Broadloom computes of them as out*.npy. FILE
is a `.tflite` for LiteRT, a `.vmfb` for IREE, and for Broadloom a library of
`broadloom compile --emit=so`.
"""

import glob
import json
import os
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.realpath(__file__))
RUNTIME = os.path.join(HERE, "..", "build", "lib", "libbroadloom_runtime.so")
CALLS = 5


def load(folder, pattern):
    return [np.load(name) for name in sorted(glob.glob(os.path.join(folder, pattern)))]


def memory(field):
    """VmRSS, what the process has now, or VmHWM, the most it has had, in bytes."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(field))


def measure(prepare):
    """`prepare` loads the model and returns a call. The memory is the most that the
    process has had beyond what it had before; of the first call, what it takes more
    than a later one."""
    with open("/proc/self/clear_refs", "w", encoding="ascii") as peak:
        peak.write("5")
    before = memory("VmRSS")
    begin = time.perf_counter()
    call = prepare()
    loaded = time.perf_counter() - begin
    begin = time.perf_counter()
    call()
    first = time.perf_counter() - begin
    later = float("inf")
    for _ in range(CALLS):
        begin = time.perf_counter()
        call()
        later = min(later, time.perf_counter() - begin)
    return {"bytes": memory("VmHWM") - before, "load_s": loaded, "first_s": max(0, first - later)}


def liteRT(path, inputs, _):
    from ai_edge_litert.interpreter import Interpreter

    def prepare():
        model = Interpreter(model_path=path, num_threads=1)
        model.allocate_tensors()
        for detail, value in zip(model.get_input_details(), inputs):
            model.set_tensor(detail["index"], value)
        return model.invoke

    return prepare


def iree(path, inputs, _):
    import iree.runtime

    def prepare():
        module = iree.runtime.load_vm_flatbuffer_file(path, driver="local-sync")
        return lambda: module.main(*inputs)

    # What is set up once for all models.
    iree.runtime.get_device("local-sync")
    return prepare


def broadloom(path, inputs, results):
    sys.path.append(os.path.join(HERE, "..", "examples"))
    import ctypes

    from load import Program

    ctypes.CDLL(RUNTIME, mode=ctypes.RTLD_GLOBAL)

    def prepare():
        program = Program(RUNTIME, path)
        program.runtime.broadloomCallSetThreads(program.call, 1)
        out = np.empty_like(results[0])
        return lambda: program(*inputs, out=out)

    return prepare


def main():
    system, path, folder = sys.argv[1:]
    prepare = {"LiteRT": liteRT, "IREE": iree, "Broadloom": broadloom}[system]
    print(json.dumps(measure(prepare(path, load(folder, "in*.npy"), load(folder, "out*.npy")))))


if __name__ == "__main__":
    main()
