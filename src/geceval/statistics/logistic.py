"""Logistic regression without intercept, for many replicates at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from geceval.statistics import Floats

#: Largest number of Newton's steps; most fits take 4.
STEPS = 50
#: Gain of log-likelihood below which a fit ends, and step of a weight, per edit, with which it has no bound.
_GAIN, _UNBOUNDED = 1e-9, 1e-3
#: Share of the largest eigenvalue below which another one is 0.
_SINGULAR = 1e-9


def logistic_weights(rows: Floats, numbers: NDArray[Any], start: Floats) -> Floats:
    """Return the most likely weights [B, d] of a logistic model without intercept.

    Newton's method for all replicates at once, which needs no scipy, takes a third of the time of its optimisers, and
    shows which weights have no bound. A step that lowers the likelihood is halved.

    Args:
        rows: Differences [U, d] of the preferred output to the other one.
        numbers: Number of verdicts [B, U] with each row, by replicate.
        start: Weights [d] with which to start; infinite and undefined ones are replaced by 0.
    """
    weights = np.tile(np.where(np.isfinite(start), start, 0.0), (len(numbers), 1))
    constant = _constant_directions(rows, numbers)
    steps, scale, losses = np.zeros_like(weights), np.ones((len(numbers), 1)), _loss(rows, numbers, weights)
    active = np.arange(len(numbers))
    for _ in range(STEPS):
        wrong = np.exp(-np.logaddexp(0, weights[active] @ rows.T))
        slope = (numbers[active] * wrong) @ rows
        curvature = _information(rows, numbers[active] * wrong * (1 - wrong)) + constant[active]
        steps[active] = np.linalg.solve(curvature, slope[..., np.newaxis])[..., 0]
        active = active[(slope * steps[active]).sum(axis=1) > _GAIN]
        if not len(active):
            break
        trial = weights[active] + scale[active] * steps[active]
        trial_losses = _loss(rows, numbers[active], trial)
        is_better = (trial_losses <= losses[active])[:, np.newaxis]
        weights[active] = np.where(is_better, trial, weights[active])
        losses[active] = np.minimum(trial_losses, losses[active])
        scale[active] = np.where(is_better, 1.0, scale[active] / 2)
    weights += np.where(np.abs(steps) < _UNBOUNDED, steps, 0)
    # Verdicts whose log-odds still grow are certain in the limit, and only the others determine the finite weights.
    constant = _constant_directions(rows, numbers * (np.abs(steps @ rows.T) < _UNBOUNDED))
    is_free = np.diagonal(constant, axis1=1, axis2=2) > _SINGULAR
    weights[is_free] = np.where(np.abs(steps) > _UNBOUNDED, np.copysign(np.inf, steps), np.nan)[is_free]
    return weights


def _constant_directions(rows: Floats, numbers: NDArray[Any]) -> Floats:
    """Return the projections [B, d, d] to the weights that do not change the likelihood."""
    values, vectors = np.linalg.eigh(_information(rows, numbers))
    vectors = vectors * (values <= _SINGULAR * values[:, -1:])[:, np.newaxis]
    return np.asarray(vectors @ vectors.swapaxes(1, 2))


def _information(rows: Floats, numbers: NDArray[Any]) -> Floats:
    """Return the sums [B, d, d] of products of columns, with weights [B, U]."""
    return np.asarray((rows.T * numbers[:, np.newaxis]) @ rows)


def _loss(rows: Floats, numbers: NDArray[Any], weights: Floats) -> Floats:
    """Return the negative log-likelihood [B] of weights [B, d]."""
    return np.asarray((numbers * np.logaddexp(0, -weights @ rows.T)).sum(axis=1))
