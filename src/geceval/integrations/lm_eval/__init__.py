"""lm-evaluation-harness: tasks on the user's corpora, and what tasks of one's own need.

The harness hands every document's value to the metric's aggregation when all are there. A value is a row of texts
(gold edits in the lines of M2); the aggregation scores the corpus of all rows, in the order of the documents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from geceval.base.errors import InputError
from geceval.counting.metric_names import names
from geceval.counting.stream import ALONE
from geceval.integrations.framework_rows import (
    AnyMetric,
    Extract,
    Metrics,
    RowConversion,
    framework,
    last_message,
    metrics_of,
    one_metric,
    scores,
)
from geceval.text.corpus import Corpus
from geceval.text.m2 import Blocks
from geceval.text.reading.file_columns import read_lines_together

#: For ``lm_eval --include_path``.
TASKS = str(Path(__file__).parent / "tasks")
#: The split of the data sets that ``from_texts`` and ``from_gold`` make.
SPLIT = "test"

#: What a document hands to the aggregation, such that the harness can log it: source, prediction, references, gold.
Row: TypeAlias = "tuple[str, str, list[str], str]"


def process_results(
    metrics: Metrics,
    *,
    source: str = "source",
    references: str = "references",
    gold: str | None = None,
    extract: Extract = last_message,
) -> Callable[[Mapping[str, Any], Sequence[Any]], dict[str, Row]]:
    """A function for a task's ``process_results``: for each of the metrics, by name, the document's row.

    ``source``, ``references`` and ``gold`` are fields of the documents; ``gold``: the lines of an M2 block, for which a
    document needs no references.
    """
    called = names(metrics_of(metrics))

    def processed(doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, Row]:
        given = doc.get(references) or []
        row = (doc[source], extract(results[0]), [given] if isinstance(given, str) else list(given), "")
        return dict.fromkeys(called, row if gold is None else (*row[:3], doc[gold]))

    return processed


def aggregation(metric: AnyMetric | str, *, ragged: bool = False) -> Callable[[Sequence[Row]], float]:
    """A function for a metric's ``aggregation``: the corpus score of all rows, as a fraction.

    Raises InputError, in the call, where some rows have gold edits and others have none, or numbers of references
    differ, unless ``ragged``.
    """
    scored, how = one_metric(metric), RowConversion(str, ragged)

    def aggregated(rows: Sequence[Row]) -> float:
        sources, predictions, references, gold = map(list, zip(*rows, strict=True))
        if not any(gold):
            corpus = how.corpus(sources, predictions, references)
        elif all(gold):
            blocks = Blocks.parse("\n\n".join(gold).encode(), "the documents' gold edits")
            corpus = Corpus(sources, (), {ALONE: predictions}, blocks)
        else:
            raise InputError(f"row {gold.index('')} (counted from 0) has no gold edits, and others have some")
        [score] = scores(corpus, [scored]).values()
        return score.value

    return aggregated


def from_texts(paths: str | Sequence[str]) -> Any:
    """A data set of the source and its references: files, the source first, or a folder with one source
    (``source.txt``, ``*.src``) and references (``ref*.txt``, ``*.ref*``), such as JFLEG's test.

    Raises InputError where there are none, or where they do not fit together.
    """
    files = _find_texts(Path(paths)) if isinstance(paths, str) else list(paths)
    if len(files) < 2:
        raise InputError("a source and its references are needed", hint="[source, reference, …]")
    source, *references = read_lines_together(files)
    rows = zip(source, *references, strict=True)
    return _to_data_set({"source": line, "target": texts[0], "references": texts} for line, *texts in rows)


def _find_texts(folder: Path) -> list[str]:
    sources = [path for pattern in ("source.txt", "*.src") for path in sorted(folder.glob(pattern))]
    references = [path for pattern in ("ref*.txt", "*.ref*") for path in sorted(folder.glob(pattern))]
    if len(sources) != 1 or not references:
        message = f"here are {len(sources)} sources and {len(references)} references"
        raise InputError(message, path=folder, hint="a folder with one source.txt or *.src, and ref*.txt or *.ref*")
    return [str(path) for path in (*sources, *references)]


def from_gold(path: str) -> Any:
    """A data set of the sentences and gold edits of an M2 file; ``target``: as the first annotator corrects them.
    Errors: see geceval.m2.read."""
    blocks = Blocks.read(path)
    rows = zip(blocks, blocks.version(0), strict=True)
    return _to_data_set({"source": block.source, "target": text, "gold": str(block)} for block, text in rows)


def _to_data_set(rows: Any) -> Any:
    return {SPLIT: framework("datasets").Dataset.from_list(list(rows))}
