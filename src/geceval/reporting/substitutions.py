"""Most frequent wrong and missed substitutions of all systems over a corpus, in bounded memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from geceval.counting.counts import Counts
from geceval.counting.groupings import evidence_of
from geceval.counting.metric import AnyMetric, Outcome
from geceval.counting.policies import best
from geceval.results.marked_edits import OUTCOMES, outcomes_of
from geceval.text.corpus import Corpus
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import correction_of, minimal

#: Outcomes of the edits that are counted.
FAULTS: tuple[Outcome, ...] = ("wrong", "missed")
#: Largest number of distinct substitutions of each outcome in memory, some hundred bytes each.
MOST = 100_000


class Substitution(NamedTuple):
    """Source tokens, corrected tokens and type of an edit; tokens are joined by spaces, and may be empty."""

    source: str
    text: str
    type: str

    @property
    def shown(self) -> str:
        """The substitution as text, with a sign for no tokens."""
        return f"{self.source or '∅'} → {self.text or '∅'}"


class Frequency(NamedTuple):
    """Number of edits with a substitution, by index of the system."""

    substitution: Substitution
    by_system: Sequence[int]

    @property
    def total(self) -> int:
        """Number of edits of all systems."""
        return sum(self.by_system)


class SubstitutionCounts:
    """Numbers of the substitutions with one outcome.

    If more than ``most`` distinct ones occur, the rarer half of them is dropped. One that occurs again is counted anew,
    and may lack as many edits as the most frequent dropped one had.

    Args:
        systems: Number of systems.
        most: Largest number of distinct substitutions in memory.

    Attributes:
        lacking: Largest number of edits that a number may lack; 0 if all edits are counted.
    """

    def __init__(self, systems: int, most: int = MOST) -> None:
        self._systems, self._most = systems, most
        self._numbers: dict[Substitution, list[int]] = {}
        #: Largest number of edits that were dropped before a substitution was counted anew.
        self._dropped: dict[Substitution, int] = {}
        self.lacking = 0

    def add(self, system: int, numbers: Mapping[Substitution, int]) -> None:
        """Add the numbers of edits of a system."""
        for substitution, number in numbers.items():
            by_system = self._numbers.get(substitution)
            if by_system is None:
                by_system = self._numbers[substitution] = [0] * self._systems
                if self.lacking:
                    self._dropped[substitution] = self.lacking
            by_system[system] += number
        if len(self._numbers) > self._most:
            self._drop()

    def _drop(self) -> None:
        ranked = self._ranked()
        kept, dropped = ranked[: self._most // 2], ranked[self._most // 2 :]
        self.lacking = max(row.total + self._dropped.get(row.substitution, 0) for row in dropped)
        self._numbers = {row.substitution: self._numbers[row.substitution] for row in kept}
        self._dropped = {name: number for name, number in self._dropped.items() if name in self._numbers}

    def _ranked(self) -> list[Frequency]:
        rows = [Frequency(substitution, numbers) for substitution, numbers in self._numbers.items()]
        return sorted(rows, key=lambda row: (-row.total, row.substitution.shown, row.substitution.type))

    def most_frequent(self, number: int) -> tuple[list[Frequency], int]:
        """Return the most frequent substitutions, and the largest number of edits that their numbers may lack.

        The latter is 0 if their numbers and their order are exact.
        """
        ranked = self._ranked()
        rows, others = ranked[:number], ranked[number:]
        if not self.lacking:
            return rows, 0
        most_of_others = max([self.lacking, *(row.total + self._dropped.get(row.substitution, 0) for row in others)])
        is_exact = len(rows) == number and rows[-1].total >= most_of_others
        is_exact &= self._dropped.keys().isdisjoint(row.substitution for row in rows)
        return rows, 0 if is_exact else self.lacking


class CorpusSubstitutions:
    """Numbers of wrong and missed substitutions over a corpus, by outcome.

    Edits are those of the evidence of a metric, against the reference with which an output scores best.
    """

    def __init__(self, systems: Sequence[str], most: int = MOST) -> None:
        self.systems = tuple(systems)
        self.of_outcome = {outcome: SubstitutionCounts(len(systems), most) for outcome in FAULTS}

    def add(self, part: Corpus, system: str, metric: AnyMetric, counts: Counts) -> None:
        """Add the edits of a system in a part of the corpus, from counts with evidence."""
        evidence, outcomes = evidence_of(counts), outcomes_of(metric, counts)
        text, kind, start, end = evidence.text, evidence.type, evidence.start, evidence.end
        assert text is not None  # the evidence is edits
        assert kind is not None
        assert start is not None
        assert end is not None
        is_chosen = evidence.reference == best(metric.figure, counts)[evidence.sentence]
        # Edits of M2 separate alternatives by "||", which is a token of text.
        literal = {
            "wrong": not isinstance(part.systems[system], Blocks),
            "missed": part.gold is None or part.gold_edits != "as-given",
        }
        tokens: dict[int, list[str]] = {}
        for outcome, frequencies in self.of_outcome.items():
            has_outcome = outcomes == OUTCOMES.index(outcome)
            rows = np.flatnonzero(is_chosen & has_outcome & (evidence.weight > 0) & (start >= 0))
            numbers = Counter[Substitution]()
            # The edits that MaxMatch finds in text contain unchanged tokens.
            has_context = metric.needs_gold and outcome == "wrong"
            columns = (column[rows].tolist() for column in (evidence.sentence, start, end, text, kind))
            for sentence, first, last, text_code, type_code in zip(*columns, strict=True):
                words = tokens.get(sentence)
                if words is None:
                    words = tokens[sentence] = str(part.source[sentence]).split()
                correction = correction_of(evidence.strings[text_code], literal[outcome])
                if has_context:
                    corrected = correction.split()
                    span = (first, last, 0, len(corrected))
                    first, last, corrected_first, corrected_last = minimal(words, corrected, span)
                    correction = " ".join(corrected[corrected_first:corrected_last])
                type_ = evidence.strings[type_code] if type_code >= 0 else ""
                numbers[Substitution(" ".join(words[first:last]), correction, type_)] += 1
            frequencies.add(self.systems.index(system), numbers)
