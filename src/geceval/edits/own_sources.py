"""Systems that correct their own source, such as an automatic transcript: their edits in the common source.

Tokens of the two sources are aligned. An edit is carried over by the tokens that are equal in both; an edit that
touches other tokens, which were misheard, leaves both sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from geceval.base.errors import InputError
from geceval.edits.corpus_edits import Extraction, reference_edits
from geceval.edits.versions import edits_by_version
from geceval.text.corpus import Corpus
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block, Edit, noop

#: The alignment of the sources: each token that is not equal is an edit, by the smallest number of them.
_ALIGNMENT = Extraction("plain", "all-split", lev=True)


@dataclass
class Misheard:
    """Numbers of what differs between the common source and the one of a system.

    Attributes:
        tokens: Tokens of the common source.
        errors: Tokens that were replaced, lost or added.
        gold: Edits of the references, of all annotators.
        gold_left_out: Edits of the references that touch misheard tokens.
        edits: Edits of the system.
        edits_left_out: Edits of the system that touch misheard tokens.
    """

    tokens: int = 0
    errors: int = 0
    gold: int = 0
    gold_left_out: int = 0
    edits: int = 0
    edits_left_out: int = 0

    def add(self, other: Misheard) -> None:
        """Add the numbers of other sentences."""
        for name, number in vars(other).items():
            setattr(self, name, getattr(self, name) + number)

    def described(self) -> str:
        """Return the numbers as a sentence without its subject."""
        rate = 100 * self.errors / self.tokens if self.tokens else 0.0
        return (
            f"word error rate of its source {rate:.1f} %; {self.gold_left_out} of {self.gold} gold edits and "
            f"{self.edits_left_out} of {self.edits} of its edits lie on misheard words and are left out"
        )


@dataclass(frozen=True)
class _Alignment:
    """Positions of one version of a sentence in another one.

    Attributes:
        tokens: Position of each token that is equal in the other version.
        places: Position of each place between tokens at which neither version has an additional token.
    """

    tokens: Mapping[int, int]
    places: Mapping[int, int]

    @staticmethod
    def of(edits: Sequence[Edit], length: int) -> _Alignment:
        """Return the alignment by the edits of single tokens that turn a sentence into the other version."""
        tokens: dict[int, int] = {}
        positions: dict[int, int] = {}
        uncertain: set[int] = set()
        here = there = 0
        for edit in [*edits, Edit(length, length, "", ("",))]:
            for token in range(here, edit.start):
                positions.setdefault(token, there)
                tokens[token] = there
                there += 1
            positions.setdefault(edit.start, there)
            added = len(edit.correction.split())
            if edit.end - edit.start != added:
                uncertain |= {edit.start, edit.end}
            here, there = edit.end, there + added
        return _Alignment(tokens, {place: there for place, there in positions.items() if place not in uncertain})

    @property
    def inverse(self) -> _Alignment:
        """The alignment in the other direction."""
        inverse = ({there: here for here, there in pairs.items()} for pairs in (self.tokens, self.places))
        return _Alignment(*inverse)

    def carried(self, edit: Edit) -> Edit | None:
        """Return an edit in the other version; None if it touches tokens that are not equal, or an uncertain place."""
        if edit.start == edit.end:
            place = self.places.get(edit.start)
            return None if place is None else replace(edit, start=place, end=place)
        positions = [self.tokens.get(token, -1) for token in range(edit.start, edit.end)]
        if positions != list(range(positions[0], positions[0] + len(positions))) or positions[0] < 0:
            return None
        return replace(edit, start=positions[0], end=positions[-1] + 1)


def carry_over(part: Corpus, system: str, extraction: Extraction, threads: int = 0) -> tuple[Corpus, Misheard]:
    """Return a system and the references as edits of the common source, and the numbers of what was left out.

    Args:
        part: Sentences with the system, its own source, and references or gold edits.
        system: Name of the system, which is given as text.
        extraction: Settings of the extraction of edits from text.
        threads: Number of threads (0: one per processor).

    Raises:
        InputError: If the system is given as edits.
    """
    lines, own_source = part.systems[system], part.own_sources[system]
    if isinstance(lines, Blocks):
        message = f"system {system} has a source of its own, and is given as edits"
        raise InputError(message, hint="give its corrections as text")
    misheard = Misheard()
    [aligned] = _ALIGNMENT.edits(part.source, [own_source], threads)
    [extracted] = extraction.edits(own_source, [lines], threads)
    references = reference_edits(part, extraction, threads)
    gold_versions = edits_by_version(part.source, references, part.gold)
    annotators, bounds = references.annotator.tolist(), references.versions.tolist()
    gold_blocks: list[Block] = []
    system_blocks: list[Block] = []
    alignments, versions = edits_by_version(part.source, aligned), edits_by_version(own_source, extracted)
    rows = zip(part.source, alignments, versions, gold_versions, strict=True)
    for s, (line, [alignment], [edits], gold) in enumerate(rows):
        length = len(line.split())
        misheard.tokens += length
        misheard.errors += len(alignment)
        to_own = _Alignment.of(alignment, length)
        to_common = to_own.inverse
        carried = [in_common for edit in edits if (in_common := to_common.carried(edit)) is not None]
        misheard.edits += len(edits)
        misheard.edits_left_out += len(edits) - len(carried)
        system_blocks.append(Block(line, tuple(carried) or (noop(0),)))
        gold_edits: list[Edit] = []
        for annotator, version in zip(annotators[bounds[s] : bounds[s + 1]], gold, strict=True):
            right = [replace(edit, annotator=annotator) for edit in version if to_own.carried(edit) is not None]
            misheard.gold += len(version)
            misheard.gold_left_out += len(version) - len(right)
            gold_edits += right or [noop(annotator)]
        gold_blocks.append(Block(line, tuple(gold_edits)))
    return part.as_edits(Blocks.of(gold_blocks, "gold"), {system: Blocks.of(system_blocks, system)}), misheard
