"""Broadloom of the build tree, and what tests of PyTorch have in common."""

import os
import sys

BUILD = os.environ.get("BROADLOOM_BUILD", os.path.join(os.path.dirname(__file__), os.pardir, os.pardir, "build"))
sys.path[:0] = [os.path.join(os.path.abspath(BUILD), "python"), os.path.dirname(__file__)]
# What tests share that need no packages.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "python"))

import broadloom as bl  # noqa: E402
import pytest  # noqa: E402
import torch  # noqa: E402
from broadloom import _compile  # noqa: E402


@pytest.fixture(autouse=True)
def fresh():
    """No gradients, the same random numbers, and nothing that dynamo remembers."""
    torch.manual_seed(0)
    torch._dynamo.reset()
    with torch.no_grad():
        yield


@pytest.fixture
def compilations(monkeypatch):
    """A list with the name of each program that is compiled."""
    made = []
    compile = _compile.compile

    def count(program, *args, **kwargs):
        made.append(kwargs.get("name"))
        return compile(program, *args, **kwargs)

    monkeypatch.setattr(_compile, "compile", count)
    return made


@pytest.fixture
def backend():
    """The backend by itself: a build tree has no entry points."""
    return bl.torch.backend
