"""The notebook of examples/: it runs, draws tables and charts, and is stored without outputs."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from support.examples import EXAMPLES

NOTEBOOK = EXAMPLES / "notebook.ipynb"


def html_of(cell: Any) -> str:
    return "".join(str(output.get("data", {}).get("text/html", "")) for output in cell.outputs)


def test_notebook_runs_and_draws_tables_and_charts(tmp_path: Path) -> None:
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    pages = {cell.source: html_of(cell) for cell in notebook.cells if cell.cell_type == "code"}
    assert all("<table" in page for page in pages.values())
    drawn = [source for source, page in pages.items() if "data:image/svg+xml;base64," in page]
    assert len(drawn) == 2
    assert any(source.endswith("results") for source in drawn)
    assert any(source.endswith("comparison") for source in drawn)
    assert "ERRANT" in (folder / "comparison.svg").read_text(encoding="utf-8")


def test_notebook_is_stored_without_outputs() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [(cell.outputs, cell.execution_count) for cell in cells] == [([], None)] * len(cells)
