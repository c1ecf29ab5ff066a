"""Scores and ranks of systems by human judgments or ratings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from geceval.agreement.judgments import Judgments, Ratings
from geceval.agreement.people import MEASURES, People
from geceval.agreement.study import DEFAULTS, Study, StudyOptions
from geceval.base.arguments import RESAMPLES, Bounds, whole
from geceval.counting.run_options import Progress
from geceval.statistics import Floats
from geceval.statistics.rank_ranges import Placing, placings


def people_scores(study: Study, options: StudyOptions) -> Floats:
    """Return human scores [n] of the systems under study, compared with all systems."""
    measure = measure_of(study.people, options)
    return MEASURES[measure].score(study.people, seed=options.seed, threads=options.threads)[study.indices]


def measure_of(people: People, options: StudyOptions) -> str:
    """Return the name of the requested or default measure."""
    return options.measure or ("expected-wins" if people.ratings is None else "mean-rating")


@dataclass(frozen=True)
class PeopleRanking:
    """Human ranking of all judged systems.

    Attributes:
        measure: Name of the aggregation.
        scores: Score by system.
        placings: Systems from best to worst, with rank ranges and clusters.
        replicates: Number of replicates.
        seed: Seed of the replicates.
        pairs: "outputs" if a verdict on two outputs counts once, else "systems".
    """

    measure: str
    scores: Mapping[str, float]
    placings: tuple[Placing, ...]
    replicates: int
    seed: int
    pairs: str


def rank_by_people(
    human: Judgments | Ratings, options: StudyOptions = DEFAULTS, progress: Progress | None = None
) -> PeopleRanking:
    """Rank systems by human judgments or ratings, with rank ranges and clusters.

    Args:
        human: Judgments or ratings.
        options: Options; ``measure``, ``resamples``, ``seed`` and ``threads`` are used.
        progress: Called with the number of replicates done since its last call.

    Returns:
        The systems from best to worst; rank ranges and clusters come from resampled judgments or ratings.

    Raises:
        UsageError: If "mean-rating" is requested without ratings, or there are fewer than two resamples.
    """
    people, count = People.of(human), whole("resamples", options.resamples, Bounds(2, RESAMPLES.high))
    if options.pairs == "outputs":
        people = people.with_output_weights()
    systems, name = people.pairs.systems, measure_of(people, options)
    measure, parts = MEASURES[name], []
    for part in measure.runs(people, seed=options.seed, count=count, threads=options.threads):
        parts.append(part)
        if progress is not None:
            progress(len(part))
    runs = np.concatenate(parts)
    scores: Floats = runs.mean(axis=0)
    if measure.exact_score:
        scores = measure.score(people, seed=options.seed, threads=options.threads)
    rows = placings(systems, runs, scores=scores)
    scored = dict(zip(systems, scores.tolist(), strict=True))
    return PeopleRanking(name, scored, tuple(rows), count, options.seed, options.pairs)
