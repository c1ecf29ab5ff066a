"""Report of a comparison: scores with intervals, differences with p-values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from geceval.comparison.answered_sentences import AnsweredSentences
from geceval.comparison.comparison_charts import comparison_pictures
from geceval.comparison.comparison_tables import ComparisonTables, not_in_percent
from geceval.comparison.verdicts import power_verdicts, verdicts
from geceval.resampling.comparison_results import Comparison, Pair, Power
from geceval.resampling.system_tables import score_rows
from geceval.tables.charts import Pictures
from geceval.tables.report import Report
from geceval.tables.shown_results import FrameRow, ShownResults

#: Columns of differences in data frames, after system, against, metric and group.
DIFFERENCES = ("difference", "low", "high", "p", "p_adjusted", "effect", "better", "equal", "worse", "differing")


def comparison_report(
    comparison: Comparison,
    inputs: Mapping[str, Any],
    power: Sequence[Power] = (),
    *,
    groups: str = "group",
    answered: AnsweredSentences | None = None,
) -> Report:
    """Return the report of a comparison.

    The output for readers has tables for each metric, and sentences; CSV has one table of systems and one of pairs;
    LaTeX has a table of systems × metrics and a table of pairs.

    Args:
        comparison: The comparison.
        inputs: Description of the input files, for JSON.
        power: Power analysis of the pairs.
        groups: Name of the grouping, as in "by length".
        answered: Comparison on the sentences that all systems answered.
    """
    tables = ComparisonTables(comparison, groups, power)

    def document() -> Mapping[str, Any]:
        of_answers = {} if answered is None else {"answered": _answered_document(answered)}
        return comparison_document(comparison) | ({"power": power} if power else {}) | of_answers | {"inputs": inputs}

    def conclusion(digits: int) -> list[str]:
        lines = verdicts(comparison, groups, digits)
        lines += [] if answered is None else answered.verdicts(digits, lines)
        return [*lines, *power_verdicts(comparison, power, digits)]

    return Report(
        "geceval/comparison@1",
        document,
        tables.for_readers,
        tables.for_programs,
        tables.for_papers,
        conclusion,
        pictures=lambda: comparison_pictures(comparison),
    )


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as JSON values, with unscaled numbers.

    Differences are a − b, in the order of the request.
    """
    first = ("a", "b", "metric", "difference", "low", "high", "p", "p_adjusted", "better", "equal", "worse")
    metrics = comparison.values()

    def documents(pairs: Sequence[Pair]) -> list[dict[str, Any]]:
        return [{name: vars(pair)[name] for name in first} | vars(pair) for pair in pairs]

    return {
        "systems": comparison.systems,
        "pairs": documents(comparison.pairs),
        "signature": comparison.signature,
        "signatures": comparison.signatures,
        "sentences": comparison.sentences,
        "blocks": comparison.blocks,
        "alpha": comparison.alpha,
        "baseline": comparison.baseline,
        "warnings": comparison.warnings,
        "lower_is_better": [metric.name for metric in metrics if not metric.higher_is_better],
        "not_in_percent": [name for metric in metrics for name in not_in_percent(metric)],
        "ceilings": {metric.name: metric.ceilings for metric in metrics if metric.ceilings},
        "forms": {metric.name: metric.forms for metric in metrics if metric.forms},
        "outputs": comparison.outputs,
        "uncorrected": comparison.uncorrected,
        "decisions": {metric.name: metric.decisions for metric in metrics if metric.decisions is not None},
        "by_annotator": documents(comparison.by_annotator),
        "primary": comparison.primary,
    }


def _answered_document(answered: AnsweredSentences) -> dict[str, Any]:
    """Return the comparison on answered sentences as JSON values."""
    comparison = None if answered.comparison is None else comparison_document(answered.comparison)
    return {"left_out": answered.left_out, "failures": answered.failures, "comparison": comparison}


@dataclass(frozen=True, repr=False)
class ShownComparison(ShownResults, Comparison):
    """A comparison of systems, as data frames "systems" and "differences".

    "systems" has a row per system and metric, "differences" a row per pair and metric, "annotators" a row per pair,
    metric and annotator.

    Attributes:
        answered: Comparison on the sentences that all systems answered; None if it is not requested.
    """

    answered: AnsweredSentences | None = None

    kinds = ("systems", "differences", "annotators")

    @classmethod
    def of(cls, comparison: Comparison, answered: AnsweredSentences | None = None) -> Self:
        """Return a comparison with its tables."""
        if answered is not None and answered.comparison is not None:
            answered = replace(answered, comparison=cls.of(answered.comparison))
        values = {field.name: getattr(comparison, field.name) for field in fields(Comparison)}
        return cls(**values, answered=answered)

    def _report(self) -> Report:
        return comparison_report(self, {}, answered=self.answered)

    def _pictures(self) -> Pictures:
        return comparison_pictures(self)

    def _rows(self, kind: str) -> Iterator[FrameRow]:
        grouped = bool(self.groups)
        if kind == "systems":
            yield from score_rows(self.systems, grouped=grouped)
            return
        for pair in self.pairs if kind == "differences" else self.by_annotator:
            group: dict[str, Any] = {"group": pair.group} if grouped else {}
            group |= {} if pair.annotator is None else {"annotator": pair.annotator}
            figures = {name: getattr(pair, name) for name in DIFFERENCES}
            yield {"system": pair.a, "against": pair.b, "metric": pair.metric} | group | figures
