"""What an annotator says about the tokens of a batch of sentences, in columns, and the annotator's protocol.

One batch holds every distinct sentence of a run. Strings are interned: a column is an array of ids into
one table, so that 4 million tokens are seven arrays and the kernel looks at each distinct word once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

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

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def sentence(self, s: int) -> list[Token]:
        """The tokens of sentence ``s``, as rows."""
        span = slice(int(self.offsets[s]), int(self.offsets[s + 1]))
        text = [
            [self.strings[i] for i in column[span]]
            for column in (self.form, self.lemma, self.pos, self.tag, self.dep)
        ]
        return [Token(*row) for row in zip(*text, self.head[span].tolist(), strict=True)]

    @classmethod
    def from_rows(cls, sentences: Iterable[Iterable[Token]]) -> Annotated:
        """Columns out of rows; one Python step a token, so for small batches and slow annotators."""
        ids: dict[str, int] = {}
        offsets, columns = [0], [[] for _ in Token._fields]  # type: tuple[list[int], list[list[int]]]
        for sentence in sentences:
            for token in sentence:
                for column, value in zip(columns[:-1], token[:-1], strict=True):
                    column.append(ids.setdefault(value, len(ids)))
                columns[-1].append(token.head)
            offsets.append(len(columns[0]))
        arrays = [np.array(column, dtype=np.int32) for column in columns]
        return cls(tuple(ids), np.array(offsets, dtype=np.int64), *arrays)


class Annotator(Protocol):
    """Annotates tokenised sentences. ``name`` goes into signatures (``builtin-1``) and so changes with the output."""

    @property
    def name(self) -> str: ...

    @property
    def language(self) -> str:
        """ISO 639 code: edits in ``en`` get the ERRANT types, in other languages generic ones."""

    def annotate(self, sentences: Sequence[Sequence[str]]) -> Annotated:
        """Annotate ``sentences[s][t]``, tokens without white space; the forms of the result are these tokens."""
