"""verifiers: a reward function for a Rubric, which passes arguments by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from geceval.counting.metric import Metric
from geceval.integrations.framework_rows import Extract, last_message
from geceval.integrations.rewards import Malformed, Reward, rewards


@dataclass(frozen=True)
class RubricReward:
    """Reward function of ``completion``, ``answer`` and ``info``; see ``reward``."""

    reward: Reward

    @property
    def __name__(self) -> str:
        """Name in logs."""
        return self.reward.__name__

    def __call__(self, completion: Any, answer: Any, info: Mapping[str, Any] | None) -> float:
        columns = info or {}
        references = columns.get(self.reward.references, answer)
        return self.reward.worth(columns.get(self.reward.source), completion, references)


def reward(
    metric: str | Metric[Any] = "green",
    *,
    source: str = "source",
    references: str = "references",
    extract: Extract = last_message,
    malformed: Malformed = "lowest",
    threads: int = 0,
) -> RubricReward:
    """Return a reward function for ``verifiers.Rubric(funcs=[reward("errant")])``.

    The reward is the sentence score of a completion. Malformed completions, and samples without source or references,
    get the metric's lowest score. The function can be pickled.

    Args:
        metric: Metric or specification, such as ``green:beta=0.5``.
        source: Key of the source sentence in ``info``.
        references: Key of the references in ``info``; if it is missing, ``answer`` is the only reference.
        extract: Function from a completion to the corrected sentence.
        malformed: Reward of malformed completions, as in ``geceval.rewards``.
        threads: Number of threads (0: one per processor).

    Returns:
        The function.

    Raises:
        UsageError: If the metric cannot be a reward, as in ``geceval.rewards``.
    """
    scored = rewards(
        metric, source=source, references=references, extract=extract, malformed=malformed, threads=threads
    )
    return RubricReward(scored)
