"""Edits that are gained and lost between two systems, such as two checkpoints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from geceval.base.cached import cached_property
from geceval.base.errors import InputError
from geceval.counting.contract import Outcome
from geceval.studies.explaining.examined_sentences import Examined, Sentence
from geceval.studies.explaining.sentence_segments import Judged

#: Correct edits of the later system alone and of the earlier one alone; wrong edits of the later and the earlier one.
Change: TypeAlias = Literal["gained", "lost", "introduced", "removed"]
CHANGES: tuple[Change, ...] = get_args(Change)
#: Outcome of the edits of each change, and whether the later system has them.
_MEANING: Mapping[Change, tuple[Outcome, bool]] = {
    "gained": ("correct", True),
    "lost": ("correct", False),
    "introduced": ("wrong", True),
    "removed": ("wrong", False),
}


@dataclass(frozen=True)
class ChangedSentence:
    """A sentence on which two systems differ, with the edits of one of them alone.

    Attributes:
        sentence: The sentence with the outputs of the systems.
        edits: Edits by change, in the order of the sentence.
    """

    sentence: Sentence
    edits: Sequence[tuple[Change, Judged]]

    def source_of(self, edit: Judged) -> str:
        """Return the source tokens of an edit."""
        return " ".join(self.sentence.source.split()[edit.start : edit.end])


@dataclass(frozen=True)
class OutputChanges:
    """Changes from the outputs of one system to the outputs of another.

    An edit counts with the outcome against the reference that its output is judged by; one that both systems have is a
    change if these outcomes differ.

    Attributes:
        before: Name of the earlier system.
        after: Name of the later system.
        examined: Sentences with the outputs of both systems.
    """

    before: str
    after: str
    examined: Examined

    def __post_init__(self) -> None:
        if self.examined.judge is None:
            raise InputError("changes of edits need references", hint="-r FILE or --gold FILE")

    @cached_property
    def sentences(self) -> list[ChangedSentence]:
        """Sentences whose texts or outcomes differ, in order."""
        found = []
        for sentence in self.examined.sentences:
            before, after = (sentence.outputs[name].version for name in (self.before, self.after))
            if before != after:
                edits = _changed_edits(before.edits, after.edits)
                if edits or before.text != after.text:
                    found.append(ChangedSentence(sentence, edits))
        return found

    def scores(self, sentence: Sentence, metric: str) -> tuple[float, float]:
        """Return the scores of the earlier and the later system on a sentence."""
        before, after = (sentence.outputs[name].scores[metric].score for name in (self.before, self.after))
        return before, after

    def directions(self, metric: str) -> tuple[int, int, int]:
        """Return the number of sentences with a higher, an equal and a lower score."""
        pairs = [self.scores(sentence, metric) for sentence in self.examined.sentences]
        higher, lower = (
            sum(after > before for before, after in own) for own in (pairs, [pair[::-1] for pair in pairs])
        )
        return higher, len(pairs) - higher - lower, lower

    @cached_property
    def types(self) -> dict[str, Counter[Change]]:
        """Number of edits of each change by type, the type with the largest change first."""
        found: dict[str, Counter[Change]] = {}
        for changed in self.sentences:
            for change, edit in changed.edits:
                found.setdefault(edit.type, Counter())[change] += 1
        return dict(sorted(found.items(), key=lambda item: (-item[1].total(), item[0])))

    def largest(self, metric: str, number: int, *, gains: bool) -> list[ChangedSentence]:
        """Return the sentences with the largest gains or losses of a score."""
        sign = 1 if gains else -1

        def gain(changed: ChangedSentence) -> float:
            before, after = self.scores(changed.sentence, metric)
            return sign * (after - before)

        return sorted((changed for changed in self.sentences if gain(changed) > 0), key=gain, reverse=True)[:number]


def _changed_edits(before: Sequence[Judged], after: Sequence[Judged]) -> list[tuple[Change, Judged]]:
    found: list[tuple[Change, Judged]] = []
    for change, (outcome, is_later) in _MEANING.items():
        own, other = (after, before) if is_later else (before, after)
        there = {(edit.start, edit.end, edit.text) for edit in other if edit.outcome == outcome}
        alone = [edit for edit in own if edit.outcome == outcome and (edit.start, edit.end, edit.text) not in there]
        found += [(change, edit) for edit in alone]
    return sorted(found, key=lambda item: (item[1].start, item[1].end))
