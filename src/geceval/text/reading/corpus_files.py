"""A corpus in files that is read in parts; memory holds only a part of it."""

from __future__ import annotations

import inspect
import time
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from copy import copy
from threading import Thread
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, get_args

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
from geceval.text.files import (
    SUGGESTIONS,
    check_standard_input,
    duplicate_system_error,
    has_ending,
    is_m2,
    named_systems,
    path_text,
    path_texts,
)
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Block, GoldEdits, Missing, Overlaps
from geceval.text.m2.operations import references, resolve_overlaps
from geceval.text.preparation import NOTHING, Preparation
from geceval.text.reading.file_columns import FileColumn, FileContent, ReferenceColumns, align_columns, text_columns
from geceval.text.reading.formats import M2, Format, Suggestions
from geceval.text.reading.lines import ALL
from geceval.text.reading.table_columns import InputTable, TableColumns

if TYPE_CHECKING:
    from geceval.text.m2.cherrant_dialect import Dialect
    from geceval.text.m2.conversion.suggestions import Offsets

T = TypeVar("T")


class _Next(Thread, Generic[T]):
    """A thread that computes the next item of an iterator while others are used."""

    def __init__(self, items: Iterator[T]) -> None:
        super().__init__(name="geceval-reader")
        self._items = items
        self._item: T | None = None
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self._item = next(self._items, None)
        except BaseException as error:  # raised by item
            self._error = error

    def item(self) -> T | None:
        """Return the item, or None at the end; raises the error of its computation."""
        self.join()
        if self._error is not None:
            raise self._error
        return self._item


def _ahead(items: Generator[T, None, None]) -> Generator[T, None, None]:
    """Yield the items, which are not None.

    A thread computes the next while the current one is used.

    At most two items are in memory. No thread runs after the generator ends, is closed or raises.
    """
    upcoming = _Next(items)
    try:
        while (item := upcoming.item()) is not None:
            upcoming = _Next(items)
            yield item
            del item  # before the next-but-one is computed
    finally:
        upcoming.join()
        while inspect.getgeneratorstate(items) == inspect.GEN_RUNNING:  # a signal arrived while the thread started
            time.sleep(0.01)
        items.close()


class _SourceCheck:
    """A check, part by part, that an M2 file has the sentences of the source."""

    def __init__(self) -> None:
        self.different = self._sentences = 0
        self._first: tuple[int, Block, str] | None = None
        self._meant: dict[str, Text] = {}

    def add(self, blocks: Blocks, source: Text, others: Mapping[str, Text]) -> None:
        """Compare a part.

        ``others`` are the systems' texts, one of which may be the intended source.
        """
        different = blocks.source.differing(source)
        if different and self._first is None:
            at = different[0]
            self._first = self._sentences + at + 1, blocks[at], str(source[at])
            self._meant = dict(others) if self._sentences == 0 else {}
        self._meant = {name: others[name] for name in self._meant if not blocks.source.differing(others[name])}
        self.different += len(different)
        self._sentences += len(blocks)

    def end(self) -> None:
        """Raise InputError with the first sentence that differs from the source."""
        if self._first is not None:
            s, block, line = self._first
            message = f"sentence {s} differs from the source ({self.different} of {self._sentences} differ)"
            hint = f"{block.source}\n        {line}"
            for system in self._meant:
                hint += f"\n  the file has the sentences of system {system}: source and system look swapped"
            raise block.error(message, hint=hint)


