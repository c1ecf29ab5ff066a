"""The edits of a corpus as changes: of its references, and of a system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from geceval._kernel import Text
from geceval.edits.changes import Change, apply_changes, changes, check_only_version
from geceval.edits.corpus_edits import Extraction, hypothesis_edits, reference_edits
from geceval.text.corpus import Corpus, Hypothesis, has_edits
from geceval.text.m2.edit import UNKNOWN, Misfits


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
