"""Suggestions of grammar checkers: edits with offsets in the text.

A row belongs to a sentence, and the only row of a file to all its sentences, one per line. It is an object with a list
``matches`` (LanguageTool), ``lints`` (Harper) or ``suggestions``, a list of matches (language_tool_python), or null
without an answer. suggestion_keys.tsv has the keys of more checkers::

    {"text": "He go .", "latency": 0.2, "matches": [{"offset": 3, "length": 2, "replacements": [{"value": "goes"}],
                                                     "rule": {"id": "HE_VERB"}, "confidence": 0.9}]}

A suggestion becomes an edit of the tokens that it changes. Replacements are alternatives, the rule is the type, and the
confidence is the comment. Without replacements it marks an error (``UNK``). The latency and a missing answer are ``I``
lines: ``I latency 0.2``, ``I no answer``.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, takewhile
from pathlib import Path
from typing import Any, TypeAlias

from geceval.base.arguments import shown
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import AnyHint, Hint, Option, Step, table_step
from geceval.base.package_tables import table_rows
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.checkers import checker_of, checkers, rows_of_findings
from geceval.text.m2.edit import DELETE, UNKNOWN, Block, Edit, Misfits, as_written, minimal, noop, number_in
from geceval.text.m2.learner_corpora import is_essay, rows_of_essay
from geceval.text.m2.m2_files import check_preserved
from geceval.text.m2.places import MIXED_READINGS, UNUSUAL_READINGS, USUAL_READINGS, Reading, reading_of, size_of

#: Groups of readings that are tried in turn; unusual ones only if all suggestions quote the text.
READINGS = (USUAL_READINGS, MIXED_READINGS, UNUSUAL_READINGS)
#: A function that splits text into tokens.
Split: TypeAlias = Callable[[str], Sequence[str]]

NO_ANSWER_NOTE, LATENCY_NOTE = "I no answer", "I latency"
#: Names of keys by their role.
_KEYS = {role: tuple(names.split()) for role, names in table_rows(Path(__file__).with_name("suggestion_keys.tsv"))}
#: Lists of suggestions in a row. ``edits`` next to ``source`` or ``corrected`` are the form that m2_json writes: they
#: count characters and keep their spans. The spans of others lose the tokens that they do not change.
LISTS = _KEYS["lists"]
#: Keys of the checked text, which is not a correction.
TEXTS = _KEYS["text"]
#: Roles of the items of a suggestion that is a list, as libdivvun writes it.
_ITEMS = ("form", "start", "end", "type", "message", "replacements", "title")
#: Texts that LanguageTool writes in place of replacements.
_NO_REPLACEMENT = re.compile(r"\(suggestion limit reached\)", re.IGNORECASE)
#: Labels of Harper's suggestions: the replacement of a span, the text after it, its removal.
_LABELS = re.compile(r"(Replace with: )“(.*)”|(Insert )“(.*)”|Remove error|Remove", re.DOTALL)
#: Smallest number of suggestions with the same fault that are warned of, and the largest length of a beginning.
LEAST_FAULTY, LONGEST_PREFIX = 2, 40
#: Smallest number of suggestions that are refused if all begin within words.
LEAST_REFUSED = 5
#: Share of suggestions within words that more are warned of: a text tokenised later moves those after punctuation only.
MOST_WITHIN_WORDS = 0.1
#: Ends of labels before a correction.
_LABEL_ENDS = re.compile(r"""[:→]\s*|\s*["'“‘«„`]|\s+""")
#: Letters of scripts with spaces between words.
_SPLIT_WORD = re.compile(r"[A-Za-z\u00c0-\u052f]{2}")
#: Keys of places that are lines and columns, in lower case.
_LINES = ("line", "row", "start_line", "startline")
#: Names of the numbers of a place, whatever they count.
_PLACE = re.compile(
    r"start|begin|end|offset|length|span|range|line|column|pos|\.(?:from|to|len|row|col)", re.IGNORECASE
)
_LINES_HINT = "write start and end, counted in the text from 0; lines and columns are read of " + ", ".join(
    checker.name for checker in checkers() if checker.line
)
_HINT = Hint(Option("offsets", "utf-16"), " (LanguageTool), characters or bytes is the unit of the offsets")
_RAW_HINT = "geceval m2 convert FILE -s TEXT --tokenise NAME"


@dataclass(frozen=True)
class _Suggestion:
    """A suggestion with its place as the file has it: end, length, or the quoted text alone.

    ``quoted`` is the quoted text, and its start and length if the text has context. Without ``start`` the quoted text
    is the place: of several occurrences the one with the number ``occurrence``, from 0.
    """

    start: int | None
    end: int | None
    length: int | None
    quoted: tuple[str, tuple[int, int] | None] | None
    replacements: Sequence[Any]
    type: str
    comment: str
    annotator: int = 0
    occurrence: int = 0

    @property
    def place(self) -> str:
        """The place in messages."""
        if self.start is None:
            return shown(self.quoted[0] if self.quoted else "")
        end = self.end if self.length is None else self.start + self.length
        return f"offset {self.start}" if end is None else f"offset {self.start} to {end}"


