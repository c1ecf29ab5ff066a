"""Slow and obvious Python of the types of any language in the kernel's classify.rs."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence

from geceval.edits.annotation import Token
from twins.alignment import near_reordering, similarity

Span = tuple[int, int, int, int]


def classify(source: Sequence[Token], target: Sequence[Token], span: Span, types: str, words: Collection[str]) -> str:
    a, b, c, d = span
    old, new = list(source[a:b]), list(target[c:d])
    if forms(old) == forms(new):
        return "UNK"
    while old and new and len(old) + len(new) > 2 and low(old[-1]) == low(new[-1]):
        del old[-1], new[-1]
    if not old or not new:
        return ("M:" if new else "U:") + pos_of(old + new)
    return "R:" + replaced(old, new, types, words)


def replaced(old: list[Token], new: list[Token], types: str, words: Collection[str]) -> str:
    lower_old, lower_new = list(map(low, old)), list(map(low, new))
    if "".join(lower_old) == "".join(lower_new):
        if types == "generic":
            return "ORTH"
        if lower_old == lower_new:
            return "ORTH:CASING"
        return "ORTH:WSPACE" if "".join(forms(old)) == "".join(forms(new)) else "ORTH"
    if sorted(lower_old) == sorted(lower_new):
        return "WO"
    if types == "generic":
        return pos_of(old + new)
    if list(map(without_marks, lower_old)) == list(map(without_marks, lower_new)):
        return "DIACR"
    if len(old) == len(new) == 1:
        return of_a_pair(old[0], new[0], words) or pos_of(old + new)
    if 2 <= len(old) == len(new) <= 5 and near_reordering(forms(old), forms(new)):
        return "WO:SPELL"
    return pos_of(old + new)


def of_a_pair(old: Token, new: Token, words: Collection[str]) -> str | None:
    is_misspelt = words and old.form.isalpha() and old.form not in words and low(old) not in words
    if is_misspelt and similarity(low(old), low(new)) > 0.55:
        return "SPELL"
    if old.lemma != new.lemma or old.pos == "":
        return None
    if old.pos == "X":
        return "SPELL" if new.pos != "X" else None
    return f"{old.pos}:INFL" if old.pos == new.pos else "MORPH"


def forms(side: Sequence[Token]) -> list[str]:
    return [token.form for token in side]


def low(token: Token) -> str:
    return token.form.lower()


def pos_of(tokens: Sequence[Token]) -> str:
    pos = {token.pos for token in tokens}
    return (pos.pop() or "OTHER") if len(pos) == 1 else "OTHER"


def without_marks(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.category(c).startswith("M"))
