"""Element-wise programs with dynamic extents: Broadloom beside NumPy and ONNX
Runtime, in one run on one machine. scripts/bench calls this.

Everything is f32, warm, and writes to memory that is there before the call:
NumPy with `out=`, ONNX Runtime with bound inputs and outputs, Broadloom
through its C API. Every result is compared with NumPy's, bit for bit.
"""

import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnxruntime
import onnx_model

HERE = os.path.dirname(os.path.realpath(__file__))
SIZES = [(4096, 4096), (256, 1024)]
PATTERNS = ["full", "row", "column", "outer", "scalar"]
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


class Add:
    name = "a + b"
    inputs = "ab"
    nodes = [("Add", "ab", "r")]
    tosa = ["%r = tosa.add %a, %b : (T, T) -> T"]

    @staticmethod
    def numpy(out, a, b):
        np.add(a, b, out=out)


class Chain:
    name = "abs(max(a + b - c, d) + a)"
    inputs = "abcd"
    nodes = [("Add", "ab", "x"), ("Sub", "xc", "y"), ("Max", "yd", "z"), ("Add", "za", "w"), ("Abs", "w", "r")]
    tosa = [
        "%x = tosa.add %a, %b : (T, T) -> T",
        "%y = tosa.sub %x, %c : (T, T) -> T",
        "%z = tosa.maximum %y, %d : (T, T) -> T",
        "%w = tosa.add %z, %a : (T, T) -> T",
        "%r = tosa.abs %w : (T) -> T",
    ]

    @staticmethod
    def numpy(out, a, b, c, d):
        np.add(a, b, out=out)
        np.subtract(out, c, out=out)
        np.maximum(out, d, out=out)
        np.add(out, a, out=out)
        np.abs(out, out=out)


def shapes(pattern, count, size):
    """Of the operands: the first is full, the others what the pattern says;
    for the outer product columns and rows take turns."""
    rows, columns = size
    if pattern == "outer":
        return [(rows, 1) if i % 2 == 0 else (1, columns) for i in range(count)]
    other = {"full": size, "row": (1, columns), "column": (rows, 1), "scalar": (1, 1)}[pattern]
    return [size] + [other] * (count - 1)


def clock(once, seconds):
    """The shortest time of a call, in ns."""
    for _ in range(3):
        once()
    best, calls, end = float("inf"), 0, time.perf_counter() + seconds
    while calls < 5 or time.perf_counter() < end:
        begin = time.perf_counter_ns()
        once()
        best = min(best, time.perf_counter_ns() - begin)
        calls += 1
    return best


def timeOnnxRuntime(program, arrays, out, threads, seconds):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        onnx_model.model(list(program.inputs), program.nodes, "r"), options,
        providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for name, array in zip(program.inputs, arrays):
        binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(array))
    value = onnxruntime.OrtValue.ortvalue_from_numpy(out)
    binding.bind_ortvalue_output("r", value)
    best = clock(lambda: session.run_with_iobinding(binding), seconds)
    out[...] = value.numpy()
    return best


def timeBroadloom(program, arrays, out, threads, seconds, harness, folder):
    path = os.path.join(folder, "program.mlir")
    arguments = ", ".join(f"%{name}: T" for name in program.inputs)
    text = "\n  ".join([f"func.func @main({arguments}) -> T {{", *program.tosa, "return %r : T"]) + "\n}\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("T", "tensor<?x?xf32>"))
    command = [harness, path, str(threads), str(seconds), os.path.join(folder, "out")]
    extents = lambda array: "x".join(map(str, array.shape))
    for i, array in enumerate(arrays):
        array.tofile(os.path.join(folder, f"in{i}"))
        command += [extents(array), os.path.join(folder, f"in{i}")]
    done = subprocess.run([*command, extents(out)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)}: {done.stderr}")
    out[...] = np.fromfile(os.path.join(folder, "out"), np.float32).reshape(out.shape)
    return json.loads(done.stdout)["min_ns"]


