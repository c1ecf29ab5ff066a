"""Corpora in files: which files, how they are read, and their reading in parts."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, repeat
from types import MappingProxyType
from typing import Any, TypeVar, cast

from geceval._kernel import Text
from geceval.base.arguments import as_sequence, check_choices
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, UsageError, short_traceback
from geceval.base.hints import Hint, Option, Step
from geceval.text.blank_texts import Blank, BlankTexts
from geceval.text.building import checked_columns, references_by_owner
from geceval.text.columns import CompleteText, other_rows, select_rows
from geceval.text.corpus import MOST_VERSIONS, Corpus, TextSource, check_unchanged_name
from geceval.text.files import (
    SOURCE,
    check_standard_input,
    decoding,
    has_ending,
    has_kind,
    is_m2,
    path_text,
    path_texts,
)
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import Dialect, GoldEdits, Misfits, Missing, Overlaps, Suggested
from geceval.text.m2.headings import left_out
from geceval.text.m2.operations import annotators
from geceval.text.m2.places import reading_of
from geceval.text.preparation import NOTHING, ROLES, Preparation
from geceval.text.reading.aligned_files import (
    PART,
    UNUSED,
    Rows,
    align_columns,
    check_copies,
    check_m2_sources,
    check_references,
    narrow_rows,
    reference_texts,
)
from geceval.text.reading.bad_rows import RowRules, warn_of_skipped, with_all, without_faults
from geceval.text.reading.column_roles import TableColumns
from geceval.text.reading.column_warnings import warn_of_columns
from geceval.text.reading.file_columns import FileColumn, FileContent, Format
from geceval.text.reading.file_kinds import CHECKER_KINDS, SUGGESTIONS
from geceval.text.reading.input_files import InputFile
from geceval.text.reading.input_tables import open_tables
from geceval.text.reading.key_columns import NONE
from geceval.text.reading.lines import ALL
from geceval.text.reading.provider_fields import answer_end, columns_of_fact, columns_of_refusals
from geceval.text.reading.reference_owners import with_owners
from geceval.text.reading.reference_rows import check_reference_rows, warn_of_rejected_rows, with_joined_references
from geceval.text.reading.requests import check_requests
from geceval.text.reading.role_names import usual_names
from geceval.text.reading.row_keys import KeyCheck, check_repeats, match_rows
from geceval.text.reading.text_files import open_text, text_columns
from geceval.text.system_files import duplicate_system_error, named_systems

T = TypeVar("T")
#: Number of sentences whose letters show the language.
HEAD = 1000


@dataclass(frozen=True)
class CorpusFiles:
    """Files of a corpus, and options to read them.

    Args:
        source: File of sentences, one per line; by default the source is taken from ``gold``. Also name of a system ->
            file of the sentences that it corrects, with None for the source of gold edits and references.
        references: Files of references, line by line; by default references are made from ``gold``. Also name of a
            system -> files of its own references, with None for those of all systems.
        systems: Files of the systems' corrections, or name -> file; names ending in ``.m2`` are M2 files, in ``.json``
            and ``.jsonl`` suggestions.
        gold: M2 file of gold edits.
        table: Columns of a table, which precede the files.
        labels: File of labels, one per line, to group sentences by.
        m2_systems: Names of systems that are M2 whatever the names of their files.
        missing: The text of an annotator without a line in a block of ``gold``; see Corpus.
        blank: The reading of empty references and outputs next to a sentence: "unchanged", the sentence; "missing", of
            references only; "empty", a deletion. By default an empty reference of a table is missing, any other empty
            text is a deletion, and more than 1 % of them (and more than one) are an error.
        skip_bad_rows: Leave out rows that are bad in one text, of all texts: null, another type, a line break, no
            reference, or an output that is blank next to its sentence without a reading. They are found in a first
            pass. By default they are an error.
        overlaps: Treatment of overlapping gold edits, see Corpus, and of overlapping suggestions; None: M2 is read as
            by the public tools, also several ``S`` lines in one block.
        misfits: Treatment of edits in M2 files that do not fit their sentence, see Corpus.
        dialect: Dialect of M2 files: "cherrant", or "auto" to detect it from ``T`` lines.
        id: Names of the identifier column of tables and ``.para`` files, by which rows are matched; by default rows are
            matched by position, and identifiers in columns with usual names must agree ("none": may differ). For files
            without identifiers, they must be line numbers.
        are_pairs: Whether rows are pairs of sentences; else the rows of a system have different identifiers.
        offsets: How the places of suggestions are read, such as "utf-16" or "characters,from-1,inclusive"; "auto":
            detected.
        suggestions: Whether suggestions are edits, "as-edits", or the texts that they make, "as-text".
        gold_edits: The gold edits of metrics on edits; see Corpus.
        prepare: The preparation of the texts.
        encoding: The encoding of files that are not UTF-8, such as "cp1252"; by default they are an error.

    Raises:
        UsageError: If a system is given twice, or an argument has an unsupported value.
    """

    source: str | Mapping[str | None, str] | None = None
    references: Sequence[str] | Mapping[str | None, Sequence[str]] = ()
    systems: Sequence[str] | Mapping[str, str] = field(default_factory=dict)
    gold: str | None = None
    _: KW_ONLY
    table: TableColumns | None = None
    labels: str | None = None
    m2_systems: Collection[str] = ()
    missing: Missing = "fallback"
    blank: Blank | None = None
    skip_bad_rows: bool = False
    overlaps: Overlaps | None = "error"
    misfits: Misfits | None = "error"
    dialect: Dialect = "auto"
    id: str | Sequence[str] = ()
    are_pairs: bool = False
    offsets: str = "auto"
    suggestions: Suggested = "as-edits"
    gold_edits: GoldEdits = "as-given"
    prepare: Preparation = NOTHING
    encoding: str | None = None
    #: File of the source of gold edits and references.
    common_source: str | None = field(init=False)
    #: Files of the sources of single systems.
    own_sources: Mapping[str, str] = field(init=False)
    #: Files of references by the name of the system, with None for those of all systems.
    references_by_system: Mapping[str | None, Sequence[str]] = field(init=False)

    def __post_init__(self) -> None:
        check_choices(self)
        reading_of(self.offsets)
        by_system = self.references if isinstance(self.references, Mapping) else {None: self.references}
        by_system = {name: tuple(path_texts("references", paths)) for name, paths in by_system.items()}
        references = by_system if isinstance(self.references, Mapping) else by_system[None]
        values: dict[str, Any] = {"references": references, "references_by_system": {None: (), **by_system}}
        sources = self.source if isinstance(self.source, Mapping) else {None: self.source}
        values["own_sources"] = {name: path_text(path) for name, path in sources.items() if name is not None}
        common = {"common_source": sources.get(None), "gold": self.gold, "labels": self.labels}
        values |= {name: None if path is None else path_text(path) for name, path in common.items()}
        values["id"] = (self.id,) if isinstance(self.id, str) else tuple(as_sequence("id", self.id, "column"))
        if isinstance(self.systems, Mapping):
            values["systems"] = {name: path_text(path) for name, path in self.systems.items()}
        else:
            values["systems"] = named_systems(path_texts("systems", self.systems))
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    @short_traceback
    def of_table(
        cls,
        files: str | Sequence[str] | Mapping[str, str],
        *,
        source: str | None = None,
        hypothesis: str | Sequence[str] | Mapping[str, str] | None = None,
        references: str | Sequence[str] | Mapping[str | None, str | Sequence[str]] | None = None,
        labels: str | None = None,
        system: str | None = None,
        format: str | Format | None = None,
        header: bool = True,
        skip_rows: int = 0,
        **options: Any,
    ) -> CorpusFiles:
        """Return the columns of a table, or of several, whose rows are sentences.

        Args:
            files: A TSV, CSV, JSON Lines or Parquet file, or a format of an installed package. Each of several tables,
                also as name -> file, has one system, named after its file if the columns have the same name; source and
                references are read from the first table that has them.
            source: The column of the source, by name, by number (as text, from 1), or by letter in Excel; default:
                ``source``.
            hypothesis: The columns of systems, also as name -> column; default: ``hypothesis``, ``hypothesis 2``, …
            references: The columns of references; default: ``reference`` or ``references``, also numbered. A cell may
                be a list of texts, or null if the sentence lacks the reference. Also name of a system -> columns of
                its own references, with None for those of all systems.
            labels: The column of labels to group sentences by.
            system: The column of system names, for tables with one row per system and sentence.
            format: A Format or its name (``csv:;``); default: by the ending of the file.
            header: Whether the first row contains the names of the columns.
            skip_rows: Number of rows of CSV, TSV or Excel above this row, such as a title.
            options: Other fields, such as ``gold`` or ``prepare``.

        Raises:
            UsageError: For a missing column (with the nearest name) and an unknown format.
        """
        if isinstance(files, Mapping):
            paths, names = path_texts("tables", list(files.values())), list(files)
        else:
            paths, names = path_texts("tables", [files] if isinstance(files, (str, os.PathLike)) else files), []
        with decoding(options.get("encoding")):
            tables = open_tables(paths, names or None, format, header=header, skip_rows=skip_rows, system=system)
            guess = [role for role in ROLES if role != "references" or options.get("gold") is None]
            columns = TableColumns.of(tables, source, hypothesis, references, labels, guess=guess)
        return cls(table=columns, **options)

    @property
    def paths(self) -> tuple[str, ...]:
        """The files of source, references and gold edits."""
        references = chain.from_iterable(self.references_by_system.values())
        paths = (self.common_source, *self.own_sources.values(), *references, self.gold)
        return tuple(path for path in paths if path is not None)

    @short_traceback
    def open(self) -> CorpusReader:
        """Return the corpus, which is read in parts; memory holds two parts of it.

        Raises:
            UsageError: If standard input or a text is given twice, if source and gold are missing, and for texts that
                cannot be prepared.
            InputError: If an M2 file or suggestions cannot be read.
        """
        with decoding(self.encoding):
            return CorpusReader(self)

    @short_traceback
    def read(self) -> Corpus:
        """Return the corpus in memory.

        Raises:
            UsageError: See ``open``.
            InputError: See CorpusReader.parts.
        """
        return self.open().whole()


@short_traceback
def read_corpus(
    source: str | Mapping[str | None, str] | None = None,
    references: Sequence[str] | Mapping[str | None, Sequence[str]] = (),
    systems: Sequence[str] | Mapping[str, str] = MappingProxyType({}),
    gold: str | None = None,
    **options: Any,
) -> Corpus:
    """Return the corpus of files in memory.

    docs/frames.md lists when to use which function.

    Args:
        source: File of sentences, one per line; see CorpusFiles, as for the others.
        references: Files of references.
        systems: Files of the systems' corrections, or name -> file.
        gold: M2 file of gold edits.
        options: Other fields of CorpusFiles, such as ``labels``, ``blank``, ``missing`` and ``prepare``.

    Returns:
        The corpus.

    Raises:
        GecevalError: See CorpusFiles and its method read.
    """
    return CorpusFiles(source, references, systems, gold, **options).read()


@short_traceback
def read_table(files: str | Sequence[str] | Mapping[str, str], **options: Any) -> Corpus:
    """Return the columns of a table, or of several, as a corpus in memory.

    docs/frames.md lists when to use which function.

    Args:
        files: A TSV, CSV, JSON Lines or Parquet file, or several; see CorpusFiles.of_table.
        options: Columns, format and other arguments of CorpusFiles.of_table.

    Returns:
        The corpus.

    Raises:
        GecevalError: See CorpusFiles.of_table and CorpusFiles.read.
    """
    return CorpusFiles.of_table(files, **options).read()


def read_lines_together(paths: Sequence[str], roles: Sequence[str] | None = None) -> list[CompleteText]:
    """Return the lines of files of the same sentences.

    Args:
        paths: The files.
        roles: Their roles, for the message about lengths.

    Raises:
        InputError: If the files differ in their number of lines (lists all files and numbers) or identifiers.
        UsageError: If standard input is given twice.
    """
    paths = path_texts("files", paths)
    check_standard_input(paths)
    columns = text_columns(list(zip(roles or [""] * len(paths), paths, strict=True)))
    hint = "sort the rows of all files in the same order"
    check = KeyCheck(list(dict.fromkeys(column.content for column in columns)), (), hint)
    [rows] = check.checked(align_columns([*columns, *check.keys], ALL))
    return [column.checked(rows.values[column], 0) for column in columns]


class CorpusReader(TextSource):
    """A corpus in files.

    Each pass opens the files again and holds one part in memory. M2 files and essays are held as a whole. Standard
    input and pipes, which can be read only once, are stored while they are read (see lines.Pipe).

    Raises:
        GecevalError: See CorpusFiles.open.
    """

    def __init__(self, files: CorpusFiles) -> None:
        self.missing, self.overlaps, self.misfits = files.missing, files.overlaps, files.misfits
        self.gold_edits, self.blank = files.gold_edits, files.blank
        self.prepared_by = files.prepare
        #: Whether line breaks within a text are replaced, by role.
        self._breaks = {role: files.prepare.joins_lines(role) for role in ROLES}
        columns, self._gold = _open_columns(files)
        #: Columns of all texts, and a warning if tables have different references.
        self._columns, self._remark = with_owners(columns)
        #: Columns of the ends of answers by system, with those of the texts of refusals.
        self._ends = columns_of_fact(self._columns.systems, "end")
        self._refusals = columns_of_refusals({name: self._columns.systems[name] for name in self._ends})
        contents = dict.fromkeys(column.content for column in (*self._columns.all, self._gold) if column is not None)
        #: Whether the texts were warned of.
        self._has_warned = False
        if not files.id and not files.are_pairs:
            check_repeats(self._columns)
            check_reference_rows(self._columns)
        warn_of_rejected_rows(self._columns)
        warn_of_columns(self._columns)
        self._columns = _with_suggestions(files, self._columns, self._gold)
        suggested = [name for name, column in self._columns.systems.items() if column.content.kind == "suggestions"]
        #: Systems whose suggestions are scored as text.
        self._as_text = suggested if files.suggestions == "as-text" else []
        _warn_of_no_answers(self._columns.systems)
        self._keys = KeyCheck(list(contents), (NONE,) if files.id else ())
        self._adds_source = False
        self._rules = RowRules(self._columns, self._breaks, self.blank, self._gold, files.skip_bad_rows)
        #: Errors of rows that are left out, by row, and the number of all rows.
        self._bad: Mapping[int, InputError] = {}
        self._rows: int | None = None
        if files.skip_bad_rows:
            self._bad, self._rows = self._rules.errors(self._raw_rows(PART))
        self.skipped = len(self._bad)
        self.gold = None if self._gold is None else _blocks(self._gold)
        #: Places of blocks of gold edits that are left out.
        self._headings: frozenset[int] = frozenset()
        if self._gold is not None and (files.misfits == "drop" or files.prepare.drops_headings):
            self._leave_out_headings(self._gold)
        self.annotators = () if self.gold is None else annotators(self.gold)
        if NONE not in files.id:
            check_requests(self._columns, self._gold)
        self.prepared_by = self.prepared_by.of_source(self._first_sentences)
        self.prepared_by.check(
            references=self.has_references,
            gold=self.gold is not None,
            m2_systems=[name for name, column in self._columns.systems.items() if column.is_m2],
        )

    def _leave_out_headings(self, gold: FileColumn) -> None:
        blocks = _blocks(gold)
        headings = left_out(blocks, gold.content.file.name)
        if headings:
            self._headings, self.gold = frozenset(headings), select_rows(blocks, other_rows(len(blocks), headings))

    def without_headings(self, labels: Sequence[str]) -> Sequence[str]:
        """Return the labels of sentences, without those of headings that are left out if there is one for each row."""
        total = self._rows if self._gold is None else len(_blocks(self._gold))
        if len(labels) != total:
            return labels
        return [label for row, label in enumerate(labels) if row not in self._headings and row not in self._bad]

    @property
    def system_names(self) -> tuple[str, ...]:
        return (*self._columns.systems, *([SOURCE] if self._adds_source else []))

    @property
    def m2_systems(self) -> dict[str, Blocks]:
        systems = self._columns.systems.items()
        return {name: _blocks(column) for name, column in systems if column.is_edits and name not in self._as_text}

    @property
    def has_references(self) -> bool:
        return bool(self._columns.all_references)

    @property
    def systems_with_own_sources(self) -> Collection[str]:
        return self._columns.own_sources.keys()

    @property
    def systems_with_own_references(self) -> Collection[str]:
        return self._columns.own_references.keys()

    @cached_property
    def most_references(self) -> int:
        columns = self._columns.all_references
        if not any(column.in_table for column in columns):
            return len(columns)
        return max(len(part.references) for part in self.parts(PART))

    def numbers_by_system(self) -> dict[str, int]:
        columns = self._columns
        if columns.own_references and any(column.in_table for column in columns.all_references):
            numbers = Counter[str]()
            for part in self.parts(PART):
                numbers |= Counter(part.numbers_by_system())
            return dict(numbers)
        if not columns.own_references:
            return {}
        common = len(columns.references)
        return {name: common + len(columns.own_references.get(name, ())) for name in self.system_names}

    @property
    def sentences(self) -> int | None:
        known = (column.content.rows for column in (self._columns.source, self._gold) if column is not None)
        return next((rows - len({*self._headings, *self._bad}) for rows in known if rows is not None), None)

    def with_unchanged(self) -> CorpusReader:
        check_unchanged_name(self.system_names)
        if self._columns.own_references and not self._columns.references:
            return self
        reader = copy(self)
        reader._adds_source = True
        return reader

    def parts(self, size: int) -> Generator[Corpus, None, None]:
        """Yield parts of ``size`` sentences, or fewer if a list has very many references.

        Raises:
            InputError: For the errors of read_lines, for files of different length (lists all lengths), for an M2 file
                with other sentences, and for cells that are not text.
        """
        try:
            yield from self._parts(size)
        except InputError as error:
            raise with_all(error, self._all_errors()) from None

    def _all_errors(self) -> Mapping[int, InputError]:
        """Return the errors of all bad rows, empty if a file cannot be read."""
        try:
            return self._rules.errors(self._raw_rows(PART))[0]
        except InputError:
            return {}

    def _raw_rows(self, size: int) -> Iterator[Rows]:
        """Yield the rows of all columns, which are not checked."""
        texts = self._columns
        used = [texts.source, self._gold, *texts.all_references, *texts.own_sources.values(), *texts.systems.values()]
        used += [texts.labels, *texts.copies, *self._ends.values(), *self._refusals.values(), *self._keys.keys]
        columns = [column for column in used if column is not None]
        # A caller that asks for more sentences than that holds all of them anyway, and gets them in one part.
        return narrow_rows(align_columns(columns, size), texts.all_references, max(size, MOST_VERSIONS))

    def _parts(self, size: int) -> Generator[Corpus, None, None]:
        texts, blank = self._columns, BlankTexts(self.blank)
        rows: Iterator[Rows] = without_faults(self._raw_rows(size), self._rules, self._bad)
        rows = self._with_source(self._keys.checked(rows))
        rows = check_copies(rows, texts, cast(FileColumn, texts.source or self._gold))
        m2_columns = [column for column in (self._gold, *texts.systems.values()) if column is not None]
        rows = check_m2_sources(self._with_systems(rows, blank), m2_columns, texts.systems)
        number = sentences = 0
        for portion in rows:
            references = self._references_by_owner(portion, blank)
            try:
                self._check_references(references, portion)
            except InputError:
                for following in rows:  # blank texts of all rows tell more than the first row without references
                    self._references_by_owner(following, blank)
                blank.check()
                raise
            corpus = self._part(portion, sentences, references)
            sentences += len(corpus)
            number += len(portion.source)
            yield from [corpus] if len(corpus) else []
        if number and not sentences:
            raise InputError("all rows are bad" if self._bad else "all sentences are headings of documents")
        headings = number - sentences - len({*self._headings, *self._bad})
        if headings > 0 and not self._has_warned:
            name = cast(FileColumn, texts.source).content.name
            warn(f"{name}: left out: lines that are headings, not sentences: {headings}")
        blank.check()
        if not self._has_warned:
            blank.warn()
            warn_of_skipped(self._bad, number)
            if self._remark is not None:
                warn(*self._remark)
        self._has_warned = True

    def _first_sentences(self) -> CompleteText:
        """Return the first sentences of the source, whose letters show the language."""
        column = self._columns.source
        if column is None:
            return Text([]) if self.gold is None else self.gold.source[:HEAD]
        return column.checked(column.first_values(HEAD), 0, breaks=True)

    def _with_source(self, rows: Iterable[Rows]) -> Iterator[Rows]:
        """Yield rows with their source, by default the one of the gold edits."""
        column = self._columns.source
        for portion in rows:
            if column is None:
                gold: Blocks = portion.values[cast(FileColumn, self._gold)]
                source = gold.source
            else:
                source = column.checked(portion.values[column], portion.start, breaks=self._breaks["source"])
            yield portion._replace(source=source)

    def _with_systems(self, rows: Iterable[Rows], blank: BlankTexts) -> Iterator[Rows]:
        """Yield rows whose outputs of systems are texts, or blocks of M2; ``blank`` reads blank ones."""
        columns = {name: column for name, column in self._columns.systems.items() if not column.is_edits}
        breaks, unpacks = self._breaks["systems"], self.prepared_by.unpacks_json
        for portion in rows:
            start, values, source = portion
            texts: dict[FileColumn, CompleteText] = {}
            for name, column in columns.items():
                corrected = self._columns.own_sources.get(name)
                sentences = source if corrected is None else values[corrected]
                outputs = blank.read(
                    column.title,
                    values[column],
                    sentences,
                    is_cell=column.in_table,
                    is_system=True,
                    run=name,
                    place=column.places(start),
                )
                texts[column] = column.checked(outputs, start, breaks=breaks, source=source, unpacks=unpacks)
            yield portion._replace(values=values | texts)

    @cached_property
    def _references(self) -> dict[str | None, Sequence[FileColumn]]:
        """The columns of references by the system that has them alone, with None for those of all systems."""
        columns: dict[str | None, Sequence[FileColumn]] = {None: self._columns.references}
        columns.update(self._columns.own_references.items())
        return columns

    def _references_by_owner(self, portion: Rows, blank: BlankTexts) -> dict[str | None, list[Text]]:
        """Return the references of some rows, as ``_references``; ``blank`` reads blank ones."""
        breaks = self._breaks["references"]
        columns_by_owner = self._references.items()
        return {owner: reference_texts(columns, portion, blank, breaks=breaks) for owner, columns in columns_by_owner}

    def _check_references(self, texts_by_owner: Mapping[str | None, Sequence[Text]], portion: Rows) -> None:
        """Raise InputError for a row in which a system has no reference, if there are any."""
        for owner in self._columns.systems if self._columns.own_references else [None]:
            owners = dict.fromkeys([None, owner])
            columns = [column for name in owners for column in self._references.get(name, ())]
            check_references(columns, [text for name in owners for text in texts_by_owner.get(name, ())], portion)

    def _part(self, portion: Rows, first: int, texts_by_owner: Mapping[str | None, Sequence[Text]]) -> Corpus:
        """Return a part from its rows.

        Args:
            portion: The rows.
            first: Number of sentences before it, which are not headings.
            texts_by_owner: Its references.
        """
        start, rows, source = portion
        labels = self._columns.labels
        references, own_references = references_by_owner(texts_by_owner)
        columns = checked_columns(
            source,
            references,
            {name: rows[column] for name, column in self._columns.systems.items()},
            None if self._gold is None else rows[self._gold],
            None if labels is None else labels.as_labels(rows[labels], start),
            self.overlaps,
            "error" if self.misfits == "drop" else self.misfits,  # they were left out
            own_references,
            {
                name: column.checked(rows[column], start, breaks=self._breaks["source"])
                for name, column in self._columns.own_sources.items()
            },
        )
        refusals = {name: rows[column] for name, column in self._refusals.items()}
        columns["answer_ends"] = {
            name: list(map(answer_end, rows[column], refusals.get(name, repeat(None))))
            for name, column in self._ends.items()
        }
        corpus = Corpus.of_columns(
            columns, self.missing, self.gold_edits, self.overlaps, self.misfits, own_references, self.blank
        )
        left_out = self._headings.union(self._bad)
        headings = {row for row in range(len(source)) if start + row in left_out} if left_out else set[int]()
        if self.prepared_by.drops_headings:
            headings.update(corpus.heading_places())
        corpus = (corpus.without(headings) if headings else corpus).as_part(first, self.annotators)
        if self.prepared_by:
            corpus = corpus.prepared(self.prepared_by, [*self.m2_systems, *self._as_text])
        corpus = corpus.with_texts_of(self._as_text)
        return corpus.with_unchanged() if self._adds_source else corpus

    def whole(self) -> Corpus:
        """Return the corpus in memory."""
        [corpus] = self.parts(ALL)
        return corpus.with_skipped(self.skipped)


def _blocks(column: FileColumn) -> Blocks:
    """Return the blocks of an M2 file, which may be empty."""
    return Blocks.of(column.all_values(), dialect=None)


# --- opening ---


def _open_columns(files: CorpusFiles) -> tuple[TableColumns, FileColumn | None]:
    """Return the columns of all texts, and of the gold edits; see CorpusFiles.open."""
    table, systems = files.table or TableColumns(), cast(Mapping[str, str], files.systems)
    if files.common_source is None and files.gold is None and table.source is None:
        read_table = Step(Hint(Option("table", "FILE")), "geceval.read_table(FILE)")
        hint = Hint(Option("source", "FILE"), " reads one sentence per line; ", read_table, " reads a table")
        raise UsageError("a source is required, or gold edits, which contain their source", hint=hint)
    _check_once(files, systems, table)
    check_standard_input([*files.paths, *systems.values(), *filter(None, [files.labels]), *table.paths])
    m2 = [name for name, path in systems.items() if name in files.m2_systems or is_m2(path)]
    suggested = [name for name, path in systems.items() if name not in m2 and _has_suggestions(path)]
    _check_edits_of_own_sources(files, m2, suggested)
    roles_and_paths = [] if files.common_source is None else [("source", files.common_source)]
    roles_and_paths += [
        (f"reference {r}" if name is None else f"reference of {name}", path)
        for name, paths in files.references_by_system.items()
        for r, path in enumerate(paths, len(table.references))
    ]
    roles_and_paths += [(f"source of {name}", path) for name, path in files.own_sources.items()]
    number = len(roles_and_paths) - (files.common_source is not None)
    roles_and_paths += [("system", path) for name, path in systems.items() if name not in (*m2, *suggested)]
    text_files = iter(text_columns(roles_and_paths, number, with_source=files.common_source is not None))
    source = table.source if files.common_source is None else next(text_files)
    references = {name: [next(text_files) for _ in paths] for name, paths in files.references_by_system.items()}
    own_sources = {name: next(text_files) for name in files.own_sources}
    m2_format = partial(_open_m2, files)
    formats: dict[str, Format] = dict.fromkeys(m2, m2_format)
    gold = None if files.gold is None else FileColumn("gold", m2_format(InputFile(files.gold)))
    checked = {name: own_sources.get(name) or cast(FileColumn, source or gold) for name in suggested}
    sentences = {column: _sentences_of(column) for column in dict.fromkeys(checked.values())}
    formats |= {name: partial(_open_suggestions, files, source=sentences[column]) for name, column in checked.items()}
    corrections = {
        name: FileColumn("system", formats[name](InputFile(path))) if name in formats else next(text_files)
        for name, path in systems.items()
    }
    labels = table.labels if files.labels is None else FileColumn("labels", open_text(InputFile(files.labels)))
    columns = replace(
        table,
        source=source,
        own_sources=own_sources,
        references=[*table.references, *references[None]],
        own_references={
            name: [*table.own_references.get(name, ()), *references.get(name, ())]
            for name in dict.fromkeys([*table.own_references, *references])
            if name is not None
        },
        systems={**table.systems, **corrections},
        labels=labels,
    )
    columns = replace(columns, copies=[*table.copies, *_unused_sources(columns)])
    if files.id and NONE not in files.id:
        columns = match_rows(with_joined_references(columns, files.id), gold, files.id)
    return columns, gold


def _check_edits_of_own_sources(files: CorpusFiles, m2: Sequence[str], suggested: Sequence[str]) -> None:
    """Raise UsageError for edits of a system with a source of its own, which must be text to be carried over."""
    for name in files.own_sources:
        if name in m2:
            apply = "give its corrections as text: geceval m2 apply FILE"
            raise UsageError(f"system {name} has a source of its own, and is given as M2", hint=apply)
        if name in suggested and files.suggestions != "as-text":
            as_text = Hint(Option("suggestions", "as-text"), " scores the text that they make")
            raise UsageError(f"system {name} has a source of its own, and is given as suggestions", hint=as_text)


def _sentences_of(column: FileColumn) -> Sequence[str]:
    """Return the sentences of a source, or of gold edits."""
    values = column.all_values()
    return values.source if isinstance(values, Blocks) else column.checked(values, 0, breaks=True)


def _open_m2(files: CorpusFiles, file: InputFile) -> FileContent:
    """Return the blocks of an M2 file."""
    from geceval.text.reading.edit_files import open_m2  # texts need no edits

    return open_m2(file, dialect=files.dialect, shared=files.overlaps is None, misfits=files.misfits)


def _open_suggestions(files: CorpusFiles, place: InputFile | FileColumn, source: Sequence[str]) -> FileContent:
    """Return the suggestions of a checker as blocks.

    Args:
        files: The options.
        place: The file, or the column of a table.
        source: The sentences to which their offsets refer.
    """
    from geceval.text.reading.edit_files import SuggestionReader  # texts need no edits

    reader = SuggestionReader(files.prepare, files.offsets, files.misfits or "error", files.overlaps)
    return reader.open_file(place, source) if isinstance(place, InputFile) else reader.open_column(place, source)


def _with_suggestions(files: CorpusFiles, columns: TableColumns, gold: FileColumn | None) -> TableColumns:
    """Return columns in which systems whose cells are suggestions are edits."""
    in_tables = {name: column for name, column in columns.systems.items() if column.in_table}
    places = {(column.content.file, column.index) for column in in_tables.values() if column.has_suggestions}
    suggested = {
        name: column
        for name, column in in_tables.items()
        if column.has_suggestions or ((column.content.file, column.index) in places and not column.filled_cells)
    }
    _check_edits_of_own_sources(files, [], [*suggested])
    edits = {}
    for name, column in suggested.items():
        source = _sentences_of(columns.own_sources.get(name) or cast(FileColumn, columns.source or gold))
        edits[name] = FileColumn("system", _open_suggestions(files, column, source))
    return replace(columns, systems={**columns.systems, **edits})


def _warn_of_no_answers(systems: Mapping[str, FileColumn]) -> None:
    """Warn of sentences without an answer in systems that are edits."""
    edits = {name: column for name, column in systems.items() if column.is_edits}
    if edits:
        from geceval.text.reading.edit_files import warn_of_no_answers  # texts need no edits
    for name, column in edits.items():
        warn_of_no_answers(name, _blocks(column))


def _unused_sources(columns: TableColumns) -> list[FileColumn]:
    """Return the columns of sources in tables whose source is given by another file."""
    used = {column.content for column in (columns.source, *columns.copies) if column is not None}
    contents = [content for content in dict.fromkeys(column.content for column in columns.all) if content not in used]
    names = ((content, usual_names(content.names, "source")) for content in contents if content.is_table)
    return [content.column(UNUSED, content.names.index(sources[0])) for content, sources in names if sources]


def _has_suggestions(path: str) -> bool:
    """Return whether a file has suggestions instead of texts."""
    if has_kind(path, *CHECKER_KINDS) or not has_ending(path, *SUGGESTIONS):
        return has_kind(path, *CHECKER_KINDS)
    from geceval.text.reading.jsonlines import has_texts  # texts need no JSON

    return not has_texts(InputFile(path))


def _check_once(files: CorpusFiles, systems: Mapping[str, str], table: TableColumns) -> None:
    """Raise UsageError for a text that is given by a table and by a file."""
    for role, path, column in (("source", files.common_source, table.source), ("labels", files.labels, table.labels)):
        if path is not None and column is not None:
            raise UsageError(f"the {role} is given twice, by the file {path} and by the column {column.name}")
    for name in systems:
        if name in table.systems:
            raise duplicate_system_error(name)
