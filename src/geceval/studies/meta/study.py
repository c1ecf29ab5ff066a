"""A meta-evaluation from end to end: judgments and outputs in, agreement of metrics with people out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from geceval.base.arguments import RESAMPLES, SEEDS, THREADS, choice, did_you_mean, whole
from geceval.base.errors import InputError, UsageError
from geceval.counting.run import Run
from geceval.counting.stream import AnyMetric, Progress
from geceval.statistics import Floats
from geceval.statistics.clusters import Placing, placings
from geceval.statistics.correlation import Correlations, leave_one_out
from geceval.statistics.intervals import (
    Interval,
    draw_sentence_weights,
    intervals_of,
    over_systems,
    percentile_interval,
)
from geceval.statistics.judged_pairs import Pairs
from geceval.studies.meta.judgments import Judgments
from geceval.studies.meta.metric_scores import (
    AGGREGATIONS,
    MetricScores,
    SystemCounts,
    count_systems,
    resample_scores,
    score_systems,
)
from geceval.studies.meta.metric_tests import MetricTest, compare_metrics
from geceval.studies.meta.numbering import agreeing_groups, find_numbering, line_numbers
from geceval.studies.meta.people import MEASURES, Measure, People, expand_pairs
from geceval.studies.meta.ratings import Ratings
from geceval.studies.meta.sentence_agreement import (
    TIE_RULES,
    PreferenceCounts,
    SegmentAgreement,
    accuracies,
    accuracy,
    drawn_correlations,
    segment_agreement,
    tau,
    total,
    verdicts_by_ranks,
    verdicts_by_sentence,
    weigh_verdicts,
)
from geceval.text.corpus import Corpus, Hypothesis, as_text


@dataclass(frozen=True)
class Study:
    """Judgments and the outputs they are about.

    ``corpus`` holds the systems under study and the sentences metrics are computed on; ``lines`` maps the judgments'
    sentence numbers to its lines; ``pairs`` are the judgments of *all* systems, since people's scores of a system
    depend on whom it was compared with, and a study of some of them restricts these scores and does not recompute them.
    ``ratings`` are those that the pairs were made from, where people rated.
    """

    pairs: Pairs
    corpus: Corpus
    lines: Mapping[int, int]
    notes: tuple[str, ...] = ()
    ratings: Ratings | None = None

    @property
    def people(self) -> People:
        """What people said of all systems."""
        return People(self.pairs, self.lines, self.ratings)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems under study, in order."""
        return tuple(self.corpus.systems)

    @property
    def judged(self) -> int:
        """How many of the sentences people judged."""
        return len(set(self.lines.values()))

    @property
    def places(self) -> list[int]:
        """Where the systems under study stand among all judged systems."""
        return [self.pairs.systems.index(name) for name in self.systems]


def make_study(
    human: Judgments | Ratings,
    corpus: Corpus,
    *,
    numbering: str = "auto",
    exclude: Sequence[str] = (),
    only: Sequence[str] | None = None,
    judged_only: bool = False,
) -> Study:
    """Bring judgments, or ratings, and outputs together.

    Systems that nobody judged, those in ``exclude`` and those not in ``only`` are left out (``notes`` says which);
    ``judged_only`` keeps only the sentences of which there are judgments. ``numbering``: see
    geceval.studies.meta.numbering; "auto" finds it; row k of ratings is of line k. Raises InputError if no numbering
    fits the outputs, a sentence lies outside them or ratings have another number of rows, and UsageError for a named
    system that does not exist or fewer than two systems left.
    """
    rated = human if isinstance(human, Ratings) else None
    judgments = human.judgments() if isinstance(human, Ratings) else human
    pairs = expand_pairs(judgments)
    notes: list[str] = []
    for name in [*exclude, *(only or ())]:
        if name not in corpus.systems:
            message = f"no system {name}; there are: {', '.join(corpus.systems)}"
            raise UsageError(message, hint=did_you_mean(name, corpus.systems))
    wanted = set(corpus.systems if only is None else only) - set(exclude)
    unjudged = [name for name in corpus.systems if name not in pairs.systems and name in wanted]
    missing = [name for name in pairs.systems if name not in corpus.systems]
    if unjudged:
        notes.append(f"left out, since nobody judged them: {', '.join(unjudged)}")
    if missing:
        notes.append(f"judged, but without an output here: {', '.join(missing)}")
    outputs = {name: lines for name, lines in corpus.systems.items() if name in pairs.systems}
    chosen = {name: outputs[name] for name in sorted(outputs) if name in wanted}
    if len(chosen) < 2:
        hint = f"judged are: {', '.join(pairs.systems)}"
        raise UsageError(f"a meta-evaluation needs two systems or more, not {len(chosen)}", hint=hint)
    if rated is None:
        lines = _judged_lines(judgments, outputs, numbering, notes)
    else:
        lines = _rated_lines(rated, judgments, len(corpus))
    kept = sorted(set(lines.values())) if judged_only else range(len(corpus))
    place = {line: k for k, line in enumerate(kept)}
    part = _restrict(corpus, chosen, list(kept))
    ratings = None if rated is None else rated.of(kept)
    return Study(pairs, part, {number: place[line] for number, line in lines.items()}, tuple(notes), ratings)


