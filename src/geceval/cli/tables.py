"""The options of tables, which all commands with data share: which columns are the sentences."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from geceval.base.errors import UsageError
from geceval.cli.notes import note

if TYPE_CHECKING:
    from geceval._kernel import Text
    from geceval.text.preparation import Role
    from geceval.text.reading import InputTable, TableColumns
    from geceval.text.reading.file_columns import FileColumn

#: Endings that no file of plain text has.
TABLES = ("csv", "jsonl", "ndjson", "parquet")
#: Options that say how --input is read: destination -> what it is without the option.
OPTIONS: dict[str, object] = {
    "source_column": None,
    "hypothesis_column": [],
    "reference_column": [],
    "input_format": None,
    "header": True,
}


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """A table, and its columns."""
    group = parser.add_argument_group(
        "tables", "TSV, CSV, JSON Lines or Parquet, a sentence a row, instead of files or beside them; docs/sources.md"
    )
    group.add_argument(
        *("-i", "--input"),
        metavar="FILE",
        help="the table; without the options below its columns source, hypothesis (hypothesis 2, …) and reference or "
        "references (reference 2, …) are taken",
    )
    group.add_argument("--source-column", metavar="COL", help="by name or number, from 1; of JSON a path: text.raw")
    group.add_argument(
        "--hypothesis-column",
        nargs="+",
        default=[],
        metavar="COL",
        help="the systems' corrections; NAME=COL: NAME stands for it in tables",
    )
    group.add_argument(
        "--reference-column",
        nargs="+",
        default=[],
        metavar="COL",
        help="one column an annotator, or lists of references",
    )
    group.add_argument(
        "--input-format",
        metavar="NAME",
        help="tsv, csv, jsonl, parquet, csv:tab, 'csv:;', or that of a package (default: by the name's ending)",
    )
    group.add_argument(
        "--no-header",
        dest="header",
        action="store_false",
        help="tsv, csv: the first row has sentences, not names; columns go by their numbers",
    )


def check_table_options(args: argparse.Namespace) -> None:
    """Raise UsageError for options about a table that is not there."""
    if args.input is not None:
        return
    for name, absent in OPTIONS.items():
        if getattr(args, name) != absent:
            option = "--no-header" if name == "header" else f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} is about the table of -i, and there is none")


def asked_table(args: argparse.Namespace) -> TableColumns | None:
    """The columns of ``-i`` that the options name, or that are found by their names, which is told on stderr; None
    without a table."""
    check_table_options(args)
    if args.input is None:
        return None
    from geceval.text.files import check_standard_input

    files = [args.input, args.source, args.gold, *args.references, *args.systems]
    check_standard_input([path for path in files if path is not None])
    columns = asked_columns(args)
    if not (columns.source or args.source or args.gold):
        names = opened_table(args).names
        hint = f"--source-column says which of {', '.join(names)}"
        if len(names) == 1 and {";", "\t"} & set(names[0]):
            hint = "there is one column only: --input-format 'csv:;' or csv:tab where that stands between cells"
        raise UsageError(f"{opened_table(args).content.file.name} has no column called source", hint=hint)
    if not (args.source_column and args.hypothesis_column and args.reference_column):
        note(f"{opened_table(args).content.file.name}: {columns.described()}", quiet=getattr(args, "quiet", False))
    return columns


def systems_hint(args: argparse.Namespace) -> str:
    """What to try where there is no system."""
    if args.input is None:
        return "-c FILE for each system, or -i TABLE with a column for each"
    return f"--hypothesis-column says which of {', '.join(opened_table(args).names)}; or -c FILE"


def tell_of_tables(args: argparse.Namespace) -> None:
    """A note on tables that are taken as text."""
    from geceval.text.reading.file_names import ending_of

    for given in filter(None, [args.source, *args.references, *args.systems]):
        if ending_of(given) in TABLES:
            note(
                f"{given} is read as text, a sentence a line; -i reads the columns of a table",
                quiet=getattr(args, "quiet", False),
            )


def asked_columns(args: argparse.Namespace) -> TableColumns:
    """As asked_table, where there is one. A role that files have is not looked for."""
    from geceval.text.reading import TableColumns

    table = opened_table(args)
    named: dict[Role, object] = {"source": args.source, "references": args.references, "systems": args.systems}
    return TableColumns.of(
        table,
        args.source_column,
        _systems(table, args.hypothesis_column) if args.hypothesis_column else None,
        args.reference_column or None,
        find=[role for role, files in named.items() if not files],
    )


def label_column(args: argparse.Namespace, name: str | None) -> FileColumn | None:
    """The column of the table that is called so, if there is a table; else it is a file."""
    if name is None or getattr(args, "input", None) is None:
        return None
    table = opened_table(args)
    return table.column("labels", name) if name in table.names else None


def opened_table(args: argparse.Namespace) -> InputTable:
    """The table of ``-i``, opened once a run: standard input has its names only once."""
    from geceval.text.reading import InputTable

    if getattr(args, "opened", None) is None:
        args.opened = InputTable.opened(args.input, args.input_format, header=args.header)
    table: InputTable = args.opened
    return table


def first_sentences(args: argparse.Namespace, size: int) -> Text:
    """The first sentences of the source in the table. Raises UsageError where it has none."""
    columns = asked_columns(args)
    if columns.source is None:
        raise UsageError(f"{args.input} has no source: name the language")
    rows = next(columns.source.content.portions([columns.source.place], size), [[]])
    return columns.source.checked(rows[0], 0, breaks=True)


def _systems(table: InputTable, given: Sequence[str]) -> dict[str, str]:
    """Name -> column, from ``COL`` or ``NAME=COL``; what is the name of a column as a whole is that column."""
    systems: dict[str, str] = {}
    for argument in given:
        name, equals, column = argument.partition("=")
        whole = argument in table.names or not (name and equals and column)
        called = table.column("system", argument).name if whole else name
        if called in systems:
            raise UsageError(f"the system {called} is given twice")
        systems[called] = argument if whole else column
    return systems


def given_table(args: argparse.Namespace) -> dict[str, object]:
    """The table and the columns that were taken, for JSON; nothing without one."""
    if getattr(args, "input", None) is None:
        return {}
    return {"input": {"file": args.input, **asked_columns(args).to_dict()}}
