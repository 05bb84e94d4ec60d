"""Makes the scripts, which have no .py in their names, importable by tests."""

import importlib.util
import os
from importlib.machinery import SourceFileLoader

import pytest

SCRIPTS = os.path.join(os.path.dirname(os.path.realpath(__file__)), os.pardir, os.pardir, "scripts")


@pytest.fixture
def load():
    def loadScript(name):
        loader = SourceFileLoader(name.replace("-", "_"), os.path.join(SCRIPTS, name))
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        loader.exec_module(module)
        return module

    return loadScript
