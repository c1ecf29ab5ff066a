"""Check a corpus part by part."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from geceval._kernel import Text, raw_lines
from geceval.counting.checks.text_checks import (
    CLEANABLE,
    LINE_CHECKS,
    Finding,
    Limits,
    Other,
    OutputAccount,
    Source,
    Span,
    Trait,
    Use,
    add_beside,
)
from geceval.counting.stream import AnyMetric, annotator_of, metrics_of
from geceval.edits.languages import language_of, make_annotator
from geceval.text.answers import phrase_table
from geceval.text.corpus import Corpus, TextSource, check_source
from geceval.text.files import SOURCE
from geceval.text.line_rules import LLM
from geceval.text.m2.edit import NOOP, UNKNOWN

#: Bits of lines that are not tokenised, and of those whose hint is to clean them.
_RAW = 1 << [check.name for check in LINE_CHECKS].index("raw")
_CLEANABLE = sum(1 << bit for bit, check in enumerate(LINE_CHECKS) if check.name in CLEANABLE)


class Checks:
    """Checks of the parts of a corpus in order (``add``), with findings (``end``).

    The first lines of each file are examined, then fewer and fewer (``Span``), so that the cost is about a hundred
    lines; all lines are compared for equality of a system with the source or a reference. Findings do not depend on
    the size of the parts and are reported at the end of a span. Memory: about 200 lines per file.

    Args:
        corpus: Corpus to check.
        metrics: Metrics that will score the corpus.
        warns: Warn (GecevalWarning) of each finding at once.
    """

    def __init__(self, corpus: TextSource, metrics: Sequence[AnyMetric] = (), *, warns: bool = False):
        self.findings: list[Finding] = []
        self._warns = warns
        self._uses = [
            Use(
                metric.label,
                metric.evidence_of,
                english=_reads_english(corpus, metric),
                words=metric.evidence_of in ("gold", "edits") or getattr(metric, "unit", None) == "word",
            )
            for metric in metrics
        ]
        self._lines, self._span = 0, Span()
        self._source, self._has_gold = Source("source"), corpus.gold is not None
        self._others: dict[str, Other] = {}
        #: Names of the files that each system is equal to so far.
        self._equal: dict[str, set[str]] = {}
        #: Numbers of lines of the source and of systems that are text.
        self.accounts = {"source": OutputAccount()}
        if self._has_gold:
            self._add_findings(_check_gold(corpus, self._uses))

    def add(self, part: Corpus) -> None:
        """Check the next part."""
        start, stop = self._lines, self._lines + len(part)
        texts = dict(_texts(part))
        source = Text(part.source)
        self.accounts["source"].add(0, [(at, _RAW) for at in raw_lines(source)], len(part))
        for name in (name for name in texts if name.startswith("system ")):
            equal, odd = phrase_table().odd_lines(source, texts[name])
            account = self.accounts.setdefault(name, OutputAccount())
            account.add(equal, odd, len(part))
            account.add_tried(_tried(part, name.removeprefix("system "), odd, Limits.tried - account.tried.total()))
        for name, cleaned in part.cleaned_lines().items() if part.unprepared else ():
            self.accounts[f"system {name}"].cleaned += cleaned
        self._compare(source, texts, first=start == 0)
        self._examine(part, texts, start, stop)
        while self._span.stop <= stop:
            self._end_span()
            self._span = self._span.next()
            self._examine(part, texts, start, stop)
        self._lines = stop

    def end(self) -> list[Finding]:
        """Return all findings after the last part."""
        self._end_span()
        if self._lines >= Limits.least:
            equal = ((name, other) for name, others in self._equal.items() for other in sorted(others))
            self._add_findings(
                Finding("equal", name, f"it is equal to the {other}, line by line") for name, other in equal
            )
        for file, account in self.accounts.items():
            self._add_findings(account.findings(file, account.reported()))
            self._add_findings(account.cleaned_findings(file))
        return self.findings

    def _add_findings(self, found: Iterator[Finding]) -> None:
        # Each check reports a file once.
        known = {(finding.check, finding.file) for finding in self.findings}
        for finding in found:
            if (finding.check, finding.file) not in known:
                self.findings.append(finding)
                if self._warns:
                    warnings.warn(finding.warning(), stacklevel=2)

    # --- examination of lines ---

    def _end_span(self) -> None:
        for other in self._others.values():
            other.end_span(self._span)
        self._add_findings(self._check_texts())

    def _examine(self, part: Corpus, texts: Mapping[str, Text], start: int, stop: int) -> None:
        """Examine the lines of the current span, and all lines of suspected systems."""
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
        """Update the files that systems are equal to."""
        # Most systems differ from their first lines on, so that the comparison is fast.
        texts = {"source": source, **others}
        if first:
            systems = [name for name in texts if name.startswith("system ")]
            self._equal = {name: texts.keys() - systems for name in systems}
        for name, equal in self._equal.items():
            pairs = {other: zip(texts[name], texts[other], strict=True) for other in equal}
            self._equal[name] = {
                other
                for other, lines in pairs.items()
                if all(a == b or (b is not None and str(a).split() == b.split()) for a, b in lines)
            }

    # --- findings ---

    def _check_texts(self) -> Iterator[Finding]:
        if self._source.lines < Limits.least:
            return
        users = list(dict.fromkeys(use.label for use in self._uses if use.english))
        if users and self._source.is_english is False:
            message = f"it does not look like English, which {_verb(users, 'requires', 'require')}"
            yield Finding("english", "source", message)
        counters = list(dict.fromkeys(use.label for use in self._uses if use.words))
        if counters and self._source.is_unbroken:
            message = f"it has no blanks between words, but {_verb(counters, 'counts', 'count')} words"
            yield Finding("blanks", "source", message)
        odd = set()
        for other in self._others.values():
            since = other.mostly("emptied")
            if since is not None:
                odd.add(other.name)
                yield Finding("empty", other.name, f"most of its lines{since} are empty, lines of the source are not")
        files = [other for other in self._others.values() if other.name not in odd]
        # Text with other tokens or decomposed accents shares few tokens with the source in any case.
        tokens = [*self._compare_traits("tokens", files)]
        raw = [*tokens, *self._compare_traits("unicode", files)]
        yield from raw
        if counters and not tokens and not self._has_gold and self._source.trait("tokens") == "not tokenised":
            message = f"it is not tokenised, nor are the other files, but {_verb(counters, 'counts', 'count')} words"
            yield Finding("raw", "source", message)
        yield from self._compare_traits("quotes", files)
        touched = {finding.file for finding in raw}
        for other in files:
            if not touched & {"source", other.name}:
                yield from self._check_content(other)

    def _compare_traits(self, check: str, files: Sequence[Other]) -> Iterator[Finding]:
        """Yield files whose trait differs from the source's, or the source if all do."""
        own = self._source.trait(check)
        traits = {other.name: other.trait(check) for other in files}
        known = {name: trait for name, trait in traits.items() if own is not None and trait is not None}
        different = {name: trait for name, trait in known.items() if trait != own}
        if len(different) > 1 and len(different) == len(known):
            first = next(iter(different.values()))
            yield Finding(check, "source", f"it {_is(own)}; each other file {_is(first)}")
            return
        for name, trait in different.items():
            yield Finding(check, name, f"it {_is(trait)}; the source {_is(own)}")

    def _check_content(self, other: Other) -> Iterator[Finding]:
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


