"""The claims behind docs/choosing-a-metric.md hold, and the page of evidence is what the program writes."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import geceval
from support.scripts import import_script

ROOT = Path(__file__).parents[2]
choosing = import_script("research/choosing.py")
PAGE = (ROOT / "docs" / "choosing-a-metric.md").read_text(encoding="utf-8")
EVIDENCE = choosing.PAGE.read_text(encoding="utf-8")
#: Enough for the conditions of the claims, which leave room.
REPLICATES = 200


@pytest.fixture(scope="module")
def evidence(shared: Path) -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", geceval.GecevalWarning)
        yield choosing.Evidence(shared / "data", REPLICATES)


def between(name: str, page: str = EVIDENCE) -> str:
    return page.split(f"<!-- begin: {name} -->\n")[1].split(f"<!-- end: {name} -->")[0]


def cells(name: str) -> dict[tuple[str, str], str]:
    """What stands in a table of the evidence, by row and column."""
    lines = [line for line in between(name).splitlines() if line.startswith("|")]
    heads, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    columns = [re.sub(r" \(\d+\)$", "", head) for head in heads[1:]]
    return {(row[0], column): cell for row in rows for column, cell in zip(columns, row[1:], strict=True)}


@pytest.mark.parametrize("claim", choosing.CLAIMS, ids=lambda claim: re.findall(r"\*\*(.*)\.\*\*", claim.text)[0])
def test_claim_holds(claim: Any, evidence: Any) -> None:
    numbers = claim.numbers(evidence)
    assert claim.holds(*numbers), [estimate.value for block in numbers for estimate in block]


@pytest.mark.parametrize("claim", choosing.CLAIMS, ids=lambda claim: re.findall(r"\*\*(.*)\.\*\*", claim.text)[0])
def test_claim_with_its_numbers_is_on_the_page_and_its_cells_in_the_tables(claim: Any, evidence: Any) -> None:
    assert " ".join(claim.filled(evidence).split()) in " ".join(between("claims").split())
    for block in claim.cells:
        assert {(row, column) for row in block.rows for column in block.columns} <= set(cells(block.table))


def test_a_claim_that_does_not_hold_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shared: Path
) -> None:
    wrong = choosing.Claim("**Metrics are always right.**", (), lambda: False)
    monkeypatch.setattr(choosing, "CLAIMS", (wrong,))
    monkeypatch.setattr(choosing, "page_parts", lambda evidence: iter([("claims", "not written")]))
    assert choosing.main(["--data", str(shared / "data"), "--replicates", "2"]) == 1
    assert capsys.readouterr().err == "error: a claim of the page does not hold: **Metrics are always right.**\n"
    assert "not written" not in choosing.PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("metric", "beta", "data", "r"),
    [
        ("ERRANT", 0.5, "SEEDA-S", 0.559),
        ("ERRANT", 1, "SEEDA-S", 0.859),
        ("ERRANT", 2, "SEEDA-S", 0.923),
        ("GREEN", 0.5, "SEEDA-S", -0.023),
        ("GREEN", 1, "SEEDA-S", 0.676),
        ("GREEN", 2, "SEEDA-S", 0.918),
        ("CLEME", 0.5, "SEEDA-S", 0.629),
        ("CLEME", 2, "SEEDA-S", 0.940),
        ("GREEN", 1, "GJG15", -0.160),
    ],
)
def test_r_at_each_beta_computed_elsewhere(evidence: Any, metric: str, beta: float, data: str, r: float) -> None:
    assert evidence.estimate("systems", f"{metric}, β {beta:g}", data).value == pytest.approx(r, abs=0.02)


@pytest.mark.parametrize("table", choosing.TABLES)
def test_tables_are_what_the_program_writes(table: str, evidence: Any) -> None:
    """Without intervals and tests; make choosing writes the pages anew."""
    for (row, column), cell in cells(table).items():
        estimate = evidence.estimate(table, row, column)
        ours = choosing.TABLES[table].text(choosing.Estimate(estimate.value, secondary=estimate.secondary))
        assert re.sub(r" \[[^]]*\]|\\\*| p \.\d+", "", cell) == ours, (row, column)


def test_people_and_metrics_share_draws_and_a_metric_does_not_differ_from_itself(evidence: Any) -> None:
    gjg15, metric = evidence.judged("GJG15"), choosing.at_beta(choosing.WITH_F[0], 2.0)
    difference = gjg15.estimate(metric, metric)
    assert (difference.value, difference.interval.low, difference.interval.high, difference.p) == (0, 0, 0, 1)
    estimate = gjg15.estimate(metric)
    assert estimate.interval.low < estimate.value < estimate.interval.high
    assert evidence.judged("NSPT15").system_draws.tolist() == [
        [drawn for name, drawn in zip(gjg15.study().systems, line, strict=True) if name != "INPUT"]
        for line in gjg15.system_draws.tolist()
    ]


def test_weighted_r_is_r_of_what_was_drawn() -> None:
    judged = import_script("research/judged.py")
    x, y, weights = ([1.0, 2.0, 4.0, 3.0], [2.0, 1.0, 3.0, 5.0], [2.0, 0.0, 1.0, 3.0])
    repeated = [
        [value for value, times in zip(numbers, weights, strict=True) for _ in range(int(times))] for numbers in (x, y)
    ]
    arrays = [judged.np.array([numbers]) for numbers in (x, y, weights)]
    assert judged.weighted_r(*arrays)[0] == pytest.approx(float(judged.pearson(*repeated)))
    assert judged.np.isnan(judged.weighted_r(arrays[0], judged.np.ones((1, 4)), arrays[2])[0])


def test_every_metric_is_spoken_of() -> None:
    rows = [line.split("|")[1].strip() for line in between("costs").splitlines()[3:] if line]
    assert rows == [row.metric for row in choosing.METRICS]
    pages = {path.name for path in (ROOT / "docs" / "metrics").glob("*.md")}
    linked = set(re.findall(r"\(metrics/([^)#]*)(?:#[\w-]+)?\)", PAGE))
    assert pages == linked


def test_claims_that_the_page_names_exist() -> None:
    named = {
        int(number) for numbers in re.findall(r"claims? ([\d and]+)", PAGE) for number in re.findall(r"\d+", numbers)
    }
    assert named
    assert named <= set(range(1, len(choosing.CLAIMS) + 1))


def test_markers() -> None:
    page = "a\n<!-- begin: x -->\nold\n<!-- end: x -->\nb\n"
    assert choosing.replace_part(page, "x", "new\n") == page.replace("old", "new")
