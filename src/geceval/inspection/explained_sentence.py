"""The explanation of a sentence: scores, evidence and values of edits, as a view, JSON and data frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from geceval.results.attribution import Attribution
from geceval.results.examined_sentences import Examined, Output, Scored, Sentence
from geceval.results.marked_edits import SIGNS, Row, Segment, visible
from geceval.results.sentence_views import ScoreDigits, legend, number, sentence_document, version_lines
from geceval.tables.number_text import UNDEFINED, with_minus
from geceval.tables.report import Report
from geceval.tables.shown_results import FrameRow, ShownResults
from geceval.tables.table import ReportTable, TableColumn, column_table
from geceval.tables.views import HangingLines, ViewPart

#: Maximum number of entries of a list without ``full``.
MAX_ENTRIES = 12
#: Description of each method of attribution.
METHODS = {
    "shapley": "the mean gain over all orders of the edits",
    "add": "the gain of each edit alone, scaled to the sum",
    "sub": "the loss without each edit, scaled to the sum",
}


@dataclass(frozen=True, repr=False)
class Explanation(ShownResults):
    """A sentence with its outputs, scores, evidence and values of edits.

    The data frame "scores" has a row per system and metric, "edits" a row per edit with its value.

    Attributes:
        examined: The sentence, and names and signatures of the metrics.
        attributions: Values of the edits by system and metric.
        without: Reason for a missing attribution, by metric.
    """

    examined: Examined
    attributions: Mapping[str, Mapping[str, Attribution]]
    without: Mapping[str, str]

    kinds = ("scores", "edits")

    @property
    def sentence(self) -> Sentence:
        """The explained sentence."""
        [sentence] = self.examined.sentences
        return sentence

    def _report(self) -> Report:
        return explanation_report(self, {})

    def _rows(self, kind: str) -> Iterator[FrameRow]:
        for system, output in self.sentence.outputs.items():
            if kind == "scores":
                yield from ({"system": system, **row} for row in _score_rows(output))
            else:
                for metric, values in self.attributions.get(system, {}).items():
                    yield from ({"system": system, "metric": metric, **row} for row in _edit_rows(output, values))


def _score_rows(output: Output) -> Iterator[FrameRow]:
    for metric, scored in output.scores.items():
        yield {"metric": metric, "value": scored.score, "reference": scored.reference, **scored.parts}


def _edit_rows(output: Output, values: Attribution) -> Iterator[FrameRow]:
    outcomes = {(edit.start, edit.end, edit.text): edit.outcome for edit in output.version.edits}
    for index, (edit, value) in enumerate(zip(values.edits, values.values, strict=True)):
        span = {"start": edit.start, "end": edit.end, "correction": edit.correction}
        error = {} if values.errors is None else {"error": values.errors[index]}
        outcome = outcomes.get((edit.start, edit.end, edit.correction))
        yield span | {"type": edit.type, "outcome": outcome, "value": value} | error


@dataclass(frozen=True)
class ExplanationView:
    """An explanation as a view of a terminal or a file.

    ``few`` is the maximum number of entries of a list; None: unlimited.
    """

    explanation: Explanation
    scores: ScoreDigits
    few: int | None
    terminal: bool

    def parts(self) -> Iterator[ViewPart]:
        """Yield the sentence, then the version, scores and evidence of each system."""
        sentence = self.explanation.sentence
        texts = {"source": sentence.source, **{f"ref {name}": text for name, text in sentence.references.items()}}
        yield [(f"sentence {sentence.number}", "bold")]
        yield HangingLines([(name, [(visible(text), "")]) for name, text in texts.items()])
        for name in sentence.outputs:
            yield from self._system(name)
        for label, why in self.explanation.without.items():
            yield f"\nno edit values under {label}: {why}"
        yield ""
        yield [(legend(self.explanation.examined), "dim")]

    def _system(self, name: str) -> Iterator[ViewPart]:
        output, values = self.explanation.sentence.outputs[name], self.explanation.attributions.get(name, {})
        yield ""
        alarm = ": false alarm, no reference changes this sentence" if output.is_false_alarm else ""
        yield [(visible(name) + alarm, "bold")]
        yield HangingLines(version_lines("text", output, types=True, terminal=self.terminal))
        if values and output.version.edits:
            yield ""
            yield _value_table(output, values, self.scores)
        for label in self.explanation.examined.metrics:
            scored = output.scores[label]
            yield ""
            yield [(_score_line(label, scored, self.scores), "bold")]
            yield HangingLines([(who, [(text, "")]) for who, text in self._why(label, scored)])

    def _why(self, label: str, scored: Scored) -> list[tuple[str, str]]:
        """Return the counts with the chosen reference, then the scores with the others.

        Counts without outcomes are shown as numbers, or as lists if lists are unlimited.
        """
        rows: dict[str, list[Row]] = {}
        for row in scored.evidence:
            rows.setdefault(row.column, []).append(row)
        lines, plain = [], []
        for column, count in scored.against[scored.chosen].counts.items():
            rows_of_column = rows.get(column, [])
            if rows_of_column and (self.few is None or any(row.outcome is not None for row in rows_of_column)):
                lines.append((f"{column} {number(count)}", _row_list(rows_of_column, self.few)))
            elif count:
                plain.append(f"{column} {number(count)}")
        if plain:
            lines.append(("counts" if not lines else "further", ", ".join(plain)))
        other_references = [reference for index, reference in enumerate(scored.against) if index != scored.chosen]
        other_references.sort(key=lambda reference: reference.score, reverse=True)
        for reference in other_references[: self.few]:
            counts = ", ".join(f"{column} {number(count)}" for column, count in reference.counts.items() if count)
            lines.append((f"ref {reference.reference}", f"{self.scores.shown(label, reference.score)}  ({counts})"))
        if len(other_references[: self.few]) < len(other_references):
            lines.append(("", f"and {len(other_references) - MAX_ENTRIES} more references (--full)"))
        return lines


def _score_line(label: str, scored: Scored, scores: ScoreDigits) -> str:
    parts_as_text = {
        name: UNDEFINED if value is None else scores.shown(f"{label} {name}", value)
        for name, value in scored.parts.items()
    }
    parts = ", ".join(f"{name} {text}" for name, text in parts_as_text.items())
    line = f"  {label} {scores.shown(label, scored.score)}" + (f"  ({parts})" if parts else "")
    if scored.averaged:
        return f"{line}  the mean over {len(scored.names)} references; counts against ref {scored.reference}"
    return f"{line}  against ref {scored.reference}" if scored.reference else line


def _row_list(rows: Sequence[Row], few: int | None) -> str:
    """Return the first rows as text, with equal rows merged."""
    merged: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        key = (row.text, row.start, row.end, row.type, row.of_reference, row.order)
        merged[key] = replace(row, weight=row.weight + merged[key].weight) if key in merged else row
    texts = [_row_text(row) for row in merged.values()]
    rest = len(texts) - len(texts[:few])
    return ", ".join(texts[:few]) + (f", and {rest} more (--full)" if rest else "")


def _row_text(row: Row) -> str:
    """Return an n-gram in quotes, or an edit as 3-4 text TYPE, with its weight."""
    text = visible(row.text or "")
    if row.start is None or row.end is None:
        quoted = f"“{text}”" if text else ""
    else:
        quoted = " ".join(filter(None, [f"{row.start}-{row.end}", text or "∅", visible(row.type or "")]))
    return quoted if row.weight == 1 else f"{quoted} ×{number(row.weight)}"


def _value_table(output: Output, values: Mapping[str, Attribution], scores: ScoreDigits) -> ReportTable:
    """Return a row for each edit and a column for each metric.

    The last rows have the scores of the unchanged sentence and of all edits.
    """
    changed = [segment for segment in output.version.segments if segment.kind != "kept"]  # one for each edit
    edits = [f"{SIGNS[segment.outcome]} {_edit_text(segment)}" for segment in changed]
    columns = [
        (TableColumn("edit"), [*edits, "unchanged", "with all edits"]),
        (TableColumn("type"), [*(visible(segment.type) for segment in changed), "", ""]),
    ]
    for label, attribution in values.items():
        edges = [with_minus(scores.shown(label, score)) for score in (attribution.source_score, attribution.score)]
        columns.append((TableColumn(label, "count"), [*_value_texts(label, attribution, scores), *edges]))
    first = next(iter(values.values()))
    notes = [f"edit values: {first.method}, {METHODS[first.method]}"]
    if first.errors is not None:
        notes.append(f"±: standard error over {first.orders} random orders")
    return column_table(columns, legend=notes, sections=[len(edits)])


def _edit_text(segment: Segment) -> str:
    source, text = visible(segment.source), visible(segment.text)
    return f"{source}→{text}" if source and text else f"+{text}" if text else f"-{source}"


def _value_texts(label: str, attribution: Attribution, scores: ScoreDigits) -> list[str]:
    values = [("+" if value > 0 else "") + with_minus(scores.shown(label, value)) for value in attribution.values]
    if attribution.errors is None:
        return values
    errors = (scores.shown(label, error) for error in attribution.errors)
    return [f"{value} ±{error}" for value, error in zip(values, errors, strict=True)]


def explanation_report(explanation: Explanation, inputs: Mapping[str, Any], *, full: bool = False) -> Report:
    """Return the report of an explanation.

    ``full`` shows all entries of lists. JSON has all evidence as numbers; see docs/explaining.md.
    """

    def document() -> dict[str, Any]:
        examined = explanation.examined
        values = {
            name: {label: _attribution_document(attribution) for label, attribution in by_metric.items()}
            for name, by_metric in explanation.attributions.items()
        }
        contents = {
            "judge": examined.judge,
            "signatures": examined.signatures,
            "sentence": sentence_document(explanation.sentence, examined, evidence=True),
        }
        return {**inputs, **contents, "attributions": values, "without_attribution": dict(explanation.without)}

    def view(digits: int, terminal: bool) -> Iterator[ViewPart]:
        figures = ScoreDigits(explanation.examined.in_percent, digits)
        return ExplanationView(explanation, figures, None if full else MAX_ENTRIES, terminal).parts()

    return Report("geceval/explanation@1", document, list, view=view)


def _attribution_document(attribution: Attribution) -> dict[str, Any]:
    """Return an attribution as JSON values."""
    fields = ("start", "end", "correction", "type")
    edits = [{name: getattr(edit, name) for name in fields} for edit in attribution.edits]
    return {**asdict(attribution), "edits": edits, "delta": attribution.delta}
