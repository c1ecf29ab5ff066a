"""Properties of the texts of a corpus, from their examined lines."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from geceval._kernel import Text, WordList, compare_lines, text_letters, text_marks
from geceval.counting.checks.check_table import CHECKS
from geceval.counting.checks.limits import Limits
from geceval.text.languages import ScriptLanguage, script_language
from geceval.text.letters import double_quotes, faulty_letters, style_letters, style_sets, with_joined_characters

#: The words of English.
_ENGLISH = WordList.english()

#: Property of a line next to that of its source.
LineProperty: TypeAlias = Literal["emptied", "unlike"]

#: Value of a property that may differ between two files (None: unknown).
Trait: TypeAlias = str | None


class LineSpan(NamedTuple):
    """Lines examined together: every ``step``-th line from ``start`` up to ``stop``."""

    start: int = 0
    stop: int = Limits.leading
    step: int = 1

    def next(self) -> LineSpan:
        """Return the following span, in which the examined lines are further apart."""
        step = Limits.one_in if self.step == 1 else 2 * self.step
        return LineSpan(self.stop, self.stop + Limits.stretch * step, step)

    def examined_lines(self, start: int, stop: int) -> slice:
        """Return the examined lines from ``start`` up to ``stop``, counted from ``start``."""
        first = max(self.start, self.start - (self.start - start) // self.step * self.step)
        return slice(first - start, max(first, min(stop, self.stop)) - start, self.step)

    def suspect_lines(self, start: int, stop: int) -> slice:
        """Return the lines from ``start`` up to ``stop`` to examine in suspected systems."""
        # The first span examines all of its lines anyway.
        first = max(start, self.start)
        last = min(stop, self.stop, Limits.suspects) if self.step > 1 else first
        return slice(first - start, max(first, last) - start)


class MarkShares(NamedTuple):
    """Two marks whose shares determine a trait.

    Attributes:
        marks: Names of the two marks.
        least: Smallest number of marks.
        alike: Smallest number of marks that are all the same.
        small: Upper limit of the first mark's share for the first value of the trait, and this value.
        large: Lower limit of the share for the second value, and this value.
    """

    marks: tuple[str, str]
    least: float
    alike: float
    small: tuple[float, str]
    large: tuple[float, str]


def _mark_shares(check: str, marks: tuple[str, str]) -> MarkShares:
    limits = CHECKS[check].thresholds
    first, second = CHECKS[check].description.split("|")
    small, large = (limits["small"], first), (limits["large"], second)
    return MarkShares(marks, limits["least"], limits["alike"], small, large)


#: Traits by check: punctuation attached to words, typographic quotes and apostrophes, lines with decomposed accents.
TRAITS = {
    "tokens": _mark_shares("tokens", ("glued", "alone")),
    "quotes": _mark_shares("quotes", ("curly", "straight")),
    "unicode": _mark_shares("unicode", ("decomposed", "composed")),
}


class Letters:
    """Letters, capitals and final marks in the examined lines of one file.

    Attributes:
        lines: Number of examined lines.
        faulty_lines: Number of lines with letters that no orthography has; see letters.faulty_letters.
        faults: Number of these letters, and of words of two scripts.
        example: The first of them.
        characters: Numbers of all characters, composed.
        words: Number of words after the first one of their line.
        capitals: Number of these words that begin with a capital.
        ended_lines: Number of lines that end with punctuation.
    """

    def __init__(self) -> None:
        self.lines = self.faulty_lines = self.faults = 0
        self.words = self.capitals = self.ended_lines = 0
        self.example = ""
        self.characters: Counter[str] = Counter()
        self._styles: Counter[str] = Counter()

    def add(self, lines: Iterable[str]) -> None:
        """Add lines, in O(characters)."""
        lines = list(map(with_joined_characters, lines))
        self.lines += len(lines)
        for line in lines:
            for letter in style_letters(line):
                self._styles[letter] += 1
            faults = list(faulty_letters(line))
            self.faults += len(faults)
            self.faulty_lines += bool(faults)
            self.example = self.example or "".join(faults[:1])
            initials = [word[0] for word in line.split()[1:]]
            self.words += sum(map(str.isalpha, initials))
            self.capitals += sum(map(str.isupper, initials))
            self.ended_lines += is_punctuation(line.rstrip()[-1:])
        composed = unicodedata.normalize("NFC", "\n".join(lines))
        codes, numbers = np.unique(np.frombuffer(composed.encode("utf-32-le"), "<u4"), return_counts=True)
        self.characters.update(dict(zip(map(chr, codes.tolist()), numbers.tolist(), strict=True)))

    @property
    def quote_style(self) -> str:
        """Typographic double quotes that are used, in order, without rare ones; empty for few."""
        numbers = double_quotes(self.characters)
        total = numbers.total()
        least = (1 - Limits.same_letters) * total
        return " ".join(sorted(mark for mark in numbers if numbers[mark] > least)) if total >= Limits.quotes else ""

    def styles(self) -> dict[tuple[str, ...], tuple[str, int]]:
        """Return the letter that is used for those that look alike, with its number; mixed use is left out."""
        styles = {}
        for letters in style_sets():
            if self._styles.keys().isdisjoint(letters):
                continue
            numbers = {letter: self._styles[letter] for letter in letters}
            best, total = max(numbers, key=numbers.__getitem__), sum(numbers.values())
            if numbers[best] > Limits.same_letters * total:
                styles[letters] = best, numbers[best]
        return styles


def is_punctuation(character: str) -> bool:
    """Return whether a character, or an empty text, is a punctuation mark."""
    return character != "" and unicodedata.category(character)[0] == "P"


def main_one(numbers: Counter[str], least: float, share: float) -> str | None:
    """Return what has more than a share of a total of at least ``least``; None if nothing has."""
    [(best, number)] = numbers.most_common(1) or [("", 0)]
    return best if numbers.total() >= least and number > share * numbers.total() else None


def examined_part(line: str) -> str:
    """Return the words of a line in which letters and artefacts are examined: all, unless it is very long."""
    if len(line) <= Limits.characters:
        return line
    end = line.rfind(" ", 0, Limits.characters)
    return line[: Limits.characters if end < 0 else end]


class TextProperties:
    """Properties of the examined lines of one file.

    Attributes:
        name: Name of the file.
        lines: Number of examined lines.
        marks: Numbers of marks, see TRAITS.
        letters: Letters that look like others.
        head: First lines, on which shifts are tried.
        tail: Last lines, on which shifts are tried.
    """

    def __init__(self, name: str) -> None:
        self.name, self.lines = name, 0
        self.marks: Counter[str] = Counter()
        self.letters = Letters()
        self.head = self.tail = Text([])

    def keep_head(self, text: Text) -> None:
        """Keep the first lines of the file."""
        if len(self.head) < Limits.head:
            self.head = Text.joined([self.head, text[: Limits.head - len(self.head)]])

    def keep_tail(self, text: Text) -> None:
        """Keep the last lines of the file, of which these are the last so far."""
        joined = Text.joined([self.tail, text[max(0, len(text) - Limits.tail) :]])
        self.tail = joined[max(0, len(joined) - Limits.tail) :]

    def add(self, text: Text) -> None:
        """Add lines, in O(bytes)."""
        leading = text[: max(0, Limits.leading - self.lines)]
        self.letters.add(examined_part(line) for line in leading if line is not None)
        marked = text[: max(0, Limits.marked - self.lines)]
        self.lines += len(text)
        if not marked:
            return
        self.marks.update(text_marks(marked))
        for line in marked:
            if line is None or line.isascii():
                continue
            line = with_joined_characters(line)
            composed, decomposed = (unicodedata.normalize(form, line) for form in ("NFC", "NFD"))
            if composed != decomposed:
                self.marks["composed" if line == composed else "decomposed"] += 1

    @cached_property
    def script(self) -> ScriptLanguage | None:
        """The language by its script, if this is written without spaces between words, after the first span."""
        return script_language(self.head[: Limits.marked])

    def trait(self, check: str) -> Trait:
        """Return the file's value of the trait of a check."""
        marks, least, alike, small, large = TRAITS[check]
        first, second = (self.marks[name] for name in marks)
        if check == "tokens" and self.script is not None:
            return (large if self.script.is_unbroken else small)[1]
        if first + second < (least if first and second else alike):
            return None
        share = first / (first + second)
        return small[1] if share < small[0] else large[1] if share > large[0] else None


