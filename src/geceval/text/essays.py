"""Whole essays, as MultiGEC-2025 has them in Markdown::

    ### essay_id = 7
    The text of the essay, with line breaks.

    ### essay_id = 8
    Another one.

An essay becomes a line: what stands between its head and the next one, empty lines at its ends left out, each line
break a tabulator, as in the task's own scripts. Files belong together by the ids, in the order of the source; a
reference file may lack essays, as the task's do: there the essay's first reference stands in.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from geceval._kernel import Text
from geceval.base.errors import GecevalWarning, InputError

_HEAD = "### essay_id = "
#: What is meant as a head.
_LIKE_A_HEAD = re.compile(r"\s*#+\s*essay_?id\b", re.IGNORECASE)
BREAK = "\t"


def has_heads(lines: Iterable[str]) -> bool:
    """Whether there are essays in the lines: a head, or what is meant as one."""
    return any(_LIKE_A_HEAD.match(line) for line in lines)


@dataclass(frozen=True)
class Essay:
    """The text in one line, and the line of the file where its head stands, from 1."""

    text: str
    line: int


@dataclass(frozen=True)
class Essays:
    """The essays of a file, by id in its order."""

    path: str
    essays: dict[str, Essay]

    @classmethod
    def of(cls, lines: Sequence[str], path: str) -> Essays:
        """The essays of a file's lines. Raises InputError with file and line for text before the first head, for a head
        that is none as the task writes them, and for an id that comes twice."""
        essays: dict[str, Essay] = {}
        for number, name, body in _cut(lines, path):
            if name in essays:
                message = f"essay {name} stands in line {essays[name].line} already"
                raise InputError(message, path=path, line=number)
            essays[name] = Essay(BREAK.join("\n".join(body).strip("\n").split("\n")), number)
        return cls(path, essays)

    def missing(self, ids: Iterable[str]) -> list[str]:
        """The ids that it has not."""
        return [name for name in ids if name not in self.essays]


def _cut(lines: Sequence[str], path: str) -> Iterator[tuple[int, str, Sequence[str]]]:
    """The line, the id and the lines of each essay."""
    heads = [at for at, line in enumerate(lines) if line.startswith(_HEAD)]
    for at, line in enumerate(lines):
        if not line.startswith(_HEAD) and _LIKE_A_HEAD.match(line):
            message = f"this is no head of an essay: {line[:60]!r}"
            raise InputError(message, path=path, line=at + 1, hint=f"a head is '{_HEAD}ID'")
        if line.strip() and (not heads or at < heads[0]):
            message = f"text before the first essay: {line[:60]!r}"
            raise InputError(message, path=path, line=at + 1, hint=f"an essay begins with a line '{_HEAD}ID'")
    if not heads:
        raise InputError("there is no essay", path=path, hint=f"an essay begins with a line '{_HEAD}ID'")
    for start, stop in zip(heads, [*heads[1:], len(lines)], strict=True):
        yield start + 1, lines[start].removeprefix(_HEAD).strip(), lines[start + 1 : stop]


def in_order(source: Essays, references: Sequence[Essays], others: Sequence[Essays]) -> list[Text]:
    """The texts of source, references and others, a line an essay, in the order of the source.

    Raises InputError with file and line for an essay that the source has not, and, with the source's line, for one that
    is missing, except in some of the references: there the first one stands in, and a GecevalWarning says so.
    """
    ids = list(source.essays)
    for file in (*references, *others):
        for name in source.missing(file.essays):
            message = f"essay {name} is not in {source.path}"
            raise InputError(message, path=file.path, line=file.essays[name].line)
    for file in others:
        _check_complete(file.missing(ids), source, file.path)
    first = {name: next((file.essays[name] for file in references if name in file.essays), None) for name in ids}
    if references:
        without = [name for name, essay in first.items() if essay is None]
        _check_complete(without, source, ", ".join(file.path for file in references))
    return [
        Text(essay.text for essay in source.essays.values()),
        *(_filled(file, first) for file in references),
        *(Text(file.essays[name].text for name in ids) for file in others),
    ]


def _check_complete(missing: Sequence[str], source: Essays, path: str) -> None:
    if missing:
        more = f", as are {len(missing) - 1} others" if len(missing) > 1 else ""
        message = f"essay {missing[0]} is missing in {path}{more}"
        raise InputError(message, path=source.path, line=source.essays[missing[0]].line)


def _filled(file: Essays, first: dict[str, Essay | None]) -> Text:
    missing = file.missing(first)
    if missing:
        message = f"{file.path} lacks {len(missing)} of {len(first)} essays: their first reference stands in"
        warnings.warn(GecevalWarning(message), stacklevel=2)
    found = (file.essays.get(name, essay) for name, essay in first.items())
    return Text(essay.text for essay in found if essay is not None)
