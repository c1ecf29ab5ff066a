"""verl: a reward function; this file is the ``custom_reward_function.path``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from geceval.integrations.rewards import rewards

_reward = lru_cache(maxsize=32)(rewards)


def compute_score(
    data_source: Any,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    *,
    metric: str = "green",
    source: str = "source",
    **others: Any,
) -> dict[str, float]:
    """Return the reward of a correction: its sentence score.

    Malformed text, and a sample without source or references, get the metric's lowest score.

    Args:
        data_source: Name of the data set, ignored.
        solution_str: Correction.
        ground_truth: Reference, or a list of references.
        extra_info: Mapping with the source sentence.
        metric: Specification of the metric, set by ``reward_kwargs``.
        source: Key of the source sentence in ``extra_info``.
        others: Other arguments of verl, ignored.

    Returns:
        ``{"score": …}`` on the metric's scale.

    Raises:
        UsageError: If the metric cannot be a reward.
    """
    reward = _reward(metric, source=source)
    return {"score": reward.worth((extra_info or {}).get(source), solution_str, ground_truth)}
