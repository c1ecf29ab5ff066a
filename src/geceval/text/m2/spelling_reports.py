"""Reports of spelling checkers that are text: ispell's pipe format (``hunspell -a``, ``aspell -a``), codespell's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from geceval.base.errors import InputError

#: A word that is wrong: its sign, the word, the first character, suggestions.
_WRONG = re.compile(r"(?:[&?] (\S+) \d+ (\d+): (.*)|# (\S+) (\d+))")
#: A finding of codespell: file, line, the word, replacements and a reason.
_FINDING = re.compile(r"(.*?):(\d+): (\S+) ==> ([^|]*)(?:\|.*)?")


def parse_ispell(report: str) -> list[tuple[int, Any]]:
    """Return a row of suggestions for each line of text, with the line of the report that ends it.

    The report of a line of text ends with an empty line. A line of it is a word: ``& WORD 2 3: FIRST, SECOND``
    (word, number of suggestions, first character), ``# xqzv 5`` without suggestions, ``?`` with guesses. Other lines
    are words that are right. The places count from 0, or from 1 if a ``^`` preceded each line; the words decide.

    Source: ispell(1), section on the option -a.
    """
    rows: list[tuple[int, Any]] = []
    suggestions: list[dict[str, Any]] = []
    lines = report.splitlines()[1:]  # the first one has the version
    for number, line in enumerate(lines, 2):
        if not line:
            rows.append((number, {"suggestions": suggestions}))
            suggestions = []
        elif wrong := _WRONG.fullmatch(line):
            word, start = wrong[1] or wrong[4], int(wrong[2] or wrong[5])
            replacements = wrong[3].split(", ") if wrong[3] else []
            suggestions.append({"start": start, "quote": word, "replacements": replacements, "rule": "SPELL"})
    return rows


def check_reported_lines(rows: Sequence[tuple[int, Any]], lines: int, path: str) -> None:
    """Raise InputError if a report of ispell's form has not a row for each line of the text."""
    if len(rows) != lines:
        hint = (
            "lines that begin with a sign such as - or * are commands;"
            " sed 's/^/^/' SOURCE | hunspell -a > FILE.txt checks them, too"
        )
        raise InputError(f"the report is on {len(rows)} lines, but the source has {lines}", path=path, hint=hint)


def parse_codespell(report: str) -> list[tuple[int, Any]]:
    """Return a row for each finding, with its line in the report.

    ``page.txt:3: teh ==> the, tech | a reason`` has a word of a numbered line of the text, and its replacements.
    """
    findings = [(number, _FINDING.fullmatch(line)) for number, line in enumerate(report.splitlines(), 1)]
    return [
        (
            number,
            {
                "file": match[1],
                "line_number": int(match[2]),
                "wrong_word": match[3],
                "replacements": match[4].strip().split(", "),
            },
        )
        for number, match in findings
        if match
    ]
