"""Agreement of people with each other and of metrics with them, by separate loops over the published files."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

import geceval
from geceval import m2
from geceval.agreement.human_ceilings import ceilings_of
from geceval.agreement.judgments import read_judgments
from geceval.agreement.meta_evaluation import ShownStudy
from geceval.agreement.metric_agreement import count_systems
from geceval.agreement.people import People
from geceval.text.corpus import Corpus
from geceval.text.reading.lines import read_lines
from support.human import outputs_in

Array = NDArray[np.float64]
SEEDA = ("INPUT", "REF-F", "GPT-3.5")


class Verdict(NamedTuple):
    """A verdict on two outputs: 1 if the first group of systems is better."""

    sentence: int
    user: str
    groups: tuple[frozenset[str], frozenset[str]]
    outcome: int


class JudgedFile(NamedTuple):
    """A file of judgments, the systems left out, and recorded figures of people and metrics.

    ``people``: agreement of two people, number of comparisons, reliability, separated pairs of systems. ``metrics``:
    soft pairwise accuracy, tie-calibrated accuracy with its threshold, agreement with one person.
    """

    path: str
    exclude: tuple[str, ...]
    people: tuple[float, int, float, int]
    metrics: dict[str, tuple[float, float, float, float]]


FILES = {
    "GJG15": JudgedFile(
        "gjg15/judgments.xml",
        (),
        (0.8199, 16399, 0.9249, 41),
        {
            "errant": (0.7671, 0.4905, 0.044444, 0.6705),
            "green": (0.7811, 0.5088, 0.000879, 0.6838),
            "gleu": (0.7117, 0.5103, 0.000727, 0.6786),
        },
    ),
    "NSPT15": JudgedFile(
        "nspt15/all_judgments.xml",
        ("refmix1", "src"),
        (0.8255, 1685, 0.8142, 28),
        {
            "errant": (0.6436, 0.5073, 0.000000, 0.6585),
            "green": (0.7454, 0.5673, 0.000272, 0.6712),
            "gleu": (0.7420, 0.5621, 0.005223, 0.6401),
        },
    ),
    "SEEDA-S": JudgedFile(
        "seeda/judgments_sent.xml",
        SEEDA,
        (0.8362, 177, 0.9341, 42),
        {
            "errant": (0.6324, 0.4504, 0.000000, 0.5621),
            "green": (0.8241, 0.4814, 0.012179, 0.5989),
            "gleu": (0.8009, 0.5416, 0.000155, 0.6808),
        },
    ),
    "SEEDA-E": JudgedFile(
        "seeda/judgments_edit.xml",
        SEEDA,
        (0.7639, 144, 0.9240, 47),
        {
            "errant": (0.6888, 0.4362, 0.011765, 0.6285),
            "green": (0.8311, 0.4736, 0.089239, 0.6667),
            "gleu": (0.8311, 0.4656, 0.020116, 0.7396),
        },
    ),
}


@cache
def verdicts(path: Path, exclude: tuple[str, ...]) -> list[Verdict]:
    """The verdicts on groups of systems under study, without an output that no such system has."""
    found = []
    for item in ElementTree.parse(path).iter("ranking-item"):
        groups = []
        for translation in item.iter("translation"):
            names = frozenset(translation.attrib["system"].replace(",", " ").split()) - set(exclude)
            if names:
                groups.append((names, int(translation.attrib["rank"])))
        groups.sort(key=lambda group: min(group[0]))
        sentence = int(item.attrib.get("src-id", item.attrib["id"]))
        for (first, high), (second, low) in itertools.combinations(groups, 2):
            outcome = (high < low) - (high > low)
            found.append(Verdict(sentence, item.attrib["user"], (first, second), outcome))
    return found


def wins_of(path: Path, systems: list[str]) -> dict[int, Array]:
    """Wins by sentence [K, K] of all judged systems, for each pair of systems."""
    wins: dict[int, Array] = defaultdict(lambda: np.zeros((len(systems), len(systems))))
    for verdict in verdicts(path, ()):
        table = wins[verdict.sentence]
        for i, j in itertools.product(*([systems.index(name) for name in group] for group in verdict.groups)):
            table[i, j] += verdict.outcome > 0
            table[j, i] += verdict.outcome < 0
    return dict(wins)


def expected_wins(wins: Array) -> Array:
    scores = []
    for i in range(len(wins)):
        decided = [j for j in range(len(wins)) if wins[i, j] + wins[j, i]]
        scores.append(np.mean([wins[i, j] / (wins[i, j] + wins[j, i]) for j in decided]) if decided else np.nan)
    return np.array(scores)


def twice_judged(path: Path, exclude: tuple[str, ...]) -> Iterator[tuple[Verdict, tuple[int, int]]]:
    """Decided verdicts of two people on two outputs, which groups with a common system are: one, and both outcomes."""
    by_sentence = defaultdict(list)
    for verdict in verdicts(path, exclude):
        if verdict.outcome:
            by_sentence[verdict.sentence].append(verdict)
    for group in by_sentence.values():
        for a, b in itertools.combinations(group, 2):
            if a.user != b.user and a.groups[0] & b.groups[0] and a.groups[1] & b.groups[1]:
                yield a, (a.outcome, b.outcome)
            elif a.user != b.user and a.groups[0] & b.groups[1] and a.groups[1] & b.groups[0]:
                yield a, (a.outcome, -b.outcome)


@pytest.mark.parametrize("name", FILES)
def test_two_people_reliability_and_separated_pairs(shared: Path, name: str) -> None:
    file = FILES[name]
    path = shared / "data/meta" / file.path
    people = People.of(read_judgments(path))
    systems = [system for system in people.pairs.systems if system not in file.exclude]
    ceilings = ceilings_of(people, systems)
    assert ceilings.two_people is not None
    share, comparisons, reliability, separated = file.people
    assert ceilings.two_people.share == pytest.approx(share, abs=5e-5)
    assert ceilings.two_people.comparisons == comparisons
    assert ceilings.reliability == pytest.approx(reliability, abs=5e-5)
    assert ceilings.separated == separated
    compared = list(twice_judged(path, file.exclude))
    assert len(compared) == comparisons
    assert sum(outcomes[0] == outcomes[1] for _, outcomes in compared) == round(ceilings.two_people.share * comparisons)
    # Other random numbers: halves, and draws of sentences.
    every = list(people.pairs.systems)
    wins = wins_of(path, every)
    tables, columns, rng = (
        np.stack(list(wins.values())),
        [every.index(name) for name in systems],
        np.random.default_rng(7),
    )
    judged = len({verdict.sentence for verdict in verdicts(path, ())})
    tables = np.concatenate([tables, np.zeros((judged - len(tables), len(every), len(every)))])
    correlations = []
    for _ in range(300):
        order = rng.permutation(judged)
        halves = [expected_wins(tables[part].sum(axis=0))[columns] for part in np.array_split(order, 2)]
        correlations.append(np.corrcoef(*halves)[0, 1])
    r = np.nanmean(correlations)
    assert 2 * r / (1 + r) == pytest.approx(ceilings.reliability, abs=0.004)
    drawn = np.array(
        [expected_wins(tables[rng.integers(judged, size=judged)].sum(axis=0))[columns] for _ in range(500)]
    )
    low, high = np.nanpercentile(drawn[:, :, None] - drawn[:, None], [2.5, 97.5], axis=0)
    assert ((low > 0) | (high < 0)).sum() / 2 == pytest.approx(separated, abs=3)


# --- metrics ---

METRICS = ["errant", "green", "gleu"]
#: The figures of ERRANT are those of its release 2.3.
SPECS = ["errant:annotator=builtin:2", "green", "gleu"]


@cache
def corpus(shared: Path, name: str) -> Corpus:
    """The corpus of a file of judgments, all lines of CoNLL-2014."""
    folder = shared / "data/conll14"
    outputs = shared / "data/meta/seeda/all" if "SEEDA" in name else folder / "systems"
    exclude = (*FILES[name].exclude, "NULL", *(("INPUT",) if name == "NSPT15" else ()))
    systems = {system: lines for system, lines in outputs_in(outputs).items() if system not in exclude}
    references = [read_lines(folder / f"ref{r}.txt") for r in (0, 1)]
    return Corpus(read_lines(folder / "source.txt"), references, systems, list(m2.read(folder / "gold.m2")))


@cache
def results(shared: Path, name: str) -> ShownStudy:
    path = shared / "data/meta" / FILES[name].path
    return geceval.meta(path, corpus(shared, name), SPECS, judged_only="SEEDA" in name, resamples=1)


@pytest.mark.parametrize("metric_name", METRICS)
@pytest.mark.parametrize("name", FILES)
def test_metrics_beside_people(shared: Path, name: str, metric_name: str) -> None:
    file, found = FILES[name], results(shared, name)
    result = found.metrics[METRICS.index(metric_name)]
    computed = (result.soft_accuracy, result.tie_calibrated, result.epsilon, result.one_person)
    assert computed == pytest.approx(file.metrics[metric_name], abs=5e-5)
    path, systems, lines = shared / "data/meta" / file.path, found.study.systems, found.study.lines
    scores = result.scores.sentences

    def gap(verdict: Verdict) -> float:
        i, j = (systems.index(min(group)) for group in verdict.groups)
        return float(scores[i, lines[verdict.sentence]] - scores[j, lines[verdict.sentence]])

    # Ties: each pair of systems of two groups counts.
    judged = verdicts(path, file.exclude)
    gaps, outcome = np.array([gap(verdict) for verdict in judged]), np.array([verdict.outcome for verdict in judged])
    weight = np.array([len(verdict.groups[0]) * len(verdict.groups[1]) for verdict in judged])
    agreeing, tied = gaps * outcome > 1e-9, outcome == 0
    thresholds = np.unique(np.append(np.abs(gaps), 0.0))
    right = np.array(
        [
            weight[agreeing & (np.abs(gaps) > e + 1e-9)].sum() + weight[tied & (np.abs(gaps) <= e + 1e-9)].sum()
            for e in thresholds[:: max(1, len(thresholds) // 400)]
        ]
    )
    e = result.epsilon
    best = weight[agreeing & (np.abs(gaps) > e + 1e-9)].sum() + weight[tied & (np.abs(gaps) <= e + 1e-9)].sum()
    assert best / weight.sum() == pytest.approx(result.tie_calibrated, abs=1e-9)
    assert right.max() <= best
    # One person.
    credit = [
        0.5 if abs(gap(verdict)) <= 1e-9 else float((gap(verdict) > 0) == (outcome > 0))
        for verdict, of_both in twice_judged(path, file.exclude)
        for outcome in of_both
    ]
    assert np.mean(credit) == pytest.approx(result.one_person, abs=1e-9)
    # Soft pairwise accuracy, with other random numbers and each sentence's best reference of the whole corpus.
    [counted] = count_systems(found.study.corpus, [result.scores.metric])
    rng, differences = np.random.default_rng(3), []
    rows = [reference_rows(metric_name, counted.metric, counts) for counts in counted.counts]
    for i, j in itertools.combinations(range(len(systems)), 2):
        net: dict[int, int] = defaultdict(int)
        for verdict in judged:
            groups = [{k for k in (i, j) if systems[k] in group} for group in verdict.groups]
            if groups in ([{i}, {j}], [{j}, {i}]):
                net[lines[verdict.sentence]] += verdict.outcome * (1 if groups[0] == {i} else -1)
            elif {i, j} in groups:
                net[lines[verdict.sentence]] += 0  # the same output: a tie
        sentences = np.array(sorted(net))
        swapped = rng.random((1000, len(sentences))) < 0.5
        nets = np.array([net[line] for line in sentences])
        people = (np.where(swapped, -nets, nets).sum(axis=1) >= nets.sum()).mean()
        first, second = rows[i][sentences], rows[j][sentences]
        moved = np.tensordot(swapped, second - first, axes=1)
        score = counted.metric.score
        observed = (score(first.sum(axis=0)) - score(second.sum(axis=0))).mean()
        drawn = (score(first.sum(axis=0) + moved) - score(second.sum(axis=0) - moved)).mean(axis=1)
        differences.append(abs(people - (drawn >= observed - 1e-9).mean()))
    assert 1 - np.mean(differences) == pytest.approx(result.soft_accuracy, abs=0.02)


def reference_rows(name: str, metric: Any, counts: Any) -> Array:
    """Counts [S, references, K]: GLEU is the mean over references, the others choose one for each sentence."""
    if name == "gleu":
        return np.asarray(counts.array, np.float64)
    [choice] = metric.choices(counts)
    return np.asarray(counts.chosen(choice)[:, None], np.float64)
