"""Suggestions of grammar checkers: edits with offsets in the text.

A row belongs to a sentence, and the only row of a file to all its sentences, one per line. It is an object with a list
``matches`` (LanguageTool), ``lints`` (Harper), ``suggestions`` or ``edits``, a list of matches (language_tool_python),
or null without an answer::

    {"text": "He go .", "latency": 0.2, "matches": [{"offset": 3, "length": 2, "replacements": [{"value": "goes"}],
                                                     "rule": {"id": "HE_VERB"}, "confidence": 0.9}]}

A suggestion becomes an edit of the tokens that it changes. Replacements are alternatives, the rule is the type, and the
confidence is the comment. Without replacements it marks an error (``UNK``). The latency and a missing answer are ``I``
lines: ``I latency 0.2``, ``I no answer``.
"""

from __future__ import annotations

import re
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import Any, Literal, TypeAlias, get_args

from geceval.base.arguments import choice, shown
from geceval.base.errors import GecevalWarning, InputError, UsageError
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import DELETE, UNKNOWN, Block, Edit, as_written, minimal, noop, number_of
from geceval.text.m2.m2_files import check_preserved

#: The unit of offsets; auto: the one in which all suggestions fit their texts.
Offsets: TypeAlias = Literal["auto", "characters", "utf-16", "bytes"]
#: A function that splits text into tokens.
Split: TypeAlias = Callable[[str], Sequence[str]]

NO_ANSWER, LATENCY = "I no answer", "I latency"
#: Lists of suggestions in a row. ``edits`` count characters and keep their spans; the spans of others lose the tokens
#: that they do not change.
LISTS = ("matches", "lints", "suggestions", "edits")
#: Size of a character in each unit.
_SIZES: dict[str, Callable[[str], int]] = {
    "characters": lambda _: 1,
    "utf-16": lambda character: 1 + (character > "\uffff"),
    "bytes": lambda character: len(character.encode("utf-8", "surrogatepass")),
}
#: Labels of Harper's suggestions: the replacement of a span, the text after it, its removal.
_LABELS = re.compile(r"(Replace with: )“(.*)”|(Insert )“(.*)”|Remove error|Remove", re.DOTALL)
_HINT = "--offsets utf-16 (LanguageTool), characters or bytes is the unit of the offsets"


@dataclass(frozen=True)
class _Suggestion:
    """A suggestion with its span in the unit of the file.

    ``quoted`` is the text that it quotes, or the span of this text in another one.
    """

    start: int
    end: int
    quoted: tuple[str, tuple[int, int] | None] | None
    replacements: Sequence[Any]
    type: str
    comment: str


@dataclass(frozen=True)
class _Sentence:
    """A text, its tokens with blanks between them, and its suggestions."""

    path: str
    line: int
    text: str
    tokens: str
    suggestions: Sequence[_Suggestion] = ()
    notes: tuple[str, ...] = ()
    keeps_spans: bool = False
    corrected: str | None = None

    def error(self, message: str, hint: str | None = None) -> InputError:
        return InputError(message, path=self.path, line=self.line, hint=hint)

    def span(self, suggestion: _Suggestion, unit: str) -> tuple[int, int] | None:
        """Return the span in characters.

        It is None if the text has no span there, or another text than the suggestion quotes.
        """
        unit = "characters" if self.keeps_spans else unit
        span = _characters(self.text, suggestion.start, suggestion.end, unit)
        if span is None or suggestion.quoted is None:
            return span
        text, place = suggestion.quoted
        quoted = (0, len(text)) if place is None else _characters(text, *place, unit)
        same = quoted is not None and text[slice(*quoted)].split() == self.text[slice(*span)].split()
        return span if same else None

    def misfit(self, suggestion: _Suggestion, unit: str) -> InputError:
        """Return the error of a suggestion that has no span."""
        span = _characters(self.text, suggestion.start, suggestion.end, unit)
        if span is None:
            size = sum(map(_SIZES[unit], self.text))
            what = f"outside the text of {size} {'UTF-16 units' if unit == 'utf-16' else unit}, or within a character"
        else:
            what = f"the text has {self.text[slice(*span)]!r} there, and the suggestion quotes another one"
        return self.error(f"offset {suggestion.start} to {suggestion.end}: {what}", _HINT)


