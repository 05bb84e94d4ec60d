"""Measures what the weights of a model cost until its first result, by every way into Broadloom.

    .venv-torch/bin/python bench/weights.py [--way 'from_onnx'] [--kind products] [--rounds 2] [--write]

A model has products (or convolutions, or tables of which rows are taken) whose weights are --mb
megabytes; a second one has an eighth of them. Each is loaded and called once in a process of its
own, without a cache. The CPU time and the peak of memory are those by which the two differ, for
each MB and byte of weights by which they do; those of processes that are started are included,
of memory that of the largest process. What the process has already, as the arrays of a module,
is not counted. `.tflite` needs `tosa-converter-for-tflite` in PATH; without it, its ways are left
out, as are bytecode and TOSA files, which are made from its program.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import readme
from footprint import memory

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
sys.path[:0] = [os.path.join(ROOT, "build", "python")]
BROADLOOM = os.path.join(ROOT, "build", "bin", "broadloom")
ROWS, PART = 4, 8
#: The shape of one weight, and of an input with open batch as it is called.
KINDS = {
    "products": ((2048, 2048), (ROWS, 2048)),
    "convolutions": ((512, 512, 3, 3), (1, 512, 4, 4)),
    "tables": ((4096, 1024), (ROWS, 1024)),
}


def make_weights(kind, megabytes):
    shape, _ = KINDS[kind]
    random = np.random.default_rng(3)
    one = random.standard_normal(shape, np.float32) / np.float32(shape[1] ** 0.5)
    count = max(1, round(megabytes * 1e6 / one.nbytes))
    # Weights that differ cannot be taken for one.
    return [one + np.float32(1e-6 * number) for number in range(count)]


def make_input(kind):
    return np.random.default_rng(4).standard_normal(KINDS[kind][1], np.float32)


def write_onnx(path, kind, weights, apart):
    """Writes a chain, each of whose nodes has one weight, with the weights inside or in another file."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    nodes, last = [], "x"
    for number in range(len(weights)):
        w, y = f"w{number}", f"y{number}"
        if kind == "products":
            nodes.append(helper.make_node("MatMul", [last, w], [y]))
        elif kind == "convolutions":
            nodes.append(helper.make_node("Conv", [last, w], [y], pads=[1, 1, 1, 1]))
        else:
            nodes += [
                helper.make_node("Gather", [w, "rows"], [f"g{number}"]),
                helper.make_node("Add", [last, f"g{number}"], [y]),
            ]
        last = y
    initializers = [numpy_helper.from_array(weight, f"w{number}") for number, weight in enumerate(weights)]
    if kind == "tables":
        initializers.append(numpy_helper.from_array(np.arange(ROWS), "rows"))
    rest = list(KINDS[kind][1][1:])
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", *rest])]
    outputs = [helper.make_tensor_value_info(last, TensorProto.FLOAT, None)]
    graph = helper.make_graph(nodes, "main", inputs, outputs, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    onnx.save(model, path, save_as_external_data=apart, location=os.path.basename(path) + ".data")


def write_tflite(path, weights):
    import tflite_model

    tflite_model.write_products(path, weights, ROWS)


def convert(path, folder):
    """The program of a `.tflite` as bytecode and as a TOSA file."""
    bytecode, file = os.path.join(folder, "model.mlirbc"), os.path.join(folder, "model.tosa")
    subprocess.run(["tosa-converter-for-tflite", path, "--bytecode", "-o", bytecode], check=True)
    subprocess.run([BROADLOOM, "compile", bytecode, "-o", file], check=True)
    return bytecode, file


def torch_module(kind, weights):
    import torch

    if kind == "products":
        layers = [torch.nn.Linear(w.shape[1], w.shape[0], bias=False, device="meta") for w in weights]
    else:
        layers = [torch.nn.Conv2d(w.shape[1], w.shape[0], 3, padding=1, bias=False, device="meta") for w in weights]
    for layer, weight in zip(layers, weights):
        layer.weight = torch.nn.Parameter(torch.from_numpy(weight), requires_grad=False)
    return torch.nn.Sequential(*layers).eval()


def from_torch(kind, weights, x):
    import broadloom as bl
    import torch

    axes = {0: torch.export.Dim.DYNAMIC if kind == "products" else torch.export.Dim.AUTO}
    program = torch.export.export(torch_module(kind, weights), (torch.from_numpy(x),), dynamic_shapes=(axes,))
    return lambda: bl.from_torch(program)(torch.from_numpy(x))


def jit(kind, weights, x):
    import broadloom as bl

    def chain(x):
        for weight in weights:
            x = x @ weight if kind == "products" else x + weight[:ROWS]
        return x

    return lambda: bl.jit(chain)(x)


def jit_einsum(kind, weights, x):
    """Of weights that stay constants of the program."""
    import broadloom as bl

    def chain(x):
        for weight in weights:
            x = np.einsum("ij,jk->ik", x, weight)
        return x

    return lambda: bl.jit(chain)(x)


def saved(path, x):
    import broadloom as bl

    return lambda: bl.load(path)(x)


def compiled(path, x):
    import broadloom as bl

    return lambda: bl.compile(path)(x)


def from_onnx(path, x):
    import broadloom as bl

    return lambda: bl.from_onnx(path)(x)


def command(path, x):
    file = os.path.join(os.path.dirname(path), "x.npy")
    np.save(file, x)
    output = os.path.join(os.path.dirname(path), "y.npy")

    def run():
        subprocess.run([BROADLOOM, "run", path, f"--input={file}", f"--output={output}"], check=True)
        return np.load(output)

    return run


#: Each way, how its call is prepared, and the file that it takes; none for what takes arrays.
WAYS = {
    "from_onnx": (from_onnx, "inside.onnx"),
    "from_onnx, weights in another file": (from_onnx, "apart.onnx"),
    "compile, .onnx": (compiled, "inside.onnx"),
    "compile, .onnx with another file": (compiled, "apart.onnx"),
    "compile, .tosa": (compiled, "model.tosa"),
    "compile, bytecode": (compiled, "model.mlirbc"),
    "compile, .tflite": (compiled, "model.tflite"),
    "broadloom run, .onnx": (command, "inside.onnx"),
    "broadloom run, .onnx with another file": (command, "apart.onnx"),
    "broadloom run, .tosa": (command, "model.tosa"),
    "broadloom run, bytecode": (command, "model.mlirbc"),
    "broadloom run, .tflite": (command, "model.tflite"),
    "jit": (jit, None),
    "jit, constants (np.einsum)": (jit_einsum, None),
    "from_torch": (from_torch, None),
    "load, .blm": (saved, "model.blm"),
    "broadloom run, .blm": (command, "model.blm"),
}
#: Of TensorFlow Lite, what the converter itself takes.
CONVERTER = "tosa-converter-for-tflite alone"
#: The ways that the kinds have, by parts of their names between '='.
OTHER = {"convolutions": ("onnx", "from_torch", ".blm"), "tables": ("onnx", "=jit=", ".blm")}


def list_ways(kind):
    known = OTHER.get(kind, ("",))
    ways = [way for way in WAYS if any(part in f"={way}=" for part in known)]
    if kind == "products" and shutil.which("tosa-converter-for-tflite"):
        return [*ways, CONVERTER]
    return [way for way in ways if not any(part in way for part in (".tosa", "bytecode", ".tflite"))]


def prepare(kind, weights, folder):
    """Writes the files of all ways."""
    import broadloom as bl

    for apart in (False, True):
        write_onnx(os.path.join(folder, "apart.onnx" if apart else "inside.onnx"), kind, weights, apart)
    bl.compile(os.path.join(folder, "apart.onnx")).save(os.path.join(folder, "model.blm"))
    if kind == "products" and shutil.which("tosa-converter-for-tflite"):
        write_tflite(os.path.join(folder, "model.tflite"), weights)
        convert(os.path.join(folder, "model.tflite"), folder)


def expect(kind, weights, x, way):
    """The result, computed by NumPy; none of convolutions, which are compared among the ways."""
    if kind == "products":
        # A fully connected layer has its weight transposed.
        isTransposed = any(part in way for part in (".tosa", "bytecode", ".tflite", "from_torch"))
        for weight in weights:
            x = x @ (weight.T if isTransposed else weight)
        return x
    return x + sum(weight[:ROWS] for weight in weights) if kind == "tables" else None


def spent():
    return sum(os.times()[:4])


def warm(kind, way):
    """Imports, and sets up, what the first model in a process does."""
    import broadloom as bl

    if way == "from_torch":
        small = make_weights("products", 0)[0][:64, :64].copy()
        from_torch("products", [small], np.ones((3, 64), np.float32))()
    elif "run" not in way:
        bl.jit(lambda x: x @ x.T + x.sum())(np.ones((3, 3), np.float32))


def measure(kind, way, megabytes, folder):
    """What one model costs: its bytes of weights, seconds of CPU, and bytes of memory of this process and of others."""
    weights, x = make_weights(kind, megabytes), make_input(kind)
    size, expected = sum(weight.nbytes for weight in weights), expect(kind, weights, x, way)
    if way == CONVERTER:
        arguments = ["tosa-converter-for-tflite", os.path.join(folder, "model.tflite"), "--bytecode", "-o", os.devnull]
        run, expected = lambda: subprocess.run(arguments, check=True), None
    else:
        make, file = WAYS[way]
        run = make(os.path.join(folder, file), x) if file else make(kind, weights, x)
    if way == CONVERTER or WAYS[way][1]:
        del weights
    warm(kind, way)
    # A virtual machine takes long for memory that it has never used.
    np.ones(4 * size, np.uint8)
    with open("/proc/self/clear_refs", "w", encoding="ascii") as peak:
        peak.write("5")
    before, start = memory("VmRSS"), spent()
    result = run()
    seconds, most = spent() - start, memory("VmHWM") - before
    if expected is not None:
        np.testing.assert_allclose(np.asarray(result), expected, rtol=2e-3, atol=2e-3)
    return [size, seconds, most, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024]


def run(kind, way, megabytes, folder):
    """Measures in another process."""
    command = [sys.executable, os.path.abspath(__file__), "--measure", kind, way, str(megabytes), folder]
    environment = {**os.environ, "BROADLOOM_CACHE": "0", "BROADLOOM_VERIFY_PASSES": ""}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--way", action="append", help="a part of the names of ways")
    parser.add_argument("--kind", action="append", choices=KINDS)
    parser.add_argument("--mb", type=float, default=200)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--measure", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        kind, way, megabytes, folder = given.measure
        print(json.dumps(measure(kind, way, float(megabytes), folder)))
        return
    lines = ["| weights of | way | CPU, ms for each MB | memory, bytes for each byte |", "|---|---|---|---|"]
    print("\n".join(lines))
    for kind in given.kind or KINDS:
        ways = [way for way in list_ways(kind) if not given.way or any(part in way for part in given.way)]
        with tempfile.TemporaryDirectory() as small, tempfile.TemporaryDirectory() as large:
            sizes = [(small, given.mb / PART), (large, given.mb)]
            for folder, megabytes in sizes:
                prepare(kind, make_weights(kind, megabytes), folder)
            for way in ways:
                least, most = (
                    np.min([run(kind, way, megabytes, folder) for _ in range(given.rounds)], axis=0)
                    for folder, megabytes in sizes
                )
                size, seconds, *peaks = most - least
                lines.append(f"| {kind} | {way} | {seconds / size * 1e9:.2f} | {max(peaks) / size:.2f} |")
                print(lines[-1], flush=True)
    if given.write:
        readme.replace("weights", lines)


if __name__ == "__main__":
    main()
