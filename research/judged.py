"""Agreement of metrics with people's judgments, its bootstrap replicates, and differences between metrics.

A bootstrap replicate draws sentences (with their judgments and the metrics' counts) and systems, both with replacement
(BOOT-BOTH of Deutsch, Dror and Roth 2021, a conservative choice). All metrics and all sets of one collection share the
draws, so that differences are paired.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval import m2
from geceval.agreement.edit_weights import ImpliedWeights, implied_weights
from geceval.agreement.human_ceilings import HumanCeilings, ceilings_of, separated_pairs, twice_judged
from geceval.agreement.judgments import read_judgments
from geceval.agreement.metric_agreement import SystemCounts, count_systems, resample_scores, score_systems
from geceval.agreement.pairwise_accuracy import PeoplePairs, TiedPairs, corpus_swap_p
from geceval.agreement.people import MEASURES, People
from geceval.agreement.study import Study, make_study
from geceval.base.ties import TOLERANCE
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_classes import setting_types
from geceval.counting.metric_names import make_metric, parse_specs
from geceval.metrics.errant import Errant
from geceval.statistics.correlation import leave_one_out, pearson
from geceval.statistics.intervals import Interval, draw_sentence_weights, percentile_interval
from geceval.statistics.judged_pairs import Pairs, outcomes
from geceval.text.corpus import Corpus
from geceval.text.reading.lines import read_lines

Floats: TypeAlias = NDArray[np.float64]
SEED = 1
#: Annotator of the tables: that of the published numbers of these data.
ANNOTATOR = "builtin:2"
#: Number of replicates per batch.
PART = 2000
#: Replicates that decide which pairs of systems people separate, in the tests, too.
SEPARATING = 10_000
#: Scores of all judged systems by people [replicates, systems], by file of judgments and number of replicates.
PEOPLE_REPLICATES: dict[tuple[str, int], NDArray[np.float64]] = {}


@dataclass(frozen=True)
class MetricRow:
    """Name and settings of a metric in a table; ``gold`` if it needs gold edits."""

    metric: str
    spec: str
    gold: bool = False
    beta: float | None = None

    @property
    def label(self) -> str:
        """``ERRANT, β 0.5``."""
        return self.metric if self.beta is None else f"{self.metric}, β {self.beta:g}"

    def make(self) -> AnyMetric:
        """Create the metric. Raises UsageError if it does not exist."""
        if self.spec == "edits":
            return EditCount(annotator=ANNOTATOR)
        [(name, settings)] = parse_specs([self.spec])
        if "annotator" in setting_types(name):
            settings["annotator"] = ANNOTATOR
        if self.beta is not None:
            settings["beta"] = repr(self.beta)
        return make_metric(name, **settings)


@dataclass(frozen=True)
class EditCount(Errant):
    """Number of edits of a system: not a measure of quality, but people may reward it."""

    def score(self, totals: NDArray[Any]) -> Floats:
        return np.asarray(totals[..., 0] + totals[..., 1], np.float64)


@dataclass(frozen=True)
class DataSet:
    """Files of judgments and of judged outputs.

    ``exclude`` has the systems to leave out, ``measure`` is the measure that turns judgments into scores. Sets of one
    ``collection`` have the same systems and sentences.
    """

    name: str
    judgments: str
    outputs: str
    measure: str
    exclude: tuple[str, ...] = ()
    judged_only: bool = False
    collection: str = ""


CONLL14 = ("conll14/systems", "expected-wins", ("NULL",), False, "2014")
SEEDA = ("meta/seeda/all", "trueskill", ("INPUT", "REF-F", "GPT-3.5"), True, "SEEDA")
#: Usual configurations; SEEDA's standard set excludes the source and the two systems that rewrite most.
SETS = (
    DataSet("GJG15", "gjg15/judgments.xml", *CONLL14),
    DataSet("NSPT15", "nspt15/all_judgments.xml", *CONLL14),
    DataSet("SEEDA-S", "seeda/judgments_sent.xml", *SEEDA),
    DataSet("SEEDA-E", "seeda/judgments_edit.xml", *SEEDA),
)


def with_systems(data_set: DataSet, *systems: str) -> DataSet:
    """Return the set with some of its excluded systems."""
    excluded = tuple(name for name in data_set.exclude if name not in systems)
    return replace(data_set, name=f"{data_set.name} + {' + '.join(systems)}", exclude=excluded)


@dataclass(frozen=True)
class Estimate:
    """A number with functions that compute its replicates and, for a difference, the p of the hypothesis 0."""

    value: float
    draw: Callable[[], Floats] | None = None
    test: Callable[[], float] | None = None
    secondary: tuple[float, ...] = ()
    known_interval: Interval | None = None

    @cached_property
    def interval(self) -> Interval | None:
        """The 95 % interval, over sentences and systems unless it is known."""
        return self.known_interval if self.draw is None else percentile_interval(self.draw())

    @cached_property
    def p(self) -> float | None:
        """Two-sided p of the hypothesis that the number is 0; None without a test."""
        return None if self.test is None else self.test()


def bootstrap_p(gaps: Floats) -> float:
    """Return the two-sided p of the hypothesis 0: twice the share of replicates on the rarer side."""
    defined = gaps[~np.isnan(gaps)]
    rarer = min(int((defined <= 0).sum()), int((defined >= 0).sum()))
    return min(1.0, 2 * (1 + rarer) / (len(defined) + 1))


@cache
def scores_by_people(judgments: Path, measure: str) -> Floats:
    """Return people's scores of all judged systems; excluded systems count as opponents."""
    people = People.of(read_judgments(judgments))
    return MEASURES[measure].score(people, seed=SEED, threads=0)


