"""Check a whole corpus."""

from __future__ import annotations

from geceval.base.errors import short_traceback
from geceval.counting.checks.corpus_checks import Checks
from geceval.counting.checks.findings import Finding
from geceval.counting.metric_names import Metrics, metrics_of
from geceval.counting.observations import PART
from geceval.text.corpus import TextSource, check_source


@short_traceback
def check(corpus: TextSource, metrics: Metrics = ()) -> list[Finding]:
    """Check a corpus for suspicious input, in general and for some metrics.

    ``evaluate`` runs the same checks and warns. The corpus is read once. docs/checks.md lists all checks.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics that will score the corpus.

    Returns:
        One finding per check and file.

    Raises:
        InputError: If the corpus cannot be read.
    """
    check_source(corpus)
    checks = Checks(corpus, metrics_of(metrics, optional=True))
    for part in corpus.parts(PART):
        checks.add(part)
    return checks.end()
