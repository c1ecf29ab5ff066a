"""The report of a verification: published numbers of a suite next to computed ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from geceval.suites.published_numbers import Verdict, digits_of
from geceval.suites.suite_definition import DataSet, Suite
from geceval.suites.suite_report import NO_OUTPUT, SCHEMA
from geceval.tables.number_text import round_half_up
from geceval.tables.report import Report
from geceval.tables.table import ReportTable, TableRow, plain_table

#: Outcomes of a verification, in words.
OUTCOMES = {
    "equal": "as published",
    "explained": "known to differ",
    "different": "DIFFERENT",
    "missing": "not checked",
}


def verification_report(suite: Suite, verdicts: Sequence[Verdict], inputs: Mapping[str, Any]) -> Report:
    """Return the report of a verification: published and computed numbers."""
    table = _verdict_table(suite, verdicts)
    below = "".join(f"{line}\n" for line in _conclusion(suite, verdicts))
    rows = [
        {
            "set": verdict.published.of,
            "metric": verdict.metric,
            "system": verdict.what,
            "published": verdict.value,
            "here": verdict.ours,
            "outcome": verdict.outcome,
            "by": verdict.published.by,
            "recorded": verdict.published.recorded,
            "why": verdict.published.reason(verdict.what),
            "signature": verdict.signature,
            "missing": verdict.missing,
        }
        for verdict in verdicts
    ]
    return Report(
        SCHEMA,
        lambda: {**inputs, "suite": suite.path, "title": suite.title, "published": rows},
        lambda: [table, below],
        records=lambda: [table],
        papers=lambda: [table],
    )


def _verdict_table(suite: Suite, verdicts: Sequence[Verdict]) -> ReportTable:
    rows: list[TableRow] = [
        [
            verdict.published.of,
            f"{verdict.metric}{' (mean)' if verdict.published.level == 'mean' else ''}",
            verdict.what,
            verdict.value,
            NO_OUTPUT if verdict.ours is None else round_half_up(verdict.ours, digits_of(verdict.value)),
            OUTCOMES[verdict.outcome],
        ]
        for verdict in verdicts
    ]
    sources: list[str] = []
    for verdict in verdicts:
        published = verdict.published
        action = "recorded" if published.recorded else "published"
        sources.append(f"{published.of} {verdict.metric}: {action} by {published.by}")
    heads = ["set", "metric", "system", "published", "here", "outcome"]
    return plain_table(heads, rows, list(dict.fromkeys(sources)), [3, 4], title=suite.title)


def _conclusion(suite: Suite, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield the outcome of a verification as sentences."""
    reasons: dict[str, list[str]] = {}
    for verdict in verdicts:
        reason = verdict.published.reason(verdict.what)
        if verdict.outcome == "explained" and reason is not None:
            reasons.setdefault(reason, []).append(f"{verdict.published.of} {verdict.metric} {verdict.what}")
    for reason, numbers in reasons.items():
        yield f"known to differ: {', '.join(numbers)}: {reason}"
    for verdict in verdicts:
        if verdict.outcome == "equal" and not verdict.published.recorded:
            measured = suite.all_sets[verdict.published.of]
            published_name = verdict.what if isinstance(measured, DataSet) else f"{verdict.metric} {verdict.what}"
            yield f"your {measured.title or measured.name} files give {published_name} {verdict.value} as published"
            break
    number = {outcome: sum(verdict.outcome == outcome for verdict in verdicts) for outcome in OUTCOMES}
    yield ", ".join(f"{count} {OUTCOMES[outcome]}" for outcome, count in number.items() if count)
