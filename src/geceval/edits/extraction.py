"""Extract edits from sentence pairs, convert text to M2, and annotate M2 files again.

Changed sentences are annotated. The kernel aligns them, and merges and classifies the edits.

The alignment is from Felice, Bryant and Briscoe (COLING 2016), the types are ERRANT's (Bryant, Felice and Briscoe, ACL
2017). With the same annotation of tokens, spans and types are equal to errant 3.0.2.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Edits, KernelError, Text, WordList, classify_annotated, extract_annotated, penn_category
from geceval._kernel import Extractor as KernelExtractor
from geceval.base.errors import InputError, UsageError, input_error
from geceval.edits.annotation import Annotated, Annotator, ExtractionSettings, InKernel, Lemmatiser, Merging
from geceval.edits.languages import language_of, signed_types, types_of
from geceval.text.m2.blocks import sort_edits
from geceval.text.m2.edit import DELETE, UNKNOWN, Block, Edit, edits_at, minimal, noop

MERGINGS: tuple[Merging, ...] = get_args(Merging)
#: Source start and end, target start and end.
Span: TypeAlias = tuple[int, int, int, int]
Tokens: TypeAlias = Sequence[str]


@dataclass(frozen=True)
class Extractor:
    """Extracts typed edits from sentences and their corrections.

    The kernel does all the work for its own annotators, in threads. Another annotator is called once for the distinct
    sentences of a call.

    Attributes:
        annotator: The annotator.
        merging: The merging strategy.
        lev: Whether to align by plain Levenshtein distance.
        words: Word list of the spelling rule; None: the one of the language.
    """

    annotator: Annotator
    merging: Merging = "rules"
    lev: bool = False
    words: Collection[str] | WordList | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.merging not in MERGINGS:
            raise UsageError(f"unknown merging strategy {self.merging!r}: choose from {', '.join(MERGINGS)}")

    @cached_property
    def signature(self) -> str:
        """Settings that determine the edits: ``annotator:builtin:3-2``.

        They contain the annotator, and other settings unless they have their defaults.
        """
        entries = {"annotator": self.annotator.name} | signed_types(self.annotator)
        entries |= {"align": "lev"} if self.lev else {}
        entries |= {"merge": self.merging} if self.merging != "rules" else {}
        return "|".join(f"{name}:{value}" for name, value in entries.items())

    def extract(self, pairs: Iterable[tuple[str, str]], threads: int = 0) -> list[list[Edit]]:
        """Return the edits that turn each source into its target, in order, as objects.

        Args:
            pairs: (source, target) in tokenised text; ``str.split`` gives the tokens.
            threads: Number of threads; 0 means one per processor.

        Returns:
            A list of edits per pair; empty for equal tokens.

        Raises:
            InputError: For a pair too long to align (4 · 10^7 token pairs).
        """
        tokens = [(source.split(), target.split()) for source, target in pairs]
        return self.extract_tokens(tokens, threads)

    def extract_tokens(self, pairs: Sequence[tuple[Tokens, Tokens]], threads: int = 0) -> list[list[Edit]]:
        """Return edits like :meth:`extract`, for sentences that are lists of tokens."""
        [edits] = self.columns_of_tokens([source for source, _ in pairs], [[target for _, target in pairs]], threads)
        return [versions[0] if versions else [] for versions in edit_objects(edits)]

    def columns(self, source: Source, targets: Sequence[Text], threads: int = 0) -> list[Edits]:
        """Return the edits of each target in columns.

        A sentence has one version, of annotator 0, or none if the target is missing. Raises the errors of
        :meth:`extract`.

        Args:
            source: A text, or its annotation by :meth:`annotate`.
            targets: Texts with the same number of lines.
            threads: Number of threads; 0 means one per processor.
        """
        source = self.annotate(source) if isinstance(source, Text) else source
        if isinstance(source, Text):
            assert self._in_kernel is not None
            try:
                return self._in_kernel.extract(source, targets, threads)
            except KernelError as error:
                raise input_error(error) from None
        rows = [[None if line is None else line.split() for line in target] for target in targets]
        return self._extracted(source, rows, threads)

    def columns_of_tokens(
        self, source: Sequence[Tokens], targets: Sequence[Sequence[Tokens]], threads: int
    ) -> list[Edits]:
        """Return edits like :meth:`columns`, for sentences that are lists of tokens."""
        if self._in_kernel is not None:
            texts = [Text(" ".join(tokens) for tokens in rows) for rows in (source, *targets)]
            return self.columns(texts[0], texts[1:], threads)
        return self._extracted(Sentences(self.annotator, source), targets, threads)

    def annotate(self, source: Text) -> Source:
        """Return a text whose annotation is stored, to be used with many targets.

        Annotators outside the kernel are called later, and only for sentences that change. The kernel stores nothing:
        it annotates what a pair of sentences requires.
        """
        if not source.complete:
            raise InputError("a line of the source is missing")
        if self._in_kernel is not None:
            return source
        return Sentences(self.annotator, [str(line).split() for line in source])

    @cached_property
    def _in_kernel(self) -> KernelExtractor | None:
        """The kernel's extractor, if the annotator is in the kernel."""
        if not isinstance(self.annotator, InKernel):
            return None
        return self.annotator.in_kernel(self._word_list, self._settings)

    @property
    def _settings(self) -> ExtractionSettings:
        return self.merging, self.lev, self.annotator.rules, types_of(self.annotator)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}

    @cached_property
    def _word_list(self) -> WordList:
        if self.words is not None:
            return self.words if isinstance(self.words, WordList) else WordList(self.words)
        words = language_of(self.annotator).words
        return WordList([]) if words is None else words()

    def _extracted(self, source: Sentences, targets: Sequence[Sequence[Tokens | None]], threads: int) -> list[Edits]:
        """Return the edits of each target; calls the annotator for changed sentences."""
        rows = [[None if tokens is None else tuple_of(tokens) for tokens in target] for target in targets]
        changed = [
            (tokens, target)
            for row in rows
            for tokens, target in zip(source.rows, row, strict=True)
            if target is not None and target != tokens
        ]
        source.annotated = source.annotated.adding(tokens for tokens, _ in changed)
        sentences = source.annotated.adding(target for _, target in changed)
        pairs = [
            [
                None if new is None else (0, 0) if new == old else (sentences.number(old), sentences.number(new))
                for old, new in zip(source.rows, row, strict=True)
            ]
            for row in rows
        ]
        try:
            return extract_annotated(self._parts(sentences), self._word_list, pairs, self._settings, threads)
        except ValueError as error:
            raise input_error(error) from None

    def classify(self, edits: Sequence[tuple[Tokens, Tokens, Span]]) -> list[str]:
        """Return the types of given edits.

        An edit is given as source tokens, target tokens and (start, end, target start, target end).

        Raises InputError for a span outside its sentence.
        """
        if not edits:
            return []
        sentences = AnnotatedSentences(self.annotator).adding(tokens for edit in edits for tokens in edit[:2])
        rows = [[sentences.number(source), sentences.number(target), *span] for source, target, span in edits]
        try:
            return classify_annotated(self._parts(sentences), self._word_list, rows, types_of(self.annotator))
        except (ValueError, OverflowError) as error:
            raise input_error(error) from None

    def _parts(self, sentences: AnnotatedSentences) -> list[tuple[Annotated, list[list[str]]]]:
        """Return the annotations, with lemmas of all strings if the rules require them."""
        types, annotator = types_of(self.annotator), self.annotator
        if types == "errant-2.0" and not isinstance(annotator, Lemmatiser):
            raise InputError(f"annotator {annotator.name}: the rules of ERRANT 2.0 require base forms of words")
        parts = []
        for annotated in sentences.batches:
            if types.startswith("errant"):
                _check_tags(annotated, annotator.name)
            bases: Sequence[Sequence[str]] = []
            if types == "errant-2.0" and isinstance(annotator, Lemmatiser):
                bases = annotator.bases([string.lower() for string in annotated.strings])
            parts.append((annotated, [list(lemmas) for lemmas in bases]))
        return parts


