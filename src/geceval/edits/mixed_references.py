"""Texts mixed from the edits of several annotators (Felice and Briscoe, NAACL 2015, section 3.2).

Edits that overlap, whoever made them, are about one error; each annotator who has some of them has a correction of it.
Errors are independent, so that corrections of several annotators can stand in one text.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from geceval.edits.changes import Change, apply_changes

Version = Sequence[Change]


def group_errors(versions: Sequence[Version]) -> list[dict[int, list[Change]]]:
    """The errors of a sentence, each with the edits of the annotators who have some there, by the annotator's place.

    Edits overlap that have the same span or a token in common, or an insertion inside the other's span; what overlaps
    the same edit is about the same error.
    """
    rows = sorted(
        ((change, place) for place, version in enumerate(versions) for change in version),
        key=lambda row: (row[0].start, row[0].end),
    )
    found: list[dict[int, list[Change]]] = []
    start = end = -1
    for change, place in rows:
        if change.start < end or (change.start, change.end) == (start, end):
            end = max(end, change.end)
        else:
            found.append({})
            start, end = change.start, change.end
        found[-1].setdefault(place, []).append(change)
    return found


def list_choices(versions: Sequence[Version]) -> list[list[tuple[Change, ...]]]:
    """The distinct corrections of every error, in the order of the annotators; and none, unless all of them correct
    it."""
    found = []
    for error in group_errors(versions):
        corrections = [tuple(error[place]) for place in sorted(error)]
        found.append(list(dict.fromkeys([*corrections, *([()] if len(error) < len(versions) else [])])))
    return found


def count_mixed_texts(versions: Sequence[Version]) -> int:
    """How many ways there are to choose."""
    return math.prod(map(len, list_choices(versions)))


def mix_texts(tokens: Sequence[str], versions: Sequence[Version]) -> Iterator[str]:
    """The distinct texts of all ways to choose a correction of every error; those of the first annotators first."""
    texts = (
        apply_changes(tokens, list(itertools.chain.from_iterable(picked)))
        for picked in itertools.product(*list_choices(versions))
    )
    return iter(dict.fromkeys(texts))
