"""What the page's program reads says what was examined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import geceval
from geceval.report.page import explorer as module
from geceval.report.page.explorer import LISTED, Explorer, explorer
from geceval.studies.comparison.comparison_options import Options
from geceval.studies.explaining.evidence_rows import OUTCOMES
from geceval.studies.explaining.examined_sentences import Output
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
    for sentence, held, why in zip(found.examined.sentences, page.data["sentences"], page.evidence, strict=True):
        number, source, label, references, outputs = held
        assert (number, source) == (sentence.number, sentence.source)
        assert (None if label < 0 else page.data["labels"][label]) == sentence.label
        assert {name: text for name, text, _ in references}.items() >= sentence.references.items()
        for at, system in enumerate(found.examined.systems):
            check_output(meant(outputs, at), sentence.outputs[system], references, page)
            for label_, own in zip(found.examined.metrics, meant(why, at), strict=True):
                check_evidence(own, sentence.outputs[system], label_, page)


def check_output(held: list[Any], output: Output, references: list[Any], page: Explorer) -> None:
    edits, reference, missed, scores, alarm = held
    assert alarm == output.is_false_alarm
    strings, outcomes = page.data["strings"], [*OUTCOMES, None]
    assert [(s, s + n, strings[t], strings[k], outcomes[o]) for s, n, t, k, o in rows(edits, 5)] == [
        (edit.start, edit.end, edit.text, edit.type, edit.outcome) for edit in output.version.edits
    ]
    assert output.reference is not None
    name, text, gold = references[reference]
    assert (name, text.split()) == (output.reference.name, output.reference.text.split())
    of_reference = [(edit.start, edit.end, edit.text) for edit in output.reference.edits]
    assert [(s, s + n, strings[t]) for s, n, t, _ in rows(gold, 4)] == of_reference
    assert missed == [at for at, edit in enumerate(output.reference.edits) if edit.outcome == "missed"]
    assert scores == pytest.approx([scored.score for scored in output.scores.values()][: len(scores)], abs=1e-5)


def check_evidence(held: list[Any], output: Output, label: str, page: Explorer) -> None:
    """What is listed and what is said not to be is all there is."""
    against, chosen, _, counts, shared, longer, *listed = held
    scored = output.scores[label]
    assert [name for name, _ in rows(against, 2)][chosen] == scored.reference
    [columns] = [metric["columns"] for metric in page.data["metrics"] if metric["label"] == label]
    own = {columns[column]: count for column, count in rows(counts, 2)}
    assert own == {name: count for name, count in scored.against[scored.chosen].counts.items() if count}
    weights = [item[1] if isinstance(item, list) else 1 for items in listed for item in items]
    told = [row.weight for row in scored.evidence if row.outcome is not None]
    assert sum(weights) + shared <= sum(told)
    if not longer:
        assert sum(weights) + shared == sum(told)
    elif module.LISTED == LISTED:
        assert max(map(len, listed)) == LISTED


def test_the_examples() -> None:
    check(labelled_examples([f"essay {k % 3}" for k in range(40)]))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=corpora())
def test_odd_texts(drawn: tuple[list[str], list[list[str]], list[str]]) -> None:
    source, references, hypothesis = drawn
    check(geceval.Corpus(source, references, {"A": hypothesis, "B": source}))


def test_all_that_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a limit nothing is longer."""
    monkeypatch.setattr(module, "LISTED", 10_000)
    found = seen(labelled_examples(), METRICS, options=Options(samples=10, pairs="none"))
    longer = [own[5] for outputs in explorer(found).evidence for one in outputs if isinstance(one, list) for own in one]
    assert not any(longer)
    check(labelled_examples())


def test_an_article_is_no_letter_of_another_word() -> None:
    """What source and system share are whole words."""
    corpus = geceval.Corpus(["the cat sat on mat"], [["the cat sat on a mat"]], {"A": ["the cat sat on a mat"]})
    found = seen(corpus, [geceval.Green(n=1)], options=Options(samples=10, pairs="none"))
    page = explorer(found)
    [[[green]]] = page.evidence
    _, _, _, _, shared, _, correct, _, _ = green
    assert ([page.data["strings"][text] for text in correct], shared) == (["a"], 5)
