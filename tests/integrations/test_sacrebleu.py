"""sacrebleu: scores, signatures, bootstrap and tests of pairs as of one of its own metrics."""

from __future__ import annotations

import json
import pickle

import pytest
import sacrebleu.metrics.base
from sacrebleu.significance import PairedTest

import geceval
from geceval.integrations import sacrebleu as adapter
from support.examples import CAREFUL, NOISY, REFERENCES, SOURCE


@pytest.mark.parametrize("name", ["errant", "green", "gleu", "gleu:selection=mean", "cleme"])
def test_corpus_scores_are_those_of_the_metric_times_100(name: str) -> None:
    metric = adapter.metric(name, SOURCE)
    assert isinstance(metric, sacrebleu.metrics.base.Metric)
    score = metric.corpus_score(CAREFUL, REFERENCES)
    metric_name, _, settings = name.partition(":")
    expected = geceval.make_metric(metric_name, **dict([settings.split("=")] if settings else []))
    score_of_ours = expected.corpus_score(SOURCE, CAREFUL, REFERENCES)
    assert score.score == pytest.approx(100 * score_of_ours.value, abs=1e-12)
    assert score.name == expected.label
    entries = str(metric.get_signature()).split("|")
    assert (entries[0], entries[-1]) == ("nrefs:2", f"version:geceval-{geceval.__version__}")
    ours = {entry for entry in score_of_ours.signature.split("|")[1:] if not entry.startswith(("refs:", "v:", "seed:"))}
    assert {
        ":".join([key, value.replace(":", "-")]) for key, _, value in (entry.partition(":") for entry in ours)
    } <= set(entries)
    assert pickle.loads(pickle.dumps(metric)).corpus_score(CAREFUL, REFERENCES).score == score.score


def test_score_is_formatted_as_by_sacrebleu() -> None:
    metric = adapter.metric("errant", SOURCE, REFERENCES)
    score = metric.corpus_score(CAREFUL, None, n_bootstrap=200)
    line = score.format(signature=str(metric.get_signature()))
    assert line.startswith("ERRANT|nrefs:2|bs:200|seed:")
    assert " = 69.77 (μ = " in line
    assert json.loads(score.format(signature=str(metric.get_signature()), is_json=True))["mode"] == "cs"
    seeds = adapter.metric("gleu", SOURCE)
    seeds.corpus_score(CAREFUL, REFERENCES, n_bootstrap=10)
    signature = str(seeds.get_signature())
    assert "|geceval-seed:fixed|" in signature
    assert "|seed:fixed" not in signature


def test_sentence_score_requires_its_source() -> None:
    metric = adapter.metric("green", SOURCE)
    references = [reference[3] for reference in REFERENCES]
    expected = geceval.Green().sentence_score(SOURCE[3], NOISY[3], references)
    assert metric.sentence_score(NOISY[3], references, SOURCE[3]).score == pytest.approx(100 * expected)
    with pytest.raises(geceval.GecevalError, match="the source is required"):
        metric.sentence_score(NOISY[3], references)
    assert adapter.metric("green", SOURCE[3:4]).sentence_score(NOISY[3], references).score == pytest.approx(
        100 * expected
    )


@pytest.mark.parametrize("kind", ["bs", "ar"])
def test_paired_test_compares_systems_with_the_first(kind: str) -> None:
    metrics = {"ERRANT": adapter.metric("errant", SOURCE), "GREEN": adapter.metric("green", SOURCE)}
    systems = [("noisy", NOISY), ("careful", CAREFUL), ("copy", NOISY)]
    signatures, tested = PairedTest(systems, metrics, REFERENCES, test_type=kind, n_samples=500)()
    assert set(signatures) == set(metrics)
    for name in metrics:
        base, better, same = tested[name]
        assert base.score < better.score
        assert base.score == same.score
        assert same.p_value == 1 / 501  # what docs/frameworks.md warns of
        assert 0 < better.p_value < 0.5


def test_what_does_not_fit() -> None:
    metric = adapter.metric("errant", SOURCE)
    with pytest.raises(geceval.GecevalError, match="not the same number of sentences"):
        metric.corpus_score(CAREFUL[1:], [reference[1:] for reference in REFERENCES])
    with pytest.raises(geceval.GecevalError, match="references are required"):
        metric.corpus_score(CAREFUL, None)
    with pytest.raises(geceval.GecevalError, match="after the first score"):
        adapter.metric("errant", SOURCE).get_signature()
