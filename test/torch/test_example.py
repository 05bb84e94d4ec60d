"""The program that docs/start/pytorch.md goes through."""

import os
import subprocess
import sys

import broadloom as bl
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


def test_example(tmp_path):
    package = os.path.dirname(os.path.dirname(bl.__file__))
    done = subprocess.run(
        [sys.executable, os.path.join(ROOT, "examples", "torch_module.py")],
        cwd=tmp_path,
        env=dict(os.environ, PYTHONPATH=package),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:3] == ["torch.Size([2, 3])", "True", "True"]
    assert "argument 'mask', axis 1 has extent 4" in lines[4]
    # The saved program has the weights inside, and needs no PyTorch.
    f = bl.load(tmp_path / "classifier.blm")
    assert f(np.ones((4, 6, 8), "f4"), np.ones((4, 6, 1), "f4")).shape == (4, 3)
