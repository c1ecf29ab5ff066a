"""A meta-evaluation from end to end: judgments and outputs in, agreement of metrics with people out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import cast

import numpy as np
from numpy.typing import NDArray

from geceval.counting.stream import AnyMetric
from geceval.errors import InputError, UsageError
from geceval.metaeval.judgments import Judgments
from geceval.metaeval.metric_tests import MetricTest, compare_metrics
from geceval.metaeval.numbering import agreeing_groups, find_numbering, line_numbers
from geceval.metaeval.pairs import Pairs, expand
from geceval.metaeval.people import MEASURES, replicated_scores
from geceval.metaeval.scoring import MetricScores, count_systems, score_systems
from geceval.metaeval.sentence_level import (
    TIE_RULES,
    Verdicts,
    accuracy,
    accuracy_interval,
    tau,
    total,
    verdicts_by_sentence,
)
from geceval.metaeval.window import Window, windows
from geceval.statistics.clusters import Placing, placings
from geceval.statistics.correlation import Agreement, leave_one_out
from geceval.statistics.intervals import Interval, intervals_of, over_systems, sentence_weights
from geceval.text.corpus import Corpus, Hypothesis, as_text

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Study:
    """Judgments and the outputs they are about.

    ``corpus`` holds the systems under study and the sentences metrics are computed on; ``lines`` maps the judgments'
    sentence numbers to its lines; ``pairs`` are the judgments of *all* systems, since people's scores of a system
    depend on whom it was compared with, and a study of some of them restricts these scores and does not recompute them.
    """

    pairs: Pairs
    corpus: Corpus
    lines: Mapping[int, int]
    notes: tuple[str, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems under study, in order."""
        return tuple(self.corpus.systems)

    @property
    def places(self) -> list[int]:
        """Where the systems under study stand among all judged systems."""
        return [self.pairs.systems.index(name) for name in self.systems]


def make_study(
    judgments: Judgments,
    corpus: Corpus,
    *,
    numbering: str = "auto",
    exclude: Sequence[str] = (),
    only: Sequence[str] | None = None,
    judged_only: bool = False,
) -> Study:
    """Bring judgments and outputs together.

    Systems that nobody judged, those in ``exclude`` and those not in ``only`` are left out (``notes`` says which);
    ``judged_only`` keeps only the sentences of which there are judgments. ``numbering``: see
    geceval.metaeval.numbering; "auto" finds it. Raises InputError if no numbering fits the outputs or a sentence lies
    outside them, and UsageError for a named system that does not exist or fewer than two systems left.
    """
    pairs = expand(judgments)
    notes = []
    for name in [*exclude, *(only or ())]:
        if name not in corpus.systems:
            near = get_close_matches(name, list(corpus.systems), n=1)
            hint = f"did you mean {near[0]}?" if near else None
            raise UsageError(f"no system {name}; there are: {', '.join(corpus.systems)}", hint=hint)
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
    lines = _lines(judgments, outputs, numbering, notes)
    kept = sorted(set(lines.values())) if judged_only else range(len(corpus))
    place = {line: k for k, line in enumerate(kept)}
    part = _part(corpus, chosen, list(kept))
    return Study(pairs, part, {number: place[line] for number, line in lines.items()}, tuple(notes))


def _lines(judgments: Judgments, outputs: Mapping[str, Hypothesis], numbering: str, notes: list[str]) -> dict[int, int]:
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


def _part(corpus: Corpus, systems: Mapping[str, Hypothesis], kept: Sequence[int]) -> Corpus:
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
    gets right and ``tau`` what WMT makes of it, by the rule for its ties. ``intervals`` is None where nothing was
    resampled.
    """

    scores: MetricScores
    agreement: Agreement
    left_out: tuple[Agreement, ...]
    verdicts: Verdicts
    accuracy: Mapping[str, float]
    tau: Mapping[str, float]
    intervals: Intervals | None


@dataclass(frozen=True)
class Options:
    """What a study computes.

    ``ties``: see sentence_level.TIE_RULES. ``resamples`` 0 leaves out all intervals. ``tests`` asks for a test of every
    pair of metrics.
    """

    measure: str = "expected-wins"
    aggregation: str = "corpus"
    ties: str = "half"
    resamples: int = 1000
    seed: int = 1
    threads: int = 0
    tests: bool = False


@dataclass(frozen=True)
class Results:
    """People's scores [n] of the systems under study, the metrics' agreement with them, and tests of every pair."""

    study: Study
    options: Options
    people: Floats
    metrics: tuple[MetricResult, ...]
    tests: tuple[MetricTest, ...] = ()

    def line(self, result: MetricResult) -> tuple[float, float]:
        """Slope and height at 0 of the least squares line of a metric's scores over people's."""
        slope, base = np.polyfit(self.people, result.scores.values, 1)
        return float(slope), float(base)

    def windows(self, result: MetricResult, size: int) -> list[Window]:
        """One metric's agreement with people in windows of ``size`` systems; UsageError if there are fewer."""
        return windows(self.study.systems, result.scores.values, self.people, size=size)


