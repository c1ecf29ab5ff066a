"""verifiers: a reward function for a Rubric, which asks for what it needs by the names of its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from geceval.counting.metric import Metric
from geceval.integrations.framework_rows import Extract, last_message
from geceval.integrations.rewards import Malformed, Reward, rewards


@dataclass(frozen=True)
class RubricReward:
    """A function of ``completion``, ``answer`` and ``info``. See ``reward``."""

    reward: Reward

    @property
    def __name__(self) -> str:
        """How logs call it."""
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
    """A function for ``verifiers.Rubric(funcs=[reward("errant")])``: the sentence score of a completion.

    ``info[source]`` is the sentence, ``info[references]`` its corrections, else ``answer`` is the only one. Malformed
    text, and a sample without source or references, has the metric's lowest score. Other settings, errors: see
    ``geceval.rewards``. Can be pickled.
    """
    scored = rewards(
        metric, source=source, references=references, extract=extract, malformed=malformed, threads=threads
    )
    return RubricReward(scored)
