"""Define the checks: names, hints, thresholds, findings.

The thresholds were measured on public corpora and on damaged versions of them; docs/checks.md has the figures.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from geceval.base.data_files import table_rows
from geceval.base.errors import GecevalWarning
from geceval.counting.observed import EvidenceOf
from geceval.edits.languages import LANGUAGES

_OTHERS = ", ".join(name for name in LANGUAGES if name != "en")


class LineCheck(NamedTuple):
    """Check of all lines of a system, compared with the source.

    Attributes:
        name: Name of the check.
        least: Share of lines that more lines must exceed.
        message: Description of the lines.
        most: Largest share of lines; another check reports larger ones.
    """

    name: str
    least: float
    message: str
    most: float


_ROWS = table_rows(Path(__file__).with_name("checks.tsv"))
#: Checks of lines in the order of the bits of ``Phrases.odd_lines``.
LINE_CHECKS = tuple(LineCheck(row[0], float(row[3]), row[2], float(row[4])) for row in _ROWS if len(row) > 2)
#: Hints of the checks, with options of the command line.
HINTS = {name: hint.format(languages=_OTHERS) for name, hint, *_ in _ROWS}
#: Checks of lines whose hint is to clean them.
CLEANABLE = frozenset(name for name, hint in HINTS.items() if hint.startswith("--clean llm"))


class Limits:
    """Thresholds of the checks; shares are of lines, tokens, marks or letters."""

    #: Numbers of examined lines: ``leading`` lines at the beginning, then stretches of ``stretch`` lines, with one line
    #: in ``one_in`` in the first stretch, one in twice as many in the next, and so on.
    leading = 300
    stretch = 50
    one_in = 10
    #: Number of lines in which punctuation, quotes, accents, and letters and words of the source are examined.
    marked = 100
    #: Smallest number of lines of a checked text.
    least = 20

    #: Share of lines that have less than half of their tokens in common with the source (Dice), among lines of at
    #: least four tokens.
    unlike = 0.35
    #: Share of unlike or empty lines within one stretch.
    within = 0.5
    #: Shifts that are then tried on the lines of ``window``, counted from 0.
    shifts = (-6, 6)
    window = (10, 210)
    #: Number of lines that are kept to try the shifts.
    head = window[1] + shifts[1]

    #: Number of lines that a check of lines names; it reports more lines only. Checks whose hint is to clean lines
    #: report more than one line in ``one_in`` of a short file; if their share is 0, they report each line.
    odd = 3
    #: Number of suspicious lines of a system that are cleaned, to state how many stay suspicious.
    tried = 10_000

    #: Share of lines without words while the source has words.
    empty = 0.5

    #: Share of removed among all changed unknown words below which a system seems to be swapped with the source.
    corrected = 0.35
    #: Smallest number of changed unknown words.
    changes = 30
    #: Share of removed words below which all lines are examined, up to the line ``suspects``.
    suspected = 0.75
    suspects = 2000
    #: Number of changed unknown words after which no more are looked up.
    most_changes = 60

    #: Largest shares of letters of non-Latin scripts and of unknown words in English text.
    foreign = 0.30
    unknown = 0.40
    #: Smallest number of words, or of letters in scripts without blanks.
    words = 50
    letters = 200

    #: Mean number of letters per token from which a script without blanks counts as not segmented.
    unbroken = 10


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
    advice: str = ""

    @property
    def hint(self) -> str:
        """Recommended action."""
        return self.advice or HINTS[self.check]

    def __str__(self) -> str:
        where = f"{self.file}: " if self.file else ""
        return f"{where}{self.message} (hint: {self.hint})"

    def warning(self) -> GecevalWarning:
        """Return the finding as a warning."""
        return GecevalWarning(str(self), check=self.check, file=self.file, message=self.message, hint=self.hint)


class Use(NamedTuple):
    """Use of a corpus by a metric.

    Attributes:
        label: Label of the metric.
        against: Evidence that the metric reads.
        english: Whether it extracts edits from text with an annotator of English.
        words: Whether it counts tokens separated by blanks.
    """

    label: str
    against: EvidenceOf
    english: bool = False
    words: bool = False
