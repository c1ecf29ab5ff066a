"""Formats of tables, by name or by the ending of the file.

A format is a function that opens a file. Other packages add formats as entry points of the group ``geceval.formats``,
see docs/extending.md.
"""

from __future__ import annotations

from functools import partial
from inspect import Parameter, signature
from typing import Any

from geceval.base.arguments import PLACES, shown, whole
from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option
from geceval.text.files import display_name, ending_of, kind_of
from geceval.text.reading.file_columns import Format
from geceval.text.reading.file_kinds import AMBIGUOUS, FORMATS

#: Formats without columns.
_NO_TABLES = ("text", "m2")


def table_format(path: str, name: str | Format | None = None, *, header: bool = True, skip_rows: int = 0) -> Format:
    """Return the format of a table, by name or by the ending of the file.

    Args:
        path: The file.
        name: A format, or its name: ``csv``, ``csv:;`` and so on.
        header: Whether the first row contains the names of the columns.
        skip_rows: Number of rows above the header.

    Raises:
        UsageError: If the format is unknown or not a table, for ``header=False`` if it always has a header, and for
            ``skip_rows`` if it has no rows above it.
    """
    skip_rows = whole("skip_rows", skip_rows, PLACES)
    format: Any = _format_named(path, name) if name is None or isinstance(name, str) else name
    if not callable(format):
        raise UsageError(f"a format must be a geceval.extending.Format or its name, not {shown(name)}")
    if not header and "header" not in _parameters(format):
        raise UsageError(f"{display_name(path)} always has names of columns: its format has no header line to omit")
    if skip_rows and "skip_rows" not in _parameters(format):
        raise UsageError(f"{display_name(path)} has no rows above its header: its format has names of columns")
    options = ({} if header else {"header": False}) | ({"skip_rows": skip_rows} if skip_rows else {})
    opener: Format = partial(format, **options) if options else format
    return opener


def _format_named(path: str, name: str | None) -> Any:
    """Return the format of this name; without a name, of the ending of the file."""
    ending = name or ending_of(path)
    if name is None and (not ending or ending not in FORMATS):
        kind = kind_of(path, AMBIGUOUS)
        if kind is not None:
            raise kind.error(display_name(path), "a table whose format is known by its ending")
        known = ", ".join(known for known in FORMATS.names() if known not in _NO_TABLES)
        hint = Hint("give it with ", Option("input_format"), f": {known}")
        raise UsageError(f"{display_name(path)}: unknown format", hint=hint)
    known_name, colon, argument = ending.partition(":")
    if known_name not in FORMATS:
        raise FORMATS.unknown(ending)
    format = FORMATS[known_name]
    if not callable(format):
        raise UsageError(f"the format {ending} is not a geceval.extending.Format but {shown(format)}")
    positional = [name for name, kind in _parameters(format).items() if kind is Parameter.POSITIONAL_OR_KEYWORD]
    if colon and not (argument and len(positional) > 1):
        raise FORMATS.unknown(ending)
    if FORMATS.name_of(known_name) in _NO_TABLES:
        texts = (
            Option("source"),
            ", ",
            Option("references"),
            " and ",
            Option("systems"),
            " take text, one sentence per line, ",
        )
        hint = Hint(*texts, "and ", Option("gold"), " and ", Option("systems"), " take M2")
        raise UsageError(f"{display_name(path)} is not a table: {name or ending_of(path)} has no columns", hint=hint)
    return partial(format, **{positional[1]: argument}) if colon else format


def _parameters(format: Format) -> dict[str, Any]:
    """Return the kinds of the parameters of a format by name."""
    return {name: parameter.kind for name, parameter in signature(format).parameters.items()}
