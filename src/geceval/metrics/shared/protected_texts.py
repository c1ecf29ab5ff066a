"""Occurrences of terms and patterns in sentences: texts that a correction must leave unchanged."""

from __future__ import annotations

import re
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from geceval.base.arguments import compiled_pattern, did_you_mean
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint
from geceval.base.package_tables import table_rows
from geceval.text.files import file_state, is_file
from geceval.text.reading.lines import read_lines


def _months() -> Iterator[tuple[str, str]]:
    """Yield the language and an expression of each name of a month."""
    for language, *names in table_rows(Path(__file__).with_name("months.tsv")):
        for name in names:
            yield language, re.sub(r"\((\w+)\)", r"(?:\1)?", name)


def _any_of(expressions: Iterable[str]) -> str:
    return rf"(?:{'|'.join(dict.fromkeys(expressions))})"


_MONTH = rf"{_any_of(name for language, name in _months() if language == 'en')}\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
#: A day before a month of any language, which may end in a full stop or a mark of ordinals, and in a preposition.
_DAY_BEFORE = r"\d{1,2}(?:st|nd|rd|th| ?\.|er|[ºª])? (?:of |de |d['’] ?)?"
_MONTH_AFTER = rf"{_any_of(name for _, name in _months())}\.?"
_ENDINGS = (
    "py|js|ts|java|kt|c|h|cpp|cs|go|rs|rb|php|sh|sql|html|css|json|ya?ml|toml|ini|xml|csv|tsv|txt|md|log|pdf|docx?|xlsx?"
    "|pptx?|png|jpe?g|svg|gif|zip|gz"
)
#: Regular expressions of the kinds of text, in the order of precedence where two begin at one character.
PATTERNS: Mapping[str, str] = {
    "urls": r"(?:https?://|ftp://|www\.)[^\s<>\"]*[^\s<>\".,;:!?)\]}']",
    "emails": r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?!\w)",
    "code": "|".join(
        [
            "`[^`]+`",
            rf"(?<![\w./])(?:[~.]{{0,2}}/)?(?:[\w.-]+/)*[\w-]+\.(?:{_ENDINGS})(?![\w/])",  # a file
            r"(?<![\w./])(?:~|\.{1,2})?/(?:[\w.-]+/)*[\w.-]*\w",  # a path from the root or the folder
            r"(?<!\w)\w+(?:\.\w+)*\(\)",  # a call
            r"(?<!\w)[A-Za-z]\w*_\w+(?!\w)",
            r"(?<![\w-])--[a-z][\w-]*",
        ]
    ),
    "dates": "|".join(
        [
            r"(?<![\w.])\d{4}-\d{1,2}-\d{1,2}(?!\w)",
            r"(?<![\w.])\d{1,2}[./]\d{1,2}[./]\d{2,4}(?!\w)",
            r"(?<![\w.:])\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?(?![\w:])",
            r"(?<![\w.])\d{1,2} ?[ap]\.?m\b\.?(?!\w)",
            rf"(?<!\w){_DAY_BEFORE}{_MONTH_AFTER}(?: (?:de )?\d{{4}})?(?!\w)",
            rf"(?<!\w){_MONTH} {_DAY}(?: ?, ?\d{{4}})?(?!\w)",
            r"(?<!\d)(?:\d{4} ?年 ?)?\d{1,2} ?月 ?\d{1,2} ?[日号號]",
            r"(?<!\d)(?:\d{4} ?년 ?)?\d{1,2} ?월 ?\d{1,2} ?일",
        ]
    ),
    "numbers": r"(?<![\w.,])(?<!\w-)[$€£]? ?[+−-]?\d+(?:[.,]\d+)*(?:st|nd|rd|th)?(?![.,]?\w)(?: ?%)?",
    "quotes": r"\"[^\"]+\"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|``[^`']+''",
}
#: Kind of an occurrence of a term, or of a regular expression of a file.
TERM, PATTERN = "terms", "patterns"
#: Head of a table of terms by line.
HEAD = "line\tterm"
#: Heads of tables with another separator.
_OTHER_HEADS = {HEAD.replace("\t", separator) for separator in (",", ";", ", ", "; ")}


