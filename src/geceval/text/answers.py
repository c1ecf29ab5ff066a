"""Corrections in answers of language models.

The functions remove reasoning, unpack JSON, choose among several lines, and read statements that nothing is wrong.
output_phrases.tsv contains the phrases of such answers: labels, refusals, prompts and others.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, cast

from geceval._kernel import Phrases, Text
from geceval.base.registry import table_rows

PhraseKind: TypeAlias = Literal[
    "preamble", "label", "refusal", "explanation", "prompt", "reasoning", "fine", "change", "negation", "filler"
]


@cache
def output_phrases() -> tuple[tuple[PhraseKind, str], ...]:
    """Return all phrases with their kinds; output_phrases.tsv defines the kinds.

    Returns:
        Pairs of a kind and a phrase in lower case.
    """
    return tuple((cast(PhraseKind, kind), phrase) for kind, phrases in _rows() for phrase in phrases.split("|"))


@cache
def phrase_pattern(kind: PhraseKind) -> str:
    """Return a pattern of the phrases of a kind."""
    phrases = sorted((phrase for row, phrase in output_phrases() if row == kind), key=len, reverse=True)
    # Scripts from Thai on have no blanks between words.
    ends = (r"\b" if phrase[-1].isalpha() and phrase[-1] < "\u0e00" else "" for phrase in phrases)
    pattern = "|".join(map(str.__add__, map(re.escape, phrases), ends))
    return pattern.replace("'", "['’]").replace(":", " ?[:：]")


@cache
def phrase_table() -> Phrases:
    """Return all phrases for the kernel."""
    return Phrases(_rows())


def _rows() -> list[tuple[str, str]]:
    return [(kind, phrases) for kind, _, phrases in table_rows(Path(__file__).with_name("output_phrases.tsv"))]


#: Similarity to its source from which a line of an answer is a correction: after a label, and elsewhere.
LABELLED, ALIKE = 0.2, 0.4
#: Difference of similarities below which the earlier of two lines is the correction.
_CLOSE = 0.05
#: Largest number of characters of a value in JSON, and of lines that are compared with the source.
_LONGEST, _MOST_LINES = 100_000, 1000
_NAME = r"(?:{})(?![\w-])"
#: Marks before a line: lists, headings, quotations, bold type, symbols.
_MARKS = r"(?:[\s>#*_•·–—✅☑✔❌✏📝➡👉🔹🔸\ufe0f-]|\(?\d{1,2}[.)]\s)*"
_SYMBOLS = re.compile(r"^(?:[>*•·–—✅☑✔✏📝➡👉🔹🔸\ufe0f-]+\s+|[✅☑✔✏📝➡👉🔹🔸\ufe0f]+|\(?\d{1,2}[.)]\s+)+")
#: Bits of lines with an introduction, an explanation, a prompt, quotes or fences, or Markdown.
_REMARKED = 0b111101
_RULE = re.compile(r"[-*_=~`]{3,}\w*")
_JSON = re.compile(r"(?:^\s*|\n[ \t]*|`{3,}(?:json\w*)?\s*)(\{.*\}|\[.*\])", re.DOTALL | re.IGNORECASE)
#: Parts of the names of values in JSON that are the correction, best first, and of names of other values.
_TEXTS = ("correct", "fixed", "revised", "edited", "output", "answer", "result", "sentence", "text")
_OTHER_TEXTS = re.compile("original|source|input|incorrect|errors?|expla|corrections|changes")


# --- reasoning ---


@cache
def _reasoning() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return patterns of reasoning.

    It is between two tags, before a last tag, or after a first tag.
    """
    name = _NAME.format(phrase_pattern("reasoning"))
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


# --- JSON ---


def text_of_json(answer: str, source: str) -> str:
    """Return the text in an answer that is a JSON object or list.

    The JSON may be in a fence. Other answers are returned unchanged.
    """
    match = _JSON.search(answer) if len(answer) <= _LONGEST else None
    if match is None or source.lstrip()[:1] == match[1][:1]:
        return answer
    try:
        value = json.loads(match[1], strict=False)
    except (ValueError, RecursionError):
        return answer
    values = list(value.items()) if isinstance(value, Mapping) else [("", item) for item in value]
    texts = {str(name).casefold(): text for name, text in values if isinstance(text, str)}
    names = (name for key in _TEXTS for name in texts if key in name and not _OTHER_TEXTS.search(name))
    name = next(iter(texts) if len(values) == 1 else names, None)
    text = "" if name is None else texts[name]
    return text if is_addition(answer, text, source) else answer


