"""The data of the page's program are those of the examined sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import geceval
from geceval.counting.comparison_options import Options
from geceval.inspection.examined_sentences import Output
from geceval.inspection.marked_edits import OUTCOMES
from geceval.reporting.explorer import LISTED, SCALE, based, explorer, written_counts
from support.effort import examples
from support.reports import labelled_examples, seen
from support.strategies import corpora

METRICS = [geceval.Errant(), geceval.Green(), geceval.Gleu(), geceval.Green(unit="char", n=3)]


def rows(flat: list[Any], width: int) -> Iterator[list[Any]]:
    return (flat[at : at + width] for at in range(0, len(flat), width))


def resolved(records: list[Any], at: int) -> Any:
    """Return a record, which may refer to an equal one by its position."""
    return records[records[at]] if isinstance(records[at], int) else records[at]


def check(corpus: geceval.Corpus) -> None:
    """Check the arrays of the page against the examined sentences."""
    overview = seen(corpus, METRICS, options=Options(samples=10, pairs="none"))
    assert overview.examined is not None
    page = explorer(overview)
    for sentence, row, (names, *reasons) in zip(
        overview.examined, page["data"]["sentences"], page["evidence"], strict=True
    ):
        number, source, label, flat, references, outputs = row
        strings = page["data"]["strings"]
        edits = [(start, start + n, strings[text], strings[kind]) for start, n, text, kind in rows(flat, 4)]
        assert (number, source) == (sentence.number, sentence.source)
        assert (None if label < 0 else page["data"]["labels"][label]) == sentence.label
        texts = [(name, text_of(source, edits, *version)) for name, *version in references]
        assert dict(texts).items() >= sentence.references.items()
        for name, reference_edits in sentence.edits.items():
            [positions] = [positions for reference, _, positions in references if reference == name]
            assert [edits[at][:3] for at in positions] == [
                (edit.start, edit.end, edit.text) for edit in reference_edits
            ]
        distinct = [at for at, record in enumerate(outputs) if not isinstance(record, int)]
        assert len(distinct) == len(reasons)
        for at, system in enumerate(overview.examined.systems):
            output, first = sentence.outputs[system], outputs[at] if isinstance(outputs[at], int) else at
            check_output(resolved(outputs, at), output, texts, edits)
            evidence = zip(
                reasons[distinct.index(first)].split("/"), overview.examined.labels.values(), names, strict=True
            )
            for text, metric_label, reference_names in evidence:
                reference_names = reference_names or [name for name, _, _ in references]
                [metric] = [metric for metric in page["data"]["metrics"] if metric["label"] == metric_label]
                check_evidence(text, output, metric_label, reference_names, metric, edits)


def text_of(source: str, edits: list[Any], text: str | int, positions: list[int]) -> str:
    """Return the text of a reference, or the source with its edits."""
    if isinstance(text, str):
        return text
    words = source.split(" ")
    for start, end, corrected, _ in (edits[at] for at in reversed(positions)):
        words[start:end] = [corrected]
    return " ".join(filter(None, words))


def check_output(row: list[Any], output: Output, references: list[tuple[str, str]], edits: list[Any]) -> None:
    output_edits, reference, missed, scores, alarm = row
    assert alarm == output.is_false_alarm
    outcomes = [*OUTCOMES, None]
    assert [(*edits[edit // 4], outcomes[edit % 4]) for edit in output_edits] == [
        (edit.start, edit.end, edit.text, edit.type, edit.outcome) for edit in output.version.edits
    ]
    assert output.reference is not None
    name, text = references[reference]
    assert (name, text.split()) == (output.reference.name, output.reference.text.split())
    gold = [(edit.start, edit.end, edit.text, edit.type) for edit in output.reference.edits if edit.outcome == "missed"]
    assert [edits[at] for at in missed] == gold
    assert [score / SCALE for score in scores] == pytest.approx(
        [scored.score for scored in output.scores.values()][: len(scores)], abs=1 / SCALE
    )


def check_evidence(text: str, output: Output, label: str, names: list[str], metric: Any, edits: list[Any]) -> None:
    """Check that listed rows are evidence and that all edits are listed."""
    against, chosen, digits, *listed = [*text.split(";"), "", "", "", "", ""][:6]
    scored = output.scores[label]
    assert names[int(chosen or "0", 36)] == scored.reference
    scores = [int(score, 36) / SCALE for score in against.split(" ")]
    assert scores == pytest.approx([comparison.score for comparison in scored.against], abs=1 / SCALE)
    numbers = [float(part) for part in digits.split()] if digits.endswith(" ") else [int(part, 36) for part in digits]
    written = {column: count for column, count in zip(metric["columns"], numbers, strict=False) if count}
    counts = scored.against[scored.chosen].counts
    assert written == pytest.approx({name: count for name, count in counts.items() if count}, abs=1e-3)
    for outcome, pieces in zip(OUTCOMES, listed, strict=True):
        expected = [row for row in scored.evidence if row.outcome == outcome and row.text is not None]
        pieces_of_outcome = [piece.split("*") for piece in pieces.split(" ") if piece]
        if metric["unit"] == "edit":
            listed_edits = [edits[int(piece, 36)] for piece, *_ in pieces_of_outcome]
            assert [edit[:2] for edit in listed_edits] == [(row.start, row.end) for row in expected]
            assert [float(*weight or "1") for _, *weight in pieces_of_outcome] == pytest.approx(
                [row.weight for row in expected], abs=1e-3
            )
        else:
            assert len(pieces_of_outcome) <= min(LISTED, len(expected))


def test_page_of_the_examples_has_what_was_examined() -> None:
    check(labelled_examples([f"essay {k % 3}" for k in range(40)]))


@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=corpora())
def test_page_of_any_texts_has_what_was_examined(drawn: tuple[list[str], list[list[str]], list[str]]) -> None:
    source, references, hypothesis = drawn
    check(geceval.Corpus(source, references, {"A": hypothesis, "B": source}))


def words_of(source: str, output: str, *references: str) -> list[str]:
    return [word for text in (source, output, *references) for word in text.split(" ") if word]


def test_n_grams_are_positions_in_source_output_and_references() -> None:
    """N-grams that source and system share are omitted; the article is listed, although "cat" contains its letter."""
    source, reference, text = "the cat sat on mat", "the cat sat on a mat", "the cat sat on a mats"
    corpus = geceval.Corpus([source], [[reference]], {"A": [text]})
    overview = seen(corpus, [geceval.Green(n=2)], options=Options(samples=10, pairs="none"))
    [[_, green]] = explorer(overview)["evidence"]
    words, listed = words_of(source, text, reference), []
    for pieces in green.split(";")[3:]:
        positions = [int(piece, 36) for piece in pieces.split(" ")]
        listed.append([" ".join(words[position // 2 :][: position % 2 + 1]) for position in positions])
    assert listed == [["a", "on mat", "on a"], ["mat", "mats", "a mats"], ["a mat"]]


@pytest.mark.parametrize(
    ("counts", "text"), [([3, 0, 35, 0], "30z"), ([36, 0.5, 0], "36 0.5 "), ([0, 0], ""), ([-1, 2], "-1 2 ")]
)
def test_counts_are_digits_or_numbers(counts: list[float], text: str) -> None:
    assert written_counts(counts) == text


@given(st.integers(-(10**9), 10**9))
def test_numbers_of_base_36_are_read_back_by_python(number: int) -> None:
    assert int(based(number), 36) == number
