"""Implied edit weights of the judged collections, computed from the files by other code and by scipy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.optimize import minimize

from geceval import Scorer
from geceval.agreement.edit_weights import ImpliedWeights, implied_weights
from geceval.agreement.judgments import read_judgments
from geceval.agreement.study import make_study
from geceval.text.corpus import Corpus
from geceval.text.reading.lines import read_lines
from support.human import outputs_in

#: File of judgments, folder of outputs, attribute and first number of sentences, systems left out.
SETS: Mapping[str, tuple[str, str, str, int, Sequence[str]]] = {
    "GJG15": ("gjg15/judgments.xml", "conll14/systems", "src-id", 0, ()),
    "NSPT15": ("nspt15/all_judgments.xml", "conll14/systems", "id", 0, ()),
    "SEEDA-S": ("seeda/judgments_sent.xml", "meta/seeda/all", "src-id", 1, ("INPUT", "REF-F", "GPT-3.5")),
    "SEEDA-E": ("seeda/judgments_edit.xml", "meta/seeda/all", "src-id", 1, ("INPUT", "REF-F", "GPT-3.5")),
}


def texts(shared: Path) -> tuple[list[str], list[list[str]]]:
    folder = shared / "data/conll14"
    return read_lines(folder / "source.txt"), [read_lines(folder / f"ref{r}.txt") for r in (0, 1)]


@cache
def computed(shared: Path, name: str) -> tuple[ImpliedWeights, ImpliedWeights]:
    file, folder, _, _, excluded = SETS[name]
    source, references = texts(shared)
    judgments = read_judgments(shared / "data/meta" / file)
    study = make_study(judgments, Corpus(source, references, outputs_in(shared / "data" / folder)), exclude=excluded)
    [plain] = implied_weights(study)
    [with_systems] = implied_weights(study, systems=True, resamples=0)
    return plain, with_systems


def best_counts(rows: Any) -> tuple[int, int]:
    """Return TP and FP of the reference with the highest F0.5, then most TP, then fewest FP, then fewest FN."""

    def f(tp: int, fp: int, fn: int) -> float:
        precision, recall = (tp / (tp + fp) if fp else 1), (tp / (tp + fn) if fn else 1)
        return round(1.25 * precision * recall / (0.25 * precision + recall), 4) if precision + recall else 0

    tp, fp, _ = max(rows, key=lambda row: (f(*row), row[0], -row[1], -row[2]))
    return tp, fp


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("systems", [False, True])
def test_weights_are_those_of_an_independent_computation(shared: Path, name: str, systems: bool) -> None:
    file, folder, attribute, base, excluded = SETS[name]
    source, references = texts(shared)
    scorer = Scorer(["errant"], source, references, checks=False)
    root = ElementTree.parse(shared / "data/meta" / file).getroot()
    items: list[tuple[int, dict[str, int]]] = []
    for item in root.iter("ranking-item"):
        ranks = {
            system: int(translation.get("rank", ""))
            for translation in item.iter("translation")
            for system in translation.get("system", "").replace(",", " ").split()
        }
        items.append((int(item.get(attribute, "")) - base, ranks))
    judged = sorted({system for _, ranks in items for system in ranks} - set(excluded))
    outputs = outputs_in(shared / "data" / folder)
    names = [system for system in judged if system in outputs]
    counts = {system: scorer.counts(outputs[system])["errant"].array.tolist() for system in names}
    rows = []
    for line, ranks in items:
        for first, second in combinations(sorted(set(ranks) & set(names)), 2):
            if ranks[first] == ranks[second]:
                continue
            better, worse = (first, second) if ranks[first] < ranks[second] else (second, first)
            difference = np.subtract(best_counts(counts[better][line]), best_counts(counts[worse][line]))
            presence = [(better == system) - (worse == system) for system in names[1:]] if systems else []
            rows.append([*difference.tolist(), *presence])
    table = np.array(rows, np.float64)
    expected = minimize(
        lambda weights: np.logaddexp(0, -table @ weights).mean(),
        np.zeros(table.shape[1]),
        jac=lambda weights: -(1 / (1 + np.exp(table @ weights))) @ table / len(table),
        tol=1e-9,
    ).x
    result = computed(shared, name)[systems]
    [weight] = result.weights
    assert result.verdicts == len(rows)
    effects = [effect for system, effect in result.effects.items() if system != names[0]]
    assert [weight.correct, weight.outside, *effects] == pytest.approx(expected, abs=1e-4)
    assert weight.ratio == pytest.approx(expected[1] / expected[0], abs=1e-4)


def test_an_edit_outside_the_references_costs_in_2015_and_is_worth_something_in_seeda(shared: Path) -> None:
    ratios = {name: computed(shared, name)[0].weights[0] for name in SETS}
    assert {name: round(weight.ratio, 2) for name, weight in ratios.items()} == {
        "GJG15": -0.36, "NSPT15": -0.59, "SEEDA-S": 0.40, "SEEDA-E": 0.29,
    }  # fmt: skip
    intervals = {name: weight.intervals["ratio"] for name, weight in ratios.items()}
    assert all(intervals[name].high < 0 for name in ("GJG15", "NSPT15"))
    assert all(intervals[name].low > 0 for name in ("SEEDA-S", "SEEDA-E"))
