"""Findings of the checks."""

from __future__ import annotations

from typing import NamedTuple

from geceval.base.caller_warnings import warn
from geceval.base.hints import AnyHint
from geceval.counting.checks.check_table import HINTS, MINOR


class Finding(NamedTuple):
    """Finding of a check.

    Attributes:
        check: Name of the check.
        file: "source", "reference 0", "system NAME", "gold", or empty.
        message: Description in one line.
        advice: Hint in place of the usual one of the check.
    """

    check: str
    file: str
    message: str
    advice: AnyHint = ""

    @property
    def hint(self) -> AnyHint:
        """Recommended action."""
        return self.advice or HINTS[self.check]

    def __str__(self) -> str:
        where = f"{self.file}: " if self.file else ""
        return f"{where}{self.message} (hint: {self.hint})"

    def warn(self) -> None:
        """Warn (GecevalWarning) of the finding."""
        warn(self.message, self.hint, check=self.check, file=self.file, minor=self.check in MINOR)


def in_words(file: str) -> str:
    """Return the name of a file in the middle of a message."""
    return "the source" if file == "source" else file
