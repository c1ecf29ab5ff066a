"""Unbalanced optimal transport with entropic regularisation (Chizat, Peyré, Schmitzer and Vialard, Mathematics of
Computation 87, 2018, algorithm 1)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from geceval.statistics import Floats

#: As the Python Optimal Transport library has them.
ITERATIONS, EVERY, ENOUGH = 1000, 10, 1e-6


class TransportPlan(NamedTuple):
    """How much goes from each row to each column [n, m], and whether the iteration came to an end."""

    mass: Floats
    converged: bool


def start_kernel(rows: Floats, columns: Floats, cost: Floats, reg: float) -> Floats:
    """Where the iteration begins: a_i b_j exp(-C_ij / reg)."""
    kernel: Floats = rows[:, np.newaxis] * columns * np.exp(-cost / reg)
    return kernel


def transport(rows: Floats, columns: Floats, cost: Floats, reg: float, reg_m: float) -> TransportPlan:
    """The plan T that minimises <T, C> + reg KL(T | a b') + reg_m (KL(T 1 | a) + KL(T' 1 | b)), for masses ``rows`` [n]
    and ``columns`` [m] above 0 and costs [n, m].

    Sinkhorn's iteration on logarithms, which no cost can make too small: u <- (a / K v)^f, v <- (b / K' u)^f with
    f = reg_m / (reg_m + reg), until u changes by no more than ENOUGH, looked at every EVERY iterations, or for
    ITERATIONS. Marginals are soft: more than a_i can leave a row. O(n m) an iteration.
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
    """The largest change of e^u relative to the largest of either and 1; logarithms are brought below overflow."""
    top = max(float(before.max()), float(after.max()), 0.0)
    return float(np.abs(np.exp(after - top) - np.exp(before - top)).max())
