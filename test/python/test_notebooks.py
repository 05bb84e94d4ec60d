"""The notebooks of docs/notebooks: their cells run in order, as a reader runs
them (scripts/docs shows them with their outputs)."""

import glob
import json
import os

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOTEBOOKS = sorted(glob.glob(os.path.join(ROOT, "docs", "notebooks", "*.ipynb")))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 2


@pytest.mark.parametrize("path", NOTEBOOKS, ids=os.path.basename)
def test_notebook(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    with open(path, encoding="utf-8") as file:
        cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    assert cells
    names = {}
    for number, cell in enumerate(cells):
        # What was printed when somebody ran it is not kept in the repository.
        assert not cell["outputs"] and cell["execution_count"] is None
        exec(compile("".join(cell["source"]), f"{os.path.basename(path)}[{number}]", "exec"), names)
