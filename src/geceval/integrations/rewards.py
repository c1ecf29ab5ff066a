"""Rewards for training by TRL."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from threading import Lock
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from geceval._kernel import Text
from geceval.base.arguments import THREADS, Bounds, as_sequence, choice, is_text, number, shown, whole
from geceval.base.caller_warnings import warn
from geceval.base.errors import GecevalError, InputError, UsageError, short_traceback
from geceval.counting.checks.check_table import threshold
from geceval.counting.checks.limits import Limits
from geceval.counting.checks.lost_characters import lost_characters
from geceval.counting.checks.text_properties import TextProperties
from geceval.counting.metric import Metric
from geceval.counting.metric_names import name_with_settings, one_metric
from geceval.integrations.framework_rows import last_message
from geceval.selection.pair_features import pair_scores, warning_of_short_texts
from geceval.text.line_rules import LineRules
from geceval.text.preparation import NOTHING, Preparation
from geceval.text.tokenisers import Tokeniser

#: Reward of a malformed completion: the metric's lowest score, or none.
Malformed: TypeAlias = Literal["lowest", "none"]

#: Maximum number of tokens of a completion by default: the first, and the second for each token of its source. No
#: reference or output of the public corpora has more than 4 times the tokens of its source and 30 more.
_TOKENS, _TOKENS_PER_TOKEN = 100, 10
#: Share of completions, and from how many times the characters of their sources on, that are much longer.
_MOST_LONG, _LONGER = threshold("several", "share"), threshold("several", "longer")
#: Held while counting completions.
_COUNTING = Lock()


class _ExaminedTexts:
    """The first completions, with their sources and references."""

    def __init__(self) -> None:
        self.completions, self.sources, self.references = map(TextProperties, ("completions", "sources", "references"))
        self.long = 0

    def faults(self, rows: Sequence[_Sample]) -> Iterator[tuple[str, str]]:
        """Add samples; yield the name and the message of each fault of the completions so far."""
        self.completions.add(Text(row.text for row in rows))
        self.sources.add(Text(row.source for row in rows))
        self.references.add(Text((*row.references, row.source)[0] for row in rows))
        self.long += sum(len(row.text or "") > _LONGER * len(row.source) for row in rows)
        traits = self.completions.trait("tokens"), self.references.trait("tokens")
        if set(traits) == {"tokenised", "not tokenised"}:
            message = f"completions are {traits[0]}, and references {traits[1]}: tokenise='english' tokenises both"
            yield "tokens", message
        if (finding := lost_characters(self.completions, self.sources)) is not None:
            yield "characters", f"completions: {finding.message}"
        lines = self.completions.lines
        if lines >= Limits.least and self.long > _MOST_LONG * lines:
            message = (
                f"{self.long} of the first {lines} completions are much longer than their sources:"
                " extract= or clean= reads the correction only"
            )
            yield "long", message


@dataclass(frozen=True)
class Reward:
    """Reward function for TRL that returns sentence scores; see ``rewards``.

    ``counts`` are the numbers of ``completions`` so far, of ``malformed`` and ``too_long`` ones, of ``unscorable``
    ones, whose source or references the metric cannot score, or for which it has no value, and of ``false_alarms``, if
    there is a penalty.
    """

    metric: Metric[Any]
    source: str = "source"
    references: str = "references"
    extract: Callable[[Any], str] = last_message
    malformed: Malformed = "lowest"
    threads: int = 0
    preparation: Preparation = NOTHING
    length: float | None = None
    false_alarm_penalty: float = 0.0
    counts: Counter[str] = field(default_factory=Counter, compare=False)
    _examined: _ExaminedTexts = field(default_factory=_ExaminedTexts, compare=False, repr=False)
    #: Warnings of which each is issued once.
    _warned: set[str] = field(default_factory=set, compare=False, repr=False)

    @property
    def __name__(self) -> str:
        """Name in logs, with the settings of the metric: TRL joins the numbers of rewards with one name."""
        return name_with_settings(self.metric)

    @short_traceback
    def __call__(self, *, completions: Sequence[Any], **columns: Any) -> list[float | None]:
        """Return the rewards [N] of completions [N].

        Args:
            completions: Completions [N], texts or messages.
            columns: Columns [N] of the data set by name; others are ignored.

        Returns:
            Sentence scores; None for rows whose source or references are missing or cannot be scored.

        Raises:
            InputError: If a column is missing or has another number of rows.
        """
        completions = as_sequence("completions", completions, "completion")
        sources = self._column(self.source, columns, len(completions))
        references = self._column(self.references, columns, len(completions)) if self.sees_references else sources
        rows = [self._read_row(*row) for row in zip(sources, completions, references, strict=True)]
        samples = [row for row in rows if row is not None]
        with _COUNTING:
            self.counts.update(completions=len(samples), malformed=sum(row.text is None for row in samples))
        if rows and not samples:
            names = " or ".join([self.source, *([self.references] if self.sees_references else [])])
            self._warn_once("missing", f"no rewards, since no row of a batch has {names}")
        if len(samples) > 1 and all(row.text is None for row in samples):
            example = shown(completions[next(n for n, row in enumerate(rows) if row is not None)])
            message = f"no completion of a batch has a text, such as {example}: extract= reads another form"
            self._warn_once("malformed", message)
        texts = {n: row for n, row in enumerate(rows) if row is not None and row.text is not None}
        short = self._prepare_rows(texts)
        rewards = [None if row is None else self._of_malformed for row in rows]
        for n in texts:
            rewards[n] = self._lowest
        for n, score in zip(short, self._score_rows(list(short.values())), strict=True):
            rewards[n] = score
            if score is not None and math.isnan(score):
                rewards[n] = None
                self._count_unscorable("the metric has no value for it")
        if self.false_alarm_penalty:
            self._subtract_penalties(rewards, {n: short.get(n, row) for n, row in enumerate(rows) if row is not None})
        return rewards

    def _subtract_penalties(self, rewards: list[float | None], samples: Mapping[int, _Sample]) -> None:
        """Subtract the penalty from the rewards of completions that change a correct source, or are malformed."""
        for n, (source, text, references) in samples.items():
            reward, tokens = rewards[n], source.split()
            is_correct = all(reference.split() == tokens for reference in references)
            if reward is not None and is_correct and (text or "").split() != tokens:
                rewards[n] = reward - self.false_alarm_penalty
                with _COUNTING:
                    self.counts["false_alarms"] += 1

    def _column(self, name: str, columns: dict[str, Any], size: int) -> Sequence[Any]:
        """Return a column of the data set."""
        if name not in columns:
            role = "source" if name == self.source else "references"
            raise InputError(
                f"reward {self.__name__}: the data have no column {name!r} (columns: {', '.join(sorted(columns))})",
                hint=f"name the column of the {role}: geceval.rewards(…, {role}=NAME)",
            )
        column = as_sequence(f"column {name!r}", columns[name], "value")
        if len(column) != size:
            raise InputError(
                f"column {name!r} has {len(column)} rows for {size} completions",
                hint="repeat each row for each of its completions",
            )
        return column

    @property
    def sees_references(self) -> bool:
        """Whether the metric uses references."""
        return self.metric.uses_references

    def _read_row(self, source: Any, completion: Any, references: Any) -> _Sample | None:
        """Return a sample, or None without source or reference; a text is one reference."""
        # Lists first: the abstract classes take longer. The keys of a mapping are no references.
        many = isinstance(references, (list, tuple)) or (
            isinstance(references, Iterable) and not isinstance(references, Mapping)
        )
        texts = [references] if isinstance(references, str) else references if many else []
        present = tuple(text for text in texts if text is not None) if self.sees_references else ()
        if not (is_text(source) and all(map(is_text, present))) or (self.sees_references and not present):
            return None
        try:
            text = self.extract(completion)
        except GecevalError:
            text = ""
        text, rules = text if is_text(text) else "", self.preparation.clean
        if isinstance(rules, LineRules):  # before the limit of tokens, which reasoning does not have
            text = rules.edit(text, source)
        return _Sample(source, text if text.strip() else None, present)

    def _prepare_rows(self, samples: Mapping[int, _Sample]) -> dict[int, _Sample]:
        """Return prepared samples by row, without completions that are too long."""
        steps = replace(self.preparation, clean=())
        # A text has at most as many tokens after the steps as it has characters before.
        short = {n: row for n, row in samples.items() if self._is_short(row, len if steps else _number_of_tokens)}
        if short and steps:
            rows = list(short.values())
            source, text, _ = zip(*rows, strict=True)
            sources, prepare = Text(source), steps.apply
            references: Any = iter(prepare("references", Text(chain.from_iterable(row.references for row in rows))))
            columns: Any = zip(rows, prepare("source", sources), prepare("systems", Text(text), sources), strict=True)
            prepared = [
                _Sample(line, text, tuple(islice(references, len(row.references)))) for row, line, text in columns
            ]
            samples = dict(zip(short, prepared, strict=True))
            short = {n: row for n, row in samples.items() if self._is_short(row, _number_of_tokens)}
        self._check_texts(list(short.values()))
        self._check_short_sentences(short.values())
        return short

    def _is_short(self, row: _Sample, source_tokens: Callable[[str], int]) -> bool:
        """Return whether a completion has no more tokens than it may have; count it if it has more."""
        text = row.text or ""
        if self.length is None and len(text) < 2 * _TOKENS:  # every token but the last one has a blank
            return True
        most = _TOKENS + _TOKENS_PER_TOKEN * source_tokens(row.source)
        if self.length is not None:
            most = math.floor(self.length * source_tokens(row.source))
        if _number_of_tokens(text) <= most:
            return True
        with _COUNTING:
            self.counts["too_long"] += 1
        reward = "no reward" if self._lowest is None else "the lowest score"
        message = f"a completion of more than {most} tokens gets {reward} (length); see counts"
        self._warn_once("too_long", message)
        return False

    def _check_texts(self, rows: Sequence[_Sample]) -> None:
        """Warn once of each fault of the first completions: of tokens, of capitals or punctuation, of their length."""
        if rows and self._examined.completions.lines < Limits.marked:
            for fault, message in self._examined.faults(rows):
                self._warn_once(fault, message)

    def _check_short_sentences(self, rows: Iterable[_Sample]) -> None:
        """Warn once if a perfect completion of a short sentence has the lowest score, since it has no n-gram."""
        if "short" in self._warned or not self.sees_references:
            return
        message = warning_of_short_texts(self.metric, ((row.source, row.references) for row in rows))
        if message is not None:
            self._warn_once("short", message)

    def _warn_once(self, reason: str, message: str) -> None:
        with _COUNTING:
            is_known = reason in self._warned
            self._warned.add(reason)
        if not is_known:
            warn(f"reward {self.__name__}: {message}")

    @property
    def _lowest(self) -> float | None:
        """The lowest score of the metric, if it has one."""
        return self.metric.scale.low if math.isfinite(self.metric.scale.low) else None

    @property
    def _of_malformed(self) -> float | None:
        return self._lowest if self.malformed == "lowest" else None

    def _score_rows(self, rows: Sequence[Any]) -> list[float | None]:
        if not rows:
            return []
        try:
            return list(pair_scores(self.metric, *zip(*rows, strict=True), threads=self.threads).tolist())
        except InputError:  # of one row, such as a sentence that is too long to be aligned
            return [self._score(*row) for row in rows]

    def _score(self, source: str, text: Any, references: tuple[str, ...]) -> float | None:
        try:
            return self.metric.sentence_score(source, text, references)
        except InputError as error:
            if self._is_scorable(source, references):
                return self._of_malformed
            self._count_unscorable(f"its data cannot be scored: {error.message}")
            return None

    def _count_unscorable(self, reason: str) -> None:
        """Count a row that has no reward, and warn of the first one."""
        with _COUNTING:
            self.counts["unscorable"] += 1
        self._warn_once("unscorable", f"no reward for a row, since {reason}")

    def _is_scorable(self, source: str, references: tuple[str, ...]) -> bool:
        """Return whether the unchanged source has a score, so that only a completion can be the cause of an error."""
        try:
            self.metric.sentence_score(source, source, references)
        except InputError:
            return False
        return True


def _number_of_tokens(text: str) -> int:
    return len(text.split())


class _Sample(NamedTuple):
    """Source, completion (None if malformed) and references of a row."""

    source: str
    text: str | None
    references: tuple[str, ...]


@short_traceback
def rewards(
    metric: str | Metric[Any] = "green",
    *,
    source: str = "source",
    references: str = "references",
    extract: Callable[[Any], str] = last_message,
    malformed: Malformed = "lowest",
    threads: int = 0,
    clean: str | Sequence[str] | LineRules = (),
    tokenise: str | Tokeniser | None = None,
    length: float | None = None,
    false_alarm_penalty: float = 0.0,
) -> Reward:
    """Return a reward function for TRL: ``reward_funcs=[geceval.rewards("errant")]``.

    The reward of a completion is its sentence score. Malformed completions never raise. The function can be used in
    threads and pickled.

    Args:
        metric: Metric or specification, such as ``green:beta=0.5``.
        source: Name of the column with the source sentence.
        references: Name of the column with the reference, a text or a list of texts.
        extract: Function from a completion to the corrected sentence (default: the text, or the last message, without
            spaces around it).
        malformed: Reward of completions without text, also after ``clean``, and of those that the metric cannot score:
            "lowest", the metric's lowest score, or "none".
        threads: Number of threads (0: one per processor).
        clean: Rules that remove text around the correction, such as "llm"; see Preparation.
        tokenise: Tokeniser of completions, sources and references.
        length: Maximum length of a completion in lengths of its source, both in tokens; a longer one gets the metric's
            lowest score, or no reward without a lowest score, and is counted (``counts``). None: 100 tokens, and 10 for
            each token of the source.
        false_alarm_penalty: Number that is subtracted from the reward of a completion that changes a correct source,
            which all references leave unchanged; the reward may then be below the metric's lowest score.

    Returns:
        A function that returns a reward per completion, on the metric's scale; None for rows whose source or references
        are missing or cannot be scored.

    Raises:
        UsageError: If the metric requires gold edits or several systems, lower scores are better, or it is no quality;
            or if several metrics are given.
    """
    scored = one_metric(metric)
    if scored.needs_gold:
        hint = "use errant, which extracts edits from references"
        raise UsageError(f"rewards have no gold edits, which {scored.name} requires", hint=hint)
    if (scored.pool is not None and not scored.uses_references) or not scored.scale.higher_is_better:
        raise UsageError(
            f"{scored.name} cannot be a reward: it does not score single corrections, or lower scores are better"
        )
    if scored.scale.description:
        raise UsageError(f"{scored.name} cannot be a reward: it describes corrections, and is no quality")
    choice("malformed", malformed, get_args(Malformed))
    if malformed == "lowest" and scored.scale.low == -math.inf:
        raise UsageError(f"{scored.name} has no lowest score for malformed text", hint='use malformed="none"')
    for name, column in (("source", source), ("references", references)):
        if not isinstance(column, str):
            raise UsageError(f"{name} must be the name of a column")
    if not callable(extract):
        raise UsageError("extract must be a function from a completion to the correction")
    if length is not None:
        length = number("length", length, Bounds(0, open=True))
    penalty = number("false_alarm_penalty", false_alarm_penalty, Bounds(0))
    if penalty and not scored.uses_references:
        raise UsageError(f"{scored.name} uses no references, which show the correct sources of false_alarm_penalty")
    preparation = Preparation(tokenise, clean=clean, threads=threads)
    threads = whole("threads", threads, THREADS)
    return Reward(scored, source, references, extract, malformed, threads, preparation, length, penalty)
