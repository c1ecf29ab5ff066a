"""UOT-ERRANT with a tiny encoder: what must hold of masses, plans and counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from geceval import Corpus, UotErrant, evaluate
from geceval.base.errors import UsageError
from geceval.counting.breakdown import evaluate_groups
from geceval.counting.groupings import ByType
from geceval.m2 import Block, Edit, noop
from geceval.metrics.neural.networks import MeanEncoder

SOURCE = ["the cat sat home", "he go home", "a b"]
GOLD = [
    Block(SOURCE[0], (Edit(1, 2, "R:NOUN", ("cats",)), Edit(3, 3, "M:PREP", ("at",)))),
    Block(SOURCE[1], (Edit(1, 2, "R:VERB", ("goes",)), Edit(1, 2, "R:VERB", ("went",), annotator=1))),
    Block(SOURCE[2], (noop(0),)),
]
SYSTEM = [
    Block(SOURCE[0], (Edit(1, 2, "R:NOUN", ("cats",)),)),
    Block(SOURCE[1], (Edit(1, 2, "R:VERB", ("going",)), Edit(3, 3, "M:PUNCT", (".",)))),
    Block(SOURCE[2], (noop(0),)),
]


@pytest.fixture
def settings(tiny_bert: str) -> dict[str, Any]:
    return {"model": tiny_bert}


def counts(metric: UotErrant, system: Any = SYSTEM, **options: Any) -> Any:
    return metric.counts(SOURCE, system, gold=GOLD, **options)


def test_masses_go_somewhere(settings: dict[str, Any]) -> None:
    metric = UotErrant(**settings)
    corpus = Corpus(SOURCE, (), {"it": SYSTEM}, GOLD)
    array = counts(metric).array
    for s, row in enumerate(metric.pairs(metric.prepare(corpus), SYSTEM, 1)):
        for r, pair in enumerate(row):
            tp, fp, fn, unconverged = array[s, r]
            assert tp + fp == pytest.approx(pair.system.mass.sum())
            assert tp + fn == pytest.approx(pair.reference.mass.sum())
            assert unconverged == 0
            assert pair.plan.mass.shape == (len(pair.system.edits), len(pair.reference.edits))
    assert array[2].tolist() == [[0, 0, 0, 0]] * 2


def test_an_edit_is_what_the_embedding_loses(settings: dict[str, Any], tiny_bert: str) -> None:
    encoder = UotErrant(**settings).encoder
    texts = ["the cats sat at home", "the cat sat at home", "the cats sat home", "the cat sat home"]
    whole, without_first, without_second, source = (encoder.vectors(texts)[text] for text in texts)
    corpus = Corpus(SOURCE[:1], (), {"it": SYSTEM[:1]}, GOLD[:1])
    removed = UotErrant(**settings).pairs(UotErrant(**settings).prepare(corpus), SYSTEM[:1], 1)[0][0].reference
    np.testing.assert_allclose(removed.vectors, [whole - without_first, whole - without_second], atol=1e-6)
    adding = UotErrant(vectorize="src-add", mass="uniform", **settings)
    added = adding.pairs(adding.prepare(corpus), SYSTEM[:1], 1)[0][0].reference
    np.testing.assert_allclose(added.vectors, [without_second - source, without_first - source], atol=1e-6)
    assert added.mass.tolist() == [0.5, 0.5]


def test_evidence_is_the_plan(settings: dict[str, Any]) -> None:
    metric = UotErrant(**settings)
    counted = counts(metric, evidence=True)
    evidence = counted.evidence
    np.testing.assert_allclose(evidence.sums(counted.array.shape), counted.array, rtol=1e-12, atol=1e-12)
    sent = (evidence.column == 0) & (evidence.sentence == 0)
    assert evidence.partner[sent].tolist() == [0, 1]
    [pair] = metric.pairs(metric.prepare(Corpus(SOURCE, (), {}, GOLD)), SYSTEM, 1)[0]
    assert evidence.weight[sent].tolist() == pair.plan.mass[0].tolist()
    assert (evidence.partner[evidence.column > 0] == -1).all()
    corpus = Corpus(SOURCE, (), {"it": SYSTEM}, GOLD)
    [[result]] = evaluate_groups(corpus, [metric], ByType()).values()
    groups = result.groups()
    assert sum(group.totals["tp"] for group in groups.values()) == pytest.approx(result.score().totals["tp"])
    assert groups["M:PREP"].totals["fn"] > 0


def test_the_same_edit_is_transported_whole_without_regularisation(settings: dict[str, Any]) -> None:
    metric = UotErrant(reg=1e-3, reg_m=1.0, **settings)
    tp, fp, fn, _ = counts(metric, system=[GOLD[0], SYSTEM[1], SYSTEM[2]]).array[0, 0]
    assert fp == pytest.approx(0, abs=0.02 * tp)
    assert fn == pytest.approx(0, abs=0.02 * tp)


def test_edits_without_mass(settings: dict[str, Any]) -> None:
    """The tiny encoder knows no capitals."""
    source = ["the cat"]
    gold = [Block(source[0], (Edit(0, 1, "R:ORTH", ("The",)), Edit(1, 2, "R:NOUN", ("cats",))))]
    system = [Block(source[0], (Edit(1, 2, "R:NOUN", ("cats",)),))]
    alone = [Block(source[0], gold[0].edits[1:])]

    def cells(metric: UotErrant, gold: list[Block]) -> list[float]:
        return metric.counts(source, system, gold=gold).array[0, 0].tolist()  # type: ignore[no-any-return]

    ours = UotErrant(**settings)
    assert cells(ours, gold) == pytest.approx(cells(ours, alone), abs=1e-6)
    public = UotErrant(zero="public", **settings)
    tp, fp, _, unconverged = cells(public, gold)
    assert unconverged == 1
    assert tp == pytest.approx((tp + fp) ** 2, rel=1e-4)  # a b exp(0)
    cosine = UotErrant(cost="cosine", **settings)
    assert np.isfinite(cells(cosine, gold)).all()
    with pytest.raises(UsageError, match="gives no number"):
        UotErrant(zero="public", cost="cosine")


def test_sides_without_edits(settings: dict[str, Any]) -> None:
    unchanged = [Block(line, (noop(0),)) for line in SOURCE]
    metric = UotErrant(**settings)
    array = counts(metric, system=unchanged).array
    assert (array[..., :2] == 0).all()
    assert array[0, 0, 2] > 0
    assert metric.sentence_scores(SOURCE, unchanged, gold=GOLD).tolist() == [0, 0, 1]


def test_the_signature_names_the_encoder(settings: dict[str, Any]) -> None:
    [[result]] = evaluate(Corpus(SOURCE, (), {"it": SYSTEM}, GOLD), [UotErrant(**settings)]).values()
    signature = result.signature()
    assert "|vectorize:ref-remove|cost:euclidean|mass:norm|reg:0.1|reg_m:0.1|zero:left-out|" in signature
    assert "|length:128|" in signature
    assert "|layer:3|" in signature
    assert f"@{UotErrant(**settings).encoder.fingerprint}|" in signature
    assert "annotator" not in signature


def test_means_are_cut_at_their_length(tiny_bert: str) -> None:
    short, long = (MeanEncoder(tiny_bert, None, longest, "cpu", 8) for longest in (4, 64))
    assert len(short.inputs(["the cat he home"])[0][0].pieces) == 4
    assert len(long.inputs(["the cat he home"])[0][0].pieces) == 6
    vectors = short.vectors(["the cat", "the cat he home", "the cat the"])
    np.testing.assert_array_equal(vectors["the cat he home"], vectors["the cat"])
    assert long.layer == 3