@dataclass(frozen=True)
class _Sentence:
    """A text, its tokens with spaces between them, and its suggestions."""

    path: str
    line: int
    text: str
    tokens: str
    suggestions: Sequence[_Suggestion] = ()
    notes: tuple[str, ...] = ()
    annotators: tuple[int, ...] = (0,)
    keeps_spans: bool = False
    corrected: str | None = None

    def error(self, message: str, hint: AnyHint | None = None) -> InputError:
        return InputError(message, path=self.path, line=self.line, hint=hint)

    def span(self, suggestion: _Suggestion, reading: Reading) -> tuple[int, int] | None:
        """Return the span in characters; None if it does not fit the text or the quoted text."""
        reading = Reading() if self.keeps_spans else reading
        span = self._span_in_text(suggestion, reading)
        if span is None or suggestion.quoted is None:
            return span
        context, place = suggestion.quoted
        # A checker's library may change the unit of the place and not that of the context.
        units = dict.fromkeys([reading.unit, reading.length_unit or reading.unit])
        spans = [Reading(unit).span(context, place[0], None, place[1]) for unit in units] if place else [(0, None)]
        texts = [context[slice(*quoted)].split() for quoted in spans if quoted is not None]
        return span if self.text[slice(*span)].split() in texts else None

    def spans_of(self, quote: str) -> list[tuple[int, int]]:
        """Return the spans of a quoted text: of whole words, but as text in a sentence without blanks."""
        pattern = re.escape(quote)
        if len(self.text.split()) > 1:
            left, right = (r"(?<!\w)" if quote[:1].isalnum() else ""), (r"(?!\w)" if quote[-1:].isalnum() else "")
            pattern = left + pattern + right
        return [match.span() for match in re.finditer(pattern, self.text)]

    def is_within_word(self, position: int) -> bool:
        """Return whether a position is between two letters of a script with spaces between words."""
        return position > 0 and _SPLIT_WORD.match(self.text, position - 1) is not None

    def is_quoted(self, suggestion: _Suggestion, reading: Reading) -> bool:
        """Return whether the suggestion quotes its span, blanks included, without context."""
        span = self.span(suggestion, reading)
        quoted = suggestion.quoted
        return span is not None and quoted is not None and not quoted[1] and self.text[slice(*span)] == quoted[0]

    def _span_in_text(self, suggestion: _Suggestion, reading: Reading) -> tuple[int, int] | None:
        if suggestion.start is None:
            return self.spans_of(suggestion.quoted[0])[suggestion.occurrence] if suggestion.quoted else None
        if suggestion.end is not None or suggestion.length is not None:
            return reading.span(self.text, suggestion.start, suggestion.end, suggestion.length)
        beginning = reading.span(self.text, suggestion.start, None, 0)
        return beginning and (beginning[0], beginning[0] + len(suggestion.quoted[0] if suggestion.quoted else ""))

    def span_error(self, suggestion: _Suggestion, reading: Reading) -> InputError:
        """Return the error of a suggestion that has no span."""
        span = self._span_in_text(suggestion, reading)
        if span is None:
            unit = "UTF-16 units" if reading.unit == "utf-16" else reading.unit
            reason = f"outside the text of {size_of(self.text, reading.unit)} {unit}, or within a character"
        else:
            reason = f"the text has {self.text[slice(*span)]!r} there, and the suggestion quotes another one"
        hint = Hint(_HINT, f"; if the text was tokenised later: {_RAW_HINT}")
        return self.error(f"{suggestion.place}: {reason}", hint)


def read_suggestions(
    rows: Sequence[tuple[int, Any]],
    path: str,
    source: Sequence[str] | None = None,
    tokens: Sequence[str] | None = None,
    *,
    offsets: str = "auto",
    split: Split | None = None,
    misfits: Misfits = "error",
) -> Iterator[Block]:
    """Yield the blocks of suggestions.

    Args:
        rows: the rows, each with its line.
        path: the name of the file in errors.
        source: the sentences to which the offsets refer; by default the rows contain them.
        tokens: the sentences with spaces between tokens, if the source is not tokenised.
        offsets: how places are read, see places.py.
        split: the tokeniser of replacements, for texts that are not tokenised.
        misfits: treatment of suggestions without offsets whose quoted text does not occur once in the sentence.

    Raises:
        InputError: for rows that are not suggestions, offsets that do not fit or have several meanings, and texts that
            are not the source. Names file and line.
    """
    given = reading_of(offsets)
    checker = checker_of([row for _, row in rows])
    readings = READINGS if checker is None else (checker.readings(rows[0][1]),)
    readings = readings if given is None else ((given,),)
    if checker is not None:
        rows = rows_of_findings(checker, rows, path, None if source is None else len(source))
    rows = _rows_within(rows)
    rows = [(line, part) for line, row in rows for part in (rows_of_essay(row, path, line) if is_essay(row) else [row])]
    if source is not None:
        rows = _numbered_rows(rows, path, len(source))
    if source is not None and len(rows) == 1 < len(source):
        sentences = _split_document(_parse_sentence(path, *rows[0], "\n".join(source)), len(source), readings)
        readings = ((Reading(),),)
    else:
        if source is not None and len(rows) != len(source):
            message = f"suggestions for {len(rows)} sentences, but the source has {len(source)}"
            raise InputError(message, path=path, hint="an empty list is a sentence without suggestions")
        texts: Sequence[str | None] = source or [None] * len(rows)
        sentences = [_parse_sentence(path, *row, text) for row, text in zip(rows, texts, strict=True)]
    tokens = tokens or source
    if tokens is None and split is not None:
        tokens = [" ".join(split(sentence.text)) for sentence in sentences]
    if tokens is not None:
        sentences = [replace(sentence, tokens=line) for sentence, line in zip(sentences, tokens, strict=True)]
    omitted: Counter[str] = Counter()
    sentences = [_with_places(sentence, misfits, omitted) for sentence in sentences]
    reading = _find_reading(sentences, readings)
    _warn_of_prefix(path, sentences, reading)
    _check_words(path, sentences, reading, is_given=given is not None or checker is not None)
    for sentence in sentences:
        try:
            yield _make_block(sentence, reading, split, omitted)
        except UsageError as error:  # a value that no edit has
            raise sentence.error(error.message, error.hint) from None
    for description, count in (+omitted).items():
        warn(f"{path}: {description}: {count}")


