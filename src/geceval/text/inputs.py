"""Options that name texts and their preparation: files, tables, columns.

Commands and suites share these classes. ``Texts.corpus`` is the only function that turns names of files into a corpus.
Modules that need numpy are imported when a corpus is opened.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geceval.base.errors import UsageError
from geceval.base.requests import OptionGroup, option
from geceval.text.files import SUGGESTIONS, duplicate_system_error, has_ending, named_systems
from geceval.text.preparation import FORMS, ROLES, Form, Preparation, Role

if TYPE_CHECKING:
    from geceval.text.corpus import GoldEdits
    from geceval.text.m2.cherrant_dialect import Dialect
    from geceval.text.m2.conversion.suggestions import Offsets
    from geceval.text.m2.edit import Missing, Overlaps
    from geceval.text.reading.corpus_files import CorpusFiles
    from geceval.text.reading.table_columns import InputTable, TableColumns


@dataclass(frozen=True)
class Texts:
    """The texts of a corpus by the names of their files, and their preparation.

    Attributes:
        source: file of sentences; by default the source is taken from ``gold``.
        references: files of references; by default references are made from ``gold``.
        gold: M2 file of gold edits.
        missing: the text of an annotator without a line in a block of ``gold``.
        overlaps: treatment of edits of ``gold`` that overlap.
        dialect: dialect of M2 files.
        offsets: unit of the offsets of suggestions.
        gold_edits: the gold edits of metrics on edits; see Corpus.
        steps: the arguments of Preparation.
    """

    source: str | None = None
    references: tuple[str, ...] = ()
    gold: str | None = None
    missing: Missing = "fallback"
    overlaps: Overlaps = "error"
    dialect: Dialect = "auto"
    offsets: Offsets = "auto"
    gold_edits: GoldEdits = "as-given"
    steps: Mapping[str, Any] = field(default_factory=dict)

    def preparation(self, threads: int = 0) -> Preparation:
        """Return the preparation of the texts. Raises the errors of Preparation."""
        return Preparation(**self.steps, threads=threads)

    @property
    def paths(self) -> tuple[str, ...]:
        """All files of the texts."""
        return tuple(path for path in (self.source, *self.references, self.gold) if path is not None)

    def corpus(
        self,
        systems: Mapping[str, str],
        *,
        labels: str | None = None,
        table: TableColumns | None = None,
        m2_systems: Collection[str] = (),
        threads: int = 0,
    ) -> CorpusFiles:
        """Return the corpus of these texts and the systems' files; see corpus_files.

        Args:
            systems: name -> file.
            labels: file of labels, one per sentence.
            table: the table that contains other texts.
            m2_systems: names of the systems whose files are M2.
            threads: number of threads that prepare texts; 0 means one per processor.

        Returns:
            A corpus that is read in parts.
        """
        from geceval.text.reading.corpus_files import corpus_files

        return corpus_files(
            self.source,
            self.references,
            systems,
            self.gold,
            missing=self.missing,
            overlaps=self.overlaps,
            labels=labels,
            prepare=self.preparation(threads),
            dialect=self.dialect,
            offsets=self.offsets,
            table=table,
            m2_systems=m2_systems,
            gold_edits=self.gold_edits,
        )


# --- files ---


#: Options that several groups have.
MISSING: Any = option("--missing", choices=["fallback", "plain"], rare=True)
GOLD_EDITS: Any = option("--gold-edits", choices=["as-given", "reannotated"], default="as-given", rare=True)
DIALECT: Any = option("--dialect", choices=["auto", "cherrant"], default="auto", rare=True)
OFFSETS: Any = option("--offsets", choices=["auto", "characters", "utf-16", "bytes"], default="auto", rare=True)
OVERLAPS: Any = option(
    "--overlaps", choices=["error", "first", "longest", "confident", "skip"], default="error", rare=True
)


class ReferenceOptions(OptionGroup, title="data"):
    """Source, references and gold edits."""

    source: str | None = option("-s", "--src", "--source", reads_file=True)
    references: tuple[str, ...] = option("-r", "--ref", "--references", reads_file=True)
    gold: str | None = option("--gold", reads_file=True)
    missing: Missing | None = MISSING
    overlaps: Overlaps = OVERLAPS
    dialect: Dialect = DIALECT
    offsets: Offsets = OFFSETS
    gold_edits: GoldEdits = GOLD_EDITS

    def check(self) -> None:
        if self.gold_edits != "as-given" and self.gold is None:
            raise UsageError(f"--gold-edits {self.gold_edits} requires --gold")
        with_suggestions = any(has_ending(path, *SUGGESTIONS) for path in getattr(self, "systems", ()))
        if self.overlaps != "error" and self.gold is None and not with_suggestions:
            raise UsageError(f"--overlaps {self.overlaps} requires --gold or suggestions")
        if self.missing is not None and (self.references or self.gold is None):
            why = "cannot be combined with -r" if self.references else "requires --gold"
            raise UsageError(f"--missing applies to references made from --gold: it {why}")
        for path in filter(None, (self.source, *self.references)):
            if has_ending(path, ".m2"):
                raise UsageError(f"{path} is an M2 file", hint=f"--gold {path}")


class FileOptions(ReferenceOptions, title="data"):
    """Source, references, gold edits and systems."""

    systems: tuple[str, ...] = option("-c", "--hyp", "--systems", reads_file=True)

    @property
    def runs(self) -> dict[str, tuple[str, ...]]:
        """Names of the runs of each system with several runs."""
        named = {name_and_file(argument)[0]: systems_of([argument], runs=True) for argument in self.systems}
        return {name: tuple(own) for name, own in named.items() if name is not None and len(own) > 1}


def name_and_file(argument: str) -> tuple[str | None, str]:
    """Split ``NAME=FILE`` into name and file; the name is None without one.

    An argument that names an existing file is that file. A name contains no slash, so ./a=b.txt is a file.
    """
    name, equals, path = argument.partition("=")
    if not (name and equals and path) or "/" in name or Path(argument).exists():
        return None, argument
    return name, path


def systems_of(given: Sequence[str], *, runs: bool = False) -> dict[str, str]:
    """Return name -> file, from ``FILE``, ``NAME=FILE`` or ``NAME=FILE,FILE``.

    Several files are runs of one system, with names by number from 1. They are written as in CSV: a file with a comma
    in its name is quoted. The name of an existing file is not split.

    Raises UsageError if a system is given twice, or has several runs, without ``runs``.
    """
    files, names, taken = list[str](), list[str | None](), list[str | None]()
    for argument in given:
        name, path = name_and_file(argument)
        own = [path] if name is None or Path(path).exists() else next(csv.reader([path]))
        if len(own) > 1 and not runs:
            hint = f"name one run: -c {name}={own[0]}; the corpus scores of geceval score and compare take all"
            raise UsageError(f"{name} has {len(own)} runs; one can be used here", hint=hint)
        if name is not None and name in taken:
            raise duplicate_system_error(name)
        taken.append(name)
        files += own
        names += [f"{name} run {number}" for number in range(1, len(own) + 1)] if len(own) > 1 else [name]
    return named_systems(files, names)


# --- tables ---


class TableOptions(OptionGroup, title="data"):
    """A table, and the columns of its texts."""

    input: str | None = option("-i", "--input", reads_file=True)
    source_column: str | None = option("--source-column", metavar="COL", rare=True)
    hypothesis_column: tuple[str, ...] = option("--hypothesis-column", metavar="COL", rare=True)
    reference_column: tuple[str, ...] = option("--reference-column", metavar="COL", rare=True)
    input_format: str | None = option("--input-format", metavar="NAME", rare=True)
    header: bool = option("--no-header", rare=True)

    def check(self) -> None:
        if self.input is None:
            for name, facts, _ in self.changed_options():
                raise UsageError(f"{facts.name(name)} requires a table: -i FILE")

    def open(self) -> InputTable | None:
        """Return the opened table, or None if there is no table."""
        from geceval.text.reading.table_columns import InputTable

        return None if self.input is None else InputTable.opened(self.input, self.input_format, header=self.header)

    def columns(self, table: InputTable, files: FileOptions) -> TableColumns:
        """Return the given columns, or the columns with the usual names.

        Roles that files provide are not searched.
        """
        from geceval.text.reading.table_columns import TableColumns

        return TableColumns.of(
            table,
            self.source_column,
            _named_columns(table, self.hypothesis_column) if self.hypothesis_column else None,
            self.reference_column or None,
            find=[role for role in ROLES if not getattr(files, role)],
        )


def _named_columns(table: InputTable, given: Sequence[str]) -> dict[str, str]:
    """Return name -> column, from ``COL`` or ``NAME=COL``.

    An argument that is the name of a column is that column.
    """
    systems: dict[str, str] = {}
    for argument in given:
        name, equals, column = argument.partition("=")
        whole = argument in table.names or not (name and equals and column)
        called = table.column("system", argument).name if whole else name
        if called in systems:
            raise duplicate_system_error(called)
        systems[called] = argument if whole else column
    return systems


# --- raw text ---


class CleaningOptions(OptionGroup):
    """Cleaning, tokenisation and normalisation of text."""

    clean: tuple[str, ...] = option("--clean", separator=",", repeatable=True, metavar="RULE[,RULE…]", reads_file=True)
    tokenise: str | None = option("--preset", "--tokenise", metavar="NAME")
    detokenise: str | None = option("--detokenise", metavar="NAME")
    normalise: tuple[Form, ...] = option(
        "--normalise", choices=FORMS, separator=",", repeatable=True, metavar="FORM[,FORM…]"
    )
    whitespace: str | None = option("--whitespace", choices=["repair"])

    @property
    def has_steps(self) -> bool:
        """Whether any step changes other texts than systems."""
        return any([self.tokenise, self.detokenise, self.normalise, self.whitespace])

    def texts(self, files: ReferenceOptions, tokeniser: str | None, corrections: Role = "references") -> Texts:
        """Return the texts of files; ``corrections`` are prepared as this role."""
        only = (corrections if name == "corrections" else name for name in getattr(self, "tokenise_only", ()))
        named = {name: getattr(self, name) for name in ("clean", "detokenise", "normalise")}
        return Texts(
            files.source,
            files.references,
            files.gold,
            files.missing or "fallback",
            files.overlaps,
            files.dialect,
            files.offsets,
            files.gold_edits,
            {**named, "tokenise": tokeniser, "whitespace": self.whitespace is not None, "only": tuple(only)},
        )

    def preparation(self, tokeniser: str | None, threads: int = 0) -> Preparation:
        """Return the preparation of texts; ``tokeniser`` as for ``texts``."""
        return self.texts(ReferenceOptions(), tokeniser).preparation(threads)


def _rarely(name: str) -> Any:
    """Return an option of CleaningOptions that only ``--help-all`` shows."""
    return replace(CleaningOptions.__dataclass_fields__[name].metadata["option"], rare=True)


class RawTextOptions(CleaningOptions, title="language and preparation of text"):
    """Preparation of raw text, and the texts to prepare."""

    clean: tuple[str, ...] = _rarely("clean")
    detokenise: str | None = _rarely("detokenise")
    normalise: tuple[Form, ...] = _rarely("normalise")
    whitespace: str | None = _rarely("whitespace")
    tokenise_only: tuple[str, ...] = option(
        "--tokenise-only", choices=["source", "references", "systems"], metavar="ROLE", rare=True
    )

    def check(self) -> None:
        if self.tokenise_only and not self.has_steps:
            hint = "add --tokenise NAME, --detokenise NAME, --normalise FORM or --whitespace repair"
            raise UsageError("--tokenise-only selects texts but no step is given", hint=hint)
