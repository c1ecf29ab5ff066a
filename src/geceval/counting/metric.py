"""The contract: every metric is two functions, count, then score.

``count`` touches text and yields additive numbers, ``counts[s, r, k]``; a selection policy chooses a reference for each
sentence; ``score`` is arithmetic on sums. Corpus scores, sentence scores and their mean are derived here, once for
all metrics, as will be everything that resamples sentences.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import __version__
from geceval.counting.counts import LEVELS, Counts, Floats, Level, Score
from geceval.counting.policies import Policy
from geceval.errors import UsageError
from geceval.text.corpus import Corpus, Hypothesis, Lines, References

if TYPE_CHECKING:
    from geceval.text.m2 import Block


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
    #: Whether it compares texts and so, where there are gold edits only, takes the texts they make.
    needs_texts: ClassVar[bool] = False
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
        raise UsageError(f"{self.name} has no corpus constant")

    def settled(self, sums: Floats) -> Metric:
        """The metric with its corpus constant set, given the sums of ``survey`` over the whole corpus."""
        raise UsageError(f"{self.name} has no corpus constant")

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
        corpus = with_needed_texts(corpus, [self])
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
    ``made_by`` is added to the number of references in the signature.
    """

    def __init__(self, metric: Metric, level: Level, made_by: str = "") -> None:
        self.metric, self.level, self.made_by = metric, level, made_by
        self._parts: list[Counts] = []
        self._sums: NDArray[Any] | None = None
        self._scores: list[Floats] = []
        self._part_sums: dict[str, float] = {}
        self._references: set[int] = set()
        self._sentences = 0

    def add(self, counts: Counts) -> None:
        """Take in the next block."""
        metric, policy = self.metric, self.metric.policy
        self._sentences += len(counts)
        self._references |= {counts.array.shape[1]} if counts.present is None else set(counts.mask.sum(1).tolist())
        if self.level != "corpus":
            self._scores.append(policy.sentence_scores(metric, counts))
            for name, values in policy.sentence_parts(metric, counts).items():
                self._part_sums[name] = self._part_sums.get(name, 0.0) + float(values.sum())
        elif policy.local:
            sums = policy.totals(metric, counts)
            self._sums = sums if self._sums is None else self._sums + sums
        else:
            self._parts.append(counts)

    @property
    def signature(self) -> str:
        few, many = min(self._references), max(self._references)
        references = str(few) if few == many else f"{few}-{many}"
        return self.metric.signature(references + self.made_by, self.level)

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
            parts = {name: total / self._sentences for name, total in self._part_sums.items()}
            return Score(value=float(self.sentence_scores().mean()), parts=parts, **common)
        totals = self.totals()
        values = self.metric.score(totals)
        parts = {name: float(np.mean(part)) for name, part in self.metric.parts(totals).items()}
        summed = totals[0] if len(totals) == 1 else totals.mean(0)
        sums = dict(zip(self.metric.columns, summed.tolist(), strict=True))
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
    corpus = with_needed_texts(corpus, metrics)
    made_by = [corpus.made_by if metric.needs_texts else "" for metric in metrics]
    tallies = {name: list(map(Tally, metrics, repeat(level), made_by)) for name in corpus.systems}
    counters = {metric.count_key: metric for metric in metrics}
    block = block or min((metric.block for metric in metrics), default=len(corpus))
    whole: dict[Hashable, Any] = {}
    settled = {key: _settled(corpus, counter, threads, block, whole) for key, counter in counters.items()}
    for part in corpus.parts(block):
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


def with_needed_texts(corpus: Corpus, metrics: Sequence[Metric]) -> Corpus:
    """The corpus, with texts made from its gold edits if it has no others and a metric needs some."""
    return corpus.with_texts() if any(metric.needs_texts for metric in metrics) else corpus


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
    for part in corpus.parts(block):
        prepared = _prepared(part, metric, threads, whole if part is corpus else {})
        for name, hypothesis in part.systems.items():
            sums[name].append(metric.survey(prepared, hypothesis, threads))
    return {name: metric.settled(np.sum(parts, axis=0)) for name, parts in sums.items()}