def _with_places(sentence: _Sentence, misfits: Misfits, omitted: Counter[str]) -> _Sentence:
    """Return a sentence with the suggestions that have a place.

    A quoted text without offsets has one if the sentence contains it as often as it is quoted: the suggestions belong
    to its occurrences in turn. Raises InputError for others, unless misfits are dropped.
    """
    quotes = [
        suggestion.quoted[0] if suggestion.start is None and suggestion.quoted else None
        for suggestion in sentence.suggestions
    ]
    times, seen = Counter(quotes), Counter[str]()
    suggestions = []
    for suggestion, quote in zip(sentence.suggestions, quotes, strict=True):
        if quote is None:
            suggestions.append(suggestion)
            continue
        number = len(sentence.spans_of(quote))
        if number == times[quote]:
            suggestions.append(replace(suggestion, occurrence=seen[quote]))
            seen[quote] += 1
        elif misfits == "error":
            reason = f"contains it {number} times" if number else "does not contain it as words"
            drop = Hint("write start and end, counted from 0, or ", Option("misfits", "drop"), " leaves it out")
            raise sentence.error(f"the suggestion quotes {shown(quote)}, and the text {reason}", drop)
        else:
            has = "several" if number else "none"
            omitted[f"left out suggestions that quote words of which the sentence has {has}"] += 1
    return replace(sentence, suggestions=suggestions)


def _warn_of_prefix(path: str, sentences: Sequence[_Sentence], reading: Reading) -> None:
    """Warn of a beginning that most replacements have, and no replaced text, such as ``Did you mean: ``."""
    replacements, originals = [], []
    for sentence in sentences:
        for suggestion in sentence.suggestions:
            original = sentence.text[slice(*(sentence.span(suggestion, reading) or (0, 0)))]
            texts = [_replacement_text(value, original) for value in suggestion.replacements]
            replacements += [text for text in texts if text]
            originals.append(original.casefold())
    prefixes = Counter(text[:end] for text in replacements for end in _ends_of_labels(text))
    shared = [
        prefix
        for prefix, number in prefixes.items()
        if number >= LEAST_FAULTY
        and 2 * number > len(replacements)
        and len({text for text in replacements if text.startswith(prefix)}) > 1
        and not any(original.startswith(prefix.casefold()) for original in originals)
    ]
    if shared:
        prefix = max(shared, key=len)
        labelled = [text for text in replacements if text.startswith(prefix)]
        ends = zip(*map(reversed, labelled), strict=False)
        shared_marks = takewhile(lambda end: len({*end}) == 1 and not end[0].isalnum(), ends)
        marks = "".join(end[0] for end in shared_marks)[::-1]
        number = f"{len(labelled)} of {len(replacements)}"
        message = f"{path}: {number} replacements begin with {prefix!r}, but no replaced text does: {labelled[0]!r}"
        hint = f"write the correction alone: {labelled[0].removeprefix(prefix).removesuffix(marks)!r}"
        warn(message, hint)


def _check_words(path: str, sentences: Sequence[_Sentence], reading: Reading, *, is_given: bool) -> None:
    """Warn if many suggestions begin or end between two letters: offsets from 1, or in a text with other tokens.

    Raises InputError if all of several suggestions begin there, unless the reading is given.
    """
    places = [(sentence, suggestion) for sentence in sentences for suggestion in sentence.suggestions]
    split = [
        sentence.text[slice(*span)]
        for sentence, suggestion in places
        if any(map(sentence.is_within_word, span := sentence.span(suggestion, reading) or (0, 0)))
    ]
    if not is_given and len(places) >= LEAST_REFUSED and _begin_within_words(places, reading) == len(places):
        fitting = [
            other
            for other in UNUSUAL_READINGS
            if all(sentence.span(place, other) for sentence, place in places) and not _begin_within_words(places, other)
        ]
        ways = Hint(Option("offsets", str(fitting[0])), " fits; if not: ", _RAW_HINT) if fitting else _RAW_HINT
        message = f"all {len(places)} suggestions begin within a word, such as {split[0]!r}"
        raise InputError(message, path=path, hint=ways)
    if len(split) >= LEAST_FAULTY and len(split) > MOST_WITHIN_WORDS * len(places):
        number = f"{len(split)} of {len(places)}"
        message = f"{path}: {number} suggestions begin or end within a word, such as {split[0]!r}"
        hint = "offsets count from 0 in the text of the source; if this was tokenised later: " + _RAW_HINT
        warn(message, hint)


