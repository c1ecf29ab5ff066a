"""Attribute a sentence score to the edits of a system.

Let delta(X) = M(X) - M(source), where X is the source with some of the edits applied. ``add`` is the gain of an edit
alone and ``sub`` the loss without it, both scaled so that they sum to delta of all edits. ``shapley`` is the mean gain
over all orders of the edits, whose sum is delta without scaling (Shapley, 1953; for metrics of GEC Goto, Vasselli and
Watanabe, 2024).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from operator import or_
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from geceval.base.arguments import (
    DRAWN_ORDERS,
    EXACT_EDITS,
    KERNEL_SEEDS,
    ONE_SENTENCE,
    as_sequence,
    check_type,
    choice,
    whole,
)
from geceval.base.caller_warnings import warn
from geceval.base.errors import GecevalWarning, InputError, UsageError
from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import one_metric
from geceval.counting.run import Run
from geceval.counting.run_options import RunOptions
from geceval.counting.system_results import kept_counts
from geceval.edits.annotation import DEFAULT_ANNOTATOR
from geceval.edits.corpus_edits import Extraction, hypothesis_edits
from geceval.edits.versions import edits_by_version
from geceval.metrics.shared.edit_matching import OnEdits
from geceval.text.corpus import Corpus
from geceval.text.m2.edit import DELETE, Block, Edit, noop

Method: TypeAlias = Literal["shapley", "add", "sub"]

#: Largest number of edits whose subsets are all scored, and number of orders sampled for more edits.
EXACT, ORDERS = 12, 200

#: Number of texts that are scored together, and most texts for one sentence.
BATCH_SIZE, MAX_TEXTS = 1 << 12, 1 << 17

#: A sum of gains that is smaller than this share of their absolute sum is a rounded 0.
ROUNDING = 1e-9

#: A set of edits: bit e stands for edit e.
Subset: TypeAlias = int


@dataclass(frozen=True)
class AttributionSettings:
    """Options of an attribution; see the arguments of ``attribute``."""

    method: Method = "shapley"
    exact: int = EXACT
    orders: int = ORDERS
    seed: int = 0

    def __post_init__(self) -> None:
        choice("method", self.method, get_args(Method))
        whole("exact", self.exact, EXACT_EDITS)
        whole("orders", self.orders, DRAWN_ORDERS)
        whole("seed", self.seed, KERNEL_SEEDS)


@dataclass(frozen=True)
class Attribution:
    """Values of the edits of a sentence under a metric.

    Attributes:
        metric: Name of the metric.
        method: "shapley", "add" or "sub".
        edits: Edits of the system.
        values: Value of each edit, on the metric's scale. They sum to ``delta``; the values of ``add`` and ``sub`` are
            all 0 if the unscaled values sum to 0.
        source_score: Sentence score of the unchanged source.
        score: Sentence score with all edits applied.
        errors: Standard error of each value, if orders were sampled; None if the values are exact.
        orders: Number of sampled orders; None if the values are exact.
    """

    metric: str
    method: Method
    edits: Sequence[Edit]
    values: Sequence[float]
    source_score: float
    score: float
    errors: Sequence[float] | None = None
    orders: int | None = None

    @property
    def delta(self) -> float:
        """Gain of all edits: ``score`` minus ``source_score``."""
        return self.score - self.source_score


def attribute(
    metric: AnyMetric,
    source: str,
    hypothesis: str | Block,
    references: Sequence[str] = (),
    *,
    gold: Block | None = None,
    annotator: Any = DEFAULT_ANNOTATOR,
    method: Method = "shapley",
    exact: int = EXACT,
    orders: int = ORDERS,
    seed: int = 0,
    threads: int = 0,
) -> Attribution:
    """Attribute a metric's score of one sentence to the edits of a system.

    Shapley values of up to ``exact`` edits score all 2^n subsets of n edits; the values of more edits are estimated
    from sampled orders. "add" and "sub" score n + 2 texts.

    Args:
        metric: Metric, such as ``geceval.Green()``.
        source: Source sentence.
        hypothesis: Corrected sentence as text, or its edits as an M2 block.
        references: Reference sentences.
        gold: M2 block of gold edits, instead of or in addition to references.
        annotator: Annotator that extracts edits from text, for metrics without one.
        method: "shapley", the mean gain of an edit over all orders; "add", its gain alone; or "sub", the loss
            without it.
        exact: Largest number of edits with exact Shapley values, at most 16.
        orders: Number of orders to sample for more edits.
        seed: Seed of the sampled orders, from 0 to 2**64 - 1.
        threads: Number of threads (0: one per processor).

    Returns:
        A value for each edit, on the metric's scale.

    Raises:
        UsageError: If an option has an unsupported value, or the metric scores all systems together.
        InputError: If the metric cannot score the sentence.

    Source:
        Shapley (1953); Goto, Vasselli and Watanabe (2024).
    """
    metric = one_metric(metric)
    options = AttributionSettings(method, exact, orders, seed)
    for name, text in (("source", source), *(("a reference", text) for text in as_sequence("references", references))):
        nested = isinstance(text, (list, tuple)) and name != "source"
        check_type(name, text, str, "a sentence", ONE_SENTENCE if nested else None)
    check_type("hypothesis", hypothesis, (str, Block), "a sentence or an M2 block")
    rows, blocks = [[text] for text in references], None if gold is None else [gold]
    corpus = Corpus([source], rows, {"": [hypothesis]}, blocks)
    extraction = metric.extraction if isinstance(metric, OnEdits) else Extraction(annotator)
    for remark in metric.remarks(corpus):
        warn(remark)
    extracted = hypothesis_edits(corpus, corpus.systems[""], extraction, threads)
    [[edits_of_system]] = edits_by_version(corpus.source, extracted)
    constants = Run(corpus, [metric], RunOptions(threads)).with_constants().get(metric, {})
    return value_edits(constants.get("", metric), corpus, edits_of_system, options, threads)


def refusal(metric: AnyMetric) -> str | None:
    """Return why a metric does not support attribution; None if it does."""
    if metric.pool is not None:
        return f"{metric.name} scores all systems of a run together"
    return None


def value_edits(
    metric: AnyMetric,
    corpus: Corpus,
    edits: Sequence[Edit],
    options: AttributionSettings,
    threads: int,
    label: str | None = None,
) -> Attribution:
    """Return the values of the edits, in order, of a corpus of one sentence.

    The metric must have its corpus constants; ``label`` is its name in the result.
    """
    why = refusal(metric)
    if why is not None:
        raise UsageError(f"edits have no separate values: {why}")
    game = _Game(metric, corpus, edits, threads)
    n = len(edits)
    errors = orders = None
    if options.method != "shapley":
        values = _scaled(game, n, options.method)
    elif n <= options.exact:
        values = _shapley(game, n)
    else:
        values, deviations = _sampled(game, n, options)
        errors, orders = tuple(deviations.tolist()), options.orders
    nothing, everything = game.scores([0, game.all]).tolist()
    name = label or metric.label
    return Attribution(name, options.method, tuple(edits), tuple(values.tolist()), nothing, everything, errors, orders)


class _Game:
    """The scores of subsets of the edits; each subset is scored once, many at a time."""

    def __init__(self, metric: AnyMetric, corpus: Corpus, edits: Sequence[Edit], threads: int) -> None:
        self.metric, self.corpus, self.threads = metric, corpus, threads
        [source] = corpus.source
        self.source = " ".join(source.split())
        self.edits = [_written(edit) for edit in edits]
        distinct = {edit.effect for edit in edits}
        self.adds = metric.by_kind is not None and metric.by_kind.adds and len(distinct) == len(edits)
        self.all = (1 << len(edits)) - 1
        self.known: dict[Subset, float] = {}

    def scores(self, subsets: Iterable[Subset]) -> Floats:
        """Return the sentence score of each subset."""
        requested = list(subsets)
        new = [subset for subset in dict.fromkeys(requested) if subset not in self.known]
        for start in range(0, len(new), BATCH_SIZE):
            batch = new[start : start + BATCH_SIZE]
            self.known.update(zip(batch, self._score(batch), strict=True))
        return np.array([self.known[subset] for subset in requested])

    def _score(self, subsets: Sequence[Subset]) -> list[float]:
        counts = self._added(subsets) if self.adds else self._counted(subsets)
        return list(map(float, self.metric.sentence_scores_of(counts)))

    def _added(self, subsets: Sequence[Subset]) -> Counts:
        """Return the counts of the subsets as sums of the counts of single edits."""
        size, alone = len(self.edits) // 8 + 1, self.alone
        packed = np.frombuffer(b"".join(subset.to_bytes(size, "little") for subset in subsets), np.uint8)
        included = np.unpackbits(packed.reshape(-1, size), axis=1, count=len(self.edits), bitorder="little")
        nothing, gains = alone.array[0], alone.array[1:] - alone.array[0]
        present = None if alone.present is None else np.repeat(alone.present[:1], len(subsets), axis=0)
        return Counts(nothing + np.tensordot(included.astype(gains.dtype), gains, 1), alone.columns, present)

    @cached_property
    def alone(self) -> Counts:
        """The counts of no edit, then of each edit alone."""
        return self._counted([0, *(1 << e for e in range(len(self.edits)))])

    def _counted(self, subsets: Sequence[Subset]) -> Counts:
        # One corpus with a sentence per subset, whose hypotheses are edits, so that none are extracted.
        size, corpus = len(subsets), self.corpus
        edits_of_subsets = (tuple(edit for e, edit in enumerate(self.edits) if subset >> e & 1) for subset in subsets)
        blocks = [Block(self.source, edits or (noop(0),)) for edits in edits_of_subsets]
        references = [[text] * size for [text] in corpus.references]
        gold = None if corpus.gold is None else [corpus.gold[0]] * size
        source, gold_edits = [self.source] * size, corpus.gold_edits
        repeated = Corpus(source, references, {"": blocks}, gold, corpus.missing, gold_edits=gold_edits)
        with warnings.catch_warnings():  # the user did not supply this corpus
            warnings.simplefilter("ignore", GecevalWarning)
            return kept_counts(repeated, self.metric, threads=self.threads)[""]


def _written(edit: Edit) -> Edit:
    """Return the edit as a system's M2 has it: the first alternative, with a type."""
    if "||" in edit.correction:
        raise InputError(f"no value for an edit whose correction is reserved in M2: {edit.correction}")
    return Edit(edit.start, edit.end, edit.type or "UNTYPED", (edit.correction or DELETE,))


