"""The word list of English as a set."""

from __future__ import annotations

import functools
from pathlib import Path

#: The file of the words, for the public tools.
PATH = Path(__file__).parents[2] / "kernel" / "core" / "src" / "edits" / "english" / "words-en.txt"


@functools.cache
def english_words() -> frozenset[str]:
    return frozenset(PATH.read_text(encoding="utf-8").splitlines())
