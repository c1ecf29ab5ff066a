"""The English word list behind the spelling rule: 172,529 words, British with -ise and -ize.

From SCOWL 2020.12.07 as packaged by Debian; the licence stands in words-en.LICENSE, the recipe in
tools/build_words.py.
"""

from __future__ import annotations

import functools
import gzip
from importlib.resources import files

from geceval import _kernel


@functools.cache
def english_words() -> frozenset[str]:
    """The word list, as written: proper names have a capital, all else is lower case. Read once, about 0.05 s."""
    return frozenset(_words())


@functools.cache
def word_list() -> _kernel.WordList:
    """The word list for the kernel. Read once."""
    return _kernel.WordList(_words())


def _words() -> list[str]:
    data = files("geceval.edits.languages.english").joinpath("words-en.txt.gz").read_bytes()
    return gzip.decompress(data).decode().split("\n")
