"""verl: a reward for one sample, called by its own keywords (``custom_reward_function.path`` is this file)."""

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
    """``{"score": …}`` of a correction: its sentence score under ``metric`` (``reward_kwargs`` set it).

    ``ground_truth`` is the reference, or a list of them; the sentence is ``extra_info[source]``. Never raises on
    malformed text, whose score is the metric's lowest, as is that of a sample without source or references. Raises
    UsageError for a metric that cannot be a reward.
    """
    reward = _reward(metric, source=source)
    return {"score": reward.worth((extra_info or {}).get(source), solution_str, ground_truth)}