# --- lines ---


class _Segment(NamedTuple):
    """Consecutive lines of an answer.

    ``rank``: 2 after a label, 1 at other places, 0 after a remark, -1 for the source.
    """

    rank: int
    lines: list[str]


@cache
def _heads() -> dict[str, re.Pattern[str]]:
    """Return the patterns of lines that begin with a phrase, by kind."""
    label, preamble, explanation, prompt = map(phrase_pattern, ("label", "preamble", "explanation", "prompt"))
    heads = {
        "remark": rf"(?:{explanation})",
        "original": rf"(?:{prompt})[^:：]{{0,80}}(?:(?<=[:：])|[:：]|$)",
        "label": rf"(?:{label})(?:(?:\b[^:：.!?]{{0,60}})?[:：]|$)",
        "preamble": rf"(?:{preamble})[^:：]{{0,200}}(?:[:：]|[.!！。]?$)",
    }
    return {kind: re.compile(rf"{_MARKS}{head}[*_\s]*", re.IGNORECASE) for kind, head in heads.items()}


@cache
def _breaks() -> re.Pattern[str]:
    """Return the pattern of places where lines begin that were joined by blanks."""
    label, preamble, explanation, prompt = map(phrase_pattern, ("label", "preamble", "explanation", "prompt"))
    head = rf"(?:{label})[*_]* ?[:：]|(?:{preamble})[^:：.!?]{{0,80}}[:：]|(?:{explanation})|(?:{prompt})(?<=[:：])"
    fence = r"\s*`{3,}(?:(?:(?:plain)?text|txt|markdown|md)(?=\s))?\s*"
    boundary = r"(?:(?<=[.!?…。！？\"'”’»」*_`)\]])\s+|(?<!\s)\s+(?=[*_#•🔹✅-]))"
    return re.compile(rf"{fence}|\s-{{3,}}\s|{boundary}(?={_MARKS}(?:{head}))", re.IGNORECASE)


def correction_in_lines(answer: str, source: str) -> str:
    """Return the lines of an answer that correct a source, joined by blanks.

    These are the lines after a label, or else the lines that resemble the source most. Without them, all
    lines are returned. Cost: O(characters).
    """
    joint = "\n" if "\n" in source else " "
    lines = [line.strip() for line in re.split(r"\r\n?|\n", answer)]
    if len(lines) == 1:
        begin = re.sub(rf"^{_MARKS}", "", answer)
        [(_, bits)] = phrase_table().odd_lines(Text([source]), Text([begin]))[1] or [(0, 0)]
        lines = [line.strip() for line in _breaks().split(answer)] if bits & _REMARKED else lines
        if len(lines) == 1:
            return answer
    if "|" not in source:
        is_row = [line.startswith("|") and line.endswith("|") for line in lines]
        lines = [
            cell.strip()
            for line, row in zip(lines, is_row, strict=True)
            for cell in (line.split("|") if row else [line])
        ]
    lines = [line for line in lines if not _RULE.fullmatch(line)]
    if not ("**" in source or "__" in source):
        lines = [re.sub(r"\*\*|__", "", line) for line in lines]
    new = joint.join(_correction(lines[:_MOST_LINES], source))
    echo = "".join(source.split())
    rest = "\n".join(line for line in lines if not "".join(line.split()).endswith(echo))
    removed_from = rest if rest and _similarity(new, source) >= ALIKE else answer
    return new if is_addition(removed_from, new, source) else joint.join(filter(None, lines))


def _correction(lines: Sequence[str], source: str) -> Sequence[str]:
    """Return the lines that are the correction; all lines if these are unknown."""
    segments, has_statement = _segments(lines, source)
    for rank, least in ((2, LABELLED), (1, ALIKE), (0, ALIKE)):
        closest = [_closest(segment.lines, source) for segment in segments if segment.rank == rank and segment.lines]
        similarity, text = max(closest, key=lambda pair: pair[0], default=(0.0, []))
        if similarity >= least:
            return text
    rest = [line for segment in segments if segment.rank > 0 for line in segment.lines]
    return [source] if has_statement else rest if len(rest) == 1 else list(filter(None, lines))


