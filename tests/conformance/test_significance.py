"""Intervals and tests on CoNLL-2014 against the recorded figures of ``golden/meta``, and the size of the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from geceval import Corpus, Green, MaxMatch, compare, read_corpus
from geceval.counting.comparison_options import Options
from geceval.counting.system_results import kept_counts
from geceval.resampling.replicates import replicates_of
from geceval.resampling.resampled_counts import Resampled
from geceval.statistics.resampling import sentence_keys
from geceval.statistics.significance import centred_p
from support.human import judgments_of, recorded

NAMES = ("AMU", "CAMB", "CUUI", "RAC", "POST")


@pytest.fixture(scope="module")
def golden(shared: Path) -> dict[str, Any]:
    document: dict[str, Any] = recorded(shared)["significance"]
    return document


def conll(shared: Path, names: tuple[str, ...], rows: list[int] | None = None) -> Corpus:
    folder = shared / "data/conll14"
    references = [str(folder / f"ref{r}.txt") for r in (0, 1)]
    systems = [str(folder / "systems" / f"{name}.txt") for name in names]
    corpus = read_corpus(str(folder / "source.txt"), references, systems, gold=str(folder / "gold.m2"))
    if rows is None:
        return corpus
    assert corpus.gold is not None
    return Corpus(
        [corpus.source[s] for s in rows],
        [[reference[s] for s in rows] for reference in corpus.references],
        {name: [lines[s] for s in rows] for name, lines in corpus.systems.items()},
        [corpus.gold[s] for s in rows],
    )


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_green(shared: Path, golden: dict[str, Any], test: Any) -> None:
    """p within 0.01, as for any other generator; bounds and deviations within the noise of the recorded 1000 draws."""
    comparison = compare(conll(shared, NAMES), [Green()], test=test, checks=False)
    for score in comparison.systems:
        expected = golden["green_word_b2"]["bootstrap"][score.system]
        assert score.value == pytest.approx(expected["score"], abs=1e-8)
        assert score.deviation == pytest.approx(expected["boot_sd"], rel=0.08)
        assert (score.low, score.high) == pytest.approx(expected["percentile95_sacrebleu_index"], abs=1.5e-3)
    for pair in comparison.pairs:
        expected = golden["green_word_b2"]["pairs"][f"{pair.a}-{pair.b}"]
        assert abs(pair.difference) == pytest.approx(abs(expected["diff"]), abs=1e-8)
        recorded_p = "AR_R10000_seed12345_p" if test == "randomisation" else "boot_centred_two_sided_p"
        # The recorded bootstrap has 1000 draws, so that a p of .7 has a standard error of .014.
        near = 0.01 if test == "randomisation" else 0.03
        assert pair.p == pytest.approx(expected[recorded_p], abs=near)
        bounds = sorted(expected["boot_B1000_ci95_of_difference"])
        assert (pair.low, pair.high) == pytest.approx(bounds, abs=1.5e-3)


def test_all_labellings_of_twelve_sentences(shared: Path, golden: dict[str, Any]) -> None:
    small = golden["green_word_b2"]["exact_small"]
    [pair] = compare(conll(shared, ("AMU", "CAMB"), small["sentences_0based"]), [Green()], checks=False).pairs
    assert pair.exact
    assert pair.difference == pytest.approx(small["f_AMU"] - small["f_CAMB"], abs=1e-9)
    assert pair.p == small["at_least_as_extreme"] / small["assignments"] == 572 / 4096


@pytest.fixture(scope="module")
def judged(shared: Path) -> list[int]:
    """The lines that people judged."""
    return sorted({item.source_id for item in judgments_of(shared, "gjg15").items})


def test_the_best_references_are_those_of_the_running_total(
    shared: Path, golden: dict[str, Any], judged: list[int]
) -> None:
    """For 13 systems on 663 lines: so that no difference is said."""
    names = tuple(golden["greedy_vs_optimum"])
    folder = shared / "data/conll14/systems"
    present = tuple(name for name in names if (folder / f"{name}.txt").exists())
    assert len(present) == 13
    corpus = conll(shared, present, judged)
    assert len(corpus) == 663
    counts = kept_counts(corpus, MaxMatch())
    resampled = Resampled(MaxMatch(), present, Options(samples=1), references=2)
    resampled.add(counts)
    best = replicates_of(resampled).observed
    for name, official, optimum in zip(present, resampled.official_scores(), best, strict=True):
        expected = golden["greedy_vs_optimum"][name]
        assert official == pytest.approx(expected["greedy"], abs=1e-8)
        assert optimum == pytest.approx(expected["optimum"], abs=1e-8)


def test_pairs_on_the_judged_lines(shared: Path, judged: list[int]) -> None:
    """The figures of the specification, section 5.2."""
    comparison = compare(conll(shared, ("CAMB", "AMU", "CUUI", "PKU", "UMC"), judged), [MaxMatch()], checks=False)
    p = {(pair.a, pair.b): pair.p for pair in comparison.pairs}
    expected = {("CAMB", "AMU"): 0.1194, ("CAMB", "CUUI"): 0.421, ("PKU", "UMC"): 0.762}
    assert {pair: p[pair] for pair in expected} == pytest.approx(expected, abs=0.015)
    assert (comparison.pairs[0].low, comparison.pairs[0].high) == pytest.approx(
        (-0.0026, 0.0518), abs=4e-3
    )  # from 1000
    assert not comparison.warnings
    assert "ref:MaxMatch=frozen" in comparison.signature


@pytest.mark.parametrize(("metric", "trials"), [(Green(), 500), (MaxMatch(), 500)], ids=["green", "maxmatch"])
def test_size_under_the_null(shared: Path, metric: Any, trials: int) -> None:
    """With labels dealt out anew there is no difference: both tests find one at 5 % in 3 to 5.5 % of the trials."""
    counts = kept_counts(conll(shared, ("AMU", "CAMB")), metric)
    both = np.stack([rows.chosen(metric.choices(rows)[0]) for rows in counts.values()], axis=1).astype(np.int64)
    deal, keys = np.random.default_rng(1), sentence_keys(0, len(both))
    p_values: dict[str, list[float]] = {"randomisation": [], "bootstrap": []}
    for seed in range(trials):
        swap = deal.integers(2, size=(len(both), 1, 1), dtype=bool)
        resampled = Resampled(metric, tuple(counts), Options(samples=199, seed=seed), [(0, 1)])
        resampled.all_sentences.sums.take(keys, np.where(swap, both[:, ::-1], both))
        drawn = replicates_of(resampled)
        observed = float(drawn.observed[0] - drawn.observed[1])
        p_values["randomisation"].append(drawn.p_values()[0][0])
        replicates = drawn.bootstrap()
        p_values["bootstrap"].append(centred_p(replicates[:, 0] - replicates[:, 1], observed))
    for test, p in p_values.items():
        share = float((np.array(p) <= 0.05).mean())
        assert 0.03 <= share <= 0.055, (test, share)
        assert float((np.array(p) <= 0.5).mean()) == pytest.approx(0.5, abs=0.05), test
