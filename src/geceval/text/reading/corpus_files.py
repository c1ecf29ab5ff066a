"""A corpus in files, read in parts, so that one of any size needs the memory of one part."""

from __future__ import annotations

import inspect
import time
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from copy import copy
from threading import Thread
from typing import Any, Generic, TypeVar, cast, get_args

from geceval._kernel import Text
from geceval.base.arguments import choice
from geceval.base.errors import UsageError
from geceval.text.corpus import (
    Corpus,
    Lines,
    MadeTexts,
    SourceFacts,
    TextSource,
    annotator_numbers,
    annotators_of,
    types_of,
)
from geceval.text.files import check_standard_input, given_twice, is_m2, named_systems, path_text, path_texts
from geceval.text.m2 import Block, Blocks, Dialect, Missing, references
from geceval.text.preparation import NOTHING, Preparation, Role
from geceval.text.reading.file_columns import FileColumn, FileContent, ReferenceColumns, text_columns, together
from geceval.text.reading.formats import Format
from geceval.text.reading.lines import ALL
from geceval.text.reading.table_columns import InputTable, TableColumns
from geceval.text.truecase import Truecaser

T = TypeVar("T")

#: Rows gone through at a time, where nothing is counted.
_MANY = 1 << 14


class _Next(Thread, Generic[T]):
    """The next item of an iterator, made while others are used."""

    def __init__(self, items: Iterator[T]) -> None:
        super().__init__(name="geceval-reader")
        self._items = items
        self._item: T | None = None
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self._item = next(self._items, None)
        except BaseException as error:  # it is raised where the item is asked for
            self._error = error

    def item(self) -> T | None:
        """The item once it is there, None at the end; raises what was raised while it was made."""
        self.join()
        if self._error is not None:
            raise self._error
        return self._item


def _ahead(items: Generator[T, None, None]) -> Generator[T, None, None]:
    """The items, none of them None; the next one is made in a thread while the present one is used.

    No thread is left when this ends, is closed or raises; so there are two items in memory at the most.
    """
    upcoming = _Next(items)
    try:
        while (item := upcoming.item()) is not None:
            upcoming = _Next(items)
            yield item
            del item  # before the one after the next is made
    finally:
        upcoming.join()
        while inspect.getgeneratorstate(items) == inspect.GEN_RUNNING:  # a signal came while its reader started
            time.sleep(0.01)
        items.close()


class _SourceCheck:
    """Whether the sentences of an M2 file are those of the source, part by part."""

    def __init__(self) -> None:
        self.different = self._sentences = 0
        self._first: tuple[int, Block, str] | None = None
        self._meant: dict[str, Text] = {}

    def add(self, blocks: Blocks, source: Text, others: Mapping[str, Text]) -> None:
        """``others``: the systems' texts, one of which may be the source that was meant."""
        different = blocks.source.differing(source)
        if different and self._first is None:
            at = different[0]
            self._first = self._sentences + at + 1, blocks[at], str(source[at])
            self._meant = dict(others) if self._sentences == 0 else {}
        self._meant = {name: others[name] for name in self._meant if not blocks.source.differing(others[name])}
        self.different += len(different)
        self._sentences += len(blocks)

    def end(self) -> None:
        """Raise InputError that shows the first sentence with other tokens than the source, if there is one."""
        if self._first is not None:
            s, block, line = self._first
            message = f"sentence {s} is not that of the source ({self.different} of {self._sentences} differ)"
            hint = f"{block.source}\n        {line}"
            for system in self._meant:
                hint += f"\n  the sentences are those of system {system}: source and system look swapped"
            raise block.error(message, hint=hint)


