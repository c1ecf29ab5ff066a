"""Slow and obvious: text cut as in the Penn Treebank, step by step as docs/tokenisation.md describes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from twins.english import ABBREVIATIONS

#: Marks that are tokens of their own wherever they stand; ``:`` and ``,`` unless a digit follows.
_MARKS = re.compile(r"""\.\.\.|--|``|''|[;@#$%&?!()\[\]{}<>"“”„«»…–—]|[:,](?!\d)""")
_FINAL = re.compile(r"""(?<=[^.])\.(?=[\])}>"'”’»]*$)""")
_OPENING = "([{<\"“„«‘`'’"
_QUOTE = re.compile(r"(?<=[^'’])['’]$")
_CLITIC = re.compile(r"(?i)(?<=[^'’])(?:['’](?:s|m|d|ll|re|ve)|n['’]t)$")
_FUSED = re.compile(
    r"(?i)(?:(can)(not)|(d)(['’]ye)|(gim)(me)|(gon)(na)|(got)(ta)|(lem)(me)|(more)(['’]n)|(wan)(na)|(['’]t)(is|was))"
)
_ABBREVIATION = re.compile(rf"(?i)(?:{'|'.join(map(re.escape, ABBREVIATIONS))})")


def tokenise(text: str) -> list[str]:
    chunks = [*text.split(), ""]
    return [token for chunk, following in pairwise(chunks) for token in _cut(chunk, following)]


def _cut(chunk: str, following: str) -> Iterator[str]:
    stop = _FINAL.search(chunk)
    if stop and (not following or (_begins(following) and not _short(chunk[: stop.start()]))):
        yield from _marks(chunk[: stop.start()])
        yield "."
        yield from _marks(chunk[stop.end() :])
    else:
        yield from _marks(chunk)


def _begins(chunk: str) -> bool:
    return chunk.lstrip(_OPENING)[:1].isupper()


def _short(word: str) -> bool:
    word = word.lstrip(_OPENING)
    initial = re.fullmatch(r"[^\W\d_]", word) is not None
    return initial or "." in word or _ABBREVIATION.fullmatch(f"{word}.") is not None


def _marks(chunk: str) -> Iterator[str]:
    end = 0
    for mark in _MARKS.finditer(chunk):
        yield from _ends(chunk[end : mark.start()])
        yield mark[0]
        end = mark.end()
    yield from _ends(chunk[end:])


def _ends(piece: str) -> Iterator[str]:
    quote = _QUOTE.search(piece)
    piece = piece[: quote.start()] if quote else piece
    clitic = _CLITIC.search(piece)
    piece = piece[: clitic.start()] if clitic else piece
    fused = _FUSED.fullmatch(piece)
    yield from filter(None, fused.groups() if fused else [piece])
    yield from (match[0] for match in (clitic, quote) if match)
