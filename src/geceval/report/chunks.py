"""The chunk table of a sentence: source, hypothesis and references side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from geceval.edits.chunks import tokens_of
from geceval.metrics.cleme import ChunkMetric, Prepared, classify
from geceval.report.tables import Table
from geceval.text.corpus import Hypothesis

#: What a changed cell ends with, and what stands for no tokens.
CHANGED, NOTHING = " *", "∅"

#: Short names of the classes, in the order of cleme.COLUMNS.
CLASSES = ("TP", "FP necessary", "FP unnecessary", "FN", "TN")


@dataclass(frozen=True)
class Cell:
    """A chunk in one version."""

    text: str
    changed: bool

    def __str__(self) -> str:
        return (self.text or NOTHING) + CHANGED if self.changed else self.text


@dataclass(frozen=True)
class Row:
    """A chunk: its source tokens start..end, its cells, and its class against each reference."""

    start: int
    end: int
    source: str
    hypothesis: Cell
    references: list[Cell]
    classes: list[str]

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and booleans."""
        cells = [self.hypothesis, *self.references]
        hypothesis, *references = ({"text": cell.text, "changed": cell.changed} for cell in cells)
        span = {"start": self.start, "end": self.end, "source": self.source}
        return {**span, "hypothesis": hypothesis, "references": references, "classes": self.classes}


def chunk_rows(metric: ChunkMetric, prepared: Prepared, hypothesis: Hypothesis) -> Iterator[list[Row]]:
    """The chunks of every sentence, references that do not count left out."""
    edits = prepared.edited.hypothesis(hypothesis)
    chunks = prepared.versions.partition(edits)
    classes = classify(chunks, metric.assumption)
    for s, tokens in enumerate(prepared.edited.source):
        kept = [(r, version) for r, version in enumerate(prepared.versions.references[s]) if version is not None]
        rows = []
        for c in range(chunks.offsets[s], chunks.offsets[s + 1]):
            start, end = int(chunks.start[c]), int(chunks.end[c])
            source = " ".join(tokens[start:end])
            changed = chunks.changed[c].tolist()
            own, *others = [
                Cell(" ".join(tokens_of(tokens, version, start, end)), True) if changed[v] else Cell(source, False)
                for v, version in [(0, edits[s]), *((r + 1, version) for r, version in kept)]
            ]
            rows.append(Row(start, end, source, own, others, [CLASSES[classes[c, r]] for r, _ in kept]))
        yield rows


def chunk_table(rows: list[Row], system: str, independent: bool, title: str) -> Table:
    """A sentence's chunks; with independent references the class stands once, for it is the same against each."""
    references = len(rows[0].references)
    classes = 1 if independent else references
    numbered = ["class"] if classes == 1 else [f"class {r}" for r in range(classes)]
    heads = ["tokens", "source", system, *(f"reference {r}" for r in range(references)), *numbered]
    cells = [
        [f"{row.start}-{row.end}", row.source, *map(str, [row.hypothesis, *row.references]), *row.classes[:classes]]
        for row in rows
    ]
    return Table(heads, cells, (title,))