class CorpusFiles(TextSource):
    """A corpus in files. Each reading opens them anew and takes the memory of one part.

    Only M2 files and essays are held; what can be read once only, standard input and pipes, is kept while it is read
    (pipes.Pipe). Made by ``corpus_files`` and ``table_files``.
    """

    def __init__(
        self,
        source: FileColumn | None,
        gold: FileColumn | None,
        references: Sequence[FileColumn],
        systems: Mapping[str, FileColumn],
        missing: Missing,
        labels: FileColumn | None,
        preparation: Preparation,
    ) -> None:
        self._source, self._gold, self._systems = source, gold, systems
        self._references = ReferenceColumns(references, breaks=_repairs(preparation, "references"))
        self._missing, self._labels, self._preparation = missing, labels, preparation
        self._made: MadeTexts | None = None
        self._truecaser: Truecaser | None = None
        if preparation:
            m2 = [name for name, column in systems.items() if column.is_edits]
            preparation.check(references=bool(references), gold=gold is not None, m2_systems=m2)

    @property
    def facts(self) -> SourceFacts:
        gold, made = self._gold, self._made
        m2 = [column for column in (gold, *self._systems.values()) if column is not None and column.is_edits]
        return SourceFacts(
            system_names=tuple(self._systems),
            sentences=self._number_of_sentences,
            m2_systems=frozenset(name for name, column in self._systems.items() if column.is_edits),
            has_gold=gold is not None,
            made_by="" if made is None else self._missing,
            prepared_by=self._preparation,
            references=lambda: self._references.numbers if made is None else (len(made), len(made)),
            reference_texts=lambda: self._references.width if made is None else len(made),
            gold_versions=lambda: annotator_numbers([] if gold is None else _blocks(gold)),
            annotators=lambda: annotators_of([] if gold is None else _blocks(gold)),
            edit_types=lambda: types_of(map(_blocks, m2)),
        )

    def _number_of_sentences(self) -> int | None:
        """The number of rows of the source or the gold, if one of them knows it unread."""
        known = (column.content.rows for column in (self._source, self._gold) if column is not None)
        return next((rows for rows in known if rows is not None), None)

    def parts(self, size: int) -> Generator[Corpus, None, None]:
        """The next part is read while the present one is used: there are two in memory. Raises
        InputError, when that place is read, for what read_lines refuses, for files that differ in their number of
        lines (all are listed with their counts), for an M2 file that is about other sentences, and for what is no
        sentence in a table."""
        return _ahead(self._parts(size))

    def _parts(self, size: int) -> Generator[Corpus, None, None]:
        own = [column for column in (self._source, self._gold) if column is not None]
        columns = [*own, *self._references.columns, *self._systems.values()]
        checks = {column: _SourceCheck() for column in columns if column.is_edits}
        breaks = _repairs(self._preparation, "systems")
        start = 0
        self._learn_case()
        for rows in together(columns if self._labels is None else [*columns, self._labels], size):
            lines = self._sentences(rows, start)
            systems = {
                name: rows[column] if column.is_edits else column.checked(rows[column], start, breaks=breaks)
                for name, column in self._systems.items()
            }
            texts = {name: row for name, row in systems.items() if isinstance(row, Text)}
            for column, check in checks.items():
                check.add(rows[column], lines, texts)
            if not any(check.different for check in checks.values()):  # else they are only counted from here on
                yield self._corpus(lines, rows, systems, start)
            start += len(lines)
        for check in checks.values():
            check.end()

    def whole(self) -> Corpus:
        """The corpus in memory."""
        [corpus] = self._parts(ALL)
        return corpus

    def _sentences(self, rows: Mapping[FileColumn, Any], start: int) -> Text:
        """The source, which is that of the gold edits if there is no other."""
        if self._source is None:
            return Text(rows[cast(FileColumn, self._gold)].source)
        return self._source.checked(rows[self._source], start, breaks=_repairs(self._preparation, "source"))

    def _corpus(self, source: Text, rows: Mapping[FileColumn, Any], systems: Mapping[str, Any], start: int) -> Corpus:
        gold = None if self._gold is None else rows[self._gold]
        given = self._references.texts(rows, start)
        labels = None if self._labels is None else self._labels.named(rows[self._labels], start)
        corpus = Corpus(cast(Lines, source), given, systems, gold, self._missing, labels)
        if self._preparation:
            corpus = corpus.prepared(self._preparation, self._truecaser)
        if self._made is None:
            return corpus
        return corpus.with_made(MadeTexts(text[start : start + len(source)] for text in self._made))

    def _learn_case(self) -> None:
        """What truecasing needs of the whole: a pass over the references, or over the source if there are none."""
        if not self._preparation.truecase or self._truecaser is not None:
            return
        truecaser, start = Truecaser(), 0
        columns = self._references.columns
        for rows in together(columns or [cast(FileColumn, self._source or self._gold)], _MANY):
            role: Role = "references" if columns else "source"
            for lines in self._references.texts(rows, start) if columns else [self._sentences(rows, start)]:
                truecaser.learn(self._preparation.cleaned(role, lines))
            start += len(next(iter(rows.values())))
        self._truecaser = truecaser

    def with_texts(self) -> CorpusFiles:
        if self._references.columns or self._made is not None or self._gold is None:
            return self
        files = copy(self)
        files._made = MadeTexts(map(Text, references(_blocks(self._gold), self._missing)))
        return files


