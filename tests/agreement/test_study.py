"""Studies of the examples, and invariants of resampling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geceval.agreement.human_ranking import people_scores, rank_by_people
from geceval.agreement.judgments import Judgments, read_judgments
from geceval.agreement.meta_evaluation import evaluate_metrics
from geceval.agreement.metric_agreement import AGGREGATIONS, count_systems, resample_scores, score_systems
from geceval.agreement.people import MEASURES
from geceval.agreement.study import Study, StudyOptions, make_study
from geceval.base.errors import InputError
from geceval.counting.metric_names import make_metric
from geceval.m2 import Block
from geceval.metrics.gleu import Gleu
from geceval.metrics.green import Green
from geceval.text.corpus import Corpus
from geceval.text.preparation import Preparation
from support.examples import EXAMPLES, example_corpus


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    return read_judgments(EXAMPLES / "judgments.xml")


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return example_corpus(gold=True)


@pytest.fixture(scope="module")
def study(judgments: Judgments, corpus: Corpus) -> Study:
    return make_study(judgments, corpus)


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@pytest.mark.parametrize("name", ["green", "gleu", "maxmatch"])
def test_draw_of_every_sentence_once_gives_the_scores(study: Study, name: str, aggregation: str) -> None:
    metric = Gleu(selection="best") if name == "gleu" else make_metric(name)
    [counted] = count_systems(study.corpus, [metric])
    once = np.ones((2, len(study.corpus)), np.int64)
    scores = score_systems(counted, aggregation=aggregation)
    replicates = resample_scores(counted, scores.sentences, once, aggregation)
    assert replicates == pytest.approx(np.tile(scores.values, (2, 1)), abs=1e-12)


def test_sampled_references_are_averaged_over_the_first_samples(study: Study) -> None:
    metric = Gleu()
    [counted] = count_systems(study.corpus, [metric])
    once = np.ones((1, len(study.corpus)), np.int64)
    scores = score_systems(counted)
    [replicate] = resample_scores(counted, scores.sentences, once, "corpus")
    twenty = score_systems(replace(counted, metric=replace(metric, iterations=20)))
    assert replicate == pytest.approx(twenty.values, abs=1e-12)
    assert replicate == pytest.approx(scores.values, abs=0.03)


def test_people_are_resampled_with_their_sentences(study: Study) -> None:
    once = np.ones((2, len(study.corpus)), np.int64)
    measure = MEASURES["expected-wins"]
    replicates = measure.replicated(study.people, once, seed=1)
    assert replicates == pytest.approx(np.tile(people_scores(study, StudyOptions()), (2, 1)))
    first = once.copy()
    first[:, 1:] = 0  # only sentence 0, where every other output is better than noisy
    replicates = MEASURES["trueskill"].replicated(study.people, first * 40, seed=1)
    assert (replicates[:, 2] < replicates[:, 0]).all()


def test_draw_without_judgments_is_undefined(study: Study) -> None:
    weights = np.zeros((1, len(study.corpus)), np.int64)
    weights[0, 3] = 40  # nobody judged sentence 3
    for measure in (MEASURES["expected-wins"], MEASURES["trueskill"]):
        assert np.isnan(measure.replicated(study.people, weights, seed=1)).all()


def test_agreement_does_not_depend_on_other_metrics_or_threads(study: Study) -> None:
    single = evaluate_metrics(study, [Green()], StudyOptions(resamples=50)).metrics[0]
    with_others = evaluate_metrics(
        study, [Green(unit="char"), Green(), Green(beta=0.5)], StudyOptions(resamples=50)
    ).metrics[1]
    threads = evaluate_metrics(study, [Green()], StudyOptions(resamples=50, threads=3)).metrics[0]
    for other in (with_others, threads):
        assert other.agreement == single.agreement
        assert other.intervals == single.intervals


def test_scores_by_people_do_not_depend_on_excluded_systems(judgments: Judgments, corpus: Corpus, study: Study) -> None:
    part = make_study(judgments, corpus, exclude=["eager"])
    assert people_scores(part, StudyOptions()).tolist() == people_scores(study, StudyOptions())[[0, 2]].tolist()
    trueskill = StudyOptions(measure="trueskill")
    assert people_scores(part, trueskill).tolist() == people_scores(study, trueskill)[[0, 2]].tolist()


def test_judged_sentences_are_selected_on_request(judgments: Judgments, corpus: Corpus) -> None:
    part = make_study(judgments, corpus, judged_only=True)
    assert len(part.corpus) == len(judgments.source_ids) == 30
    assert set(part.lines.values()) == set(range(30))
    line = part.lines[judgments.source_ids[7]]
    assert part.corpus.source[line] == corpus.source[judgments.source_ids[7]]
    assert part.corpus.gold is not None
    assert part.corpus.gold[line].source == part.corpus.source[line]
    of_all = evaluate_metrics(make_study(judgments, corpus), [Green()], StudyOptions(resamples=0)).metrics[0]
    judged = evaluate_metrics(part, [Green()], StudyOptions(resamples=0)).metrics[0]
    assert judged.verdicts == of_all.verdicts  # other sentences have no judgments


def test_outputs_as_edits_are_scored(judgments: Judgments, corpus: Corpus, study: Study) -> None:
    """An M2 file without edits is the source."""
    source = [Block(line, ()) for line in corpus.source]
    with pytest.raises(InputError, match="no numbering fits"):
        make_study(judgments, Corpus(corpus.source, corpus.references, {"careful": source, "eager": source[::-1]}))
    mixed = Corpus(corpus.source, corpus.references, {**corpus.systems, "careful": source}, corpus.gold)
    results = evaluate_metrics(make_study(judgments, mixed, numbering="0"), [Green()], StudyOptions(resamples=0))
    assert results.metrics[0].scores.values[1] == evaluate_metrics(study, [Green()]).metrics[0].scores.values[1]


def test_no_resamples_give_no_intervals_or_tests(study: Study) -> None:
    results = evaluate_metrics(study, [Green()], StudyOptions(resamples=0, tests=True))
    assert results.metrics[0].intervals == {}
    assert results.ceilings is None
    assert results.tests == ()


def test_ranking_by_people_depends_on_the_seed(judgments: Judgments) -> None:
    ranking = rank_by_people(judgments, StudyOptions(resamples=100, seed=0))
    assert [row.system for row in ranking.placings] == ["eager", "careful", "noisy"]
    assert ranking == rank_by_people(judgments, StudyOptions(resamples=100, seed=0))
    assert ranking != rank_by_people(judgments, StudyOptions(resamples=100, seed=1))


def test_signature_keeps_the_preparation_of_the_texts(judgments: Judgments, corpus: Corpus) -> None:
    only_gold = replace(corpus, references=(), missing="plain").prepared(Preparation("english", only=["systems"]))
    for judged_only in (False, True):
        part = make_study(judgments, only_gold, judged_only=judged_only).corpus
        [counted] = count_systems(part, [Green()])
        assert "(plain)|tok:english-1(systems)|" in counted.signatures["corpus"]
        assert part.with_texts().has_texts_of_gold


def test_results_have_frames_of_metrics_and_systems(study: Study) -> None:
    results = evaluate_metrics(study, ["green", "errant"], StudyOptions(resamples=0))
    metrics = results.columns()
    assert metrics["metric"] == ["GREEN", "ERRANT"]
    assert metrics["pearson"] == [result.agreement.pearson for result in results.metrics]
    systems = results.columns("systems")
    assert systems["people"] == results.people.tolist()
    assert systems["GREEN"] == results.metrics[0].scores.values.tolist()
    assert "GREEN" in repr(results)
