"""Tables: which of their columns play which role in a corpus."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from geceval.base.arguments import as_sequence, did_you_mean, shown
from geceval.base.errors import UsageError
from geceval.text.files import SOURCE, given_twice, path_text
from geceval.text.preparation import ROLES, Role
from geceval.text.reading.file_columns import FileColumn, FileContent
from geceval.text.reading.formats import Format, InputFile, table_format

#: What the columns are called, in any case, that are taken where none is named.
USUAL: Mapping[Role, re.Pattern[str]] = {
    "source": re.compile("source", re.IGNORECASE),
    "references": re.compile(r"references?|reference[ _.-]?\d+", re.IGNORECASE),
    "systems": re.compile(r"hypothesis|hypothesis[ _.-]?\d+", re.IGNORECASE),
}


@dataclass(frozen=True, eq=False)
class InputTable:
    """A table and the names of its columns. It was opened for these; what is in it is read later."""

    content: FileContent
    names: Sequence[str]

    @staticmethod
    def opened(path: str, format: str | Format | None = None, *, header: bool = True) -> InputTable:
        """The table in a file. Errors: see table_format, and those of reading."""
        path = path_text(path)
        how, file = table_format(path, format, header=header), InputFile(path)
        return InputTable(FileContent(file, how), list(how.columns(file)))

    def column(self, role: str, name: Any) -> FileColumn:
        """A column by its name or, if none is called so, by its number from 1. Raises UsageError that lists what there
        is."""
        file, number = self.content.file.name, str(name)
        if list(self.names).count(name) > 1:
            raise UsageError(f"{file} has two columns called {name}", hint="give the number of the column, from 1")
        if name in self.names:
            place = self.names.index(name)
        elif number.isascii() and number.isdecimal() and 1 <= int(number) <= len(self.names):
            place = int(number) - 1
        else:
            raise no_column(file, name, self.names)
        return FileColumn(role, self.content, place, self.names[place])

    def found(self, role: Role) -> list[str]:
        """The columns that are taken for a role where none is named."""
        return [name for name in self.names if USUAL[role].fullmatch(name)]


def no_column(table: str, name: object, names: Sequence[object]) -> UsageError:
    """The error for a column that is not there."""
    message = f"{table} has no column {shown(name)}: choose from {', '.join(map(str, names))}"
    return UsageError(message, hint=did_you_mean(name, [one for one in names if isinstance(one, str)]))


@dataclass(frozen=True)
class TableColumns:
    """What a table gives to a corpus. ``references``: columns of texts or of lists of texts."""

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
        """The columns as they are named; where None are, those with the usual names, if the role is to be found."""
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
        """The file, if there is a table."""
        columns = [self.source, *self.references, *self.systems.values(), self.labels]
        return list({column.content.file.path for column in columns if column is not None})

    def to_dict(self) -> dict[str, Any]:
        """The names of the columns by role, as JSON has them."""
        return {
            "source": None if self.source is None else self.source.name,
            "references": [column.name for column in self.references],
            "systems": {name: column.name for name, column in self.systems.items()},
        }

    def described(self) -> str:
        """Which columns are taken for what, in a line."""
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
            raise given_twice(name)
        systems[name] = column
    return systems