def _rated_lines(ratings: Ratings, judgments: Judgments, length: int) -> dict[int, int]:
    rows = ratings.values.shape[1]
    if rows != length:
        message = f"{rows} rows of ratings, and {length} lines of source"
        raise InputError(message, path=ratings.path, hint="a row is a sentence, in the order of the outputs")
    return line_numbers(judgments, "0")


def _judged_lines(
    judgments: Judgments, outputs: Mapping[str, Hypothesis], numbering: str, notes: list[str]
) -> dict[int, int]:
    texts = {name: as_text(output) for name, output in outputs.items()}
    if numbering == "auto":
        return line_numbers(judgments, find_numbering(judgments, texts))
    lines = line_numbers(judgments, numbering)
    agree, checked = agreeing_groups(judgments, lines, texts)
    if agree < checked:
        notes.append(f"only {agree} of {checked} collapsed groups have the same output: is the numbering {numbering}?")
    length = min(map(len, texts.values()), default=0)
    for item in judgments.items:
        if item.groups and not 0 <= lines[item.source_id] < length:
            message = f"sentence {item.source_id} is not among the {length} lines of the outputs"
            raise InputError(message, path=judgments.path, line=item.line)
    return lines


def _restrict(corpus: Corpus, systems: Mapping[str, Hypothesis], kept: Sequence[int]) -> Corpus:
    return replace(
        corpus,
        source=[corpus.source[line] for line in kept],
        references=() if corpus.made_by else [[text[line] for line in kept] for text in corpus.references],
        systems={name: cast(Hypothesis, [output[line] for line in kept]) for name, output in systems.items()},
        gold=None if corpus.gold is None else [corpus.gold[line] for line in kept],
        labels=None,
    )


@dataclass(frozen=True)
class Intervals:
    """Bootstrap intervals of one metric's agreement: of every correlation, over systems and over sentences, and of
    its accuracy on judged pairs, over sentences.
    """

    systems: Mapping[str, Interval]
    sentences: Mapping[str, Interval]
    accuracy: Interval


@dataclass(frozen=True)
class MetricResult:
    """How one metric agrees with people: at system level (``agreement``) and at sentence level (``verdicts``).

    ``left_out[k]`` is the agreement without system k, an outlier shows there; ``accuracy`` the share of judged pairs it
    gets right and ``tau`` what WMT makes of it, by the rule for its ties. ``ranks`` are the verdicts on pairs of every
    two ranks (better, worse). ``intervals`` is None where nothing was resampled, ``segments`` where nobody rated.
    """

    scores: MetricScores
    agreement: Correlations
    left_out: tuple[Correlations, ...]
    verdicts: PreferenceCounts
    accuracy: Mapping[str, float]
    tau: Mapping[str, float]
    ranks: Mapping[tuple[int, int], PreferenceCounts]
    intervals: Intervals | None
    segments: SegmentAgreement | None


@dataclass(frozen=True)
class StudyOptions:
    """What a study computes.

    ``measure``: one of people.MEASURES; None is "mean-rating" where people rated, else "expected-wins". ``ties``: see
    sentence_agreement.TIE_RULES. ``resamples``, at most 10^6; 0 leaves out all intervals. ``tests`` asks for a test of
    every pair of metrics. Raises UsageError for values that do not exist.
    """

    measure: str | None = None
    aggregation: str = "corpus"
    ties: str = "half"
    resamples: int = 1000
    seed: int = 1
    threads: int = 0
    tests: bool = False

    def __post_init__(self) -> None:
        if self.measure is not None:
            choice("measure", self.measure, MEASURES)
        choice("aggregation", self.aggregation, AGGREGATIONS)
        choice("ties", self.ties, TIE_RULES)
        whole("resamples", self.resamples, RESAMPLES)
        whole("seed", self.seed, SEEDS)
        whole("threads", self.threads, THREADS)


