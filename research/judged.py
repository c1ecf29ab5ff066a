"""Metrics beside people's judgments: agreement whole and resampled, and the differences between metrics.

A bootstrap replicate draws sentences (with the judgments of them and the counts of the metrics) and systems, both with
replacement: replicates differ by what other sentences *and* other systems would change (BOOT-BOTH of Deutsch, Dror and
Roth 2021, rather too wide than too narrow). All metrics, and the sets of one collection, share the draws, so that
differences are paired.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval import m2
from geceval.agreement.judgments import read_judgments
from geceval.agreement.metric_scores import SystemCounts, count_systems, resample_scores, score_systems
from geceval.agreement.people import MEASURES, People
from geceval.agreement.study import Study, make_study
from geceval.counting.scorer import resolve_metrics
from geceval.counting.stream import AnyMetric
from geceval.metrics.errant import Errant
from geceval.statistics.correlation import pearson
from geceval.statistics.intervals import Interval, draw_sentence_weights, percentile_interval
from geceval.statistics.judged_pairs import outcomes
from geceval.text.corpus import Corpus
from geceval.text.reading.lines import read_lines

Floats: TypeAlias = NDArray[np.float64]
SEED = 1
#: How many replicates are computed together.
PART = 2000


@dataclass(frozen=True)
class Row:
    """A metric as the tables name it, with its settings; ``gold``: it needs gold edits."""

    metric: str
    spec: str
    gold: bool = False
    beta: float | None = None

    @property
    def label(self) -> str:
        """``ERRANT, β 0.5``."""
        return self.metric if self.beta is None else f"{self.metric}, β {self.beta:g}"

    def make(self) -> AnyMetric:
        """The metric. Raises UsageError for one that does not exist."""
        if self.spec == "edits":
            return Edits()
        beta = "" if self.beta is None else f"{',' if ':' in self.spec else ':'}beta={self.beta!r}"
        [metric] = resolve_metrics([self.spec + beta])
        return metric


@dataclass(frozen=True)
class Edits(Errant):
    """How many edits a system makes: no measure of quality, but of what people reward."""

    def score(self, totals: NDArray[Any]) -> Floats:
        return np.asarray(totals[..., 0] + totals[..., 1], np.float64)


@dataclass(frozen=True)
class DataSet:
    """Judgments, and the outputs they are about; ``exclude`` are systems left out, ``measure`` how people's scores of
    the systems come about. Sets of one ``collection`` have the same systems and sentences."""

    name: str
    judgments: str
    outputs: str
    measure: str
    exclude: tuple[str, ...] = ()
    judged_only: bool = False
    collection: str = ""


CONLL14 = ("conll14/systems", "expected-wins", ("NULL",), False, "2014")
SEEDA = ("meta/seeda/all", "trueskill", ("INPUT", "REF-F", "GPT-3.5"), True, "SEEDA")
#: As each is used in the field; SEEDA's standard set leaves out the source and the two systems that rewrite most.
SETS = (
    DataSet("GJG15", "gjg15/judgments.xml", *CONLL14),
    DataSet("NSPT15", "nspt15/all_judgments.xml", *CONLL14),
    DataSet("SEEDA-S", "seeda/judgments_sent.xml", *SEEDA),
    DataSet("SEEDA-E", "seeda/judgments_edit.xml", *SEEDA),
)


def joined(one: DataSet, *systems: str) -> DataSet:
    """The set with systems that it leaves out."""
    kept = tuple(name for name in one.exclude if name not in systems)
    return replace(one, name=f"{one.name} + {' + '.join(systems)}", exclude=kept)


@dataclass(frozen=True)
class Figure:
    """A number, and its replicates where they are asked for; ``tested``: whether it is a difference."""

    value: float
    drawn: Callable[[], Floats] | None = None
    tested: bool = False
    beside: tuple[float, ...] = ()

    @cached_property
    def interval(self) -> Interval | None:
        """The 95 % interval over sentences and systems."""
        return None if self.drawn is None else percentile_interval(self.drawn())

    @cached_property
    def p(self) -> float | None:
        """The two-sided p that the number is not 0: twice the share of replicates on the rarer side of it."""
        if self.drawn is None or not self.tested:
            return None
        gaps = self.drawn()
        defined = gaps[~np.isnan(gaps)]
        rarer = min(int((defined <= 0).sum()), int((defined >= 0).sum()))
        return min(1.0, 2 * (1 + rarer) / (len(defined) + 1))


@cache
def scores_by_people(judgments: Path, measure: str) -> Floats:
    """People's scores of all systems that they judged: what a set leaves out counts as an opponent."""
    people = People.of(read_judgments(judgments))
    return MEASURES[measure].score(people, seed=SEED, threads=0)


