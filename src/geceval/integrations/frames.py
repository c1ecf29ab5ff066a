"""Systems in a table of somebody else's: a data frame, a mapping of columns, whatever speaks Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from geceval.base.arguments import as_sequence, shown, transpose_references
from geceval.base.errors import InputError, UsageError
from geceval.counting.metric import Metric
from geceval.counting.scoring.scorer import made_metrics
from geceval.integrations.evaluation import Results, evaluate
from geceval.integrations.framework_rows import check_column, framework
from geceval.text.corpus import Corpus


def score_table(
    frame: Any,
    metrics: Sequence[str | Metric[Any]] = ("green",),
    *,
    source: str,
    hypothesis: str | Sequence[str],
    references: Sequence[str] = (),
    per_sentence: str | None = None,
    threads: int = 0,
    checks: bool = True,
) -> Results:
    """The results of the systems in a table, a row a sentence; ``details`` are there, so that ``columns("sentence")``
    has all that is known of each row.

    ``frame``: a pandas, polars or pyarrow table, a mapping of columns, or anything that gives an Arrow stream
    (``__arrow_c_stream__``; needs pyarrow unless its columns can be had by name). ``source``, ``hypothesis`` and
    ``references`` name columns: of several systems a list of them, which are their names; a column for each reference,
    missing values where a row lacks it; or ``per_sentence``, one column with the list of each row's references.
    ``metrics`` are metrics or their names. Raises UsageError, with the nearest name, for a column that is not there,
    InputError for one that is not text.
    """
    systems = [hypothesis] if isinstance(hypothesis, str) else as_sequence("hypothesis", hypothesis, "column")
    rows = as_sequence("references", references, "column")
    if per_sentence is not None and rows:
        raise UsageError("references are given twice, as references and as per_sentence")
    columns = _FrameColumns(frame)
    texts = [columns.texts(name) for name in rows]
    if per_sentence is not None:
        texts = transpose_references([_plain_values(cell) for cell in columns[per_sentence]])
    named = {name: columns.texts(name) for name in systems}
    corpus = Corpus(columns.texts(source), texts, named)
    return evaluate(corpus, made_metrics(metrics), details=True, threads=threads, checks=checks)


class _FrameColumns:
    """The columns of a table by name, as plain lists."""

    def __init__(self, frame: Any) -> None:
        if not hasattr(frame, "keys") and not hasattr(frame, "columns") and hasattr(frame, "__arrow_c_stream__"):
            frame = framework("pyarrow").table(frame)
        names = getattr(frame, "column_names", None)  # pyarrow's `columns` are the columns themselves
        if names is None:
            names = frame.keys() if hasattr(frame, "keys") else getattr(frame, "columns", None)
        if names is None or not hasattr(frame, "__getitem__"):
            raise InputError(
                f"a table is a data frame, a mapping of columns or an Arrow stream, not {shown(frame)}",
                hint='such as {"source": [...], "hypothesis": [...], "reference": [...]}',
            )
        self._frame, self._names = frame, list(names)

    def __getitem__(self, name: str) -> list[Any]:
        check_column(name, self._names)
        return list(as_sequence(f"column {name}", _plain_values(self._frame[name]), "value"))

    def texts(self, name: str) -> list[Any]:
        """A column of texts; missing values, which tables have in several ways, are None."""
        return [None if _is_missing(value) else value for value in self[name]]


def _plain_values(values: Any) -> Any:
    """A column, or a cell with several values, with Python's own values, if it knows how; else as it is."""
    ways = [way for way in ("to_pylist", "to_list", "tolist") if hasattr(values, way)]
    return getattr(values, ways[0])() if ways else values


def _is_missing(value: Any) -> bool:
    """None, NaN, or pandas' NA, which is not equal to itself either, but says neither yes nor no."""
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)
