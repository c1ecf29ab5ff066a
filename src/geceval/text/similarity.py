"""Similarity of an answer to its source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
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
    # The pairs within common words are common; usually those at the ends suffice.
    least_shared = least * (len("".join(words)) + len("".join(words_of_source)) + 2) / 2
    if _shared_at_ends(words, words_of_source) >= least_shared:
        return True
    numbers, limits = Counter(words), Counter(words_of_source)
    shared = sum(min(numbers[word], limits[word]) * (len(word) - 1) for word in numbers.keys() & limits.keys())
    return shared >= least_shared or similarity_of(text, source) >= least


def _shared_at_ends(words: Sequence[str], others: Sequence[str]) -> int:
    """Return the number of pairs of characters in the equal first words and the equal last words of two texts."""
    shorter = min(len(words), len(others))
    first = next((index for index in range(shorter) if words[index] != others[index]), shorter)
    rest = shorter - first
    last = next((index for index in range(rest) if words[-1 - index] != others[-1 - index]), rest)
    equal = [*words[:first], *words[len(words) - last :]]
    return len("".join(equal)) - len(equal)


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
    # Where no word is divided, those before ``new`` are removed.
    if before[-1:].isspace() and _WORD.search(new) and is_foreign(before, source):
        return True
    remaining = _words(new)
    removed = _words(line) - remaining
    return bool(remaining) and 3 * (removed & (_words(source) - remaining)).total() <= removed.total()


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