def read_suggestions(
    rows: Sequence[tuple[int, Any]],
    path: str,
    source: Sequence[str] | None = None,
    tokens: Sequence[str] | None = None,
    *,
    offsets: Offsets = "auto",
    split: Split | None = None,
) -> Iterator[Block]:
    """Yield the blocks of suggestions.

    Args:
        rows: the rows, each with its line.
        path: the name of the file in errors.
        source: the sentences to which the offsets refer; by default the rows contain them.
        tokens: the sentences with blanks between tokens, if the source is not tokenised.
        offsets: the unit of the offsets.
        split: the tokeniser of replacements, for texts that are not tokenised.

    Raises:
        InputError: for rows that are not suggestions, offsets that do not fit or have several meanings, and texts that
            are not the source. Names file and line.
    """
    choice("offsets", offsets, get_args(Offsets))
    if source is not None and len(rows) == 1 < len(source):
        sentences = _divided(_sentence(path, *rows[0], "\n".join(source)), len(source), offsets)
        offsets = "characters"
    else:
        if source is not None and len(rows) != len(source):
            message = f"there are suggestions for {len(rows)} sentences, and the source has {len(source)}"
            raise InputError(message, path=path, hint="an empty list is a sentence without suggestions")
        texts: Sequence[str | None] = source or [None] * len(rows)
        sentences = [_sentence(path, *row, text) for row, text in zip(rows, texts, strict=True)]
    tokens = tokens or source
    if tokens is None and split is not None:
        tokens = [" ".join(split(sentence.text)) for sentence in sentences]
    if tokens is not None:
        sentences = [replace(sentence, tokens=line) for sentence, line in zip(sentences, tokens, strict=True)]
    unit = _unit(sentences, offsets)
    lost: Counter[str] = Counter()
    for sentence in sentences:
        try:
            yield _block(sentence, unit, split, lost)
        except UsageError as error:  # a value that no edit has
            raise sentence.error(error.message, error.hint) from None
    for what, count in (+lost).items():
        warnings.warn(GecevalWarning(f"{path}: {count} {what}"), stacklevel=2)


def latency_of(note: str) -> float | None:
    """Return the latency in an ``I`` line; None for other lines."""
    return number_of(note.removeprefix(LATENCY)) if note.startswith(LATENCY) else None


# --- rows ---


def _sentence(path: str, line: int, row: Any, source: str | None) -> _Sentence:
    """Return the sentence of a row; its own text precedes the source."""
    found: Mapping[str, Any] = row if isinstance(row, Mapping) else {"matches": [] if row is None else row}
    text = _first(found, "text", "source")
    text = source if text is None else text
    key = next((key for key in LISTS if key in found), "")
    error = _Sentence(path, line, "", "").error
    if not isinstance(found.get(key), list):
        raise error("a sentence is an object with a list of suggestions", _hint_for_texts(path, row))
    if not isinstance(text, str):
        raise error(f"the text of the suggestions is required, not {shown(text)}", "-s SOURCE, or text in each row")
    try:
        latency = _number("a latency", _first(found, "latency"))
        notes = [NO_ANSWER] * (row is None) + [f"{LATENCY} {latency}"] * (latency is not None)
        suggestions = [_suggestion(one, key) for one in found[key]]
    except InputError as fault:
        raise error(fault.message, fault.hint) from None
    return _Sentence(
        path,
        line,
        text,
        text,
        suggestions,
        tuple(notes),
        key == "edits",
        found.get("corrected") if key == "edits" else None,
    )


def _first(found: Mapping[str, Any], *keys: str) -> Any:
    """Return the value of the first key that has one."""
    return next((found[key] for key in keys if found.get(key) is not None), None)


def _hint_for_texts(path: str, row: Any) -> str:
    """Return a hint for a row without suggestions; it may contain texts."""
    if isinstance(row, str):
        command = f"""python -c "import json; print(*json.load(open('{path}')), sep='\\n')" > FILE.txt"""
        return f"write one sentence per line: {command}" if path.endswith(".json") else "write one sentence per line"
    texts = [key for key, value in row.items() if isinstance(value, str)] if isinstance(row, Mapping) else []
    names = [key for key in texts if key.casefold() not in ("id", "source", "text", "input")]
    if names:
        return f"for a table with a column of texts: -i {path} --hypothesis-column {names[0]}"
    return f"available: {', '.join(LISTS)}"


def _suggestion(found: Any, key: str) -> _Suggestion:
    """Return a suggestion; raises InputError without a place."""
    if not isinstance(found, Mapping):
        raise InputError(f"a suggestion is an object, not {shown(found)}")
    place = found["span"] if isinstance(found.get("span"), Mapping) else found
    start, end = _first(place, "start", "offset"), _first(place, "end")
    length = _first(place, "length", "errorLength", "error_length")
    if end is None and isinstance(start, int) and isinstance(length, int):
        end = start + length
    if type(start) is not int or type(end) is not int:
        raise InputError("a suggestion has no place", hint=f"start and end, or offset and length, not {shown(found)}")
    given = _first(found, "replacements", "replacement", "suggestions")
    given = given if isinstance(given, list) else [] if given is None else [given]
    if key == "lints" or "lint_kind" in found:
        given = [_of_label(one) if isinstance(one, str) else one for one in given]
    confidence = _number(f"offset {start}: a confidence", _first(found, "confidence", "score"))
    kinds = ("rule", "ruleId", "rule_id", "type", "lint_kind", "kind", "category")
    types = (_type(found.get(kind)) for kind in (("type",) if key == "edits" else ()) + kinds)
    return _Suggestion(
        start,
        end,
        _quoted(found),
        given,
        next(filter(None, types), ""),
        DELETE if confidence is None else str(confidence),
    )


