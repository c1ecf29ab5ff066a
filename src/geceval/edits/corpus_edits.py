"""Edits of references and systems in columns, from M2 or extracted from text.

An annotator extracts edits from text. The result is cached by the fingerprints of the texts, for other metrics, passes
and calls, see edit_cache.py.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from geceval._kernel import Edits, Text
from geceval.base.arguments import as_sequence, check_type
from geceval.base.errors import InputError
from geceval.edits.annotation import Annotator, Merging
from geceval.edits.edit_cache import Memory
from geceval.edits.extraction import Extractor, Sentences
from geceval.edits.languages import make_annotator
from geceval.text.corpus import Corpus, Hypothesis, check_lengths, has_edits, text_of
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block, Misfits

#: Cache of this process: annotations of sources, and edits of pairs of texts.
MEMORY = Memory(budget=64 << 20)


@dataclass(frozen=True)
class Extraction:
    """Settings that determine the edits of text.

    They are an annotator (name or object), a merging strategy, and whether to align by plain Levenshtein distance.
    """

    annotator: str | Annotator = "builtin"
    merging: Merging = "rules"
    lev: bool = False

    @property
    def extractor(self) -> Extractor:
        """The extractor.

        Raises UsageError for an unknown annotator, MissingExtraError if it is not installed.
        """
        return _extractor(_Same(make_annotator(self.annotator)), self.merging, self.lev)

    def keys(self, source: Text, targets: Sequence[Text]) -> tuple[Hashable, list[Hashable]]:
        """Return keys of the annotated source and of the edits of each target."""
        extractor = self.extractor
        sources = (_Same(extractor.annotator), source.fingerprint())
        return sources, [(extractor.signature, sources, target.fingerprint()) for target in targets]

    def edits(self, source: Text, targets: Sequence[Text], threads: int = 0) -> list[Edits]:
        """Return the edits of Extractor.columns, cached."""
        extractor = self.extractor
        sources, keys = self.keys(source, targets)
        found: list[Edits | None] = [MEMORY.get(key) for key in keys]
        asked = [t for t, edits in enumerate(found) if edits is None]
        if asked:
            annotated = MEMORY.get(sources)
            if annotated is None:
                annotated = extractor.annotate(source)
            made = extractor.columns(annotated, [targets[t] for t in asked], threads)
            if isinstance(annotated, Sentences):
                MEMORY.put(sources, annotated)  # after the extraction, which may have annotated more sentences
            for t, edits in zip(asked, made, strict=True):
                found[t] = edits
                MEMORY.put(keys[t], edits)
        return [edits for edits in found if edits is not None]


class _Same:
    """An object compared by identity, since annotators with the same name may differ."""

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
    """Return the edits of the references of a corpus.

    These are the gold edits, or the edits extracted from their corrected texts if the corpus says so, or else the edits
    extracted from the reference texts.

    Versions of a sentence are the annotators of the gold edits, in order of appearance (see m2.Blocks.edits), or the
    references that the sentence has, by number.

    Args:
        corpus: the corpus.
        extraction: settings of the extraction from text.
        threads: number of threads; 0 means one per processor.
        misfits: treatment of gold edits that do not fit their sentence, see m2.fitting.

    Returns:
        The edits in columns.

    Raises:
        InputError: without references and gold edits, and for gold edits of other sentences or that do not fit.
    """
    _check(corpus, extraction)
    if corpus.gold is not None:
        blocks = Blocks.of(corpus.gold).fitting(misfits)
        if corpus.gold_edits == "as-given":
            return _of_blocks(corpus, blocks)
        texts = blocks.texts_of_annotators()
    elif not corpus.references:
        raise InputError("references are required: gold edits (M2) or corrected texts")
    else:
        texts = [Text(reference) for reference in corpus.references]
    return Edits.merged_versions(extraction.edits(Text(corpus.source), texts, threads))


def hypothesis_edits(
    corpus: Corpus, hypothesis: Hypothesis, extraction: Extraction, threads: int = 0, *, alternatives: bool = False
) -> Edits:
    """Return the edits of a system.

    From text a sentence has one version, from M2 one per annotator.

    Args:
        corpus: the corpus.
        hypothesis: the system's sentences, as text or M2 blocks.
        extraction: settings of the extraction from text.
        threads: number of threads; 0 means one per processor.
        alternatives: whether the edits of M2 keep all alternatives, joined by ``||``; else they have the first one.

    Returns:
        The edits in columns.

    Raises:
        InputError: if M2 blocks have other sentences.
    """
    _check(corpus, extraction)
    hypothesis = as_sequence("hypothesis", hypothesis)
    check_lengths([("source", len(corpus)), ("hypothesis", len(hypothesis))], noun="sentences")
    if has_edits(hypothesis):
        edits = _of_blocks(corpus, hypothesis)
        return edits if alternatives else _first_alternatives(edits)
    lines = text_of("hypothesis", cast(Sequence[str], hypothesis))
    [edits] = extraction.edits(Text(corpus.source), [lines], threads)
    return edits


def _first_alternatives(edits: Edits) -> Edits:
    """Return edits of M2 with the first alternative of each."""
    if not any("||" in text for text in edits.strings):
        return edits
    first = [
        [(who, [(*place, text.split("||")[0]) for *place, text in own]) for who, own in edits.sentence(s)]
        for s in range(len(edits))
    ]
    return Edits(cast("Sequence[Any]", first))


def _check(corpus: Corpus, extraction: Extraction) -> None:
    check_type("corpus", corpus, Corpus, "a Corpus")
    check_type("extraction", extraction, Extraction, "an Extraction")


def _of_blocks(corpus: Corpus, blocks: Sequence[Block]) -> Edits:
    blocks = Blocks.of(blocks)
    source = Text(corpus.source)
    for s in blocks.source.differing(source)[:1]:
        raise blocks[s].error("differs from the sentence of the source", hint=f"{blocks.source[s]}\n  {source[s]}")
    return blocks.edits
