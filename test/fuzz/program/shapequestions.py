"""Compares what is told of shapes without running: by `broadloom shapes`, and for the
arguments of a call. Each comparison gives a finding or None."""

from expected import isDataDependent
from runner import GUARD_FAILED, INVALID_ARGUMENT, OK
from trial import Finding, isOfPass


def argumentText(data, withValue):
    """An argument as `broadloom shapes` takes it."""
    text = "x".join([*map(str, data.shape), data.kind.name.replace("index", "i64")])
    # As many as values can be given of (driver/queries/GivenValues.cpp).
    if not withValue or data.kind.isFloat or data.low.size > 4096:
        return text
    return f"{text}={' '.join(str(int(n)) for n in data.low.ravel())}"


def fits(text, shape, byData):
    """Whether `text`, as abi-4 has it, tells `shape`."""
    if text == "*":
        return byData
    extents = text.split("x") if text else []
    if len(extents) != len(shape):
        return False
    for extent, number in zip(extents, shape):
        if extent.isdigit():
            if int(extent) != number:
                return False
        elif not byData or (extent.startswith("<=") and number > int(extent[2:])):
            return False
    return True


def compareWithRun(program, answer, queried):
    """abi-2: shapes without running say what running says."""
    whyNone, status, message, shapes = queried
    if whyNone:
        return None
    byData = isDataDependent(program)
    if answer.status == OK:
        if status != OK:
            return Finding("shapes", f"shapes fail, but it runs: {message}")
        for i, (result, (extents, inexact)) in enumerate(zip(answer.results, shapes, strict=True)):
            good = len(extents) == result.ndim and all(
                (e == n if not inexact >> axis & 1 else e == -1 or n <= e)
                for axis, (e, n) in enumerate(zip(extents, result.shape))
            )
            if not good:
                return Finding("shapes", f"result {i} has shape {result.shape}, but shapes say {extents}")
            if inexact and not byData:
                return Finding("shapes", f"result {i}: data do not decide, but shapes say {extents} inexact")
    elif answer.status in (GUARD_FAILED, INVALID_ARGUMENT) and not byData:
        if status == OK:
            return Finding("shapes", f"shapes are told, but running fails: {answer.message}")
        if message != answer.message:
            return Finding("shapes", f"shapes fail with: {message}; but running with: {answer.message}")
    return None


def compareWithRules(program, text, wanted, answer):
    """Compares what `shapes` answers about a call of the program, `text`, that by the
    rules is `wanted`."""
    byData = isDataDependent(program)
    there, words, status, message, texts = answer
    if not there:
        if isOfPass(words, text):
            return Finding("pass", words)
        return Finding("refused", words) if wanted[0] == "ok" else None
    if wanted[0] == "ok" and status != OK:
        return Finding("shapes", f"the call is valid, but shapes say: {message}")
    if wanted[0] == "fails" and status == OK and not byData:
        return Finding("shapes", f"the call fails ({wanted[1]}), but shapes say {texts}")
    if wanted[0] == "ok":
        for i, (told, data) in enumerate(zip(texts, wanted[1], strict=True)):
            if not fits(told, data.shape, byData):
                return Finding("shapes", f"result {i} has shape {data.shape}, but shapes say '{told}'")
    return None
