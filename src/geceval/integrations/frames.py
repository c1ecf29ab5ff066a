"""Score systems in tables: data frames, mappings of columns, Arrow streams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from geceval.base.arguments import as_sequence, shown, transpose_references
from geceval.base.errors import InputError, UsageError, framework
from geceval.counting.metric import Metric
from geceval.counting.scorer import resolve_metrics
from geceval.integrations.framework_rows import check_column
from geceval.scoring.evaluation import Results, evaluate
from geceval.text.corpus import Corpus, given_references


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
    """Score the systems in a table with one row per sentence.

    Args:
        frame: A pandas, polars or pyarrow table, a mapping of columns, or an Arrow stream (``__arrow_c_stream__``),
            which requires pyarrow unless columns are accessible by name.
        metrics: Metrics or specifications, such as ``["green", geceval.Errant()]``.
        source: Name of the column with source sentences.
        hypothesis: Name of the column with corrected sentences, or names of columns, which name the systems.
        references: Names of columns with reference sentences; values may be missing.
        per_sentence: Name of a column with lists of references, instead of ``references``.
        threads: Number of threads (0: one per processor).
        checks: Warn (GecevalWarning) about suspicious input.

    Returns:
        Results by system and metric, with parts and counts of the sentences in ``columns("sentence", counts=True)``.

    Raises:
        UsageError: If a column or metric does not exist; names the nearest column.
        InputError: If a column does not contain text.
    """
    systems = [hypothesis] if isinstance(hypothesis, str) else as_sequence("hypothesis", hypothesis, "column")
    rows = as_sequence("references", references, "column")
    if per_sentence is not None and rows:
        raise UsageError("references and per_sentence cannot be combined")
    columns = _FrameColumns(frame)
    texts = [columns.texts(name) for name in rows]
    if per_sentence is not None:
        texts = transpose_references([_plain_values(cell) for cell in columns[per_sentence]])
    named = {name: columns.texts(name) for name in systems}
    lines = columns.texts(source)
    corpus = Corpus(lines, [given_references(text, lines) for text in texts], named)
    return evaluate(corpus, resolve_metrics(metrics), details=True, threads=threads, checks=checks)


class _FrameColumns:
    """Columns of a table by name, as lists."""

    def __init__(self, frame: Any) -> None:
        if not hasattr(frame, "keys") and not hasattr(frame, "columns") and hasattr(frame, "__arrow_c_stream__"):
            frame = framework("pyarrow").table(frame)
        names = getattr(frame, "column_names", None)  # pyarrow's `columns` are the columns themselves
        if names is None:
            names = frame.keys() if hasattr(frame, "keys") else getattr(frame, "columns", None)
        if names is None or not hasattr(frame, "__getitem__"):
            raise InputError(
                f"a table must be a data frame, a mapping of columns or an Arrow stream, not {shown(frame)}",
                hint='for example {"source": [...], "hypothesis": [...], "reference": [...]}',
            )
        self._frame, self._names = frame, list(names)

    def __getitem__(self, name: str) -> list[Any]:
        check_column(name, self._names)
        return list(as_sequence(f"column {name}", _plain_values(self._frame[name]), "value"))

    def texts(self, name: str) -> list[Any]:
        """Return a column of texts, with None for missing values of any kind."""
        return [None if _is_missing(value) else value for value in self[name]]


def _plain_values(values: Any) -> Any:
    """Return a column or cell with Python values, if it can be converted."""
    ways = [way for way in ("to_pylist", "to_list", "tolist") if hasattr(values, way)]
    return getattr(values, ways[0])() if ways else values


def _is_missing(value: Any) -> bool:
    # pandas' NA is not a float, and its comparison is neither true nor false.
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)
