"""Which sentences to look at: those that fit, in an order. Memory: a few numbers a sentence and system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import COUNT, KERNEL_SEEDS, choice, did_you_mean, shown, whole
from geceval.base.cached import cached_property
from geceval.base.errors import UsageError
from geceval.counting.consumers import Consumer, PartsConsumer
from geceval.counting.contract import Contract, Outcome
from geceval.counting.counts import Counts, Floats
from geceval.counting.groups.groupings import evidence_of
from geceval.counting.policies import best
from geceval.counting.run import Run
from geceval.counting.stream import AnyMetric, Progress
from geceval.studies.explaining.evidence_rows import NONE, OUTCOMES, outcomes_of
from geceval.text.corpus import TextSource, as_text
from geceval.text.m2.edit_types import cut_at_colons

Order: TypeAlias = Literal["worst", "best", "difference", "random", "given"]

#: Sentences read at a time.
PART = 1 << 14


@dataclass(frozen=True)
class Wanted:
    """What sentences are wanted, and in what order.

    ``system``: whose sentences (None: all systems', scores being means over them); ``against``: another system to
    compare it with; ``worse``: only where it scores lower than that one; ``disagree``: only where two metrics rank
    these two the other way round. ``type``: a type of edits such as VERB:TENSE, R:VERB:TENSE or R, ``*`` standing for
    anything; ``outcome``: what became of them. ``grep``: a regular expression found in the source, in a reference
    or in what a system made of it. ``number``: how many, the first ones in the order (None: all).

    ``sort``: by the first metric, the worst or the best first; by the largest difference, between the systems or, with
    ``disagree``, between the metrics; drawn at random by ``seed``; as given. None: the difference where there is one to
    look at (``worse``, ``disagree``), else the worst.
    """

    number: int | None = 20
    sort: Order | None = None
    system: str | None = None
    against: str | None = None
    worse: bool = False
    disagree: bool = False
    type: str | None = None
    outcome: Outcome | None = None
    grep: str | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.number is not None:
            whole("number", self.number, COUNT)
        whole("seed", self.seed, KERNEL_SEEDS)
        for name in ("system", "against", "type", "grep"):
            value = getattr(self, name)
            if not (value is None or isinstance(value, str)):
                raise UsageError(f"{name} is text, not {shown(value)}")
        for name in ("worse", "disagree"):
            if not isinstance(getattr(self, name), bool):
                raise UsageError(f"{name} is True or False, not {shown(getattr(self, name))}")
        if self.sort is not None:
            choice("sort", self.sort, get_args(Order))
        if self.outcome is not None:
            choice("outcome", self.outcome, OUTCOMES)
        if (self.worse or self.disagree) and (self.system is None or self.against is None):
            raise UsageError("two systems are to be compared: name both, system and against")
        if self.system is not None and self.system == self.against:
            raise UsageError(f"{self.system} is not to be compared with itself")
        if self.against is not None and self.system is None:
            raise UsageError(f"name the system that is to be compared with {self.against}")
        _ = self.pattern

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """The expression of ``grep``. Raises UsageError if it is none."""
        try:
            return None if self.grep is None else re.compile(self.grep)
        except (re.error, RecursionError, OverflowError) as error:
            raise UsageError(f"grep is a regular expression, not {shown(self.grep)}: {error}") from None

    @property
    def order(self) -> Order:
        """``sort``, or what it is if it is not given."""
        return self.sort or ("difference" if self.worse or self.disagree else "worst")

    @property
    def looks_at_edits(self) -> bool:
        """Whether edits decide, which have to be compared."""
        return self.type is not None or self.outcome is not None

    @property
    def looks_at_scores(self) -> bool:
        """Whether scores decide, which have to be counted."""
        return self.worse or self.disagree or self.order not in ("random", "given")

    def systems(self, names: Sequence[str]) -> list[str]:
        """Whose sentences are looked at. Raises UsageError for a system that is not among these."""
        asked = [known_system(name, names) for name in (self.system, self.against) if name is not None]
        return asked or list(names)


def known_system(name: str, names: Sequence[str]) -> str:
    """The name. Raises UsageError if no system is called so."""
    if name not in names:
        raise UsageError(f"there is no system {name!r}: choose from {', '.join(names)}", hint=did_you_mean(name, names))
    return name


@dataclass(frozen=True)
class Agreement:
    """How two metrics rank two systems, in so many sentences: alike (both find them equal included), the other way
    round, or one of them sees no difference."""

    alike: int
    opposite: int
    one_sees_none: int


@dataclass(frozen=True)
class Selected:
    """The ``numbers`` of the sentences from 1 on, in order; how many ``fit``, of which these are the first; the
    ``agreement`` of two metrics over the whole corpus where it was asked for."""

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
    """The sentences that are wanted. ``judge``: the metric that says what became of edits; ``checks``: see evaluate.

    Raises UsageError for systems that there are not, for types or outcomes without a judge, and unless there are two
    metrics that may disagree.
    """
    systems = wanted.systems(corpus.system_names)
    fit = _found(corpus, wanted, systems)
    if wanted.looks_at_edits:
        fit &= _with_edits(corpus, wanted, systems, judge, threads)
    asked = _metrics_asked(metrics, wanted, len(systems))
    run = Run(corpus, asked, threads=threads, progress=progress, checks=checks)
    found = run.consume(lambda system, metric: SelectingScores(metric)) if asked else {}
    own = [of_systems([found[name, metric] for name in systems]) for metric in asked]
    agreement = None
    if wanted.worse:
        fit &= own[0].scores[0] < own[0].scores[1]
    if wanted.disagree:
        first, second = (of.scores[0] - of.scores[1] for of in own)
        alike, opposite = np.sign(first) == np.sign(second), np.sign(first) * np.sign(second) < 0
        agreement = Agreement(int(alike.sum()), int(opposite.sum()), int((~alike & ~opposite).sum()))
        fit &= opposite
    places = np.flatnonzero(fit)
    return Selected((in_order(places, wanted, own) + 1).tolist(), len(places), agreement)


def in_order(places: NDArray[np.intp], wanted: Wanted, own: Sequence[Own]) -> NDArray[np.intp]:
    """The first of these places in the order wanted; ``own``: of each metric asked, where scores decide."""
    if wanted.order == "random":
        return np.sort(np.random.default_rng(wanted.seed).permutation(places)[: wanted.number])
    if wanted.order == "given":
        return places[: wanted.number]
    keys = [key[places] for key in reversed(_keys(wanted, own))]
    return places[np.lexsort(keys)][: wanted.number]


def outstanding(own: Own, number: int, seed: int = 0) -> tuple[Sequence[int], dict[Order, int]]:
    """The numbers, from 1 on and ascending, of ``number`` sentences, from what is known of them under one metric: equal
    shares of the worst, the best, those on which the systems differ most, and random ones, which say what is usual;
    what stands among several shares makes room for more. And how many were taken in each order, nothing if all were."""
    systems, total = own.scores.shape
    if total <= number:
        return range(1, total + 1), {}
    orders: list[Order] = ["worst", "best", "difference", "random"] if systems > 1 else ["worst", "best", "random"]
    left, taken = np.ones(total, dtype=bool), dict[Order, int]()
    for at, order in enumerate(orders):
        share = (number - sum(taken.values())) // (len(orders) - at)
        chosen = in_order(np.flatnonzero(left), Wanted(share, order, seed=seed), [own])
        left[chosen] = False
        taken[order] = len(chosen)
    return (np.flatnonzero(~left) + 1).tolist(), taken


def _metrics_asked(metrics: Sequence[AnyMetric], wanted: Wanted, systems: int) -> list[AnyMetric]:
    """The metrics whose scores decide, if any. Raises UsageError where there are too few of them, or of systems."""
    if not wanted.looks_at_scores:
        return []
    if wanted.order == "difference" and systems < 2:
        raise UsageError("the largest difference is between systems, and here is one")
    asked = list(dict.fromkeys(metrics))[: 2 if wanted.disagree else 1]
    if len(asked) < 1 + wanted.disagree:
        raise UsageError("two metrics are needed that may disagree" if asked else "a metric is needed to sort by")
    return asked


class Own(NamedTuple):
    """The scores [N, S] of N systems under a metric, the higher the better; how much is right, and wrong or missed."""

    scores: Floats
    hits: Floats
    faults: Floats


def of_systems(scores: Sequence[SelectingScores]) -> Own:
    """What is known of all sentences, from the scores of each system."""
    return Own(*map(np.stack, zip(*(one.result() for one in scores), strict=True)))


def _keys(wanted: Wanted, own: Sequence[Own]) -> list[Floats]:
    """What decides which sentence comes first, where scores do, then what does among equals: the smaller number."""
    scores = own[0].scores
    if wanted.order == "difference":
        if wanted.disagree:
            return [-np.minimum(*(_standardised(of.scores[0] - of.scores[1]) for of in own))]
        return [values.min(axis=0) - values.max(axis=0) for values in (scores, own[0].faults)]
    which = slice(None, 1) if wanted.system is not None else slice(None)
    score, hits, faults = (values[which].mean(axis=0) for values in (scores, own[0].hits, own[0].faults))
    return [score, -faults] if wanted.order == "worst" else [-score, -hits]


def _standardised(differences: Floats) -> Floats:
    """How large differences are, in units of their standard deviation: so those of two metrics can be compared."""
    deviation = differences.std()
    sizes: Floats = np.abs(differences) / (deviation if deviation > 0 else 1.0)
    return sizes


class SelectingScores(PartsConsumer[Own, Own]):
    """The scores [S] of the sentences, the higher the better, and how much in them is right, and wrong or missed, which
    tells sentences apart that score the same. Memory: 24 bytes a sentence."""

    def of(self, counts: Counts) -> Own:
        scores = self.metric.sentence_scores_of(counts)
        said, rows = self.metric.outcomes, self.metric.sentence_counts_of(counts)
        right = np.array([said.columns.get(name) == "correct" for name in counts.columns])
        other = np.array([name in said.columns for name in counts.columns]) & ~right
        hits, faults = rows[:, right].sum(axis=1), rows[:, other].sum(axis=1)
        faults = faults - 2 * hits if said.again else faults
        return Own(scores if self.metric.higher_is_better else -scores, hits, faults)

    def result(self) -> Own:
        """Of one system: [S]."""
        return Own(*map(np.concatenate, zip(*self.parts, strict=True)))


# --- what sentences say ---


def _found(corpus: TextSource, wanted: Wanted, systems: Sequence[str]) -> NDArray[np.bool_]:
    """[S]: the sentences in which the expression is found; all of them without one."""
    if wanted.pattern is None:
        return np.ones(sum(map(len, corpus.parts(PART))), dtype=bool)
    found: list[bool] = []
    for part in corpus.parts(PART):
        texts = [part.source, *part.with_texts().references, *(as_text(part.systems[name]) for name in systems)]
        rows = zip(*texts, strict=True)
        found += [any(text is not None and wanted.pattern.search(text) for text in row) for row in rows]
    return np.array(found)


# --- what edits say ---


def fits(asked: str, types: str) -> bool:
    """Whether a type is asked for: whole, by its operation, or by what follows the operation; types are joined by +."""
    parts = {part for tier in ("full", "type", "operation") for part in cut_at_colons(types, tier).split("+")}
    return any(fnmatchcase(part, asked) for part in parts)


class _WithEdits(Consumer[NDArray[np.bool_]]):
    """[S]: whether there is an edit of this type and outcome in the evidence of the best reference."""

    def __init__(self, metric: Contract[Any], wanted: Wanted) -> None:
        super().__init__(metric)
        self.wanted = wanted
        self.marks: list[NDArray[np.bool_]] = []
        self.types: set[str] = set()

    def add(self, counts: Counts) -> None:
        evidence, outcomes = evidence_of(counts), outcomes_of(self.metric, counts)
        rows = (evidence.weight > 0) & (evidence.reference == best(self.metric.figure, counts)[evidence.sentence])
        rows &= outcomes != NONE if self.wanted.outcome is None else outcomes == OUTCOMES.index(self.wanted.outcome)
        if self.wanted.type is not None:
            types = evidence.type
            assert types is not None  # the judge's evidence is made of edits
            used = np.unique(types).tolist()
            self.types |= {evidence.strings[place] for place in used} - {""}
            wanted = [place for place in used if fits(self.wanted.type, evidence.strings[place])]
            rows &= np.isin(types, wanted)
        self.marks.append(np.bincount(evidence.sentence[rows], minlength=len(counts)) > 0)

    def merge(self, other: _WithEdits) -> None:
        self.marks += other.marks
        self.types |= other.types

    def result(self) -> NDArray[np.bool_]:
        return np.concatenate(self.marks)


def _with_edits(
    corpus: TextSource, wanted: Wanted, systems: Sequence[str], judge: AnyMetric | None, threads: int
) -> NDArray[np.bool_]:
    """[S]: whether one of the systems has such an edit, or lacks it. Raises UsageError for a type that no edit has."""
    if judge is None:
        raise UsageError("types and outcomes of edits need references")
    run = Run(corpus, [judge], threads=threads, evidence=True)
    found = run.consume(lambda system, metric: _WithEdits(metric, wanted))
    types = set().union(*(own.types for own in found.values()))
    if wanted.type is not None and not any(fits(wanted.type, name) for name in types):
        kinds = sorted({part for name in types for part in cut_at_colons(name, "type").split("+")})
        hint = did_you_mean(wanted.type, [*types, *kinds]) or f"there are {', '.join(kinds)}"
        raise UsageError(f"no edit that {judge.label} counts has the type {wanted.type!r}", hint=hint)
    marks: NDArray[np.bool_] = np.any([found[name, judge].result() for name in systems], axis=0)
    return marks
