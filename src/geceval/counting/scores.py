"""Scores with their parts and signatures."""

from __future__ import annotations

import dataclasses
import math
import numbers
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from geceval.base.errors import UsageError

Level: TypeAlias = Literal["corpus", "sentence", "mean"]
LEVELS: tuple[Level, ...] = get_args(Level)


def number_of(part: float | None) -> float:
    """Return a part of a score as a number, NaN for None."""
    return math.nan if part is None else part


def part_of(number: float) -> float | None:
    """Return a number as a part of a score, None for NaN."""
    return None if math.isnan(number) else number


@dataclass(frozen=True, repr=False)
class Score:
    """A score with its parts and its signature.

    It is formatted and ordered like its value: ``f"{score:.2f}"``, ``score > 0.5``, ``max(scores)``. Two scores are
    equal if all attributes are equal.

    Attributes:
        metric: Name of the metric.
        value: Value, in [0, 1] for most metrics.
        signature: Settings and properties of the input that affect the value.
        level: "corpus", "sentence" or "mean".
        sentences: Number of sentences.
        parts: Parts of the score by name, such as precision; None for a part without a value, such as precision if
            nothing is proposed.
        totals: Summed counts by column; means over samples if references are sampled.
        deviation: Standard deviation over samples, if references are sampled, or between several runs of a system.
        ceiling: Best score of the gold's own corrected texts, if given gold edits meet text (docs/annotation.md).
        ceilings: Score of the corrected text of each annotator of the gold, by number.
    """

    metric: str
    value: float
    signature: str
    level: Level = "corpus"
    sentences: int = 0
    parts: Mapping[str, float | None] = field(default_factory=dict)
    totals: Mapping[str, float] = field(default_factory=dict)
    deviation: float | None = None
    ceiling: float | None = None
    ceilings: Mapping[str, float] = field(default_factory=dict)

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        shown_parts = {name: self.parts[name] for name in ("precision", "recall") if name in self.parts}
        parts = "".join(f", {name} {'–' if part is None else f'{part:.4f}'}" for name, part in shown_parts.items())
        return f"<{self.metric} {self.value:.4f}{parts}>"

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def _ordered(self, other: object, order: Callable[[float, float], bool]) -> bool:
        if isinstance(other, Score):
            if other.metric != self.metric:
                raise UsageError(f"scores of {self.metric} and {other.metric} cannot be compared")
            return order(self.value, other.value)
        if isinstance(other, numbers.Real):
            return bool(order(self.value, float(other)))
        return NotImplemented  # type: ignore[no-any-return]

    def __lt__(self, other: object) -> bool:
        return self._ordered(other, operator.lt)

    def __le__(self, other: object) -> bool:
        return self._ordered(other, operator.le)

    def __gt__(self, other: object) -> bool:
        return self._ordered(other, operator.gt)

    def __ge__(self, other: object) -> bool:
        return self._ordered(other, operator.ge)

    def _part(self, name: str) -> float:
        if name not in self.parts:
            names = ", ".join(self.parts) or "none"
            raise AttributeError(f"a score of {self.metric} ({self.level}) has no {name}; its parts: {names}")
        return number_of(self.parts[name])

    @property
    def precision(self) -> float:
        """Precision; NaN if nothing is proposed.

        Raises AttributeError if the metric has none.
        """
        return self._part("precision")

    @property
    def recall(self) -> float:
        """Recall; NaN if there is nothing to find.

        Raises AttributeError if the metric has none.
        """
        return self._part("recall")

    def to_dict(self) -> dict[str, Any]:
        """Return numbers and strings by name; ``Score(**score.to_dict())`` equals it."""
        fields = dataclasses.asdict(self) | {"parts": dict(self.parts), "totals": dict(self.totals)}
        if self.ceiling is None:
            del fields["ceiling"], fields["ceilings"]
        return fields
