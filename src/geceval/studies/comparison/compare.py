"""Is A better than B? Every system's interval, every pair's difference and p-value, ranks and clusters.

The method, with its formulas and sources: docs/significance.md.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from geceval._kernel import __version__
from geceval.base.cached import cached_property
from geceval.base.errors import InputError, UsageError
from geceval.counting.counts import Counts, Floats
from geceval.counting.groups.groupings import ByLength, BySentence, ByType, Grouping
from geceval.counting.metric_names import heads_of, labels
from geceval.counting.metric_names import names as names_of
from geceval.counting.policies import Running
from geceval.counting.run import Run
from geceval.counting.stream import AnyMetric, Progress, given, metrics_of
from geceval.statistics.clusters import clusters_by_tests, ranges_by_tests
from geceval.statistics.intervals import Interval, bca_interval, percentile_interval
from geceval.statistics.significance import (
    ADJUSTMENTS,
    ROUNDING,
    Adjustment,
    centred_p,
    monte_carlo_error,
    randomisation_p,
)
from geceval.statistics.threads import in_threads
from geceval.studies.comparison.comparison_options import USUAL, IntervalKind, Options, Pairs, References, Test, needed
from geceval.studies.comparison.comparison_results import Comparison, Pair, SystemScore
from geceval.studies.comparison.replicates import Drawn, OfSums, drawn_of
from geceval.studies.comparison.resampled_counts import Group, Resampled, has_ratio
from geceval.text.corpus import TextSource
from geceval.text.files import SOURCE
from geceval.text.m2.edit_types import cut_at_colons

By: TypeAlias = Literal["operation", "type", "full", "length"]

#: Takes in the counts of all systems under a metric, part by part.
Beside: TypeAlias = Callable[[AnyMetric, Mapping[str, Counts]], None]

#: The official score and the one of the best references may differ by so much before it is said.
NOTICED = 1e-4
#: Fewer units than this bear no interval worth the name.
FEW_UNITS = 20


def compare(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    *,
    baseline: str | None = None,
    test: Test = "randomisation",
    interval: IntervalKind = "percentile",
    samples: int | None = None,
    seed: int = 0,
    alpha: float = 0.05,
    blocks: Sequence[Hashable] | None = None,
    by: By | None = None,
    groups: Sequence[Hashable] | None = None,
    adjust: Adjustment | None = None,
    references: References = "auto",
    pairs: Pairs = "all",
    threads: int = 0,
    progress: Progress | None = None,
    checks: bool = True,
) -> Comparison:
    """Every system's score with its bootstrap interval, and for every pair, or against ``baseline``, what speaks
    against chance.

    ``test``: paired randomisation (all labellings where few sentences differ), or the bootstrap of the difference moved
    to 0. ``samples`` replicates (None: 10,000, or more where Holm's correction of all tests needs them) are drawn by
    ``seed`` for the intervals and as many for the tests, the same ones for all systems and metrics. ``blocks[s]``: what
    sentence s is drawn together with, such as its document. ``by``: also for each kind of edits; ``groups[s]``: also
    for each group of sentences. ``adjust``: how p-values of many tests are corrected: ``holm``, ``bh`` (Benjamini and
    Hochberg), ``by`` (Benjamini and Yekutieli), ``none``; None: ``holm`` for whole corpora, ``bh`` among groups.
    ``references``: what replicates do about them where a metric chooses by the sentences before (docs/significance.md).
    ``pairs`` "none": intervals only. ``checks``: warn (GecevalWarning) of input that cannot mean what it is taken for
    (docs/checks.md).
    Raises UsageError for values that do not exist, InputError for ``blocks`` or ``groups`` of another length.
    """
    metrics = metrics_of(metrics)
    number = USUAL if samples is None else samples
    options = Options(baseline, test, interval, number, seed, alpha, adjust, references, pairs, threads)
    if samples is None:
        options = options.with_enough(corpus.system_names, len(metrics))
    found = resampled(corpus, metrics, options, blocks=blocks, by=by, groups=groups, progress=progress, checks=checks)
    return comparison_of(corpus, found, options)


def intervals(corpus: TextSource, metrics: Sequence[AnyMetric], **options: Any) -> tuple[SystemScore, ...]:
    """Every system's score with its interval, metric by metric; options as of ``compare``. Nothing is tested."""
    return compare(corpus, metrics, pairs="none", **options).systems


# --- counting ---


def resampled(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    options: Options,
    *,
    blocks: Sequence[Hashable] | None = None,
    by: By | None = None,
    groups: Sequence[Hashable] | None = None,
    progress: Progress | None = None,
    checks: bool = True,
    beside: Beside | None = None,
    decides: AnyMetric | None = None,
) -> dict[AnyMetric, Resampled]:
    """The resampled counts of all systems under each distinct metric, from one counting pass; what ``beside`` takes in
    is the same pass's, with evidence where a metric tells kinds of edits by it. ``decides``: pairs are tested under
    this metric alone (None: under all)."""
    metrics = metrics_of(metrics)
    systems = corpus.system_names
    tested, grouping = options.pairs_of(systems), grouping_of(by, groups)
    pairs = {metric: tested if decides in (None, metric) else [] for metric in metrics}
    _check_lengths(blocks, groups, corpus.sentences)
    _check(metrics, options, pairs)
    found = {
        metric: Resampled(metric, systems, options, own, references=references_of(corpus, metric), grouping=grouping)
        for metric, own in pairs.items()
    }
    by_kind = beside is not None or (grouping is not None and grouping.labels is None)
    evidence = [metric for metric in metrics if by_kind and metric.by_kind("type") is not None]
    labels = None if groups is None else lambda part: _part("groups", groups, part.first, len(part))
    threads = options.threads
    run = Run(corpus, metrics, threads=threads, evidence=evidence, labels=labels, progress=progress, checks=checks)
    for metric, own in by_metric(run.stream(), systems):
        if beside is not None:
            beside(metric, own)
        first, length = found[metric].sentences, len(next(iter(own.values())))
        found[metric].add(own, blocks=None if blocks is None else _part("blocks", blocks, first, length))
    _check_lengths(blocks, groups, next(iter(found.values())).sentences)
    return found


def by_metric(
    stream: Iterator[tuple[str, AnyMetric, Counts]], systems: Sequence[str]
) -> Iterator[tuple[AnyMetric, dict[str, Counts]]]:
    """The counts of all systems together, metric by metric and part by part."""
    waiting: dict[AnyMetric, dict[str, Counts]] = {}
    for name, metric, counts in stream:
        own = waiting.setdefault(metric, {})
        own[name] = counts
        if len(own) == len(systems):
            yield metric, waiting.pop(metric)


def _check_lengths(blocks: Sequence[Hashable] | None, groups: Sequence[Hashable] | None, sentences: int | None) -> None:
    for name, sizes in (("blocks", blocks), ("groups", groups)):
        if sizes is not None and sentences not in (None, len(sizes)):
            raise InputError(f"{len(sizes)} {name} for {sentences} sentences")


def _part(name: str, labels: Sequence[Hashable], first: int, length: int) -> Sequence[Hashable]:
    part = labels[first : first + length]
    if len(part) != length:
        raise InputError(f"{len(labels)} {name} for at least {first + length} sentences")
    return part


def grouping_of(by: By | None, groups: Sequence[Hashable] | None) -> Grouping | None:
    """By kinds of edits or by groups of sentences, if asked for."""
    if by is not None and groups is not None:
        raise UsageError("by kinds of edits or by groups of sentences, not both")
    if groups is not None:
        return BySentence()
    if by is None:
        return None
    if by not in get_args(By):
        raise UsageError(f"unknown kind of group {by!r}: choose from {', '.join(get_args(By))}")
    return ByLength() if by == "length" else ByType(by, cut_at_colons)


def _check(metrics: Sequence[AnyMetric], options: Options, tested: Mapping[AnyMetric, Sequence[Any]]) -> None:
    if not metrics:
        raise UsageError("no metric to compare by")
    for metric in metrics:
        if metric.pooled and tested[metric] and options.test == "randomisation":
            message = f"{metric.label} looks at all systems together: labels of two cannot be swapped"
            raise UsageError(message, hint="test=bootstrap")
        if options.references == "optimum" and isinstance(metric.policy, Running) and not has_ratio(metric):
            message = f"{metric.label} is no ratio of sums: its best references are not known (references=optimum)"
            raise UsageError(message, hint="references=auto or frozen: those of the full run")


def references_of(corpus: TextSource, metric: AnyMetric) -> int:
    """The most references that the metric has for a sentence."""
    if metric.evidence_of == "nothing":
        return 1
    if metric.evidence_of == "gold" or (metric.evidence_of == "edits" and corpus.has_gold):
        return corpus.reference_numbers(of_gold=True)[1]
    texts = corpus.with_texts() if metric.evidence_of == "texts" else corpus
    return max(texts.reference_numbers(of_gold=False)[1], 1)


# --- results ---


@dataclass(frozen=True)
class Level:
    """What is compared under a metric: the whole corpus or a group; values [n] are the official scores."""

    metric: str
    label: str | None
    resampled: Resampled
    group: Group
    values: Floats
    drawn: Drawn

    @cached_property
    def replicates(self) -> Floats:
        """The scores [B, n] of bootstrap samples."""
        return self.drawn.bootstrap()

    @cached_property
    def left_out(self) -> Floats:
        """The scores [units, n] without each unit in turn."""
        return self.drawn.left_out()

    def interval(self, of: Callable[[Floats], Any], options: Options) -> tuple[Interval, float]:
        """The bounds and the standard deviation of a number ``of`` scores [..., n], from its replicates."""
        replicates, level = of(self.replicates), 1 - options.alpha
        deviation = float(replicates.std(ddof=1)) if options.samples > 1 else 0.0
        if options.interval == "percentile":
            return percentile_interval(replicates, level=level), deviation
        observed = float(of(self.drawn.observed))
        return bca_interval(replicates, observed, of(self.left_out), level=level), deviation


def levels(name: str, resampled: Resampled) -> Iterator[Level]:
    """The whole corpus, then its groups; a system without anything in a group scores what its counts of 0 say."""
    yield Level(name, None, resampled, resampled.whole, resampled.official_scores(), drawn_of(resampled))
    for label, (group, scores) in resampled.grouped().items():
        drawn = OfSums(resampled, group.sums)
        systems = zip(resampled.systems, drawn.observed.tolist(), strict=True)
        found = [scores[system].value if system in scores else observed for system, observed in systems]
        values = np.array(found, np.float64)  # NaN for None: no score
        if not np.isnan(values).any():
            yield Level(name, str(label), resampled, group, values, drawn)


def comparison_of(corpus: TextSource, found: Mapping[AnyMetric, Resampled], options: Options) -> Comparison:
    """What the resampled counts of all systems say."""
    names = dict(zip(found, names_of(list(found)), strict=True))
    lower_is_better = tuple(names[metric] for metric in found if not metric.higher_is_better)
    warnings: list[str] = []
    systems: list[SystemScore] = []
    pairs: list[Pair] = []
    for metric, own in found.items():
        for level in levels(names[metric], own):
            if level.label is None:
                warnings += _gaps(level)
            systems += scores_of(level, options)
            pairs += in_threads(partial(tested, level, options), len(own.pairs), options.threads)
    warnings += _too_few(pairs, options)
    first = next(iter(found.values()))
    units, what = (len(first.units), "blocks") if first.units else (first.sentences, "sentences")
    if units < FEW_UNITS:
        warnings.append(f"{units} {what} are few: intervals from fewer than {FEW_UNITS} are rough")
    pairs = adjusted(pairs, options)
    return Comparison(
        tuple(ranked(systems, pairs, lower_is_better, options)),
        tuple(pairs),
        signature(options, found),
        {names[metric]: _signed(corpus, metric) for metric in found},
        first.sentences,
        units,
        options.alpha,
        options.baseline,
        tuple(warnings),
        lower_is_better,
        tuple(names[metric] for metric in found if not metric.in_percent),
        dict(zip(names.values(), heads_of(list(names), labels(list(names), by="name")), strict=True)),
    )


def _signed(corpus: TextSource, metric: AnyMetric) -> str:
    """The metric's signature; several where systems are given in several ways."""
    signed = [metric.signature(given(corpus, metric, system)) for system in corpus.system_names]
    return " ".join(dict.fromkeys(signed))


def scores_of(level: Level, options: Options) -> Iterator[SystemScore]:
    """Every system's interval, moved by what the official score is off the resampled one."""
    for k, system in enumerate(level.resampled.systems):
        bounds, deviation = level.interval(itemgetter((..., k)), options)
        value, shift = float(level.values[k]), float(level.values[k] - level.drawn.observed[k])
        low, high = bounds.low + shift, bounds.high + shift
        yield SystemScore(system, level.metric, value, low, high, deviation, 0, 0, 0, level.label)


def tested(level: Level, options: Options, at: int) -> Pair:
    """The difference, interval and p, not yet adjusted, of the pair with this number."""
    resampled, group = level.resampled, level.group
    a, b = resampled.pairs[at]

    def gap(scores: Floats) -> Any:
        return scores[..., a] - scores[..., b]

    observed, value = float(gap(level.drawn.observed)), float(gap(level.values))
    bounds, deviation = level.interval(gap, options)
    if options.test == "bootstrap":
        p, exact = centred_p(gap(level.replicates), observed), False
    else:
        differences, exact = level.drawn.swapped(at)
        p = randomisation_p(differences, observed, exact=exact)
    better, worse = int(group.above[at]), int(group.below[at])
    if not resampled.metric.higher_is_better:
        better, worse = worse, better
    return Pair(
        resampled.systems[a],
        resampled.systems[b],
        level.metric,
        value,
        bounds.low + value - observed,
        bounds.high + value - observed,
        p,
        p,
        effect(value, deviation),
        better / group.sentences,
        (group.sentences - better - worse) / group.sentences,
        worse / group.sentences,
        int(level.drawn.differing[at]),
        exact,
        level.label,
        0.0 if exact else monte_carlo_error(p, options.samples),
    )


def effect(difference: float, deviation: float) -> float:
    """The difference in standard deviations of its bootstrap replicates; 0 for none, infinite where all are alike."""
    if difference == 0:
        return 0.0
    return difference / deviation if deviation > ROUNDING else math.copysign(math.inf, difference)


def _family(pairs: Sequence[Pair], *, of_groups: bool) -> list[int]:
    """The tests that are corrected together, by their places: of whole corpora, or of all groups."""
    return [place for place, pair in enumerate(pairs) if (pair.group is not None) == of_groups]


def adjusted(pairs: Sequence[Pair], options: Options) -> list[Pair]:
    """The pairs with p-values corrected for all that was tested: every pair under every metric; groups apart."""
    found = list(pairs)
    for of_groups in (False, True):
        places = _family(pairs, of_groups=of_groups)
        corrected = ADJUSTMENTS[options.adjustment(of_groups=of_groups)]([pairs[place].p for place in places])
        for place, p in zip(places, corrected.tolist(), strict=True):
            found[place] = dataclasses.replace(found[place], p_adjusted=p)
    return found


def ranked(
    systems: Sequence[SystemScore], pairs: Sequence[Pair], lower_is_better: Sequence[str], options: Options
) -> Iterator[SystemScore]:
    """The systems with the rank ranges and clusters that the adjusted tests leave, in each metric and group; 0 for the
    unchanged source, which is none of them."""
    tests = {level: list(own) for level, own in groupby(pairs, _level_of)}
    for level, rows in groupby(systems, _level_of):
        every = list(rows)
        own = [score for score in every if score.system != SOURCE]
        places, sign = {score.system: k for k, score in enumerate(own)}, -1 if level[0] in lower_is_better else 1
        beats = np.zeros((len(own), len(own)), dtype=bool)
        for pair in tests.get(level, ()):
            if pair.p_adjusted < options.alpha and pair.difference:
                winner, loser = (pair.a, pair.b) if pair.difference * sign > 0 else (pair.b, pair.a)
                beats[places[winner], places[loser]] = True
        best, worst = ranges_by_tests(beats)
        clusters = clusters_by_tests(np.array([score.value * sign for score in own]), beats)
        for k, score in enumerate(own):
            yield dataclasses.replace(score, rank_low=int(best[k]), rank_high=int(worst[k]), cluster=int(clusters[k]))
        yield from (score for score in every if score.system == SOURCE)


def _level_of(row: SystemScore | Pair) -> tuple[str, str | None]:
    return row.metric, row.group


# --- what is said beside the numbers ---


def signature(options: Options, found: Mapping[AnyMetric, Resampled]) -> str:
    """All of the statistics that can change a number: ``ar:10000|boot:10000|seed:0|ci:percentile|…``."""
    counts = found.values()
    tested = any(own.pairs for own in counts)
    parts = [f"ar:{options.samples}"] if tested and options.test == "randomisation" else []
    parts += [f"boot:{options.samples}", f"seed:{options.seed}", f"ci:{options.interval}", "weights:poisson"]
    parts.append(f"unit:{'block' if any(own.units for own in counts) else 'sentence'}")
    treated = dict.fromkeys(f"{own.metric.label}={own.treatment}" for own in counts if own.treatment)
    parts += [f"ref:{','.join(treated)}"] if treated else []
    if tested:
        corrections = [options.adjustment(of_groups=False)]
        corrections += [options.adjustment(of_groups=True)] if any(own.grouping for own in counts) else []
        parts.append(f"adj:{'+'.join(dict.fromkeys(corrections))}")
    return "|".join([*parts, f"alpha:{options.alpha:g}", f"v:{__version__}"])


def _gaps(level: Level) -> Iterator[str]:
    if level.resampled.treatment not in ("optimum", "frozen"):
        return
    scores = zip(level.resampled.systems, level.values.tolist(), level.drawn.observed.tolist(), strict=True)
    for system, value, best in scores:
        if abs(best - value) > NOTICED:
            yield (
                f"{level.resampled.metric.label} of {system}: {value:.6f} by choosing references in order, {best:.6f} "
                "with the best ones; the replicates are those of the best ones, moved by the difference"
            )


def _too_few(pairs: Sequence[Pair], options: Options) -> Iterator[str]:
    """A p of 1 / (samples + 1), adjusted, must be able to fall below alpha."""
    for of_groups in (False, True):
        tests = [pairs[place] for place in _family(pairs, of_groups=of_groups)]
        enough, holm = needed(len(tests), options.alpha), options.adjustment(of_groups=of_groups) == "holm"
        if holm and options.samples < enough and not all(test.exact for test in tests):
            yield (
                f"{options.samples} samples are few for {len(tests)} tests: with Holm's correction at "
                f"{options.alpha:g} take at least {enough}"
            )
