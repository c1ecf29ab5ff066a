"""Edits that are gained and lost between two systems, such as two checkpoints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

from geceval.base.arguments import counted
from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option
from geceval.base.ties import exceeds, order_of_best
from geceval.counting.metric import Outcome
from geceval.results.examined_sentences import Examined, Sentence
from geceval.results.marked_edits import Segment, visible
from geceval.results.sentence_views import ScoreDigits, legend, version_lines
from geceval.tables.report import Block, Report
from geceval.tables.table import ReportTable, TableCell, TableColumn, TableRow, plain_table, table_columns
from geceval.tables.views import plain

#: Correct edits of the later system alone and of the earlier one alone; wrong edits of the later and the earlier one;
#: edits of both that are correct for one system and wrong for the other, as their outputs are judged by other
#: references.
Change: TypeAlias = Literal["gained", "lost", "introduced", "removed", "rejudged"]
CHANGES: tuple[Change, ...] = get_args(Change)
#: Change of an edit of one system alone, by its outcome and whether the later system has it.
_OF_ONE: Mapping[tuple[Outcome, bool], Change] = {
    ("correct", True): "gained",
    ("correct", False): "lost",
    ("wrong", True): "introduced",
    ("wrong", False): "removed",
}
#: Scores of the earlier and the later system, by metric.
ScoresOfBoth: TypeAlias = Mapping[str, tuple[float, float]]
#: Number of example sentences in each direction.
EXAMPLES = 3
#: Width of the column of examples of a type.
LONGEST_EXAMPLE = 60
#: Columns of a changed edit.
EDIT = ("change", "start", "end", "source", "correction", "type")
_LEGEND = (
    "gained, lost: correct edits of {after} alone, of {before} alone; introduced, removed: wrong edits of {after} "
    "alone, of {before} alone; rejudged: edits of both, correct by the reference of one output only"
)


@dataclass(frozen=True)
class ChangedSentence:
    """A sentence on which two systems differ, with the edits that change.

    Attributes:
        sentence: The sentence with the outputs of the systems.
        edits: Edits with their change, in the order of the sentence; each edit once.
    """

    sentence: Sentence
    edits: Sequence[tuple[Change, Segment]]

    def source_of(self, edit: Segment) -> str:
        """Return the source tokens of an edit."""
        return " ".join(self.sentence.source.split()[edit.start : edit.end])


@dataclass(frozen=True)
class OutputChanges:
    """Changes from the outputs of one system to the outputs of another.

    An edit counts with the outcome against the reference that its output is judged by. An edit that both systems have
    is a change, "rejudged", only if these outcomes differ.

    Attributes:
        before: Name of the earlier system.
        after: Name of the later system.
        examined: Sentences with the outputs of both systems.
    """

    before: str
    after: str
    examined: Examined

    def __post_init__(self) -> None:
        if self.examined.judge is None:
            hint = Hint(Option("references", "FILE"), " or ", Option("gold", "FILE"))
            raise InputError("changes of edits need references", hint=hint)

    @cached_property
    def sentences(self) -> list[ChangedSentence]:
        """Sentences whose texts or outcomes differ, in order."""
        changed_sentences = []
        for sentence in self.examined.sentences:
            before, after = (sentence.outputs[name].version for name in (self.before, self.after))
            if before != after:
                edits = _changed_edits(before.edits, after.edits)
                if edits or before.text != after.text:
                    changed_sentences.append(ChangedSentence(sentence, edits))
        return changed_sentences

    def scores(self, sentence: Sentence, metric: str) -> tuple[float, float]:
        """Return the scores of the earlier and the later system on a sentence."""
        before, after = (sentence.outputs[name].scores[metric].score for name in (self.before, self.after))
        return before, after

    def directions(self, metric: str) -> tuple[int, int, int]:
        """Return the number of sentences with a higher, an equal and a lower score."""
        pairs = [self.scores(sentence, metric) for sentence in self.examined.sentences]
        higher = sum(exceeds(after, before) for before, after in pairs)
        lower = sum(exceeds(before, after) for before, after in pairs)
        return higher, len(pairs) - higher - lower, lower

    @cached_property
    def types(self) -> dict[str, Counter[Change]]:
        """Number of edits of each change by type, the type with the largest change first."""
        by_type: dict[str, Counter[Change]] = {}
        for changed in self.sentences:
            for change, edit in changed.edits:
                by_type.setdefault(edit.type, Counter())[change] += 1
        return dict(sorted(by_type.items(), key=lambda item: (-item[1].total(), item[0])))

    def largest(self, metric: str, number: int, *, gains: bool) -> list[ChangedSentence]:
        """Return the sentences with the largest gains or losses of a score."""
        sign = 1 if gains else -1

        def gain(changed: ChangedSentence) -> float:
            before, after = self.scores(changed.sentence, metric)
            return sign * (after - before)

        gaining = [changed for changed in self.sentences if exceeds(gain(changed), 0)]
        return [gaining[index] for index in order_of_best([*map(gain, gaining)])][:number]


def _changed_edits(before: Sequence[Segment], after: Sequence[Segment]) -> list[tuple[Change, Segment]]:
    earlier, later = _by_place(before), _by_place(after)
    changes: list[tuple[Change, Segment]] = []
    for place, edit in (earlier | later).items():
        if place not in earlier or place not in later:
            assert edit.outcome is not None
            changes.append((_OF_ONE[edit.outcome, place in later], edit))
        elif earlier[place].outcome != later[place].outcome:
            changes.append(("rejudged", edit))
    return sorted(changes, key=lambda item: (item[1].start, item[1].end))


def _by_place(edits: Sequence[Segment]) -> dict[tuple[int, int, str], Segment]:
    """Return the correct and wrong edits by their tokens and correction."""
    return {(edit.start, edit.end, edit.text): edit for edit in edits if edit.outcome in ("correct", "wrong")}


def changes_report(
    changes: OutputChanges, scores: ScoresOfBoth, signatures: Sequence[str], inputs: Mapping[str, Any]
) -> Report:
    """Return the report of changes.

    CSV has a row for each changed edit.
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
    examples: dict[str, str] = {}
    for changed in changes.sentences:
        for change, edit in changed.edits:
            examples.setdefault(edit.type, f"{_change(changed, edit)} ({change} in {changed.sentence.number})")
    columns = [
        TableColumn("type"),
        *table_columns("count", *CHANGES),
        TableColumn("example", spare=1, longest=LONGEST_EXAMPLE),
    ]
    totals = [sum(counts[change] for counts in changes.types.values()) for change in CHANGES]
    rows: list[TableRow] = [["all", *totals, ""]]
    rows += [[name, *(counts[change] for change in CHANGES), examples[name]] for name, counts in changes.types.items()]
    text = _LEGEND.format(before=changes.before, after=changes.after)
    title = f"Edits by type, by {changes.examined.judge}, {counted(len(changes.examined.sentences), 'sentence')}"
    return ReportTable(columns, rows, title=title, legend=[text], sections=[1])


def _change(changed: ChangedSentence, edit: Segment) -> str:
    return f"{visible(changed.source_of(edit)) or '∅'} → {visible(edit.text) or '∅'}"


def _examples(changes: OutputChanges) -> Iterator[Block]:
    """Yield the sentences with the largest gains and losses."""
    metric = changes.examined.metrics[0]
    for gains, name in ((True, "gains"), (False, "losses")):
        largest = changes.largest(metric, EXAMPLES, gains=gains)
        if largest:
            lines = [line for changed in largest for line in _example(changes, changed, metric)]
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
        "types": {name: {change: counts[change] for change in CHANGES} for name, counts in changes.types.items()},
        "sentences": sentences,
    }
