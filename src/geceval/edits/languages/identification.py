"""Identify the language of a text by the share of words that each language knows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import NamedTuple

from geceval._kernel import Text, WordList
from geceval.base.errors import UsageError
from geceval.edits.languages import LANGUAGES
from geceval.edits.languages.lexicon import SHIPPED, shipped

#: Minimum number of words.
LEAST = 50
#: Minimum share of known words, by the English word list or by the forms of small tables. Measured: English knows at
#: least 96 % of English and at most 26 % of other languages (Swedish); the German table knows 88 % of German and 21 %
#: of English; the Czech one knows 48 % of Czech and 2 % of others.
SHARE, SHARES = 0.35, {"en": 0.6}
SHORTEST = 3
#: Shares of letters above which text is Chinese, and Japanese (kana). Chinese may quote some kana; about half of the
#: letters of Japanese are kana.
HAN, KANA = 0.5, 0.05


class Guess(NamedTuple):
    """The name of a language (``--language``), and the reason."""

    language: str
    why: str


def guess(lines: Text) -> Guess:
    """Return the language of a text, and the reason.

    It is Chinese by its letters, else the language that knows most words, else ``plain``.

    Words are tokens of at least three letters that begin with a lower-case letter, so names are excluded. Raises
    UsageError for fewer than LEAST words.
    """
    chinese = _chinese(lines)
    if chinese > HAN:
        return Guess("zh", f"of the letters {100 * chinese:.0f} % are Chinese")
    tokens = chain.from_iterable(str(line).split() for line in lines if line is not None)
    words = [token for token in tokens if len(token) >= SHORTEST and token.isalpha() and not token[0].isupper()]
    if len(words) < LEAST:
        hint = f"name it: --language {', '.join(LANGUAGES)}, plain or a table"
        raise UsageError(f"cannot identify the language of the source from {len(words)} words", hint=hint)
    shares = {code: sum(map(known.__contains__, words)) / len(words) for code, known in _vocabularies().items()}
    best = max(shares, key=shares.__getitem__)
    said = ", ".join(f"{code} {100 * share:.0f} %" for code, share in shares.items())
    is_enough = shares[best] >= SHARES.get(best, SHARE)
    return Guess(best if is_enough else "plain", f"of the words known: {said}")


def _chinese(lines: Text) -> float:
    """Return the share of letters that are Chinese characters.

    The share is 0 if the kana show that the text is Japanese.
    """
    letters = [letter for line in lines if line is not None for letter in line if letter.isalpha()]
    if sum("\u3041" <= letter <= "\u30ff" for letter in letters) > KANA * len(letters):
        return 0.0
    return sum("\u3400" <= letter <= "\u9fff" for letter in letters) / max(1, len(letters))


@cache
def _vocabularies() -> dict[str, WordList | Mapping[str, str]]:
    return {"en": WordList.english(), **{code: shipped(code).forms for code in SHIPPED}}
