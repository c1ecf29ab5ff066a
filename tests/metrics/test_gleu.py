"""GLEU worked by hand, against its definition, and its three selections."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import Gleu, Green
from geceval.base.errors import UsageError
from geceval.counting.counts import Counts
from geceval.counting.signature import signature_of
from support.strategies import corpora
from twins.ngrams import ngrams, tokens

Texts = tuple[list[str], list[list[str]], list[str]]


def slow_counts(source: str, reference: str, hypothesis: str, n: int, unit: str, variant: str) -> list[int]:
    """Match, cut penalty, total of each order, and both lengths, n-gram by n-gram."""
    counts = []
    for order in range(1, n + 1):
        s, r, h = (ngrams(text, order, unit) for text in (source, reference, hypothesis))
        match = sum(min(r[x], h[x]) for x in h)
        if variant == "paper":
            penalty = sum(max(0, min(s[x], h[x]) - min(r[x], h[x])) for x in h)
        else:
            penalty = sum(min(s[x], h[x]) for x in h if r[x] == 0)
        counts += [match, min(match, penalty), sum(h.values())]
    return [*counts, len(tokens(reference, unit)), len(tokens(hypothesis, unit))]


def test_condensed_counts_have_the_score_of_all() -> None:
    gleu = Gleu(n=2)
    counts = gleu.counts(["a b c d"], ["a b c d e"], [["a b x"]]).array
    condensed = gleu.reduced_columns(counts)
    assert condensed.shape == counts.shape
    assert gleu.score(condensed) == pytest.approx(gleu.score(counts))
    assert (condensed != counts).any()


def slow_score(counts: list[int]) -> float:
    *orders, reference, hypothesis = counts
    product = 1.0
    n = len(orders) // 3
    for order in range(n):
        match, penalty, total = orders[3 * order : 3 * order + 3]
        product *= (match - penalty) / total if total else 1.0
    if hypothesis == 0:
        brevity = float(reference == 0)
    else:
        brevity = 1.0 if reference < hypothesis else math.exp(1 - reference / hypothesis)
    return brevity * product ** (1 / n)


@given(
    corpora(),
    st.integers(1, 4),
    st.sampled_from(["word", "char"]),
    st.sampled_from(["source", "paper"]),
    st.integers(0, 9),
)
def test_equal_to_the_definition(texts: Texts, n: int, unit: str, variant: str, seed: int) -> None:
    source, references, hypothesis = texts
    rows = [
        [slow_counts(line, reference[s], hypothesis[s], n, unit, variant) for reference in references]
        for s, line in enumerate(source)
    ]
    make = {"n": n, "unit": unit, "variant": variant, "iterations": 5, "blanks": "all"}
    gleu = Gleu(**make)  # type: ignore[arg-type]
    assert gleu.counts(source, hypothesis, references).array.tolist() == rows

    def drawn(seeds: list[int | None]) -> float:
        scores = []
        for number in seeds:
            generator = random.Random(number)
            picked = [row[int(generator.random() * len(row))] for row in rows]
            scores.append(slow_score([sum(column) for column in zip(*picked, strict=True)]))
        return sum(scores) / len(scores)

    sampled = gleu.corpus_score(source, hypothesis, references)
    assert sampled.value == pytest.approx(drawn([i * 101 for i in range(5)]))
    means = [sum(map(slow_score, row)) / len(row) for row in rows]
    assert gleu.sentence_scores(source, hypothesis, references) == pytest.approx(means)

    best = Gleu(selection="best", **make)  # type: ignore[arg-type]
    assert best.sentence_scores(source, hypothesis, references) == pytest.approx(
        [max(map(slow_score, row)) for row in rows]
    )

    mean = Gleu(selection="mean", **make)  # type: ignore[arg-type]
    fixed = [
        slow_score([sum(column) for column in zip(*(row[k] for row in rows), strict=True)])
        for k in range(len(references))
    ]
    assert mean.corpus_score(source, hypothesis, references).value == pytest.approx(sum(fixed) / len(fixed))


def test_the_two_formulas() -> None:
    # The README's example: multiplicities 2, 1, 3 in source, reference and hypothesis.
    arguments = (["a a"], ["a a a"], [["a"]])
    assert Gleu(n=1).counts(*arguments).array[0, 0].tolist() == [1, 0, 3, 1, 3]
    assert Gleu(n=1, variant="paper").counts(*arguments).array[0, 0].tolist() == [1, 1, 3, 1, 3]


@given(corpora(), st.integers(1, 4), st.sampled_from(["word", "char"]), st.sampled_from([None, "source"]))
def test_without_the_cut(texts: Texts, n: int, unit: str, variant: str | None) -> None:
    """Sums over the sentences, of which only the whole is kept from falling below 0; empty lines are a word long."""
    source, references, hypothesis = texts
    gleu = Gleu(n, unit, variant, cut="none", selection="mean", blanks="all")  # type: ignore[arg-type]
    expected = []
    for reference in references:
        rows = [list(map(sum, zip(*part, strict=True))) for part in zip(*(
            slow_uncut(*lines, n, unit, variant or "paper") for lines in zip(source, reference, hypothesis, strict=True)
        ), strict=True)]  # fmt: skip
        precisions = [max(match - penalty, 0) / total if total else 1.0 for match, penalty, total in rows[:-1]]
        r, h = rows[-1]
        brevity = math.exp(min(0, 1 - r / h)) if h else float(r == 0)
        expected.append(math.prod(precisions) ** (1 / n) * brevity)
    assert gleu.corpus_score(source, hypothesis, references).value == pytest.approx(sum(expected) / len(expected))
    counts = gleu.counts(source, hypothesis, references, evidence=True)
    assert counts.evidence is not None
    np.testing.assert_array_equal(counts.evidence.sums(counts.array.shape), counts.array)


def slow_uncut(source: str, reference: str, hypothesis: str, n: int, unit: str, variant: str) -> list[list[int]]:
    rows = []
    for order in range(1, n + 1):
        s, r, h = (ngrams(text, order, unit) for text in (source, reference, hypothesis))
        wrong = {x: min(s[x], h[x]) for x in h if not r[x]} if variant == "source" else (s & h) - r
        rows.append([(r & h).total(), sum(wrong.values()), h.total()])
    return [*rows, [max(len(tokens(text, unit)), int(unit == "word")) for text in (reference, hypothesis)]]


def test_the_signature_says_the_cut_where_there_is_something_to_say() -> None:
    assert "|unit:word|variant:source|policy:sampled|iterations:500|seed:fixed|" in signature_of(Gleu(), 2)
    uncut = signature_of(Gleu(cut="none"), 2)
    assert "|unit:word|variant:paper|cut:none|policy:sampled|iterations:500|seed:fixed|draws:python3|" in uncut
    assert signature_of(Gleu(variant="source", cut="none"), 2) != uncut
    assert signature_of(Gleu(draws="python2"), 2) == signature_of(Gleu(), 2)
    assert signature_of(Gleu(cut="none", draws="python3"), 2) == uncut
    assert "|seed:fixed|draws:python3|" in signature_of(Gleu(draws="python3"), 2)
    assert "draws" not in signature_of(Gleu(cut="none", draws="python2"), 2)


@pytest.mark.parametrize("draws", ["python2", "python3"])
def test_draws_are_those_of_the_release_of_python(draws: Any) -> None:
    numbers = [3, 1, 5, 2] * 9
    mask = np.arange(5) < np.array(numbers)[:, np.newaxis]
    expected = []
    for iteration in range(4):
        generator = random.Random(iteration * 101)
        is_new = draws == "python3"
        expected.append([generator.randint(0, n - 1) if is_new else int(generator.random() * n) for n in numbers])
    gleu = Gleu(draws=draws, iterations=4)
    counts = Counts(np.zeros((*mask.shape, 1), int), ("total",), mask)
    assert gleu.policy.choices(gleu.figure, counts).tolist() == expected


def test_draws_with_a_seed_are_refused() -> None:
    with pytest.raises(UsageError, match="draws are those of the original scorer, which has no seed"):
        Gleu(draws="python3", seed=1)
    assert "draws" not in signature_of(Gleu(cut="none", seed=1), 2)


def test_seed_changes_the_score_and_the_signature() -> None:
    source, hypothesis = ["a b c d"] * 9, ["a b c x"] * 9
    references = [["a b c d"] * 9, ["a b c x y"] * 9]
    scores = {seed: Gleu(seed=seed, iterations=3).corpus_score(source, hypothesis, references) for seed in (None, 0, 1)}
    assert len({score.value for score in scores.values()}) == 3
    assert [score.signature.split("|")[5:7] for score in scores.values()] == [
        ["iterations:3", "seed:fixed"], ["iterations:3", "seed:0"], ["iterations:3", "seed:1"]
    ]  # fmt: skip
    assert all(score.deviation for score in scores.values())
    again = Gleu(seed=1, iterations=3).corpus_score(source, hypothesis, references)
    assert again == scores[1]


def test_one_reference_needs_one_iteration() -> None:
    score = Gleu().corpus_score(["a b c d"], ["a b c d"], [["a b c d"]])
    assert score.deviation is None
    assert score.totals["match_1"] == 4


def test_missing_references_are_not_drawn() -> None:
    references = [["x", None], [None, "y"]]
    for selection in ("sampled", "best", "mean"):
        gleu = Gleu(n=1, selection=selection)  # type: ignore[arg-type]
        assert gleu.corpus_score(["a", "b"], ["x", "y"], references).value == 1.0
        np.testing.assert_array_equal(gleu.sentence_scores(["a", "b"], ["x", "y"], references), 1.0)


def test_n_gram_metrics_share_what_is_prepared() -> None:
    assert Gleu().prepare_key == Green().prepare_key
    assert Gleu(seed=1).count_key == Gleu(selection="best").count_key
    assert Gleu().count_key != Gleu(variant="paper").count_key
