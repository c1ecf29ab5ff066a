"""Is A better than B? Every system's interval, every pair's difference and p-value, ranks and clusters.

The method, with its formulas and sources: docs/significance.md.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import __version__
from geceval.base.errors import InputError, UsageError
from geceval.counting.counts import Counts, Floats
from geceval.counting.groups.breakdown import GroupScore
from geceval.counting.groups.groupings import ByLength, BySentence, ByType, Grouping
from geceval.counting.metric_labels import heads_of
from geceval.counting.metric_labels import names as names_of
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
from geceval.studies.comparison.comparison_options import IntervalKind, Options, Pairs, Test, needed, options_for
from geceval.studies.comparison.comparison_results import Comparison, Pair, SystemScore
from geceval.studies.comparison.replicates import Drawn, OfSums, drawn_of
from geceval.studies.comparison.resampled_counts import References, Resampled, Treatment, Verdicts, has_ratio
from geceval.text.corpus import TextSource
from geceval.text.m2.edit_types import cut_at_colons
from geceval.text.source_row import SOURCE

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
    how: dict[str, Any] = {"baseline": baseline, "test": test, "interval": interval, "seed": seed, "alpha": alpha}
    how |= {"adjust": adjust, "references": references, "pairs": pairs, "threads": threads}
    options = options_for(corpus.system_names, len(metrics), samples, **how)
    found = resampled(corpus, metrics, options, blocks=blocks, by=by, groups=groups, progress=progress, checks=checks)
    return comparison_of(corpus, found, options, blocks=blocks is not None)


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
    for name, labels in (("blocks", blocks), ("groups", groups)):
        if labels is not None and corpus.sentences is not None and len(labels) != corpus.sentences:
            raise InputError(f"{len(labels)} {name} for {corpus.sentences} sentences")
    _check(metrics, options, pairs)
    found = {
        metric: Resampled(
            metric, systems, options.plan(own), own, references=references_of(corpus, metric), grouping=grouping
        )
        for metric, own in pairs.items()
    }
    by_kind = beside is not None or (grouping is not None and grouping.labels is None)
    evidence = [metric for metric in metrics if by_kind and metric.by_kind("type") is not None]
    run = Run(corpus, metrics, threads=options.threads, evidence=evidence, progress=progress, checks=checks)
    for metric, own in by_metric(run.stream(), systems):
        if beside is not None:
            beside(metric, own)
        consumer = found[metric]
        there = slice(consumer.sentences, consumer.sentences + len(next(iter(own.values()))))
        consumer.add(own, blocks=_part("blocks", blocks, there), labels=_part("groups", groups, there))
    for consumer in found.values():
        for name, labels in (("blocks", blocks), ("groups", groups)):
            if labels is not None and len(labels) != consumer.sentences:
                raise InputError(f"{len(labels)} {name} for {consumer.sentences} sentences")
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


def _part(name: str, labels: Sequence[Hashable] | None, there: slice) -> Sequence[Hashable] | None:
    if labels is None:
        return None
    part = labels[there]
    if len(part) != there.stop - there.start:
        raise InputError(f"{len(labels)} {name} for at least {there.stop} sentences")
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
    group: str | None
    values: Floats
    drawn: Drawn
    verdicts: Verdicts
    better: Literal[1, -1]


def levels(name: str, resampled: Resampled, treatment: Treatment) -> Iterator[Level]:
    """The whole corpus, then its groups."""
    better: Literal[1, -1] = 1 if resampled.metric.higher_is_better else -1
    drawn = drawn_of(resampled, treatment)
    yield Level(name, None, resampled.official_scores(), drawn, resampled.verdicts, better)
    for label, (group, scores) in resampled.grouped().items():
        of_group = OfSums(resampled, group.sums)
        values = np.array(
            [
                _value(scores.get(system), own)
                for system, own in zip(resampled.systems, of_group.observed.tolist(), strict=True)
            ]
        )
        if not np.isnan(values).any():
            yield Level(name, str(label), values, of_group, group.verdicts, better)


def _value(score: GroupScore | None, observed: float) -> float:
    """What a group scores; a system without anything in it as its counts of 0 say; NaN for what has no score."""
    if score is None:
        return observed
    return math.nan if score.value is None else score.value


def comparison_of(
    corpus: TextSource, found: Mapping[AnyMetric, Resampled], options: Options, *, blocks: bool = False
) -> Comparison:
    """What the resampled counts of all systems say."""
    names = dict(zip(found, names_of(list(found)), strict=True))
    treatments = {metric: own.plan.treatment(metric, own.references, own.sentences) for metric, own in found.items()}
    warnings: list[str] = []
    systems: list[SystemScore] = []
    pairs: list[Pair] = []
    for metric, own in found.items():
        for level in levels(names[metric], own, treatments[metric]):
            if level.group is None:
                warnings += _gaps(level, own, treatments[metric])
            replicates = level.drawn.bootstrap()
            systems += scores_of(level, own, options, replicates)
            pairs += tests_of(level, own, options, replicates)
    warnings += _too_few(pairs, options)
    first = next(iter(found.values()))
    units = len(first.units) if blocks else first.sentences
    if units < FEW_UNITS:
        what = "blocks" if blocks else "sentences"
        warnings.append(f"{units} {what} are few: intervals from fewer than {FEW_UNITS} are rough")
    pairs = adjusted(pairs, options)
    return Comparison(
        tuple(ranked(systems, pairs, found, names, options)),
        tuple(pairs),
        signature(options, found, treatments, blocks, any(own.grouping for own in found.values())),
        {names[metric]: _signed(corpus, metric) for metric in found},
        first.sentences,
        units,
        options.alpha,
        options.baseline,
        tuple(warnings),
        tuple(names[metric] for metric in found if not metric.higher_is_better),
        tuple(names[metric] for metric in found if not metric.in_percent),
        dict(zip(names.values(), heads_of(list(names)), strict=True)),
    )


def _signed(corpus: TextSource, metric: AnyMetric) -> str:
    """The metric's signature; several where systems are given in several ways."""
    signed = [metric.signature(given(corpus, metric, system)) for system in corpus.system_names]
    return " ".join(dict.fromkeys(signed))


