"""Means of the scores of repeated runs, such as trainings with other seeds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from geceval._kernel import resampled_sums
from geceval.counting.comparison_options import members_of
from geceval.counting.consumers import Result, RunsResult
from geceval.statistics import Floats
from geceval.statistics.resampling import block_keys


def with_means(results: Mapping[str, list[Result]], runs: Mapping[str, Sequence[str]]) -> dict[str, list[Result]]:
    """Return one result for the runs of each system, at the place of the first run.

    ``runs`` has the names of the runs of each system with several runs.
    """
    names, found = list(results), dict[str, list[Result]]()
    for system, places in members_of(runs, names).items():
        own = {names[place]: results[names[place]] for place in places}
        by_metric = (dict(zip(own, row, strict=True)) for row in zip(*own.values(), strict=True))
        found[system] = [*map(RunsResult, by_metric)] if system in runs else results[system]
    return found


def means(scores: Floats, members: Mapping[str, Sequence[int]]) -> Floats:
    """Return the mean scores [..., systems] of runs, from the scores [..., runs]."""
    return np.stack([scores[..., own].mean(axis=-1) for own in members.values()], axis=-1)


def drawn_means(
    replicates: Floats,
    members: Mapping[str, Sequence[int]],
    seed: int,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Floats:
    """Return the replicates [B, systems] of means over sentences and runs.

    ``replicates`` [B, runs] are over sentences. Each replicate adds the deviation of a mean of drawn runs from the mean
    of all. Runs have Poisson weights, and the deviation is scaled by √(k / (k − 1)), so that its variance is s² / k
    without bias. ``bounds`` are the smallest and the largest possible score, see ``add_within``.
    """
    found = means(replicates, members)
    for at, (system, own) in enumerate(members.items()):
        if (k := len(own)) > 1:
            keys = block_keys([(system, run) for run in range(k)])
            weights = resampled_sums(np.eye(k, dtype=np.int64), keys, "poisson", seed, len(replicates))
            apart = weights - weights.mean(axis=1, keepdims=True)
            deviations = apart @ replicates[:, own].mean(axis=0) / math.sqrt(k * (k - 1))
            found[:, at] = add_within(found[:, at], deviations, bounds)
    return found


def add_within(scores: Floats, deviations: Floats, bounds: tuple[float, float]) -> Floats:
    """Return scores plus deviations on a scale that ends at the bounds.

    A score m moves by d to m + (b − m) tanh(d / (b − m)), where b is the bound in the direction of d: by d where the
    bound is far, and never beyond it.
    """
    low, high = bounds
    room = np.where(deviations > 0, high - scores, scores - low)
    bounded = np.isfinite(room) & (room > 0)
    with np.errstate(over="ignore"):  # next to a bound
        share = np.divide(deviations, room, out=np.zeros_like(scores), where=bounded)
    moved = np.where(bounded, np.where(bounded, room, 0.0) * np.tanh(share), np.where(room > 0, deviations, 0.0))
    return np.asarray(np.clip(scores + moved, low, high))  # the sum may be rounded beyond the bound


def carry_within(bound: float, observed: float, value: float, bounds: tuple[float, float]) -> float:
    """Return a bound of an interval around ``observed``, carried to ``value``.

    The range on either side of ``observed`` is stretched to the range on this side of ``value``; without a smallest or
    largest score, the bound is shifted.
    """
    edge = bounds[0] if bound < observed else bounds[1]
    if value == observed or not math.isfinite(edge) or edge == observed:
        return bound + (value - observed)
    return edge + (bound - edge) * (value - edge) / (observed - edge)
