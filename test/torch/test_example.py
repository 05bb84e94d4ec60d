"""The programs that docs/start/pytorch.md and docs/start/generate.md go through."""

import os
import subprocess
import sys

import broadloom as bl
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


def run(name, folder):
    """Runs a program of examples/, and returns its lines."""
    package = os.path.dirname(os.path.dirname(bl.__file__))
    done = subprocess.run(
        [sys.executable, os.path.join(ROOT, "examples", name)],
        cwd=folder,
        env=dict(os.environ, PYTHONPATH=package),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_generated_text(tmp_path):
    lines = run("generate_text.py", tmp_path)
    assert lines[:3] == ["torch.Size([2, 20])", "True", "torch.Size([1, 256]) 6"]
    assert lines[3].startswith("the cache is for 64 tokens (max_length), of which 0 are taken, but 103 more")


def test_example(tmp_path):
    lines = run("torch_module.py", tmp_path)
    assert lines[:3] == ["torch.Size([2, 3])", "True", "True"]
    assert "argument 'mask', axis 1 has extent 4" in lines[4]
    # The saved program has the weights inside, and needs no PyTorch.
    f = bl.load(tmp_path / "classifier.blm")
    assert f(np.ones((4, 6, 8), "f4"), np.ones((4, 6, 1), "f4")).shape == (4, 3)
