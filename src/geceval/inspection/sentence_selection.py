"""Select and order sentences, with a few numbers per sentence and system in memory."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import (
    COUNT,
    KERNEL_SEEDS,
    check_type,
    choice,
    choices,
    compiled_pattern,
    did_you_mean,
    shown,
    whole,
)
from geceval.base.errors import UsageError
from geceval.base.ties import exceeds
from geceval.counting.consumers import PartsConsumer
from geceval.counting.counts import Counts, Floats
from geceval.counting.groupings import evidence_of
from geceval.counting.metric import AnyMetric, Metric, Outcome
from geceval.counting.metric_names import make_metric
from geceval.counting.policies import best
from geceval.counting.run import Run
from geceval.counting.run_options import Progress, RunOptions
from geceval.edits.annotation import DEFAULT_ANNOTATOR
from geceval.results.examined_sentences import Agreement
from geceval.results.marked_edits import NONE, OUTCOMES, outcomes_of
from geceval.statistics.judged_pairs import outcomes
from geceval.text.columns import as_text
from geceval.text.corpus import TextSource
from geceval.text.m2.type_selectors import TypeSelectors, near_types

#: Outcomes by which sentences are selected: outcomes of edits, and false alarms.
FALSE_ALARM = "false-alarm"
WantedOutcome: TypeAlias = Outcome | Literal["false-alarm"]

Order: TypeAlias = Literal["worst", "best", "difference", "random", "given"]

#: Number of sentences that are read together.
PART_SIZE = 1 << 14


@dataclass(frozen=True)
class Wanted:
    """Selection and order of sentences.

    Args:
        number: Number of sentences, the first ones in the order (None: all).
        sort: Order: "worst" or "best" score of the first metric first; "difference", the largest difference between
            the systems, or between the metrics with ``disagree``; "random", sampled by ``seed``; "given", the order of
            the corpus (None: "difference" with ``worse`` or ``disagree``, else "worst").
        system: System whose sentences are selected (None: all systems, by their mean score).
        against: System that ``system`` is compared with.
        worse: Select only sentences on which ``system`` scores lower than ``against``.
        disagree: Select only sentences on which two metrics rank the two systems in opposite order.
        type: Select only sentences with an edit of this type, such as VERB:TENSE, R:VERB:TENSE or R; ``*`` matches any
            text, ``+`` joins several types.
        outcome: Select only sentences with an edit of this outcome, or with a false alarm ("false-alarm"): the system
            changes the sentence, and no reference does.
        grep: Regular expression that matches in the source, a reference or an output.
        seed: Seed of the random order, from 0 to 2**64 - 1.

    Raises:
        UsageError: If an option has an unsupported value or options contradict each other.
    """

    number: int | None = 20
    sort: Order | None = None
    system: str | None = None
    against: str | None = None
    worse: bool = False
    disagree: bool = False
    type: str | None = None
    outcome: WantedOutcome | None = None
    grep: str | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.number is not None:
            whole("number", self.number, COUNT)
        whole("seed", self.seed, KERNEL_SEEDS)
        for name in ("system", "against", "type", "grep"):
            check_type(name, getattr(self, name), (str, type(None)), "text")
        for name in ("worse", "disagree"):
            check_type(name, getattr(self, name), bool, "True or False")
        if self.sort is not None:
            choice("sort", self.sort, get_args(Order))
        if self.outcome is not None:
            choice("outcome", self.outcome, (*OUTCOMES, FALSE_ALARM))
        if (self.worse or self.disagree) and (self.system is None or self.against is None):
            raise UsageError("worse and disagree require two systems: system and against")
        if self.system is not None and self.system == self.against:
            raise UsageError(f"{self.system} cannot be compared with itself")
        if self.against is not None and self.system is None:
            raise UsageError(f"against={self.against} requires system")
        _ = self.pattern, self.selectors

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """Compiled expression of ``grep``; raises UsageError if it is invalid."""
        try:
            return None if self.grep is None else compiled_pattern(self.grep)
        except ValueError as error:
            raise UsageError(f"grep must be a regular expression, not {shown(self.grep)}: {error}") from None

    @cached_property
    def selectors(self) -> TypeSelectors | None:
        """Selectors of ``type``."""
        return None if self.type is None else TypeSelectors.of(self.type, "type")

    @property
    def order(self) -> Order:
        """``sort`` or its default."""
        return self.sort or ("difference" if self.worse or self.disagree else "worst")

    @property
    def looks_at_scores(self) -> bool:
        """Whether the selection requires scores."""
        return self.worse or self.disagree or self.order not in ("random", "given")

    def systems(self, names: Sequence[str]) -> list[str]:
        """Return the selected systems; raises UsageError if one is unknown."""
        selected = [known_system(name, names) for name in (self.system, self.against) if name is not None]
        return selected or list(names)


def known_system(name: str, names: Sequence[str]) -> str:
    """Return the name of a system; raises UsageError if it is unknown."""
    if name not in names:
        raise UsageError(f"unknown system {name!r}: choose from {choices(names)}", hint=did_you_mean(name, names))
    return name


@dataclass(frozen=True)
class SelectedSentences:
    """Selected sentences.

    Attributes:
        numbers: Numbers of the sentences, from 1, in their order.
        fit: Number of sentences that match, of which ``numbers`` are the first.
        agreement: Agreement of two metrics over the whole corpus, if the selection requires that they disagree.
    """

    numbers: Sequence[int]
    fit: int
    agreement: Agreement | None = None


def select(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    selection: Wanted,
    judge: AnyMetric | None,
    *,
    annotator: Any = DEFAULT_ANNOTATOR,
    threads: int = 0,
    progress: Progress | None = None,
    checks: bool = False,
) -> SelectedSentences:
    """Select sentences of a corpus.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics; the first one determines the order, the first two disagree.
        selection: Selection and order.
        judge: Metric that determines the outcomes of edits.
        annotator: Annotator that finds false alarms in text if the judge has none.
        threads: Number of threads (0: one per processor).
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn about suspicious input.

    Raises:
        UsageError: If a system is unknown, types or outcomes are selected without a judge, or a metric is missing.
    """
    systems = selection.systems(corpus.system_names)
    matches = _match_pattern(corpus, selection, systems)
    if selection.type is not None or selection.outcome is not None:
        if judge is not None and selection.outcome == FALSE_ALARM:
            judge = make_metric("false-alarms", annotator=judge.text_annotator or annotator)
        matches &= _match_edits(corpus, selection, systems, judge, threads)
    deciding = _deciding_metrics(metrics, selection, len(systems))
    run = Run(corpus, deciding, RunOptions(threads=threads, progress=progress, checks=checks))
    scores_of = run.consume(lambda system, metric: SelectingScores(metric)) if deciding else {}
    scores = [of_systems([scores_of[name, metric] for name in systems]) for metric in deciding]
    agreement = None
    if selection.worse:
        matches &= exceeds(scores[0].scores[1], scores[0].scores[0])
    if selection.disagree:
        first, second = (outcomes(of_metric.scores[0] - of_metric.scores[1]) for of_metric in scores)
        alike, opposite = first == second, first * second < 0
        agreement = Agreement(int(alike.sum()), int(opposite.sum()), int((~alike & ~opposite).sum()))
        matches &= opposite
    indices = np.flatnonzero(matches)
    return SelectedSentences((sort_sentences(indices, selection, scores) + 1).tolist(), len(indices), agreement)


def sort_sentences(indices: NDArray[np.intp], selection: Wanted, scores: Sequence[OrientedScores]) -> NDArray[np.intp]:
    """Return the indices of the first sentences in the requested order.

    ``scores`` are the scores under each deciding metric, if any.
    """
    if selection.order == "random":
        return np.sort(np.random.default_rng(selection.seed).permutation(indices)[: selection.number])
    if selection.order == "given":
        return indices[: selection.number]
    keys = [key[indices] for key in reversed(_keys(selection, scores))]
    return indices[np.lexsort(keys)][: selection.number]


def select_notable(scores: OrientedScores, number: int, seed: int = 0) -> tuple[Sequence[int], dict[Order, int]]:
    """Select notable and random sentences by their scores under one metric.

    The sentences are equal shares of the worst, the best, those with the largest difference between systems, and random
    ones. A sentence belongs to one share only.

    Args:
        scores: Scores under the metric.
        number: Number of sentences to select.
        seed: Seed of the random share.

    Returns:
        Sorted numbers of the sentences, from 1, and the number of sentences in each order; the latter is empty if all
        sentences are selected.
    """
    systems, total = scores.scores.shape
    if total <= number:
        return range(1, total + 1), {}
    orders: list[Order] = ["worst", "best", "difference", "random"] if systems > 1 else ["worst", "best", "random"]
    unselected, shares = np.ones(total, dtype=bool), dict[Order, int]()
    for index, order in enumerate(orders):
        size = (number - sum(shares.values())) // (len(orders) - index)
        chosen = sort_sentences(np.flatnonzero(unselected), Wanted(size, order, seed=seed), [scores])
        unselected[chosen] = False
        shares[order] = len(chosen)
    return (np.flatnonzero(~unselected) + 1).tolist(), shares


def _deciding_metrics(metrics: Sequence[AnyMetric], selection: Wanted, systems: int) -> list[AnyMetric]:
    """Return the metrics whose scores determine the selection or the order.

    Raises UsageError if metrics or systems are missing.
    """
    if not selection.looks_at_scores:
        return []
    if selection.order == "difference" and systems < 2:
        raise UsageError("sort=difference requires two systems, not 1")
    deciding = list(dict.fromkeys(metrics))[: 2 if selection.disagree else 1]
    if len(deciding) < 1 + selection.disagree:
        raise UsageError("disagree requires two metrics" if deciding else "sorting by score requires a metric")
    return deciding


class OrientedScores(NamedTuple):
    """Scores [N, S] of N systems under a metric, with high scores good, and numbers of hits and faults.

    Hits are correct edits or n-grams; faults are wrong or missed ones.
    """

    scores: Floats
    hits: Floats
    faults: Floats


def of_systems(scores: Sequence[SelectingScores]) -> OrientedScores:
    """Stack the scores of systems."""
    return OrientedScores(*map(np.stack, zip(*(consumer.result() for consumer in scores), strict=True)))


def _keys(selection: Wanted, scores: Sequence[OrientedScores]) -> list[Floats]:
    """Return sort keys [S], the most significant first; small keys come first."""
    if selection.order == "difference":
        if selection.disagree:
            return [-np.minimum(*(_standardise(of_metric.scores[0] - of_metric.scores[1]) for of_metric in scores))]
        return [values.min(axis=0) - values.max(axis=0) for values in (scores[0].scores, scores[0].faults)]
    systems = slice(None, 1) if selection.system is not None else slice(None)
    score, hits, faults = (values[systems].mean(axis=0) for values in scores[0])
    return [score, -faults] if selection.order == "worst" else [-score, -hits]


def _standardise(differences: Floats) -> Floats:
    """Return absolute differences in standard deviations, comparable between metrics."""
    deviation = differences.std()
    return np.asarray(np.abs(differences) / (deviation if deviation > 0 else 1.0))


class SelectingScores(PartsConsumer[OrientedScores, OrientedScores]):
    """Scores, hits and faults [S] of sentences; the latter two order equal scores.

    Memory: 24 bytes per sentence.
    """

    def of(self, counts: Counts) -> OrientedScores:
        scores = self.metric.sentence_scores_of(counts)
        outcomes, rows = self.metric.outcomes, self.metric.sentence_counts_of(counts)
        is_hit = np.array([outcomes.columns.get(name) == "correct" for name in counts.columns])
        is_fault = np.array([name in outcomes.columns for name in counts.columns]) & ~is_hit
        hits, faults = rows[:, is_hit].sum(axis=1), rows[:, is_fault].sum(axis=1)
        faults = faults - 2 * hits if outcomes.again else faults
        return OrientedScores(self.metric.scale.sign * scores, hits, faults)

    def result(self) -> OrientedScores:
        """Return scores, hits and faults [S] of one system."""
        return OrientedScores(*map(np.concatenate, zip(*self.parts, strict=True)))


# --- selection by text ---


def _match_pattern(corpus: TextSource, selection: Wanted, systems: Sequence[str]) -> NDArray[np.bool_]:
    """Return whether each sentence [S] matches the regular expression, if any."""
    if selection.pattern is None:
        return np.ones(sum(map(len, corpus.parts(PART_SIZE))), dtype=bool)
    matches: list[bool] = []
    for part in corpus.parts(PART_SIZE):
        texts = [part.source, *part.with_texts().references, *(as_text(part.systems[name]) for name in systems)]
        rows = zip(*texts, strict=True)
        matches += [any(text is not None and selection.pattern.search(text) for text in row) for row in rows]
    return np.array(matches)


# --- selection by edits ---


#: Whether each sentence [S] has an edit of the type and the outcome, and all types of edits.
MarksAndTypes: TypeAlias = tuple[NDArray[np.bool_], set[str]]


class _EditMatches(PartsConsumer[MarksAndTypes, MarksAndTypes]):
    """Sentences that have an edit of the type and the outcome."""

    def __init__(self, metric: Metric[Any], selection: Wanted) -> None:
        super().__init__(metric)
        self.selection = selection

    def of(self, counts: Counts) -> MarksAndTypes:
        evidence = evidence_of(counts)
        rows = (evidence.weight > 0) & (evidence.reference == best(self.metric.figure, counts)[evidence.sentence])
        rows &= self._has_outcome(counts)
        names = set[str]()
        if self.selection.selectors is not None:
            types = evidence.type
            assert types is not None  # the judge's evidence consists of edits
            used = np.unique(types).tolist()
            names = {evidence.strings[index] for index in used} - {""}
            matching = [index for index in used if self.selection.selectors.match(evidence.strings[index])]
            rows &= np.isin(types, matching)
        return np.bincount(evidence.sentence[rows], minlength=len(counts)) > 0, names

    def _has_outcome(self, counts: Counts) -> NDArray[np.bool_]:
        """Return whether each row of the evidence has the outcome."""
        if self.selection.outcome == FALSE_ALARM:
            column = "changed" if self.selection.type is None else "edits"
            return np.asarray(evidence_of(counts).column == counts.columns.index(column))
        outcomes = outcomes_of(self.metric, counts)
        if self.selection.outcome is None:
            return np.asarray(outcomes != NONE)
        return np.asarray(outcomes == OUTCOMES.index(self.selection.outcome))

    def result(self) -> MarksAndTypes:
        marks, names = zip(*self.parts, strict=True)
        return np.concatenate(marks), set[str]().union(*names)


def _match_edits(
    corpus: TextSource, selection: Wanted, systems: Sequence[str], judge: AnyMetric | None, threads: int
) -> NDArray[np.bool_]:
    """Return whether each sentence [S] has a matching edit of a system or reference.

    Raises UsageError if no edit has the type.
    """
    if judge is None:
        raise UsageError("types and outcomes of edits require references or gold edits")
    run = Run(corpus, [judge], RunOptions(threads=threads, evidence=True))
    consumers = run.consume(lambda system, metric: _EditMatches(metric, selection))
    marks_and_types = {name: consumer.result() for (name, _), consumer in consumers.items()}
    types = set[str]().union(*(names for _, names in marks_and_types.values()))
    if selection.selectors is not None and types:
        for pattern in selection.selectors.unmatched(types):
            message = f"no edit counted by {judge.label} has the type {pattern!r}"
            raise UsageError(message, hint=near_types(pattern, types))
    return np.asarray(np.any([marks_and_types[name][0] for name in systems], axis=0))
