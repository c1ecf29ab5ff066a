"""Compare systems by bootstrap intervals and paired significance tests.

docs/significance.md gives the formulas and their sources.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from geceval.base.arguments import as_sequence
from geceval.base.errors import InputError, UsageError
from geceval.comparison.comparison_report import ShownComparison
from geceval.comparison.comparison_results import SystemScore
from geceval.comparison.pair_tests import comparison_of, forms_of
from geceval.comparison.resampled_counts import Resampled
from geceval.counting.breakdown import By, BySentence, Grouping, grouping_by
from geceval.counting.comparison_options import Options, Test, TestedPairs, members_of
from geceval.counting.counts import Counts
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import Metrics, metrics_of
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.statistics.multiple_tests import Adjustment
from geceval.text.corpus import Corpus, TextSource, check_source, prepared_source
from geceval.text.line_rules import LineRules
from geceval.text.tokenisers import Tokeniser

#: Receives the counts of all systems under a metric, one part at a time.
Beside: TypeAlias = Callable[[AnyMetric, Mapping[str, Counts]], None]


def compare(
    corpus: TextSource,
    metrics: Metrics,
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
    pairs: TestedPairs = "all",
    runs: Mapping[str, Sequence[str]] | None = None,
    primary: str | None = None,
    tokenise: str | Tokeniser | None = None,
    clean: str | Sequence[str] | LineRules = (),
    threads: int = 0,
    progress: Progress | None = None,
    checks: bool = True,
) -> ShownComparison:
    """Compare systems by bootstrap intervals and paired significance tests.

    All systems and metrics share the same replicates.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics or specifications, such as ``["green", geceval.Errant()]``.
        baseline: System that every other system is tested against (None: test all pairs).
        test: "randomisation", the paired randomisation test, which enumerates all labellings if few sentences
            differ; or "bootstrap", the bootstrap of the difference shifted to 0 (None: "randomisation"; with ``runs``
            only None, for Student's t).
        samples: Number of replicates of the intervals, and of the tests, from 1 to 1,000,000 (None: 10,000, or more
            for randomisation tests if the correction of all tests requires it).
        seed: Seed of the replicates, from 0 to 2**64 - 1.
        alpha: Significance level, above 0 and at most 0.999; intervals have the level 1 - alpha.
        blocks: Block of each sentence [S], such as its document. Whole blocks are resampled (None: sentences).
        by: Also compare each kind of edit: by "operation", "type" or "full" type, or by sentence "length".
        groups: Label of each sentence [S]: also compare each group of sentences.
        adjust: Correction of p-values for multiple tests: "holm", "bh" (Benjamini and Hochberg) or "none" (None:
            "holm", but "bh" for more than 300 pairs of systems and among groups).
        pairs: "all", or "none" to compute intervals only.
        runs: Systems that were run several times, such as with other seeds: name -> names of its runs in the corpus.
            The score is the mean; intervals and tests have the variance of sentences and runs, with
            Satterthwaite's degrees of freedom (docs/significance.md). Requires scipy (``geceval[stats]``).
        primary: Name of the only metric whose pairs are tested and whose p-values are corrected, such as "errant"
            (None: all metrics).
        tokenise: Tokeniser of all texts, such as "english".
        clean: Rules that remove text around the corrections of systems, such as "llm".
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
    corpus, metrics = prepared_source(corpus, tokenise, clean), metrics_of(metrics)
    options = Options(
        baseline,
        test,
        seed=seed,
        alpha=alpha,
        adjust=adjust,
        pairs=pairs,
        threads=threads,
        runs=dict(runs or {}),
        primary=primary,
    ).with_samples(samples, corpus.system_names, len(metrics))
    by_metric = resample_systems(
        corpus, metrics, options, blocks=blocks, by=by, groups=groups, progress=progress, checks=checks
    )
    return comparison_of(corpus, by_metric, options)


def intervals(corpus: TextSource, metrics: Metrics, **options: Any) -> tuple[SystemScore, ...]:
    """Compute the bootstrap interval of each system's score without testing pairs.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics or specifications, such as ``["green", geceval.Errant()]``.
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
    pairs = {metric: tested_pairs if under is None or metric in under else [] for metric, tested_pairs in pairs.items()}
    _check_lengths(blocks, groups, corpus.sentences)
    _check(metrics, options, pairs)
    resampled_counts = {
        metric: Resampled(metric, systems, options, tested, references=references_of(corpus, metric), grouping=grouping)
        for metric, tested in pairs.items()
    }
    by_kind = evidence or (grouping is not None and grouping.labels is None)
    explained = [metric for metric in metrics if by_kind and metric.by_kind is not None]
    labels = None if groups is None else lambda part: _part("groups", groups, part.first, len(part))
    threads = options.threads
    run = Run(
        corpus,
        metrics,
        RunOptions(threads=threads, evidence=explained, labels=labels, progress=progress, checks=checks),
    )
    for metric, counts in by_metric(run.stream(), systems):
        if beside is not None:
            beside(metric, counts)
        first, length = resampled_counts[metric].sentences, len(next(iter(counts.values())))
        resampled_counts[metric].add(counts, blocks=None if blocks is None else _part("blocks", blocks, first, length))
    _check_lengths(blocks, groups, next(iter(resampled_counts.values())).sentences)
    outputs = {name: run.accounts[f"system {name}"] for name in systems if f"system {name}" in run.accounts}
    for metric, resampled in resampled_counts.items():
        resampled.ceilings, resampled.outputs = run.ceilings.get(metric, {}), outputs
        resampled.observed = run.observed
    return resampled_counts


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


def by_metric(
    stream: Iterator[tuple[Corpus, str, AnyMetric, Counts]], systems: Sequence[str]
) -> Iterator[tuple[AnyMetric, dict[str, Counts]]]:
    """Yield the counts of all systems together, for each part and metric."""
    waiting: dict[AnyMetric, dict[str, Counts]] = {}
    for _, name, metric, counts in stream:
        of_systems = waiting.setdefault(metric, {})
        of_systems[name] = counts
        if len(of_systems) == len(systems):
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
    if by == "rule":
        raise UsageError("suggestions by rule have no score to be compared", hint="geceval score --by rule")
    return None if by is None else grouping_by(by)


def _check(metrics: Sequence[AnyMetric], options: Options, tested: Mapping[AnyMetric, Sequence[Any]]) -> None:
    for metric in metrics:
        if metric.pool is not None and tested[metric] and options.test == "randomisation":
            message = f"{metric.label} scores all systems together, so labels of two systems cannot be swapped"
            raise UsageError(message, hint="use test=bootstrap (--test bootstrap)")


def references_of(corpus: TextSource, metric: AnyMetric) -> int:
    """Return the largest number of references of a sentence under a metric."""
    if not metric.uses_references:
        return 1
    if corpus.gold is not None and (metric.takes_gold or not corpus.has_references):
        return len(corpus.annotators) if metric.compares_texts else corpus.annotator_numbers()[1]
    return max(corpus.most_references, 1)
