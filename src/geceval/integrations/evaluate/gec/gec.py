"""Module for ``evaluate.load``, which copies this file and uses its metric class."""

from geceval.integrations.evaluate import EvaluateMetric

__all__ = ["EvaluateMetric"]
