"""Operations of one operand on every number of the 16-bit float types, all
NaNs, subnormals and infinities included, against the NumPy oracle (el-5 to
el-9, el-11). The 32-bit numbers are for scripts/bench-accuracy."""

import broadloom
import numpy as np
import pytest
import tosa_oracle
from accuracy import difference
from broadloom import DONE
from element_types import TYPES
from operations import SIGNATURES

OPERATIONS = (
    "abs",
    "ceil",
    "clamp",
    "cos",
    "erf",
    "exp",
    "floor",
    "log",
    "reciprocal",
    "rsqrt",
    "sigmoid",
    "sin",
    "tanh",
)


def textOf(signature, element):
    t = f"tensor<?x?x{element}>"
    attributes = ""
    if signature.attributes:
        words = {
            "min_val": f"min_val = {signature.attributes.get('min_val')} : {element}",
            "max_val": f"max_val = {signature.attributes.get('max_val')} : {element}",
            "nan_mode": f"nan_mode = {signature.attributes.get('nan_mode')}",
        }
        attributes = " {" + ", ".join(words[name] for name in signature.attributes) + "}"
    return (
        f"func.func @main(%a: {t}) -> {t} {{\n"
        f"  %0 = tosa.{signature.operation} %a{attributes} : ({t}) -> {t}\n  return %0 : {t}\n}}\n"
    )


@pytest.mark.parametrize("element", ["f16", "bf16"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_el9_every_number(tmp_path, operation, element):
    kind = TYPES[element]
    everything = np.arange(1 << 16, dtype=np.uint16).view(kind.dtype).reshape(128, 512)
    for signature in SIGNATURES[operation]:
        if signature.operands != (element,):
            continue
        outcome, results = broadloom.run(tmp_path, textOf(signature, element), [everything], [kind])
        assert outcome.status == DONE, outcome.error
        expected = tosa_oracle.evaluate(operation, [everything], kind, signature.oracleAttributes)
        problem = difference(results[0], expected)
        assert problem is None, f"{signature}: {problem}"


@pytest.mark.parametrize("operation", ["erf", "exp", "log", "sigmoid", "tanh"])
def test_el11_subnormals(tmp_path, operation):
    """f32 operands and results that are subnormal, each at several indices of a
    run: at its beginning, inside and in what is left over of the last vector."""
    kind = TYPES["f32"]
    small = np.linspace(1, 0x7FFFFF, 1500).astype(np.uint32).view(np.float32)
    values = np.concatenate([small, -small, np.linspace(-104, -87, 1500).astype(np.float32)])
    if operation == "log":
        values = np.abs(values)
    text = textOf(next(s for s in SIGNATURES[operation] if s.operands == ("f32",)), "f32")
    outcome, results = broadloom.run(tmp_path, text, [values.reshape(1, -1)], [kind])
    assert outcome.status == DONE, outcome.error
    problem = difference(results[0], tosa_oracle.evaluate(operation, [values.reshape(1, -1)], kind, {}))
    assert problem is None, problem
    smallest = np.float32(2.0**-149)
    if operation in ("exp", "sigmoid"):
        assert (results[0][0, 3000:] >= smallest).sum() >= (np.exp(values[3000:].astype(float)) >= smallest).sum()
    else:
        assert (results[0] != 0).all()
    for first, last in ((1, 4500), (7, 7 + 65), (4499, 4500)):
        _, part = broadloom.run(tmp_path, text, [values[first:last].reshape(1, -1)], [kind])
        assert part[0].tobytes() == results[0][:, first:last].tobytes()
