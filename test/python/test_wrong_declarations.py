"""Declarations of BLAS that leave something out: `--check-effects` finds each of them (ffi-3, ffi-7).

Each function of effects/blas.mlir is declared without one of its reads or writes, and with one of an element, a row or
a column less.
"""

import ctypes.util
import pathlib
import re

import broadloom as bl
import numpy as np
import pytest
from blas_cases import CASES, LIBRARY, UNIT, Case, spell

TEXT = pathlib.Path(__file__).parents[2] / "effects" / "blas.mlir"
WRITTEN = r"it wrote element \[\d+\] of argument '\w+' of 'cblas_\w+', which its effects do not declare"
READ = (
    "a second call, with other numbers in the elements that it is not declared to read, "
    r"(returned another result|left something else in element \[\d+\] of argument '\w+' of 'cblas_\w+')"
)

pytestmark = pytest.mark.skipif(not ctypes.util.find_library("openblas"), reason="OpenBLAS is not installed")


def declarations(name):
    """The text of a function's declaration, and those of wrong ones, with the word that is left out."""
    text = TEXT.read_text().replace("$T", "f64").replace("$p", "d")
    text = text.replace("$bytes", "8").replace("effects = {reentrant}", "effects = {deterministic, reentrant}")
    functions = re.split(r"\n(?=func\.func)", text)
    helpers = "\n".join(f for f in functions if "func.func private" in f)
    (own,) = [f for f in functions if re.match(rf"func\.func @{name}\(", f)]
    wrong = []
    for line in re.findall(r"  call @(?:read|write)_.*\n", own):
        word, arguments = re.match(r"  call @(\w+)\(([^)]*)\)", line).groups()
        wrong.append((word, own.replace(line, "")))
        # The last number in front of the leading dimension or step says how many there are.
        counts = [a for a in arguments.split(", ") if re.fullmatch(r"%(m|n|k|extent|num[XY]|five)", a)]
        # One diagonal less would have its elements elsewhere.
        count = [a for a in counts if a != "%k" or "band" not in word][-1] if counts else "%one"
        less = line.replace(f"{count},", "%less,").replace(f"{count})", "%less)")
        short = f"  %once = arith.constant 1 : i32\n  %less = arith.subi {count}, %once : i32\n{less}"
        wrong.append((f"{word}, one less", own.replace(line, short)))
    return helpers, own, wrong


def make(name):
    """A call that accesses all that the declaration says."""
    rng = np.random.default_rng(len(name))
    while True:
        case = Case(rng, np.float64)
        CASES[name](case)
        if not case.needs_all:
            continue
        numbers = [a for a in case.arguments if isinstance(a, int)]
        if not numbers:
            return case
        sizes = [a for a in numbers if 0 <= a < 100]
        is_large = all(a.size >= 4 for a in case.arguments if isinstance(a, np.ndarray))
        if min(sizes) >= 1 and sizes.count(1) <= 2 and len(set(sizes)) >= 2 and UNIT not in numbers and is_large:
            return case


# With another number in x1, which it is not declared to read, the second call of OpenBLAS 0.3.21's rotmg does not end.
@pytest.mark.parametrize("name", [name for name in CASES if name != "cblas_{}rotmg"])
def test_what_is_left_out_is_found(name, tmp_path):
    symbol = name.format("d")
    case = make(name)
    program = spell(case, symbol, "f64")
    helpers, own, wrong = declarations(symbol)
    file = tmp_path / "effects.mlir"

    def compiled(text):
        file.write_text(f"{helpers}\n{text}")
        return bl.compile(program, libraries=LIBRARY, effects=file, check_effects=True)

    compiled(own)(*case.given())
    for word, text in wrong:
        with pytest.raises(bl.ShapeError) as error:
            compiled(text)(*case.given())
        assert re.search(WRITTEN if "write" in word else READ, str(error.value)), f"{word}: {error.value}"


def test_how_many_there_are():
    counts = [len(declarations(name.format("d"))[2]) for name in CASES]
    assert min(counts) >= 2 and sum(counts) >= 200
