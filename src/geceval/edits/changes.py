"""Edits as changes of a sentence, in the order in which they are made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from geceval._kernel import Edits, Text, in_order
from geceval.base.errors import InputError
from geceval.edits.corpus_edits import Extraction, hypothesis_edits, reference_edits
from geceval.text.corpus import Corpus, Hypothesis, has_edits
from geceval.text.m2.edit import UNKNOWN, Block, Misfits, correction_of
from geceval.text.m2.faults import explain_faults


@dataclass(frozen=True, order=True)
class Change:
    """An edit by its effect: source tokens start..end become the correction.

    Comparisons ignore its type.
    """

    start: int
    end: int
    correction: str
    type: str = field(default="", compare=False)

    def made(self, tokens: Sequence[str]) -> str:
        """Return the sentence after this edit alone."""
        return apply_changes(tokens, [self])


def changes(
    source: Text, edits: Edits, blocks: Sequence[Block] | None = None, threads: int = 0
) -> list[list[list[Change]]]:
    """Return ``changes[s][v]``: the ordered changes of version v of sentence s.

    Noops are dropped.

    Corrections are the first alternatives, with one blank between tokens. Raises the errors of explain_faults.
    """
    with explain_faults(blocks):
        offsets, places = in_order(source, edits, threads)
    strings = edits.strings
    spans = zip(*(column[places].tolist() for column in (edits.start, edits.end, edits.text, edits.type)), strict=True)
    made = [
        Change(start, end, correction_of(strings[text], edits.literal), strings[kind])
        for start, end, text, kind in spans
    ]
    bounds = offsets.tolist()
    versions = [made[first:last] for first, last in pairwise(bounds)]
    bounds = edits.versions.tolist()
    return [versions[first:last] for first, last in pairwise(bounds)]


def apply_changes(tokens: Sequence[str], version: Sequence[Change]) -> str:
    """Return the sentence after ordered edits."""
    text: list[str] = []
    done = 0
    for change in version:
        text += tokens[done : change.start]
        text += change.correction.split()
        done = change.end
    return " ".join([*text, *tokens[done:]])


def check_only_version(hypothesis: Edits, blocks: Sequence[Block] | None) -> None:
    """Raise InputError unless every sentence has one hypothesis.

    M2 blocks give file and line.
    """
    versions = np.diff(hypothesis.versions)
    for sentence in np.flatnonzero(versions != 1).tolist():
        found = versions[sentence]
        if blocks is None:
            message = f"sentence {sentence} (counted from 0): one hypothesis is required, found {found}"
            raise InputError(message, sentence=sentence)
        raise blocks[sentence].error(f"the M2 of a system has one annotator, found {found}")


class CorpusChanges:
    """The tokens of the sources, and text and changes of each reference.

    Edits of type UNK are dropped because they mark an error without a correction.
    """

    def __init__(self, corpus: Corpus, extraction: Extraction, threads: int = 0, misfits: Misfits = "error") -> None:
        self._corpus, self._extraction = corpus, extraction
        self.tokens = [line.split() for line in corpus.source]
        edits = reference_edits(corpus, extraction, threads, misfits=misfits)
        rows = changes(Text(corpus.source), edits, corpus.gold, threads)
        #: ``references[s][r]``
        self.references = [
            [(apply_changes(tokens, version), _known(version)) for version in row]
            for tokens, row in zip(self.tokens, rows, strict=True)
        ]

    def pairs(self, hypothesis: Hypothesis) -> Iterator[tuple[list[str], list[Change], list[tuple[str, list[Change]]]]]:
        """Yield tokens, the system's changes and the references of each sentence.

        A reference consists of its text and its changes.
        """
        system = system_changes(self._corpus, hypothesis, self._extraction)
        return zip(self.tokens, system, self.references, strict=True)


def system_changes(
    corpus: Corpus, hypothesis: Hypothesis, extraction: Extraction, threads: int = 0
) -> list[list[Change]]:
    """Return a system's changes by sentence, without edits of type UNK."""
    edits = hypothesis_edits(corpus, hypothesis, extraction, threads)
    blocks = hypothesis if has_edits(hypothesis) else None
    check_only_version(edits, blocks)
    return [_known(version) for [version] in changes(Text(corpus.source), edits, blocks, threads)]


def _known(version: Sequence[Change]) -> list[Change]:
    return [change for change in version if change.type != UNKNOWN]
