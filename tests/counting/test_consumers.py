"""Consumers of the stream: in parts or whole, merged or not, through pickle and back."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from geceval import Cleme, Corpus, Errant, Green, evaluate
from geceval.base.errors import InputError, UsageError
from geceval.counting.consumers import Means, Result
from geceval.counting.counts import Counts
from geceval.counting.run import Run


def test_no_order_changes_a_bit() -> None:
    """Real counts, and weights of them that are no sums of powers of 2."""
    words = "a b c d e f g".split()
    source = [" ".join(words[k % 5 : k % 7 + 1]) or "x" for k in range(60)]
    rows = [[line.replace(letter, "u v w"[: 1 + k % 5]) for k, line in enumerate(source)] for letter in "bd"]
    system = [line.replace("c", "z").replace("b", "u") for line in source]
    for metric in (Cleme(x0=1.3, selection="optimum", beta=0.3), Errant(selection="optimum", beta=0.3)):
        [(_, _, _, counts)] = Run(Corpus(source, rows, {"it": system}), [metric]).stream()
        expected = metric.totals(counts)
        for seed in range(20):
            order = np.random.default_rng(seed).permutation(len(source))
            mixed = counts.at(order)
            assert metric.totals(mixed).tobytes() == expected.tobytes()


def test_one_counting_pass_serves_all_levels_and_all_betas(monkeypatch: pytest.MonkeyPatch) -> None:
    counts, own = [], Green.count

    def counting(self: Green, *arguments: Any, **options: Any) -> Counts:
        counts.append(self)
        return own(self, *arguments, **options)

    monkeypatch.setattr(Green, "count", counting)
    corpus = Corpus(["a b", "c"], [["a c", "c"]], {"one": ["a b", "c"], "two": ["a c", "d"]})
    results = evaluate(corpus, [Green(beta=1), Green(beta=2), Green(beta=2)])
    assert len(counts) == 2
    for row in results.values():
        assert row[1].score() == row[2].score()
        assert row[0].score().value <= 1
        assert row[0].score("mean").value == pytest.approx(row[0].sentence_scores().mean())


def test_a_result_is_a_consumer() -> None:
    corpus = Corpus(["a b", "c", "d e"], [["a c", "c", "d"]], {"it": ["a b", "c", "d f"]})
    [result] = evaluate(corpus, [Green(n=2)], block=1)["it"]
    before, sentences = result.score(), result.sentence_scores()
    run = Run(corpus, [Green(n=2)])
    [(_, _, metric, counts)] = run.stream()
    result.add(counts)  # a score asked for does not settle anything
    assert result.score().sentences == 6
    assert result.score().totals == {name: 2 * total for name, total in before.totals.items()}
    assert result.sentence_scores().tolist() == [*sentences, *sentences]
    again = Result(metric)
    again.add(counts)
    again.end(run.signature_inputs("it", metric))
    again.merge(pickle.loads(pickle.dumps(again)))
    assert again.score() == result.score()
    assert again.result() == again.score("corpus")


def test_what_was_not_asked_for_is_refused() -> None:
    corpus = Corpus(["a"], [["a"]], {"it": ["a"]})
    [result] = evaluate(corpus, [Green()], views=["mean"])["it"]
    with pytest.raises(UsageError, match=r"the view 'corpus' was not requested \(available: mean\)"):
        result.score()
    with pytest.raises(UsageError, match=r"unknown level 'means' \(available: corpus, sentence, mean\)"):
        evaluate(corpus, [Green()], views=["means"])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="nothing was counted"):
        Means(Green()).result()


def test_all_the_work_is_reported() -> None:
    """A metric with a corpus constant passes over the corpus twice."""
    corpus = Corpus(["a b", "c"], [["a c", "c"]], {"one": ["a b", "c"], "two": ["a c", "d"]})
    metrics = [Errant(), Errant(beta=1.0), Cleme(), Green()]
    steps: list[int] = []
    evaluate(corpus, metrics, block=1, progress=steps.append)
    assert sum(steps) == Run(corpus, metrics).work == 2 * 2 * 4


def test_errors_tell_where_the_part_begins() -> None:
    """A sentence too long to align, in the third part."""
    long = " ".join(map(str, range(7_000)))
    corpus = Corpus(["a", "b", long], [["a", "b", long[::-1]]], {"it": ["a", "b", "c"]})
    with pytest.raises(InputError, match=r"sentence 1: .* too long .*\(sentences counted from number 3 on\)\n"):
        evaluate(corpus, [Errant()], block=1)
