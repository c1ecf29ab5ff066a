"""Whole essays in the Markdown format of MultiGEC-2025.

A file has a heading for each essay::

    ### essay_id = 7
    The text of the essay, with line breaks.

    ### essay_id = 8
    The text of another essay.

An essay becomes one line: the text up to the next heading, without empty lines at its ends, and with line breaks
replaced by tabs, as in the task's scripts. Essays are matched by id and sorted as in the source. A reference file may
lack essays, as in the task; the essay's first reference replaces a missing one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from geceval._kernel import Text
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError

_HEAD = "### essay_id = "
#: A heading, possibly misspelled.
_LIKE_A_HEAD = re.compile(r"\s*#+\s*essay_?id\b", re.IGNORECASE)
BREAK = "\t"


def has_heads(lines: Iterable[str]) -> bool:
    """Return whether lines contain a heading, possibly misspelled."""
    return any(_LIKE_A_HEAD.match(line) for line in lines)


@dataclass(frozen=True)
class Essay:
    """The text as one line, and the line number of the heading, counted from 1."""

    text: str
    line: int


@dataclass(frozen=True)
class Essays:
    """The essays of a file by id, in its order."""

    path: str
    essays: dict[str, Essay]

    @classmethod
    def of(cls, lines: Sequence[str], path: str) -> Essays:
        """Return the essays in the lines of a file.

        Raises:
            InputError: For text before the first heading, a misspelled heading and a repeated id; names file and line.
        """
        essays: dict[str, Essay] = {}
        for number, name, body in _cut(lines, path):
            if name in essays:
                message = f"essay {name} is already in line {essays[name].line}"
                raise InputError(message, path=path, line=number)
            essays[name] = Essay(BREAK.join("\n".join(body).strip("\n").split("\n")), number)
        return cls(path, essays)

    def missing(self, ids: Iterable[str]) -> list[str]:
        """Return the ids that the file lacks."""
        return [name for name in ids if name not in self.essays]


def _cut(lines: Sequence[str], path: str) -> Iterator[tuple[int, str, Sequence[str]]]:
    """Yield line number, id and lines of each essay."""
    heads = [index for index, line in enumerate(lines) if line.startswith(_HEAD)]
    for index, line in enumerate(lines):
        if not line.startswith(_HEAD) and _LIKE_A_HEAD.match(line):
            message = f"malformed heading of an essay: {line[:60]!r}"
            raise InputError(message, path=path, line=index + 1, hint=f"a heading is '{_HEAD}ID'")
        if line.strip() and (not heads or index < heads[0]):
            message = f"text before the first essay: {line[:60]!r}"
            raise InputError(message, path=path, line=index + 1, hint=f"an essay begins with a line '{_HEAD}ID'")
    if not heads:
        raise InputError("the file has no essays", path=path, hint=f"an essay begins with a line '{_HEAD}ID'")
    for start, stop in zip(heads, [*heads[1:], len(lines)], strict=True):
        yield start + 1, lines[start].removeprefix(_HEAD).strip(), lines[start + 1 : stop]


def align_essays(source: Essays, references: Sequence[Essays], outputs: Sequence[Essays]) -> list[Text]:
    """Return the texts of source, references and outputs in source order, an essay per line.

    A GecevalWarning reports reference files with missing essays, which the first reference of the essay replaces.

    Raises:
        InputError: For an essay that the source lacks, and for a missing essay (names the source's line).
    """
    ids = list(source.essays)
    for file in (*references, *outputs):
        for name in source.missing(file.essays):
            message = f"essay {name} is not in {source.path}"
            raise InputError(message, path=file.path, line=file.essays[name].line)
    for file in outputs:
        _check_complete(file.missing(ids), source, file.path)
    first = {name: next((file.essays[name] for file in references if name in file.essays), None) for name in ids}
    if references:
        without = [name for name, essay in first.items() if essay is None]
        _check_complete(without, source, ", ".join(file.path for file in references))
    return [
        Text(essay.text for essay in source.essays.values()),
        *(_filled(file, first) for file in references),
        *(Text(file.essays[name].text for name in ids) for file in outputs),
    ]


def _check_complete(missing: Sequence[str], source: Essays, path: str) -> None:
    if missing:
        more = f", as are {len(missing) - 1} others" if len(missing) > 1 else ""
        message = f"essay {missing[0]} is missing in {path}{more}"
        raise InputError(message, path=source.path, line=source.essays[missing[0]].line)


def _filled(file: Essays, first: dict[str, Essay | None]) -> Text:
    missing = file.missing(first)
    if missing:
        message = f"{file.path} lacks {len(missing)} of {len(first)} essays: their first reference is used instead"
        warn(message)
    essays = (file.essays.get(name, essay) for name, essay in first.items())
    return Text(essay.text for essay in essays if essay is not None)
