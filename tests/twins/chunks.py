"""CLEME's chunks, classes, weights and choice, slow and obvious: one sentence, one chunk, one reference at a time.

An edit is (start, end, correction tokens); a version a sorted list of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Edit = tuple[int, int, list[str]]


@dataclass
class Chunk:
    start: int
    end: int
    texts: list[list[str]]
    changed: list[bool]


def target(tokens: list[str], version: list[Edit], start: int, end: int) -> list[str]:
    """Source tokens start..end, after the edits, which are made from right to left."""
    text = tokens[:end]
    for first, last, correction in reversed(version):
        text[first:last] = correction
    return text[start:]


def chunks(tokens: list[str], versions: list[list[Edit]], distance: int) -> list[Chunk]:
    """All versions cut at the same places."""
    intervals: list[list[int]] = []
    for start, end, _ in sorted((edit for version in versions for edit in version), key=lambda edit: edit[:2]):
        if intervals and start <= intervals[-1][1] + distance:
            intervals[-1][1] = max(intervals[-1][1], end)
        else:
            intervals.append([start, end])
    spans: list[tuple[int, int, bool]] = []
    finished = 0
    for start, end in intervals:
        spans += [(finished, start, False)] if start > finished else []
        spans.append((start, end, True))
        finished = end
    spans += [(finished, len(tokens), False)] if len(tokens) > finished or not spans else []
    rows = []
    for start, end, shared in spans:
        inside = [[e for e in version if shared and start <= e[0] and e[1] <= end] for version in versions]
        texts = [target(tokens, edits, start, end) for edits in inside]
        rows.append(Chunk(start, end, texts, [bool(edits) for edits in inside]))
    return rows


def counting(tokens: list[str], references: list[list[Edit]], drop_unchanged: bool) -> list[int]:
    """The references that count: those that leave some text and, if wanted, change some; else the first."""
    texts = [target(tokens, version, 0, len(tokens)) for version in references]
    present = [r for r, text in enumerate(texts) if text] or [0]
    if drop_unchanged:
        present = [r for r in present if texts[r] != tokens] or present[:1]
    return present


def classes(chunk: Chunk, assumption: str) -> list[str]:
    """The class of a chunk against each reference."""
    hypothesis, references = chunk.texts[0], chunk.texts[1:]
    edited, changed = chunk.changed[0], chunk.changed[1:]
    pairs = []
    for reference, change in zip(references, changed, strict=True):
        if assumption == "independent":
            same, necessary, missed = hypothesis in references, any(changed), all(changed)
        else:
            same, necessary, missed = hypothesis == reference, change, hypothesis != reference
        if edited:
            pairs.append("tp" if same else "fp_necessary" if necessary else "fp_unnecessary")
        else:
            pairs.append("fn" if missed else "tn")
    return pairs


def mean_length(corpus: list[list[Chunk]]) -> float:
    """Over all changed chunks of all references."""
    lengths = [
        max(chunk.end - chunk.start, len(text))
        for sentence in corpus
        for chunk in sentence
        for text, changed in zip(chunk.texts[1:], chunk.changed[1:], strict=True)
        if changed
    ]
    return sum(lengths) / len(lengths) if lengths else math.nan


CURVES = {
    "length": {"tp": (2, 0.75, 1.25), "fp": (2, 0.75, 1.25), "fn": (2, 0.75, 1.25)},
    "dependent": {"tp": (10, 1.0, 10.0), "fp": (10, 0.25, 1.0), "fn": (10, 1.0, 1.0)},
    "independent": {"tp": (10, 2.5, 10.0), "fp": (10, 0.25, 1.0), "fn": (10, 1.0, 1.0)},
}


def weight(chunk: Chunk, kind: str, weights: str, assumption: str, x0: float) -> float:
    if weights == "none" or kind == "tn" or math.isnan(x0):
        return 1.0
    length = max(chunk.end - chunk.start, len(chunk.texts[0]))
    top, low, high = CURVES["length" if weights == "length" else assumption][kind[:2]]
    exponent = length - x0 if kind.startswith("fp") else x0 - length
    return min(max(top / (1 + (top - 1) * math.exp(exponent)), low), high)


NAMES = ("tp", "fp_necessary", "fp_unnecessary", "fn", "tn")


def counts(sentence: list[Chunk], weights: str, assumption: str, x0: float) -> list[list[float]]:
    """[r][k]: the weights summed by class, for each reference."""
    rows = [[0.0] * 5 for _ in sentence[0].texts[1:]]
    for chunk in sentence:
        for row, kind in zip(rows, classes(chunk, assumption), strict=True):
            row[NAMES.index(kind)] += weight(chunk, kind, weights, assumption, x0)
    return rows


def figures(row: list[float]) -> tuple[float, float, float, float]:
    """Precision, recall, F0.5 and accuracy, rounded."""
    tp, fp, fn, tn = row[0], row[1] + row[2], row[3], row[4]
    precision = tp / (tp + fp) if tp + fp else 1.0
    recall = tp / (tp + fn) if tp + fn else 1.0
    f = 1.25 * precision * recall / (0.25 * precision + recall) if precision + recall else 0.0
    accuracy = (tp + tn) / (tp + fp + fn + tn) if tp + fp + fn + tn else 0.0
    return round(precision, 4), round(recall, 4), round(f, 4), round(accuracy, 4)


def corpus_totals(corpus: list[list[list[float]]]) -> list[float]:
    """The totals after choosing, sentence by sentence, the reference that makes the running F highest."""
    totals = [0.0] * 5
    for rows in corpus:
        keys = []
        for row in rows:
            sums = [total + more for total, more in zip(totals, row, strict=True)]
            keys.append((figures(sums)[2], row[0], -(row[1] + row[2]), -row[3], row[4]))
        chosen = rows[keys.index(max(keys))]
        totals = [total + more for total, more in zip(totals, chosen, strict=True)]
    return totals


def sentence_f(rows: list[list[float]]) -> float:
    """F of the best reference by F, precision, recall, accuracy."""
    return max((f, p, r, a) for p, r, f, a in map(figures, rows))[0]
