"""Compare systems by bootstrap intervals and paired significance tests.

docs/significance.md gives the formulas and their sources.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from geceval._kernel import __version__
from geceval.base.arguments import as_sequence
from geceval.base.cached import cached_property
from geceval.base.errors import InputError, UsageError
from geceval.base.ties import TOLERANCE
from geceval.comparison.comparison_results import Comparison, Pair, SystemScore
from geceval.comparison.repeated_runs import carry_within, drawn_means, means
from geceval.comparison.replicates import Replicates, replicates_of
from geceval.comparison.resampled_counts import Group, Resampled
from geceval.counting.ceilings import best_of, has_ceiling
from geceval.counting.comparison_options import (
    Options,
    Pairs,
    Test,
    check_samples,
    members_of,
    needed,
)
from geceval.counting.counts import Counts, Floats
from geceval.counting.groups.groupings import ByLength, BySentence, ByType, Grouping
from geceval.counting.metric_names import heads_of, labels
from geceval.counting.metric_names import names as names_of
from geceval.counting.run import Run
from geceval.counting.stream import AnyMetric, Progress, given, metrics_of, mixed_forms
from geceval.statistics.clusters import clusters_by_tests, ranges_by_tests
from geceval.statistics.intervals import Interval, percentile_interval
from geceval.statistics.significance import (
    ADJUSTMENTS,
    Adjustment,
    centred_p,
    monte_carlo_error,
)
from geceval.statistics.threads import run_in_threads
from geceval.text.corpus import TextSource, check_source
from geceval.text.files import SOURCE
from geceval.text.m2.edit_types import cut_at_colons

By: TypeAlias = Literal["operation", "type", "full", "length"]

#: Receives the counts of all systems under a metric, one part at a time.
Beside: TypeAlias = Callable[[AnyMetric, Mapping[str, Counts]], None]

#: Smallest gap between the official score and the score with the best references that is reported.
NOTICED = 1e-4
#: Intervals from fewer units than this are unreliable.
FEW_UNITS = 20
#: Fewest runs of a system whose variance is estimated well enough.
ENOUGH_RUNS = 3


def compare(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    *,
    baseline: str | None = None,
    test: Test | None = None,
    samples: int | None = None,
    seed: int = 0,
    alpha: float = 0.05,
    blocks: Sequence[Hashable] | None = None,
    by: By | None = None,
    groups: Sequence[Hashable] | None = None,
    adjust: Adjustment | None = None,
    pairs: Pairs = "all",
    runs: Mapping[str, Sequence[str]] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    checks: bool = True,
) -> Comparison:
    """Compare systems by bootstrap intervals and paired significance tests.

    All systems and metrics share the same replicates.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics, such as ``[geceval.Green()]``.
        baseline: System that every other system is tested against (None: test all pairs).
        test: "randomisation", the paired randomisation test, which enumerates all labellings if few sentences
            differ; or "bootstrap", the bootstrap of the difference shifted to 0 (None: "bootstrap" with ``runs``, else
            "randomisation").
        samples: Number of replicates of the intervals, and of the tests, from 1 to 1,000,000 (None: 10,000, or more
            if the correction of all tests requires it).
        seed: Seed of the replicates, from 0 to 2**64 - 1.
        alpha: Significance level, above 0 and at most 0.999; intervals have the level 1 - alpha.
        blocks: Block of each sentence [S], such as its document. Whole blocks are resampled (None: sentences).
        by: Also compare each kind of edit: by "operation", "type" or "full" type, or by sentence "length".
        groups: Label of each sentence [S]: also compare each group of sentences.
        adjust: Correction of p-values for multiple tests: "holm", "bh" (Benjamini and Hochberg) or "none" (None:
            "holm", but "bh" for more than 300 pairs of systems and among groups).
        pairs: "all", or "none" to compute intervals only.
        runs: Systems that were run several times, such as with other seeds: name -> names of its runs in the corpus.
            The score is the mean; intervals and tests draw sentences and runs (docs/significance.md).
        threads: Number of threads (0: one per processor).
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn (GecevalWarning) about suspicious input (docs/checks.md).

    Returns:
        Scores and intervals of all systems, and differences and p-values of all pairs, by metric and group. Scores
        are on the metric's scale, not in per cent.

    Raises:
        UsageError: If an option has an unsupported value, or no corrected test can show a difference with ``samples``.
        InputError: If ``blocks`` or ``groups`` does not have one value per sentence.

    Source:
        Paired randomisation: Noreen (1989). Bootstrap of corpus scores: Koehn (2004). p-values of sampled
        labellings: Phipson and Smyth (2010). Others: docs/significance.md.
    """
    check_source(corpus)
    metrics = metrics_of(metrics)
    options = Options(
        baseline, test, seed=seed, alpha=alpha, adjust=adjust, pairs=pairs, threads=threads, runs=dict(runs or {})
    ).with_samples(samples, corpus.system_names, len(metrics))
    found = resample_systems(
        corpus, metrics, options, blocks=blocks, by=by, groups=groups, progress=progress, checks=checks
    )
    return comparison_of(corpus, found, options)


def intervals(corpus: TextSource, metrics: Sequence[AnyMetric], **options: Any) -> tuple[SystemScore, ...]:
    """Compute the bootstrap interval of each system's score without testing pairs.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics, such as ``[geceval.Green()]``.
        options: Keyword arguments of ``compare``, except ``pairs``.

    Returns:
        One score per metric, group and system, in this order.

    Raises:
        UsageError: If an option has an unsupported value.
        InputError: If ``blocks`` or ``groups`` does not have one value per sentence.
    """
    return compare(corpus, metrics, pairs="none", **options).systems


# --- counting ---


def resample_systems(
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
    evidence: bool = False,
    under: Collection[AnyMetric] | None = None,
) -> dict[AnyMetric, Resampled]:
    """Resample the counts of all systems under each metric, in one counting pass.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics, such as ``[geceval.Green()]``.
        options: Options of the comparison.
        blocks: Block of each sentence [S].
        by: Kind of group to compare.
        groups: Label of each sentence [S].
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn about suspicious input.
        beside: Also receives the counts.
        evidence: The counts carry evidence if the metric distinguishes kinds of edits.
        under: Metrics under which pairs are tested (None: all metrics).
    """
    check_source(corpus)
    metrics = metrics_of(metrics)
    blocks, groups = as_labels("blocks", blocks), as_labels("groups", groups)
    systems = corpus.system_names
    tested, grouping = options.pairs_of(systems), make_grouping(by, groups)
    pairs = {metric: _of_one_form(corpus, metric, tested, options) for metric in metrics}
    pairs = {metric: own if under is None or metric in under else [] for metric, own in pairs.items()}
    _check_lengths(blocks, groups, corpus.sentences)
    _check(metrics, options, pairs)
    found = {
        metric: Resampled(metric, systems, options, own, references=references_of(corpus, metric), grouping=grouping)
        for metric, own in pairs.items()
    }
    by_kind = evidence or (grouping is not None and grouping.labels is None)
    explained = [metric for metric in metrics if by_kind and metric.by_kind is not None]
    labels = None if groups is None else lambda part: _part("groups", groups, part.first, len(part))
    threads = options.threads
    run = Run(corpus, metrics, threads=threads, evidence=explained, labels=labels, progress=progress, checks=checks)
    for metric, own in by_metric(run.stream(), systems):
        if beside is not None:
            beside(metric, own)
        first, length = found[metric].sentences, len(next(iter(own.values())))
        found[metric].add(own, blocks=None if blocks is None else _part("blocks", blocks, first, length))
    _check_lengths(blocks, groups, next(iter(found.values())).sentences)
    accounts = {file: account for checks in run.checked for file, account in checks.accounts.items()}
    outputs = {name: accounts[f"system {name}"] for name in systems if f"system {name}" in accounts}
    for metric, resampled in found.items():
        resampled.ceilings, resampled.outputs = run.ceilings.get(metric, {}), outputs
        resampled.uncorrected = run.uncorrected
    return found


def _of_one_form(
    corpus: TextSource, metric: AnyMetric, pairs: Sequence[tuple[int, int]], options: Options
) -> Sequence[tuple[int, int]]:
    """Return the pairs of systems that are given in the same form.

    All pairs are returned for a metric on texts. A baseline is compared with all systems.
    """
    forms, systems = forms_of(corpus, metric, options), list(members_of(options.runs, corpus.system_names))
    if not forms or options.baseline is not None:
        return pairs
    return [(a, b) for a, b in pairs if forms[systems[a]] == forms[systems[b]]]


def forms_of(corpus: TextSource, metric: AnyMetric, options: Options) -> dict[str, str]:
    """Return the forms of the systems, as ``mixed_forms``, by their first runs."""
    forms, names = mixed_forms(corpus, metric), corpus.system_names
    firsts = {system: names[own[0]] for system, own in members_of(options.runs, names).items()}
    return {system: forms[first] for system, first in firsts.items() if first in forms}


def by_metric(
    stream: Iterator[tuple[str, AnyMetric, Counts]], systems: Sequence[str]
) -> Iterator[tuple[AnyMetric, dict[str, Counts]]]:
    """Yield the counts of all systems together, for each part and metric."""
    waiting: dict[AnyMetric, dict[str, Counts]] = {}
    for name, metric, counts in stream:
        own = waiting.setdefault(metric, {})
        own[name] = counts
        if len(own) == len(systems):
            yield metric, waiting.pop(metric)


def as_labels(name: str, values: Any) -> Sequence[Hashable] | None:
    """Return one label per sentence as a sequence; None stays None."""
    return None if values is None else as_sequence(name, values, "label")


def _check_lengths(blocks: Sequence[Hashable] | None, groups: Sequence[Hashable] | None, sentences: int | None) -> None:
    for name, sizes in (("blocks", blocks), ("groups", groups)):
        if sizes is not None and sentences not in (None, len(sizes)):
            raise InputError(f"{len(sizes)} {name} for {sentences} sentences")


def _part(name: str, labels: Sequence[Hashable], first: int, length: int) -> Sequence[Hashable]:
    part = labels[first : first + length]
    if len(part) != length:
        raise InputError(f"{len(labels)} {name} for at least {first + length} sentences")
    return part


def make_grouping(by: By | None, groups: Sequence[Hashable] | None) -> Grouping | None:
    """Return the grouping by kind of edit or by group of sentences, if any."""
    if by is not None and groups is not None:
        raise UsageError("by and groups cannot be combined")
    if groups is not None:
        return BySentence()
    if by is None:
        return None
    if by not in get_args(By):
        raise UsageError(f"unknown kind of group {by!r}: choose from {', '.join(get_args(By))}")
    return ByLength() if by == "length" else ByType(by, cut_at_colons)


def _check(metrics: Sequence[AnyMetric], options: Options, tested: Mapping[AnyMetric, Sequence[Any]]) -> None:
    if not metrics:
        raise UsageError("a comparison requires at least one metric")
    for metric in metrics:
        if metric.pooled and tested[metric] and options.test == "randomisation":
            message = f"{metric.label} scores all systems together, so labels of two systems cannot be swapped"
            raise UsageError(message, hint="use test=bootstrap")


def references_of(corpus: TextSource, metric: AnyMetric) -> int:
    """Return the largest number of references of a sentence under a metric."""
    if metric.evidence_of == "nothing":
        return 1
    if metric.evidence_of == "gold" or (metric.evidence_of == "edits" and corpus.has_gold):
        return corpus.reference_numbers(of_gold=True)[1]
    texts = corpus.with_texts() if metric.evidence_of == "texts" else corpus
    return max(texts.reference_numbers(of_gold=False)[1], 1)


# --- results ---


@dataclass(frozen=True)
class Level:
    """The whole corpus or a group under a metric.

    ``run_values`` are the official scores of all runs; a system without repeated runs is its only run.
    """

    metric: str
    label: str | None
    resampled: Resampled
    group: Group
    run_values: Floats
    drawn: Replicates

    @cached_property
    def values(self) -> Floats:
        """Official scores [n] of the systems, means over their runs."""
        return means(self.run_values, self.resampled.members)

    @cached_property
    def observed(self) -> Floats:
        """Scores [n] with the references of the replicates."""
        return means(self.drawn.observed, self.resampled.members)

    @cached_property
    def _of_runs(self) -> Floats:
        return self.drawn.bootstrap()

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """Smallest and largest score.

        A score in per cent without a stated one ends at 0 and 100, unless a sample is beyond.
        """
        metric, replicates = self.resampled.metric, self._of_runs
        low, high = metric.range
        if metric.in_percent and not math.isfinite(low):
            low = float(np.nanmin(replicates, initial=0.0))
        if metric.in_percent and not math.isfinite(high):
            high = float(np.nanmax(replicates, initial=1.0))
        return low, high

    @cached_property
    def replicates(self) -> Floats:
        """Scores [B, n] of the bootstrap samples, within the bounds."""
        return drawn_means(self._of_runs, self.resampled.members, self.resampled.options.seed, self.bounds)

    @cached_property
    def test_replicates(self) -> Floats:
        """Scores [B, n] of the bootstrap samples for tests, not kept within the bounds."""
        if not self.resampled.options.runs:
            return self.replicates
        return drawn_means(self._of_runs, self.resampled.members, self.resampled.options.seed)


def levels(name: str, resampled: Resampled) -> Iterator[Level]:
    """Yield the whole corpus, then its groups.

    A system that is absent from a group gets the score of zero counts.
    """
    yield Level(name, None, resampled, resampled.whole, resampled.official_scores(), replicates_of(resampled))
    for label, (group, scores) in resampled.grouped().items():
        drawn = Replicates(resampled, group.sums)
        systems = zip(resampled.systems, drawn.observed.tolist(), strict=True)
        found = [scores[system].value if system in scores else observed for system, observed in systems]
        values = np.array(found, np.float64)  # None, an undefined score, becomes NaN
        if not np.isnan(values).any():
            yield Level(name, str(label), resampled, group, values, drawn)


def _not_in_percent(names: Mapping[AnyMetric, str]) -> Iterator[str]:
    """Yield the names of metrics and of parts that tables show as they are."""
    for metric, name in names.items():
        if not metric.in_percent:
            yield name
        yield from (f"{name} {part}" for part in sorted(metric.plain_parts))


def comparison_of(corpus: TextSource, found: Mapping[AnyMetric, Resampled], options: Options) -> Comparison:
    """Test the pairs and rank the systems from their resampled counts."""
    names = dict(zip(found, names_of(list(found)), strict=True))
    lower_is_better = tuple(names[metric] for metric in found if not metric.higher_is_better)
    warnings: list[str] = []
    systems: list[SystemScore] = []
    pairs: list[Pair] = []
    ceilings = {
        names[metric]: {who: top.score().value for who, top in own.ceilings.items()}
        for metric, own in found.items()
        if own.ceilings
    }
    for metric, own in found.items():
        for level in levels(names[metric], own):
            scores = list(score_systems(level, options))
            if level.label is None:
                warnings += _gaps(level)
                if own.ceilings:
                    top = best_of(metric, ceilings[names[metric]])
                    reach = [has_ceiling(corpus, metric, next(iter(one.runs), one.system)) for one in scores]
                    scores = [
                        dataclasses.replace(one, ceiling=top if reached else None)
                        for one, reached in zip(scores, reach, strict=True)
                    ]
            systems += scores
            tests = level.drawn.p_values() if options.swaps(own.pairs) else []
            pairs += run_in_threads(partial(test_pair, level, options, tests), len(own.pairs), options.threads)
    pairs = adjust_pairs(pairs, options)
    if options.many:
        count = len(_family(pairs, of_groups=False))
        warnings.append(
            f"{count} tests are corrected by Benjamini-Hochberg, which bounds the expected share of false differences; "
            f"Holm's correction (adjust=holm) requires at least {needed(count, options.alpha)} samples"
        )
    single = [score.system for score in systems if score.system != SOURCE and not score.runs]
    if options.runs and pairs and single:
        names_of_single = ", ".join(dict.fromkeys(single))
        warnings.append(f"one run of {names_of_single}: the tests do not account for the variance between its runs")
    pairs_of_runs = dict.fromkeys(score.system for score in systems if len(score.runs) == 2)
    if pairs_of_runs:
        warnings.append(
            f"two runs of {', '.join(pairs_of_runs)}: intervals and tests of fewer than {ENOUGH_RUNS} runs are "
            "unreliable (of equal systems that differ much between runs, 13 % are shown to differ at 5 %)"
        )
    forms = {name: mixed for metric, name in names.items() if (mixed := forms_of(corpus, metric, options))}
    if forms and options.baseline not in (None, SOURCE):
        warnings.append(
            f"baseline {options.baseline}: under {', '.join(forms)} differences from systems given in the other form "
            "(M2 or text) are partly due to the form"
        )
    first = next(iter(found.values()))
    units, what = (len(first.units), "blocks") if first.units else (first.sentences, "sentences")
    if units < FEW_UNITS:
        warnings.append(f"only {units} {what}: intervals from fewer than {FEW_UNITS} are unreliable")
    return Comparison(
        tuple(rank_systems(systems, pairs, lower_is_better, options, forms)),
        tuple(pairs),
        signature(options, found),
        {names[metric]: _signed(corpus, metric) for metric in found},
        first.sentences,
        units,
        options.alpha,
        options.baseline,
        tuple(warnings),
        lower_is_better,
        tuple(_not_in_percent(names)),
        dict(zip(names.values(), heads_of(list(names), labels(list(names), by="name")), strict=True)),
        ceilings,
        forms,
        {name: account.to_dict() for name, account in first.outputs.items()},
        tuple(first.uncorrected_members),
    )


def _signed(corpus: TextSource, metric: AnyMetric) -> str:
    """Return the metric's signature, or several if text and edits are mixed."""
    signed = [metric.signature(given(corpus, metric, system)) for system in corpus.system_names]
    return " ".join(dict.fromkeys(signed))


