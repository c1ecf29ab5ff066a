"""The tables of docs/choosing-a-metric.md are those of the program, and what the page says of them stands in them."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from types import ModuleType

import pytest

import geceval
from geceval.report.formats.markdown import as_markdown
from support.loaded import loaded

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "choosing-a-metric.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def choosing() -> ModuleType:
    return loaded(ROOT / "tools" / "choosing.py")


def between(name: str) -> str:
    return PAGE.split(f"<!-- begin: {name} -->\n")[1].split(f"<!-- end: {name} -->")[0]


def cells(page: str) -> dict[tuple[str, str, str], str]:
    """What stands in the tables without intervals, by title, metric and data set."""
    found = {}
    for title, table in re.findall(r"^\*\*(.*)\*\*\n\n((?:\|.*\n)+)", page, re.MULTILINE):
        heads, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
        for name, *values in rows:
            found |= {
                (title, name, head): re.sub(r" \[.*", "", value) for head, value in zip(heads[1:], values, strict=True)
            }
    return found


@pytest.mark.parametrize(("data", "gold"), [("GJG15", False), ("GJG15", True), ("SEEDA-E", False)])
def test_agreement(data: str, gold: bool, shared: Path, choosing: ModuleType) -> None:
    """Of an old and a new set, without intervals and without I-measure: all takes minutes."""
    metrics = [metric for metric in choosing.METRICS if metric[2] == gold and metric[1] != "imeasure"]
    sets = [one for one in choosing.DATA if one.name == data]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", geceval.GecevalWarning)
        agreed = choosing.agreement(shared / "data", metrics, sets, resamples=0)
    ours = cells(choosing.as_page(choosing.agreement_tables([name for name, *_ in metrics], agreed)))
    page = cells(between("agreement"))
    assert len(ours) == 4 * len(metrics)
    assert ours == {key: page[key] for key in ours}


def test_intervals(shared: Path, choosing: ModuleType) -> None:
    """Those of one data set, of two metrics."""
    names, sets = ("GREEN", "MaxMatch"), choosing.DATA[:1]
    metrics = [metric for metric in choosing.METRICS if metric[0] in names]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", geceval.GecevalWarning)
        agreed = choosing.agreement(shared / "data", metrics, sets, choosing.RESAMPLES)
    for table in choosing.agreement_tables(names, agreed):
        assert table.title in between("agreement")
        for row in as_markdown(table).splitlines()[-2:]:
            assert row.rstrip("|").strip() in between("agreement")


def test_the_numbers_in_the_text_are_in_the_tables() -> None:
    text = PAGE.replace(between("agreement"), "").replace(between("costs"), "")
    cited = re.findall(r"(?<![\d.])−?\.\d{3}\b", text)
    assert len(cited) > 10
    assert [number for number in cited if number not in between("agreement")] == []


def test_every_metric_is_spoken_of(choosing: ModuleType) -> None:
    rows = [line.split("|")[1].strip() for line in between("costs").splitlines()[3:] if line]
    assert rows == [name for name, *_ in choosing.METRICS]
    pages = {path.name for path in (ROOT / "docs" / "metrics").glob("*.md")}
    linked = set(re.findall(r"\(metrics/([^)#]*)\)", PAGE))
    named = {"maxmatch.md", "cleme.md", "goto.md", "imeasure.md"}  # in the tables by their names
    assert pages == linked | named


def test_markers(choosing: ModuleType) -> None:
    page = "a\n<!-- begin: x -->\nold\n<!-- end: x -->\nb\n"
    assert choosing.replaced(page, "x", "new\n") == page.replace("old", "new")