def _repairs(preparation: Preparation, role: Role) -> bool:
    """Whether line breaks within the texts of a role become blanks."""
    return preparation.whitespace and role in preparation.roles


def _blocks(column: FileColumn) -> Blocks:
    """The blocks of an M2 file."""
    return cast(Blocks, cast(Sequence[Any], column.content.held)[0])


def corpus_files(
    source: str | None,
    references: Sequence[str],
    systems: Sequence[str] | Mapping[str, str],
    gold: str | None = None,
    *,
    missing: Missing = "fallback",
    labels: str | None = None,
    prepare: Preparation = NOTHING,
    dialect: Dialect = "auto",
    table: TableColumns | None = None,
    m2_systems: Collection[str] = (),
) -> CorpusFiles:
    """Source, references and systems, a sentence a line, and gold edits, to be read in parts.

    ``gold`` is an M2 file, and so are systems whose names end in ``.m2``. Without ``source`` the sentences are those of
    ``gold``. Systems are named after their files, or given as name -> file; ``missing``: see Corpus; ``labels``: a file
    with a label a line, by which sentences may be grouped; ``prepare``: what is done to the texts, part by part;
    ``dialect``: of the M2 files, told by their ``T`` lines, or "cherrant" (m2.Blocks.as_errant); ``table``: columns
    that stand beside the files, before them; ``m2_systems``: names of systems that are M2 whatever their files are
    called. Raises UsageError if a system or standard input is given twice, if there is neither source nor gold, and for
    what cannot be prepared.
    """
    systems = systems if isinstance(systems, Mapping) else named_systems(path_texts("systems", systems))
    columns = table or TableColumns()
    if source is None and gold is None and columns.source is None:
        raise UsageError("a source is needed, or gold edits, which name their sources")
    choice("missing", missing, get_args(Missing))
    source, gold, labels = (None if path is None else path_text(path) for path in (source, gold, labels))
    references = path_texts("references", references)
    paths = [source, gold, *references, *systems.values(), labels]
    if table is not None:
        _check_once(source, labels, systems, table)
        paths += table.paths
    check_standard_input([path for path in paths if path is not None])
    m2 = [name for name, path in systems.items() if name in m2_systems or is_m2(path)]
    named = [] if source is None else [("source", source)]
    named += [(f"reference {r}", path) for r, path in enumerate(references, len(columns.references))]
    named += [("system", path) for name, path in systems.items() if name not in m2]
    texts = iter(text_columns(named, len(references), with_source=source is not None))
    return CorpusFiles(
        columns.source if source is None else next(texts),
        None if gold is None else FileColumn("gold", FileContent.edits(gold, dialect)),
        [*columns.references, *(next(texts) for _ in references)],
        {
            **columns.systems,
            **{
                name: FileColumn("system", FileContent.edits(path, dialect)) if name in m2 else next(texts)
                for name, path in systems.items()
            },
        },
        missing,
        columns.labels if labels is None else FileColumn("labels", FileContent.text(labels)),
        prepare,
    )


