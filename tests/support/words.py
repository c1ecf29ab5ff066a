"""The word list of English as a set."""

from __future__ import annotations

import functools
from importlib.resources import files


@functools.cache
def english_words() -> frozenset[str]:
    text = (files("geceval.edits.languages.english") / "words-en.txt").read_text(encoding="utf-8")
    return frozenset(text.splitlines())
