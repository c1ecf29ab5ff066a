"""Annotations of sentences in columns, and the protocol of annotators.

One batch holds every distinct sentence of a run. Strings are interned: a column is an array of indices into one table,
so 4 million tokens are seven arrays, and the kernel processes each distinct word once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from geceval._kernel import Extractor as KernelExtractor
from geceval._kernel import WordList

#: Rules of alignment and merging: as in ERRANT 2.3 and later, its release for BEA-2019, ERRANT 3 without Penn
#: tags, for Czech, or for Chinese by characters or words. docs/languages.md describes the differences.
Rules: TypeAlias = Literal["errant-3", "errant-2.0", "generic", "czech", "chinese"]
#: Rules for any language; they use only universal POS.
UNIVERSAL_RULES: tuple[Rules, ...] = ("generic", "czech", "chinese")
#: Types of replaced words by their features, as a public tool for the language defines them.
FeatureTagSet: TypeAlias = Literal["russian", "korean"]
#: Types of edits: ERRANT's (English), the universal POS, the universal POS with types from forms, lemmas and a word
#: list, only the operation, or like universal with features.
TagSet: TypeAlias = Literal["errant-3", "errant-2.0", "generic", "universal", "operation"] | FeatureTagSet
#: Merging of adjacent changes into edits: by the rules, or none, all, or all of equal operations.
Merging: TypeAlias = Literal["rules", "all-split", "all-merge", "all-equal"]
#: Merging, whether the alignment is plain Levenshtein, rules, and types.
ExtractionSettings: TypeAlias = tuple[Merging, bool, Rules, TagSet]

#: The annotator of every command, metric and function that is given no other one: English as in errant 3.0.2.
DEFAULT_ANNOTATOR = "builtin:3"

#: Universal parts of speech.
UPOS = frozenset("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())

Ids = npt.NDArray[np.int32]
#: Features of no form.
EMPTY: Mapping[tuple[str, str], str] = MappingProxyType({})


class Token(NamedTuple):
    """One annotated token, for tests and small inputs; batches are columns.

    Attributes:
        form: The token.
        lemma: Its lemma.
        pos: Its universal part of speech.
        tag: Its Penn tag, or its features (``Case=Gen|Number=Sing``).
        dep: Its ClearNLP label.
        head: Index of its head in the sentence; its own index for a root.
    """

    form: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int


@dataclass(frozen=True, slots=True)
class Annotated:
    """S annotated sentences with T tokens in total.

    Columns contain indices of ``strings``; the empty string means "not annotated".

    Attributes:
        strings: Table of V distinct strings.
        offsets: int64 [S + 1]; sentence s has the tokens ``offsets[s]:offsets[s + 1]``.
        form: int32 [T].
        lemma: int32 [T].
        pos: int32 [T], universal part of speech.
        tag: int32 [T], Penn tag, or features for tag sets that use them.
        dep: int32 [T], ClearNLP label.
        head: int32 [T], index in the sentence; its own index for a root. Without a parser every token is a root.
    """

    strings: Sequence[str]
    offsets: npt.NDArray[np.int64]
    form: Ids
    lemma: Ids
    pos: Ids
    tag: Ids
    dep: Ids
    head: Ids

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def sentence(self, s: int) -> list[Token]:
        """Return the tokens of sentence ``s`` as rows."""
        span = slice(int(self.offsets[s]), int(self.offsets[s + 1]))
        text = [
            [self.strings[i] for i in column[span]] for column in (self.form, self.lemma, self.pos, self.tag, self.dep)
        ]
        return [Token(*row) for row in zip(*text, self.head[span].tolist(), strict=True)]

    @classmethod
    def from_rows(cls, sentences: Iterable[Iterable[Token]]) -> Annotated:
        """Return columns from rows of tokens.

        It takes a Python step per token, so it suits small batches and slow annotators.
        """
        ids: dict[str, int] = {}
        offsets = [0]
        columns: list[list[int]] = [[] for _ in Token._fields]
        for sentence in sentences:
            for token in sentence:
                for column, value in zip(columns[:-1], token[:-1], strict=True):
                    column.append(ids.setdefault(value, len(ids)))
                columns[-1].append(token.head)
            offsets.append(len(columns[0]))
        arrays = (np.array(column, dtype=np.int32) for column in columns)
        return cls(list(ids), np.array(offsets, dtype=np.int64), *arrays)

    @classmethod
    def by_form(
        cls,
        sentences: Sequence[Sequence[str]],
        lemma_and_pos: Callable[[str], tuple[str, str]],
        features: Mapping[tuple[str, str], str] = EMPTY,
    ) -> Annotated:
        """Annotate forms without context: no labels, every token is a root.

        ``features`` are by case-folded form and part of speech. Cost: a table look-up per token, and a call of
        ``lemma_and_pos`` per distinct form.
        """
        lengths = np.fromiter(map(len, sentences), np.int64, len(sentences))
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        ids: dict[str, int] = {"": 0}
        forms = dict.fromkeys(chain.from_iterable(sentences))
        rows = np.zeros((4, len(forms)), np.int32)
        for index, text in enumerate(forms):
            base, category = lemma_and_pos(text)
            strings = (text, base, category, features.get((text.casefold(), category), ""))
            rows[:, index] = [ids.setdefault(string, len(ids)) for string in strings]
        indices = dict(zip(forms, range(len(forms)), strict=True))
        tokens = np.fromiter(map(indices.__getitem__, chain.from_iterable(sentences)), np.int64, int(offsets[-1]))
        form, lemma, pos, tag = (np.ascontiguousarray(row) for row in rows[:, tokens])
        head = (np.arange(len(tokens)) - np.repeat(offsets[:-1], lengths)).astype(np.int32)
        return cls(list(ids), offsets, form, lemma, pos, tag, np.zeros(len(tokens), np.int32), head)

    def with_tags(self, tags: Sequence[str]) -> Annotated:
        """Return the annotation with other tags, one for each token."""
        ids = {string: index for index, string in enumerate(self.strings)}
        column = np.array([ids.setdefault(tag, len(ids)) for tag in tags], np.int32)
        return replace(self, strings=list(ids), tag=column)


@dataclass(frozen=True)
class Language:
    """Properties of an annotator's language; all are optional.

    Attributes:
        code: Code of ISO 639, such as ``de``.
        tokeniser: Name of the tokeniser of raw text (``char`` for a language without spaces).
        types: The tag set; None: the one of the rules.
        words: Returns the word list of the spelling rule.
    """

    code: str = ""
    tokeniser: str | None = None
    types: TagSet | None = None
    words: Callable[[], WordList] | None = None


#: Properties of English; the rules of its annotator determine the tag set.
ENGLISH = Language("en", tokeniser="english", words=WordList.english)


@runtime_checkable
class Annotator(Protocol):
    """An object that annotates tokenised sentences.

    Signatures contain its ``name`` (``builtin:3-2``), so the name must change if the output changes. The optional
    attribute ``language``, a :class:`Language`, describes its language.
    """

    @property
    def name(self) -> str:
        """The name with a version, such as ``builtin:3-2``."""

    @property
    def rules(self) -> Rules:
        """Rules that merge its edits.

        ERRANT's require English, Penn tags and ClearNLP labels.
        """

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        """Annotate ``sentences[s][t]``, whose tokens must not contain white space.

        The forms of the result are these tokens.
        """


@runtime_checkable
class Lemmatiser(Protocol):
    """An annotator with lemmas without context, as the rules of ERRANT 2.0 require."""

    def bases(self, words: Sequence[str]) -> Sequence[Sequence[str]]:
        """Return the lemmas of each lower-case word as a noun, a verb and an adjective."""


@runtime_checkable
class InKernel(Protocol):
    """An annotator of the kernel, which also extracts its edits."""

    def in_kernel(self, words: WordList, settings: ExtractionSettings) -> KernelExtractor | None:
        """Return the kernel's extractor with these settings.

        Returns None if it differs from this annotator.
        """
