"""Kinds of files: their endings, the functions that open them, and the content by which they are recognised."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from geceval.base.errors import InputError
from geceval.base.hints import Hint, Option, hint_of_template
from geceval.base.package_tables import table_rows
from geceval.base.registry import Registry

#: Kinds that are suggestions of checkers, whatever the name of the file.
CHECKER_KINDS = ("suggestions", "ispell", "codespell")
#: Kinds that are corrections with the numbers of their sentences, whatever the name of the file.
DECODER_KINDS = ("fairseq", "nbest")
#: Kinds from which edits are read that are not M2.
EDIT_KINDS = ("learner-json", "ua-gec", *CHECKER_KINDS, "json", "jsonl")
#: Kinds of JSON of annotation tools, whose texts are sources and decisions of annotators, not corrections.
ANNOTATION_KINDS = ("label-studio", "prodigy")
#: Kinds of archives of several files.
ARCHIVES = ("zip", "tar", "7z", "rar")
#: Kinds of tables, whose cells may contain anything.
TABLES = ("para", "candidates", "conllu", "ua-gec")
#: Kinds of text that may be meant as it is.
AMBIGUOUS = ("jsonl",)
#: Text, where a file of another kind is refused.
LINES = "text with one sentence per line"
#: Encodings of files that are not UTF-8: lowest share of bytes outside ASCII -> the first, and others.
_ENCODINGS = {
    0.4: ("gb18030", "(Chinese), or shift_jis (Japanese), euc_kr (Korean), cp1251 (Cyrillic)"),
    0.0: ("cp1252", "(Western European), or cp1250 (Central European), cp1257 (Baltic), cp1254 (Turkish)"),
}
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class FileKind:
    """A kind of files.

    Attributes:
        key: Its name in the program, which is also the name of the format.
        endings: Endings of the names of its files.
        reader: ``module:function`` of the format, which opens a file; empty for a kind that is no format.
        content: Text, or bytes that are not UTF-8.
        description: The kind in messages.
        step: How to use a file, a template (hint_of_template); ``{path}`` is its name for a shell, ``{literal}`` for
            Python.
        pattern: Content of the beginning of a file, or for archives of its end; empty if it is not recognised.
    """

    key: str
    endings: tuple[str, ...]
    reader: str
    content: str
    description: str
    step: str
    pattern: str

    @cached_property
    def _compiled(self) -> re.Pattern[bytes]:
        return re.compile(self.pattern.encode(), re.DOTALL)

    def recognises(self, content: bytes) -> bool:
        """Return whether a file with this content is of the kind."""
        return bool(self.pattern) and self._compiled.search(content) is not None

    def error(self, path: str, expected: str) -> InputError:
        """Return the error for a file of this kind where another one is expected."""
        message = f"this is {self.description}, not {expected}"
        step = self.step.replace("{path}", shlex.quote(path)).replace("{literal}", json.dumps(path, ensure_ascii=False))
        return InputError(message, path=path, hint=hint_of_template(step))


KINDS = {
    key: FileKind(key, tuple(endings.split()), *fields)
    for key, endings, *fields in table_rows(Path(__file__).with_suffix(".tsv"))
}
#: Name of a format, which is also an ending -> the function that opens a file.
FORMATS = Registry(
    "format",
    "geceval.formats",
    {key: kind.reader for key, kind in KINDS.items() if kind.reader},
    [key for key, kind in KINDS.items() if kind.reader],
    {ending[1:]: key for key, kind in KINDS.items() if kind.reader for ending in kind.endings if ending[1:] != key},
)


def endings_of(*keys: str) -> tuple[str, ...]:
    """Return the endings of files of some kinds, in the order of the keys."""
    return tuple(ending for key in keys for ending in KINDS[key].endings)


#: Endings of files with suggestions of a grammar checker.
SUGGESTIONS = endings_of("jsonl")
#: Endings of files for texts whose columns are found by their names.
TEXT_TABLES = endings_of("para", "jsonl")
#: Endings of outputs in a folder.
OUTPUT_ENDINGS = endings_of("text", "m2", "errant", "para", "docx", "jsonl")
#: Endings that are no part of the name of a system, in the order in which they are removed.
REMOVED_ENDINGS = endings_of("text", "m2", "tsv", "csv", "parquet", "essays", "para", "docx", "jsonl")


def kind_of_content(content: bytes, ignored: Collection[str] = (), *, text: bool = True) -> FileKind | None:
    """Return the first kind of bytes, else of text, that a content has; None for another one.

    Args:
        content: The beginning of a file, and for archives also the end.
        ignored: Keys of kinds that are not meant.
        text: Whether kinds of text are searched, too.
    """
    content = content.removeprefix(_BYTE_ORDER_MARK)
    for searched in ("bytes", "text") if text else ("bytes",):
        for kind in KINDS.values():
            if kind.content == searched and kind.key not in ignored and kind.recognises(content):
                return kind
    return None


def encoding_hint(content: bytes, path: str) -> Hint:
    """Return a hint on the encoding of text that is not UTF-8."""
    share = sum(byte > 127 for byte in content) / max(len(content), 100)
    first, encodings = next(names for least, names in _ENCODINGS.items() if share >= least)
    convert = f"iconv -f {first.upper()} -t UTF-8 {shlex.quote(path)} > FILE"
    return Hint(Option("encoding", first), f" {encodings}; or convert the file: {convert}")
