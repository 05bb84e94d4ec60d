"""Runs programs with extreme numbers, and says how they may end."""

import re

import broadloom
import numpy as np
from broadloom import DONE, GUARD_FAILED, REJECTED

V = np.array([1, 2, 3, 4], np.float32)
TOP, LEAST = 2**63 - 1, -(2**63)


def function(arguments, result, *lines):
    body = "\n".join((*lines[:-1], f"%r = {lines[-1]}"))
    return f"func.func @f({arguments}) -> {result} {{\n{body}\nreturn %r : {result}\n}}\n"


def run(folder, program, inputs):
    (folder / "program.mlir").write_text(program)
    arguments = ["run", folder / "program.mlir"]
    for i, value in enumerate(inputs):
        if isinstance(value, np.ndarray):
            np.save(folder / f"in{i}.npy", value)
            value = folder / f"in{i}.npy"
        else:
            value = f"i64={value}"
        arguments.append(f"--input={value}")
    out = folder / "out.npy"
    out.unlink(missing_ok=True)
    outcome = broadloom.call(*arguments, f"--output={out}")
    return outcome, np.load(out) if outcome.status == DONE else None


SLICED = (
    r"the slice takes -?\d+ elements of axis 0 from -?\d+ on( in steps of -?\d+)?, but the extent is|"
    r"axis 0 has extent \d+, expected at most \d+, since memory is limited"
)
BEYOND = r"a number of its shape does not fit 63 bits|the extent of axis 0 of result 0 does not fit 63 bits"
# How what is wrong is said, by operation.
REFUSALS = {
    "tensor.extract_slice": SLICED,
    "tensor.insert_slice": SLICED + r"|axis 0 of the inserted tensor has extent \d+ but the slice has -?\d+",
    "tensor.pad": r"axis 0 of extent .* has padding of \d+ and \d+, which does not fit 63 bits|"
    r"the padding of axis 0 is -?\d+ and -?\d+, expected at least 0",
    "tensor.expand_shape": r"axis 0 has extent .* and cannot become -?\d+x-?\d+",
    "tensor.extract": r"index -?\d+ is outside axis 0, which has extent",
    "cf.assert": r"no such range",
    "tosa.tile": BEYOND,
    "tosa.pad": BEYOND,
    "tosa.slice": BEYOND + r"|the slice from \d+ of size \d+ along axis 0 leaves the input",
    "tosa.reshape": r"the input .* has .* elements but the new shape \d+ has \d+",
    "linalg.generic": r"axis 0 of operand 0 has extent 4, but elements from 0 to (\d+|\(beyond 64 bits\)) are needed",
    "func.func": r"argument .*axis 0 has extent 0, but '.*' is \(beyond 64 bits\)",
}


def assertRefused(outcome, statuses, inputs):
    """The call ends with one of the statuses, and names the place, the operation and
    what is wrong with its numbers. A result that no memory holds is rejected always."""
    line = outcome.error.splitlines()[0]
    if outcome.status == REJECTED and line.endswith("is larger than any memory"):
        return
    assert outcome.status in statuses, (inputs, outcome.status, outcome.error)
    told = re.fullmatch(r"\S+program\.mlir:\d+:\d+: (error: )?'(\w+\.\w+)': (.*)", line)
    assert told and bool(told[1]) == (outcome.status == REJECTED), line
    assert re.match(REFUSALS[told[2]], told[3]), line


def assertRight(folder, program, inputs, expected, refusal=(GUARD_FAILED, REJECTED)):
    """`expected` is a value, or None where the call ends with a status of `refusal`:
    the program is rejected where no extent of its arguments would do."""
    outcome, got = run(folder, program, inputs)
    if expected is None:
        return assertRefused(outcome, refusal, inputs)
    assert outcome.status == DONE, (inputs, outcome.error)
    assert got.shape == np.shape(expected), (inputs, got.shape)
    np.testing.assert_array_equal(got, expected, err_msg=str(inputs))


# Each with what Python says of an array of 4, None where there is no result.


def slice_(offset, size, stride):
    if offset < 0 or size < 0 or offset > 4:
        return None
    indices = [offset + i * stride for i in range(min(size, 5))]
    if (size > 4 and stride != 0) or any(not 0 <= i < 4 for i in indices):
        return None
    return V[np.array(indices, int)] if size <= 4 else None


def pad(low, high):
    if low < 0 or high < 0 or low + high > 2**20:
        return None
    return np.pad(V, (low, high), constant_values=7)
