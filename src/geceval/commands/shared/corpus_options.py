"""Options that name the texts of a corpus: files, tables, preparation, language.

As in geceval.commands.shared.options, annotations are evaluated.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Self

from cyclopts import Parameter

from geceval.base.arguments import PLACES
from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option
from geceval.commands.shared.option_groups import DATA, GOLD, TABLE, TEXT
from geceval.commands.shared.option_values import COMMAS, changed, check_whole, flag
from geceval.edits.languages import ANNOTATORS, LANGUAGES
from geceval.text.blank_texts import Blank
from geceval.text.files import has_ending, is_m2, may_be_suggestions
from geceval.text.letters import code_of_language
from geceval.text.m2.edit import GoldEdits, Misfits, Missing, Overlaps, Suggested
from geceval.text.preparation import ROLES, Form, Preparation, Role
from geceval.text.reading.column_roles import TableColumns
from geceval.text.reading.corpus_files import CorpusFiles
from geceval.text.reading.file_kinds import KINDS, LINES, SUGGESTIONS
from geceval.text.reading.input_tables import InputTable, columns_of, open_tables
from geceval.text.system_files import duplicate_system_error, name_and_file, references_by_system, systems_of

# --- files ---

#: Types of options that several groups have.
GoldEditsOption = Annotated[
    GoldEdits,
    Parameter(
        group=GOLD,
        help="edits of --gold for metrics on edits: as given, or extracted by the annotator from the gold's "
        "corrected texts, as for systems given as text",
    ),
]
OverlapsOption = Annotated[
    Overlaps,
    Parameter(
        group=GOLD,
        help="overlapping gold edits of one annotator, or overlapping suggestions: report an error (default), keep "
        "the first, the longest or the most confident one (number in the comment field), or keep none (skip)",
    ),
]
MisfitsOption = Annotated[
    Misfits,
    Parameter(
        group=GOLD,
        help="M2 edits that do not fit their sentence (negative offsets, or an end beyond the sentence or before the "
        "start), and suggestions that quote what their sentence lacks: report an error (default), or drop them with a "
        "warning",
    ),
]
MissingOption = Annotated[
    Missing | None,
    Parameter(
        group=GOLD,
        help="reference text of an annotator without a line for a sentence, if --gold is used without -r: the first "
        "annotator's correction (fallback, the default, as in published GLEU and GREEN numbers on CoNLL-2014) or the "
        "unchanged sentence (plain)",
    ),
]
IdOption = Annotated[
    tuple[str, ...],
    Parameter(
        metavar="COL",
        group=TABLE,
        help="match rows of tables and .para files by the identifiers in this column (several names: the first that a "
        "table has); next to plain text, identifiers are line numbers; none: match by position (default: by position, "
        "checked)",
    ),
]
BlankOption = Annotated[
    Blank | None,
    Parameter(
        help="reading of empty lines and cells next to a sentence: the sentence is correct (unchanged), the annotator "
        "has not corrected it (missing), or the correction deletes it (empty); by default more than 1 % of them are an "
        "error, and fewer are read as missing in references of tables, else as empty"
    ),
]
OffsetsOption = Annotated[
    str,
    Parameter(
        group=GOLD,
        help="how the places of suggestions are read: characters, utf-16 (LanguageTool), bytes or tokens; from-1; "
        "inclusive; length:utf-16; text, line or document; joined by commas, as characters,from-1,inclusive; auto: "
        "as the checker counts, or as fits all suggestions",
    ),
]
SuggestionsOption = Annotated[
    Suggested,
    Parameter(
        group=GOLD,
        help="score the suggestions of a checker as edits, or the text that they make: the same correction may have "
        "other spans in the gold",
    ),
]


@Parameter(name="*", group=DATA)
@dataclass(frozen=True, kw_only=True)
class ReferenceOptions:
    """Source, references and gold edits."""

    source: Annotated[tuple[str, ...], Parameter(alias=("-s", "--src"), metavar="FILE")] = ()
    """sentences with errors, one per line (default: source of --gold); NAME=FILE is the source that the system NAME
    corrects instead, such as its transcript"""
    references: Annotated[tuple[str, ...], Parameter(alias=("-r", "--ref"), metavar="FILE")] = ()
    """corrected sentences, one file per annotator; NAME=FILE,… are references of the system NAME alone"""
    gold: Annotated[str | None, Parameter(metavar="FILE")] = None
    """gold edits of one or more annotators (M2)"""
    blank: BlankOption = None
    skip_bad_rows: Annotated[bool, Parameter(negative="")] = False
    """leave out rows that are bad in one text (null, another type, a line break, no reference, an empty output without
    --blank), of all texts; signatures have their number"""
    missing: MissingOption = None
    overlaps: OverlapsOption = "error"
    misfits: MisfitsOption = "error"
    offsets: OffsetsOption = "auto"
    suggestions: SuggestionsOption = "as-edits"
    gold_edits: GoldEditsOption = "as-given"

    def __post_init__(self) -> None:
        if self.gold_edits != "as-given" and self.gold is None:
            raise UsageError(f"--gold-edits {self.gold_edits} requires --gold")
        if self.missing is not None and (self.references or self.gold is None):
            why = "cannot be combined with -r" if self.references else "requires --gold"
            raise UsageError(f"--missing applies to references made from --gold: it {why}")
        for path in (*self.source_by_system.values(), *self.reference_paths):
            if is_m2(path):  # also with another ending
                raise KINDS["m2"].error(path, LINES)

    def check_edits(self, systems: Sequence[str], *, has_suggestions: bool) -> None:
        """Raise UsageError for options of edits that no file has.

        Args:
            systems: Files of systems.
            has_suggestions: Whether a column of a table has suggestions.
        """
        has_suggestions = has_suggestions or any(map(may_be_suggestions, systems))
        if self.overlaps != "error" and self.gold is None and not has_suggestions:
            raise UsageError(f"--overlaps {self.overlaps} requires --gold or suggestions")
        if self.misfits != "error" and self.gold is None and not has_suggestions and not any(map(is_m2, systems)):
            raise UsageError(f"--misfits {self.misfits} requires --gold, or M2 or suggestions of a system")
        if self.suggestions != "as-edits" and not has_suggestions:
            raise UsageError(f"--suggestions {self.suggestions} requires suggestions of a checker: -c FILE.jsonl")

    @property
    def source_by_system(self) -> dict[str | None, str]:
        """Files of sources by the name of the system, with None for the source of gold edits and references."""
        paths: dict[str | None, str] = {}
        for argument in self.source:
            name, path = name_and_file(argument)
            if name in paths:
                raise UsageError("the source is given twice", hint="NAME=FILE is the source of a system")
            paths[name] = path
        return paths

    @property
    def common_source(self) -> str | None:
        """The file of the source of gold edits and references."""
        return self.source_by_system.get(None)

    @property
    def references_by_system(self) -> dict[str | None, list[str]]:
        """Files of references by the name of the system, with None for those of all systems."""
        return references_by_system(self.references)

    @property
    def reference_paths(self) -> list[str]:
        """Files of references, of all systems and of single ones."""
        return [path for paths in self.references_by_system.values() for path in paths]

    def corpus_files(self, prepare: Preparation) -> "CorpusFiles":
        """Return source, references and gold edits, with their preparation."""
        return CorpusFiles(
            self.source_by_system,
            self.references_by_system,
            gold=self.gold,
            missing=self.missing or "fallback",
            blank=self.blank,
            skip_bad_rows=self.skip_bad_rows,
            overlaps=self.overlaps,
            misfits=self.misfits,
            offsets=self.offsets,
            suggestions=self.suggestions,
            gold_edits=self.gold_edits,
            prepare=prepare,
        )


@Parameter(name="*", group=DATA)
@dataclass(frozen=True, kw_only=True)
class FileOptions(ReferenceOptions):
    """Source, references, gold edits and systems."""

    systems: Annotated[tuple[str, ...], Parameter(alias=("-c", "--hyp"), metavar="FILE")] = ()
    """corrections (text, M2, JSON of texts or suggestions): FILE, FOLDER of files, NAME=FILE, or for repeated runs
    NAME=FILE,FILE,…"""

    id: IdOption = ()

    @classmethod
    def of_source(cls, source: str | None, **options: Any) -> Self:
        """Return files with one source, or none, and with other options."""
        return cls(source=() if source is None else (source,), **options)

    @property
    def runs(self) -> dict[str, tuple[str, ...]]:
        """Names of the runs of each system with several runs."""
        named = {name_and_file(argument)[0]: systems_of([argument], runs=True) for argument in self.systems}
        return {name: tuple(runs) for name, runs in named.items() if name is not None and len(runs) > 1}


# --- tables ---


@Parameter(name="*", group=TABLE)
@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """A table, and the columns of its texts."""

    input: Annotated[tuple[str, ...], Parameter(alias="-i", metavar="FILE", group=DATA)] = ()
    """table (Excel, TSV, CSV, JSON, Parquet) with columns source, hypothesis, reference; a FOLDER or 'PATTERN' of
    Parquet parts is one; of several, FILE or NAME=FILE, each has one system"""
    source_column: Annotated[str | None, Parameter(metavar="COL")] = None
    """column of the source: name, number from 1, letter in Excel, or in JSON a path such as text.raw or
    choices.0.text"""
    hypothesis_column: Annotated[tuple[str, ...], Parameter(metavar="COL")] = ()
    """columns of the systems' corrections; NAME=COL names a system"""
    reference_column: Annotated[tuple[str, ...], Parameter(metavar="COL")] = ()
    """columns of references: one per annotator, or one column of lists; NAME=COL are references of the system NAME
    alone"""
    system_column: Annotated[str | None, Parameter(metavar="COL")] = None
    """column of system names, for a table with one row per system and sentence"""
    input_format: Annotated[str | None, Parameter(metavar="NAME")] = None
    """format of the table: tsv, csv, para, json, parquet, csv:tab, 'csv:;' or the name of an installed reader
    (default: by the ending)"""
    header: Annotated[bool, Parameter(negative="--no-header")] = True
    """TSV, CSV and Excel: the first row is data; columns are named by number"""
    skip_rows: Annotated[int, Parameter(metavar="N")] = 0
    """TSV, CSV and Excel: number of rows above the header, such as a title (default: 0)"""

    def __post_init__(self) -> None:
        check_whole(self, skip_rows=PLACES)

    @property
    def paths(self) -> list[str]:
        """The files of the tables."""
        return [name_and_file(argument)[1] for argument in self.input]

    def open(self) -> "list[InputTable]":
        """Return the opened tables."""
        names = [name_and_file(argument)[0] for argument in self.input]
        return open_tables(
            self.paths,
            names,
            self.input_format,
            header=self.header,
            skip_rows=self.skip_rows,
            system=self.system_column,
        )

    def columns(self, tables: "Sequence[InputTable]", files: FileOptions) -> "TableColumns":
        """Return the given columns, or the columns with the usual names.

        Roles that files provide are not searched.
        """
        return TableColumns.of(
            tables,
            self.source_column,
            _named_columns(tables, self.hypothesis_column) if self.hypothesis_column else None,
            _columns_by_owner(tables, self.reference_column) or None,
            find=[role for role in ROLES if not getattr(files, role)],
            guess=[role for role in ROLES if role != "references" or files.gold is None],
        )


