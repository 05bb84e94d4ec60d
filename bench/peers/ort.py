"""ONNX Runtime with bound inputs and outputs, on a model whose extents all
have names: dynamic."""

import arrays as memory
import numpy as np
import onnx_model
import onnxruntime
from expression import COMPOSITES, Node, Trace, trace

from peers import PythonPeer

NAMES = {
    "add": "Add",
    "sub": "Sub",
    "mul": "Mul",
    "maximum": "Max",
    "abs": "Abs",
    "exp": "Exp",
    "log": "Log",
    "tanh": "Tanh",
    "erf": "Erf",
    "sin": "Sin",
    "cos": "Cos",
    "sigmoid": "Sigmoid",
    "pow": "Pow",
    "reciprocal": "Reciprocal",
    "sum": "ReduceSum",
    "max": "ReduceMax",
    "softmax": "Softmax",
    "gelu": "Gelu",
    "rmsNorm": "RMSNormalization",
    "layerNorm": "LayerNormalization",
    "transposed": "Transpose",
}


class _Writer:
    def __init__(self, case):
        self.inputs, nodes, result = trace(case, Trace(COMPOSITES))
        self.names = {id(n): f"a{i}" for i, n in enumerate(self.inputs)}
        self.nodes, self.constants, self.rank = [], [], len(case.shape)
        for node in nodes:
            self.add(node)
        self.model = onnx_model.model(
            [(self.names[id(i)], len(i.shape), i.dtype) for i in self.inputs],
            self.nodes,
            self.constants,
            (self.names[id(result)], len(result.shape), result.dtype),
        )
        self.result = self.names[id(result)]

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(onnx_model.constant(name, array))
        return name

    def add(self, node):
        operands = [
            self.names[id(o)] if isinstance(o, Node) else self.constant(np.float32(o).reshape(()))
            for o in node.operands
        ]
        name = self.names[id(node)] = f"v{len(self.nodes)}"
        attributes = {}
        if node.operation == "rsqrt":
            self.nodes.append(("Sqrt", operands, name + "s", {}))
            self.nodes.append(("Reciprocal", [name + "s"], name, {}))
            return
        if node.operation in ("sum", "max"):
            operands.append(self.constant(np.array([node.attributes["axis"]], np.int64)))
        if node.operation in ("rmsNorm", "layerNorm"):
            # The scale is of the last axis alone there; and no 1/n.
            attributes = {"axis": -1, "epsilon": 1e-5}
            operands = operands[:-1]
            for i in range(1, len(operands)):
                flat = f"{name}f{i}"
                self.nodes.append(("Reshape", [operands[i], self.constant(np.array([-1], np.int64))], flat, {}))
                operands[i] = flat
        if node.operation == "softmax":
            attributes = {"axis": -1}
        if node.operation == "gelu":
            attributes = {"approximate": "tanh" if node.attributes["approximate"] else "none"}
        if node.operation == "transposed":
            attributes = {"perm": [1, 0]}
        self.nodes.append((NAMES[node.operation], operands, name, attributes))


class Peer(PythonPeer):
    def __init__(self, threads, fresh):
        self.fresh = fresh
        self.version = f"ONNX Runtime {onnxruntime.__version__}"
        self.threads = threads

    def prepare(self, case, arrays):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        writer = _Writer(case)
        session = onnxruntime.InferenceSession(writer.model, options, providers=["CPUExecutionProvider"])
        self.out = memory.empty(case.shape, case.dtype)
        binding = session.io_binding()
        kind = onnx_model.TYPES[case.dtype]
        used = {i.name for i in session.get_inputs()}
        for i, array in enumerate(arrays):
            if f"a{i}" in used:
                binding.bind_input(f"a{i}", "cpu", 0, kind, array.shape, array.ctypes.data)
        if self.fresh:
            binding.bind_output(writer.result, "cpu")
        else:
            binding.bind_output(writer.result, "cpu", 0, kind, self.out.shape, self.out.ctypes.data)
        run = session._sess.run_with_iobinding  # what run_with_iobinding of the session itself calls
        pointer = binding._iobinding
        self.keep = session, binding, arrays
        self.call = lambda: run(pointer, None)

    def result(self):
        return self.keep[1].get_outputs()[0].numpy() if self.fresh else self.out

    def release(self):
        super().release()
        self.keep = None
