"""The contract: every metric is two functions, count, then score.

``count`` touches text and yields additive numbers, ``counts[s, r, k]``; a selection policy chooses a reference for each
sentence; ``score`` is arithmetic on sums. Corpus scores, sentence scores and their mean are derived here, once for
all metrics, as will be everything that resamples sentences.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from geceval import __version__
from geceval.corpus import Corpus, Hypothesis, Lines, References
from geceval.errors import InputError, UsageError
from geceval.policies import Policy

if TYPE_CHECKING:
    from geceval.m2 import Block

Floats: TypeAlias = NDArray[np.float64]
Level: TypeAlias = Literal["corpus", "sentence", "mean"]
LEVELS: tuple[Level, ...] = get_args(Level)


@dataclass(frozen=True, eq=False)
class Counts:
    """Additive numbers of one system: ``array[s, r, k]`` with a name for each column k.

    ``present[s, r]`` is False where sentence s has no reference r (None: all are there); such rows are 0, never chosen.
    """

    array: NDArray[Any]
    columns: tuple[str, ...]
    present: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        if self.array.ndim != 3 or self.array.shape[2] != len(self.columns):
            shape = self.array.shape
            raise InputError(f"counts of shape {shape} do not fit [S, R, {len(self.columns)}]")

    def __len__(self) -> int:
        return len(self.array)

    def __add__(self, other: Counts) -> Counts:
        """The counts of two parts of a corpus, one after the other."""
        return Counts.concatenate([self, other])

    @staticmethod
    def concatenate(parts: Sequence[Counts]) -> Counts:
        """The counts of consecutive parts of a corpus, with the same columns; missing references are filled up."""
        return parts[0]._joined(parts) if len(parts) > 1 else parts[0]

    def _joined(self, parts: Sequence[Counts]) -> Counts:
        references = max(part.array.shape[1] for part in parts)
        present = None
        if any(part.present is not None or part.array.shape[1] < references for part in parts):
            present = np.concatenate([_filled(part.mask, references) for part in parts])
        return Counts(np.concatenate([_filled(part.array, references) for part in parts]), self.columns, present)

    @cached_property
    def mask(self) -> NDArray[np.bool_]:
        """``present``, spelled out: [S, R]."""
        return np.ones(self.array.shape[:2], dtype=bool) if self.present is None else self.present

    def chosen(self, choice: NDArray[np.intp]) -> NDArray[Any]:
        """The rows [S, K] of the chosen references, ``choice[s]``."""
        rows: NDArray[Any] = self.array[np.arange(len(self)), choice]
        return rows


def _filled(rows: NDArray[Any], references: int) -> NDArray[Any]:
    """[s, r, …] with rows of 0 (False) for the references that are missing."""
    missing = references - rows.shape[1]
    return np.pad(rows, [(0, 0), (0, missing)] + [(0, 0)] * (rows.ndim - 2)) if missing else rows


@dataclass(frozen=True)
class Score:
    """A value in [0, 1] with its named parts and the signature that says how it came about.

    ``totals`` are the summed counts behind it (means over the samples where references are sampled), ``deviation``
    the standard deviation over the samples, or None.
    """

    metric: str
    value: float
    signature: str
    level: Level = "corpus"
    sentences: int = 0
    parts: Mapping[str, float] = field(default_factory=dict)
    totals: Mapping[str, float] = field(default_factory=dict)
    deviation: float | None = None

    def __float__(self) -> float:
        return self.value

    def to_dict(self) -> dict[str, Any]:
        """A dictionary of plain numbers and strings; ``Score(**score.to_dict())`` is equal to the score."""
        return dataclasses.asdict(self) | {"parts": dict(self.parts), "totals": dict(self.totals)}


class Metric(ABC):
    """A metric: a frozen dataclass whose fields are its settings, with ``prepare``, ``count`` and ``score``.

    A line in ``geceval.metrics.METRICS`` registers it; all the rest (corpus, sentence and mean scores, blocks,
    signatures) is derived.
    """

    name: ClassVar[str]
    #: Settings that do not change the counts: metrics that differ in these only share one counting pass.
    scoring_settings: ClassVar[frozenset[str]] = frozenset({"beta"})
    #: Settings that say how references are chosen; the policy names them in the signature.
    selection_settings: ClassVar[frozenset[str]] = frozenset({"selection", "iterations", "seed"})
    #: Settings that cannot change a number (but for the last bits), and so are not in the signature.
    unsigned_settings: ClassVar[frozenset[str]] = frozenset()
    #: Sentences counted at a time: large enough for threads, small enough for memory and for the progress bar.
    block: ClassVar[int] = 1 << 14
    #: The smallest and the largest score there can be.
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)

    # --- what a metric defines ---

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of the K counts."""

    @property
    @abstractmethod
    def policy(self) -> Policy:
        """How a reference is chosen for each sentence, unless the caller says otherwise."""

    @abstractmethod
    def prepare(self, corpus: Corpus, threads: int = 0) -> Any:
        """All that can be done without a hypothesis, once for all systems.

        A metric takes from the corpus what it needs, references or gold edits, and raises InputError without it.
        """

    @abstractmethod
    def count(self, prepared: Any, hypothesis: Hypothesis, threads: int = 0) -> Counts:
        """The counts of one system. ``threads`` 0: all processors; the result does not depend on it."""

    @abstractmethod
    def score(self, totals: NDArray[Any]) -> Floats:
        """The scores [...] of sums of counts [..., K]: pure arithmetic on any leading axes."""

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        """Named figures beside the score (precision, recall, …), each of shape [...], for totals [..., K]."""
        return {}

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """What references are compared by, [..., T]: the first number decides, the following ones break ties."""
        return self.score(counts)[..., np.newaxis]

    def sentence_score(self, counts: NDArray[Any]) -> Floats:
        """What sentences score by themselves, [...], given their counts [..., K]."""
        return self.score(counts)

    def sentence_parts(self, counts: NDArray[Any]) -> dict[str, Floats]:
        """The ``parts`` of sentences by themselves."""
        return self.parts(counts)

    @property
    def has_constant(self) -> bool:
        """Whether counting needs a constant of the whole corpus, which ``survey`` and ``settled`` yield."""
        return False

    def survey(self, prepared: Any, hypothesis: Hypothesis, threads: int = 0) -> Floats:
        """Sums [C] over a part of the corpus, additive, from which ``settled`` works out the corpus constant."""
        raise NotImplementedError

    def settled(self, sums: Floats) -> Metric:
        """The metric with its corpus constant set, given the sums of ``survey`` over the whole corpus."""
        raise NotImplementedError

    def running_key(self, totals: Sequence[Any]) -> tuple[float, ...]:
        """What the policy ``running`` compares totals [K] by, one candidate at a time: plain numbers, quick."""
        raise UsageError(f"{self.name} does not know the policy running")

    def tie_key(self, counts: Sequence[Any]) -> tuple[float, ...]:
        """What decides where ``running_key`` does not: the sentence's own counts [K], free of the totals' rounding."""
        return ()

    @property
    def ratio(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """For the policy ``optimum``: weights [K] of the counts above and below the line, score = above / below."""
        raise UsageError(f"{self.name} does not know the policy optimum")

    # --- what follows ---

    @property
    def settings(self) -> dict[str, Any]:
        """The settings by name, in the order of their declaration."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.init}  # type: ignore[arg-type]

    @property
    def count_key(self) -> Hashable:
        """Metrics with equal keys have equal counts, so that one pass serves them all."""
        without = self.scoring_settings | self.selection_settings
        return (type(self), *((k, v) for k, v in self.settings.items() if k not in without))

    @property
    def prepare_key(self) -> Hashable:
        """Metrics with equal keys can share what ``prepare`` returns."""
        return self.count_key

    @property
    def label(self) -> str:
        """A short name for a table's head."""
        return self.name.upper()

    @property
    def signed_settings(self) -> dict[str, Any]:
        """The settings as the signature gives them."""
        without = self.selection_settings | self.unsigned_settings
        return {k: v for k, v in self.settings.items() if v is not None and k not in without}

    def signature(self, references: str | int, level: Level = "corpus") -> str:
        """All that can change a number: ``GREEN|n:4|beta:2|unit:word|policy:best|refs:2|level:corpus|v:0.1.0``."""
        entries = self.signed_settings | self.policy.settings | {"refs": references, "level": level, "v": __version__}
        return "|".join([self.label, *(f"{key}:{_plain(value)}" for key, value in entries.items())])

    def counts(
        self,
        source: Lines,
        hypothesis: Hypothesis,
        references: References = (),
        *,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
    ) -> Counts:
        """The counts of one system: ``array[s, r, k]``. Arguments and errors: see corpus_score."""
        corpus = Corpus(source, references, {"hypothesis": hypothesis}, gold)
        return self.count_whole(self.prepare(corpus, threads), hypothesis, threads)

    def count_whole(self, prepared: Any, hypothesis: Hypothesis, threads: int = 0) -> Counts:
        """The counts of one system over a whole corpus, with its corpus constant worked out first if it needs one."""
        metric = self.settled(self.survey(prepared, hypothesis, threads)) if self.has_constant else self
        return metric.count(prepared, hypothesis, threads)

    def corpus_score(
        self,
        source: Lines,
        hypothesis: Hypothesis,
        references: References = (),
        *,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
    ) -> Score:
        """The score of the whole corpus: choose references, sum, score.

        ``source[s]``, ``hypothesis[s]`` and ``references[r][s]`` are plain strings (None where a sentence lacks a
        reference); metrics on edits take ``gold[s]``, M2 blocks, instead of or beside references. ``threads`` 0 means
        all processors. Raises ValueError with the lengths if they differ.
        """
        return self._tally(Corpus(source, references, {"hypothesis": hypothesis}, gold), "corpus", threads).score()

    def sentence_scores(
        self,
        source: Lines,
        hypothesis: Hypothesis,
        references: References = (),
        *,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
    ) -> Floats:
        """The scores of the sentences, [S], each with the reference (or mean of references) its policy gives."""
        corpus = Corpus(source, references, {"hypothesis": hypothesis}, gold)
        return self._tally(corpus, "sentence", threads).sentence_scores()

    def mean_score(
        self,
        source: Lines,
        hypothesis: Hypothesis,
        references: References = (),
        *,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
    ) -> Score:
        """The plain mean of the sentence scores."""
        return self._tally(Corpus(source, references, {"hypothesis": hypothesis}, gold), "mean", threads).score()

    def _tally(self, corpus: Corpus, level: Level, threads: int) -> Tally:
        [(_, [tally])] = evaluate(corpus, [self], level=level, threads=threads).items()
        return tally


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


class Tally:
    """The counts of one system under one metric as they come in, block by block.

    Keeps sums only, where the policy looks at one sentence at a time; else all counts, since the choice needs them.
    """

    def __init__(self, metric: Metric, level: Level) -> None:
        self.metric, self.level = metric, level
        self._parts: list[Counts] = []
        self._sums: NDArray[Any] | None = None
        self._scores: list[Floats] = []
        self._references: set[int] = set()
        self._sentences = 0

    def add(self, counts: Counts) -> None:
        """Take in the next block."""
        metric, policy = self.metric, self.metric.policy
        self._sentences += len(counts)
        self._references |= {counts.array.shape[1]} if counts.present is None else set(counts.mask.sum(1).tolist())
        if self.level != "corpus":
            self._scores.append(policy.sentence_scores(metric, counts))
        elif policy.local:
            sums = policy.totals(metric, counts)
            self._sums = sums if self._sums is None else self._sums + sums
        else:
            self._parts.append(counts)

    @property
    def signature(self) -> str:
        few, many = min(self._references), max(self._references)
        return self.metric.signature(few if few == many else f"{few}-{many}", self.level)

    def sentence_scores(self) -> Floats:
        """[S]; only at levels "sentence" and "mean"."""
        return np.concatenate(self._scores)

    def totals(self) -> NDArray[Any]:
        """The sums [m, K] of the chosen counts, one row for each of the policy's m choices; only at level "corpus"."""
        if self._sums is None:
            self._sums = self.metric.policy.totals(self.metric, self.counts())
        return self._sums

    def counts(self) -> Counts:
        """All counts; only at level "corpus" and where the policy needs them all."""
        self._parts = [Counts.concatenate(self._parts)]
        return self._parts[0]

    def score(self) -> Score:
        """The score of the corpus, or at the other levels the mean of the sentence scores."""
        common: dict[str, Any] = {
            "metric": self.metric.name,
            "signature": self.signature,
            "level": self.level,
            "sentences": self._sentences,
        }
        if self.level != "corpus":
            return Score(value=float(self.sentence_scores().mean()), **common)
        totals = self.totals()
        values = self.metric.score(totals)
        parts = {name: float(np.mean(part)) for name, part in self.metric.parts(totals).items()}
        sums = dict(zip(self.metric.columns, totals.mean(0).tolist(), strict=True))
        if len(totals) == 1:
            sums = dict(zip(self.metric.columns, totals[0].tolist(), strict=True))
        deviation = float(values.std()) if len(values) > 1 else None
        return Score(value=float(values.mean()), parts=parts, totals=sums, deviation=deviation, **common)


def evaluate(
    corpus: Corpus,
    metrics: Sequence[Metric],
    *,
    level: Level = "corpus",
    threads: int = 0,
    block: int | None = None,
    progress: Any = None,
) -> dict[str, list[Tally]]:
    """Count every system once for each distinct ``count_key``; the tallies by system, in the order of ``metrics``.

    ``progress``, if given, is called with the number of sentence-system pairs done since the last call.
    """
    if level not in LEVELS:
        raise UsageError(f"unknown level {level!r}: choose from {', '.join(LEVELS)}")
    tallies = {name: [Tally(metric, level) for metric in metrics] for name in corpus.systems}
    counters = {metric.count_key: metric for metric in metrics}
    block = block or min((metric.block for metric in metrics), default=len(corpus))
    whole: dict[Hashable, Any] = {}
    settled = {key: _settled(corpus, counter, threads, block, whole) for key, counter in counters.items()}
    for part in corpus.blocks(block):
        ready = whole if part is corpus else {}
        for key, counter in counters.items():
            prepared = _prepared(part, counter, threads, ready)
            for name, hypothesis in part.systems.items():
                counts = settled[key][name].count(prepared, hypothesis, threads)
                for tally in tallies[name]:
                    if tally.metric.count_key == key:
                        tally.add(counts)
                if progress is not None:
                    progress(len(part))
    return tallies


def _prepared(part: Corpus, metric: Metric, threads: int, ready: dict[Hashable, Any]) -> Any:
    """What ``metric.prepare`` yields, made once for all metrics with its ``prepare_key``."""
    if metric.prepare_key not in ready:
        ready[metric.prepare_key] = metric.prepare(part, threads)
    return ready[metric.prepare_key]


def _settled(corpus: Corpus, metric: Metric, threads: int, block: int, whole: dict[Hashable, Any]) -> dict[str, Metric]:
    """The metric for every system, with its corpus constant if it needs one: a first pass over the corpus.

    What it prepared for a corpus of one block is left in ``whole``.
    """
    if not metric.has_constant:
        return dict.fromkeys(corpus.systems, metric)
    sums: dict[str, list[Floats]] = {name: [] for name in corpus.systems}
    for part in corpus.blocks(block):
        prepared = _prepared(part, metric, threads, whole if part is corpus else {})
        for name, hypothesis in part.systems.items():
            sums[name].append(metric.survey(prepared, hypothesis, threads))
    return {name: metric.settled(np.sum(parts, axis=0)) for name, parts in sums.items()}
