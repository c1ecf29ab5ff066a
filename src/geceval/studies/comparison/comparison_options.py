"""How systems are compared: which pairs, by which test, with how many samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal, TypeAlias, get_args

from geceval.base.arguments import ALPHA, KERNEL_SEEDS, SAMPLES, THREADS, choice, number, whole
from geceval.base.errors import UsageError
from geceval.statistics.significance import ADJUSTMENTS, Adjustment
from geceval.text.files import SOURCE

Test: TypeAlias = Literal["randomisation", "bootstrap"]
IntervalKind: TypeAlias = Literal["percentile", "bca"]
Pairs: TypeAlias = Literal["all", "none"]
References: TypeAlias = Literal["auto", "frozen", "optimum"]

#: Samples, unless so many tests are corrected that more are needed.
USUAL = 10000
#: More samples than anybody draws, for levels so small that a number of samples has no name.
_NO_END = 1e18


def needed(tests: int, alpha: float) -> int:
    """The samples with which a p of 1 / (samples + 1), corrected by Holm for so many tests, can fall below alpha."""
    return math.ceil(min(tests / alpha, _NO_END))


@dataclass(frozen=True)
class Options:
    """How systems are compared; see ``compare``."""

    baseline: str | None = None
    test: Test = "randomisation"
    interval: IntervalKind = "percentile"
    samples: int = USUAL
    seed: int = 0
    alpha: float = 0.05
    adjust: Adjustment | None = None
    references: References = "auto"
    pairs: Pairs = "all"
    threads: int = 0

    def __post_init__(self) -> None:
        kinds = {"test": Test, "interval": IntervalKind, "references": References, "pairs": Pairs}
        for name, kind in kinds.items():
            choice(name, getattr(self, name), get_args(kind))
        if self.adjust is not None:
            choice("adjust", self.adjust, ADJUSTMENTS)
        for name, bounds in {"samples": SAMPLES, "seed": KERNEL_SEEDS, "threads": THREADS}.items():
            object.__setattr__(self, name, whole(name, getattr(self, name), bounds))
        object.__setattr__(self, "alpha", number("alpha", self.alpha, ALPHA))

    def pairs_of(self, systems: Sequence[str]) -> list[tuple[int, int]]:
        """The pairs that are tested, as places in ``systems``; the unchanged source is none of them."""
        own = [k for k, name in enumerate(systems) if name != SOURCE]
        if self.baseline is not None and self.baseline not in systems:
            raise UsageError(f"no system {self.baseline!r} to be the baseline: there is {', '.join(systems)}")
        if self.pairs == "none":
            return []
        if len(own) < 2:
            raise UsageError(f"a comparison needs two systems or more, not {len(own)}")
        if self.baseline is None:
            return list(combinations(own, 2))
        base = list(systems).index(self.baseline)
        return [(k, base) for k in own if k != base]

    def with_enough(self, systems: Sequence[str], metrics: int) -> Options:
        """With the usual samples, or twice what tests of all pairs under so many metrics need (at most a million)."""
        tests = len(self.pairs_of(systems)) * metrics if self.adjust in (None, "holm") else 0
        most = int(SAMPLES.high)
        return replace(self, samples=min(most, max(USUAL, 2 * needed(tests, self.alpha))))

    def swaps(self, pairs: Sequence[Any]) -> bool:
        """Whether labels of these pairs are swapped."""
        return bool(pairs) and self.test == "randomisation"

    @property
    def few(self) -> int:
        """With at most so many differing units all labellings are no more than ``samples``."""
        return self.samples.bit_length() - 1

    def adjustment(self, *, of_groups: bool) -> Adjustment:
        """How the p-values of whole corpora, or of groups, are corrected."""
        return self.adjust or ("bh" if of_groups else "holm")


def options_for(systems: Sequence[str], metrics: int, samples: int | None, **how: Any) -> Options:
    """The options of a comparison; ``samples`` None: as many as so many systems and metrics need."""
    return Options(**how).with_enough(systems, metrics) if samples is None else Options(samples=samples, **how)
