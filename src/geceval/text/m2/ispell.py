"""Reports of spelling checkers in ispell's pipe format (``hunspell -a``, ``aspell -a``).

The report of a line of text ends with an empty line. A line of it is a word: ``& recieved 2 3: received, relieved``
(word, number of suggestions, first character), ``# xqzv 5`` without suggestions, ``?`` with guesses. Other lines are
words that are right.

Source: ispell(1), section on the option -a.
"""

from __future__ import annotations

import re
from typing import Any

#: A word that is wrong: its sign, the word, the first character, suggestions.
_WRONG = re.compile(r"(?:[&?] (\S+) \d+ (\d+): (.*)|# (\S+) (\d+))")


def rows_of_ispell(report: str) -> list[tuple[int, Any]]:
    """Return a row of suggestions for each line of text, with the line of the report that ends it.

    The places count from 0, or from 1 if a ``^`` preceded each line, as ispell(1) advises; the words decide.
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
