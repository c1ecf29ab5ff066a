"""Run a meta-evaluation: agreement of metrics with human judgments or ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from geceval.agreement.ceilings import Ceilings
from geceval.agreement.judgments import Judgments, Ratings, agreeing_groups, find_numbering, line_numbers, rankings_of
from geceval.agreement.metric_agreement import AGGREGATIONS, TIE_RULES, MetricScores, MetricTest, PreferenceCounts
from geceval.agreement.people import MEASURES, Measure, People, expand_pairs
from geceval.base.arguments import RESAMPLES, SEEDS, THREADS, Bounds, choice, did_you_mean, whole
from geceval.base.errors import InputError, UsageError
from geceval.base.ties import order_of_best
from geceval.counting.run_options import Progress
from geceval.statistics import Floats
from geceval.statistics.correlation import Correlations
from geceval.statistics.intervals import Interval
from geceval.statistics.judged_pairs import Pairs
from geceval.statistics.rank_ranges import Placing, placings
from geceval.text.columns import Hypothesis, as_text
from geceval.text.corpus import Corpus


@dataclass(frozen=True)
class Study:
    """Judgments and the judged outputs.

    Attributes:
        pairs: Judgments of *all* systems. Human scores of a system depend on the systems it was compared with, so a
            study of some systems restricts the scores and does not recompute them.
        corpus: Systems under study, and the sentences that metrics score.
        lines: Line of the corpus by sentence number of the judgments.
        notes: Remarks on systems that are left out and on the numbering.
        ratings: Ratings that the pairs come from, if any.
    """

    pairs: Pairs
    corpus: Corpus
    lines: Mapping[int, int]
    notes: tuple[str, ...] = ()
    ratings: Ratings | None = None

    @cached_property
    def people(self) -> People:
        """Judgments and ratings of all systems."""
        return People(self.pairs, self.lines, self.ratings)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems under study, in order."""
        return tuple(self.corpus.systems)

    @property
    def judged(self) -> int:
        """Number of judged sentences."""
        return len(set(self.lines.values()))

    @property
    def indices(self) -> list[int]:
        """Indices of the systems under study among all judged systems."""
        return [self.pairs.systems.index(name) for name in self.systems]


def note_of_unjudged(systems: Sequence[str]) -> str:
    """Return the note on systems that are left out."""
    return f"ignored systems without judgments: {', '.join(systems)}"


def make_study(
    human: Judgments | Ratings,
    corpus: Corpus,
    *,
    numbering: str = "auto",
    exclude: Sequence[str] = (),
    only: Sequence[str] | None = None,
    judged_only: bool = False,
) -> Study:
    """Match judgments or ratings with outputs.

    Systems without judgments are left out, with a note.

    Args:
        human: Judgments, or ratings whose row k is of line k.
        corpus: Source, systems, and references or gold edits.
        numbering: Numbering of the judged sentences: "0", "1", "judged" (see the module ``numbering``) or "auto",
            which detects it.
        exclude: Names of systems to exclude.
        only: Names of the only systems to include (None: all).
        judged_only: Keep only sentences with judgments.

    Returns:
        The study, for ``evaluate_metrics``.

    Raises:
        InputError: If no numbering fits the outputs, a sentence is outside of them, or the number of rows differs from
            the number of lines.
        UsageError: If a named system does not exist or fewer than two systems are left.
    """
    rated = human if isinstance(human, Ratings) else None
    judgments = rankings_of(human)
    pairs = expand_pairs(judgments)
    notes: list[str] = []
    systems = list(corpus.systems)
    with_judged = list(dict.fromkeys([*systems, *pairs.systems]))
    for names, known in ((exclude, with_judged), (only or (), systems)):
        for name in names:
            if name not in known:
                message = f"unknown system {name}: choose from {', '.join(known)}"
                raise UsageError(message, hint=did_you_mean(name, known))
    selected = set(corpus.systems if only is None else only) - set(exclude)
    unjudged = [name for name in corpus.systems if name not in pairs.systems and name in selected]
    missing = [name for name in pairs.systems if name not in (*corpus.systems, *exclude)]
    if unjudged:
        notes.append(note_of_unjudged(unjudged))
    if missing:
        notes.append(f"ignored judged systems without an output: {', '.join(missing)}")
    outputs = {name: lines for name, lines in corpus.systems.items() if name in pairs.systems}
    chosen = {name: outputs[name] for name in sorted(outputs) if name in selected}
    if len(chosen) < 2:
        hint = f"judged systems: {', '.join(pairs.systems)}"
        raise UsageError(f"a meta-evaluation requires at least two systems, not {len(chosen)}", hint=hint)
    if rated is None:
        lines = _judged_lines(judgments, outputs, numbering, notes)
    else:
        lines = _rated_lines(rated, judgments, len(corpus))
    sentences = sorted(set(lines.values())) if judged_only else range(len(corpus))
    index = {line: k for k, line in enumerate(sentences)}
    part = corpus.with_systems(chosen).take(sentences)
    ratings = None if rated is None else rated.of(sentences)
    return Study(pairs, part, {number: index[line] for number, line in lines.items()}, tuple(notes), ratings)


