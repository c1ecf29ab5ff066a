"""Compare systems by bootstrap intervals and paired significance tests.

docs/comparison.md gives the formulas and their sources.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from geceval.base.errors import UsageError, short_traceback
from geceval.comparison.answered_sentences import AnsweredCounts
from geceval.comparison.comparison_report import ShownComparison
from geceval.counting.comparison_options import Options, Test, TestedPairs
from geceval.counting.groupings import CountGroups
from geceval.counting.metric import By
from geceval.counting.metric_names import Metrics, metrics_of
from geceval.counting.run_options import Progress, RunOptions
from geceval.resampling.compared_metrics import comparison_of
from geceval.resampling.comparison_results import SystemScore
from geceval.resampling.resampled_systems import resample_systems
from geceval.statistics.multiple_tests import Adjustment
from geceval.text.corpus import TextSource, prepared_source
from geceval.text.line_rules import LineRules
from geceval.text.tokenisers import Tokeniser


@short_traceback
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
    without_failed: bool = False,
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
            Satterthwaite's degrees of freedom (docs/comparison.md). Requires scipy (``geceval[stats]``).
        primary: Name of the only metric whose pairs are tested and whose p-values are corrected, such as "errant"
            (None: all metrics).
        without_failed: Add the result on the sentences that all systems answered (``answered``): no empty line,
            refusal or answer that was cut. Requires ``checks``.
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
        labellings: Phipson and Smyth (2010). Others: docs/comparison.md.
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
    if without_failed and not checks:
        raise UsageError("without_failed requires checks", hint="omit checks=False")
    count_groups = CountGroups(blocks, by, groups)
    answers = AnsweredCounts(count_groups.blocks) if without_failed else None
    add, run_options = None if answers is None else answers.add, RunOptions(progress=progress, checks=checks)
    by_metric = resample_systems(corpus, metrics, options, count_groups, run_options, receiver=add)
    comparison = comparison_of(corpus, by_metric, options)
    return ShownComparison.of(comparison, None if answers is None else answers.compared(corpus, by_metric, options))


@short_traceback
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
