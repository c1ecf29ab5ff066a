"""sacrebleu: a metric with scores, signatures, bootstrap and paired tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from geceval.base.errors import InputError, UsageError, framework
from geceval.counting.consumers import KeptCounts
from geceval.counting.observations import ALONE
from geceval.counting.run import Run
from geceval.counting.signature import signature_of
from geceval.integrations.framework_rows import AnyMetric, Extract, last_message, one_metric
from geceval.text.columns import check_lengths
from geceval.text.corpus import Corpus

base: Any = framework("sacrebleu.metrics.base")

#: Factor of scores in sacrebleu.
PERCENT = 100


def metric(
    metric: AnyMetric | str,
    sources: Sequence[str],
    references: Sequence[Sequence[str | None]] | None = None,
    *,
    extract: Extract = last_message,
) -> Any:
    """Return a ``sacrebleu.metrics.base.Metric``.

    Its methods are ``corpus_score(hypotheses, references)``, ``sentence_score`` and ``get_signature``. References are
    chosen over the whole corpus by the metric's policy; bootstrap and tests resample the counts of the chosen ones.

    Args:
        metric: Metric or specification, such as ``green:beta=0.5``.
        sources: Source sentences [S], which the methods of sacrebleu do not take.
        references: Reference sentences [R][S] that are used if ``corpus_score`` gets None; None for a missing one.
        extract: Function from a hypothesis to the corrected sentence.

    Returns:
        The metric, whose scores are multiplied by 100. Its methods raise InputError if lengths differ.

    Raises:
        UsageError: If the metric does not exist.
    """
    return SacrebleuMetric(one_metric(metric), list(sources), references, extract)


class SacrebleuSignature(base.Signature):
    """Signature in the format of sacrebleu: ``nrefs`` first, ``version`` last."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        entries = dict(entry.split(":", 1) for entry in args["geceval_signature"].split("|")[1:])
        self.info["version"] = f"geceval-{entries.pop('v')}"
        self.info["nrefs"] = entries.pop("refs", self.info["nrefs"])
        for key, value in entries.items():
            name = key if self.info.get(key) is None else f"geceval-{key}"  # sacrebleu's seed is the bootstrap's
            self.info[name] = value.replace(":", "-")  # sacrebleu's JSON splits at colons


class SacrebleuMetric(base.Metric):
    """Metric of sacrebleu; see ``metric``."""

    _SIGNATURE_TYPE = SacrebleuSignature

    def __init__(
        self, metric: AnyMetric, sources: list[str], references: Sequence[Sequence[str | None]] | None, extract: Extract
    ) -> None:
        super().__init__()
        self.scored, self.sources, self.extract = metric, sources, extract
        self.default_references = references
        self.geceval_signature = ""

    @property
    def name(self) -> str:
        """Name of the metric in sacrebleu."""
        return self.scored.label

    def sentence_score(self, hypothesis: str, references: Sequence[str], source: str | None = None) -> Any:
        """Return the score of one sentence, times 100.

        Args:
            hypothesis: Corrected sentence.
            references: Reference sentences.
            source: Source sentence (None: the only one of the metric).
        """
        if source is None:
            if len(self.sources) != 1:
                raise UsageError("the source is required: sentence_score(hypothesis, references, source)")
            [source] = self.sources
        corpus = Corpus([source], [[text] for text in references], {ALONE: [self.extract(hypothesis)]})
        return self._aggregate_and_compute(self._statistics(corpus))

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> Any:
        """Return the counts [S, m * K] of the chosen references, a row per sentence."""
        references = self.default_references if references is None else references
        if references is None:
            raise InputError("references are required, by this method or when the metric is made")
        check_lengths([("sources", len(self.sources)), ("hypotheses", len(hypotheses))], noun="sentences")
        texts = [self.extract(text) for text in hypotheses]
        return self._statistics(Corpus(self.sources, references, {ALONE: texts}))

    def _statistics(self, corpus: Corpus) -> Any:
        [consumer] = Run(corpus, [self.scored]).consume(lambda _, metric: KeptCounts(metric)).values()
        counts, self.geceval_signature = consumer.result(), signature_of(self.scored, consumer.facts.inputs)
        self.num_refs = corpus.reference_numbers()[1]
        rows = np.stack([counts.chosen(choice) for choice in self.scored.choices(counts)], axis=1)
        self.columns = rows.shape[2]
        return rows.reshape(len(corpus), -1).astype(np.float64)

    def _aggregate_and_compute(self, stats: Any) -> Any:
        return self._compute_score_from_stats(np.asarray(stats).sum(axis=0))

    def _compute_score_from_stats(self, stats: Any) -> Any:
        values = self.scored.score(np.asarray(stats).reshape(-1, self.columns))
        return base.Score(self.name, PERCENT * float(np.mean(values)))

    def get_signature(self) -> Any:
        """Return the signature of the last score; raises UsageError before the first one."""
        if not self.geceval_signature:
            raise UsageError("the signature depends on the input and is available after the first score")
        return self._SIGNATURE_TYPE({**vars(self)})

    def _preprocess_segment(self, sent: str) -> str:
        return sent

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"references": refs}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> Any:
        raise UsageError("segments cannot be counted separately: use corpus_score, or sentence_score with the source")
