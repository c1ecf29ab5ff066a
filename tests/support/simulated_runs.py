"""Size and power of the test of systems with several runs, in simulated comparisons.

    PYTHONPATH=tests python -m support.simulated_runs

prints the table of research/simulations.md. Two systems with equal expectations have 100
sentences. The score of a run on a sentence is the sum of a part of the sentence, a part of the system on it, a part of
the run, and noise. The noise has the standard deviation 1; ``between`` is the standard deviation of runs in standard
errors of this noise.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from geceval.resampling.repeated_runs import RunVariances
from geceval.statistics.significance import centred_p
from geceval.tables.file_formats import as_markdown
from geceval.tables.table import plain_table

PAIRS, SENTENCES, SAMPLES = 5_000, 100, 200
#: Numbers of runs of the two systems, and deviations between runs.
RUNS, BETWEEN = ((3, 3), (5, 2), (2, 5), (10, 2), (10, 10)), (0, 1, 3, 8)
HEADS = ["runs", "simulated", *(f"runs differ by {between} s.e." for between in BETWEEN)]


def rejections(
    runs: tuple[int, int], between: float, *, of_systems: float = 0.0, one_varies: bool = False
) -> tuple[float, float, float]:
    """Return the shares of rejections at 5 % of our test, of the full variance of runs, and of sentences alone.

    Args:
        runs: Number of runs of each system.
        between: Standard deviation of the runs, in standard errors of the noise.
        of_systems: Standard deviation of the part of a system on a sentence.
        one_varies: Only the second system has variance between runs.
    """
    rng = np.random.default_rng([*runs, int(between), int(of_systems), int(one_varies)])
    weights = rng.poisson(1, (SAMPLES, SENTENCES)).astype(float)
    weights /= weights.sum(axis=1, keepdims=True)
    first, total = runs[0], sum(runs)
    members = {"A": list(range(first)), "B": list(range(first, total))}
    deviations = np.repeat([0 if one_varies else between, between], runs) / np.sqrt(SENTENCES)
    rows = []
    for _ in range(PAIRS):
        scores = rng.normal(0, deviations) + rng.normal(0, 1, (SENTENCES, total))
        scores += np.repeat(rng.normal(0, of_systems, (SENTENCES, 2)), runs, axis=1)
        values, replicates = scores.mean(axis=0), weights @ scores
        gap = values[:first].mean() - values[first:].mean()
        means = replicates[:, :first].mean(axis=1) - replicates[:, first:].mean(axis=1)
        of_runs = sum(values[part].var(ddof=1) / len(part) for part in members.values())
        p = RunVariances(values, replicates, members).of(0, 1).p(gap)
        rows.append((p < 0.05, abs(gap) > 1.96 * np.sqrt(means.var(ddof=1) + of_runs), centred_p(means, gap) < 0.05))
    ours, full, alone = np.mean(rows, axis=0).tolist()
    return ours, full, alone


SIMULATED: dict[str, dict[str, Any]] = {
    "as described": {},
    "systems differ by sentence": {"of_systems": 1.0},
    "the second varies": {"one_varies": True},
}


def table_rows() -> Iterator[list[str]]:
    """Yield the rows of the table: share of rejections with its binomial interval, and of sentences alone."""
    for name, settings in SIMULATED.items():
        for runs in RUNS:
            cells = []
            for between in BETWEEN:
                share, _, alone = rejections(runs, between, **settings)
                error = 196 * math.sqrt(share * (1 - share) / PAIRS)
                cells.append(f"{100 * share:.1f} ± {error:.1f} % ({100 * alone:.0f})")
            yield [f"{runs[0]} and {runs[1]}", name, *cells]


if __name__ == "__main__":
    sys.stdout.write(as_markdown(plain_table(HEADS, list(table_rows()))) + "\n")
