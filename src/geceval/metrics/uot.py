"""UOT-ERRANT: edits of a system transported to a reference's by embeddings.

Sources: TACL 2026, arXiv 2602.05419; for unbalanced optimal transport with entropic regularisation Chizat, Peyré,
Schmitzer and Vialard, Mathematics of Computation 87 (2018), algorithm 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from geceval.base.errors import UsageError
from geceval.counting.counts import HYPOTHESIS, REFERENCE, Counts, Evidence, Floats
from geceval.counting.figures import F
from geceval.counting.formula_metric import FMetric
from geceval.counting.metric import About, ByKind, Scale
from geceval.counting.observations import SignatureInputs
from geceval.counting.policies import Policy, Running
from geceval.counting.settings import FINITE, Bounds, setting
from geceval.edits.annotation import DEFAULT_ANNOTATOR, Annotator
from geceval.edits.versions import ReferenceEdits, apply_edits
from geceval.metrics.neural.networks import MeanEncoder
from geceval.metrics.neural.pretrained import load_shared
from geceval.metrics.shared.edit_matching import EvidenceRows, OnEdits, ragged_counts, warn_of_unknown
from geceval.text.columns import Hypothesis
from geceval.text.corpus import Corpus, TextSource
from geceval.text.m2.edit import Edit

#: Maximum number of iterations, interval of checks, and tolerance: the defaults of Python Optimal Transport.
ITERATIONS, EVERY, ENOUGH = 1000, 10, 1e-6


class TransportPlan(NamedTuple):
    """The mass that moves from rows to columns [n, m], and whether it converged."""

    mass: Floats
    converged: bool


def start_kernel(rows: Floats, columns: Floats, cost: Floats, reg: float) -> Floats:
    """Return the initial plan of the iteration: a_i b_j exp(-C_ij / reg)."""
    kernel: Floats = rows[:, np.newaxis] * columns * np.exp(-cost / reg)
    return kernel


def transport(rows: Floats, columns: Floats, cost: Floats, reg: float, reg_m: float) -> TransportPlan:
    """Return the plan of unbalanced optimal transport between two sets of masses.

    The plan T minimises <T, C> + reg KL(T, a b') + reg_m (KL(T 1, a) + KL(T' 1, b)).

    Uses Sinkhorn's iteration on logarithms, which cannot underflow: u <- (a / K v)^f, v <- (b / K' u)^f with
    f = reg_m / (reg_m + reg), until u changes by at most ENOUGH (checked every EVERY iterations) or for ITERATIONS
    iterations. Marginals are soft: more than a_i can leave a row. Cost: O(n m) per iteration.

    Args:
        rows: Masses a [n], above 0.
        columns: Masses b [m], above 0.
        cost: Costs C [n, m].
        reg: Weight of the entropic regularisation.
        reg_m: Weight of the marginals.
    """
    f = reg_m / (reg_m + reg)
    log_a, log_b = np.log(rows), np.log(columns)
    log_k = log_a[:, np.newaxis] + log_b - cost / reg
    u, v = np.zeros(len(rows)), np.zeros(len(columns))
    converged = False
    for iteration in range(ITERATIONS):
        before = u
        u = f * (log_a - _log_sums(log_k + v, axis=1))
        v = f * (log_b - _log_sums(log_k + u[:, np.newaxis], axis=0))
        if iteration % EVERY == 0 and _change(before, u) <= ENOUGH:
            converged = True
            break
    return TransportPlan(np.exp(u[:, np.newaxis] + log_k + v), converged)


def _log_sums(values: Floats, axis: int) -> Floats:
    top = values.max(axis=axis)
    sums: Floats = top + np.log(np.exp(values - np.expand_dims(top, axis)).sum(axis=axis))
    return sums


def _change(before: Floats, after: Floats) -> float:
    """Return the largest change of e^u, relative to the largest e^u or 1.

    Both are shifted to avoid overflow.
    """
    top = max(float(before.max()), float(after.max()), 0.0)
    return float(np.abs(np.exp(after - top) - np.exp(before - top)).max())


COLUMNS = ("tp", "fp", "fn", "unconverged")
#: Above 0; as small as a regularisation can be before costs of ordinary size leave no plan.
POSITIVE = Bounds(0, 1e9, open=True)


class Side(NamedTuple):
    """The edits of a system or a reference, their mass [n] and vectors [n, D]."""

    edits: Sequence[Edit]
    mass: Floats
    vectors: Floats


class TransportedPair(NamedTuple):
    """A system's edits transported to a reference's: ``plan[i, j]``.

    Edits without mass take no part.
    """

    system: Side
    reference: Side
    plan: TransportPlan

    @property
    def cell(self) -> list[float]:
        """The counts: masses of matched, superfluous and missing edits."""
        tp, received = (self.plan.mass.sum(axis=axis).sum() for axis in (1, 0))
        fp, fn = self.system.mass.sum() - tp, self.reference.mass.sum() - received
        return [tp, fp, fn, float(not self.plan.converged)]


@dataclass(frozen=True)
class UotErrant(FMetric[ReferenceEdits], OnEdits[ReferenceEdits]):
    """F over masses of edits, transported from the system to a reference.

    An edit's vector is the change of a sentence's embedding by taking the edit back (``vectorize`` ref-remove), or of
    the source's by the edit alone (src-add). Its ``mass`` is the vector's norm, or 1/n (uniform). The ``cost`` is the
    distance of vectors; ``reg`` and ``reg_m`` as in ``transport``. ``zero``: edits without mass are ignored, or, as in
    the public code, a pair whose reference has one takes the start kernel as its plan. ``model``: a name known to
    transformers, or a folder; ``layer`` counts from 1 (None: the last); ``length``: number of subword pieces at which a
    sentence is cut. ``device`` and ``batch`` change no number.
    """

    name: ClassVar[str] = "uot-errant"
    about: ClassVar[About] = About("F of edits matched by embeddings", "vectorize=src-add", extra="neural")
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    block: ClassVar[int] = 128
    #: Marginals are soft: an edit can send more than its mass, which gives negative FP and FN.
    scale: ClassVar[Scale] = Scale(-math.inf, math.inf, conventions=FMetric.scale.conventions)
    policy: ClassVar[Policy] = Running()
    by_kind: ClassVar[ByKind] = ByKind({"unconverged": "(unconverged)"})

    beta: float = setting(0.5, "scoring", FINITE, meaning="weight of recall against precision")
    vectorize: Literal["ref-remove", "src-add"] = setting(
        "ref-remove", meaning="vector of an edit: change if it is reverted, or if it is the only edit"
    )
    cost: Literal["euclidean", "cosine"] = setting("euclidean", meaning="distance between the vectors of two edits")
    mass: Literal["norm", "uniform"] = setting("norm", meaning="mass of an edit: norm of its vector, or equal")
    reg: float = setting(0.1, bounds=POSITIVE, meaning="entropic regularisation")
    reg_m: float = setting(0.1, bounds=POSITIVE, meaning="cost of mass that is not transported")
    zero: Literal["left-out", "public"] = setting(
        "left-out", meaning="treatment of edits without mass: ignored, or as in the public code"
    )
    model: str = setting(
        "google/electra-base-discriminator", meaning="encoder: a name known to transformers, or a folder", network=True
    )
    layer: int | None = setting(None, bounds=Bounds(1), meaning="layer of the encoder, from 1; none: the last")
    length: int = setting(128, bounds=Bounds(3), meaning="number of subword pieces at which a sentence is cut")
    annotator: Annotator | str = setting(DEFAULT_ANNOTATOR, meaning="annotator that finds edits in text")
    device: str = setting("auto", "unsigned", meaning="device for computation: auto, cpu, cuda, …")
    batch: int = setting(64, "unsigned", Bounds(1), meaning="number of texts per batch")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.zero == "public" and self.cost == "cosine":
            raise UsageError("uot-errant: with cost=cosine the public code gives no number for edits without mass")

    @property
    def encoder(self) -> MeanEncoder:
        """The encoder, loaded on first use."""
        return load_shared(MeanEncoder, self.model, self.layer, self.length, self.device, self.batch)

    def resources(self) -> MeanEncoder:
        return self.encoder

    def signed(self, inputs: SignatureInputs) -> dict[str, Any]:
        """Return the entries of the signature, with the encoder's fingerprint and layer."""
        encoder = self.encoder
        return super().signed(inputs) | {"model": encoder.signed, "layer": encoder.layer}

    @cached_property
    def f(self) -> F:
        """F, whose parts are 1 where nothing is proposed or wanted."""
        tp, proposed, gold = (1.0, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0), (1.0, 0.0, 1.0, 0.0)
        ties = (tp, (0.0, -1.0, 0.0, 0.0), (0.0, 0.0, -1.0, 0.0))
        return F(self.beta, tp, proposed, gold, proposed, gold, ties)

    def remarks(self, corpus: TextSource) -> Sequence[str]:
        return warn_of_unknown(self.name, corpus)

    def prepare(self, corpus: Corpus, threads: int = 0) -> ReferenceEdits:
        return ReferenceEdits(corpus, self.extraction, threads)

    def count(
        self, prepared: ReferenceEdits, hypothesis: Hypothesis, threads: int = 0, *, evidence: bool = False
    ) -> Counts:
        """Return ``array[s, r, k]``: masses, and whether the iteration did not converge."""
        rows = list(self.pairs(prepared, hypothesis, threads))
        cells = np.array([pair.cell for row in rows for pair in row])
        return ragged_counts(list(map(len, rows)), cells, COLUMNS, collect_evidence(rows) if evidence else None)

    def pairs(self, prepared: ReferenceEdits, hypothesis: Hypothesis, threads: int) -> list[list[TransportedPair]]:
        """Return every sentence's edits transported to the edits of each reference."""
        rows = list(prepared.pairs(hypothesis, threads))
        texts = [
            text
            for tokens, system, references in rows
            for version in (system, *(gold for _, gold in references))
            for text in self._texts(tokens, version)
        ]
        vectors = self.encoder.vectors(texts) if texts else {}
        pairs = []
        for tokens, system, references in rows:
            side = self._side(tokens, system, vectors)
            gold_sides = [self._side(tokens, version, vectors) for _, version in references]
            pairs.append([TransportedPair(side, gold, self._plan(side, gold)) for gold in gold_sides])
        return pairs

    def _texts(self, tokens: Sequence[str], version: Sequence[Edit]) -> list[str]:
        """Return the text with all edits, then one for each edit; nothing without edits."""
        if not version:
            return []
        if self.vectorize == "src-add":
            return [" ".join(tokens), *(apply_edits(tokens, [edit]) for edit in version)]
        without = ([*version[:i], *version[i + 1 :]] for i in range(len(version)))
        return [apply_edits(tokens, version), *(apply_edits(tokens, rest) for rest in without)]

    def _side(self, tokens: Sequence[str], version: Sequence[Edit], vectors: Mapping[str, Floats]) -> Side:
        if not version:
            return Side(version, np.zeros(0), np.zeros((0, 1)))
        base, *variants = (vectors[text] for text in self._texts(tokens, version))
        changes = np.stack([variant - base for variant in variants])
        changes = changes if self.vectorize == "src-add" else -changes
        mass = np.linalg.norm(changes, axis=1) if self.mass == "norm" else np.full(len(version), 1 / len(version))
        return Side(version, mass, changes)

    def _plan(self, system: Side, reference: Side) -> TransportPlan:
        mass = np.zeros((len(system.mass), len(reference.mass)))
        rows, columns = np.flatnonzero(system.mass), np.flatnonzero(reference.mass)
        if not mass.size:
            return TransportPlan(mass, True)
        if self.zero == "public" and len(columns) < len(reference.mass):
            start = start_kernel(system.mass, reference.mass, self._cost(system, reference), self.reg)
            return TransportPlan(start, False)
        if not len(rows) or not len(columns):
            return TransportPlan(mass, True)
        cost = self._cost(system, reference)[np.ix_(rows, columns)]
        plan = transport(system.mass[rows], reference.mass[columns], cost, self.reg, self.reg_m)
        mass[np.ix_(rows, columns)] = plan.mass
        return TransportPlan(mass, plan.converged)

    def _cost(self, system: Side, reference: Side) -> Floats:
        """Return distances [n, m].

        A vector of length 0 has the cosine 0 with any other.
        """
        if self.cost == "euclidean":
            return np.asarray(np.linalg.norm(system.vectors[:, np.newaxis] - reference.vectors, axis=-1))
        sides = (system.vectors, reference.vectors)
        first, second = (side / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-300) for side in sides)
        return np.asarray(np.maximum(1 - first @ second.T, 0.0))


