"""What hypothesis draws: sentences and corpora, small but nasty."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

#: Few words, so that n-grams repeat; with every kind of white space and some that is none.
WORDS = ["a", "b", "the", "The", "cat", "é", "e\u0301", "👨\u200d👩\u200d👧", "x\u200by", "，"]
SPACES = [" ", "  ", "\t", "\u3000", "\xa0", "\x1c", "\u2028"]


def lists_of_words(words: Sequence[str], *, min_size: int = 0, max_size: int) -> st.SearchStrategy[list[str]]:
    """Lists of some of these words; one drawn string has a letter for each, many times as fast as word by word."""
    letters = {chr(ord("a") + k): word for k, word in enumerate(words)}
    drawn = st.text("".join(letters), min_size=min_size, max_size=max_size)
    return drawn.map(lambda text: [letters[letter] for letter in text])


sentences = lists_of_words(WORDS, max_size=12).map(" ".join)
odd_sentences = lists_of_words([*WORDS, *SPACES], max_size=20).map("".join)
any_text = st.text(max_size=30).filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text))


@st.composite
def corpora(draw: st.DrawFn, max_references: int = 3) -> tuple[list[str], list[list[str]], list[str]]:
    """Source, references[r][s] and one hypothesis; sentences resemble each other, and some are empty."""
    size = draw(st.integers(1, 6))
    references = draw(st.integers(1, max_references))
    text = st.one_of(sentences, odd_sentences)
    columns = [draw(st.lists(text, min_size=size, max_size=size)) for _ in range(2 + references)]
    return columns[0], columns[2:], columns[1]
