"""What is seen of texts, line by line: sums that grow part by part, and what they say."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

from geceval._kernel import Text, beyond_ascii, compare_lines, text_letters, text_marks
from geceval.counting.checks.findings import Limits
from geceval.edits.languages.english import word_list

#: Letters of Thai, Lao, Burmese, Khmer, Japanese and Chinese.
_UNBROKEN = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)

#: What may differ between two files, and how each of them has it (None: too little to tell).
Trait: TypeAlias = str | None


class Span(NamedTuple):
    """Lines that are looked at together: every ``step``-th one from ``start`` up to ``stop``."""

    start: int = 0
    stop: int = Limits.leading
    step: int = 1

    def next(self) -> Span:
        """The span that follows: as many lines as in the others, further apart."""
        step = Limits.one_in if self.step == 1 else 2 * self.step
        return Span(self.stop, self.stop + Limits.stretch * step, step)

    def within(self, start: int, stop: int) -> slice:
        """Its lines from ``start`` up to ``stop``, counted from ``start``."""
        first = max(self.start, self.start - (self.start - start) // self.step * self.step)
        return slice(first - start, max(first, min(stop, self.stop)) - start, self.step)

    def whole(self, start: int, stop: int) -> slice:
        """All its lines from ``start`` up to ``stop``, as far as those of suspects are looked at, counted from
        ``start``; none of the first span, which leaves none out."""
        first = max(start, self.start)
        last = min(stop, self.stop, Limits.suspects) if self.step > 1 else first
        return slice(first - start, max(first, last) - start)


class SeenTexts:
    """The lines of one file that were looked at."""

    def __init__(self, name: str) -> None:
        self.name, self.lines = name, 0
        self.glued = self.alone = self.curly = self.straight = self.accented = self.decomposed = 0
        #: The lines that shifts are tried on.
        self.head: list[str] = []

    def keep_head(self, text: Text) -> None:
        """Keep the first lines, of all that come."""
        self.head += (line or "" for line in text[: max(0, Limits.head - len(self.head))])

    def add(self, text: Text) -> None:
        """Take in further lines. Cost: O(bytes)."""
        first = text[: max(0, Limits.marked - self.lines)]
        self.lines += len(text)
        glued, alone, curly, straight = text_marks(first)
        self.glued += glued
        self.alone += alone
        self.curly += curly
        self.straight += straight
        for line in (str(first[at]) for at in beyond_ascii(first)):
            composed, decomposed = (unicodedata.normalize(form, line) for form in ("NFC", "NFD"))
            self.accented += composed != decomposed
            self.decomposed += line != composed != decomposed

    @property
    def tokens(self) -> Trait:
        """Whether punctuation stands apart."""
        marks = self.glued + self.alone
        return _trait(self.glued, marks, Limits.marks, (Limits.tokenised, "tokenised"), (Limits.raw, "not tokenised"))

    @property
    def quotes(self) -> Trait:
        """Which quotes are written."""
        low, high = (Limits.straight, "has plain quotes (' \")"), (Limits.curly, "has typographic quotes (’ “ ”)")
        return _trait(self.curly, self.curly + self.straight, Limits.quotes, low, high)

    @property
    def unicode(self) -> Trait:
        """How letters with accents are written."""
        low = Limits.composed, "writes accents in one with their letters (NFC)"
        high = Limits.decomposed, "writes accents apart from their letters (NFD)"
        return _trait(self.decomposed, self.accented, Limits.accented, low, high)


def _trait(part: int, whole: int, least: int, low: tuple[float, str], high: tuple[float, str]) -> Trait:
    """What a share says: the first name below its limit, the second one above."""
    if whole < least:
        return None
    share = part / whole
    return low[1] if share < low[0] else high[1] if share > high[0] else None


class Source(SeenTexts):
    """The source; whether it can be English is asked of its first lines."""

    @property
    def is_english(self) -> bool | None:
        """None: too few words to tell."""
        letters, foreign, tokens, lower, unknown = text_letters(Text(self.head[: Limits.marked]), word_list())
        if tokens < Limits.words and letters < Limits.letters:
            return None
        return foreign <= Limits.foreign * letters and (tokens < Limits.words or unknown <= Limits.unknown * lower)

    @property
    def is_unbroken(self) -> bool:
        """Whether it is in a script that is written without blanks, and has none between words."""
        tokens = [token for line in self.head[: Limits.marked] for token in line.split()]
        letters = [count for count in (len(_UNBROKEN.findall(token)) for token in tokens) if count]
        return sum(letters) >= Limits.letters and sum(letters) > Limits.unbroken * len(letters)


class Other(SeenTexts):
    """A reference or a system, beside the source."""

    def __init__(self, name: str, *, is_system: bool) -> None:
        super().__init__(name)
        self.is_system = is_system
        self.emptied = self.told = self.unlike = self.removed = self.added = 0
        #: The same of the span at hand, and the first lines (from 0) of spans in which most lines were so.
        self._span = Counter[str]()
        self.emptied_from: int | None = None
        self.unlike_from: int | None = None

    @property
    def more_changes(self) -> int:
        """How many unknown words there are still to be counted."""
        return max(0, Limits.most_changes - self.removed - self.added) if self.is_system else 0

    def add_compared(self, lines: int, compared: tuple[int, int, int, int, int]) -> None:
        """Take in what further lines share with those of the source: see compare_lines."""
        emptied, told, unlike, removed, added = compared
        self.emptied += emptied
        self.told += told
        self.unlike += unlike
        self._span.update(lines=lines, emptied=emptied, told=told, unlike=unlike)
        self.removed += removed
        self.added += added

    def end_span(self, span: Span) -> None:
        """Judge the lines of a span by themselves."""
        seen, self._span = self._span, Counter()
        if self.emptied_from is None and _most(seen["emptied"], seen["lines"], Limits.within):
            self.emptied_from = span.start
        if self.unlike_from is None and _most(seen["unlike"], seen["told"], Limits.within):
            self.unlike_from = span.start

    @property
    def mostly_emptied(self) -> bool:
        """Whether most lines have no word where the source has some."""
        return _most(self.emptied, self.lines, Limits.empty)

    @property
    def mostly_unlike(self) -> bool:
        """Whether most lines share few tokens with the source."""
        return _most(self.unlike, self.told, Limits.unlike)

    @property
    def looks_like_a_source(self) -> bool:
        """Whether words that are not English rather come than go."""
        changes = self.removed + self.added
        return changes >= Limits.changes and self.removed < Limits.corrected * changes

    @property
    def is_suspected(self) -> bool:
        """Whether it may look like a source if more of its lines are looked at."""
        return self.removed < Limits.suspected * (self.removed + self.added) and not self.looks_like_a_source

    def add_changes(self, source: Text, text: Text) -> None:
        """Take in the unknown words of lines that are looked at for nothing else."""
        [(_, _, _, removed, added)] = compare_lines(source, [(text, self.more_changes)], word_list())
        self.removed += removed
        self.added += added

    def shift(self, source: list[str]) -> int | None:
        """How many lines further down in the source its lines belong, if a shift repairs most of it."""
        first, last = Limits.window
        low, high = Limits.shifts
        shares = {}
        for shift in range(low, high + 1):
            stop = min(last, len(self.head), len(source) - shift)
            if stop - first >= Limits.least:
                there, own = Text(source[first + shift : stop + shift]), Text(self.head[first:stop])
                [(_, told, unlike, _, _)] = compare_lines(there, [(own, 0)], word_list())
                shares[shift] = unlike / max(1, told)
        best = min(shares, key=lambda shift: (shares[shift], abs(shift)), default=0)
        return best if best and shares[best] <= Limits.unlike else None


def add_beside(source: Text, texts: Sequence[tuple[Other, Text]], apart: Collection[Other] = ()) -> None:
    """Take in further lines of files, and what they share with those of the source; of those ``apart`` without the
    unknown words, which are counted elsewhere."""
    whole = [(other, text) for other, text in texts if text.complete]
    together = [(source, whole)]
    for other, text in texts:
        other.keep_head(text)
        if not text.complete:  # a sentence without this reference says nothing
            there = [at for at, line in enumerate(text) if line is not None]
            own, rest = (Text([lines[at] for at in there]) for lines in (source, text))
            together.append((own, [(other, rest)]))
    for lines, rows in together:
        asked = [(text, 0 if other in apart else other.more_changes) for other, text in rows]
        compared = compare_lines(lines, asked, word_list())
        for (other, text), sums in zip(rows, compared, strict=True):
            other.add(text)
            other.add_compared(len(text), sums)


def _most(part: int, whole: int, share: float) -> bool:
    """Whether a part is more than a share of a whole, of which there is enough."""
    return whole >= Limits.least and part > share * whole