def _check_gold(corpus: TextSource, uses: Sequence[Use]) -> Iterator[Finding]:
    """Yield findings on gold edits: more references, other types, other forms."""
    if corpus.has_references:
        yield Finding("evidence", "", f"gold edits and references are both given: {_who_uses(uses)}")
    as_given = corpus.gold_edits == "as-given"
    if as_given and any(use.english and use.against == "edits" for use in uses):
        known = (NOOP, UNKNOWN)
        types = corpus.edit_types
        strange = sorted(name for name in types if name not in known and not name.startswith(("M:", "R:", "U:")))
        if strange:
            shown = ", ".join(strange[:3]) + (", ..." if len(strange) > 3 else "")
            message = (
                f"its types, and perhaps its spans, are not ERRANT's ({shown}), but ERRANT's edits are compared with it"
            )
            yield Finding("types", "gold", message)
    m2 = [name for name in corpus.system_names if name in corpus.m2_systems]
    if not as_given and m2 and any(use.against == "edits" for use in uses):
        message = f"its edits are found in its text, but {', '.join(m2)} are given as M2"
        yield Finding("forms", "gold", message)


def _who_uses(uses: Sequence[Use]) -> str:
    names = {"the gold edits": ("gold", "edits"), "the references": ("texts",)}
    parts = []
    for what, kinds in names.items():
        users = list(dict.fromkeys(use.label for use in uses if use.against in kinds))
        parts.append(f"{_verb(users, 'uses', 'use')} {what}" if users else f"no metric uses {what}")
    return "; ".join(parts)


