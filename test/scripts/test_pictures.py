"""scripts/pictures: the pictures of the documents show what the programs print."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = os.environ.get("BROADLOOM_BUILD", str(ROOT / "build"))


def test_pictures_are_up_to_date():
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "pictures"), "--check", "--build", BUILD],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
