"""Sentences about the methods of a suite's table for a paper, and BibTeX entries of what was computed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path

from geceval._kernel import __version__
from geceval.resampling.comparison_results import Comparison
from geceval.suites.suite_run import SetResults, SuiteResults
from geceval.tables.table import confidence
from geceval.text.files import SOURCE

#: Settings of the statistics in a signature, such as ``boot:10000``.
_ENTRY = re.compile(r"(?:^|\|)(\w+):([^|]*)")
CORRECTIONS = {
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


def methods_text(results: SuiteResults) -> str:
    """Return the methods of the table of a suite as sentences for a paper."""
    return " ".join(_sentences([scored for scored in results.sets if scored.comparison is not None]))


def bibtex(results: SuiteResults) -> str:
    """Return the BibTeX entries of geceval, of the metrics, and of the tests and intervals."""
    measured = [*(scored.of for scored in results.sets), *(judged.of for judged in results.judged)]
    used = {metric.partition(":")[0] for of_set in measured for metric in of_set.metrics}
    for scored in results.sets:
        if scored.comparison is not None:
            used |= {"intervals", *_tests(scored.comparison)}
    software = "@software{geceval,\n  title = {geceval: evaluation of grammatical error correction},\n  version = "
    software += f"{{{__version__}}}\n}}"
    entries = [entry for entry, names in bibliography().items() if used & {*names}]
    return "\n\n".join([software, *entries])


def _settings(comparison: Comparison) -> dict[str, str]:
    return dict(_ENTRY.findall(comparison.signature))


def _tests(comparison: Comparison) -> Collection[str]:
    """Return the names of the test and of the correction, if pairs are tested."""
    settings = _settings(comparison)
    test = "satterthwaite" if "runs" in settings else "randomisation" if "ar" in settings else "bootstrap"
    return [test, settings["adj"]] if comparison.pairs else []


def _sentences(sets: Sequence[SetResults]) -> Iterator[str]:
    scores = []
    for scored in sets:
        comparison = scored.comparison
        assert comparison is not None
        heads = comparison.heads[scored.primary]
        systems = sum(score.metric == scored.primary and score.system != SOURCE for score in comparison.systems)
        size = f"{comparison.sentences:,} sentences"
        scores.append(f"{heads.formula} on {scored.of.title or scored.of.name} ({size}, {systems} systems)")
    if not scores:
        return
    yield f"We report {_listed(scores)}, computed by geceval {__version__}."
    comparisons = [scored.comparison for scored in sets if scored.comparison is not None]
    for comparison in {_statistics(comparison): comparison for comparison in comparisons}.values():
        yield from _about_statistics(comparison, [other for other in comparisons if _same(other, comparison)])


def _statistics(comparison: Comparison) -> tuple[str, ...]:
    """Return the settings by which the statistics of sets are described together."""
    settings = _settings(comparison)
    names = ("boot", "ar", "seed", "unit", "runs", "adj", "alpha")
    return (*(settings.get(name, "") for name in names), str(comparison.baseline), str(bool(comparison.pairs)))


def _same(first: Comparison, second: Comparison) -> bool:
    return _statistics(first) == _statistics(second)


def _about_statistics(comparison: Comparison, comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Yield sentences about intervals and tests that ``comparisons`` share."""
    settings = _settings(comparison)
    unit = {"sentence": "sentences", "block": "blocks of sentences"}[settings["unit"]]
    samples = f"{int(settings['boot']):,} bootstrap samples of {unit} (seed {settings['seed']})"
    bounds = f"percentiles of {samples}"
    if "runs" in settings:
        bounds = (
            "those of Student's t with Satterthwaite's degrees of freedom, with the variance between runs and the "
            f"covariance of runs over {samples}"
        )
    yield f"The {confidence(comparison.alpha)} intervals are {bounds}."
    if not comparison.pairs:
        return
    [test, correction] = _tests(comparison)
    name = "t-tests of the same model (two-sided)"
    if test != "satterthwaite":
        number = int(settings["ar" if test == "randomisation" else "boot"])
        name = f"paired {test} tests ({number:,} samples, two-sided)"
    pairs = dict.fromkeys(str(len(other.pairs)) for other in comparisons)
    against = "all pairs of systems" if comparison.baseline is None else f"every system with {comparison.baseline}"
    yield (
        f"We compare {against} by {name} at level {comparison.alpha:g}, with p-values {CORRECTIONS[correction]} for "
        f"the {_listed([*pairs])} pairs of each test set."
    )
    if comparison.baseline is None:
        yield "Ranks are the ranges of ranks consistent with these tests."


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
