"""Programs of one operation for the tests of the evaluator of scripts/fuzz programs."""

import fuzz_path  # noqa: F401
import numpy as np
from data import exact, kindOf
from evaluator import Evaluator
from ir import Block, Function, Operation, Program, Value
from operations import load

load()
NAN, INF = float("nan"), float("inf")


def f32(*values):
    return ("f32", values)


def i32(*values):
    return ("i32", values)


def i64(*values):
    return ("i64", values)


def i8(*values):
    return ("i8", values)


def i1(*values):
    return ("i1", values)


def index(value):
    return ("index", value)


def dataOf(pair):
    kind, values = pair
    return exact(kindOf(kind), np.array(values, kindOf(kind).dtype))


def programOf(name, operands, attributes, resultKinds):
    values = [Value(d.kind.name, None, d.shape) for d in operands]
    results = [Value(k, None, None) for k in resultKinds]
    block = Block(values, [Operation(name, values, results, attributes)], results)
    return Program([Function("main", block, None)])


def evaluateOne(name, operands, attributes, resultKinds):
    program = programOf(name, operands, attributes, resultKinds)
    with np.errstate(all="ignore"):
        return Evaluator(program, withTypes=False).run(operands)
