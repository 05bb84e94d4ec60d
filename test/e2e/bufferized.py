"""Programs of TOSA over memory, as upstream's passes make them."""

import shutil
import subprocess

import pytest

PASSES = (
    "builtin.module(func.func(tosa-infer-shapes,tosa-make-broadcastable,tosa-to-linalg-named,tosa-to-linalg,"
    "tosa-to-arith,tosa-to-tensor,linalg-fuse-elementwise-ops),canonicalize,"
    "one-shot-bufferize{{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map}},"
    "canonicalize{})"
)
FORMS = {
    "linalg": PASSES.format(""),
    "loops": PASSES.format(",func.func(convert-linalg-to-loops)"),
    "affine": PASSES.format(",func.func(convert-linalg-to-affine-loops)"),
    # Not of all programs: upstream gives up networks with convolutions and views with strides.
    "vectors": PASSES.format(
        ",func.func(convert-linalg-to-affine-loops,affine-super-vectorize{virtual-vector-size=8})"
    ),
}


def bufferize(source, target, form):
    optimizer = shutil.which("mlir-opt", path="/usr/lib/llvm-22/bin")
    if optimizer is None:
        pytest.skip("mlir-opt is not installed")
    done = subprocess.run(
        [optimizer, source, f"--pass-pipeline={FORMS[form]}", "-o", target], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