class Occurrence(NamedTuple):
    """An occurrence of a text that must stay.

    Attributes:
        start: First token.
        end: End of the tokens, exclusive.
        kind: TERM, PATTERN or a key of PATTERNS.
    """

    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class TermList:
    """Terms of a file.

    Attributes:
        path: The file.
        digest: Checksum of the file.
        anywhere: Expression of the terms that are due wherever they occur; None: terms are listed by line.
        by_line: Terms with their lines of the file, by number of the source line from 1.
    """

    path: str
    digest: str
    anywhere: re.Pattern[str] | None = None
    by_line: Mapping[int, Sequence[tuple[str, int]]] = field(default_factory=dict)

    def spans(self, line: str, number: int) -> Iterator[tuple[int, int]]:
        """Yield the characters of each occurrence in a source line.

        Args:
            line: Tokens, joined by spaces.
            number: Number of the line, from 1.

        Raises:
            InputError: If a term that is listed for the line does not occur in it.
        """
        if self.anywhere is not None:
            yield from (match.span() for match in self.anywhere.finditer(line))
            return
        terms = self.by_line.get(number, ())
        for term, row in terms:
            if _expression([term]).search(line) is None:
                message = f"{term!r} is not in line {number} of the source"
                raise InputError(message, path=self.path, line=row, hint="case and accents count")
        if terms:
            yield from (match.span() for match in _expression([term for term, _ in terms]).finditer(line))


@dataclass(frozen=True)
class PatternFile:
    """Regular expressions of a file, with its checksum."""

    digest: str
    expressions: Sequence[re.Pattern[str]]


#: A word, a mark, or a character of a script without blanks, and the blanks after it.
_PIECE = re.compile(r"([^\W\u2E80-\U0003FFFF]+|\S)(\s*)")


def _expression(terms: Sequence[str]) -> re.Pattern[str]:
    """Return an expression of terms, longest first, whatever blanks the tokens of the source have next to marks."""
    longest_first = sorted(terms, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(_term_expression, longest_first))})(?!\w)")


def _term_expression(term: str) -> str:
    pieces = [(match[1], bool(match[2])) for match in _PIECE.finditer(term)]
    expression = ""
    for (piece, has_blank), (following, _) in zip(pieces, [*pieces[1:], ("", False)], strict=True):
        are_words = has_blank and piece[-1].isalnum() and following[:1].isalnum() and piece < "\u2e80"
        expression += re.escape(piece) + (" " if are_words else " ?" if following else "")
    return expression


def read_terms(path: str) -> TermList:
    """Return the terms of a file: one a line, or a table with the head "line", "term".

    Raises:
        InputError: If the file cannot be read, or has no terms or a row that is not a line number and a term.
    """
    return _read_terms(path, *file_state(path, "terms is a file with one term a line"))


@lru_cache(maxsize=8)
def _read_terms(path: str, changed: int, size: int) -> TermList:
    lines = [str(line) for line in read_lines(path)]
    digest = _digest(lines)
    head = lines[0].casefold() if lines else ""
    if head in _OTHER_HEADS:
        raise InputError("the columns of a table of terms are separated by a tab", path=path, line=1)
    if head != HEAD:
        terms = [" ".join(line.split()) for line in lines if line.strip()]
        if not terms:
            raise InputError("has no terms", path=path, hint="write one term a line")
        return TermList(path, digest, _expression(terms))
    by_line: dict[int, list[tuple[str, int]]] = {}
    for row, line in enumerate(lines[1:], 2):
        number, _, term = line.partition("\t")
        if not (number.isascii() and number.isdecimal() and int(number) and term.strip()):
            hint = "write the number of the source line, from 1, a tab and the term"
            raise InputError(f"not a line number and a term: {line!r}", path=path, line=row, hint=hint)
        by_line.setdefault(int(number), []).append((" ".join(term.split()), row))
    return TermList(path, digest, None, by_line)


