"""The one way from M2 or text to the edits of references and systems, in columns.

Text goes through an annotator. What was extracted is remembered by the texts' fingerprints, for further metrics, passes
and calls: see edit_cache.py.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from geceval._kernel import Edits, Text
from geceval.base.errors import InputError
from geceval.edits.annotation import Annotator
from geceval.edits.edit_cache import Memory
from geceval.edits.extraction import Extractor, Merging
from geceval.edits.languages import make_annotator
from geceval.text.corpus import Corpus, Hypothesis, has_edits
from geceval.text.m2 import Block, Blocks, Misfits

#: What was extracted in this process: the annotation of sources, and the edits of pairs of texts.
MEMORY = Memory(budget=64 << 20)


@dataclass(frozen=True)
class Extraction:
    """How text becomes edits: an annotator (its name, or itself), merging strategy, plain Levenshtein alignment."""

    annotator: str | Annotator = "builtin"
    merging: Merging = "rules"
    lev: bool = False

    @property
    def extractor(self) -> Extractor:
        """The extractor; UsageError or MissingExtraError if there is none of that name."""
        return _extractor(_Same(make_annotator(self.annotator)), self.merging, self.lev)

    def edits(self, source: Text, targets: Sequence[Text], threads: int = 0) -> list[Edits]:
        """As Extractor.columns, remembered."""
        extractor = self.extractor
        sources = (_Same(extractor.annotator), source.fingerprint())
        keys: list[Hashable] = [(extractor.signature, sources, target.fingerprint()) for target in targets]
        found: list[Edits | None] = [MEMORY.get(key) for key in keys]
        asked = [t for t, edits in enumerate(found) if edits is None]
        if asked:
            annotated = MEMORY.get(sources)
            if annotated is None:
                annotated = extractor.annotate(source, threads)
            made = extractor.columns(annotated, [targets[t] for t in asked], threads)
            MEMORY.put(sources, annotated)  # now: an annotator that is asked bit by bit may have said more
            for t, edits in zip(asked, made, strict=True):
                found[t] = edits
                MEMORY.put(keys[t], edits)
        return [edits for edits in found if edits is not None]


class _Same:
    """An object by its identity: annotators of one name may differ."""

    def __init__(self, annotator: Annotator) -> None:
        self.annotator = annotator

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.annotator is self.annotator

    def __hash__(self) -> int:
        return id(self.annotator)


@lru_cache(maxsize=32)
def _extractor(annotator: _Same, merging: Merging, lev: bool) -> Extractor:
    return Extractor(annotator.annotator, merging, lev)


def reference_edits(corpus: Corpus, extraction: Extraction, threads: int = 0, *, misfits: Misfits = "error") -> Edits:
    """The edits of the references: the corpus's gold edits if it has some, else those of its reference texts.

    A version for each annotator of the gold in order of appearance (see m2.Blocks.edits), or for each reference that
    the sentence has, by the reference's number. ``misfits``: what is done with gold edits that do not fit their
    sentence, see m2.fitting. Raises InputError if there are neither, if the gold is about other sentences or does not
    fit them.
    """
    if corpus.gold is not None:
        return _of_blocks(corpus, Blocks.of(corpus.gold).fitting(misfits))
    if not corpus.references:
        raise InputError("references are needed: gold edits (M2) or corrected texts")
    texts = [Text(reference) for reference in corpus.references]
    return Edits.beside(extraction.edits(Text(corpus.source), texts, threads))


def hypothesis_edits(corpus: Corpus, hypothesis: Hypothesis, extraction: Extraction, threads: int = 0) -> Edits:
    """The edits of a system: one version a sentence from text, a version for each annotator from M2.

    Raises InputError if M2 is about other sentences.
    """
    if has_edits(hypothesis):
        return _of_blocks(corpus, hypothesis)
    [edits] = extraction.edits(Text(corpus.source), [Text(hypothesis)], threads)  # type: ignore[arg-type]
    return edits


def _of_blocks(corpus: Corpus, blocks: Sequence[Block]) -> Edits:
    blocks = Blocks.of(blocks).as_errant()
    source = Text(corpus.source)
    for s in blocks.source.differing(source)[:1]:
        raise blocks[s].error("not the sentence of the source", hint=f"{blocks.source[s]}\n  {source[s]}")
    return blocks.edits
