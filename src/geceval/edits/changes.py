"""Edits in the order in which they are made: a view of edit columns for those who change sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from geceval._kernel import EditError, Edits, Text, in_order
from geceval.base.errors import InputError
from geceval.text.m2 import DELETE, Block, ordered


@dataclass(frozen=True, order=True)
class Change:
    """An edit by what it does: source tokens start..end become the correction. Its type is no part of equality."""

    start: int
    end: int
    correction: str
    type: str = field(default="", compare=False)

    def made(self, tokens: Sequence[str]) -> str:
        """The sentence with this edit alone."""
        return apply_changes(tokens, [self])


def changes(
    source: Text, edits: Edits, blocks: Sequence[Block] | None = None, threads: int = 0
) -> list[list[list[Change]]]:
    """``changes[s][v]``: what version v of sentence s changes, in order, noops left out.

    Corrections are the first alternatives, their tokens joined by one blank. Errors: see explain_faults.
    """
    with explain_faults(blocks):
        offsets, places = in_order(source, edits, threads)
    strings = edits.strings
    spans = zip(*(column[places].tolist() for column in (edits.start, edits.end, edits.text, edits.type)), strict=True)
    made = [
        Change(start, end, correction(strings[text], edits.literal), strings[kind]) for start, end, text, kind in spans
    ]
    bounds = offsets.tolist()
    versions = [made[first:last] for first, last in pairwise(bounds)]
    bounds = edits.versions.tolist()
    return [versions[first:last] for first, last in pairwise(bounds)]


def correction(written: str, literal: bool) -> str:
    """The text of an edit as it is made; ``literal``: it was found in text. The kernel's ``correction``."""
    words = (written if literal else written.split("||")[0]).split()
    return "" if words == [DELETE] else " ".join(words)


def apply_changes(tokens: Sequence[str], version: Sequence[Change]) -> str:
    """The sentence after the edits, which are in order."""
    text: list[str] = []
    done = 0
    for change in version:
        text += tokens[done : change.start]
        text += change.correction.split()
        done = change.end
    return " ".join([*text, *tokens[done:]])


def check_only_version(hypothesis: Edits, blocks: Sequence[Block] | None) -> None:
    """Raises InputError unless every sentence has one hypothesis, with file and line if they are M2 blocks."""
    versions = np.diff(hypothesis.versions)
    for sentence in np.flatnonzero(versions != 1).tolist():
        found = versions[sentence]
        if blocks is None:
            message = f"sentence {sentence} (counted from 0): one hypothesis is needed, here are {found}"
            raise InputError(message, sentence=sentence)
        raise blocks[sentence].error(f"a system's M2 has one annotator, here are {found}")


@contextmanager
def explain_faults(blocks: Sequence[Block] | None) -> Iterator[None]:
    """Raises InputError for an edit the kernel cannot make, with file and line if the edits are those of M2 blocks."""
    try:
        yield
    except EditError as fault:
        sentence, version, edit, kind = fault.args
        if blocks is not None:
            block = blocks[sentence]
            ordered(block, block.annotators[version])
        what = "lies outside the sentence" if kind == "outside" else "overlaps another"
        message = f"sentence {sentence}, version {version} (counted from 0): the edit {edit} {what}"
        raise InputError(message, sentence=sentence) from None