def read_patterns(path: str) -> PatternFile:
    """Return the regular expressions of a file, one a line.

    Raises:
        InputError: If the file cannot be read, or has no expression or an invalid one.
    """
    return _read_patterns(path, *file_state(path, "patterns is a file with one regular expression a line"))


@lru_cache(maxsize=8)
def _read_patterns(path: str, changed: int, size: int) -> PatternFile:
    lines = [str(line) for line in read_lines(path)]
    expressions = []
    for row, line in enumerate(lines, 1):
        if line.strip():
            try:
                expressions.append(compiled_pattern(line))
            except ValueError as error:
                raise InputError(f"not a regular expression: {error}", path=path, line=row) from None
    if not expressions:
        raise InputError("has no regular expression", path=path, hint="write one regular expression a line")
    return PatternFile(_digest(lines), expressions)


def _digest(lines: Sequence[str]) -> str:
    return f"{zlib.crc32(chr(10).join(lines).encode('utf-8', 'surrogateescape')):08x}"


def pattern_names(patterns: str) -> list[str] | None:
    """Return the kinds joined by ``+``; None for a file.

    Raises:
        UsageError: If the text is neither.
    """
    names = [name.strip() for name in patterns.split("+")]
    unknown = [name for name in names if name not in PATTERNS]
    if not unknown:
        return list(dict.fromkeys(names))
    if is_file(patterns):
        return None
    hint = did_you_mean(unknown[0], PATTERNS) or Hint("or the path of a file with one regular expression a line")
    raise UsageError(f"kept: patterns {unknown[0]!r} is neither one of {', '.join(PATTERNS)} nor a file", hint=hint)


@dataclass(frozen=True)
class ProtectedTexts:
    """Terms and patterns whose occurrences must stay.

    Attributes:
        terms: Terms; they precede patterns that overlap them.
        patterns: Kinds and expressions, in the order of precedence where two begin at one character.
    """

    terms: TermList | None
    patterns: Sequence[tuple[str, re.Pattern[str]]]

    @classmethod
    def of(cls, terms: str | None, patterns: str | None) -> ProtectedTexts:
        """Return the terms of a file, and the patterns of a file or of kinds joined by ``+``."""
        expressions: list[tuple[str, re.Pattern[str]]] = []
        if patterns is not None:
            names = pattern_names(patterns)
            if names is None:
                expressions = [(PATTERN, expression) for expression in read_patterns(patterns).expressions]
            else:
                expressions = [(name, re.compile(PATTERNS[name])) for name in PATTERNS if name in names]
        return cls(None if terms is None else read_terms(terms), expressions)

    def occurrences(self, tokens: Sequence[str], number: int) -> list[Occurrence]:
        """Return the occurrences in a sentence, in order, without overlap of their characters.

        Args:
            tokens: Tokens of the sentence.
            number: Number of its line, from 1.
        """
        line = " ".join(tokens)
        spans = [] if self.terms is None else sorted({(*span, TERM) for span in self.terms.spans(line, number)})
        matches = [
            (start, index, end, kind)
            for index, (kind, expression) in enumerate(self.patterns)
            for start, end in (_stripped(line, *match.span()) for match in expression.finditer(line))
            if start < end
        ]
        for start, _, end, kind in sorted(matches):
            if not any(start < taken_end and end > taken for taken, taken_end, _ in spans):
                spans.append((start, end, kind))
        starts = [0]
        for token in tokens[:-1]:
            starts.append(starts[-1] + len(token) + 1)
        return [
            Occurrence(bisect_right(starts, start) - 1, bisect_left(starts, end), kind)
            for start, end, kind in sorted(spans)
        ]


def _stripped(line: str, start: int, end: int) -> tuple[int, int]:
    """Return a span of characters without spaces at its ends."""
    text = line[start:end]
    return start + len(text) - len(text.lstrip()), end - (len(text) - len(text.rstrip()))


def signed_file(path: str, digest: str) -> str:
    """Return the name of a file with its checksum, for signatures."""
    return f"{Path(path).name}@{digest}"
