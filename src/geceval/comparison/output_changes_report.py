"""Report of the changes between the outputs of two systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from geceval.comparison.output_changes import CHANGES, ChangedSentence, OutputChanges
from geceval.inspection.inline_edits import visible
from geceval.inspection.sentence_segments import Judged
from geceval.inspection.shown_sentences import ScoreDigits, legend, version_lines
from geceval.tables.report import Block, Report
from geceval.tables.table import ReportTable, TableCell, TableColumn, TableRow, plain_table, table_columns
from geceval.tables.views import plain

#: Scores of the earlier and the later system, by metric.
ScoresOfBoth: TypeAlias = Mapping[str, tuple[float, float]]

#: Number of example sentences in each direction.
EXAMPLES = 3
#: Columns of a changed edit.
EDIT = ("change", "start", "end", "source", "correction", "type")
_LEGEND = (
    "gained, lost: correct edits of {after} alone, of {before} alone; introduced, removed: wrong edits of {after} "
    "alone, of {before} alone; rejudged: edits of both, correct by the reference of one output only"
)


def changes_report(
    changes: OutputChanges, scores: ScoresOfBoth, signatures: Sequence[str], inputs: Mapping[str, Any]
) -> Report:
    """Return the report of changes.

    CSV has a row for each changed edit.

    Args:
        changes: The changes.
        scores: Scores of both systems.
        signatures: Signature of each metric.
        inputs: Description of the input files, for JSON.
    """
    return Report(
        "geceval/changes@1",
        lambda: _document(changes, scores, signatures) | {"inputs": inputs},
        lambda: [*change_tables(changes, scores, signatures), *_examples(changes)],
        lambda: [_edit_table(changes)],
        lambda: change_tables(changes, scores, signatures),
    )


def change_tables(changes: OutputChanges, scores: ScoresOfBoth, signatures: Sequence[str] = ()) -> list[ReportTable]:
    """Return tables of the scores and of edits by type."""
    return [_score_table(changes, scores, signatures), _type_table(changes)]


def _score_table(changes: OutputChanges, scores: ScoresOfBoth, signatures: Sequence[str]) -> ReportTable:
    rows: list[TableRow] = []
    for label, (before, after) in scores.items():
        percent = changes.examined.in_percent.get(label, True)
        cells = [TableCell(value, percent=percent) for value in (before, after, after - before)]
        rows.append([label, *cells, *changes.directions(label)])
    columns = [
        TableColumn("metric"),
        *table_columns("score", changes.before, changes.after),
        TableColumn("difference", "difference"),
        *table_columns("count", "higher", "equal", "lower"),
    ]
    changed = f"{len(changes.sentences)} of {len(changes.examined.sentences)} sentences change"
    title = f"From {changes.before} to {changes.after}: {changed}"
    legend = ["higher, equal, lower: number of sentences, by sentence score"]
    return ReportTable(columns, rows, signatures, title, legend)


def _type_table(changes: OutputChanges) -> ReportTable:
    shown: dict[str, str] = {}
    for changed in changes.sentences:
        for change, edit in changed.edits:
            shown.setdefault(edit.type, f"{change} in {changed.sentence.number}: {_change(changed, edit)}")
    columns = [TableColumn("type"), *table_columns("count", *CHANGES), TableColumn("example", spare=1)]
    whole = [sum(own[change] for own in changes.types.values()) for change in CHANGES]
    rows: list[TableRow] = [["all", *whole, ""]]
    rows += [[name, *(own[change] for change in CHANGES), shown[name]] for name, own in changes.types.items()]
    text = _LEGEND.format(before=changes.before, after=changes.after)
    return ReportTable(columns, rows, title=f"Edits by type, by {changes.examined.judge}", legend=[text], sections=[1])


def _change(changed: ChangedSentence, edit: Judged) -> str:
    return f"{visible(changed.source_of(edit)) or '∅'} → {visible(edit.text) or '∅'}"


def _examples(changes: OutputChanges) -> Iterator[Block]:
    """Yield the sentences with the largest gains and losses."""
    metric = changes.examined.metrics[0]
    for gains, name in ((True, "gains"), (False, "losses")):
        found = changes.largest(metric, EXAMPLES, gains=gains)
        if found:
            lines = [line for changed in found for line in _example(changes, changed, metric)]
            yield "\n".join([f"Largest {name} of {metric}", *lines, ""])
    yield f"{legend(changes.examined)}\n"


def _example(changes: OutputChanges, changed: ChangedSentence, metric: str) -> list[str]:
    digits = ScoreDigits(changes.examined.in_percent, 2)
    before, after = (digits.shown(metric, score) for score in changes.scores(changed.sentence, metric))
    outputs = changed.sentence.outputs
    earlier, *_ = version_lines(changes.before, outputs[changes.before], types=False, terminal=False)
    later = version_lines(changes.after, outputs[changes.after], types=False, terminal=False)
    lines = [f"  {visible(name)}: {plain(text)}" for name, text in (earlier, *later)]
    return [f"{changed.sentence.number}  {before} → {after}", *lines]


# --- for programs ---


def _edits(changed: ChangedSentence) -> list[dict[str, Any]]:
    rows = [
        (change, edit.start, edit.end, changed.source_of(edit), edit.text, edit.type) for change, edit in changed.edits
    ]
    return [dict(zip(EDIT, row, strict=True)) for row in rows]


def _edit_table(changes: OutputChanges) -> ReportTable:
    rows = [[changed.sentence.number, *edit.values()] for changed in changes.sentences for edit in _edits(changed)]
    return plain_table(["sentence", *EDIT], rows)


def _document(changes: OutputChanges, scores: ScoresOfBoth, signatures: Sequence[str]) -> dict[str, Any]:
    metrics = [
        {
            "metric": label,
            "before": before,
            "after": after,
            **dict(zip(("higher", "equal", "lower"), changes.directions(label), strict=True)),
            "signature": signature,
        }
        for (label, (before, after)), signature in zip(scores.items(), signatures, strict=True)
    ]
    sentences = [
        {
            "number": changed.sentence.number,
            "source": changed.sentence.source,
            "before": changed.sentence.outputs[changes.before].version.text,
            "after": changed.sentence.outputs[changes.after].version.text,
            "scores": {metric: changes.scores(changed.sentence, metric) for metric in changes.examined.metrics},
            "edits": _edits(changed),
        }
        for changed in changes.sentences
    ]
    return {
        "before": changes.before,
        "after": changes.after,
        "judge": changes.examined.judge,
        "total": changes.examined.total,
        "metrics": metrics,
        "types": {name: {change: own[change] for change in CHANGES} for name, own in changes.types.items()},
        "sentences": sentences,
    }
