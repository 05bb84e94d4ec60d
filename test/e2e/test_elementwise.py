"""Every element-wise operation on every element type and pattern of shapes,
static, dynamic, half of each, with constant operands and unranked, by both
strategies, against the NumPy oracle (el-1 to el-11, rt-3, rt-7, rfc-4)."""

import broadloom
import numpy as np
import pytest
from accuracy import difference
from operations import APPROXIMATE, SIGNATURES
from programs import MODES, casesOf, moduleOf

# The strategy `rfc` is for ranked operands (rfc-1).
RFC_MODES = ("static", "dynamic")


def bitsOf(array):
    """The bits, with all NaNs alike."""
    if array.dtype.kind in "biu":
        return array
    wide = array.astype(np.float64)
    return np.where(np.isnan(wide), np.nan, wide).view(np.uint64)


def compute(tmp_path, cases, strategy):
    """The results of all cases, by one call; where it fails, says which operation
    is the cause."""

    def attempt(some):
        program, inputs = moduleOf(some)
        return broadloom.run(tmp_path, program, inputs, [c.resultKind for c in some], f"--strategy={strategy}")

    outcome, results = attempt(cases)
    if results is not None:
        return results
    # One at a time, up to the first few that fail.
    failures = []
    for case in cases:
        single, one = attempt([case])
        if one is None:
            failures.append(f"{case.signature} {case.pattern}: {single.error.strip()}")
        if len(failures) == 3:
            break
    pytest.fail(f"{strategy}: exit status {outcome.status}\n" + "\n".join(failures or [outcome.error]))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("operation", sorted(SIGNATURES))
def test_operation(tmp_path, operation, mode):
    signatures = SIGNATURES[operation]
    cases = [c for s in signatures for c in casesOf(s, mode, "default")]
    results = compute(tmp_path, cases, "default")
    wrong = []
    for case, result in zip(cases, results):
        problem = difference(result, case.expected())
        if problem:
            wrong.append(f"{case.signature} {case.pattern}: {problem}")
    assert not wrong, f"{len(wrong)} of {len(cases)} wrong:\n" + "\n".join(wrong[:12])
    if mode not in RFC_MODES:
        return

    kept = [(c, r) for c, r in zip(cases, results) if c.pattern != "zero meets one"]
    if mode == "dynamic":
        # That strategy's code for `?` takes long to compile: each type has the
        # first pattern and every third of the others, in turn.
        kept = [k for i, k in enumerate(kept) if k[0].pattern == "full" or i % 3 == 0]
    reference = compute(tmp_path, [c for c, _ in kept], "rfc")
    for (case, result), other in zip(kept, reference):
        if operation in APPROXIMATE:
            problem = difference(other, case.expected())
        elif other.shape != result.shape:
            problem = f"shape {other.shape}, not {result.shape}"
        else:
            differ = bitsOf(other) != bitsOf(result)
            problem = f"{differ.sum()} elements differ from the default strategy's" if differ.any() else None
        if problem:
            wrong.append(f"rfc: {case.signature} {case.pattern}: {problem}")
    assert not wrong, f"{len(wrong)} of {len(kept)} wrong:\n" + "\n".join(wrong[:12])
