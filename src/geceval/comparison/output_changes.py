"""Edits that are gained and lost between two systems, such as two checkpoints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from geceval.base.cached import cached_property
from geceval.base.errors import InputError
from geceval.base.ties import exceeds, order_of_best
from geceval.counting.contract import Outcome
from geceval.inspection.examined_sentences import Examined, Sentence
from geceval.inspection.sentence_segments import Judged

#: Correct edits of the later system alone and of the earlier one alone; wrong edits of the later and the earlier one;
#: edits of both that are correct for one system and wrong for the other, as their outputs are judged by other
#: references.
Change: TypeAlias = Literal["gained", "lost", "introduced", "removed", "rejudged"]
CHANGES: tuple[Change, ...] = get_args(Change)
#: Change of an edit of one system alone, by its outcome and whether the later system has it.
_OF_ONE: Mapping[tuple[Outcome, bool], Change] = {
    ("correct", True): "gained",
    ("correct", False): "lost",
    ("wrong", True): "introduced",
    ("wrong", False): "removed",
}


@dataclass(frozen=True)
class ChangedSentence:
    """A sentence on which two systems differ, with the edits that change.

    Attributes:
        sentence: The sentence with the outputs of the systems.
        edits: Edits with their change, in the order of the sentence; each edit once.
    """

    sentence: Sentence
    edits: Sequence[tuple[Change, Judged]]

    def source_of(self, edit: Judged) -> str:
        """Return the source tokens of an edit."""
        return " ".join(self.sentence.source.split()[edit.start : edit.end])


@dataclass(frozen=True)
class OutputChanges:
    """Changes from the outputs of one system to the outputs of another.

    An edit counts with the outcome against the reference that its output is judged by. An edit that both systems have
    is a change, "rejudged", only if these outcomes differ.

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
        higher = sum(exceeds(after, before) for before, after in pairs)
        lower = sum(exceeds(before, after) for before, after in pairs)
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

        gaining = [changed for changed in self.sentences if exceeds(gain(changed), 0)]
        return [gaining[at] for at in order_of_best([*map(gain, gaining)])][:number]


def _changed_edits(before: Sequence[Judged], after: Sequence[Judged]) -> list[tuple[Change, Judged]]:
    earlier, later = _by_place(before), _by_place(after)
    changes: list[tuple[Change, Judged]] = []
    for place, edit in (earlier | later).items():
        if place not in earlier or place not in later:
            assert edit.outcome is not None
            changes.append((_OF_ONE[edit.outcome, place in later], edit))
        elif earlier[place].outcome != later[place].outcome:
            changes.append(("rejudged", edit))
    return sorted(changes, key=lambda item: (item[1].start, item[1].end))


def _by_place(edits: Sequence[Judged]) -> dict[tuple[int, int, str], Judged]:
    """Return the correct and wrong edits by their tokens and correction."""
    return {(edit.start, edit.end, edit.text): edit for edit in edits if edit.outcome in ("correct", "wrong")}