def _columns_by_owner(tables: "Sequence[InputTable]", arguments: Sequence[str]) -> dict[str | None, list[str]]:
    """Return the columns of references by the system of ``NAME=COL``, with None for those of all systems.

    An argument that is the name of a column is that column.
    """
    columns: dict[str | None, list[str]] = {}
    for argument in arguments:
        name, _, column = argument.partition("=")
        is_owned = bool(name and column) and not any(argument in table.names for table in tables)
        columns.setdefault(name if is_owned else None, []).append(column if is_owned else argument)
    return columns


def _named_columns(tables: "Sequence[InputTable]", arguments: Sequence[str]) -> "list[str] | dict[str, str]":
    """Return columns, or name -> column if an argument is ``NAME=COL``.

    An argument that is the name of a column is that column.
    """
    is_column = {argument: any(argument in table.names for table in tables) for argument in arguments}
    pairs = [(argument, *argument.partition("=")) for argument in arguments]
    if all(is_column[argument] or not (name and column) for argument, name, _, column in pairs):
        return list(arguments)
    systems: dict[str, str] = {}
    for argument, name, _, column in pairs:
        if is_column[argument] or not (name and column):
            name, column = columns_of(tables, "system", argument)[0].name, argument
        if name in systems:
            raise duplicate_system_error(name)
        systems[name] = column
    return systems