def _rated_lines(ratings: Ratings, judgments: Judgments, length: int) -> dict[int, int]:
    rows = ratings.values.shape[1]
    if rows != length:
        message = f"{rows} rows of ratings, but {length} lines of source"
        hint = "ratings have one row per sentence, in the order of the outputs"
        raise InputError(message, path=ratings.path, hint=hint)
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
        notes.append(f"only {agree} of {checked} collapsed groups have the same output: check --numbering {numbering}")
    length = min(map(len, texts.values()), default=0)
    for item in judgments.items:
        if item.groups and not 0 <= lines[item.source_id] < length:
            message = f"sentence {item.source_id} is outside the {length} lines of the outputs"
            raise InputError(message, path=judgments.path, line=item.line)
    return lines


@dataclass(frozen=True)
class MetricResult:
    """Agreement of one metric with people.

    Attributes:
        scores: Scores of the metric.
        agreement: Correlations with human scores at system level.
        left_out: Correlations without each system, which show outliers.
        verdicts: Numbers of judged pairs by the metric's verdict.
        accuracy: Share of judged pairs on which the metric agrees, by rule for ties.
        segments: Correlations of sentence scores with ratings over all rated outputs, if any.
        tie_calibrated: Share of pairs on which the metric agrees with people, ties included, with the best threshold.
        epsilon: The threshold: scores that differ by at most this are tied.
        one_person: Agreement with one of two people, on the pairs that both decided; None if there are none.
        soft_accuracy: Soft pairwise accuracy of the systems, if resampled; NaN for a metric that scores all systems
            together.
        intervals: Bootstrap intervals over "systems" and over "sentences", by figure; empty if not resampled.
    """

    scores: MetricScores
    agreement: Correlations
    left_out: tuple[Correlations, ...]
    verdicts: PreferenceCounts
    accuracy: Mapping[str, float]
    segments: Correlations | None
    tie_calibrated: float
    epsilon: float
    one_person: float | None
    soft_accuracy: float | None
    intervals: Mapping[str, Mapping[str, Interval]]


#: Ways to count a verdict on two outputs that several systems share.
PAIRS = ("systems", "outputs")


@dataclass(frozen=True)
class StudyOptions:
    """Options of a meta-evaluation.

    Args:
        measure: Aggregation of judgments: "expected-wins", "trueskill" or "mean-rating" (None: "mean-rating" for
            ratings, else "expected-wins").
        aggregation: Aggregation of metric scores: "corpus", "mean", "expected-wins" or "trueskill".
        ties: Rule for ties: "half", "loss", "skipped" or "seeda".
        pairs: "systems" counts a verdict on two outputs for each pair of systems with these outputs; "outputs" counts
            it once.
        resamples: Number of replicates, at most 1,000,000; 0 computes no intervals.
        seed: Seed of the replicates, from 0 to 2**32 - 1.
        threads: Number of threads (0: one per processor).
        tests: Test all pairs of metrics.

    Raises:
        UsageError: If an option has an unsupported value.
    """

    measure: str | None = None
    aggregation: str = "corpus"
    ties: str = "half"
    pairs: str = "systems"
    resamples: int = 1000
    seed: int = 1
    threads: int = 0
    tests: bool = False

    def __post_init__(self) -> None:
        if self.measure is not None:
            choice("measure", self.measure, MEASURES)
        choice("aggregation", self.aggregation, AGGREGATIONS)
        choice("ties", self.ties, TIE_RULES)
        choice("pairs", self.pairs, PAIRS)
        whole("resamples", self.resamples, RESAMPLES)
        whole("seed", self.seed, SEEDS)
        whole("threads", self.threads, THREADS)


