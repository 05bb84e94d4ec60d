"""Programs of the official tests as text: read, and with extents taken away.

The official tool `tosa-opt` writes one operation per line, in the form that
`OPERATION` describes; a line in any other form is an error here, so that no
test is run half rewritten.
"""

import os
import re
import subprocess
import sys
import sysconfig

# MLIR's names of the official element types.
TYPES = {
    "BOOL": "i1", "INT8": "i8", "INT16": "i16", "INT32": "i32", "INT64": "i64",
    "FP16": "f16", "BF16": "bf16", "FP32": "f32",
    "FP8E4M3": "f8E4M3FN", "FP8E5M2": "f8E5M2",
}

# TOSA asks for a type of one element for these operands (mul's shift, zero
# points, what is padded with): operation -> position of the first.
SCALARS = {
    "mul": 2, "negate": 1, "avg_pool2d": 1, "conv2d": 3, "conv3d": 3, "depthwise_conv2d": 3,
    "transpose_conv2d": 3, "matmul": 2, "pad": 2, "rescale": 3, "slice_shape": 1,
}

TENSOR = r"tensor<[^<>]*>"
# A shape says how many numbers it has, whatever they are.
SHAPE = r"!tosa\.shape<\d+>"
VALUE = rf"(?:{TENSOR}|{SHAPE})"
CONSTANT = re.compile(r'^\s*(%\w+) = "?tosa\.const(?:_shape)?\b')
OPERATION = re.compile(
    rf"^(\s*%\w+(?::\d+)? = tosa\.(\w+) )(%[^{{:]*?)(\s*(?:\{{.*\}})?\s*: )\((.*)\) -> "
    rf"({VALUE}|\({VALUE}(?:, {VALUE})*\))$")
SIGNATURE = re.compile(r"^\s*func\.func @")
ARGUMENT = re.compile(rf"(%\w+): ({TENSOR})")
RETURN = re.compile(r"^\s*return\b")
OTHER = re.compile(r"^\s*(module\b.*\{|\}|)\s*$")


def tosaOpt():
    """The tool itself; its Python wrapper costs ten times its run."""
    return os.path.join(sysconfig.get_path("purelib"), "bin", "tosa-opt")


def deserialize(path):
    """The text of the flatbuffer at `path`; raises RuntimeError with the tool's words."""
    done = subprocess.run(
        [tosaOpt(), f"--tosa-deserialize=tosa-flatbuffer-filename={path}", "-"],
        input="module {}", capture_output=True, text=True)
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
        types.append(f"tensor<{'x'.join(shape + [TYPES[tensors[name]['data_type']]])}>")
    arguments = ", ".join(f"%arg{i}: {t}" for i, t in enumerate(types))
    operands = ", ".join(f"%arg{i}" for i in range(len(types)))
    return (f"func.func @main({arguments}) -> {types[0]} {{\n"
            f"  %0 = tosa.negate {operands} : ({', '.join(types)}) -> {types[0]}\n"
            f"  return %0 : {types[0]}\n"
            "}\n")


def text(directory, description):
    """The program of the test in `directory` as MLIR text."""
    details = description["test_details"]
    if details["operator"] == "NEGATE" and len(description["ifm_name"]) == 3:
        return negateOfArguments(description)
    return deserialize(os.path.join(directory, description["tosa_file"]))


def withoutExtents(types):
    """Every extent of every tensor type in the text `types` made `?`."""
    return re.sub(TENSOR, lambda kind: re.sub(r"(?<=[<x])\d+(?=x)", "?", kind[0]), types)


def dynamic(program):
    """`program` with every extent `?`, but for constants and for the operands
    that TOSA wants to have one element."""
    lines = program.splitlines()
    fixed = set()
    for line in lines:
        constant, operation = CONSTANT.match(line), OPERATION.match(line)
        if constant:
            fixed.add(constant[1])
        elif operation and operation[2] in SCALARS:
            fixed.update(operation[3].split(", ")[SCALARS[operation[2]]:])

    def rewrite(line):
        operation = OPERATION.match(line)
        if CONSTANT.match(line) or OTHER.match(line):
            return line
        if operation:
            head, _, names, middle, types, result = operation.groups()
            operands = [
                t if name in fixed else withoutExtents(t)
                for name, t in zip(names.split(", "), re.findall(VALUE, types), strict=True)]
            return f"{head}{names}{middle}({', '.join(operands)}) -> {withoutExtents(result)}"
        if SIGNATURE.match(line):
            arguments, results = line.split(" -> ")
            arguments = ARGUMENT.sub(
                lambda m: m[0] if m[1] in fixed else f"{m[1]}: {withoutExtents(m[2])}", arguments)
            return f"{arguments} -> {withoutExtents(results)}"
        if RETURN.match(line):
            return withoutExtents(line)
        raise ValueError(f"cannot make the extents of this line '?': {line}")

    return "\n".join(map(rewrite, lines)) + "\n"


if __name__ == "__main__":
    sys.stdout.write(dynamic(sys.stdin.read()))
