"""What judged metrics would ask, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from geceval.counting.contract import RequestPlan
from geceval.report.documents import as_json
from geceval.report.tables import TABLE_FORMATS, Table

SCHEMA = "geceval/plan@1"


def render_plans(labels: Sequence[str], plans: Sequence[RequestPlan], output: str) -> str:
    """A row for each metric, in one of report.tables.FORMATS."""
    if output == "json":
        plain = [{"metric": label, **vars(plan)} for label, plan in zip(labels, plans, strict=True)]
        return as_json(SCHEMA, {"plans": plain})
    heads = ["metric", "model", "questions", "kept", "tokens sent", "tokens answered, at most", "cost, at most"]
    rows = [
        [
            label,
            plan.model,
            *map(str, (plan.questions, plan.kept, plan.prompt_tokens, plan.answer_tokens)),
            "" if plan.cost is None else f"{plan.cost:.4f}",
        ]
        for label, plan in zip(labels, plans, strict=True)
    ]
    counted = dict.fromkeys(f"tokens sent: {plan.counted_by}" for plan in plans)
    notes = ["nothing was sent; an answer that cannot be read is asked for anew, on top of this", *counted]
    return TABLE_FORMATS[output](Table(heads, rows, notes, frozenset(range(2, len(heads)))))
