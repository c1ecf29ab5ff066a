"""sacrebleu: a Metric that sentence and corpus scores, signatures, bootstrap and PairedTest take as one of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from geceval.base.errors import InputError, UsageError
from geceval.counting.run import kept_counts
from geceval.counting.stream import ALONE, given
from geceval.integrations.framework_rows import (
    AnyMetric,
    Extract,
    framework,
    framework_classes,
    last_message,
    one_metric,
)
from geceval.text.corpus import Corpus, check_lengths

#: sacrebleu's scores are times 100.
PERCENT = 100


def metric(
    metric: AnyMetric | str,
    sources: Sequence[str],
    references: Sequence[Sequence[str | None]] | None = None,
    *,
    extract: Extract = last_message,
) -> Any:
    """A ``sacrebleu.metrics.base.Metric``: ``corpus_score(hypotheses, references)``, ``sentence_score``,
    ``get_signature``.

    ``sources[s]`` is bound here, since sacrebleu has none. ``references[r][s]``, None where a sentence lacks one, as
    sacrebleu has them; those given here are used where ``corpus_score`` is given None. Scores are times 100.
    References are chosen over the whole corpus by the metric's policy; bootstrap and tests draw from the counts of the
    chosen ones. Raises InputError where lengths differ, in the calls.
    """
    return __getattr__("CorpusMetric")(one_metric(metric), list(sources), references, extract)


class _SacrebleuSignature:
    """Our signature in sacrebleu's words: ``nrefs`` first, ``version`` last, what sacrebleu adds (``bs``, ``seed``)
    between."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)  # type: ignore[call-arg]
        entries = dict(entry.split(":", 1) for entry in args["ours"].split("|")[1:])
        info: dict[str, Any] = self.info  # type: ignore[attr-defined]
        info["version"] = f"geceval-{entries.pop('v')}"
        info["nrefs"] = entries.pop("refs", info["nrefs"])
        for key, value in entries.items():
            name = key if info.get(key) is None else f"geceval-{key}"  # the seed is that of the bootstrap
            info[name] = value.replace(":", "-")  # sacrebleu's JSON cuts at colons


class _SacrebleuMetric:
    """See ``metric``."""

    def __init__(
        self, metric: AnyMetric, sources: list[str], references: Sequence[Sequence[str | None]] | None, extract: Extract
    ) -> None:
        super().__init__()
        self.scored, self.sources, self.cached, self.extract = metric, sources, references, extract
        self.ours = ""
        self._SIGNATURE_TYPE = __getattr__("CorpusSignature")

    @property
    def name(self) -> str:
        """What sacrebleu calls the metric."""
        return self.scored.label

    def sentence_score(self, hypothesis: str, references: Sequence[str], source: str | None = None) -> Any:
        """The score of one sentence with its references; ``source``: unless the metric was made for one sentence."""
        if source is None:
            if len(self.sources) != 1:
                raise UsageError("the sentence's source is needed: sentence_score(hypothesis, references, source)")
            [source] = self.sources
        corpus = Corpus([source], [[text] for text in references], {ALONE: [self.extract(hypothesis)]})
        return self._aggregate_and_compute(self._statistics(corpus))

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> Any:
        """The counts of the chosen references, [S, m * K]: a row for each sentence, as sacrebleu adds them up."""
        references = self.cached if references is None else references
        if references is None:
            raise InputError("no references: neither here nor where the metric was made")
        check_lengths([("sources", len(self.sources)), ("hypotheses", len(hypotheses))], noun="sentences")
        texts = [self.extract(said) for said in hypotheses]
        return self._statistics(Corpus(self.sources, references, {ALONE: texts}))

    def _statistics(self, corpus: Corpus) -> Any:
        counts = kept_counts(corpus, self.scored)[ALONE]
        self.ours = self.scored.signature(given(corpus, self.scored, ALONE))
        self.num_refs = corpus.reference_numbers(of_gold=False)[1]
        rows = np.stack([counts.chosen(choice) for choice in self.scored.choices(counts)], axis=1)
        self.columns = rows.shape[2]
        return rows.reshape(len(corpus), -1).astype(np.float64)

    def _aggregate_and_compute(self, stats: Any) -> Any:
        return self._compute_score_from_stats(np.asarray(stats).sum(axis=0))

    def _compute_score_from_stats(self, stats: Any) -> Any:
        values = self.scored.score(np.asarray(stats).reshape(-1, self.columns))
        return framework("sacrebleu.metrics.base").Score(self.name, PERCENT * float(np.mean(values)))

    def get_signature(self) -> Any:
        """The signature of what was scored last. Raises UsageError before anything was."""
        if not self.ours:
            raise UsageError("the signature says what was given: score something first")
        return self._SIGNATURE_TYPE({**vars(self), "ours": self.ours})

    def _preprocess_segment(self, sent: str) -> str:
        return sent

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"references": refs}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> Any:
        raise UsageError("a corpus is counted as a whole: corpus_score, or sentence_score with the source")


__getattr__ = framework_classes(
    __name__,
    CorpusMetric=(_SacrebleuMetric, "sacrebleu.metrics.base", "Metric"),
    CorpusSignature=(_SacrebleuSignature, "sacrebleu.metrics.base", "Signature"),
)
