"""Checks of a corpus, part by part: texts, gold edits, and their use by metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from geceval._kernel import Text, one_sided_lines, raw_lines
from geceval.base.arguments import counted, listed
from geceval.base.hints import AnyHint, Hint, Option, Step
from geceval.counting.checks.check_table import CLEANABLE, threshold
from geceval.counting.checks.displaced_lines import DisplacedLines
from geceval.counting.checks.lost_characters import lost_characters
from geceval.counting.checks.one_sided import Artefact, LinePairs, Side, removing_step
from geceval.counting.checks.remarks import Remarks
from geceval.counting.checks.text_checks import (
    ComparedText,
    Finding,
    Limits,
    LineSpan,
    OutputAccount,
    SourceText,
    TextProperties,
    Trait,
    Use,
    compare_with_source,
    main_one,
)
from geceval.edits.languages import language_of, make_annotator
from geceval.text.blank_texts import Blank
from geceval.text.columns import DIFFERING, repeated_rows
from geceval.text.corpus import Corpus, TextSource
from geceval.text.files import SOURCE
from geceval.text.letters import (
    ALL,
    TRADITIONAL,
    accented_letters,
    alphabet_letters,
    are_marks,
    chinese_characters,
    language_of_letters,
    languages_of,
    scripts_of,
)
from geceval.text.line_marks import mark_bits
from geceval.text.line_rules import LLM
from geceval.text.m2.blank_tokens import blank_tokens
from geceval.text.m2.blocks import Blocks, portions_of, streamed
from geceval.text.m2.edit import NOOP, UNKNOWN, Block, EditColumns
from geceval.text.m2.headings import Headings, described, headings_of, may_be_identifier, unedited_lines
from geceval.text.phrases import phrase_table
from geceval.text.preparation import NOTHING

if TYPE_CHECKING:
    from geceval.counting.metric import AnyMetric

#: Bits of marks: of lines whose hint is to clean them, and of single ones.
_CLEANABLE = mark_bits(*CLEANABLE)
#: Number of the first lines in which sentences are looked for that occur again with other references.
_VERSIONS = 2048
_RAW, _BLANK, _FILLED = map(mark_bits, ("raw", "blank", "filled"))

#: Hint for systems whose tokens are not those of the gold edits.
TOKENS_OF_GOLD = Hint(
    "tokenise them as the gold is, for example with ",
    Step(
        Hint(Option("tokenise", "auto"), " ", Option("tokenise_only", "systems")),
        'corpus.prepared(geceval.Preparation(tokenise="english", only=["systems"]))',
    ),
)
#: Hint for typographic quotes of several languages, some of which are guillemets.
_ASCII_QUOTES = Hint("use the same quotes in all files, for example with ", Option("normalise", "quotes,letters"))
#: Languages whose option also splits text into characters.
_UNSPACED = ("zh", "ja")
#: Kind of artefacts whose step takes one of several corrections.
_COLUMNS = "tabs"
_BYTE_ORDER_MARK = "\ufeff"
#: Hint for byte order marks within a file.
_REMOVES_MARKS = Hint(
    Step(Hint(Option("normalise", "whitespace")), "prepare=geceval.Preparation(whitespace=True)"),
    " removes them: files that begin with one were joined",
)
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
        self._uses = [
            Use(
                metric.label,
                texts=metric.compares_texts,
                gold=metric.takes_gold,
                edits=metric.matches_edits,
                english=_reads_english(corpus, metric),
                words=metric.counts_words,
            )
            for metric in metrics
        ]
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
        #: Lines that are headings, if there are references and no gold edits.
        self._headings: list[str] = []
        #: Lines that may be a series of headings, if the first one may be one.
        self._series: Headings | None = None
        #: Number of the lines of each file that begin with a byte order mark, and the first one, from 1.
        self._marked: dict[str, tuple[int, int]] = {}
        #: Number of empty lines of the source.
        self._blank_lines = 0
        #: Names of the files that each system, or reference, is equal to so far.
        self._equal: dict[str, set[str]] = {}
        #: Numbers of lines of the source and of systems that are text.
        self.accounts = {"source": OutputAccount("text")}
        #: Numbers of empty lines of references, annotators and systems that are edits.
        self._corrections: dict[str, OutputAccount] = {}
        #: Sentence and outputs of the first lines, and their references.
        self._versions: list[tuple[tuple[str | None, ...], tuple[str | None, ...]]] = []
        #: Lines that fit other lines of the source, and names of references that some sentences lack.
        self._displaced: dict[str, DisplacedLines] = {}
        self._incomplete: set[str] = set()
        #: Remarks in place of corrections, of references and systems.
        self._remarks: dict[str, Remarks] = {}
        if self._has_gold:
            self._add_findings(_check_gold(corpus, self._uses))

    def add(self, part: Corpus) -> None:
        """Check the next part."""
        start, stop = self._lines, self._lines + len(part)
        texts = dict(_texts(part))
        source, reported = part.source, dict[str, set[int]]()
        self.accounts["source"].add(0, [(line, _RAW) for line in raw_lines(source)], len(part))
        self._blank_lines += len(source.lines_like((), ("",)))
        for name, text in {"source": source, **texts}.items():
            if rows := text.lines_like((_BYTE_ORDER_MARK,), ()):
                number, first = self._marked.get(name, (0, start + rows[0] + 1))
                self._marked[name] = number + len(rows), first
        for name in filter(_is_system, texts):
            equal, odd = phrase_table().odd_lines(source, texts[name])
            account = self.accounts.setdefault(name, OutputAccount())
            ends = part.answer_ends.get(name.removeprefix("system "))
            account.add(equal, odd, len(part), ends=ends)
            reported[name] = {line for line, bits in odd if bits & _CLEANABLE}
            limit = Limits.tried - account.tried.total()
            account.add_tried(_try_cleaning(part, name.removeprefix("system "), odd, limit))
        references = {name: text for name, text in texts.items() if not _is_system(name)}
        _add_one_sided_lines(self._corrections, part, references)
        if part.unprepared:
            for name, cleaned in part.cleaned_lines().items():
                self.accounts[f"system {name}"].cleaned += cleaned
        self._add_versions(source, texts, _VERSIONS - start)
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
        if not self._has_gold and any(name.startswith("reference ") for name in texts):
            self._headings += [f"{str(part.source[place])!r}" for place in part.heading_places()]
            if start == 0 and len(source) and may_be_identifier(str(source[0]).strip()):
                self._series = Headings()
            if self._series is not None:
                self._series.add(source, unedited_lines(source, part.references))

    def end(self) -> list[Finding]:
        """Return all findings after the last part."""
        self._end_span()
        self._add_findings(self._check_last_lines())
        self._add_findings(self._check_displaced_lines())
        self._add_findings(self._check_versions())
        if self._series is not None:
            self._headings += [repr(line) for line in self._series.series_lines()]
        if self._headings:
            message = f"lines are headings, not sentences, but count as correct ones: {listed(self._headings, 3)}"
            self._add_findings(iter([Finding("headings", "source", message, "leave these lines out of all files")]))
        if self._lines >= Limits.least:
            for name, rivals in self._equal.items():
                self._add_findings(
                    Finding("equal", name, f"it is equal to the {rival}, line by line") for rival in sorted(rivals)
                )
        self._add_findings(self._check_blank_lines())
        self._add_findings(self._check_marked_lines())
        for accounts in (self.accounts, self._corrections):
            self._add_findings(_findings_of(accounts, self._blank))
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
        source = part.source
        self._preparation = part.prepared_by
        raw = part.unprepared or part
        raw_source, raw_texts = raw.source, dict(_texts(raw))
        for name, text in texts.items():
            numbers = [n for n in range(*lines.indices(len(part))) if n not in reported.get(name, ())]
            pairs = self._pairs.setdefault(name, LinePairs(is_system=_is_system(name)))
            pairs.add((source[n], text[n]) for n in numbers)
            self._keep_examples(name, raw_source, raw_texts[name], numbers)
            examined = ((n, text[n]) for n in range(*lines.indices(len(part))))
            self._texts[name].span_lines += [(start + n, source[n], line) for n, line in examined if line is not None]
        self._source.keep_head(source[lines])
        self._source.add(source[lines])
        suspect_lines = self._span.suspect_lines(start, stop)
        suspects = []
        if suspect_lines.start < suspect_lines.stop:
            suspects = [text for text in self._texts.values() if text.is_suspected]
        rows = [(self._texts[name], text[lines]) for name, text in texts.items()]
        compare_with_source(source[lines], rows, without_changes=suspects)
        for suspect in suspects:
            suspect.add_changes(source[suspect_lines], texts[suspect.name][suspect_lines])

    def _keep_examples(self, name: str, source: Text, text: Text, numbers: Sequence[int]) -> None:
        """Keep the first unprepared lines of a text with their sources."""
        examples = self._examples.setdefault(name, [])
        numbers = numbers[: Limits.examples - len(examples)]
        pairs = ((source[n], text[n]) for n in numbers)
        examples += [(str(first), str(second)) for first, second in pairs if None not in (first, second)]

    def _add_versions(self, source: Text, texts: Mapping[str, Text], most: int) -> None:
        """Keep the sentences, outputs and references of the first lines."""
        outputs = [text for name, text in texts.items() if _is_system(name)]
        references = [text for name, text in texts.items() if not _is_system(name)]
        if outputs and references:
            for row in range(min(most, len(source))):
                key = source[row], *(text[row] for text in outputs)
                self._versions.append((key, tuple(text[row] for text in references)))

    def _check_versions(self) -> Iterator[Finding]:
        """Yield a finding if most of the first sentences occur again with the same outputs and another reference."""
        repeated = repeated_rows(key for key, _ in self._versions)
        differing = sum(len({self._versions[row][1] for row in rows}) > 1 for rows in repeated)
        if differing > DIFFERING * len(repeated):
            number, total = sum(map(len, repeated)), len(self._versions)
            message = f"{number} of {total} lines have the sentence and the outputs of another one"
            yield Finding("repeated", "source", f"{message}, with other references")

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
                yield from self._check_letters(texts)
            return
        english_metrics = list(dict.fromkeys(use.label for use in self._uses if use.english))
        if english_metrics and self._source.is_english is False:
            message = f"it does not look like English, which {_verb(english_metrics, 'requires', 'require')}"
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
        yield from self._check_quotes(texts)
        yield from self._check_letters(texts)
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
        verb = _verb(word_metrics, "counts", "count")
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
            yield Finding(check, name, f"it {_is(trait)}; {_the(standard)} {_is(standard_trait)}", advice)

    def _check_quotes(self, texts: Sequence[ComparedText]) -> Iterator[Finding]:
        """Yield texts without typographic quotes of the source and with those of another language."""
        style = self._source.letters.quote_style
        for text in texts:
            if text.letters.quote_style and not {*style} <= {*text.letters.quote_style}:
                message = f"its quotes are {text.letters.quote_style}; those of the source are {style}"
                yield Finding("quotes", text.name, message, _ASCII_QUOTES)

    def _check_letters(self, texts: Sequence[ComparedText]) -> Iterator[Finding]:
        """Yield files with letters that look like those of a file before, and with letters that no orthography has.

        Files in another script than the source, and without letters that it has, are also reported.
        """
        standards: dict[tuple[str, ...], tuple[str, str, int]] = {}
        reported = {finding.file for finding in self.findings if finding.check in ("letters", "artefact")}
        script = self._source.script
        detected = language_of_letters(self._source.head) if script is None else script.code
        of_source, *of_texts = map(_LetterForms.of, (self._source, *texts))
        usual = {letter: number for letter, number in of_source.alphabet.items() if number >= Limits.accented}
        if usual and len(texts) > 1:  # letters that no text has are no mistake of one of them
            present = set[str]().union(*(forms.alphabet for forms in of_texts))
            usual = {letter: number for letter, number in usual.items() if letter in present}
        for text, forms in zip((self._source, *texts), (of_source, *of_texts), strict=True):
            if (finding := _other_letters(text, forms, of_source)) is not None:
                yield finding
                continue
            pairs: dict[str, list[tuple[str, str]]] = {}
            numbers = Counter[str]()
            for letters, (letter, number) in text.letters.styles().items():
                file, standard, standard_number = standards.setdefault(letters, (text.name, letter, number))
                # The check of quotes compares these.
                if letter != standard and {letter, standard} != {"'", "\u2019"}:
                    pairs.setdefault(file, []).append((letter, standard))
                    numbers[file] += min(number, standard_number)
            file, number = numbers.most_common(1)[0] if numbers else ("", 0)
            if number >= Limits.letters_alike:
                yield _letters_finding(text.name, file, pairs[file], detected)
            elif text.name not in reported:
                findings = [*self._check_faulty_letters(text, texts)]
                findings = findings or [*_lost_letters(text.name, forms, usual)]
                if not findings and isinstance(text, ComparedText) and text.mostly("unlike") is None:
                    yield from lost_characters(text, self._source)
                yield from findings

    def _check_faulty_letters(self, text: TextProperties, texts: Sequence[ComparedText]) -> Iterator[Finding]:
        letters, is_source = text.letters, text is self._source
        compared_texts = texts if is_source else [self._source]
        has_clean_texts = bool(compared_texts) and not any(compared.letters.faults for compared in compared_texts)
        # Corrections may replace letters of the source.
        least = max(Limits.letters_alike, Limits.faulty * letters.lines) if is_source else 0
        if letters.faults >= Limits.letters_alike and letters.faulty_lines > least and has_clean_texts:
            number = "its" if letters.lines == self._lines else "the examined"
            example = f'"{letters.example}" ({_code_points(letters.example)})'
            message = f"{letters.faulty_lines} of {number} {letters.lines} lines have letters that only look right"
            whose = "any other file" if is_source else "the source"
            yield Finding("letters", text.name, f"{message}, such as {example}; no line of {whose} does")

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

    def _check_marked_lines(self) -> Iterator[Finding]:
        """Yield texts with a byte order mark before a line, as of a file that was joined with others."""
        for name, (number, first) in self._marked.items():
            verb = "begins" if number == 1 else "begin"
            message = f"{number} of its {self._lines} lines {verb} with a byte order mark (first line {first})"
            yield Finding("artefact", name, message, _REMOVES_MARKS)

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


@streamed
def checked_blocks(blocks: Iterable[Block], file: str) -> Iterator[Blocks]:
    """Yield the blocks of an M2 file in portions; then warn of corrections that are empty where the source is not.

    The reverse, words in empty sentences, is also reported.
    """
    accounts: dict[str, OutputAccount] = {}
    for portion in portions_of(blocks):
        _add_one_sided_versions(accounts, file, portion, is_single=False)
        yield portion
    for finding in _findings_of(accounts, None):
        finding.warn()


def warn_of_blocks(blocks: Blocks, file: str) -> None:
    """Warn of empty corrections as ``checked_blocks`` does."""
    for _ in checked_blocks(blocks, file).portions:
        pass


def _findings_of(accounts: Mapping[str, OutputAccount], blank: Blank | None) -> Iterator[Finding]:
    """Yield the findings of checks of lines, and of cleaning, by name of the file.

    Empty lines of references with a requested reading (``blank``) are none; of a system they are failures all the same.
    """
    for name, account in accounts.items():
        has_reading = blank is not None and account.form == "text"
        checks = [check for check in account.reported() if not (has_reading and check.name == "blank")]
        yield from account.findings(name, checks)
        yield from account.cleaned_findings(name)


def _add_one_sided_lines(accounts: dict[str, OutputAccount], part: Corpus, texts: Mapping[str, Text]) -> None:
    """Count lines of texts, annotators and M2 systems that are empty next to a line of the source, or the reverse."""
    for name, text in texts.items():
        absent = 0 if text.complete else sum(line is None for line in text)
        odd = one_sided_lines(part.source, text)
        accounts.setdefault(name, OutputAccount("text")).add(0, odd, len(part), absent)
    if part.gold is not None:
        _add_one_sided_versions(accounts, "gold", part.gold, is_single=len(part.annotators) < 2)
    for name, blocks in part.m2_systems.items():
        _add_one_sided_versions(accounts, f"system {name}", blocks, is_single=True)


def _add_one_sided_versions(accounts: dict[str, OutputAccount], file: str, blocks: Blocks, *, is_single: bool) -> None:
    """Count the sentences of each annotator whose corrected text is empty, unlike the source, or the reverse.

    ``is_single``: the file has one annotator, who is not named.
    """
    columns = EditColumns(blocks.edits)
    lengths = blocks.table.lengths()[columns.version_sentence]
    removed, added = columns.removed_and_added()
    is_emptied = (removed >= lengths) & (added == 0) & (lengths > 0)
    bits = np.where(is_emptied, _BLANK, np.where((lengths == 0) & (added > 0), _FILLED, 0))
    annotators = blocks.edits.annotator
    for annotator in np.unique(annotators).tolist():
        of_annotator = annotators == annotator
        odd_versions = np.flatnonzero(of_annotator & (bits > 0))
        odd = list(zip(columns.version_sentence[odd_versions].tolist(), bits[odd_versions].tolist(), strict=True))
        name = file if is_single else f"{file}, annotator {annotator}"
        account = accounts.setdefault(name, OutputAccount("edits"))
        account.add(0, odd, len(blocks), len(blocks) - int(of_annotator.sum()))


def _check_gold(corpus: TextSource, uses: Sequence[Use]) -> Iterator[Finding]:
    """Yield findings on gold edits: more references, other types, other forms."""
    if corpus.has_references:
        yield Finding("evidence", "", f"gold edits and references are both given: {_who_uses(uses)}")
    gold = corpus.gold
    if gold is not None and (headings := headings_of(gold)):
        message = f"{described(gold, headings)}: they count as correct sentences"
        yield Finding("headings", "gold", message)
    if gold is not None and (faulty_blocks := blank_tokens(gold)):
        blocks = counted(len(faulty_blocks), "block")
        message = f"{blocks} with blanks that ERRANT -tok counts as tokens: their edits are shifted"
        yield Finding("blank_tokens", "gold", message)
    as_given = corpus.gold_edits == "as-given"
    if as_given and any(use.english and use.edits for use in uses):
        types = sorted(
            type_
            for type_ in corpus.edit_types
            if type_ not in (NOOP, UNKNOWN) and not type_.startswith(("M:", "R:", "U:"))
        )
        if types:
            examples = ", ".join(types[:3]) + (", ..." if len(types) > 3 else "")
            reason = f"its types, and perhaps its spans, are not ERRANT's ({examples})"
            yield Finding("types", "gold", f"{reason}, but ERRANT's edits are compared with it")
    m2 = [name for name in corpus.system_names if name in corpus.m2_systems]
    if not as_given and m2 and any(use.edits for use in uses):
        message = f"its edits are found in its text, but {', '.join(m2)} are given as M2"
        yield Finding("forms", "gold", message)


def _who_uses(uses: Sequence[Use]) -> str:
    parts = []
    of_gold, of_texts = [use.label for use in uses if use.gold], [use.label for use in uses if use.texts]
    for evidence, labels in {"the gold edits": of_gold, "the references": of_texts}.items():
        metrics = list(dict.fromkeys(labels))
        parts.append(f"{_verb(metrics, 'uses', 'use')} {evidence}" if metrics else f"no metric uses {evidence}")
    return "; ".join(parts)


def _verb(subjects: Sequence[str], singular: str, plural: str) -> str:
    return f"{', '.join(subjects)} {singular if len(subjects) == 1 else plural}"


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


class _LetterForms(NamedTuple):
    """What a text is written with.

    Attributes:
        script: Script of most letters, if there are enough.
        chinese: Simplified or traditional, if its characters are.
        accented: Number of Latin letters with accents, umlauts and the like.
        alphabet: Numbers of letters that are not ASCII.
    """

    script: str | None
    chinese: str | None
    accented: int
    alphabet: Counter[str]

    @classmethod
    def of(cls, text: TextProperties) -> _LetterForms:
        """Return the forms of the letters of a text, in O(distinct characters)."""
        characters = text.letters.characters
        script = main_one(scripts_of(characters), Limits.accented, Limits.within)
        chinese = main_one(chinese_characters(characters), Limits.accented, Limits.same_letters)
        return cls(script, chinese, accented_letters(characters), alphabet_letters(characters))


def _other_letters(text: TextProperties, forms: _LetterForms, of_source: _LetterForms) -> Finding | None:
    """Return the finding that a text has another script than the source, or none of its accents."""
    if None not in (forms.script, of_source.script) and forms.script != of_source.script:
        message = f"most of its letters are {forms.script}; those of the source are {of_source.script}"
        return Finding("letters", text.name, message, "write all files in one script")
    if None not in (forms.chinese, of_source.chinese) and forms.chinese != of_source.chinese:
        message = f"its characters are {forms.chinese}; those of the source are {of_source.chinese}"
        step = "opencc -c t2s" if forms.chinese == TRADITIONAL else "opencc -c s2t"
        return Finding("letters", text.name, message, f"{step} -i FILE -o NEW converts them")
    if of_source.accented >= Limits.accented and not (forms.accented or text.letters.faults):
        message = f"it has no letters with accents or umlauts; the source has {of_source.accented}"
        advice = "keep them: the text was converted to ASCII"
        return Finding("letters", text.name, f"{message} in the examined lines", advice)
    return None


def _lost_letters(name: str, forms: _LetterForms, usual: Mapping[str, int]) -> Iterator[Finding]:
    """Yield a finding if a text lacks letters that the source has often, and another text, too.

    A correction removes a letter here and there; these were replaced (ё by е, ß by ss) or lost.
    """
    lost = {letter: number for letter, number in usual.items() if not forms.alphabet[letter]}
    if lost:
        letters = " or ".join(f'"{letter}"' for letter in lost)
        message = f"it has no {letters}; the source has {sum(lost.values())} in the examined lines"
        yield Finding("letters", name, message, "write them in all files, or in none")


def _letters_finding(file: str, other: str, pairs: Sequence[tuple[str, str]], detected: str | None) -> Finding:
    """Return the finding that a file has letters that look like those of another one."""
    first, second = (
        ", ".join(f"{letter} ({' '.join(f'U+{ord(c):04X}' for c in letter)})" for letter in dict.fromkeys(side))
        for side in zip(*pairs, strict=True)
    )
    verb = "stand{} for the same" if are_marks(letter for pair in pairs for letter in pair) else "look{} alike"
    message = f"it has {first}; {_the(other)} has {second}, which {verb.format('s' * (len(pairs) == 1))}"
    codes = [code for pair in pairs for code in languages_of(*pair)]
    code = detected if detected in codes else codes[0]
    if code != detected and code in _UNSPACED:  # their punctuation would be written in a text of another language
        return Finding("letters", file, message, "use the same letters in all files")
    step: Option | Step = Option("normalise", "letters")
    if code != ALL:
        preparation = f'geceval.Preparation(normalise="letters", language="{code}")'
        step = Step(Hint(step, " ", Option("language", code)), f"corpus.prepared({preparation})")
    return Finding("letters", file, message, Hint("use the same letters in all files, for example with ", step))


def _code_points(text: str) -> str:
    """Return the code points of the characters that are not ASCII, or of all if all are."""
    return " ".join(f"U+{ord(character):04X}" for character in text if not character.isascii()) or "ASCII"


def _the(file: str) -> str:
    return "the source" if file == "source" else file


def _is(trait: Trait) -> str:
    return f"is {trait}" if trait and trait.endswith("tokenised") else str(trait)


def _reads_english(corpus: TextSource, metric: AnyMetric) -> bool:
    """Return whether a metric extracts edits from text with an annotator of English."""
    annotator = metric.text_annotator
    is_given = corpus.gold is not None and corpus.gold_edits == "as-given"
    if annotator is None or (is_given and len(corpus.m2_systems) >= len(corpus.system_names)):
        return False
    return language_of(make_annotator(annotator)).code == "en"
