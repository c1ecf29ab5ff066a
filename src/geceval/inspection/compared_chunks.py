"""Chunks of a corrected sentence next to those of its references, as CLEME counts them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option
from geceval.counting.counts import Evidence
from geceval.counting.groupings import evidence_of
from geceval.counting.metric import Metric
from geceval.counting.system_results import kept_counts
from geceval.edits.chunks import Chunks, ChunkTexts
from geceval.tables.table import ReportTable, plain_table
from geceval.text.corpus import Corpus

#: Mark of a changed cell, and sign for empty text.
CHANGED, NOTHING = " *", "∅"
#: Short names of the classes, in the order of cleme.COLUMNS.
CLASSES = ("TP", "FP necessary", "FP unnecessary", "FN", "TN")


@dataclass(frozen=True)
class ChunkCell:
    """The text of a chunk in one version."""

    text: str
    changed: bool

    def __str__(self) -> str:
        return (self.text or NOTHING) + CHANGED if self.changed else self.text


@dataclass(frozen=True)
class ChunkRow:
    """A chunk of the source tokens start..end, with its class for each reference."""

    start: int
    end: int
    source: str
    hypothesis: ChunkCell
    references: list[ChunkCell]
    classes: list[str]


@dataclass(frozen=True)
class ChunkedSentence:
    """The chunks of a sentence in several versions.

    Attributes:
        number: Number of the sentence, from 1.
        system: System that is compared with references; None if all versions are corrections.
        columns: Names of the versions.
        classes: Number of classes of each chunk that are shown.
        rows: The chunks.
    """

    number: int
    system: str | None
    columns: tuple[str, ...]
    classes: int
    rows: list[ChunkRow]

    def only_changed(self) -> ChunkedSentence:
        """Return the sentence without the chunks that no version changes."""
        return replace(self, rows=[row for row in self.rows if any(cell.changed for cell in self._cells(row))])

    def _cells(self, row: ChunkRow) -> list[ChunkCell]:
        return [row.hypothesis, *row.references][: len(self.columns)]

    def table(self) -> ReportTable:
        """Return a row for each chunk."""
        classes = ["class"] if self.classes == 1 else [f"class {r}" for r in range(self.classes)]
        cells = [
            [f"{row.start}-{row.end}", row.source, *map(str, self._cells(row)), *row.classes[: self.classes]]
            for row in self.rows
        ]
        return plain_table(["tokens", "source", *self.columns, *classes], cells, [f"sentence {self.number}"])

    def to_document(self) -> dict[str, Any]:
        """Return the sentence as JSON values."""
        if self.system is not None:
            return {"system": self.system, "sentence": self.number, "chunks": self.rows}
        chunks = [
            {"start": row.start, "end": row.end, "source": row.source, "corrections": self._cells(row)}
            for row in self.rows
        ]
        return {"sentence": self.number, "corrections": self.columns, "chunks": chunks}


#: Number of sentences whose chunks are in memory at once.
PART = 1000


def compared_chunks(corpus: Corpus, metric: Metric[Any], threads: int = 0) -> Iterator[ChunkedSentence]:
    """Yield the chunks of each system and sentence, with their classes, in parts.

    Without references, a sentence is yielded once, with all systems side by side.

    Args:
        corpus: The corpus.
        metric: CLEME without weights.
        threads: Number of threads, 0: all processors.

    Raises:
        UsageError: If there are no references and a system is M2.
    """
    parts = corpus.parts(PART)
    if corpus.references or corpus.gold is not None:
        return chain.from_iterable(_chunked_sentences(part, metric, threads) for part in parts)
    for name in corpus.system_names:
        if name in corpus.m2_systems:
            hint = Hint(Option("references"), " or ", Option("gold"), " compares M2 with references")
            raise UsageError(f"the corrections {name} are M2", hint=hint)
    return chain.from_iterable(_side_by_side(part, metric, threads) for part in parts)


def _side_by_side(corpus: Corpus, metric: Metric[Any], threads: int) -> Iterator[ChunkedSentence]:
    # CLEME requires a reference: the other corrections, or the only correction.
    names, texts = zip(*corpus.systems.items(), strict=True)
    corrections = Corpus(corpus.source, texts[1:] or texts, {names[0]: texts[0]})
    presence = metric.prepare(corrections, threads).versions.present
    sentences = zip(_chunked_sentences(corrections, metric, threads), presence, strict=True)
    for s, (sentence, is_present) in enumerate(sentences):
        other_names = tuple(name for name, present in zip(names[1:], is_present, strict=False) if present)
        yield replace(sentence, number=corpus.place(s) + 1, system=None, columns=(names[0], *other_names), classes=0)


def _chunked_sentences(corpus: Corpus, metric: Metric[Any], threads: int) -> Iterator[ChunkedSentence]:
    prepared = metric.prepare(corpus, threads)
    for name, counts in kept_counts(corpus, metric, evidence=True, threads=threads).items():
        system = corpus.systems[name]
        sentences = chunk_rows(prepared.chunks(system, threads), prepared.texts(system, threads), evidence_of(counts))
        for s, rows in enumerate(sentences):
            references = len(rows[0].references) if rows else 0
            columns = (name, *(f"reference {r}" for r in range(references)))
            classes = 1 if metric.settings["assumption"] == "independent" else references
            yield ChunkedSentence(corpus.place(s) + 1, name, columns, classes, rows)


def chunk_rows(chunks: Chunks, texts: ChunkTexts, evidence: Evidence) -> Iterator[list[ChunkRow]]:
    """Yield the chunks of each sentence, without references that do not count.

    ``evidence`` has a row for each chunk and reference, in this order, as CLEME without weights returns it.
    """
    classes = iter(evidence.column.tolist())
    for s, present in enumerate(chunks.present):
        versions = [0, *(present.nonzero()[0] + 1).tolist()]
        rows = []
        for c in range(chunks.offsets[s], chunks.offsets[s + 1]):
            version_texts = [texts.strings[index] for index in texts.text[c, versions]]
            system, *references = map(ChunkCell, version_texts, chunks.changed[c, versions].tolist())
            class_names = [CLASSES[next(classes)] for _ in references]
            source = texts.strings[texts.source[c]]
            rows.append(ChunkRow(int(chunks.start[c]), int(chunks.end[c]), source, system, references, class_names))
        yield rows
