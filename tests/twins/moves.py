"""Slow and obvious Python of the kernel's moves.rs: merging for Chinese. A token is a character of a string here."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from twins.alignment import Operation, Span, joined, levenshtein

Run = tuple[str, Span]


def runs(operations: Sequence[Operation], by_words: bool) -> list[Run]:
    """M, D, I, S and T, each with its span."""
    found: list[Run] = []
    for kind, group in itertools.groupby(operations, lambda o: o[0][0] if o[0][0] in "MT" else ""):
        own = list(group)
        if kind == "T":
            found += [("T", operation[1:]) for operation in own]
        elif kind == "M":
            found.append(("M", joined(own)))
        elif by_words and all(operation[0] == "S" for operation in own):
            found += [("S", operation[1:]) for operation in own]
        elif any(operation[0] == "S" for operation in own):
            found.append(("S", joined(own)))
        else:
            found += [(one, joined(list(part))) for one, part in itertools.groupby(own, lambda operation: operation[0])]
    return found


def merge_runs(operations: Sequence[Operation], source: str, target: str, *, by_words: bool = False) -> list[Span]:
    """The edits' spans."""
    left, spans = runs(operations, by_words), []
    while left:
        if is_move(left[:3], source, target):
            (_, first), _, (_, last) = left[:3]
            spans.append((first[0], last[1], first[2], last[3]))
            left = left[3:]
        else:
            kind, span = left.pop(0)
            spans += [] if kind == "M" else [span]
    return spans


def is_move(three: Sequence[Run], source: str, target: str) -> bool:
    kinds = "".join(kind for kind, _ in three)
    if kinds not in ("DMI", "IMD", "DTI", "ITD", "SMS"):
        return False
    (_, a), _, (_, b) = three
    gone, come = [source[span[0] : span[1]] for span in (a, b)], [target[span[2] : span[3]] for span in (a, b)]
    if kinds == "SMS":
        return same(gone[0], come[1]) and same(gone[1], come[0])
    text, other = "".join(gone), "".join(come)
    first = text if kinds[0] == "D" else other
    return first not in ("，", "。") and (same(text, other) or (len(text) == len(other) and other in text + text))


def same(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) > 1 and levenshtein(one, other) <= 1)


def type_of(source: str, target: str) -> str:
    if not source:
        return "M"
    if not target:
        return "U"
    return "R:WO" if sorted(source) == sorted(target) else "R"
