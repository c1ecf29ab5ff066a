"""Rewards for training: a metric as a function of TRL; verl.py and verifiers.py have it for these."""

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

#: What a completion that is no text is worth: the metric's lowest score, or nothing is said of it.
Malformed: TypeAlias = Literal["lowest", "none"]


@dataclass(frozen=True)
class Reward:
    """What a correction is worth: its sentence score, a number for each completion. See ``rewards``."""

    metric: Metric[Any]
    source: str = "source"
    references: str = "references"
    extract: Callable[[Any], str] = last_message
    malformed: Malformed = "lowest"
    threads: int = 0

    @property
    def __name__(self) -> str:
        """How logs call it."""
        return self.metric.name

    def __call__(self, *, completions: Sequence[Any], **columns: Any) -> list[float | None]:
        """The rewards of ``completions[n]``, given the columns of the data set, ``columns[name][n]``.

        None where a row has no source or no references. Whatever else TRL hands over is not looked at.
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
        """A column of the data set; None everywhere, and a warning, if there is none of that name."""
        if name not in columns:
            names = ", ".join(sorted(columns))
            message = f"reward {self.__name__}: the data have no column {name!r}, and there is no reward ({names})"
            warnings.warn(message, GecevalWarning, stacklevel=4)
        return columns.get(name, [None] * size)  # type: ignore[no-any-return]

    @property
    def sees_references(self) -> bool:
        """Whether the metric looks at references."""
        return self.metric.evidence_of != "nothing"

    def _read_row(self, source: Any, completion: Any, references: Any) -> _Sample | None:
        """None where there is no source or no reference; a text alone is one reference."""
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
        except InputError:  # of one of them: a sentence too long to be aligned, say
            return [self._score(*row) for row in rows]

    def _score(self, source: str, text: str, references: tuple[str, ...]) -> float | None:
        try:
            return self.metric.sentence_score(source, text, references)
        except InputError:
            return self._lowest

    def worth(self, source: Any, completion: Any, references: Any) -> float:
        """The reward of one completion, or the metric's lowest score; what is prepared of its source and references is
        remembered."""
        row = self._read_row(source, completion, references)
        found = None
        if row is None:
            missing = f"a sample has no {self.source!r} or no references"
            message = f"reward {self.__name__}: {missing}, and there is no reward"
            warnings.warn(message, GecevalWarning, stacklevel=3)
        elif row.text is not None:
            found = self._score(row.source, row.text, row.references)
        return self.metric.range[0] if found is None else found


class _Sample(NamedTuple):
    """A source, a completion (None: it is no text) and the references."""

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
    """A reward function for TRL (``reward_funcs=[geceval.rewards("errant")]``): each completion's sentence score.

    ``source`` and ``references`` name columns of the data set: the sentence, and its corrections (a text, or a list of
    them). ``extract`` makes the correction of a completion: it is the text, or that of the last message, without the
    blanks around it. Malformed completions never raise: they are worth the metric's lowest score, or by
    ``malformed="none"`` nothing is said of them; no reward, too, where a row lacks a column. For any thread; can be
    pickled. Raises UsageError for a metric that cannot be a reward: several, one by gold edits or in which less is
    better.
    """
    scored = one_metric(metric)
    if scored.evidence_of == "gold":
        hint = "errant finds edits in references"
        raise UsageError(f"a reward has no gold edits, which {scored.name} needs", hint=hint)
    if (scored.pooled and scored.evidence_of == "nothing") or not scored.higher_is_better:
        raise UsageError(
            f"{scored.name} is no reward: it says nothing of a correction by itself, or less of it is better"
        )
    choice("malformed", malformed, get_args(Malformed))
    if malformed == "lowest" and scored.range[0] == -math.inf:
        raise UsageError(f"{scored.name} has no lowest score, to be that of malformed text", hint='malformed="none"')
    for name, column in (("source", source), ("references", references)):
        if not isinstance(column, str):
            raise UsageError(f"{name} is the name of a column")
    if not callable(extract):
        raise UsageError("extract is a function that makes the correction of a completion")
    return Reward(scored, source, references, extract, malformed, whole("threads", threads, THREADS))
