"""Headings of documents among sentences: blocks and lines that are no sentences.

UA-GEC begins each document with a block ``# 0123`` without edits; other corpora have ``-DOCSTART-``,
``<doc id="7">`` or the identifier alone. They would be scored as correct sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import Text
from geceval.base.arguments import listed
from geceval.base.caller_warnings import warn
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import EditColumns

#: Words for a document or a part of it, and its identifier.
_NOUN = r"(?:new[ _-]?)?(?:doc(?:ument)?|par(?:agraph)?|text|essay|file|section|sent(?:ence)?|документ|текст)s?"
_NUMBER = r"\d[\d._/:-]*"
_IDENTIFIER = r"[\w./:-]*\d[\w./:-]*"
_NAMED = rf"{_NOUN}(?:[\s_-]*id)?(?:\s*[=:]\s*\S+|\s*{_IDENTIFIER})"
_RULE = r"(?:[=*~_+-]\s*){2,}"
#: A heading by its form. A hashtag (``# spring``), a date, a number and a list item are none.
_HEADING = (
    rf"(?:[#\uff03]\s*)+(?:{_NUMBER}|{_NAMED}|{_NOUN}(?:[\s_-]*id)?|(?:id|no\.?|nr\.?|№)\s*[=:]?\s*{_IDENTIFIER}"
    rf"|(?:text|sent_id|newdoc|newpar)\b[^=]*=.*)\s*:?"
    rf"|-\s*DOCSTART\s*-(?:\s.*)?"
    rf"|<\s*/?\s*(?:{_NOUN}|p|s|body|corpus)\b[^<>]*>"
    rf"|<\s*[^\W\d][\w.-]*(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s<>]+))+\s*/?>"
    rf"|{_RULE}(?:{_NUMBER}|{_NAMED})\s*{_RULE}"
    rf"|[\[({{<]\s*{_NAMED}\s*[\])}}>]"
)
#: Characters with which such a line begins.
_STARTS = [*"#\uff03-<=*~_+[({ "]
#: A line that may be an identifier, or also a sentence such as a date: at most three words, of which the last one has a
#: number, with marks around them and a note in brackets: ``[ 7 ]``, ``Topic 7 :``, ``# 7 (B2)``.
_SERIAL = (
    r"[^\w\s]{0,3}\s*(?:[^\W\d][\w-]*\.?\s*[=:]?\s*){0,2}[#\u2116@]?\s*[\w.*/:-]*\d[\w*/:-]*(?:\.[\w*/:-]+)*\s*[\])}>:]{0,3}"
    r"(?:\s*[(\[][^()\[\]]*[)\]])?"
)
#: Largest length of such a line, which bounds the time of the search.
LONGEST_SERIAL = 60
#: Number of headings in a message.
SHOWN = 3


class Headings:
    """Finds the headings of a corpus, part by part."""

    def __init__(self) -> None:
        self._lines = 0
        #: The form of the first line if it may be an identifier, and all lines of this form: place, line, unedited.
        self._form: str | None = None
        self._members: list[tuple[int, str, bool]] = []

    def add(self, source: Text, is_unedited: Sequence[bool] | NDArray[np.bool_]) -> list[int]:
        """Return the places, in this part, of the lines that are headings by their form and have no edits."""
        if self._lines == 0 and len(source) and may_be_identifier(str(source[0]).strip()):
            self._form = _form_of(source[0])
        if self._form is not None:
            for place, line in enumerate(source):
                if _form_of(line) == self._form:
                    self._members.append((self._lines + place, str(line).strip(), bool(is_unedited[place])))
        self._lines += len(source)
        return [place for place in _places_by_form(source) if is_unedited[place]]

    @property
    def members(self) -> list[int]:
        """Places of the lines that may be identifiers."""
        return [place for place, _, _ in self._members]

    def series(self) -> list[int]:
        """Return the places of identifiers that begin the documents of the corpus.

        The first line is one, there are several, all are different, none has edits, and sentences follow each. Those
        without letters have one length or ascend.
        """
        places, lines, are_unedited = [*zip(*self._members, strict=True)] or [(), (), ()]
        if len(lines) < 2 or len(set(lines)) < len(lines) or not all(are_unedited):
            return []
        if 1 in np.diff(places) or places[-1] == self._lines - 1:
            return []
        if not any(character.isalpha() for character in lines[0]) and len(set(map(len, lines))) > 1:
            numbers = [[*map(int, re.findall(r"\d+", line))] for line in lines]
            if numbers != sorted(numbers):
                return []
        return list(places)

    def series_lines(self) -> list[str]:
        """Return the lines of ``series``."""
        lines = {place: line for place, line, _ in self._members}
        return [lines[place] for place in self.series()]


def _is_heading(line: str) -> bool:
    """Return whether a line has the form of a heading."""
    return re.fullmatch(_HEADING, line, re.IGNORECASE) is not None


def may_be_identifier(line: str) -> bool:
    """Return whether a line may be an identifier and does not have the form of a heading."""
    return len(line) <= LONGEST_SERIAL and bool(re.fullmatch(_SERIAL, line)) and not _is_heading(line)


def _form_of(line: str | None) -> str:
    """Return a line with its numbers replaced by 0."""
    return re.sub(r"\d+", "0", (line or "").strip())


def headings_of(blocks: Blocks) -> list[int]:
    """Return the places of the blocks that are headings; see Headings."""
    headings = Headings()
    return sorted({*headings.add(blocks.source, unedited(blocks)), *headings.series()})


def left_out(blocks: Blocks, file: str = "") -> list[int]:
    """Return the places of the blocks that are headings, and warn that they are left out."""
    places = headings_of(blocks)
    if places:
        warn(f"{file and f'{file}: '}left out: {described(blocks, places)}")
    return places


def unedited(blocks: Blocks) -> NDArray[np.bool_]:
    """Return which blocks [S] have no edits of any annotator."""
    columns = EditColumns(blocks.edits)
    is_unedited = np.ones(len(blocks), np.bool_)
    is_unedited[columns.sentence[columns.is_edit]] = False
    return is_unedited


def unedited_lines(source: Text, references: Sequence[Text]) -> list[bool]:
    """Return which lines are equal to all their references."""
    return [_is_unedited(source, references, place) for place in range(len(source))]


def _is_unedited(source: Text, references: Sequence[Text], place: int) -> bool:
    return all(reference[place] in (None, source[place]) for reference in references)


def heading_lines(source: Text, references: Sequence[Text]) -> list[int]:
    """Return the places of the lines that are headings by their form and equal to all their references."""
    return [place for place in _places_by_form(source) if _is_unedited(source, references, place)]


def _places_by_form(source: Text) -> list[int]:
    """Return the places of the lines that have the form of a heading."""
    return [place for place in source.lines_like(_STARTS, ()) if _is_heading(str(source[place]).strip())]


def described(blocks: Blocks, places: Sequence[int]) -> str:
    """Return a number of headings and the first ones for a message."""
    number = (
        "1 block is a heading, not a sentence"
        if len(places) == 1
        else f"{len(places)} blocks are headings, not sentences"
    )
    return f"{number}: {listed([repr(blocks[place].source) for place in places], SHOWN)}"
