"""Comparison on the sentences that all systems answered, next to the one on all sentences.

Which sentences a model answers is a property of the model, and so is the quality of its answers. A sentence that one
system did not answer is left out for all systems, so that the comparison stays paired.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from geceval.base.arguments import counted
from geceval.base.errors import UsageError
from geceval.comparison.verdicts import verdicts
from geceval.counting.checks.text_checks import OutputAccount
from geceval.counting.comparison_options import Options
from geceval.counting.metric import AnyMetric
from geceval.resampling.compared_metrics import comparison_of
from geceval.resampling.comparison_results import Comparison
from geceval.resampling.resampled_counts import Resampled
from geceval.resampling.resampled_systems import resample_systems
from geceval.text.building import other_rows
from geceval.text.corpus import TextSource
from geceval.text.reading.lines import ALL

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


def compare_answered(
    corpus: TextSource,
    counts: Mapping[AnyMetric, Resampled],
    options: Options,
    *,
    blocks: Sequence[Hashable] | None = None,
) -> AnsweredSentences:
    """Compare systems on the sentences that all of them answered.

    Args:
        corpus: The corpus of the comparison; files are read into memory.
        counts: Counts of all sentences, whose input was checked.
        options: Options of the comparison.
        blocks: Block of each sentence [S].

    Raises:
        UsageError: If no system is text, whose lines were checked.
    """
    metrics, first = list(counts), next(iter(counts.values()))
    if not first.outputs:
        raise UsageError("no system is text, so that empty lines and refusals are unknown")
    unanswered = sorted(set().union(*map(_unanswered, first.outputs.values())))
    failures = {name: _numbers(account) for name, account in first.outputs.items()}
    comparison = None
    if 0 < len(unanswered) < first.sentences:
        [all_sentences] = corpus.parts(ALL)
        answered = all_sentences.without(unanswered)
        left = None if blocks is None else [blocks[row] for row in other_rows(len(blocks), unanswered)]
        counted_again = resample_systems(answered, metrics, options, blocks=left, checks=False)
        comparison = comparison_of(answered, counted_again, options)
        # Costs at which the verdict changes are those of the comparison on all sentences.
        by_metric = {name: replace(metric, decisions=None) for name, metric in comparison.items()}
        comparison = replace(comparison, by_metric=by_metric)
    return AnsweredSentences(failures, len(unanswered), first.sentences, comparison)


def _unanswered(account: OutputAccount) -> set[int]:
    return set().union(*account.failures.values())


def _numbers(account: OutputAccount) -> dict[str, int]:
    return {kind: len(lines) for kind, lines in account.failures.items() if kind != "cut" or account.has_ends}
