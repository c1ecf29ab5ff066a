"""The edits of a corpus in columns: those of M2, those of text converted from the objects that ``edited`` yields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from geceval._kernel import Edits
from geceval.edits.annotation import Annotator
from geceval.edits.edited import Edited
from geceval.text.corpus import Corpus, Hypothesis, has_edits
from geceval.text.m2 import Block, Blocks, Edit


@dataclass(frozen=True)
class Extraction:
    """How text becomes edits: an annotator, or its name."""

    annotator: Annotator | str = "builtin"


def reference_edits(corpus: Corpus, extraction: Extraction, threads: int = 0) -> Edits:
    """The edits of the references: gold edits if there are some, else of the texts. Errors: see Edited.references."""
    if corpus.gold is not None:
        return _of_blocks(corpus, corpus.gold)
    return _columns(Edited(corpus, extraction.annotator, threads).references)


def hypothesis_edits(corpus: Corpus, hypothesis: Hypothesis, extraction: Extraction, threads: int = 0) -> Edits:
    """The edits of a system, one version a sentence from text. Errors: see Edited.hypothesis."""
    if has_edits(hypothesis):
        return _of_blocks(corpus, hypothesis)
    return _columns([[version] for version in Edited(corpus, extraction.annotator, threads).hypothesis(hypothesis)])


def _of_blocks(corpus: Corpus, given: Sequence[Block]) -> Edits:
    blocks = Blocks.of(given)
    if blocks.source != corpus.source:
        for line, block in zip(corpus.source, blocks, strict=True):
            if block.tokens != line.split():
                raise block.error("not the sentence of the source", hint=f"{block.source}\n  {' '.join(line.split())}")
    return blocks.edits


def _columns(rows: Sequence[Sequence[Sequence[Edit]]]) -> Edits:
    return Edits(
        [
            [
                (r, [(e.start, e.end, e.type, "||".join(e.corrections)) for e in version])
                for r, version in enumerate(row)
            ]
            for row in rows
        ]
    )
