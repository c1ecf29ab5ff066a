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

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from typing import Any, TypeAlias

from geceval.base.arguments import shown
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option, Step
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.checked_texts import (
    READINGS,
    CheckedText,
    Suggestion,
    find_reading,
    split_document,
    with_line_ends,
    with_places,
)
from geceval.text.m2.checkers import checker_of, rows_of_findings
from geceval.text.m2.doubtful_suggestions import check_document, check_words, warn_of_prefix
from geceval.text.m2.edit import DELETE, NOOP, UNKNOWN, Block, Edit, Misfits, as_written, minimal, noop
from geceval.text.m2.learner_corpora import is_essay, rows_of_essay
from geceval.text.m2.m2_files import check_preserved
from geceval.text.m2.places import Reading, reading_of
from geceval.text.m2.repeated_words import at_places_of_annotators
from geceval.text.m2.suggestion_rows import checked_text, numbered_rows, replacement_text, rows_within, text_of

#: A function that splits text into tokens.
Split: TypeAlias = Callable[[str], Sequence[str]]


def read_suggestions(
    rows: Sequence[tuple[int, Any]],
    path: str,
    source: Sequence[str] | None = None,
    tokens: Sequence[str] | None = None,
    *,
    offsets: str = "auto",
    split: Split | None = None,
    normalise: Callable[[str], str] | None = None,
    misfits: Misfits = "error",
) -> Iterator[Block]:
    """Yield the blocks of suggestions.

    Args:
        rows: The rows, each with its line.
        path: The name of the file in errors.
        source: The sentences to which the offsets refer; by default the rows contain them.
        tokens: The sentences with spaces between tokens, if the source is not tokenised.
        offsets: How places are read, see places.py.
        split: The tokeniser of replacements, for texts that are not tokenised.
        normalise: The normalisation of the tokens, for texts that lack it.
        misfits: Treatment of suggestions without offsets whose quoted text does not occur once in the sentence.

    Raises:
        InputError: For rows that are not suggestions, offsets that do not fit or have several meanings, and texts that
            are not the source. Names file and line.
    """
    given = reading_of(offsets)
    checker = checker_of([row for _, row in rows])
    readings = READINGS if checker is None else (checker.readings([row for _, row in rows], path),)
    readings = readings if given is None else ((given,),)
    omitted: Counter[str] = Counter()
    if checker is not None:
        rows = rows_of_findings(checker, rows, path, None if source is None else len(source), misfits, omitted)
    scope = None if given is None else given.scope
    rows = rows_within(rows, scope, path, 1 if source is None else len(source))
    rows = [(line, part) for line, row in rows for part in (rows_of_essay(row, path, line) if is_essay(row) else [row])]
    if source is not None:
        rows = numbered_rows(rows, path, len(source))
    if source is not None and len(rows) == 1 < len(source) and scope != "text":
        document = checked_text(path, *rows[0], "\n".join(source))
        if text_of(rows[0][1]) is None:
            document = with_line_ends(document, readings)
        sentences = split_document(document, len(source), readings, misfits, omitted)
        is_stated = scope == "document" or checker is not None or text_of(rows[0][1]) is not None
        if not is_stated and any(sentence.suggestions for sentence in sentences):
            check_document(document, sentences)
        readings = ((Reading(),),)
    else:
        if source is not None and len(rows) != len(source):
            message = f"suggestions for {len(rows)} sentences, but the source has {len(source)}"
            raise InputError(message, path=path, hint="an empty list is a sentence without suggestions")
        texts: Sequence[str | None] = source or [None] * len(rows)
        sentences = [checked_text(path, *row, text) for row, text in zip(rows, texts, strict=True)]
    tokens = tokens or source
    if tokens is None and split is not None:
        tokens = [" ".join(split(sentence.text)) for sentence in sentences]
    if tokens is not None:
        sentences = [replace(sentence, tokens=line) for sentence, line in zip(sentences, tokens, strict=True)]
    sentences = [with_places(sentence, misfits, omitted) for sentence in sentences]
    reading = find_reading(sentences, readings)
    warn_of_prefix(path, sentences, reading)
    check_words(path, sentences, reading, is_given=given is not None or checker is not None)
    if normalise is not None:
        sentences = [sentence.normalised(reading, normalise) for sentence in sentences]
        reading = Reading()
    for sentence in sentences:
        try:
            yield _make_block(sentence, reading, split, omitted)
        except UsageError as error:  # a value that no edit has
            raise sentence.error(error.message, error.hint) from None
    for description, count in (+omitted).items():
        warn(f"{path}: {description}: {count}")


