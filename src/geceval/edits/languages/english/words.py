"""The English word list behind the spelling rule: 172,529 words, British with -ise and -ize.

From SCOWL 2020.12.07 as packaged by Debian; the licence stands in words-en.LICENSE, the recipe in
tools/build_words.py. It is searched as it lies in the file, so that nothing has to be built first.
"""

from __future__ import annotations

import functools
from pathlib import Path

from geceval._kernel import WordList


@functools.cache
def english_words() -> frozenset[str]:
    """The word list, as written: proper names have a capital, all else is lower case. Read once."""
    return frozenset(_data().decode().splitlines())


@functools.cache
def word_list() -> WordList:
    """The word list for the kernel. Read once, about a millisecond."""
    return WordList.sorted(_data())


def _data() -> bytes:
    return Path(__file__).with_name("words-en.txt").read_bytes()