def _check_once(source: str | None, labels: str | None, systems: Mapping[str, str], table: TableColumns) -> None:
    """Raise UsageError for what a table and a file both give."""
    for role, path, column in (("source", source, table.source), ("labels", labels, table.labels)):
        if path is not None and column is not None:
            raise UsageError(f"the {role} is given twice, by the file {path} and by the column {column.name}")
    for name in systems:
        if name in table.systems:
            raise given_twice(name)


def read_corpus(
    source: str | None,
    references: Sequence[str],
    systems: Sequence[str] | Mapping[str, str],
    gold: str | None = None,
    *,
    missing: Missing = "fallback",
    labels: str | None = None,
    prepare: Preparation = NOTHING,
    dialect: Dialect = "auto",
) -> Corpus:
    """As corpus_files, in memory. Errors: see CorpusFiles.parts."""
    files = corpus_files(
        source, references, systems, gold, missing=missing, labels=labels, prepare=prepare, dialect=dialect
    )
    return files.whole()


def numbered_files(source: str, references: Sequence[str], systems: Sequence[str]) -> CorpusFiles:
    """As corpus_files, of texts only, but systems are named "0", "1", …: a file may be given more than once."""
    return corpus_files(source, references, {str(at): path for at, path in enumerate(path_texts("systems", systems))})


def table_files(
    path: str,
    *,
    source: str | None = None,
    hypothesis: str | Sequence[str] | Mapping[str, str] | None = None,
    references: str | Sequence[str] | None = None,
    labels: str | None = None,
    format: str | Format | None = None,
    header: bool = True,
    gold: str | None = None,
    missing: Missing = "fallback",
    prepare: Preparation = NOTHING,
    dialect: Dialect = "auto",
) -> CorpusFiles:
    """The columns of a table as a corpus, a sentence a row, to be read in parts: TSV, CSV, JSON Lines, Parquet, or what
    an installed package reads.

    ``source``, ``hypothesis``, ``references`` and ``labels`` are names of columns, or their numbers from 1, as text; of
    several systems a list, or name -> column. Where they are None, ``source``, ``hypothesis`` and ``reference`` or
    ``references`` are taken, the latter with numbers, too (``hypothesis 2``). A cell of a reference may be a list of
    texts, or null where a sentence lacks it. ``format``: a Format or its name (``csv:;``), None: by the ending;
    ``header`` False: the first row is one of sentences. All else: see corpus_files. Raises UsageError for a column that
    is not there, with the nearest name, and for a format that is not known.
    """
    columns = TableColumns.of(InputTable.opened(path, format, header=header), source, hypothesis, references, labels)
    return corpus_files(None, (), (), gold, missing=missing, prepare=prepare, dialect=dialect, table=columns)


def read_table(
    path: str,
    *,
    source: str | None = None,
    hypothesis: str | Sequence[str] | Mapping[str, str] | None = None,
    references: str | Sequence[str] | None = None,
    labels: str | None = None,
    format: str | Format | None = None,
    header: bool = True,
    gold: str | None = None,
    missing: Missing = "fallback",
    prepare: Preparation = NOTHING,
    dialect: Dialect = "auto",
) -> Corpus:
    """As table_files, in memory. Errors: see there, and CorpusFiles.parts."""
    columns = TableColumns.of(InputTable.opened(path, format, header=header), source, hypothesis, references, labels)
    return corpus_files(None, (), (), gold, missing=missing, prepare=prepare, dialect=dialect, table=columns).whole()
