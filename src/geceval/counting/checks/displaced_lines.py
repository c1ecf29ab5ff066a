"""Lines of a text that fit neighbouring lines of the source: one was divided or joined, or lost and added again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from geceval._kernel import Text, WordList, compare_lines, unlike_runs

#: Smallest number of lines, in a row, that are displaced, and largest distance in lines.
_LEAST, _FARTHEST = 3, 3
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
    _begin: int = field(default=0, repr=False)
    _tried: int = field(default=0, repr=False)

    def add(self, source: Text, text: Text) -> None:
        """Add the lines of a part. O(bytes)."""
        self.lines += len(text)
        if self._tried < _TRIED:
            self._source, self._text = Text.joined([self._source, source]), Text.joined([self._text, text])
            self._compare(len(self._text) - _FARTHEST)

    def end(self) -> None:
        """Compare the last lines."""
        if self._tried < _TRIED:
            self._compare(len(self._text), is_last=True)

    def _compare(self, stop: int, *, is_last: bool = False) -> None:
        """Try the runs before the kept line ``stop``; keep the lines with which later runs begin, and those before."""
        begin = self._begin
        stop = max(begin, stop)
        self._begin = max(begin, stop - _LEAST + 1)
        for start, end in unlike_runs(self._source[begin:stop], self._text[begin:stop], _LEAST):
            run = range(begin + start, begin + end)
            if run.stop == stop and not is_last and len(run) < _TRIED:
                self._begin = run.start  # it may go on
            else:
                self._try(run)
                self._begin = max(self._begin, run.stop)
        first = max(0, self._begin - _FARTHEST)
        self._source, self._text, self._begin = self._source[first:], self._text[first:], self._begin - first

    def _try(self, run: range) -> None:
        """Add the lines of a run that fit other lines."""
        lines = run[: _TRIED - self._tried]
        self._tried += len(lines)
        shifts = {line: self._shift_of(line) for line in lines}
        before = self.lines - len(self._text)
        for displaced in _runs(shifts):
            if len(displaced) >= _LEAST:
                self.shift = self.shift if self.number else shifts[displaced[0]]
                self.first = self.first or before + displaced[0] + 1
                self.number += len(displaced)

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
