"""What hypothesis draws: sentences and corpora, small but nasty."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")

#: Few words, so that n-grams repeat; with every kind of white space and some that is none.
WORDS = ["a", "b", "the", "The", "cat", "é", "e\u0301", "👨\u200d👩\u200d👧", "x\u200by", "，"]
SPACES = [" ", "  ", "\t", "\u3000", "\xa0", "\x1c", "\u2028"]


def lists_of(values: Sequence[T], *, min_size: int = 0, max_size: int) -> st.SearchStrategy[list[T]]:
    """Lists of some of these values; one drawn string has a letter for each, many times as fast as one by one."""
    letters = {chr(ord("a") + k): value for k, value in enumerate(values)}
    drawn = st.text("".join(letters), min_size=min_size, max_size=max_size)
    return drawn.map(lambda text: [letters[letter] for letter in text])


@functools.cache
def bytes_of(size: int) -> st.SearchStrategy[bytes]:
    """So many bytes."""
    return st.binary(min_size=size, max_size=size)


def records(
    make: Callable[..., T], *columns: Sequence[Any], min_size: int = 0, max_size: int
) -> st.SearchStrategy[list[T]]:
    """Lists of what is made of one value of each column; drawn bytes choose, many times as fast as draw by draw."""
    width = len(columns)

    def made(drawn: bytes) -> list[T]:
        rows = (drawn[at : at + width] for at in range(0, len(drawn), width))
        return [make(*(values[byte % len(values)] for values, byte in zip(columns, row, strict=True))) for row in rows]

    # To make a strategy takes longer than to draw from it.
    of_size = {size: bytes_of(size * width).map(made) for size in range(min_size, max_size + 1)}
    return st.integers(min_size, max_size).flatmap(of_size.__getitem__)


sentences = lists_of(WORDS, max_size=12).map(" ".join)
odd_sentences = lists_of([*WORDS, *SPACES], max_size=20).map("".join)
any_text = st.text(max_size=30).filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text))


#: Short ones more often.
LENGTHS = [*range(8)] * 5 + [*range(8, 21)]


def line(is_odd: int, places: bytes) -> str:
    """A sentence of words, or an odd one, of words and white space of any kind."""
    pieces = [*WORDS, *SPACES] if is_odd else WORDS
    return ("" if is_odd else " ").join(pieces[place % len(pieces)] for place in places)


@st.composite
def corpora(draw: st.DrawFn, max_references: int = 3) -> tuple[list[str], list[list[str]], list[str]]:
    """Source, references[r][s] and one hypothesis; sentences resemble each other, and some are empty."""
    size = draw(st.integers(1, 6))
    references = draw(st.integers(1, max_references))
    number = size * (2 + references)
    kinds = [(byte % 2, LENGTHS[byte // 2 % len(LENGTHS)]) for byte in draw(bytes_of(number))]
    ends = list(itertools.accumulate((length for _, length in kinds), initial=0))
    drawn = draw(bytes_of(ends[-1]))
    pairs = zip(kinds, itertools.pairwise(ends), strict=True)
    lines = [line(is_odd, drawn[start:end]) for (is_odd, _), (start, end) in pairs]
    columns = [lines[at : at + size] for at in range(0, number, size)]
    return columns[0], columns[2:], columns[1]