def interval_of(options: Options, replicates: Floats, observed: float, left_out: Floats | None) -> Interval:
    """The bounds of a number from its replicates [B]."""
    level = 1 - options.alpha
    if left_out is None:
        return percentile_interval(replicates, level=level)
    return bca_interval(replicates, observed, left_out, level=level)


def scores_of(level: Level, resampled: Resampled, options: Options, replicates: Floats) -> Iterator[SystemScore]:
    """Every system's interval: replicates [B, n], moved by what the official score is off the resampled one."""
    left_out = level.drawn.left_out() if options.interval == "bca" else None
    observed = level.drawn.observed
    for k, system in enumerate(resampled.systems):
        own = interval_of(options, replicates[:, k], observed[k], None if left_out is None else left_out[k])
        value, shift = float(level.values[k]), float(level.values[k] - observed[k])
        deviation = float(replicates[:, k].std(ddof=1)) if options.samples > 1 else 0.0
        bounds = own.low + shift, own.high + shift
        yield SystemScore(system, level.metric, value, *bounds, deviation, 0, 0, 0, level.group)


def tests_of(level: Level, resampled: Resampled, options: Options, replicates: Floats) -> list[Pair]:
    """Every pair's difference, interval and p, not yet adjusted."""
    left_out = level.drawn.left_out() if options.interval == "bca" else None

    def one(at: int) -> Pair:
        return tested(level, resampled, options, at, replicates, left_out)

    return in_threads(one, len(resampled.pairs), options.threads)


def tested(
    level: Level, resampled: Resampled, options: Options, at: int, replicates: Floats, left_out: Floats | None
) -> Pair:
    """The pair with this number."""
    a, b = resampled.pairs[at]
    observed = float(level.drawn.observed[a] - level.drawn.observed[b])
    value = float(level.values[a] - level.values[b])
    drawn = replicates[:, a] - replicates[:, b]
    bounds = interval_of(options, drawn, observed, None if left_out is None else left_out[a] - left_out[b])
    deviation = float(drawn.std(ddof=1)) if options.samples > 1 else 0.0
    if options.test == "bootstrap":
        p, exact, differing = centred_p(drawn, observed), False, level.drawn.differing(at)
    else:
        swapped = level.drawn.swapped(at)
        exact, differing = swapped.exact, swapped.differing
        p = randomisation_p(swapped.differences, observed, exact=exact)
    sentences = level.verdicts.sentences
    above, below = int(level.verdicts.above[at]), int(level.verdicts.below[at])
    better, worse = (above, below) if level.better > 0 else (below, above)
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
        better / sentences,
        (sentences - better - worse) / sentences,
        worse / sentences,
        differing,
        exact,
        level.group,
        0.0 if exact else monte_carlo_error(p, options.samples),
    )


def effect(difference: float, deviation: float) -> float:
    """The difference in standard deviations of its bootstrap replicates; 0 for none, infinite where all are alike."""
    if difference == 0:
        return 0.0
    return difference / deviation if deviation > ROUNDING else math.copysign(math.inf, difference)


def families(pairs: Sequence[Pair]) -> dict[bool, list[int]]:
    """The tests that are corrected together, by their places: of whole corpora, and of all groups."""
    found: dict[bool, list[int]] = {}
    for place, pair in enumerate(pairs):
        found.setdefault(pair.group is not None, []).append(place)
    return found


