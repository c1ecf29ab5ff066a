"""Define the contract of metrics, which consists of ``count`` and ``score``.

``count`` reads text and returns additive numbers, ``counts[s, r, k]``; a selection policy chooses a reference for each
sentence; ``score`` is arithmetic on sums. Everything else is derived from the two for all metrics, by consumers of the
stream of counts (stream.py, consumers.py).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import __version__
from geceval.base.errors import UsageError
from geceval.counting.counts import Counts, Floats, Level
from geceval.counting.figures import F, Figure, RankingFigure
from geceval.counting.policies import SELECTIONS, Best, Policy, best
from geceval.counting.settings import check, settings_of
from geceval.text.corpus import Corpus, Hypothesis, Takes, TextSource

if TYPE_CHECKING:
    from geceval.edits.annotation import Annotator

P = TypeVar("P")

#: Evidence that a hypothesis is compared with: reference texts (made from gold edits if necessary), gold edits, edits
#: (gold edits, or else extracted from reference texts), or only the source.
EvidenceOf: TypeAlias = Literal["texts", "gold", "edits", "nothing"]
#: Properties by which edits are grouped.
KindOfEdit: TypeAlias = Literal["type", "length"]


@dataclass(frozen=True)
class ByKind:
    """Support of a metric for tables by kinds of edits.

    Attributes:
        apart: Columns whose evidence may have no type, with the name of the group of evidence without type, which has
            no figures.
        unknown: Parts (or ``score``) that counts by kind do not determine.
    """

    apart: Mapping[str, str] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()


#: Outcome of an edit or an n-gram: correct, wrong, or missed by the system.
Outcome: TypeAlias = Literal["correct", "wrong", "missed"]


@dataclass(frozen=True)
class Outcomes:
    """Outcomes of edits or n-grams.

    Attributes:
        columns: Outcome by column; evidence in other columns has no outcome.
        again: Whether the columns of proposed and gold edits repeat the correct ones; the others are wrong or missed.
    """

    columns: Mapping[str, Outcome] = field(default_factory=dict)
    again: bool = False


@dataclass(frozen=True)
class Given:
    """Properties of the input that affect a number and that the signature contains.

    Attributes:
        references: Number of references, "2", or "1-2" if it differs between sentences.
        made: "gold" for given gold edits; "reannotated" for edits found in their corrected texts; "fallback" or
            "plain" for texts made from gold edits, by the treatment of annotators without a line; empty for reference
            texts.
        overlaps: Treatment of overlapping gold edits that leaves out edits; empty if they are an error.
        m2: Whether the system is given as edits.
        pool: Systems of the run, for pooled metrics.
        prepared: Steps of preparation of the texts, such as ``(("tok", "english-1(systems)"),)``.
    """

    references: str = ""
    made: str = ""
    overlaps: str = ""
    m2: bool = False
    pool: tuple[str, ...] = ()
    prepared: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def number(few: int, many: int) -> str:
        """Return the smallest and the largest number of references in one text."""
        return str(few) if few == many else f"{few}-{many}"

    @property
    def annotated(self) -> bool:
        """Whether a metric on edits extracts edits from text."""
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
    """Members that a metric defines, and members that follow without counting.

    A metric is a frozen dataclass whose fields are its settings, with ``prepare``, ``count`` and ``score``; ``P`` is
    the type that ``prepare`` returns. The role of a setting is part of its field (settings.setting). Values are checked
    when a metric is made, which raises UsageError for an unsupported value.
    """

    name: ClassVar[str]
    #: Name in tables (default: ``name`` in capitals).
    title: ClassVar[str] = ""
    #: Noun phrase of the measured property, and some settings: ``geceval metrics`` prints both.
    measures: ClassVar[str] = ""
    example: ClassVar[str] = ""
    #: The extra that the metric needs, if any: ``pip install 'geceval[neural]'``.
    extra: ClassVar[str | None] = None
    #: Number of sentences counted together: many for threads, but few for memory and the progress bar.
    block: ClassVar[int] = 1 << 14
    #: How many times as many of a single system without evidence.
    times_alone: ClassVar[int] = 1
    evidence_of: ClassVar[EvidenceOf] = "texts"
    #: Whether it scores all systems of a run together: ``count`` reads the other systems from the result of ``pool``.
    pooled: ClassVar[bool] = False
    #: Whether the best reference of a sentence is the one with the highest score.
    best_is_highest: ClassVar[bool] = False
    #: Whether the counts for a reference depend on the other references of the sentence.
    references_together: ClassVar[bool] = False
    higher_is_better: ClassVar[bool] = True
    #: Whether tables multiply scores by 100.
    in_percent: ClassVar[bool] = True
    #: Parts that tables do not multiply by 100, such as numbers of edits.
    plain_parts: ClassVar[frozenset[str]] = frozenset()
    #: Numbers that stand for parts without a value in means over sentences, conditions and curves, as in public tools.
    conventions: ClassVar[Mapping[str, float]] = {}
    #: Smallest and largest possible score.
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    #: Columns whose sums over all systems of a run ``final_remarks`` reads.
    watched: ClassVar[tuple[str, ...]] = ()
    #: Whether counting sends requests to a language model, which may cost money.
    asks_judge: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check(self, self.name)

    # --- members that a metric defines ---

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Names of the K counts; counts of a ``pooled`` metric may have more columns."""

    @property
    def takes(self) -> Takes:
        """Form in which systems, source and references arrive."""
        return "edits" if self.evidence_of == "edits" else "texts"

    @property
    def policy(self) -> Policy:
        """Choice of a reference for each sentence.

        The setting ``selection`` names it if the metric has one; otherwise it is the best one.
        """
        return SELECTIONS.get(getattr(self, "selection", ""), Best())

    @abstractmethod
    def prepare(self, corpus: Corpus, threads: int = 0) -> P:
        """Prepare source and references, once for all systems.

        Args:
            corpus: Corpus, from which the metric reads source, references or gold edits.
            threads: Number of threads (0: one per processor).

        Raises:
            InputError: If the corpus lacks references or gold edits that the metric requires.
        """

    @abstractmethod
    def count(self, prepared: P, hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Counts:
        """Count one system.

        Args:
            prepared: Result of ``prepare``.
            hypothesis: Corrected sentences [S], in the form that ``takes`` states.
            threads: Number of threads (0: one per processor); does not affect the result.
            evidence: Also return evidence.

        Returns:
            Counts [S, R, K], with evidence if requested.

        Raises:
            InputError: If a sentence cannot be counted. An error that names a sentence also has its index,
                ``sentence=s``, to which the stream adds the number of preceding sentences.
        """

    @abstractmethod
    def score(self, totals: NDArray[Any]) -> Floats:
        """Return the scores [...] of sums of counts [..., K]."""

    def condensed(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Return counts [..., K] with equal scores in fewer distinct columns.

        Sums of the returned counts score as sums of ``counts``. Resampling sums each distinct column once.
        """
        return counts

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        """Return named parts of the score, such as recall, [...] of totals [..., K].

        A part without a value is NaN, such as precision where nothing is proposed.
        """
        return {}

    def with_conventions(self, parts: Mapping[str, Floats]) -> dict[str, Floats]:
        """Return parts with numbers in place of NaN, as the public tools define them."""
        return {
            name: np.where(np.isnan(part), self.conventions[name], part) if name in self.conventions else part
            for name, part in parts.items()
        }

    def part_in_percent(self, part: str) -> bool:
        """Return whether tables multiply a part by 100."""
        return self.in_percent and part not in self.plain_parts

    @property
    def adds_edits(self) -> bool:
        """Whether the counts that an edit adds do not depend on other edits."""
        return False

    @property
    def figure(self) -> Figure:
        """Figure by which references are compared."""
        return RankingFigure(self.ranking)

    @property
    def beta_of_score(self) -> float | None:
        """Beta of a score that is F of its precision and recall; None for others."""
        figure = self.figure
        return figure.beta if isinstance(figure, F) else None

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """Return the numbers [..., T] that rank references with counts [..., K].

        By default this is the score.
        """
        return self.score(counts)[..., np.newaxis]

    def own_score(self, counts: NDArray[Any]) -> Floats:
        """Return the sentence scores [...] of counts [..., K]."""
        return self.score(counts)

    def own_parts(self, counts: NDArray[Any]) -> dict[str, Floats]:
        """Return the parts of sentence scores by name, each [...], for counts [..., K]."""
        return self.parts(counts)

    def pool(self, prepared: P, systems: Mapping[str, Hypothesis], threads: int = 0) -> P:
        """Add the systems of the run to the result of ``prepare``, if ``pooled``."""
        return prepared

    def remarks(self, corpus: TextSource) -> Sequence[str]:
        """Return warnings about the settings for a corpus, which a run emits once."""
        return ()

    def final_remarks(self, sums: Mapping[str, float]) -> Sequence[str]:
        """Return warnings at the end of a run, from the sums of the ``watched`` columns."""
        return ()

    @property
    def annotates_with(self) -> Annotator | str | None:
        """Annotator that extracts edits from text, or its name."""
        return None

    def request_plan(self, corpus: TextSource) -> RequestPlan | None:
        """Return the requests that counting would send to a judge, without sending them.

        None stands for a metric without a judge.
        """
        return None

    def spending(self) -> str | None:
        """Return a line with the cost of the judge so far; None without judge or price."""
        return None

    def held(self) -> object:
        """Return a resource that is kept until the end of a run, such as an encoder."""
        return None

    @property
    def by_kind(self) -> ByKind | None:
        """Support for kinds of edits; None if evidence is not edits."""
        return None

    @property
    def outcomes(self) -> Outcomes:
        """Outcomes of the edits or n-grams of its evidence."""
        return Outcomes()

    def reference_names(self, names: Sequence[str], positions: Sequence[int]) -> Sequence[str]:
        """Return the names of the references that a sentence is counted against.

        Args:
            names: Names of the references of the sentence.
            positions: Positions in ``Counts.present`` of the references that the metric uses.
        """
        if len(names) == len(positions):
            return names
        return [names[r] if r < len(names) else str(r) for r in positions]

    @property
    def has_constant(self) -> bool:
        """Whether counting requires a constant of the whole corpus."""
        return False

    @property
    def survey_key(self) -> Hashable:
        """Key of the sums of ``survey``; metrics with equal keys share one first pass."""
        return self.count_key

    def survey(self, prepared: P, hypothesis: Hypothesis, threads: int = 0) -> Floats:
        """Return additive sums [C] over a part, which determine the corpus constant."""
        raise UsageError(f"{self.name} has no corpus constant")

    def settled(self, sums: Floats) -> Contract[P]:
        """Return the metric with its corpus constant, from the sums of ``survey``."""
        raise UsageError(f"{self.name} has no corpus constant")

    # --- derived members ---

    @property
    def settings(self) -> dict[str, Any]:
        """Settings by name, in the order of their declaration."""
        return {name: getattr(self, name) for name in settings_of(type(self))}

    def _with_roles(self, *roles: str) -> dict[str, Any]:
        fields = settings_of(type(self)).items()
        return {name: getattr(self, name) for name, (one, _) in fields if one.metadata.get("role", "counting") in roles}

    @cached_property
    def count_key(self) -> Hashable:
        """Key of the counts; metrics with equal keys share one counting pass."""
        return (type(self), *self._with_roles("counting", "unsigned").items())

    @property
    def prepare_key(self) -> Hashable:
        """Key of the preparation; metrics with equal keys share its result."""
        return self.count_key

    @property
    def label(self) -> str:
        """Short name in tables."""
        return self.title or self.name.upper()

    def signed(self, given: Given) -> dict[str, Any]:
        """Return the settings in the signature, which affect numbers on the given input."""
        return {name: value for name, value in self._with_roles("counting", "scoring").items() if value is not None}

    def signature(self, given: Given | int | str, level: Level = "corpus") -> str:
        """Return the signature of a score.

        For example ``GREEN|n:4|beta:2|unit:word|policy:best|refs:2|level:corpus|v:0.3.0.dev0``.

        Args:
            given: Properties of the input, or the number of reference texts.
            level: Level of the score.

        Returns:
            All settings and properties of the input that affect a number.
        """
        given = given if isinstance(given, Given) else Given(str(given))
        entries = self.signed(given) | self.policy.settings
        if self.pooled:
            entries["pool"] = "+".join(given.pool)
        if self.evidence_of != "nothing":
            entries["refs"] = given.references + (f"({given.made})" if given.made else "")
        if given.overlaps:
            entries["overlaps"] = given.overlaps
        if given.m2:
            entries["hyp"] = "m2"
        entries |= dict(given.prepared)
        entries |= {"level": level, "v": __version__}
        return "|".join([self.label, *(f"{key}:{_plain(value)}" for key, value in entries.items())])

    def choices(self, counts: Counts) -> NDArray[np.intp]:
        """Return the policy's m choices [m, S] of references for a whole corpus."""
        return self.policy.choices(self.figure, counts)

    def totals(self, counts: Counts) -> NDArray[Any]:
        """Return the sums [m, K] of a whole corpus with the chosen references."""
        fold = self.policy.start(self.figure)
        fold.add(counts)
        return fold.totals()

    def sentence_scores_of(self, counts: Counts) -> Floats:
        """Return the sentence scores [S], by the best reference or averaged."""
        return counts.once(("sentence scores", self), lambda: self._scores_of(counts))

    def _scores_of(self, counts: Counts) -> Floats:
        if not self.best_is_highest or self.policy.averages:
            return self._alone(counts, self.own_score)
        scores = self.own_score(counts.array)
        highest: Floats = (scores if counts.present is None else np.where(counts.present, scores, -np.inf)).max(axis=1)
        return highest

    def sentence_parts_of(self, counts: Counts) -> dict[str, Floats]:
        """Return the parts [S] of the sentence scores by name."""
        names = self.own_parts(np.zeros(len(counts.columns)))
        return {name: self._alone(counts, lambda rows, name=name: self.own_parts(rows)[name]) for name in names}

    def sentence_counts_of(self, counts: Counts) -> NDArray[Any]:
        """Return the counts [S, K] of sentences, of the best reference or averaged."""
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
