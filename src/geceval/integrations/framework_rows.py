"""Convert rows of frameworks to corpora, and scores to numbers, for all adapters.

Frameworks pass sources, predictions and references by sentence, ``references[s][r]``; predictions may be chat messages.
This module extracts their text and transposes references.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import as_sequence, check_per_sentence, shown, transpose_references
from geceval.base.errors import InputError
from geceval.counting.metric import AnyMetric as AnyMetric
from geceval.counting.metric_names import Metrics as Metrics
from geceval.counting.metric_names import metrics_of as metrics_of
from geceval.counting.metric_names import names
from geceval.counting.metric_names import one_metric as one_metric
from geceval.counting.observations import ALONE
from geceval.counting.results import mean_of
from geceval.counting.scores import Score, number_of
from geceval.counting.system_results import system_results
from geceval.text.corpus import Corpus

#: Function from the output of a model to the corrected sentence.
Extract: TypeAlias = Callable[[Any], str]
#: Role of the messages that contain corrections.
ASSISTANT = "assistant"


def last_message(output: Any) -> str:
    """Return the corrected sentence in the output of a model, without outer spaces.

    Args:
        output: A text, or a list of messages, of which the assistant's last one is used. A message is a mapping with
            ``content``, a text or a list of parts with ``text``, and optionally ``role``.

    Returns:
        The text.

    Raises:
        InputError: If the output has another form.
    """
    if isinstance(output, str):
        return output.strip()
    messages = output if isinstance(output, (list, tuple)) else [output]
    answers = [
        message for message in messages if isinstance(message, Mapping) and message.get("role", ASSISTANT) == ASSISTANT
    ]
    content = answers[-1].get("content") if answers else None
    if isinstance(content, (list, tuple)):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        texts = [text for text in parts if isinstance(text, str)]
        content = "".join(texts) if texts or not content else None
    if isinstance(content, str):
        return content.strip()
    raise InputError(f"a prediction must be text or a list of messages, not {shown(output)}")


def as_references(row: Any) -> Any:
    """Return the references of a sentence as a list.

    Args:
        row: A text, or another value.

    Returns:
        A list with the text; any other value unchanged.
    """
    return [row] if isinstance(row, str) else row


def by_annotator(
    rows: Sequence[str | Sequence[str]], sentences: int, *, ragged: bool = False
) -> list[list[str | None]]:
    """Transpose references by sentence to references by annotator.

    Args:
        rows: References [S][R]; a text is the only reference of its sentence.
        sentences: Number of sentences.
        ragged: Whether sentences may have different numbers of references.

    Returns:
        References [R][S], with None for missing ones.

    Raises:
        InputError: If a sentence has no references, or numbers differ and ``ragged`` is not set, with the row; or if
            the references are nested by annotator.
    """
    several = [as_references(row) for row in as_sequence("references", rows)]
    turned = transpose_references(several)
    check_per_sentence("references", several, sentences)
    for s, row in enumerate(several):
        if not len(row):
            raise InputError(f"row {s} (counted from 0) has no references")
        if len(row) != len(several[0]) and not ragged:
            message = f"row {s} (counted from 0) has {len(row)} references, but row 0 has {len(several[0])}"
            raise InputError(message, hint="use ragged=True if sentences may have different numbers of references")
    return turned


@dataclass(frozen=True)
class RowConversion:
    """Options of the conversion of rows to a corpus.

    Attributes:
        extract: Function from a prediction to the corrected sentence.
        ragged: Whether sentences may have different numbers of references.
    """

    extract: Extract = last_message
    ragged: bool = False

    def corpus(
        self, sources: Sequence[str], predictions: Sequence[Any], references: Sequence[str | Sequence[str]]
    ) -> Corpus:
        """Return a corpus with the system ALONE; raises InputError if lengths differ."""
        predictions = [self.extract(output) for output in as_sequence("predictions", predictions, "prediction")]
        return Corpus(sources, by_annotator(references, len(sources), ragged=self.ragged), {ALONE: predictions})


def number_of_processes() -> int:
    """Return the number of processes that evaluate together.

    Returns:
        Size of the process group of torch; 1 without one.
    """
    torch: Any = sys.modules.get("torch")
    is_started = torch is not None and torch.distributed.is_available() and torch.distributed.is_initialized()
    return int(torch.distributed.get_world_size()) if is_started else 1


def scores(corpus: Corpus, metrics: Sequence[AnyMetric], *, checks: bool = True) -> dict[str, Score]:
    """Return the corpus scores of the system ALONE.

    Args:
        corpus: Corpus with the system ALONE.
        metrics: Metrics of the scores.
        checks: Warn about suspicious input, such as text around corrections.

    Returns:
        Scores by name of the metric.
    """
    results = system_results(corpus, metrics, views=["corpus"], checks=checks)[ALONE]
    return {name: result.score() for name, result in zip(names(metrics), results, strict=True)}


def figures(scores: Mapping[str, Score]) -> dict[str, float]:
    """Return scores and parts as numbers.

    Args:
        scores: Scores by name of the metric.

    Returns:
        Numbers by name, such as ``errant``, ``errant_precision`` and ``errant_recall``; NaN for a part without a value.
    """
    numbers: dict[str, float] = {}
    for name, score in scores.items():
        numbers |= {name: score.value} | {f"{name}_{part}": number_of(value) for part, value in score.parts.items()}
    return numbers


def figures_of(metric: AnyMetric, totals: NDArray[Any]) -> dict[str, float]:
    """Return score and parts as numbers, from summed counts.

    Args:
        metric: Metric of the counts.
        totals: Sums of counts [m, K].

    Returns:
        Numbers by name, such as ``errant``, ``errant_precision`` and ``errant_recall``.
    """
    parts = {f"{metric.name}_{part}": number_of(mean_of(values)) for part, values in metric.parts(totals).items()}
    return {metric.name: float(np.mean(metric.score(totals)))} | parts
