"""Forms of files by their content: which form a file has, and the step that makes it readable.

The table is consulted before a file is read as text, and when it cannot be read in the expected form.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option, hint_of_template
from geceval.base.package_tables import table_rows

#: Essays with edits of characters, and all forms that are read as edits from JSON.
ESSAYS = ("learner-json", "ua-gec")
JSON_FORMS = (*ESSAYS, "suggestions", "json", "json-lines")
#: Forms of tables, whose cells may contain anything.
TABLES = ("para", "conllu", "ua-gec")
#: Forms of text that may be meant as it is.
AMBIGUOUS = ("json-lines",)
#: Encodings of files that are not UTF-8: lowest share of bytes outside ASCII -> the first, and others.
_ENCODINGS = {
    0.4: ("gb18030", "(Chinese), or shift_jis (Japanese), euc_kr (Korean), cp1251 (Cyrillic)"),
    0.0: ("cp1252", "(Western European), or cp1250 (Central European), cp1257 (Baltic), cp1254 (Turkish)"),
}
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class ContentForm:
    """A form of files.

    Attributes:
        key: the name of the form in the program.
        kind: text, or bytes that are not UTF-8.
        description: the form in messages.
        step: how to use the file, a template (hint_of_template); ``{path}`` is its name for a shell, ``{literal}`` for
            Python.
        pattern: what the beginning of the file contains, or for archives its end.
    """

    key: str
    kind: str
    description: str
    step: str
    pattern: re.Pattern[bytes]

    def error(self, path: str, expected: str) -> InputError:
        """Return the error for a file of this form where another one is expected."""
        message = f"this is {self.description}, not {expected}"
        step = self.step.replace("{path}", shlex.quote(path)).replace("{literal}", json.dumps(path, ensure_ascii=False))
        return InputError(message, path=path, hint=hint_of_template(step))


@cache
def _forms() -> tuple[ContentForm, ...]:
    rows = table_rows(Path(__file__).with_suffix(".tsv"))
    return tuple(
        ContentForm(key, kind, description, step, re.compile(pattern.encode(), re.DOTALL))
        for key, kind, description, step, pattern in rows
    )


def form_of_content(content: bytes, ignored: Collection[str] = (), *, text: bool = True) -> ContentForm | None:
    """Return the first form of the table that a content has; None for another form.

    Args:
        content: the beginning of a file, and for archives also the end.
        ignored: keys of forms that are not meant.
        text: whether forms of text are searched, too.
    """
    content = content.removeprefix(_BYTE_ORDER_MARK)
    forms = (form for form in _forms() if form.key not in ignored and (text or form.kind != "text"))
    return next((form for form in forms if form.pattern.search(content)), None)


def encoding_hint(content: bytes, path: str) -> Hint:
    """Return a hint on the encoding of text that is not UTF-8."""
    share = sum(byte > 127 for byte in content) / max(len(content), 100)
    first, others = next(names for least, names in _ENCODINGS.items() if share >= least)
    convert = f"iconv -f {first.upper()} -t UTF-8 {shlex.quote(path)} > FILE"
    return Hint(Option("encoding", first), f" {others}; or convert the file: {convert}")
