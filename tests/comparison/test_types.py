"""Comparisons by type of edit."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from geceval import Corpus, Errant, FalseAlarms, Green, compare, m2
from geceval.base.errors import InputError, UsageError
from geceval.comparison.compared_types import ComparedTypes, compared_types
from geceval.comparison.comparison_tables import disagrees
from geceval.comparison.type_report import TypeTables, type_report
from geceval.metrics.success import Success
from geceval.resampling.comparison_results import Comparison, Pair
from geceval.statistics.multiple_tests import ADJUSTMENTS
from geceval.tables.pictures import svg_document
from geceval.tables.report import render
from support.drawings import labels_of

GOLD = """S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||1
A 2 2|||M:DET|||the|||REQUIRED|||-NONE-|||1

S I saw cat in on house .
A 2 2|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 4 5|||U:PREP||||||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 0 1|||UNK|||Fine|||REQUIRED|||-NONE-|||1
"""
SYSTEM = """S He go home .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S I saw cat in on house .
A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||0

S Fine .
A 0 1|||R:ADJ|||Good|||REQUIRED|||-NONE-|||0
"""
METRICS = (Errant(), Success(), FalseAlarms())


def corpus(copies: int = 1) -> Corpus:
    """Return a corpus with a system and with one that changes nothing."""
    gold, system = (list(m2.Blocks.parse(text.encode())) * copies for text in (GOLD, SYSTEM))
    source = [" ".join(block.tokens) for block in gold]
    unchanged = [m2.Block(line, (m2.noop(0),)) for line in source]
    return Corpus(source, systems={"good": system, "base": unchanged}, gold=gold)


def compared(types: ComparedTypes, copies: int = 1, baseline: str | None = "base") -> Comparison:
    return compare(corpus(copies), types.metrics, baseline=baseline, samples=2000, checks=False)


def test_types_are_ordered_by_gold_edits_of_all_annotators() -> None:
    types = compared_types(corpus(), METRICS, ["PREP", "DET", "R:VERB:SVA", "R", "M:DET", "DET+PREP"])
    edits = {"DET+PREP": 3, "DET": 2, "R:VERB:SVA": 2, "R": 2, "M:DET": 2, "PREP": 1}
    assert list(types.edits.items()) == list(edits.items())
    assert types.metrics == [
        *(replace(metric, types=type_) for type_ in edits for metric in METRICS),
        FalseAlarms(),
    ]


def test_top_adds_the_most_frequent_types_without_their_operation() -> None:
    assert dict(compared_types(corpus(), METRICS, top=2).edits) == {"DET": 2, "VERB:SVA": 2}
    assert dict(compared_types(corpus(), METRICS, ["PREP"], top=1).edits) == {"DET": 2, "PREP": 1}
    assert dict(compared_types(corpus(), METRICS, top=9).edits) == {"DET": 2, "VERB:SVA": 2, "PREP": 1}


def test_a_type_that_the_gold_lacks_has_no_edits() -> None:
    types = compared_types(corpus(), METRICS, ["ADJ"])
    assert (dict(types.edits), types.absent) == ({"ADJ": 0}, ())


def test_a_type_that_no_edit_has_has_rows_without_values() -> None:
    types = compared_types(corpus(), METRICS, ["NOUN", "DET", "ADV"])
    assert (dict(types.edits), types.absent) == ({"DET": 2, "NOUN": 0, "ADV": 0}, ("NOUN", "ADV"))
    report = type_report(compared(types), types, {})
    text = render(report, "table", 2, 120)
    for type_ in types.absent:
        rows = [line.split() for line in text.splitlines() if line.startswith(f"{type_} ")][:2]
        assert rows == [[type_, "0", name, *["–"] * 6] for name in ("good", "base")]
    assert "NOUN and ADV: no edit of references or systems" in text
    assert report.pictures is not None
    assert [*report.pictures()] == ["types", "over-correction"]


@pytest.mark.parametrize(
    ("selectors", "message"),
    [
        (["DET", "NUON"], "types names 'NUON', which is not a type of any edit here"),
        (["NOUN", "ADV"], "types names 'NOUN', which is not a type of any edit here"),
    ],
)
def test_types_that_are_none_or_all_absent_are_refused(selectors: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        compared(compared_types(corpus(), METRICS, selectors))


def test_metrics_without_types_are_computed_once() -> None:
    types = compared_types(corpus(), [Green(), Errant()], ["DET"])
    assert types.metrics == [Errant(types="DET"), Green()]


def test_metrics_that_have_no_types_or_some_already_are_refused() -> None:
    with pytest.raises(UsageError, match="no metric of green has the setting types"):
        compared_types(corpus(), [Green()], ["DET"])
    with pytest.raises(UsageError, match="errant: types=DET and compared types exclude each other"):
        compared_types(corpus(), [Errant(types="DET")], ["DET"])


def test_top_without_gold_edits_is_refused() -> None:
    correct = Corpus(["a b"], [["a b"]], {"good": ["a c"]})
    with pytest.raises(UsageError, match="there are no gold edits, so no type is frequent"):
        compared_types(correct, METRICS, top=1)
    with pytest.raises(InputError, match="references are required"):
        compared_types(Corpus(["a b"], systems={"good": ["a c"]}), METRICS, top=1)


def test_p_is_adjusted_over_all_types_metrics_and_pairs() -> None:
    types = compared_types(corpus(20), METRICS, ["DET", "R:VERB:SVA"])
    pairs = [pair for pair in compared(types, 20).pairs if pair.is_defined]
    assert len(pairs) == 7
    assert [pair.p_adjusted for pair in pairs] == ADJUSTMENTS["holm"]([pair.p for pair in pairs]).tolist()


@pytest.mark.parametrize("baseline", ["base", None])
def test_tables_state_frequency_scores_and_shown_differences(baseline: str | None) -> None:
    types = compared_types(corpus(20), METRICS, ["PREP", "R:VERB:SVA"])
    tables = TypeTables(compared(types, 20, baseline), types=types)
    scores, over_correction, differences = tables.for_readers()
    assert scores.heads[:4] == ["type", "edits", "system", "ERRANT F₀.₅"]
    rows = [row[:4] for row in scores.texts(2)]
    starred = "100.00*" if baseline else "100.00"
    assert rows[:2] == [["R:VERB:SVA", "40", "good", starred], ["R:VERB:SVA", "40", "base", "0.00"]]
    assert scores.sections == range(2, 4, 2)
    assert [row[:2] for row in over_correction.texts(2)] == [["base", "0.00"], ["good", "100.00"]]
    assert [row[0] for row in differences.texts(2)] == [*["R:VERB:SVA"] * 3, *["PREP"] * 3, "(any)"]
    sentences = tables.sentences(2)
    assert sentences[0] == (
        "good against base: better under ERRANT for R:VERB:SVA; better under SUCCESS for R:VERB:SVA; "
        "worse under FALSE-ALARMS for (any)."
    )
    assert sentences[-1].startswith("No difference shown in 4 of 7 comparisons")


def test_scores_without_a_value_are_named_and_not_tested() -> None:
    types = compared_types(corpus(20), METRICS, ["ADJ"])
    tables = TypeTables(compared(types, 20), types=types)
    assert "Not tested, since a score has no value: SUCCESS of ADJ." in tables.sentences(2)


def test_rows_of_csv_name_type_frequency_and_metric() -> None:
    types = compared_types(corpus(20), METRICS, ["DET"])
    report = type_report(compared(types, 20), types, {})
    head, *rows = csv.reader(io.StringIO(render(report, "csv")))
    assert head[:6] == ["row", "type", "edits", "metric", "system", "value"]
    assert {len(row) for row in rows} == {len(head)}
    systems = [row[1:5] for row in rows if row[0] == "system"]
    assert systems[0] == ["DET", "40", "ERRANT", "base"]
    assert systems[-2] == ["(any)", "", "FALSE-ALARMS", "base"]


def test_json_has_the_metric_of_each_type() -> None:
    types = compared_types(corpus(20), METRICS, ["DET"])
    document = json.loads(render(type_report(compared(types, 20), types, {}), "json"))
    assert document["types"] == {"DET": 40}
    names = [row["metric"] for row in document["by_type"]]
    assert names == list(dict.fromkeys(score["metric"] for score in document["systems"]))
    assert [row["type"] for row in document["by_type"]] == ["DET", "DET", "DET", None]


def test_pictures_are_a_map_and_a_panel_for_each_type() -> None:
    types = compared_types(corpus(20), METRICS, ["DET", "R:VERB:SVA"])
    draw = TypeTables(compared(types, 20), types=types).pictures()
    heat, panels = draw["types"](300.0), draw["over-correction"](300.0)
    rows = ("DET (40): good 0.0*, base 100.0", "R:VERB:SVA (40): good 100.0*, base 0.0")
    assert heat.description == "; ".join(f"ERRANT F₀.₅, {row}" for row in rows)
    assert "* differs from base by more than chance (adjusted p < 0.05)" in " ".join(
        box.name for box in labels_of(heat.element)
    )
    assert "R:VERB:SVA (40), good: FALSE-ALARMS 0.00, ERRANT F₀.₅ 100.00" in panels.description
    svg = ElementTree.fromstring(svg_document(heat))
    assert len(svg.findall(".//*[@class='cell']")) == 4


def test_pictures_without_false_alarms_are_a_map() -> None:
    types = compared_types(corpus(20), [Errant()], ["DET"])
    assert [*TypeTables(compared(types, 20), types=types).pictures()] == ["types"]


def pair(low: float, high: float, p: float, difference: float = 0.1) -> Pair:
    return Pair("a", "b", "errant", difference, low, high, p, p, 1.0, 0.5, 0.5, 0.0, 10)


@pytest.mark.parametrize(
    ("low", "high", "p", "expected"),
    [
        (0.01, 0.2, 0.2, True),
        (-0.2, -0.01, 0.2, True),
        (-0.1, 0.2, 0.01, True),
        (0.0, 0.2, 0.01, True),
        (0.01, 0.2, 0.01, False),
        (-0.1, 0.2, 0.2, False),
        (0.01, 0.2, float("nan"), False),
        (float("nan"), float("nan"), 0.01, False),
    ],
)
def test_interval_and_p_disagree(low: float, high: float, p: float, expected: bool) -> None:
    assert disagrees(pair(low, high, p), 0.05) is expected


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        # Four sentences: the smallest p is 1/8.
        (4, ["R:VERB:SVA: outputs differ in fewer than 6 sentences, too few for p < 0.05"]),
        (8, []),
    ],
)
def test_table_names_types_without_a_possible_difference(sentences: int, expected: list[str]) -> None:
    types = compared_types(corpus(sentences), METRICS, ["R:VERB:SVA"])
    legend = TypeTables(compared(types, sentences), types=types).for_readers()[0].legend
    assert [line for line in legend if line.startswith("R:VERB:SVA: ")] == expected


def test_types_whose_interval_and_p_disagree_are_named() -> None:
    types = compared_types(corpus(8), METRICS, ["R:VERB:SVA"])
    tables = TypeTables(compared(types, 8), types=types)
    pairs = {"DET": [pair(0.01, 0.2, 0.2)], "PREP": [pair(0.01, 0.2, 0.01)]}
    [line] = tables.doubtful_groups(pairs)
    assert line == "DET: p is by permutation, with which the interval of a difference disagrees"
