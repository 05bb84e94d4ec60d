"""The NumPy oracle of test/e2e in place of Broadloom: the official tests say
whether the oracle, which our own tests believe, is right.
"""

import os
import re
import struct
import sys

import numpy as np
import program

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), os.pardir, "e2e"))

import tosa_oracle
from element_types import TYPES, roundTo, save

CONSTANT = re.compile(r"(%\w+) = .*tosa\.const.*dense<(.*?)> : ")


def number(text, kind):
    """An MLIR attribute's value: decimal, or the bits in hexadecimal."""
    if text.startswith("0x") and kind.isFloat:
        size = kind.dtype.itemsize
        return np.frombuffer(struct.pack("<Q", int(text, 16))[:size], kind.dtype)[0]
    return kind.dtype.type(float(text) if kind.isFloat else int(text))


def run(test, folder):
    """Writes the results of an element-wise test to `folder`."""
    text = program.text(test.folder, test.description)
    constants = dict(CONSTANT.findall(text))
    line = next(
        each for each in text.splitlines() if program.OPERATION.match(each) and not program.CONSTANT.match(each)
    )
    _, operation, names, attributes, types, result = program.OPERATION.match(line).groups()
    kinds = [TYPES[re.split("x|<", t[:-1])[-1]] for t in [*re.findall(program.TENSOR, types), result]]
    names = names.strip().split(", ")
    arguments = re.findall(r"(%\w+): tensor", text)
    kind = kinds[len(names) - 1] if operation not in program.SCALARS else kinds[0]

    values = []
    for name, operandKind in zip(names, kinds):
        if name in constants:
            values.append(np.array(number(constants[name], operandKind)))
            continue
        file = test.description["ifm_file"][arguments.index(name)]
        array = np.load(test.folder / file)
        values.append(array if array.dtype == operandKind.dtype else array.view(operandKind.dtype))

    options = {"result": kinds[-1]}
    scalars = program.SCALARS.get(operation, len(values))
    for key, value in zip({"mul": ["shift"], "negate": ["input_zp", "output_zp"]}.get(operation, []), values[scalars:]):
        options[key] = int(value.astype(np.float64).reshape(()))
    options["round"] = "round = true" in attributes
    options["nan_mode"] = "IGNORE" if "nan_mode = IGNORE" in attributes else "PROPAGATE"
    for key, value in re.findall(r"(m\w\w_val) = (\S+) :", attributes):
        options[key] = number(value, kind)

    expected = tosa_oracle.evaluate(operation, values[:scalars], kind, options)
    if isinstance(expected, tosa_oracle.Reference):
        expected = roundTo(expected.kind, expected.high)
    save(folder / test.description["ofm_file"][0], expected)
