"""Rows of sentences as Parquet, which requires the extra ``geceval[arrow]``."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

from geceval.scoring.sentence_rows import PAIR, RowFormat, RowLayout, SentenceRows
from geceval.text.reading.parquet_table import require_arrow

#: Minimum number of rows of a row group: files with small groups are slow to read.
GROUP = 1 << 16


class ParquetRows(RowFormat):
    """Rows as Parquet, with at most one row group in memory.

    Scores are unscaled doubles, ``line`` is an integer, texts are strings, and ``references`` is a list of strings.
    The metadata key ``geceval`` contains ``content``, the description of the columns.

    Raises:
        MissingExtraError: If pyarrow is not installed.
    """

    def __init__(self, layout: RowLayout, content: Mapping[str, Any]) -> None:
        arrow = self._arrow = require_arrow()
        paired = layout.references is not None
        texts = [*((head, arrow.string()) for head in PAIR), ("references", arrow.list_(arrow.string()))]
        numbers = [(column.head, arrow.float64()) for column in layout.columns]
        fields = [("line", arrow.int64()), *(texts if paired else ()), *numbers]
        self._schema = arrow.schema(fields, metadata={"geceval": json.dumps(content)})
        self._paired, self._written, self._waiting = paired, io.BytesIO(), list[Any]()
        self._writer = arrow.parquet.ParquetWriter(self._written, self._schema, compression="zstd")

    def start(self) -> bytes:
        """Return the first bytes of the file."""
        return self._taken()

    def rows(self, rows: SentenceRows) -> bytes:
        """Add rows, and return the bytes of complete row groups."""
        columns: list[Any] = [rows.lines]
        if self._paired:
            columns += [*rows.texts[: len(PAIR)], rows.references]
        arrays = [
            self._arrow.array(values, field.type)
            for values, field in zip([*columns, *rows.figures], self._schema, strict=True)
        ]
        self._waiting.append(self._arrow.table(arrays, schema=self._schema))
        if sum(map(len, self._waiting)) >= GROUP:
            self._write()
        return self._taken()

    def _write(self) -> None:
        tables, self._waiting = self._waiting, []
        if tables:
            self._writer.write_table(self._arrow.concat_tables(tables), row_group_size=2 * GROUP)

    def end(self) -> bytes:
        """Return the remaining rows and the footer of the file."""
        self._write()
        self._writer.close()
        return self._taken()

    def _taken(self) -> bytes:
        """Return what was written since the last call; Arrow counts the bytes before it."""
        data = self._written.getvalue()
        self._written.seek(0)
        self._written.truncate()
        return data
