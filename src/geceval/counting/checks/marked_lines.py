"""Lines that begin with a byte order mark, as in a file that was joined with others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from geceval._kernel import Text
from geceval.base.hints import Hint, Option, Step
from geceval.counting.checks.findings import Finding

_BYTE_ORDER_MARK = "\ufeff"
_REMOVES_MARKS = Hint(
    Step(Hint(Option("normalise", "whitespace")), "prepare=geceval.Preparation(whitespace=True)"),
    " removes them: files that begin with one were joined",
)


class MarkedLines:
    """Lines of the files of a corpus that begin with a byte order mark, part by part."""

    def __init__(self) -> None:
        #: Number of these lines of each file, and the number of the first one, from 1.
        self._marked: dict[str, tuple[int, int]] = {}

    def add(self, texts: Mapping[str, Text], start: int) -> None:
        """Add the lines of a part, which has ``start`` lines before it. O(bytes)."""
        for name, text in texts.items():
            if rows := text.lines_like((_BYTE_ORDER_MARK,), ()):
                number, first = self._marked.get(name, (0, start + rows[0] + 1))
                self._marked[name] = number + len(rows), first

    def findings(self, lines: int) -> Iterator[Finding]:
        """Yield the files with such lines, of a corpus with a number of lines."""
        for name, (number, first) in self._marked.items():
            verb = "begins" if number == 1 else "begin"
            message = f"{number} of its {lines} lines {verb} with a byte order mark (first line {first})"
            yield Finding("artefact", name, message, _REMOVES_MARKS)
