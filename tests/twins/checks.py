"""Slow and obvious twins of kernel/core/src/checks."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence

GLUED, ALONE = ",;:!?", ",;:!?."


def marks(lines: Sequence[str]) -> tuple[int, int, int, int]:
    """Glued, alone, curly, straight."""
    glued = alone = 0
    for line in lines:
        tokens = line.split()
        for place, token in enumerate(tokens):
            ends = GLUED + ("." if place == len(tokens) - 1 else "")
            glued += len(token) > 1 and token[-1] in ends and token[-2].isalnum()
            alone += len(token) == 1 and token in ALONE
    text = "".join(lines)
    return glued, alone, sum("\u2018" <= c <= "\u201f" for c in text), text.count("'") + text.count('"')


def is_lower_word(token: str) -> bool:
    return len(token) > 2 and token.isalpha() and token[0].islower()


def letters(lines: Sequence[str], words: Collection[str]) -> tuple[int, int, int, int, int]:
    """Letters, letters of other scripts than Latin, tokens of letters, those in lower case, those that are unknown."""
    characters = [c for line in lines for c in line if c.isalpha()]
    tokens = [token for line in lines for token in line.split() if token.isalpha()]
    lower = [token for token in tokens if is_lower_word(token)]
    foreign = [c for c in characters if not unicodedata.name(c).startswith("LATIN")]
    return len(characters), len(foreign), len(tokens), len(lower), sum(token not in words for token in lower)


def compare(
    source: Sequence[str], other: Sequence[str], words: Collection[str], most: int = 1 << 63
) -> tuple[int, int, int, int, int]:
    """Emptied, told, unlike, removed, added."""
    emptied = told = unlike = removed = added = 0
    for own, their in zip(source, other, strict=True):
        counts_source, counts_other = Counter(own.lower().split()), Counter(their.lower().split())
        emptied += bool(counts_source) and not counts_other
        if max(counts_source.total(), counts_other.total()) >= 4:
            told += 1
            unlike += 2 * (counts_source & counts_other).total() / (counts_source.total() + counts_other.total()) < 0.5
        if removed + added < most:
            left, right = (
                Counter(token for token in line.split() if is_lower_word(token) and token not in words)
                for line in (own, their)
            )
            removed += (left - right).total()
            added += (right - left).total()
    return emptied, told, unlike, removed, added


def looked_at(lines: int) -> list[int]:
    """The lines that checks look at."""
    numbers, start, step = list(range(300)), 300, 10
    while start < lines:
        numbers += range(start, start + 50 * step, step)
        start, step = start + 50 * step, 2 * step
    return [place for place in numbers if place < lines]