DEFAULTS = Options()


def people_scores(study: Study, options: Options) -> Floats:
    """People's scores [n] of the systems under study, aggregated over all judged systems, then restricted."""
    measure = MEASURES[options.measure]
    return measure.score(study.pairs.tally(), seed=options.seed, threads=options.threads)[study.places]


@dataclass(frozen=True)
class Ranking:
    """How people rank all judged systems: ``scores``, and ``placings`` over ``replicates`` resampled rankings."""

    measure: str
    scores: Mapping[str, float]
    placings: tuple[Placing, ...]
    replicates: int
    seed: int


def rank_by_people(judgments: Judgments, options: Options = DEFAULTS) -> Ranking:
    """People's ranking of the systems, best first, with rank ranges and clusters from resampled judgments."""
    tally, measure = expand(judgments).tally(), MEASURES[options.measure]
    count = options.resamples or 1
    rows = placings(tally.systems, measure.runs(tally, options.seed, count, options.threads))
    scores = {row.system: row.mean for row in rows}
    if measure.exact is not None:
        scores = dict(zip(tally.systems, measure.exact(tally).tolist(), strict=True))
        rows.sort(key=lambda row: -scores[row.system])
    return Ranking(options.measure, scores, tuple(rows), count, options.seed)


def evaluate_metrics(
    study: Study,
    metrics: Sequence[AnyMetric],
    options: Options = DEFAULTS,
    progress: Callable[[int], None] | None = None,
) -> Results:
    """Score all systems with all metrics and compare the scores with people's.

    One draw of sentences serves people and all metrics. Raises what the metrics raise without the references or gold
    edits they need.
    """
    people = people_scores(study, options)
    drawn = _draw(study, options) if options.resamples else None
    results = []
    for counted in count_systems(study.corpus, metrics, threads=options.threads, progress=progress):
        weights = None if drawn is None else drawn.weights
        scores = score_systems(counted, aggregation=options.aggregation, weights=weights)
        verdicts = verdicts_by_sentence(study.pairs.among(study.systems), study.lines, scores.sentences)
        intervals = None if drawn is None else _intervals(scores, people, verdicts, drawn, options)
        pooled = total(verdicts)
        shares = {rule: float(accuracy(pooled, ties=rule)) for rule in TIE_RULES}
        taus = {rule: float(tau(pooled, ties=rule)) for rule in TIE_RULES}
        agreement, left_out = Agreement.of(scores.values, people), leave_one_out(scores.values, people)
        results.append(MetricResult(scores, agreement, tuple(left_out), pooled, shares, taus, intervals))
    tests: list[MetricTest] = []
    if options.tests:
        every = [result.scores for result in results]
        tests = compare_metrics(every, people, replicates=options.resamples, seed=options.seed)
    return Results(study, options, people, tuple(results), tuple(tests))


@dataclass(frozen=True)
class _Draw:
    """Resampled sentences: ``weights[replicate, sentence]`` and people's scores [replicates, n] with them."""

    weights: NDArray[np.int64]
    people: Floats


def _draw(study: Study, options: Options) -> _Draw:
    weights = sentence_weights(len(study.corpus), replicates=options.resamples, seed=options.seed)
    measure, threads = MEASURES[options.measure], options.threads
    people = replicated_scores(measure, study.pairs, study.lines, weights, seed=options.seed, threads=threads)
    return _Draw(weights, people[:, study.places])


def _intervals(scores: MetricScores, people: Floats, verdicts: Verdicts, drawn: _Draw, options: Options) -> Intervals:
    return Intervals(
        systems=over_systems(scores.values, people, replicates=options.resamples, seed=options.seed),
        sentences=intervals_of(scores.replicates, drawn.people),
        accuracy=accuracy_interval(verdicts, drawn.weights, ties=options.ties),
    )
