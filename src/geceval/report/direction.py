"""Text that runs from right to left, within lines that run from left to right."""

from __future__ import annotations

import unicodedata

#: First strong isolate and pop directional isolate (Unicode Bidirectional Algorithm, 6.3 and later).
ISOLATE, END = "\u2068", "\u2069"
#: Letters of right-to-left scripts, and the numbers of Arabic.
RIGHT_TO_LEFT = frozenset(("R", "AL", "AN", "RLE", "RLO", "RLI"))


def isolated(text: str) -> str:
    """The text so that what runs from right to left in it moves nothing around it; other text as it is.

    Both marks take no room on a terminal, and do not decide the direction of their line. In HTML the element bdi does
    the same.
    """
    if text.isascii() or not any(unicodedata.bidirectional(character) in RIGHT_TO_LEFT for character in text):
        return text
    return f"{ISOLATE}{text}{END}"
