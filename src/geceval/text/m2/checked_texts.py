"""Checked texts with the suggestions of a checker, and the places of suggestions in them."""

from __future__ import annotations

import contextlib
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from geceval.base.arguments import shown
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError
from geceval.base.hints import AnyHint, Hint, Option
from geceval.text.m2.edit import Misfits
from geceval.text.m2.places import MIXED_READINGS, UNUSUAL_READINGS, USUAL_READINGS, Reading, size_of

#: Groups of readings that are tried in turn; unusual ones only if all suggestions quote the text.
READINGS = (USUAL_READINGS, MIXED_READINGS, UNUSUAL_READINGS)
#: Characters of a word.
_LETTERS = (r"\w", r"[\w'’-]")
#: Letters of scripts with spaces between words.
_SPLIT_WORD = re.compile(r"[A-Za-z\u00c0-\u052f]{2}")
RAW_HINT = "geceval m2 convert FILE -s TEXT --tokenise NAME"
OFFSETS_HINT = Hint(
    Option("offsets", "utf-16"),
    " (LanguageTool), characters, bytes or tokens is the unit of the offsets, also such as tokens,from-1,inclusive",
)


@dataclass(frozen=True)
class Suggestion:
    """A suggestion with its place as the file has it: end, length, or the quoted text alone.

    ``quoted`` is the quoted text, and its start and length if the text has context. Without ``start`` the quoted text
    is the place: of its occurrences, as many as the ``times`` it is quoted, the one with the number ``occurrence``.
    """

    start: int | None
    end: int | None
    length: int | None
    quoted: tuple[str, tuple[int, int] | None] | None
    replacements: Sequence[Any]
    type: str
    comment: str
    annotator: int = 0
    occurrence: int = 0
    times: int = 1

    @property
    def place(self) -> str:
        """The place in messages."""
        if self.start is None:
            return shown(self.quoted[0] if self.quoted else "")
        end = self.end if self.length is None else self.start + self.length
        return f"offset {self.start}" if end is None else f"offset {self.start} to {end}"


