"""Programs of the official tests as text, for the oracle.

The official tool `tosa-opt` writes one operation per line, in the form that
`OPERATION` describes.
"""

import os
import re
import subprocess
import sysconfig

# MLIR's names of the official element types.
TYPES = {
    "BOOL": "i1",
    "INT8": "i8",
    "INT16": "i16",
    "INT32": "i32",
    "INT64": "i64",
    "FP16": "f16",
    "BF16": "bf16",
    "FP32": "f32",
    "FP8E4M3": "f8E4M3FN",
    "FP8E5M2": "f8E5M2",
}

# TOSA requires a type of one element for these operands (mul's shift, zero
# points, what is padded with): operation -> index of the first.
SCALARS = {
    "mul": 2,
    "negate": 1,
    "avg_pool2d": 1,
    "conv2d": 3,
    "conv3d": 3,
    "depthwise_conv2d": 3,
    "transpose_conv2d": 3,
    "matmul": 2,
    "pad": 2,
    "rescale": 3,
    "slice_shape": 1,
}

TENSOR = r"tensor<[^<>]*>"
# A shape says how many numbers it has, whatever they are.
SHAPE = r"!tosa\.shape<\d+>"
VALUE = rf"(?:{TENSOR}|{SHAPE})"
CONSTANT = re.compile(r'^\s*(%\w+) = "?tosa\.const(?:_shape)?\b')
OPERATION = re.compile(
    rf"^(\s*%\w+(?::\d+)? = tosa\.(\w+) )(%[^{{:]*?)(\s*(?:\{{.*\}})?\s*: )\((.*)\) -> "
    rf"({VALUE}|\({VALUE}(?:, {VALUE})*\))$"
)


def tosaOpt():
    """The tool itself; its Python wrapper costs ten times its run."""
    return os.path.join(sysconfig.get_path("purelib"), "bin", "tosa-opt")


def deserialize(path):
    """The text of the flatbuffer at `path`; raises RuntimeError with the tool's words."""
    done = subprocess.run(
        [tosaOpt(), f"--tosa-deserialize=tosa-flatbuffer-filename={path}", "-"],
        input="module {}",
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"tosa-opt cannot read {path}: {done.stderr.strip()}")
    return done.stdout


def negateOfArguments(description):
    """The text of a negate whose zero points are arguments, which tosa-opt does
    not read ("cannot retrieve the zero points"); from the test's description."""
    tensors = description["meta"]["data_gen"]["tensors"]
    types = []
    for name in description["ifm_name"]:
        shape = [str(extent) for extent in tensors[name]["shape"]]
        types.append(f"tensor<{'x'.join([*shape, TYPES[tensors[name]['data_type']]])}>")
    arguments = ", ".join(f"%arg{i}: {t}" for i, t in enumerate(types))
    operands = ", ".join(f"%arg{i}" for i in range(len(types)))
    return (
        f"func.func @main({arguments}) -> {types[0]} {{\n"
        f"  %0 = tosa.negate {operands} : ({', '.join(types)}) -> {types[0]}\n"
        f"  return %0 : {types[0]}\n"
        "}\n"
    )


def text(directory, description):
    """The program of the test in `directory` as MLIR text."""
    details = description["test_details"]
    if details["operator"] == "NEGATE" and len(description["ifm_name"]) == 3:
        return negateOfArguments(description)
    return deserialize(os.path.join(directory, description["tosa_file"]))
