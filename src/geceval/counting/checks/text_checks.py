"""What is seen of texts, line by line: sums that grow part by part, and what they say."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from geceval._kernel import Text, beyond_ascii, compare_lines, text_letters, text_marks
from geceval.counting.checks.findings import Limits, Name
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


class Telling(NamedTuple):
    """Two marks that tell how a file is written: from ``least`` of them on it has one name if the share of the first is
    small, and another if it is large."""

    marks: tuple[str, str]
    least: int
    small: tuple[float, str]
    large: tuple[float, str]


#: By the check of each trait: marks of punctuation that are glued to words, quotes and apostrophes that are
#: typographic, and lines with letters that have accents which are not in NFC.
TRAITS: dict[Name, Telling] = {
    "tokens": Telling(("glued", "alone"), 8, (0.3, "tokenised"), (0.4, "not tokenised")),
    "quotes": Telling(
        ("curly", "straight"), 20, (0.1, "has plain quotes (' \")"), (0.4, "has typographic quotes (’ “ ”)")
    ),
    "unicode": Telling(
        ("decomposed", "composed"),
        8,
        (0.1, "writes accents in one with their letters (NFC)"),
        (0.4, "writes accents apart from their letters (NFD)"),
    ),
}


@dataclass(eq=False)
class SeenTexts:
    """The lines of one file that were looked at. ``marks``: see TRAITS; ``head``: those that shifts are tried on."""

    name: str
    lines: int = 0
    marks: Counter[str] = field(default_factory=Counter)
    head: list[str] = field(default_factory=list)

    def keep_head(self, text: Text) -> None:
        """Keep the first lines, of all that come."""
        self.head += (line or "" for line in text[: max(0, Limits.head - len(self.head))])

    def add(self, text: Text) -> None:
        """Take in further lines. Cost: O(bytes)."""
        first = text[: max(0, Limits.marked - self.lines)]
        self.lines += len(text)
        glued, alone, curly, straight = text_marks(first)
        self.marks.update(glued=glued, alone=alone, curly=curly, straight=straight)
        for line in (str(first[at]) for at in beyond_ascii(first)):
            composed, decomposed = (unicodedata.normalize(form, line) for form in ("NFC", "NFD"))
            if composed != decomposed:
                self.marks["composed" if line == composed else "decomposed"] += 1

    def trait(self, check: Name) -> Trait:
        """Return how the file has what a check looks at."""
        marks, least, small, large = TRAITS[check]
        part, rest = (self.marks[name] for name in marks)
        if part + rest < least:
            return None
        share = part / (part + rest)
        return small[1] if share < small[0] else large[1] if share > large[0] else None


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


@dataclass(eq=False)
class Other(SeenTexts):
    """A reference or a system, beside the source.

    ``seen``: lines that are looked at, emptied, told and unlike, see compare_lines; ``span``: the same of the span at
    hand; ``since``: what most lines of a span are, and the first line of the first such span, from 0.
    """

    is_system: bool = False
    removed: int = 0
    added: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    span: Counter[str] = field(default_factory=Counter)
    since: dict[str, int] = field(default_factory=dict)

    @property
    def more_changes(self) -> int:
        """How many unknown words there are still to be counted."""
        return max(0, Limits.most_changes - self.removed - self.added) if self.is_system else 0

    def add_compared(self, lines: int, compared: tuple[int, int, int, int, int]) -> None:
        """Take in what further lines share with those of the source: see compare_lines."""
        emptied, told, unlike, removed, added = compared
        self.span.update(lines=lines, emptied=emptied, told=told, unlike=unlike)
        self.removed += removed
        self.added += added

    def end_span(self, span: Span) -> None:
        """Judge the lines of a span by themselves."""
        for what, whole in (("emptied", "lines"), ("unlike", "told")):
            if what not in self.since and _most(self.span[what], self.span[whole], Limits.within):
                self.since[what] = span.start
        self.seen += self.span
        self.span.clear()

    def mostly(self, what: Literal["emptied", "unlike"]) -> str | None:
        """Return since when most lines have no word where the source has some, or share few tokens with the source:
        empty for most of all lines. None if it is not so."""
        whole, share = ("lines", Limits.empty) if what == "emptied" else ("told", Limits.unlike)
        if _most(self.seen[what], self.seen[whole], share):
            return ""
        return f" from about line {self.since[what] + 1} on" if what in self.since else None

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
