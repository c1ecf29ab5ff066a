"""Similarity of an answer to its source."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TypeAlias

#: Pairs of characters, with their numbers.
Pairs: TypeAlias = "Counter[tuple[str, str]]"


def similarity_of(text: str, source: str) -> float:
    """Return the similarity of two texts, from 0 to 1, by their pairs of characters."""
    return dice(pairs(text), pairs(source))


def is_similar(text: str, source: str, least: float) -> bool:
    """Return whether the similarity of two texts is at least ``least``."""
    words, words_of_source = text.casefold().split(), source.casefold().split()
    # The pairs within common words are common; usually they suffice.
    numbers, limits = Counter(words), Counter(words_of_source)
    shared = sum(min(numbers[word], limits[word]) * (len(word) - 1) for word in numbers.keys() & limits.keys())
    pairs_of_both = len("".join(words)) + len("".join(words_of_source)) + 2
    return 2 * shared >= least * pairs_of_both or similarity_of(text, source) >= least


def dice(first: Pairs, second: Pairs) -> float:
    """Return Dice's coefficient of two multisets."""
    common = first.keys() & second.keys()  # much faster than an intersection of counters
    shared = sum(map(min, map(first.__getitem__, common), map(second.__getitem__, common)))
    return 2 * shared / max(1, first.total() + second.total())


@lru_cache(8)
def pairs(text: str) -> Pairs:
    """Return the number of each pair of characters; spaces and case do not count."""
    text = "".join(text.casefold().split())
    return Counter(zip(f" {text}", f"{text} ", strict=True)) if text else Counter()


_WORD = re.compile(r"\w+|[^\w\s:：]")
_QUOTES = str.maketrans(dict.fromkeys("“”„«»「」『』", '"') | dict.fromkeys("‘’", "'"))


def is_addition(line: str, new: str, source: str) -> bool:
    """Return whether the source lacks most words and marks that ``new`` lacks."""
    before = line.removesuffix(new)
    if before[-1:].isspace() and _WORD.search(new):  # no word is divided: those before ``new`` are removed
        removed, sentence = _words(before), _plain(source)
        if 3 * sum(number for word, number in removed.items() if word in sentence) <= removed.total():
            return True
    remaining = _words(new)
    removed = _words(line) - remaining
    return bool(remaining) and 3 * (removed & (_words(source) - remaining)).total() <= removed.total()


@lru_cache(8)
def _words(text: str) -> Counter[str]:
    """Return the number of each word and mark except colons; all quotes are equal."""
    return Counter(_WORD.findall(_plain(text)))


def _plain(text: str) -> str:
    """Return a text in lower case with equal quotes."""
    return text.translate(_QUOTES).replace("``", '"').replace("''", '"').casefold()