class CorpusFiles(TextSource):
    """A corpus in files, made by ``corpus_files`` and ``table_files``.

    Each pass opens the files again and holds one part in memory. M2 files and essays are held as a whole. Standard
    input and pipes, which can be read only once, are stored while they are read (see pipes.Pipe).
    """

    def __init__(
        self,
        source: FileColumn | None,
        gold: FileColumn | None,
        references: Sequence[FileColumn],
        systems: Mapping[str, FileColumn],
        missing: Missing,
        overlaps: Overlaps | None,
        labels: FileColumn | None,
        preparation: Preparation,
        gold_edits: GoldEdits = "as-given",
    ) -> None:
        self._source, self._gold, self._systems = source, gold, systems
        self._references = ReferenceColumns(references, source, preparation.joins_lines("references"))
        self._missing, self._overlaps, self._labels, self._preparation = missing, overlaps, labels, preparation
        self._gold_edits: GoldEdits = gold_edits
        self._made: MadeTexts | None = None
        if preparation:
            m2 = [name for name, column in systems.items() if column.is_m2]
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
            overlaps=self._overlaps,
            prepared_by=self._preparation,
            references=lambda: self._references.numbers if made is None else (len(made), len(made)),
            reference_texts=lambda: self._references.width if made is None else len(made),
            gold_versions=lambda: annotator_numbers([] if gold is None else _blocks(gold)),
            annotators=lambda: annotators_of([] if gold is None else _blocks(gold)),
            edit_types=lambda: types_of(map(_blocks, m2)),
            gold_edits=self._gold_edits,
        )

    def _number_of_sentences(self) -> int | None:
        """Return the number of rows if it is known without reading."""
        known = (column.content.rows for column in (self._source, self._gold) if column is not None)
        return next((rows for rows in known if rows is not None), None)

    def parts(self, size: int) -> Generator[Corpus, None, None]:
        """Yield parts of ``size`` sentences.

        Two parts are in memory, since the next one is read ahead.

        Raises:
            InputError: for the errors of read_lines, for files of different length (lists all lengths), for an M2 file
                with other sentences, and for cells that are not text.
        """
        return _ahead(self._parts(size))

    def _parts(self, size: int) -> Generator[Corpus, None, None]:
        own = [column for column in (self._source, self._gold) if column is not None]
        columns = [*own, *self._references.columns, *self._systems.values()]
        checks = {column: _SourceCheck() for column in columns if column.is_m2}
        breaks = self._preparation.joins_lines("systems")
        start = 0
        for rows in align_columns(columns if self._labels is None else [*columns, self._labels], size):
            lines = self._sentences(rows, start)
            systems = {
                name: rows[column]
                if column.is_edits
                else column.checked(rows[column], start, breaks=breaks, source=lines)
                for name, column in self._systems.items()
            }
            texts = {name: row for name, row in systems.items() if isinstance(row, Text)}
            for column, check in checks.items():
                check.add(rows[column], lines, texts)
            if not any(check.different for check in checks.values()):  # after a difference they are only counted
                yield self._corpus(lines, rows, systems, start)
            start += len(lines)
        for check in checks.values():
            check.end()

    def whole(self) -> Corpus:
        """Return the corpus in memory."""
        [corpus] = self._parts(ALL)
        return corpus

    def _sentences(self, rows: Mapping[FileColumn, Any], start: int) -> Text:
        """Return the source, by default the one of the gold edits."""
        if self._source is None:
            return Text(rows[cast(FileColumn, self._gold)].source)
        return self._source.checked(rows[self._source], start, breaks=self._preparation.joins_lines("source"))

    def _corpus(self, source: Text, rows: Mapping[FileColumn, Any], systems: Mapping[str, Any], start: int) -> Corpus:
        gold = None if self._gold is None else rows[self._gold]
        given = self._references.texts(rows, start)
        labels = None if self._labels is None else self._labels.named(rows[self._labels], start)
        options: Any = {"overlaps": self._overlaps, "gold_edits": self._gold_edits}
        corpus = Corpus(cast(Lines, source), given, systems, gold, self._missing, labels, **options)
        if self._preparation:
            ready = [name for name, column in self._systems.items() if column.is_edits]
            corpus = corpus.prepared(self._preparation, ready)
        if self._made is None:
            return corpus
        return corpus.with_made(MadeTexts(text[start : start + len(source)] for text in self._made))

    def with_texts(self) -> CorpusFiles:
        if self._references.columns or self._made is not None or self._gold is None:
            return self
        files = copy(self)
        gold = _blocks(self._gold)
        gold = gold if self._overlaps is None else resolve_overlaps(gold, self._overlaps)
        files._made = MadeTexts(map(Text, references(gold, self._missing)))
        return files


def _blocks(column: FileColumn) -> Blocks:
    """Return the blocks of an M2 file."""
    return cast(Blocks, cast(Sequence[Any], column.content.held)[0])


