"""Files of texts: one sentence per line, essays, and JSON and ``.para`` files with a column for the role."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from geceval._kernel import Text
from geceval.base.arguments import choices
from geceval.base.errors import UsageError
from geceval.base.hints import Hint, table_step
from geceval.text.files import display_name, has_ending, is_m2, is_read_once, kind_of
from geceval.text.preparation import Role
from geceval.text.reading.file_columns import FileColumn, FileContent, Portion
from geceval.text.reading.file_kinds import (
    AMBIGUOUS,
    ANNOTATION_KINDS,
    DECODER_KINDS,
    FORMATS,
    LINES,
    TEXT_TABLES,
    endings_of,
)
from geceval.text.reading.input_files import InputFile
from geceval.text.reading.input_tables import has_values, is_text_or_texts
from geceval.text.reading.lines import line_parts, read_lines
from geceval.text.reading.nbest import open_first_corrections
from geceval.text.reading.role_names import FURTHER, further_names, listed_names, usual_names

if TYPE_CHECKING:
    from geceval.text.essays import Essays

#: Role of a text -> role and option of its column, and its column in ``.para``.
_ROLES: Mapping[str, tuple[Role, str, str]] = {
    "source": ("source", "source_column", "source"),
    "reference": ("references", "reference_column", "reference"),
    "system": ("systems", "hypothesis_column", "correction"),
}


def open_text(file: InputFile) -> FileContent:
    """Return the lines of a text as its only column."""

    def read(columns: Sequence[int], size: int) -> Iterator[Portion]:
        return ([lines] for lines in file.lines(size))

    return FileContent(file, [""], read, lambda row: row + 1, kind="text")


def text_columns(
    pairs: Sequence[tuple[str, str]], references: int = 0, *, with_source: bool = True
) -> list[FileColumn]:
    """Return the columns of texts given by role and path.

    Files with essays (named .md) are aligned by the ids of the essays.

    Args:
        pairs: (role, path): the source, the references, and others.
        references: Number of references; they may lack essays.
        with_source: Whether ``pairs`` contains a source.

    Raises:
        UsageError: If only some files contain essays, or without a source.
        InputError: See align_essays.
    """
    essays = [_essays(path) for _, path in pairs]
    essay_files = [file for file in essays if file is not None]
    if not essay_files:
        return [_text_column(role, path) for role, path in pairs]
    if len(essay_files) < len(pairs) or not with_source:
        first = next((path for (_, path), file in zip(pairs, essays, strict=True) if file is None), None)
        message = f"{first} has none" if first else "the source is missing"
        hint = "essays are matched by id: give all texts as .md files with headings '### essay_id = ID'"
        raise UsageError(f"{essay_files[0].path} has essays, and {message}", hint=hint)
    from geceval.text.essays import align_essays  # other texts need none

    texts = align_essays(essay_files[0], essay_files[1 : 1 + references], essay_files[1 + references :])
    return [
        FileColumn(role, FileContent.of_values(InputFile(path), text, "text", lambda row: row + 1))
        for (role, path), text in zip(pairs, texts, strict=True)
    ]


def _text_content(path: str, role: Role) -> FileContent:
    """Return the content of a text file; raises InputError for a file of another kind."""
    kind = kind_of(path, AMBIGUOUS)
    if kind is None:
        return open_text(InputFile(path))
    if role == "systems" and kind.key in DECODER_KINDS:
        return open_first_corrections(InputFile(path), kind.key)
    raise kind.error(display_name(path), LINES)


def _text_column(role: str, path: str) -> FileColumn:
    """Return the column of a text, or of a ``.para`` or JSON file that has the role.

    Raises UsageError if several columns may have it, InputError for corrections that are the text of suggestions.
    """
    kind, option, name = _ROLES.get(role.partition(" ")[0], _ROLES["system"])
    if not role or not has_ending(path, *TEXT_TABLES):
        return FileColumn(role, _text_content(path, kind))
    if has_ending(path, *endings_of("para")):
        content: FileContent = FORMATS["para"](InputFile(path))
        return content.column(role, content.names.index(name))
    from geceval.text.reading.jsonlines import open_json, suggestions_error  # texts need no JSON

    content = open_json(InputFile(path), texts=kind != "source")
    file_kind = kind_of(content.file.path, (*AMBIGUOUS, "json"))
    if kind != "source" and file_kind is not None and file_kind.key in ANNOTATION_KINDS:
        raise file_kind.error(content.file.name, LINES)
    names = _text_names(content, kind)
    error = None if kind == "source" else suggestions_error(content.file, names, role)
    if error is not None:
        raise error
    if len(names) > 1:
        if file_kind is not None:
            raise file_kind.error(content.file.name, LINES)
        hint = Hint(table_step(content.file.path, option, "COL"), f", one of {choices(listed_names(names))}")
        raise UsageError(f"{content.file.name} has several columns for the {role}", hint=hint)
    return content.column(role, content.names.index(names[0]))


def _text_names(content: FileContent, kind: Role) -> list[str]:
    """Return the names of the columns that may be the text, best the usual ones."""
    has_texts = partial(has_values, content, is_one=is_text_or_texts)
    further = (further_names(content.names, patterns, has_texts) for name, patterns in FURTHER if name == kind)
    names = usual_names(content.names, kind) or next(filter(None, further), [])
    return names or list(filter(partial(has_values, content), content.names)) or [*content.names]


def _essays(path: str) -> Essays | None:
    """Return the essays of a Markdown file, or None if it contains none."""
    if not has_ending(path, *endings_of("essays")) or is_read_once(path):
        return None
    from geceval.text.essays import Essays, has_heads  # other texts need none

    lines = read_lines(path)
    return Essays.of(lines, path) if has_heads(lines) else None


def first_sentences(path: str, number: int) -> Text:
    """Return the first sentences of a text, or of the sources of an M2 file.

    At most ``number`` sentences are read.
    """
    if not is_m2(path):
        return next(line_parts(path, number), Text([]))
    from geceval.text.m2 import m2_files  # texts need no edits

    return Text(block.source for block, _ in zip(m2_files.read(path), range(number), strict=False))
