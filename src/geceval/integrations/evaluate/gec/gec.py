"""For ``evaluate.load``, which copies this file elsewhere and takes the metric that it finds in it."""

from geceval.integrations.evaluate import CorpusMetric

__all__ = ["CorpusMetric"]
