"""Broadloom of the build tree, for tests with the package onnx."""

import os
import sys

BUILD = os.environ.get("BROADLOOM_BUILD", os.path.join(os.path.dirname(__file__), os.pardir, os.pardir, "build"))
sys.path[:0] = [os.path.join(os.path.abspath(BUILD), "python"), os.path.dirname(__file__)]
# What tests share that need no packages.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "python"))
# No test may find what an earlier run has compiled.
os.environ["BROADLOOM_CACHE"] = "0"
