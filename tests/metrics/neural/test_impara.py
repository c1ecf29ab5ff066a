"""IMPARA and IMPARA-GED with tiny networks."""

from __future__ import annotations

import math

import pytest

from geceval import Corpus, GecevalWarning, Impara, ImparaGed, evaluate
from geceval.base.errors import UsageError
from geceval.counting.signature import signature_of
from geceval.metrics.neural.networks import MeanVectors
from support import stand_ins

SOURCE = ["he go home .", "the cat sit .", "a b", "", "the cat"]
HYPOTHESIS = ["he goes home .", "x y", "a b", "the cat", ""]


def impara(**settings: object) -> Impara:
    return Impara(model=stand_ins.rater(), similarity=stand_ins.encoder(), **settings)  # type: ignore[arg-type]


def logits(metric: Impara, texts: list[str]) -> list[float]:
    inputs, _ = metric.networks.quality.inputs(texts)
    values = metric.networks.quality.values(inputs)
    return [values[key] for key in inputs]


def cosines(metric: Impara) -> list[float]:
    network = metric.networks.similarity
    assert network is not None
    sides = [network.inputs(text)[0] for text in (SOURCE, HYPOTHESIS)]
    return network.cosines(list(zip(*sides, strict=True))).tolist()


@pytest.mark.parametrize("threshold", [-1.0, 0.7, 0.9, 1.0, None])
def test_ratings_pass_the_gate_or_are_0(threshold: float | None) -> None:
    metric = impara(threshold=threshold)
    ratings = [1 / (1 + math.exp(-logit)) for logit in logits(metric, HYPOTHESIS)]
    closed = [threshold is not None and cosine < threshold for cosine in cosines(impara())]
    expected = [0.0 if shut else rating for shut, rating in zip(closed, ratings, strict=True)]
    assert metric.sentence_scores(SOURCE, HYPOTHESIS) == pytest.approx(expected, abs=1e-6)
    score = metric.corpus_score(SOURCE, HYPOTHESIS)
    assert score.value == pytest.approx(sum(expected) / 5, abs=1e-6)
    assert score.parts["gated"] == pytest.approx(sum(closed) / 5)
    assert score.totals["gated"] == sum(closed)


def test_an_equal_text_passes_every_threshold() -> None:
    assert impara(threshold=1.0).sentence_scores(["the cat"], ["the  cat"])[0] > 0  # of equal pieces, too
    with pytest.raises(UsageError, match=r"threshold is -999; it must be at least -1.*\n.*threshold=none") as caught:
        impara(threshold=-999)
    assert str(caught.value)


def test_without_a_gate_no_similarity_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("it was loaded")

    monkeypatch.setattr(MeanVectors, "__init__", refuse)
    metric = Impara(model=stand_ins.rater(), similarity="no such model", threshold=None)
    assert metric.sentence_scores(SOURCE, HYPOTHESIS).shape == (5,)
    assert "|gate:off|" in signature_of(metric, 0)
    assert "similarity" not in signature_of(metric, 0)
    assert "threshold" not in signature_of(metric, 0)


def test_the_signature() -> None:
    metric = impara()
    networks = metric.networks
    assert networks.similarity is not None
    models = f"model:{networks.quality.signed}|similarity:{networks.similarity.signed}"
    assert signature_of(metric, 0).startswith(f"IMPARA|{models}|threshold:0.9|length:128|precision:float32|")


def test_what_is_cut_is_said() -> None:
    corpus = Corpus(["a b c d e f", "a", "a"], (), {"it": ["a", "a b c d e", "a"]})
    with pytest.warns(GecevalWarning, match=r"impara: 2 of 3 sentences .* more than 6 pieces"):
        evaluate(corpus, [impara(length=6)])
    with pytest.warns(GecevalWarning, match=r"impara: 1 of 3 sentences have"):
        evaluate(corpus, [impara(length=6, threshold=None)])  # nobody looks at the source


def test_ged_takes_the_mean_or_what_is_said() -> None:
    configured = ImparaGed(model=stand_ins.modern_rater("mean"))
    assert "IMPARA-GED|" in signature_of(configured, 0)
    assert "|gate:off|length:128|pooling:mean|" in signature_of(configured, 0)
    with pytest.raises(UsageError, match="has pooling=cls, but the card of IMPARA-GED requires mean") as caught:
        ImparaGed(model=stand_ins.modern_rater("cls")).corpus_score(["a"], ["a"])
    assert caught.value.hint == "set pooling=mean or pooling=cls"
    scores = {
        said: ImparaGed(model=stand_ins.modern_rater("cls"), pooling=said).corpus_score(SOURCE, HYPOTHESIS).value  # type: ignore[arg-type]
        for said in ("cls", "mean")
    }
    assert scores["mean"] == pytest.approx(configured.corpus_score(SOURCE, HYPOTHESIS).value, abs=1e-6)
    assert scores["cls"] != pytest.approx(scores["mean"], abs=1e-3)
