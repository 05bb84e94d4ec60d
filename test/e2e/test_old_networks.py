"""Networks in TOSA's text of other versions of LLVM, computed in NumPy as well."""

import re

import broadloom
import numpy as np
import pytest
from broadloom import DONE
from elided import filled


class Evaluator:
    """Computes a text of old TOSA in NumPy, operation by operation."""

    LINE = re.compile(r'^\s*(%\w+) = "tosa\.(\w+)"\(([^)]*)\) (?:\{(.*)\} )?: \((.*)\) -> tensor<([^>]*)>$')

    def __init__(self, text, argument):
        self.values, self.constants = {"%arg0": argument}, 0
        for line in text.splitlines():
            if match := self.LINE.match(line):
                name, operation, operands, attributes, _, result = match.groups()
                operands = [self.values[o.strip()] for o in operands.split(",") if o.strip()]
                self.values[name] = getattr(self, operation)(*operands, a=attributes or "", result=result)
            elif "return %" in line:
                self.result = self.values[re.search(r"return (%\w+)", line)[1]]

    @staticmethod
    def integers(a, name):
        return [int(x) for x in re.search(name + r" = array<i64: ([^>]*)>", a)[1].split(",")]

    def const(self, a, result):
        *shape, kind = result.split("x")
        shape, dtype = [int(e) for e in shape], {"f32": np.float32, "i32": np.int32}[kind]
        if "__elided__" in a:
            self.constants += 1
            return filled(tuple(shape), self.constants - 1)
        literal = re.search(r"dense<(.*)> : tensor", a)[1]
        return np.broadcast_to(np.array(eval(literal, {}), dtype), shape)

    def add(self, x, y, a, result):
        return x + y

    def sub(self, x, y, a, result):
        return x - y

    def mul(self, x, y, a, result):
        return x * y

    def rsqrt(self, x, a, result):
        return 1 / np.sqrt(x)

    def exp(self, x, a, result):
        return np.exp(x)

    def reciprocal(self, x, a, result):
        return 1 / x

    def reduce_sum(self, x, a, result):
        return x.sum(int(re.search(r"axis = (\d+)", a)[1]), keepdims=True)

    def reshape(self, x, a, result):
        return x.reshape(self.integers(a, "new_shape"))

    def transpose(self, x, perms, a, result):
        return x.transpose(perms)

    def pad(self, x, padding, a, result):
        return np.pad(x, padding)

    def clamp(self, x, a, result):
        least, most = (float(re.search(e + r"_fp = (\S+) :", a)[1]) for e in ("min", "max"))
        return np.clip(x, np.float32(least), np.float32(most))

    def matmul(self, x, y, a, result):
        return x @ y

    def windows(self, x, kernel, a, fill):
        stride, pad = self.integers(a, "stride"), self.integers(a, "pad")
        x = np.pad(x, ((0, 0), tuple(pad[:2]), tuple(pad[2:]), (0, 0)), constant_values=fill)
        view = np.lib.stride_tricks.sliding_window_view(x, kernel, (1, 2))
        return view[:, :: stride[0], :: stride[1]]

    def conv2d(self, x, w, b, a, result):
        view = self.windows(x, w.shape[1:3], a, 0)
        n, h, v = view.shape[:3]
        columns = view.transpose(0, 1, 2, 4, 5, 3).reshape(n * h * v, -1)
        return (columns @ w.reshape(w.shape[0], -1).T).reshape(n, h, v, -1) + b

    def depthwise_conv2d(self, x, w, b, a, result):
        view = self.windows(x, w.shape[:2], a, 0)
        return np.einsum("nhwcij,ijcm->nhwcm", view, w).reshape(*view.shape[:3], -1) + b

    def max_pool2d(self, x, a, result):
        return self.windows(x, self.integers(a, "kernel"), a, -np.inf).max((-1, -2))

    def avg_pool2d(self, x, a, result):
        return self.windows(x, self.integers(a, "kernel"), a, np.nan).mean((-1, -2))


@pytest.mark.parametrize(
    "name, shape", [("mobilenet_v2.llvm19", (1, 224, 224, 3)), ("resnet18.llvm16", (1, 3, 224, 224))]
)
def test_network(models, tmp_path, name, shape):
    """Weights that are all 0.5 end in infinities; these are made up instead."""
    with open(f"{models}/{name}.mlir", encoding="utf-8") as file:
        text = re.sub(r"dense<5\.000000e-01> : tensor<(\d+x\d)", r"dense_resource<__elided__> : tensor<\1", file.read())
    path = tmp_path / "model.mlir"
    path.write_text(text)
    image = np.random.default_rng(1).random(shape, np.float32)
    np.save(tmp_path / "in.npy", image)
    outcome = broadloom.call("run", path, f"--input={tmp_path}/in.npy", f"--output={tmp_path}/out.npy", "--fill-elided")
    assert outcome.status == DONE, outcome.error
    expected = Evaluator(text, image.astype(np.float64)).result
    found = np.load(tmp_path / "out.npy")
    assert found.shape == expected.shape == (1, 1000)
    assert np.isfinite(expected).all()
    assert np.abs(found - expected).max() <= 1e-4 * np.abs(expected).max()
