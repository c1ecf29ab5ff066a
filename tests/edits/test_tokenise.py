"""Tokens of English: what is cut and what stays whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geceval.edits.languages.english.tokenise import tokenise


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", ""),
        ("He said : Fine .", "He said : Fine ."),
        ("He doesn't, they've won't.", "He does n't , they 've wo n't ."),
        ("My friend's dogs' tails", "My friend 's dogs ' tails"),
        ('"Stop!" (she said)...', '" Stop ! " ( she said ) ...'),
        ("Mr. Smith, e.g. in the U.S. at 3.5% or $1,000.", "Mr. Smith , e.g. in the U.S. at 3.5 % or $ 1,000 ."),
        ("a well-known mother-in-law", "a well - known mother - in - law"),
        (
            "See https://example.org/a?b=c or a.b@example.org :-)",
            "See https://example.org/a?b=c or a.b@example.org :-)",
        ),
        ("I cannot; dont", "I can not ; do nt"),
        ("end.Next one,two", "end . Next one , two"),
        ("l’été “naïve”", "l’été “ naïve ”"),
        ("'s n't", "'s n't"),
        ("!!!", "! ! !"),
    ],
)
def test_english(text: str, tokens: str) -> None:
    assert tokenise(text) == tokens.split()


@given(st.text(max_size=40))
def test_no_character_is_lost_and_nothing_hangs(text: str) -> None:
    tokens = tokenise(text)
    assert "".join(tokens) == "".join(text.split())
    assert all(tokens)


@given(st.lists(st.sampled_from("the cat 's n't , . U.S. 3.5 :-) well - known do".split()), max_size=8))
def test_tokens_joined_by_blanks_stay(tokens: list[str]) -> None:
    assert tokenise(" ".join(tokens)) == tokens


def test_what_is_too_long_for_a_word_is_cut_at_every_sign() -> None:
    assert tokenise("a-" * 10_000) == ["a", "-"] * 10_000
    assert tokenise("https://example.org/" + "a" * 10_000) == ["https://example.org/" + "a" * 10_000]
