"""Corrections among the lines of answers of language models, and statements that nothing is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from geceval._kernel import Text
from geceval.text.line_marks import mark_bits
from geceval.text.phrases import COLON, phrase_pattern, phrase_table
from geceval.text.similarity import is_addition, is_foreign, pairs, similarity_of

#: Similarity to its source from which a line of an answer is a correction: after a label, and elsewhere.
LABELLED, ALIKE = 0.2, 0.4
#: Similarity from which a line is a correction rather than the source that the answer repeats.
_REVISED = 0.6
#: Advantages of lines in segments by rank, and difference below which the earlier of two lines is the correction.
_ADVANTAGES = {2: 0.2, 1: 0.0, 0: -0.4}
_CLOSE = 0.05
#: Difference of two versions of the sentence below which the earlier one is the correction.
_CLOSE_VERSIONS = 0.3
#: Largest number of lines that are compared with the source, and of characters of an unknown title.
_MOST_LINES, _LONGEST_TITLE = 1000, 60
#: Numbers of characters of the beginning after a title, and of more than an interjection.
_BEGINNING, _LEAST_REMARK = 20, 4
_EMOJI = "✅☑✔❌✗✘✏📝➡👉🔹🔸▶\ufe0f"
#: Marks before a line: lists, headings, quotations, bold type, arrows, symbols.
_MARKS = rf"(?:[\s>#*_+•*·–—→{_EMOJI}-]|\(?\d{{1,2}}[.):]\)?\s)*"
_BEFORE_LINE = re.compile(f"^{_MARKS}")
_SYMBOLS = re.compile(rf"^(?:[>*+•·–—→{_EMOJI}-]+\s+|[{_EMOJI}]+|#+\s+|\(?\d{{1,2}}[.):]\)?\s+)+")
_REMARKED = mark_bits("chatter", "explanations", "prompts", "wrapped", "markdown")
_RULE = re.compile(r"[-*_=~`$\\\[\]]{2,}\w*|[↓⬇]\ufe0f?")
_ARROW = re.compile(r"\s*(?:-{1,2}>|={1,2}>|[→➜➔➡⇒⟶⟹])\ufe0f?\s*")
#: Characters, one of which is in a row of a table, in an arrow and in quotes.
_DIVIDING = re.compile(r"[|>→➜➔➡⇒⟶⟹\"“„«]")
#: A text in quotes, one without quotes in it, versions of a sentence in quotes, and marks that enclose lines.
_QUOTED_TEXT = re.compile(r"[\"“„«'‘`](.+)[\"”“»'’`]", re.DOTALL)
_QUOTATION = re.compile(r"[\"“„«‘'][^\"“”„«»\n]{1,80}[\"”“»’']")
_VERSION = re.compile(r"[\"“„]([^\"“”„]+)[\"”“]|«([^«»]+)»")
_ENCLOSING = " \"'“”„«»「」『』‘’*_`"


# --- preambles ---

_COLON_END = re.compile(r"[:：]\s*$")
#: Characters that are neither letters, digits nor the usual marks of sentences.
_OTHER_MARKS = re.compile(r"[^\w\s.,;?'’-]|_")


def without_preamble(answer: str, source: str) -> str:
    """Return a version of the source that a preamble with a colon precedes in a line; other answers are unchanged.

    The version has no marks and remarks that other rules remove: they would remove the preamble, too, in more time.
    """
    head = _heads()["preamble"]
    match = head.match(answer)
    if "\n" in answer or match is None or not _COLON_END.search(match[0]) or head.match(source):
        return answer
    rest = answer[match.end() :].strip()
    if rest == source:  # a correction may stand before the colon
        return rest if similarity_of(match[0], source) < ALIKE else answer
    if source in rest:  # with a statement that nothing is wrong
        return answer
    words, words_of_source = rest.split(), source.split()
    has_unusual_marks = not rest[:1].isalnum() or _OTHER_MARKS.search(rest) is not None
    if has_unusual_marks and not (
        answer[:1].isalpha() and _marked(words) == _marked(words_of_source) and is_foreign(match[0], source)
    ):
        return answer
    if similarity_of(rest, source) < _REVISED:
        return answer
    # Remarks are before or after the version.
    has_same_ends = words[:1] + words[-2:] == words_of_source[:1] + words_of_source[-2:]
    has_remarks = not has_same_ends and phrase_table().odd_lines(Text([source]), Text([rest]))[1]
    return rest if not has_remarks and is_addition(answer, rest, source) else answer


def _marked(words: Sequence[str]) -> list[str]:
    """Return the first word, and the words with marks that are unusual in sentences."""
    return [*words[:1], *filter(_OTHER_MARKS.search, words[1:])]


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
    remarks, originals = (phrases.replace(COLON, "[*_ ]*$") for phrases in (explanation, prompt))
    heads = {
        "remark": rf"(?:{explanation}|{remarks})",
        "original": rf"(?:(?:{prompt})[^:：]{{0,80}}(?:(?<=[:：])|(?<= [–—] )|[:：]|$)|{originals})",
        "label": rf"(?:{label})(?:(?:\b[^:：.!?]{{0,60}})?(?:[:：]| [–—] )|[*_ ]*$)",
        "preamble": rf"(?:{preamble})[^:：]{{0,200}}(?:[:：]|[.!！。]?$)",
    }
    return {kind: re.compile(rf"{_MARKS}{head}[*_]*\s*", re.IGNORECASE) for kind, head in heads.items()}


@cache
def _breaks() -> re.Pattern[str]:
    """Return the pattern of places where lines begin that were joined by spaces."""
    label, preamble, explanation, prompt = map(phrase_pattern, ("label", "preamble", "explanation", "prompt"))
    head = rf"(?:{label})[*_]* ?[:：]|(?:{preamble})[^:：.!?]{{0,80}}[:：]|(?:{explanation})|(?:{prompt})(?<=[:：])"
    fence = r"\s*`{3,}(?:(?:(?:plain)?text|txt|markdown|md)(?=\s))?\s*"
    boundary = r"(?:(?<=[.!?…。！？\"'”’»」*_`)\]])\s+|(?<!\s)\s+(?=[*_#•🔹✅-]))"
    return re.compile(rf"{fence}|\s-{{3,}}\s|(?:\s\|\s|{boundary})(?={_MARKS}(?:{head}))", re.IGNORECASE)


def correction_in_lines(answer: str, source: str) -> str:
    """Return the lines of an answer that correct a source, joined by spaces.

    These are the lines that resemble the source most, with preference to lines after a label. Without them, all
    lines are returned. Cost: O(characters).
    """
    joint = "\n" if "\n" in source else " "
    has_breaks = "\n" in answer or "\r" in answer
    lines = [line.strip() for line in re.split(r"\r\n?|\n", answer)] if has_breaks else [answer.strip()]
    if len(lines) == 1:
        lines = _divided(answer, source)
    added = [line[1:].strip() for line in lines if line.startswith("+")]
    if any(line.startswith("-") for line in lines) and similarity_of(" ".join(added), source) >= ALIKE:
        lines = added  # a diff
    lines = [part for line in lines for part in _parts(line, source)]
    if len(lines) == 1 and not added:
        return answer
    lines = [line for line in lines if not _RULE.fullmatch(line)]
    if not ("**" in source or "__" in source):
        lines = [re.sub(r"\*\*|(?<!\s)__|__(?!\s)", "", line) for line in lines]
    new = joint.join(_correction(lines[:_MOST_LINES], source))
    echo = "".join(source.split())
    rest = "\n".join(line for line in lines if not "".join(line.split()).endswith(echo))
    similarity = similarity_of(new, source)
    # Remarks quote words of the source.
    removed_from = _QUOTATION.sub("", rest) if rest and similarity >= ALIKE else answer
    is_correction = similarity >= _REVISED or is_addition(removed_from, new, source)
    return new if is_correction else joint.join(filter(None, lines))


def _divided(line: str, source: str) -> list[str]:
    """Return the lines of an answer that were joined by spaces."""
    begin = _BEFORE_LINE.sub("", line)
    [(_, bits)] = phrase_table().odd_lines(Text([source]), Text([begin]))[1] or [(0, 0)]
    return [part.strip() for part in _breaks().split(line)] if bits & _REMARKED else [line]


def _parts(line: str, source: str) -> list[str]:
    """Return the cells of a row of a table, the sides of an arrow, versions of the source in quotes, or the line."""
    if _DIVIDING.search(line) is None:
        return [line]
    if line.startswith("|") and line.endswith("|") and "|" not in source:
        return [cell.strip() for cell in line.split("|")]
    quoted = [] if _VERSION.search(source) else ["".join(match) for match in _VERSION.findall(line)]
    versions = [text for text in quoted if similarity_of(text, source) >= _REVISED]
    if len(versions) > 1 and any(map(str.isalnum, _VERSION.sub("", line))):
        return versions
    sides = _ARROW.split(line)
    if len(sides) == 1 or _ARROW.search(source):
        return [line]
    similarity = max(similarity_of(side, source) for side in sides)
    # Of ``He go → goes home .`` each side is a part of a version.
    has_version = similarity >= _REVISED and similarity >= similarity_of(" ".join(sides), source)
    return sides if has_version else [line]


def _correction(lines: Sequence[str], source: str) -> Sequence[str]:
    """Return the lines that are the correction; all lines if these are unknown."""
    segments, has_statement = _segments(lines, source)
    candidates = [(segment.rank, *_closest(segment.lines, source)) for segment in segments if any(segment.lines)]
    candidates = [row for row in candidates if row[0] >= 0 and row[1] >= (LABELLED if row[0] == 2 else ALIKE)]
    revised = [row for row in candidates if row[1] >= (ALIKE if row[0] == 2 else _REVISED)]
    revised = [row for row in revised if row[0] and not _repeats(" ".join(row[2]), source)]
    if revised:  # the source itself is repeated, unless a label precedes it
        highest = max(rank for rank, *_ in revised)
        candidates = [row for row in candidates if row in revised or row[0] > highest]
    if candidates:
        values = [similarity + _ADVANTAGES[rank] for rank, similarity, _ in candidates]
        most = max(values)
        rank = candidates[values.index(most)][0]
        return next(
            row[2]
            for row, value in zip(candidates, values, strict=True)
            if value >= most - _CLOSE
            or (row[0] == rank and value >= most - _CLOSE_VERSIONS and _is_version(" ".join(row[2]), source))
        )
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
        text = line[match.end() :] if match and kind == "label" else line
        rest = phrase_table().after_statement(source, _BEFORE_LINE.sub("", text))
        if rest is not None:
            has_statement, line = True, rest
            if not line:
                continue
            kind, match = _head(heads, line)
        after = line[match.end() :].strip() if match else line
        title = _title(line, source) if kind == "text" else 0
        if title and segments[-1].rank > 0:
            # After a version of the sentence the title is that of another one: "Or:".
            rank = segments[-1].rank if any(_is_version(version, source) for version in segments[-1].lines) else 2
            segments.append(_Segment(rank, [line[title:].strip()]))
        elif kind == "text" or (kind == "preamble" and not after and similarity_of(line, source) >= ALIKE):
            segments[-1].lines.append(line[title:].strip())
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


def _is_version(line: str, source: str) -> bool:
    """Return whether a line is a version of a source that is not the source itself."""
    line = _SYMBOLS.sub("", line)
    if "".join(source.split()) in "".join(line.split()) or _repeats(line, source):
        return False
    begins_alike = similarity_of(line[:_BEGINNING], source[:_BEGINNING]) >= ALIKE
    return begins_alike and similarity_of(line, source) >= _REVISED


def _title(line: str, source: str) -> int:
    """Return the length of an unknown title before a version of the source, with its colon.

    It is 0 without a title, and if the source has the words of the title.
    """
    colons = list(re.finditer("[:：]", line[:_LONGEST_TITLE]))
    best, length = similarity_of(line, source) if colons else 0.0, 0
    for match in colons:
        rest = line[match.end() :]
        similarity = similarity_of(rest, source)
        begins_alike = similarity_of(rest.strip()[:_BEGINNING], source[:_BEGINNING]) >= ALIKE
        begins_alike &= similarity_of(line[: match.start()], source[: match.start()]) < ALIKE
        if similarity > max(best, _REVISED) and begins_alike and is_addition(line, rest, source):
            best, length = similarity, match.end()
    return length


def without_title(answer: str, source: str) -> str:
    """Return an answer without an unknown title that a colon separates from a version of the source."""
    length = _title(answer, source)
    return answer[length:].strip() if length else answer


def _closest(lines: Sequence[str], source: str) -> tuple[float, list[str]]:
    """Return the consecutive lines that resemble a source most, and their similarity.

    The first of several versions of the sentence is returned; a line that equals the source gives way to a line that
    corrects it.
    """
    target, parts = pairs(source), [pairs(_bare(line)) for line in lines]
    sums = [part.similarity(target) for part in parts]
    echoes = {index for index, line in enumerate(lines) if _repeats(line, source)}
    revised = [0.0 if index in echoes else value for index, value in enumerate(sums)]
    sums = revised if max(revised) >= _REVISED else sums
    most = max(sums)
    first = last = next(
        index
        for index, value in enumerate(sums)
        if value >= most - _CLOSE or (value >= most - _CLOSE_VERSIONS and _is_version(lines[index], source))
    )
    missing = target.without(parts[first])
    for step in (1, -1):
        while 0 <= (index := (last if step > 0 else first) + step) < len(lines) and index not in echoes:
            if not parts[index] or 2 * parts[index].shared(missing) < len(parts[index]):
                break
            missing = missing.without(parts[index])
            first, last = min(first, index), max(last, index)
    closest = list(lines[first : last + 1])
    if first == last and not _SYMBOLS.match(source):
        closest = [_SYMBOLS.sub("", closest[0])]
    return similarity_of(" ".join(closest), source), closest


# --- statements that nothing is wrong ---


def source_for_statement(answer: str, source: str) -> str:
    """Return the source if an answer only states that nothing is wrong.

    An example is ``No changes needed.`` If the correction follows the statement or is quoted in it, it is returned.
    Other answers are returned unchanged.
    """
    rest = phrase_table().after_statement(source, answer)
    if rest is None:
        remark = answer.replace(source, "") if source else ""
        if len(remark) > _LEAST_REMARK and phrase_table().after_statement(source, remark) == "":
            return source
        quoted = _QUOTED_TEXT.search(answer)
        if quoted is None or similarity_of(quoted[1], source) < 2 * ALIKE:
            return answer
        outside = f"{answer[: quoted.start()]} {answer[quoted.end() :]}"
        return quoted[1] if phrase_table().after_statement(source, outside) == "" else answer
    sentences = re.split(r"(?<=[.!?。！？])\s+", rest)
    similarity, closest = _closest(sentences, source)
    return " ".join(closest) if rest and similarity >= _REVISED else source


# --- similarity ---


def _repeats(line: str, source: str) -> bool:
    """Return whether a line is the source; tokenisation and marks around it do not count."""
    line, source = _bare(line), _bare(source)
    return line == source or _untokenised(line) == _untokenised(source)


def _bare(text: str) -> str:
    """Return a text without marks before it, and without quotes and emphasis around it."""
    return _SYMBOLS.sub("", text.strip()).strip(_ENCLOSING)


def _untokenised(text: str) -> str:
    return re.sub(r"\s*([^\w\s])\s*", r"\1", " ".join(text.split()).replace(" n't", "n't"))
