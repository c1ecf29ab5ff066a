"""transformers' Trainer: ``compute_metrics`` that decodes what was generated and scores it as a corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import as_sequence
from geceval.base.errors import UsageError
from geceval.counting.scoring.scorer import Scorer
from geceval.integrations.framework_rows import (
    Extract,
    Metrics,
    RowConversion,
    by_annotator,
    figures,
    last_message,
    metrics_of,
    scores,
)

#: What Trainer fills labels and predictions up with; no token.
PADDING = -100


class ComputeMetrics:
    """A function for ``Trainer(compute_metrics=…)`` where predictions are generated token ids.

    ``sources[s]``: in the order of the evaluation data; None: decoded from the inputs, with
    ``include_for_metrics=["inputs"]``. ``references[s]`` or ``references[s][r]``: None: the decoded labels, one each.
    ``extract``, ``extract_source``: the correction in what was generated, the sentence in an input (without the
    prompt). Returns ``{"errant": …, "errant_precision": …, …}``. With ``batch_eval_metrics=True`` only texts are kept,
    and no tensors; given sources and references are annotated once for all evaluations.
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
        self._scorer: Scorer | None = None
        if sources is not None and references is not None:
            self._scorer = Scorer(self.metrics, sources, by_annotator(references, len(sources), ragged=ragged))
        self._clear()

    def _clear(self) -> None:
        self.kept: list[list[Any]] = [[], [], []]

    def __call__(self, prediction: Any, compute_result: bool = True) -> dict[str, float]:
        """The figures of all that came in since the last ones, or nothing yet.

        Raises UsageError for what are no generated tokens, InputError where rows do not fit together.
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
                hint = 'TrainingArguments(include_for_metrics=["inputs"]), or compute_metrics(…, sources=[…])'
                raise UsageError("there are no inputs to decode the sources from", hint=hint)
            # Batch by batch they are all that the model was given.
            ids = prediction.inputs["input_ids"] if isinstance(prediction.inputs, Mapping) else prediction.inputs
            sources += map(self.extract_source, self._decode(ids))
        if self.references is None:
            if prediction.label_ids is None:
                hint = "compute_metrics(…, references=[…])"
                raise UsageError("there are no labels to decode references from", hint=hint)
            references += map(str.strip, self._decode(prediction.label_ids))

    def _take_figures(self) -> dict[str, float]:
        texts, sources, references = self.kept
        self._clear()
        if self._scorer is not None:
            return figures(self._scorer.score([self.rows.extract(text) for text in texts]))
        corpus = self.rows.corpus(self.sources or sources, texts, self.references or references)
        return figures(scores(corpus, self.metrics, checks=False))  # what a model says early is told by its scores

    def _decode(self, values: Any) -> list[str]:
        """Texts of rows of token ids, without special tokens and what fills rows up."""
        rows = _token_ids(values)
        padding = self.tokenizer.pad_token_id
        if padding is None:
            padding = self.tokenizer.eos_token_id
        filled = np.where(rows == PADDING, padding, rows)
        texts: list[str] = self.tokenizer.batch_decode(filled, skip_special_tokens=True)
        return texts


compute_metrics = ComputeMetrics


def _token_ids(values: Any) -> NDArray[Any]:
    """Rows of token ids [S, T]. Raises UsageError for logits."""
    found = values[0] if isinstance(values, tuple) else values
    rows = np.asarray(found.cpu() if hasattr(found, "cpu") else found)  # tensors, where batches come one by one
    if rows.ndim != 2 or rows.dtype.kind not in "iu":
        what = f"an array of {rows.ndim} dimensions of {rows.dtype}"
        hint = "Seq2SeqTrainingArguments(predict_with_generate=True): the best token at each place of the reference"
        raise UsageError(f"predictions are generated token ids [S, T], not {what}", hint=f"{hint} is no correction")
    return rows
