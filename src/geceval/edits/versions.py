"""The ordered edits of versions of a sentence, as objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from geceval._kernel import Edits, Text, in_order
from geceval.edits.corpus_edits import Extraction, hypothesis_edits, reference_edits
from geceval.edits.extraction import versions_of
from geceval.text.columns import Hypothesis
from geceval.text.corpus import Corpus
from geceval.text.m2.blocks import Blocks, explain_faults
from geceval.text.m2.edit import UNKNOWN, Block, Edit


def edits_by_version(
    source: Text, edits: Edits, blocks: Sequence[Block] | None = None, threads: int = 0
) -> list[list[list[Edit]]]:
    """Return ``edits_by_version[s][v]``: the ordered edits of version v of sentence s, without noops.

    Raises the errors of explain_faults.
    """
    with explain_faults(blocks):
        offsets, order = in_order(source, edits, threads)
    return versions_of(edits, offsets, order)


def apply_edits(tokens: Sequence[str], version: Sequence[Edit]) -> str:
    """Return the sentence after ordered edits."""
    text: list[str] = []
    position = 0
    for edit in version:
        text += tokens[position : edit.start]
        text += edit.correction.split()
        position = edit.end
    return " ".join([*text, *tokens[position:]])


class ReferenceEdits:
    """The tokens of the sources, and text and edits of each reference.

    Edits of type UNK are dropped because they mark an error without a correction.
    """

    def __init__(self, corpus: Corpus, extraction: Extraction, threads: int = 0) -> None:
        self._corpus, self._extraction = corpus, extraction
        self.tokens = [line.split() for line in corpus.source]
        edits = reference_edits(corpus, extraction, threads)
        rows = edits_by_version(corpus.source, edits, corpus.gold, threads)
        #: ``references[s][r]``
        self.references = [
            [(apply_edits(tokens, version), _known(version)) for version in row]
            for tokens, row in zip(self.tokens, rows, strict=True)
        ]

    def pairs(
        self, hypothesis: Hypothesis, threads: int
    ) -> Iterator[tuple[list[str], list[Edit], list[tuple[str, list[Edit]]]]]:
        """Yield tokens, the system's edits and the references of each sentence.

        A reference consists of its text and its edits.
        """
        system = system_edits(self._corpus, hypothesis, self._extraction, threads)
        return zip(self.tokens, system, self.references, strict=True)


def system_edits(corpus: Corpus, hypothesis: Hypothesis, extraction: Extraction, threads: int) -> list[list[Edit]]:
    """Return a system's edits by sentence, without those of type UNK."""
    edits = hypothesis_edits(corpus, hypothesis, extraction, threads)
    blocks = hypothesis if isinstance(hypothesis, Blocks) else None
    return [_known(version) for [version] in edits_by_version(corpus.source, edits, blocks, threads)]


def _known(version: Sequence[Edit]) -> list[Edit]:
    return [edit for edit in version if edit.type != UNKNOWN]
