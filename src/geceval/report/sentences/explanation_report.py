"""One sentence explained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from geceval.report.numbers import with_minus
from geceval.report.report import Report
from geceval.report.sentences.inline_edits import SIGNS, marked, visible
from geceval.report.sentences.shown_sentences import ScoreDigits, legend, number, sentence_document
from geceval.report.table import ReportTable, TableColumn
from geceval.report.views import HangingLines, StyledLine, ViewPart
from geceval.studies.explaining.attribution import Attribution
from geceval.studies.explaining.evidence_rows import Row
from geceval.studies.explaining.examined_sentences import Output, Scored
from geceval.studies.explaining.explanation import Explanation
from geceval.studies.explaining.sentence_segments import Segment

#: Number of entries of a list that are shown without ``full``.
FEW = 12
#: Method of attribution -> description.
METHODS = {
    "shapley": "the mean gain over all orders of making the edits",
    "add": "the gain of each edit alone, scaled to the sum",
    "sub": "what is lost without each edit, scaled to the sum",
}


@dataclass(frozen=True)
class ExplanationView:
    """An explanation for readers: with ``full`` lists, for a terminal or not."""

    explanation: Explanation
    scores: ScoreDigits
    full: bool
    terminal: bool

    @property
    def few(self) -> int | None:
        """The number of entries of a list that are shown; None: all."""
        return None if self.full else FEW

    def parts(self) -> Iterator[ViewPart]:
        """The sentence, then for each system its version, what edits are worth, and each metric's score and its
        evidence."""
        from rich.text import Text

        sentence = self.explanation.sentence
        texts = {"source": sentence.source, **{f"ref {name}": text for name, text in sentence.references.items()}}
        yield StyledLine(f"sentence {sentence.number}", "bold")
        yield HangingLines([(name, Text(visible(text))) for name, text in texts.items()])
        for name in sentence.outputs:
            yield from self._system(name)
        for label, why in self.explanation.without.items():
            yield f"\nwhat edits are worth to {label} is not shown: {why}"
        yield ""
        yield StyledLine(legend(self.explanation.examined), "dim")

    def _system(self, name: str) -> Iterator[ViewPart]:
        from rich.text import Text

        output, values = self.explanation.sentence.outputs[name], self.explanation.attributions.get(name, {})
        versions = {"text": output.version}
        if output.reference is not None:
            versions[f"ref {output.reference.name}"] = output.reference
        yield ""
        yield StyledLine(visible(name), "bold")
        yield HangingLines(
            [(who, marked(own.segments, types=True, terminal=self.terminal)) for who, own in versions.items()]
        )
        if values and output.version.edits:
            yield ""
            yield _worth(output, values, self.scores)
        for label in self.explanation.examined.metrics:
            scored = output.scores[label]
            yield ""
            yield StyledLine(_score_line(label, scored, self.scores), "bold")
            yield HangingLines([(who, Text(text)) for who, text in self._why(label, scored)])

    def _why(self, label: str, scored: Scored) -> list[tuple[str, str]]:
        """The counts against the chosen reference with their evidence, then the scores of the other references. Counts
        without outcomes are numbers only, unless the lists are full."""
        rows: dict[str, list[Row]] = {}
        for row in scored.evidence:
            rows.setdefault(row.column, []).append(row)
        lines, plain = [], []
        for column, count in scored.against[scored.chosen].counts.items():
            own = rows.get(column, [])
            if own and (self.full or any(row.outcome is not None for row in own)):
                lines.append((f"{column} {number(count)}", _listed(map(_said, _together(own)), self.few)))
            elif count:
                plain.append(f"{column} {number(count)}")
        if plain:
            lines.append(("counts" if not lines else "further", ", ".join(plain)))
        others = sorted(
            (one for at, one in enumerate(scored.against) if at != scored.chosen),
            key=lambda one: one.score,
            reverse=True,
        )
        for one in others[: self.few]:
            counts = ", ".join(f"{column} {number(count)}" for column, count in one.counts.items() if count)
            lines.append((f"ref {one.reference}", f"{self.scores.shown(label, one.score)}  ({counts})"))
        if len(others[: self.few]) < len(others):
            lines.append(("", f"and {len(others) - FEW} more references (--full)"))
        return lines


def _score_line(label: str, scored: Scored, scores: ScoreDigits) -> str:
    parts = ", ".join(f"{name} {scores.shown(label, value)}" for name, value in scored.parts.items())
    said = f"  {label} {scores.shown(label, scored.score)}" + (f"  ({parts})" if parts else "")
    if scored.averaged:
        return f"{said}  the mean over {len(scored.names)} references; counts against ref {scored.reference}"
    return f"{said}  against ref {scored.reference}" if scored.reference else said


def _listed(items: Iterable[str], few: int | None) -> str:
    all_ = list(items)
    rest = len(all_) - len(all_[:few])
    return ", ".join(all_[:few]) + (f", and {rest} more (--full)" if rest else "")


def _together(rows: Sequence[Row]) -> list[tuple[Row, float]]:
    """Rows that say the same, once, with the sum of their weights."""
    weights: dict[tuple[Any, ...], tuple[Row, float]] = {}
    for row in rows:
        key = (row.text, row.start, row.end, row.type, row.of_reference, row.order)
        first, before = weights.get(key, (row, 0.0))
        weights[key] = first, before + row.weight
    return list(weights.values())


def _said(item: tuple[Row, float]) -> str:
    """An n-gram in quotes, an edit as 3-4 text TYPE; weights other than 1 behind it."""
    row, weight = item
    text = visible(row.text or "")
    if row.start is None or row.end is None:
        said = f"“{text}”" if text else ""
    else:
        said = " ".join(filter(None, [f"{row.start}-{row.end}", text or "∅", visible(row.type or "")]))
    return said if weight == 1 else f"{said} ×{number(weight)}"


def _worth(output: Output, values: Mapping[str, Attribution], scores: ScoreDigits) -> ReportTable:
    """A row for each edit, a column for each metric, and below the scores that the values lie between."""
    changed = [segment for segment in output.version.segments if segment.kind != "kept"]  # one for each edit
    said = [
        [f"{SIGNS[segment.outcome]} {_what(segment)}", visible(segment.type), *cells]
        for segment, *cells in zip(
            changed, *(_values(label, own, scores) for label, own in values.items()), strict=True
        )
    ]
    first = next(iter(values.values()))
    edges = [
        ["unchanged", "", *(with_minus(scores.shown(label, own.source_score)) for label, own in values.items())],
        ["with all edits", "", *(with_minus(scores.shown(label, own.score)) for label, own in values.items())],
    ]
    notes = [f"what each edit is worth: {first.method}, {METHODS[first.method]}"]
    if first.errors is not None:
        notes.append(f"±: the standard error over {first.orders} orders that were drawn")
    columns = [TableColumn("edit"), TableColumn("type"), *(TableColumn(label, "count") for label in values)]
    return ReportTable(columns, [*said, *edges], legend=notes, sections=[len(said)])


def _what(segment: Segment) -> str:
    source, text = visible(segment.source), visible(segment.text)
    return f"{source}→{text}" if source and text else f"+{text}" if text else f"-{source}"


def _values(label: str, own: Attribution, scores: ScoreDigits) -> list[str]:
    values = [("+" if value > 0 else "") + with_minus(scores.shown(label, value)) for value in own.values]
    if own.errors is None:
        return values
    errors = (scores.shown(label, error) for error in own.errors)
    return [f"{value} ±{error}" for value, error in zip(values, errors, strict=True)]


def explanation_report(
    explanation: Explanation, inputs: Mapping[str, Any], in_percent: Mapping[str, bool], *, full: bool = False
) -> Report:
    """The explanation, with ``full`` lists or not; in JSON all evidence as numbers, see docs/explaining.md.
    ``in_percent``: of the metrics, by their labels."""

    def document() -> dict[str, Any]:
        examined = explanation.examined
        values = {
            name: {label: {**asdict(one), "delta": one.delta} for label, one in own.items()}
            for name, own in explanation.attributions.items()
        }
        about = {
            "judge": examined.judge,
            "signatures": examined.signatures,
            "sentence": sentence_document(explanation.sentence, examined, evidence=True),
        }
        return {**inputs, **about, "attributions": values, "without_attribution": dict(explanation.without)}

    def view(digits: int, terminal: bool) -> Iterator[ViewPart]:
        return ExplanationView(explanation, ScoreDigits(in_percent, digits), full, terminal).parts()

    return Report("geceval/explanation@1", document, list, view=view)
