"""What each edit of a system is worth to a metric.

With delta(X) = M(X) - M(source), X being the source with some of the edits made: ``add`` is what an edit gains alone,
``sub`` what is lost without it, both scaled so that they sum to delta of all edits; ``shapley`` the mean gain over all
orders of making them, which sums to it by itself (Shapley, 1953; for metrics of GEC Goto, Vasselli and Watanabe, 2024).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import or_
from typing import Any, Literal, TypeAlias, cast, get_args

import numpy as np

from geceval._kernel import Text
from geceval.base.arguments import DRAWN_ORDERS, EXACT_EDITS, KERNEL_SEEDS, as_sequence, choice, shown, whole
from geceval.base.errors import GecevalWarning, InputError, UsageError
from geceval.counting.consumers import SentenceScores
from geceval.counting.counts import Floats
from geceval.counting.edit_metric import OnEdits
from geceval.counting.run import Run
from geceval.counting.stream import AnyMetric, metrics_of, settled_for_systems
from geceval.edits.changes import Change, changes, check_only_version
from geceval.edits.corpus_edits import Extraction, hypothesis_edits
from geceval.text.corpus import Corpus, Hypothesis
from geceval.text.m2 import DELETE, Block, Edit, noop

Method: TypeAlias = Literal["shapley", "add", "sub"]

#: Up to how many edits all their subsets are scored, and how many orders are drawn beyond.
EXACT, ORDERS = 12, 200

#: Texts that are scored together, and for one sentence in all.
MANY, MOST = 1 << 12, 1 << 17

#: Gains that sum to so small a part of what they are sum to 0, but for rounding.
ROUNDING = 1e-9

#: Some of the edits: bit e stands for edit e.
Subset: TypeAlias = int


@dataclass(frozen=True)
class How:
    """How edits are valued. Up to ``exact`` edits Shapley values take all subsets; beyond, ``orders`` are drawn by
    ``seed``. Raises UsageError for values that cannot be."""

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
    """What the ``edits`` of a sentence are worth to a metric: a value each.

    ``source_score`` and ``score``: the metric's sentence scores of the unchanged source and with all edits made; the
    values sum to their difference, ``delta`` (of ``add`` and ``sub``: unless the unscaled values sum to 0; then all are
    0). ``errors``: the standard errors of values from ``orders`` that were drawn; None where they are exact.
    """

    metric: str
    method: Method
    edits: Sequence[Change]
    values: Sequence[float]
    source_score: float
    score: float
    errors: Sequence[float] | None = None
    orders: int | None = None

    @property
    def delta(self) -> float:
        """What all edits gain together."""
        return self.score - self.source_score


def attribute(
    metric: AnyMetric,
    source: str,
    hypothesis: str | Block,
    references: Sequence[str] = (),
    *,
    gold: Block | None = None,
    annotator: Any = "builtin",
    method: Method = "shapley",
    exact: int = EXACT,
    orders: int = ORDERS,
    seed: int = 0,
    threads: int = 0,
) -> Attribution:
    """What each edit of one sentence is worth to a metric's sentence score.

    ``references``: corrected sentences; ``gold``: an M2 block instead of or beside them; ``hypothesis``: text, whose
    edits the metric's annotator finds (``annotator``, for a metric that has none), or an M2 block. ``method``: shapley,
    add or sub, see the module. Up to ``exact`` edits (at most 16) all 2^n subsets are scored, beyond, ``orders`` are
    drawn by ``seed``; ``add`` and ``sub`` score n + 2. Raises UsageError for a metric that looks at all systems of a
    run together, and what the metric raises.
    """
    [metric] = metrics_of([metric])
    how = How(method, exact, orders, seed)
    for name, text in (("source", source), *(("a reference", text) for text in as_sequence("references", references))):
        if not isinstance(text, str):
            raise UsageError(f"{name} is a sentence, not {shown(text)}")
    if not isinstance(hypothesis, (str, Block)):
        raise UsageError(f"the hypothesis is a sentence or an M2 block, not {shown(hypothesis)}")
    corpus = Corpus(
        [source],
        [[text] for text in references],
        {"": cast(Hypothesis, [hypothesis])},
        None if gold is None else [gold],
    )
    extraction = metric.extraction if isinstance(metric, OnEdits) else Extraction(annotator)
    for remark in metric.remarks(corpus):
        warnings.warn(remark, GecevalWarning, stacklevel=2)
    edits = hypothesis_edits(corpus, corpus.systems[""], extraction, threads)
    check_only_version(edits, None)
    [[made]] = changes(Text(corpus.source), edits)
    return worth(settled_for_systems(corpus, metric, threads)[""], corpus, made, how, threads)


def refusal(metric: AnyMetric) -> str | None:
    """Why the edits of a sentence have no value of their own to a metric; None if they have."""
    if metric.pooled:
        return f"{metric.name} looks at all systems of a run together"
    return None


def worth(
    metric: AnyMetric, corpus: Corpus, edits: Sequence[Change], how: How, threads: int = 0, label: str | None = None
) -> Attribution:
    """What the edits, in order, are worth to a metric without constants to be found, in the one sentence of ``corpus``,
    with its references and gold edits; ``label``: the metric's name."""
    why = refusal(metric)
    if why is not None:
        raise UsageError(f"no edit has a value by itself: {why}")
    game = _Game(metric, corpus, edits, threads)
    n = len(edits)
    errors = orders = None
    if how.method != "shapley":
        values = _scaled(game, n, how.method)
    elif n <= how.exact:
        values = _shapley(game, n)
    else:
        values, deviations = _sampled(game, n, how)
        errors, orders = tuple(deviations.tolist()), how.orders
    nothing, everything = game.scores([0, game.all]).tolist()
    name = label or metric.label
    return Attribution(name, how.method, tuple(edits), tuple(values.tolist()), nothing, everything, errors, orders)


