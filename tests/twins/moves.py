"""Slow and obvious Python of the kernel's moves.rs: merging for Chinese. A token is a character of a string here."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from twins.alignment import Operation, Span, joined, levenshtein

Run = tuple[str, Span]


def runs(operations: Sequence[Operation], by_words: bool) -> list[Run]:
    """M, D, I, S and T, each with its span."""
    spans: list[Run] = []
    for kind, group in itertools.groupby(operations, lambda o: o[0][0] if o[0][0] in "MT" else ""):
        group_operations = list(group)
        if kind == "T":
            spans += [("T", operation[1:]) for operation in group_operations]
        elif kind == "M":
            spans.append(("M", joined(group_operations)))
        elif by_words and all(operation[0] == "S" for operation in group_operations):
            spans += [("S", operation[1:]) for operation in group_operations]
        elif any(operation[0] == "S" for operation in group_operations):
            spans.append(("S", joined(group_operations)))
        else:
            spans += [
                (operation_name, joined(list(part)))
                for operation_name, part in itertools.groupby(group_operations, lambda operation: operation[0])
            ]
    return spans


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
    text, inserted = "".join(gone), "".join(come)
    first = text if kinds[0] == "D" else inserted
    return first not in ("，", "。") and (
        same(text, inserted) or (len(text) == len(inserted) and inserted in text + text)
    )


def same(first: str, second: str) -> bool:
    return first == second or (min(len(first), len(second)) > 1 and levenshtein(first, second) <= 1)


def type_of(source: str, target: str) -> str:
    if not source:
        return "M"
    if not target:
        return "U"
    return "R:WO" if sorted(source) == sorted(target) else "R"
