"""Edits out of sentence pairs: annotate what changed, then align, merge and classify in the kernel.

The alignment is that of Felice, Bryant and Briscoe (COLING 2016), the types those of ERRANT (Bryant, Felice and
Briscoe, ACL 2017). Given the same annotation of the tokens, spans and types are those of errant 3.0.2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from geceval import _kernel
from geceval.edits.annotation import Annotated, Annotator, Lemmatiser
from geceval.edits.languages.english.words import english_words
from geceval.errors import InputError, UsageError
from geceval.text.m2 import Edit

Merging: TypeAlias = Literal["rules", "all-split", "all-merge", "all-equal"]
MERGINGS: tuple[Merging, ...] = get_args(Merging)
#: Source start and end, target start and end.
Span: TypeAlias = tuple[int, int, int, int]

_LETTERS, _CAPITAL, _KNOWN = 1, 2, 4


@dataclass(frozen=True)
class Extractor:
    """Extracts typed edits with an annotator, a merging strategy, and optionally plain Levenshtein alignment.

    ``words`` is the word list of the spelling rule (None: the one in the package).
    """

    annotator: Annotator
    merging: Merging = "rules"
    lev: bool = False
    words: Collection[str] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.merging not in MERGINGS:
            raise UsageError(f"no merging strategy {self.merging!r}: choose from {', '.join(MERGINGS)}")

    @property
    def signature(self) -> str:
        """What decides the edits: ``annotator:builtin-1``, and the settings that are not the usual ones."""
        entries = [f"annotator:{self.annotator.name}"]
        entries += ["types:generic"] if self.annotator.rules == "generic" else []
        entries += ["align:lev"] if self.lev else []
        entries += [f"merge:{self.merging}"] if self.merging != "rules" else []
        return "|".join(entries)

    def extract(self, pairs: Iterable[tuple[str, str]], threads: int = 0) -> list[list[Edit]]:
        """The edits that turn each source into its target, in order; none where their tokens are equal.

        ``pairs[p]``: (source, target), tokenised text; tokens are what ``str.split`` makes. Each distinct sentence of a
        changed pair is annotated once. Raises InputError for a pair too long to align (4 · 10^7 token pairs).
        """
        tokens = [(source.split(), target.split()) for source, target in pairs]
        return self.extract_tokens(tokens, threads)

    def extract_tokens(
        self, pairs: Sequence[tuple[Sequence[str], Sequence[str]]], threads: int = 0
    ) -> list[list[Edit]]:
        """As :meth:`extract`, for sentences that are lists of tokens."""
        edits: list[list[Edit]] = [[] for _ in pairs]
        changed = [p for p, (source, target) in enumerate(pairs) if not _equal(source, target)]
        if not changed:
            return edits
        batch = Sentences()
        ids = [(batch.add(pairs[p][0]), batch.add(pairs[p][1])) for p in changed]
        annotated, lexicon = self._annotate(batch)
        counts, spans, types = _kernel.extract_edits(
            annotated, lexicon, ids, self.merging, self.lev, self.annotator.rules, threads
        )
        rows = zip(spans.tolist(), types, strict=True)
        for p, count in zip(changed, counts, strict=True):
            source, target = pairs[p]
            if count < 0:
                raise InputError(
                    f"a pair of sentences of {len(source)} and {len(target)} tokens is too long to align: "
                    + " ".join(source[:8])
                )
            edits[p] = [_edit(*next(rows), target) for _ in range(count)]
        return edits

    def classify(
        self,
        edits: Sequence[tuple[Sequence[str], Sequence[str], Span]],
    ) -> list[str]:
        """The types of given edits: source tokens, target tokens, and (start, end, target start, target end).

        Raises InputError for a span outside its sentence.
        """
        if not edits:
            return []
        for source, target, (start, end, target_start, target_end) in edits:
            if not (0 <= start <= end <= len(source) and 0 <= target_start <= target_end <= len(target)):
                raise InputError(f"the edit {start} {end} -> {target_start} {target_end} does not fit its sentences")
        batch = Sentences()
        rows = [[batch.add(source), batch.add(target), *span] for source, target, span in edits]
        annotated, lexicon = self._annotate(batch)
        return _kernel.classify_edits(annotated, lexicon, rows, self.annotator.rules)

    def _annotate(self, batch: Sentences) -> tuple[Annotated, Lexicon]:
        annotated = self.annotator.annotate(batch.tokens)
        if len(annotated) != len(batch.tokens):
            raise InputError(f"annotator {self.annotator.name}: {len(annotated)} sentences for {len(batch.tokens)}")
        if self.annotator.rules != "generic":
            _check_tags(annotated, self.annotator.name)
        words = english_words() if self.words is None else self.words
        return annotated, Lexicon.of(annotated.strings, words, self._lemmatiser)

    @property
    def _lemmatiser(self) -> Lemmatiser | None:
        """The annotator, where the rules ask for lemmas without context."""
        if self.annotator.rules != "errant-2.0":
            return None
        if not isinstance(self.annotator, Lemmatiser):
            raise InputError(f"annotator {self.annotator.name}: the rules of ERRANT 2.0 need base forms of words")
        return self.annotator


def _equal(source: Sequence[str], target: Sequence[str]) -> bool:
    return len(source) == len(target) and all(map(str.__eq__, source, target))


def _edit(row: list[int], type_: str, target: Sequence[str]) -> Edit:
    start, end, target_start, target_end = row
    return Edit(start, end, type_, (" ".join(target[target_start:target_end]),))


def _check_tags(annotated: Annotated, name: str) -> None:
    tags = (annotated.strings[v] for v in np.unique(annotated.tag))
    unknown = [tag for tag in tags if _kernel.penn_category(tag) is None]
    if unknown:
        raise InputError(
            f"annotator {name}: {unknown[0]!r} is not a Penn Treebank tag",
            hint="the ERRANT types need English with Penn tags, such as spacy:en_core_web_sm gives",
        )


@dataclass(frozen=True)
class Lexicon:
    """A table of distinct strings with what the rules ask of each: the id of its lower case, and flags.

    ``flags[v]`` has the bits 1 (all letters), 2 (begins with a capital), 4 (in the word list, itself or lower-cased).
    ``bases[v]``, where the rules need them: the ids of what it is a form of as a noun, a verb, an adjective.
    """

    strings: list[str]
    lower: npt.NDArray[np.int32]
    flags: npt.NDArray[np.uint8]
    bases: list[list[int]]

    @classmethod
    def of(cls, strings: Sequence[str], words: Collection[str], lemmatiser: Lemmatiser | None = None) -> Lexicon:
        """Lower-cased strings and base forms that the table lacks are put behind its end."""
        ids = {string: v for v, string in enumerate(strings)}
        if len(ids) < len(strings):
            raise InputError("an annotator's table of strings has one twice")
        lower = [ids.setdefault(string.lower(), len(ids)) for string in strings]
        known = [] if lemmatiser is None else lemmatiser.bases([string.lower() for string in ids])
        bases = [[ids.setdefault(base, len(ids)) for base in own] for own in known]
        lower += range(len(lower), len(ids))
        flags = np.fromiter((_flags(string, words) for string in ids), np.uint8, len(ids))
        return cls(list(ids), np.array(lower, np.int32), flags, bases)


def _flags(string: str, words: Collection[str]) -> int:
    known = string in words or string.lower() in words
    return _LETTERS * string.isalpha() + _CAPITAL * string[:1].isupper() + _KNOWN * known


class Sentences:
    """Distinct sentences in the order they were first seen."""

    def __init__(self) -> None:
        self.tokens: list[tuple[str, ...]] = []
        self._ids: dict[tuple[str, ...], int] = {}

    def add(self, tokens: Sequence[str]) -> int:
        """The sentence's number."""
        key = tokens if isinstance(tokens, tuple) else tuple(tokens)
        number = self._ids.setdefault(key, len(self.tokens))
        if number == len(self.tokens):
            self.tokens.append(key)
        return number
