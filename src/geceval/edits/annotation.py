"""What an annotator says about the tokens of a batch of sentences, in columns, and the annotator's protocol.

One batch holds every distinct sentence of a run. Strings are interned: a column is an array of ids into
one table, so that 4 million tokens are seven arrays and the kernel looks at each distinct word once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from geceval.base.errors import InputError

if TYPE_CHECKING:
    from geceval._kernel import Extractor, WordList

#: How sentences are aligned and operations merged: as ERRANT 2.3 and later, as its release for BEA-2019, as ERRANT 3
#: without Penn tags, for Czech, or for Chinese by characters or words. docs/languages.md says how they differ.
Rules: TypeAlias = Literal["errant-3", "errant-2.0", "generic", "czech", "chinese"]
#: Those for any language, since they look at universal POS only.
UNIVERSAL_RULES: tuple[Rules, ...] = ("generic", "czech", "chinese")
#: How edits get types: those of ERRANT (English), the universal POS alone, or that and what forms, lemmas and a word
#: list tell in any language, or the operation alone.
TagSet: TypeAlias = Literal["errant-3", "errant-2.0", "generic", "universal", "operation"]

#: The universal parts of speech.
UPOS = frozenset("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split())

Ids = npt.NDArray[np.int32]


class Token(NamedTuple):
    """One annotated token, for tests, small inputs and the eye; batches are columns.

    ``head`` is the index of the token's head in the sentence, its own index for a root.
    """

    form: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int


@dataclass(frozen=True, slots=True)
class Annotated:
    """S annotated sentences with T tokens in all.

    ``strings``: the table, V distinct strings. ``offsets[s]:offsets[s + 1]`` are the tokens of sentence s
    (int64, S + 1). ``form``, ``lemma``, ``pos`` (universal), ``tag`` (Penn), ``dep`` (ClearNLP label): ids into
    ``strings`` (int32, T); the empty string is "not annotated". ``head``: index inside the sentence, a root's
    is its own (int32, T); without a parser every token is a root.
    """

    strings: Sequence[str]
    offsets: npt.NDArray[np.int64]
    form: Ids
    lemma: Ids
    pos: Ids
    tag: Ids
    dep: Ids
    head: Ids

    def __post_init__(self) -> None:
        """Raise InputError unless the columns fit each other: the kernel relies on it."""
        lengths = np.diff(self.offsets)
        columns = (self.form, self.lemma, self.pos, self.tag, self.dep, self.head)
        total = int(self.offsets[-1])
        ids = columns[:-1]
        if (
            self.offsets[0] != 0
            or (lengths < 0).any()
            or any(len(column) != total for column in columns)
            or any(((column < 0) | (column >= len(self.strings))).any() for column in ids)
            or ((self.head < 0) | (self.head >= np.repeat(lengths, lengths))).any()
        ):
            raise InputError("an annotator's columns do not fit each other")

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def sentence(self, s: int) -> list[Token]:
        """The tokens of sentence ``s``, as rows."""
        span = slice(int(self.offsets[s]), int(self.offsets[s + 1]))
        text = [
            [self.strings[i] for i in column[span]] for column in (self.form, self.lemma, self.pos, self.tag, self.dep)
        ]
        return [Token(*row) for row in zip(*text, self.head[span].tolist(), strict=True)]

    @classmethod
    def from_rows(cls, sentences: Iterable[Iterable[Token]]) -> Annotated:
        """Columns out of rows; one Python step a token, so for small batches and slow annotators."""
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
    def by_form(cls, sentences: Sequence[Sequence[str]], lemma_and_pos: Callable[[str], tuple[str, str]]) -> Annotated:
        """Annotate forms without their context: no tags and labels, every token is its own head.

        Cost: a look into a table for each token, and the function for each distinct form.
        """
        lengths = np.fromiter(map(len, sentences), np.int64, len(sentences))
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        ids: dict[str, int] = {"": 0}
        forms = dict.fromkeys(chain.from_iterable(sentences))
        rows = np.zeros((3, len(forms)), np.int32)
        for place, text in enumerate(forms):
            rows[:, place] = [ids.setdefault(said, len(ids)) for said in (text, *lemma_and_pos(text))]
        places = dict(zip(forms, range(len(forms)), strict=True))
        tokens = np.fromiter(map(places.__getitem__, chain.from_iterable(sentences)), np.int64, int(offsets[-1]))
        form, lemma, pos = (np.ascontiguousarray(row) for row in rows[:, tokens])
        nothing = np.zeros(len(tokens), np.int32)
        head = (np.arange(len(tokens)) - np.repeat(offsets[:-1], lengths)).astype(np.int32)
        return cls(list(ids), offsets, form, lemma, pos, nothing, nothing, head)


@dataclass(frozen=True)
class Language:
    """What a plug-in says of its language beside annotations; each part may be left out.

    ``code``: as in ISO 639, such as ``de``. ``tokeniser``: the name of the one that cuts its raw text into what a
    token is here (``char`` for a language without blanks). ``types``: the tag set (None: the one that goes with the
    rules). ``words``: yields the word list of the spelling rule.
    """

    code: str = ""
    tokeniser: str | None = None
    types: TagSet | None = None
    words: Callable[[], WordList] | None = None


@runtime_checkable
class Annotator(Protocol):
    """Annotates tokenised sentences. ``name`` goes into signatures (``builtin-1``) and so changes with the output.

    An annotator that knows more of its language has an attribute ``language``, a :class:`Language`.
    """

    @property
    def name(self) -> str: ...

    @property
    def rules(self) -> Rules:
        """By which rules its edits are merged: those of ERRANT need English, Penn tags, ClearNLP labels."""

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        """Annotate ``sentences[s][t]``, tokens without white space; the forms of the result are these tokens."""


@runtime_checkable
class Lemmatiser(Protocol):
    """An annotator that knows lemmas without context, as the rules of ERRANT 2.0 need them."""

    def bases(self, words: Sequence[str]) -> Sequence[Sequence[str]]:
        """What each lower-cased word is a form of, as a noun, as a verb, as an adjective."""


@runtime_checkable
class InKernel(Protocol):
    """An annotator that the kernel has, so that it extracts edits by itself."""

    def in_kernel(self, words: WordList, merging: str, lev: bool) -> Extractor | None:
        """The kernel's extractor with these settings; None if it is not quite this annotator."""