def corpus_files(
    source: str | None,
    references: Sequence[str],
    systems: Sequence[str] | Mapping[str, str],
    gold: str | None = None,
    *,
    missing: Missing = "fallback",
    overlaps: Overlaps | None = "error",
    labels: str | None = None,
    prepare: Preparation = NOTHING,
    dialect: Dialect = "auto",
    offsets: Offsets = "auto",
    table: TableColumns | None = None,
    m2_systems: Collection[str] = (),
    gold_edits: GoldEdits = "as-given",
) -> CorpusFiles:
    """Return a corpus in files, which is read in parts.

    Args:
        source: file of sentences, one per line; by default the source is taken from ``gold``.
        references: files of references, one sentence per line.
        systems: files of the systems' corrections, or name -> file; names ending in ``.m2`` are M2 files, in ``.json``
            and ``.jsonl`` suggestions.
        gold: M2 file of gold edits.
        missing: the text of an annotator without a line in a block; see Corpus.
        overlaps: treatment of overlapping gold edits, see Corpus, and of overlapping suggestions; None: M2 is read as
            by the public tools, also several ``S`` lines in one block.
        labels: file of labels, one per line, to group sentences by.
        prepare: the preparation of the texts.
        dialect: dialect of M2 files: "cherrant", or "auto" to detect it from ``T`` lines.
        offsets: unit of the offsets of suggestions: "characters", "utf-16", "bytes", or "auto" to detect it.
        table: columns of a table, which precede the files.
        m2_systems: names of systems that are M2 whatever the names of their files.
        gold_edits: the gold edits of metrics on edits; see Corpus.

    Returns:
        A corpus; memory holds two parts of it.

    Raises:
        UsageError: if a system or standard input is given twice, if source and gold are missing, and for texts that
            cannot be prepared.
    """
    if isinstance(systems, Mapping):
        systems = {name: path_text(path) for name, path in systems.items()}
    else:
        systems = named_systems(path_texts("systems", systems))
    columns = table or TableColumns()
    if source is None and gold is None and columns.source is None:
        raise UsageError("a source is required, or gold edits, which contain their source")
    choice("missing", missing, get_args(Missing))
    source, gold, labels = (None if path is None else path_text(path) for path in (source, gold, labels))
    references = path_texts("references", references)
    paths = [source, gold, *references, *systems.values(), labels]
    if table is not None:
        _check_once(source, labels, systems, table)
        paths += table.paths
    check_standard_input([path for path in paths if path is not None])
    m2 = [name for name, path in systems.items() if name in m2_systems or is_m2(path)]
    checked = [name for name, path in systems.items() if name not in m2 and has_ending(path, *SUGGESTIONS)]
    named = [] if source is None else [("source", source)]
    named += [(f"reference {r}", path) for r, path in enumerate(references, len(columns.references))]
    named += [("system", path) for name, path in systems.items() if name not in (*m2, *checked)]
    texts = iter(text_columns(named, len(references), with_source=source is not None))
    m2_format = M2(dialect, shared=overlaps is None)
    edits_as: dict[str, Format] = dict.fromkeys(m2, m2_format)
    own_source = columns.source if source is None else next(texts)
    own_gold = None if gold is None else FileColumn("gold", FileContent.edits(gold, m2_format))
    if checked:
        column = cast(FileColumn, own_source or own_gold)
        [values] = next(column.content.portions([column.place], ALL), [[]])
        lines: Any = values.source if isinstance(values, Blocks) else column.checked(values, 0, breaks=True)
        edits_as |= dict.fromkeys(checked, Suggestions(lines, prepare, offsets, overlaps))
    return CorpusFiles(
        own_source,
        own_gold,
        [*columns.references, *(next(texts) for _ in references)],
        {
            **columns.systems,
            **{
                name: FileColumn("system", FileContent.edits(path, edits_as[name])) if name in edits_as else next(texts)
                for name, path in systems.items()
            },
        },
        missing,
        overlaps,
        columns.labels if labels is None else FileColumn("labels", FileContent.text(labels)),
        prepare,
        gold_edits,
    )


def _check_once(source: str | None, labels: str | None, systems: Mapping[str, str], table: TableColumns) -> None:
    """Raise UsageError for a text that is given by a table and by a file."""
    for role, path, column in (("source", source, table.source), ("labels", labels, table.labels)):
        if path is not None and column is not None:
            raise UsageError(f"the {role} is given twice, by the file {path} and by the column {column.name}")
    for name in systems:
        if name in table.systems:
            raise duplicate_system_error(name)


