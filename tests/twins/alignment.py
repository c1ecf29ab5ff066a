"""Slow and obvious Python of the kernel's alignment, merging and distances of words, on rows of annotated tokens."""

from __future__ import annotations

import functools
import itertools
import string
import unicodedata
from collections.abc import Sequence

from geceval.edits.annotation import Token

OPEN = {"ADJ", "ADV", "NOUN", "VERB"}
Operation = tuple[str, int, int, int, int]
Span = tuple[int, int, int, int]


def common_subsequence(a: str, b: str) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for x in a:
        new = [0]
        for j, y in enumerate(b):
            new.append(row[j] + 1 if x == y else max(row[j + 1], new[j]))
        row = new
    return row[-1]


def indel(a: str, b: str) -> float:
    """Insertions and deletions over the sum of the lengths."""
    total = len(a) + len(b)
    return (total - 2 * common_subsequence(a, b)) / total if total else 0.0


def levenshtein(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        new = [i]
        for j, y in enumerate(b, 1):
            new.append(min(row[j] + 1, new[j - 1] + 1, row[j - 1] + (x != y)))
        row = new
    return row[-1]


def similarity(a: str, b: str) -> float:
    return 1.0 - levenshtein(a, b) / max(len(a), len(b)) if a or b else 1.0


def substitution_cost(o: Token, c: Token) -> float:
    if o.form.lower() == c.form.lower():
        return 0.0
    lemma = 0.0 if o.lemma == c.lemma else 0.499
    pos = 0.0 if o.pos == c.pos else 0.25 if {o.pos, c.pos} <= OPEN else 0.5
    return lemma + pos + indel(o.form, c.form)


@functools.cache
def bare(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[:1]


@functools.cache
def letter_cost(x: str, y: str) -> float:
    """What a letter for another one costs, by the rules for Czech."""
    if x == y:
        return 0.0
    x, y = x.lower()[:1], y.lower()[:1]
    if x == y:
        return 0.1
    if bare(x) == bare(y):
        return 0.2 if x == bare(x) or y == bare(y) else 0.3
    return 0.3 if {bare(x), bare(y)} == {"i", "y"} else 1.0


@functools.cache
def near(a: str, b: str) -> bool:
    """By the rules for Czech: twice the weighted distance is less than a quarter of the lengths."""
    row = [float(j) for j in range(len(b) + 1)]
    for i, x in enumerate(a, 1):
        new = [float(i)]
        for j, y in enumerate(b, 1):
            new.append(min(row[j] + 1, new[j - 1] + 1, row[j - 1] + letter_cost(x, y)))
        row = new
    return a == b or row[-1] < 0.125 * (len(a) + len(b))


def near_reordering(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether the words are nearly the same in an order that moves the first and the last one."""
    size = len(old)
    return any(
        order[0] != 0 and order[-1] != size - 1 and all(near(old[i], new[j]) for i, j in enumerate(order))
        for order in itertools.permutations(range(size))
    )


def align(source: Sequence[Token], target: Sequence[Token], *, plain: bool, rules: str = "errant-3") -> list[Operation]:
    """(kind, source start, source end, target start, target end), from left to right."""
    cost: dict[tuple[int, int], float] = {}
    back: dict[tuple[int, int], tuple[str, int, int]] = {}
    for i, j in itertools.product(range(len(source) + 1), range(len(target) + 1)):
        if i == 0 or j == 0:
            cost[i, j] = i + j
            back[i, j] = ("D", 1, 0) if i else ("I", 0, 1)
            continue
        if source[i - 1].form == target[j - 1].form:
            cost[i, j], back[i, j] = cost[i - 1, j - 1], ("M", 1, 1)
            continue
        step = 1.0 if plain else substitution_cost(source[i - 1], target[j - 1])
        options = [
            (cost[i - 1, j - 1] + step, ("S", 1, 1)),
            (cost[i, j - 1] + 1, ("I", 0, 1)),
            (cost[i - 1, j] + 1, ("D", 1, 0)),
        ]
        if not plain:
            options[:0] = transposition(source, target, i, j, cost, rules)
        cost[i, j], back[i, j] = min(options, key=lambda option: option[0])
    operations = []
    i, j = len(source), len(target)
    while i or j:
        kind, di, dj = back[i, j]
        operations.append((kind, i - di, i, j - dj, j))
        i, j = i - di, j - dj
    return operations[::-1]


def transposition(
    source: Sequence[Token], target: Sequence[Token], i: int, j: int, cost: dict[tuple[int, int], float], rules: str
) -> list[tuple[float, tuple[str, int, int]]]:
    """The shortest window that ends here and holds the same words on both sides, before a match on the diagonal."""
    for size in range(2, min(i, j) + 1):
        start, end = (i - size, j - size), (i - size + 1, j - size + 1)
        if cost[end] == cost[start]:
            break
        old, new = ([t.form for t in side] for side in (source[i - size : i], target[j - size : j]))
        if rules == "czech" and size <= 5:
            is_even = near_reordering(old, new)
        else:
            is_even = sorted(map(str.lower, old)) == sorted(map(str.lower, new))
        if is_even:
            return [(cost[start] + (size - 1), (f"T{size}", size, size))]  # rounded once, as ERRANT's
    return []


def joined(operations: Sequence[Operation]) -> Span:
    return operations[0][1], operations[-1][2], operations[0][3], operations[-1][4]


def merge(
    operations: Sequence[Operation],
    source: Sequence[Token],
    target: Sequence[Token],
    merging: str,
    rules: str = "errant-3",
) -> list[Span]:
    if merging == "all-split":
        return [operation[1:] for operation in operations if operation[0] != "M"]
    if merging in ("all-merge", "all-equal"):
        by = {"all-merge": lambda operation: operation[0] == "M", "all-equal": lambda operation: operation[0]}[merging]
        groups = [list(group) for _, group in itertools.groupby(operations, by)]
        return [joined(group) for group in groups if group[0][0] != "M"]
    spans: list[Span] = []
    for kind, group in itertools.groupby(operations, lambda operation: operation[0][0] in "MT" and operation[0][0]):
        if kind == "T":
            spans += [operation[1:] for operation in group]
        elif not kind:
            spans += [piece[1:] for piece in by_rules(list(group), source, target, rules)]
    return spans


def by_rules(
    sequence: list[Operation], source: Sequence[Token], target: Sequence[Token], rules: str
) -> list[Operation]:
    """Insertions, deletions and substitutions side by side, merged and split."""

    def again(part: list[Operation]) -> list[Operation]:
        return by_rules(part, source, target, rules)

    def merged(first: int, last: int) -> list[Operation]:
        return [*again(sequence[:first]), ("X", *joined(sequence[first : last + 1])), *again(sequence[last + 1 :])]

    def split(at: int) -> list[Operation]:
        return again(sequence[:at]) + again(sequence[at:])

    if len(sequence) <= 1:
        return sequence
    kinds = [operation[0] for operation in sequence]
    if set(kinds) in ({"D"}, {"I"}):
        return [("X", *joined(sequence))]
    pairs = sorted(itertools.combinations(range(len(sequence)), 2), key=lambda pair: pair[0] - pair[1])
    for start, end in pairs:
        if "S" not in kinds[start : end + 1]:
            continue
        a, b, c, d = joined(sequence[start : end + 1])
        old, new = source[a:b], target[c:d]
        if rules.startswith("errant"):
            if start == 0 and rules != "errant-2.0" and "POS" in (old[0].tag, new[0].tag):
                return split(1)
            if "POS" in (old[-1].tag, new[-1].tag):
                return merged(end - 1, end)
        if old[-1].form.lower() == new[-1].form.lower():
            if start == 0 and (
                (len(old) == 1 and new[0].form[:1].isupper()) or (len(new) == 1 and old[0].form[:1].isupper())
            ):
                return merged(start, end)
            if any(len(side) > 1 and is_punctuation(side[-2]) for side in (old, new)):
                return merged(end - 1, end)
        if letters(old) == letters(new):
            return merged(start, end)
        pos = {token.pos for token in (*old, *new)}
        is_verbal = pos == {"PART", "VERB"} if rules == "czech" else pos <= {"AUX", "PART", "VERB"}
        if len(old) != len(new) and (len(pos) == 1 or is_verbal):
            return merged(start, end)
        if end - start > 1:
            continue
        if len(old) == len(new) == 2:
            return split(start + 1)
        if any(
            kinds[at] == "S" and alike(old[edge].form, new[edge].form, rules) for at, edge in ((start, 0), (end, -1))
        ):
            return split(start + 1)
        if end == len(sequence) - 1 and (
            (kinds[-1] in "DS" and old[-1].pos == "DET") or (kinds[-1] in "IS" and new[-1].pos == "DET")
        ):
            return split(len(sequence) - 1)
    a, b, c, d = joined(sequence)
    content = {token.pos for token in (*source[a:b], *target[c:d])} & (OPEN if rules == "czech" else OPEN | {"AUX"})
    return [("X", *joined(sequence))] if content and "S" in kinds else sequence


def alike(a: str, b: str, rules: str) -> bool:
    return near(a, b) if rules == "czech" else 1 - indel(a, b) > 0.75


def is_punctuation(token: Token) -> bool:
    return token.pos == "PUNCT" or token.form in string.punctuation


def letters(tokens: Sequence[Token]) -> str:
    return "".join(token.form.lower() for token in tokens).replace("'", "").replace("-", "")
