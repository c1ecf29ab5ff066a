"""Headings among the sentences, such as identifiers of documents, which count as correct sentences."""

from __future__ import annotations

from collections.abc import Iterator

from geceval.base.arguments import listed
from geceval.counting.checks.findings import Finding
from geceval.text.corpus import Corpus
from geceval.text.m2.headings import Headings, may_be_identifier, unedited_lines


class HeadingLines:
    """Lines that are headings by their form or because they are a series, part by part."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        #: Lines that may be a series of headings; None unless the first one may be one.
        self._series: Headings | None = None

    def add(self, part: Corpus, *, is_first: bool) -> None:
        """Add the lines of a part with references."""
        source = part.source
        self._lines += [repr(str(source[place])) for place in part.heading_places()]
        if is_first and len(source) and may_be_identifier(str(source[0]).strip()):
            self._series = Headings()
        if self._series is not None:
            self._series.add(source, unedited_lines(source, part.references))

    def findings(self) -> Iterator[Finding]:
        """Yield a finding if there are headings."""
        lines = [*self._lines, *(() if self._series is None else map(repr, self._series.series_lines()))]
        if lines:
            message = f"lines are headings, not sentences, but count as correct ones: {listed(lines, 3)}"
            yield Finding("headings", "source", message, "leave these lines out of all files")
