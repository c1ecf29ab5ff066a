"""Convert text to M2, and extract or type the edits of M2 files again."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from geceval._kernel import Edits
from geceval.base.errors import InputError
from geceval.edits.extraction import Extractor, Span, edit_objects
from geceval.text.m2.edit import DELETE, UNKNOWN, Block, Edit, minimal, noop
from geceval.text.m2.faults import sort_edits
from geceval.text.m2.m2_files import is_preserved

#: Types of edits that mark an error without correcting it (CoNLL-2014's and ERRANT's).
DETECTION = frozenset({"Um", UNKNOWN})

#: Number of sentences annotated at a time; balances threads and memory.
BATCH = 1 << 13

Tokens = Sequence[str]


def edits_of_rows(
    extractor: Extractor, rows: Sequence[Sequence[Tokens]], threads: int = 0
) -> Iterator[list[list[Edit]]]:
    """Yield the edits of each row of a source and its corrections.

    All rows have the same number of corrections; the number of a correction is the annotator of its edits.
    """
    for start in range(0, len(rows), BATCH):
        part = rows[start : start + BATCH]
        source, *corrections = zip(*part, strict=True)
        edits = Edits.merged_versions(extractor.columns_of_tokens(source, corrections, threads))
        yield from edit_objects(edits)


def check_corrections(block: Block, s: int, files: Sequence[str], *, bars: bool) -> Block:
    """Return a block of :func:`annotate` if its corrections can be read back.

    Args:
        block: the block.
        s: its sentence, counted from 0.
        files: the file of each annotator.
        bars: whether corrections may contain ``||`` and ``|||``, which separate alternatives and fields of M2.

    Raises:
        InputError: for a correction that would be read as another one; names file and line.
    """
    for edit in block.edits:
        text, message = edit.corrections[0], None
        if text == DELETE and not edit.is_noop:
            message, hint = f"the correction {text} would be read as a deletion", "replace it in the text"
        elif not bars and "|" in text and not is_preserved(Block("", (edit,))):
            message = f"M2 cannot contain the correction {text!r}: || separates alternatives, ||| fields"
            hint = "-f spans writes JSON Lines, which can"
        if message is not None:
            raise InputError(message, path=files[edit.annotator], line=s + 1, hint=hint)
    return block


def annotate(extractor: Extractor, rows: Sequence[Sequence[Tokens]], threads: int = 0) -> Iterator[Block]:
    """Yield a block for each row of a source and its corrections.

    A correction without edits gets a noop.
    """
    for (source, *_), edits in zip(rows, edits_of_rows(extractor, rows, threads), strict=True):
        yield Block(" ".join(source), tuple(edit for c, own in enumerate(edits) for edit in own or [noop(c)]))


@dataclass(frozen=True)
class _Job:
    """One annotator's edits of one sentence, with their spans in source and target."""

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
    """Yield blocks with edits that are extracted or typed again.

    With ``auto``, edits are extracted from the text that the given edits make. Otherwise the given edits are minimised
    and typed. Corrections are used as written. Edits that only mark an error (DETECTION) keep span and correction.
    Annotators are sorted by their numbers as strings; an annotator whose first line is a noop keeps only this noop.
    Memory holds a batch.

    Args:
        extractor: extracts and types edits.
        blocks: the blocks.
        auto: whether to extract edits again.
        minimise: whether to remove equal tokens at the ends of given edits.
        keep_types: whether given edits keep their types.

    Raises:
        InputError: if overlapping edits cannot be made together.
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
    for edit in [] if own[0].is_noop else sort_edits(own):
        words = source[edit.start : edit.end] if edit.type in DETECTION else literal(edit).split()
        start = edit.start + shift
        target[start : edit.end + shift] = words
        given.append((edit, (edit.start, edit.end, start, start + len(words))))
        shift += len(words) - (edit.end - edit.start)
    if any(span[2] < 0 or span[3] > len(target) for _, span in given):
        raise block.error(f"the edits of annotator {annotator} overlap and cannot be made together")
    return _Job(annotator, source, target, given)


def literal(edit: Edit) -> str:
    """Return the correction as written, including alternatives."""
    return "||".join(edit.corrections)


def _given(
    extractor: Extractor, jobs: Sequence[_Job], corrections: bool, minimise: bool, keep_types: bool
) -> list[list[Edit]]:
    """Return the edits of each job that are kept, with types.

    These are the detection edits and, with ``corrections``, all others.
    """
    edits: list[list[Edit]] = []
    asked: list[tuple[list[str], list[str], Span]] = []
    for job in jobs:
        edits.append([])
        for edit, span in job.given:
            is_detection = edit.type in DETECTION
            if is_detection or corrections:
                span = minimal(job.source, job.target, span) if minimise and not is_detection else span
                words = literal(edit).split() if is_detection else job.target[span[2] : span[3]]
                edits[-1].append(Edit(span[0], span[1], edit.type, (" ".join(words),), annotator=job.annotator))
                asked.append((job.source, job.target, span))
    if keep_types:
        return edits
    types = iter(extractor.classify(asked))
    return [[replace(edit, type=next(types)) for edit in own] for own in edits]


def _finished(job: _Job, given: list[Edit], extracted: list[Edit]) -> list[Edit]:
    if not job.given:
        return [noop(job.annotator)]
    edits = given + [replace(edit, annotator=job.annotator) for edit in extracted]
    return sort_edits(edits) if extracted else edits