# --- window analysis (Kobayashi et al. 2024): agreement on systems with similar human scores ---


@dataclass(frozen=True)
class Window:
    """Correlations over systems with neighbouring human ranks.

    Attributes:
        first: First human rank, from 1, the best.
        last: Last human rank.
        systems: Names of the systems.
        span: Range of the human scores; if it is tiny, a correlation of -1 or 1 means little.
        agreement: Correlations over the systems.
    """

    first: int
    last: int
    systems: tuple[str, ...]
    span: float
    agreement: Correlations


def windows(systems: Sequence[str], metric: ArrayLike, human: ArrayLike, *, size: int = 4) -> list[Window]:
    """Return the agreement in all windows of neighbouring systems, best first.

    Args:
        systems: Names of n systems.
        metric: Scores [n] of the metric.
        human: Human scores [n].
        size: Number of systems in a window, from 2 to n.

    Raises:
        UsageError: If ``size`` is out of range.

    Source:
        Kobayashi et al. (2024).
    """
    x, y = np.asarray(metric, np.float64), np.asarray(human, np.float64)
    if not 2 <= size <= len(systems):
        raise UsageError(f"a window must have 2 to {len(systems)} systems, not {size}")
    order = np.array(order_of_best(y.tolist()), dtype=np.intp)
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


@dataclass(frozen=True, repr=False)
class StudyResults:
    """Results of a meta-evaluation.

    Attributes:
        study: The study.
        options: Its options.
        people: Human scores [n] of the systems under study.
        metrics: Agreement of each metric with people.
        tests: Tests of all pairs of metrics, if requested.
        ceilings: Agreement of people with each other, if resampled.
    """

    study: Study
    options: StudyOptions
    people: Floats
    metrics: tuple[MetricResult, ...]
    tests: tuple[MetricTest, ...] = ()
    ceilings: Ceilings | None = None

    @property
    def measure(self) -> Measure:
        """Aggregation of the human judgments."""
        return MEASURES[measure_of(self.study.people, self.options)]

    def windows(self, result: MetricResult, size: int) -> list[Window]:
        """Return one metric's agreement with people in windows of ``size`` systems."""
        return windows(self.study.systems, result.scores.values, self.people, size=size)


DEFAULTS = StudyOptions()


def people_scores(study: Study, options: StudyOptions) -> Floats:
    """Return human scores [n] of the systems under study, compared with all systems."""
    measure = measure_of(study.people, options)
    return MEASURES[measure].score(study.people, seed=options.seed, threads=options.threads)[study.indices]


def measure_of(people: People, options: StudyOptions) -> str:
    """Return the name of the requested or default measure."""
    return options.measure or ("expected-wins" if people.ratings is None else "mean-rating")


@dataclass(frozen=True)
class PeopleRanking:
    """Human ranking of all judged systems.

    Attributes:
        measure: Name of the aggregation.
        scores: Score by system.
        placings: Systems from best to worst, with rank ranges and clusters.
        replicates: Number of replicates.
        seed: Seed of the replicates.
        pairs: "outputs" if a verdict on two outputs counts once, else "systems".
    """

    measure: str
    scores: Mapping[str, float]
    placings: tuple[Placing, ...]
    replicates: int
    seed: int
    pairs: str


def rank_by_people(
    human: Judgments | Ratings, options: StudyOptions = DEFAULTS, progress: Progress | None = None
) -> PeopleRanking:
    """Rank systems by human judgments or ratings, with rank ranges and clusters.

    Args:
        human: Judgments or ratings.
        options: Options; ``measure``, ``resamples``, ``seed`` and ``threads`` are used.
        progress: Called with the number of replicates done since its last call.

    Returns:
        The systems from best to worst; rank ranges and clusters come from resampled judgments or ratings.

    Raises:
        UsageError: If "mean-rating" is requested without ratings, or there are fewer than two resamples.
    """
    people, count = People.of(human), whole("resamples", options.resamples, Bounds(2, RESAMPLES.high))
    if options.pairs == "outputs":
        people = people.with_output_weights()
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
    scored = dict(zip(systems, scores.tolist(), strict=True))
    return PeopleRanking(name, scored, tuple(rows), count, options.seed, options.pairs)
