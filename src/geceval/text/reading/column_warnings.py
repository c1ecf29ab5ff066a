"""Warnings of columns whose names or rows look like another table than the one that is read."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, count, takewhile

from geceval.base.arguments import listed
from geceval.base.caller_warnings import warn
from geceval.base.hints import Hint, Option
from geceval.text.reading.column_roles import TableColumns
from geceval.text.reading.file_columns import FileContent
from geceval.text.reading.role_names import is_answer, names_source
from geceval.text.similarity import similarity_of

#: Names of columns of names of systems.
_SYSTEM_NAMES = re.compile("(?:system|model)(?:[ _.-]?(?:name|id))?", re.IGNORECASE)
#: Names of columns that distinguish several outputs for each source.
_RUN_NAMES = re.compile(
    "(?:run|repeat|repetition|epoch|seed|trial|attempt|iteration|iter|round|prompt|template|temperature|shots?|n_shots?"
    "|filter|method|approach|team|participant|setting|config|condition|variant|version|checkpoint|ckpt|decoding|beam"
    "|engine|llm)s?(?:[ _.-]?(?:name|id|no|idx|index|number))?",
    re.IGNORECASE,
)
#: Paths of the arguments of tools that a model calls, and the first step of a list in the path of an answer.
_TOOL_ARGUMENTS = (
    r"(?!.*(?:request|prompt))(?:.+\.)?(?:content\.\d+\.input(?:\.[^.]+)?|tool_calls\.\d+\.function\.arguments)"
)
_FIRST_ITEM = re.compile(r"(?<=\.)0(?=\.|$)")
#: Fewest words of a sentence in place of the name of a column, and similarity of two versions of a sentence.
_FEWEST, _VERSION = 3, 0.6


def warn_of_columns(columns: TableColumns) -> None:
    """Warn of columns that are probably not what the user means."""
    _warn_of_header(columns)
    _warn_of_systems(columns)
    _warn_of_further_answers(columns)
    _warn_of_swapped_names(columns)


def _warn_of_header(columns: TableColumns) -> None:
    """Warn of tables whose header is a row of sentences."""
    by_content: dict[FileContent, list[str]] = {}
    for column in columns.all:
        by_content.setdefault(column.content, []).append(column.name)
    for content, names in by_content.items():
        if content.is_table and are_sentences(names):
            message = f"{content.file.name}: the first row is the header, but has sentences: they are not scored"
            warn(message, Hint(Option("no_header"), " reads it as a row; columns are numbers"))


def _warn_of_systems(columns: TableColumns) -> None:
    """Warn of names of systems in a table, several with as many rows each, whose rows are scored as one system.

    Names of runs, such as epochs, have rows with the same sources.
    """
    for content in columns.system_tables:
        for name in () if content.order is not None else content.names:
            is_system = _SYSTEM_NAMES.fullmatch(name) is not None
            if not is_system and _RUN_NAMES.fullmatch(name.rpartition(".")[2]) is None:
                continue
            column = content.column("system names", content.names.index(name))
            labels = [str(value) for value in column.all_values()]
            counts = Counter(labels)
            is_label = columns.labels is not None and (content, name) == (columns.labels.content, columns.labels.name)
            if not 1 < len(counts) < counts.total() or len(set(counts.values())) > 1 or is_label:
                continue
            if is_system or _have_equal_sources(columns, content, labels):
                message = f"{content.file.name}: rows of {listed(list(counts))} are scored as one system"
                warn(message, Hint(Option("system_column", shlex.quote(name))))


def _warn_of_further_answers(columns: TableColumns) -> None:
    """Warn of answers next to those that are scored: further ones to each request, and the arguments of tools."""
    used = {(column.content, column.name) for column in columns.all}
    for column in columns.systems.values():
        names = column.content.names
        if not column.in_table or not is_answer(column.name):
            continue
        answers = [column.name]
        for step in _FIRST_ITEM.finditer(column.name):
            further = (f"{column.name[: step.start()]}{number}{column.name[step.end() :]}" for number in count(1))
            answers += takewhile(names.__contains__, further)
        tools = [name for name in names if re.fullmatch(_TOOL_ARGUMENTS, name)]
        file = column.content.file.name
        if answers[1:] and (column.content, answers[1]) not in used:
            message = f"{file}: rows have {len(answers)} answers, of which the first is scored"
            warn(message, Hint(Option("hypothesis_column", " ".join(answers[:2])), " scores the second one, too"))
        elif tools and (column.content, tools[-1]) not in used:
            message = f"{file}: rows have the arguments of a tool next to the text that is scored"
            warn(message, Hint(Option("hypothesis_column", tools[-1]), " if they are the corrections"))


def _warn_of_swapped_names(columns: TableColumns) -> None:
    """Warn of a text with the name of a source if the source has another name: ``-s ref0.txt -r source.txt``.

    One of several systems may be the unchanged source.
    """
    if columns.source is None or names_source(columns.source.label):
        return
    systems = columns.systems.values() if len(columns.systems) == 1 else ()
    for text in (*columns.references, *systems):
        if names_source(text.label):
            message = f"{columns.source.label} is the source, {text.label} is not: by their names they look swapped"
            warn(message, "the source has the sentences with errors, references and systems the corrections")


def are_sentences(names: Iterable[str]) -> bool:
    """Return whether two names of columns are versions of a sentence, as in the first row of a table without header."""
    sentences = [name for name in names if len(name.split()) >= _FEWEST and name.rstrip("\"'”’»」")[-1:] in ".?!。？！"]
    return any(similarity_of(first, second) >= _VERSION for first, second in combinations(sentences, 2))


def _have_equal_sources(columns: TableColumns, content: FileContent, labels: Sequence[str]) -> bool:
    """Return whether the rows of each label have the same sources, in any order."""
    source = columns.source_next_to(content)
    if source is None:
        return False
    sources: dict[str, list[int]] = {}
    for label, value in zip(labels, source.all_values(), strict=True):
        sources.setdefault(label, []).append(hash(str(value)))
    first, *further = map(sorted, sources.values())
    return all(hashes == first for hashes in further)
