"""Report of the requests that judged metrics would send."""

from __future__ import annotations

from collections.abc import Sequence

from geceval.metrics.judging.request_plan import RequestPlan
from geceval.tables.report import Report
from geceval.tables.table import ReportTable, TableColumn, TableRow, table_columns


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
        *table_columns("count", "questions", "kept", "tokens sent", "max. answer tokens"),
        TableColumn("max. cost", "count", digits=4),
    ]
    rows: list[TableRow] = [
        [label, plan.model, plan.questions, plan.kept, plan.prompt_tokens, plan.answer_tokens, plan.cost]
        for label, plan in zip(labels, plans, strict=True)
    ]
    counted = dict.fromkeys(f"tokens sent: {plan.counted_by}" for plan in plans)
    notes = ["nothing was sent; repeated requests for unreadable answers are not included", *counted]
    return ReportTable(columns, rows, notes)
