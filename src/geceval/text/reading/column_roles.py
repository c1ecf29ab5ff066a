"""Roles of the columns of tables: source, references, systems, labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any

from geceval.base.arguments import as_sequence
from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option, Step
from geceval.text.files import SOURCE, has_ending
from geceval.text.preparation import ROLES, Role
from geceval.text.reading.file_columns import FileColumn, FileContent
from geceval.text.reading.file_kinds import SUGGESTIONS
from geceval.text.reading.input_tables import InputTable, columns_of, has_values
from geceval.text.reading.role_names import (
    FURTHER,
    LIKE_REFERENCES,
    REFERENCES,
    further_names,
    has_source,
    is_answer,
    usual_names,
)
from geceval.text.system_files import duplicate_system_error
from geceval.text.written_values import written_value


@dataclass(frozen=True)
class TableColumns:
    """The columns of a table in a corpus.

    ``references`` contain texts or lists of texts. ``own_references`` are references of one system each, by its name,
    ``own_sources`` the sources that one system each corrects. ``copies`` are sources of further tables, which must be
    the same, ``further_references`` references of further tables, which reference_owners takes for copies or for
    references of the systems in their table.
    """

    source: FileColumn | None = None
    references: Sequence[FileColumn] = ()
    systems: Mapping[str, FileColumn] = field(default_factory=dict)
    labels: FileColumn | None = None
    copies: Sequence[FileColumn] = ()
    further_references: Sequence[FileColumn] = ()
    own_sources: Mapping[str, FileColumn] = field(default_factory=dict)
    own_references: Mapping[str, Sequence[FileColumn]] = field(default_factory=dict)

    @staticmethod
    def of(
        tables: Sequence[InputTable],
        source: str | None = None,
        hypothesis: str | Sequence[str] | Mapping[str, str] | None = None,
        references: str | Sequence[str] | Mapping[str | None, str | Sequence[str]] | None = None,
        labels: str | None = None,
        *,
        find: Collection[Role] = ROLES,
        guess: Collection[Role] = ROLES,
    ) -> TableColumns:
        """Return the named columns.

        None stands for the default columns, if the role is in ``find``; if it is in ``guess``, too, columns with less
        usual names may have it. Sources and references are those of the first table that has them, with copies in
        further tables; systems are those of all tables. References of one system each are given by its name, those of
        all systems by None.
        """
        by_owner = references if isinstance(references, Mapping) else {None: references}
        common = _listed("references", by_owner.get(None))
        listed_by_owner = {name: _listed("references", names) for name, names in by_owner.items() if name is not None}
        named = {"source": _listed("source", source), "references": [*common, *chain(*listed_by_owner.values())]}
        named |= {"systems": _listed("hypothesis", hypothesis), "labels": _listed("labels", labels)}
        find = [role for role in find if not named[role]]
        defaults = _default_names(tables, find, [role for role in find if role in guess], chain(*named.values()))
        source_names = named["source"] or next(filter(None, defaults["source"]), [])
        sources = columns_of(tables, "source", source_names[0]) if source_names else []
        columns = TableColumns(
            next(iter(sources), None),
            (),
            _systems(tables, hypothesis, defaults["systems"]),
            None if labels is None else columns_of(tables, "labels", labels)[0],
            sources[1:],
        )
        if named["references"]:
            in_tables = [columns_of(tables, f"reference {r}", name) for r, name in enumerate(common)]
        else:
            in_tables = _default_references(tables, columns, defaults["references"], guesses="references" in guess)
        return replace(
            columns,
            references=[first for first, *_ in in_tables],
            further_references=[column for _, *further in in_tables for column in further],
            own_references={
                owner: [columns_of(tables, f"reference {r}", name)[0] for r, name in enumerate(names, len(common))]
                for owner, names in listed_by_owner.items()
            },
        )

    def as_pairs(self) -> TableColumns:
        """Return the columns with the only reference as the system, if there is no system."""
        if self.systems or len(self.references) != 1 or self.further_references:
            return self
        [column] = self.references
        return replace(self, references=(), systems={column.name: column.content.column("system", column.index)})

    def source_next_to(self, content: FileContent) -> FileColumn | None:
        """Return the source, or its copy, in the same table; None without one."""
        sources = (self.source, *self.copies)
        return next((column for column in sources if column is not None and column.content is content), None)

    @property
    def all_references(self) -> list[FileColumn]:
        """The references of all systems, of further tables and of single systems."""
        return [*self.references, *self.further_references, *chain.from_iterable(self.own_references.values())]

    def references_of_systems(self) -> list[list[FileColumn]]:
        """Return the references of each system if one has its own, else those of all; all of them have any."""
        owners = self.systems if self.own_references else [""]
        lists = [[*self.references, *self.own_references.get(owner, ())] for owner in owners]
        return [references for references in lists if references]

    @property
    def all(self) -> list[FileColumn]:
        """All columns."""
        columns = [self.source, *self.own_sources.values(), *self.all_references, *self.systems.values()]
        columns += [self.labels, *self.copies]
        return [column for column in columns if column is not None]

    @property
    def system_tables(self) -> list[FileContent]:
        """The tables with columns of systems."""
        return list(dict.fromkeys(column.content for column in self.systems.values() if column.in_table))

    @property
    def paths(self) -> list[str]:
        """The files of the tables; empty without a table."""
        return list({column.content.file.path for column in self.all})

    def with_contents(self, contents: Mapping[FileContent, FileContent]) -> TableColumns:
        """Return the columns in other contents, where these have one."""

        def moved(column: FileColumn) -> FileColumn:
            return replace(column, content=contents.get(column.content, column.content))

        return TableColumns(
            None if self.source is None else moved(self.source),
            [moved(column) for column in self.references],
            {name: moved(column) for name, column in self.systems.items()},
            None if self.labels is None else moved(self.labels),
            [moved(column) for column in self.copies],
            [moved(column) for column in self.further_references],
            {name: moved(column) for name, column in self.own_sources.items()},
            {name: [moved(column) for column in references] for name, references in self.own_references.items()},
        )

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
        owned = ((name, column) for name, columns in self.own_references.items() for column in columns)
        roles: list[tuple[str, Sequence[str]]] = [
            ("source", [] if self.source is None else [self.source.name]),
            ("references", list(dict.fromkeys(column.name for column in (*self.references, *self.further_references)))),
            ("references of one system", [f"{name}={column.name}" for name, column in owned]),
            ("systems", [column.name if name == column.name else f"{name}={column.name}" for name, column in systems]),
            ("labels", [] if self.labels is None else [self.labels.name]),
        ]
        return "; ".join(f"{role}: {', '.join(names)}" for role, names in roles if names)


def _listed(argument: str, names: str | Sequence[str] | Mapping[str, str] | None) -> Sequence[str]:
    if isinstance(names, Mapping):
        return list(names.values())
    return [] if names is None else [names] if isinstance(names, str) else as_sequence(argument, names, "column")


def _default_references(
    tables: Sequence[InputTable], columns: TableColumns, defaults: Sequence[Sequence[str]], *, guesses: bool
) -> list[list[FileColumn]]:
    """Return the references of the first table that has them by default, the first one with those of other tables.

    Args:
        tables: The tables.
        columns: The columns of other roles.
        defaults: The names of references in each table.
        guesses: Whether columns of other tables with less usual names are references, too.
    """
    index = next((index for index, names in enumerate(defaults) if names), None)
    if index is None:
        return []
    references = [[tables[index].column(f"reference {r}", name)] for r, name in enumerate(defaults[index])]
    for table in (*tables[:index], *tables[index + 1 :]):
        used = {column.name for column in columns.all if column.content is table.content}
        names: Sequence[str] = [name for name in usual_names(table.names, "references") if name not in used]
        if not names and guesses:
            free = [name for name in table.names if name not in used]
            names = further_names(free, [*REFERENCES, LIKE_REFERENCES], partial(has_values, table.content))
        references[0] += [table.column("reference", name) for name in names]
    return references


def _default_names(
    tables: Sequence[InputTable], find: Collection[Role], guess: Collection[Role], named: Iterable[Any]
) -> dict[Role, list[list[str]]]:
    """Return the names of the columns of each role, by table; see TableColumns.of.

    Columns in ``named`` have no further role by a less usual name.
    """
    names: dict[Role, list[list[str]]] = {
        role: [usual_names(table.names, role) if role in find else [] for table in tables] for role in ROLES
    }
    named = list(named)
    for role, patterns in FURTHER:
        for index, table in enumerate(tables):
            if role in guess and not (names[role][index] if role == "systems" else any(names[role])):
                with_role = chain(named, *(by_table[index] for by_table in names.values()))
                used = [table.names[place] for name in with_role if (place := table.content.position(name)) is not None]
                free = [name for name in table.names if not any(_is_within(name, above) for above in used)]
                names[role][index] = further_names(free, patterns, partial(has_values, table.content))
                if role == "systems":
                    _check_is_corrected(table, names[role][index])
    if "references" in guess and not any(names["references"]):
        _move_references(tables, names)
    return names


def _check_is_corrected(table: InputTable, names: Sequence[str]) -> None:
    """Raise UsageError if the columns guessed to be systems are the texts that were checked, next to suggestions."""
    from geceval.text.m2.suggestion_rows import TEXTS  # texts need no suggestions

    texts = (name for name in names if name.rpartition(".")[2].lower() in TEXTS and not is_answer(name))
    name = next(texts, None)
    content = table.content
    if name is None or not any(
        has_values(content, column, partial(_may_be_suggestions, column)) for column in content.names
    ):
        return
    file = content.file
    step = Hint(Option("systems", "FILE.jsonl"), " reads suggestions")
    if has_ending(file.path, *SUGGESTIONS):
        step = Hint(Option("systems", file.path), " reads the suggestions")
    message = f"{file.name}: the column {name} is next to suggestions: the checked text, not the text of a system"
    raise UsageError(message, hint=Hint(step, "; if it has corrections: ", Option("hypothesis_column", name)))


def _may_be_suggestions(column: str, value: Any) -> bool:
    """Return whether a value of a column is a list of suggestions, also as JSON text."""
    from geceval.text.m2.suggestion_rows import may_have_suggestions  # texts need no suggestions

    return may_have_suggestions({column.rpartition(".")[2]: written_value(value)})


def _is_within(name: str, used: str) -> bool:
    """Return whether a column is another one or a field of it, or an item of the list whose text the other one has."""
    above, _, step = used.rpartition(".")
    is_item = step in ("assistant", "text") and re.match(rf"{re.escape(above)}\.\d", name) is not None
    return is_item or f"{name}.".startswith(f"{used}.")


def _move_references(tables: Sequence[InputTable], names: dict[Role, list[list[str]]]) -> None:
    """Take a guessed system as reference if its table is the only one with a source, and others have systems."""
    with_source = [index for index, table in enumerate(tables) if has_source(table.names)]
    if len(with_source) == 1 and any(
        systems for index, systems in enumerate(names["systems"]) if index not in with_source
    ):
        [data] = with_source
        if not usual_names(tables[data].names, "systems"):
            names["references"][data], names["systems"][data] = names["systems"][data], []


def _systems(
    tables: Sequence[InputTable],
    hypothesis: str | Sequence[str] | Mapping[str, str] | None,
    defaults: Sequence[Sequence[str]],
) -> dict[str, FileColumn]:
    """Return the columns of systems by name; ``defaults`` are their names in each table if none are given."""
    if isinstance(hypothesis, Mapping):
        pairs = [(name, _only(columns_of(tables, "system", column))) for name, column in hypothesis.items()]
    elif hypothesis is None:
        columns = [
            table.column("system", name) for table, names in zip(tables, defaults, strict=True) for name in names
        ]
        pairs = _named(tables, columns, by_file={column.name for column in columns})
    else:
        named = _listed("hypothesis", hypothesis)
        columns = [column for name in named for column in columns_of(tables, "system", name)]
        counts = Counter(column.name for column in columns)
        pairs = _named(tables, columns, by_file={name for name, count in counts.items() if count > 1})
    systems: dict[str, FileColumn] = {}
    for name, column in pairs:
        if name == SOURCE:
            raise UsageError(f"{SOURCE} is the name of the unchanged source")
        if name in systems:
            raise duplicate_system_error(name)
        systems[name] = column
    return systems


def _only(columns: Sequence[FileColumn]) -> FileColumn:
    """Return the only column; raises UsageError for several, which cannot have one name."""
    if len(columns) > 1:
        files = ", ".join(column.content.file.name for column in columns)
        name = columns[0].name
        file = Step(Hint(Option("table", "NAME=FILE")), 'geceval.read_table({"NAME": "FILE"})')
        raise UsageError(
            f"{files} have a column {name}: one name for several systems",
            hint=Hint(file, " names the system of a file; ", Option("hypothesis_column", name)),
        )
    return columns[0]


def _named(
    tables: Sequence[InputTable], columns: Sequence[FileColumn], by_file: Collection[str]
) -> list[tuple[str, FileColumn]]:
    """Return columns and the names of their systems.

    The table names them if it has a name; its file those whose columns are in ``by_file``, if several tables have
    systems or the name is a path.
    """
    numbers = Counter(column.content for column in columns)
    by_content = {table.content: table for table in tables}
    pairs = []
    for column in columns:
        table, name = by_content[column.content], column.name
        if table.is_named or (name in by_file and (len(numbers) > 1 or is_answer(name))):
            name = table.label if numbers[column.content] == 1 else f"{table.label} {name}"
        pairs.append((name, column))
    return pairs
