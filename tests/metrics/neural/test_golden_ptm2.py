"""PT-M², PT-ERRANT and CLEME2.0 with similarity weights against the recorded numbers, with the same MiniLM weights."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from geceval import m2
from geceval.counting.policies import best
from geceval.m2 import Block
from geceval.metrics.cleme2 import Cleme2
from geceval.metrics.ptm2 import PtErrant, PtM2
from support.golden import lines, load

SYSTEMS = ("AMU", "CAMB", "CUUI")
#: Float noise of batching and of processors: of a weight, of a corpus figure, a ratio of sums of some 50 that may be
#: off by 200 weights' noise each, and of a sentence's, a ratio of few weights near 1e-3.
WEIGHT, CORPUS, SENTENCE = 1e-6, 4e-6, 5e-5


@cache
def blocks(path: Path) -> list[Block]:
    return list(m2.read(path))


def golden(shared: Path) -> Any:
    return load(shared / "golden" / "ptm2" / "ptm2.json")


def data(shared: Path, system: str, base: str, size: int) -> tuple[list[str], Any, list[Block]]:
    """Source, hypothesis and gold of the first sentences."""
    if base == "m2":
        gold = blocks(shared / "data" / "conll14" / "gold.m2")
        hypothesis: Any = lines(shared / "data" / "conll14" / "systems" / f"{system}.txt")
    else:
        gold = blocks(shared / "data" / "conll14-errant" / "gold.m2")
        hypothesis = blocks(shared / "data" / "conll14-errant" / f"{system}.m2")
    return [block.source for block in gold[:size]], hypothesis[:size], gold[:size]


@pytest.mark.parametrize("base", ["m2", "errant"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_ptm2(shared: Path, minilm: str, system: str, base: str) -> None:
    recorded = golden(shared)["ptm2_first_200"][system]
    source, hypothesis, gold = data(shared, system, base, 200)
    metric = PtM2(model=minilm, layer=6, base=base)  # type: ignore[arg-type]
    counts = metric.counts(source, hypothesis, gold=gold)
    corpus, sentence = recorded[base]["bertscore"], recorded[f"sent{base}"]["bertscore"]
    [choice] = metric.choices(counts)
    assert choice.tolist() == corpus["chosen_annotator"]
    totals = counts.chosen(choice).sum(0)
    for name, value in zip(("correct", "proposed", "gold"), totals, strict=False):
        assert value == pytest.approx(corpus[name], abs=200 * WEIGHT), name
    parts = metric.parts(totals)
    assert float(metric.score(totals)) == pytest.approx(corpus["F"], abs=CORPUS)
    assert float(parts["precision"]) == pytest.approx(corpus["P"], abs=CORPUS)
    assert float(parts["recall"]) == pytest.approx(corpus["R"], abs=CORPUS)
    rows = counts.chosen(best(metric.figure, counts))
    alone = metric.own_parts(rows)
    expected = list(zip(*sentence["sentence_PRF"], strict=True))
    for name, values in zip(("precision", "recall"), expected, strict=False):
        # The public tool has 1 where nothing is proposed, or where there is nothing to find.
        assert np.nan_to_num(alone[name], nan=1.0) == pytest.approx(list(values), abs=SENTENCE), name
    assert metric.sentence_scores(source, hypothesis, gold=gold) == pytest.approx(list(expected[2]), abs=SENTENCE)
    assert best(metric.figure, counts).tolist() == sentence["chosen_annotator"]


@pytest.mark.parametrize("base", ["m2", "errant"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_weight_of_every_edit(shared: Path, minilm: str, system: str, base: str) -> None:
    from geceval.metrics.ptm2 import compute_gains
    from geceval.text.corpus import Corpus

    source, hypothesis, gold = data(shared, system, base, 200)
    metric = PtM2(model=minilm, layer=6, base=base)  # type: ignore[arg-type]
    prepared = metric.prepare(Corpus(source, (), {}, gold))
    rows = list(metric.comparisons(prepared, hypothesis, 1))
    checked = 0
    for case in golden(shared)["ptm2_first_200"][system][base]["bertscore"]["per_edit_20"]:
        annotator = list(gold[case["sent"]].annotators).index(case["annotator"])
        comparison = rows[case["sent"]][annotator]
        [weights] = compute_gains([comparison], metric.scorer, 2)
        _, proposed, reference = comparison.columns
        for ours, theirs in ((proposed, case["system_edits"]), (reference, case["gold_edits"])):
            expected = {(e[0], e[1], e[-2]): e[-1] for e in theirs}
            assert {edit.effect: weights[edit.effect] for edit in ours} == pytest.approx(expected, abs=WEIGHT)
            checked += len(theirs)
    assert checked > 30


@pytest.mark.parametrize(("system", "part"), [("AMU", "f"), ("AMU", "p"), ("AMU", "r"), ("CAMB", "f"), ("CUUI", "f")])
def test_pterrant(shared: Path, minilm: str, system: str, part: str) -> None:
    expected = golden(shared)["pterrant_first_200"][system][f"pt_errant_{part}"]
    source, hypothesis, gold = data(shared, system, "errant", 200)
    metric = PtErrant(model=minilm, layer=6, part=part)  # type: ignore[arg-type]
    counts = metric.counts(source, hypothesis, gold=gold)
    [totals] = metric.totals(counts)
    for name, value in zip(("tp", "fp", "fn"), totals, strict=False):
        assert value == pytest.approx(expected["corpus"][name], abs=200 * WEIGHT), name
    assert float(metric.score(totals)) == pytest.approx(expected["corpus"]["F"], abs=CORPUS)
    rows = counts.chosen(best(metric.figure, counts))
    assert metric.score(rows) == pytest.approx(expected["sentence_F"], abs=SENTENCE)
    for row, triple in zip(rows, expected["sentence_tp_fp_fn"], strict=True):
        assert row[:3] == pytest.approx(triple, abs=3 * WEIGHT)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("assumption", ["dependent", "independent"])
def test_cleme2_with_similarity_weights(shared: Path, minilm: str, assumption: str) -> None:
    recorded = load(shared / "golden" / "cleme" / "cleme.json")["cleme2_similarity_minilm"]["conll14-errantgold/AMU"]
    source, hypothesis, gold = data(shared, "AMU", "errant", 1312)
    names = {"tp": 0, "fp_ne": 1, "fp_un": 2, "fn": 3, "tn": 4}
    for factors in ("corpus", "sentence"):
        metric = Cleme2(assumption=assumption, weights="similarity", factors=factors, model=minilm, layer=6)  # type: ignore[arg-type]
        counts = metric.counts(source, hypothesis, gold=gold)
        rows = recorded[assumption][f"{factors}_factors"]
        [totals] = metric.totals(counts)
        alone = counts.chosen(best(metric.figure, counts))
        for sums, row, value in (
            (totals, rows["heuo_corpus_weighted"], float(metric.score(totals))),
            (alone.sum(0), rows["heuo_sentence_weighted"], float(metric.score(alone).mean())),
        ):
            for name, k in names.items():
                assert sums[k] == pytest.approx(row[name], abs=2e-4, rel=1e-5), name
            assert value == pytest.approx(row["com"], abs=1e-5)
        parts = {name: float(part.mean()) for name, part in metric.parts(alone).items()}
        for name, key in (("hit", "hit"), ("wrong", "err"), ("under", "und"), ("over", "ove")):
            assert parts[name] == pytest.approx(rows["heuo_sentence_weighted"][key], abs=1e-5)


def test_without_weights_it_is_the_matching_alone(shared: Path, minilm: str) -> None:
    """The numbers of edits beside the weights give the recorded unweighted score."""
    source, hypothesis, gold = data(shared, "AMU", "errant", 200)
    metric = PtErrant(model=minilm, layer=6)
    counts = metric.counts(source, hypothesis, gold=gold)
    unweighted = type(counts)(counts.array[..., [3, 4, 5, 3, 4, 5]], counts.columns, counts.present)
    [totals] = metric.totals(unweighted)
    expected = golden(shared)["pterrant_first_200"]["AMU"]["errant_unweighted"]["corpus"]
    assert totals[:3].tolist() == [expected["tp"], expected["fp"], expected["fn"]]
