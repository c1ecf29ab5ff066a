"""Sentences with marked edits, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from geceval.results.examined_sentences import Examined, Output, Scored, Sentence, Version
from geceval.results.marked_edits import OUTCOMES, SIGNS, marked, visible
from geceval.tables.number_text import round_half_up, shown
from geceval.tables.report import Report
from geceval.tables.table import ReportTable, TableColumn, TableRow, table_columns
from geceval.tables.views import HangingLines, StyledLine, ViewPart, plain


@dataclass(frozen=True)
class ScoreDigits:
    """Format of scores.

    Attributes:
        in_percent: Whether the scores of a metric, by its label, are shown times 100.
        digits: Number of decimals.
    """

    in_percent: Mapping[str, bool]
    digits: int

    def shown(self, metric: str, value: float) -> str:
        """Return a score, or a difference of scores, as text."""
        return shown(value, self.digits, self.in_percent.get(metric, True))


def sentences_report(examined: Examined, inputs: Mapping[str, Any], *, head: str, types: bool) -> Report:
    """Return a report of sentences below the line ``head``.

    Tables have a row for each sentence and system, with typed edits inline.
    """
    return Report(
        "geceval/sentences@1",
        lambda: {**inputs, **_document(examined)},
        lambda: [_table(examined)],
        view=lambda digits, terminal: _view(examined, ScoreDigits(examined.in_percent, digits), head, types, terminal),
    )


def _view(examined: Examined, scores: ScoreDigits, head: str, types: bool, terminal: bool) -> Iterator[ViewPart]:
    yield head
    for sentence in examined.sentences:
        systems, lines = [], []
        for name, output in sentence.outputs.items():
            figures = [f"{label} {scores.shown(label, output.scores[label].score)}" for label in examined.metrics]
            figures += ["false alarm"] if output.is_false_alarm else []
            systems.append(visible(f"{name}: {', '.join(figures)}" if figures else name))
            lines += version_lines(visible(name), output, types=types, terminal=terminal)
        yield ""
        yield HangingLines([(str(sentence.number), [("   ".join(systems), "")])], indent=0, style="bold")
        yield HangingLines(lines)
    if examined.sentences:
        yield ""
        yield [(legend(examined), "dim")]


def legend(examined: Examined) -> str:
    """Return the meaning of the signs, and the metric that assigns them."""
    if examined.judge is None:
        return f"{SIGNS[None]} an edit; whether it is right is not known without references"
    names = [f"{SIGNS[outcome]} {outcome}" for outcome in OUTCOMES]
    return "   ".join([*names, f"{SIGNS[None]} not counted", f"by {examined.judge}"])


def version_lines(name: str, output: Output, *, types: bool, terminal: bool) -> list[tuple[str, StyledLine]]:
    """Return the version of a system and its reference, each with its name."""
    versions = [(name, output.version)]
    if output.reference is not None:
        versions.append((f"ref {output.reference.name}", output.reference))
    return [(who, marked(version.segments, types=types, terminal=terminal)) for who, version in versions]


# --- for programs ---


def _table(examined: Examined) -> ReportTable:
    columns = [
        TableColumn("sentence", "count"),
        TableColumn("system"),
        *(TableColumn(label, "score", examined.in_percent.get(label, True)) for label in examined.metrics),
        *table_columns("count", *OUTCOMES),
        *table_columns("text", "source", "text", "reference", "edits", "missed_edits"),
        TableColumn("false_alarm", "count"),
    ]
    rows = [
        _row(sentence, name, output, examined)
        for sentence in examined.sentences
        for name, output in sentence.outputs.items()
    ]
    return ReportTable(columns, rows)


def _row(sentence: Sentence, name: str, output: Output, examined: Examined) -> TableRow:
    version, reference = output.version, output.reference
    missed = [] if reference is None else [edit for edit in reference.edits if edit.outcome == "missed"]
    edits = [*version.edits, *missed]
    return [
        sentence.number,
        name,
        *(output.scores[label].score for label in examined.metrics),
        *(sum(edit.outcome == outcome for edit in edits) for outcome in OUTCOMES),
        sentence.source,
        version.text,
        "" if reference is None else reference.text,
        plain(marked(version.segments, types=True)),
        "" if reference is None else plain(marked(reference.segments, types=True)),
        int(output.is_false_alarm),
    ]


def _document(examined: Examined) -> dict[str, Any]:
    """Return all values except the evidence for JSON; see docs/explaining.md."""
    return {
        "total": examined.total,
        "fit": examined.fit,
        "judge": examined.judge,
        "agreement": examined.agreement,
        "signatures": examined.signatures,
        "sentences": [sentence_document(sentence, examined) for sentence in examined.sentences],
    }


def sentence_document(sentence: Sentence, examined: Examined, evidence: bool = False) -> dict[str, Any]:
    """Return a sentence as JSON values.

    ``evidence`` adds the evidence of each score.
    """
    systems = {}
    for name, output in sentence.outputs.items():
        scores = {label: scored for label, scored in output.scores.items() if label in examined.metrics}
        systems[name] = {
            **version_document(output.version),
            "name": name,
            "reference": None if output.reference is None else version_document(output.reference),
            "false_alarm": output.is_false_alarm,
            "scores": {label: scored_document(scored, evidence) for label, scored in scores.items()},
        }
    common = {"number": sentence.number, "source": sentence.source, "references": dict(sentence.references)}
    return common | ({} if sentence.label is None else {"label": sentence.label}) | {"systems": systems}


def version_document(version: Version) -> dict[str, Any]:
    """Return a version with its edits as JSON values."""
    fields = ("start", "end", "text", "type", "outcome")
    edits = [{name: getattr(edit, name) for name in fields} for edit in version.edits]
    return {"name": version.name, "text": version.text, "edits": edits}


def scored_document(scored: Scored, evidence: bool) -> dict[str, Any]:
    """Return a score with its parts as JSON values.

    ``evidence`` adds the scores of all references and the rows of the chosen one.
    """
    score = {"score": scored.score, "parts": scored.parts, "reference": scored.reference}
    if not evidence:
        return score
    rows = [{name: value for name, value in asdict(row).items() if value is not None} for row in scored.evidence]
    return score | {"averaged": scored.averaged, "against": scored.against, "evidence": rows}


def number(value: float) -> str:
    """Return a count or a weight as text: an integer, or with three decimals."""
    return f"{value:g}" if float(value).is_integer() else round_half_up(value, 3)