def _make_block(sentence: CheckedText, reading: Reading, split: Split | None, omitted: Counter[str]) -> Block:
    text, tokens = sentence.text.split(), sentence.tokens.split()
    if text != tokens if split is None else "".join(text) != "".join(tokens):
        tokenise = Step(Hint(Option("tokenise", "NAME")), 'prepare=geceval.Preparation(tokenise="NAME")')
        hint = Hint(tokenise, f" for text that is not tokenised\n  {sentence.text}\n  {sentence.tokens}")
        raise sentence.error("the text of the suggestions is not the source", hint)
    edits = []
    for suggestion in sentence.suggestions:
        edit = _make_edit(sentence, suggestion, sentence.place(suggestion, reading), split or str.split, omitted)
        if edit is not None:
            edits.append(edit)
    if not sentence.keeps_spans:
        edits = at_places_of_annotators(edits, sentence.tokens.split())
    runs = ([edit for edit in edits if edit.annotator == who] or [noop(who)] for who in sentence.annotators)
    lines = tuple(chain.from_iterable(runs))
    block = Block(sentence.tokens, lines, sentence.notes, True, sentence.path, sentence.line)
    check_preserved(block)
    if isinstance(sentence.corrected, str):
        corrected = str(Blocks.of([block]).version(0)[0])
        separator = " " if sentence.keeps_spans else ""
        if separator.join(corrected.split()) != separator.join(sentence.corrected.split()):
            raise sentence.error("the edits do not make the corrected text", corrected)
    return block


def _make_edit(
    sentence: CheckedText, suggestion: Suggestion, span: tuple[int, int], split: Split, omitted: Counter[str]
) -> Edit | None:
    """Return the edit of a suggestion, or None if it changes no token.

    A suggestion that begins or ends within a word replaces the word.
    """
    text, (start, end) = sentence.text, span
    replacements = []
    for replacement in suggestion.replacements:
        new_text = replacement_text(replacement, text[start:end])
        if new_text is None:
            listed = shown(suggestion.replacements)
            raise sentence.error(f"offset {suggestion.start}: a replacement must be text, not {listed}")
        replacements.append(new_text)
    tokens = sentence.tokens.split()
    ends = list(accumulate(map(len, tokens)))
    place: dict[str, Any] = {"comment": suggestion.comment, "line": sentence.line, "annotator": suggestion.annotator}
    if not replacements:  # the tokens that have characters of the span
        begin = bisect_right(ends, _letters_in(text[:start]))
        stop = max(begin, bisect_left([0, *ends], _letters_in(text[:end])))
        return Edit(begin, stop, UNKNOWN, (" ".join(tokens[begin:stop]),), **place)
    left, right = _word_remainders(text[:start], text[start:end], text[end:], replacements)
    begin = bisect_right(ends, _letters_in(text[: start - left]))
    stop = bisect_right(ends, _letters_in(text[: end + right]))
    tokens = tokens[begin:stop]
    new_tokens = [list(split(text[start - left : start] + new + text[end : end + right])) for new in replacements]
    first, last, _, _ = minimal(tokens, new_tokens[0], (0, len(tokens), 0, len(new_tokens[0])))
    if sentence.keeps_spans:  # except the tokens next to the span within the same word
        first = min(first, bisect_right(ends, _letters_in(text[:start])) - begin)
        last = max(last, bisect_left([0, *ends], _letters_in(text[:end])) - begin)
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
    if type_ == NOOP:
        raise sentence.error(f"offset {suggestion.start}: the rule {NOOP} is no edit in M2", "rename the rule")
    corrections = tuple(dict.fromkeys(map(" ".join, fitting)))
    if DELETE in corrections:
        raise sentence.error(f"offset {suggestion.start}: the replacement {DELETE} is a deletion in M2")
    span = begin + first, begin + last
    return Edit(*span, type_, as_written(corrections), **place)


def _letters_in(text: str) -> int:
    """Return the number of characters that are no blanks."""
    return len("".join(text.split()))


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
