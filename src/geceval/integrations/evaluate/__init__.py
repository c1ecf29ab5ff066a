"""Hugging Face evaluate: a metric class, and a folder for ``evaluate.load``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from geceval.base.arguments import as_sequence
from geceval.base.errors import framework
from geceval.counting.metric import Metric
from geceval.counting.scores import number_of
from geceval.integrations.framework_rows import (
    AnyMetric,
    Extract,
    RowConversion,
    as_references,
    last_message,
    one_metric,
    scores,
)

evaluate: Any = framework("evaluate")
datasets: Any = framework("datasets")

#: Folder for ``evaluate.load(MODULE, "errant")``, which downloads nothing.
MODULE = str(Path(__file__).parent / "gec")
#: Names of the references of a sentence.
REFERENCES = ("reference", "references")
#: Default metric.
DEFAULT = "errant"

INPUTS = """
    sources: list of the sentences with errors.
    predictions: list of the corrected sentences.
    references: list of reference corrections, or of lists of them, one list per sentence.
    ragged: whether sentences may have different numbers of references.
Returns: score, its parts such as precision and recall, and the signature of metric and settings.
"""
CITATION = "Report the signature that compute returns with the score, and cite geceval and the paper of the metric."


def metric(
    metric: AnyMetric | str = DEFAULT, *, extract: Extract = last_message, ragged: bool = False, **more: Any
) -> Any:
    """Return an ``evaluate.Metric`` that scores corpora.

    Args:
        metric: Metric or specification, such as ``green:beta=0.5``.
        extract: Function from a prediction to the corrected sentence.
        ragged: Whether sentences may have different numbers of references.
        more: Arguments of evaluate (``cache_dir``, ``experiment_id``, …).

    Returns:
        A metric whose ``compute(sources=…, predictions=…, references=…)``, with references [S] or [S][R], returns
        ``{"score": …, "precision": …, …, "signature": …}`` of the corpus.

    Raises:
        UsageError: If the metric does not exist.
    """
    return EvaluateMetric(metric, extract=extract, ragged=ragged, **more)


class EvaluateMetric(evaluate.Metric):
    """A metric of geceval for grammatical error correction."""

    def __init__(
        self,
        config_name: AnyMetric | str | None = None,
        *,
        extract: Extract = last_message,
        ragged: bool = False,
        **more: Any,
    ) -> None:
        self.scored = one_metric(config_name or DEFAULT)
        self.rows = RowConversion(extract, ragged)
        metric_name = config_name.name if isinstance(config_name, Metric) else config_name or DEFAULT
        super().__init__(config_name=metric_name, **more)

    def _info(self) -> Any:
        text = datasets.Value("string")
        texts = {"sources": text, "predictions": text}
        columns = [{**texts, "references": datasets.Sequence(text)}]
        if not self.scored.uses_references:
            columns.append(texts)
        return evaluate.MetricInfo(
            description=self.__class__.__doc__,
            citation=CITATION,
            inputs_description=INPUTS,
            features=list(map(datasets.Features, columns)),
        )

    def add(self, **columns: Any) -> None:
        """Add a sentence; its references are a text or a list of texts."""
        super().add(**{name: as_references(value) if name in REFERENCES else value for name, value in columns.items()})

    def add_batch(self, *, references: Any = None, **more: Any) -> None:
        """Add a batch; the references of a sentence are a text or a list of texts."""
        # evaluate casts a text among lists to a list of its characters, and lists among texts to JSON.
        rows = None if references is None else list(map(as_references, as_sequence("references", references)))
        super().add_batch(references=rows, **more)

    def _compute(
        self,
        *,
        sources: Sequence[str],
        predictions: Sequence[str],
        references: Sequence[Any] = (),
        ragged: bool | None = None,
    ) -> dict[str, Any]:
        rows = self.rows if ragged is None else RowConversion(self.rows.extract, ragged)
        [score] = scores(rows.corpus(sources, predictions, references), [self.scored]).values()
        return {
            "score": score.value,
            **{name: number_of(part) for name, part in score.parts.items()},
            "signature": score.signature,
        }