def edit_objects(edits: Edits) -> list[list[list[Edit]]]:
    """Return edits as objects.

    ``edit_objects(edits)[s][v]`` contains the edits of version v of sentence s.

    They keep their order and include noops. ``||`` separates alternatives, unless the edits were extracted from text.
    """
    return versions_of(edits, edits.offsets, np.arange(len(edits.start)))


def versions_of(edits: Edits, offsets: NDArray[Any], order: NDArray[Any]) -> list[list[list[Edit]]]:
    """Return edits as objects by sentence and version; version v has those at ``order[offsets[v]:offsets[v + 1]]``."""
    ordered = edits_at(edits, order)
    versions = [ordered[first:last] for first, last in pairwise(offsets.tolist())]
    return [versions[first:last] for first, last in pairwise(edits.versions.tolist())]


def _check_tags(annotated: Annotated, annotator: str) -> None:
    """Raise InputError for a tag outside the Penn Treebank.

    ERRANT's rules use these tags.
    """
    tags = (annotated.strings[v] for v in np.unique(annotated.tag))
    unknown = [tag for tag in tags if penn_category(tag) is None]
    if unknown:
        raise InputError(
            f"annotator {annotator}: {unknown[0]!r} is not a Penn Treebank tag",
            hint="ERRANT's types require English with Penn tags, for example from spacy:en_core_web_sm",
        )


