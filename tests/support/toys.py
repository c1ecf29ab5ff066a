"""Metrics of other people, one of each kind, written with public names only: each joins by being defined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

import geceval
from geceval.extending import (
    FINITE,
    Annotator,
    Best,
    Bounds,
    Counts,
    Evidence,
    F,
    FMetric,
    Metric,
    OnEdits,
    Optimum,
    Policy,
    hypothesis_edits,
    reference_edits,
    setting,
)


@dataclass(frozen=True)
class Shortening(Metric[np.ndarray]):
    """Without references: how many of the source's words are left."""

    name: ClassVar[str] = "shortening"
    uses_references: ClassVar[bool] = False

    most: float = setting(1.0, "scoring", Bounds(0, 1))

    @property
    def columns(self) -> tuple[str, ...]:
        return ("left", "source")

    @property
    def policy(self) -> Policy:
        return Best()

    def prepare(self, corpus: geceval.Corpus, threads: int = 0) -> np.ndarray:
        return np.array([len(line.split()) for line in corpus.source])

    def count(self, prepared: np.ndarray, hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Counts:
        left = np.array([len(line.split()) for line in hypothesis])
        array = np.stack([np.minimum(left, prepared), prepared], axis=-1)[:, np.newaxis]
        return Counts(array, self.columns)

    def score(self, totals: np.ndarray) -> np.ndarray:
        return np.minimum(totals[..., 0] / np.maximum(totals[..., 1], 1), self.most)


@dataclass(frozen=True)
class Sameness(Metric[Any]):
    """The required members and no other: is the sentence that of the reference?"""

    name: ClassVar[str] = "sameness"
    columns: ClassVar[tuple[str, ...]] = ("same", "sentences")

    def prepare(self, corpus: geceval.Corpus, threads: int = 0) -> Any:
        return list(zip(*corpus.references, strict=True))

    def count(self, prepared: Any, hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Counts:
        rows = [
            [(line == text, text is not None) for text in texts]
            for line, texts in zip(hypothesis, prepared, strict=True)
        ]
        array = np.array(rows, int).reshape(len(rows), -1, 2)
        cells = np.nonzero(array)
        found = Evidence(*cells, array[cells].astype(float)) if evidence else None
        return Counts(array, self.columns, array[..., 1] > 0, found)

    def score(self, totals: np.ndarray) -> np.ndarray:
        return totals[..., 0] / np.maximum(totals[..., 1], 1)


@dataclass(frozen=True)
class Agreement(Metric[Any]):
    """Over all systems of a run: how many of the others have the same sentence."""

    name: ClassVar[str] = "agreement"
    uses_references: ClassVar[bool] = False

    @property
    def columns(self) -> tuple[str, ...]:
        return ("same", "others")

    @property
    def policy(self) -> Policy:
        return Best()

    def prepare(self, corpus: geceval.Corpus, threads: int = 0) -> Any:
        return None

    @property
    def pool(self) -> Any:
        return lambda prepared, systems, threads: [list(row) for row in zip(*systems.values(), strict=True)]

    def count(self, prepared: list[list[str]], hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Counts:
        rows = [[row.count(text) - 1, len(row) - 1] for row, text in zip(prepared, hypothesis, strict=True)]
        return Counts(np.array(rows)[:, np.newaxis], self.columns)

    def score(self, totals: np.ndarray) -> np.ndarray:
        return totals[..., 0] / np.maximum(totals[..., 1], 1)


class AgreementBeside(Agreement):
    """A pooled metric that is held against references."""

    uses_references = True


@dataclass(frozen=True)
class Spans(FMetric[Any], OnEdits[Any]):
    """On edits, with evidence: where is something wrong, whatever the correction?"""

    name: ClassVar[str] = "spans"

    beta: float = setting(0.5, "scoring", FINITE)
    annotator: Annotator | str = "builtin:3"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("tp", "fp", "fn")

    @property
    def policy(self) -> Policy:
        return Optimum()

    @property
    def f(self) -> F:
        tp, fp, fn = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        return F(self.beta, tp, (1.0, 1.0, 0.0), (1.0, 0.0, 1.0), fp, fn, ties=(tp,))

    def prepare(self, corpus: geceval.Corpus, threads: int = 0) -> Any:
        return corpus, reference_edits(corpus, self.extraction, threads)

    def count(self, prepared: Any, hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Counts:
        corpus, references = prepared
        system = hypothesis_edits(corpus, hypothesis, self.extraction, threads)
        rows = []
        for s in range(len(corpus)):
            [(_, proposed)] = system.sentence(s)
            for r, (_, expected) in enumerate(references.sentence(s)):
                expected = [edit for edit in expected if edit[0] >= 0]
                spans, gold = {edit[:2] for edit in proposed}, {edit[:2] for edit in expected}
                rows += [(s, r, 0 if edit[:2] in gold else 1, 0, *edit) for edit in proposed]
                rows += [(s, r, 2, 1, *edit) for edit in expected if edit[:2] not in spans]
        strings = sorted({text for row in rows for text in row[6:]})
        sentence, reference, column, side, start, end = np.array([row[:6] for row in rows], int).reshape(-1, 6).T
        kind, text = np.array([[strings.index(text) for text in row[6:]] for row in rows], np.int32).reshape(-1, 2).T
        weight = np.ones(len(rows))
        evidence_rows = Evidence(sentence, reference, column, weight, side, start, end, text, kind, None, strings)
        numbers = np.diff(references.versions)
        array = evidence_rows.sums((len(corpus), int(numbers.max()), 3)).astype(int)
        present = np.arange(numbers.max()) < numbers[:, np.newaxis]
        return Counts(array, self.columns, present, evidence_rows if evidence else None)


SOURCE = ["He go home .", "She have a cats ."]
REFERENCES = [["He goes home .", "She has a cat ."], ["He went home .", "She has cats ."]]
SYSTEMS = {"one": ["He goes home .", "She has a cat ."], "two": ["He go home", "She has a cat ."]}
CORPUS = geceval.Corpus(SOURCE, REFERENCES, SYSTEMS)
TOYS: list[Metric[Any]] = [Shortening(), Agreement(), Spans(), Sameness()]
