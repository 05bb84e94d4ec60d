"""What other versions of PyTorch than the tests' meet."""

import importlib
import warnings

import pytest
import torch
from broadloom.torch import _versions


def test_an_older_version_is_told(monkeypatch):
    monkeypatch.setattr(torch, "__version__", "2.11.0+cpu")
    with pytest.warns(
        UserWarning, match=r"PyTorch 2\.11\.0\+cpu is older than \d\.\d+, with which broadloom.torch is tested"
    ):
        importlib.reload(_versions)


@pytest.mark.parametrize("version", ["2.15.0+cu132", "2.16.0a0+git", "3.0.0"])
def test_a_newer_version_is_taken(monkeypatch, version):
    monkeypatch.setattr(torch, "__version__", version)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        importlib.reload(_versions)
