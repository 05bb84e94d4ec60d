"""Programs that must compute the same as a given one: operands commuted where
that changes nothing, identities, functions inlined and outlined, dead code."""

import random

from ir import Block, Function, Operation, Value, blocksOf, replaceUses
from operations import TABLE

COMMUTATIVE = {
    "add",
    "mul",
    "maximum",
    "minimum",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "logical_and",
    "logical_or",
    "logical_xor",
    "equal",
}


def transform(program, seed):
    program = program.copy()
    dice = random.Random(f"change/{seed}")
    for _ in range(dice.choice([1, 2, 4])):
        dice.choice([commute, addIdentity, inline, outline, addDead])(program, dice)
    return program


def commute(program, dice):
    for operation in program.walk():
        if operation.name in COMMUTATIVE and dice.random() < 0.5:
            operation.operands = operation.operands[::-1]


def locations(program):
    """(block, position) of operations with one result or more."""
    return [
        (block, i)
        for block, _ in blocksOf(program)
        for i, o in enumerate(block.operations)
        if o.results and all(r.kind != "index" for r in o.results)
    ]


def addIdentity(program, dice):
    """A value goes through tosa.identity, or through two reverses."""
    found = locations(program)
    if not found:
        return
    block, at = dice.choice(found)
    value = dice.choice(block.operations[at].results)
    made = Value(value.kind, None, value.shape)
    if value.shape and dice.random() < 0.5:
        between = Value(value.kind, None, value.shape)
        axis = {"axis": dice.randrange(len(value.shape))}
        added = [Operation("reverse", [value], [between], axis), Operation("reverse", [between], [made], dict(axis))]
    else:
        added = [Operation("identity", [value], [made])]
    replaceUses(program, value, made)
    added[0].operands = [value]
    block.operations[at + 1 : at + 1] = added


def addDead(program, dice):
    """A computation that nobody uses, of a value and itself."""
    found = locations(program)
    if not found:
        return
    block, at = dice.choice(found)
    value = block.operations[at].results[0]
    made = Value(value.kind, None, value.shape)
    name = "select"
    if value.kind == "i1":
        operation = Operation("logical_and", [value, value], [made])
    else:
        condition = Value("i1", None, value.shape)
        if value.kind.startswith("f8"):
            return
        block.operations.insert(at + 1, Operation("equal", [value, value], [condition]))
        operation = Operation(name, [condition, value, value], [made])
        at += 1
    block.operations.insert(at + 1, operation)


def inline(program, dice):
    """The body of a function in place of a call."""
    calls = [(b, i) for b, _ in blocksOf(program) for i, o in enumerate(b.operations) if o.name == "call"]
    if not calls:
        return
    block, at = dice.choice(calls)
    inlineAt(program, block, at)


def inlineAt(program, block, at):
    operation = block.operations[at]
    callee = program.function(operation.attributes["callee"])
    # A region of `scf` or `tosa` has one block.
    isBody = any(function.block is block for function in program.functions)
    if not isBody and any(TABLE[o.name].needsBlocks for o in callee.block.walk()):
        return
    body = freshCopy(callee.block)
    mapping = dict(zip(body.arguments, operation.operands))
    substitute(body, mapping)
    block.operations[at : at + 1] = body.operations
    for result, value in zip(operation.results, body.results):
        replaceUses(program, result, value)


def substitute(block, mapping):
    block.results = [mapping.get(v, v) for v in block.results]
    for operation in block.operations:
        operation.operands = [mapping.get(v, v) for v in operation.operands]
        for inner in operation.blocks:
            substitute(inner, mapping)


def freshCopy(block):
    """A copy with values of its own for all that is defined in it."""
    mapping = {}

    def fresh(value):
        mapping[value] = Value(value.kind, value.extents, value.shape)
        return mapping[value]

    def copyOf(block):
        made = Block([fresh(a) for a in block.arguments])
        for o in block.operations:
            operands = [mapping.get(v, v) for v in o.operands]
            blocks = [copyOf(b) for b in o.blocks]
            made.operations.append(
                Operation(o.name, operands, [fresh(r) for r in o.results], dict(o.attributes), blocks)
            )
        made.results = [mapping.get(v, v) for v in block.results]
        return made

    return copyOf(block)


def outline(program, dice):
    """Some operations of main, one after another, become a function."""
    main = program.main.block
    if not main.operations:
        return
    start = dice.randrange(len(main.operations))
    end = min(len(main.operations), start + dice.choice([1, 2, 4]))
    part = main.operations[start:end]
    if any(TABLE[o.name].needsBlocks for o in part):
        return
    inside = set()
    used = []

    def look(block_or_operations):
        for o in block_or_operations:
            used.extend(o.operands)
            for block in o.blocks:
                inside.update(block.arguments)
                look(block.operations)
                used.extend(block.results)
            inside.update(o.results)

    look(part)
    made = [r for o in part for r in o.results]
    free = list(dict.fromkeys(v for v in used if v not in inside))
    body = Block([Value(v.kind, None, v.shape) for v in free], part, list(made))
    name = f"outlined{len(program.functions)}"
    results = [Value(v.kind, None, v.shape) for v in made]
    call = Operation("call", list(free), results, {"callee": name})
    main.operations[start:end] = [call]
    for old, new in zip(made, results):
        replaceUses(program, old, new)
    substitute(body, dict(zip(free, body.arguments)))
    program.functions.insert(
        0 if not any(o.name == "call" for o in body.walk()) else len(program.functions) - 1, Function(name, body, None)
    )