def _type(found: Any) -> str:
    """Return the name of a type or rule; empty without one."""
    name = _first(found, "id", "typeName", "name") if isinstance(found, Mapping) else found
    return "" if name is None else str(name)


def _of_label(label: str) -> Any:
    """Return the replacement that a label of Harper describes.

    Raises InputError for other texts.
    """
    match = _LABELS.fullmatch(label)
    if match is None:
        hint = 'labels are Replace with: “x”, Insert “x” and Remove error; for texts write {"ReplaceWith": "x"}'
        raise InputError(f"not a label of Harper's suggestions: {shown(label)}", hint=hint)
    if match[3]:
        return {"InsertAfter": match[4]}
    return match[2] or ""


def _number(what: str, found: Any) -> float | None:
    """Return a number or None; raises InputError for other values."""
    if found is None or (not isinstance(found, str) and number_of(str(found)) is not None):
        return None if found is None else float(found)
    raise InputError(f"{what} is a number, not {shown(found)}")


def _quoted(found: Mapping[str, Any]) -> tuple[str, tuple[int, int] | None] | None:
    """Return the text that a suggestion quotes, or a text and the span in it.

    The result is None without one.
    """
    quote, context = _first(found, "quote", "matched_text"), found.get("context")
    if isinstance(quote, str):
        return quote, None
    if isinstance(context, Mapping):
        text, start, length = (context.get(key) for key in ("text", "offset", "length"))
    else:
        text, start = context, _first(found, "offsetInContext", "offset_in_context")
        length = _first(found, "errorLength", "error_length")
    if not (isinstance(text, str) and isinstance(start, int) and isinstance(length, int)):
        return None
    return text, (start, start + length)


def _replacement(found: Any, original: str) -> str | None:
    """Return a replacement of a text; None for other values.

    Harper has ``"Remove"`` and objects with characters.
    """
    if isinstance(found, str):
        return found
    value = _first(found, "value", "ReplaceWith", "InsertAfter") if isinstance(found, Mapping) else None
    text = "".join(value) if isinstance(value, list) and all(isinstance(one, str) for one in value) else value
    if not isinstance(text, str):
        return None
    return original + text if "InsertAfter" in found else text


# --- offsets ---


def _characters(text: str, start: int, end: int, unit: str) -> tuple[int, int] | None:
    """Return a span in characters; None if the text has none."""
    places = _places(text, unit)
    return (places[start], places[end]) if start <= end and start in places and end in places else None


@lru_cache(maxsize=16)
def _places(text: str, unit: str) -> Mapping[int, int] | range:
    """Return offset in the unit -> index of the character that begins there."""
    if unit == "characters" or text.isascii():
        return range(len(text) + 1)
    return {place: at for at, place in enumerate(accumulate(map(_SIZES[unit], text), initial=0))}


def _unit(sentences: Sequence[_Sentence], offsets: Offsets) -> str:
    """Return the unit in which all suggestions have spans.

    If several units fit, their spans are equal.
    """
    units: list[str] = list(_SIZES) if offsets == "auto" else [offsets]
    pairs = [(sentence, suggestion) for sentence in sentences for suggestion in sentence.suggestions]
    for sentence, suggestion in pairs:
        fitting = [unit for unit in units if sentence.span(suggestion, unit) is not None]
        if not fitting:
            raise sentence.misfit(suggestion, units[0])
        units = fitting
    for sentence, suggestion in pairs if len(units) > 1 else ():
        if len({sentence.span(suggestion, unit) for unit in units}) > 1:
            message = f"offset {suggestion.start} to {suggestion.end} is ambiguous: it may count {' or '.join(units)}"
            raise sentence.error(message, _HINT)
    return units[0]


