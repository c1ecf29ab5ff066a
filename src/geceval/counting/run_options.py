"""Options of a counting pass."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from geceval.base.arguments import COUNT, THREADS, Bounds, shown, whole
from geceval.base.errors import UsageError
from geceval.text.corpus import Corpus

if TYPE_CHECKING:
    from geceval.counting.metric import AnyMetric

#: Called with the number of sentence-system pairs done since the last call.
Progress: TypeAlias = Callable[[int], None]
#: Function that returns the labels [S] of a part's sentences.
Labels: TypeAlias = Callable[[Corpus], Sequence[Any]]
#: Range of the number of sentences in a part.
BLOCK = Bounds(1, COUNT.high)


@dataclass(frozen=True, eq=False)
class RunOptions:
    """Options of a counting pass, checked when they are made.

    Attributes:
        threads: Number of threads (0: one per processor).
        block: Number of sentences in a part, or largest number of ``only`` counted together (None: the smallest of the
            metrics).
        evidence: True, or the metrics to keep evidence for.
        longest: Largest order of n-grams in evidence of differences (None: all evidence); see Metric.narrowed.
        labels: Function that returns the labels of a part's sentences, which the counts have.
        only: Sorted indices of the sentences to count; a corpus constant is computed on the whole corpus.
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn (GecevalWarning) about suspicious input (counting.checks), and score the gold's corrected texts
            where given gold edits meet text (counting.checks.ceilings).
        is_part: The source is a part of a corpus that is counted in separate runs: a run leaves warnings about settings
            and sums of columns to its caller.

    Raises:
        GecevalError: If an argument is not valid; names the argument.
    """

    threads: int = 0
    block: int | None = None
    evidence: bool | Collection[AnyMetric] = False
    longest: int | None = None
    labels: Labels | None = None
    only: Sequence[int] | None = None
    progress: Progress | None = None
    checks: bool = False
    is_part: bool = False

    def __post_init__(self) -> None:
        if self.progress is not None and not callable(self.progress):
            raise UsageError(f"progress must be a function, not {shown(self.progress)}")
        object.__setattr__(self, "threads", whole("threads", self.threads, THREADS))
        if self.block is not None:
            object.__setattr__(self, "block", whole("block", self.block, BLOCK))

    def has_evidence(self, metrics: Sequence[AnyMetric]) -> bool:
        """Return whether the shared counts of metrics have evidence."""
        if isinstance(self.evidence, bool):
            return self.evidence
        return any(metric in self.evidence for metric in metrics)


#: The options of a run without others.
USUAL = RunOptions()
