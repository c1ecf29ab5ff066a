"""Edits that somebody found right though no reference has them: false positives that are none.

A file of them is M2: the edits of all its annotators are accepted, all alternatives, in every sentence of the same
tokens. An edit is the same if it makes the same of the sentence, whatever unchanged tokens it takes in.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from geceval.text.files import state_of
from geceval.text.m2 import Blocks, Edit

#: Start, end and tokens of an edit without equal tokens at its beginning and its end.
Minimal: TypeAlias = tuple[int, int, tuple[str, ...]]


def minimal(tokens: Sequence[str], start: int, end: int, text: str) -> Minimal:
    """[a b -> a c] is [b -> c]."""
    words = text.split()
    while start < end and words and tokens[start] == words[0]:
        start, words = start + 1, words[1:]
    while start < end and words and tokens[end - 1] == words[-1]:
        end, words = end - 1, words[:-1]
    return start, end, tuple(words)


@dataclass(frozen=True, eq=False)
class Valid:
    """A file of accepted edits: their types, by sentence and by what they do."""

    name: str
    digest: str
    edits: Mapping[str, Mapping[Minimal, str]]

    @property
    def signed(self) -> str:
        """The file as signatures name it."""
        return f"{self.name}@{self.digest}"

    def types(self, source: Sequence[str], rows: Any) -> list[str | None]:
        """The types of the accepted ones among edits (sentence, start, end, text); None of the others."""
        found: list[str | None] = []
        for s, start, end, text in rows:
            tokens = source[s].split()
            accepted = self.edits.get(" ".join(tokens), {})
            found.append(accepted.get(minimal(tokens, start, end, text)))
        return found


def read_valid(path: str) -> Valid:
    """A file of accepted edits. Raises InputError as m2.read, for edits that do not fit, and without such a file."""
    return _read(path, *state_of(path, "valid is an M2 file"))


@lru_cache(maxsize=4)
def _read(path: str, changed: int, size: int) -> Valid:
    blocks = Blocks.read(path).as_errant().fitting("error")
    edits: dict[str, dict[Minimal, str]] = {}
    for block in blocks:
        own = edits.setdefault(" ".join(block.tokens), {})
        for edit in block.edits:
            own.update(dict.fromkeys(_made(block.tokens, edit), edit.type))
    lines = sorted(f"{sentence}\t{edit}" for sentence, own in edits.items() for edit in own)
    return Valid(Path(path).name, f"{zlib.crc32('|'.join(lines).encode()):08x}", edits)


def _made(tokens: Sequence[str], edit: Edit) -> list[Minimal]:
    if edit.is_noop:
        return []
    return [minimal(tokens, edit.start, edit.end, text) for text in edit.alternatives]


def places(types: Sequence[str | None], strings: Sequence[str]) -> tuple[NDArray[np.int32], list[str]]:
    """For each accepted edit the place of its type among the strings, and the strings with those that are new."""
    table = {text: place for place, text in reversed(list(enumerate(strings)))}
    extended = list(strings)
    found = []
    for type_ in types:
        if type_ is not None:
            if type_ not in table:
                table[type_] = len(extended)
                extended.append(type_)
            found.append(table[type_])
    return np.array(found, np.int32), extended
