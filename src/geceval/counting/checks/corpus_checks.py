"""Checks of a corpus, part by part: texts, gold edits, and their use by metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING

from geceval._kernel import Text, raw_lines
from geceval.base.hints import AnyHint, Hint, Option, Step
from geceval.counting.checks.blank_corrections import add_one_sided_edits, line_findings
from geceval.counting.checks.check_table import CLEANABLE, threshold
from geceval.counting.checks.displaced_lines import DisplacedLines
from geceval.counting.checks.findings import Finding, in_words
from geceval.counting.checks.gold_checks import gold_findings
from geceval.counting.checks.heading_lines import HeadingLines
from geceval.counting.checks.letter_checks import letter_findings, quote_findings
from geceval.counting.checks.limits import Limits
from geceval.counting.checks.marked_lines import MarkedLines
from geceval.counting.checks.metric_uses import Use, with_verb
from geceval.counting.checks.one_sided_artefacts import Artefact, LinePairs, Side, removing_step
from geceval.counting.checks.remarks import Remarks
from geceval.counting.checks.repeated_sentences import RepeatedSentences
from geceval.counting.checks.text_checks import OutputAccount
from geceval.counting.checks.text_properties import ComparedText, LineSpan, SourceText, Trait, compare_with_source
from geceval.text.corpus import Corpus, TextSource
from geceval.text.files import SOURCE
from geceval.text.line_marks import mark_bits
from geceval.text.line_rules import LLM
from geceval.text.phrases import phrase_table
from geceval.text.preparation import NOTHING

if TYPE_CHECKING:
    from geceval.counting.metric import AnyMetric

#: Bits of marks: of lines whose hint is to clean them, and of single ones.
_CLEANABLE = mark_bits(*CLEANABLE)
_RAW = mark_bits("raw")

#: Hint for systems whose tokens are not those of the gold edits.
TOKENS_OF_GOLD = Hint(
    "tokenise them as the gold is, for example with ",
    Step(
        Hint(Option("tokenise", "auto"), " ", Option("tokenise_only", "systems")),
        'corpus.prepared(geceval.Preparation(tokenise="english", only=["systems"]))',
    ),
)
#: Kind of artefacts whose step takes one of several corrections.
_COLUMNS = "tabs"
#: Hint for lines that were divided or joined.
_ALIGNS = "geceval prepare --align SOURCE FILE -o ALIGNED divides and joins lines"


class Checks:
    """Checks of the parts of a corpus in order (``add``), with findings (``end``).

    The first lines of each file are examined, then fewer and fewer (``LineSpan``), so that the cost is about a hundred
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
        self._uses = [Use.of(metric, corpus) for metric in metrics]
        self._lines, self._span = 0, LineSpan()
        self._source, self._has_gold, self._blank = SourceText("source"), corpus.gold is not None, corpus.blank
        #: References and systems by name.
        self._texts: dict[str, ComparedText] = {}
        #: Examined lines of the source and each text, without lines that other checks report, and unprepared examples.
        self._pairs: dict[str, LinePairs] = {}
        self._examples: dict[str, list[tuple[str, str]]] = {}
        self._preparation = NOTHING
        #: Files with artefacts in many lines, on which other checks would mislead.
        self._distorted: set[str] = set()
        #: Used if there are references and no gold edits.
        self._headings = HeadingLines()
        self._marked = MarkedLines()
        #: Number of empty lines of the source.
        self._blank_lines = 0
        #: Names of the files that each system, or reference, is equal to so far.
        self._equal: dict[str, set[str]] = {}
        #: Numbers of lines of the source and of systems that are text.
        self.accounts = {"source": OutputAccount("text")}
        #: Numbers of lines of references, and of empty sentences of annotators and systems that are edits.
        self._corrections: dict[str, OutputAccount] = {}
        self._versions = RepeatedSentences()
        #: Lines that fit other lines of the source, and names of references that some sentences lack.
        self._displaced: dict[str, DisplacedLines] = {}
        self._incomplete: set[str] = set()
        #: Remarks in place of corrections, of references and systems.
        self._remarks: dict[str, Remarks] = {}
        if self._has_gold:
            self._add_findings(gold_findings(corpus, self._uses))

    def add(self, part: Corpus) -> None:
        """Check the next part."""
        start, stop = self._lines, self._lines + len(part)
        texts = dict(_texts(part))
        source, reported = part.source, dict[str, set[int]]()
        self.accounts["source"].add(0, [(line, _RAW) for line in raw_lines(source)], len(part))
        self._blank_lines += len(source.lines_like((), ("",)))
        self._marked.add({"source": source, **texts}, start)
        for name, text in texts.items():
            equal, odd = phrase_table().odd_lines(source, text)
            reported[name] = {line for line, bits in odd if bits & _CLEANABLE}
            if _is_system(name):
                account, system = self.accounts.setdefault(name, OutputAccount()), name.removeprefix("system ")
                account.add(equal, odd, len(part), ends=part.answer_ends.get(system))
                account.add_tried(_try_cleaning(part, system, odd, Limits.tried - account.tried.total()))
            else:
                absent = 0 if text.complete else sum(line is None for line in text)
                self._corrections.setdefault(name, OutputAccount("text")).add(equal, odd, len(part), absent)
        add_one_sided_edits(self._corrections, part)
        if part.unprepared:
            for name, cleaned in part.cleaned_lines().items():
                self.accounts[f"system {name}"].cleaned += cleaned
        outputs = [text for name, text in texts.items() if _is_system(name)]
        references = [text for name, text in texts.items() if not _is_system(name)]
        self._versions.add(source, outputs, references)
        self._compare({"source": source, **texts}, is_first=start == 0)
        self._source.keep_tail(source)
        for name in self._texts.keys() - texts.keys():  # parts of tables with lists differ in references
            self._texts[name].tail = Text([])
        for name, text in texts.items():
            self._texts.setdefault(name, ComparedText(name)).keep_tail(text)
            self._remarks.setdefault(name, Remarks()).add(source, text)
            if text.complete:
                self._displaced.setdefault(name, DisplacedLines()).add(source, text)
        self._incomplete |= {name for name in self._displaced if name not in texts or not texts[name].complete}
        self._examine(part, texts, start, stop, reported)
        while self._span.stop <= stop:
            self._end_span()
            self._span = self._span.next()
            self._examine(part, texts, start, stop, reported)
        self._lines = stop
        if not self._has_gold and part.references:
            self._headings.add(part, is_first=start == 0)

    def end(self) -> list[Finding]:
        """Return all findings after the last part."""
        self._end_span()
        self._add_findings(self._check_last_lines())
        self._add_findings(self._check_displaced_lines())
        self._add_findings(self._versions.findings())
        self._add_findings(self._headings.findings())
        if self._lines >= Limits.least:
            for name, rivals in self._equal.items():
                self._add_findings(
                    Finding("equal", name, f"it is equal to the {rival}, line by line") for rival in sorted(rivals)
                )
        self._add_findings(self._check_blank_lines())
        self._add_findings(self._marked.findings(self._lines))
        for accounts in (self.accounts, self._corrections):
            self._add_findings(line_findings(accounts, self._blank))
        self._add_findings(
            Finding("remarks", name, remarks.message) for name, remarks in self._remarks.items() if remarks.number
        )
        return self.findings

    def _add_findings(self, findings: Iterator[Finding]) -> None:
        # Each check reports a file once.
        reported = {(finding.check, finding.file) for finding in self.findings}
        for finding in findings:
            if (finding.check, finding.file) not in reported:
                self.findings.append(finding)
                if self._warns:
                    finding.warn()

    # --- examination of lines ---

    def _end_span(self) -> None:
        for text in self._texts.values():
            text.end_span(self._span)
        self._add_findings(self._check_texts())

    def _examine(
        self, part: Corpus, texts: Mapping[str, Text], start: int, stop: int, reported: Mapping[str, Set[int]]
    ) -> None:
        """Examine the lines of the current span, and all lines of suspected systems."""
        lines = self._span.examined_lines(start, stop)
        examined = range(*lines.indices(len(part)))
        source = part.source[lines]
        sentences = dict(zip(examined, source, strict=True))
        self._preparation = part.prepared_by
        raw = part.unprepared or part
        raw_source, raw_texts = raw.source, dict(_texts(raw))
        for name, text in texts.items():
            numbers = [n for n in examined if n not in reported.get(name, ())]
            pairs = self._pairs.setdefault(name, LinePairs(is_system=_is_system(name)))
            pairs.add((sentences[n], text[n]) for n in numbers)
            self._keep_examples(name, raw_source, raw_texts[name], numbers)
            span_lines = range(start + examined.start, start + examined.stop, examined.step)
            self._texts[name].span_lines.append((span_lines, source, text[lines]))
        self._source.keep_head(source)
        self._source.add(source)
        suspect_lines = self._span.suspect_lines(start, stop)
        suspects = []
        if suspect_lines.start < suspect_lines.stop:
            suspects = [text for text in self._texts.values() if text.is_suspected]
        rows = [(self._texts[name], text[lines]) for name, text in texts.items()]
        compare_with_source(source, rows, without_changes=suspects)
        for suspect in suspects:
            suspect.add_changes(part.source[suspect_lines], texts[suspect.name][suspect_lines])

    def _keep_examples(self, name: str, source: Text, text: Text, numbers: Sequence[int]) -> None:
        """Keep the first unprepared lines of a text with their sources."""
        examples = self._examples.setdefault(name, [])
        numbers = numbers[: Limits.examples - len(examples)]
        pairs = ((source[n], text[n]) for n in numbers)
        examples += [(str(first), str(second)) for first, second in pairs if None not in (first, second)]

    def _compare(self, texts: Mapping[str, Text], *, is_first: bool) -> None:
        """Update the files that systems are equal to, and the references that are equal to the source."""
        # Most texts differ from their first lines on, so that the comparison is fast.
        if is_first:
            systems = list(filter(_is_system, texts))
            self._equal = {
                name: texts.keys() - systems if _is_system(name) else {"source"} for name in texts if name != "source"
            }
        for name, rivals in self._equal.items():
            self._equal[name] = {rival for rival in rivals if texts[name].has_words_of(texts[rival])}

    # --- findings ---

    def _check_texts(self) -> Iterator[Finding]:
        yield from self._check_artefacts()
        if "source" in self._distorted:
            return
        if self._source.lines < Limits.least:
            if self._source.lines >= Limits.least_tokens:
                texts = [text for text in self._texts.values() if text.name not in self._distorted]
                yield from self._check_lengths(texts)
                yield from self._check_tokens(texts)
                yield from self._compare_traits("unicode", texts)
                yield from self._letter_findings(texts)
            return
        english_metrics = list(dict.fromkeys(use.label for use in self._uses if use.english))
        if english_metrics and self._source.is_english is False:
            message = f"it does not look like English, which {with_verb(english_metrics, 'requires', 'require')}"
            yield Finding("english", "source", message)
        texts = []
        for text in self._texts.values():
            if text.name in self._distorted:
                continue
            since = text.mostly("emptied")
            if since is None:
                texts.append(text)
            else:
                yield Finding("empty", text.name, f"most of its lines{since} are empty, lines of the source are not")
        # Text with other tokens or decomposed accents shares few tokens with the source in any case.
        findings = [*self._check_tokens(texts), *self._compare_traits("unicode", texts)]
        yield from findings
        yield from self._check_lengths(texts)
        yield from self._compare_traits("quotes", texts)
        yield from quote_findings(self._source, texts)
        yield from self._letter_findings(texts)
        files = {finding.file for finding in findings if finding.check in ("tokens", "unicode")}
        for text in texts:
            if not files & {"source", text.name}:
                yield from self._check_content(text)

    def _check_artefacts(self) -> Iterator[Finding]:
        """Yield what most lines begin or end with, and what some contain, in one of two files only."""
        reported = {(finding.check, finding.file) for finding in self.findings}
        of_source = set[tuple[str, str]]()  # the source is compared with several texts
        for name, pairs in self._pairs.items():
            examples = self._examples[name]
            number = "its" if pairs.lines == self._lines else "the first" if self._span.step == 1 else "the examined"
            sides: Sequence[tuple[str, Side, str]] = [("source", 0, name), (name, 1, "the source")]
            for file, side, rival in sides:
                for artefact in pairs.artefacts(side):
                    check = "artefact" if artefact.place == "contain" else "affix"
                    if side and check == "artefact" and pairs.double_lines and artefact.key != _COLUMNS:
                        continue  # it separates versions of the sentence, which another check reports
                    key = (artefact.place, artefact.key)
                    if self._is_correction(artefact, name) if side else key in of_source:
                        continue
                    of_source.update([key] if side == 0 else ())
                    if artefact.lines > Limits.distorted * pairs.lines:
                        self._distorted.add(file)
                    if (check, file) in reported:
                        continue
                    lines = [pair[side] for pair in examples]
                    source = [pair[1 - side] for pair in examples]
                    is_system = _is_system(file)
                    step = removing_step(artefact, lines, source, self._preparation, is_system=is_system)
                    message = f"{artefact.lines} of {number} {pairs.lines} lines {artefact}; no line of {rival} does"
                    yield Finding(check, file, message, step)

    def _is_correction(self, artefact: Artefact, name: str) -> bool:
        """Return whether another text has an uncertain artefact, too; for a system, a reference."""
        texts = (text for text in self._pairs if text != name and not (_is_system(name) and _is_system(text)))
        return not artefact.is_certain and any(self._pairs[text].has(artefact, 1) for text in texts)

    def _check_lengths(self, texts: Sequence[ComparedText]) -> Iterator[Finding]:
        for text in texts:
            if self._pairs[text.name].are_long:
                yield Finding("several", text.name, "most of its lines are much longer than the source")
            elif number := self._pairs[text.name].double_lines:
                message = f"{number} of its {self._pairs[text.name].lines} lines have two versions of the sentence"
                yield Finding("several", text.name, message)

    def _check_tokens(self, texts: Sequence[ComparedText]) -> Iterator[Finding]:
        """Yield files that are not tokenised: some of them, or all if a metric counts words."""
        findings = [*self._compare_traits("tokens", texts)]
        yield from findings
        word_metrics = list(dict.fromkeys(use.label for use in self._uses if use.words))
        verb = with_verb(word_metrics, "counts", "count")
        if not word_metrics or findings or self._source.trait("tokens") != "not tokenised":
            return
        if self._source.script is not None:
            yield Finding("blanks", "source", f"it has no spaces between words, but {verb} words")
        elif not self._has_gold:
            yield Finding("raw", "source", f"it is not tokenised, nor are the other files, but {verb} words")

    def _compare_traits(self, check: str, texts: Sequence[ComparedText]) -> Iterator[Finding]:
        """Yield files whose trait differs from that of the first file with one, or the source if all do."""
        traits = {text.name: trait for text in (self._source, *texts) if (trait := text.trait(check)) is not None}
        [(standard, standard_trait), *others] = [*traits.items()] or [("", "")]
        different = {name: trait for name, trait in others if trait != standard_trait}
        if len(different) > 1 and len(different) == len(others) and standard == "source":
            first = next(iter(different.values()))
            yield Finding(check, "source", f"it {_is(standard_trait)}; each other file {_is(first)}")
            return
        for name, trait in different.items():
            is_system_of_gold = check == "tokens" and self._has_gold and _is_system(name)
            advice: AnyHint = TOKENS_OF_GOLD if is_system_of_gold else ""
            yield Finding(check, name, f"it {_is(trait)}; {in_words(standard)} {_is(standard_trait)}", advice)

    def _letter_findings(self, texts: Sequence[ComparedText]) -> Iterator[Finding]:
        reported = {finding.file for finding in self.findings if finding.check in ("letters", "artefact")}
        return letter_findings(self._source, texts, self._lines, reported)

    def _check_content(self, text: ComparedText) -> Iterator[Finding]:
        since = text.mostly("unlike")
        if since is not None:
            message = f"most of its lines{since} share few tokens with the source"
            shift = None if since else text.shift(self._source.head)
            if shift is not None:
                message += _shifted(shift, Limits.window[0] + 1)
            yield Finding("overlap", text.name, message)
        elif text.looks_like_a_source and self._source.is_english:
            share = f"{text.added} of {text.removed + text.added}"
            kind = "system" if _is_system(text.name) else "reference"
            message = f"source and {kind} look swapped: misspelt words are added, not removed ({share})"
            yield Finding("swapped", text.name, message)

    def _check_last_lines(self) -> Iterator[Finding]:
        """Yield texts whose last lines fit other lines of the source, unless a check has reported the whole text."""
        files = {finding.file for finding in self.findings if finding.check in ("tokens", "unicode", "overlap")}
        for text in self._texts.values():
            shift = None if files & {"source", text.name} else text.last_shift(self._source.tail)
            if shift is not None:
                message = "its last lines share few tokens with the source"
                yield Finding("overlap", text.name, message + _shifted(shift, self._lines - max(shift, 0)))

    def _check_blank_lines(self) -> Iterator[Finding]:
        number, share = self._blank_lines, threshold("blank_source", "share")
        if number >= threshold("blank_source", "lines") and number > share * self._lines:
            yield Finding("blank_source", "source", f"{number} of its {self._lines} lines are empty")

    def _check_displaced_lines(self) -> Iterator[Finding]:
        """Yield texts with lines that fit other lines of the source, unless a check has reported the whole text."""
        files = {finding.file for finding in self.findings if finding.check in ("tokens", "unicode", "overlap")}
        for name, displaced in self._displaced.items():
            displaced.end()
            if displaced.number and not files & {"source", name} and name not in self._incomplete:
                message = f"{displaced.number} of its {displaced.lines} lines share few tokens with the source"
                yield Finding("overlap", name, message + _shifted(displaced.shift, displaced.first), _ALIGNS)


