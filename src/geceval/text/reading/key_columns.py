"""Columns of identifiers of rows, and the numbers in identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from geceval.base.arguments import choices
from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option
from geceval.text.frames import plain_values
from geceval.text.reading.file_columns import HEAD, KEY, FileColumn, FileContent
from geceval.text.reading.role_names import listed_names

#: The value of ``--id`` for rows that are matched by position without a check.
NONE = "none"
#: Names of columns of identifiers in batch files of providers, which need not keep the order, and all of them, best
#: first.
UNORDERED_KEYS = ("custom_id", "recordId")
KEYS = (
    *UNORDERED_KEYS,
    *("id", "ID", "sentence_id", "sent_id", "example_id", "sample_id", "uid", "uuid", "key", "idx"),
    *("doc_id", "item_id", "instance_id", "question_id", "segment_id", "seg_id"),
)
#: Names of further columns that may have identifiers of rows, and of those that may if their values are numbers.
_KEY_NAME = re.compile(r"(?:.*[ _.-])?(?:[a-z]{0,5}id|idx|index|key|no|nr|num|number|#)|.*[a-z](?:Id|ID|Idx|Index)")
_NUMBER_NAME = re.compile(
    r"line|row|item|sample|example|instance|segment|sent|sentence|nr?|i|unnamed: 0", re.IGNORECASE
)


def key_columns(contents: Iterable[FileContent], names: Sequence[str]) -> dict[FileContent, FileColumn]:
    """Return the column of identifiers of each table that has one.

    Args:
        contents: The files.
        names: Names of the column, best first; without any, the usual ones are used where they occur.

    Raises:
        UsageError: If a table has no column of these names.
    """
    keys = {}
    for content in contents:
        if content.is_table and len(content.names) > 1 and NONE not in names:
            known = (content.key,) if content.key else names or KEYS
            index = next((index for name in known if (index := content.position(name)) is not None), None)
            if index is not None:
                keys[content] = content.column(KEY, index)
            elif names:
                known_names = choices(listed_names(content.names))
                message = f"{content.file.name} has no column {' or '.join(names)}: choose from {known_names}"
                hint = Hint(
                    Option("id", f"{' '.join(names)} COL"),
                    ": a table is matched by the first of the columns that it has",
                )
                raise UsageError(message, hint=hint)
    return keys


def is_key(content: FileContent, name: str) -> bool:
    """Return whether a column may have identifiers of rows, by its name and its first values."""
    if not _may_be_numbers(name):
        return _may_be_key(name)
    [values] = next(content.cells([content.names.index(name)], HEAD), [[]])
    return all(str(value).strip().isdecimal() for value in plain_values(values))


def _may_be_key(name: str) -> bool:
    """Return whether a column may have identifiers of rows by its name, which is not within a list."""
    above, _, last = name.rpartition(".")
    if any(step.isdecimal() for step in above.split(".")):
        return False
    return last.lower() in map(str.lower, KEYS) or _KEY_NAME.fullmatch(last) is not None


def _may_be_numbers(name: str) -> bool:
    """Return whether a column of numbers has identifiers of rows by its name."""
    return _NUMBER_NAME.fullmatch(name) is not None


def numbers_in(identifiers: Sequence[str]) -> list[int]:
    """Return the numbers in identifiers that differ in nothing else; empty for others."""
    matches = [re.fullmatch(r"(.*?)(\d{1,15})(\D*)", identifier, re.DOTALL) for identifier in identifiers]
    forms = {match and (match[1], match[3]) for match in matches}
    return [int(match[2]) for match in matches if match] if len(forms) == 1 and None not in forms else []
