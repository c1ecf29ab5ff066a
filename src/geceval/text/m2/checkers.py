"""Findings of checkers of files: each has a place in a numbered line, or in the whole file.

checkers.tsv has a row for each checker. Its findings become rows of suggestions, one for each line of the source, or
one for the whole file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option
from geceval.base.package_tables import table_rows
from geceval.text.m2.edit import Misfits
from geceval.text.m2.places import CHARACTER_UNITS, Reading, Unit, reading_of

#: The remedy for findings in sentences that the source lacks.
CHECKED_SOURCE = Hint("give the text that was checked: ", Option("source", "SOURCE"))
#: Actions of Vale that have or are a replacement; the parameters of others say how one is computed.
_REPLACE, _REMOVE = "replace", "remove"
#: Units by the names that documents give them.
_UNITS: Mapping[str, Unit] = {"unicodeCodePoints": "characters", "utf16CodeUnits": "utf-16"}


@dataclass(frozen=True)
class Checker:
    """A checker of files.

    Keys are separated by blanks: the first with a value counts.

    Attributes:
        name: Name.
        findings: Path of its findings in a document; empty: each row is one. A finding has the fields of the objects
            around it, too.
        file: Key of the checked file; ``@key`` is the key of the finding in the object around it.
        line: Key of the number of the line or paragraph, from 1; empty: places are counted in the whole file.
        last_line: Key of the number of the last line.
        start: Key of the first position; empty: the quoted text is the place.
        end: Key of the end.
        length: Key of the length; with neither end nor length the quoted text ends the place.
        quote: Key of the quoted text.
        replacements: Key of the replacements.
        removed: Key of a fix that removes the place if it has no replacement.
        changes: Path of the places that the first fix changes; empty: a fix has one place.
        action: Key of what to do with them; empty: they replace the place.
        rule: Key of the rule.
        offsets: How its places are read.
        unit: Key of the unit in a document; empty: the unit is known.
        text: Key of the text of a row, with the blanks before it; empty: rows have no text. Places are counted in the
            texts of all rows, and begin before the blanks of a word.
    """

    name: str
    findings: str
    file: str
    line: str
    last_line: str
    start: str
    end: str
    length: str
    quote: str
    replacements: str
    removed: str
    changes: str
    action: str
    rule: str
    offsets: str
    unit: str
    text: str

    def readings(self, documents: Sequence[Any], path: str) -> tuple[Reading, ...]:
        """Return how the places in the documents of a file may be read.

        Raises InputError if they state several units.
        """
        reading = reading_of(self.offsets)
        assert reading is not None  # the table has no auto
        if not self.unit:
            return (reading,)
        names = [name for document in documents for name in values_at(document, self.unit)]
        stated = {name: _UNITS[name] for name in names if name in _UNITS}
        if len(stated) > 1:
            message = f"columns are counted in {' and in '.join(stated)}"
            raise InputError(message, path=path, hint="write the runs with different units in files of their own")
        return tuple(replace(reading, unit=unit) for unit in [*stated.values()] or CHARACTER_UNITS)

    def found_in(self, document: Any) -> list[Mapping[str, Any]] | None:
        """Return the findings in a document; None if it is of another form."""
        findings = list(_findings_at(document, self.findings, {}))
        return findings if all(map(self._is_finding, findings)) and (findings or self._is_empty(document)) else None

    def is_without_findings(self, document: Any) -> bool:
        """Return whether a document is one of this checker without findings: ``{}`` if any key is a file."""
        is_known = document == {} if self.findings.startswith("*") else self.findings.count("*") > 1
        return is_known and self.found_in(document) == []

    def _is_empty(self, document: Any) -> bool:
        """Return whether a list on the path to the findings, or the document, is empty."""
        names = self.findings.split(".")
        outer = [".".join(names[:number]) for number, name in enumerate(names) if name == "*"]
        return document == {} or any(value == [] for path in outer for value in values_at(document, path))

    def _is_finding(self, finding: Any) -> bool:
        if not isinstance(finding, Mapping):
            return False
        if self.is_of_file(finding):
            return True
        has_place = bool(self.start) or isinstance(value_at(finding, self.quote), str)
        columns = [value_at(finding, key) for key in filter(None, (self.start, self.end, self.length))]
        has_columns = all(type(column) is int or (column is None and self.last_line) for column in columns)
        has_line = not self.line or type(value_at(finding, self.line)) is int or self._has_region(finding)
        return has_place and has_columns and has_line

    def is_of_file(self, finding: Mapping[str, Any]) -> bool:
        """Return whether a finding has a file but no place, as one about the name of the file."""
        names = [self.file, *([self.quote] if self.quote else [])]
        has_names = bool(self.file) and all(isinstance(value_at(finding, name), str) for name in names)
        has_place = not self.line or value_at(finding, self.line) is not None or self._has_region(finding)
        return has_names and not has_place

    def _has_region(self, finding: Mapping[str, Any]) -> bool:
        """Return whether a finding has an object that may contain its line."""
        return any(value_at(finding, path.rpartition(".")[0]) for path in self.line.split() if "." in path)

    def misfit(self, finding: Mapping[str, Any]) -> str | None:
        """Return why a finding is not a suggestion in a line; None if it is one."""
        if self.line and value_at(finding, self.line) is None:
            return "without the number of a line"
        last = value_at(finding, self.last_line) if self.last_line else None
        if last not in (None, value_at(finding, self.line)):
            return "over several lines"
        if None in [value_at(finding, key) for key in (self.start, self.end, self.length) if key]:
            return "without start or end column"
        # Several changes of one place are alternatives.
        if self.changes and len({str(place) for place in values_at(finding, self.changes)}) > 1:
            return "with a fix of several places"
        return None

    def suggestion(self, finding: Mapping[str, Any]) -> dict[str, Any]:
        """Return a finding with the keys of a suggestion."""
        texts = [value for value in values_at(finding, self.replacements) if value is not None]
        replacements = texts[0] if len(texts) == 1 and isinstance(texts[0], list) else texts
        action = value_at(finding, self.action) if self.action else _REPLACE
        replacements = {_REPLACE: replacements, _REMOVE: [""]}.get(action, [])
        if not replacements and self.removed and value_at(finding, self.removed) is not None:
            replacements = [""]
        names = ("start", "end", "length", "quote", "rule")
        values = {name: value_at(finding, key) if (key := getattr(self, name)) else None for name in names}
        return {"replacements": replacements, **{name: value for name, value in values.items() if value is not None}}


@cache
def checkers() -> tuple[Checker, ...]:
    """Return the checkers of checkers.tsv."""
    return tuple(Checker(*row) for row in table_rows(Path(__file__).with_suffix(".tsv")))


def checker_of(rows: Sequence[Any]) -> Checker | None:
    """Return the checker whose findings the rows of a file are; None for other rows."""
    for checker in checkers():
        findings = [checker.found_in(row) for row in rows]
        if any(findings) and None not in findings:
            return checker
    return next((checker for checker in checkers() if len(rows) == 1 and checker.is_without_findings(rows[0])), None)


def rows_of_findings(
    checker: Checker,
    rows: Sequence[tuple[int, Any]],
    path: str,
    sentences: int | None,
    misfits: Misfits,
    omitted: Counter[str],
) -> list[tuple[int, Any]]:
    """Return a row of suggestions for each line of the source, or one for the whole file.

    Several documents come from lines that were checked one by one. Findings over several lines, without columns, or
    with a fix of several places, are misfits; findings about the file, such as its name, are left out.

    Raises:
        InputError: For a finding in a line that the source lacks, a misfit, findings in several files, and without a
            source.
    """
    if checker.text:
        return _rows_of_texts(checker, rows)
    if sentences is None:
        raise InputError(
            f"the findings of {checker.name} have the numbers of lines of the text", path=path, hint=CHECKED_SOURCE
        )
    findings = [(line, finding) for line, row in rows for finding in checker.found_in(row) or ()]
    fitting = [row for row in findings if _is_fitting(checker, *row, path, misfits, omitted)]
    if checker.findings and len(rows) > 1:
        of_rows: dict[int, list[dict[str, Any]]] = {line: [] for line, _ in rows}
        for line, finding in fitting:
            of_rows[line].append(checker.suggestion(finding))
        return [(line, {"suggestions": suggestions}) for line, suggestions in of_rows.items()]
    files = [value_at(finding, checker.file) for _, finding in findings] if checker.file else []
    if len(names := dict.fromkeys(map(str, filter(None, files)))) > 1:
        listed = ", ".join(list(names)[:3])
        raise InputError(f"findings in {len(names)} files: {listed}", path=path, hint="check one file at a time")
    if not checker.line:
        return [(rows[0][0], {"suggestions": [checker.suggestion(finding) for _, finding in fitting]})]
    by_line: dict[int, list[dict[str, Any]]] = {number: [] for number in range(1, sentences + 1)}
    for line, finding in fitting:
        number = value_at(finding, checker.line)
        if number not in by_line:
            message = f"a finding in line {number}, but the source has {sentences} lines"
            raise InputError(message, path=path, line=line, hint=CHECKED_SOURCE)
        by_line[number].append(checker.suggestion(finding))
    return [(rows[0][0], {"suggestions": suggestions}) for suggestions in by_line.values()]


def _is_fitting(
    checker: Checker, line: int, finding: Mapping[str, Any], path: str, misfits: Misfits, omitted: Counter[str]
) -> bool:
    """Return whether a finding is a suggestion; count those that are left out.

    Raises InputError for a misfit that is not dropped.
    """
    if checker.is_of_file(finding):
        omitted["left out findings about the file, not its text"] += 1
        return False
    reason = checker.misfit(finding)
    if reason is None:
        return True
    if misfits != "drop":
        drop = Hint(Option("misfits", "drop"), " leaves out such findings")
        number = value_at(finding, checker.line)
        place = "" if number is None else f"line {number}: "
        raise InputError(f"{place}a finding {reason}", path=path, line=line, hint=drop)
    omitted[f"left out findings {reason}"] += 1
    return False


def _rows_of_texts(checker: Checker, rows: Sequence[tuple[int, Any]]) -> list[tuple[int, Any]]:
    """Return a row for each text, or one for all, if a text begins with blanks: it is a part of a longer one."""
    texts = [str(value_at(row, checker.text)) for _, row in rows]
    findings = [checker.found_in(row) or [] for _, row in rows]
    if any(text[:1].isspace() for text in texts):
        texts, findings, rows = ["".join(texts)], [list(chain.from_iterable(findings))], rows[:1]
    return [
        (line, {"text": text, "suggestions": [_without_blanks(checker.suggestion(item), text) for item in of_text]})
        for (line, _), text, of_text in zip(rows, texts, findings, strict=True)
    ]


def _without_blanks(suggestion: dict[str, Any], text: str) -> dict[str, Any]:
    """Return a suggestion whose place begins with a word."""
    start = suggestion["start"]
    return {**suggestion, "start": start + len(text[start:]) - len(text[start:].lstrip())}


def _findings_at(value: Any, path: str, around: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the values at a path, objects with the texts and numbers of the objects around them."""
    is_object = isinstance(value, Mapping)
    if not path:
        yield {**around, **value} if is_object else value
        return
    if is_object:
        around = {**around, **{key: item for key, item in value.items() if not isinstance(item, Mapping | list)}}
    name, _, rest = path.partition(".")
    if name == "*" and is_object:
        for key, item in value.items():
            yield from _findings_at(item, rest, {**around, "@key": key})
        return
    for item in values_at(value, name):
        yield from _findings_at(item, rest, around)


def values_at(value: Any, path: str) -> Iterator[Any]:
    """Yield the values at a path; ``*`` leads to all values of an object or a list, a number into a list."""
    name, _, rest = path.partition(".")
    if not path:
        yield value
    elif name == "*":
        items = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
        for item in items:
            yield from values_at(item, rest)
    elif isinstance(value, list) and name.isdigit():
        if int(name) < len(value):
            yield from values_at(value[int(name)], rest)
    elif isinstance(value, Mapping) and name in value:
        yield from values_at(value[name], rest)


def value_at(value: Any, paths: str) -> Any:
    """Return the first value at a path of several; None without one."""
    values = (item for path in paths.split() or [""] for item in values_at(value, path))
    return next((item for item in values if item is not None), None)
