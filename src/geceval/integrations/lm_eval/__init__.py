"""lm-evaluation-harness: tasks on local corpora, and functions for other tasks.

The harness passes the values of all documents to the metric's aggregation. A value is a row of texts (gold edits as M2
lines); the aggregation scores the corpus of all rows in the order of the documents. The values of several processes
come one process after the other, so that a row has the number of its document. The harness computes standard errors for
its own aggregations only, and writes "N/A" as ``NAME_stderr`` after ``NAME``. A second metric of this name, whose
aggregation is ``standard_error``, replaces it in the results and in the printed table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, framework
from geceval.comparison.compare import intervals
from geceval.counting.metric_names import names
from geceval.counting.observations import ALONE
from geceval.integrations.framework_rows import (
    AnyMetric,
    Extract,
    Metrics,
    RowConversion,
    last_message,
    metrics_of,
    number_of_processes,
    one_metric,
    scores,
)
from geceval.text.corpus import Corpus
from geceval.text.m2.blocks import Blocks
from geceval.text.reading.corpus_files import read_lines_together

#: Folder for ``lm_eval --include_path``.
TASKS = str(Path(__file__).parent / "tasks")
#: Split of the data sets of ``from_texts`` and ``from_gold``.
SPLIT = "test"

#: Field of a document with its number.
NUMBER = "number"

#: Value of a document, which the harness can log: source, prediction, references, gold edits, number of the document.
Row: TypeAlias = "tuple[str, str, list[str], str, int | None]"


def process_results(
    metrics: Metrics,
    *,
    source: str = "source",
    references: str = "references",
    gold: str | None = None,
    number: str = NUMBER,
    extract: Extract = last_message,
    stderr: bool = False,
) -> Callable[[Mapping[str, Any], Sequence[Any]], dict[str, Row]]:
    """Return a function for a task's ``process_results``.

    Args:
        metrics: Metrics or specifications.
        source: Field of the documents with the source.
        references: Field with the references, a text or a list.
        gold: Field with the lines of an M2 block, which replaces references.
        number: Field with the number of the document, an integer, which several processes require.
        extract: Function from a result to the corrected sentence.
        stderr: Whether the task also lists each metric's standard error, as ``NAME_stderr``.

    Returns:
        A function that returns the document's row by name of the metric.

    Raises:
        UsageError: If a metric does not exist.
    """
    called = names(metrics_of(metrics))
    called += [f"{name}_stderr" for name in called] if stderr else []

    def process(doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, Row]:
        texts = doc.get(references) or []
        texts = [texts] if isinstance(texts, str) else list(texts)
        edits = "" if gold is None else doc[gold]
        return dict.fromkeys(called, (doc[source], extract(results[0]), texts, edits, doc.get(number)))

    return process


def aggregation(metric: AnyMetric | str, *, ragged: bool = False) -> Callable[[Sequence[Row]], float]:
    """Return a function for a metric's ``aggregation``.

    Args:
        metric: Metric or specification, such as ``green:beta=0.5``.
        ragged: Whether documents may have different numbers of references.

    Returns:
        A function that returns the corpus score of all rows on the metric's scale. It raises InputError if only some
        rows have gold edits, or numbers of references differ.

    Raises:
        UsageError: If the metric does not exist.
    """
    scored = one_metric(metric)

    def aggregate(rows: Sequence[Row]) -> float:
        [score] = scores(_corpus(rows, ragged=ragged), [scored]).values()
        return score.value

    return aggregate


def standard_error(
    metric: AnyMetric | str, *, ragged: bool = False, samples: int = 10_000, seed: int = 0
) -> Callable[[Sequence[Row]], float]:
    """Return a function for the ``aggregation`` of a metric's standard error.

    Args:
        metric: Metric or specification, such as ``green:beta=0.5``.
        ragged: Whether documents may have different numbers of references.
        samples: Number of bootstrap samples of the documents.
        seed: Seed of the samples.

    Returns:
        A function that returns the standard deviation of the corpus scores of bootstrap samples of the rows, as
        ``geceval score --intervals`` does. It raises the errors of ``aggregation``.

    Raises:
        UsageError: If the metric does not exist.
    """
    scored = one_metric(metric)

    def aggregate(rows: Sequence[Row]) -> float:
        [score] = intervals(_corpus(rows, ragged=ragged), [scored], samples=samples, seed=seed, checks=False)
        return score.deviation

    return aggregate


def _corpus(rows: Sequence[Row], *, ragged: bool) -> Corpus:
    sources, predictions, references, gold, _ = map(list, zip(*_in_order(rows), strict=True))
    if not any(gold):
        return RowConversion(str, ragged).corpus(sources, predictions, references)
    if not all(gold):
        raise InputError(f"row {gold.index('')} (counted from 0) has no gold edits, but others have")
    blocks = Blocks.parse("\n\n".join(gold).encode(), "the documents' gold edits")
    return Corpus(sources, (), {ALONE: predictions}, blocks)


def _in_order(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows in the order of the documents; warn if several processes may have changed it."""
    if all(number is not None for *_, number in rows):
        return sorted(rows, key=itemgetter(-1))
    if number_of_processes() > 1:
        message = "rows of several processes are not in the order of the documents, on which scores may depend"
        warn(message, hint="add a field with the number of each document: process_results(…, number=NAME)")
    return rows


def from_texts(paths: str | Sequence[str]) -> Any:
    """Return a data set of source and references.

    Args:
        paths: Paths of the source and the references, or a folder with one source (``source.txt``, ``*.src``) and
            references (``ref*.txt``, ``*.ref*``), such as JFLEG's test.

    Returns:
        A mapping from the split to a data set, with the number of each document.

    Raises:
        InputError: If files are missing, or their numbers of lines differ.
    """
    files = _find_texts(Path(paths)) if isinstance(paths, str) else list(paths)
    if len(files) < 2:
        raise InputError("a source and references are required", hint="use [source, reference, …]")
    source, *references = read_lines_together(files)
    rows = zip(source, *references, strict=True)
    return _to_data_set({"source": line, "target": texts[0], "references": texts} for line, *texts in rows)


def _find_texts(folder: Path) -> list[str]:
    sources = [path for pattern in ("source.txt", "*.src") for path in sorted(folder.glob(pattern))]
    references = [path for pattern in ("ref*.txt", "*.ref*") for path in sorted(folder.glob(pattern))]
    if len(sources) != 1 or not references:
        message = f"the folder has {len(sources)} sources and {len(references)} references"
        raise InputError(message, path=folder, hint="it must have one source.txt or *.src, and ref*.txt or *.ref*")
    return [str(path) for path in (*sources, *references)]


def from_gold(path: str) -> Any:
    """Return a data set of the sentences and gold edits of an M2 file.

    Args:
        path: Path of the M2 file.

    Returns:
        A mapping from the split to a data set, whose ``target`` is the first annotator's correction.

    Raises:
        InputError: If the file cannot be read.
    """
    blocks = Blocks.read(path)
    rows = zip(blocks, blocks.version(0), strict=True)
    return _to_data_set({"source": block.source, "target": text, "gold": str(block)} for block, text in rows)


def _to_data_set(rows: Any) -> Any:
    numbered = [{NUMBER: number, **row} for number, row in enumerate(rows)]
    return {SPLIT: framework("datasets").Dataset.from_list(numbered)}
