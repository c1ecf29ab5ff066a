"""Headers of tables that are below a title or another header."""

from __future__ import annotations

from collections.abc import Sequence

from geceval.base.arguments import counted
from geceval.base.hints import Hint, Option
from geceval.text.reading.input_files import InputFile
from geceval.text.reading.role_names import has_source, names_role

#: Number of the first rows in which a header is searched.
HEAD = 20
#: Largest number of characters of the name of a column.
_LONGEST = 60


def check_header(file: InputFile, rows: Sequence[tuple[int, Sequence[str]]]) -> None:
    """Raise InputError if the first row looks like a title above a lower header, or the second one has names, too.

    A title has at most half of the cells of the widest row, and the first of the widest rows has names only. Below the
    first one of several levels of names, as pandas writes them, names of a source and other roles follow.

    Args:
        file: The table.
        rows: Numbers and cells of the first rows that are not blank.
    """
    if not rows:
        return
    (_, first), *more_rows = rows
    width = max(len(cells) for _, cells in rows)
    if 2 * len(first) > width or has_source(first):
        if more_rows and _are_roles(more_rows[0][1]):
            number, names = more_rows[0]
            skip = Hint(Option("skip_rows", str(number - 1)), " reads them as the header")
            raise file.error(f"names of columns below the header: {', '.join(filter(None, names))}", number, skip)
        return
    number, cells = next((number, cells) for number, cells in more_rows if len(cells) == width)
    if not _are_names(cells):
        return
    title, header = (counted(len(row), "cell") for row in (first, cells))
    message = f"the first row has {title}, row {number} has {header}, as a header"
    skip = Hint(Option("skip_rows", str(number - 1)), f" reads it: {', '.join(cells)}")
    raise file.error(message, hint=skip)


def _are_names(cells: Sequence[str]) -> bool:
    is_name = (len(cell) <= _LONGEST and any(map(str.isalpha, cell)) for cell in cells)
    return len(set(cells)) == len(cells) and all(is_name)


def _are_roles(cells: Sequence[str]) -> bool:
    """Return whether the cells of a row, of which some may be blank, name a source and other roles."""
    names = [cell for cell in cells if cell]
    return len(names) > 1 and has_source(names) and all(map(names_role, names))