def _try_cleaning(part: Corpus, name: str, odd: Sequence[tuple[int, int]], limit: int) -> Iterator[tuple[int, int]]:
    """Yield the bits before and after cleaning of at most ``limit`` cleanable lines."""
    odd = [(line, bits) for line, bits in odd if bits & _CLEANABLE][: max(0, limit)]
    if odd:
        raw = part.unprepared or part
        lines, source, prepared_source = (
            Text([text[line] for line, _ in odd]) for text in (raw.text_systems[name], raw.source, part.source)
        )
        cleaned = replace(part.prepared_by, clean=LLM).apply("systems", lines, source)
        bits_after = dict(phrase_table().odd_lines(prepared_source, cleaned)[1])
        for index, (_, bits) in enumerate(odd):
            yield bits, bits_after.get(index, 0)


def _texts(part: Corpus) -> Iterator[tuple[str, Text]]:
    """Yield references and systems by name, except those from M2 and systems that correct their own source."""
    for r, reference in enumerate(part.references):
        yield f"reference {r}", reference
    for name, lines in part.text_systems.items():
        if name != SOURCE and name not in part.own_sources:
            yield f"system {name}", lines


def _is_system(name: str) -> bool:
    return name.startswith("system ")


def _shifted(shift: int, line: int) -> str:
    """Return the end of a message on a shift, with a line of a text as an example."""
    return f"; shifted by {shift:+d}: its line {line} fits line {line + shift} of the source"


def _is(trait: Trait) -> str:
    return f"is {trait}" if trait and trait.endswith("tokenised") else str(trait)
