"""Ranking systems by TrueSkill (Herbrich et al. 2006) as WMT (Sakaguchi et al. 2014) and GJG15 set it up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import trueskill_in_order, trueskill_runs
from geceval.base.errors import InputError
from geceval.statistics.judged_pairs import Pairs, PairTally


@dataclass(frozen=True)
class Rules:
    """The constants of a game; skills start at mean 0 and deviation ``sigma``, and nothing drifts (tau = 0).

    ``draw_probability`` is the procedure's constant, not an estimate from the judgments.
    """

    beta: float
    sigma: float = 0.5
    draw_probability: float = 0.25

    @classmethod
    def for_judgments(cls, pairs: int) -> Rules:
        """beta = sigma · N / 40, N = pairs + 1: it grows with the data, so two data sets do not compare."""
        return cls(beta=cls.sigma * (pairs + 1) / 40)

    @property
    def draw_margin(self) -> float:
        """The distance of performances that is a draw: equals draw with probability ``draw_probability``."""
        return NormalDist().inv_cdf((self.draw_probability + 1) / 2) * math.sqrt(2) * self.beta


def in_order(pairs: Pairs, rules: Rules) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(mean, standard deviation) of every system's skill after each pair once, in order. O(pairs)."""
    mean, variance = trueskill_in_order(
        len(pairs.systems),
        pairs.first,
        pairs.second,
        pairs.outcome,
        rules.sigma,
        rules.beta,
        rules.draw_margin,
    )
    return mean, np.sqrt(variance)


def sampled(
    tally: PairTally, *, runs: int = 1000, seed: int = 1, rules: Rules | None = None, threads: int = 0
) -> NDArray[np.float64]:
    """Skill means of ``runs`` runs, shape [runs, systems]; the score of a system is the mean of its column.

    A run is N = pairs + 1 updates. Each takes the system of which least is known, an opponent near it in
    skill and one of the judgments of the two, drawn with replacement. Run k draws from xoshiro256++ with the
    seed ``seed + k``, so any share of the runs can be repeated alone, and ``threads`` (0: all processors)
    change nothing. Raises `InputError` for a system never compared with another.
    """
    games = tally.wins + tally.wins.T + tally.ties
    silent = [name for name, met in zip(tally.systems, games.sum(axis=1), strict=True) if not met]
    if silent:
        raise InputError(f"no judgment compares {', '.join(silent)} with another system")
    total = int(tally.wins.sum() + tally.ties.sum() // 2)
    rules = rules or Rules.for_judgments(total)
    return trueskill_runs(
        tally.wins.astype(np.uint64),
        tally.ties.astype(np.uint64),
        total + 1,
        rules.sigma,
        rules.beta,
        rules.draw_margin,
        seed,
        runs,
        threads,
    )
