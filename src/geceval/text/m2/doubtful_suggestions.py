"""Warnings and errors for suggestions that probably do not mean what they say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile

from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option
from geceval.text.m2.checked_texts import RAW_HINT, CheckedText
from geceval.text.m2.places import UNUSUAL_READINGS, Reading
from geceval.text.m2.suggestion_rows import replacement_text

#: Smallest number of suggestions with the same fault that are warned of, and the largest length of a beginning.
LEAST_FAULTY, LONGEST_PREFIX = 2, 40
#: Smallest number of suggestions that are refused if all begin within words.
LEAST_REFUSED = 5
#: Number of sentences of which all suggestions may be in the first one.
FEW_SENTENCES = 5
#: Share of suggestions within words that more are warned of: a text tokenised later moves those after punctuation only.
MOST_WITHIN_WORDS = 0.1
#: Ends of labels before a correction.
_LABEL_ENDS = re.compile(r"""[:→]\s*|\s*["'“‘«„`]|\s+""")


def warn_of_prefix(path: str, sentences: Sequence[CheckedText], reading: Reading) -> None:
    """Warn of a beginning that most replacements have, and no replaced text, such as ``Did you mean: ``."""
    replacements, originals = [], []
    for sentence in sentences:
        for suggestion in sentence.suggestions:
            original = sentence.text[slice(*sentence.place(suggestion, reading))]
            texts = [replacement_text(value, original) for value in suggestion.replacements]
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


def _ends_of_labels(text: str) -> Iterator[int]:
    """Yield the ends of the beginnings of a text that may be labels.

    A label ends in a colon or a quote, or has two words or a capital.
    """
    for match in _LABEL_ENDS.finditer(text[:LONGEST_PREFIX]):
        if match[0].strip() or text[0].isupper() or " " in text[: match.start()].strip():
            yield match.end()


def check_document(document: CheckedText, sentences: Sequence[CheckedText]) -> None:
    """Raise InputError if all suggestions of a text are in the first of several sentences: others may be missing."""
    if len(sentences) > FEW_SENTENCES and not any(sentence.suggestions for sentence in sentences[1:]):
        message = f"suggestions for 1 sentence, but the source has {len(sentences)}"
        hint = Hint(Option("offsets", "characters,document"), " if they are all those of the whole text")
        raise document.error(message, hint)


def check_words(path: str, sentences: Sequence[CheckedText], reading: Reading, *, is_given: bool) -> None:
    """Warn if many suggestions begin or end between two letters: offsets from 1, or in a text with other tokens.

    Raises InputError if all of several suggestions begin there, unless the reading is given.
    """
    suggestions = [(sentence, suggestion) for sentence in sentences for suggestion in sentence.suggestions]
    split = [
        sentence.text[slice(*span)]
        for sentence, suggestion in suggestions
        if any(map(sentence.is_within_word, span := sentence.place(suggestion, reading)))
    ]
    if (
        not is_given
        and len(suggestions) >= LEAST_REFUSED
        and _begin_within_words(sentences, reading) == len(suggestions)
    ):
        fitting = [
            candidate
            for candidate in UNUSUAL_READINGS
            if all(sentence.span(place, candidate) for sentence, place in suggestions)
            and not _begin_within_words(sentences, candidate)
        ]
        ways = Hint(Option("offsets", str(fitting[0])), " fits; if not: ", RAW_HINT) if fitting else RAW_HINT
        message = f"all {len(suggestions)} suggestions begin within a word, such as {split[0]!r}"
        raise InputError(message, path=path, hint=ways)
    if len(split) >= LEAST_FAULTY and len(split) > MOST_WITHIN_WORDS * len(suggestions):
        number = f"{len(split)} of {len(suggestions)}"
        message = f"{path}: {number} suggestions begin or end within a word, such as {split[0]!r}"
        hint = "offsets count from 0 in the text of the source; if this was tokenised later: " + RAW_HINT
        warn(message, hint)


def _begin_within_words(sentences: Sequence[CheckedText], reading: Reading) -> int:
    return sum(sentence.begin_within_words(reading) for sentence in sentences)
