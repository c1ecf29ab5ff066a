"""kernel/core/src/edits/align/distance.rs again, slow and obvious, and fuzzywuzzy's ratio of sorted words."""

from __future__ import annotations


def indel(first: str, second: str) -> int:
    """Insertions and deletions that turn one text into the other, by the table."""
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        above, row = row, [i]
        for j, b in enumerate(second, 1):
            row.append(above[j - 1] if a == b else 1 + min(above[j], row[j - 1]))
    return row[-1]


def token_sort_ratio(left: str, right: str) -> float:
    """As the definition says it, step by step, letter by letter."""
    sides = []
    for text in (left, right):
        ascii_or_wide = "".join(letter for letter in text if not "\x80" <= letter <= "\xff")
        letters = "".join(letter if letter.isalnum() or letter == "_" else " " for letter in ascii_or_wide)
        sides.append(" ".join(sorted(letters.lower().strip().split())))
    first, second = sides
    if first == second:
        return 1.0
    if not first or not second:
        return 0.0
    total = len(first) + len(second)
    return round(100 * (1 - indel(first, second) / total)) / 100
