"""What ``geceval.evaluate`` returns: results by system and metric, a table in notebooks, columns for data frames."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, overload

from geceval.base.arguments import choice, did_you_mean, shown
from geceval.base.errors import UsageError
from geceval.counting import run
from geceval.counting.consumers import Result
from geceval.counting.counts import LEVELS, Level
from geceval.counting.metric_names import names
from geceval.counting.stream import AnyMetric, Progress
from geceval.integrations.framework_rows import framework
from geceval.report.formats.html_tables import as_html
from geceval.report.formats.markdown import as_markdown
from geceval.report.formats.terminal import as_text
from geceval.report.scores.score_report import score_table
from geceval.report.table import ReportTable, plain_table
from geceval.text.corpus import TextSource

#: Systems that notebooks show.
ROWS = 200
#: Levels of a corpus, the first one that there is being shown.
WHOLE: tuple[Level, ...] = ("corpus", "mean")
#: Columns that every frame has, before the parts and the counts, and after them.
HEAD, TAIL = ("system", "metric", "level", "index", "value"), "signature"


class NotScoredError(UsageError, KeyError):
    """A system or metric that was not scored."""


class SystemResults(Sequence[Result]):
    """The results of a system, in the order of the metrics; ``["errant"]`` is one by its metric's name.

    Names are those of metrics, with the settings that tell them apart: ``green:beta=0.5``.
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


class Results(Mapping[str, SystemResults]):
    """The results of a run: ``results["CAMB"]["errant"].score()``, or ``results["CAMB"][0]``, by the order of metrics.

    Printed and in notebooks it is the table of ``geceval score``. ``columns`` has all of it in long form, for data
    frames. Raises NotScoredError (a KeyError), with the nearest name, for a system or metric that was not scored.
    """

    def __init__(self, results: Mapping[str, Sequence[Result]]) -> None:
        self._systems = {name: SystemResults(row) for name, row in results.items()}

    def __getitem__(self, system: str) -> SystemResults:
        try:
            return self._systems[system]
        except (KeyError, TypeError):
            message = f"no system {shown(system)}: choose from {', '.join(self._systems)}"
            raise NotScoredError(message, hint=did_you_mean(system, self._systems)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._systems)

    def __len__(self) -> int:
        return len(self._systems)

    # --- for people ---

    def _table(self) -> ReportTable:
        """The table of scores, of the first systems; its legend says how many were left out."""
        shown = {name: self._systems[name] for name in list(self._systems)[:ROWS]}
        results = [result for row in shown.values() for result in row]
        levels = [level for level in WHOLE if all(level in result.views for result in results)]
        if not (shown and levels):
            rows = [[name, ", ".join(row.names)] for name, row in shown.items()]
            return plain_table(["system", "sentence scores of"], rows)
        table = score_table(shown, levels[0])
        left = len(self) - len(shown)
        return table if not left else replace(table, legend=[*table.legend, f"… and {left} more systems"])

    def __repr__(self) -> str:
        return as_text(self._table()).rstrip()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text("…" if cycle else repr(self))

    def _repr_markdown_(self) -> str:
        return as_markdown(self._table())

    def _repr_html_(self) -> str:
        return as_html(self._table())

    # --- for data frames ---

    def columns(self, level: Level = "corpus", *, counts: bool = False) -> dict[str, list[Any]]:
        """Return all results as columns of equal length.

        Args:
            level: Level of the scores; at "sentence" there is a row for each system, metric and sentence, else for
                each system and metric.
            counts: Whether there are columns for the summed counts, too.

        Returns:
            ``system``, ``metric``, ``level``, ``index`` (the sentence, from 0, or None), ``value``, the parts of the
            scores by their names (None where a metric has no such part; at level "sentence" if ``details`` were
            evaluated), counts, ``count_…`` where a part has the same name, and ``signature``.

        Raises:
            UsageError: For a level that was not evaluated.
        """
        choice("level", level, LEVELS)
        rows = [
            {"system": system, "metric": name, "level": level, TAIL: result.signature(level)} | own
            for system, results in self._systems.items()
            for name, result in zip(results.names, results, strict=True)
            for own in (_sentences(result, counts) if level == "sentence" else _whole(result, level, counts))
        ]
        heads = dict.fromkeys([*HEAD, *(name for row in rows for name in row if name != TAIL), TAIL])
        return {head: [row.get(head) for row in rows] for head in heads}

    def to_pandas(self, level: Level = "corpus", *, counts: bool = False) -> Any:
        """Return ``columns`` as a pandas.DataFrame. Raises MissingExtraError without pandas."""
        return framework("pandas").DataFrame(self.columns(level, counts=counts))

    def to_polars(self, level: Level = "corpus", *, counts: bool = False) -> Any:
        """Return ``columns`` as a polars.DataFrame. Raises MissingExtraError without polars."""
        return framework("polars").DataFrame(self.columns(level, counts=counts))

    def to_arrow(self, level: Level = "corpus", *, counts: bool = False) -> Any:
        """Return ``columns`` as a pyarrow.Table. Raises MissingExtraError without pyarrow."""
        return framework("pyarrow").table(self.columns(level, counts=counts))


def _whole(result: Result, level: Level, counts: bool) -> Iterator[dict[str, Any]]:
    score = result.score(level)
    yield {"index": None, "value": score.value} | _named(score.parts, score.totals if counts else {})


def _sentences(result: Result, counts: bool) -> Iterator[dict[str, Any]]:
    parts: dict[str, list[float]] = {}
    totals: dict[str, list[float]] = {}
    if "details" in result.views:
        parts = {name: values.tolist() for name, values in result.sentence_parts().items()}
        totals = dict(zip(result.columns, result.sentence_counts().T.tolist(), strict=True)) if counts else {}
    for s, value in enumerate(result.sentence_scores().tolist()):
        own = ({name: values[s] for name, values in figures.items()} for figures in (parts, totals))
        yield {"index": s, "value": value} | _named(*own)


def _named(parts: Mapping[str, float], counts: Mapping[str, float]) -> dict[str, float]:
    """Parts and counts by name, all floats, so that a column is of one type."""
    taken = {*HEAD, TAIL, *parts}
    named = {f"count_{name}" if name in taken else name: float(value) for name, value in counts.items()}
    return {name: float(value) for name, value in parts.items()} | named


def evaluate(
    corpus: TextSource,
    metrics: Sequence[AnyMetric],
    *,
    views: Collection[Level] = LEVELS,
    details: bool = False,
    threads: int = 0,
    block: int | None = None,
    progress: Progress | None = None,
    checks: bool = True,
) -> Results:
    """The results of every system under every metric, from one counting pass: ``results["CAMB"]["errant"]``.

    ``views``: the levels of which scores will be asked for; all of them unless memory or time is short. ``details``:
    the parts and counts of the sentences will be asked for, too. ``threads`` 0: all processors. ``progress`` is called
    with the number of sentence-system pairs done since its last call. ``checks``: warn (GecevalWarning) of input that
    cannot mean what it is taken for, such as files that do not belong together; see docs/checks.md. Raises
    GecevalError: InputError for texts that cannot be used, UsageError for what does not exist.
    """
    found = run.evaluate(
        corpus, metrics, views=views, details=details, threads=threads, block=block, progress=progress, checks=checks
    )
    return Results(found)
