"""Truecasing: give the first word of a sentence the case it has elsewhere.

The case of a word is learned from tokenised texts, without the first words of sentences. The most frequent of the
spellings that differ only in case counts; ties are resolved by the order of code points. Unknown words are unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from geceval._kernel import Text

#: Tokens after which a sentence begins.
_ENDS = frozenset([".", "!", "?", "...", "…", "。", "！", "？"])


class Truecaser:
    """The usual case of words within sentences. Memory: the distinct words."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._case: dict[str, str] | None = None

    def learn(self, lines: Iterable[str | None]) -> None:
        """Learn from lines of tokens separated by blanks, in any order; None is skipped."""
        self._case = None
        for line in lines:
            tokens = (line or "").split()
            for at in reversed(list(_beginnings(tokens))):
                del tokens[at]
            self._counts.update(tokens)

    @property
    def case(self) -> dict[str, str]:
        """Case-folded word -> the word in its usual case."""
        if self._case is None:
            rising = sorted(sorted(self._counts, reverse=True), key=self._counts.__getitem__)
            self._case = {word.casefold(): word for word in rising}  # the most frequent comes last and wins
        return self._case

    def apply(self, lines: Text) -> Text:
        """Return the lines with the first word of each sentence in its usual case."""
        return Text(None if line is None else self._line(line) for line in lines)

    def _line(self, line: str) -> str:
        tokens = line.split(" ")
        for at in _beginnings(tokens):
            tokens[at] = self.case.get(tokens[at].casefold(), tokens[at])
        return " ".join(tokens)


def _beginnings(tokens: Sequence[str]) -> Iterator[int]:
    """Yield the places of the words that begin sentences.

    These are the first word with a letter of a line, and of each sentence after an end mark.
    """
    awaited, several = True, not _ENDS.isdisjoint(tokens[:-1])
    for at, token in enumerate(tokens):
        if token in _ENDS:
            awaited = True
        elif awaited and (token.isalpha() or any(map(str.isalpha, token))):
            yield at
            awaited = False
            if not several:
                return
