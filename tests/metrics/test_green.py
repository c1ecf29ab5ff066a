"""GREEN worked by hand, and its laws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval import Corpus, Green
from geceval._kernel import first_largest
from geceval.counting.consumers import CorpusTotals
from geceval.counting.policies import Totals, best
from geceval.counting.run import Run
from geceval.counting.system_results import kept_counts, system_results
from support.strategies import corpora
from twins import ngrams as twins_ngrams


def slow_f(regions: list[list[int]], beta: float) -> list[float]:
    """F over the orders 1..k for k = 1..n from regions [order][region], as the README of the public tool defines it."""
    alpha, fs, precision, recall = 1 / (beta**2 + 1), [], 1.0, 1.0
    for order, (tk, td, ti, od, oi, ud, ui) in enumerate(regions, 1):
        tp, fp, fn = tk + td + ti, od + oi, ud + ui
        precision *= tp / (tp + fp) if tp + fp else 1.0
        recall *= tp / (tp + fn) if tp + fn else 0.0
        p, r = precision ** (1 / order), recall ** (1 / order)
        fs.append(1 / (alpha / p + (1 - alpha) / r) if p > 0 and r > 0 else 0.0)
    return fs


def slow_regions(source: str, reference: str, hypothesis: str, n: int, unit: str) -> list[list[int]]:
    return [twins_ngrams.regions(source, reference, hypothesis, order, unit)[:7] for order in range(1, n + 1)]


@given(corpora(), st.integers(1, 5), st.sampled_from([0.0, 0.5, 1.0, 2.0]), st.sampled_from(["word", "char"]))
def test_equal_to_the_definition(
    texts: tuple[list[str], list[list[str]], list[str]], n: int, beta: float, unit: str
) -> None:
    source, references, hypothesis = texts
    green = Green(n, beta, unit, "all")  # type: ignore[arg-type]
    totals = np.zeros((n, 7), dtype=int)
    expected = []
    [choice] = green.choices(green.counts(source, hypothesis, references))
    for s, (line, corrected) in enumerate(zip(source, hypothesis, strict=True)):
        candidates = [slow_regions(line, reference[s], corrected, n, unit) for reference in references]
        scores = [slow_f(regions, beta)[-1] for regions in candidates]
        expected.append(max(scores))
        assert scores[choice[s]] == pytest.approx(max(scores))
        totals += candidates[choice[s]]
    assert green.sentence_scores(source, hypothesis, references) == pytest.approx(expected)
    score = green.corpus_score(source, hypothesis, references)
    assert score.value == pytest.approx(slow_f(totals.tolist(), beta)[-1])
    assert list(score.totals.values()) == totals.ravel().tolist()


@given(corpora(), st.integers(1, 5), st.sampled_from([0.0, 1.0, 2.0]))
def test_present_orders_are_those_of_source_and_reference(
    texts: tuple[list[str], list[list[str]], list[str]], n: int, beta: float
) -> None:
    source, references, hypothesis = texts
    green = Green(n, beta, orders="present")
    scores = []
    for s, (line, corrected) in enumerate(zip(source, hypothesis, strict=True)):
        candidates = []
        for reference in references:
            last = min(n, max(len(line.split()), len(reference[s].split()), 1))
            candidates.append(slow_f(slow_regions(line, reference[s], corrected, last, "word"), beta)[-1])
        scores.append(max(candidates))
    assert green.sentence_scores(source, hypothesis, references) == pytest.approx(scores)


@pytest.mark.parametrize(
    ("source", "hypothesis", "reference", "expected"),
    [
        ("hello", "Hello", "Hello", 1),
        ("a b", "a b", "a b", 1),
        ("a b", "c d e f", "a b", 0),
        # Orders 1 and 2: P is the geometric mean of 2/3 and 1/2, R is 1.
        ("a b", "a b c", "a b", 5 * 3**-0.5 / (4 * 3**-0.5 + 1)),
    ],
)
def test_short_correct_line_scores_one_with_present_orders(
    source: str, hypothesis: str, reference: str, expected: float
) -> None:
    assert Green(orders="present").sentence_score(source, hypothesis, [reference]) == pytest.approx(expected)
    assert Green().sentence_score(source, hypothesis, [reference]) == 0


def test_present_orders_of_a_corpus_of_long_sentences_are_all_orders() -> None:
    texts = ["He go home ."], ["He go to home ."], [["He goes home ."]]
    scores = [green.corpus_score(*texts) for green in (Green(), Green(orders="present"))]
    assert scores[0].value == scores[1].value
    assert [("orders:present" in score.signature) for score in scores] == [False, True]


def test_by_hand() -> None:
    # Unigrams: keep He home .; delete go; insert goes. Two of three insertions and deletions are made.
    score = Green(n=1, beta=1).corpus_score(["He go home ."], ["He goes home"], [["He goes home ."]])
    assert score.totals == {"tk_1": 2, "td_1": 1, "ti_1": 1, "od_1": 1, "oi_1": 0, "ud_1": 0, "ui_1": 0}
    assert (score.parts["precision"], score.parts["recall"]) == (4 / 5, 1.0)
    assert float(score) == pytest.approx(8 / 9)
    assert score.sentences == 1


@pytest.mark.parametrize("systems", [1, 7, 8, 9, 16, 17, 33])
def test_systems_that_all_change_a_correct_sentence_are_counted_together(systems: int) -> None:
    corpus = Corpus(["a b"], [["a b"]], {f"s{number}": [f"a {number}"] for number in range(systems)})
    counts = {name: counts.array.tolist() for name, counts in kept_counts(corpus, Green(n=1)).items()}
    # One word is kept, one over-deleted and one over-inserted.
    assert counts == {name: [[[1, 0, 0, 1, 1, 0, 0]]] for name in corpus.systems}


def test_ties_are_broken_by_lower_orders_then_by_the_first() -> None:
    green = Green(n=2, beta=1)
    # No bigram agrees with either reference, so F over 1..2 is 0 for both; the second shares a unigram.
    counts = green.counts(["x"], ["a b"], [["c d"], ["b c"]])
    assert green.score(counts.array)[0].tolist() == [0.0, 0.0]
    assert best(green.figure, counts).tolist() == [1]
    assert best(green.figure, green.counts(["x"], ["a"], [["b"], ["c"]])).tolist() == [0]


def test_betas_share_a_pass_and_may_choose_differently() -> None:
    assert Green(beta=1).count_key == Green(beta=2).count_key
    assert Green(n=3).count_key != Green(n=4).count_key
    references = [["a b c d e f g"], ["a b c"]]
    choices = []
    for beta in (0.1, 10.0):
        green = Green(n=1, beta=beta)
        choices += best(green.figure, green.counts(["a b"], ["a b c d e"], references)).tolist()
    assert choices == [0, 1]


def test_a_missing_reference_is_no_candidate() -> None:
    corpus = Corpus(["a b", "a b"], [["a c", None], ["a d", "a c"]], {"it": ["a c", "a b"]})
    metric = Green(n=2)
    counts = metric.count(metric.prepare(corpus), corpus.systems["it"], evidence=True)
    assert counts.mask.tolist() == [[True, True], [False, True]]
    assert best(metric.figure, counts).tolist() == [0, 1]
    assert counts.evidence is not None
    assert counts.evidence.order is not None
    assert counts.evidence.text is not None
    tokens = [len(counts.evidence.strings[text].split()) for text in counts.evidence.text]
    assert tokens == counts.evidence.order.tolist()


def test_unit_determines_the_number_of_symbols() -> None:
    family = "👨\u200d👩\u200d👧"
    for unit, length in (("word", 1), ("char", 5), ("grapheme", 1)):
        score = Green(n=1, unit=unit).corpus_score([family], [family], [[family]])  # type: ignore[arg-type]
        assert score.totals["tk_1"] == length


@given(st.lists(st.lists(st.integers(0, 2), min_size=28, max_size=28), min_size=2, max_size=8), st.booleans())
def test_the_best_reference_has_the_largest_figures(rows: list[list[int]], absent: bool) -> None:
    counts = np.array([rows], np.int32)
    present = np.array([[not (absent and r == 0) for r in range(len(rows))]])
    green = Green()
    assert green.figure.best(counts, present) == first_largest(green.ranking(counts), present)
    assert green.score(counts).tobytes() == green.figures(counts)[..., -1, 5].tobytes()
    assert all(green.score(row) == score for row, score in zip(counts[0], green.score(counts)[0], strict=True))


@given(
    rows=st.lists(st.tuples(*[st.text("ab ", max_size=12)] * 5, st.booleans()), min_size=1, max_size=40),
    unit=st.sampled_from(["word", "char", "grapheme"]),
    n=st.integers(1, 5),
    beta=st.sampled_from([0.5, 1.0, 2.0, math.inf]),
)
def test_sums_of_the_kernel_are_those_of_the_counts_with_the_best_references(
    rows: list[tuple[str, str, str, str, str, bool]], unit: Any, n: int, beta: float
) -> None:
    source, first, second, one, two, is_present = zip(*rows, strict=True)
    references = [list(first), [text if present else None for text, present in zip(second, is_present, strict=True)]]
    corpus = Corpus(list(source), references, {"one": list(one), "two": list(two)})
    metric = Green(n=n, unit=unit, beta=beta)
    sums = Run(corpus, [metric]).consume(lambda _, metric: CorpusTotals(metric))
    for name, counts in kept_counts(corpus, metric).items():
        totals = Totals(metric.policy, metric.figure)
        totals.add(counts)
        assert np.array_equal(sums[name, metric].result(), totals.value())
        assert sums[name, metric].result().dtype == totals.value().dtype


def test_counts_are_not_made_if_only_their_sums_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Green, "count_systems", lambda *_, **__: pytest.fail("counts are not needed"))
    corpus = Corpus(["a b"], [["a c"]], {"one": ["a c"], "two": ["a b"]})
    scores = system_results(corpus, [Green(n=1), Green(n=2)], views=["corpus"], checks=False)
    assert [result.score().value for result in scores["one"]] == [1.0, 1.0]
