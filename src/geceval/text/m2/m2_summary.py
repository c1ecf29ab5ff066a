"""Summary of an M2 file in one pass: edits, types, lengths, agreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from geceval.text.m2.blocks import Blocks, portions_of
from geceval.text.m2.conversion.suggestions import NO_ANSWER, latency_of
from geceval.text.m2.edit import Block
from geceval.text.m2.edit_columns import EditColumns


@dataclass
class AnnotatorCounts:
    """Number of sentences with a line of an annotator, of changed ones, and of edits."""

    sentences: int = 0
    changed: int = 0
    edits: int = 0


@dataclass
class AnnotatorAgreement:
    """Agreement of two annotators on the sentences in which both have a line.

    Attributes:
        sentences: number of these sentences.
        edits: number of edits of both.
        shared: number of edits whose span and first correction agree.
        same: number of sentences in which all edits agree.
    """

    sentences: int = 0
    edits: int = 0
    shared: int = 0
    same: int = 0

    @property
    def f1(self) -> float:
        """2 · shared / (edits of both); 1 without edits."""
        return 2 * self.shared / self.edits if self.edits else 1.0


@dataclass
class Stats:
    """Counts of an M2 file; noops are no edits.

    Attributes:
        sentences: number of sentences.
        tokens: number of source tokens.
        annotators: counts by annotator.
        types: number of edits by type.
        lengths: number of edits by (source tokens, correction tokens).
        agreement: agreement by pair of annotators.
        unanswered: number of sentences with the line ``I no answer``.
        latencies: number of sentences by latency, of lines such as ``I latency 0.2``.
    """

    sentences: int = 0
    tokens: int = 0
    annotators: dict[int, AnnotatorCounts] = field(default_factory=dict)
    types: Counter[str] = field(default_factory=Counter)
    lengths: Counter[tuple[int, int]] = field(default_factory=Counter)
    agreement: dict[tuple[int, int], AnnotatorAgreement] = field(default_factory=dict)
    unanswered: int = 0
    latencies: Counter[float] = field(default_factory=Counter)

    @property
    def operation(self) -> dict[str, float]:
        """Number of answered sentences, and percentiles of the latency.

        They are latencies of sentences (nearest rank). The result is empty without ``I`` lines of either.
        """
        found: dict[str, float] = {}
        if self.unanswered or self.latencies:
            found = {"sentences": self.sentences, "answered": self.sentences - self.unanswered}
        times = sorted(self.latencies.elements())
        return found | {f"p{p}": times[-(-p * len(times) // 100) - 1] for p in (50, 95, 99) if times}

    @property
    def edits(self) -> int:
        """Number of edits of all annotators."""
        return self.types.total()


def stats(blocks: Iterable[Block]) -> Stats:
    """Count sentences, edits and agreement in one pass with constant memory.

    Args:
        blocks: the blocks; in ChERRANT's dialect all alignments count.

    Returns:
        The counts.
    """
    result = Stats()
    for portion in portions_of(blocks):
        _add(result, portion)
    return result


def _add(result: Stats, blocks: Blocks) -> None:
    notes = blocks.table.notes
    result.unanswered += notes.count(NO_ANSWER)
    result.latencies.update(latency for latency in map(latency_of, notes) if latency is not None)
    columns = EditColumns(blocks.edits)
    result.sentences += len(blocks)
    result.tokens += int(blocks.table.lengths().sum())
    annotators = columns.edits.annotator.tolist()
    edits: list[Counter[tuple[int, int, str]]] = [Counter() for _ in annotators]
    arrays = (columns.version, columns.start, columns.end, columns.edits.text, columns.type)
    for version, start, end, text, name in zip(*(own[columns.is_edit].tolist() for own in arrays), strict=True):
        correction = columns.corrections[text]
        edits[version][start, end, correction] += 1
        result.types[columns.strings[name]] += 1
        result.lengths[end - start, len(correction.split())] += 1
    for annotator, own in zip(annotators, edits, strict=True):
        counts = result.annotators.setdefault(annotator, AnnotatorCounts())
        counts.sentences += 1
        counts.changed += bool(own)
        counts.edits += own.total()
    for first, last in pairwise(columns.edits.versions.tolist()):
        for one, other in combinations(sorted(range(first, last), key=annotators.__getitem__), 2):
            found = result.agreement.setdefault((annotators[one], annotators[other]), AnnotatorAgreement())
            found.sentences += 1
            found.edits += edits[one].total() + edits[other].total()
            found.shared += (edits[one] & edits[other]).total()
            found.same += edits[one] == edits[other]