def measure(program, pattern, size, options, folder):
    """Times in ns by system; exits where a result differs."""
    random = np.random.default_rng(0)
    arrays = [random.normal(size=s).astype(np.float32) for s in shapes(pattern, len(program.inputs), size)]
    expected = np.zeros(size, np.float32)
    times = {"numpy": clock(lambda: program.numpy(expected, *arrays), options.seconds)}
    for threads in (1, 2):
        for system in ("ort", "broadloom"):
            out = np.zeros(size, np.float32)
            if system == "ort":
                best = timeOnnxRuntime(program, arrays, out, threads, options.seconds)
            else:
                best = timeBroadloom(program, arrays, out, threads, options.seconds, options.harness, folder)
            if not np.array_equal(out, expected):
                sys.exit(f"bench: {system} computes {program.name} on {pattern} operands wrongly")
            times[f"{system}{threads}"] = best
    times["bytes"] = sum(a.nbytes for a in arrays) + expected.nbytes
    return times


def copyBandwidth(size, seconds):
    """Bytes read and written per ns by one thread that copies a matrix."""
    source, target = np.ones(size, np.float32), np.zeros(size, np.float32)
    return 2 * source.nbytes / clock(lambda: np.copyto(target, source), seconds)


def cpu():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return re.search(r"model name\s*: (.*)", file.read())[1].strip()


def duration(ns):
    return f"{ns / 1e6:.2f} ms" if ns >= 1e6 else f"{ns / 1e3:.1f} µs"


def table(results, copies):
    lines = [f"{datetime.date.today().isoformat()}, {cpu()}, {os.cpu_count()} cores; NumPy {np.__version__}, "
             f"ONNX Runtime {onnxruntime.__version__}.", ""]
    for size in SIZES:
        lines += [f"One thread copies a {size[0]}x{size[1]} matrix at {copies[size]:.1f} GB/s, "
                  "reading and writing counted.", "",
                  f"| {size[0]}x{size[1]} | operands | NumPy | ONNX Runtime, 1 / 2 threads | Broadloom, 1 / 2 threads "
                  "| NumPy ÷ Broadloom (1) | ONNX Runtime ÷ Broadloom, 1 / 2 | of copy bandwidth (1) |",
                  "|---|---|---|---|---|---|---|---|"]
        for (program, pattern, at), t in results.items():
            if at == size:
                lines.append(
                    f"| `{program}` | {pattern} | {duration(t['numpy'])} | {duration(t['ort1'])} / {duration(t['ort2'])} "
                    f"| {duration(t['broadloom1'])} / {duration(t['broadloom2'])} "
                    f"| {t['numpy'] / t['broadloom1']:.2f} "
                    f"| {t['ort1'] / t['broadloom1']:.2f} / {t['ort2'] / t['broadloom2']:.2f} "
                    f"| {t['bytes'] / t['broadloom1'] / copies[size]:.0%} |")
        lines.append("")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--harness", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=0.4, help="time for each measurement")
    parser.add_argument("--no-write", action="store_true", help="leave the table in bench/README.md as it is")
    options = parser.parse_args()
    results, copies = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            copies[size] = copyBandwidth(size, options.seconds)
            print(f"copy {size[0]}x{size[1]}: {copies[size]:.1f} GB/s", flush=True)
            for program in (Add, Chain):
                for pattern in PATTERNS:
                    t = results[program.name, pattern, size] = measure(program, pattern, size, options, folder)
                    print(f"{program.name}, {pattern}, {size[0]}x{size[1]}: broadloom {duration(t['broadloom1'])}, "
                          f"2 threads {duration(t['broadloom2'])}; numpy takes {t['numpy'] / t['broadloom1']:.2f} times "
                          f"as long, onnxruntime {t['ort1'] / t['broadloom1']:.2f}, with 2 threads "
                          f"{t['ort2'] / t['broadloom2']:.2f}", flush=True)
    if options.no_write:
        return
    path = os.path.join(HERE, "README.md")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{head}{BEGIN}\n{table(results, copies)}{END}{tail}")
    print("bench: wrote the table in bench/README.md")


if __name__ == "__main__":
    main()
