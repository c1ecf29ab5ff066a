"""kernel/core/src/edits/compare/mod.rs again, slow and obvious: dictionaries of edits by what they are known by.

An edit is (start, end, type, text).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Edit = tuple[int, int, str, str]
#: column, side, start, end, text, type
Row = tuple[int, int, int, int, str, str]
Keyed = dict[tuple[Any, ...], list[Edit]]

HYPOTHESIS, REFERENCE = 0, 1


class Matching:
    def __init__(self, mode: str, size: str, exclude: Sequence[str]) -> None:
        self.mode, self.size, self.exclude = mode, size, exclude

    def keyed(self, edits: Sequence[Edit]) -> Keyed:
        keyed: Keyed = {}
        for edit in edits:
            if self.counts(edit):
                for start, end, *key in self.keys(edit):
                    span = (start, end) if self.mode == "dt" else edit[:2]
                    keyed.setdefault((start, end, *key), []).append((*span, *edit[2:]))
        return keyed

    def counts(self, edit: Edit) -> bool:
        start, end, type_, text = edit
        if type_ in self.exclude or (type_ == "UNK" and self.mode in ("cs", "cse")):
            return False
        longest = max(end - start, len(text.split()))
        return self.size == "all" or (longest < 2) == (self.size == "single")

    def keys(self, edit: Edit) -> Iterator[tuple[Any, ...]]:
        start, end, type_, text = edit
        correction = "" if text == "-NONE-" else text
        match self.mode:
            case "cs":
                yield start, end, correction
            case "cse":
                yield start, end, type_, correction
            case "ds":
                yield start, end
            case "dt" if start == -1:
                yield -1, -1
            case "dt":
                for token in range(start, end) if start != end else (start,):
                    yield token, token + 1


def compare(hypothesis: Keyed, reference: Keyed) -> list[Row]:
    rows: list[Row] = []
    for key, edits in hypothesis.items():
        if edits[0][2] != "noop":
            is_found = key in reference
            for start, end, type_, text in reference[key] if is_found else edits:
                side = REFERENCE if is_found else HYPOTHESIS
                rows.append((0 if is_found else 1, side, start, end, text, type_))
    for key, edits in reference.items():
        if edits[0][2] != "noop" and key not in hypothesis:
            rows += [(2, REFERENCE, start, end, text, type_) for start, end, type_, text in edits]
    return rows
