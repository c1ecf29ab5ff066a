"""Similarity of an answer to its source."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache


def similarity_of(text: str, source: str) -> float:
    return dice(pairs(text), pairs(source))


def dice(first: Counter[str], second: Counter[str]) -> float:
    return 2 * (first & second).total() / max(1, first.total() + second.total())


@lru_cache(8)
def pairs(text: str) -> Counter[str]:
    """Return the number of each pair of characters; spaces and case do not count."""
    text = "".join(text.casefold().split())
    return Counter(map("".join, zip(f" {text}", f"{text} ", strict=True))) if text else Counter()


_QUOTES = str.maketrans(dict.fromkeys("“”„«»「」『』", '"') | dict.fromkeys("‘’", "'"))


def is_addition(line: str, new: str, source: str) -> bool:
    """Return whether the source lacks most words and marks that ``new`` lacks."""
    remaining = _words(new)
    removed = _words(line) - remaining
    return bool(remaining) and 3 * (removed & (_words(source) - remaining)).total() <= removed.total()


@lru_cache(8)
def _words(text: str) -> Counter[str]:
    """Return the number of each word and mark except colons; all quotes are equal."""
    text = text.translate(_QUOTES).replace("``", '"').replace("''", '"')
    return Counter(re.findall(r"\w+|[^\w\s:：]", text.casefold()))