def score_systems(level: Level, options: Options) -> Iterator[SystemScore]:
    """Yield each system's official score with its interval."""
    names = level.resampled.systems
    for k, (system, own) in enumerate(level.resampled.members.items()):
        bounds, deviation = interval_of(level.replicates[:, k], options)
        # The replicates may use other references than the official score: close the gap.
        value, observed = float(level.values[k]), float(level.observed[k])
        low, high = (carry_within(bound, observed, value, level.bounds) for bound in (bounds.low, bounds.high))
        runs = {names[run]: float(level.run_values[run]) for run in own} if len(own) > 1 else {}
        between = float(np.std(list(runs.values()), ddof=1)) if runs else None
        yield SystemScore(
            system, level.metric, value, low, high, deviation, 0, 0, 0, level.label, None, runs, between
        )  # fmt: skip


def interval_of(replicates: Floats, options: Options) -> tuple[Interval, float]:
    """Return the interval and the deviation of replicates [B]."""
    deviation = float(replicates.std(ddof=1)) if options.samples > 1 else 0.0
    return percentile_interval(replicates, level=1 - options.alpha), deviation


def test_pair(level: Level, options: Options, tests: Sequence[tuple[float, bool]], at: int) -> Pair:
    """Return the difference, interval and unadjusted p-value of pair number ``at``.

    ``tests`` has p of each pair by randomisation, and whether it is exact.
    """
    resampled, group = level.resampled, level.group
    a, b = resampled.pairs[at]

    def gap(scores: Floats) -> Any:
        return scores[..., a] - scores[..., b]

    observed, value, systems = float(gap(level.observed)), float(gap(level.values)), list(resampled.members)
    bounds, deviation = interval_of(gap(level.replicates), options)
    if options.test == "bootstrap":
        p, exact = centred_p(gap(level.test_replicates), observed), False
    else:
        p, exact = tests[at]
    width = level.bounds[1] - level.bounds[0]
    low, high = (carry_within(bound, observed, value, (-width, width)) for bound in (bounds.low, bounds.high))
    better, worse = int(group.above[at]), int(group.below[at])
    if not resampled.metric.higher_is_better:
        better, worse = worse, better
    return Pair(
        systems[a],
        systems[b],
        level.metric,
        value,
        low,
        high,
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
    """Return the difference in standard deviations; infinite if these are 0."""
    if abs(difference) <= TOLERANCE:
        return 0.0
    return difference / deviation if deviation > TOLERANCE else math.copysign(math.inf, difference)


def _family(pairs: Sequence[Pair], *, of_groups: bool) -> list[int]:
    """Return the indices of the tests that are corrected together."""
    return [place for place, pair in enumerate(pairs) if (pair.group is not None) == of_groups]


def adjust_pairs(pairs: Sequence[Pair], options: Options) -> list[Pair]:
    """Correct p-values for all tests of the whole corpus, and for all of groups.

    Raises UsageError if no test of a family can show a difference.
    """
    found = list(pairs)
    for of_groups in (False, True):
        places, adjustment = _family(pairs, of_groups=of_groups), options.adjustment(of_groups=of_groups)
        if not all(pairs[place].exact for place in places):
            check_samples(options.samples, len(places), options.alpha, adjustment)
        corrected = ADJUSTMENTS[adjustment]([pairs[place].p for place in places])
        for place, p in zip(places, corrected.tolist(), strict=True):
            found[place] = dataclasses.replace(found[place], p_adjusted=p)
    return found


def rank_systems(
    systems: Sequence[SystemScore],
    pairs: Sequence[Pair],
    lower_is_better: Sequence[str],
    options: Options,
    forms: Mapping[str, Mapping[str, str]],
) -> Iterator[SystemScore]:
    """Yield the systems with the rank ranges and clusters of the adjusted tests.

    Each metric and group has its own ranking, and each form of mixed ``forms``. The unchanged source is not ranked: its
    ranks and cluster are 0.
    """
    tests = {level: list(own) for level, own in groupby(pairs, _level_of)}
    for level, rows in groupby(systems, _level_of):
        found: dict[str, SystemScore] = {}
        every, own, sign = list(rows), forms.get(level[0], {}), -1 if level[0] in lower_is_better else 1
        for form in set(own.values()) or [""]:
            part = [score for score in every if score.system != SOURCE and own.get(score.system, "") == form]
            found |= {score.system: score for score in _rank_part(part, tests.get(level, ()), sign, options)}
        yield from (found.get(score.system, score) for score in every)


def _rank_part(own: Sequence[SystemScore], tests: Sequence[Pair], sign: int, options: Options) -> Iterator[SystemScore]:
    """Yield systems that are ranked together."""
    places = {score.system: k for k, score in enumerate(own)}
    beats = np.zeros((len(own), len(own)), dtype=bool)
    for pair in tests:
        if pair.p_adjusted < options.alpha and abs(pair.difference) > TOLERANCE and {pair.a, pair.b} <= places.keys():
            winner, loser = (pair.a, pair.b) if pair.difference * sign > 0 else (pair.b, pair.a)
            beats[places[winner], places[loser]] = True
    best, worst = ranges_by_tests(beats)
    clusters = clusters_by_tests(np.array([score.value * sign for score in own]), beats)
    for k, score in enumerate(own):
        yield dataclasses.replace(score, rank_low=int(best[k]), rank_high=int(worst[k]), cluster=int(clusters[k]))


def _level_of(row: SystemScore | Pair) -> tuple[str, str | None]:
    return row.metric, row.group


# --- signature and warnings ---


def signature(options: Options, found: Mapping[AnyMetric, Resampled]) -> str:
    """Return the settings that affect a number: ``ar:10000|boot:10000|seed:0|…``."""
    counts = found.values()
    tested = any(own.pairs for own in counts)
    parts = [f"ar:{options.samples}"] if tested and options.test == "randomisation" else []
    parts += [f"boot:{options.samples}", f"seed:{options.seed}", "ci:percentile", "weights:poisson"]
    parts += [f"runs:{','.join(f'{name}={len(own)}' for name, own in options.runs.items())}"] if options.runs else []
    parts.append(f"unit:{'block' if any(own.units for own in counts) else 'sentence'}")
    treated = dict.fromkeys(f"{own.metric.label}={own.treatment}" for own in counts if own.treatment)
    parts += [f"ref:{','.join(treated)}"] if treated else []
    if tested:
        corrections = [options.adjustment(of_groups=False)]
        corrections += [options.adjustment(of_groups=True)] if any(own.grouping for own in counts) else []
        parts.append(f"adj:{'+'.join(dict.fromkeys(corrections))}")
    return "|".join([*parts, f"alpha:{options.alpha:g}", f"v:{__version__}"])


def _gaps(level: Level) -> Iterator[str]:
    if level.resampled.treatment != "frozen":
        return
    scores = zip(level.resampled.systems, level.run_values.tolist(), level.drawn.observed.tolist(), strict=True)
    for system, value, best in scores:
        if abs(best - value) > NOTICED:
            yield (
                f"{level.resampled.metric.label} of {system}: {value:.6f} with references chosen in order, {best:.6f} "
                "with the best references; replicates use the best references and are shifted by the difference"
            )
