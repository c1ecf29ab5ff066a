"""Simulate sentences of essays, with intervals and tests by sentence and by essay: a table of research/simulations.md.

An essay has a rate of right, wrong and missed edits for each system, which its sentences share: some essays suit one
system, some the other. Both systems have the same expected counts, so that a test should reject in 5 % of the
simulated test sets, and an interval should contain the F-score of the expected counts in 95 %.
"""

from __future__ import annotations

import itertools
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from geceval import Corpus, compare
from geceval.counting.counts import Counts
from geceval.counting.figures import F
from geceval.counting.formula_metric import FMetric

PAGE = Path(__file__).with_name("simulations.md")
SENTENCES = 600
#: Expected right, wrong and missed edits of a sentence.
RATES = (0.4, 0.3, 0.6)
PER_ESSAY = (30,)
#: Standard deviation of the rates between essays, as a share of the mean.
DEVIATIONS = (0.0, 0.3, 0.6)
SIMULATIONS, SAMPLES = 2000, 499


@dataclass(frozen=True)
class CountsInText(FMetric[None]):
    """F₀.₅ of lines that contain numbers of right, wrong and missed edits."""

    name: ClassVar[str] = "counts-in-text"
    columns: ClassVar[tuple[str, ...]] = ("tp", "fp", "fn")
    uses_references: ClassVar[bool] = False
    f: ClassVar[F] = F(0.5, (1, 0, 0), (1, 1, 0), (1, 0, 1), (0, 1, 0), (0, 0, 1), ())  # type: ignore[misc]

    def prepare(self, corpus: Corpus, threads: int = 0) -> None:
        """Prepare nothing."""

    def count(self, prepared: None, hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Counts:
        """Return the numbers of the lines."""
        rows = [list(map(int, str(line).split())) for line in hypothesis]
        return Counts(np.array(rows)[:, np.newaxis], self.columns)


class Share(NamedTuple):
    """Intervals that contain the true score, and rejections, as shares of the simulations."""

    coverage: float
    rejections: float


def draw_system(per_essay: int, deviation: float, rng: np.random.Generator) -> list[str]:
    """Return the counts of a system as lines."""
    essays = SENTENCES // per_essay
    # Gamma variables with mean 1.
    shape = 1 / deviation**2 if deviation else np.inf
    factors = rng.gamma(shape, 1 / shape, (essays, 3)) if deviation else np.ones((essays, 3))
    counts = rng.poisson(np.repeat(factors * RATES, per_essay, axis=0))
    return [" ".join(map(str, row)) for row in counts.tolist()]


def simulate(per_essay: int, deviation: float, simulations: int, first_seed: int = 0) -> dict[str, Share]:
    """Return the shares by unit, "sentence" and "essay"."""
    metric, essays = CountsInText(), np.repeat(np.arange(SENTENCES // per_essay), per_essay).tolist()
    truth = float(metric.score(np.array(RATES)))
    units = {"sentence": None, "essay": essays}
    covered, rejected = dict.fromkeys(units, 0), dict.fromkeys(units, 0)
    for seed in range(first_seed, first_seed + simulations):
        rng = np.random.default_rng([per_essay, round(100 * deviation), seed])
        systems = {name: draw_system(per_essay, deviation, rng) for name in "AB"}
        corpus = Corpus(["x"] * SENTENCES, (), systems)
        for unit, blocks in units.items():
            options: dict[str, Any] = {"samples": SAMPLES, "seed": seed, "blocks": blocks, "threads": 1}
            comparison = compare(corpus, [metric], checks=False, **options)
            score, [pair] = comparison.systems[0], comparison.pairs
            covered[unit] += score.low <= truth <= score.high
            rejected[unit] += pair.p < 0.05
    return {unit: Share(covered[unit] / simulations, rejected[unit] / simulations) for unit in units}


def table(results: dict[tuple[int, float], dict[str, Share]]) -> str:
    """Return the results in Markdown."""
    heads = "| sentences per essay | deviation between essays | 95 % intervals: by sentence | by essay | "
    lines = [heads + "rejections at 5 %: by sentence | by essay |", "|---|---|---|---|---|---|"]
    for (per_essay, deviation), shares in results.items():
        numbers = [shares[unit][column] for column in (0, 1) for unit in ("sentence", "essay")]
        cells = [str(per_essay), f"{100 * deviation:.0f} %", *(f"{100 * number:.1f} %" for number in numbers)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Write the table to the page."""
    cells = list(itertools.product(PER_ESSAY, DEVIATIONS))
    with ProcessPoolExecutor() as pool:
        results = dict(zip(cells, pool.map(_cell, cells), strict=True))
    page = PAGE.read_text(encoding="utf-8")
    before, begin, rest = page.partition("<!-- begin: essays -->\n")
    _, end, after = rest.partition("<!-- end: essays -->")
    PAGE.write_text(f"{before}{begin}\n{table(results)}\n\n{end}{after}", encoding="utf-8")


def _cell(cell: tuple[int, float]) -> dict[str, Share]:
    return simulate(*cell, SIMULATIONS)


if __name__ == "__main__":
    main()
