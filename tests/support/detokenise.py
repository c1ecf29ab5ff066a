"""A small detokeniser of Treebank-like English, so that tests have raw text: a few rules, no peer.

It loses what writing loses: whether ``"`` opens or closes is told by counting, and a quote that stands alone by what
is beside it.
"""

from __future__ import annotations

import re

_LEFT = re.compile(r" (?=(?:[,.;:!?%)\]}]|\.\.\.|n't|'(?:s|m|d|ll|re|ve))(?: |$))", re.IGNORECASE)
_RIGHT = re.compile(r"(?:(?<= )|^)([(\[{$#]) ")
_PLURAL = re.compile(r"(?<=s) '(?= )")


def detokenise(line: str) -> str:
    """The line as people write it."""
    return _PLURAL.sub("'", _quoted(_RIGHT.sub(r"\1", _LEFT.sub("", line))))


def _quoted(line: str) -> str:
    """``"`` beside what it opens and closes, by turns."""
    parts = line.split('"')
    opens = range(1, len(parts), 2)
    for at in opens:
        parts[at] = parts[at].strip()
    return '"'.join(parts)


def typographic(line: str) -> str:
    """As language models write: curly quotes, dashes, an ellipsis in one character."""
    line = re.sub(r'(^|(?<=[\s(\[]))"', "“", line).replace('"', "”")
    line = re.sub(r"(^|(?<=[\s(\[“]))'", "‘", line).replace("'", "’")
    return re.sub(r"(?<= )-(?= )", "–", line.replace("--", "—")).replace("...", "…")