def adjustment(options: Options, *, of_groups: bool) -> Adjustment:
    """How the p-values of whole corpora, or of groups, are corrected."""
    return options.adjust or ("bh" if of_groups else "holm")


def adjusted(pairs: Sequence[Pair], options: Options) -> list[Pair]:
    """The pairs with p-values corrected for all that was tested: every pair under every metric; groups apart."""
    found = list(pairs)
    for of_groups, places in families(pairs).items():
        corrected = ADJUSTMENTS[adjustment(options, of_groups=of_groups)]([pairs[place].p for place in places])
        for place, p in zip(places, corrected.tolist(), strict=True):
            found[place] = dataclasses.replace(found[place], p_adjusted=p)
    return found


def ranked(
    systems: Sequence[SystemScore],
    pairs: Sequence[Pair],
    found: Mapping[AnyMetric, Resampled],
    names: Mapping[AnyMetric, str],
    options: Options,
) -> Iterator[SystemScore]:
    """The systems with the rank ranges and clusters that the adjusted tests leave, in each metric and group; 0 for the
    unchanged source, which is none of them."""
    sign = {names[metric]: 1 if metric.higher_is_better else -1 for metric in found}
    tables: dict[tuple[str, str | None], list[SystemScore]] = {}
    for score in systems:
        if score.system != SOURCE:
            tables.setdefault((score.metric, score.group), []).append(score)
    beats: dict[tuple[str, str | None], NDArray[np.bool_]] = {}
    places = {score.system: k for own in tables.values() for k, score in enumerate(own)}
    for pair in pairs:
        key = pair.metric, pair.group
        table = beats.setdefault(key, np.zeros((len(tables[key]),) * 2, dtype=bool))
        if pair.p_adjusted < options.alpha and pair.difference:
            winner, loser = (pair.a, pair.b) if pair.difference * sign[pair.metric] > 0 else (pair.b, pair.a)
            table[places[winner], places[loser]] = True
    for key, own in tables.items():
        table = beats.get(key, np.zeros((len(own),) * 2, dtype=bool))
        best, worst = ranges_by_tests(table)
        clusters = clusters_by_tests(np.array([score.value * sign[key[0]] for score in own]), table)
        for k, score in enumerate(own):
            yield dataclasses.replace(score, rank_low=int(best[k]), rank_high=int(worst[k]), cluster=int(clusters[k]))
        yield from (score for score in systems if (score.metric, score.group) == key and score.system == SOURCE)


# --- what is said beside the numbers ---


def signature(
    options: Options,
    found: Mapping[AnyMetric, Resampled],
    treatments: Mapping[AnyMetric, Treatment],
    blocks: bool,
    grouped: bool,
) -> str:
    """All of the statistics that can change a number: ``ar:10000|boot:10000|seed:0|ci:percentile|…``."""
    tested = any(own.pairs for own in found.values())
    parts = [f"ar:{options.samples}"] if tested and options.test == "randomisation" else []
    parts += [f"boot:{options.samples}", f"seed:{options.seed}", f"ci:{options.interval}"]
    parts += ["weights:poisson", f"unit:{'block' if blocks else 'sentence'}"]
    treated = dict.fromkeys(f"{metric.label}={own}" for metric, own in treatments.items() if own)
    parts += [f"ref:{','.join(treated)}"] if treated else []
    if tested:
        corrections = [adjustment(options, of_groups=False)]
        corrections += [adjustment(options, of_groups=True)] if grouped else []
        parts.append(f"adj:{'+'.join(dict.fromkeys(corrections))}")
    return "|".join([*parts, f"alpha:{options.alpha:g}", f"v:{__version__}"])


def _gaps(level: Level, resampled: Resampled, treatment: Treatment) -> Iterator[str]:
    if treatment not in ("optimum", "frozen"):
        return
    for system, value, best in zip(
        resampled.systems, level.values.tolist(), level.drawn.observed.tolist(), strict=True
    ):
        if abs(best - value) > NOTICED:
            label = resampled.metric.label
            yield (
                f"{label} of {system}: {value:.6f} by choosing references in order, {best:.6f} with the best ones; "
                "the replicates are those of the best ones, moved by the difference"
            )


def _too_few(pairs: Sequence[Pair], options: Options) -> Iterator[str]:
    """A p of 1 / (samples + 1), adjusted, must be able to fall below alpha."""
    for of_groups, places in families(pairs).items():
        enough = needed(len(places), options.alpha)
        name = adjustment(options, of_groups=of_groups)
        drawn = any(not pairs[place].exact for place in places)
        if name == "holm" and drawn and options.samples < enough:
            yield (
                f"{options.samples} samples are few for {len(places)} tests: with Holm's correction at "
                f"{options.alpha:g} take at least {enough}"
            )