class SourceText(TextProperties):
    """Properties of the source, including its language.

    The language is determined by the first lines, after the first span.
    """

    @cached_property
    def is_english(self) -> bool | None:
        """True if the source is English; None if it has too few words."""
        numbers = text_letters(self.head[: Limits.marked], _ENGLISH)
        has_words = numbers["tokens"] >= Limits.words
        if not has_words and numbers["letters"] < Limits.letters:
            return None
        is_latin = numbers["foreign"] <= Limits.foreign * numbers["letters"]
        return is_latin and (not has_words or numbers["unknown"] <= Limits.unknown * numbers["lower"])


class ComparedText(TextProperties):
    """Properties of a reference or a system, compared with the source.

    Attributes:
        removed: Number of unknown words of the source that are removed.
        added: Number of unknown words that are added.
        line_numbers: Numbers of lines that are examined, emptied, comparable and unlike; see ``compare_lines``.
        span_numbers: The same numbers of the current span.
        first_lines: Line, from 0, in the first span most of whose lines are emptied or unlike, from which they are, by
            this property.
        span_lines: Examined lines of the current span: their numbers, from 0, their sources and texts.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.removed, self.added = 0, 0
        self.line_numbers: Counter[str] = Counter()
        self.span_numbers: Counter[str] = Counter()
        self.first_lines: dict[str, int] = {}
        self.span_lines: list[tuple[range, Text, Text]] = []

    @property
    def more_changes(self) -> int:
        """Number of unknown words that are still to be counted."""
        return max(0, Limits.most_changes - self.removed - self.added)

    def add_compared(self, lines: int, numbers: Mapping[str, int]) -> None:
        """Add the results of ``compare_lines`` for lines and the source."""
        line_numbers = {name: numbers[name] for name in ("emptied", "comparable", "unlike")}
        self.span_numbers.update(lines=lines, **line_numbers)
        self.removed += numbers["removed"]
        self.added += numbers["added"]

    def end_span(self, span: LineSpan) -> None:
        """Evaluate the lines of a span separately."""
        properties: Mapping[LineProperty, str] = {"emptied": "lines", "unlike": "comparable"}
        for name, total in properties.items():
            is_most = _is_most(self.span_numbers[name], self.span_numbers[total], Limits.within)
            if is_most and name not in self.first_lines:
                self.first_lines[name] = self._first_line(name, span)
        self.line_numbers += self.span_numbers
        self.span_numbers.clear()
        self.span_lines.clear()

    def _first_line(self, name: LineProperty, span: LineSpan) -> int:
        """Return the line of the current span, from 0, that best divides its lines from those with the property."""
        flags: list[tuple[int, bool]] = []
        for lines, source, text in self.span_lines:
            for row, line in enumerate(lines):
                sentence, correction = source[row : row + 1], text[row : row + 1]
                if correction.complete:
                    [numbers] = compare_lines(sentence, [(correction, 0)], _ENGLISH)
                    if name == "emptied" or numbers["comparable"]:
                        flags.append((line, bool(numbers[name])))
        # Each exception on either side of a line costs 1.
        costs = list(accumulate((1 if flag else -1 for _, flag in flags), initial=0))
        best = min(range(len(costs)), key=costs.__getitem__)
        return flags[best][0] if best < len(flags) else span.start

    def mostly(self, name: LineProperty) -> str | None:
        """Return from where most lines are emptied, or unlike the source.

        The result is empty if this holds for most of all lines, and None if it does not hold.
        """
        total, share = ("lines", Limits.empty) if name == "emptied" else ("comparable", Limits.unlike)
        if _is_most(self.line_numbers[name], self.line_numbers[total], share):
            return ""
        return f" from about line {self.first_lines[name] + 1} on" if name in self.first_lines else None

    @property
    def looks_like_a_source(self) -> bool:
        """Whether it adds more unknown words than it removes."""
        changes = self.removed + self.added
        return changes >= Limits.changes and self.removed < Limits.corrected * changes

    @property
    def is_suspected(self) -> bool:
        """Whether it may look like a source if more of its lines are examined."""
        return self.removed < Limits.suspected * (self.removed + self.added) and not self.looks_like_a_source

    def add_changes(self, source: Text, text: Text) -> None:
        """Add the unknown words of lines that are not examined otherwise."""
        [numbers] = compare_lines(source, [(text, self.more_changes)], _ENGLISH)
        self.removed += numbers["removed"]
        self.added += numbers["added"]

    def shift(self, source: Text) -> int | None:
        """Return the shift to matching lines of the source, if one repairs most of the first lines."""
        first, last = Limits.window
        return _shift_of(source, self.head, first, last, Limits.least)

    def last_shift(self, source: Text) -> int | None:
        """Return the shift to matching lines of the source's tail, if one repairs most of the last lines."""
        first, last = len(self.tail) - Limits.last, len(self.tail)
        if first < 0 or len(source) != last or not self.tail.complete:
            return None
        [numbers] = compare_lines(source[first:], [(self.tail[first:], 0)], _ENGLISH)
        is_unlike = numbers["unlike"] > Limits.within * max(Limits.last / 2, numbers["comparable"])
        return _shift_of(source, self.tail, first, last, Limits.last // 2) if is_unlike else None


def _shift_of(source: Text, text: Text, first: int, last: int, least: int) -> int | None:
    """Return the shift from lines ``first`` to ``last`` of a text to matching lines, if one repairs most of them.

    ``least`` is the smallest number of lines that are compared.
    """
    shares = {}
    for shift in range(Limits.shifts[0], Limits.shifts[1] + 1):
        start, stop = max(first, -shift), min(last, len(text), len(source) - shift)
        if stop - start >= least:
            [numbers] = compare_lines(source[start + shift : stop + shift], [(text[start:stop], 0)], _ENGLISH)
            shares[shift] = numbers["unlike"] / max(1, numbers["comparable"])
    best = min(shares, key=lambda shift: (shares[shift], abs(shift)), default=0)
    return best if best and shares[best] <= Limits.unlike else None


def compare_with_source(
    source: Text, texts: Sequence[tuple[ComparedText, Text]], without_changes: Collection[ComparedText]
) -> None:
    """Add lines of texts, compared with lines of the source.

    The unknown words of the texts ``without_changes`` are counted by ``add_changes``.
    """
    comparisons = [(source, [(compared, lines) for compared, lines in texts if lines.complete])]
    for compared, lines in texts:
        compared.keep_head(lines)
        if not lines.complete:  # sentences may lack this reference
            present = [index for index, line in enumerate(lines) if line is not None]
            source_lines, present_lines = (Text([text[index] for index in present]) for text in (source, lines))
            comparisons.append((source_lines, [(compared, present_lines)]))
    for source_lines, rows in comparisons:
        limited = [(lines, 0 if compared in without_changes else compared.more_changes) for compared, lines in rows]
        results = compare_lines(source_lines, limited, _ENGLISH)
        for (compared, lines), numbers in zip(rows, results, strict=True):
            compared.add(lines)
            compared.add_compared(len(lines), numbers)


def _is_most(part: int, total: int, share: float) -> bool:
    """Return whether a part exceeds a share of a total that is not too small."""
    return total >= Limits.least and part > share * total
