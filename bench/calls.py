"""Measures what a call from Python costs by itself: an addition of 2x2, and of sizes
around it, by Broadloom and by what else is installed of NumPy, ONNX Runtime and
JAX. Prints a table; --write puts it into bench/README.md.

  PYTHONPATH=build/python .venv/bin/python bench/calls.py [--write]
"""

import argparse
import platform
import statistics
import timeit

import numpy as np
import readme

ADD = """
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
SIZES = (2, 32, 128)


def broadloom(a, b):
    import broadloom as bl

    f, out = bl.compile(ADD), np.empty_like(a)
    f.threads = 1
    return {"Broadloom": lambda: f(a, b), "Broadloom, `out=`": lambda: f(a, b, out=out)}


def numpy(a, b):
    out = np.empty_like(a)
    return {"NumPy": lambda: np.add(a, b), "NumPy, `out=`": lambda: np.add(a, b, out=out)}


def onnxruntime(a, b):
    import onnx
    import onnxruntime as ort
    from onnx import TensorProto, helper

    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, ["m", "n"])
    graph = helper.make_graph(
        [helper.make_node("Add", ["a", "b"], ["c"])], "add", [value("a"), value("b")], [value("c")]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    return {"ONNX Runtime": lambda: session.run(None, {"a": a, "b": b})}


def jax(a, b):
    import jax

    f = jax.jit(lambda x, y: x + y)
    x, y = jax.device_put(a), jax.device_put(b)
    return {"JAX": lambda: f(x, y).block_until_ready()}


def measure(call, loops=20000, rounds=15):
    """Shortest and median time of a call, in nanoseconds."""
    timer = timeit.Timer("call()", globals={"call": call})
    # What an empty function takes is not the system's.
    empty = min(timeit.repeat("call()", globals={"call": lambda: None}, number=loops, repeat=5))
    times = [max(t - empty, 0) / loops * 1e9 for t in timer.repeat(rounds, loops)]
    return min(times), statistics.median(times)


def table():
    rows = {}
    for size in SIZES:
        a = np.ones((size, size), np.float32)
        b = np.full((size, size), 2, np.float32)
        for system in (broadloom, numpy, onnxruntime, jax):
            try:
                calls = system(a, b)
            except ImportError:
                continue
            for name, call in calls.items():
                result = call()
                result = result[0] if isinstance(result, list) else result
                np.testing.assert_array_equal(np.asarray(result), a + b)
                shortest, median = measure(call)
                rows.setdefault(name, []).append(f"{shortest:.0f} ns ({median:.0f} ns)")
    lines = [
        (
            f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, "
            f"NumPy {np.__version__}, one thread; the shortest time and, in brackets, the median."
        ),
        "",
        "| | " + " | ".join(f"{size}x{size}" for size in SIZES) + " |",
        "|---" * (len(SIZES) + 1) + "|",
    ]
    lines += [f"| {name} | " + " | ".join(cells) + " |" for name, cells in rows.items()]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into bench/README.md")
    options = parser.parse_args()
    lines = table()
    print("\n".join(lines))
    if options.write:
        readme.replace("calls", lines)


if __name__ == "__main__":
    main()