def _begin_within_words(places: Sequence[tuple[_Sentence, _Suggestion]], reading: Reading) -> int:
    """Return how many suggestions begin between two letters."""
    spans = [(sentence, sentence.span(suggestion, reading) or (0, 0)) for sentence, suggestion in places]
    return sum(sentence.is_within_word(begin) for sentence, (begin, _) in spans)


def _ends_of_labels(text: str) -> Iterator[int]:
    """Yield the ends of the beginnings of a text that may be labels.

    A label ends in a colon or a quote, or has two words or a capital.
    """
    for match in _LABEL_ENDS.finditer(text[:LONGEST_PREFIX]):
        if match[0].strip() or text[0].isupper() or " " in text[: match.start()].strip():
            yield match.end()


def latency_of(note: str) -> float | None:
    """Return the latency in an ``I`` line; None for other lines."""
    return number_in(note.removeprefix(LATENCY_NOTE)) if note.startswith(LATENCY_NOTE) else None


# --- rows ---


def _parse_sentence(path: str, line: int, row: Any, source: str | None) -> _Sentence:
    """Return the sentence of a row; the text of the row takes precedence over the source."""
    fields: Mapping[str, Any] = row if isinstance(row, Mapping) else {"matches": [] if row is None else row}
    text = _text_of(fields, source)
    lists = _lists_of_suggestions(fields)
    error = _Sentence(path, line, "", "").error
    if not lists:
        choices = f"choose from {', '.join(LISTS[:4])}"
        raise error("a sentence is an object with a list of suggestions", _LINES_HINT if _has_lines(row) else choices)
    if not isinstance(text, str):
        hint = Hint(Option("source", "SOURCE"), ", or text in each row")
        raise error(f"the text of the suggestions is required, not {shown(text)}", hint)
    try:
        latency = _number("a latency", _first(fields, "latency"))
        suggestions = [_parse_suggestion(value, key) for key, values in lists.items() for value in values]
    except InputError as fault:
        raise error(fault.message, fault.hint) from None
    notes = [NO_ANSWER_NOTE] * (row is None) + [f"{LATENCY_NOTE} {latency}"] * (latency is not None)
    is_edits = "edits" in lists and not {"source", "corrected"}.isdisjoint(fields)
    corrected = fields.get("corrected") if is_edits else None
    annotators = tuple(dict.fromkeys(fields.get("annotators", [0])))
    return _Sentence(path, line, text, text, suggestions, tuple(notes), annotators, is_edits, corrected)


def _rows_within(rows: Sequence[tuple[int, Any]]) -> Sequence[tuple[int, Any]]:
    """Return rows that have a list of suggestions.

    They may be in a list of the only row, such as ``{"sentences": […]}``, or each in a row of its own. Rows that are
    suggestions themselves belong to one text.
    """
    items = [row for _, row in rows]
    if items and all(map(_is_suggestion, items)) and not any(map(_has_lists_of_objects, items)):
        return [(rows[0][0], items)]
    lints = list(map(_lints_of_rules, items))
    if any(lints) and None not in lints:
        return [(line, of_rules) for (line, _), of_rules in zip(rows, lints, strict=True)]
    names = dict.fromkeys(name for _, row in rows for name in _names_of_rows(row))
    if len(rows) == 1:
        [(line, document)] = rows
        return next(([(line, row) for row in document[name]] for name in names), rows)
    inner = [next((row[name] for name in names if _has_a_list(row, name)), None) for _, row in rows]
    return [
        (line, row if within is None or len(within) > 1 else next(iter(within), []))
        for (line, row), within in zip(rows, inner, strict=True)
    ]


def _has_lists_of_objects(row: Any) -> bool:
    lists = _lists_of_suggestions(row).values() if isinstance(row, Mapping) else ()
    return any(not isinstance(item, str) for items in lists for item in items)


def _lints_of_rules(row: Any) -> list[Any] | None:
    """Return the suggestions in an object that has a list for each rule (Harper's organised lints), each with its rule.

    None for other rows.
    """
    if not isinstance(row, Mapping) or any(rule in LISTS or not isinstance(row[rule], list) for rule in row):
        return None
    if not all(map(_is_suggestion, chain.from_iterable(row.values()))):
        return None
    return [{**_fields_of(item), "rule": rule} for rule, items in row.items() for item in items]


def _names_of_rows(row: Any) -> Iterator[str]:
    """Yield the keys of a row whose lists contain rows with suggestions."""
    if isinstance(row, Mapping) and not _lists_of_suggestions(row):
        for name, items in row.items():
            if isinstance(items, list) and items and all(map(_has_lists, items)):
                yield name


def _has_lists(row: Any) -> bool:
    return isinstance(row, Mapping) and bool(_lists_of_suggestions(row))


def _has_a_list(row: Any, name: str) -> bool:
    return isinstance(row, Mapping) and not _lists_of_suggestions(row) and isinstance(row.get(name), list)


