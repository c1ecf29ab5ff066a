"""Systems under a metric at thresholds of confidence, and thresholds that another run has chosen."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from geceval.base.errors import InputError
from geceval.base.ties import exceeds
from geceval.counting.counts import Floats
from geceval.counting.metric import AnyMetric
from geceval.reporting.threshold_curves import Calibration, ThresholdCurve
from geceval.results.named_figures import Bar, settings
from geceval.text.files import read_text

SCHEMA = "geceval/sweep@1"


@dataclass(frozen=True)
class Condition:
    """A bar that the system must reach at a threshold, such as a share of false alarms.

    Attributes:
        label: Name of the figure.
        bar: The bar.
        curve: The scores of its metric at the thresholds.
    """

    label: str
    bar: Bar
    curve: ThresholdCurve

    @property
    def values(self) -> Floats:
        """The figure [T + 1] at each threshold."""
        return self.curve.figures[self.bar.figure.part or "score"]


@dataclass(frozen=True)
class Swept:
    """A system under a metric.

    Attributes:
        curve: The scores at thresholds.
        conditions: Conditions of a threshold.
        calibration: The calibration, if requested.
        threshold: A threshold of the curve that was chosen before; None: none.
        replicates: Number of bootstrap replicates of the intervals; 0: no intervals.
    """

    curve: ThresholdCurve
    conditions: Sequence[Condition] = ()
    calibration: Calibration | None = None
    threshold: float | None = None
    replicates: int = 0

    @cached_property
    def chosen(self) -> dict[str, int]:
        """Name -> index of a threshold: of all edits, the best and the allowed one if there are, the given one."""
        best = {} if self.curve.best is None else {"best": self.curve.best}
        if self.allowed is not None:
            best["allowed"] = self.allowed
        extra = {} if self.threshold is None else {"given": int(np.searchsorted(self.curve.thresholds, self.threshold))}
        return {"all": 0, **best, **extra}

    @cached_property
    def allowed(self) -> int | None:
        """Index of the threshold that meets the conditions with the highest recall; of equal ones the highest.

        None without conditions, or if no threshold meets them. Metrics without recall count by their score.
        """
        meets = np.all([condition.bar.keeps(condition.values[:-1]) for condition in self.conditions], axis=0)
        sign = 1 if self.curve.metric.scale.higher_is_better else -1
        figures = self.curve.figures
        ranked = figures["recall"][:-1] if "recall" in figures else sign * figures["score"][:-1]
        places = np.flatnonzero(meets & ~np.isnan(ranked)) if self.conditions else np.array([], np.intp)
        return int(places[~exceeds(ranked[places].max(), ranked[places])][-1]) if len(places) else None

    @cached_property
    def intervals(self) -> dict[str, Any]:
        """Intervals by name; empty without replicates."""
        intervals = self.curve.intervals(self.chosen, replicates=self.replicates) if self.replicates else {}
        if self.calibration is not None and self.replicates:
            intervals |= self.calibration.intervals(replicates=self.replicates)
        return intervals

    @cached_property
    def columns(self) -> dict[str, list[Any]]:
        """The curve by column."""
        last = len(self.curve.thresholds)
        facts = {"threshold": self.curve.thresholds, "suggestions": self.curve.suggestions, **self.curve.figures}
        facts |= {condition.label: condition.values for condition in self.conditions}
        return {name: values[:last].tolist() for name, values in facts.items()}

    def in_percent(self, column: str) -> bool:
        """Return whether tables show a column times 100."""
        of_conditions = {condition.label: condition.bar.figure.in_percent for condition in self.conditions}
        return of_conditions.get(column, self.curve.metric.scale.part_in_percent(column))

    def to_document(self) -> dict[str, Any]:
        """Return the chosen thresholds, the curve and the calibration as JSON values."""
        curve, calibration = self.curve, self.calibration
        chosen = {
            name: {key: values[index] for key, values in self.columns.items()} for name, index in self.chosen.items()
        }
        rule = {"rule": curve.rule} if curve.rule else {}
        allowed = {"allowed": None} if self.conditions else {}
        return {
            "system": curve.system,
            **rule,
            "metric": curve.metric.name,
            "settings": settings(curve.metric),
            "signature": curve.signature,
            "confidences": curve.confidences,
            "average_precision": curve.average_precision,
            **({"all": None, "best": None} | allowed | chosen),
            "intervals": self.intervals,
            "curve": self.columns,
            "calibration": None if calibration is None else calibration.figures,
        }


def read_thresholds(path: str) -> tuple[str, dict[tuple[str, str, str], float | None]]:
    """Return the chosen thresholds in the JSON report of a sweep: the allowed ones under conditions, else the best.

    Args:
        path: The file.

    Returns:
        The checksum of the sentences, and a threshold by system, rule and metric, as ``metric_key`` writes it; None if
        no threshold is best.

    Raises:
        InputError: If it is another file.
    """
    text = read_text(path)
    try:
        document = json.loads(text)
        keys = [
            (result["system"], result.get("rule", ""), json.dumps([result["metric"], result["settings"]]))
            for result in document["results"]
        ]
        best_rows = [result.get("allowed", result["best"]) for result in document["results"]]
        values = [None if row is None else float(row["threshold"]) for row in best_rows]
        if document["schema"] == SCHEMA:
            return document["fingerprint"], dict(zip(keys, values, strict=True))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        pass
    raise InputError(f"is not a report of geceval sweep ({SCHEMA})", path=path, hint="geceval sweep … -o dev.json")


def metric_key(metric: AnyMetric) -> str:
    """Return the name and the settings of a metric as JSON."""
    return json.dumps([metric.name, settings(metric)])