def tuple_of(tokens: Tokens) -> tuple[str, ...]:
    """Return tokens as a tuple.

    The type of a tuple is kept, since annotators may have their own.
    """
    return tokens if isinstance(tokens, tuple) else tuple(tokens)


@dataclass(frozen=True)
class AnnotatedSentences:
    """Distinct annotated sentences, numbered."""

    annotator: Annotator
    batches: tuple[Annotated, ...] = ()
    numbers: Mapping[tuple[str, ...], int] = field(default_factory=dict)

    def number(self, tokens: Tokens) -> int:
        """Return the number of a sentence."""
        return self.numbers[tuple_of(tokens)]

    def adding(self, sentences: Iterable[Tokens]) -> AnnotatedSentences:
        """Return these and other sentences; calls the annotator once for the new ones."""
        new = [key for key in dict.fromkeys(map(tuple_of, sentences)) if key not in self.numbers]
        if not new:
            return self
        annotated = self.annotator.annotate(new)
        if len(annotated) != len(new):
            raise InputError(f"annotator {self.annotator.name}: {len(annotated)} sentences for {len(new)}")
        numbers = {**self.numbers, **{key: number for number, key in enumerate(new, len(self.numbers))}}
        return AnnotatedSentences(self.annotator, (*self.batches, annotated), numbers)


class Sentences:
    """Sources, annotated lazily.

    It takes no lock: two threads may annotate the same sentence.
    """

    def __init__(self, annotator: Annotator, rows: Iterable[Tokens]) -> None:
        self.rows = [tuple_of(tokens) for tokens in rows]
        self.annotated = AnnotatedSentences(annotator)

    @property
    def nbytes(self) -> int:
        """Approximate size in bytes: 60 per string, 8 per token, and the columns."""
        size = sum(8 * len(row) + sum(60 + len(token) for token in row) for row in self.rows)
        for batch in self.annotated.batches:
            size += 28 * len(batch.form) + sum(60 + len(string) for string in batch.strings)
        return size


#: A text whose annotation is stored, or which the kernel annotates.
Source: TypeAlias = Text | Sentences


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