def read_corpus(
    source: str | None,
    references: Sequence[str],
    systems: Sequence[str] | Mapping[str, str],
    gold: str | None = None,
    *,
    missing: Missing = "fallback",
    overlaps: Overlaps | None = "error",
    labels: str | None = None,
    prepare: Preparation = NOTHING,
    dialect: Dialect = "auto",
    offsets: Offsets = "auto",
    gold_edits: GoldEdits = "as-given",
) -> Corpus:
    """Return a corpus in memory.

    Args:
        source: file of sentences, one per line; by default the source is taken from ``gold``.
        references: files of references, one sentence per line.
        systems: files of the systems' corrections, or name -> file; names ending in ``.m2`` are M2 files.
        gold: M2 file of gold edits.
        missing: the text of an annotator without a line in a block; see Corpus.
        overlaps: treatment of overlapping gold edits; see Corpus.
        labels: file of labels, one per line, to group sentences by.
        prepare: the preparation of the texts.
        dialect: dialect of M2 files: "cherrant", or "auto" to detect it from ``T`` lines.
        offsets: unit of the offsets of suggestions: "characters", "utf-16", "bytes", or "auto" to detect it.
        gold_edits: the gold edits of metrics on edits; see Corpus.

    Returns:
        A corpus.

    Raises:
        UsageError: see corpus_files.
        InputError: see CorpusFiles.parts.
    """
    given = source, references, systems, gold
    options: Any = {"missing": missing, "overlaps": overlaps, "labels": labels, "prepare": prepare, "dialect": dialect}
    return corpus_files(*given, offsets=offsets, gold_edits=gold_edits, **options).whole()


def numbered_files(source: str, references: Sequence[str], systems: Sequence[str]) -> CorpusFiles:
    """Return a corpus of texts in files whose systems are named "0", "1" and so on.

    A file may occur more than once.
    """
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
    overlaps: Overlaps | None = "error",
    prepare: Preparation = NOTHING,
    dialect: Dialect = "auto",
) -> CorpusFiles:
    """Return the columns of a table as a corpus that is read in parts.

    Each row is a sentence.

    Args:
        path: a TSV, CSV, JSON Lines or Parquet file, or a format of an installed package.
        source: the column of the source, by name or by number (as text, from 1); default: ``source``.
        hypothesis: the columns of systems, also as name -> column; default: ``hypothesis``, ``hypothesis 2``, …
        references: the columns of references; default: ``reference`` or ``references``, also numbered. A cell may be a
            list of texts, or null if the sentence lacks the reference.
        labels: the column of labels to group sentences by.
        format: a Format or its name (``csv:;``); default: by the ending of the file.
        header: whether the first row contains the names of the columns.
        gold: M2 file of gold edits.
        missing: the text of an annotator without a line in a block; see Corpus.
        overlaps: treatment of overlapping gold edits; see Corpus.
        prepare: the preparation of the texts.
        dialect: dialect of the M2 file.

    Returns:
        A corpus; memory holds two parts of it.

    Raises:
        UsageError: for a missing column (with the nearest name), an unknown format, and as corpus_files.
    """
    columns = TableColumns.of(InputTable.opened(path, format, header=header), source, hypothesis, references, labels)
    options: Any = {"missing": missing, "overlaps": overlaps, "prepare": prepare, "dialect": dialect}
    return corpus_files(None, (), (), gold, table=columns, **options)


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
    overlaps: Overlaps | None = "error",
    prepare: Preparation = NOTHING,
    dialect: Dialect = "auto",
) -> Corpus:
    """Return the columns of a table as a corpus in memory.

    Args:
        path: a TSV, CSV, JSON Lines or Parquet file, or a format of an installed package.
        source: the column of the source, by name or by number (as text, from 1).
        hypothesis: the columns of systems, also as name -> column.
        references: the columns of references.
        labels: the column of labels.
        format: a Format or its name; default: by the ending of the file.
        header: whether the first row contains the names of the columns.
        gold: M2 file of gold edits.
        missing: the text of an annotator without a line in a block; see Corpus.
        overlaps: treatment of overlapping gold edits; see Corpus.
        prepare: the preparation of the texts.
        dialect: dialect of the M2 file.

    Returns:
        A corpus.

    Raises:
        UsageError: see table_files.
        InputError: see CorpusFiles.parts.
    """
    columns = TableColumns.of(InputTable.opened(path, format, header=header), source, hypothesis, references, labels)
    options: Any = {"missing": missing, "overlaps": overlaps, "prepare": prepare, "dialect": dialect}
    return corpus_files(None, (), (), gold, table=columns, **options).whole()
