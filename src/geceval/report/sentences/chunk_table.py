"""The chunk table of a sentence: source, hypothesis and references side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from geceval.counting.counts import Evidence
from geceval.edits.chunks import Chunks, ChunkTexts
from geceval.report.table import ReportTable, plain_table

#: End of a changed cell, and text for no tokens.
CHANGED, NOTHING = " *", "∅"

#: Short names of the classes, in the order of cleme.COLUMNS.
CLASSES = ("TP", "FP necessary", "FP unnecessary", "FN", "TN")


@dataclass(frozen=True)
class ChunkCell:
    """A chunk in one version."""

    text: str
    changed: bool

    def __str__(self) -> str:
        return (self.text or NOTHING) + CHANGED if self.changed else self.text


@dataclass(frozen=True)
class ChunkRow:
    """A chunk: its source tokens start..end, its cells, and its class against each reference."""

    start: int
    end: int
    source: str
    hypothesis: ChunkCell
    references: list[ChunkCell]
    classes: list[str]


def chunk_rows(chunks: Chunks, texts: ChunkTexts, evidence: Evidence) -> Iterator[list[ChunkRow]]:
    """The chunks of every sentence, references that do not count left out.

    ``evidence`` has a row for every chunk and reference, in this order, as CLEME without weights gives it.
    """
    classes = iter(evidence.column.tolist())
    for s, present in enumerate(chunks.present):
        versions = [0, *(present.nonzero()[0] + 1).tolist()]
        rows = []
        for c in range(chunks.offsets[s], chunks.offsets[s + 1]):
            said = [texts.strings[place] for place in texts.text[c, versions]]
            own, *others = map(ChunkCell, said, chunks.changed[c, versions].tolist())
            named = [CLASSES[next(classes)] for _ in others]
            source = texts.strings[texts.source[c]]
            rows.append(ChunkRow(int(chunks.start[c]), int(chunks.end[c]), source, own, others, named))
        yield rows


def chunk_table(rows: list[ChunkRow], system: str, independent: bool, title: str) -> ReportTable:
    """A sentence's chunks; with independent references the class stands once, for it is the same against each."""
    references = len(rows[0].references)
    classes = 1 if independent else references
    numbered = ["class"] if classes == 1 else [f"class {r}" for r in range(classes)]
    heads = ["tokens", "source", system, *(f"reference {r}" for r in range(references)), *numbered]
    cells = [
        [f"{row.start}-{row.end}", row.source, *map(str, [row.hypothesis, *row.references]), *row.classes[:classes]]
        for row in rows
    ]
    return plain_table(heads, cells, [title])
