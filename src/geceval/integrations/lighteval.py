"""lighteval: a corpus metric whose items are counts, for a fast bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from geceval.counting.counts import Counts
from geceval.counting.run import kept_counts
from geceval.counting.stream import ALONE
from geceval.integrations.framework_rows import (
    AnyMetric,
    Extract,
    RowConversion,
    framework,
    framework_classes,
    last_message,
    one_metric,
)

#: Index of a document, and its counts with each reference.
Item: TypeAlias = Mapping[str, Any]


def metric(
    metric: AnyMetric | str,
    *,
    source: Callable[[Any], str] | None = None,
    extract: Extract = last_message,
    ragged: bool = False,
) -> Any:
    """Return a ``CorpusLevelMetric`` for ``LightevalTaskConfig(metrics=[…])``.

    The references of a document are ``doc.get_golds()``. Documents are counted together and summed in the order of the
    data set, which lighteval shuffles.

    Args:
        metric: Metric or specification, such as ``green:beta=0.5``.
        source: Function from a document to its source (default: ``doc.specific["source"]``).
        extract: Function from a response to the corrected sentence.
        ragged: Whether documents may have different numbers of references.

    Returns:
        The metric, which raises InputError if numbers of references differ.

    Raises:
        UsageError: If the metric does not exist.
        MissingExtraError: If lighteval is not installed.
    """
    scored, utils = one_metric(metric), framework("lighteval.metrics.utils.metric_utils")
    return utils.CorpusLevelMetric(
        metric_name=scored.name,
        higher_is_better=scored.higher_is_better,
        category=framework("lighteval.tasks.requests").SamplingMethod.GENERATIVE,
        sample_level_fn=__getattr__("Counting")(scored, source or specific_source, RowConversion(extract, ragged)),
        corpus_level_fn=__getattr__("Scoring")(scored),
        batched_compute=True,
    )


def specific_source(doc: Any) -> str:
    """Return the source of a document.

    Args:
        doc: Document of lighteval.

    Returns:
        ``doc.specific["source"]``.
    """
    text: str = doc.specific["source"]
    return text


class _Counting:
    """Computation of the counts of documents."""

    def __init__(self, scored: AnyMetric, source: Callable[[Any], str], rows: RowConversion) -> None:
        self.scored, self.source, self.rows = scored, source, rows

    def __str__(self) -> str:
        return self.scored.name

    def compute(self, responses: Sequence[Any], docs: Sequence[Any], **more: Any) -> list[Item]:
        """Return an item for each document, in order."""
        places = [int(doc.id) if str(doc.id).isdecimal() else at for at, doc in enumerate(docs)]
        order = sorted(range(len(docs)), key=places.__getitem__)
        corpus = self.rows.corpus(
            [self.source(docs[at]) for at in order],
            [responses[at].final_text[0] for at in order],
            [docs[at].get_golds() for at in order],
        )
        counts = kept_counts(corpus, self.scored)[ALONE]
        items: list[Item] = [{} for _ in docs]
        for row, mask, at in zip(counts.array, counts.mask, order, strict=True):
            items[at] = {"place": places[at], "counts": row[mask].tolist()}
        return items


class _Scoring:
    """Computation of the corpus score from counts."""

    def __init__(self, scored: AnyMetric) -> None:
        self.scored = scored

    def __str__(self) -> str:
        return self.scored.name

    def compute_corpus(self, items: Sequence[Item]) -> float:
        """Return the corpus score of the documents' counts, on the metric's scale."""
        rows = [item["counts"] for item in sorted(items, key=lambda item: item["place"])]
        counts = Counts.concatenate([Counts(np.array([row]), self.scored.columns) for row in rows])
        return float(np.mean(self.scored.score(self.scored.totals(counts))))


__getattr__ = framework_classes(
    __name__,
    Counting=(_Counting, "lighteval.metrics.metrics_sample", "SampleLevelComputation"),
    Scoring=(_Scoring, "lighteval.metrics.metrics_corpus", "CorpusLevelComputation"),
)
