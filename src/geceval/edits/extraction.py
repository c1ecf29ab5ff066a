"""Extract edits from sentence pairs.

Changed sentences are annotated. The kernel aligns them, and merges and classifies the edits.

The alignment is from Felice, Bryant and Briscoe (COLING 2016), the types are ERRANT's (Bryant, Felice and Briscoe, ACL
2017). With the same annotation of tokens, spans and types are equal to errant 3.0.2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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
from geceval.text.m2.edit import Edit, edits_at

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
