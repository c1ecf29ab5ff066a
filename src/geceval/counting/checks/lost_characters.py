"""Capitals and punctuation that a text lost, or that something added to most of its words.

``str.capitalize`` and ``str.title`` change capitals, a normaliser removes punctuation, and a program that writes tokens
puts commas or quotes between them. Corrections do this to single words, not to all.
"""

from __future__ import annotations

from collections.abc import Iterator

from geceval.base.hints import AnyHint
from geceval.counting.checks.check_table import HINTS
from geceval.counting.checks.findings import Finding
from geceval.counting.checks.limits import Limits
from geceval.counting.checks.text_properties import Letters, TextProperties, is_punctuation

_LOST: AnyHint = "write all files with the same punctuation: this one was normalised"
_ADDED: AnyHint = "check how the file was written"
#: Smallest number of words to a line of a text whose words are counted.
_WORDS = 3


def lost_characters(text: TextProperties, source: TextProperties) -> Finding | None:
    """Return the first difference in capitals or punctuation between a text and the source; None without one.

    Args:
        text: A reference or a system.
        source: The source.
    """
    message, hint = next(_differences(text.letters, source.letters), ("", ""))
    return Finding("letters", text.name, f"{message} in the examined lines", hint) if message else None


def _differences(text: Letters, source: Letters) -> Iterator[tuple[str, AnyHint]]:
    """Yield the message and the hint of each difference, in O(distinct characters)."""
    if min(source.lines, text.lines) < Limits.least or source.words < _WORDS * source.lines:
        return
    yield from _capitals(text, source)
    marks, of_text = ({c: n for c, n in letters.characters.items() if is_punctuation(c)} for letters in (source, text))
    lost = {mark: number for mark, number in marks.items() if number >= Limits.accented and mark not in of_text}
    number = sum(lost.values())
    # Corrections replace marks by others, and add commas and full stops.
    if lost and sum(of_text.values()) < sum(marks.values()) - Limits.within * number:
        yield f"it has no {' or '.join(lost)}; the source has {number}", _LOST
    if source.ended_lines > Limits.frequent * source.lines and text.ended_lines < Limits.rare * text.lines:
        yield f"few of its lines end with punctuation; {source.ended_lines} of {source.lines} of the source do", _LOST
    for mark, number in text.characters.items():
        is_flood = number > Limits.frequent * source.words and source.characters[mark] < Limits.rare * source.words
        if is_flood and not mark.isalnum() and not mark.isspace():
            yield f"it has {number} {mark}; the source has {source.characters[mark]}", _ADDED


def _capitals(text: Letters, source: Letters) -> Iterator[tuple[str, AnyHint]]:
    has_both_cases = any(map(str.isupper, text.characters)) and any(map(str.islower, text.characters))
    if not has_both_cases or text.words < Limits.accented:  # other checks report lines in one case
        return
    if source.capitals >= Limits.accented and not text.capitals:
        message = f"no word after the first one of a line begins with a capital; {source.capitals} of the source do"
        yield message, HINTS["lowercase"]
    if text.capitals > Limits.same_letters * text.words and source.capitals < Limits.frequent * source.words:
        message = f"{text.capitals} of {text.words} words after the first ones begin with a capital"
        yield f"{message}; of the source {source.capitals} do", HINTS["capitals"]
