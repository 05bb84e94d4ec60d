"""scripts/operations: what docs/operations.md says of some operations is what the
compiler says."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = os.environ.get("BROADLOOM_BUILD", str(ROOT / "build"))
# One of each way to compute, and what takes a shape, a block and a constant.
SOME = (
    "tosa.add",
    "tosa.argmax",
    "tosa.cond_if",
    "tosa.custom",
    "tosa.conv2d",
    "tosa.pad",
    "tosa.add_shape",
    "tosa.reshape",
    "tosa.variable_read",
    "tosa.cast_to_block_scaled",
    "loom.map",
    "loom.sort",
)


def check(*options):
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "operations"), "--check", "--build", BUILD, *options],
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_page_is_what_the_compiler_says():
    done = check("--only", ",".join(SOME))
    assert done.returncode == 0, done.stderr


def test_an_unknown_operation_is_an_error():
    done = check("--only", "tosa.ad")
    assert done.returncode == 1
    assert done.stderr == "operations: there is no operation tosa.ad\n"