class _Game:
    """The score of every subset of the edits, each scored once, many at a time."""

    def __init__(self, metric: AnyMetric, corpus: Corpus, edits: Sequence[Change], threads: int) -> None:
        self.metric, self.corpus, self.threads = metric, corpus, threads
        [source] = corpus.source
        self.source = " ".join(source.split())
        self.edits = [_edit(change) for change in edits]
        self.all = (1 << len(edits)) - 1
        self.known: dict[Subset, float] = {}

    def scores(self, subsets: Iterable[Subset]) -> Floats:
        """The sentence scores, subset by subset."""
        asked = list(subsets)
        new = [subset for subset in dict.fromkeys(asked) if subset not in self.known]
        for start in range(0, len(new), MANY):
            some = new[start : start + MANY]
            self.known.update(zip(some, self._scored(some), strict=True))
        return np.array([self.known[subset] for subset in asked])

    def _scored(self, subsets: Sequence[Subset]) -> list[float]:
        """One corpus of as many sentences; what is made of them is given as edits, so that nobody has to find them."""
        many, corpus = len(subsets), self.corpus
        made = (tuple(edit for e, edit in enumerate(self.edits) if subset >> e & 1) for subset in subsets)
        blocks = [Block(self.source, edits or (noop(0),)) for edits in made]
        references = [[text] * many for [text] in corpus.references] if not corpus.made_by else []
        gold = None if corpus.gold is None else [corpus.gold[0]] * many
        repeated = Corpus([self.source] * many, references, {"": blocks}, gold, corpus.missing)
        with warnings.catch_warnings():  # about a corpus that nobody gave
            warnings.simplefilter("ignore", GecevalWarning)
            found = Run(repeated, [self.metric], threads=self.threads).consume(lambda _, own: SentenceScores(own))
        [scores] = (consumer.result() for consumer in found.values())
        return list(map(float, scores))


def _edit(change: Change) -> Edit:
    """Raises InputError for a correction that M2 cannot say."""
    if change.correction == DELETE or "||" in change.correction:
        raise InputError(f"an edit cannot be valued whose text M2 reads otherwise: {change.correction}")
    return Edit(change.start, change.end, change.type or "UNTYPED", (change.correction or DELETE,))


def _scaled(game: _Game, n: int, method: Method) -> Floats:
    whole_gain = np.diff(game.scores([0, game.all]))[0]
    if method == "add":
        gains = game.scores(1 << e for e in range(n)) - game.known[0]
    else:
        gains = game.known[game.all] - game.scores(game.all & ~(1 << e) for e in range(n))
    total = gains.sum()
    cancelled = abs(total) <= ROUNDING * np.abs(gains).sum()
    scaled: Floats = np.zeros(n) if cancelled else gains * (whole_gain / total)
    return scaled


def _shapley(game: _Game, n: int) -> Floats:
    """Over all subsets: the gain of an edit, weighted by the share of the orders in which just these come before."""
    scores, subsets = game.scores(range(1 << n)), np.arange(1 << n)
    sizes = sum((subsets >> e & 1 for e in range(n)), np.zeros(1 << n, np.int64))
    weights = np.array([math.factorial(k) * math.factorial(n - k - 1) / math.factorial(n) for k in range(n)])
    values = np.zeros(n)
    for e in range(n):
        without = subsets[subsets >> e & 1 == 0]
        values[e] = (weights[sizes[without]] * (scores[without | 1 << e] - scores[without])).sum()
    return values


def _sampled(game: _Game, n: int, how: How) -> tuple[Floats, Floats]:
    """The mean gains over orders that are drawn, and their standard errors. Each order's gains sum to delta."""
    if how.orders * n > MOST:
        raise UsageError(
            f"{n} edits in {how.orders} orders are more than {MOST} texts to be scored",
            hint="draw fewer orders; the methods add and sub score one for each edit",
        )
    generator = np.random.default_rng(how.seed)
    gains = np.empty((how.orders, n))
    for row in gains:
        order = generator.permutation(n).tolist()
        row[order] = np.diff(game.scores(accumulate((1 << e for e in order), or_, initial=0)))
    return gains.mean(axis=0), gains.std(axis=0, ddof=1) / math.sqrt(how.orders)
