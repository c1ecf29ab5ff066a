"""Truecasing: the first word of a sentence in the case it has elsewhere.

Learned from texts that are tokenised, from each word that does not begin a sentence: of the spellings that differ in
case only, the most frequent one, of equally frequent ones the first in the order of code points. A word that is not
seen there stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from geceval._kernel import Text

#: Tokens after which a sentence begins.
_ENDS = frozenset([".", "!", "?", "...", "…", "。", "！", "？"])


class Truecaser:
    """What words look like within sentences. Memory: that of the distinct words."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._case: dict[str, str] | None = None

    def learn(self, lines: Iterable[str | None]) -> None:
        """Take in lines, tokens between blanks; the order does not matter."""
        self._case = None
        for line in lines:
            tokens = (line or "").split()
            for at in reversed(list(_beginnings(tokens))):
                del tokens[at]
            self._counts.update(tokens)

    @property
    def case(self) -> dict[str, str]:
        """Case-folded words and the case they have."""
        if self._case is None:
            rising = sorted(sorted(self._counts, reverse=True), key=self._counts.__getitem__)
            self._case = {word.casefold(): word for word in rising}  # the last one stands
        return self._case

    def apply(self, lines: Text) -> Text:
        """The lines with the first word of each sentence in its usual case."""
        return Text(None if line is None else self._line(line) for line in lines)

    def _line(self, line: str) -> str:
        tokens = line.split(" ")
        for at in _beginnings(tokens):
            tokens[at] = self.case.get(tokens[at].casefold(), tokens[at])
        return " ".join(tokens)


def _beginnings(tokens: Sequence[str]) -> Iterator[int]:
    """The places of the words that begin sentences: the first with a letter in the line, and after each end."""
    awaited, several = True, not _ENDS.isdisjoint(tokens[:-1])
    for at, token in enumerate(tokens):
        if token in _ENDS:
            awaited = True
        elif awaited and (token.isalpha() or any(map(str.isalpha, token))):
            yield at
            awaited = False
            if not several:
                return
