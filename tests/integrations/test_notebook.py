"""The notebooks of examples/ run, draw tables and charts, and are stored without outputs."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from support.examples import EXAMPLES

NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def html_of(cell: Any) -> str:
    return "".join(str(output.get("data", {}).get("text/html", "")) for output in cell.outputs)


def executed(path: Path, folder: Path) -> dict[str, Any]:
    """Return the cells of code of a notebook by their source, with outputs, run in a copy of examples/."""
    shutil.copytree(EXAMPLES, folder)
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    return {cell.source: cell for cell in notebook.cells if cell.cell_type == "code"}


def test_data_frame_notebook_draws_tables_and_charts(tmp_path: Path) -> None:
    cells = executed(EXAMPLES / "notebook.ipynb", tmp_path / "examples")
    pages = {source: html_of(cell) for source, cell in cells.items()}
    assert all("<table" in page for page in pages.values())
    drawn = [source for source, page in pages.items() if "data:image/svg+xml;base64," in page]
    assert len(drawn) == 2
    assert any(source.endswith("results") for source in drawn)
    assert any(source.endswith("comparison") for source in drawn)
    assert "ERRANT" in (tmp_path / "examples/comparison.svg").read_text(encoding="utf-8")


def test_language_model_notebook_cleans_scores_and_compares(tmp_path: Path) -> None:
    cells = executed(EXAMPLES / "language-model.ipynb", tmp_path / "examples")
    printed = {source: "".join(output.get("text", "") for output in cell.outputs) for source, cell in cells.items()}
    [checks] = [text for source, text in printed.items() if "geceval.check" in source]
    assert "chatter" in checks
    assert "refusals" in checks
    [changes] = [text for source, text in printed.items() if "ready.systems" in source]
    assert "- Corrected: I visited Lisbon last year.\n+ I visited Lisbon last year .\n" in changes
    assert sum("<table" in html_of(cell) for cell in cells.values()) == 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_stored_without_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [(cell.outputs, cell.execution_count) for cell in cells] == [([], None)] * len(cells)
