"""Columns and scores of rows of sentences, one part of the corpus at a time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from geceval.base.arguments import is_text
from geceval.base.arguments import shown as shown_name
from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option
from geceval.counting.counts import Counts, Floats
from geceval.counting.metric import AnyMetric
from geceval.counting.metric_names import labels, names
from geceval.counting.run import Run
from geceval.counting.signature import signature_of
from geceval.results.named_figures import part_names, settings
from geceval.text.corpus import Corpus
from geceval.text.files import SOURCE

#: Columns of source and hypothesis.
PAIR = ("source", "hypothesis")
#: Column of a reference.
REFERENCE = "reference{}"

SCHEMA = "geceval/sentences@1"
#: Parts of scores by name, and the scores, [S] each: ``{"precision": …, "recall": …, "": …}``.
Figures = Mapping[str, Floats]


@dataclass(frozen=True)
class ScoreColumn:
    """A column of the scores of one system and metric.

    Attributes:
        head: Head in tables.
        path: Keys in JSON objects, below ``scores`` or ``parts``.
        system: Name of the system.
        metric: The metric.
        part: Name of a part of the score; empty: the score.
    """

    head: str
    path: tuple[str, ...]
    system: str
    metric: AnyMetric
    part: str = ""

    @property
    def in_percent(self) -> bool:
        """Whether the scores are shown times 100."""
        return self.metric.scale.part_in_percent(self.part)


@dataclass(frozen=True)
class RowLayout:
    """The columns of a row: line number, texts and scores.

    Attributes:
        columns: Columns of scores.
        references: Number of references; None for rows without texts.
        table: Names of the columns of the user's table, which are written instead of the texts; None without a table.
    """

    columns: Sequence[ScoreColumn]
    references: int | None = None
    table: Sequence[str] | None = None

    @property
    def texts(self) -> list[str]:
        """The heads of the text columns."""
        if self.table is not None:
            return list(self.table)
        return [] if self.references is None else [*PAIR, *map(REFERENCE.format, range(self.references))]

    @property
    def heads(self) -> list[str]:
        """The heads of all columns."""
        return [*self.line, *self.texts, *(column.head for column in self.columns)]

    @property
    def line(self) -> list[str]:
        """The head of the number of the sentence, unless the table has a column of this name."""
        return [] if "line" in (self.table or ()) else ["line"]


@dataclass(frozen=True)
class SentenceRows:
    """Rows of a layout: line numbers [N] from 1, texts [T][N], scores [C][N], and cells of the user's table [K][N]."""

    lines: Sequence[int]
    texts: Sequence[Sequence[str | None]]
    figures: Sequence[Floats]
    cells: Sequence[Sequence[Any]] = ()

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def references(self) -> list[list[str | None]]:
        """The references of each row."""
        texts = self.texts[len(PAIR) :]
        return list(map(list, zip(*texts, strict=True))) if texts else [[] for _ in self.lines]


def columns_of(systems: Sequence[str], metrics: Sequence[AnyMetric], *, parts: bool, alone: bool) -> list[ScoreColumn]:
    """Return the columns of all systems and metrics.

    ``parts`` adds the parts of each score before it; ``alone`` omits the name if there is only one system.
    """
    columns = []
    for system in systems:
        for label, name, metric in zip(labels(metrics), names(metrics), metrics, strict=True):
            head = label if alone else f"{system} {label}" if len(metrics) > 1 else system
            path = (name,) if alone else (system, name)
            if parts:
                for part in part_names(metric):
                    columns.append(ScoreColumn(f"{head} {part}", (*path, part), system, metric, part))
            columns.append(ScoreColumn(head, path, system, metric))
    return columns


def describe_columns(layout: RowLayout, signatures: Mapping[tuple[str, AnyMetric], str]) -> dict[str, Any]:
    """Return the signatures and settings of the columns."""
    columns = [
        {
            "name": column.head,
            "system": column.system,
            **({"guard": True} if column.system == SOURCE else {}),
            "metric": column.metric.name,
            **({"part": column.part} if column.part else {}),
            "settings": settings(column.metric),
            "signature": signatures[column.system, column.metric],
        }
        for column in layout.columns
    ]
    return {"columns": columns}


#: Hint for names of systems that are no names of columns.
_OTHER_NAME = Hint(Option("systems", "NAME=FILE"), " gives a system another name")


def check_heads(layout: RowLayout) -> None:
    """Raise UsageError for equal names of columns, and for names that are not text."""
    strange = [head for head in layout.heads if not is_text(head)]
    if strange:
        raise UsageError(f"invalid name of a column: {shown_name(strange[0])}", hint=_OTHER_NAME)
    check_double(layout)


def check_double(layout: RowLayout) -> None:
    """Raise UsageError if two different columns have the same name."""
    heads = [*layout.line, *layout.texts, *(column.head for column in dict.fromkeys(layout.columns))]
    double = [head for head, number in Counter(heads).items() if number > 1]
    if double:
        raise UsageError(f"two columns have the name {double[0]}", hint=_OTHER_NAME)


@dataclass(frozen=True)
class ScoredPart:
    """Scores of the sentences of a part of a corpus, by system and metric."""

    corpus: Corpus
    figures: Mapping[tuple[str, AnyMetric], Figures]


def score_parts(run: Run, *, parts: bool = False) -> Iterator[ScoredPart]:
    """Yield the sentence scores of all systems under all metrics, a part at a time.

    ``parts`` adds parts of scores, such as precision. Without metrics there are no scores.
    """
    if not run.source.system_names:
        raise UsageError("no system is given")

    def figures_of(_: str, metric: AnyMetric, counts: Counts) -> Figures:
        part_scores = metric.sentence_parts_of(counts) if parts else {}
        return {**part_scores, "": metric.sentence_scores_of(counts)}

    for corpus, figures in run.parts(figures_of):
        yield ScoredPart(corpus, figures)


def sentence_signatures(run: Run) -> dict[tuple[str, AnyMetric], str]:
    """Return the signatures of ``score_parts`` by system and metric."""
    return {
        (name, metric): signature_of(metric, run.signature_inputs(name, metric), "sentence")
        for name in run.source.system_names
        for metric in run.metrics
    }


def text_of_cell(value: Any) -> str:
    """Return a cell of a user's table as text; a missing one is empty."""
    if isinstance(value, str) or value is None:
        return value or ""
    return short_json(value) if isinstance(value, (bool, list, dict)) else str(value)


def short_json(value: object) -> str:
    """Return a value as JSON without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
