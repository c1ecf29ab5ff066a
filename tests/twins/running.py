"""kernel/core/src/scores/running.rs again, slow and obvious: the keys spelled out metric by metric."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Key = Callable[[Sequence[float], float], tuple[float, ...]]


def choices(
    counts: Sequence[Sequence[Sequence[float]]],
    present: Sequence[Sequence[bool]],
    totals: list[float],
    key: Callable[[list[float], Sequence[float]], tuple[float, ...]],
) -> tuple[list[int], list[float]]:
    chosen = []
    for rows, mask in zip(counts, present, strict=True):
        candidates = [
            ([total + more for total, more in zip(totals, row, strict=True)], row, r)
            for r, row in enumerate(rows)
            if mask[r]
        ]
        totals, _, r = max(candidates, key=lambda candidate: key(candidate[0], candidate[1]))
        chosen.append(r)
    return chosen, totals


def f(precision: float, recall: float, beta: float) -> float:
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0


def maxmatch(totals: Sequence[float], row: Sequence[float], beta: float) -> tuple[float, ...]:
    correct, proposed, gold = totals
    denominator = beta**2 * gold + proposed
    return (1 + beta**2) * correct / denominator if denominator else float(correct == 0), correct, -denominator


def ptm2(totals: Sequence[float], row: Sequence[float], beta: float) -> tuple[float, ...]:
    correct, proposed, gold = totals
    precision, recall = correct / proposed if proposed else 1.0, correct / gold if gold else 1.0
    return f(precision, recall, beta), correct, -(proposed + beta**2 * gold)


def errant(totals: Sequence[float], row: Sequence[float], beta: float, digits: int | None = 4) -> tuple[float, ...]:
    tp, fp, fn = totals
    value = f(tp / (tp + fp) if fp else 1.0, tp / (tp + fn) if fn else 1.0, beta)
    return value if digits is None else round(value, digits), tp, -fp, -fn


def pterrant(totals: Sequence[float], row: Sequence[float], beta: float) -> tuple[float, ...]:
    return errant(totals, row, beta, None)


def cleme(totals: Sequence[float], row: Sequence[float], beta: float) -> tuple[float, ...]:
    tp, necessary, unnecessary, fn, _ = totals
    fp = necessary + unnecessary
    value = f(tp / (tp + fp) if tp + fp else 1.0, tp / (tp + fn) if tp + fn else 1.0, beta)
    tp, necessary, unnecessary, fn, tn = row
    return round(value, 4), tp, -(necessary + unnecessary), -fn, tn


def cleme2(totals: Sequence[float], row: Sequence[float], shares: Sequence[float]) -> tuple[float, ...]:
    tp, necessary, unnecessary, fn, _ = totals
    needed = (tp + necessary + fn) or math.inf
    edits = (tp + necessary + unnecessary) or math.inf
    a1, a2, a3, a4 = shares
    hit, wrong, under, over = tp / needed, necessary / needed, fn / needed, unnecessary / edits
    value = a1 * hit + a2 * (1 - wrong) + a3 * (1 - under) + a4 * (1 - over)
    tp, necessary, unnecessary, fn, tn = row
    return value, tp, -(necessary + unnecessary), -fn, tn
