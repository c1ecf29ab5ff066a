"""Unbalanced optimal transport with entropic regularisation.

Source: Chizat, Peyré, Schmitzer and Vialard, Mathematics of Computation 87 (2018), algorithm 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from geceval.statistics import Floats

#: Maximum number of iterations, interval of checks, and tolerance: the defaults of Python Optimal Transport.
ITERATIONS, EVERY, ENOUGH = 1000, 10, 1e-6


class TransportPlan(NamedTuple):
    """The mass that moves from rows to columns [n, m], and whether it converged."""

    mass: Floats
    converged: bool


def start_kernel(rows: Floats, columns: Floats, cost: Floats, reg: float) -> Floats:
    """Return the start of the iteration: a_i b_j exp(-C_ij / reg)."""
    kernel: Floats = rows[:, np.newaxis] * columns * np.exp(-cost / reg)
    return kernel


def transport(rows: Floats, columns: Floats, cost: Floats, reg: float, reg_m: float) -> TransportPlan:
    """Return the plan of unbalanced optimal transport between two sets of masses.

    The plan T minimises <T, C> + reg KL(T, a b') + reg_m (KL(T 1, a) + KL(T' 1, b)).

    Uses Sinkhorn's iteration on logarithms, which cannot underflow: u <- (a / K v)^f, v <- (b / K' u)^f with
    f = reg_m / (reg_m + reg), until u changes by at most ENOUGH (checked every EVERY iterations) or for ITERATIONS
    iterations. Marginals are soft: more than a_i can leave a row. Cost: O(n m) per iteration.

    Args:
        rows: masses a [n], above 0.
        columns: masses b [m], above 0.
        cost: costs C [n, m].
        reg: weight of the entropic regularisation.
        reg_m: weight of the marginals.
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