def _numbered_rows(rows: Sequence[tuple[int, Any]], path: str, sentences: int) -> Sequence[tuple[int, Any]]:
    """Return a row for each sentence if the rows have numbers of sentences, from 1: Grammalecte omits correct ones.

    Rows that are all number 1, one for each sentence, come from texts that were checked separately.
    """
    values = [_value(row, "number") if isinstance(row, Mapping) else None for _, row in rows]
    numbers = [value for value in values if isinstance(value, int)]
    are_separate = len(rows) == sentences and {*numbers} == {1}
    if not numbers or are_separate or len(numbers) < len(rows):
        return rows
    numbered: dict[int, tuple[int, Any]] = {}
    for number, (line, row) in zip(numbers, rows, strict=True):
        if number in numbered:
            raise InputError(f"the sentence {number} occurs twice", path=path, line=line)
        if not 1 <= number <= sentences:
            message = f"suggestions for sentence {number}, but the source has {sentences}"
            hint = Hint("give the text that was checked: ", Option("source", "SOURCE"))
            raise InputError(message, path=path, line=line, hint=hint)
        numbered[number] = line, row
    return [numbered.get(number, (rows[-1][0], [])) for number in range(1, sentences + 1)]


def _text_of(fields: Mapping[str, Any], source: str | None) -> Any:
    """Return the checked text of a row: the source, spaces aside, if the row has it; else its first text."""
    values = [value for value in (fields.get(key) for key in TEXTS) if not isinstance(value, Mapping | None)]
    for value in values:
        if source is not None and isinstance(value, str) and value.split() == source.split():
            return value
    return next(iter(values), source)


def has_suggestions(row: Any) -> bool:
    """Return whether a row of JSON has suggestions, or a list for them, whatever else it has."""
    if isinstance(row, list):
        return any(map(_is_suggestion, row))
    has_a_list = isinstance(row, Mapping) and any(isinstance(row.get(key), list) for key in LISTS)
    return has_a_list or contains_suggestions(row)


def contains_suggestions(row: Any) -> bool:
    """Return whether a row of JSON has suggestions in a list with a known name, at any depth."""
    in_lists = any(name in LISTS and any(map(_is_suggestion, items)) for name, items in _lists_within(row))
    return in_lists or checker_of([row]) is not None or bool(_lints_of_rules(row))


def may_have_suggestions(row: Any) -> bool:
    """Return whether a row of JSON has a list that may be one of suggestions, by its name or by its items."""
    lists = _lists_within(row)
    return any(any(map(_may_be_suggestion, items)) or (name in LISTS and not items) for name, items in lists)


