"""Choice among several candidates per sentence: minimum Bayes risk, reranking.

Minimum Bayes risk chooses the candidate that is nearest to all candidates under a metric; each candidate is a
reference in turn (Kumar and Byrne, NAACL 2004; Eikema and Aziz, COLING 2020).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.base.arguments import Bounds, as_sequence, check_per_sentence, number
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, UsageError, short_traceback
from geceval.base.ties import order_of_best
from geceval.counting.counts import Floats
from geceval.counting.metric import Metric
from geceval.counting.metric_names import one_metric
from geceval.counting.observations import SignatureInputs
from geceval.counting.run_options import Progress
from geceval.counting.signature import signature_of
from geceval.counting.system_results import kept_counts
from geceval.selection.pair_features import fill_texts, group_by_size, pair_scores, warning_of_short_texts
from geceval.text.columns import check_lengths, text_of
from geceval.text.corpus import Corpus

#: Range of the weight of a candidate as a reference.
WEIGHTS = Bounds(0, 1e150)
#: Number of cells of a table of counts, sentences times references, that are counted together.
CELLS = 1 << 15


@dataclass(frozen=True, eq=False)
class Ranked:
    """Candidates with their scores, and the best candidate of each sentence.

    Attributes:
        candidates: ``candidates[s][c]``.
        scores: ``scores[s][c]``.
        signature: Metric and settings of the scores.
        utilities: Only minimum Bayes risk: ``utilities[s]``, [C, C], the score of each candidate with each candidate
            as its only reference.
    """

    candidates: tuple[tuple[str, ...], ...]
    scores: tuple[Floats, ...]
    signature: str
    utilities: tuple[Floats, ...] = ()

    def __len__(self) -> int:
        return len(self.candidates)

    @cached_property
    def choice(self) -> NDArray[np.intp]:
        """Index of the candidate with the highest score, [S]; the first among equals."""
        return np.array([self.order(s)[0] for s in range(len(self))], dtype=np.intp)

    @property
    def texts(self) -> list[str]:
        """Best candidate of each sentence."""
        return [texts[best] for texts, best in zip(self.candidates, self.choice.tolist(), strict=True)]

    def order(self, s: int) -> list[int]:
        """Return the indices of a sentence's candidates, the best first.

        Equal candidates keep their order; candidates without a score are last.
        """
        return order_of_best(self.scores[s].tolist())


@short_traceback
def mbr(
    candidates: Sequence[Sequence[str]],
    metric: str | Metric[Any],
    source: Sequence[str],
    *,
    weights: Sequence[Sequence[float]] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> Ranked:
    """Choose candidates by minimum Bayes risk.

    The score of a candidate is its mean sentence score with all candidates of the sentence as references.

    Each distinct text is counted, annotated and cut into n-grams once.

    Args:
        candidates: ``candidates[s][c]``, one or more for each sentence.
        metric: Metric that compares a text with reference texts.
        source: ``source[s]``, the sentence that ``candidates[s]`` correct.
        weights: ``weights[s][c]``, weight of a candidate as a reference, such as its probability; divided by their sum
            (None: equal weights, so that a text that was sampled twice counts twice).
        threads: Number of threads (0: one per processor).
        progress: Called with the number of texts scored since its last call.

    Returns:
        Candidates with their expected utilities as scores.

    Raises:
        InputError: If lengths differ, a sentence has no candidate, or its weights are not positive.
        UsageError: If the metric does not compare with a reference text.

    Source:
        Kumar and Byrne (NAACL 2004); Eikema and Aziz (COLING 2020).
    """
    resolved = _resolve_metric(metric)
    if not resolved.uses_references or resolved.needs_gold or resolved.pool is not None:
        hint = "such as green or errant; rerank chooses by metrics without references"
        raise UsageError(f"{resolved.name} does not compare a text with a reference", hint=hint)
    rows, lines = _checked(candidates, source)
    shares = _shares(weights, rows)
    message = warning_of_short_texts(resolved, zip(lines, rows, strict=True))
    if message is not None:
        warn(f"{resolved.label}: {message}")
    tables = tuple(_utilities(resolved, lines, rows, threads, progress))
    scores = tuple((table * share).sum(axis=1) for table, share in zip(tables, shares, strict=True))
    kind = "equal" if weights is None else "given"
    signature = f"MBR|weights:{kind}|{signature_of(resolved, SignatureInputs('1'), 'sentence')}"
    return Ranked(rows, scores, signature, tables)


@short_traceback
def rerank(
    candidates: Sequence[Sequence[str]],
    metric: str | Metric[Any],
    source: Sequence[str],
    *,
    per_sentence: Sequence[Sequence[str]] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> Ranked:
    """Choose candidates by their sentence scores, the first among equals.

    With references the choice is an oracle: no other choice has a higher mean of sentence scores, although one may have
    a higher corpus score.

    Args:
        candidates: ``candidates[s][c]``, one or more for each sentence.
        metric: Metric without references, or with ``per_sentence`` any metric on texts.
        source: ``source[s]``, the sentence that ``candidates[s]`` correct.
        per_sentence: References of each sentence (None: none).
        threads: Number of threads (0: one per processor).
        progress: Called with the number of texts scored since its last call.

    Returns:
        Candidates with their sentence scores.

    Raises:
        InputError: If lengths differ or a sentence has no candidate.
        UsageError: If the metric needs references and has none, or cannot score a candidate alone.
    """
    resolved = _resolve_metric(metric)
    if resolved.needs_gold or resolved.pool is not None:
        raise UsageError(f"{resolved.name} cannot score a candidate alone")
    if resolved.uses_references and per_sentence is None:
        hint = "without references: mbr, or a metric such as impara"
        raise UsageError(f"{resolved.name} needs references", hint=hint)
    rows, lines = _checked(candidates, source)
    references = as_sequence("per_sentence", [()] * len(rows) if per_sentence is None else per_sentence, "list")
    check_per_sentence("per_sentence", references, len(lines))
    check_lengths([("source", len(lines)), ("per_sentence", len(references))], noun="sentences")
    flat = [(lines[s], text, references[s]) for s, row in enumerate(rows) for text in row]
    scores = tuple(_scored(resolved, flat, [len(row) for row in rows], threads, progress))
    counts = SignatureInputs.number(min(map(len, references)), max(map(len, references)))
    return Ranked(rows, scores, f"RERANK|{signature_of(resolved, SignatureInputs(counts), 'sentence')}")


def by_scores(candidates: Sequence[Sequence[str]], scores: Sequence[Sequence[float]]) -> Ranked:
    """Choose candidates by given scores ``scores[s][c]``, such as a model's."""
    return Ranked(tuple(map(tuple, candidates)), tuple(np.asarray(row, np.float64) for row in scores), "RERANK|given")


