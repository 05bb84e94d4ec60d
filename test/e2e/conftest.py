"""Fixtures of the end-to-end tests. Without the program there is nothing to
test: that is an error, never a skip."""

import os

import broadloom
import pytest


def pytest_sessionstart(session):
    if not os.path.exists(broadloom.PROGRAM):
        pytest.exit(f"{broadloom.PROGRAM} is not there; scripts/build makes it", returncode=3)


@pytest.fixture(scope="session")
def models():
    """The folder of real programs, beside the checkout or $BROADLOOM_MODELS."""
    folder = os.environ.get("BROADLOOM_MODELS", os.path.join(os.path.dirname(broadloom.ROOT), "shared", "models"))
    if not os.path.isdir(folder):
        pytest.skip(f"the real programs are not there: {folder} (set BROADLOOM_MODELS)")
    return folder
