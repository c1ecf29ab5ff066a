"""Select and order sentences. Memory: a few numbers per sentence and system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import COUNT, KERNEL_SEEDS, check_type, choice, did_you_mean, shown, whole
from geceval.base.errors import UsageError
from geceval.base.ties import exceeds
from geceval.counting.breakdown import evidence_of
from geceval.counting.consumers import PartsConsumer
from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import Metric, Outcome
from geceval.counting.metric_names import make_metric
from geceval.counting.policies import best
from geceval.counting.run import Run
from geceval.counting.stream import AnyMetric, Progress, annotator_of
from geceval.inspection.marked_edits import NONE, OUTCOMES, outcomes_of
from geceval.statistics.rankings import outcomes
from geceval.text.corpus import TextSource, as_text
from geceval.text.m2.edit import cut_at_colons, matches_type

#: Outcomes by which sentences are selected: outcomes of edits, and false alarms.
FALSE_ALARM = "false-alarm"
WantedOutcome: TypeAlias = Outcome | Literal["false-alarm"]

Order: TypeAlias = Literal["worst", "best", "difference", "random", "given"]

#: Number of sentences that are read together.
PART = 1 << 14


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
            text.
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
        _ = self.pattern

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """Compiled expression of ``grep``; raises UsageError if it is invalid."""
        try:
            return None if self.grep is None else re.compile(self.grep)
        except (re.error, RecursionError, OverflowError) as error:
            raise UsageError(f"grep must be a regular expression, not {shown(self.grep)}: {error}") from None

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
        raise UsageError(f"unknown system {name!r} (available: {', '.join(names)})", hint=did_you_mean(name, names))
    return name


@dataclass(frozen=True)
class Agreement:
    """Agreement of two metrics on the order of two systems, in numbers of sentences.

    Attributes:
        alike: Sentences with the same order, or with equal scores under both metrics.
        opposite: Sentences with opposite orders.
        one_sees_none: Sentences with equal scores under one metric only.
    """

    alike: int
    opposite: int
    one_sees_none: int


@dataclass(frozen=True)
class Selected:
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
    wanted: Wanted,
    judge: AnyMetric | None,
    *,
    threads: int = 0,
    progress: Progress | None = None,
    checks: bool = False,
) -> Selected:
    """Select sentences of a corpus.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics; the first one determines the order, the first two disagree.
        wanted: Selection and order.
        judge: Metric that determines the outcomes of edits.
        threads: Number of threads (0: one per processor).
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn about suspicious input.

    Raises:
        UsageError: If a system is unknown, types or outcomes are selected without a judge, or a metric is missing.
    """
    systems = wanted.systems(corpus.system_names)
    fit = _match_pattern(corpus, wanted, systems)
    if wanted.type is not None or wanted.outcome is not None:
        fit &= _match_edits(corpus, wanted, systems, judge, threads)
    deciding = _deciding_metrics(metrics, wanted, len(systems))
    run = Run(corpus, deciding, threads=threads, progress=progress, checks=checks)
    found = run.consume(lambda system, metric: SelectingScores(metric)) if deciding else {}
    own = [of_systems([found[name, metric] for name in systems]) for metric in deciding]
    agreement = None
    if wanted.worse:
        fit &= exceeds(own[0].scores[1], own[0].scores[0])
    if wanted.disagree:
        first, second = (outcomes(of.scores[0] - of.scores[1]) for of in own)
        alike, opposite = first == second, first * second < 0
        agreement = Agreement(int(alike.sum()), int(opposite.sum()), int((~alike & ~opposite).sum()))
        fit &= opposite
    places = np.flatnonzero(fit)
    return Selected((sort_sentences(places, wanted, own) + 1).tolist(), len(places), agreement)


def sort_sentences(places: NDArray[np.intp], wanted: Wanted, own: Sequence[Own]) -> NDArray[np.intp]:
    """Return the first sentences, by index, in the requested order.

    ``own`` are the scores of each deciding metric, if any.
    """
    if wanted.order == "random":
        return np.sort(np.random.default_rng(wanted.seed).permutation(places)[: wanted.number])
    if wanted.order == "given":
        return places[: wanted.number]
    keys = [key[places] for key in reversed(_keys(wanted, own))]
    return places[np.lexsort(keys)][: wanted.number]


def select_notable(own: Own, number: int, seed: int = 0) -> tuple[Sequence[int], dict[Order, int]]:
    """Select notable and random sentences by their scores under one metric.

    The sentences are equal shares of the worst, the best, those with the largest difference between systems, and random
    ones. A sentence belongs to one share only.

    Args:
        own: Scores under the metric.
        number: Number of sentences to select.
        seed: Seed of the random share.

    Returns:
        Sorted numbers of the sentences, from 1, and the number of sentences in each order; the latter is empty if all
        sentences are selected.
    """
    systems, total = own.scores.shape
    if total <= number:
        return range(1, total + 1), {}
    orders: list[Order] = ["worst", "best", "difference", "random"] if systems > 1 else ["worst", "best", "random"]
    left, taken = np.ones(total, dtype=bool), dict[Order, int]()
    for at, order in enumerate(orders):
        share = (number - sum(taken.values())) // (len(orders) - at)
        chosen = sort_sentences(np.flatnonzero(left), Wanted(share, order, seed=seed), [own])
        left[chosen] = False
        taken[order] = len(chosen)
    return (np.flatnonzero(~left) + 1).tolist(), taken


def _deciding_metrics(metrics: Sequence[AnyMetric], wanted: Wanted, systems: int) -> list[AnyMetric]:
    """Return the metrics whose scores determine the selection or the order.

    Raises UsageError if metrics or systems are missing.
    """
    if not wanted.looks_at_scores:
        return []
    if wanted.order == "difference" and systems < 2:
        raise UsageError("sort=difference requires two systems, not 1")
    deciding = list(dict.fromkeys(metrics))[: 2 if wanted.disagree else 1]
    if len(deciding) < 1 + wanted.disagree:
        raise UsageError("disagree requires two metrics" if deciding else "sorting by score requires a metric")
    return deciding


class Own(NamedTuple):
    """Scores [N, S] of N systems under a metric, with numbers of hits and faults.

    High scores are good. Hits are correct, faults are wrong or missed.
    """

    scores: Floats
    hits: Floats
    faults: Floats


def of_systems(scores: Sequence[SelectingScores]) -> Own:
    """Stack the scores of systems."""
    return Own(*map(np.stack, zip(*(one.result() for one in scores), strict=True)))


def _keys(wanted: Wanted, own: Sequence[Own]) -> list[Floats]:
    """Return sort keys [S], the most significant first; small keys come first."""
    scores = own[0].scores
    if wanted.order == "difference":
        if wanted.disagree:
            return [-np.minimum(*(_standardise(of.scores[0] - of.scores[1]) for of in own))]
        return [values.min(axis=0) - values.max(axis=0) for values in (scores, own[0].faults)]
    which = slice(None, 1) if wanted.system is not None else slice(None)
    score, hits, faults = (values[which].mean(axis=0) for values in (scores, own[0].hits, own[0].faults))
    return [score, -faults] if wanted.order == "worst" else [-score, -hits]


def _standardise(differences: Floats) -> Floats:
    """Return absolute differences in standard deviations, comparable between metrics."""
    deviation = differences.std()
    return np.asarray(np.abs(differences) / (deviation if deviation > 0 else 1.0))


class SelectingScores(PartsConsumer[Own, Own]):
    """Scores, hits and faults [S] of sentences; the latter two order equal scores.

    Memory: 24 bytes per sentence.
    """

    def of(self, counts: Counts) -> Own:
        scores = self.metric.sentence_scores_of(counts)
        outcomes, rows = self.metric.outcomes, self.metric.sentence_counts_of(counts)
        right = np.array([outcomes.columns.get(name) == "correct" for name in counts.columns])
        other = np.array([name in outcomes.columns for name in counts.columns]) & ~right
        hits, faults = rows[:, right].sum(axis=1), rows[:, other].sum(axis=1)
        faults = faults - 2 * hits if outcomes.again else faults
        return Own(scores if self.metric.scale.higher_is_better else -scores, hits, faults)

    def result(self) -> Own:
        """Return scores, hits and faults [S] of one system."""
        return Own(*map(np.concatenate, zip(*self.parts, strict=True)))


# --- selection by text ---


def _match_pattern(corpus: TextSource, wanted: Wanted, systems: Sequence[str]) -> NDArray[np.bool_]:
    """Return whether each sentence [S] matches the regular expression, if any."""
    if wanted.pattern is None:
        return np.ones(sum(map(len, corpus.parts(PART))), dtype=bool)
    found: list[bool] = []
    for part in corpus.parts(PART):
        texts = [part.source, *part.with_texts().references, *(as_text(part.systems[name]) for name in systems)]
        rows = zip(*texts, strict=True)
        found += [any(text is not None and wanted.pattern.search(text) for text in row) for row in rows]
    return np.array(found)


# --- selection by edits ---


#: Marks [S] of sentences that have an edit of the type and the outcome, and all types of edits.
Matches: TypeAlias = tuple[NDArray[np.bool_], set[str]]


class _EditMatches(PartsConsumer[Matches, Matches]):
    """Sentences that have an edit of the type and the outcome."""

    def __init__(self, metric: Metric[Any], wanted: Wanted) -> None:
        super().__init__(metric)
        self.wanted = wanted

    def of(self, counts: Counts) -> Matches:
        evidence = evidence_of(counts)
        rows = (evidence.weight > 0) & (evidence.reference == best(self.metric.figure, counts)[evidence.sentence])
        rows &= self._has_outcome(counts)
        names = set[str]()
        if self.wanted.type is not None:
            types = evidence.type
            assert types is not None  # the judge's evidence consists of edits
            used = np.unique(types).tolist()
            names = {evidence.strings[place] for place in used} - {""}
            wanted = [place for place in used if matches_type(self.wanted.type, evidence.strings[place])]
            rows &= np.isin(types, wanted)
        return np.bincount(evidence.sentence[rows], minlength=len(counts)) > 0, names

    def _has_outcome(self, counts: Counts) -> NDArray[np.bool_]:
        """Return whether each row of the evidence has the outcome."""
        if self.wanted.outcome == FALSE_ALARM:
            column = "changed" if self.wanted.type is None else "edits"
            return np.asarray(evidence_of(counts).column == counts.columns.index(column))
        outcomes = outcomes_of(self.metric, counts)
        if self.wanted.outcome is None:
            return np.asarray(outcomes != NONE)
        return np.asarray(outcomes == OUTCOMES.index(self.wanted.outcome))

    def result(self) -> Matches:
        marks, names = zip(*self.parts, strict=True)
        return np.concatenate(marks), set[str]().union(*names)


def _match_edits(
    corpus: TextSource, wanted: Wanted, systems: Sequence[str], judge: AnyMetric | None, threads: int
) -> NDArray[np.bool_]:
    """Return whether each sentence [S] has a matching edit of a system or reference.

    Raises UsageError if no edit has the type.
    """
    if judge is None:
        raise UsageError("types and outcomes of edits require references or gold edits")
    if wanted.outcome == FALSE_ALARM:
        judge = make_metric("false-alarms", annotator=annotator_of(judge) or "builtin")
    run = Run(corpus, [judge], threads=threads, evidence=True)
    matches = run.consume(lambda system, metric: _EditMatches(metric, wanted))
    found = {name: own.result() for (name, _), own in matches.items()}
    types = set[str]().union(*(names for _, names in found.values()))
    if wanted.type is not None and types and not any(matches_type(wanted.type, name) for name in types):
        kinds = sorted({part for name in types for part in cut_at_colons(name, "type").split("+")})
        hint = did_you_mean(wanted.type, [*types, *kinds]) or f"available types: {', '.join(kinds)}"
        raise UsageError(f"no edit counted by {judge.label} has the type {wanted.type!r}", hint=hint)
    return np.asarray(np.any([found[name][0] for name in systems], axis=0))
