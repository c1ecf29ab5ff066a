"""Sentence scores of parts equal the sentence scores of the whole corpus."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import geceval
from geceval.base.errors import UsageError
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.counting.system_results import system_results
from geceval.extending import Metric
from geceval.results.sentence_rows import score_parts, sentence_signatures
from geceval.text.files import SOURCE
from support.instances import instances
from support.toys import TOYS, Agreement, AgreementBeside, Shortening

WORDS = "the a cat cats sits sit on mat mats . with red reds go goes home".split()
ALL = [*instances().values(), *TOYS]
BLOCK = 4


def random_corpus(sentences: int = 14) -> geceval.Corpus:
    """Return sentences with two references, two systems, and gold edits."""
    rng = np.random.default_rng(7)
    source = [" ".join(rng.choice(WORDS, rng.integers(1, 9))) for _ in range(sentences)]

    def changed() -> list[str]:
        return [
            " ".join(str(rng.choice(WORDS)) if rng.random() < 0.2 else word for word in line.split()) for line in source
        ]

    references = [changed(), changed()]
    gold = [
        geceval.m2.Block(line, tuple(geceval.m2.Edit(0, 1, "R:OTHER", (word,)) for word in [text.split()[0]]))
        for line, text in zip(source, references[0], strict=True)
    ]
    return geceval.Corpus(source, references, {"one": changed(), "two": changed()}, gold)


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    for metric in ALL:
        monkeypatch.setattr(type(metric), "block", BLOCK)


@pytest.mark.filterwarnings("ignore::geceval.GecevalWarning")
@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.name)
def test_scores_of_parts_equal_scores_of_the_corpus(metric: Metric[Any]) -> None:
    results = system_results(random_corpus(), [metric], views=["sentence"], details=True, checks=False)
    parts = list(score_parts(Run(random_corpus(), [metric]), parts=True))
    assert [part.corpus.first for part in parts] == list(range(0, 14, BLOCK))
    for name, [result] in results.items():
        figures = [part.figures[name, metric] for part in parts]
        expected = {**result.sentence_parts(), "": result.sentence_scores()}
        for key, values in expected.items():
            np.testing.assert_array_equal(np.concatenate([arrays[key] for arrays in figures]), values)
        assert sentence_signatures(Run(random_corpus(), [metric]))[name, metric] == result.signature("sentence")


def test_scores_of_several_metrics_equal_those_of_the_corpus() -> None:
    metrics = [geceval.Green(), geceval.Cleme(), geceval.Green(beta=1.0), geceval.Errant(), geceval.Green()]
    of_corpus = system_results(random_corpus(), metrics, views=["sentence"], checks=False)
    parts = list(score_parts(Run(random_corpus(), metrics)))
    for name, results in of_corpus.items():
        for metric, result in zip(metrics, results, strict=True):
            scores = np.concatenate([part.figures[name, metric][""] for part in parts])
            np.testing.assert_array_equal(scores, result.sentence_scores())


def test_source_is_scored_after_the_systems() -> None:
    metrics = [AgreementBeside(), Shortening(), Agreement()]
    of_corpus = system_results(random_corpus(), metrics, views=["sentence"], guard=True, checks=False)
    run = Run(random_corpus().with_unchanged(), metrics)
    parts = list(score_parts(run))
    signatures = sentence_signatures(run)
    assert list(of_corpus) == ["one", "two", SOURCE]
    for name, results in of_corpus.items():
        for metric, result in zip(metrics, results, strict=True):
            scores = np.concatenate([part.figures[name, metric][""] for part in parts])
            np.testing.assert_array_equal(scores, result.sentence_scores())
            assert signatures[name, metric] == result.signature("sentence")


def test_work_is_that_of_a_sentence_times_the_sentences() -> None:
    metrics = [geceval.Green(), geceval.Green(beta=1.0), geceval.Cleme()]
    assert Run(random_corpus(), metrics).work_of_a_sentence() == 2 * (1 + 2)
    assert Run(random_corpus(), metrics).work == 14 * 6
    done: list[int] = []
    list(score_parts(Run(random_corpus(), metrics, RunOptions(progress=done.append))))
    assert sum(done) == 14 * 6


def test_parts_without_metrics_have_no_figures() -> None:
    done: list[int] = []
    run = Run(random_corpus(), [], RunOptions(block=8, progress=done.append))
    parts = list(score_parts(run))
    assert [(part.corpus.first, len(part.corpus), part.figures) for part in parts] == [(0, 8, {}), (8, 6, {})]
    assert sum(done) == run.work == 28


def test_corpus_without_system_is_refused() -> None:
    corpus = geceval.Corpus(["a"], [["b"]])
    with pytest.raises(UsageError, match="no system"):
        list(score_parts(Run(corpus, [geceval.Green()])))
