"""The contract: every metric is two functions, count, then score.

``count`` touches text and yields additive numbers, ``counts[s, r, k]``; a selection policy chooses a reference for each
sentence; ``score`` is arithmetic on sums. All the rest is derived from the two, for all metrics, by whoever consumes
the stream of counts (stream.py, consumers.py).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import __version__
from geceval.base.errors import UsageError
from geceval.counting.counts import Counts, Floats, Level
from geceval.counting.figures import F, Figure, RankingFigure
from geceval.counting.policies import Best, Policy, best
from geceval.counting.settings import check, role_of, settings_of
from geceval.text.corpus import Corpus, Hypothesis, TextSource

if TYPE_CHECKING:
    from geceval.edits.annotation import Annotator

P = TypeVar("P")

#: What a hypothesis is held against: corrected texts (made from gold edits where there are no others), gold edits,
#: edits (gold ones, else those found in corrected texts), or nothing but the source.
EvidenceOf: TypeAlias = Literal["texts", "gold", "edits", "nothing"]
#: By what edits can be told apart.
KindOfEdit: TypeAlias = Literal["type", "length"]


@dataclass(frozen=True)
class ByKind:
    """What a metric can say of one kind of edits, by their types or their lengths.

    ``apart``: columns whose evidence, where it has no type, is of no kind; it stands in a group of this name, without
    figures. ``unknown``: parts (or ``score``) that counts by kind do not give.
    """

    apart: Mapping[str, str] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()


#: What became of an edit or an n-gram: it is right, it is wrong, or the system lacks it.
Outcome: TypeAlias = Literal["correct", "wrong", "missed"]


@dataclass(frozen=True)
class Outcomes:
    """What evidence says of an edit or an n-gram, by the column it stands in; other columns say nothing of it.

    ``again``: what is correct stands once more among what is proposed and what is gold, whose columns are then wrong
    and missed for the rest only.
    """

    columns: Mapping[str, Outcome] = field(default_factory=dict)
    again: bool = False


@dataclass(frozen=True)
class Given:
    """What a metric was given, as far as a number depends on it: what the signature says beside the settings.

    ``references``: how many, ``2``, or ``1-2`` where sentences differ; ``made`` says what they were unless texts:
    ``gold`` edits, or texts made from gold edits, by what an annotator without a line means (``fallback``, ``plain``).
    ``m2``: the system was given as edits. ``pool``: the systems of the run. ``prepared``: what was done to the texts
    before, step by step: ``(("tok", "english-1(systems)"),)``.
    """

    references: str = ""
    made: str = ""
    m2: bool = False
    pool: tuple[str, ...] = ()
    prepared: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def number(few: int, many: int) -> str:
        """How many references sentences have, the fewest and the most."""
        return str(few) if few == many else f"{few}-{many}"

    @property
    def annotated(self) -> bool:
        """Whether edits had to be found in text, of the system or of references, by a metric on edits."""
        return self.made != "gold" or not self.m2


@dataclass(frozen=True)
class RequestPlan:
    """The number of requests that a judged metric would send, and their price.

    Of ``questions``, the answers to ``kept`` are in the cache. ``prompt_tokens`` (counted by ``counted_by``) are sent
    for the others and at most ``answer_tokens`` are answered; ``cost`` is their price, if known. Questions that are
    repeated because an answer could not be read are not included.
    """

    model: str
    questions: int
    kept: int
    prompt_tokens: int
    answer_tokens: int
    counted_by: str
    cost: float | None


class Contract(ABC, Generic[P]):
    """What a metric defines, and what follows without counting anything.

    A metric is a frozen dataclass whose fields are its settings, with ``prepare``, ``count`` and ``score``; ``P`` is
    what ``prepare`` yields. Each setting says at its field what it is for (settings.setting). Values are checked when a
    metric is made: UsageError for one that does not exist.
    """

    name: ClassVar[str]
    #: The name at the head of a table; without one it is ``name`` in capitals.
    title: ClassVar[str] = ""
    #: What the metric measures, a noun phrase, and some of its settings: ``geceval metrics`` prints both.
    measures: ClassVar[str] = ""
    example: ClassVar[str] = ""
    #: The extra that the metric needs, if any: ``pip install 'geceval[neural]'``.
    extra: ClassVar[str | None] = None
    #: Sentences counted at a time: large enough for threads, small enough for memory and for the progress bar.
    block: ClassVar[int] = 1 << 14
    evidence_of: ClassVar[EvidenceOf] = "texts"
    #: Whether it looks at all systems of a run together: ``count`` then finds the other ones in what ``pool`` yields.
    pooled: ClassVar[bool] = False
    #: Whether the reference that is best for a sentence is the one with which it scores highest.
    best_is_highest: ClassVar[bool] = False
    #: Whether what is counted of a reference depends on the other ones of the sentence.
    references_together: ClassVar[bool] = False
    higher_is_better: ClassVar[bool] = True
    #: Whether tables show scores times 100; else as they are.
    in_percent: ClassVar[bool] = True
    #: Parts that are numbers and not shares: tables show them as they are.
    plain_parts: ClassVar[frozenset[str]] = frozenset()
    #: The smallest and the largest score there can be.
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    #: Columns whose sums over a run, all systems together, ``final_remarks`` reads.
    watched: ClassVar[tuple[str, ...]] = ()
    #: Whether counting sends requests to a language model, which may cost money.
    asks_judge: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check(self, self.name)

    # --- what a metric defines ---

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of the K counts. Of a ``pooled`` metric counts may have more, by the pool: they name theirs."""

    @property
    def policy(self) -> Policy:
        """The choice of a reference for each sentence: the best one, unless a metric says otherwise."""
        return Best()

    @abstractmethod
    def prepare(self, corpus: Corpus, threads: int = 0) -> P:
        """All that can be done without a hypothesis, once for all systems.

        A metric takes from the corpus what it needs, references or gold edits, and raises InputError without it.
        """

    @abstractmethod
    def count(self, prepared: P, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False) -> Counts:
        """The counts of one system, with their evidence if asked for.

        ``threads`` 0: all processors; the result does not depend on it. An InputError that names a sentence by its
        number also has its place, ``sentence=s``: the stream adds what stands before the part.
        """

    @abstractmethod
    def score(self, totals: NDArray[Any]) -> Floats:
        """The scores [...] of sums of counts [..., K]: pure arithmetic on any leading axes."""

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        """Named figures beside the score (precision, recall, …), each of shape [...], for totals [..., K]."""
        return {}

    def part_in_percent(self, part: str) -> bool:
        """Whether tables show a part times 100."""
        return self.in_percent and part not in self.plain_parts

    @property
    def figure(self) -> Figure:
        """What references are compared by."""
        return RankingFigure(self.scores_alone)

    @property
    def beta_of_score(self) -> float | None:
        """The beta of a score that is F of the parts precision and recall; None for other scores."""
        figure = self.figure
        return figure.beta if isinstance(figure, F) else None

    def scores_alone(self, counts: NDArray[Any]) -> Floats:
        """The scores of counts [..., K] as the only figure references are compared by, [..., 1]."""
        return self.score(counts)[..., np.newaxis]

    def own_score(self, counts: NDArray[Any]) -> Floats:
        """What sentences score by themselves, [...], given their counts [..., K]."""
        return self.score(counts)

    def own_parts(self, counts: NDArray[Any]) -> dict[str, Floats]:
        """The ``parts`` of sentences by themselves."""
        return self.parts(counts)

    def pool(self, prepared: P, systems: Mapping[str, Hypothesis], threads: int = 0) -> P:
        """For a ``pooled`` metric: what was prepared, with what is to be known of all systems of the run."""
        return prepared

    def remarks(self, corpus: TextSource) -> Sequence[str]:
        """What is odd about the settings, given this corpus: warnings, once a run."""
        return ()

    def final_remarks(self, sums: Mapping[str, float]) -> Sequence[str]:
        """What is to be said once a run is counted, given the sums of the ``watched`` columns: warnings."""
        return ()

    @property
    def annotates_with(self) -> Annotator | str | None:
        """The annotator that finds edits in text for it, or its name."""
        return None

    def request_plan(self, corpus: TextSource) -> RequestPlan | None:
        """Return what counting would ask a judge, without sending anything; None for a metric that asks none."""
        return None

    def spending(self) -> str | None:
        """Return a line with what the judge was paid so far; None where there is no judge or no known price."""
        return None

    def held(self) -> object:
        """What a run keeps from its beginning to its end, such as an encoder; dropped with the last run that has it."""
        return None

    def by_kind(self, key: KindOfEdit) -> ByKind | None:
        """What it can say of kinds of edits; None: its evidence is not made of edits."""
        return None

    @property
    def outcomes(self) -> Outcomes:
        """What its evidence says of edits or n-grams."""
        return Outcomes()

    def reference_names(self, names: Sequence[str], number: int) -> Sequence[str]:
        """What the references of a sentence that it counts against are called, ``number`` of them, given the ``names``
        of those there are: the same, unless it makes its own."""
        return names if len(names) == number else [f"mixed {r}" for r in range(number)]

    @property
    def has_constant(self) -> bool:
        """Whether counting needs a constant of the whole corpus, which ``survey`` and ``settled`` yield."""
        return False

    def survey(self, prepared: P, hypothesis: Hypothesis, threads: int = 0) -> Floats:
        """Sums [C] over a part of the corpus, additive, from which ``settled`` works out the corpus constant."""
        raise UsageError(f"{self.name} has no corpus constant")

    def settled(self, sums: Floats) -> Contract[P]:
        """The metric with its corpus constant set, given the sums of ``survey`` over the whole corpus."""
        raise UsageError(f"{self.name} has no corpus constant")

    # --- what follows ---

    @property
    def settings(self) -> dict[str, Any]:
        """The settings by name, in the order of their declaration."""
        return {name: getattr(self, name) for name in settings_of(type(self))}

    def _with_roles(self, *roles: str) -> dict[str, Any]:
        fields = settings_of(type(self)).items()
        return {name: getattr(self, name) for name, (one, _) in fields if role_of(one) in roles}

    @property
    def count_key(self) -> Hashable:
        """Metrics with equal keys have equal counts, so that one pass serves them all."""
        return (type(self), *self._with_roles("counting", "unsigned").items())

    @property
    def prepare_key(self) -> Hashable:
        """Metrics with equal keys can share what ``prepare`` returns."""
        return self.count_key

    @property
    def label(self) -> str:
        """A short name for a table's head."""
        return self.title or self.name.upper()

    def signed(self, given: Given) -> dict[str, Any]:
        """The settings as the signature gives them, those that decide something on what was given."""
        return {name: value for name, value in self._with_roles("counting", "scoring").items() if value is not None}

    def signature(self, given: Given | int | str, level: Level = "corpus") -> str:
        """All that can change a number: ``GREEN|n:4|beta:2|unit:word|policy:best|refs:2|level:corpus|v:0.2.0``.

        ``given``: what the metric was given; a number stands for so many reference texts.
        """
        given = given if isinstance(given, Given) else Given(str(given))
        entries = self.signed(given) | self.policy.settings
        if self.pooled:
            entries["pool"] = "+".join(given.pool)
        if self.evidence_of != "nothing":
            entries["refs"] = given.references + (f"({given.made})" if given.made else "")
        if given.m2:
            entries["hyp"] = "m2"
        entries |= dict(given.prepared)
        entries |= {"level": level, "v": __version__}
        return "|".join([self.label, *(f"{key}:{_plain(value)}" for key, value in entries.items())])

    def choices(self, counts: Counts) -> NDArray[np.intp]:
        """The references [m, S] that the policy chooses for the sentences of a whole corpus, m times."""
        return self.policy.choices(self.figure, counts)

    def totals(self, counts: Counts) -> NDArray[Any]:
        """The sums [m, K] of the counts of a whole corpus with the references that the policy chooses."""
        fold = self.policy.start(self.figure)
        fold.add(counts)
        return fold.totals()

    def sentence_scores_of(self, counts: Counts) -> Floats:
        """[S]: every sentence by itself, with its best reference or the mean over its references, by the policy."""
        return counts.once(("sentence scores", self), lambda: self._scores_of(counts))

    def _scores_of(self, counts: Counts) -> Floats:
        if not self.best_is_highest or self.policy.averages:
            return self._alone(counts, self.own_score)
        scores = self.own_score(counts.array)
        highest: Floats = (scores if counts.present is None else np.where(counts.present, scores, -np.inf)).max(axis=1)
        return highest

    def sentence_parts_of(self, counts: Counts) -> dict[str, Floats]:
        """The parts [S] of every sentence by itself."""
        names = self.own_parts(np.zeros(len(counts.columns)))
        return {name: self._alone(counts, lambda rows, name=name: self.own_parts(rows)[name]) for name in names}

    def sentence_counts_of(self, counts: Counts) -> NDArray[Any]:
        """The counts [S, K] of every sentence by itself, of its best reference or the mean over its references."""
        if not self.policy.averages:
            return counts.chosen(best(self.figure, counts))
        mask = counts.mask[..., np.newaxis]
        means: Floats = np.where(mask, counts.array, 0).sum(axis=1) / mask.sum(axis=1)
        return means

    def _alone(self, counts: Counts, figure: Any) -> Floats:
        if not self.policy.averages:
            found: Floats = figure(counts.chosen(best(self.figure, counts)))
            return found
        means: Floats = np.where(counts.mask, figure(counts.array), 0.0).sum(axis=1) / counts.mask.sum(axis=1)
        return means


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
