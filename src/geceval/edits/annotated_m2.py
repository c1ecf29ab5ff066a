"""Text to M2, and M2 to M2 with edits extracted or typed anew."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from geceval._kernel import Edits
from geceval.edits.extraction import Extractor, Span, edit_objects
from geceval.text.m2 import UNKNOWN, Block, Edit, noop

#: Types of edits that mark a fault without correcting it (CoNLL-2014's and ERRANT's).
DETECTION = frozenset({"Um", UNKNOWN})

#: Sentences annotated at a time: enough for threads, few enough for memory.
BATCH = 1 << 13

Tokens = Sequence[str]


def edits_of_rows(
    extractor: Extractor, rows: Sequence[Sequence[Tokens]], threads: int = 0
) -> Iterator[list[list[Edit]]]:
    """For each row, a source and equally many corrections, the edits of every correction c, with c as annotator."""
    for start in range(0, len(rows), BATCH):
        part = rows[start : start + BATCH]
        source, *corrections = zip(*part, strict=True)
        edits = Edits.beside(extractor.columns_of_tokens(source, corrections, threads))
        yield from edit_objects(edits)


def annotate(extractor: Extractor, rows: Sequence[Sequence[Tokens]], threads: int = 0) -> Iterator[Block]:
    """A block for each row, a source and its corrections; a correction without edits gets a noop."""
    for (source, *_), edits in zip(rows, edits_of_rows(extractor, rows, threads), strict=True):
        yield Block(" ".join(source), tuple(edit for c, own in enumerate(edits) for edit in own or [noop(c)]))


@dataclass(frozen=True)
class _Job:
    """One annotator's edits of one sentence, each with its span in the source and in the text they make together."""

    annotator: int
    source: list[str]
    target: list[str]
    given: list[tuple[Edit, Span]]


def retype(
    extractor: Extractor,
    blocks: Iterable[Block],
    *,
    auto: bool,
    minimise: bool = True,
    keep_types: bool = False,
) -> Iterator[Block]:
    """The blocks with edits extracted anew from what the given ones make of the source (``auto``), or with the given
    ones, minimised and typed.

    Corrections are taken literally. Edits that only mark a fault (DETECTION) keep their span and correction. Annotators
    come in the order of their ids as strings; one whose first line is a noop keeps that alone. Streams. Raises
    InputError where overlapping edits make nonsense.
    """
    blocks = iter(blocks)
    while batch := list(itertools.islice(blocks, BATCH)):
        annotators = [sorted({edit.annotator for edit in block.edits}, key=str) for block in batch]
        jobs = [_job(block, who) for block, own in zip(batch, annotators, strict=True) for who in own]
        given = _given(extractor, jobs, not auto, minimise, keep_types)
        extracted: list[list[Edit]] = [[] for _ in jobs]
        if auto:
            extracted = extractor.extract_tokens([(job.source, job.target) for job in jobs])
        done = map(_finished, jobs, given, extracted)
        for block, own in zip(batch, annotators, strict=True):
            edits = tuple(edit for _ in own for edit in next(done))
            yield replace(block, source=block.source.rstrip(), edits=edits, notes=(), ended=True)


def _job(block: Block, annotator: int) -> _Job:
    source = block.tokens
    own = [edit for edit in block.edits if edit.annotator == annotator]
    target, given, shift = list(source), [], 0
    for edit in [] if own[0].is_noop else sorted(own, key=lambda edit: (edit.start, edit.end)):
        words = source[edit.start : edit.end] if edit.type in DETECTION else literal(edit).split()
        start = edit.start + shift
        target[start : edit.end + shift] = words
        given.append((edit, (edit.start, edit.end, start, start + len(words))))
        shift += len(words) - (edit.end - edit.start)
    if any(span[2] < 0 or span[3] > len(target) for _, span in given):
        raise block.error(f"the edits of annotator {annotator} overlap so much that they cannot be made together")
    return _Job(annotator, source, target, given)


def literal(edit: Edit) -> str:
    """The correction as written, alternatives and all."""
    return "||".join(edit.corrections)


def _given(
    extractor: Extractor, jobs: Sequence[_Job], corrections: bool, minimise: bool, keep_types: bool
) -> list[list[Edit]]:
    """For each job its detection edits, and its corrections if asked for, typed anew unless types are kept."""
    edits: list[list[Edit]] = []
    asked: list[tuple[list[str], list[str], Span]] = []
    for job in jobs:
        edits.append([])
        for edit, span in job.given:
            is_detection = edit.type in DETECTION
            if is_detection or corrections:
                span = _minimal(job, span) if minimise and not is_detection else span
                words = literal(edit).split() if is_detection else job.target[span[2] : span[3]]
                edits[-1].append(Edit(span[0], span[1], edit.type, (" ".join(words),)))
                asked.append((job.source, job.target, span))
    if keep_types:
        return edits
    types = iter(extractor.classify(asked))
    return [[replace(edit, type=next(types)) for edit in own] for own in edits]


def _minimal(job: _Job, span: Span) -> Span:
    """The span without equal tokens at its beginning and its end: [a b -> a c] is [b -> c]."""
    start, end, target_start, target_end = span
    source, target = job.source, job.target
    while start < end and target_start < target_end and source[start] == target[target_start]:
        start, target_start = start + 1, target_start + 1
    while start < end and target_start < target_end and source[end - 1] == target[target_end - 1]:
        end, target_end = end - 1, target_end - 1
    return start, end, target_start, target_end


def _finished(job: _Job, given: list[Edit], extracted: list[Edit]) -> list[Edit]:
    if not job.given:
        return [noop(job.annotator)]
    edits = sorted(given + extracted, key=lambda edit: (edit.start, edit.end)) if extracted else given
    return [replace(edit, annotator=job.annotator) for edit in edits]
