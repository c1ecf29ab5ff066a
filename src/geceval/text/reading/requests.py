"""Requests next to answers: a request has the sentence that the answer corrects, and shows rows in another order."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option
from geceval.text.frames import plain_values
from geceval.text.m2.blocks import Blocks
from geceval.text.reading.column_roles import TableColumns
from geceval.text.reading.file_columns import HEAD, FileColumn, FileContent
from geceval.text.reading.role_names import names_source

#: Names of columns that have requests, or the sentences in them.
_REQUEST = re.compile(r"request|input|prompt|messages|conversation|question|query|vars|sentence|text", re.IGNORECASE)
#: Number of sentences around a row that are looked for, smallest number of their characters, number of requests without
#: the sentence of their row in which they are looked for, and of portions in vain after which only those are examined
#: of which most requests lack the sentence, and after which none is.
SENTENCES, LEAST_CHARACTERS, REQUESTS, FEW_PORTIONS, PORTIONS = 10_000, 8, 20, 5, 10
#: Smallest number of requests that have the sentence of another row, if most that lack their own do.
LEAST = 2


def check_requests(columns: TableColumns, gold: FileColumn | None) -> None:
    """Check that rows of answers are in the order of a source in another file, by the requests next to them.

    Rows are examined some at a time. Spaces do not count. Examples in a request are no fault: most requests without the
    sentence of their row must have those of other rows, which differ.

    Args:
        columns: The columns.
        gold: The gold edits, which have the sentences if no column has.

    Raises:
        InputError: If the requests have the sentences of other rows.
    """
    source = columns.source or gold
    contents = [column.content for name, column in columns.systems.items() if name not in columns.own_sources]
    for content in dict.fromkeys(contents):
        if source is not None and content is not source.content:
            error = None
            with contextlib.suppress(InputError):  # of a bad row, which is reported with its place later
                error = _order_fault(content, _request_columns(content, columns), source)
            if error is not None:
                raise error


def _request_columns(content: FileContent, columns: TableColumns) -> list[int]:
    """Return the columns that may have requests, by their names."""
    used = {column.index for column in columns.all if column.content is content}
    names = enumerate(content.names)
    return [index for index, name in names if index not in used and (names_source(name) or _REQUEST.search(name))]


def _order_fault(content: FileContent, indexes: Sequence[int], source: FileColumn) -> InputError | None:
    """Return the error of requests of a portion that have the sentences of other rows.

    A column is no longer examined if its requests have no sentences, in the first portion or in several. Raises
    InputError for a bad row.
    """
    in_vain = dict.fromkeys(indexes, 0)
    rows_before = 0
    for portion, lines in _portions(content, indexes, source):
        for index, cells in zip(indexes, portion, strict=True):
            if in_vain[index] == PORTIONS:
                continue
            pairs = list(zip(map(_text, cells), lines, strict=False))
            fitting, misfits = _fitting_and_misfits(pairs)
            if len(misfits) < LEAST or (len(misfits) <= fitting and in_vain[index] >= FEW_PORTIONS):
                continue
            start = max(0, rows_before - SENTENCES // 2)
            sentences = _sentences(source, start)
            requests = {row: pairs[row][0] for row in misfits[:REQUESTS]}
            places = _rows_of_sentences(requests, sentences)
            if len(places) >= LEAST and 2 * min(len(places), len({*places.values()})) > len(requests):
                return _order_error(content, index, rows_before, pairs, places, start, sentences)
            in_vain[index] = in_vain[index] + 1 if rows_before or fitting else PORTIONS
        if min(in_vain.values()) == PORTIONS:
            break
        rows_before += len(lines)
    return None


def _portions(
    content: FileContent, indexes: Sequence[int], source: FileColumn
) -> Iterator[tuple[Sequence[Sequence[Any]], Sequence[str]]]:
    """Yield the cells of columns and the sentences of their rows, some at a time."""
    cells = content.cells(indexes, HEAD) if indexes else iter(())
    for portion, [values] in zip(cells, source.content.portions([source.index], HEAD), strict=False):
        yield [plain_values(column) for column in portion], _texts(values)


def _sentences(source: FileColumn, start: int) -> list[str]:
    """Return the sentences of a source, or of gold edits, from a row on, as they are in the file."""
    rows_before, sentences = 0, list[str]()
    for [values] in source.content.portions([source.index], SENTENCES):
        sentences += _texts(values)[max(0, start - rows_before) :]
        rows_before += len(values)
        if len(sentences) >= SENTENCES:
            break
    return sentences[:SENTENCES]


def _texts(values: Any) -> list[str]:
    """Return values as texts; blocks have those of their source."""
    return [_text(value) for value in plain_values(values.source if isinstance(values, Blocks) else values)]


def _text(cell: Any) -> str:
    """Return a text, or the tokens of a list as one; empty for other values."""
    is_tokens = isinstance(cell, list) and all(isinstance(token, str) for token in cell)
    return " ".join(cell) if is_tokens else cell if isinstance(cell, str) else ""


def _fitting_and_misfits(pairs: Sequence[tuple[str, str]]) -> tuple[int, list[int]]:
    """Return how many requests have the sentence of their row, and the rows of the others."""
    fitting, misfits = 0, []
    for row, (cell, line) in enumerate(pairs):
        if line in cell and len(line) - line.count(" ") >= LEAST_CHARACTERS:  # most rows, in less time
            fitting += 1
            continue
        sentence, request = "".join(line.split()), "".join(cell.split())
        if request and len(sentence) >= LEAST_CHARACTERS:
            if sentence in request:
                fitting += 1
            else:
                misfits.append(row)
    return fitting, misfits


def _rows_of_sentences(requests: Mapping[int, str], sentences: Sequence[str]) -> dict[int, int]:
    """Return the place of the longest sentence in each of some requests that have one."""
    lines = [(place, "".join(sentence.split())) for place, sentence in enumerate(sentences)]
    places = {}
    for row, cell in requests.items():
        request = "".join(cell.split())
        matches = [(len(line), -place) for place, line in lines if len(line) >= LEAST_CHARACTERS and line in request]
        if matches:
            places[row] = -max(matches)[1]
    return places


def _order_error(
    content: FileContent,
    index: int,
    rows_before: int,
    pairs: Sequence[tuple[str, str]],
    places: Mapping[int, int],
    start: int,
    sentences: Sequence[str],
) -> InputError:
    """Return the error of the first request with the sentence of another row.

    Args:
        content: The table.
        index: The column of requests.
        rows_before: Number of rows before the portion.
        pairs: The request and the sentence of each row of it.
        places: The place of the sentence in some of the requests.
        start: Row of the first of the sentences.
        sentences: The sentences.
    """
    row, place = next(iter(places.items()))
    name = content.names[index]
    numbers = f"sentence {start + place + 1} of the source, not {rows_before + row + 1}"
    message = f"the request has {numbers}: rows are in another order"
    position = Hint("; ", Option("id", "none"), " reads them by position")
    is_sentence = all(
        "".join(pairs[row][0].split()) == "".join(sentences[place].split()) for row, place in places.items()
    )
    if is_sentence and names_source(name):
        remedy = Hint(Option("id", name), " matches rows by it")
    else:
        remedy = Hint("number the requests in the order of the source, and ", Option("id", "COL"), " matches them")
    sentence = f"\n  {pairs[row][1]}\n  {sentences[place]}"
    return content.column("request", index).error(rows_before + row, message, Hint(remedy, position, sentence))
