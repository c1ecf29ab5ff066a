"""The edits of references and systems, read from M2 or extracted from text, once for all metrics that use them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from geceval.edits.cache import Remembering, RememberingExtractor
from geceval.edits.extract import Extractor, Merging
from geceval.edits.languages import make_annotator
from geceval.errors import InputError
from geceval.text.corpus import Corpus, Hypothesis, as_text, has_edits
from geceval.text.m2 import Block, Edit, ordered


def shared_extractor(corpus: Corpus, annotator: str, merging: Merging = "rules", lev: bool = False) -> Extractor:
    """The corpus's extractor with these settings, for all metrics; no pair is extracted twice."""
    return corpus.shared(
        ("extractor", annotator, merging, lev),
        lambda: RememberingExtractor(Remembering(make_annotator(annotator)), merging, lev),
    )


@dataclass(frozen=True, eq=False)
class Edited:
    """A corpus and the edits in it, each version's in order and without overlap.

    References are the corpus's gold edits if it has some, else its texts; text goes through ``annotator``.
    """

    corpus: Corpus
    annotator: str
    threads: int = 0

    @cached_property
    def source(self) -> list[list[str]]:
        """The tokens of every sentence."""
        return [line.split() for line in self.corpus.source]

    @cached_property
    def references(self) -> list[list[Sequence[Edit]]]:
        """``references[s][r]``: the edits of the references that sentence s has.

        Raises InputError if there are neither gold edits nor references, or if edits overlap or do not fit.
        """
        corpus = self.corpus
        if corpus.gold is not None:
            self._check(corpus.gold)
            return [[ordered(block, annotator) for annotator in block.annotators] for block in corpus.gold]
        if not corpus.references:
            raise InputError("references are needed: gold edits (M2) or corrected texts")
        rows = [self._extracted(reference) for reference in corpus.references]
        return [[edits for edits in row if edits is not None] for row in zip(*rows, strict=True)]

    def hypothesis(self, hypothesis: Hypothesis) -> list[Sequence[Edit]]:
        """The edits of a system.

        Raises InputError if M2 has several annotators, or edits that overlap or do not fit.
        """
        if has_edits(hypothesis):
            self._check(hypothesis)
            return [_only_version(block) for block in hypothesis]
        return [edits for edits in self._extracted(as_text(hypothesis)) if edits is not None]

    def _extracted(self, lines: Sequence[str | None]) -> list[Sequence[Edit] | None]:
        extractor = shared_extractor(self.corpus, self.annotator)
        pairs = [
            (tokens, tokens if line is None else line.split()) for tokens, line in zip(self.source, lines, strict=True)
        ]
        edits = extractor.extract_tokens(pairs, self.threads)
        return [None if line is None else own for line, own in zip(lines, edits, strict=True)]

    def _check(self, blocks: Sequence[Block]) -> None:
        for line, tokens, block in zip(self.corpus.source, self.source, blocks, strict=True):
            if block.source != line and block.tokens != tokens:
                raise block.error("not the sentence of the source", hint=f"{block.source}\n  {' '.join(tokens)}")


def _only_version(block: Block) -> Sequence[Edit]:
    annotators = block.annotators
    if len(annotators) > 1:
        raise block.error(f"a system's M2 has one annotator, here are {len(annotators)}")
    return ordered(block, annotators[0])