def _scaled(game: _Game, n: int, method: Method) -> Floats:
    whole_gain = np.diff(game.scores([0, game.all]))[0]
    if method == "add":
        gains = game.scores(1 << e for e in range(n)) - game.known[0]
    else:
        gains = game.known[game.all] - game.scores(game.all & ~(1 << e) for e in range(n))
    total = gains.sum()
    cancelled = abs(total) <= ROUNDING * np.abs(gains).sum()
    return np.zeros(n) if cancelled else np.asarray(gains * (whole_gain / total))


def _shapley(game: _Game, n: int) -> Floats:
    # A subset's weight is the share of the orders in which exactly its edits precede the edit.
    scores, subsets = game.scores(range(1 << n)), np.arange(1 << n)
    sizes = sum((subsets >> e & 1 for e in range(n)), np.zeros(1 << n, np.int64))
    weights = np.array([math.factorial(k) * math.factorial(n - k - 1) / math.factorial(n) for k in range(n)])
    values = np.zeros(n)
    for e in range(n):
        without = subsets[subsets >> e & 1 == 0]
        values[e] = (weights[sizes[without]] * (scores[without | 1 << e] - scores[without])).sum()
    return values


def _sampled(game: _Game, n: int, options: AttributionSettings) -> tuple[Floats, Floats]:
    """Return the mean gains over sampled orders and their standard errors."""
    if options.orders * n > MAX_TEXTS:
        hint = "reduce orders, or use method add or sub, which score one text per edit"
        raise UsageError(f"{n} edits in {options.orders} orders require more than {MAX_TEXTS} texts", hint=hint)
    generator = np.random.default_rng(options.seed)
    gains = np.empty((options.orders, n))
    for row in gains:
        order = generator.permutation(n).tolist()
        row[order] = np.diff(game.scores(accumulate((1 << e for e in order), or_, initial=0)))
    return gains.mean(axis=0), gains.std(axis=0, ddof=1) / math.sqrt(options.orders)
