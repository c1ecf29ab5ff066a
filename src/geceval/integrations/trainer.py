"""transformers' Trainer: ``compute_metrics`` that decodes and scores predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import as_sequence
from geceval.base.caller_warnings import warn
from geceval.base.errors import UsageError
from geceval.counting.scorer import Scorer
from geceval.integrations.framework_rows import (
    Extract,
    Metrics,
    RowConversion,
    by_annotator,
    figures,
    last_message,
    metrics_of,
    number_of_processes,
    scores,
)

#: Padding of labels and predictions, which is not a token.
PADDING = -100


class ComputeMetrics:
    """Function for ``Trainer(compute_metrics=…)`` with generated token ids.

    It returns numbers by name, ``{"errant": …, "errant_precision": …, …}``. With ``batch_eval_metrics=True`` it keeps
    texts and no tensors. Given sources and references are annotated once for all evaluations. Several processes fill
    the last batch with the first sentences: rows beyond the given sources or references do not count.

    Args:
        tokenizer: Tokenizer of the model.
        metrics: Metrics or specifications.
        sources: Source sentences [S] in the order of the evaluation data (None: decoded from the inputs, which requires
            ``include_for_metrics=["inputs"]``).
        references: References [S] or [S][R] (None: the decoded labels).
        extract: Function from a decoded prediction to the corrected sentence.
        extract_source: Function from a decoded input to the source, without the prompt.
        ragged: Whether sentences may have different numbers of references.

    Raises:
        UsageError: If a metric does not exist.
        InputError: If lengths differ.
    """

    def __init__(
        self,
        tokenizer: Any,
        metrics: Metrics,
        *,
        sources: Sequence[str] | None = None,
        references: Sequence[str | Sequence[str]] | None = None,
        extract: Extract = last_message,
        extract_source: Extract = last_message,
        ragged: bool = False,
    ) -> None:
        self.tokenizer, self.metrics = tokenizer, metrics_of(metrics)
        self.sources = None if sources is None else as_sequence("sources", sources)
        self.references = None if references is None else as_sequence("references", references)
        self.rows, self.extract_source = RowConversion(extract, ragged), extract_source
        self._has_warned = False
        self._scorer: Scorer | None = None
        if sources is not None and references is not None:
            self._scorer = Scorer(self.metrics, sources, by_annotator(references, len(sources), ragged=ragged))
        self._clear()

    def _clear(self) -> None:
        self.kept: list[list[Any]] = [[], [], []]

    def __call__(self, prediction: Any, compute_result: bool = True) -> dict[str, float]:
        """Return the numbers of all predictions since the last result.

        Args:
            prediction: Predictions, labels and inputs of the Trainer.
            compute_result: Whether to return numbers, or only keep the predictions of a batch.

        Raises:
            UsageError: If predictions are not generated tokens.
            InputError: If lengths differ.
        """
        try:
            self._add(prediction)
            return self._take_figures() if compute_result else {}
        except BaseException:
            self._clear()
            raise

    def _add(self, prediction: Any) -> None:
        texts, sources, references = self.kept
        texts += self._decode(prediction.predictions)
        if self.sources is None:
            if prediction.inputs is None:
                hint = 'use TrainingArguments(include_for_metrics=["inputs"]) or compute_metrics(…, sources=[…])'
                raise UsageError("the sources cannot be decoded without inputs", hint=hint)
            # With batches they are a mapping of all arguments of the model.
            ids = prediction.inputs["input_ids"] if isinstance(prediction.inputs, Mapping) else prediction.inputs
            sources += map(self.extract_source, self._decode(ids))
        if self.references is None:
            if prediction.label_ids is None:
                hint = "use compute_metrics(…, references=[…])"
                raise UsageError("the references cannot be decoded without labels", hint=hint)
            references += map(str.strip, self._decode(prediction.label_ids))

    def _take_figures(self) -> dict[str, float]:
        size = self._number_of_sentences()
        texts, sources, references = (column[:size] for column in self.kept)
        self._clear()
        if self.sources is None and len(sources) != len(texts) and number_of_processes() > 1:
            message = "the inputs are those of one of several processes"
            raise UsageError(message, hint="use compute_metrics(…, sources=[…]) or batch_eval_metrics=False")
        if self._scorer is not None:
            return figures(self._scorer.score([self.rows.extract(text) for text in texts]))
        corpus = self.rows.corpus(self.sources or sources, texts, self.references or references)
        # No checks, because outputs at the start of training are expected to be suspicious.
        return figures(scores(corpus, self.metrics, checks=False))

    def _number_of_sentences(self) -> int | None:
        """Return the number of sentences if several processes may have repeated some; None for all rows.

        The Trainer gathers the batches of the processes in the order of the data.
        """
        if number_of_processes() == 1:
            return None
        for column in (self.sources, self.references):
            if column is not None:
                return len(column)
        if not self._has_warned:
            self._has_warned = True
            message = "the last batch of several processes repeats the first sentences, which count again"
            warn(message, hint="use compute_metrics(…, sources=[…])")
        return None

    def _decode(self, values: Any) -> list[str]:
        """Return the texts of token ids, or of several batches of them, without special tokens and padding."""
        is_list = isinstance(values, list) and all(isinstance(batch, tuple) or np.ndim(batch) > 1 for batch in values)
        return [text for batch in (values if is_list else [values]) for text in self._decode_batch(batch)]

    def _decode_batch(self, values: Any) -> list[str]:
        rows = _token_ids(values)
        padding = self.tokenizer.pad_token_id
        if padding is None:
            padding = self.tokenizer.eos_token_id
        filled = np.where(rows == PADDING, padding, rows)
        texts: list[str] = self.tokenizer.batch_decode(filled, skip_special_tokens=True)
        return texts


compute_metrics = ComputeMetrics


def _token_ids(values: Any) -> NDArray[Any]:
    """Return rows of token ids [S, T]; raises UsageError for logits."""
    ids = values[0] if isinstance(values, tuple) else values
    rows = np.asarray(ids.cpu() if hasattr(ids, "cpu") else ids)  # separate batches are tensors
    if rows.ndim != 2 or rows.dtype.kind not in "iu":
        what = f"an array of {rows.ndim} dimensions of {rows.dtype}"
        hint = "use Seq2SeqTrainingArguments(predict_with_generate=True)"
        raise UsageError(f"predictions must be generated token ids [S, T], not {what}", hint=hint)
    return rows
