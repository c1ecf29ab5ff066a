"""Comparison on the sentences that all systems answered, next to the one on all sentences.

Which sentences a model answers is a property of the model, and so is the quality of its answers. A sentence that one
system did not answer is left out for all systems, so that the comparison stays paired.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from geceval.base.arguments import counted
from geceval.base.errors import UsageError
from geceval.comparison.verdicts import verdicts
from geceval.counting.checks.text_checks import OutputAccount
from geceval.counting.comparison_options import Options
from geceval.counting.counts import Counts
from geceval.counting.metric import AnyMetric
from geceval.resampling.compared_metrics import comparison_of
from geceval.resampling.comparison_results import Comparison
from geceval.resampling.resampled_counts import Resampled
from geceval.text.columns import other_rows
from geceval.text.corpus import TextSource

#: Words for the kinds of lines without an answer.
_KINDS = {"empty": "empty", "refusals": "refused", "cut": "cut"}


@dataclass(frozen=True)
class AnsweredSentences:
    """The comparison on the sentences that all systems answered.

    Attributes:
        failures: Numbers of lines without an answer by system and kind: "empty", "refusals", "cut".
        left_out: Number of sentences that a system did not answer.
        sentences: Number of all sentences.
        comparison: Comparison on the other sentences; None if all sentences are answered, or none.
    """

    failures: Mapping[str, Mapping[str, int]]
    left_out: int
    sentences: int
    comparison: Comparison | None

    def verdicts(self, digits: int, known: Sequence[str]) -> Iterator[str]:
        """Yield the results as sentences, without those of the comparison on all sentences (``known``)."""
        if not self.left_out:
            yield "All systems answered all sentences: no empty line, refusal or answer that was cut."
            return
        systems = [
            f"{name}: {', '.join(f'{number} {_KINDS[kind]}' for kind, number in numbers.items() if number)}"
            for name, numbers in self.failures.items()
            if any(numbers.values())
        ]
        about = f"{self.left_out} of {counted(self.sentences, 'sentence')} that a system did not answer"
        if self.comparison is None:
            yield f"No sentence is left without the {about} ({'; '.join(systems)})."
            return
        yield f"Without the {about} ({'; '.join(systems)}):"
        yield from (line for line in verdicts(self.comparison, "", digits) if line not in known)


class AnsweredCounts:
    """Counts of all sentences, from which those that a system did not answer can be left out.

    Args:
        blocks: Block of each sentence [S].
    """

    def __init__(self, blocks: Sequence[Hashable] | None = None) -> None:
        self.blocks = blocks
        self._parts: dict[AnyMetric, list[Mapping[str, Counts]]] = {}

    def add(self, metric: AnyMetric, counts: Mapping[str, Counts]) -> None:
        """Add the counts of all systems on the next part of the corpus."""
        of_systems = {name: system_counts.without_evidence() for name, system_counts in counts.items()}
        self._parts.setdefault(metric, []).append(of_systems)

    def compared(
        self, corpus: TextSource, resampled: Mapping[AnyMetric, Resampled], options: Options
    ) -> AnsweredSentences:
        """Compare systems on the sentences that all of them answered.

        Constants of the corpus (CLEME) and numbers of references in signatures are those of all sentences.

        Args:
            corpus: The corpus of the comparison.
            resampled: Resampled counts of all sentences, whose input was checked.
            options: Options of the comparison.

        Raises:
            UsageError: If no system is text, whose lines were checked.
        """
        first = next(iter(resampled.values()))
        if not first.outputs:
            raise UsageError("no system is text, so that empty lines and refusals are unknown")
        failed_lines = [lines for account in first.outputs.values() for lines in account.failures.values()]
        unanswered = sorted(set().union(*failed_lines))
        failures = {name: _numbers(account) for name, account in first.outputs.items()}
        comparison = None
        if 0 < len(unanswered) < first.sentences:
            rows = other_rows(first.sentences, unanswered)
            answered = {metric: self._resampled(metric, of_all, rows) for metric, of_all in resampled.items()}
            comparison = comparison_of(corpus, answered, options)
            # Costs at which the verdict changes are those of the comparison on all sentences.
            by_metric = {name: replace(metric, decisions=None) for name, metric in comparison.items()}
            comparison = replace(comparison, by_metric=by_metric)
        return AnsweredSentences(failures, len(unanswered), first.sentences, comparison)

    def _resampled(self, metric: AnyMetric, of_all: Resampled, rows: Sequence[int]) -> Resampled:
        """Return the resampled counts of some sentences."""
        parts, indices = self._parts[metric], np.asarray(rows)
        counts = {name: Counts.concatenate([part[name] for part in parts]).at(indices) for name in of_all.systems}
        answered = of_all.without_sentences()
        answered.observed = of_all.observed
        answered.add(counts, blocks=None if self.blocks is None else [self.blocks[row] for row in rows])
        return answered


def _numbers(account: OutputAccount) -> dict[str, int]:
    return {kind: len(lines) for kind, lines in account.failures.items() if kind != "cut" or account.has_ends}
