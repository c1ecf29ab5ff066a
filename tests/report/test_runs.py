"""The page over the reports of a folder."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from geceval.base.errors import InputError
from geceval.report.documents import as_json
from geceval.report.page.runs_page import read_runs, render_runs
from support.reports import HOSTILE


def written(path: Path, scores: Mapping[str, float], title: str = "t", **more: Any) -> None:
    """Write the part of a report that the page reads."""
    rows = [{"system": name, "metric": "green", "group": None, "value": value} for name, value in scores.items()]
    comparison = {"systems": rows, "sentences": 40, "signatures": {"green": "GREEN|n:4"}, "not_in_percent": []}
    document = {"title": title, "comparison": {**comparison, "lower_is_better": [], **more}}
    text = as_json("geceval/report@2", document, short=True).replace("<", "\\u003c")
    path.write_text(f'<script type="application/json" id="report">{text}</script>', encoding="utf-8")


def test_reports_are_in_the_order_of_their_numbers_and_other_pages_are_named(tmp_path: Path) -> None:
    for step in (100, 9, 20):
        written(tmp_path / f"step-{step}.html", {"model": step / 200, "(source)": 0.9})
    (tmp_path / "other.html").write_text("<p>no report</p>")
    runs, others = read_runs(tmp_path)
    assert [run.file for run in runs] == ["step-9.html", "step-20.html", "step-100.html"]
    assert others == ["other.html"]
    assert [run.best("green") for run in runs] == ["model"] * 3
    (tmp_path / "index.html").write_text(render_runs(runs), encoding="utf-8")
    assert read_runs(tmp_path) == (runs, others)


def test_lines_connect_comparable_scores_alone(tmp_path: Path) -> None:
    for step in range(6):
        written(tmp_path / f"{step}.html", {"model": step / 10}, sentences=40 if step < 3 else 50)
    page = render_runs(read_runs(tmp_path)[0])
    assert page.count(' trend"') == 2 * 2  # of the best and of the system
    assert page.count("≠ 30.00") == 1
    assert len(re.findall(r"<path class=\"\w+ mark\"[^>]*><title>3\.html: model 30\.00</title>", page)) == 2


def test_page_has_links_and_its_numbers(tmp_path: Path) -> None:
    for at, text in enumerate(HOSTILE):
        written(tmp_path / f"run {at} #&.html", {text: 0.5, "b": 0.25}, title=text)
    page = render_runs(read_runs(tmp_path)[0], "../runs/")
    assert page.count('<a href="../runs/run%200%20%23%26.html">') == 1
    assert "<script>window" not in page
    assert "<img" not in page
    found = re.search(r'id="runs">(.*?)</script>', page, re.DOTALL)
    assert found
    document = json.loads(found[1])
    assert document["schema"] == "geceval/runs@1"
    assert [run["scores"]["green"] for run in document["runs"]] == [{text: 0.5, "b": 0.25} for text in HOSTILE]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is no complete report"),
        ('{"schema": "geceval/report@1"}', "is no complete report"),
        ('{"schema": "geceval/report@9"}', "has the schema geceval/report@9"),
        ("[]", "is no complete report"),
    ],
)
def test_damaged_report_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "bad.html").write_text(f'<script type="application/json" id="report">{text}</script>')
    with pytest.raises(InputError, match=message) as error:
        read_runs(tmp_path)
    assert str(error.value.path).endswith("bad.html")


def test_folder_without_reports_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no report"):
        read_runs(tmp_path)
    with pytest.raises(InputError, match="is not a folder"):
        read_runs(tmp_path / "none")
