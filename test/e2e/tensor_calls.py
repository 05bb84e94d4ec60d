"""Names and calls programs of tensors."""

import broadloom
import numpy as np


def call(folder, program, inputs):
    (folder / "program.mlir").write_text(program)
    arguments = ["run", folder / "program.mlir"]
    for i, value in enumerate(inputs):
        if isinstance(value, np.ndarray):
            np.save(folder / f"in{i}.npy", np.ascontiguousarray(value))
            value = folder / f"in{i}.npy"
        elif isinstance(value, int):
            value = f"i64={value}"
        arguments.append(f"--input={value}")
    return broadloom.call(*arguments, f"--output={folder / 'out.npy'}")


def names(cases):
    return [case[0] for case in cases]
