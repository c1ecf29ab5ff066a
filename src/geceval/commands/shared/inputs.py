"""Texts of a request: open them, detect their language, print notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from geceval._kernel import Text
from geceval.base.arguments import choices
from geceval.base.errors import GecevalWarning, UsageError
from geceval.base.hints import AnyHint, Hint, Option
from geceval.commands.shared.corpus_options import CorpusOptions
from geceval.commands.shared.language_choice import HEAD, LanguageChoice, first_lines
from geceval.commands.shared.options import MetricOptions, settings_of_judge
from geceval.commands.shared.statistics_options import LENGTH
from geceval.counting.groupings import length_bands_of
from geceval.counting.metric import Metric
from geceval.counting.metric_names import DEFAULT_METRICS, metrics_of_specs
from geceval.terminal.messages import note
from geceval.text.columns import CompleteText
from geceval.text.corpus import Corpus
from geceval.text.files import check_standard_input, display_name, has_ending, is_folder, is_m2, kind_of
from geceval.text.m2.edit import Dialect
from geceval.text.preparation import Preparation, Role
from geceval.text.reading.column_roles import TableColumns
from geceval.text.reading.column_warnings import are_sentences
from geceval.text.reading.corpus_files import CorpusFiles, CorpusReader
from geceval.text.reading.file_columns import FileColumn
from geceval.text.reading.file_kinds import AMBIGUOUS, SUGGESTIONS, TABLES, endings_of
from geceval.text.reading.input_tables import InputTable, column_names
from geceval.text.reading.lines import read_lines
from geceval.text.system_files import ignored_files, name_and_file, systems_of

T = TypeVar("T")


class CorrectedTexts(NamedTuple):
    """Sentences [S] and their corrections.

    Attributes:
        source: The sentences.
        corrections: Corrections of each annotator; None where the annotator has not corrected a sentence.
        names: Names of their columns, or paths of their files.
    """

    source: CompleteText
    corrections: Sequence[Text]
    names: Sequence[str]


#: Endings of tables, which are not plain text.
TABLE_ENDINGS = endings_of("csv", "parquet")


class CorpusInputs:
    """The corpus of a request.

    Its table is opened and its language detected at most once.
    """

    def __init__(
        self,
        options: CorpusOptions,
        *,
        threads: int = 0,
        corrections_role: Role = "references",
        counts_words: bool = False,
        pairs: bool = False,
    ) -> None:
        """Keep the options of a request.

        Args:
            options: The options.
            threads: Number of threads; 0 means one per processor.
            corrections_role: Role of the texts that ``--tokenise-only`` calls corrections.
            counts_words: Whether words count, before metrics are known.
            pairs: Whether the texts are pairs of a source and a correction: several rows may have one identifier, and
                the only correction of a table is the system, whatever its column is called.
        """
        self.options, self.threads, self.corrections_role, self.pairs = options, threads, corrections_role, pairs
        self.language = LanguageChoice(options.language.language, self._head)
        #: Whether all metrics count words.
        self._counts_words = counts_words
        #: The corpus after it was opened.
        self._reader: CorpusReader | None = None

    def corpus(
        self,
        labels: str | None = None,
        others: Mapping[str, str] | None = None,
        *,
        runs: bool = False,
        dialect: Dialect = "auto",
    ) -> CorpusReader:
        """Return the corpus, to be read in parts.

        Args:
            labels: A file, or a column of the table.
            others: Further systems, as files by name.
            runs: Whether a system may have several runs, which are systems of the corpus.
            dialect: Dialect of M2 files.

        Raises:
            UsageError: There is no system, or inputs exclude each other.
        """
        files, columns = self.options.files, self._noted_columns()
        if not (files.systems or (columns and columns.systems)):
            raise UsageError("the corrections of a system are required", hint=self.systems_hint())
        self._note_doubtful_files()
        if files.missing is not None and columns is not None and columns.references:
            table = columns.references[0].content.file.name
            raise UsageError(f"--missing applies to references made from --gold: it cannot be combined with {table}")
        column = None if labels is None else self._label_column(labels)
        if columns is not None and column is not None:
            columns, labels = replace(columns, labels=column), None
        systems = systems_of(files.systems, runs=runs) | dict(others or {})
        in_table = columns.systems.values() if columns else ()
        files.check_edits([*systems.values()], has_suggestions=any(column.has_suggestions for column in in_table))
        corpus_files = self.corpus_files()
        if columns is not None:
            owners = columns.own_references.items()
            by_run = {run: texts for name, texts in owners for run in files.runs.get(name, [name])}
            columns = replace(columns, own_references=by_run)
        corpus_files = replace(
            corpus_files,
            systems=systems,
            source=_by_run(files.source_by_system, files.runs),
            references=_by_run(corpus_files.references_by_system, files.runs),
            labels=labels,
            table=columns,
            are_pairs=self.pairs,
            dialect=dialect,
        )
        self._reader = corpus_files.open()
        return self._reader

    def corrections(self) -> CorrectedTexts:
        """Return the corrections in files of systems, and in columns of systems or, without these, of references.

        Raises:
            UsageError: There is no source or no correction.
        """
        files, table = self.options.files, self.options.table
        is_named = bool(table.source_column and (table.hypothesis_column or table.reference_column))
        columns = self._noted_columns(is_named=is_named) or TableColumns()
        if files.common_source is None and columns.source is None:
            raise UsageError(
                "the source is required", hint=Hint(Option("source", "FILE"), " or ", Option("table", "TABLE"))
            )
        cells = list(columns.systems.values())
        if table.reference_column or not (cells or files.systems):
            cells = [*(cells if table.hypothesis_column else ()), *columns.references]
        if not (cells or files.systems):
            raise UsageError("corrections are required", hint=self.systems_hint())
        columns = replace(columns, systems={}, references=cells)
        reader = CorpusFiles(files.common_source, files.systems, table=columns, blank=files.blank, id=files.id).open()
        corpus = reader.whole()
        names = [*(column.name for column in cells), *map(display_name, files.systems)]
        return CorrectedTexts(corpus.source, corpus.references, names)

    def table_corpus(self) -> Corpus | None:
        """Return the corpus of the table alone, whose texts are not prepared; None without a table."""
        columns = self._noted_columns()
        return None if columns is None else CorpusFiles(table=columns, blank=self.options.files.blank).read()

    def metrics(self, named: MetricOptions, by: str | None = None) -> list[Metric[Any]]:
        """Return the metrics that options name, in the language of the texts.

        Args:
            named: The metrics, and how judges are asked.
            by: The kinds of edits by which the scores are shown.

        Raises:
            UsageError: No metric uses ``--judge``; other errors: see metrics_of_specs.
        """
        metrics = self.metrics_of(named.metrics or self.default_metrics(by), named)
        named.check_are_used(metrics)
        self.check_references(metrics)
        return metrics

    def check_references(self, metrics: Sequence[Metric[Any]]) -> None:
        """Raise UsageError if a metric needs references, and the table and the files have neither these nor edits."""
        compared = [metric.label for metric in metrics if metric.uses_references]
        has_source = self.columns is not None and (self.columns.source or self.options.files.common_source)
        if has_source and compared and self._evidence == (False, False):
            raise UsageError(f"{compared[0]} needs references", hint=self.references_hint())

    def metrics_of(self, specs: Sequence[str], named: MetricOptions) -> list[Metric[Any]]:
        """Return the metrics of specifications, in the language of the texts.

        Raises:
            UsageError: See metrics_of_specs.
        """
        metrics = metrics_of_specs(specs, {"annotator": self.language.name}, settings_of_judge(named.judge))
        self._counts_words = all(metric.counts_words for metric in metrics)
        return metrics

    def default_metrics(self, by: str | None = None) -> Sequence[str]:
        """Return the metrics that need no download and fit the data.

        Args:
            by: The kinds of edits by which the scores are shown, which requires metrics on edits.

        Raises:
            UsageError: There are neither references nor gold edits.
        """
        evidence = self._evidence
        if evidence == (False, False):
            alternatives = "; or a metric without references (geceval metrics lists them)"
            hint = Hint(self.references_hint(), alternatives)
            raise UsageError("references, gold edits or metrics are required", hint=hint)
        names = DEFAULT_METRICS["both" if all(evidence) else "references" if evidence[0] else "gold edits"]
        if by == "rule":
            return DEFAULT_METRICS["rules"]
        return [name for name in names if by is None or name in DEFAULT_METRICS["gold edits"]]

    def preparation(self) -> Preparation:
        """Return the preparation of the texts."""
        raw, files = self.options.raw, self.options.files
        is_text = self._counts_words and files.gold is None and not any(map(is_m2, files.systems))
        tokeniser = self.language.tokeniser(raw.tokenise, is_text=is_text)
        return raw.preparation(tokeniser, self.threads, self.corrections_role, self.language.option)

    def corpus_files(self) -> CorpusFiles:
        """Return source, references and gold edits, and their preparation."""
        files = self.options.files
        return replace(files.corpus_files(self.preparation()), id=files.id)

    def labels(self, name: str | None) -> Sequence[str] | None:
        """Return the labels in a file or a column of the table; None without a name."""
        if name is None:
            return None
        column = self._label_column(name)
        labels = list(map(str, read_lines(name))) if column is None else column.all_labels()
        return labels if self._reader is None else self._reader.without_headings(labels)

    def groups(self, name: str | None) -> Sequence[str] | None:
        """Return the groups of the sentences of the opened corpus: bands of length, or labels as ``labels`` does."""
        if name != LENGTH:
            return self.labels(name)
        assert self._reader is not None
        return length_bands_of(self._reader)

    def to_document(self, warnings: Sequence[GecevalWarning], **more: Any) -> dict[str, Any]:
        """Return the files and the warnings of a run as JSON values.

        Args:
            warnings: The warnings of the run.
            more: Files of further options.
        """
        files = self.options.files
        named: dict[str, Any] = {"source": files.common_source}
        named |= {name: getattr(files, name) for name in ("references", "gold", "systems")}
        if own_sources := {name: path for name, path in files.source_by_system.items() if name is not None}:
            named["own_sources"] = own_sources
        paths = self.options.table.paths
        tables = {"file": paths[0]} if len(paths) == 1 else {"files": paths}
        columns = {} if self.columns is None else {"input": {**tables, **self.columns.to_dict()}}
        return {**named, **more, **columns, "warnings": [warning.to_dict() for warning in warnings]}

    # --- the table ---

    @cached_property
    def tables(self) -> list[InputTable]:
        """The opened tables."""
        return self.options.table.open()

    @cached_property
    def columns(self) -> TableColumns | None:
        """The columns in use; None without a table."""
        files = self.options.files
        if not self.tables:
            return None
        columns = self.options.table.columns(self.tables, files)
        if self.pairs and not (files.systems or self.options.table.reference_column):
            columns = columns.as_pairs()
        is_complete = (columns.source or files.common_source or files.gold) and (columns.systems or files.systems)
        for file in () if is_complete else [table.content.file for table in self.tables if not table.content.parts]:
            kind = kind_of(file.path, (*TABLES, *AMBIGUOUS, "json"))
            if kind is not None and kind.content == "text":
                raise kind.error(file.name, "a table with a column called source")
        return columns

    def _noted_columns(self, *, is_named: bool = False) -> TableColumns | None:
        """Return the columns, and print a note on those found by their names, unless all are named."""
        options, files = self.options.table, self.options.files
        if not options.input:
            return None
        paths = [*options.paths, *files.source_by_system.values(), files.gold, *files.reference_paths, *files.systems]
        check_standard_input([path for path in paths if path is not None])
        columns = self.columns
        assert columns is not None
        name = ", ".join(dict.fromkeys(table.content.file.name for table in self.tables))
        if not (columns.source or files.common_source or files.gold):
            names = column_names(self.tables)
            hint: AnyHint = self.column_hint("source_column")
            if len(names) == 1 and {",", ";"} & set(names[0]):
                hint = "the table has one column only: --input-format csv detects the separator of cells"
            elif are_sentences(names):
                hint = "--no-header reads the first row, whose columns are numbers: --source-column 1"
            raise UsageError(f"{name} has no column called source", hint=hint)
        used = {column.content for column in columns.all}
        is_named |= bool(options.source_column and options.hypothesis_column and options.reference_column)
        if used and not is_named:
            note(f"{name}: {columns.described()}")
        unused = (table.content.file.name for table in self.tables if table.content not in used)
        note(*(f"no column of {file} is used" for file in unused))
        return columns

    @property
    def _evidence(self) -> tuple[bool, bool]:
        """Whether there are references, and gold edits."""
        files, columns = self.options.files, self.columns
        return bool(files.references or (columns and columns.all_references)), files.gold is not None

    @property
    def has_references(self) -> bool:
        """Whether there are references, in files or columns."""
        return self._evidence[0]

    def references_hint(self) -> Hint:
        """Return the hint to give references: a column of the table, or a file."""
        files = Hint(Option("references", "FILE"), " or ", Option("gold", "FILE"))
        has_columns = len(column_names(self.tables)) > 1
        return Hint(self.column_hint("reference_column"), "; or ", files) if has_columns else files

    def column_hint(self, option: str) -> Hint:
        """Return the hint to choose a column of the table by an option."""
        return Hint(Option(option, "COL"), f", one of {choices(column_names(self.tables))}")

    def systems_hint(self) -> Hint:
        """Return the hint to give corrections: a column of the table, or a file."""
        if not self.tables:
            table = Option("table", "TABLE")
            return Hint(Option("systems", "FILE"), " for each system, or ", table, " with a column for each")
        return Hint(self.column_hint("hypothesis_column"), "; or ", Option("systems", "FILE"))

    def _note_doubtful_files(self) -> None:
        files = self.options.files
        for _, path in map(name_and_file, files.systems):
            if is_folder(path) and (ignored := ignored_files(path)):
                names = f"{', '.join(ignored[:5])}{', …' * (len(ignored) > 5)}"
                note(f"{path}: not read: {names}; use -c FILE for a folder in it or a file with another ending")
        systems = [path for path in files.systems if not has_ending(path, *SUGGESTIONS)]
        for path in filter(None, [files.common_source, *files.reference_paths, *systems]):
            if has_ending(path, *TABLE_ENDINGS):
                note(f"{path} is read as text, one sentence per line; -i reads a table")

    def _label_column(self, name: str) -> FileColumn | None:
        """Return the column of this name; None for the name of a file."""
        return next((table.column("labels", name) for table in self.tables if name in table.names), None)

    def _head(self) -> Text:
        """Return the first sentences of the source."""
        files = self.options.files
        if files.common_source is not None or self.columns is None:
            return first_lines(files.common_source or files.gold)
        source = self.columns.source
        if source is None:
            hint = Hint(Option("language", "NAME"))
            raise UsageError(f"{', '.join(self.options.table.input)} has no source column", hint=hint)
        return source.checked(source.first_values(HEAD), 0, breaks=True)


def _by_run(values: Mapping[str | None, T], runs: Mapping[str, Sequence[str]]) -> dict[str | None, T]:
    """Return values of systems by run; the runs of a system have the value of the system."""
    return {
        run: value for name, value in values.items() for run in (runs.get(name, [name]) if name is not None else [None])
    }
