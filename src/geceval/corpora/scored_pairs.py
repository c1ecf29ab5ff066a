"""Score many pairs of source and hypothesis independently."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from geceval._kernel import Text
from geceval.base.arguments import as_sequence, check_per_sentence, transpose_references
from geceval.base.errors import InputError
from geceval.counting.consumers import SentenceScores
from geceval.counting.counts import Floats
from geceval.counting.metric import Metric
from geceval.counting.run import Run
from geceval.counting.stream import Progress
from geceval.text.corpus import Corpus, check_lengths, text_of

#: A source and its references.
Item: TypeAlias = tuple[str, tuple[str, ...]]


def pair_scores(
    metric: Metric[Any],
    source: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    threads: int = 0,
    progress: Progress | None = None,
) -> Floats:
    """Return the sentence scores of many pairs.

    Each distinct source with its references is prepared once, and each distinct hypothesis of it is counted once.

    Args:
        metric: Metric of the scores.
        source: Source sentences [N].
        hypotheses: Corrected sentences [N].
        references: References [N] of each source.
        threads: Number of threads (0: one per processor).
        progress: Called with the number of pairs counted since its last call.

    Returns:
        Scores [N], equal to ``metric.sentence_score`` of each pair.

    Raises:
        InputError: If lengths differ or a value is not text.
    """
    source, hypotheses = as_sequence("source", source), as_sequence("hypotheses", hypotheses)
    lists = [
        tuple(as_sequence("references", own, "reference")) for own in as_sequence("references", references, "list")
    ]
    check_per_sentence("references", lists, len(source))
    check_lengths([("source", len(source)), ("hypotheses", len(hypotheses)), ("references", len(lists))], noun="pairs")
    if metric.pooled or metric.constant is not None:  # what is counted of a pair depends on what it is counted with
        rows = zip(source, hypotheses, lists, strict=True)
        return np.array([metric.sentence_score(*row) for row in rows])
    texts: dict[Item, dict[str, int]] = {}
    cells: list[tuple[Item, int]] = []
    try:
        for line, hypothesis, own in zip(source, hypotheses, lists, strict=True):
            item = line, own
            known = texts.setdefault(item, {})
            cells.append((item, known.setdefault(hypothesis, len(known))))
    except TypeError:
        raise InputError("pairs are of texts") from None
    scores = _scores(metric, texts, threads, progress)
    return np.array([scores[item][place] for item, place in cells])


def _scores(
    metric: Metric[Any], texts: dict[Item, dict[str, int]], threads: int, progress: Progress | None
) -> dict[Item, Floats]:
    """Return the scores [K] of the texts of each item."""
    items, own = list(texts), [list(known) for known in texts.values()]
    scores: dict[Item, Floats] = {}
    for rows in group_by_size(own):
        picked = [items[row] for row in rows]
        source, references = zip(*picked, strict=True)
        systems: dict[str, Any] = {
            str(k): text for k, text in enumerate(fill_texts(source, [own[row] for row in rows]))
        }
        corpus = Corpus(source, transpose_references(references), systems)
        found = Run(corpus, [metric], threads=threads, progress=progress).consume(lambda _, one: SentenceScores(one))
        table = np.stack([found[name, metric].result() for name in systems], axis=1)
        scores.update(zip(picked, table, strict=True))
    return scores


def group_by_size(texts: Sequence[Sequence[str]]) -> list[list[int]]:
    """Group rows with similar numbers of texts (up to twice as many), to fill in few."""
    found: dict[int, list[int]] = defaultdict(list)
    for row, own in enumerate(texts):
        found[len(own).bit_length()].append(row)
    return list(found.values())


def fill_texts(source: Sequence[str], texts: Sequence[Sequence[str]]) -> list[Text]:
    """Return the k-th texts of all sentences, for each k; the source fills gaps."""
    most = range(max(map(len, texts)))
    rows = list(zip(texts, source, strict=True))
    return [text_of("texts", [own[k] if k < len(own) else line for own, line in rows]) for k in most]
