"""Lines of a text that fit neighbouring lines of the source: one was divided or joined, or lost and added again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from geceval._kernel import Text, WordList, compare_lines

#: Number of lines that are compared at a time, smallest number of them, in a row, that are displaced, and largest
#: distance in lines.
_LINES, _LEAST, _FARTHEST = 32, 3, 3
#: Distances in the order in which they are tried.
_SHIFTS = tuple(sign * distance for distance in range(1, _FARTHEST + 1) for sign in (-1, 1))
#: Number of lines unlike their source that are compared with other lines.
_TRIED = 2000
_ENGLISH = WordList.english()


@dataclass
class DisplacedLines:
    """Runs of lines that are like another line of the source, and not like their own, part by part.

    Attributes:
        number: Number of their lines.
        lines: Number of all lines.
        first: Number, from 1, of the first of them.
        shift: Line of the source that this line fits, less its own.
    """

    number: int = 0
    lines: int = 0
    first: int = 0
    shift: int = 0
    _source: Text = field(default_factory=lambda: Text([]), repr=False)
    _text: Text = field(default_factory=lambda: Text([]), repr=False)
    _tried: int = field(default=0, repr=False)

    def add(self, source: Text, text: Text) -> None:
        """Add the lines of a part. O(bytes)."""
        self._source, self._text = Text.joined([self._source, source]), Text.joined([self._text, text])
        self.lines += len(text)
        self._compare(len(self._text) - _LINES - _FARTHEST)

    def end(self) -> None:
        """Compare the last lines."""
        self._compare(len(self._text) - 1)

    def _compare(self, last: int) -> None:
        """Compare portions of kept lines that begin up to the line ``last``; keep the lines after, and those before."""
        begin = _FARTHEST if self.lines > len(self._text) else 0
        for start in range(begin, last + 1, _LINES):
            self._compare_portion(start, min(start + _LINES, len(self._text)))
            begin = start + _LINES
        first = max(0, begin - _FARTHEST)
        self._source, self._text = self._source[first:], self._text[first:]

    def _compare_portion(self, start: int, stop: int) -> None:
        lines = range(start, stop)
        if self._tried >= _TRIED or _unlike(self._source[start:stop], self._text[start:stop]) < _LEAST:
            return
        unlike = [line for line in lines if _unlike(self._source[line : line + 1], self._text[line : line + 1])]
        self._tried += len(unlike)
        shifts = {line: self._shift_of(line) for line in unlike}
        before = self.lines - len(self._text)
        for run in _runs(shifts):
            if len(run) >= _LEAST:
                self.shift = self.shift if self.number else shifts[run[0]]
                self.first = self.first or before + run[0] + 1
                self.number += len(run)

    def _shift_of(self, line: int) -> int:
        """Return the distance to the line of the source that a line fits; 0 if there is none."""
        text = self._text[line : line + 1]
        for shift in _SHIFTS:
            place = line + shift
            if 0 <= place < len(self._source):
                [numbers] = compare_lines(self._source[place : place + 1], [(text, 0)], _ENGLISH)
                if numbers["comparable"] > numbers["unlike"]:
                    return shift
        return 0


def _unlike(source: Text, text: Text) -> int:
    [numbers] = compare_lines(source, [(text, 0)], _ENGLISH)
    return numbers["unlike"]


def _runs(shifts: dict[int, int]) -> Iterator[list[int]]:
    """Yield consecutive lines with one distance that is not 0."""
    run: list[int] = []
    for line, shift in shifts.items():
        if run and (line != run[-1] + 1 or shift != shifts[run[-1]]):
            yield run
            run = []
        if shift:
            run.append(line)
    if run:
        yield run
