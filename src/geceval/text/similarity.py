"""Similarity of an answer to its source."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from geceval._kernel import CharacterPairs


def similarity_of(text: str, source: str) -> float:
    """Return the similarity of two texts, from 0 to 1: Dice's coefficient of their pairs of characters."""
    return pairs(text).similarity(pairs(source))


@lru_cache(8)
def pairs(text: str) -> CharacterPairs:
    """Return the pairs of characters; spaces and case do not count."""
    return CharacterPairs(text.casefold())


_WORD = re.compile(r"\w+|[^\w\s:：]")
_QUOTES = str.maketrans(dict.fromkeys("“”„«»「」『』", '"') | dict.fromkeys("‘’", "'"))


def is_addition(line: str, new: str, source: str) -> bool:
    """Return whether the source lacks most words and marks that ``new`` lacks."""
    before = line.removesuffix(new)
    is_undivided = before != line and before[-1:].isspace()
    if is_undivided and _WORD.search(new) and is_foreign(before, source):
        return True
    remaining, sentence = _words(new), _words(source)
    removed = _words(before) if is_undivided else _words(line) - remaining
    shared = sum(min(number, max(0, sentence[word] - remaining[word])) for word, number in removed.items())
    return bool(remaining) and 3 * shared <= removed.total()


def is_foreign(text: str, source: str) -> bool:
    """Return whether a source lacks most words and marks of a text."""
    words, sentence = _words(text), _plain(source)
    return 3 * sum(number for word, number in words.items() if word in sentence) <= words.total()


@lru_cache(8)
def _words(text: str) -> Counter[str]:
    """Return the number of each word and mark except colons; all quotes are equal."""
    return Counter(_WORD.findall(_plain(text)))


def _plain(text: str) -> str:
    """Return a text in lower case with equal quotes."""
    return text.translate(_QUOTES).replace("``", '"').replace("''", '"').casefold()