# --- raw text ---


@Parameter(name="*", group=TEXT)
@dataclass(frozen=True, kw_only=True)
class CleaningOptions:
    """Cleaning, tokenisation and normalisation of text."""

    clean: Annotated[tuple[str, ...], COMMAS, Parameter(metavar="RULE[,RULE…]")] = ()
    """remove what language models write around corrections: llm, some of its rules (labels, …), or FILE.toml"""
    tokenise: Annotated[str | None, Parameter(alias="--preset", metavar="NAME")] = None
    """tokenise: english, bea19, …, auto (prepare --list)"""
    detokenise: Annotated[str | None, Parameter(metavar="NAME")] = None
    """join tokens to text: english, treebank, moses:LANG, char, plain, …"""
    normalise: Annotated[tuple[Form | Literal["whitespace"], ...], COMMAS, Parameter(metavar="FORM[,FORM…]")] = ()
    """normalise the texts: Unicode form nfc, nfd, nfkc or nfkd; typographic quotes, dashes, ellipses to ASCII; letters:
    one letter for those that look alike in the language; whitespace: collapse runs, strip the ends, remove invisible
    characters"""

    @property
    def has_steps(self) -> bool:
        """Whether any step changes other texts than systems."""
        return bool(self.tokenise or self.detokenise or self.normalise)

    def preparation(
        self, tokeniser: str | None, threads: int = 0, corrections: Role = "references", language: str | None = None
    ) -> Preparation:
        """Return the preparation of texts; ``corrections`` are prepared as this role.

        ``language``: the value of ``--language``.
        """
        only = (corrections if name == "corrections" else name for name in getattr(self, "tokenise_only", ()))
        return Preparation(
            tokeniser,
            tuple(form for form in self.normalise if form != "whitespace"),
            "whitespace" in self.normalise,
            tuple(only),
            self.clean,
            self.detokenise,
            threads,
            code_of_language(language),
        )


