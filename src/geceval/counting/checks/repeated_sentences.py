"""Sentences that occur again with the same outputs and other references: each reference has a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from geceval._kernel import Text
from geceval.counting.checks.findings import Finding
from geceval.text.columns import DIFFERING, repeated_rows

#: Number of the first lines that are compared.
_LINES = 2048


class RepeatedSentences:
    """The first lines of a corpus: sentences with their outputs, and their references, part by part."""

    def __init__(self) -> None:
        self._keys: list[tuple[str | None, ...]] = []
        self._references: list[tuple[str | None, ...]] = []

    def add(self, source: Text, outputs: Sequence[Text], references: Sequence[Text]) -> None:
        """Add the lines of a part."""
        if outputs and references:
            for row in range(min(_LINES - len(self._keys), len(source))):
                self._keys.append((source[row], *(text[row] for text in outputs)))
                self._references.append(tuple(text[row] for text in references))

    def findings(self) -> Iterator[Finding]:
        """Yield a finding if most of the sentences occur again with the same outputs and another reference."""
        repeated = repeated_rows(self._keys)
        differing = sum(len({self._references[row] for row in rows}) > 1 for rows in repeated)
        if differing > DIFFERING * len(repeated):
            number, total = sum(map(len, repeated)), len(self._keys)
            message = f"{number} of {total} lines have the sentence and the outputs of another one"
            yield Finding("repeated", "source", f"{message}, with other references")
