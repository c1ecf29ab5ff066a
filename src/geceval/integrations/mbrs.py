"""mbrs: a metric class for its decoders, which computes utilities in one batch."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from geceval.base.errors import UsageError
from geceval.counting.counts import Floats
from geceval.counting.scoring.candidate_choice import comparing_metric, utilities
from geceval.counting.scoring.scored_pairs import pair_scores
from geceval.integrations.framework_rows import AnyMetric, Extract, framework, last_message


def metric_class(metric: AnyMetric | str, *, name: str | None = None, extract: Extract = last_message) -> Any:
    """Return a metric class for mbrs and register it there.

    A utility is the sentence score of a candidate with another one as the only reference. ``DecoderMBR`` takes
    ``cls(cls.Config())``.

    Args:
        metric: Metric that compares a text with a reference, or its specification.
        name: Name of the class in mbrs (None: ``geceval_errant``, by the name of the metric).
        extract: Function from a candidate to the corrected sentence.

    Returns:
        The class. Its methods require the source and raise UsageError without it.

    Raises:
        UsageError: If the metric does not compare a text with a reference.
        MissingExtraError: If mbrs is not installed.
    """
    scored = comparing_metric(metric)
    return _make_class(scored, f"geceval_{scored.name}" if name is None else name, extract)


@functools.cache
def _make_class(metric: AnyMetric, name: str, extract: Extract) -> Any:
    metrics = framework("mbrs.metrics")
    body = {"__module__": __name__, "__doc__": Utility.__doc__, "scored": metric, "extract": staticmethod(extract)}
    cls = type(f"Metric{type(metric).__name__}", (Utility, metrics.Metric), body)
    return metrics.register(name)(cls)


class Utility:
    """Sentence scores of candidates with each other as references."""

    scored: AnyMetric
    extract: Extract

    def score(self, hypothesis: str, reference: str, source: str | None = None) -> float:
        """Return the utility of one candidate."""
        return self.scored.sentence_score(_require_source(source), self.extract(hypothesis), [self.extract(reference)])

    def scores(self, hypotheses: Sequence[str], references: Sequence[str], sources: Sequence[str] | None = None) -> Any:
        """Return the utilities [N] of N candidates, each with its reference and source."""
        texts, theirs = ([self.extract(text) for text in own] for own in (hypotheses, references))
        return _to_tensor(pair_scores(self.scored, _require_source(sources), texts, [[text] for text in theirs]))

    def pairwise_scores(self, hypotheses: Sequence[str], references: Sequence[str], source: str | None = None) -> Any:
        """Return the utilities [H, R] of H candidates with R references of one source."""
        rows, columns = ([self.extract(text) for text in texts] for texts in (hypotheses, references))
        [matrix] = utilities(self.scored, [_require_source(source)], [rows], [columns])
        return _to_tensor(matrix)

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references_lists: Sequence[Sequence[str]],
        sources: Sequence[str] | None = None,
    ) -> float:
        """Return the corpus score of summed counts, with references [R][S]."""
        texts = [self.extract(text) for text in hypotheses]
        return self.scored.corpus_score(_require_source(sources), texts, references_lists).value


def _require_source(source: Any) -> Any:
    if source is None:
        raise UsageError("the source is required to score corrections")
    return source


def _to_tensor(values: Floats) -> Any:
    return framework("torch").as_tensor(values, dtype=framework("torch").float32)
