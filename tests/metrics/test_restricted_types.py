"""Metrics on edits restricted to types: both sides are restricted before a reference is chosen."""

from __future__ import annotations

import random
from typing import Any

import pytest

from geceval import Corpus, evaluate, m2
from geceval.base.errors import UsageError
from geceval.counting.metric_names import make_metric
from geceval.counting.run import Run
from geceval.edits.extraction import Extractor
from geceval.edits.languages import make_annotator
from geceval.edits.m2_annotation import annotate
from geceval.m2 import Block, Edit, noop

SOURCE = "The cat sat at mat ."
METRICS = ("errant", "cleme", "cleme2", "spans", "net-benefit")


def edit(start: int, end: int, type_: str, correction: str, annotator: int = 0) -> Edit:
    return Edit(start, end, type_, (correction,), annotator=annotator)


#: Annotator 0 has an article and two verbs; annotator 1 has the article's place alone, with other words.
GOLD = [
    Block(
        SOURCE,
        (
            edit(2, 3, "R:VERB", "lay"),
            edit(4, 4, "M:DET", "the"),
            edit(1, 2, "R:NOUN", "dog", annotator=1),
            edit(3, 4, "R:PREP", "on", annotator=1),
        ),
    )
]
SYSTEM = [Block(SOURCE, (edit(1, 2, "R:NOUN", "dog"), edit(3, 4, "R:PREP", "on"), edit(4, 4, "M:DET", "the")))]


def totals(spec: str, system: list[Block] = SYSTEM, gold: list[Block] = GOLD) -> dict[str, float]:
    [result] = evaluate(Corpus([SOURCE], (), {"it": system}, gold), [spec], checks=False)["it"]
    return dict(result.score().totals)


def test_reference_is_chosen_by_the_edits_of_the_types() -> None:
    # Over all edits annotator 1 is the nearest one, by articles annotator 0.
    assert totals("errant") == {"tp": 2, "fp": 1, "fn": 0}
    assert totals("errant:types=DET") == {"tp": 1, "fp": 0, "fn": 0}


def test_annotator_without_an_edit_of_the_types_has_found_nothing() -> None:
    silent = [Block(SOURCE, (noop(0),))]
    assert totals("errant:types=DET", silent) == {"tp": 0, "fp": 0, "fn": 0}
    assert totals("errant:types=DET", silent, [Block(SOURCE, GOLD[0].edits[:2])]) == {"tp": 0, "fp": 0, "fn": 1}
    wrong = [Block(SOURCE, (edit(0, 1, "R:DET", "A"),))]
    assert totals("errant:types=DET", wrong) == {"tp": 0, "fp": 1, "fn": 0}


def random_blocks(chance: random.Random, annotators: int) -> list[Block]:
    types = ["M:DET", "R:DET", "R:VERB", "R:VERB:SVA", "U:PREP", "UNK"]
    blocks = []
    for _ in range(30):
        edits = []
        for annotator in range(annotators):
            places = sorted(chance.sample(range(6), chance.randrange(4)))
            own = [
                edit(place, place + 1, chance.choice(types), chance.choice(["a", "b", "c d"]), annotator)
                for place in places
            ]
            edits += own or [noop(annotator)]
        blocks.append(Block(SOURCE, tuple(edits)))
    return blocks


@pytest.mark.parametrize("types", ["DET", "R:VERB*+U", "R"])
@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("selection", ["running", "optimum"])
def test_types_are_those_of_filtered_files(name: str, types: str, selection: str) -> None:
    chance = random.Random(name + types)
    gold, system = random_blocks(chance, 2), random_blocks(chance, 1)
    settings: dict[str, Any] = {"selection": selection} if name in ("errant", "cleme", "spans") else {}
    metric = make_metric(name, types=types, **settings)
    filtered = [list(m2.filter(blocks, types=types.split("+"))) for blocks in (gold, system)]
    source = [SOURCE] * len(gold)
    [restricted] = evaluate(Corpus(source, (), {"it": system}, gold), [metric], checks=False)["it"]
    corpus = Corpus(source, (), {"it": filtered[1]}, filtered[0])
    [expected] = evaluate(corpus, [make_metric(name, **settings)], checks=False)["it"]
    for level in ("corpus", "mean"):
        assert restricted.score(level).value == expected.score(level).value
        assert restricted.score(level).totals == expected.score(level).totals
    assert f"|only:{types}|" in restricted.signature()
    assert "only" not in expected.signature()


@pytest.mark.parametrize("name", METRICS)
def test_types_of_text_are_those_of_its_edits(name: str) -> None:
    source = ["He go home .", "I like cat .", "She are in house ."]
    system = ["He goes to home .", "I likes the cat .", "She is at the house ."]
    references = [["He goes home .", "I like the cat .", "She is in the house ."]]
    texts = Corpus(source, references, {"it": system})
    extractor = Extractor(make_annotator("builtin:3"))
    pairs = [
        [(line.split(), new.split()) for line, new in zip(source, lines, strict=True)]
        for lines in (references[0], system)
    ]
    gold, edits = (annotate(extractor, rows) for rows in pairs)
    blocks = Corpus(source, (), {"it": edits}, gold)
    metric = make_metric(name, types="DET")
    scores = [evaluate(corpus, [metric], checks=False)["it"][0].score() for corpus in (texts, blocks)]
    assert scores[0].totals == scores[1].totals
    assert scores[0].totals != evaluate(texts, [name], checks=False)["it"][0].score().totals


@pytest.mark.parametrize("name", METRICS)
def test_types_that_match_nothing_are_refused_with_near_names(name: str) -> None:
    corpus = Corpus([SOURCE] * 2, (), {"it": SYSTEM * 2}, GOLD * 2)
    for pattern, hint in (("R:VREB", "did you mean R:VERB?"), ("DTE", "did you mean DET?"), ("PUNCT", "choose from")):
        with pytest.raises(UsageError, match=f"{name}: types names '{pattern}'") as told:
            evaluate(corpus, [make_metric(name, types=f"DET+{pattern}")])
        assert str(told.value.hint).startswith(hint)


@pytest.mark.parametrize("name", METRICS)
def test_types_that_no_edit_of_texts_has_are_refused(name: str) -> None:
    corpus = Corpus(["He go home .", "x"], [["He goes home .", "x"]], {"it": ["He goes home .", "x"]})
    metric = make_metric(name, types="PREP")
    with pytest.raises(UsageError, match=f"{name}: no edit of references or systems that counts has types=PREP"):
        evaluate(corpus, [metric])
    # A sentence alone, as in a reward, may lack them.
    assert metric.sentence_score("He go home .", "He goes home .", ["He goes home ."]) >= 0


def test_excluded_types_win_and_nothing_left_is_an_error() -> None:
    verbs = [Block(SOURCE, (edit(2, 3, "R:VERB", "lay"), edit(1, 2, "R:VERB:SVA", "cats")))] * 2
    corpus = Corpus([SOURCE] * 2, (), {"it": verbs}, verbs)
    [result] = evaluate(corpus, ["errant:types=VERB*,exclude=VERB:SVA"])["it"]
    assert result.score().totals == {"tp": 2, "fp": 0, "fn": 0}
    with pytest.raises(UsageError, match=r"errant: exclude=R leaves no edit of types=VERB\*"):
        evaluate(corpus, ["errant:types=VERB*,exclude=R"])


def test_counts_that_need_no_types_are_not_summed_for_a_check() -> None:
    assert make_metric("errant").check_sums is None
    run = Run(Corpus([SOURCE], (), {"it": SYSTEM}, GOLD), [make_metric("errant", types="DET")])
    assert len(list(run.stream())) == 1
