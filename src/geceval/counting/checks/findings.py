"""The table of checks: what each is called and what may help; when they warn; and what a finding says.

The thresholds were measured on public corpora and on damaged versions of them; docs/checks.md has the figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from geceval.base.errors import GecevalWarning
from geceval.counting.contract import EvidenceOf
from geceval.edits.languages import LANGUAGES

#: What is checked.
Name: TypeAlias = Literal[
    "empty", "tokens", "quotes", "unicode", "overlap", "swapped", "equal", "english", "blanks", "types", "evidence"
]

_OTHERS = ", ".join(name for name in LANGUAGES if name != "en")

#: What may help. The options are those of the command line.
HINTS: dict[Name, str] = {
    "empty": "was the output written to its end?",
    "tokens": "give all files the same tokens, for example with --tokenise english",
    "quotes": "write quotes and apostrophes alike in all files",
    "unicode": "give all files the same form, for example with --normalise nfc",
    "overlap": "do the files belong together, line by line?",
    "swapped": "-s names the sentences with errors, -c the corrections",
    "equal": "is it the right file?",
    "english": f"name the language: --language {_OTHERS}, plain, a table or auto; see docs/languages.md",
    "blanks": "count characters or graphemes: -t char, --tokenise char; or cut words: --tokenise NAME, docs/chinese.md",
    "types": "ERRANT's own edits: geceval annotate -s SOURCE -c REFERENCE ... -o gold.m2",
    "evidence": "without --gold all metrics use the references",
}


class Limits:
    """From where on a check warns. Shares are of lines, tokens, marks or letters."""

    #: Lines that are looked at: so many at the beginning, then stretches of so many, with one line in ``one_in`` in the
    #: first of these, one in twice as many in the next, and so on.
    leading = 300
    stretch = 50
    one_in = 10
    #: Punctuation, quotes, accents, and letters and words of the source are looked at in so many lines.
    marked = 100
    #: A text of fewer lines is not checked.
    least = 20

    #: Lines that share less than half of their tokens with the source (Dice), of those with four tokens or more.
    unlike = 0.35
    #: In one of the stretches alone, of lines that are unlike or empty.
    within = 0.5
    #: Then these shifts are tried on these lines, counted from 0.
    shifts = (-6, 6)
    window = (10, 210)
    #: Lines that are kept for it.
    head = window[1] + shifts[1]

    #: Lines without a word where the source has some.
    empty = 0.5

    #: Unknown words that a system removes, of those it removes or adds, and how many there must be; below this share
    #: of the first ones all lines are looked at up to this one; none is looked up after so many.
    corrected = 0.35
    changes = 30
    suspected = 0.75
    suspects = 2000
    most_changes = 60

    #: Letters of other scripts than Latin, words that no list of English has, and how many words there must be; or, in
    #: scripts without blanks, how many letters.
    foreign = 0.30
    unknown = 0.40
    words = 50
    letters = 200

    #: Letters of scripts that are written without blanks to each of the tokens they stand in, from so many letters on.
    unbroken = 10


@dataclass(frozen=True)
class Finding:
    """What a check found, in one line. ``file``: ``source``, ``reference 0``, ``system NAME``, ``gold`` or nothing."""

    check: Name
    file: str
    message: str

    @property
    def hint(self) -> str:
        """What to try."""
        return HINTS[self.check]

    def __str__(self) -> str:
        where = f"{self.file}: " if self.file else ""
        return f"{where}{self.message} (hint: {self.hint})"

    def warning(self) -> GecevalWarning:
        """As what ``warnings.warn`` takes."""
        return GecevalWarning(str(self), check=self.check, file=self.file, message=self.message, hint=self.hint)


class Use(NamedTuple):
    """What a metric makes of a corpus. ``english``: it finds edits in text with an annotator of English; ``words``: it
    counts what stands between blanks."""

    label: str
    against: EvidenceOf
    english: bool = False
    words: bool = False
