"""Edits found right although no reference has them: no false positives.

A file of them is M2: the edits of all its annotators are accepted, all alternatives, in every sentence of the same
tokens. Two edits are the same if they produce the same sentence, with any unchanged tokens around them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.counting.counts import Evidence
from geceval.text.files import file_state
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import correction_of, minimal

#: Start, end and tokens of an edit without equal tokens at its beginning and its end.
Minimal: TypeAlias = tuple[int, int, tuple[str, ...]]


def minimise(tokens: Sequence[str], start: int, end: int, text: str) -> Minimal:
    """Return an edit without equal tokens at its ends: [a b -> a c] is [b -> c]."""
    words = text.split()
    start, end, first, last = minimal(tokens, words, (start, end, 0, len(words)))
    return start, end, tuple(words[first:last])


@dataclass(frozen=True, eq=False)
class Valid:
    """A file of accepted edits: their types, by sentence and effect."""

    digest: str
    edits: Mapping[str, Mapping[Minimal, str]]

    def of(self, tokens: Sequence[str]) -> Mapping[Minimal, str]:
        """Return the types of a sentence's accepted edits."""
        return self.edits.get(" ".join(tokens), {})

    def accept(
        self, evidence: Evidence, rows: NDArray[np.intp], source: Sequence[str | None], strings: Sequence[str]
    ) -> tuple[NDArray[np.intp], list[str]]:
        """Return the rows of evidence that hold accepted edits, and the edits' types.

        ``strings``: corrections.
        """
        assert evidence.start is not None
        assert evidence.end is not None
        assert evidence.text is not None
        columns = (evidence.sentence, evidence.start, evidence.end, evidence.text)
        types: dict[int, str] = {}
        for row, s, start, end, text in zip(rows.tolist(), *(column[rows].tolist() for column in columns), strict=True):
            tokens = str(source[s]).split()
            type_ = self.of(tokens).get(minimise(tokens, start, end, strings[text]))
            if type_ is not None:
                types[row] = type_
        return np.array(list(types), np.intp), list(types.values())


def minimal_edits(edits: Iterable[tuple[int, int, str, str]], tokens: Sequence[str], *, literal: bool) -> list[Minimal]:
    """Return the edits (start, end, type, text) of a version, without noops."""
    return [minimise(tokens, start, end, correction_of(text, literal)) for start, end, _, text in edits if start >= 0]


def read_valid(path: str) -> Valid:
    """Return a file of accepted edits.

    Raises InputError as m2.read, for edits outside of their sentence, and without the file.
    """
    return _read(path, *file_state(path, "valid is an M2 file"))


def signed_valid(path: str | None) -> dict[str, str]:
    """Return the entry of a signature for a file of accepted edits.

    It is its name and digest; nothing without a file.
    """
    return {} if path is None else {"valid": f"{Path(path).name}@{read_valid(path).digest}"}


@lru_cache(maxsize=4)
def _read(path: str, changed: int, size: int) -> Valid:
    blocks = Blocks.read(path).fitting("error")
    edits: dict[str, dict[Minimal, str]] = {}
    for block in blocks:
        own = edits.setdefault(" ".join(block.tokens), {})
        for edit in block.edits:
            if not edit.is_noop:
                span = block.tokens, edit.start, edit.end
                own.update((minimise(*span, text), edit.type) for text in edit.alternatives)
    lines = sorted(f"{sentence}\t{edit}" for sentence, own in edits.items() for edit in own)
    return Valid(f"{zlib.crc32('|'.join(lines).encode()):08x}", edits)


def place_types(types: Sequence[str], strings: Sequence[str]) -> tuple[NDArray[np.int32], list[str]]:
    """Return the place of each type among the strings, with new ones added."""
    places = {text: place for place, text in reversed(list(enumerate(strings)))}
    extended = [*strings, *(type_ for type_ in dict.fromkeys(types) if type_ not in places)]
    places |= {text: place for place, text in enumerate(extended[len(strings) :], len(strings))}
    return np.array([places[type_] for type_ in types], np.int32), extended
