"""Edits that delete or insert repeated words, moved to where annotators place them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from geceval.text.m2.edit import UNKNOWN, Edit


def at_places_of_annotators(edits: Sequence[Edit], tokens: Sequence[str]) -> list[Edit]:
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
            spans = [(neighbour.start, neighbour.end) for neighbour in (*moved, *edits[index + 1 :])]
            least = max((min(end, edit.start) for start, end in spans if start <= edit.start), default=0)
            place = _first_place(edit, tokens, least)
        is_repeated = bool(moved) and is_certain and _continues(moved[-1], place, tokens)
        if is_repeated and not any(neighbour.start <= place.end < neighbour.end for neighbour in edits[index + 1 :]):
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
