"""TOSA files of the official tests with extents taken away."""

import struct

import program
from tosa.Op import Op
from tosa.TosaGraph import TosaGraph

NAMES = {value: name.lower() for name, value in vars(Op).items() if isinstance(value, int)}


def names(length, element):
    return [element(i).decode() for i in range(length())]


def fixedTensors(block):
    """Constants, variables, and operands that TOSA wants to have one element."""
    fixed = set()
    for i in range(block.TensorsLength()):
        tensor = block.Tensors(i)
        if tensor.DataLength() or tensor.Variable():
            fixed.add(tensor.Name().decode())
    for i in range(block.OperatorsLength()):
        operator = block.Operators(i)
        operation = NAMES[operator.Op()]
        if operation == "const":
            fixed.update(names(operator.OutputsLength, operator.Outputs))
        if operation in program.SCALARS:
            fixed.update(names(operator.InputsLength, operator.Inputs)[program.SCALARS[operation] :])
    return fixed


def dynamic(contents):
    """The file with every extent -1, which is `?`, but for those of fixedTensors."""
    changed = bytearray(contents)
    graph = TosaGraph.GetRootAs(contents)
    for region in (graph.Regions(i) for i in range(graph.RegionsLength())):
        for block in (region.Blocks(i) for i in range(region.BlocksLength())):
            fixed = fixedTensors(block)
            for tensor in (block.Tensors(i) for i in range(block.TensorsLength())):
                if tensor.Name().decode() in fixed or tensor.ShapeIsNone():
                    continue
                # The list of extents is the second field.
                start = tensor._tab.Vector(tensor._tab.Offset(6))
                struct.pack_into(f"<{tensor.ShapeLength()}i", changed, start, *[-1] * tensor.ShapeLength())
    return bytes(changed)
