"""Types of edits in words, for readers who do not know ERRANT's codes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from geceval.base.package_tables import table_rows

#: Names of types: the codes of the annotator, English or German words.
TypeNames: TypeAlias = Literal["codes", "words", "german"]
_ROWS = table_rows(Path(__file__).with_name("type_names.tsv"))
#: Words of categories by language.
CATEGORY_WORDS: Mapping[str, Mapping[str, str]] = {
    "words": {category: english for category, english, _ in _ROWS},
    "german": {category: german for category, _, german in _ROWS},
}
#: Words of operations by language; a replacement has none.
_OPERATIONS = {
    "words": {"M": "missing: {}", "R": "{}", "U": "unnecessary: {}"},
    "german": {"M": "fehlt: {}", "R": "{}", "U": "überflüssig: {}"},
}


def type_name(type_: str, names: TypeNames) -> str:
    """Return the name of a type, such as "missing: punctuation" of M:PUNCT; a type without words keeps its code."""
    if names == "codes":
        return type_
    operation, colon, category = type_.partition(":")
    if operation not in _OPERATIONS[names] or not colon:
        operation, category = "R", type_
    words = CATEGORY_WORDS[names].get(category)
    return type_ if words is None else _OPERATIONS[names][operation].format(words)
