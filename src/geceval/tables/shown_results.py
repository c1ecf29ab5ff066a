"""Results that print as their report and become data frames.

Report of a dry run: the requests that judged metrics would make.
"""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, ClassVar, TypeAlias

from geceval.base.arguments import choice
from geceval.base.errors import framework
from geceval.counting.metric import RequestPlan
from geceval.tables.formats.simple import as_html
from geceval.tables.report import Report, render, writer
from geceval.tables.table import ReportTable, TableColumn, TableRow, table_columns

#: A row of a data frame.
FrameRow: TypeAlias = dict[str, Any]


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
    def _rows(self, kind: str) -> Iterator[FrameRow]:
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


def dry_run_report(labels: Sequence[str], plans: Sequence[RequestPlan]) -> Report:
    """Return the number of requests, tokens and the cost of each metric."""
    return Report(
        "geceval/plan@1",
        lambda: {"plans": [{"metric": label, **vars(plan)} for label, plan in zip(labels, plans, strict=True)]},
        lambda: [_table(labels, plans)],
    )


def _table(labels: Sequence[str], plans: Sequence[RequestPlan]) -> ReportTable:
    columns = [
        *table_columns("text", "metric", "model"),
        *table_columns("count", "questions", "kept", "tokens sent", "tokens answered, at most"),
        TableColumn("cost, at most", "count", digits=4),
    ]
    rows: list[TableRow] = [
        [label, plan.model, plan.questions, plan.kept, plan.prompt_tokens, plan.answer_tokens, plan.cost]
        for label, plan in zip(labels, plans, strict=True)
    ]
    counted = dict.fromkeys(f"tokens sent: {plan.counted_by}" for plan in plans)
    notes = ["nothing was sent; further requests for unreadable answers are not included", *counted]
    return ReportTable(columns, rows, notes)
