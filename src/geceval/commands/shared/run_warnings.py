"""Notes and warnings about the input and the costs of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from geceval.base.caller_warnings import warn
from geceval.counting.checks.check import check
from geceval.counting.checks.findings import Finding
from geceval.counting.metric import AnyMetric
from geceval.terminal.messages import is_quiet, note, say
from geceval.text.blank_texts import Blank
from geceval.text.corpus import TextSource
from geceval.text.line_rules import CleanedLines


def note_cleaned(cleaned: CleanedLines, lines: int) -> None:
    """Print the numbers of lines that cleaning replaced by their sources, emptied, or read from JSON that was cut."""
    as_source, *unfinished = cleaned.messages(str(lines))
    if as_source:
        note(as_source)
    for message in filter(None, unfinished):
        warn(message, "allow more tokens per answer")


def warn_of_corpus(corpus: TextSource, metrics: Sequence[AnyMetric] = (), blank: Blank | None = None) -> None:
    """Issue the warnings of the input checks of a corpus.

    ``blank``: the requested reading of empty lines, which are then not warned of.
    """
    for finding in findings_in(corpus, metrics, blank):
        finding.warn()


def findings_in(corpus: TextSource, metrics: Sequence[AnyMetric], blank: Blank | None) -> list[Finding]:
    """Return the findings of the input checks of a corpus; ``blank``: see warn_of_corpus."""
    return [finding for finding in check(corpus, metrics) if finding.check != "blank" or blank is None]


def warn_of_single_system(corpus: TextSource, metrics: Sequence[AnyMetric]) -> None:
    """Warn of a single system if a metric depends on all systems of a run."""
    if len(corpus.system_names) == 1:
        for metric in metrics:
            if metric.pool is not None:
                warn(f"{metric.name} scores depend on all systems of a run, and this run has one")


def warn_each(texts: Iterable[str]) -> None:
    """Issue warnings, such as those of a comparison."""
    for text in texts:
        warn(text)


def print_spending(metrics: Sequence[AnyMetric]) -> None:
    """Print the cost of judged metrics whose prices are known, unless the command is quiet."""
    if not is_quiet():
        spent = [metric.judging.spending(metric) for metric in metrics if metric.judging is not None]
        for line in dict.fromkeys(filter(None, spent)):
            say(line)