@dataclass(frozen=True)
class CheckedText:
    """A text, its tokens with spaces between them, and its suggestions, which make ``corrected`` if it is given."""

    path: str
    line: int
    text: str
    tokens: str
    suggestions: Sequence[Suggestion] = ()
    notes: tuple[str, ...] = ()
    annotators: tuple[int, ...] = (0,)
    keeps_spans: bool = False
    corrected: str | None = None

    def error(self, message: str, hint: AnyHint | None = None) -> InputError:
        return InputError(message, path=self.path, line=self.line, hint=hint)

    def span(self, suggestion: Suggestion, reading: Reading) -> tuple[int, int] | None:
        """Return the span in characters; None if it does not fit the text or the quoted text."""
        reading = Reading() if self.keeps_spans else reading
        span = self._span_in_text(suggestion, reading)
        if span is None or suggestion.quoted is None:
            return span
        context, place = suggestion.quoted
        # A checker's library may change the unit of the place and not that of the context.
        units = dict.fromkeys([reading.unit, reading.length_unit or reading.unit])
        spans = [Reading(unit).span(context, place[0], None, place[1]) for unit in units] if place else [(0, None)]
        texts = [context[slice(*quoted)].split() for quoted in spans if quoted is not None]
        return span if self.text[slice(*span)].split() in texts else None

    def place(self, suggestion: Suggestion, reading: Reading) -> tuple[int, int]:
        """Return the span in characters, in a reading in which the suggestion has one."""
        span = self.span(suggestion, reading)
        assert span is not None  # see find_reading
        return span

    def spans_of(self, quote: str, times: int) -> list[tuple[int, int]]:
        """Return the spans of a quoted text: of whole words, but as text in a sentence without blanks.

        Words contain hyphens and apostrophes if the text then has it as many times as it is quoted.
        """
        if not quote.strip():
            return []
        spans: list[tuple[int, int]] = []
        for letters in _LETTERS if len(self.text.split()) > 1 else [""]:
            left = f"(?<!{letters})" if letters and quote[0].isalnum() else ""
            right = f"(?!{letters})" if letters and quote[-1].isalnum() else ""
            matches = [match.span() for match in re.finditer(left + re.escape(quote) + right, self.text)]
            if len(matches) == times:
                return matches
            spans = spans or matches
        return spans

    def is_within_word(self, position: int) -> bool:
        """Return whether a position is between two letters of a script with spaces between words."""
        return position > 0 and _SPLIT_WORD.match(self.text, position - 1) is not None

    def begin_within_words(self, reading: Reading) -> int:
        """Return how many suggestions begin between two letters."""
        starts = [self.place(suggestion, reading)[0] for suggestion in self.suggestions]
        return sum(map(self.is_within_word, starts))

    def is_quoted(self, suggestion: Suggestion, reading: Reading) -> bool:
        """Return whether the suggestion quotes its span, blanks included, without context."""
        span = self.span(suggestion, reading)
        quoted = suggestion.quoted
        return span is not None and quoted is not None and not quoted[1] and self.text[slice(*span)] == quoted[0]

    def normalised(self, reading: Reading, normalise: Callable[[str], str]) -> CheckedText:
        """Return the normalised text with its suggestions, whose places count characters of it."""
        suggestions = []
        for suggestion in self.suggestions:
            ends = [len(normalise(self.text[:end])) for end in self.place(suggestion, reading)]
            suggestions.append(replace(suggestion, start=ends[0], end=ends[1], length=None, quoted=None))
        return replace(self, text=normalise(self.text), suggestions=suggestions)

    def _span_in_text(self, suggestion: Suggestion, reading: Reading) -> tuple[int, int] | None:
        if suggestion.start is None:
            quote = suggestion.quoted[0] if suggestion.quoted else ""
            return self.spans_of(quote, suggestion.times)[suggestion.occurrence]
        if suggestion.end is not None or suggestion.length is not None:
            return reading.span(self.text, suggestion.start, suggestion.end, suggestion.length)
        beginning = reading.span(self.text, suggestion.start, None, 0)
        return beginning and (beginning[0], beginning[0] + len(suggestion.quoted[0] if suggestion.quoted else ""))

    def span_error(self, suggestion: Suggestion, reading: Reading) -> InputError:
        """Return the error of a suggestion that has no span."""
        span = self._span_in_text(suggestion, reading)
        if span is None:
            unit = "UTF-16 units" if reading.unit == "utf-16" else reading.unit
            reason = f"outside the text of {size_of(self.text, reading.unit)} {unit}, or within a character"
        else:
            reason = f"the text has {self.text[slice(*span)]!r} there, and the suggestion quotes another one"
        hint = Hint(OFFSETS_HINT, f"; if the text was tokenised later: {RAW_HINT}")
        return self.error(f"{suggestion.place}: {reason}", hint)


def with_places(sentence: CheckedText, misfits: Misfits, omitted: Counter[str]) -> CheckedText:
    """Return a sentence with the suggestions that have a place.

    A quoted text without offsets has one if the sentence contains it as often as it is quoted: the suggestions belong
    to its occurrences in turn. Raises InputError for others, unless misfits are dropped.
    """
    quotes = [
        suggestion.quoted[0] if suggestion.start is None and suggestion.quoted else None
        for suggestion in sentence.suggestions
    ]
    times, seen = Counter(quotes), Counter[str]()
    suggestions = []
    for suggestion, quote in zip(sentence.suggestions, quotes, strict=True):
        if quote is None:
            suggestions.append(suggestion)
            continue
        number = len(sentence.spans_of(quote, times[quote]))
        if number == times[quote]:
            suggestions.append(replace(suggestion, occurrence=seen[quote], times=number))
            seen[quote] += 1
        elif misfits == "error":
            reason = f"contains it {number} times" if number else "does not contain it as words"
            drop = Hint("write start and end, counted from 0, or ", Option("misfits", "drop"), " leaves it out")
            raise sentence.error(f"the suggestion quotes {shown(quote)}, and the text {reason}", drop)
        else:
            has = "several" if number else "none"
            omitted[f"left out suggestions that quote words of which the sentence has {has}"] += 1
    has_all = len(suggestions) == len(sentence.suggestions)
    return replace(sentence, suggestions=suggestions, corrected=sentence.corrected if has_all else None)