# --- window analysis (Kobayashi et al. 2024): does a metric tell apart systems that people find close? ---


@dataclass(frozen=True)
class Window:
    """Correlations over systems of neighbouring human ranks ``first``..``last`` (from 1, the best).

    ``span`` is the distance of their human scores; where it is tiny, a correlation of -1 or 1 means little.
    """

    first: int
    last: int
    systems: tuple[str, ...]
    span: float
    agreement: Correlations


def windows(systems: Sequence[str], metric: ArrayLike, human: ArrayLike, *, size: int = 4) -> list[Window]:
    """Every window of ``size`` systems, best first by human score (equal scores in the order given).

    ``metric`` and ``human`` are [n]. Raises `UsageError` unless 2 <= size <= n.
    """
    x, y = np.asarray(metric, np.float64), np.asarray(human, np.float64)
    if not 2 <= size <= len(systems):
        raise UsageError(f"a window holds 2 to {len(systems)} systems here, not {size}")
    order = np.argsort(-y, kind="stable")
    return [
        Window(
            start + 1,
            start + size,
            tuple(systems[k] for k in chosen),
            float(y[chosen].max() - y[chosen].min()),
            Correlations.of(x[chosen], y[chosen]),
        )
        for start in range(len(systems) - size + 1)
        for chosen in (order[start : start + size],)
    ]


# --- results ---


@dataclass(frozen=True)
class StudyResults:
    """People's scores [n] of the systems under study, the metrics' agreement with them, and tests of every pair."""

    study: Study
    options: StudyOptions
    people: Floats
    metrics: tuple[MetricResult, ...]
    tests: tuple[MetricTest, ...] = ()

    @property
    def measure(self) -> Measure:
        """How people's scores came about."""
        return MEASURES[measure_of(self.study.people, self.options)]

    def line(self, result: MetricResult) -> tuple[float, float]:
        """Slope and height at 0 of the least squares line of a metric's scores over people's."""
        slope, base = np.polyfit(self.people, result.scores.values, 1)
        return float(slope), float(base)

    def windows(self, result: MetricResult, size: int) -> list[Window]:
        """One metric's agreement with people in windows of ``size`` systems; UsageError if there are fewer."""
        return windows(self.study.systems, result.scores.values, self.people, size=size)


DEFAULTS = StudyOptions()


def people_scores(study: Study, options: StudyOptions) -> Floats:
    """People's scores [n] of the systems under study, aggregated over all judged systems, then restricted."""
    measure = measure_of(study.people, options)
    return MEASURES[measure].score(study.people, seed=options.seed, threads=options.threads)[study.places]


def measure_of(people: People, options: StudyOptions) -> str:
    """The measure asked for, else the usual one for what people said."""
    return options.measure or ("expected-wins" if people.ratings is None else "mean-rating")


@dataclass(frozen=True)
class PeopleRanking:
    """How people rank all judged systems: ``scores``, and ``placings`` over ``replicates`` resampled rankings."""

    measure: str
    scores: Mapping[str, float]
    placings: tuple[Placing, ...]
    replicates: int
    seed: int


def rank_by_people(
    human: Judgments | Ratings, options: StudyOptions = DEFAULTS, progress: Progress | None = None
) -> PeopleRanking:
    """People's ranking of the systems, best first, with rank ranges and clusters from resampled judgments or ratings.

    ``progress`` is called with the number of replicates done since the last call.
    """
    people, count = People.of(human), options.resamples or 1
    systems, name = people.pairs.systems, measure_of(people, options)
    measure, parts = MEASURES[name], []
    for part in measure.runs(people, seed=options.seed, count=count, threads=options.threads):
        parts.append(part)
        if progress is not None:
            progress(len(part))
    runs = np.concatenate(parts)
    scores: Floats = runs.mean(axis=0)
    if measure.exact_score:
        scores = measure.score(people, seed=options.seed, threads=options.threads)
    rows = placings(systems, runs, scores=scores)
    return PeopleRanking(name, dict(zip(systems, scores.tolist(), strict=True)), tuple(rows), count, options.seed)


