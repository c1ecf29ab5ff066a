"""Rows that are bad in one text: listed together, or left out of all texts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast

from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option
from geceval.text.blank_texts import Blank, blank_rows, is_missing
from geceval.text.preparation import Role
from geceval.text.reading.aligned_files import Rows, no_reference
from geceval.text.reading.column_roles import TableColumns
from geceval.text.reading.file_columns import FileColumn

#: Number of bad rows that a message lists, and share of rows above which those left out are no minor matter.
LISTED, LIMIT = 10, 0.05


@dataclass(frozen=True)
class RowRules:
    """Rules by which a row is bad.

    Attributes:
        columns: The columns of the texts.
        breaks: Whether line breaks within a text are replaced, by role.
        blank: Reading of blank texts.
        gold: Column of the gold edits, whose source is the default.
        skips: Whether blank outputs without a reading are bad, too.
    """

    columns: TableColumns
    breaks: Mapping[Role, bool]
    blank: Blank | None
    gold: FileColumn | None
    skips: bool

    def errors(self, rows: Iterable[Rows]) -> tuple[dict[int, InputError], int]:
        """Return the first error of each bad row, by its number from 0, and the number of rows."""
        errors: dict[int, InputError] = {}
        total = 0
        for portion in rows:
            source = self.source(portion)
            total = portion.start + len(source)
            for row, error in self._errors_of_portion(portion, source):
                errors.setdefault(portion.start + row, error)
        return dict(sorted(errors.items())), total

    def source(self, portion: Rows) -> Sequence[Any]:
        """Return the sentences of some rows, which are not checked."""
        column = self.columns.source
        if column is not None:
            return cast(Sequence[Any], portion.values[column])
        assert self.gold is not None
        return cast(Sequence[Any], portion.values[self.gold].source)

    def _errors_of_portion(self, portion: Rows, source: Sequence[Any]) -> Iterator[tuple[int, InputError]]:
        columns, reads_nulls = self.columns, self.blank in ("unchanged", "empty")
        for column in filter(None, (columns.source, *columns.own_sources.values())):
            yield from column.faults(portion.values[column], portion.start, breaks=self.breaks["source"])
        for column in columns.systems.values():
            if column.is_edits:
                continue
            values, breaks = portion.values[column], self.breaks["systems"]
            yield from column.faults(values, portion.start, optional=reads_nulls, breaks=breaks)
            if self.skips and not reads_nulls:
                for row in blank_rows(values, source):
                    yield row, column.error(portion.start + row, "empty next to a sentence")
        for column in columns.all_references:
            breaks = self.breaks["references"]
            yield from column.faults(portion.values[column], portion.start, optional=column.in_table, breaks=breaks)
        if self.blank in (None, "missing"):
            for references in columns.references_of_systems():
                for row in self._rows_without_references(references, portion, source):
                    yield row, no_reference(references[0], portion.start + row)

    def _rows_without_references(
        self, references: Sequence[FileColumn], portion: Rows, source: Sequence[Any]
    ) -> Iterator[int]:
        """Yield the rows in which no reference is present; blank lines of files are so only if they are missing."""
        if all(column.in_table or self.blank == "missing" for column in references):
            cells = [portion.values[column] for column in references]
            for row, sentence in enumerate(source if references else ()):
                values = (column[row] for column in cells)
                if all(value is None or is_missing(value, sentence) for value in values):
                    yield row


def without_faults(rows: Iterable[Rows], rules: RowRules, bad: Collection[int]) -> Iterator[Rows]:
    """Yield rows in which all texts of bad ones are the sentence, or empty if this is bad, so that they can be read."""
    columns = rules.columns
    texts = [*filter(None, (columns.source, *columns.own_sources.values())), *columns.all_references, *columns.copies]
    texts += [column for column in columns.systems.values() if not column.is_edits]
    for portion in rows:
        source = rules.source(portion)
        inside = [row for row in range(len(source)) if portion.start + row in bad] if bad else []
        if not inside:
            yield portion
            continue
        words = {
            row: source[row] if isinstance(source[row], str) and not set(source[row]) & set("\0\r\n") else ""
            for row in inside
        }
        values = dict(portion.values)
        for column in texts:
            values[column] = [words.get(row, value) for row, value in enumerate(values[column])]
        if columns.labels is not None:
            values[columns.labels] = ["" if row in words else value for row, value in enumerate(values[columns.labels])]
        yield portion._replace(values=values)


def with_all(error: InputError, errors: Mapping[int, InputError]) -> InputError:
    """Return the error of the first bad row with the other ones."""
    lines = [f"{bad.where}{bad.message}" for bad in errors.values()]
    if len(errors) < 2 or f"{error.where}{error.message}" not in lines:
        return error
    listed = "".join(f"\n  {line}" for line in lines[:LISTED])
    message = f"{error.message}\n  bad rows: {len(errors)}{f', the first {LISTED}' * (len(errors) > LISTED)}{listed}"
    skip = Hint(Option("skip_bad_rows", None), " leaves bad rows out of all texts")
    hint = skip if error.hint is None else Hint(error.hint, "; ", skip)
    return InputError(message, path=error.path, line=error.line, hint=hint)


def warn_of_skipped(errors: Mapping[int, InputError], total: int) -> None:
    """Warn of rows that are left out; many are no minor matter."""
    if errors:
        listed = "; ".join(_lines(errors)) + "; …" * (len(errors) > LISTED)
        message = f"left out: {len(errors)} of {total} rows, which are bad in one text: {listed}"
        warn(message, "scores are those of the other rows", check="skipped", minor=len(errors) <= LIMIT * total)


def _lines(errors: Mapping[int, InputError]) -> list[str]:
    """Return the first errors, with their places."""
    return [f"{error.where}{error.message}" for error in islice(errors.values(), LISTED)]
