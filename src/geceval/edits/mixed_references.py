"""Texts that combine the edits of several annotators.

Source: Felice and Briscoe, NAACL 2015, section 3.2.

Overlapping edits, of any annotator, concern the same error; an annotator's edits among them are one correction of it.
Errors are independent, so a text may combine corrections of several annotators.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from geceval.edits.changes import Change, apply_changes

Version = Sequence[Change]


def group_errors(versions: Sequence[Version]) -> list[dict[int, list[Change]]]:
    """Return the errors of a sentence, each as annotator -> edits.

    Annotators are indices of ``versions``. Edits overlap if they have the same span or share a token, or if one is an
    insertion inside the span of the other. Edits that overlap the same edit concern the same error.
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
    """Return the distinct corrections of every error, in the order of the annotators.

    The empty correction is one of them unless all annotators correct the error.
    """
    found = []
    for error in group_errors(versions):
        corrections = [tuple(error[place]) for place in sorted(error)]
        found.append(list(dict.fromkeys([*corrections, *([()] if len(error) < len(versions) else [])])))
    return found


def count_mixed_texts(versions: Sequence[Version]) -> int:
    """Return the number of combinations."""
    return math.prod(map(len, list_choices(versions)))


def mix_texts(tokens: Sequence[str], versions: Sequence[Version]) -> Iterator[str]:
    """Yield the distinct texts of all combinations.

    Combinations of the first annotators come first.
    """
    texts = (
        apply_changes(tokens, list(itertools.chain.from_iterable(picked)))
        for picked in itertools.product(*list_choices(versions))
    )
    return iter(dict.fromkeys(texts))
