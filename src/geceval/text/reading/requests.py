"""Requests next to answers: a request has the sentence that the answer corrects, and shows rows in another order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option
from geceval.text.frames import plain_values
from geceval.text.m2.blocks import Blocks
from geceval.text.reading.column_roles import TableColumns, names_source
from geceval.text.reading.file_columns import HEAD, FileColumn, FileContent

#: Names of columns that have requests, or the sentences in them.
_REQUEST = re.compile(r"request|input|prompt|messages|conversation|question|query|vars|sentence|text", re.IGNORECASE)
#: Number of sentences that are looked for, smallest number of their characters, and number of requests without the
#: sentence of their row in which they are looked for.
SENTENCES, LEAST_CHARACTERS, REQUESTS = 10_000, 8, 20
#: Smallest number of requests that have the sentence of another row, if most do.
LEAST = 2


def check_requests(columns: TableColumns, gold: FileColumn | None) -> None:
    """Check that rows of answers are in the order of a source in another file, by the requests next to them.

    The first rows are examined. Spaces do not count. Examples in a request are no fault: most of the sentences must be
    of other rows, and different.

    Args:
        columns: The columns.
        gold: The gold edits, which have the sentences if no column has.

    Raises:
        InputError: if the requests have the sentences of other rows.
    """
    source = columns.source or gold
    contents = [column.content for name, column in columns.systems.items() if name not in columns.own_sources]
    for content in dict.fromkeys(contents):
        if source is None or content is source.content:
            continue
        for index, cells in _requests(content, columns):
            sentences = _first_sentences(source)
            fitting, rows = _rows_of_sentences(cells, ["".join(sentence.split()) for sentence in sentences])
            if len(rows) >= LEAST and len(rows) > fitting and 2 * len({*rows.values()}) > len(rows):
                raise _order_error(content, index, cells, rows, sentences)


def _first_sentences(source: FileColumn) -> list[str]:
    """Return the first sentences of the source, or of gold edits, as they are in the file."""
    [values] = next(source.content.portions([source.index], SENTENCES), [[]])
    return [_text(value) for value in plain_values(values.source if isinstance(values, Blocks) else values)]


def _requests(content: FileContent, columns: TableColumns) -> Iterator[tuple[int, list[str]]]:
    """Yield the columns that may have requests, and their first cells as texts."""
    used = {column.index for column in columns.all if column.content is content}
    names = enumerate(content.names)
    indexes = [index for index, name in names if index not in used and (names_source(name) or _REQUEST.search(name))]
    try:
        head = next(content.cells(indexes, HEAD), []) if indexes else []
    except InputError:  # a bad row, which is reported with its place when all columns are read
        return
    for index, cells in zip(indexes, head, strict=bool(head)):
        yield index, [_text(cell) for cell in plain_values(cells)]


def _text(cell: Any) -> str:
    """Return a text, or the tokens of a list as one; empty for other values."""
    is_tokens = isinstance(cell, list) and all(isinstance(token, str) for token in cell)
    return " ".join(cell) if is_tokens else cell if isinstance(cell, str) else ""


def _rows_of_sentences(cells: Sequence[str], lines: Sequence[str]) -> tuple[int, dict[int, int]]:
    """Return how many cells have the sentence of their row, and the row of the sentence in some others."""
    fitting, rows, examined = 0, dict[int, int](), 0
    for row, (cell, line) in enumerate(zip(cells, lines, strict=False)):
        cell_text = "".join(cell.split())
        if not cell_text or len(line) < LEAST_CHARACTERS:
            continue
        if line in cell_text:
            fitting += 1
        elif examined < REQUESTS:
            examined += 1
            candidates = (
                number for number, text in enumerate(lines) if len(text) >= LEAST_CHARACTERS and text in cell_text
            )
            longest = max(candidates, key=lambda number: len(lines[number]), default=None)
            if longest is not None:
                rows[row] = longest
    return fitting, rows


def _order_error(
    content: FileContent, index: int, cells: Sequence[str], rows: dict[int, int], sentences: Sequence[str]
) -> InputError:
    """Return the error of the first request with the sentence of another row."""
    row, place = next(iter(rows.items()))
    name = content.names[index]
    message = f"the request has sentence {place + 1} of the source, not {row + 1}: rows are in another order"
    position = Hint("; ", Option("id", "none"), " reads them by position")
    is_sentence = all("".join(cells[row].split()) == "".join(sentences[place].split()) for row, place in rows.items())
    if is_sentence and names_source(name):
        remedy = Hint(Option("id", name), " matches rows by it")
    else:
        remedy = Hint("number the requests in the order of the source, and ", Option("id", "COL"), " matches them")
    sentence = f"\n  {sentences[row]}\n  {sentences[place]}"
    return content.column("request", index).error(row, message, Hint(remedy, position, sentence))
