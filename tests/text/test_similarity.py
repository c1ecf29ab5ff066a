"""Similarity of answers to their sources: bounds and short cuts agree with the definitions."""

from __future__ import annotations

import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from geceval.text.similarity import is_addition, pairs, similarity_of

texts = st.lists(st.sampled_from(["He", "he", "goes", "go", "home", ",", "“", "''", "ß", "SS", "a:b", "…"])).map(
    " ".join
)


def pairs_of(text: str) -> Counter[str]:
    text = f" {''.join(text.casefold().split())} "
    return Counter(text[start : start + 2] for start in range(len(text) - 1)) if text.strip() else Counter()


def words_of(text: str) -> Counter[str]:
    text = re.sub("[“”„«»「」『』]|``|''", '"', re.sub("[‘’]", "'", text))
    return Counter(re.findall(r"\w+|[^\w\s:：]", text.casefold()))


@given(texts, texts)
def test_similarity_is_dice_of_pairs_of_characters(first: str, second: str) -> None:
    a, b = pairs_of(first), pairs_of(second)
    assert similarity_of(first, second) == 2 * (a & b).total() / max(1, a.total() + b.total())


@given(texts, texts, texts)
def test_pairs_are_a_multiset(first: str, second: str, third: str) -> None:
    a, b, c = map(pairs_of, (first, second, third))
    rest = pairs(first).without(pairs(second))
    assert (len(rest), rest.shared(pairs(third))) == ((a - b).total(), ((a - b) & c).total())


@given(texts, texts, texts, st.sampled_from(["", " ", ": "]))
def test_addition_has_few_words_of_the_source(before: str, new: str, source: str, joint: str) -> None:
    line, new = f"{before}{joint}{new}".strip(), new.strip()
    remaining = words_of(new)
    removed = words_of(line) - remaining
    expected = bool(remaining) and 3 * (removed & (words_of(source) - remaining)).total() <= removed.total()
    assert is_addition(line, new, source) == expected


def test_equal_texts_are_similar_whatever_their_blanks() -> None:
    assert similarity_of("He go home.", "he  go home .") == 1
    assert similarity_of("", "") == 0
    assert similarity_of("a \ud800", "a") < 1  # half a character outside Unicode
