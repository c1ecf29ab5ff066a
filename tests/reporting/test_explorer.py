"""What the page's program reads says what was examined."""

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


def meant(records: list[Any], at: int) -> Any:
    """Equal records stand once."""
    return records[records[at]] if isinstance(records[at], int) else records[at]


def check(corpus: geceval.Corpus) -> None:
    """Sentence by sentence, the arrays are what was examined."""
    found = seen(corpus, METRICS, options=Options(samples=10, pairs="none"))
    assert found.examined is not None
    page = explorer(found)
    for sentence, held, why in zip(found.examined, page["data"]["sentences"], page["evidence"], strict=True):
        number, source, label, flat, references, outputs = held
        strings = page["data"]["strings"]
        edits = [(start, start + n, strings[text], strings[kind]) for start, n, text, kind in rows(flat, 4)]
        assert (number, source) == (sentence.number, sentence.source)
        assert (None if label < 0 else page["data"]["labels"][label]) == sentence.label
        texts = [(name, text_of(source, edits, *own)) for name, *own in references]
        assert dict(texts).items() >= sentence.references.items()
        for name, own in sentence.edits.items():
            [places] = [places for other, _, places in references if other == name]
            assert [edits[at][:3] for at in places] == [(edit.start, edit.end, edit.text) for edit in own]
        names, *reasons = why
        distinct = [at for at, one in enumerate(outputs) if not isinstance(one, int)]
        assert len(distinct) == len(reasons)
        for at, system in enumerate(found.examined.systems):
            output, first = sentence.outputs[system], outputs[at] if isinstance(outputs[at], int) else at
            check_output(meant(outputs, at), output, texts, edits)
            for place, text in enumerate(reasons[distinct.index(first)].split("/")):
                label_ = list(found.examined.labels.values())[place]
                own = names[place] or [name for name, _, _ in references]
                [metric] = [metric for metric in page["data"]["metrics"] if metric["label"] == label_]
                check_evidence(text, output, label_, own, metric, edits)


def text_of(source: str, edits: list[Any], text: str | int, places: list[int]) -> str:
    """The text of a reference, or what its edits make of the source."""
    if isinstance(text, str):
        return text
    words = source.split(" ")
    for start, end, corrected, _ in (edits[at] for at in reversed(places)):
        words[start:end] = [corrected]
    return " ".join(filter(None, words))


def check_output(held: list[Any], output: Output, references: list[tuple[str, str]], edits: list[Any]) -> None:
    own, reference, missed, scores, alarm = held
    assert alarm == output.is_false_alarm
    outcomes = [*OUTCOMES, None]
    assert [(*edits[edit // 4], outcomes[edit % 4]) for edit in own] == [
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
    """What is listed is evidence, and all edits are listed."""
    against, chosen, digits, *listed = [*text.split(";"), "", "", "", "", ""][:6]
    scored = output.scores[label]
    assert names[int(chosen or "0", 36)] == scored.reference
    scores = [int(score, 36) / SCALE for score in against.split(" ")]
    assert scores == pytest.approx([one.score for one in scored.against], abs=1 / SCALE)
    numbers = [float(part) for part in digits.split()] if digits.endswith(" ") else [int(part, 36) for part in digits]
    own = {column: count for column, count in zip(metric["columns"], numbers, strict=False) if count}
    counts = scored.against[scored.chosen].counts
    assert own == pytest.approx({name: count for name, count in counts.items() if count}, abs=1e-3)
    for outcome, pieces in zip(OUTCOMES, listed, strict=True):
        told = [row for row in scored.evidence if row.outcome == outcome and row.text is not None]
        shown = [piece.split("*") for piece in pieces.split(" ") if piece]
        if metric["unit"] == "edit":
            places = [edits[int(piece, 36)] for piece, *_ in shown]
            assert [place[:2] for place in places] == [(row.start, row.end) for row in told]
            assert [float(*weight or "1") for _, *weight in shown] == pytest.approx(
                [row.weight for row in told], abs=1e-3
            )
        else:
            assert len(shown) <= min(LISTED, len(told))


def test_the_examples() -> None:
    check(labelled_examples([f"essay {k % 3}" for k in range(40)]))


@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=corpora())
def test_odd_texts(drawn: tuple[list[str], list[list[str]], list[str]]) -> None:
    source, references, hypothesis = drawn
    check(geceval.Corpus(source, references, {"A": hypothesis, "B": source}))


def words_of(source: str, output: str, *references: str) -> list[str]:
    return [word for text in (source, output, *references) for word in text.split(" ") if word]


def test_n_grams_are_positions_in_source_output_and_references() -> None:
    """N-grams that source and system share are left out; the article is listed, though "cat" has its letter."""
    source, reference, text = "the cat sat on mat", "the cat sat on a mat", "the cat sat on a mats"
    corpus = geceval.Corpus([source], [[reference]], {"A": [text]})
    found = seen(corpus, [geceval.Green(n=2)], options=Options(samples=10, pairs="none"))
    [[_, green]] = explorer(found)["evidence"]
    words, listed = words_of(source, text, reference), []
    for pieces in green.split(";")[3:]:
        places = [int(piece, 36) for piece in pieces.split(" ")]
        listed.append([" ".join(words[place // 2 :][: place % 2 + 1]) for place in places])
    assert listed == [["a", "on mat", "on a"], ["mat", "mats", "a mats"], ["a mat"]]


@pytest.mark.parametrize(
    ("counts", "text"), [([3, 0, 35, 0], "30z"), ([36, 0.5, 0], "36 0.5 "), ([0, 0], ""), ([-1, 2], "-1 2 ")]
)
def test_counts_are_digits_or_numbers(counts: list[float], text: str) -> None:
    assert written_counts(counts) == text


@given(st.integers(-(10**9), 10**9))
def test_numbers_of_base_36_are_read_as_python_does(number: int) -> None:
    assert int(based(number), 36) == number
