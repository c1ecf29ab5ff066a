"""The documents of the page contain the examined sentences."""

from __future__ import annotations

import gzip
import json
import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import geceval
from geceval.counting.comparison_options import Options
from geceval.reporting.explorer import LISTED, Explorer, rounded
from geceval.results.examined_sentences import Output
from geceval.results.marked_edits import OUTCOMES
from support.effort import examples
from support.reports import labelled_examples, seen
from support.strategies import corpora

METRICS = [geceval.Errant(), geceval.Green(), geceval.Gleu(), geceval.Green(unit="char", n=3)]


def explorer_of(corpus: geceval.Corpus, metrics: list[Any]) -> Explorer:
    overview = seen(corpus, metrics, options=Options(samples=10, pairs="none"))
    assert overview.examined is not None
    return Explorer(overview, overview.examined)


def check(corpus: geceval.Corpus) -> None:
    """Check the documents against the examined sentences."""
    page = explorer_of(corpus, METRICS)
    document = page.document()
    systems = document["systems"]
    for sentence, written, evidence in zip(
        page.examined, document["sentences"], json.loads(gzip.decompress(page.evidence)), strict=True
    ):
        assert (written["number"], written["source"]) == (sentence.number, sentence.source)
        assert written["group"] == sentence.label
        references = {reference["name"]: reference for reference in written["references"]}
        texts = {name: reference["text"] for name, reference in references.items()}
        assert texts.items() >= sentence.references.items()
        for name, edits in sentence.edits.items():
            assert {edit.kind for edit in edits} <= {"inserted", "replaced", "deleted"}
            assert places(references[name]["edits"]) == [(edit.start, edit.end, edit.text) for edit in edits]
        outputs = written["outputs"]
        assert sorted(index for output in outputs for index in output["systems"]) == list(range(len(systems)))
        assert len(outputs) == len(evidence)
        for row, reasons in zip(outputs, evidence, strict=True):
            for index in row["systems"]:
                output = sentence.outputs[systems[index]]
                check_output(row, output)
                for metric, reason in zip(document["metrics"], reasons, strict=True):
                    check_evidence(reason, output, metric)


def places(edits: list[dict[str, Any]]) -> list[tuple[int, int, str]]:
    return [(edit["start"], edit["end"], edit["text"]) for edit in edits]


def check_output(row: dict[str, Any], output: Output) -> None:
    version, reference = output.version, output.reference
    assert row["text"] == version.text
    assert row["falseAlarm"] == output.is_false_alarm
    assert places(row["edits"]) == [(edit.start, edit.end, edit.text) for edit in version.edits]
    assert [edit["outcome"] for edit in row["edits"]] == [edit.outcome for edit in version.edits]
    assert [edit["type"] for edit in row["edits"]] == [edit.type for edit in version.edits]
    assert reference is not None
    missed = [(edit.start, edit.end, edit.text) for edit in reference.edits if edit.outcome == "missed"]
    assert places(row["missed"]) == missed
    assert row["scores"] == pytest.approx([scored.score for scored in output.scores.values()], abs=1e-4)


def check_evidence(reason: dict[str, Any], output: Output, metric: dict[str, Any]) -> None:
    """Check that listed pieces are evidence and that all edits are listed."""
    scored = output.scores[metric["label"]]
    assert reason["best"] == scored.reference
    against = {comparison.reference: comparison.score for comparison in scored.against}
    assert reason["against"] == pytest.approx(against, abs=1e-4)
    counts = {column["name"]: count for column, count in zip(metric["columns"], reason["counts"], strict=True)}
    assert counts == pytest.approx(dict(scored.against[scored.chosen].counts), abs=1e-3)
    for outcome in OUTCOMES:
        expected = [row for row in scored.evidence if row.outcome == outcome and row.text is not None]
        pieces = reason.get(outcome, [])
        if metric["unit"] == "edit":
            starts = [f"{row.start}:{row.end} → " for row in expected]
            assert [piece[: len(start)] for piece, start in zip(pieces, starts, strict=True)] == starts
        else:
            assert len(pieces) <= min(LISTED, len(expected))
            assert {piece.split(" × ")[0] for piece in pieces} <= {row.text for row in expected}


def test_page_of_the_examples_has_what_was_examined() -> None:
    check(labelled_examples([f"essay {k % 3}" for k in range(40)]))


@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=corpora())
def test_page_of_any_texts_has_what_was_examined(drawn: tuple[list[str], list[list[str]], list[str]]) -> None:
    source, references, hypothesis = drawn
    check(geceval.Corpus(source, references, {"A": hypothesis, "B": source}))


def test_n_grams_of_source_and_output_are_omitted() -> None:
    """The article is listed, although "cat" contains its letter."""
    source, reference, text = "the cat sat on mat", "the cat sat on a mat", "the cat sat on a mats"
    page = explorer_of(geceval.Corpus([source], [[reference]], {"A": [text]}), [geceval.Green(n=2)])
    [[[green]]] = json.loads(gzip.decompress(page.evidence))
    assert [green[outcome] for outcome in OUTCOMES] == [["a", "on mat", "on a"], ["mat", "mats", "a mats"], ["a mat"]]


def test_equal_outputs_are_written_once() -> None:
    corpus = geceval.Corpus(["a b"], [["a c"]], {"first": ["a c"], "second": ["a d"], "third": ["a c"]})
    page = explorer_of(corpus, [geceval.Errant()])
    assert [output["systems"] for output in page.sentences[0]["outputs"]] == [[0, 2], [1]]


@given(st.floats(), st.integers(1, 6))
def test_rounded_numbers_are_valid_json(value: float, digits: int) -> None:
    number = rounded(value, digits)
    if not math.isfinite(value):
        assert number is None
    else:
        assert number == pytest.approx(value, abs=10**-digits)
        assert isinstance(number, int) == (value % 1 == 0)