@dataclass
class Scored:
    """A metric's scores of n systems and their sentences, and its counts."""

    counted: SystemCounts
    values: Floats
    sentences: Floats
    agreement: Floats | None = None
    accuracy: Floats | None = None


@dataclass
class Judged:
    """A set of judgments, people's scores of its systems, and metrics' scores, computed when first asked for."""

    data: Path
    one: DataSet
    replicates: int
    counted: dict[Hashable, SystemCounts] = field(default_factory=dict)
    scored: dict[Row, Scored] = field(default_factory=dict)
    studies: dict[bool, Study] = field(default_factory=dict)

    def study(self, gold: bool = False) -> Study:
        """The judgments beside the outputs, references or gold edits."""
        if gold not in self.studies:
            conll = self.data / "conll14"
            source, references = read_lines(conll / "source.txt"), [read_lines(conll / f"ref{r}.txt") for r in (0, 1)]
            outputs = {path.stem: read_lines(path) for path in sorted((self.data / self.one.outputs).glob("*.txt"))}
            corpus = Corpus(source, references, outputs, list(m2.read(conll / "gold.m2")) if gold else None)
            judgments = read_judgments(self.data / "meta" / self.one.judgments)
            self.studies[gold] = make_study(
                judgments, corpus, exclude=self.one.exclude, judged_only=self.one.judged_only
            )
        return self.studies[gold]

    @cached_property
    def people(self) -> Floats:
        """People's scores [n]."""
        study = self.study()
        return scores_by_people(self.data / "meta" / self.one.judgments, self.one.measure)[study.places]

    @cached_property
    def sentences_drawn(self) -> list[NDArray[np.int64]]:
        """How often each sentence is drawn [PART, S], part by part."""
        length = len(self.study().corpus)
        return list(draw_sentence_weights(length, replicates=self.replicates, seed=SEED, size=PART))

    @cached_property
    def people_drawn(self) -> Floats:
        """People's scores [replicates, n] of the sentences drawn."""
        measure, study = MEASURES[self.one.measure], self.study()
        parts = [
            measure.replicated(study.people, weights, seed=SEED + k * PART)
            for k, weights in enumerate(self.sentences_drawn)
        ]
        return np.concatenate(parts)[:, study.places]

    @cached_property
    def systems_drawn(self) -> Floats:
        """How often each system is drawn [replicates, n]: from all of the collection, those that are here."""
        here = self.study().systems
        names = sorted({path.stem for path in (self.data / self.one.outputs).glob("*.txt")} - set(self.one.exclude))
        rng = np.random.RandomState(SEED)
        drawn = rng.multinomial(len(names), [1 / len(names)] * len(names), size=self.replicates)
        return drawn[:, [names.index(name) for name in here]].astype(np.float64)

    def of(self, row: Row) -> Scored:
        """The scores of one metric; metrics that differ in β share their counts."""
        if row not in self.scored:
            metric = row.make()
            key = row.gold, metric.count_key
            if key not in self.counted:
                [self.counted[key]] = count_systems(self.study(row.gold).corpus, [metric])
            counted = replace(self.counted[key], metric=metric)
            scores = score_systems(counted)
            self.scored[row] = Scored(counted, scores.values, scores.sentences)
        return self.scored[row]

    def r(self, row: Row) -> float:
        """Pearson's r with people over systems."""
        return float(pearson(self.of(row).values, self.people))

    def r_drawn(self, row: Row) -> Floats:
        """r [replicates] over the sentences and systems drawn."""
        own = self.of(row)
        if own.agreement is None:
            values = [
                resample_scores(own.counted, own.sentences, weights, "corpus") for weights in self.sentences_drawn
            ]
            own.agreement = weighted_r(np.concatenate(values), self.people_drawn, self.systems_drawn)
        return own.agreement

    @cached_property
    def verdicts(self) -> Any:
        """The pairs of outputs that people decided, and their lines."""
        study = self.study()
        pairs = study.pairs.among(study.systems)
        decided = pairs.outcome != 0
        lines = np.array([study.lines[int(number)] for number in pairs.source_id[decided]])
        return pairs.first[decided], pairs.second[decided], pairs.outcome[decided], lines

    def credit(self, row: Row) -> Floats:
        """What each verdict of people gets: 1 if the metric's is the same, half a point for a tie."""
        first, second, outcome, lines = self.verdicts
        sentences = self.of(row).sentences
        found = outcomes(sentences[first, lines] - sentences[second, lines])
        return np.where(found == 0, 0.5, found == outcome).astype(np.float64)

    def accuracy(self, row: Row) -> float:
        """Share of people's verdicts on two outputs that the metric shares."""
        return float(self.credit(row).mean())

    @cached_property
    def decided_drawn(self) -> Floats:
        """How many verdicts are drawn [replicates]."""
        return self.verdicts_drawn(np.ones(len(self.verdicts[0])))

    def verdicts_drawn(self, credit: Floats) -> Floats:
        """Sums [replicates] of the verdicts' credits, each drawn with its sentence and its two systems."""
        first, second, _, lines = self.verdicts
        n = len(self.study().systems)
        cell, pairs = np.unique(first.astype(np.int64) * n + second, return_inverse=True)
        table = np.zeros((len(self.study().corpus), len(cell)))
        np.add.at(table, (lines, pairs), credit)
        both = self.systems_drawn[:, cell // n] * self.systems_drawn[:, cell % n]
        sums = np.concatenate([weights.astype(np.float64) @ table for weights in self.sentences_drawn])
        return np.asarray((sums * both).sum(axis=1))

    def accuracy_drawn(self, row: Row) -> Floats:
        """The accuracy [replicates] over the sentences and systems drawn."""
        own = self.of(row)
        if own.accuracy is None:
            own.accuracy = self.verdicts_drawn(self.credit(row)) / self.decided_drawn
        return own.accuracy

    def figure(self, row: Row, less: Row | None = None, *, sentences: bool = False) -> Figure:
        """r, or at ``sentences`` the accuracy, of a metric, or how far it is above that of another one."""
        whole, drawn = (self.accuracy, self.accuracy_drawn) if sentences else (self.r, self.r_drawn)
        if less is None:
            return Figure(whole(row), (lambda: drawn(row)) if self.replicates else None)
        return Figure(whole(row) - whole(less), lambda: drawn(row) - drawn(less), tested=True)


def weighted_r(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Pearson's r [...] of x and y [..., n], pairs weighted by their draws; NaN where one is constant."""
    size = weights.sum(axis=-1, keepdims=True)
    a, b = (values - (weights * values).sum(axis=-1, keepdims=True) / size for values in (x, y))
    below = np.sqrt((weights * a * a).sum(axis=-1) * (weights * b * b).sum(axis=-1))
    above = (weights * a * b).sum(axis=-1)
    return np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 1e-12)


def best_beta(sets: Sequence[Judged], rows: Mapping[float, Row]) -> Figure:
    """The β of the highest mean r over the sets, and the interval of this β."""
    betas = np.array(list(rows))
    whole = np.mean([[own.r(row) for row in rows.values()] for own in sets], axis=0)

    def drawn() -> Floats:
        means = np.mean([[own.r_drawn(row) for row in rows.values()] for own in sets], axis=0)
        best: Floats = betas[means[:, ~np.isnan(means).any(axis=0)].argmax(axis=0)]
        return best

    return Figure(float(betas[whole.argmax()]), drawn)
