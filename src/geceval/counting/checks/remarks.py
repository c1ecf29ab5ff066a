"""Remarks in place of corrections, such as ``s.o.``, ``ok`` and ``?``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from geceval._kernel import Text
from geceval.text.m2.edit import NO_ERROR

_WORD = re.compile(r"[^\W_]+")
#: Largest number of characters and of tokens of a remark.
_CHARACTERS, _TOKENS = 15, 2
#: Smallest number of words of the sentence, and of its characters for each one of the remark.
_WORDS, _RATIO = 4, 4
#: First character of scripts that are written without spaces between words.
_UNBROKEN = "\u2e80"
#: Remains of a sentence that is deleted.
_FULL_STOPS = (".", "。")


def is_remark(text: str, sentence: str) -> bool:
    """Return whether a text is short and has no word of its sentence, which is long."""
    text = text.strip()
    if not text or len(text) > _CHARACTERS or len(text.split()) > _TOKENS or text in _FULL_STOPS:
        return False
    if len(text) == 1 and text.isalpha() and text < _UNBROKEN:
        return False  # a word, such as "a", of a sentence that is mostly deleted
    if text.rstrip("。") == NO_ERROR:
        return False  # a statement that nothing is wrong has a check of its own
    words = _WORD.findall(sentence.lower())
    unbroken = {character for character in sentence if character >= _UNBROKEN}
    is_long = len(sentence) >= _RATIO * len(text) and (len(words) >= _WORDS or bool(unbroken))
    return is_long and unbroken.isdisjoint(text) and set(_WORD.findall(text.lower())).isdisjoint(words)


@dataclass
class Remarks:
    """Remarks among the lines of a text, part by part.

    Attributes:
        number: Number of remarks.
        first: Number from 1 of the line with the first one.
        example: The first one.
    """

    number: int = 0
    first: int = 0
    example: str = ""
    _lines: int = field(default=0, repr=False)

    def add(self, source: Text, text: Text) -> None:
        """Add the lines of a part. O(lines)."""
        for index in text.short_lines(_CHARACTERS):
            line = str(text[index])
            if is_remark(line, str(source[index])):
                self.number += 1
                if self.number == 1:
                    self.first, self.example = self._lines + index + 1, line.strip()
        self._lines += len(text)

    @property
    def message(self) -> str:
        """The number of remarks, and the first one."""
        verb, noun = ("is", "a remark") if self.number == 1 else ("are", "remarks")
        where = f"{self.example!r} (line {self.first})"
        return f"{self.number} of its {self._lines} lines {verb} {noun} in place of a correction, such as {where}"