@dataclass
class MetricScores:
    """Counts and scores of a metric for n systems and their sentences."""

    counts: SystemCounts
    values: Floats
    sentences: Floats
    replicates: Floats | None = None
    accuracy: Floats | None = None


@dataclass
class JudgedSet:
    """A set of judgments with people's and metrics' scores of its systems, computed lazily and cached."""

    data: Path
    data_set: DataSet
    replicates: int
    counts: dict[Hashable, SystemCounts] = field(default_factory=dict)
    scores: dict[MetricRow, MetricScores] = field(default_factory=dict)
    studies: dict[bool, Study] = field(default_factory=dict)

    def study(self, gold: bool = False) -> Study:
        """Return the study of the judgments, with gold edits or without."""
        if gold not in self.studies:
            conll = self.data / "conll14"
            source, references = read_lines(conll / "source.txt"), [read_lines(conll / f"ref{r}.txt") for r in (0, 1)]
            outputs = {
                path.stem: read_lines(path) for path in sorted((self.data / self.data_set.outputs).glob("*.txt"))
            }
            corpus = Corpus(source, references, outputs, list(m2.read(conll / "gold.m2")) if gold else None)
            judgments = read_judgments(self.data / "meta" / self.data_set.judgments)
            self.studies[gold] = make_study(
                judgments, corpus, exclude=self.data_set.exclude, judged_only=self.data_set.judged_only
            )
        return self.studies[gold]

    @cached_property
    def people(self) -> Floats:
        """People's scores [n]."""
        study = self.study()
        return scores_by_people(self.data / "meta" / self.data_set.judgments, self.data_set.measure)[study.indices]

    @cached_property
    def sentence_draws(self) -> list[NDArray[np.int64]]:
        """Number of draws of each sentence [PART, S], one array per batch of replicates."""
        length = len(self.study().corpus)
        return list(draw_sentence_weights(length, replicates=self.replicates, seed=SEED, size=PART))

    @cached_property
    def people_replicates(self) -> Floats:
        """People's scores [replicates, n] on the drawn sentences; sets of the same judgments share them."""
        study, key = self.study(), (self.data_set.judgments, self.replicates)
        if key not in PEOPLE_REPLICATES:
            measure = MEASURES[self.data_set.measure]
            parts = [
                measure.replicated(study.people, weights, seed=SEED + k * PART)
                for k, weights in enumerate(self.sentence_draws)
            ]
            PEOPLE_REPLICATES[key] = np.concatenate(parts)
        return PEOPLE_REPLICATES[key][:, study.indices]

    @cached_property
    def system_draws(self) -> Floats:
        """Number of draws of each judged system [replicates, n], from all systems of the collection."""
        systems = self.study().systems
        names = sorted(
            {path.stem for path in (self.data / self.data_set.outputs).glob("*.txt")} - set(self.data_set.exclude)
        )
        rng = np.random.RandomState(SEED)
        draws = rng.multinomial(len(names), [1 / len(names)] * len(names), size=self.replicates)
        return draws[:, [names.index(name) for name in systems]].astype(np.float64)

    def scores_of(self, row: MetricRow) -> MetricScores:
        """Return the scores of one metric; metrics that differ in β share their counts."""
        if row not in self.scores:
            metric = row.make()
            key = row.gold, metric.count_key
            if key not in self.counts:
                [self.counts[key]] = count_systems(self.study(row.gold).corpus, [metric])
            counts = replace(self.counts[key], metric=metric)
            scores = score_systems(counts)
            self.scores[row] = MetricScores(counts, scores.values, scores.sentences)
        return self.scores[row]

    def r(self, row: MetricRow) -> float:
        """Return Pearson's r with people over systems."""
        return float(pearson(self.scores_of(row).values, self.people))

    def score_replicates(self, row: MetricRow) -> Floats:
        """Return the metric's scores [replicates, n] on the drawn sentences."""
        scores = self.scores_of(row)
        if scores.replicates is None:
            parts = [
                resample_scores(scores.counts, scores.sentences, weights, "corpus") for weights in self.sentence_draws
            ]
            scores.replicates = np.concatenate(parts)
        return scores.replicates

    def r_replicates(self, row: MetricRow) -> Floats:
        """Return r [replicates] over the drawn sentences and systems."""
        return weighted_r(self.score_replicates(row), self.people_replicates, self.system_draws)

    def lowest_without_one(self, row: MetricRow) -> Estimate:
        """Return r without the system whose absence lowers it most."""
        values = self.scores_of(row).values
        r = [agreement.pearson for agreement in leave_one_out(values, self.people)]
        others = np.arange(len(values)) != int(np.argmin(r))
        return Estimate(
            min(r), lambda: weighted_r(self.score_replicates(row), self.people_replicates, self.system_draws * others)
        )

    @cached_property
    def verdicts(self) -> Any:
        """First system, second system, outcome and line of each verdict that is not a tie."""
        study = self.study()
        pairs = study.pairs.among(study.systems)
        decided = pairs.outcome != 0
        lines = np.array([study.lines[int(number)] for number in pairs.source_id[decided]])
        return pairs.first[decided], pairs.second[decided], pairs.outcome[decided], lines

    def credit(self, row: MetricRow) -> Floats:
        """Return 1 for each verdict that the metric shares, 0.5 if the metric has a tie, else 0."""
        first, second, outcome, lines = self.verdicts
        sentences = self.scores_of(row).sentences
        metric_outcomes = outcomes(sentences[first, lines] - sentences[second, lines])
        return np.where(metric_outcomes == 0, 0.5, metric_outcomes == outcome).astype(np.float64)

    def accuracy(self, row: MetricRow) -> float:
        """Return the share of people's verdicts on two outputs that the metric shares."""
        return float(self.credit(row).mean())

    @cached_property
    def verdict_counts(self) -> Floats:
        """Number of drawn verdicts [replicates]."""
        return self.verdict_sums(np.ones(len(self.verdicts[0])))

    def verdict_sums(self, credit: Floats) -> Floats:
        """Return sums of credits [replicates]; a verdict is drawn with its sentence and its two systems."""
        first, second, _, lines = self.verdicts
        n = len(self.study().systems)
        pair_codes, pair_index = np.unique(first.astype(np.int64) * n + second, return_inverse=True)
        table = np.zeros((len(self.study().corpus), len(pair_codes)))
        np.add.at(table, (lines, pair_index), credit)
        system_weights = self.system_draws[:, pair_codes // n] * self.system_draws[:, pair_codes % n]
        sums = np.concatenate([weights.astype(np.float64) @ table for weights in self.sentence_draws])
        return np.asarray((sums * system_weights).sum(axis=1))

    def accuracy_replicates(self, row: MetricRow) -> Floats:
        """Return the accuracy [replicates] over the drawn sentences and systems."""
        scores = self.scores_of(row)
        if scores.accuracy is None:
            scores.accuracy = self.verdict_sums(self.credit(row)) / self.verdict_counts
        return scores.accuracy

    def implied_weights(self, *, systems: bool, pairs: str) -> ImpliedWeights:
        """Return the weights of ERRANT's edits that the verdicts imply (options: ``implied_weights``)."""
        [weights] = implied_weights(
            self.study(),
            [Errant(annotator=ANNOTATOR)],
            resamples=self.replicates,
            seed=SEED,
            systems=systems,
            pairs=pairs,
        )
        return weights

    @cached_property
    def verdicts_twice(self) -> Pairs:
        """Verdicts on outputs that two people decided, once for each two of them."""
        decided, rows = twice_judged(self.study().pairs.among(self.study().systems))
        return decided.at(rows.ravel())

    def with_one_person(self, row: MetricRow) -> float:
        """Return the agreement with one person on outputs that two people decided."""
        return self.share_of(row, self.verdicts_twice)

    def share_of(self, row: MetricRow, verdicts: Pairs) -> float:
        """Return the share of verdicts, none of them ties, that the metric shares; a tie of the metric counts half."""
        lines, sentences = verdicts.lines(self.study().lines), self.scores_of(row).sentences
        metric = outcomes(sentences[verdicts.first, lines] - sentences[verdicts.second, lines])
        return float(np.where(metric == 0, 0.5, metric == verdicts.outcome).mean())

    @cached_property
    def people_pairs(self) -> PeoplePairs:
        """People's verdicts on pairs of systems."""
        study = self.study()
        return PeoplePairs.of(study.people, study.systems, len(study.corpus), seed=SEED)

    def soft_accuracy(self, row: MetricRow) -> float:
        """Return the soft pairwise accuracy; NaN for a metric that scores all systems together."""
        counted, pairs = self.scores_of(row).counts, self.people_pairs
        if counted.metric.pool is not None:
            return math.nan
        counts = dict(zip(counted.systems, counted.counts, strict=True))
        return pairs.soft_accuracy(corpus_swap_p(counted.metric, counts, pairs.judged, seed=SEED))

    def r_once(self, row: MetricRow) -> float:
        """Return r with people's scores in which each verdict on two outputs counts once."""
        return float(pearson(self.scores_of(row).values, self.people_once))

    @cached_property
    def people_once(self) -> Floats:
        """Expected Wins [n] in which each verdict on two outputs counts once, however many systems share them.

        TrueSkill draws whole pairs of systems.
        """
        study = self.study()
        people = replace(study.people, pairs=study.pairs.with_output_weights())
        return MEASURES["expected-wins"].score(people, seed=SEED, threads=0)[study.indices]

    def accuracy_once(self, row: MetricRow) -> float:
        """Return the share of verdicts that the metric shares if each verdict on two outputs counts once."""
        distinct = self.study().pairs.among(self.study().systems).once()[0]
        return self.share_of(row, distinct.at(distinct.outcome != 0))

    def tie_calibrated(self, row: MetricRow) -> float:
        """Return the tie-calibrated pairwise accuracy of sentence scores."""
        study = self.study()
        distinct, sharing = study.pairs.among(study.systems).once()
        pairs = TiedPairs.of(distinct, sharing, distinct.lines(study.lines), self.scores_of(row).sentences)
        return pairs.calibrated()[0]

    def estimate(self, row: MetricRow, baseline: MetricRow | None = None, *, sentences: bool = False) -> Estimate:
        """Return r of a metric (with ``sentences``: the accuracy), or its difference from the baseline's."""
        value, replicates = (self.accuracy, self.accuracy_replicates) if sentences else (self.r, self.r_replicates)
        if baseline is None:
            return Estimate(value(row), lambda: replicates(row))

        def gaps() -> Floats:
            return replicates(row) - replicates(baseline)

        # A dozen systems are too few for a bootstrap test.
        test = (lambda: bootstrap_p(gaps())) if sentences else (lambda: self.permutation_p(row, baseline))
        return Estimate(value(row) - value(baseline), gaps, test)

    def permutation_p(self, row: MetricRow, baseline: MetricRow) -> float:
        """Return the two-sided p of a difference of r: PERM-SYS of Deutsch, Dror and Roth (2021), exact.

        Each system's standardised scores by the two metrics are swapped or not.
        """
        scores = [self.scores_of(metric).values for metric in (row, baseline)]
        first, second = ((values - values.mean()) / values.std() for values in scores)
        signs = np.array(list(product((1, -1), repeat=len(first))))
        middle, halves = (first + second) / 2, signs * (first - second) / 2
        differences = np.abs(pearson(middle + halves, self.people) - pearson(middle - halves, self.people))
        return float((differences >= differences[0] - TOLERANCE).mean())

    @cached_property
    def ceilings(self) -> HumanCeilings:
        """How far people agree with each other about the systems."""
        study = self.study()
        return ceilings_of(study.people, study.systems, resamples=SEPARATING, seed=SEED)

    @cached_property
    def separated(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Better and worse system of each pair that people separate."""
        study = self.study()
        is_separated = separated_pairs(study.people, study.systems, resamples=SEPARATING, seed=SEED)
        wins = MEASURES["expected-wins"].score(study.people, seed=SEED, threads=0)[study.indices]
        better, worse = np.nonzero(is_separated & (wins[:, None] > wins))
        return better, worse

    def separated_order(self, row: MetricRow) -> Estimate:
        """Return the share of the pairs of systems that people separate that the metric puts into their order."""
        better, worse = self.separated

        def share(scores: Floats) -> Floats:
            metric = outcomes(scores[..., better] - scores[..., worse])
            return np.asarray(np.where(metric == 0, 0.5, metric > 0).mean(axis=-1))

        return Estimate(float(share(self.scores_of(row).values)), lambda: share(self.score_replicates(row)))


def weighted_r(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return Pearson's r [...] of x and y [..., n] with weighted pairs; NaN if x or y is constant."""
    size = weights.sum(axis=-1, keepdims=True)
    dx, dy = (values - (weights * values).sum(axis=-1, keepdims=True) / size for values in (x, y))
    denominator = np.sqrt((weights * dx * dx).sum(axis=-1) * (weights * dy * dy).sum(axis=-1))
    numerator = (weights * dx * dy).sum(axis=-1)
    return np.divide(numerator, denominator, out=np.full(numerator.shape, np.nan), where=denominator > 1e-12)
