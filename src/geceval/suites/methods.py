"""Sentences about the methods of a suite's table for a paper, and BibTeX entries of what was computed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from geceval._kernel import __version__
from geceval.base.arguments import joined
from geceval.statistics.multiple_tests import Adjustment
from geceval.suites.suite_results import SetResults, SuiteResults
from geceval.tables.number_text import confidence
from geceval.text.files import SOURCE

#: Corrections for multiple tests, in words.
CORRECTIONS: Mapping[Adjustment, str] = {
    "holm": "adjusted by Holm's method",
    "bh": "adjusted by Benjamini and Hochberg's method",
    "none": "not adjusted",
}


@cache
def bibliography() -> dict[str, tuple[str, ...]]:
    """Return BibTeX entries, with the names of the metrics and methods that each belongs to."""
    text = Path(__file__).with_name("references.bib").read_text(encoding="utf-8")
    entries = re.findall(r"^% ([\w -]+)\n(@.*?^\})$", text, re.MULTILINE | re.DOTALL)
    return {entry: tuple(names.split()) for names, entry in entries}


@dataclass(frozen=True)
class _Statistics:
    """Values in sentences about intervals and tests; test sets with equal values share the sentences.

    Attributes:
        bootstrap_samples: Number of bootstrap samples of the intervals.
        seed: Seed of the replicates.
        has_blocks: Whether blocks of sentences are resampled, not sentences.
        runs: Number of runs of each system with several runs.
        alpha: Significance level.
        baseline: System that the others are compared with; None for all pairs.
        test: Name of the test; None if no pair is tested.
        test_samples: Number of samples of the test.
        correction: Name of the correction for multiple tests.
    """

    bootstrap_samples: int
    seed: int
    has_blocks: bool
    runs: tuple[tuple[str, int], ...]
    alpha: float
    baseline: str | None
    test: str | None = None
    test_samples: int | None = None
    correction: Adjustment | None = None

    @classmethod
    def of(cls, scored: SetResults) -> _Statistics:
        """Return the statistics of a test set with scores."""
        comparison, options = scored.comparison, scored.options
        assert comparison is not None
        assert options is not None
        statistics = cls(
            options.bootstrap_samples,
            options.seed,
            scored.of.blocks is not None,
            tuple((name, len(runs)) for name, runs in options.runs.items()),
            options.alpha,
            options.baseline,
        )
        if not comparison.pairs:
            return statistics
        correction = options.adjustment(of_groups=False)
        if options.runs:
            return replace(statistics, test="satterthwaite", correction=correction)
        samples = options.samples if options.test == "randomisation" else options.bootstrap_samples
        return replace(statistics, test=options.test, test_samples=samples, correction=correction)


def methods_text(results: SuiteResults) -> str:
    """Return the methods of the table of a suite as sentences for a paper."""
    return " ".join(_sentences([scored for scored in results.sets if scored.comparison is not None]))


def bibtex(results: SuiteResults) -> str:
    """Return the BibTeX entries of geceval, of the metrics, and of the tests and intervals."""
    measured = [*(scored.of for scored in results.sets), *(judged.of for judged in results.judged)]
    used = {metric.name for of_set in measured for metric in of_set.make_metrics()}
    for statistics in (_Statistics.of(scored) for scored in results.sets if scored.comparison is not None):
        used |= {"intervals", *filter(None, (statistics.test, statistics.correction))}
    software = "@software{geceval,\n  title = {geceval: evaluation of grammatical error correction},\n  version = "
    software += f"{{{__version__}}}\n}}"
    entries = [entry for entry, names in bibliography().items() if used & {*names}]
    return "\n\n".join([software, *entries])


def _sentences(sets: Sequence[SetResults]) -> Iterator[str]:
    scores = []
    numbers_of_pairs = dict[_Statistics, list[int]]()
    for scored in sets:
        comparison = scored.comparison
        assert comparison is not None
        primary = comparison[scored.primary]
        systems = sum(score.system != SOURCE for score in primary.systems)
        size = f"{comparison.sentences:,} sentences"
        scores.append(f"{primary.heads.formula} on {scored.of.title or scored.of.name} ({size}, {systems} systems)")
        numbers_of_pairs.setdefault(_Statistics.of(scored), []).append(len(comparison.pairs))
    if not scores:
        return
    yield f"We report {joined(scores)}, computed by geceval {__version__}."
    for statistics, numbers in numbers_of_pairs.items():
        yield from _about_statistics(statistics, numbers)


def _about_statistics(statistics: _Statistics, numbers_of_pairs: Sequence[int]) -> Iterator[str]:
    """Yield sentences about intervals and tests, with the numbers of pairs of the test sets that share them."""
    unit = "blocks of sentences" if statistics.has_blocks else "sentences"
    samples = f"{statistics.bootstrap_samples:,} bootstrap samples of {unit} (seed {statistics.seed})"
    bounds = f"percentiles of {samples}"
    if statistics.runs:
        bounds = (
            "those of Student's t with Satterthwaite's degrees of freedom, with the variance between runs and the "
            f"covariance of runs over {samples}"
        )
    yield f"The {confidence(statistics.alpha)} intervals are {bounds}."
    if statistics.test is None or statistics.correction is None:
        return
    name = "t-tests of the same model (two-sided)"
    if statistics.test_samples is not None:
        name = f"paired {statistics.test} tests ({statistics.test_samples:,} samples, two-sided)"
    baseline = statistics.baseline
    against = "all pairs of systems" if baseline is None else f"every system with {baseline}"
    numbers = joined([*dict.fromkeys(map(str, numbers_of_pairs))])
    yield (
        f"We compare {against} by {name} at level {statistics.alpha:g}, with p-values "
        f"{CORRECTIONS[statistics.correction]} for the {numbers} pairs of each test set."
    )
    if baseline is None:
        yield "Ranks are the ranges of ranks consistent with these tests."