def _divided(document: _Sentence, sentences: int, offsets: Offsets) -> list[_Sentence]:
    """Return the lines of a document with their suggestions.

    Their offsets count characters.
    """
    unit = _unit([document], offsets)
    lines = document.text.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    own: list[list[_Suggestion]] = [[] for _ in lines]
    for suggestion in document.suggestions:
        start, end = document.span(suggestion, unit) or (0, 0)
        at = bisect_right(starts, start) - 1
        if end >= starts[at + 1]:
            raise document.error(f"offset {suggestion.start} to {suggestion.end}: the suggestion changes several lines")
        own[at].append(replace(suggestion, start=start - starts[at], end=end - starts[at], quoted=None))
    rows = list(zip(lines, own, strict=True))
    rows = rows if len(rows) == sentences else [(line, found) for line, found in rows if line.strip()]
    if len(rows) != sentences:
        raise document.error(f"the text has {len(rows)} lines, and the source has {sentences}")
    return [replace(document, text=line, tokens=line, suggestions=found) for line, found in rows]


# --- edits ---


def _block(sentence: _Sentence, unit: str, split: Split | None, lost: Counter[str]) -> Block:
    texts = [own.split() if split is None else list("".join(own.split())) for own in (sentence.text, sentence.tokens)]
    if texts[0] != texts[1]:
        hint = f"--tokenise NAME for text that is not tokenised\n  {sentence.text}\n  {sentence.tokens}"
        raise sentence.error("the text of the suggestions is not the source", hint)
    edits = []
    for suggestion in sentence.suggestions:
        edit = _edit(sentence, suggestion, sentence.span(suggestion, unit) or (0, 0), split or str.split, lost)
        edits += [] if edit is None else [edit]
    block = Block(sentence.tokens, tuple(edits) or (noop(0),), sentence.notes, True, sentence.path, sentence.line)
    check_preserved(block)
    if isinstance(sentence.corrected, str):
        made = str(Blocks.of([block]).version(0)[0])
        if made.split() != sentence.corrected.split():
            raise sentence.error("the edits do not make the corrected text", made)
    return block


def _edit(
    sentence: _Sentence, suggestion: _Suggestion, span: tuple[int, int], split: Split, lost: Counter[str]
) -> Edit | None:
    """Return the edit of a suggestion, or None if it changes no token.

    A suggestion that begins or ends within a word replaces the word.
    """
    text, (start, end) = sentence.text, span
    made = [_replacement(one, text[start:end]) for one in suggestion.replacements]
    if None in made:
        raise sentence.error(f"offset {suggestion.start}: a replacement is text, not {shown(suggestion.replacements)}")
    texts = [one for one in made if one is not None]
    left, right = _rest_of_words(text[:start], text[start:end], text[end:], texts)
    tokens = sentence.tokens.split()
    ends = list(accumulate(map(len, tokens)))
    begin, stop = (bisect_right(ends, len("".join(own.split()))) for own in (text[: start - left], text[: end + right]))
    tokens = tokens[begin:stop]
    about: dict[str, Any] = {"comment": suggestion.comment, "line": sentence.line}
    if not texts:
        return Edit(begin, stop, UNKNOWN, (" ".join(tokens),), **about)
    words = [list(split(text[start - left : start] + one + text[end : end + right])) for one in texts]
    first, last = 0, len(tokens)
    if not sentence.keeps_spans:
        first, last, _, _ = minimal(tokens, words[0], (0, last, 0, len(words[0])))
        if tokens == words[0]:
            lost["suggestions that change no token left out"] += 1
            return None
    head, tail = tokens[:first], tokens[last:]
    whole = [[*head, *own[first : len(own) - len(tail)], *tail] for own in words]
    fitting = [own[first : len(own) - len(tail)] for own, again in zip(words, whole, strict=True) if own == again]
    lost["replacements left out, which change other tokens than the first one"] += len(words) - len(fitting)
    kind = suggestion.type or ("M" if first == last else "R" if fitting[0] else "U")
    corrections = tuple(dict.fromkeys(map(" ".join, fitting)))
    if DELETE in corrections:
        raise sentence.error(f"offset {suggestion.start}: the replacement {DELETE} is a deletion in M2")
    return Edit(begin + first, begin + last, kind, as_written(corrections), **about)


def _rest_of_words(before: str, original: str, after: str, made: Sequence[str]) -> tuple[int, int]:
    """Return the numbers of characters of a cut word before and after a span.

    A word is cut if the span, or a replacement in its place, continues it.
    """
    starts, ends = ([text + after for text in (original, *made)], [before + text for text in (original, *made)])
    left = len(before.rsplit(None, 1)[-1]) if any(_is_within(before, text) for text in starts) else 0
    right = len(after.split(None, 1)[0]) if any(_is_within(text, after) for text in ends) else 0
    return left, right


def _is_within(left: str, right: str) -> bool:
    """Return whether the border of two texts is within a word."""
    return bool(left and right) and not (left[-1].isspace() or right[0].isspace())
