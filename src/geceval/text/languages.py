"""Languages by name, and texts without spaces between words.

languages.tsv has the codes and names of languages, and the tokenisers of their raw text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from geceval.base.package_tables import table_rows


class NamedLanguage(NamedTuple):
    """A language of the table.

    Attributes:
        code: Code of ISO 639, such as ``de``.
        name: English name, such as ``German``.
        tokeniser: Name of the tokeniser of raw text.
    """

    code: str
    name: str
    tokeniser: str


@cache
def languages() -> dict[str, NamedLanguage]:
    """Return the languages of the table by their codes and names, in lower case."""
    by_name = {}
    for names, tokeniser in table_rows(Path(__file__).with_suffix(".tsv")):
        code, *aliases = names.split()
        english_name = next(alias for alias in aliases if len(alias) > len("deu"))
        by_name.update(dict.fromkeys([code, *aliases], NamedLanguage(code, english_name.title(), tokeniser)))
    return by_name


#: A code of a language with its script, country and variants, such as zh-Hans, de-CH-1996 or pt_BR.UTF-8 (BCP 47).
_LOCALE = re.compile(
    r"([a-z]{2,3})(?=[-_])([-_][a-z]{4})?([-_]([a-z]{2}|[0-9]{3}))?"
    r"([-_]([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*([.@][a-z0-9.@-]+)?"
)
#: The name of a pipeline of spaCy, such as en_core_web_sm.
_PIPELINE = re.compile(r"([a-z]{2,3})(_[a-z0-9]+){1,3}_(sm|md|lg|trf)")


def find_language(name: str) -> NamedLanguage | None:
    """Return the language of a code or a name; None for other text.

    >>> find_language("German").code, find_language("deu").code, find_language("zh_CN").code
    ('de', 'de', 'zh')
    """
    lower = name.strip().casefold()
    locale = _LOCALE.fullmatch(lower)
    return languages().get(locale[1] if locale else lower)


def pipeline_hint(name: str) -> str | None:
    """Return the hint for the name of a pipeline of spaCy in place of a language; None for other names."""
    pipeline = _PIPELINE.fullmatch(name)
    return pipeline and f"spacy:{name} is the pipeline of spaCy; {pipeline[1]} needs none"


# --- scripts without spaces ---

#: Code of the language, first and last character of scripts that are written without spaces between words.
_SCRIPTS = (
    ("th", "\u0e00", "\u0e7f"), ("lo", "\u0e80", "\u0eff"), ("my", "\u1000", "\u109f"), ("km", "\u1780", "\u17ff"),
    ("ja", "\u3041", "\u30ff"), ("zh", "\u3400", "\u9fff"), ("zh", "\uf900", "\ufaff"),
    ("zh", "\U00020000", "\U0003ffff"),
)  # fmt: skip
_FIRST = min(first for _, first, _ in _SCRIPTS)
#: Share of letters above which a script determines the language, and of kana in Japanese. Chinese may quote some kana;
#: about half of the letters of Japanese are kana.
_MOST, _KANA = 0.5, 0.05
#: Number of characters of a line that are examined.
_EXAMINED = 4096
#: Mean number of letters per token above which text is not segmented, in general and by language.
SEGMENTED, SEGMENTED_IN = 10, {"ja": 4, "zh": 4}


class ScriptLanguage(NamedTuple):
    """The language of a script without spaces between words.

    Attributes:
        code: Code of the language.
        share: Share of its letters among all letters.
        is_unbroken: Whether the text has no spaces between words.
    """

    code: str
    share: float
    is_unbroken: bool


def script_language(lines: Iterable[str | None]) -> ScriptLanguage | None:
    """Return the language of a text by its script, if this is written without spaces; None for other text."""
    letters, tokens = Counter[str](), 0
    for token in (token for line in lines for token in _tokens_by_script(line or "")):
        if not _has_script(token):
            letters[""] += len(token)
            continue
        letters.update(code for character in token if (code := _script(character)) or character.isalpha())
        tokens += any(map(_script, token))
    if letters["ja"] > _KANA * letters["zh"]:
        letters["ja"] += letters.pop("zh", 0)
    [(code, number)] = letters.most_common(1) or [("", 0)]
    if not code or number <= _MOST * letters.total():
        return None
    limit = SEGMENTED_IN.get(code, SEGMENTED)
    return ScriptLanguage(code, number / letters.total(), number > limit * tokens)


def _tokens_by_script(line: str) -> list[str]:
    """Return the first tokens of a line; as one token if none has a script without spaces."""
    line = line[:_EXAMINED]
    tokens = line.split()
    return tokens if _has_script(line) else ["".join(tokens)] * bool(tokens)


def _has_script(text: str) -> bool:
    """Return whether a character may belong to a script without spaces."""
    return not text.isascii() and max(text) >= _FIRST


def _script(character: str) -> str:
    return next((code for code, first, last in _SCRIPTS if first <= character <= last), "")