def evaluate_metrics(
    study: Study, metrics: Sequence[AnyMetric], options: StudyOptions = DEFAULTS, progress: Progress | None = None
) -> StudyResults:
    """Score all systems with all metrics and compare the scores with people's.

    One draw of sentences serves people and all metrics. ``progress`` is called with what was done of study_work. Raises
    what the metrics raise without the references or gold edits they need.
    """
    options = replace(options, measure=measure_of(study.people, options))
    people = people_scores(study, options)
    counted = count_systems(study.corpus, metrics, threads=options.threads, progress=progress)
    scores = [score_systems(own, aggregation=options.aggregation) for own in counted]
    judged = study.pairs.among(study.systems)
    verdicts = [verdicts_by_sentence(judged, study.lines, own.sentences) for own in scores]
    drawn: Sequence[_Replicates | None] = [None] * len(scores)
    if options.resamples:
        drawn = _resample(study, counted, scores, verdicts, options, progress)
    each = zip(scores, verdicts, drawn, strict=True)
    results = [_metric_result(study, judged, people, *own, options) for own in each]
    tests: list[MetricTest] = []
    if options.tests:
        tests = compare_metrics(scores, people, replicates=options.resamples, seed=options.seed)
    return StudyResults(study, options, people, tuple(results), tuple(tests))


def _metric_result(
    study: Study,
    judged: Pairs,
    people: Floats,
    scores: MetricScores,
    verdicts: PreferenceCounts,
    drawn: _Replicates | None,
    options: StudyOptions,
) -> MetricResult:
    pooled, ratings, intervals, segments = total(verdicts), _rated(study), None, None
    if ratings is not None:
        segments = segment_agreement(scores.sentences, ratings, None if drawn is None else drawn.segments)
    if drawn is not None:
        scores = replace(scores, replicates=drawn.values)
        intervals = Intervals(
            systems=over_systems(scores.values, people, replicates=options.resamples, seed=options.seed),
            sentences=intervals_of(drawn.values, drawn.people),
            accuracy=percentile_interval(drawn.accuracies),
        )
    return MetricResult(
        scores,
        Correlations.of(scores.values, people),
        tuple(leave_one_out(scores.values, people)),
        pooled,
        accuracies(pooled),
        {rule: float(tau(pooled, ties=rule)) for rule in TIE_RULES},
        verdicts_by_ranks(judged, study.lines, scores.sentences),
        intervals,
        segments,
    )


def study_work(study: Study, metrics: Sequence[AnyMetric], options: StudyOptions) -> int | None:
    """How much evaluate_metrics will report to ``progress``, if known: sentences of systems, and resamples."""
    counting = Run(study.corpus, metrics).work
    return None if counting is None else counting + options.resamples * (1 + len(metrics))


@dataclass(frozen=True)
class _Replicates:
    """What comes out on resampled sentences: people's scores [replicates, n], and a metric's scores [replicates, n],
    its accuracy [replicates] on judged pairs, and its correlations [replicates, 2] with ratings."""

    people: Floats
    values: Floats
    accuracies: Floats
    segments: Floats


def _resample(
    study: Study,
    counted: Sequence[SystemCounts],
    scores: Sequence[MetricScores],
    verdicts: Sequence[PreferenceCounts],
    options: StudyOptions,
    progress: Progress | None,
) -> list[_Replicates]:
    """Return the replicates of each metric, drawn part by part: the weights of a million would not fit into memory."""
    measure = MEASURES[measure_of(study.people, options)]
    report = progress or (lambda done: None)
    people: list[Floats] = []
    parts: list[list[tuple[Floats, ...]]] = [[] for _ in scores]
    seed = options.seed
    for weights in draw_sentence_weights(len(study.corpus), replicates=options.resamples, seed=options.seed):
        own = measure.replicated(study.people, weights, seed=seed, threads=options.threads)
        people.append(own[:, study.places])
        report(len(weights))
        for k, metric in enumerate(scores):
            values = resample_scores(counted[k], metric.sentences, weights, options.aggregation)
            right = accuracy(weigh_verdicts(verdicts[k], weights), ties=options.ties)
            parts[k].append((values, right, drawn_correlations(metric.sentences, _rated(study), weights)))
            report(len(weights))
        seed += len(weights)
    shared = np.concatenate(people)
    return [_Replicates(shared, *map(np.concatenate, zip(*columns, strict=True))) for columns in parts]


def _rated(study: Study) -> Floats | None:
    """The ratings [n, sentences] of the systems under study, if people rated."""
    return None if study.ratings is None else study.ratings.values[study.places]
