"""Hugging Face evaluate: a metric with sources, predictions and references, and a folder for ``evaluate.load``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from geceval.counting.metric import Metric
from geceval.integrations.framework_rows import (
    AnyMetric,
    Extract,
    RowConversion,
    framework,
    framework_classes,
    last_message,
    one_metric,
    scores,
)

#: The folder for ``evaluate.load(MODULE, "errant")``: nothing is downloaded.
MODULE = str(Path(__file__).parent / "gec")
#: The metric where none is named.
DEFAULT = "errant"

INPUTS = """
    sources: list of the sentences with errors.
    predictions: list of the corrected sentences.
    references: list of reference corrections, or of lists of them, one list a sentence.
    ragged: whether sentences may have different numbers of references.
Returns: score, its parts such as precision and recall, and the signature that says how it came about.
"""


def metric(
    metric: AnyMetric | str = DEFAULT, *, extract: Extract = last_message, ragged: bool = False, **more: Any
) -> Any:
    """An ``evaluate.Metric``: ``compute(sources=…, predictions=…, references=…)``, ``add``, ``add_batch``.

    ``references[s]`` or ``references[s][r]``. The result is ``{"score": …, "precision": …, …, "signature": …}`` of the
    whole corpus. ``more`` goes to evaluate (``cache_dir``, ``experiment_id``, …).
    """
    return __getattr__("CorpusMetric")(metric, extract=extract, ragged=ragged, **more)


class _EvaluateMetric:
    """A metric of geceval's for grammatical error correction; docs/integrations/evaluate.md."""

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
        called = config_name.name if isinstance(config_name, Metric) else config_name or DEFAULT
        super().__init__(config_name=called, **more)  # type: ignore[call-arg]

    def _info(self) -> Any:
        evaluate, datasets = framework("evaluate"), framework("datasets")
        text = datasets.Value("string")
        common = {"sources": text, "predictions": text}
        several, one = ({**common, "references": kind} for kind in (datasets.Sequence(text), text))
        without = [common] if self.scored.evidence_of == "nothing" else []
        return evaluate.MetricInfo(
            description=self.__class__.__doc__,
            citation="",
            inputs_description=INPUTS,
            features=[datasets.Features(columns) for columns in (several, one, *without)],
        )

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
        return {"score": score.value, **score.parts, "signature": score.signature}


__getattr__ = framework_classes(__name__, CorpusMetric=(_EvaluateMetric, "evaluate", "Metric"))