def _verb(subjects: Sequence[str], one: str, several: str) -> str:
    return f"{', '.join(subjects)} {one if len(subjects) == 1 else several}"


def _tried(part: Corpus, name: str, odd: Sequence[tuple[int, int]], most: int) -> Iterator[tuple[int, int]]:
    """Yield the bits before and after cleaning of lines that it may repair.

    At most ``most`` lines are cleaned.
    """
    odd = [(at, bits) for at, bits in odd if bits & _CLEANABLE][: max(0, most)]
    if odd:
        raw = part.unprepared or part
        lines, source, prepared_source = (
            Text([text[at] for at, _ in odd]) for text in (cast(Text, raw.systems[name]), raw.source, part.source)
        )
        cleaned = replace(part.prepared_by, clean=LLM).apply("systems", lines, source)
        after = dict(phrase_table().odd_lines(prepared_source, cleaned)[1])
        yield from ((bits, after.get(at, 0)) for at, (_, bits) in enumerate(odd))


def _texts(part: Corpus) -> Iterator[tuple[str, Text]]:
    """Yield references and systems by name, except systems and references from M2."""
    yield from ((f"reference {r}", Text(text)) for r, text in enumerate(part.references))
    for name, lines in part.systems.items():
        if name != SOURCE and isinstance(lines, Text):
            yield f"system {name}", lines


def _is(trait: Trait) -> str:
    return f"is {trait}" if trait and trait.endswith("tokenised") else str(trait)


# --- checks for the metrics of a run ---


#: Number of lines that ``check`` reads together.
PART = 1 << 14


def _reads_english(corpus: TextSource, metric: AnyMetric) -> bool:
    """Return whether a metric extracts edits from text with an annotator of English."""
    annotator = annotator_of(metric)
    given = corpus.gold is not None and corpus.gold_edits == "as-given"
    from_text = not given or len(corpus.m2_systems) < len(corpus.system_names)
    if annotator is None or not from_text:
        return False
    return language_of(make_annotator(annotator)).code == "en"


def check(corpus: TextSource, metrics: Sequence[AnyMetric] = ()) -> list[Finding]:
    """Check a corpus for suspicious input, in general and for some metrics.

    ``evaluate`` runs the same checks and warns. The corpus is read once. docs/checks.md lists all checks.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics that will score the corpus.

    Returns:
        One finding per check and file.

    Raises:
        InputError: If the corpus cannot be read.
    """
    check_source(corpus)
    checks = Checks(corpus, metrics_of(metrics))
    for part in corpus.parts(PART):
        checks.add(part)
    return checks.end()
