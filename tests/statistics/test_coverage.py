"""Intervals at 95 % hold what they are about in 93 to 97 % of simulated test sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from geceval._kernel import resampled_sums
from geceval.statistics.resampling import percentile_interval, sentence_keys

TRIALS, SENTENCES, SAMPLES = 600, 400, 599


def f(sums: Any) -> Any:
    """F0.5 of [..., (TP, FP, FN)]."""
    tp, fp, fn = np.moveaxis(np.asarray(sums, float), -1, 0)
    return 1.25 * tp / (1.25 * tp + fp + 0.25 * fn)


def difference(sums: Any) -> Any:
    return f(sums[..., :3]) - f(sums[..., 3:])


@pytest.mark.parametrize("blocked", [False, True])
def test_coverage(blocked: bool) -> None:
    """Percentile intervals, of F and of the difference of two systems that go together.

    By blocks, whose sentences share an author, too.
    """
    rng = np.random.default_rng(0)
    skill = np.repeat(rng.gamma(4.0, 0.25, 2000), 5)[:, np.newaxis]  # of an author of five sentences
    errors = rng.poisson(2.0 * skill)
    hits = rng.binomial(errors, [[0.4, 0.35]])
    wrong = rng.poisson(0.6, (10000, 2)) + rng.poisson(0.4, (10000, 1))
    both = [np.stack([hits[:, k], wrong[:, k], errors[:, 0] - hits[:, k]], axis=1) for k in (0, 1)]
    everyone = np.concatenate(both, axis=1).reshape(2000, 5, 6)
    truths = [float(own(everyone.sum(axis=(0, 1)))) for own in (lambda sums: f(sums[..., :3]), difference)]
    held = np.zeros(2)
    for seed in range(TRIALS):
        if blocked:
            rows = everyone[rng.integers(2000, size=SENTENCES // 4)].reshape(-1, 6)
            keys = np.repeat(sentence_keys(0, SENTENCES // 4), 5)
        else:
            rows = everyone.reshape(-1, 6)[rng.integers(10000, size=SENTENCES)]
            keys = sentence_keys(0, SENTENCES)
        drawn = resampled_sums(np.ascontiguousarray(rows), keys, "poisson", seed, SAMPLES, 0, 0)
        for at, own in enumerate((lambda sums: f(sums[..., :3]), difference)):
            found = percentile_interval(own(drawn))
            held[at] += found.low <= truths[at] <= found.high
    assert ((held / TRIALS >= 0.93) & (held / TRIALS <= 0.97)).all(), held / TRIALS
