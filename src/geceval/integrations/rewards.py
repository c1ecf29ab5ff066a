"""Rewards for training by TRL; verl.py and verifiers.py adapt them."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from geceval.base.arguments import THREADS, choice, is_text, whole
from geceval.base.errors import GecevalError, GecevalWarning, InputError, UsageError
from geceval.counting.metric import Metric
from geceval.counting.scoring.scored_pairs import pair_scores
from geceval.counting.scoring.scorer import one_metric
from geceval.integrations.framework_rows import last_message

#: Reward of a malformed completion: the metric's lowest score, or none.
Malformed: TypeAlias = Literal["lowest", "none"]


@dataclass(frozen=True)
class Reward:
    """Reward function for TRL that returns sentence scores; see ``rewards``."""

    metric: Metric[Any]
    source: str = "source"
    references: str = "references"
    extract: Callable[[Any], str] = last_message
    malformed: Malformed = "lowest"
    threads: int = 0

    @property
    def __name__(self) -> str:
        """Name in logs."""
        return self.metric.name

    def __call__(self, *, completions: Sequence[Any], **columns: Any) -> list[float | None]:
        """Return the rewards [N] of completions [N].

        Args:
            completions: Completions [N], texts or messages.
            columns: Columns [N] of the data set by name; others are ignored.

        Returns:
            Sentence scores; None for rows without source or references.
        """
        sources = self._column(self.source, columns, len(completions))
        references = self._column(self.references, columns, len(completions)) if self.sees_references else sources
        rows = [self._read_row(*row) for row in zip(sources, completions, references, strict=True)]
        rewards = [None if row is None else self._lowest for row in rows]
        good = [n for n, row in enumerate(rows) if row is not None and row.text is not None]
        for n, score in zip(good, self._score_rows([rows[n] for n in good]), strict=True):
            rewards[n] = score
        return rewards

    def _column(self, name: str, columns: dict[str, Any], size: int) -> Sequence[Any]:
        """Return a column of the data set; if it is missing, warn and return None values."""
        if name not in columns:
            names = ", ".join(sorted(columns))
            message = f"reward {self.__name__}: no rewards, since the data have no column {name!r} (columns: {names})"
            warnings.warn(message, GecevalWarning, stacklevel=4)
        return columns.get(name, [None] * size)  # type: ignore[no-any-return]

    @property
    def sees_references(self) -> bool:
        """Whether the metric uses references."""
        return self.metric.evidence_of != "nothing"

    def _read_row(self, source: Any, completion: Any, references: Any) -> _Sample | None:
        """Return a sample, or None without source or reference; a text is one reference."""
        texts = [references] if isinstance(references, str) else references if isinstance(references, Iterable) else []
        kept = tuple(text for text in texts if text is not None) if self.sees_references else ()
        if not (is_text(source) and all(map(is_text, kept))) or (self.sees_references and not kept):
            return None
        try:
            text = self.extract(completion)
        except GecevalError:
            text = None
        return _Sample(source, text if is_text(text) else None, kept)

    @property
    def _lowest(self) -> float | None:
        return self.metric.range[0] if self.malformed == "lowest" else None

    def _score_rows(self, rows: Sequence[Any]) -> list[float | None]:
        if not rows:
            return []
        try:
            return list(pair_scores(self.metric, *zip(*rows, strict=True), threads=self.threads).tolist())
        except InputError:  # of one row, such as a sentence that is too long to be aligned
            return [self._score(*row) for row in rows]

    def _score(self, source: str, text: str, references: tuple[str, ...]) -> float | None:
        try:
            return self.metric.sentence_score(source, text, references)
        except InputError:
            return self._lowest

    def worth(self, source: Any, completion: Any, references: Any) -> float:
        """Return the reward of one completion, or the metric's lowest score.

        The preparation of source and references is cached.

        Args:
            source: Source sentence.
            completion: Completion, text or messages.
            references: Reference, or a list of references.
        """
        row = self._read_row(source, completion, references)
        found = None
        if row is None:
            message = f"reward {self.__name__}: lowest reward, since a sample has no {self.source!r} or no references"
            warnings.warn(message, GecevalWarning, stacklevel=3)
        elif row.text is not None:
            found = self._score(row.source, row.text, row.references)
        return self.metric.range[0] if found is None else found


class _Sample(NamedTuple):
    """Source, completion (None if malformed) and references of a row."""

    source: str
    text: str | None
    references: tuple[str, ...]


def rewards(
    metric: str | Metric[Any] = "green",
    *,
    source: str = "source",
    references: str = "references",
    extract: Callable[[Any], str] = last_message,
    malformed: Malformed = "lowest",
    threads: int = 0,
) -> Reward:
    """Return a reward function for TRL: ``reward_funcs=[geceval.rewards("errant")]``.

    The reward of a completion is its sentence score. Malformed completions never raise. The function can be used in
    threads and pickled.

    Args:
        metric: Metric or specification, such as ``green:beta=0.5``.
        source: Name of the column with the source sentence.
        references: Name of the column with the reference, a text or a list of texts.
        extract: Function from a completion to the corrected sentence (default: the text, or the last message, without
            blanks around it).
        malformed: Reward of malformed completions: "lowest", the metric's lowest score, or "none".
        threads: Number of threads (0: one per processor).

    Returns:
        A function that returns a reward per completion, on the metric's scale; None for rows without source or
        references.

    Raises:
        UsageError: If the metric requires gold edits or several systems, or its low scores are good; or if several
            metrics are given.
    """
    scored = one_metric(metric)
    if scored.evidence_of == "gold":
        hint = "use errant, which extracts edits from references"
        raise UsageError(f"rewards have no gold edits, which {scored.name} requires", hint=hint)
    if (scored.pooled and scored.evidence_of == "nothing") or not scored.higher_is_better:
        raise UsageError(
            f"{scored.name} cannot be a reward: it does not score single corrections, or its low scores are good"
        )
    choice("malformed", malformed, get_args(Malformed))
    if malformed == "lowest" and scored.range[0] == -math.inf:
        raise UsageError(f"{scored.name} has no lowest score for malformed text", hint='use malformed="none"')
    for name, column in (("source", source), ("references", references)):
        if not isinstance(column, str):
            raise UsageError(f"{name} must be the name of a column")
    if not callable(extract):
        raise UsageError("extract must be a function from a completion to the correction")
    return Reward(scored, source, references, extract, malformed, whole("threads", threads, THREADS))
