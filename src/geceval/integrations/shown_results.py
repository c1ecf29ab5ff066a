"""Results of ``compare``, ``rank`` and ``explain`` as tables and data frames."""

from __future__ import annotations

import functools
import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from html import escape
from typing import Any, ClassVar, ParamSpec, TypeAlias, TypeVar

from geceval.base.arguments import choice
from geceval.base.errors import framework
from geceval.comparison import compare as comparing
from geceval.comparison import ranking_without_people as ranking
from geceval.comparison.comparison_report import comparison_report
from geceval.comparison.comparison_results import Comparison, SystemScore
from geceval.comparison.ranking_report import ranking_report
from geceval.comparison.ranking_without_people import Ranking
from geceval.inspection import explanation as explaining
from geceval.inspection.explanation import Explanation
from geceval.inspection.explanation_report import explanation_report
from geceval.tables.formats.html_tables import as_html
from geceval.tables.report import Report, render, writer

P = ParamSpec("P")
Shown = TypeVar("Shown", bound="ShownResults")
#: A row of a data frame.
Row: TypeAlias = dict[str, Any]
#: Columns of scores with intervals and ranks, after system, metric and group.
SCORES = ("value", "low", "high", "deviation", "rank_low", "rank_high", "cluster")
#: Columns of differences, after system, against, metric and group.
DIFFERENCES = ("difference", "low", "high", "p", "p_adjusted", "effect", "better", "equal", "worse", "differing")


class ShownResults(ABC):
    """Results that print as their report and become data frames.

    Attributes:
        kinds: Names of the data frames, the default first.
    """

    kinds: ClassVar[Sequence[str]]

    @abstractmethod
    def _report(self) -> Report:
        """Return the report."""

    @abstractmethod
    def _rows(self, kind: str) -> Iterator[Row]:
        """Yield the rows of a data frame."""

    def __repr__(self) -> str:
        report = self._report()
        if report.view is None:
            return render(report, "table").rstrip()
        out = io.StringIO()
        writer("text")(report.view(2, False), out)
        return out.getvalue().rstrip()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text("…" if cycle else repr(self))

    def _repr_html_(self) -> str:
        report = self._report()
        if report.view is not None:
            return f"<pre>{escape(repr(self))}</pre>"
        lines = [] if report.conclusion is None else report.conclusion(2)
        blocks = [
            f"<div>{escape(block)}</div>" if isinstance(block, str) else as_html(block) for block in report.tables()
        ]
        return "".join([*blocks, *(f"<div>{escape(line)}</div>" for line in lines)])

    def columns(self, kind: str = "") -> dict[str, list[Any]]:
        """Return a data frame as a dict of columns of equal length.

        Args:
            kind: One of ``kinds`` (default: the first).

        Returns:
            Values by column; None if a row lacks a value. Scores are on the metric's scale, not in per cent.

        Raises:
            UsageError: If ``kind`` is unknown.
        """
        kind = kind or self.kinds[0]
        choice("kind", kind, self.kinds)
        rows = list(self._rows(kind))
        return {head: [row.get(head) for row in rows] for head in dict.fromkeys(name for row in rows for name in row)}

    def to_pandas(self, kind: str = "") -> Any:
        """Return ``columns(kind)`` as a pandas.DataFrame; requires pandas."""
        return framework("pandas").DataFrame(self.columns(kind))


class ShownComparison(ShownResults, Comparison):
    """A comparison of systems, as data frames "systems" and "differences".

    "systems" has a row per system and metric, "differences" a row per pair and metric.
    """

    kinds = ("systems", "differences")

    def _report(self) -> Report:
        return comparison_report(self, {})

    def _rows(self, kind: str) -> Iterator[Row]:
        grouped = bool(self.groups)
        if kind == "systems":
            yield from _score_rows(self.systems, grouped=grouped)
            return
        for pair in self.pairs:
            group = {"group": pair.group} if grouped else {}
            figures = {name: getattr(pair, name) for name in DIFFERENCES}
            yield {"system": pair.a, "against": pair.b, "metric": pair.metric} | group | figures


class ShownRanking(ShownResults, Ranking):
    """A ranking of systems, as a data frame with a row per system and metric."""

    kinds = ("systems",)

    def _report(self) -> Report:
        return ranking_report(self, {})

    def _rows(self, kind: str) -> Iterator[Row]:
        yield from _score_rows(self.systems, grouped=False)


class ShownExplanation(ShownResults, Explanation):
    """An explained sentence, as data frames "scores" and "edits".

    "scores" has a row per system and metric, "edits" a row per edit with its value.
    """

    kinds = ("scores", "edits")

    def _report(self) -> Report:
        return explanation_report(self, {})

    def _rows(self, kind: str) -> Iterator[Row]:
        for system, output in self.sentence.outputs.items():
            if kind == "scores":
                for metric, own in output.scores.items():
                    yield {
                        "system": system,
                        "metric": metric,
                        "value": own.score,
                        "reference": own.reference,
                        **own.parts,
                    }
                continue
            outcomes = {(edit.start, edit.end, edit.text): edit.outcome for edit in output.version.edits}
            for metric, values in self.attributions.get(system, {}).items():
                for at, edit in enumerate(values.edits):
                    place = edit.start, edit.end, edit.correction
                    found = dict(zip(("start", "end", "correction"), place, strict=True))
                    found |= {"type": edit.type, "outcome": outcomes.get(place), "value": values.values[at]}
                    error = {} if values.errors is None else {"error": values.errors[at]}
                    yield {"system": system, "metric": metric} | found | error


def _score_rows(scores: Sequence[SystemScore], *, grouped: bool) -> Iterator[Row]:
    for score in scores:
        group = {"group": score.group} if grouped else {}
        yield {"system": score.system, "metric": score.metric} | group | {name: getattr(score, name) for name in SCORES}


def _shown(function: Callable[P, Any], kind: type[Shown]) -> Callable[P, Shown]:
    """Return the function with results of another class, which has the same fields."""

    @functools.wraps(function)
    def call(*args: P.args, **more: P.kwargs) -> Shown:
        found = function(*args, **more)
        make: Callable[..., Shown] = kind
        return make(**{own.name: getattr(found, own.name) for own in fields(found)})

    return call


compare = _shown(comparing.compare, ShownComparison)
rank = _shown(ranking.rank, ShownRanking)
explain = _shown(explaining.explain, ShownExplanation)
explain_sentence = _shown(explaining.explain_sentence, ShownExplanation)
