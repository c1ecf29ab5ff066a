"""Data of the sentence explorer: arrays with indices into tables of strings.

The scripts html/data.js and html/evidence.js read them. Equal records are written once. For sentence s:

    sentences[s] = [number, source, label, references, outputs]
    references   = [[name, text, edits or 0], …]
                   edits: start, length, text and type of each edit, flat
    outputs      = [[edits, reference, missed, scores, alarm] or the index of an equal record, …], by system
                   edits: start, length, text, type and outcome of each edit, flat
                   reference: index of a reference, or -1
                   missed: indices of edits of the reference
                   alarm: 1 for a false alarm, else 0
    evidence[s]  = [[metric, …] or the index of an equal record, …], by system; of each metric:
                   [against, chosen, averaged, counts, shared, longer, correct, wrong, missed]
                   against: reference and score of each reference, flat
                   counts: column and count of each column whose count is not 0, flat
                   shared, longer: number of n-grams that are not listed
                   correct, wrong, missed: texts, or [text, weight] if the weight is not 1

Labels, texts and types are indices into tables. Outcomes are indices into OUTCOMES; the next index is no outcome.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from geceval.report.comparisons.comparison_terms import ordered, shown_group
from geceval.report.page.svg import printable
from geceval.studies.explaining.evidence_rows import OUTCOMES, Row
from geceval.studies.explaining.examined_sentences import Examined, Output, Scored, Sentence
from geceval.studies.explaining.overview import Overview
from geceval.studies.explaining.sentence_segments import Judged
from geceval.studies.explaining.sentence_selection import Order
from geceval.text.m2 import DELETE

#: Maximum number of n-grams per outcome, shortest first: longer ones mostly add context.
LISTED = 12
#: Number of decimals of scores and weights; tables show them times 100 with two decimals.
DECIMALS = 5
#: Index of each outcome; no outcome is the last.
OUTCOME_PLACES = {outcome: place for place, outcome in enumerate((*OUTCOMES, None))}


@dataclass(frozen=True)
class Explorer:
    """Values of the explorer for the template.

    Attributes:
        said: Description of the selection of sentences.
        types: Types of edits.
        labels: Labels of groups.
        judge: Label of the metric that determines the outcomes of edits, if any.
        data: Document of the sentences.
        evidence: Document of the evidence.
        marks: Document for the preview of scores with accepted edits (studies/explaining/preview_counts.py).
    """

    said: str
    types: Sequence[str]
    labels: Sequence[str]
    judge: str | None
    data: Mapping[str, Any]
    evidence: Sequence[Any]
    marks: Mapping[str, Any] | None


#: Description of the sentences of each order.
CALLED: Mapping[Order, str] = {
    "worst": "the {} worst by {}",
    "best": "the {} best by {}",
    "difference": "the {} on which the systems differ most by {}",
    "random": "{} drawn at random",
}


def explorer(overview: Overview) -> Explorer:
    """Return the explorer of the examined sentences."""
    examined = overview.examined
    assert examined is not None
    names = dict(zip(examined.metrics, overview.metrics, strict=True))
    writer = _Writer(examined, {label for label, metric in names.items() if metric in overview.of_characters})
    sentences = [writer.sentence(sentence) for sentence in examined.sentences]
    evidence = [writer.evidence(sentence) for sentence in examined.sentences]
    comparison, systems = overview.comparison, list(examined.systems)
    metrics = []
    for label, metric in names.items():
        head, percent = comparison.heads[metric].label, comparison.in_percent(metric)
        metrics.append({"label": head, "percent": percent, "columns": writer.columns[label]})
    data = {
        "systems": [printable(name) for name in systems],
        "ranked": [systems.index(name) for name in ordered(comparison)[overview.metrics[0]]],
        "metrics": metrics,
        "judge": examined.judge,
        "strings": list(writer.strings),
        "labels": list(writer.labels),
        "sentences": sentences,
    }
    preview = overview.preview
    marks = None
    if preview is not None:
        marks = {"beta": preview.beta, "counts": [without_repeats(own) for own in preview.counts]}
    types, labels = sorted(writer.types - {""}), sorted(writer.labels)
    return Explorer(description(overview, examined), types, labels, examined.judge, data, evidence, marks)


def description(overview: Overview, examined: Examined) -> str:
    """Return a description of the selection of sentences and of the judging metric."""
    here, total = len(examined.sentences), examined.total
    if here == total:
        which = f"All {total:,} sentences."
    else:
        first = overview.comparison.heads[overview.metrics[0]].label
        taken = [CALLED[order].format(f"{number:,}", first) for order, number in overview.taken.items() if number]
        mean = " (means over the systems)" if len(overview.systems) > 1 else ""
        which = f"{here:,} of {total:,} sentences: {', '.join(taken)}{mean}."
    judged = "" if examined.judge is None else f" {examined.judge} classifies edits as correct, wrong or missed."
    return which + judged


class _Writer:
    """Converter of sentences to arrays, which collects strings in tables."""

    def __init__(self, examined: Examined, spelled: Set[str]) -> None:
        """Create a converter; n-grams of the metrics ``spelled`` consist of characters."""
        self.systems, self.metrics, self.spelled = examined.systems, examined.metrics, spelled
        self.strings: dict[str, int] = {}
        self.labels: dict[str, int] = {}
        self.types: set[str] = set()
        self.columns: dict[str, list[str]] = {label: [] for label in self.metrics}

    def place(self, text: str) -> int:
        return self.strings.setdefault(text, len(self.strings))

    # --- sentences ---

    def sentence(self, sentence: Sentence) -> list[Any]:
        label = -1
        if sentence.label is not None:
            label = self.labels.setdefault(printable(shown_group(str(sentence.label))), len(self.labels))
        references: dict[str, list[Any]] = {name: [name, text, 0] for name, text in sentence.references.items()}
        outputs = [self.output(sentence.outputs[system], references) for system in self.systems]
        return [sentence.number, sentence.source, label, list(references.values()), without_repeats(outputs)]

    def output(self, output: Output, references: dict[str, list[Any]]) -> list[Any]:
        edits = [part for edit in output.version.edits for part in (*self.edit(edit), OUTCOME_PLACES[edit.outcome])]
        reference, missed = -1, []
        if output.reference is not None:
            name, gold = output.reference.name, output.reference.edits
            own = references.setdefault(name, [name, output.reference.text, 0])
            own[2] = own[2] or [part for edit in gold for part in self.edit(edit)]
            reference = list(references).index(name)
            missed = [at for at, edit in enumerate(gold) if edit.outcome == "missed"]
        scores = [number(output.scores[label].score) for label in self.metrics]
        return [edits, reference, missed, scores, int(output.is_false_alarm)]

    def edit(self, edit: Judged) -> tuple[int, int, int, int]:
        type_ = printable(edit.type)
        self.types.add(type_)
        return edit.start, edit.end - edit.start, self.place(edit.text), self.place(type_)

    # --- evidence ---

    def evidence(self, sentence: Sentence) -> list[Any]:
        found = []
        for output in (sentence.outputs[system] for system in self.systems):
            words = [sentence.source, output.version.text]
            characters = [" ".join(text) for text in words]
            texts = {label: characters if label in self.spelled else words for label in self.metrics}
            found.append([self.metric_evidence(label, output.scores[label], own) for label, own in texts.items()])
        return without_repeats(found)

    def metric_evidence(self, label: str, scored: Scored, both: Sequence[str]) -> list[Any]:
        against = scored.against
        counts = against[scored.chosen].counts
        self.columns[label] = self.columns[label] or list(counts)
        return [
            [part for one in against for part in (one.reference, number(one.score))],
            scored.chosen,
            int(scored.averaged),
            [part for column, count in enumerate(counts.values()) if count for part in (column, number(count))],
            *self.rows(scored.evidence, both),
        ]

    def rows(self, evidence: Iterable[Row], both: Sequence[str]) -> tuple[int, int, list[Any], list[Any], list[Any]]:
        """Return the number of unlisted n-grams, then listed evidence by outcome.

        N-grams are not listed if source and output share them, or if shorter ones cover them.
        """
        source, output = both

        @functools.cache
        def common(size: int) -> Set[str]:
            return ngrams(source, size) & ngrams(output, size)

        told: dict[str, list[Row]] = {outcome: [] for outcome in OUTCOMES}
        shared = 0.0
        for row in evidence:
            if row.outcome is None or row.text is None:
                continue
            if row.order is not None and row.outcome == "correct" and row.text in common(row.text.count(" ") + 1):
                shared += row.weight
            else:
                told[row.outcome].append(row)
        shortest = {outcome: sorted(rows, key=lambda row: row.order or 0) for outcome, rows in told.items()}
        most = {outcome: rows[:LISTED] if rows and rows[0].order else rows for outcome, rows in shortest.items()}
        longer = sum(len(rows) - len(most[outcome]) for outcome, rows in told.items())
        correct, wrong, missed = ([self.row(row) for row in most[outcome]] for outcome in OUTCOMES)
        return round(shared), longer, correct, wrong, missed

    def row(self, row: Row) -> Any:
        text = self.place(evidence_text(row))
        return text if row.weight == 1 else [text, number(row.weight)]


def ngrams(text: str, size: int) -> Set[str]:
    """Return the n-grams of ``size`` pieces of a text that is split at spaces."""
    pieces = text.split(" ")
    return {" ".join(pieces[at : at + size]) for at in range(len(pieces) - size + 1)}


def evidence_text(row: Row) -> str:
    """Return an n-gram, or an edit with its place: 3:4 → the (R:DET)."""
    text = row.text or ""
    if row.start is None:
        return text
    kind = f" ({row.type})" if row.type else ""
    return f"{row.start}:{row.end} → {text.removesuffix(DELETE) or '∅'}{kind}"


def number(value: float) -> float | int | None:
    """Return a number with the decimals of the page; None for NaN and infinity."""
    if not math.isfinite(value):
        return None
    short = round(float(value), DECIMALS)
    return int(short) if short.is_integer() else short


def without_repeats(records: Sequence[list[Any]]) -> list[Any]:
    """Return the records with repeated ones replaced by the index of the first."""
    places: dict[str, int] = {}
    found: list[Any] = []
    for at, record in enumerate(records):
        first = places.setdefault(json.dumps(record), at)
        found.append(record if first == at else first)
    return found
