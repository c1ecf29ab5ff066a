"""Edits in columns out of blocks and objects. To be replaced by what edits.edited and edits.columns will yield."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from geceval._kernel import Edits
from geceval.edits.annotation import Annotator
from geceval.edits.edited import shared_extractor
from geceval.edits.extract import Merging
from geceval.text.corpus import Corpus, Hypothesis, has_edits
from geceval.text.m2 import Block, Edit


@dataclass(frozen=True)
class Extraction:
    """How edits are found in text."""

    annotator: Annotator | str = "builtin"
    merging: Merging = "rules"
    lev: bool = False


def of_blocks(blocks: Iterable[Block]) -> Edits:
    """A version for each annotator with a line in the block, in order of appearance; noops included."""
    rows = []
    for block in blocks:
        versions: dict[int, list[Edit]] = {annotator: [] for annotator in block.annotators}
        for edit in block.edits:
            versions[edit.annotator].append(edit)
        rows.append([(who, _columns(edits)) for who, edits in versions.items()])
    return Edits(rows)


def reference_edits(corpus: Corpus, extraction: Extraction, threads: int = 0) -> Edits:
    """Gold edits, else those of the texts a sentence has."""
    if corpus.gold is not None:
        return _checked(corpus, corpus.gold)
    return _extracted(corpus, corpus.references, extraction, threads)


def hypothesis_edits(corpus: Corpus, hypothesis: Hypothesis, extraction: Extraction, threads: int = 0) -> Edits:
    """Those of M2, of each annotator, or of text."""
    if has_edits(hypothesis):
        return _checked(corpus, hypothesis)
    return _extracted(corpus, [hypothesis], extraction, threads)  # type: ignore[list-item]


def _checked(corpus: Corpus, blocks: Sequence[Block]) -> Edits:
    for line, block in zip(corpus.source, blocks, strict=True):
        if block.tokens != line.split():
            raise block.error("not the sentence of the source", hint=f"{block.source}\n  {' '.join(line.split())}")
    return of_blocks(blocks)


def _extracted(corpus: Corpus, texts: Sequence[Sequence[str | None]], extraction: Extraction, threads: int) -> Edits:
    extractor = shared_extractor(
        corpus,
        extraction.annotator,  # type: ignore[arg-type]
        extraction.merging,
        extraction.lev,
    )
    source = [line.split() for line in corpus.source]
    found = []
    for lines in texts:
        targets = [tokens if line is None else line.split() for tokens, line in zip(source, lines, strict=True)]
        found.append(extractor.extract_tokens(list(zip(source, targets, strict=True)), threads))
    return Edits(
        [
            [
                (r, _columns(own[s]))
                for r, (own, lines) in enumerate(zip(found, texts, strict=True))
                if lines[s] is not None
            ]
            for s in range(len(source))
        ]
    )


def _columns(edits: Iterable[Edit]) -> list[tuple[int, int, str, str]]:
    return [(edit.start, edit.end, edit.type, "||".join(edit.corrections)) for edit in edits]