def find_reading(sentences: Sequence[CheckedText], readings: Sequence[Sequence[Reading]]) -> Reading:
    """Return the reading in which all suggestions have spans, of the first group with one.

    Raises InputError if no reading fits, or several of a group with different spans.
    """
    suggestions = [(sentence, suggestion) for sentence in sentences for suggestion in sentence.suggestions]
    are_quoted = all(suggestion.quoted is not None for _, suggestion in suggestions)
    for group in readings:
        fitting = [
            reading for reading in group if all(sentence.span(place, reading) for sentence, place in suggestions)
        ]
        if fitting and (are_quoted or group is not UNUSUAL_READINGS):
            return _only_reading(fitting, suggestions)
    first = readings[0][0]
    sentence, suggestion = next(place for place in suggestions if place[0].span(place[1], first) is None)
    raise sentence.span_error(suggestion, first)


def _only_reading(readings: Sequence[Reading], suggestions: Sequence[tuple[CheckedText, Suggestion]]) -> Reading:
    """Return one of several readings; raises InputError if they give a place different spans.

    Readings whose spans are the quoted texts to the blank are preferred.
    """
    exact = [
        reading for reading in readings if all(sentence.is_quoted(place, reading) for sentence, place in suggestions)
    ]
    readings = exact or readings
    for sentence, suggestion in suggestions:
        if len({sentence.span(suggestion, reading) for reading in readings}) > 1:
            message = f"{suggestion.place} is ambiguous: it may count {' or '.join(map(str, readings))}"
            named = "" if str(readings[1]) != "utf-16" else ", which LanguageTool and m2 convert count,"
            alternatives = " or ".join(map(str, [*readings[2:], readings[0]]))
            hint = Hint(Option("offsets", str(readings[1])), f"{named} or {alternatives}, as the checker counts")
            raise sentence.error(message, hint)
    return readings[0]


def with_line_ends(document: CheckedText, readings: Sequence[Sequence[Reading]]) -> CheckedText:
    """Return a text of several lines with the line ends that its suggestions count.

    These are Windows' if the places do not fit other ones, or are within words there and not here. A warning names the
    second reason. Raises the errors of find_reading.
    """
    windows = replace(document, text=document.text.replace("\n", "\r\n"))
    try:
        are_within_words = document.begin_within_words(find_reading([document], readings))
    except InputError:
        with contextlib.suppress(InputError):
            find_reading([windows], readings)
            return windows
        raise
    with contextlib.suppress(InputError):
        if are_within_words and not windows.begin_within_words(find_reading([windows], readings)):
            message = (
                f"{document.path}: places are read in a text with \\r\\n line ends, since none is within a word there"
            )
            warn(message, "text in a row is the text that was checked")
            return windows
    return document


def split_document(
    document: CheckedText, length: int, readings: Sequence[Sequence[Reading]], misfits: Misfits, omitted: Counter[str]
) -> list[CheckedText]:
    """Return the lines of a document of ``length`` sentences with their suggestions, whose offsets count characters."""
    reading = find_reading([document], readings)
    sentences = [replace(document, text=line, tokens=line, suggestions=[]) for line in document.text.split("\n")]
    starts = list(accumulate((len(sentence.text) + 1 for sentence in sentences), initial=0))
    suggestions: list[list[Suggestion]] = [[] for _ in sentences]
    for suggestion in document.suggestions:
        start, end = document.place(suggestion, reading)
        line = bisect_right(starts, start) - 1
        if end >= starts[line + 1]:
            if misfits == "drop":
                omitted["left out suggestions that change several lines"] += 1
                continue
            drop = Hint(Option("misfits", "drop"), " leaves out such suggestions")
            raise document.error(f"{suggestion.place}: the suggestion changes several lines", drop)
        shifted = replace(suggestion, start=start - starts[line], end=end - starts[line], length=None, quoted=None)
        suggestions[line].append(shifted)
    sentences = [replace(sentence, suggestions=line) for sentence, line in zip(sentences, suggestions, strict=True)]
    if len(sentences) != length:
        sentences = [sentence for sentence in sentences if sentence.text.strip()]
    if len(sentences) != length:
        raise document.error(f"the text has {len(sentences)} lines, but the source has {length}")
    return sentences
