"""Skills of systems by TrueSkill, with the constants of WMT and of GJG15.

Source:
    Herbrich et al. (2006); Sakaguchi et al. (2014).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from geceval._kernel import trueskill_in_order, trueskill_runs
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option, Step
from geceval.statistics.judged_pairs import Pairs, PairTally


@dataclass(frozen=True)
class TrueSkillRules:
    """Constants of TrueSkill.

    Skills start at mean 0 and deviation ``sigma`` and do not drift (tau = 0).

    ``draw_probability`` is a constant of the procedure, not an estimate from the judgments.
    """

    beta: float
    sigma: float = 0.5
    draw_probability: float = 0.25

    @classmethod
    def for_judgments(cls, pairs: int) -> TrueSkillRules:
        """Return the rules with beta = sigma · (pairs + 1) / 40.

        Beta grows with the data, so skills of different data sets are not comparable.
        """
        return cls(beta=cls.sigma * (pairs + 1) / 40)

    @property
    def draw_margin(self) -> float:
        """Difference of performances below which a game is a draw.

        Equal systems draw with probability ``draw_probability``.
        """
        return NormalDist().inv_cdf((self.draw_probability + 1) / 2) * math.sqrt(2) * self.beta

    @property
    def constants(self) -> tuple[float, float, float]:
        """Standard deviations of skills and of performances, and the margin of a draw."""
        return self.sigma, self.beta, self.draw_margin


def ordered_skills(pairs: Pairs, rules: TrueSkillRules) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (mean, standard deviation) of every skill after each pair in order.

    Cost: O(pairs).
    """
    mean, variance = trueskill_in_order(len(pairs.systems), pairs.first, pairs.second, pairs.outcome, rules.constants)
    return mean, np.sqrt(variance)


def sampled_skills(
    tally: PairTally, *, runs: int = 1000, seed: int = 1, rules: TrueSkillRules | None = None, threads: int = 0
) -> NDArray[np.float64]:
    """Return the skill means of repeated runs on randomly drawn pairs.

    The score of a system is the mean of its column.

    A run has N = pairs + 1 updates. Each update takes the system with the largest uncertainty, an opponent of similar
    skill, and one judgment of the two, drawn with replacement. Run k draws from xoshiro256++ with seed ``seed + k``, so
    each run can be repeated separately.

    Args:
        tally: Wins and ties [K, K].
        runs: Number of runs.
        seed: Seed of the first run.
        rules: Constants; by default those for the number of judgments.
        threads: Number of threads, without effect on results; 0 means one per processor.

    Returns:
        Skill means [runs, systems].

    Raises:
        InputError: If a system was never compared with another.
        UsageError: If the pairs have weights.
    """
    if tally.wins.dtype.kind == "f":
        by_command = Hint("measure=expected-wins (", Option("human", "expected-wins"), ")")
        measure = Step(by_command, 'measure="expected-wins"')
        message = "trueskill draws whole pairs of systems, and pairs=outputs divides them"
        raise UsageError(message, hint=Hint("use ", measure))
    games = tally.wins + tally.wins.T + tally.ties
    silent = [name for name, met in zip(tally.systems, games.sum(axis=1), strict=True) if not met]
    if silent:
        raise InputError(f"no judgment compares {', '.join(silent)} with another system")
    total = int(tally.wins.sum() + tally.ties.sum() // 2)
    wins, ties = tally.wins.astype(np.uint64), tally.ties.astype(np.uint64)
    constants = (rules or TrueSkillRules.for_judgments(total)).constants
    return trueskill_runs(wins, ties, total + 1, constants, seed, runs, threads)