@Parameter(name="*", group=TEXT)
@dataclass(frozen=True, kw_only=True)
class RawTextOptions(CleaningOptions):
    """Preparation of raw text, and the texts to prepare."""

    tokenise_only: Annotated[tuple[str, ...], Parameter(metavar="ROLE", choices=ROLES)] = ()
    """prepare only these texts: source, references, systems (default: all)"""

    def __post_init__(self) -> None:
        if self.tokenise_only and not self.has_steps:
            hint = "add --tokenise NAME, --detokenise NAME or --normalise FORM"
            raise UsageError("--tokenise-only selects texts but no step is given", hint=hint)


# --- language ---

#: Guess the language from the source, and use its tokeniser.
AUTO = "auto"


@Parameter(name="*", group=TEXT)
@dataclass(frozen=True, kw_only=True)
class LanguageOptions:
    """The language of the texts, or an annotator."""

    language: Annotated[
        str | None,
        Parameter(
            metavar="NAME",
            help=f"language: {', '.join(LANGUAGES)}, another name (spanish, ja), plain (any language with spaces"
            " between words), a FILE of geceval language make, or auto; or an annotator that extracts edits:"
            f" {', '.join(ANNOTATORS.shown)} (default: en)",
        ),
    ] = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CorpusOptions:
    """Options of a corpus: files, a table, preparation of text, language."""

    files: FileOptions = FileOptions()
    table: TableOptions = TableOptions()
    raw: RawTextOptions = RawTextOptions()
    language: LanguageOptions = LanguageOptions()

    def with_failed_answers(self) -> Self:
        """Return the options of a run that counts answers that failed: an empty one is no doubtful input."""
        return self if self.files.blank is not None else replace(self, files=replace(self.files, blank="empty"))

    def __post_init__(self) -> None:
        if self.table.input:
            return
        tables = (path for path in self.files.systems if has_ending(path, *SUGGESTIONS))
        for name, value in changed(self.table).items():
            path = next(iter(tables), None)
            hint = None if path is None else Hint(Option("table", path), " in place of ", Option("systems", path))
            raise UsageError(f"{'--no-header' if value is False else flag(name)} requires a table: -i FILE", hint=hint)