def _lists_within(value: Any, name: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists within a value at any depth, each with its key."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _lists_within(item, key)
    elif isinstance(value, list):
        yield name, value
        for item in value:
            yield from _lists_within(item)


def _is_suggestion(value: Any) -> bool:
    """Return whether a value has the place of a suggestion."""
    fields = _fields_of(value)
    if not isinstance(fields, Mapping) or type(_value(fields, "start")) is not int:
        return False
    return "offset" in fields or any(type(_value(fields, role)) is int for role in ("end", "length"))


def _may_be_suggestion(value: Any) -> bool:
    """Return whether a value has the place of a suggestion, or two numbers that may be one by their names."""
    return _is_suggestion(value) or (isinstance(value, Mapping) and _numbers_of_places(value) > 1)


def _numbers_of_places(value: Any, name: str = "") -> int:
    """Return how many integers have names such as ``startIndex``, ``to`` or ``range.start.line``."""
    if isinstance(value, Mapping):
        return sum(_numbers_of_places(item, f"{name}.{key}") for key, item in value.items())
    if isinstance(value, list) and len(value) == 2:
        return sum(_numbers_of_places(item, name) for item in value)
    return type(value) is int and _PLACE.search(name) is not None


def _lists_of_suggestions(row: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the lists of suggestions in a row, or in an object within it if those of the row contain no objects."""
    lists = {key: row[key] for key in LISTS if isinstance(row.get(key), list)}
    of_objects = {key: items for key, items in lists.items() if any(not isinstance(item, str) for item in items)}
    if of_objects:
        return of_objects
    inner = [_lists_of_suggestions(value) for value in row.values() if isinstance(value, Mapping)]
    inner.sort(key=lambda lists: not any(lists.values()))
    return next((nested for nested in inner if any(nested.values()) or (nested and not lists)), lists)


def _first(fields: Mapping[str, Any], *keys: str) -> Any:
    """Return the value of the first key that has one; ``fix.range.0`` leads into objects and lists."""
    for key in keys:
        value: Any = fields
        for name in key.split("."):
            if isinstance(value, list) and name.isdigit():
                value = value[int(name)] if int(name) < len(value) else None
            else:
                value = value.get(name) if isinstance(value, Mapping) else None
        if value is not None:
            return value
    return None


def _value(fields: Mapping[str, Any], role: str) -> Any:
    """Return the value of the first key of a role."""
    return _first(fields, *_KEYS[role])


def _has_lines(value: Any) -> bool:
    """Return whether a value contains the numbers of lines."""
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    return any(str(key).lower() in _LINES or _has_lines(item) for key, item in items)


def _parse_suggestion(fields: Any, key: str) -> _Suggestion:
    """Return a suggestion; raises InputError if it has no span."""
    fields = _fields_of(fields)
    if not isinstance(fields, Mapping):
        raise InputError(f"a suggestion must be an object, not {shown(fields)}")
    start, end, quote = _value(fields, "start"), _value(fields, "end"), _value(fields, "quote")
    length = _value(fields, "length")
    is_quoted = end is None and length is None and isinstance(quote, str)
    has_text_alone = start is None and is_quoted and quote.strip() and any(name in fields for name in _KEYS["fix"])
    if not has_text_alone and (type(start) is not int or not (is_quoted or type(end) is int or type(length) is int)):
        if "role" in fields:
            column = f"{key}.1.content"
            read = table_step("FILE", "hypothesis_column", column)
            raise InputError(
                "messages of a chat, not suggestions", hint=Hint(read, " reads the second message of each chat")
            )
        hint = f"start and end, or offset and length, not {shown(fields)}"
        raise InputError("a suggestion has no place", hint=_LINES_HINT if _has_lines(fields) else hint)
    replacements = _value(fields, "replacements")
    if not isinstance(replacements, list):
        replacements = [] if replacements is None else [replacements]
    replacements = [
        value for value in replacements if not _NO_REPLACEMENT.fullmatch(_replacement_text(value, "") or "")
    ]
    if key == "lints" or "lint_kind" in fields:
        replacements = [_parse_label(value) if isinstance(value, str) else value for value in replacements]
    confidence = _number(
        f"{'a quoted text' if start is None else f'offset {start}'}: a confidence", _value(fields, "confidence")
    )
    keys = ("type", *_KEYS["rule"]) if key == "edits" else _KEYS["rule"]
    types = (_type_name(fields.get(name)) for name in keys)
    comment = DELETE if confidence is None else str(confidence)
    type_ = next(filter(None, types), "")
    length = None if type(end) is int else length
    annotator = fields.get("annotator", 0)
    return _Suggestion(start, end, length, _quoted_text(fields), replacements, type_, comment, annotator)


def _fields_of(suggestion: Any) -> Any:
    """Return a suggestion as an object with its fields: of a list, or within an object such as Harper's ``inner``."""
    if isinstance(suggestion, list):
        is_place = [type(item) is int for item in suggestion[:3]] == [False, True, True]
        return dict(zip(_ITEMS, suggestion, strict=False)) if is_place else suggestion
    if isinstance(suggestion, Mapping) and _value(suggestion, "replacements") is None:
        objects = (value for value in suggestion.values() if isinstance(value, Mapping))
        inner = next((value for value in objects if _value(value, "replacements") is not None), {})
        return {**inner, **suggestion}
    return suggestion


def _type_name(value: Any) -> str:
    """Return the name of a type or rule; empty without one."""
    name = _first(value, "id", "typeName", "name", "value") if isinstance(value, Mapping) else value
    return "" if name is None else str(name)


def _parse_label(label: str) -> Any:
    """Return the replacement that a label of Harper describes.

    Raises InputError for other texts.
    """
    match = _LABELS.fullmatch(label)
    if match is None:
        hint = 'use the labels Replace with: “x”, Insert “x” and Remove error; for texts write {"ReplaceWith": "x"}'
        raise InputError(f"not a label of Harper's suggestions: {shown(label)}", hint=hint)
    if match[3]:
        return {"InsertAfter": match[4]}
    return match[2] or ""


def _number(name: str, value: Any) -> float | None:
    """Return a number or None; raises InputError for other values."""
    if value is None or (not isinstance(value, str) and number_in(str(value)) is not None):
        return None if value is None else float(value)
    raise InputError(f"{name} must be a number, not {shown(value)}")


def _quoted_text(fields: Mapping[str, Any]) -> tuple[str, tuple[int, int] | None] | None:
    """Return the text that a suggestion quotes, or its context and the span in it; None without either."""
    quote, context = _value(fields, "quote"), fields.get("context")
    if isinstance(quote, str):
        return quote, None
    if isinstance(context, Mapping):
        text, start, length = (context.get(key) for key in ("text", "offset", "length"))
    else:
        text, start = context, _first(fields, "offsetInContext", "offset_in_context")
        length = _value(fields, "length")
    if not (isinstance(text, str) and isinstance(start, int) and isinstance(length, int)):
        return None
    return text, (start, length)


def _replacement_text(replacement: Any, original: str) -> str | None:
    """Return the replacement of a text as text; None for other values.

    Harper writes ``"Remove"``, or objects whose value is a list of characters.
    """
    if isinstance(replacement, str):
        return replacement
    is_object = isinstance(replacement, Mapping)
    text = _value(replacement, "replacement") if is_object else None
    if isinstance(text, list) and all(isinstance(character, str) for character in text):
        text = "".join(text)
    if not isinstance(text, str):
        return None
    return original + text if "InsertAfter" in replacement else text


# --- offsets ---


def _find_reading(sentences: Sequence[_Sentence], readings: Sequence[Sequence[Reading]]) -> Reading:
    """Return the reading in which all suggestions have spans, of the first group with one.

    Raises InputError if no reading fits, or several of a group with different spans.
    """
    places = [(sentence, suggestion) for sentence in sentences for suggestion in sentence.suggestions]
    are_quoted = all(suggestion.quoted is not None for _, suggestion in places)
    for group in readings:
        fitting = [reading for reading in group if all(sentence.span(place, reading) for sentence, place in places)]
        if fitting and (are_quoted or group is not UNUSUAL_READINGS):
            return _only_reading(fitting, places)
    first = readings[0][0]
    sentence, suggestion = next(place for place in places if place[0].span(place[1], first) is None)
    raise sentence.span_error(suggestion, first)


def _only_reading(readings: Sequence[Reading], places: Sequence[tuple[_Sentence, _Suggestion]]) -> Reading:
    """Return one of several readings; raises InputError if they give a place different spans.

    Readings whose spans are the quoted texts to the blank are preferred.
    """
    exact = [reading for reading in readings if all(sentence.is_quoted(place, reading) for sentence, place in places)]
    readings = exact or readings
    for sentence, suggestion in places:
        if len({sentence.span(suggestion, reading) for reading in readings}) > 1:
            message = f"{suggestion.place} is ambiguous: it may count {' or '.join(map(str, readings))}"
            raise sentence.error(message, _HINT)
    return readings[0]


def _split_document(document: _Sentence, length: int, readings: Sequence[Sequence[Reading]]) -> list[_Sentence]:
    """Return the lines of a document of ``length`` sentences with their suggestions, whose offsets count characters."""
    reading = _find_reading([document], readings)
    sentences = [replace(document, text=line, tokens=line, suggestions=[]) for line in document.text.split("\n")]
    starts = list(accumulate((len(sentence.text) + 1 for sentence in sentences), initial=0))
    suggestions: list[list[_Suggestion]] = [[] for _ in sentences]
    for suggestion in document.suggestions:
        start, end = document.span(suggestion, reading) or (0, 0)
        line = bisect_right(starts, start) - 1
        if end >= starts[line + 1]:
            raise document.error(f"{suggestion.place}: the suggestion changes several lines")
        shifted = replace(suggestion, start=start - starts[line], end=end - starts[line], length=None, quoted=None)
        suggestions[line].append(shifted)
    sentences = [replace(sentence, suggestions=line) for sentence, line in zip(sentences, suggestions, strict=True)]
    if len(sentences) != length:
        sentences = [sentence for sentence in sentences if sentence.text.strip()]
    if len(sentences) != length:
        raise document.error(f"the text has {len(sentences)} lines, but the source has {length}")
    return sentences


# --- edits ---


def _make_block(sentence: _Sentence, reading: Reading, split: Split | None, omitted: Counter[str]) -> Block:
    text, tokens = sentence.text.split(), sentence.tokens.split()
    if text != tokens if split is None else "".join(text) != "".join(tokens):
        tokenise = Step(Hint(Option("tokenise", "NAME")), 'prepare=geceval.Preparation(tokenise="NAME")')
        hint = Hint(tokenise, f" for text that is not tokenised\n  {sentence.text}\n  {sentence.tokens}")
        raise sentence.error("the text of the suggestions is not the source", hint)
    edits = []
    for suggestion in sentence.suggestions:
        span = sentence.span(suggestion, reading) or (0, 0)
        edit = _make_edit(sentence, suggestion, span, split or str.split, omitted)
        if edit is not None:
            edits.append(edit)
    if not sentence.keeps_spans:
        edits = _at_places_of_annotators(edits, sentence.tokens.split())
    runs = ([edit for edit in edits if edit.annotator == who] or [noop(who)] for who in sentence.annotators)
    lines = tuple(chain.from_iterable(runs))
    block = Block(sentence.tokens, lines, sentence.notes, True, sentence.path, sentence.line)
    check_preserved(block)
    if isinstance(sentence.corrected, str):
        corrected = str(Blocks.of([block]).version(0)[0])
        if corrected.split() != sentence.corrected.split():
            raise sentence.error("the edits do not make the corrected text", corrected)
    return block


def _make_edit(
    sentence: _Sentence, suggestion: _Suggestion, span: tuple[int, int], split: Split, omitted: Counter[str]
) -> Edit | None:
    """Return the edit of a suggestion, or None if it changes no token.

    A suggestion that begins or ends within a word replaces the word.
    """
    text, (start, end) = sentence.text, span
    replacements = []
    for replacement in suggestion.replacements:
        replacement_text = _replacement_text(replacement, text[start:end])
        if replacement_text is None:
            listed = shown(suggestion.replacements)
            raise sentence.error(f"offset {suggestion.start}: a replacement must be text, not {listed}")
        replacements.append(replacement_text)
    tokens = sentence.tokens.split()
    ends = list(accumulate(map(len, tokens)))
    place: dict[str, Any] = {"comment": suggestion.comment, "line": sentence.line, "annotator": suggestion.annotator}
    if not replacements:  # the tokens that have characters of the span
        begin = bisect_right(ends, len("".join(text[:start].split())))
        stop = max(begin, bisect_left([0, *ends], len("".join(text[:end].split()))))
        return Edit(begin, stop, UNKNOWN, (" ".join(tokens[begin:stop]),), **place)
    left, right = _word_remainders(text[:start], text[start:end], text[end:], replacements)
    begin = bisect_right(ends, len("".join(text[: start - left].split())))
    stop = bisect_right(ends, len("".join(text[: end + right].split())))
    tokens = tokens[begin:stop]
    new_tokens = [list(split(text[start - left : start] + new + text[end : end + right])) for new in replacements]
    first, last, _, _ = minimal(tokens, new_tokens[0], (0, len(tokens), 0, len(new_tokens[0])))
    if sentence.keeps_spans:  # but for the tokens beside the span within the same word
        first = min(first, bisect_right(ends, len("".join(text[:start].split()))) - begin)
        last = max(last, bisect_left([0, *ends], len("".join(text[:end].split()))) - begin)
    elif tokens == new_tokens[0]:
        omitted["ignored suggestions that change no token"] += 1
        return None
    head, tail = tokens[:first], tokens[last:]
    fitting = []
    for alternative in new_tokens:
        changed = alternative[first : len(alternative) - len(tail)]
        if [*head, *changed, *tail] == alternative:
            fitting.append(changed)
    omitted["ignored replacements that change other tokens than the first one"] += len(new_tokens) - len(fitting)
    type_ = suggestion.type or ("M" if first == last else "R" if fitting[0] else "U")
    corrections = tuple(dict.fromkeys(map(" ".join, fitting)))
    if DELETE in corrections:
        raise sentence.error(f"offset {suggestion.start}: the replacement {DELETE} is a deletion in M2")
    span = begin + first, begin + last
    return Edit(*span, type_, as_written(corrections), **place)


def _at_places_of_annotators(edits: Sequence[Edit], tokens: Sequence[str]) -> list[Edit]:
    """Return edits with repeated words deleted and inserted where annotators that compare two texts do so.

    Checkers delete the second of two equal words, annotators the first: ``the [the] cat`` becomes ``[the] the cat``.
    For words that differ in case annotators replace both by the first: ``[The the → The] cat``. An edit is not moved
    over another one.
    """
    moved: list[Edit] = []
    for index, edit in enumerate(edits):
        is_certain = len(edit.corrections) == 1 and edit.type != UNKNOWN
        place = edit
        if is_certain and _follows_its_words(edit, tokens):
            spans = {(other.start, other.end) for other in (*moved, *edits[index:])} - {(edit.start, edit.end)}
            least = max((min(end, edit.start) for start, end in spans if start <= edit.start), default=0)
            place = _first_place(edit, tokens, least)
        is_repeated = bool(moved) and is_certain and _continues(moved[-1], place, tokens)
        if is_repeated and not any(other.start <= place.end < other.end for other in edits[index + 1 :]):
            confidences = [part.confidence for part in (moved[-1], place) if part.confidence is not None]
            comment = str(min(confidences)) if confidences else moved[-1].comment
            moved[-1] = replace(moved[-1], end=place.end, comment=comment)
        else:
            moved.append(place)
    return moved


def _continues(previous: Edit, edit: Edit, tokens: Sequence[str]) -> bool:
    """Return whether an edit deletes, once more, the word that the edit before it deletes or leaves.

    Checkers report each repetition of ``the the the``; annotators delete adjacent words in one edit.
    """
    is_adjacent = (previous.end, previous.annotator) == (edit.start, edit.annotator)
    if not is_adjacent or edit.correction or previous.type == UNKNOWN:
        return False
    words = {token.lower() for token in tokens[edit.start - 1 : edit.end]}
    following = "".join(tokens[edit.end : edit.end + 1])
    is_repeated = (previous.correction or following).lower() in words
    return len(words) == 1 and previous.start < previous.end and len(previous.corrections) == 1 and is_repeated


def _follows_its_words(edit: Edit, tokens: Sequence[str]) -> bool:
    """Return whether an edit inserts or deletes words whose last one, case aside, precedes it."""
    words = edit.correction.split()
    if bool(words) == (edit.start < edit.end) or edit.start == 0:
        return False
    last_word = (words or tokens[edit.start : edit.end])[-1]
    return tokens[edit.start - 1].lower() == last_word.lower()


def _first_place(edit: Edit, tokens: Sequence[str], least: int) -> Edit:
    """Return an edit that inserts or deletes, moved left, to ``least`` at most, where its text stays the same."""
    start, end, words = edit.start, edit.end, edit.correction.split()
    repeated = words or list(tokens[start:end])
    while start > least and tokens[start - 1] == repeated[-1]:
        repeated = [repeated[-1], *repeated[:-1]]
        start, end = start - 1, end - 1
    correction, type_ = " ".join(repeated) if words else "", edit.type
    if start > least and tokens[start - 1].lower() == repeated[-1].lower():
        start -= 1
        correction = " ".join([tokens[start], *(repeated if words else ())])
        type_ = "R" if type_ in ("M", "U") else type_
    return replace(edit, start=start, end=end, type=type_, corrections=(correction,))


def _word_remainders(before: str, original: str, after: str, replacements: Sequence[str]) -> tuple[int, int]:
    """Return the number of characters of a split word before and after a span.

    A word is split when the span, or a replacement of it, begins or ends inside it.
    """
    spans = (original, *replacements)
    left = len(before.rsplit(None, 1)[-1]) if any(_is_within_word(before, span + after) for span in spans) else 0
    right = len(after.split(None, 1)[0]) if any(_is_within_word(before + span, after) for span in spans) else 0
    return left, right


def _is_within_word(left: str, right: str) -> bool:
    """Return whether the border of two texts is inside a word."""
    return bool(left and right) and not (left[-1].isspace() or right[0].isspace())
