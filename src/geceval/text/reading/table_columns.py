"""Tables, and the roles of their columns in a corpus."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from geceval.base.arguments import as_sequence, did_you_mean, shown
from geceval.base.errors import UsageError
from geceval.text.files import SOURCE, duplicate_system_error, path_text
from geceval.text.preparation import ROLES, Role
from geceval.text.reading.file_columns import FileColumn, FileContent
from geceval.text.reading.formats import Format, InputFile, table_format

#: Names, ignoring case, of the columns that are used by default.
USUAL: Mapping[Role, re.Pattern[str]] = {
    "source": re.compile("source", re.IGNORECASE),
    "references": re.compile(r"references?|reference[ _.-]?\d+", re.IGNORECASE),
    "systems": re.compile(r"hypothesis|hypothesis[ _.-]?\d+", re.IGNORECASE),
}


@dataclass(frozen=True, eq=False)
class InputTable:
    """A table and the names of its columns; the values are read later."""

    content: FileContent
    names: Sequence[str]

    @staticmethod
    def opened(path: str, format: str | Format | None = None, *, header: bool = True) -> InputTable:
        """Open a table and return it.

        Raises the errors of table_format, and the format's errors of reading.
        """
        path = path_text(path)
        how, file = table_format(path, format, header=header), InputFile(path)
        return InputTable(FileContent(file, how), list(how.columns(file)))

    def column(self, role: str, name: Any) -> FileColumn:
        """Return a column by name or, if no column has the name, by number from 1.

        Raises UsageError that lists the columns if it does not exist.
        """
        file, number = self.content.file.name, str(name)
        if list(self.names).count(name) > 1:
            raise UsageError(f"{file} has two columns called {name}", hint="give the number of the column, from 1")
        if name in self.names:
            place = self.names.index(name)
        elif number.isascii() and number.isdecimal() and 1 <= int(number) <= len(self.names):
            place = int(number) - 1
        else:
            raise missing_column_error(file, name, self.names)
        return FileColumn(role, self.content, place, self.names[place])

    def found(self, role: Role) -> list[str]:
        """Return the names of the columns that have a role by default."""
        return [name for name in self.names if USUAL[role].fullmatch(name)]


def missing_column_error(table: str, name: object, names: Sequence[object]) -> UsageError:
    """Return the error for a missing column."""
    message = f"{table} has no column {shown(name)}: choose from {', '.join(map(str, names))}"
    return UsageError(message, hint=did_you_mean(name, [one for one in names if isinstance(one, str)]))


@dataclass(frozen=True)
class TableColumns:
    """The columns of a table in a corpus.

    ``references`` contain texts or lists of texts.
    """

    source: FileColumn | None = None
    references: Sequence[FileColumn] = ()
    systems: Mapping[str, FileColumn] = field(default_factory=dict)
    labels: FileColumn | None = None

    @staticmethod
    def of(
        table: InputTable,
        source: str | None = None,
        hypothesis: str | Sequence[str] | Mapping[str, str] | None = None,
        references: str | Sequence[str] | None = None,
        labels: str | None = None,
        *,
        find: Collection[Role] = ROLES,
    ) -> TableColumns:
        """Return the named columns.

        None stands for the default columns, if the role is in ``find``.
        """
        if source is None and "source" in find:
            source = next(iter(table.found("source")), None)
        if hypothesis is None:
            hypothesis = table.found("systems") if "systems" in find else ()
        if references is None:
            references = table.found("references") if "references" in find else ()
        named = _listed("references", references)
        return TableColumns(
            None if source is None else table.column("source", source),
            [table.column(f"reference {r}", name) for r, name in enumerate(named)],
            _systems(table, hypothesis),
            None if labels is None else table.column("labels", labels),
        )

    @property
    def paths(self) -> list[str]:
        """The file of the table, as a list; empty without a table."""
        columns = [self.source, *self.references, *self.systems.values(), self.labels]
        return list({column.content.file.path for column in columns if column is not None})

    def to_dict(self) -> dict[str, Any]:
        """Return the names of the columns by role as JSON values."""
        return {
            "source": None if self.source is None else self.source.name,
            "references": [column.name for column in self.references],
            "systems": {name: column.name for name, column in self.systems.items()},
        }

    def described(self) -> str:
        """Return the columns of each role in one line."""
        systems = self.systems.items()
        roles: list[tuple[str, Sequence[str]]] = [
            ("source", [] if self.source is None else [self.source.name]),
            ("references", [column.name for column in self.references]),
            ("systems", [column.name if name == column.name else f"{name}={column.name}" for name, column in systems]),
            ("labels", [] if self.labels is None else [self.labels.name]),
        ]
        return "; ".join(f"{role}: {', '.join(names)}" for role, names in roles if names)


def _listed(argument: str, names: str | Sequence[str]) -> Sequence[str]:
    return [names] if isinstance(names, str) else as_sequence(argument, names, "column")


def _systems(table: InputTable, hypothesis: str | Sequence[str] | Mapping[str, str]) -> dict[str, FileColumn]:
    if isinstance(hypothesis, Mapping):
        pairs = [(name, table.column("system", column)) for name, column in hypothesis.items()]
    else:
        columns = [table.column("system", name) for name in _listed("hypothesis", hypothesis)]
        pairs = [(column.name, column) for column in columns]
    systems: dict[str, FileColumn] = {}
    for name, column in pairs:
        if name == SOURCE:
            raise UsageError(f"{SOURCE} is the name of the unchanged source")
        if name in systems:
            raise duplicate_system_error(name)
        systems[name] = column
    return systems
