"""``geceval.evaluate`` and its results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

from geceval.base.arguments import choice, choices, did_you_mean, shown
from geceval.base.errors import UsageError, short_traceback
from geceval.counting.comparison_options import members_of
from geceval.counting.groupings import BySentence, Label
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import DEFAULT_METRICS, Metrics, metrics_of, names
from geceval.counting.results import AnyResult, Result, RunsResult
from geceval.counting.run_options import Progress
from geceval.counting.scores import LEVELS, Level, number_of, part_of
from geceval.counting.system_results import system_results
from geceval.scoring.score_report import score_table
from geceval.tables.report import Report
from geceval.tables.shown_results import FrameRow, ShownResults
from geceval.tables.table import ReportTable, plain_table
from geceval.text.corpus import Corpus, TextSource, prepared_source
from geceval.text.line_rules import LineRules
from geceval.text.tokenisers import Tokeniser

if TYPE_CHECKING:
    from geceval.counting.breakdown import GroupedResult
    from geceval.tables.charts import Pictures

#: Largest number of systems in a table.
ROWS = 200
#: Levels of a corpus; the first available one is shown.
WHOLE: tuple[Level, ...] = ("corpus", "mean")
#: Columns of all frames, before and after the parts and counts.
HEAD, TAIL = ("system", "metric", "level", "index", "value"), "signature"


class NotScoredError(UsageError, KeyError):
    """A system or metric that was not scored."""


class SystemResults(Sequence[Result]):
    """Results of a system in the order of the metrics, also by name: ``["errant"]``.

    Names contain the settings that distinguish metrics: ``green:beta=0.5``.
    """

    def __init__(self, results: Sequence[Result]) -> None:
        self._results = list(results)
        self.names = tuple(names([result.metric for result in self._results]))

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, which: int | str | AnyMetric) -> Result: ...
    @overload
    def __getitem__(self, which: slice) -> list[Result]: ...
    def __getitem__(self, which: int | slice | str | AnyMetric) -> Result | list[Result]:
        if isinstance(which, (int, slice)):
            return self._results[which]
        for name, result in zip(self.names, self._results, strict=True):
            if which in (name, result.metric):
                return result
        message = f"no result of {shown(which)}: choose from {', '.join(self.names)}"
        raise NotScoredError(message, hint=did_you_mean(which, self.names))

    def __contains__(self, which: object) -> bool:
        return which in self.names or any(which in (result, result.metric) for result in self._results)

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self._results))}]"


class Results(ShownResults, Mapping[str, SystemResults]):
    """Results by system and metric: ``results["CAMB"]["errant"].score()``.

    ``results["CAMB"][0]`` is the result of the first metric. When printed, and in notebooks, it is the table of
    ``geceval score``. ``columns`` returns all results in long form, for data frames. A system or metric that was not
    scored raises NotScoredError (a KeyError) with the nearest name.

    Args:
        results: Results of each system by name.
        index: Index of the sentences in ``columns("sentence")`` (None: counted from 0).
        groups: Results with the scores of groups of sentences, by system.
        labels: Group of each sentence, if there are groups.
    """

    def __init__(
        self,
        results: Mapping[str, Sequence[Result]],
        index: Sequence[Any] | None = None,
        groups: Mapping[str, Sequence[GroupedResult]] | None = None,
        labels: Sequence[Label] = (),
    ) -> None:
        self._index, self._groups, self._labels = index, groups or {}, labels
        self._systems = {name: SystemResults(row) for name, row in results.items()}

    def __getitem__(self, system: str) -> SystemResults:
        try:
            return self._systems[system]
        except (KeyError, TypeError):
            message = f"no system {shown(system)}: choose from {choices(self._systems)}"
            raise NotScoredError(message, hint=did_you_mean(system, self._systems)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._systems)

    def __len__(self) -> int:
        return len(self._systems)

    def item(self) -> SystemResults:
        """Return the results of the only system; raises UsageError if there are several."""
        if len(self) != 1:
            raise UsageError(f"there are {len(self)} systems: {', '.join(self)}", hint=f"results[{next(iter(self))!r}]")
        return next(iter(self.values()))

    # --- tables ---

    def _shown(self) -> tuple[dict[str, SystemResults], Level | None]:
        """Return the first systems, and the level whose scores are shown, if all results have one."""
        systems = {name: self._systems[name] for name in list(self._systems)[:ROWS]}
        results = [result for row in systems.values() for result in row]
        levels = (level for level in WHOLE if systems and all(level in result.views for result in results))
        return systems, next(levels, None)

    def _table(self) -> ReportTable:
        """Return the table of scores of the first systems."""
        systems, level = self._shown()
        if level is None:
            rows = [[name, ", ".join(row.names)] for name, row in systems.items()]
            return plain_table(["system", "sentence scores of"], rows)
        table = score_table(systems, level)
        left = len(self) - len(systems)
        return table if not left else replace(table, legend=[*table.legend, f"… and {left} more systems"])

    kinds = LEVELS

    def _report(self) -> Report:
        return Report("geceval/columns@1", self.columns, self._tables)

    def _tables(self) -> list[ReportTable]:
        """Return the table of scores, and of those of groups."""
        if not self._groups:
            return [self._table()]
        from geceval.scoring.group_report import group_rows_table  # scores of groups

        return [self._table(), group_rows_table(self._groups, parts=False)]

    def _pictures(self) -> Pictures:
        from geceval.scoring.score_charts import group_pictures, score_pictures  # most scores are not drawn

        systems, level = self._shown()
        if level is None:
            return {}
        of_groups = group_pictures(self._groups, "groups") if self._groups else {}
        return {**score_pictures(systems, level), **of_groups}

    # --- data frames ---

    def columns(self, kind: str = "", *, counts: bool = False) -> dict[str, list[Any]]:
        """Return all results in long form, as columns of equal length.

        There is a row per system and metric, or at level "sentence" per system, metric and sentence. With groups there
        is a row for each group, too, and a column ``group``, which is None for the whole corpus. The columns are
        ``system``, ``metric``, ``level``, ``index`` (of the sentence: the scored frame's, or from 0; else None),
        ``value``, parts of the score by name, and ``signature``. A part that a metric lacks, or that has no value, is
        None; at level "sentence" parts and counts require ``details``.

        Args:
            kind: Level: "corpus" (default), "sentence" or "mean".
            counts: Also return the summed counts by name; a count with the name of another column is ``count_…``.

        Raises:
            UsageError: If the results do not contain the level.
        """
        kind = kind or LEVELS[0]
        choice("level", kind, LEVELS)
        rows = list(self._rows(kind, counts))
        heads = dict.fromkeys([*HEAD, *(name for row in rows for name in row if name != TAIL), TAIL])
        return {head: [row.get(head) for row in rows] for head in heads}

    def _rows(self, kind: Any, counts: bool = False) -> Iterator[FrameRow]:
        for system, results in self._systems.items():
            for name, result in zip(results.names, results, strict=True):
                shared = {"system": system, "metric": name, "level": kind, TAIL: result.signature(kind)}
                rows = self._sentences(result, counts) if kind == "sentence" else _whole(result, kind, counts)
                if not self._groups:
                    yield from (shared | row for row in rows)
                    continue
                labels: Iterable[Label | None] = self._labels if kind == "sentence" else [None]
                yield from (shared | {"group": label} | row for label, row in zip(labels, rows, strict=True))
                if kind == "corpus":
                    yield from (shared | row for row in self._group_rows(system, result, counts))

    def _group_rows(self, system: str, result: Result, counts: bool) -> Iterator[FrameRow]:
        """Yield the scores of groups under the metric of a result."""
        [grouped] = [grouped for grouped in self._groups[system] if grouped.metric == result.metric]
        for label, score in grouped.groups().items():
            values = _named(score.parts, score.totals if counts else {})
            yield {"group": label, "index": None, "value": score.value} | values

    def _sentences(self, result: Result, counts: bool) -> Iterator[dict[str, Any]]:
        parts: dict[str, list[float]] = {}
        totals: dict[str, list[float]] = {}
        if "details" in result.views:
            parts = {name: values.tolist() for name, values in result.sentence_parts().items()}
            totals = dict(zip(result.columns, result.sentence_counts().T.tolist(), strict=True)) if counts else {}
        scores = result.sentence_scores().tolist()
        for s, (index, value) in enumerate(zip(self._index or range(len(scores)), scores, strict=True)):
            sentence_values = ({name: values[s] for name, values in figures.items()} for figures in (parts, totals))
            yield {"index": index, "value": value} | _named(*sentence_values)

    def to_pandas(self, kind: str = "", **options: Any) -> Any:
        """Return ``columns`` as a pandas.DataFrame; requires pandas.

        At level "sentence" its index is that of the sentences, so that it joins the frame that was scored.
        """
        frame = super().to_pandas(kind, **options)
        return frame.set_index("index").rename_axis(None) if kind == "sentence" else frame


def _whole(result: Result, level: Level, counts: bool) -> Iterator[dict[str, Any]]:
    score = result.score(level)
    yield {"index": None, "value": score.value} | _named(score.parts, score.totals if counts else {})


def _named(parts: Mapping[str, float | None], counts: Mapping[str, float]) -> dict[str, float | None]:
    """Return parts and counts by name as floats, so that a column has one type."""
    other_heads = {*HEAD, TAIL, *parts}
    floats = {f"count_{name}" if name in other_heads else name: float(value) for name, value in counts.items()}
    return {name: part_of(float(number_of(value))) for name, value in parts.items()} | floats


@short_traceback
def score(
    hypotheses: Any,
    references: Any = (),
    sources: Sequence[str] | None = None,
    metrics: Metrics = DEFAULT_METRICS["references"],
    *,
    groups: Sequence[Label] | str | None = None,
    threads: int = 0,
    checks: bool = True,
    **corpus: Any,
) -> Results:
    """Score hypotheses, or the columns of a table, against references or gold edits.

    docs/frames.md lists when to use which function.

    Args:
        hypotheses: Corrected sentences [S] of one system; name -> corrected sentences; or, with ``source``, a table.
        references: Reference sentences [S], or several [R][S]; in a table, the names of columns.
        sources: Source sentences [S].
        metrics: Metrics or specifications, such as ``["green:unit=char", geceval.Errant()]``.
        groups: Label of each sentence [S], or the name of a table's column with them: also score each group.
        threads: Number of threads (0: one per processor).
        checks: Warn (GecevalWarning) about suspicious input (docs/checks.md).
        corpus: Other arguments of ``Corpus.of``: ``source`` and ``hypothesis`` (columns of a table),
            ``per_sentence``, ``gold``, ``gold_edits``, ``blank``, ``tokenise`` and ``clean``.

    Returns:
        Results by system and metric, with parts and counts of the sentences in ``columns("sentence", counts=True)``.
        ``item()`` returns the results of the only system.

    Raises:
        UsageError: If a column or metric does not exist; names the nearest one.
        InputError: If lengths differ, or values are not text.
    """
    if "labels" in corpus:
        raise UsageError("the labels of sentences are called groups here", hint="geceval.score(…, groups=…)")
    texts = Corpus.of(hypotheses, references, sources, labels=groups, **corpus)
    if texts.labels is None:
        return evaluate(texts, metrics, details=True, threads=threads, checks=checks)
    from geceval.counting.breakdown import evaluate_groups  # scores of groups

    results = evaluate_groups(texts, metrics, BySentence(), views=LEVELS, details=True, threads=threads, checks=checks)
    return Results(results, texts.index, results, texts.labels)


@short_traceback
def evaluate(
    corpus: TextSource,
    metrics: Metrics,
    *,
    views: Collection[Level] = LEVELS,
    details: bool = False,
    threads: int = 0,
    block: int | None = None,
    tokenise: str | Tokeniser | None = None,
    clean: str | Sequence[str] | LineRules = (),
    progress: Progress | None = None,
    checks: bool = True,
) -> Results:
    """Score all systems under all metrics in one counting pass.

    docs/frames.md lists when to use which function.

    Args:
        corpus: Source, systems, and references or gold edits.
        metrics: Metrics or specifications, such as ``["green", geceval.Errant()]``.
        views: Levels of scores that are available in the results; fewer save memory and time.
        details: Also keep parts and counts of the sentences.
        threads: Number of threads (0: one per processor).
        block: Number of sentences counted together (None: by the metrics).
        tokenise: Tokeniser of all texts, such as "english".
        clean: Rules that remove text around the corrections of systems, such as "llm".
        progress: Called with the number of sentence-system pairs counted since its last call.
        checks: Warn (GecevalWarning) about suspicious input (docs/checks.md).

    Returns:
        Results by system and metric: ``results["CAMB"]["errant"].score()``.

    Raises:
        InputError: If the input cannot be scored.
        UsageError: If an option has an unsupported value.
    """
    corpus, scored = prepared_source(corpus, tokenise, clean), metrics_of(metrics, optional=True)
    results = system_results(
        corpus, scored, views=views, details=details, threads=threads, block=block, progress=progress, checks=checks
    )
    return Results(results, index=corpus.index if isinstance(corpus, Corpus) else None)


def with_means(results: Mapping[str, list[Result]], runs: Mapping[str, Sequence[str]]) -> dict[str, list[AnyResult]]:
    """Return one result for the runs of each system, at the position of its first run.

    ``runs`` contains the names of the runs of each system with several runs.
    """
    names, combined = list(results), dict[str, list[AnyResult]]()
    for system, positions in members_of(runs, names).items():
        members = {names[position]: results[names[position]] for position in positions}
        by_metric = (dict(zip(members, row, strict=True)) for row in zip(*members.values(), strict=True))
        combined[system] = [*map(RunsResult, by_metric)] if system in runs else [*results[system]]
    return combined
