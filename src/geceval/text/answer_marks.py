"""Answers of language models without the marks in and around a correction: tags, bullets, quotes."""

from __future__ import annotations

import re
from functools import cache
from itertools import accumulate

from geceval.text.phrases import phrase_pattern
from geceval.text.similarity import is_addition

_STRUCK = re.compile(
    r"<(del|s|strike|(?=\w+\b[^<>]*\bline-through\b)\w+)\b[^<>]*>.*?</\1>|(?<!~)~~(?=\S)[^~\n]+~~(?!~)",
    re.IGNORECASE | re.DOTALL,
)
_BLOCKS = re.compile(r"</?(?:p|br|div|li|ul|ol|tr|table|html|body|h\d)\b[^<>]*>", re.IGNORECASE)
_INLINE = re.compile(r"</?(?:b|i|u|em|strong|ins|mark|span|code|pre|font|td|th|small|sup|sub)\b[^<>]*>", re.IGNORECASE)
_BULLET = re.compile(r"^(?:[>•*+]|[(\[]?\d{1,3}[.):\]]\)?|#{1,6})(?:\s+|$)")
#: Quotes with the marks that close them, and a text with a quote at an end.
_QUOTE_PAIRS = {'"': '"', "“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』", "'": "'’", "‘": "’"}
_QUOTED = re.compile(r"^[\"'“„«»「『‘`]|[\"'“”»«」』’`]$")


@cache
def _reasoning() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return patterns of reasoning.

    It is between two tags, before a last tag, or after a first tag.
    """
    name = rf"(?:{phrase_pattern('reasoning')})(?![\w-])"
    begin, end = rf"(?:<\s*{name}[^<>]*>|\[think\]|◁think▷)", rf"(?:<\s*/\s*{name}[^<>]*>|\[/think\]|◁/think▷)"
    flags = re.IGNORECASE | re.DOTALL
    return (
        re.compile(rf"{begin}(?:(?!{begin}|{end}).)*{end}", flags),
        re.compile(rf"\A.*{end}", flags),
        re.compile(rf"{begin}.*", flags),
    )


def without_reasoning(answer: str, source: str) -> str:
    """Return an answer without reasoning in tags (``<think>``).

    Reasoning begins at the beginning of an answer without a first tag, and ends at its end without a last one. Nothing
    remains of an answer that was cut before its correction. If the source has a tag, the answer is unchanged.
    """
    patterns = _reasoning()
    if patterns[1].search(source) or patterns[2].search(source):
        return answer
    for pattern in patterns:
        answer = pattern.sub("", answer)
    return answer.strip()


def without_markup(answer: str, source: str) -> str:
    """Return an answer without the tags of HTML and without struck-out text.

    If the source has tags or struck-out text, the answer is unchanged.
    """
    if "~~" in source or _STRUCK.search(source) or _BLOCKS.search(source) or _INLINE.search(source):
        return answer
    text = _INLINE.sub("", _BLOCKS.sub("\n", _STRUCK.sub("", answer)))
    return answer if text == answer else re.sub(r"(?<=\S) {2,}", " ", text).strip()


def without_bullet(answer: str, source: str) -> str:
    """Return an answer without a bullet, a number or a sign of a heading before it that its source lacks.

    Dashes stay: they begin direct speech.
    """
    is_numbered = source.lstrip()[:1].isdigit()
    return answer if is_numbered or _BULLET.match(source) else _BULLET.sub("", answer)


def without_quotes(answer: str, source: str) -> str:
    """Return an answer without the quotes around it.

    They stay if the source is in quotes, too, and in tokenised text, in which a space separates them.
    """
    for opening, closings in _QUOTE_PAIRS.items():
        text = answer[1:-1].strip() if opening in "«「『" else answer[1:-1]
        if answer[:1] != opening or answer[-1:] not in closings or text != text.strip() or not text:
            continue
        depths = list(accumulate((mark == opening) - (mark in closings) for mark in text))
        is_pair = opening in closings or (min(depths) >= 0 and depths[-1] == 0)
        is_plain = not any(quote in text for quote in (opening, *closings)) and not _QUOTED.search(source.strip())
        return text if is_plain or (is_pair and is_addition(answer, text, source)) else answer
    return answer
