"""transformers' Trainer: ``compute_metrics`` that decodes what was generated and scores it as a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.counting.evaluation import Result
from geceval.counting.labels import names
from geceval.counting.stream import counted, given
from geceval.errors import InputError, UsageError
from geceval.integrations.rows import (
    SYSTEM,
    Extract,
    Metrics,
    Rows,
    figures,
    last_message,
    metrics_of,
    sentence_by_sentence,
)
from geceval.text.corpus import check_lengths
from geceval.text.given import listed

#: What Trainer fills labels and predictions up with; no token.
PADDING = -100


def compute_metrics(
    tokenizer: Any,
    metrics: Metrics,
    *,
    sources: Sequence[str] | None = None,
    references: Sequence[str | Sequence[str]] | None = None,
    extract: Extract = last_message,
    extract_source: Extract = last_message,
    ragged: bool = False,
) -> ComputeMetrics:
    """A function for ``Trainer(compute_metrics=…)`` where predictions are generated token ids.

    ``sources[s]``: in the order of the evaluation data; None: decoded from the inputs, with
    ``include_for_metrics=["inputs"]``. ``references[s]`` or ``references[s][r]``: None: the decoded labels, one each.
    ``extract``, ``extract_source``: the correction in what was generated, the sentence in an input (without the
    prompt). Returns ``{"errant": …, "errant_precision": …, …}``. With ``batch_eval_metrics=True`` counts are added up
    batch by batch, in constant memory.
    """
    return ComputeMetrics(tokenizer, metrics, sources, references, extract, extract_source, ragged)


class ComputeMetrics:
    """See ``compute_metrics``."""

    def __init__(
        self,
        tokenizer: Any,
        metrics: Metrics,
        sources: Sequence[str] | None,
        references: Sequence[str | Sequence[str]] | None,
        extract: Extract,
        extract_source: Extract,
        ragged: bool,
    ) -> None:
        self.tokenizer, self.metrics = tokenizer, metrics_of(metrics)
        self.sources = None if sources is None else listed("sources", sources)
        self.references = None if references is None else listed("references", references)
        self.rows, self.extract_source = Rows(extract, ragged), extract_source
        if self.sources is not None and self.references is not None:
            lengths = [("sources", len(self.sources)), ("references", len(self.references))]
            check_lengths(lengths, noun="sentences")
        self._start()

    def _start(self) -> None:
        self.done = 0
        self.results: list[Result] = []

    def __call__(self, prediction: Any, compute_result: bool = True) -> dict[str, float]:
        """The figures of all that came in since the last ones, or nothing yet.

        Raises UsageError for what are no generated tokens, InputError where rows do not fit together.
        """
        try:
            self._add(prediction, last=compute_result)
        except BaseException:
            self._start()
            raise
        if not compute_result:
            return {}
        found = dict(zip(names(self.metrics), (result.score() for result in self.results), strict=True))
        self._start()
        return figures(found)

    def _add(self, prediction: Any, *, last: bool) -> None:
        texts = self._decoded(_token_ids(prediction.predictions))
        span = slice(self.done, self.done + len(texts))
        sources = self.sources[span] if self.sources is not None else self._inputs(prediction)
        references = self.references[span] if self.references is not None else self._labels(prediction)
        self._check_order(span.stop, last=last)
        corpus = self.rows.corpus(sources, texts, references)
        if self.done or not last:
            for metric in self.metrics:
                sentence_by_sentence(metric, "batch_eval_metrics")
        if not self.results:
            self.results = [Result(metric, given(corpus, metric, SYSTEM), ["corpus"]) for metric in self.metrics]
        for _, metric, counts in counted(corpus, self.metrics):
            for result in self.results:
                if result.metric == metric:
                    result.add(counts)
        self.done = span.stop

    def _check_order(self, done: int, *, last: bool) -> None:
        """Raise InputError where as many sentences as were given are not as many as were predicted."""
        for name, lines in (("sources", self.sources), ("references", self.references)):
            if lines is not None and (done > len(lines) or (last and done < len(lines))):
                lengths = [(name, len(lines)), ("predictions", done)]
                check_lengths(lengths, noun="sentences")

    def _inputs(self, prediction: Any) -> list[str]:
        if prediction.inputs is None:
            hint = 'TrainingArguments(include_for_metrics=["inputs"]), or compute_metrics(…, sources=[…])'
            raise UsageError("there are no inputs to decode the sources from", hint=hint)
        return [self.extract_source(text) for text in self._decoded(_token_ids(prediction.inputs))]

    def _labels(self, prediction: Any) -> list[str]:
        if prediction.label_ids is None:
            raise UsageError("there are no labels to decode references from", hint="compute_metrics(…, references=[…])")
        return [text.strip() for text in self._decoded(_token_ids(prediction.label_ids))]

    def _decoded(self, rows: NDArray[Any]) -> list[str]:
        """Texts of rows of token ids, without special tokens and what fills rows up."""
        padding = self.tokenizer.pad_token_id
        if padding is None:
            padding = self.tokenizer.eos_token_id
        filled = np.where(rows == PADDING, padding, rows)
        texts: list[str] = self.tokenizer.batch_decode(filled, skip_special_tokens=True)
        return texts


def _token_ids(values: Any) -> NDArray[Any]:
    """Rows of token ids [S, T]. Raises UsageError for logits."""
    rows = np.asarray(values[0] if isinstance(values, tuple) else values)
    if rows.ndim != 2 or rows.dtype.kind not in "iu":
        what = f"an array of {rows.ndim} dimensions of {rows.dtype}"
        hint = "Seq2SeqTrainingArguments(predict_with_generate=True): the best token at each place of the reference"
        raise UsageError(f"predictions are generated token ids [S, T], not {what}", hint=f"{hint} is no correction")
    return rows
