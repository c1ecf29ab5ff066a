"""Sentences of a corpus with their edits inline: for a terminal, as TSV and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, TextIO

from geceval.report.documents import as_json
from geceval.report.inline import SIGNS, hanging, marked, plainly, visible
from geceval.report.numbers import round_half_up, shown
from geceval.report.tables import Table, written
from geceval.studies.explaining.evidence_rows import OUTCOMES
from geceval.studies.explaining.examined_sentences import Examined, Output, Scored, Sentence, Version


class Figures:
    """How the scores of each metric, by its label, are printed."""

    def __init__(self, in_percent: Mapping[str, bool], digits: int) -> None:
        self.in_percent, self.digits = in_percent, digits

    def shown(self, metric: str, value: float) -> str:
        """A score or a difference of scores."""
        return shown(value, self.digits, self.in_percent.get(metric, True))


def render_text(
    examined: Examined, figures: Figures, out: TextIO, *, head: str, types: bool = False, width: int | None = None
) -> None:
    """The sentences one after the other, coloured where ``out`` is a terminal; ``width``: of the terminal, None where
    there is none: lines are not folded then. ``head``: what was asked for."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=out, width=width, highlight=False, emoji=False, soft_wrap=True)
    console.print(head, markup=False)
    for sentence in examined.sentences:
        console.print()
        scores = Text("   ".join(_scores(sentence, examined, figures)))
        hanging(console, [(str(sentence.number), scores)], width, indent=0, style="bold")
        hanging(console, _lines(sentence, types, terminal=width is not None), width)
    if examined.sentences:
        console.print()
        console.print(legend(examined), style="dim", markup=False)


def legend(examined: Examined) -> str:
    """What the signs mean, and who says so."""
    if examined.judge is None:
        return f"{SIGNS[None]} an edit; whether it is right is not known without references"
    names = [f"{SIGNS[outcome]} {outcome}" for outcome in OUTCOMES]
    return "   ".join([*names, f"{SIGNS[None]} not counted", f"by {examined.judge}"])


def _scores(sentence: Sentence, examined: Examined, figures: Figures) -> list[str]:
    """The scores of each system."""
    said = []
    for name, output in sentence.outputs.items():
        scores = [f"{label} {figures.shown(label, output.scores[label].score)}" for label in examined.metrics]
        said.append(visible(f"{name}: {', '.join(scores)}") if scores else visible(name))
    return said


def _lines(sentence: Sentence, types: bool, terminal: bool) -> list[tuple[str, Any]]:
    """The versions of the sentence by name, each system's before the reference it is judged by."""
    found = []
    for name, output in sentence.outputs.items():
        found.append((visible(name), marked(output.version.segments, types=types, terminal=terminal)))
        if output.reference is not None:
            text = marked(output.reference.segments, types=types, terminal=terminal)
            found.append((f"ref {output.reference.name}", text))
    return found


# --- for programs ---


def render_tsv(examined: Examined, figures: Figures) -> str:
    """A row for each sentence and system; edits inline, with their types."""
    heads = ["sentence", "system", *examined.metrics, *OUTCOMES, "source", "text", "reference", "edits", "missed_edits"]
    rows = [
        _row(sentence, name, output, examined, figures)
        for sentence in examined.sentences
        for name, output in sentence.outputs.items()
    ]
    return written(Table(heads, rows), "tsv")


def _row(sentence: Sentence, name: str, output: Output, examined: Examined, figures: Figures) -> list[str]:
    scores = [figures.shown(label, output.scores[label].score) for label in examined.metrics]
    reference = output.reference
    edits = [*output.version.edits, *(edit for edit in _edits(reference) if edit.outcome == "missed")]
    numbers = [str(sum(edit.outcome == outcome for edit in edits)) for outcome in OUTCOMES]
    versions = [plainly(version.segments, types=True) if version else "" for version in (output.version, reference)]
    text = "" if reference is None else reference.text
    return [str(sentence.number), name, *scores, *numbers, sentence.source, output.version.text, text, *versions]


def _edits(version: Version | None) -> Sequence[Any]:
    return () if version is None else version.edits


def render_json(examined: Examined, inputs: Mapping[str, Any]) -> str:
    """Everything but the evidence, as numbers; see docs/explaining.md."""
    sentences = [sentence_dict(sentence, examined) for sentence in examined.sentences]
    agreement = None if examined.agreement is None else asdict(examined.agreement)
    about = {"total": examined.total, "fit": examined.fit, "judge": examined.judge, "agreement": agreement}
    return as_json(
        "geceval/sentences@1", {**inputs, **about, "signatures": examined.signatures, "sentences": sentences}
    )


def sentence_dict(sentence: Sentence, examined: Examined, evidence: bool = False) -> dict[str, Any]:
    """A sentence in plain numbers and strings; ``evidence``: with what each score comes from."""
    systems = {
        name: {
            **version_dict(output.version),
            "reference": None if output.reference is None else version_dict(output.reference),
            "scores": {
                label: scored_dict(score, evidence)
                for label, score in output.scores.items()
                if label in examined.metrics
            },
        }
        for name, output in sentence.outputs.items()
    }
    common = {"number": sentence.number, "source": sentence.source, "references": dict(sentence.references)}
    return common | ({} if sentence.label is None else {"label": sentence.label}) | {"systems": systems}


def version_dict(version: Version) -> dict[str, Any]:
    """A version with its edits."""
    return {"name": version.name, "text": version.text, "edits": [asdict(edit) for edit in version.edits]}


def scored_dict(scored: Scored, evidence: bool) -> dict[str, Any]:
    """A score with its parts; with ``evidence`` what all references give, and the rows behind the chosen one."""
    found = {"score": scored.score, "parts": dict(scored.parts), "reference": scored.reference}
    if not evidence:
        return found
    against = [asdict(one) for one in scored.against]
    rows = [{name: value for name, value in asdict(row).items() if value is not None} for row in scored.evidence]
    return found | {"averaged": scored.averaged, "against": against, "evidence": rows}


def number(value: float) -> str:
    """A count, a weight: whole where it is, else with three decimals."""
    return f"{value:g}" if float(value).is_integer() else round_half_up(value, 3)
