"""CLEME and CLEME2.0 against every recorded number of the public toolkit, to 1e-9."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from geceval import m2
from geceval.base.errors import InputError
from geceval.counting.policies import best
from geceval.extending import Counts, Metric
from geceval.m2 import Block
from geceval.metrics.cleme import Cleme
from geceval.metrics.cleme2 import Cleme2, Factors
from geceval.metrics.shared.chunk_metric import Assumption, Weights
from support.golden import load

ASSUMPTIONS: tuple[Assumption, ...] = ("dependent", "independent")
WEIGHTS: dict[str, Weights] = {
    "none": "none",
    "length": "length",
    "length_sentence_intended": "length-sentence",
}
FACTORS: dict[str, Factors] = {
    "corpus_factors": "corpus",
    "sentence_factors": "sentence",
    "class_default_factors": "class",
}
#: Cases in which we differ, with the reason (docs/metrics/chunks.md).
DIFFERENT = {
    "annotators_0_and_2": "two references, not one",
    "alternatives_not_split": "the first alternative, not the text 'B||BB'",
    "unsorted_reference_edits": "the edits are sorted, not applied at shifted offsets",
}
REFUSED = {"overlapping_reference_edits"}


@cache
def blocks(path: Path) -> list[Block]:
    return list(m2.read(path))


def golden(shared: Path) -> Any:
    return load(shared / "golden" / "cleme" / "cleme.json")


def of_corpus(metric: Metric, counts: Counts) -> dict[str, float]:
    [totals] = metric.totals(counts)
    return (
        sums(totals)
        | {"value": float(metric.score(totals))}
        | {k: float(v) for k, v in metric.scale.with_conventions(metric.parts(totals)).items()}
    )


def of_sentences(metric: Cleme | Cleme2, counts: Counts) -> dict[str, float]:
    rows = counts.chosen(best(metric.figure, counts))
    parts = metric.scale.with_conventions(metric.own_parts(rows))
    means = {name: float(part.mean()) for name, part in parts.items()}
    return sums(rows.sum(0)) | {"value": float(metric.own_score(rows).mean())} | means


def sums(totals: np.ndarray) -> dict[str, float]:
    tp, necessary, unnecessary, fn, tn = totals.tolist()
    return {"tp": tp, "fp_ne": necessary, "fp_un": unnecessary, "fp": necessary + unnecessary, "fn": fn, "tn": tn}


NAMES = {"value": "f", "precision": "p", "recall": "r", "accuracy": "acc"}
NAMES2 = {"value": "com", "hit": "hit", "wrong": "err", "under": "und", "over": "ove"}


def check(
    figures: dict[str, float], expected: dict[str, float], names: dict[str, str], digits: int | None = None
) -> None:
    for name, value in figures.items():
        key = names.get(name, name)
        if key in expected:
            value = round(value, digits) if digits and name in names else value
            assert value == pytest.approx(expected[key], abs=1e-9, rel=1e-12), name


def pairs(shared: Path) -> list[tuple[str, Any]]:
    return list(golden(shared)["results"].items())


@pytest.mark.parametrize("assumption", ASSUMPTIONS)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_every_system(shared: Path, assumption: Assumption, weights: str) -> None:
    for name, result in pairs(shared):
        gold = blocks(shared / result["ref"])
        hypothesis = blocks(shared / result["hyp"].replace("conll14*", "conll14"))
        source = [block.source for block in gold]
        metric = Cleme(assumption=assumption, weights=WEIGHTS[weights])
        counts = metric.counts(source, hypothesis, gold=gold)
        rows = result["cleme"][assumption][weights]["rows"]
        check(of_corpus(metric, counts), rows["prf_corpus_weighted"], NAMES, digits=4)
        check(of_sentences(metric, counts), rows["prf_sentence_weighted"], NAMES)
        unrounded = {name: of_corpus(metric, counts)[name] for name in ("value", "precision", "recall")}
        check(unrounded, rows["prf_corpus_weighted"]["unrounded"], NAMES)
        for factors, rows in result["cleme2"][assumption].get(weights, {}).items():
            metric2 = Cleme2(assumption=assumption, weights=WEIGHTS[weights], factors=FACTORS[factors])
            check(of_corpus(metric2, counts), rows["heuo_corpus_weighted"], NAMES2)
            check(of_sentences(metric2, counts), rows["heuo_sentence_weighted"], NAMES2)
        if "per_sentence" in result and weights == "length":
            for s, references in enumerate(result["per_sentence"][assumption]["refs"]):
                expected = [[r["w"][0], r["w"][4], r["w"][5], r["w"][2], r["w"][3]] for r in references]
                assert counts.array[s][counts.mask[s]] == pytest.approx(np.array(expected), abs=1e-9), (name, s)


@pytest.mark.parametrize("assumption", ASSUMPTIONS)
def test_the_order_of_sentences(shared: Path, assumption: Assumption) -> None:
    document = golden(shared)
    for name, orders in document["order_dependence"].items():
        if name not in document["results"]:
            continue
        result = document["results"][name]
        for order in ("file", "reverse"):
            gold, hypothesis = (
                blocks(shared / result[key].replace("conll14*", "conll14"))[:: -1 if order == "reverse" else 1]
                for key in ("ref", "hyp")
            )
            source, expected = [block.source for block in gold], orders[assumption][order]
            plain = Cleme(assumption=assumption, weights="none").corpus_score(source, hypothesis, gold=gold)
            length = Cleme(assumption=assumption).corpus_score(source, hypothesis, gold=gold)
            two = Cleme2(assumption=assumption, weights="none").corpus_score(source, hypothesis, gold=gold)
            assert (round(plain.value, 4), plain.totals["tp"]) == (expected["f_unweighted"], expected["tp_unw"])
            assert plain.totals["fn"] == expected["fn_unw"]
            assert round(length.value, 4) == expected["f_length"]
            assert length.totals["tp"] == pytest.approx(expected["tp_length"], abs=1e-9)
            assert two.value == pytest.approx(expected["cleme2_com_unw"], abs=1e-9)


def test_the_mean_score_of_amu_holds_everything(shared: Path) -> None:
    result = golden(shared)["results"]["conll14-errantgold/AMU"]
    gold, hypothesis = blocks(shared / result["ref"]), blocks(shared / result["hyp"])
    source = [block.source for block in gold]
    score = Cleme(weights="length-sentence").mean_score(source, hypothesis, gold=gold)
    rows = result["cleme"]["dependent"]["length_sentence_intended"]["rows"]["prf_sentence_weighted"]
    check({"value": score.value, **score.parts}, rows, NAMES)
    assert score.parts.keys() == {"precision", "recall", "accuracy"}


def test_the_mean_chunk_length(shared: Path) -> None:
    for name, result in pairs(shared):
        gold = blocks(shared / result["ref"])
        hypothesis = blocks(shared / result["hyp"].replace("conll14*", "conll14"))
        metric = Cleme()
        prepared = metric.prepare(_corpus(gold))
        stats = result["ref_chunk_stats"]
        constant: Any = metric.constant
        sums = constant.sums(prepared, hypothesis)
        assert sums.tolist() == [stats["changed"], stats["sum_len"]], name
        assert constant.with_constant(sums).x0 == pytest.approx(result["x0"]["dependent"], rel=1e-15)


def _corpus(gold: list[Block]) -> Any:
    from geceval import Corpus

    return Corpus([block.source for block in gold], (), {}, gold)


def check_chunks(gold: list[Block], hypothesis: list[Block], expected: list[Any], merge_distance: int = 0) -> None:
    metric = Cleme(merge_distance=merge_distance)
    prepared = metric.prepare(_corpus(gold))
    chunks, texts = prepared.chunks(hypothesis, 1), prepared.texts(hypothesis, 1)
    for s, rows in enumerate(expected):
        part = range(*chunks.offsets[s : s + 2])
        cells = [0, *(r + 1 for r, is_present in enumerate(chunks.present[s]) if is_present)]
        for c, row in zip(part, rows, strict=True):
            assert [int(chunks.start[c]), int(chunks.end[c])] == row["span"]
            assert chunks.changed[c, cells].tolist() == [row["hyp_changed"], *row["ref_changed"]]
            assert [texts.strings[place] for place in texts.text[c, cells]] == [row["hyp"], *row["refs"]]


def test_the_chunks_of_sixty_sentences(shared: Path) -> None:
    number = 0
    for _, result in pairs(shared):
        if "first60_chunks" in result:
            gold, hypothesis = blocks(shared / result["ref"]), blocks(shared / result["hyp"])
            check_chunks(gold[:60], hypothesis[:60], result["first60_chunks"])
            number += 1
    assert number


def test_edge_cases(shared: Path, tmp_path: Path) -> None:
    ran = 0
    for name, case in golden(shared)["edge_cases"].items():
        if "chunks" not in case:
            continue
        gold, hypothesis = (parse(tmp_path, case[key]) for key in ("ref_m2", "hyp_m2"))
        source = [block.source for block in gold]
        if name in REFUSED:
            with pytest.raises(InputError, match="overlaps"):
                Cleme().corpus_score(source, hypothesis, gold=gold)
            continue
        if name in DIFFERENT:
            with pytest.raises(AssertionError):
                check_chunks(gold, hypothesis, [case["chunks"]])
            continue
        ran += 1
        distance = int(name.removeprefix("merge_distance_")) if name.startswith("merge") else 0
        check_chunks(gold, hypothesis, [case["chunks"]], distance)
        for key, expected in case.items():
            assumption, _, weights = key.partition("/")
            if weights and expected.get("x0", 1.0) is not None:  # without x0 the public figures are NaN
                counts = Cleme(assumption=assumption, weights=weights).counts(source, hypothesis, gold=gold)
                cleme, cleme2 = Cleme(), Cleme2()
                check(of_corpus(cleme, counts), expected["corpus"], NAMES, digits=4)
                check(of_sentences(cleme, counts), expected["sentence"], NAMES)
                rows = expected["cleme2_corpus_factors"]
                check(of_corpus(cleme2, counts), rows["heuo_corpus_weighted"], NAMES2)
                check(of_sentences(cleme2, counts), rows["heuo_sentence_weighted"], NAMES2)
    assert ran > 15


def parse(folder: Path, lines: list[str]) -> list[Block]:
    path = folder / "case.m2"
    path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    return list(m2.read(path))
