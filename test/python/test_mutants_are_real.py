"""Mutants of the kernels without any check: those that go outside by enumeration fault
under AddressSanitizer, and the others do not. BROADLOOM_TEST_MUTANTS=all tries all 200."""

import os

import pytest
from nest_kernels import KERNELS
from nest_mutants import fixed, mutants_of
from nest_run import Run
from nest_sanitizer import faults, missing

EXTENT = 5


def test_mutants_fault_without_checks(tmp_path):
    if missing():
        pytest.skip(f"not installed: {', '.join(missing())}")
    of_each = None if os.environ.get("BROADLOOM_TEST_MUTANTS") == "all" else 2
    functions, outside = [], []
    for kernel in KERNELS:
        for mutant in list(mutants_of(kernel))[:of_each]:
            name = f"{kernel}_{mutant.number}".replace("-", "_")
            functions.append(fixed(mutant.function, f"nest_{name}", EXTENT))
            arrays = KERNELS[kernel].arrays(EXTENT)
            outside.append(bool(Run([mutant.function], 10**6).call(mutant.function.name, arrays, [EXTENT]).outside))
    found = faults(functions, EXTENT, tmp_path)
    wrong = [f.name for f, expected, fault in zip(functions, outside, found) if expected != fault]
    assert not wrong
    assert True in found and False in found
