"""Texts of a request: open them, detect their language, print notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from geceval._kernel import Text
from geceval.base.errors import GecevalWarning, UsageError
from geceval.cli.corpus_options import AUTO, CorpusOptions
from geceval.cli.options import DEFAULT_METRICS, MetricOptions, settings_of_judge
from geceval.cli.output import note
from geceval.counting.metric import Metric
from geceval.counting.metric_names import metrics_of_specs
from geceval.edits.languages import ANNOTATORS, is_known, language_of, make_annotator
from geceval.edits.languages.lexicon import guess
from geceval.text.content_forms import AMBIGUOUS, TABLES
from geceval.text.files import (
    SUGGESTIONS,
    check_standard_input,
    form_of,
    has_ending,
    ignored_files,
    is_folder,
    is_read_once,
    name_and_file,
    systems_of,
)
from geceval.text.preparation import Preparation
from geceval.text.reading.corpus_files import CorpusFiles, CorpusReader
from geceval.text.reading.file_columns import FileColumn, first_sentences
from geceval.text.reading.lines import read_lines
from geceval.text.reading.table_columns import InputTable, TableColumns

#: Number of lines from which a language is detected.
HEAD = 1000
#: Endings of tables, which are not plain text.
TABLE_ENDINGS = (".csv", ".jsonl", ".ndjson", ".parquet")


class CorpusInputs:
    """The corpus of a request.

    Its table is opened and its language detected at most once.
    """

    def __init__(self, options: CorpusOptions, *, quiet: bool = False, threads: int = 0) -> None:
        self.options, self.threads, self._quiet = options, threads, quiet
        self.language = LanguageChoice(options.language.language, self._head, quiet=quiet)

    def corpus(
        self, labels: str | None = None, others: Mapping[str, str] | None = None, *, runs: bool = False
    ) -> CorpusReader:
        """Return the corpus, to be read in parts.

        Args:
            labels: A file, or a column of the table.
            others: Further systems, as files by name.
            runs: Whether a system may have several runs, which are systems of the corpus.

        Raises:
            UsageError: There is no system, or inputs exclude each other.
        """
        files, columns = self.options.files, self._noted_columns()
        if not (files.systems or (columns and columns.systems)):
            raise UsageError("the corrections of a system are required", hint=self._systems_hint())
        self._note_doubtful_files()
        if files.missing is not None and columns is not None and columns.references:
            table = self.options.table.input
            raise UsageError(f"--missing applies to references made from --gold: it cannot be combined with {table}")
        column = None if labels is None else self._label_column(labels)
        if columns is not None and column is not None:
            columns, labels = replace(columns, labels=column), None
        systems = systems_of(files.systems, runs=runs) | dict(others or {})
        return replace(self.corpus_files(), systems=systems, labels=labels, table=columns).open()

    def metrics(self, named: MetricOptions, *, by_kind: bool = False) -> list[Metric[Any]]:
        """Return the metrics that options name, in the language of the texts.

        Args:
            named: The metrics, and how judges are asked.
            by_kind: Whether the scores are shown by kinds of edits.

        Raises:
            UsageError: No metric uses ``--judge``; other errors: see metrics_of_specs.
        """
        metrics = self.metrics_of(named.metrics or self.default_metrics(by_kind=by_kind), named)
        named.check_are_used(metrics)
        return metrics

    def metrics_of(self, specs: Sequence[str], named: MetricOptions) -> list[Metric[Any]]:
        """Return the metrics of specifications, in the language of the texts.

        Raises:
            UsageError: See metrics_of_specs.
        """
        return metrics_of_specs(specs, {"annotator": self.language.name}, settings_of_judge(named.judge))

    def default_metrics(self, *, by_kind: bool = False) -> Sequence[str]:
        """Return the metrics that need no download and fit the data.

        Args:
            by_kind: Whether to return only metrics on edits.

        Raises:
            UsageError: There are neither references nor gold edits.
        """
        files, columns = self.options.files, self.columns
        evidence = (bool(files.references or (columns and columns.references)), files.gold is not None)
        if evidence == (False, False):
            hint = "-r FILE or --gold FILE; or a metric without references (geceval metrics lists them)"
            raise UsageError("references, gold edits or metrics are required", hint=hint)
        names = DEFAULT_METRICS["both" if all(evidence) else "references" if evidence[0] else "gold edits"]
        return [name for name in names if not by_kind or name in DEFAULT_METRICS["gold edits"]]

    def preparation(self) -> Preparation:
        """Return the preparation of the texts."""
        raw = self.options.raw
        return raw.preparation(self.language.tokeniser(raw.tokenise), self.threads)

    def corpus_files(self) -> CorpusFiles:
        """Return source, references and gold edits, and their preparation."""
        return self.options.files.corpus_files(self.preparation())

    def labels(self, name: str | None) -> Sequence[str] | None:
        """Return the labels in a file or a column of the table; None without a name."""
        if name is None:
            return None
        column = self._label_column(name)
        return list(map(str, read_lines(name))) if column is None else column.all_labels()

    def to_document(self, warnings: Sequence[GecevalWarning], **more: Any) -> dict[str, Any]:
        """Return the files and the warnings of a run as JSON values.

        Args:
            warnings: The warnings of the run.
            more: Files of further options.
        """
        files = self.options.files
        named = {name: getattr(files, name) for name in ("source", "references", "gold", "systems")}
        table = self.options.table.input
        columns = {} if table is None or self.columns is None else {"input": {"file": table, **self.columns.to_dict()}}
        return {**named, **more, **columns, "warnings": [warning.to_dict() for warning in warnings]}

    # --- the table ---

    @cached_property
    def table(self) -> InputTable | None:
        """The opened table; None without ``-i``."""
        return self.options.table.open()

    @cached_property
    def columns(self) -> TableColumns | None:
        """The columns in use; None without a table."""
        files = self.options.files
        if self.table is None:
            return None
        columns = self.options.table.columns(self.table, files)
        has_source = columns.source or files.source or files.gold
        file = self.table.content.file
        form = None if has_source else form_of(file.path, (*TABLES, *AMBIGUOUS, "json"))
        if form is not None and form.kind == "text":
            raise form.error(file.name, "a table with a column called source")
        return columns

    def _noted_columns(self) -> TableColumns | None:
        """Return the columns, and print a note on those found by their names."""
        options, files = self.options.table, self.options.files
        if options.input is None:
            return None
        paths = [options.input, files.source, files.gold, *files.references, *files.systems]
        check_standard_input([path for path in paths if path is not None])
        table, columns = self.table, self.columns
        assert table is not None
        assert columns is not None
        name = table.content.file.name
        if not (columns.source or files.source or files.gold):
            hint = f"--source-column COL, one of {', '.join(table.names)}"
            if len(table.names) == 1 and {",", ";"} & set(table.names[0]):
                hint = "there is one column only: --input-format csv detects what stands between cells"
            raise UsageError(f"{name} has no column called source", hint=hint)
        if not (options.source_column and options.hypothesis_column and options.reference_column):
            note(f"{name}: {columns.described()}", quiet=self._quiet)
        return columns

    def _systems_hint(self) -> str:
        if self.table is None:
            return "-c FILE for each system, or -i TABLE with a column for each"
        return f"--hypothesis-column COL, one of {', '.join(self.table.names)}; or -c FILE"

    def _note_doubtful_files(self) -> None:
        files = self.options.files
        for _, path in map(name_and_file, files.systems):
            if is_folder(path) and (ignored := ignored_files(path)):
                names = f"{', '.join(ignored[:5])}{', …' * (len(ignored) > 5)}"
                note(f"{path}: not read: {names}; -c FILE names a file of another ending", quiet=self._quiet)
        systems = [path for path in files.systems if not has_ending(path, *SUGGESTIONS)]
        for path in filter(None, [files.source, *files.references, *systems]):
            if has_ending(path, *TABLE_ENDINGS):
                note(f"{path} is read as text, one sentence per line; -i reads a table", quiet=self._quiet)

    def _label_column(self, name: str) -> FileColumn | None:
        """Return the column of this name; None for the name of a file."""
        table = self.table
        return table.column("labels", name) if table is not None and name in table.names else None

    def _head(self) -> Text:
        """Return the first sentences of the source."""
        files, table = self.options.files, self.options.table.input
        if files.source is not None or table is None:
            return first_lines(files.source or files.gold)
        source = None if self.columns is None else self.columns.source
        if source is None:
            raise UsageError(f"{table} has no source column", hint="--language NAME")
        rows = next(source.content.portions([source.index], HEAD), [[]])
        return source.checked(rows[0], 0, breaks=True)


# --- language ---


@dataclass(frozen=True)
class LanguageChoice:
    """The language of a request, or its annotator.

    Attributes:
        option: The value of ``--language``.
        head: A function that returns the first lines of the source, called to detect the language.
        quiet: Whether the detected language is not printed on stderr.
    """

    option: str | None
    head: Callable[[], Text]
    quiet: bool = False

    @cached_property
    def name(self) -> str | None:
        """The name of the language or the annotator; None without ``--language``.

        Raises:
            UsageError: The language is unknown.
        """
        name = self.option
        if name == AUTO:
            name = self._guess()
        if name is not None:
            _check(name)
        return name

    def _guess(self) -> str:
        language_guess = guess(self.head())
        note(f"--language auto: {language_guess.language} ({language_guess.why})", quiet=self.quiet)
        return language_guess.language

    @property
    def annotator(self) -> str:
        """The name of the annotator."""
        return self.name or "builtin"

    def tokeniser(self, name: str | None) -> str | None:
        """Return the name of a tokeniser.

        Args:
            name: A name, or ``auto`` for the tokeniser of the language or the annotator, which is
                printed on stderr.

        Raises:
            UsageError: The language has no tokeniser.
        """
        if name != AUTO:
            return name
        language = self.name or "en"
        tokeniser = language_of(make_annotator(language)).tokeniser
        if tokeniser is None:
            hint = "name one: char for scripts without blanks, icu or moses:XX for others (geceval prepare --list)"
            raise UsageError(f"the language {language} has no tokeniser", hint=hint)
        note(f"--tokenise auto: {tokeniser}", quiet=self.quiet)
        return tokeniser


def _check(language: str) -> None:
    if not is_known(language):
        hint = "plain does for any language written with blanks; geceval language make makes a table of a treebank"
        known = f"en, {', '.join(ANNOTATORS.names())}, auto, or a file that is a table"
        raise UsageError(f"unknown language {language!r}: choose from {known}", hint=hint)
    make_annotator(language)


def first_lines(path: str | None) -> Text:
    """Return the first lines of a source.

    Raises:
        UsageError: The source cannot be read twice.
    """
    if path is None or path == "-" or is_read_once(path):
        raise UsageError("--language auto requires a source that can be read twice", hint="--language NAME")
    return first_sentences(path, HEAD)