def collect_evidence(pairs: Sequence[Sequence[TransportedPair]]) -> Evidence:
    """Return the transport plans of all sentences and references.

    A row under tp is the mass that an edit of the system sends to an edit of the reference, its ``partner`` by index;
    under fp the mass that it does not send; under fn the mass that an edit of the reference does not receive.
    """
    tp, fp, fn, unconverged = range(len(COLUMNS))
    rows = EvidenceRows(partners=True)
    for s, row in enumerate(pairs):
        for r, (system, reference, plan) in enumerate(row):
            for edit, mass, sent in zip(system.edits, system.mass.tolist(), plan.mass, strict=True):
                for j in np.flatnonzero(sent).tolist():
                    rows.add((s, r, tp), float(sent[j]), HYPOTHESIS, edit, j)
                rows.add((s, r, fp), mass - float(sent.sum()), HYPOTHESIS, edit)
            received = plan.mass.sum(axis=0).tolist()
            for edit, mass, received_mass in zip(reference.edits, reference.mass.tolist(), received, strict=True):
                rows.add((s, r, fn), mass - received_mass, REFERENCE, edit)
            if not plan.converged:
                rows.add((s, r, unconverged), 1.0, HYPOTHESIS, Edit(0, 0, "", ("",)))
    return rows.evidence()
