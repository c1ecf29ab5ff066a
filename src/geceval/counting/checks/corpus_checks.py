"""The checks of a corpus, as its parts go by."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from geceval._kernel import Text
from geceval.counting.checks.findings import Finding, Limits, Name, Use
from geceval.counting.checks.text_checks import Other, Source, Span, Trait, add_beside
from geceval.counting.contract import Contract
from geceval.edits.languages import language_of, make_annotator
from geceval.text.corpus import Corpus, MadeTexts, TextSource, has_edits
from geceval.text.files import SOURCE
from geceval.text.m2 import NOOP, UNKNOWN


class Checks:
    """Looks at the parts of a corpus in order (``add``) and says what it found (``end``).

    Of each file the first lines are looked at, then fewer and fewer (``Span``), so that the cost is that of some
    hundred lines; whether a system is equal to the source or to a reference is asked of all lines. What a span tells is
    said at its end. The parts may be of any size: the findings are the same. Memory: some 200 lines of each file.
    """

    def __init__(self, corpus: TextSource, uses: Sequence[Use] = (), tell: Callable[[Finding], None] | None = None):
        self.findings: list[Finding] = []
        self._tell, self._uses = tell, uses
        self._lines, self._span, self._ended = 0, Span(), False
        self._source = Source("source")
        self._others: dict[str, Other] = {}
        #: Of each system the names of the files that it is equal to so far.
        self._equal: dict[str, set[str]] = {}
        if corpus.has_gold:
            self._say(_found_beside_gold(corpus, uses))

    def add(self, part: Corpus) -> None:
        """Take in the next part; what follows ``end`` is another pass, and not looked at."""
        if self._ended:
            return
        start, stop = self._lines, self._lines + len(part)
        texts = dict(_texts(part))
        self._compare(Text(part.source), texts, first=start == 0)
        self._look(part, texts, start, stop)
        while self._span.stop <= stop:
            self._end_span()
            self._span = self._span.next()
            self._look(part, texts, start, stop)
        self._lines = stop

    def end(self) -> list[Finding]:
        """All that was found, no part being left."""
        if not self._ended:
            self._ended = True
            self._end_span()
            if self._lines >= Limits.least:
                equal = ((name, other) for name, others in self._equal.items() for other in sorted(others))
                self._say(Finding("equal", name, f"it is equal to the {other}, line by line") for name, other in equal)
        return self.findings

    def _say(self, found: Iterator[Finding]) -> None:
        """Each check once a file."""
        known = {(finding.check, finding.file) for finding in self.findings}
        for finding in found:
            if (finding.check, finding.file) not in known:
                self.findings.append(finding)
                if self._tell is not None:
                    self._tell(finding)

    # --- looking ---

    def _end_span(self) -> None:
        for other in self._others.values():
            other.end_span(self._span)
        self._say(self._found())

    def _look(self, part: Corpus, texts: Mapping[str, Text], start: int, stop: int) -> None:
        """The lines of the span at hand, and those it leaves out of systems that may be swapped with the source."""
        lines = self._span.within(start, stop)
        source = Text(part.source)
        self._source.keep_head(source[lines])
        self._source.add(source[lines])
        if not self._others:
            self._others = {name: Other(name, is_system=name.startswith("system ")) for name in texts}
        whole = self._span.whole(start, stop)
        suspects = [other for other in self._others.values() if other.is_suspected and whole.start < whole.stop]
        beside = [(self._others[name], text[lines]) for name, text in texts.items()]
        add_beside(source[lines], beside, apart=suspects)
        for other in suspects:
            other.add_changes(source[whole], texts[other.name][whole])

    def _compare(self, source: Text, others: Mapping[str, Text], *, first: bool) -> None:
        """Which systems are still equal to the source or to a reference: most are not from their first lines on."""
        texts = {"source": source, **others}
        if first:
            systems = [name for name in texts if name.startswith("system ")]
            self._equal = {name: texts.keys() - systems for name in systems}
        for name, equal in self._equal.items():
            self._equal[name] = {other for other in equal if texts[name] == texts[other]}

    # --- what it says ---

    def _found(self) -> Iterator[Finding]:
        if self._source.lines < Limits.least:
            return
        users = list(dict.fromkeys(use.label for use in self._uses if use.english))
        if users and self._source.is_english is False:
            message = f"this does not look like English, as {', '.join(users)} would have it"
            yield Finding("english", "source", message)
        counters = list(dict.fromkeys(use.label for use in self._uses if use.words))
        if counters and self._source.is_unbroken:
            message = f"it has no blanks between words, and {', '.join(counters)} would count words"
            yield Finding("blanks", "source", message)
        odd = set()
        for other in self._others.values():
            since = other.mostly("emptied")
            if since is not None:
                odd.add(other.name)
                yield Finding("empty", other.name, f"most of its lines{since} are empty, those of the source are not")
        files = [other for other in self._others.values() if other.name not in odd]
        # Text with other tokens, raw or with its accents apart, shares few of them whatever it says.
        raw = [*self._differing("tokens", files), *self._differing("unicode", files)]
        yield from raw
        yield from self._differing("quotes", files)
        touched = {finding.file for finding in raw}
        for other in files:
            if not touched & {"source", other.name}:
                yield from self._found_beside(other)

    def _differing(self, check: Name, files: Sequence[Other]) -> Iterator[Finding]:
        """Files that have what a check looks at otherwise than the source; if it stands alone, the source."""
        own = self._source.trait(check)
        traits = {other.name: other.trait(check) for other in files}
        telling = {name: trait for name, trait in traits.items() if own is not None and trait is not None}
        different = {name: trait for name, trait in telling.items() if trait != own}
        if len(different) > 1 and len(different) == len(telling):
            first = next(iter(different.values()))
            yield Finding(check, "source", f"it {_is(own)}; of all others each {_is(first)}")
            return
        for name, trait in different.items():
            yield Finding(check, name, f"it {_is(trait)}; the source {_is(own)}")

    def _found_beside(self, other: Other) -> Iterator[Finding]:
        since = other.mostly("unlike")
        if since is not None:
            message = f"most of its lines{since} share few tokens with the source"
            shift = None if since else other.shift(self._source.head)
            if shift is not None:
                number = Limits.window[0] + 1
                message += f"; shifted by {shift:+d}: its line {number} fits line {number + shift} of the source"
            yield Finding("overlap", other.name, message)
        elif other.looks_like_a_source and self._source.is_english:
            share = f"{other.added} of {other.removed + other.added}"
            message = f"source and system look swapped: misspelt words are added, not removed ({share})"
            yield Finding("swapped", other.name, message)


def _found_beside_gold(corpus: TextSource, uses: Sequence[Use]) -> Iterator[Finding]:
    """Yield what is odd about gold edits: beside references, and of other types than those they are compared with."""
    if corpus.reference_numbers(of_gold=False)[1] > 0 and not corpus.made_by:
        yield Finding("evidence", "", f"gold edits and references are both given: {_who_uses(uses)}")
    if any(use.english and use.against == "edits" for use in uses):
        known = (NOOP, UNKNOWN)
        types = corpus.facts.edit_types()
        strange = sorted(name for name in types if name not in known and not name.startswith(("M:", "R:", "U:")))
        if strange:
            shown = ", ".join(strange[:3]) + (", ..." if len(strange) > 3 else "")
            message = (
                f"its types are not ERRANT's ({shown}), nor perhaps its spans, but edits of text are compared with it"
            )
            yield Finding("types", "gold", message)


def _who_uses(uses: Sequence[Use]) -> str:
    """Who uses what."""
    names = {"the gold edits": ("gold", "edits"), "the references": ("texts",)}
    parts = []
    for what, kinds in names.items():
        users = list(dict.fromkeys(use.label for use in uses if use.against in kinds))
        verb = "uses" if len(users) == 1 else "use"
        parts.append(f"{', '.join(users)} {verb} {what}" if users else f"nothing uses {what}")
    return "; ".join(parts)


def _texts(part: Corpus) -> Iterator[tuple[str, Text]]:
    """The texts beside the source by name; those that were made from gold edits and systems as M2 are none."""
    if not isinstance(part.references, MadeTexts):
        yield from ((f"reference {r}", Text(text)) for r, text in enumerate(part.references))
    for name, lines in part.systems.items():
        if name != SOURCE and not has_edits(lines):
            yield f"system {name}", cast(Text, lines)


def _is(trait: Trait) -> str:
    return f"is {trait}" if trait and trait.endswith("tokenised") else str(trait)


# --- for the metrics of a run ---


#: Lines of a part that ``check`` reads.
PART = 1 << 14


def uses(corpus: TextSource, metrics: Sequence[Contract[Any]]) -> list[Use]:
    """What the metrics make of a corpus; what stands between blanks is counted as n-grams of words, or as edits."""
    return [
        Use(
            metric.label,
            metric.evidence_of,
            english=_reads_english(corpus, metric),
            words=metric.evidence_of in ("gold", "edits") or getattr(metric, "unit", None) == "word",
        )
        for metric in metrics
    ]


def _reads_english(corpus: TextSource, metric: Contract[Any]) -> bool:
    """Whether it finds edits in text with an annotator of English."""
    annotator = metric.annotates_with
    from_text = not corpus.has_gold or not all(map(corpus.is_m2, corpus.system_names))
    if annotator is None or not from_text:
        return False
    return language_of(make_annotator(annotator)).code == "en"


def check(corpus: TextSource, metrics: Sequence[Contract[Any]] = ()) -> list[Finding]:
    """What is odd about a corpus, and about what the metrics make of it: input that is legal and cannot mean what the
    user thinks. docs/checks.md lists all checks; ``evaluate`` warns of what they find. Reads the corpus once.

    Raises what reading raises: see TextSource.parts.
    """
    checks = Checks(corpus, uses(corpus, metrics))
    for part in corpus.parts(PART):
        checks.add(part)
    return checks.end()


def watching(corpus: TextSource, metrics: Sequence[Contract[Any]]) -> Checks:
    """The checks, each finding a GecevalWarning as soon as it is found."""
    return Checks(corpus, uses(corpus, metrics), lambda finding: warnings.warn(finding.warning(), stacklevel=2))
