"""The conformance runner's choice of tests, and the page that it writes."""

import os
import sys
from types import SimpleNamespace

import pytest

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), os.pardir, "conformance"))

import page
import rules
import suite
import verdicts

NAMES = [
    f"{operation}/{operation}/{i}" for operation, count in (("add", 50), ("exp", 3), ("pad", 20)) for i in range(count)
]


def test_a_seed_repeats_its_sample():
    sample = suite.sample(NAMES, 20, "2026-11-23")
    assert sample == suite.sample(NAMES, 20, "2026-11-23")
    assert sample != suite.sample(NAMES, 20, "2026-11-24")
    assert len(set(sample)) == 20 and set(sample) <= set(NAMES)
    # Of each operation as many, or all that it has.
    assert sum(name.startswith("exp/") for name in sample) == 3
    assert min(sum(name.startswith(f"{op}/") for name in sample) for op in ("add", "pad")) >= 8


def test_a_sample_of_few_tests_is_all_of_them():
    assert suite.sample(NAMES, 400, "1") == sorted(NAMES)


def test_a_seed_chooses_operators_of_version_1_0(tmp_path):
    chosen = suite.chooseOperators(tmp_path, "2026-11-23")
    assert chosen == suite.chooseOperators(tmp_path, "2026-11-23") and len(set(chosen)) == 5
    assert set(chosen) <= set(suite.operators())
    every = {name for seed in range(300) for name in suite.chooseOperators(tmp_path, str(seed))}
    assert {"add", "matmul", "rfft2d", "while_loop"} <= every
    assert not every & {"add_shape", "matmul_t", "cast_to_block_scaled", "max_pool2d_adaptive", "conv2d"}
    # What takes long to generate is taken where it is there.
    (tmp_path / "conv2d.stamp").write_text(suite.makeStamp())
    assert suite.chooseOperators(tmp_path, "2026-11-23") == sorted([*chosen, "conv2d"])


@pytest.mark.parametrize(
    "kind, message, isNamed",
    [
        (
            "WrongRank",
            "'tosa.matmul' op has operand 0 of type 'tensor<1x2xi8>', which has 2 axes; it must have 3",
            True,
        ),
        # Upstream's words.
        (
            "WrongRank",
            "'tosa.matmul' op operand #0 must be 3-d tosa-conformant tensor, but got 'tensor<1x2xi8>'",
            False,
        ),
        ("StrideSmallerOne", "'tosa.max_pool2d': the stride must be at least 1 along axis 1, but is 0", True),
        ("StrideSmallerOne", "'tosa.max_pool2d' op expect all stride values to be >= 1, got 0, 0", False),
        ("NoSuchKind", "anything", False),
    ],
)
def test_an_error_names_the_rule(kind, message, isNamed):
    test = SimpleNamespace(name=f"matmul/matmul/matmul_ERRORIF_{kind}_1x2_i8")
    assert rules.isNamed(test, message) == isNamed


def test_the_page_counts():
    row = lambda name, form, outcome, negative=False: {
        "name": name,
        "form": form,
        "operation": "add",
        "negative": negative,
        "outcome": outcome,
        "message": "",
    }
    rows = [
        row("add/add/1", "static", verdicts.PASSED),
        row("add/add/1", "dynamic", verdicts.WRONG),
        row("add/add/2", "static", verdicts.PASSED, negative=True),
    ]
    text = page.text(rows, 119, ["--all"], "Not generated: sub.")
    assert "2 tests, 3 runs, 2 of them passed; 2 minutes. Not generated: sub." in text
    assert "| add | 1 | 1 | 0 | 1 | 1 |" in text
    assert "| 1 | dynamic | add | wrong | `1` |" in text
