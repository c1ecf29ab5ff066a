"""The checks of a corpus (geceval.counting.checks) for the metrics of a run."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from geceval.counting.checks.findings import Finding
from geceval.counting.checks.part_checks import Checks
from geceval.counting.checks.setup_checks import Use
from geceval.counting.contract import Contract
from geceval.edits.languages import language_of, make_annotator
from geceval.text.corpus import TextSource

#: Lines of a part that ``check`` reads.
PART = 1 << 14


def uses(corpus: TextSource, metrics: Sequence[Contract[Any]]) -> list[Use]:
    """What the metrics make of a corpus."""
    return [
        Use(metric.label, metric.evidence_of, _reads_english(corpus, metric), _counts_words(metric))
        for metric in metrics
    ]


def _counts_words(metric: Contract[Any]) -> bool:
    """Whether it counts what stands between blanks: n-grams of words, or edits."""
    return metric.evidence_of in ("gold", "edits") or getattr(metric, "unit", None) == "word"


def _reads_english(corpus: TextSource, metric: Contract[Any]) -> bool:
    """Whether it finds edits in text with an annotator of English."""
    annotator = metric.annotates_with
    from_text = not corpus.has_gold or not all(map(corpus.is_m2, corpus.system_names))
    if annotator is None or not from_text:
        return False

    return language_of(make_annotator(annotator)).code == "en"


def check(corpus: TextSource, metrics: Sequence[Contract[Any]] = ()) -> list[Finding]:
    """What is odd about a corpus, and about what the metrics make of it: input that is legal and cannot mean what the
    user thinks. docs/checks.md lists all checks; ``evaluate`` warns of what they find. Reads the corpus once.

    Raises what reading raises: see TextSource.parts.
    """
    checks = Checks(corpus, uses(corpus, metrics))
    for part in corpus.parts(PART):
        checks.add(part)
    return checks.end()


def watching(corpus: TextSource, metrics: Sequence[Contract[Any]]) -> Checks:
    """The checks, each finding a GecevalWarning as soon as it is found."""
    return Checks(corpus, uses(corpus, metrics), lambda finding: warnings.warn(finding.warning(), stacklevel=2))
