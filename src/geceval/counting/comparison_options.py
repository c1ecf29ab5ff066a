"""Options of a comparison of systems: pairs, test, number of samples."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from geceval.base.arguments import (
    ALPHA,
    KERNEL_SEEDS,
    SAMPLES,
    THREADS,
    choice,
    choices,
    counted,
    did_you_mean,
    number,
    whole,
)
from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option, Step, named_option
from geceval.statistics.multiple_tests import ADJUSTMENTS, Adjustment
from geceval.text.files import SOURCE
from geceval.text.system_files import duplicate_system_error

Test: TypeAlias = Literal["randomisation", "bootstrap"]
TestedPairs: TypeAlias = Literal["all", "none"]
#: Kinds of replicates: bootstrap samples, or the sentences whose labels are swapped.
ReplicateKind: TypeAlias = Literal["poisson", "swap"]

#: Default number of samples; corrections of many tests require more.
USUAL = 10000
#: Number of pairs (of 25 systems) up to which their tests are corrected by Holm by default.
MOST_PAIRS = 300
#: Upper limit of the samples that a tiny alpha requires, so that the quotient stays finite.
_NO_END = 1e18


def members_of(runs: Mapping[str, Sequence[str]], names: Sequence[str]) -> dict[str, list[int]]:
    """Return the systems, in order, with the indices of their runs in ``names``.

    Raises UsageError if a run does not exist or a system has the name of another one.
    """
    index_of = {name: k for k, name in enumerate(names)}
    system_of = {run: system for system, run_names in runs.items() for run in run_names}
    for run, system in system_of.items():
        if run not in index_of:
            raise UsageError(f"unknown run {run!r} of {system}: choose from {choices(names)}")
        if system in index_of or system == SOURCE:
            raise duplicate_system_error(system)
    members: dict[str, list[int]] = {}
    for name, k in index_of.items():
        members.setdefault(system_of.get(name, name), []).append(k)
    return members


def needed(tests: int, alpha: float, adjust: Adjustment = "holm") -> int:
    """Return the smallest number of samples with which tests can show a difference.

    The smallest p-value of a sampled test, 1 / (samples + 1), must fall below alpha once corrected. Holm multiplies it
    by the number of tests; Benjamini and Hochberg leave it unchanged if all tests have it.
    """
    if not tests:
        return 1
    tiny = 2.0**-60  # exact, as its multiples are
    factor = float(ADJUSTMENTS[adjust](np.full(tests, tiny)).min()) / tiny
    samples = max(1, math.ceil(min(factor / alpha, _NO_END)) - 1)
    return samples if factor / (samples + 1) < alpha else samples + 1


def check_samples(samples: int, tests: int, alpha: float, adjust: Adjustment) -> None:
    """Raise UsageError if no test can show a difference with this number of samples."""
    enough = needed(tests, alpha, adjust)
    if samples >= enough:
        return
    correction = "" if adjust == "none" else f" corrected by {adjust}"
    of_tests = f"{counted(tests, 'test')}{correction} at alpha={alpha:g}"
    if enough > SAMPLES.high:
        hint = "use adjust=bh or a larger alpha" if adjust == "holm" else "use a larger alpha"
        message = f"{of_tests} require {enough:,} samples, and at most {SAMPLES.high:,} are supported"
        raise UsageError(message, hint=hint)
    message = f"{samples} samples are too few for {of_tests}: no difference could be shown"
    raise UsageError(message, hint=Hint("use ", named_option("samples", str(enough)), " or more"))


@dataclass(frozen=True)
class Options:
    """Options of a comparison; see the arguments of ``compare``."""

    baseline: str | None = None
    test: Test | None = None
    samples: int = USUAL
    seed: int = 0
    alpha: float = 0.05
    adjust: Adjustment | None = None
    pairs: TestedPairs = "all"
    threads: int = 0
    #: Whether the default correction is Benjamini and Hochberg's, since Holm's requires too many samples.
    many: bool = False
    #: Names of the runs of each system with several runs.
    runs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: Number of bootstrap samples, if it is not ``samples``.
    bootstrap_samples: int = 0
    #: Name of the only metric whose pairs are tested; None: all metrics.
    primary: str | None = None

    def __post_init__(self) -> None:
        if self.by_model and self.test is not None:
            message = f"test {self.test} cannot resample runs, which are compared by Student's t"
            raise UsageError(message, hint=Hint("omit ", Step(Hint("test= (", Option("test"), ")"), "test=")))
        if self.test is None and not self.by_model:
            object.__setattr__(self, "test", "randomisation")
        if self.test is not None:
            choice("test", self.test, get_args(Test))
        choice("pairs", self.pairs, get_args(TestedPairs))
        if self.adjust is not None:
            choice("adjust", self.adjust, ADJUSTMENTS)
        for name, bounds in {"samples": SAMPLES, "seed": KERNEL_SEEDS, "threads": THREADS}.items():
            object.__setattr__(self, name, whole(name, getattr(self, name), bounds))
        if not self.bootstrap_samples:
            object.__setattr__(self, "bootstrap_samples", self.samples)
        object.__setattr__(self, "alpha", number("alpha", self.alpha, ALPHA))

    @property
    def by_model(self) -> bool:
        """Whether intervals and tests have the variance of runs and sentences."""
        return bool(self.runs)

    def pairs_of(self, systems: Sequence[str]) -> list[tuple[int, int]]:
        """Return the pairs to test, as indices of systems, without the source."""
        systems = list(members_of(self.runs, systems))
        indices = [k for k, name in enumerate(systems) if name != SOURCE]
        if self.baseline is not None and self.baseline not in systems:
            message = f"unknown baseline {self.baseline!r}: choose from {choices(systems)}"
            raise UsageError(message, hint=did_you_mean(self.baseline, systems))
        if self.pairs == "none":
            if not systems:
                raise UsageError("intervals require at least one system, not 0")
            return []
        if len(indices) < 2:
            raise UsageError(f"a comparison requires at least two systems, not {len(indices)}")
        if self.baseline is None:
            return list(combinations(indices, 2))
        baseline = systems.index(self.baseline)
        return [(k, baseline) for k in indices if k != baseline]

    def with_samples(self, samples: int | None, systems: Sequence[str], metrics: int) -> Options:
        """Return the options with a number of samples, by default enough.

        The default is USUAL, or for tests twice the number that the correction requires for ``metrics`` metrics if that
        is more; at most a million. More than MOST_PAIRS pairs are corrected by Benjamini and Hochberg by default.

        Raises:
            UsageError: If no test can show a difference with this number.
        """
        pairs = len(self.pairs_of(systems))
        options = replace(self, many=self.adjust is None and pairs > MOST_PAIRS)
        metrics = 0 if self.by_model else 1 if self.primary is not None else metrics
        correction, tests = options.adjustment(of_groups=False), pairs * metrics
        default, of_intervals = (
            min(int(SAMPLES.high), max(USUAL, 2 * needed(number_of_tests, self.alpha, correction)))
            for number_of_tests in (tests, tests if self.test == "bootstrap" else 1)
        )
        of_tests = default if samples is None else whole("samples", samples, SAMPLES)
        of_intervals = of_intervals if samples is None else of_tests
        options = replace(options, samples=of_tests, bootstrap_samples=of_intervals)
        if tests:
            check_samples(options.samples, tests, self.alpha, correction)
        return options

    def number_of(self, kind: ReplicateKind) -> int:
        """Return the number of replicates of a kind."""
        return self.bootstrap_samples if kind == "poisson" else self.samples

    def swaps(self, pairs: Sequence[Any]) -> bool:
        """Return whether the test swaps the labels of these pairs."""
        return bool(pairs) and self.test == "randomisation"

    @property
    def few(self) -> int:
        """Largest number of differing units whose labellings are at most ``samples``."""
        return self.samples.bit_length() - 1

    def adjustment(self, *, of_groups: bool) -> Adjustment:
        """Return the correction of the p-values of the whole corpus, or of groups."""
        return self.adjust or ("bh" if of_groups or self.many else "holm")
