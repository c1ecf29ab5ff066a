"""Objectives of metrics: precision, recall, or quality without references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from geceval.base.data_files import table_rows
from geceval.counting.stream import AnyMetric

M = TypeVar("M", bound=AnyMetric)

#: Objectives: their heads in tables, the texts that they reward, and metrics that have them.
OBJECTIVES: Mapping[str, tuple[str, str, str]] = {
    name: (head, reward, metrics) for name, head, reward, metrics in table_rows(Path(__file__).with_suffix(".tsv"))
}


def objective_of(metric: AnyMetric) -> str | None:
    """Return the objective that the evidence or the beta of a metric states."""
    if metric.evidence_of == "nothing":
        return "reference-free"
    beta = metric.beta_of_score or 1
    return None if beta == 1 else "precision" if beta < 1 else "recall"


def by_objective(metrics: Sequence[M]) -> list[M]:
    """Return metrics in the order of OBJECTIVES, others last."""
    order = [*OBJECTIVES, None]
    return sorted(metrics, key=lambda metric: order.index(objective_of(metric)))


def reward_line(objective: str, labels: str) -> str:
    """Return a line below a table: the text that the metrics of an objective reward."""
    head, reward, _ = OBJECTIVES[objective]
    return f"{head} ({labels}): rewards {reward}"
