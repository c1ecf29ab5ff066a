"""The page over reports in a browser: links, width, and what axe finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser.conftest import Open
from geceval.report.page.runs_page import read_runs, render_runs


@pytest.fixture(scope="module")
def runs(examples: Path, hostile: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for name, page in (("step-1", examples), ("step-2", examples), ("strange", hostile)):
        (folder / f"{name}.html").write_text(page.read_text("utf-8"), encoding="utf-8")
    path = folder / "index.html"
    path.write_text(render_runs(read_runs(folder)[0]), encoding="utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 375])
def test_page_of_runs_is_accessible_and_links_reports(opened: Open, runs: Path, width: int, scheme: Any) -> None:
    page = opened(runs, width=width, color_scheme=scheme)
    for details in page.locator("details").all():
        details.evaluate("(element) => { element.open = true }")
    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in Axe().run(page).response["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.click("a >> nth=1")
    expect(page.locator("h1")).to_have_text("Examples")
    assert page.url.endswith("step-2.html")
