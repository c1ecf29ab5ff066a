"""Sentences of a report as JSON values, for the page's script.

There are two documents. ``sentences`` has an object per sentence, with its references and outputs. Systems with the
same output share it: ``systems`` of an output are their indices. ``evidence`` has a list per sentence, of a list per
output, of an object per metric: the score against each reference, the counts against the best one, and the edits or
n-grams of each outcome.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from geceval.counting.metric import AnyMetric
from geceval.inspection.examination import Examination
from geceval.inspection.sentence_selection import Order
from geceval.reporting.overview import LONGEST, Overview
from geceval.resampling.system_tables import ordered, shown_group
from geceval.results.examined_sentences import Output, Scored, Sentence
from geceval.results.marked_edits import OUTCOMES, Segment
from geceval.tables.charts import Systems
from geceval.tables.svg import printable
from geceval.text.files import SOURCE
from geceval.text.m2.edit import DELETE

#: Largest number of n-grams that are listed for each outcome.
LISTED = 6
#: Number of decimals of scores on their own scale, which tables show times 100, and of counts.
SCORE_DIGITS, COUNT_DIGITS = 4, 3
CORRECT = OUTCOMES.index("correct")
#: Level of gzip: larger ones take much longer and save a few per cent; and the flag of zlib for its header.
LEVEL, GZIP = 4, 16
#: Description of the sentences of each order.
ORDER_TEXTS: Mapping[Order, str] = {
    "worst": "the {} worst by {}",
    "best": "the {} best by {}",
    "difference": "the {} on which the systems differ most by {}",
    "random": "{} drawn at random",
}


@dataclass
class Explorer:
    """The examined sentences of an overview, in one pass over them.

    Attributes:
        sentences: An object per sentence.
        evidence: The evidence of all sentences, as compressed JSON.
    """

    overview: Overview
    examined: Examination
    sentences: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        #: Label of each metric, and whether its evidence is n-grams of characters.
        self._metrics = [
            (label, name in self.overview.of_characters)
            for name, label in zip(self.overview.metrics, self.examined.labels.values(), strict=False)
        ]
        # As objects or text, the evidence would take ten times as much memory.
        self.evidence = compressed(self._add_sentences())

    def _add_sentences(self) -> Iterator[str]:
        """Add all sentences, and yield their evidence as JSON in parts."""
        for index, sentence in enumerate(self.examined):
            yield f"{',' if index else '['}{self._add(sentence)}"
        yield "]" if self.sentences else "[]"

    def _add(self, sentence: Sentence) -> str:
        """Add a sentence, and return its evidence as JSON."""
        systems = list(sentence.outputs)
        members: dict[Any, list[int]] = {}
        for index, output in enumerate(sentence.outputs.values()):
            members.setdefault(self._key(output), []).append(index)
        outputs = [sentence.outputs[systems[indices[0]]] for indices in members.values()]
        objects = [
            {"systems": indices} | self._output(output)
            for indices, output in zip(members.values(), outputs, strict=True)
        ]
        texts = {name: {"name": name, "text": text, "edits": None} for name, text in sentence.references.items()}
        references: dict[str, dict[str, Any]] = texts | {
            output.reference.name: {
                "name": output.reference.name,
                "text": sentence.references.get(output.reference.name, output.reference.text),
                "edits": edit_objects(output.reference.edits, outcomes=False),
            }
            for output in outputs
            if output.reference is not None
        }
        for name in references.keys() & sentence.edits:
            references[name]["edits"] = edit_objects(sentence.edits[name], outcomes=False)
        group = None if sentence.label is None else printable(shown_group(str(sentence.label)))
        self.sentences.append({
            "number": sentence.number,
            "source": sentence.source,
            "group": group,
            "references": list(references.values()),
            "outputs": objects,
        })  # fmt: skip
        return compact_json([list(self._reasons(sentence.source, output)) for output in outputs])

    def _key(self, output: Output) -> Any:
        """Return what distinguishes outputs of a sentence; the text follows from the edits."""
        reference = None if output.reference is None else output.reference.name
        scores = [output.scores[label].score for label, _ in self._metrics]
        # NaN differs from itself.
        return tuple(output.version.edits), reference, str(scores)

    def _output(self, output: Output) -> dict[str, Any]:
        missed = [] if output.reference is None else output.reference.edits
        return {
            "text": output.version.text,
            "edits": edit_objects(output.version.edits),
            "missed": edit_objects([edit for edit in missed if edit.outcome == "missed"]),
            "scores": [rounded(output.scores[label].score, SCORE_DIGITS) for label, _ in self._metrics],
            "falseAlarm": output.is_false_alarm,
        }

    def _reasons(self, source: str, output: Output) -> Iterator[dict[str, Any]]:
        for label, of_characters in self._metrics:
            scored = output.scores[label]
            scores, counts = scored.numbers
            against = [rounded(score, SCORE_DIGITS) for score in scores]
            texts = (" ".join(text) if of_characters else text for text in (source, output.version.text))
            yield {
                "against": dict(zip(scored.names, against, strict=True)),
                "best": scored.reference,
                "counts": counts if type(counts[0]) is int else [rounded(count, COUNT_DIGITS) for count in counts],
                **listed_evidence(scored, *texts),
            }

    def document(self) -> dict[str, Any]:
        """Return the document of the sentences."""
        overview, examined = self.overview, self.examined
        systems, order = list(examined.systems), ordered(overview.comparison)[overview.metrics[0]]
        colours = Systems(order).colours
        return {
            "systems": [printable(name) for name in systems],
            "colours": [colours[name] for name in systems],
            "ranked": [systems.index(name) for name in order if name != SOURCE],
            "guard": systems.index(SOURCE) if SOURCE in systems else None,
            "metrics": [
                metric_object(overview, *pair)
                for pair in zip(overview.metrics, examined.labels.items(), strict=False)
            ],
            "judge": examined.judge_label,
            "sentences": self.sentences,
        }  # fmt: skip

    @property
    def types(self) -> list[str]:
        """Types of the edits."""
        parts = [part for sentence in self.sentences for part in (*sentence["outputs"], *sentence["references"])]
        edits = [edit for part in parts for name in ("edits", "missed") for edit in part.get(name) or ()]
        return sorted({edit["type"] for edit in edits if edit["type"]})

    @property
    def groups(self) -> list[str]:
        """Labels of the sentences."""
        return sorted({sentence["group"] for sentence in self.sentences if sentence["group"] is not None})

    def description(self) -> str:
        """Return a description of the selection of sentences and of the judging metric."""
        overview, here, total = self.overview, len(self.examined), self.examined.total
        if here == total:
            which = f"All {total:,} sentences."
        else:
            first = overview.comparison[overview.metrics[0]].label
            selections = [
                ORDER_TEXTS[order].format(f"{number:,}", first) for order, number in overview.selected.items() if number
            ]
            mean = " (means over the systems)" if len(overview.systems) > 1 else ""
            which = f"{here:,} of {total:,} sentences: {', '.join(selections)}{mean}."
        judge = self.examined.judge_label
        return which + (f" {judge} classifies edits as correct, wrong or missed." if judge is not None else "")


def edit_objects(edits: Sequence[Segment], *, outcomes: bool = True) -> list[dict[str, Any]]:
    """Return edits as JSON values."""
    return [
        {"start": edit.start, "end": edit.end, "text": edit.text, "type": printable(edit.type)}
        | ({"outcome": edit.outcome} if outcomes else {})
        for edit in edits
    ]


def metric_object(overview: Overview, name: str, labelled: tuple[AnyMetric, str]) -> dict[str, Any]:
    """Return the label, the format and the columns of a metric."""
    compared, metric = overview.comparison[name], labelled[0]
    unit = "edit" if metric.by_kind is not None else "word"
    endings = {column: column.rpartition("_")[2] for column in metric.columns}
    return {
        "label": compared.label,
        "percent": compared.in_percent,
        "higher": compared.higher_is_better,
        "unit": "character" if name in overview.of_characters else unit,
        "averages": metric.policy.averages,
        "again": metric.outcomes.again,
        "columns": [
            {
                "name": column,
                "outcome": metric.outcomes.columns.get(column),
                "order": int(ending) if ending.isdecimal() else 0,
            }
            for column, ending in endings.items()
        ],
    }


def listed_evidence(scored: Scored, source: str, output: str) -> dict[str, list[str]]:
    """Return all edits of each outcome, or the shortest n-grams.

    N-grams of both the source and the output are no evidence of a correction.
    """
    pieces: dict[int, list[str]] = {}
    strings, source, output = [] if scored.table is None else scored.table.strings, f" {source} ", f" {output} "
    for weight, (_, outcome, text, _, start, end, kind, order) in scored.listed(LONGEST):
        if text < 0:
            continue
        group = pieces.setdefault(outcome, [])
        if len(group) == LISTED and order > 0:
            continue
        piece = strings[text]
        if order <= 0:
            type_ = f" ({printable(strings[kind])})" if kind >= 0 and strings[kind] else ""
            piece = f"{start}:{end} → {piece.removesuffix(DELETE) or '∅'}{type_}"
        elif outcome == CORRECT and (blanked := f" {piece} ") in output and blanked in source:
            continue
        if weight != 1:
            piece = f"{piece} × {rounded(weight, COUNT_DIGITS)}"
        group.append(piece)
    return {name: pieces[outcome] for outcome, name in enumerate(OUTCOMES) if pieces.get(outcome)}


def compact_json(document: Any) -> str:
    """Return a document as JSON without spaces; equal documents give equal text."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def compressed(parts: Iterable[str]) -> bytes:
    """Return text in parts as gzip, without the time, so that equal text gives equal bytes."""
    packer = zlib.compressobj(LEVEL, wbits=zlib.MAX_WBITS | GZIP)
    return b"".join([*(packer.compress(part.encode("utf-8", "surrogatepass")) for part in parts), packer.flush()])


def rounded(value: float, digits: int) -> float | int | None:
    """Return a rounded number, whole ones without decimals; None for NaN and infinity."""
    if value % 1 == 0:
        return int(value)
    return round(value, digits) if math.isfinite(value) else None
