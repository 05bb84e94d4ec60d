"""Broadloom of the build tree, for tests with Dask."""

import os
import sys

BUILD = os.environ.get("BROADLOOM_BUILD", os.path.join(os.path.dirname(__file__), os.pardir, os.pardir, "build"))
PYTHON = os.path.join(os.path.abspath(BUILD), "python")
sys.path.insert(0, PYTHON)
# Models from texts.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "python"))
# Worker processes find it too.
os.environ["PYTHONPATH"] = PYTHON
# No test may find what an earlier run has compiled.
os.environ["BROADLOOM_CACHE"] = "0"