def _utilities(
    metric: Metric[Any],
    source: Sequence[str],
    candidates: Sequence[Sequence[str]],
    threads: int,
    progress: Progress | None,
) -> list[Floats]:
    """Return the scores [C, C] of each sentence's candidates with each other.

    Each candidate is the only reference in turn; each distinct text is counted once.
    """
    distinct = [list(dict.fromkeys(texts)) for texts in candidates]
    if metric.references_together or metric.constant is not None:
        sentences = zip(source, distinct, strict=True)
        pairs = [(line, text, [reference]) for line, texts in sentences for text in texts for reference in texts]
        scores = _scored(metric, pairs, [len(texts) ** 2 for texts in distinct], threads, progress)
        tables = [table.reshape(len(texts), -1) for table, texts in zip(scores, distinct, strict=True)]
    else:
        tables = _together(metric, source, distinct, threads, progress)
    for s, texts in enumerate(candidates):
        indices = {text: index for index, text in enumerate(distinct[s])}
        rows = [indices[text] for text in texts]
        tables[s] = tables[s][np.ix_(rows, rows)]
    return tables


def _together(
    metric: Metric[Any],
    source: Sequence[str],
    candidates: Sequence[Sequence[str]],
    threads: int,
    progress: Progress | None,
) -> list[Floats]:
    tables: list[Any] = [None] * len(source)
    for rows in group_by_size(candidates):
        size = max(1, CELLS // max(len(candidates[row]) for row in rows))
        for first in range(0, len(rows), size):
            part = rows[first : first + size]
            lines = [source[row] for row in part]
            texts = fill_texts(lines, [candidates[row] for row in part])
            systems: dict[str, Any] = {str(number): text for number, text in enumerate(texts)}
            counts = kept_counts(Corpus(lines, texts, systems), metric, threads=threads, progress=progress)
            scores = np.stack([metric.own_score(counted.array) for counted in counts.values()], axis=1)
            for row, table in zip(part, scores, strict=True):
                tables[row] = table[: len(candidates[row]), : len(candidates[row])]
    return tables


def _scored(
    metric: Metric[Any],
    pairs: Sequence[tuple[str, str, Sequence[str]]],
    sizes: Sequence[int],
    threads: int,
    progress: Progress | None,
) -> list[Floats]:
    """Return the scores of (source, hypothesis, references), split by ``sizes``."""
    source, hypotheses, references = map(list, zip(*pairs, strict=True))
    scores = pair_scores(metric, source, hypotheses, references, threads=threads, progress=progress)
    return np.split(scores, np.cumsum(sizes)[:-1])


def _resolve_metric(metric: str | Metric[Any]) -> Metric[Any]:
    resolved = one_metric(metric)
    if not resolved.scale.higher_is_better:
        raise UsageError(f"{resolved.name} cannot choose candidates: lower scores are better")
    if resolved.scale.description:
        raise UsageError(f"{resolved.name} cannot choose candidates: it describes them, and is no quality")
    return resolved


def _checked(
    candidates: Sequence[Sequence[str]], source: Sequence[str]
) -> tuple[tuple[tuple[str, ...], ...], Sequence[str]]:
    lines = as_sequence("source", source)
    rows = tuple(
        tuple(as_sequence(f"candidates of sentence {s} (counted from 0)", row, "candidate"))
        for s, row in enumerate(as_sequence("candidates", candidates, "list", dimensions=2))
    )
    check_lengths([("source", len(lines)), ("candidates", len(rows))], noun="sentences")
    for s, row in enumerate(rows):
        if not row:
            raise InputError(f"sentence {s} (counted from 0) has no candidate")
        text_of(f"candidates of sentence {s}", row)
    text_of("source", lines)
    return rows, lines


def _shares(weights: Sequence[Sequence[float]] | None, rows: Sequence[Sequence[str]]) -> list[Floats]:
    """Return the weights [C] of each sentence's candidates, whose sum is 1."""
    if weights is None:
        return [np.full(len(row), 1 / len(row)) for row in rows]
    rows_of_weights = as_sequence("weights", weights, "list", dimensions=2)
    check_lengths([("candidates", len(rows)), ("weights", len(rows_of_weights))], noun="sentences")
    shares = []
    for s, (weighed, row) in enumerate(zip(rows_of_weights, rows, strict=True)):
        name = f"weights of sentence {s} (counted from 0)"
        share = np.array([number(name, weight, WEIGHTS) for weight in as_sequence(name, weighed, "number")])
        if len(share) != len(row) or not share.any():
            raise InputError(f"{name}: expected a weight for each of {len(row)} candidates, and at least one above 0")
        shares.append(share / share.sum())
    return shares