def _segments(lines: Sequence[str], source: str) -> tuple[list[_Segment], bool]:
    """Return the lines in segments, and whether a line states that nothing is wrong."""
    heads = {kind: head for kind, head in _heads().items() if not head.match(source)}
    segments, has_statement = [_Segment(1, [])], False
    for line in lines:
        if segments[-1].rank < 0 and segments[-1].lines:
            segments.append(_Segment(1, []))
        if not line:
            continue
        kind, match = _head(heads, line)
        rest = phrase_table().after_statement(source, re.sub(rf"^{_MARKS}", "", line))
        if rest is not None and kind != "label":
            has_statement, line = True, rest
            if not line:
                continue
            kind, match = _head(heads, line)
        after = line[match.end() :].strip() if match else line
        if kind == "text" or (kind == "preamble" and not after and _similarity(line, source) >= ALIKE):
            segments[-1].lines.append(line)
        elif kind == "remark":
            segments.append(_Segment(0, []))
        elif kind == "original":
            segments.append(_Segment(-1, [after] if after else []))
        elif after or line.endswith((":", "：")) or kind == "label":
            segments.append(_Segment(2, [after] if after else []))
    return segments, has_statement


def _head(heads: Mapping[str, re.Pattern[str]], line: str) -> tuple[str, re.Match[str] | None]:
    """Return the kind of a line, which is text without a match."""
    matches = ((kind, head.match(line)) for kind, head in heads.items())
    return next(((kind, match) for kind, match in matches if match), ("text", None))


def _closest(lines: Sequence[str], source: str) -> tuple[float, list[str]]:
    """Return the consecutive lines that resemble a source most, and their similarity.

    The first of similar ones is returned; a line that equals the source precedes its correction.
    """
    target, parts = _pairs(source), [_pairs(line) for line in lines]
    sums = [_dice(part, target) for part in parts]
    echoes = [index for index, part in enumerate(parts) if part == target]
    if echoes and max((sums[index] for index in range(echoes[-1] + 1, len(parts))), default=0.0) >= 0.6:
        sums = [value if index > echoes[-1] else 0.0 for index, value in enumerate(sums)]
    least = max(sums) - _CLOSE
    first = last = next(index for index, value in enumerate(sums) if value >= least)
    missing = target - parts[first]
    for step in (1, -1):
        while 0 <= (index := (last if step > 0 else first) + step) < len(lines) and index not in echoes:
            if 2 * (parts[index] & missing).total() < parts[index].total() or not parts[index]:
                break
            missing -= parts[index]
            first, last = min(first, index), max(last, index)
    closest = list(lines[first : last + 1])
    if first == last and not _SYMBOLS.match(source):
        closest = [_SYMBOLS.sub("", closest[0])]
    return _dice(_pairs(" ".join(closest)), target), closest


# --- statements that nothing is wrong ---


def source_for_statement(answer: str, source: str) -> str:
    """Return the source if an answer only states that nothing is wrong.

    An example is ``No changes needed.`` If the correction follows the statement or is quoted in it, it is returned.
    Other answers are returned unchanged.
    """
    rest = phrase_table().after_statement(source, answer)
    if rest is None:
        quoted = re.search(r"[\"“„«'‘`](.+)[\"”“»'’`]", answer, re.DOTALL)
        if quoted is None or _similarity(quoted[1], source) < 2 * ALIKE:
            return answer
        outside = f"{answer[: quoted.start()]} {answer[quoted.end() :]}"
        return quoted[1] if phrase_table().after_statement(source, outside) == "" else answer
    sentences = re.split(r"(?<=[.!?。！？])\s+", rest)
    similarity, closest = _closest(sentences, source)
    return " ".join(closest) if rest and similarity >= ALIKE else source


# --- similarity ---


def _similarity(text: str, source: str) -> float:
    return _dice(_pairs(text), _pairs(source))


def _dice(first: Counter[str], second: Counter[str]) -> float:
    return 2 * (first & second).total() / max(1, first.total() + second.total())


@lru_cache(8)
def _pairs(text: str) -> Counter[str]:
    """Return the number of each pair of characters; blanks and case do not count."""
    text = "".join(text.casefold().split())
    return Counter(map("".join, zip(f" {text}", f"{text} ", strict=True))) if text else Counter()


_QUOTES = str.maketrans(dict.fromkeys("“”„«»「」『』", '"') | dict.fromkeys("‘’", "'"))


def is_addition(line: str, new: str, source: str) -> bool:
    """Return whether the source lacks most words and marks that ``new`` lacks."""
    remaining = _words(new)
    removed = _words(line) - remaining
    return bool(remaining) and 3 * (removed & (_words(source) - remaining)).total() <= removed.total()


@lru_cache(8)
def _words(text: str) -> Counter[str]:
    """Return the number of each word and mark; all quotes are equal."""
    text = text.translate(_QUOTES).replace("``", '"').replace("''", '"')
    return Counter(re.findall(r"\w+|[^\w\s]", text.casefold()))
