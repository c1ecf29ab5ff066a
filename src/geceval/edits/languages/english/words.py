"""The English word list behind the spelling rule: 172,529 words, British with -ise and -ize.

From SCOWL 2020.12.07 as packaged by Debian; the licence stands in words-en.LICENSE, the recipe in
tools/build_words.py.
"""

from __future__ import annotations

import functools
import gzip
from importlib.resources import files


@functools.cache
def english_words() -> frozenset[str]:
    """The word list, as written: proper names have a capital, all else is lower case. Read once, about 0.05 s."""
    data = files("geceval.edits.languages.english").joinpath("words-en.txt.gz").read_bytes()
    return frozenset(gzip.decompress(data).decode().split("\n"))
