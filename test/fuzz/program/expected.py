"""Tells how calls of a program end by the rules, as far as that is known before
the calls are made."""

import numpy as np
from evaluator import Evaluator, evaluate, initialState
from operations import Fails, TooLarge, Undecided


def undecided(program, call, why):
    """Returns the expectation of a call of which nothing is known. It is not made where a number is
    an argument that memory may just have room for, as an extent: gigabytes take
    longer than a call may."""
    isLong = any(
        value.kind == "index" and 1 << 24 < int(data.low) < 1 << 44
        for value, data in zip(program.main.block.arguments, call.inputs)
    )
    return "too large" if isLong else "undecided", why


def step(program, call, state=None):
    """("ok", results), ("fails", why), ("too large", why) or ("undecided", why),
    and the state after the call, which is None where it is not known."""
    evaluator = Evaluator(program, state=state)
    try:
        with np.errstate(all="ignore"):
            return "ok", evaluator.run(call.inputs), evaluator.state
    except Fails as error:
        # A call that fails changes no variable (abi-8).
        return "fails", str(error), initialState(program) if state is None else state
    except TooLarge as error:
        # Such a call is not made.
        return "too large", str(error), initialState(program) if state is None else state
    except Undecided as error:
        return *undecided(program, call, str(error)), None if program.variables else state


def expectation(program, call):
    """Tells how a call ends that no other one was before."""
    return step(program, call)[:2]


def expectations(program, calls):
    """Tells how calls end, one after the other."""
    found, state = [], initialState(program)
    for call in calls:
        if state is None:
            found.append(undecided(program, call, "the variables are not known"))
            continue
        outcome, value, state = step(program, call, state)
        found.append((outcome, value))
    return found


def meetsZero(program, call):
    """Whether any value of a valid call has an extent of 0 (rfc-4: the strategy
    refuses an extent 0 that meets a 1)."""
    shapes = []
    with np.errstate(all="ignore"):
        evaluate(program, call.inputs, lambda value, data: shapes.append(data.shape))
    return any(0 in shape for shape in shapes)


def isDataDependent(program):
    """Whether data decide what is computed, or whether it may be."""
    # Not as data, but as little known before a call.
    if any(v.value.extents is None or None in v.value.extents for v in program.variables):
        return True
    return any(v.kind == "index" for v in program.main.block.arguments) or any(
        o.name in ("gather", "scatter", "lookup", "cond_if", "while", "scf_while")
        or (o.name in ("scf_if", "cf", "switch", "region") and "test" not in o.attributes)
        for o in program.walk()
    )


def failsAtEntry(program):
    """Whether all guards depend on extents alone and lie on every path, so that
    nothing is written when one fails (rt-1). A loop over rows checks each in its
    iteration, and what padding reads is checked where there is padding."""
    return not isDataDependent(program) and not any(
        o.blocks or o.name in ("call", "forall") or (o.name == "tensor_pad" and o.attributes.get("first"))
        for o in program.walk()
    )
