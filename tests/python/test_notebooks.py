"""Every notebook runs from top to bottom, with what it asserts."""

import os
import pathlib

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "notebooks"
ASKED = os.environ.get("POLHODE_NOTEBOOK", "")  # one alone, so that ctest runs them side by side


@pytest.mark.parametrize("path", sorted(FOLDER.glob(f"{ASKED}*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), f"{path.name} is kept without outputs"
    where = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=where).execute()
