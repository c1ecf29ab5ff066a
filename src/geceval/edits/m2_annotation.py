"""Annotate text and M2 files: blocks of M2 with extracted or retyped edits."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from geceval._kernel import Edits
from geceval.base.errors import InputError
from geceval.edits.extraction import Extractor, Span, Tokens, edit_objects
from geceval.text.m2.blocks import sort_edits
from geceval.text.m2.edit import DELETE, UNKNOWN, Block, Edit, minimal, noop

#: Types of edits that mark an error without correcting it (CoNLL-2014's and ERRANT's).
DETECTION = frozenset({"Um", UNKNOWN})
#: Number of sentences annotated at a time; balances threads and memory.
BATCH = 1 << 13


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
        block: The block.
        s: Its sentence, counted from 0.
        files: The file of each annotator.
        bars: Whether corrections may contain ``||`` and ``|||``, which separate alternatives and fields of M2.

    Raises:
        InputError: For a correction that would be read as another one; names file and line.
    """
    for edit in block.edits:
        text, message = edit.corrections[0], None
        if text == DELETE and not edit.is_noop:
            message, hint = f"the correction {text} would be read as a deletion", "replace it in the text"
        elif not bars and ("||" in text or text.endswith("|")):
            message = f"M2 cannot contain the correction {text!r}: || separates alternatives, ||| fields"
            hint = "geceval annotate -f spans writes JSON Lines, which can"
        if message is not None:
            raise InputError(message, path=files[edit.annotator], line=s + 1, hint=hint)
    return block


def corrected_rows(source: Iterable[str], corrections: Sequence[Iterable[str | None]]) -> Iterator[list[Tokens | None]]:
    """Yield the tokens of each sentence and of its corrections, None for a missing one."""
    for row in zip(source, *corrections, strict=True):
        yield [None if text is None else text.split() for text in row]


def annotate(extractor: Extractor, rows: Sequence[Sequence[Tokens | None]], threads: int = 0) -> Iterator[Block]:
    """Yield a block for each row of a source and its corrections.

    A correction without edits gets a noop, and None, a missing correction, gets no line.
    """
    sources = [row[0] or () for row in rows]
    complete = [
        [source if tokens is None else tokens for tokens in row] for source, row in zip(sources, rows, strict=True)
    ]
    versions_of_rows = edits_of_rows(extractor, complete, threads)
    for source, (_, *corrections), edits in zip(sources, rows, versions_of_rows, strict=True):
        versions = zip(corrections, edits, strict=True)
        present = [(c, version) for c, (tokens, version) in enumerate(versions) if tokens is not None]
        yield Block(" ".join(source), tuple(edit for c, version in present for edit in version or [noop(c)]))


@dataclass(frozen=True)
class _Job:
    """One annotator's edits of one sentence, with their spans in source and target."""

    annotator: int
    source: list[str]
    target: list[str]
    edits: list[tuple[Edit, Span]]


def retype(
    extractor: Extractor, blocks: Iterable[Block], *, auto: bool, minimise: bool = True, keep_types: bool = False
) -> Iterator[Block]:
    """Yield blocks with edits that are extracted or typed again.

    With ``auto``, edits are extracted from the text that the given edits make. Otherwise the given edits are minimised
    and typed. Corrections are used as written. Edits that only mark an error (DETECTION) keep span and correction.
    Annotators are sorted by their numbers as strings; an annotator whose first line is a noop keeps only this noop.
    Memory holds a batch.

    Args:
        extractor: Extracts and types edits.
        blocks: The blocks.
        auto: Whether to extract edits again.
        minimise: Whether to remove equal tokens at the ends of given edits.
        keep_types: Whether given edits keep their types.

    Raises:
        InputError: If overlapping edits cannot be made together.
    """
    blocks = iter(blocks)
    while batch := list(itertools.islice(blocks, BATCH)):
        annotators = [sorted({edit.annotator for edit in block.edits}, key=str) for block in batch]
        jobs = [_job(block, who) for block, numbers in zip(batch, annotators, strict=True) for who in numbers]
        kept_edits = _classified_edits(extractor, jobs, not auto, minimise, keep_types)
        extracted: list[list[Edit]] = [[] for _ in jobs]
        if auto:
            extracted = extractor.extract_tokens([(job.source, job.target) for job in jobs])
        results = map(_finished, jobs, kept_edits, extracted)
        for block, numbers in zip(batch, annotators, strict=True):
            # Corrections as written separate alternatives as M2 does.
            edits = tuple(
                replace(edit, corrections=tuple(literal(edit).split("||"))) for _ in numbers for edit in next(results)
            )
            yield replace(block, source=block.source.rstrip(), edits=edits, notes=(), ended=True)


def _job(block: Block, annotator: int) -> _Job:
    source = block.tokens
    edits = [edit for edit in block.edits if edit.annotator == annotator]
    ordered = [] if edits[0].is_noop else sort_edits(edits)
    target, spans = apply_in_order(source, [(edit.start, edit.end, edit.type, literal(edit)) for edit in ordered])
    if any(span[2] < 0 or span[3] > len(target) for span in spans):
        raise block.error(f"the edits of annotator {annotator} overlap and cannot be applied together")
    return _Job(annotator, source, target, list(zip(ordered, spans, strict=True)))


def apply_in_order(source: list[str], edits: Iterable[tuple[int, int, str, str]]) -> tuple[list[str], list[Span]]:
    """Return the tokens after edits, and the spans of the edits in both texts.

    Each edit is shifted by the ones before it. An edit that only marks an error changes nothing.

    Args:
        source: The tokens.
        edits: Start, end, type and correction.
    """
    target, spans, shift = list(source), list[Span](), 0
    for start, end, type_, correction in edits:
        words = source[start:end] if type_ in DETECTION else correction.split()
        target[start + shift : end + shift] = words
        spans.append((start, end, start + shift, start + shift + len(words)))
        shift += len(words) - (end - start)
    return target, spans


def literal(edit: Edit) -> str:
    """Return the correction as written, including alternatives."""
    return "||".join(edit.corrections)


def _classified_edits(
    extractor: Extractor, jobs: Sequence[_Job], corrections: bool, minimise: bool, keep_types: bool
) -> list[list[Edit]]:
    """Return the given edits of each job that are kept, with types.

    These are the detection edits and, with ``corrections``, all others.
    """
    edits: list[list[Edit]] = []
    to_classify: list[tuple[list[str], list[str], Span]] = []
    for job in jobs:
        edits.append([])
        for edit, span in job.edits:
            is_detection = edit.type in DETECTION
            if is_detection or corrections:
                span = minimal(job.source, job.target, span) if minimise and not is_detection else span
                words = literal(edit).split() if is_detection else job.target[span[2] : span[3]]
                edits[-1].append(Edit(span[0], span[1], edit.type, (" ".join(words),), annotator=job.annotator))
                to_classify.append((job.source, job.target, span))
    if keep_types:
        return edits
    types = iter(extractor.classify(to_classify))
    return [[replace(edit, type=next(types)) for edit in row] for row in edits]


def _finished(job: _Job, classified: list[Edit], extracted: list[Edit]) -> list[Edit]:
    if not job.edits:
        return [noop(job.annotator)]
    edits = classified + [replace(edit, annotator=job.annotator) for edit in extracted]
    return sort_edits(edits) if extracted else edits
