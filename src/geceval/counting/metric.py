"""The base class of metrics: ``count`` and ``score``, and methods that follow from them.

``count`` reads text and returns additive numbers, ``counts[s, r, k]``; a selection policy chooses a reference for each
sentence; ``score`` is arithmetic on sums. Consumers of the stream of counts derive everything else from the two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import ScoreFormula, __version__
from geceval.base.arguments import check_type, choice
from geceval.base.errors import GecevalError, InputError, short_traceback
from geceval.counting.alone import consumed, counts_of_sentence
from geceval.counting.consumers import KeptCounts, ScoredCounts, SentenceScores
from geceval.counting.counts import Counts, Floats
from geceval.counting.figures import Figure
from geceval.counting.observations import ALONE, SignatureInputs
from geceval.counting.policies import SELECTIONS, Best, Policy, Totals, best
from geceval.counting.run_options import RunOptions
from geceval.counting.scores import Score
from geceval.counting.settings import check, settings_of
from geceval.counting.stream import USUAL_BLOCK
from geceval.edits.annotation import Annotator
from geceval.text.columns import HypothesisLike, Lines, References
from geceval.text.corpus import Corpus, InputForm, TextSource
from geceval.text.m2.edit import Block

if TYPE_CHECKING:
    from geceval.edits.corpus_edits import Extraction

P = TypeVar("P")

#: Function that adds the systems of a run, by name, to a preparation; the last argument is the number of threads.
Pool: TypeAlias = Callable[[Any, Mapping[str, Any], int], Any]
#: Function of a preparation, the sentences of some systems and a number of threads: sums [K] of each system.
BestSums: TypeAlias = Callable[[Any, Sequence[Any], int], Sequence[NDArray[np.int64]]]
#: Properties by which edits are grouped.
KindOfEdit: TypeAlias = Literal["type", "length"]
#: Kinds of edits by which scores are shown.
By: TypeAlias = Literal["operation", "type", "full", "length", "rule"]
#: Outcome of an edit or an n-gram: correct, wrong, or missed by the system.
Outcome: TypeAlias = Literal["correct", "wrong", "missed"]


@dataclass(frozen=True)
class About:
    """Description of a metric.

    Attributes:
        measures: Noun phrase of the measured property, for ``geceval metrics``.
        example: Some settings, for ``geceval metrics``.
        title: Name in tables (default: the name in capitals).
        extra: The extra that the metric needs, if any: ``pip install 'geceval[neural]'``.
    """

    measures: str = ""
    example: str = ""
    title: str = ""
    extra: str | None = None


@dataclass(frozen=True)
class Scale:
    """Values of a score and its parts, and how tables show them.

    Attributes:
        low: Smallest possible score.
        high: Largest possible score.
        higher_is_better: Whether high scores are good.
        description: Verb of what a system with a higher score does more, as in "changes"; empty if scores are good or
            bad.
        in_percent: Whether tables multiply scores by 100.
        plain_parts: Parts that tables do not multiply by 100, such as numbers of edits; ``sentences`` is the number of
            sentences that count.
        conventions: Numbers that stand for parts without a value in means over sentences, conditions and curves, as in
            public tools.
    """

    low: float = 0.0
    high: float = 1.0
    higher_is_better: bool = True
    in_percent: bool = True
    plain_parts: frozenset[str] = frozenset()
    conventions: Mapping[str, float] = field(default_factory=dict)
    description: str = ""

    @property
    def sign(self) -> int:
        """1 if high scores are good, else -1."""
        return 1 if self.higher_is_better else -1

    @property
    def factor(self) -> int:
        """Factor between a score and its value in tables: 100 if tables show it in per cent, else 1."""
        return 100 if self.in_percent else 1

    def best(self, scores: Iterable[float]) -> float:
        """Return the best of the scores."""
        return (max if self.higher_is_better else min)(scores)

    def part_in_percent(self, part: str) -> bool:
        """Return whether tables multiply a part by 100; an empty name is the score."""
        return self.in_percent and part not in self.plain_parts

    def with_conventions(self, parts: Mapping[str, Floats]) -> dict[str, Floats]:
        """Return parts with numbers in place of NaN, as the public tools define them."""
        return {
            name: np.where(np.isnan(part), self.conventions[name], part) if name in self.conventions else part
            for name, part in parts.items()
        }


@dataclass(frozen=True)
class ByKind:
    """Support of a metric for tables by kinds of edits.

    Attributes:
        apart: Columns whose evidence may have no type, with the name of the group of evidence without type, which has
            no figures.
        unknown: Parts (or ``score``) that counts by kind do not determine.
        shared: Columns of whole numbers that all kinds share, such as the number of correct sentences.
        sentences: Columns that count sentences with an edit of the kind, with the column of these edits.
        adds: Whether the counts that an edit adds do not depend on other edits.
        has_rules: Whether correct edits have the type that the system gives them, such as the rule of a checker.
    """

    apart: Mapping[str, str] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()
    shared: tuple[str, ...] = ()
    sentences: Mapping[str, str] = field(default_factory=dict)
    adds: bool = False
    has_rules: bool = False


@dataclass(frozen=True)
class Outcomes:
    """Outcomes of edits or n-grams.

    Attributes:
        columns: Outcome by column; evidence in other columns has no outcome.
        again: Whether the columns of proposed and gold edits repeat the correct ones; the others are wrong or missed.
    """

    columns: Mapping[str, Outcome] = field(default_factory=dict)
    again: bool = False


class CorpusConstant(ABC):
    """A constant of the whole corpus, from a first pass, on which counts depend."""

    @property
    @abstractmethod
    def key(self) -> Hashable:
        """Key of the sums; constants with equal keys share one first pass."""

    @abstractmethod
    def sums(self, prepared: Any, hypothesis: Any, threads: int = 0) -> Floats:
        """Return additive sums [C] over a part, which determine the constant."""

    @abstractmethod
    def with_constant(self, sums: Floats) -> Metric[Any]:
        """Return the metric with its constant, from the sums over the corpus."""


@dataclass(frozen=True)
class Judging:
    """Functions of a metric that sends requests to a language model.

    Attributes:
        plan: Returns the number of requests (judging.request_plan) that counting a corpus would send.
        spending: Returns a line with the cost so far; None without price.
    """

    plan: Callable[[Any, TextSource], Any]
    spending: Callable[[Any], str | None]


class Metric(ABC, Generic[P]):
    """A metric: a frozen dataclass whose fields are its settings.

    A subclass defines ``name``, ``columns``, ``prepare``, ``count`` and ``score``, and others of the members below if
    their defaults do not fit; they follow in the order in which they are used. ``P`` is the type that ``prepare``
    returns. The role of a setting is part of its field (settings.setting). Values are checked when a metric is made,
    which raises UsageError for an unsupported value. An entry point in the group ``geceval.metrics`` registers a class.
    """

    name: ClassVar[str]
    about: ClassVar[About] = About()
    scale: ClassVar[Scale] = Scale()
    #: Whether a hypothesis is compared with references or gold edits, instead of the source alone.
    uses_references: ClassVar[bool] = True
    #: Whether it is compared with given gold edits, if there are any, instead of reference texts.
    takes_gold: ClassVar[bool] = False
    #: Whether edits that ``annotator`` finds in text are counted, unless a system is given as edits.
    extracts_edits: ClassVar[bool] = False
    #: Number of sentences counted together.
    block: ClassVar[int] = USUAL_BLOCK
    #: How it asks a language model, which may cost money; None if it does not.
    judging: ClassVar[Judging | None] = None
    #: Whether edits that are carried over from another source, without those on other tokens, can be counted.
    carries_edits: ClassVar[bool] = False
    #: Whether the counts for a reference depend on the other references of the sentence.
    references_together: ClassVar[bool] = False

    @short_traceback
    def __post_init__(self) -> None:
        check(self, self.name)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickled metric; raise GecevalError if another version wrote it with other settings."""
        settings = settings_of(type(self)).keys()
        unknown = [key for key in state if key not in settings and not hasattr(type(self), key)]
        if differing := [*unknown, *sorted(settings - state.keys())]:
            raise GecevalError(
                f"the pickled metric {self.name} has other settings than in geceval {__version__}: {differing[0]}",
                hint="read it with the version that wrote it, or make the metric again",
            )
        vars(self).update(state)
        check(self, self.name)

    # --- members that a metric defines ---

    @property
    def input_form(self) -> InputForm:
        """Form in which systems, source and references arrive."""
        return "edits" if self.extracts_edits else "texts"

    @property
    def text_annotator(self) -> Annotator | str | None:
        """The annotator that finds edits in text, or its name; None if the metric extracts none."""
        return None

    @property
    def extraction(self) -> Extraction | None:
        """Settings of the extraction of edits from text; None if gold edits and edits of M2 are not its input."""
        return None

    @property
    def counts_words(self) -> bool:
        """Whether tokens separated by spaces are counted, in n-grams or edits."""
        return self.takes_gold

    @property
    def matches_edits(self) -> bool:
        """Whether edits of a system are matched with gold edits, given or extracted."""
        return self.takes_gold and self.extracts_edits

    @property
    def needs_gold(self) -> bool:
        """Whether gold edits are required, and reference texts are not enough."""
        return self.takes_gold and not self.extracts_edits

    @property
    def compares_texts(self) -> bool:
        """Whether a hypothesis is compared with reference texts, made from gold edits if necessary."""
        return self.uses_references and not self.takes_gold

    def remarks(self, corpus: TextSource) -> Sequence[str]:
        """Return warnings about the settings for a corpus, which a run emits once."""
        return ()

    def resources(self) -> object:
        """Return a resource that is kept until the end of a run, such as an encoder."""
        return None

    @abstractmethod
    def prepare(self, corpus: Corpus, threads: int = 0) -> P:
        """Prepare source and references, once for all systems.

        Args:
            corpus: Corpus, from which the metric reads source, references or gold edits.
            threads: Number of threads (0: one per processor).

        Raises:
            InputError: If the corpus lacks references or gold edits that the metric requires.
        """

    @property
    def pool(self) -> Pool | None:
        """Function that adds the systems of a run to the result of ``prepare``, if the metric needs all of them."""
        return None

    @property
    def best_sums(self) -> BestSums | None:
        """Function that returns sums of counts with the best references, if it saves time.

        It has the arguments of ``count_systems`` without ``evidence``, and returns the sums [K] of each hypothesis that
        follow from its counts by the policy ``best``.
        """
        return None

    @property
    def narrowed(self) -> Callable[[Any, int], Any] | None:
        """Function that returns the result of ``prepare`` with less evidence, if there is a smaller one.

        Its second argument is the largest order of n-grams in evidence, which lacks those that source, reference and
        hypothesis share.
        """
        return None

    @property
    def constant(self) -> CorpusConstant | None:
        """Constant of the whole corpus that counting requires, if any."""
        return None

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Names of the K counts; counts of a metric with a ``pool`` may have more columns."""

    @abstractmethod
    def count(self, prepared: P, hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Counts:
        """Count one system.

        Args:
            prepared: Result of ``prepare``.
            hypothesis: Corrected sentences [S], in the form ``input_form``.
            threads: Number of threads (0: one per processor); does not affect the result.
            evidence: Also return evidence.

        Returns:
            Counts [S, R, K], with evidence if requested.

        Raises:
            InputError: If a sentence cannot be counted. An error that names a sentence also has its index,
                ``sentence=s``, to which the stream adds the number of preceding sentences.
        """

    def count_systems(
        self, prepared: P, hypotheses: Sequence[Any], threads: int = 0, *, evidence: bool = False
    ) -> Iterator[Counts]:
        """Yield the counts of several systems; see ``count``.

        A metric that defines it counts systems together to save time; the counts do not depend on it.
        """
        for hypothesis in hypotheses:
            yield self.count(prepared, hypothesis, threads, evidence=evidence)

    def checked_counts(
        self, prepared: P, hypotheses: Sequence[Any], threads: int, *, evidence: bool = False
    ) -> Iterator[Counts]:
        """Yield the counts of several systems; see ``count_systems``.

        Raises:
            InputError: If ``count`` raises it, or returns counts of another number of sentences.
        """
        counts_of_systems = self.count_systems(prepared, hypotheses, threads, evidence=evidence)
        for hypothesis, counts in zip(hypotheses, counts_of_systems, strict=True):
            if len(counts) != len(hypothesis):
                message = f"{self.label}: count returned counts of {len(counts)} sentences for {len(hypothesis)}"
                raise InputError(message, hint="counts are an array [sentence, reference, column]")
            yield counts

    @property
    def outcomes(self) -> Outcomes:
        """Outcomes of the edits or n-grams of its evidence."""
        return Outcomes()

    @property
    def by_kind(self) -> ByKind | None:
        """Support for kinds of edits; None if evidence is not edits."""
        return None

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
    def final_remarks(self) -> Callable[[Mapping[str, float]], Sequence[str]] | None:
        """Function that returns warnings at the end of a run from the sums of the columns, if there may be any."""
        return None

    @property
    def check_sums(self) -> Callable[[Mapping[str, float]], None] | None:
        """Function that raises UsageError at the end of a run for sums without a meaning; None if all have one.

        Its argument has the sums of the columns, over all systems and references.
        """
        return None

    @property
    def policy(self) -> Policy:
        """Choice of a reference for each sentence.

        The setting ``selection`` names it if the metric has one; otherwise it is the best one. Raises UsageError for
        another name: a metric with policies of its own returns them here.
        """
        selection = getattr(self, "selection", None)
        if selection is None:
            return Best()
        choice(f"{self.name}: selection", selection, SELECTIONS)
        return SELECTIONS[selection]

    @property
    def figure(self) -> Figure:
        """Figure by which references are compared."""
        return Figure(self.ranking)

    def ranking(self, counts: NDArray[Any]) -> Floats:
        """Return numbers [..., T] of counts [..., K] by which the references of a sentence are compared.

        The first one decides, the others break ties.
        """
        return self.score(counts)[..., np.newaxis]

    @abstractmethod
    def score(self, totals: NDArray[Any]) -> Floats:
        """Return the scores [...] of sums of counts [..., K]."""

    def reduced_columns(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Return counts [..., K] with equal scores in fewer distinct columns.

        Sums of the returned counts score as sums of ``counts``. Resampling sums each distinct column once.
        """
        return counts

    @property
    def tested_formula(self) -> ScoreFormula | None:
        """Formula of ``score`` in the kernel, which tests of pairs use; None for other scores, see FormulaMetric."""
        return None

    def parts(self, totals: NDArray[Any]) -> dict[str, Floats]:
        """Return named parts of the score, such as recall, [...] of totals [..., K].

        An undefined part, such as precision without proposed edits, is NaN.
        """
        return {}

    def own_score(self, counts: NDArray[Any]) -> Floats:
        """Return the sentence scores [...] of counts [..., K]."""
        return self.score(counts)

    def own_parts(self, counts: NDArray[Any]) -> dict[str, Floats]:
        """Return the parts of sentence scores by name, each [...], for counts [..., K]."""
        return self.parts(counts)

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        """Return the settings in the signature, which affect numbers on the given input.

        Also the names of the systems, as ``pool``, if the signature lists others than those of the run.
        """
        return {
            name: value
            for name, value in self.settings_with("preparing", "counting", "scoring").items()
            if value is not None
        }

    # --- members that follow ---

    @property
    def settings(self) -> dict[str, Any]:
        """Settings by name, in the order of their declaration."""
        return {name: getattr(self, name) for name in settings_of(type(self))}

    def settings_with(self, *roles: str) -> dict[str, Any]:
        """Return the settings with one of the roles, by name."""
        fields = settings_of(type(self)).items()
        return {
            name: getattr(self, name)
            for name, (field_, _) in fields
            if field_.metadata.get("role", "counting") in roles
        }

    @cached_property
    def count_key(self) -> Hashable:
        """Key of the counts; metrics with equal keys share one counting pass."""
        return (type(self), *self.settings_with("preparing", "counting", "unsigned").items())

    @cached_property
    def prepare_key(self) -> Hashable:
        """Key of the preparation; metrics with equal keys share its result.

        These are the function ``prepare`` and the settings with the role "preparing", if there are any.
        """
        preparing = self.settings_with("preparing")
        return (type(self).prepare, *preparing.items()) if preparing else self.count_key

    @property
    def label(self) -> str:
        """Short name in tables."""
        return self.about.title or self.name.upper()

    def choices(self, counts: Counts) -> NDArray[np.intp]:
        """Return the policy's m choices [m, S] of references for a whole corpus."""
        return self.policy.choices(self.figure, counts)

    def totals(self, counts: Counts) -> NDArray[Any]:
        """Return the sums [m, K] of a whole corpus with the chosen references."""
        totals = Totals(self.policy, self.figure)
        totals.add(counts)
        return totals.value()

    def sentence_scores_of(self, counts: Counts) -> Floats:
        """Return the sentence scores [S], by the best reference or averaged."""
        return counts.cached(("sentence scores", self), lambda: self._scores_of(counts))

    def _scores_of(self, counts: Counts) -> Floats:
        if not self.figure.is_score or self.policy.averages:
            return self._averaged(counts, self.own_score(self._rows_of(counts)))
        scores = self.own_score(counts.array)
        highest: Floats = (scores if counts.present is None else np.where(counts.present, scores, -np.inf)).max(axis=1)
        return highest

    def sentence_parts_of(self, counts: Counts) -> dict[str, Floats]:
        """Return the parts [S] of the sentence scores by name."""
        parts = self.own_parts(self._rows_of(counts))
        return {name: self._averaged(counts, values) for name, values in parts.items()}

    def sentence_counts_of(self, counts: Counts) -> NDArray[Any]:
        """Return the counts [S, K] of sentences, of the best reference or averaged."""
        return self._averaged(counts, self._rows_of(counts))

    def _rows_of(self, counts: Counts) -> Floats:
        """Return the counts of each sentence: of all references if they are averaged, else of the best one."""
        return counts.array if self.policy.averages else counts.chosen(best(self.figure, counts))

    def _averaged(self, counts: Counts, values: Floats) -> Floats:
        """Return figures [S, ...] of sentences; means over references of [S, R, ...] if the policy averages them."""
        if not self.policy.averages:
            return values
        mask = np.expand_dims(counts.mask, tuple(range(2, values.ndim)))
        means: Floats = np.where(mask, values, 0.0).sum(axis=1) / mask.sum(axis=1)
        return means

    def in_form(self, part: Corpus) -> Corpus:
        """Return a part as the metric takes it, with texts made from gold if needed."""
        return (part.with_texts() if self.compares_texts else part).in_form(self.input_form)

    @property
    def judges_source_apart(self) -> bool:
        """Whether the unchanged source is not in the pool of the systems."""
        return self.pool is not None and self.uses_references

    # --- scores of a corpus or a sentence in one call ---

    @short_traceback
    def counts(
        self,
        source: Lines,
        hypothesis: HypothesisLike,
        references: References = (),
        *,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
        evidence: bool = False,
    ) -> Counts:
        """Return the counts [S, R, K] of one system.

        Args:
            source: Source sentences [S].
            hypothesis: Corrected sentences [S], as text or M2 blocks.
            references: Reference sentences [R][S]; None for a missing reference.
            gold: M2 blocks [S] of gold edits, instead of or in addition to references.
            threads: Number of threads (0: one per processor).
            evidence: Also return evidence.

        Raises:
            InputError: If lengths differ, or a sentence cannot be counted.
        """
        check_type("evidence", evidence, bool, "True or False")
        corpus = Corpus(source, references, {ALONE: hypothesis}, gold)
        return consumed(self, corpus, KeptCounts(self), RunOptions(threads, evidence=evidence)).result()

    @short_traceback
    def corpus_score(
        self,
        source: Lines,
        hypothesis: HypothesisLike,
        references: References = (),
        *,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
    ) -> Score:
        """Return the corpus score of one system.

        Args:
            source: Source sentences [S].
            hypothesis: Corrected sentences [S], as text or M2 blocks.
            references: Reference sentences [R][S]; None for a missing reference.
            gold: M2 blocks [S] of gold edits, instead of or in addition to references.
            threads: Number of threads (0: one per processor).

        Returns:
            The score of summed counts, on the metric's scale.

        Raises:
            InputError: If lengths differ, or a sentence cannot be counted.
        """
        corpus = Corpus(source, references, {ALONE: hypothesis}, gold)
        return consumed(self, corpus, ScoredCounts(self, ["corpus"]), RunOptions(threads)).result().score()

    @short_traceback
    def sentence_scores(
        self,
        source: Lines,
        hypothesis: HypothesisLike,
        references: References = (),
        *,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
    ) -> Floats:
        """Return the sentence scores [S] of one system; see ``corpus_score``.

        Each score uses the best reference of the sentence, or the mean over its references, by the metric's policy.
        """
        corpus = Corpus(source, references, {ALONE: hypothesis}, gold)
        return consumed(self, corpus, SentenceScores(self), RunOptions(threads)).result()

    @short_traceback
    def sentence_score(
        self, source: str, hypothesis: str, references: Sequence[str] = (), *, gold: Block | None = None
    ) -> float:
        """Return the score of one sentence.

        The preparation of the last sources and references is cached, so that further hypotheses take microseconds.

        Args:
            source: Source sentence.
            hypothesis: Corrected sentence.
            references: Reference sentences.
            gold: M2 block of gold edits.

        Returns:
            The score, as in ``sentence_scores``.

        Raises:
            InputError: If the sentence cannot be counted.
        """
        return float(self.sentence_scores_of(counts_of_sentence(self, source, hypothesis, references, gold))[0])

    @short_traceback
    def mean_score(
        self,
        source: Lines,
        hypothesis: HypothesisLike,
        references: References = (),
        *,
        gold: Sequence[Block] | None = None,
        threads: int = 0,
    ) -> Score:
        """Return the mean of the sentence scores of one system; see ``corpus_score``."""
        corpus = Corpus(source, references, {ALONE: hypothesis}, gold)
        return consumed(self, corpus, ScoredCounts(self, ["mean"]), RunOptions(threads)).result().score("mean")


AnyMetric: TypeAlias = Metric[Any]
