"""Roles of the columns of tables by their names: source, references, systems, identifiers of rows."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, combinations, count, takewhile
from pathlib import PurePath
from typing import Any

from geceval.base.arguments import as_sequence, choices, listed, missing_column_error, shown
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, UsageError
from geceval.base.hints import Hint, Option, Step
from geceval.text.files import SOURCE, has_ending
from geceval.text.frames import plain_values
from geceval.text.preparation import ROLES, Role
from geceval.text.reading.file_columns import HEAD, KEY, FileColumn, FileContent, Format
from geceval.text.reading.file_kinds import SUGGESTIONS
from geceval.text.reading.formats import table_format
from geceval.text.reading.input_files import InputFile
from geceval.text.reading.table_parts import open_parts, parts_of
from geceval.text.similarity import similarity_of
from geceval.text.system_files import duplicate_system_error, named_systems
from geceval.text.written_values import written_value

# --- names ---

#: Names, ignoring case, of the columns that are used by default.
USUAL: Mapping[Role, str] = {
    "source": "source",
    "references": r"references?|reference[ _.-]?\d+",
    "systems": r"hypothesis|hypothesis[ _.-]?\d+",
}
#: Paths of the answers in files of OpenAI, Anthropic, Google, Bedrock, vLLM, Ollama and lm-evaluation-harness.
_ANSWERS = (
    r"(?!.*(?:request|input|messages|prompt))(?:.+\.)?(?:choices\.0\.message\.content|choices\.0\.text|content\.0\.text"
    r"|outputs\.0\.text)|(?:response\.)?message\.content|filtered_resps\.0"
)
#: Paths of the answer in a list of output items, and of the text of a list of parts; see jsonlines.
_OUTPUT_ITEMS = r"(?:.+\.)?output\.assistant"
_PARTS = r"(?!.*(?:request|input|messages|prompt))(?:.+\.)?content\.(?:parts\.)?text"
#: Path of the last answer in a conversation; see jsonlines.
_LAST_ANSWER = r"(?!.*(?:request|input|prompt))(?:.+\.)?(?:messages|conversations?|completion|response)\.assistant"
_ANSWER_PATHS = (_OUTPUT_ITEMS, _PARTS, _ANSWERS, _LAST_ANSWER)
#: Names of columns and of files with errors.
_SOURCES = ["source", "src", "input", "original", "incorrect", "ungrammatical", "wrong"]
_SOURCE_NAME = re.compile(rf"(?:.*[._ -])?(?:{'|'.join(_SOURCES)}|orig)s?(?:[._ -]?\d+)?(?:[._ -].*)?", re.IGNORECASE)
#: Further names of roles without a usual one. Each line is searched in this order, the best name first, for a column
#: that has no role yet: of input, output and prediction, output is a reference, and without prediction a system.
_FURTHER: Sequence[tuple[Role, Sequence[str]]] = (
    ("source", [*_SOURCES, "error", "sentence", "text"]),
    (
        "references",
        ["reference", "ref", "target", "tgt", "gold", "expected", "correct", "corrected", "correction", "label"],
    ),
    ("systems", ["hypothesis", "hyp", "prediction", "pred", "predicted", "generated", "generation", "generated_text"]),
    ("systems", ["response", "completion", "model_output", *_ANSWER_PATHS, "output", "answer"]),
    ("references", [*_ANSWER_PATHS[:-1], "output", "answer", "completion", "response"]),
    ("systems", ["corrected", "correction", "correct", "target", "text"]),
)
#: Names of columns of identifiers in batch files of providers, which need not keep the order, and all of them, best
#: first.
UNORDERED_KEYS = ("custom_id", "recordId")
KEYS = (
    *UNORDERED_KEYS,
    *("id", "ID", "sentence_id", "sent_id", "example_id", "sample_id", "uid", "uuid", "key", "idx"),
    *("doc_id", "item_id", "instance_id", "question_id", "segment_id", "seg_id"),
)
#: Names of further columns that may have identifiers of rows, and of those that may if their values are numbers.
_KEY_NAME = re.compile(r"(?:.*[ _.-])?(?:[a-z]{0,5}id|idx|index|key|no|nr|num|number|#)|.*[a-z](?:Id|ID|Idx|Index)")
_NUMBER_NAME = re.compile(
    r"line|row|item|sample|example|instance|segment|sent|sentence|nr?|i|unnamed: 0", re.IGNORECASE
)
#: Names of columns of names of systems.
SYSTEM_NAMES = re.compile("(?:system|model)(?:[ _.-]?(?:name|id))?", re.IGNORECASE)
#: Names of columns that distinguish several outputs for each source.
RUN_NAMES = re.compile(
    "(?:run|repeat|repetition|epoch|seed|trial|attempt|iteration|iter|round|prompt|template|temperature|shots?|n_shots?"
    "|filter|method|approach|team|participant|setting|config|condition|variant|version|checkpoint|ckpt|decoding|beam"
    "|engine|llm)s?(?:[ _.-]?(?:name|id|no|idx|index|number))?",
    re.IGNORECASE,
)
FURTHER = [
    (role, [rf"(?:(?:translation|doc)\.)?(?:{name})s?(?:[ _.-]?\d+)?" for name in names]) for role, names in _FURTHER
]
#: Patterns of names that references have even next to systems with usual names, best first.
REFERENCES = next(patterns for role, patterns in FURTHER if role == "references")
#: Names of columns of a further table that must not differ from the references of another one.
LIKE_REFERENCES = r"(?:.*[ _.-])?ref(?:erence)?s?(?:[ _.-].*)?"


def names_source(name: str) -> bool:
    """Return whether a column or file has the name of a source, such as ``dev.src`` or ``data/source.txt.gz``."""
    return _SOURCE_NAME.fullmatch(PurePath(name).name) is not None


def usual_names(names: Sequence[str], role: Role) -> list[str]:
    """Return the names of the columns that have a role by default."""
    return _matching(names, USUAL[role])


def further_names(names: Sequence[str], patterns: Sequence[str], has_sentences: Callable[[str], bool]) -> list[str]:
    """Return the names of columns of sentences that the first pattern with one matches."""
    matches = ([name for name in _matching(names, pattern) if has_sentences(name)] for pattern in patterns)
    return next(filter(None, matches), [])


def may_be_key(name: str) -> bool:
    """Return whether a column may have identifiers of rows by its name, which is not within a list."""
    above, _, last = name.rpartition(".")
    if any(step.isdecimal() for step in above.split(".")):
        return False
    return last.lower() in map(str.lower, KEYS) or _KEY_NAME.fullmatch(last) is not None


def may_be_numbers(name: str) -> bool:
    """Return whether a column of numbers has identifiers of rows by its name."""
    return _NUMBER_NAME.fullmatch(name) is not None


def is_answer(name: str) -> bool:
    """Return whether a column is the path of the answers of a language model."""
    return re.fullmatch("|".join(_ANSWER_PATHS), name, re.IGNORECASE) is not None


def is_text_or_texts(value: Any) -> bool:
    """Return whether a value is a text, or a list of them."""
    return isinstance(value, str) or (isinstance(value, list) and bool(value) and all(map(is_text_or_texts, value)))


def is_sentence(value: Any) -> bool:
    """Return whether a value may be a sentence, or several: a text with spaces or letters beyond a to z, a list."""
    return is_text_or_texts(value) and (isinstance(value, list) or " " in value.strip() or not value.isascii())


def has_values(content: FileContent, name: str, is_one: Callable[[Any], bool] = is_sentence) -> bool:
    """Return whether ``is_one`` is true of some of the first values of a column."""
    try:
        values = content.column("", content.names.index(name)).first_values(HEAD)
    except InputError:  # a row lacks the field, such as one of a failed request
        return is_answer(name)
    return any(map(is_one, values))


def has_source(names: Sequence[str]) -> bool:
    """Return whether a column may be a source by its name."""
    patterns = [USUAL["source"], *(pattern for role, patterns in FURTHER if role == "source" for pattern in patterns)]
    return any(_matching(names, pattern) for pattern in patterns)


def names_role(name: str) -> bool:
    """Return whether a name is one of a role."""
    patterns = [*USUAL.values(), *(pattern for _, patterns in FURTHER for pattern in patterns)]
    return any(_matching([name], pattern) for pattern in patterns)


def _matching(names: Sequence[str], pattern: str) -> list[str]:
    """Return the matching names, ignoring case, without the items of a list whose name matches."""
    matches = [name for name in names if re.fullmatch(pattern, name, re.IGNORECASE)]
    return [name for name in matches if name.rpartition(".")[0] not in matches]


#: Items of lists after the third.
_LATER = re.compile(r"\.(?:[3-9]|\d\d+)(?=\.|$)")


def listed_names(names: Collection[str]) -> list[str]:
    """Return names for a message: of the items of lists the first three."""
    return [name for name in names if (first := _LATER.sub(".0", name)) == name or first not in names]


def numbers_in(identifiers: Sequence[str]) -> list[int]:
    """Return the numbers in identifiers that differ in nothing else; empty for others."""
    matches = [re.fullmatch(r"(.*?)(\d{1,15})(\D*)", identifier, re.DOTALL) for identifier in identifiers]
    forms = {match and (match[1], match[3]) for match in matches}
    return [int(match[2]) for match in matches if match] if len(forms) == 1 and None not in forms else []


# --- tables ---


@dataclass(frozen=True, eq=False)
class InputTable:
    """A table and the names of its columns; the values are read later.

    ``label`` names its system if ``is_named``, or if several tables have one.
    """

    content: FileContent
    label: str
    is_named: bool = False

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns."""
        return self.content.names

    def by_system(self, name: str) -> list[InputTable]:
        """Return a table of the rows of each system; the table if it has no column of this name."""
        if self.content.position(name) is None:
            return [self]
        rows: dict[str, list[int]] = {}
        for row, label in enumerate(self.column("system names", name).all_labels()):
            rows.setdefault(label, []).append(row)
        return [InputTable(self.content.selected(order, label), label, True) for label, order in rows.items()]

    def column(self, role: str, name: Any) -> FileColumn:
        """Return a column by name or, if no column has the name, by number from 1 or letter."""
        file, index = self.content.file.name, self.content.position(name)
        if list(self.names).count(name) > 1:
            raise UsageError(f"{file} has two columns called {name}", hint="give the number of the column, from 1")
        if index is None:
            raise missing_column_error(file, name, listed_names(self.names))
        return self.content.column(role, index)


def open_tables(
    paths: Sequence[str],
    names: Sequence[str | None] | None = None,
    format: str | Format | None = None,
    *,
    header: bool = True,
    skip_rows: int = 0,
    system: str | None = None,
) -> list[InputTable]:
    """Open tables and return them.

    Args:
        paths: The files.
        names: Their names; None is the base name of the file.
        format: See CorpusFiles.of_table.
        header: See CorpusFiles.of_table.
        skip_rows: See CorpusFiles.of_table.
        system: A column of names of systems, each of which gets a table of its rows.

    Raises:
        GecevalError: See table_format; and the format's errors of reading.
    """
    tables = [
        InputTable(
            _opened(path, lambda path: table_format(path, format, header=header, skip_rows=skip_rows)),
            label,
            label in (names or ()),
        )
        for label, path in named_systems(paths, names).items()
    ]
    if system is None:
        return tables
    columns_of(tables, "system names", system)  # raises UsageError without one
    return [part for table in tables for part in table.by_system(system)]


def _opened(path: str, format_of: Callable[[str], Format]) -> FileContent:
    """Return the content of a table; raises UsageError for a format that returns anything else.

    ``format_of`` returns the format of a file.
    """
    if parts := parts_of(path):
        return open_parts(path, parts, format_of(parts[0]))
    content = format_of(path)(InputFile(path))
    if not isinstance(content, FileContent):
        raise UsageError(f"a format must return a geceval.extending.FileContent, not {shown(content)}")
    return content


@dataclass(frozen=True)
class TableColumns:
    """The columns of a table in a corpus.

    ``references`` contain texts or lists of texts. ``own_references`` are references of one system each, by its name,
    ``own_sources`` the sources that one system each corrects. ``copies`` are sources of further tables, which must be
    the same, ``further_references`` references of further tables, which reference_owners takes for copies or for
    references of the systems in their table.
    """

    source: FileColumn | None = None
    references: Sequence[FileColumn] = ()
    systems: Mapping[str, FileColumn] = field(default_factory=dict)
    labels: FileColumn | None = None
    copies: Sequence[FileColumn] = ()
    further_references: Sequence[FileColumn] = ()
    own_sources: Mapping[str, FileColumn] = field(default_factory=dict)
    own_references: Mapping[str, Sequence[FileColumn]] = field(default_factory=dict)

    @staticmethod
    def of(
        tables: Sequence[InputTable],
        source: str | None = None,
        hypothesis: str | Sequence[str] | Mapping[str, str] | None = None,
        references: str | Sequence[str] | Mapping[str | None, str | Sequence[str]] | None = None,
        labels: str | None = None,
        *,
        find: Collection[Role] = ROLES,
        guess: Collection[Role] = ROLES,
    ) -> TableColumns:
        """Return the named columns.

        None stands for the default columns, if the role is in ``find``; if it is in ``guess``, too, columns with less
        usual names may have it. Sources and references are those of the first table that has them, with copies in
        further tables; systems are those of all tables. References of one system each are given by its name, those of
        all systems by None.
        """
        by_owner = references if isinstance(references, Mapping) else {None: references}
        common = _listed("references", by_owner.get(None))
        listed_by_owner = {name: _listed("references", names) for name, names in by_owner.items() if name is not None}
        named = {"source": _listed("source", source), "references": [*common, *chain(*listed_by_owner.values())]}
        named |= {"systems": _listed("hypothesis", hypothesis), "labels": _listed("labels", labels)}
        find = [role for role in find if not named[role]]
        defaults = _default_names(tables, find, [role for role in find if role in guess], chain(*named.values()))
        source_names = named["source"] or next(filter(None, defaults["source"]), [])
        sources = columns_of(tables, "source", source_names[0]) if source_names else []
        columns = TableColumns(
            next(iter(sources), None),
            (),
            _systems(tables, hypothesis, defaults["systems"]),
            None if labels is None else columns_of(tables, "labels", labels)[0],
            sources[1:],
        )
        if named["references"]:
            in_tables = [columns_of(tables, f"reference {r}", name) for r, name in enumerate(common)]
        else:
            in_tables = _default_references(tables, columns, defaults["references"], guesses="references" in guess)
        return replace(
            columns,
            references=[first for first, *_ in in_tables],
            further_references=[column for _, *further in in_tables for column in further],
            own_references={
                owner: [columns_of(tables, f"reference {r}", name)[0] for r, name in enumerate(names, len(common))]
                for owner, names in listed_by_owner.items()
            },
        )

    def as_pairs(self) -> TableColumns:
        """Return the columns with the only reference as the system, if there is no system."""
        if self.systems or len(self.references) != 1 or self.further_references:
            return self
        [column] = self.references
        return replace(self, references=(), systems={column.name: column.content.column("system", column.index)})

    def source_next_to(self, content: FileContent) -> FileColumn | None:
        """Return the source, or its copy, in the same table; None without one."""
        sources = (self.source, *self.copies)
        return next((column for column in sources if column is not None and column.content is content), None)

    @property
    def all_references(self) -> list[FileColumn]:
        """The references of all systems, of further tables and of single systems."""
        return [*self.references, *self.further_references, *chain.from_iterable(self.own_references.values())]

    def references_of_systems(self) -> list[list[FileColumn]]:
        """Return the references of each system if one has its own, else those of all; all of them have any."""
        owners = self.systems if self.own_references else [""]
        lists = [[*self.references, *self.own_references.get(owner, ())] for owner in owners]
        return [references for references in lists if references]

    @property
    def all(self) -> list[FileColumn]:
        """All columns."""
        columns = [self.source, *self.own_sources.values(), *self.all_references, *self.systems.values()]
        columns += [self.labels, *self.copies]
        return [column for column in columns if column is not None]

    @property
    def system_tables(self) -> list[FileContent]:
        """The tables with columns of systems."""
        return list(dict.fromkeys(column.content for column in self.systems.values() if column.in_table))

    @property
    def paths(self) -> list[str]:
        """The files of the tables; empty without a table."""
        return list({column.content.file.path for column in self.all})

    def with_contents(self, contents: Mapping[FileContent, FileContent]) -> TableColumns:
        """Return the columns in other contents, where these have one."""

        def moved(column: FileColumn) -> FileColumn:
            return replace(column, content=contents.get(column.content, column.content))

        return TableColumns(
            None if self.source is None else moved(self.source),
            [moved(column) for column in self.references],
            {name: moved(column) for name, column in self.systems.items()},
            None if self.labels is None else moved(self.labels),
            [moved(column) for column in self.copies],
            [moved(column) for column in self.further_references],
            {name: moved(column) for name, column in self.own_sources.items()},
            {name: [moved(column) for column in references] for name, references in self.own_references.items()},
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the names of the columns by role as JSON values."""
        return {
            "source": None if self.source is None else self.source.name,
            "references": [column.name for column in self.references],
            "systems": {name: column.name for name, column in self.systems.items()},
        }

    def described(self) -> str:
        """Return the columns of each role in one line."""
        systems = self.systems.items()
        owned = ((name, column) for name, columns in self.own_references.items() for column in columns)
        roles: list[tuple[str, Sequence[str]]] = [
            ("source", [] if self.source is None else [self.source.name]),
            ("references", list(dict.fromkeys(column.name for column in (*self.references, *self.further_references)))),
            ("references of one system", [f"{name}={column.name}" for name, column in owned]),
            ("systems", [column.name if name == column.name else f"{name}={column.name}" for name, column in systems]),
            ("labels", [] if self.labels is None else [self.labels.name]),
        ]
        return "; ".join(f"{role}: {', '.join(names)}" for role, names in roles if names)


def _listed(argument: str, names: str | Sequence[str] | Mapping[str, str] | None) -> Sequence[str]:
    if isinstance(names, Mapping):
        return list(names.values())
    return [] if names is None else [names] if isinstance(names, str) else as_sequence(argument, names, "column")


def warn_of_systems(columns: TableColumns) -> None:
    """Warn of names of systems in a table, several with as many rows each, whose rows are scored as one system.

    Names of runs, such as epochs, have rows with the same sources.
    """
    for content in columns.system_tables:
        for name in () if content.order is not None else content.names:
            is_system = SYSTEM_NAMES.fullmatch(name) is not None
            if not is_system and RUN_NAMES.fullmatch(name.rpartition(".")[2]) is None:
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


#: Paths of the arguments of tools that a model calls, and the first step of a list in the path of an answer.
_TOOL_ARGUMENTS = (
    r"(?!.*(?:request|prompt))(?:.+\.)?(?:content\.\d+\.input(?:\.[^.]+)?|tool_calls\.\d+\.function\.arguments)"
)
_FIRST_ITEM = re.compile(r"(?<=\.)0(?=\.|$)")


def warn_of_further_answers(columns: TableColumns) -> None:
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


#: Fewest words of a sentence in place of the name of a column, and similarity of two versions of a sentence.
_FEWEST, _VERSION = 3, 0.6


def are_sentences(names: Iterable[str]) -> bool:
    """Return whether two names of columns are versions of a sentence, as in the first row of a table without header."""
    sentences = [name for name in names if len(name.split()) >= _FEWEST and name.rstrip("\"'”’»」")[-1:] in ".?!。？！"]
    return any(similarity_of(first, second) >= _VERSION for first, second in combinations(sentences, 2))


def warn_of_header(columns: TableColumns) -> None:
    """Warn of tables whose header is a row of sentences."""
    by_content: dict[FileContent, list[str]] = {}
    for column in columns.all:
        by_content.setdefault(column.content, []).append(column.name)
    for content, names in by_content.items():
        if content.is_table and are_sentences(names):
            message = f"{content.file.name}: the first row is the header, but has sentences: they are not scored"
            warn(message, Hint(Option("no_header"), " reads it as a row; columns are numbers"))


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


def warn_of_swapped_names(columns: TableColumns) -> None:
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


def _default_references(
    tables: Sequence[InputTable], columns: TableColumns, defaults: Sequence[Sequence[str]], *, guesses: bool
) -> list[list[FileColumn]]:
    """Return the references of the first table that has them by default, the first one with those of other tables.

    Args:
        tables: The tables.
        columns: The columns of other roles.
        defaults: The names of references in each table.
        guesses: Whether columns of other tables with less usual names are references, too.
    """
    index = next((index for index, names in enumerate(defaults) if names), None)
    if index is None:
        return []
    references = [[tables[index].column(f"reference {r}", name)] for r, name in enumerate(defaults[index])]
    for table in (*tables[:index], *tables[index + 1 :]):
        used = {column.name for column in columns.all if column.content is table.content}
        names: Sequence[str] = [name for name in usual_names(table.names, "references") if name not in used]
        if not names and guesses:
            free = [name for name in table.names if name not in used]
            names = further_names(free, [*REFERENCES, LIKE_REFERENCES], partial(has_values, table.content))
        references[0] += [table.column("reference", name) for name in names]
    return references


def columns_of(tables: Sequence[InputTable], role: str, name: Any) -> list[FileColumn]:
    """Return the column of each table that has it.

    Raises UsageError if no table has it.
    """
    columns = [table.column(role, name) for table in tables if table.content.position(name) is not None]
    if not columns:
        files = [table.content.file.name for table in tables]
        raise missing_column_error(" and ".join(files), name, column_names(tables), "have" if files[1:] else "has")
    return columns


def column_names(tables: Sequence[InputTable]) -> list[str]:
    """Return the names of the columns of all tables."""
    return list(dict.fromkeys(name for table in tables for name in listed_names(table.names)))


def _default_names(
    tables: Sequence[InputTable], find: Collection[Role], guess: Collection[Role], named: Iterable[Any]
) -> dict[Role, list[list[str]]]:
    """Return the names of the columns of each role, by table; see TableColumns.of.

    Columns in ``named`` have no further role by a less usual name.
    """
    names: dict[Role, list[list[str]]] = {
        role: [usual_names(table.names, role) if role in find else [] for table in tables] for role in ROLES
    }
    named = list(named)
    for role, patterns in FURTHER:
        for index, table in enumerate(tables):
            if role in guess and not (names[role][index] if role == "systems" else any(names[role])):
                with_role = chain(named, *(by_table[index] for by_table in names.values()))
                used = [table.names[place] for name in with_role if (place := table.content.position(name)) is not None]
                free = [name for name in table.names if not any(_is_within(name, above) for above in used)]
                names[role][index] = further_names(free, patterns, partial(has_values, table.content))
                if role == "systems":
                    _check_is_corrected(table, names[role][index])
    if "references" in guess and not any(names["references"]):
        _move_references(tables, names)
    return names


def _check_is_corrected(table: InputTable, names: Sequence[str]) -> None:
    """Raise UsageError if the columns guessed to be systems are the texts that were checked, next to suggestions."""
    from geceval.text.m2.suggestion_rows import TEXTS  # texts need no suggestions

    texts = (name for name in names if name.rpartition(".")[2].lower() in TEXTS and not is_answer(name))
    name = next(texts, None)
    content = table.content
    if name is None or not any(
        has_values(content, column, partial(_may_be_suggestions, column)) for column in content.names
    ):
        return
    file = content.file
    step = Hint(Option("systems", "FILE.jsonl"), " reads suggestions")
    if has_ending(file.path, *SUGGESTIONS):
        step = Hint(Option("systems", file.path), " reads the suggestions")
    message = f"{file.name}: the column {name} is next to suggestions: the checked text, not the text of a system"
    raise UsageError(message, hint=Hint(step, "; if it has corrections: ", Option("hypothesis_column", name)))


def _may_be_suggestions(column: str, value: Any) -> bool:
    """Return whether a value of a column is a list of suggestions, also as JSON text."""
    from geceval.text.m2.suggestion_rows import may_have_suggestions  # texts need no suggestions

    return may_have_suggestions({column.rpartition(".")[2]: written_value(value)})


def _is_within(name: str, used: str) -> bool:
    """Return whether a column is another one or a field of it, or an item of the list whose text the other one has."""
    above, _, step = used.rpartition(".")
    is_item = step in ("assistant", "text") and re.match(rf"{re.escape(above)}\.\d", name) is not None
    return is_item or f"{name}.".startswith(f"{used}.")


def _move_references(tables: Sequence[InputTable], names: dict[Role, list[list[str]]]) -> None:
    """Take a guessed system as reference if its table is the only one with a source, and others have systems."""
    with_source = [index for index, table in enumerate(tables) if has_source(table.names)]
    if len(with_source) == 1 and any(
        systems for index, systems in enumerate(names["systems"]) if index not in with_source
    ):
        [data] = with_source
        if not usual_names(tables[data].names, "systems"):
            names["references"][data], names["systems"][data] = names["systems"][data], []


def _systems(
    tables: Sequence[InputTable],
    hypothesis: str | Sequence[str] | Mapping[str, str] | None,
    defaults: Sequence[Sequence[str]],
) -> dict[str, FileColumn]:
    """Return the columns of systems by name; ``defaults`` are their names in each table if none are given."""
    if isinstance(hypothesis, Mapping):
        pairs = [(name, _only(columns_of(tables, "system", column))) for name, column in hypothesis.items()]
    elif hypothesis is None:
        columns = [
            table.column("system", name) for table, names in zip(tables, defaults, strict=True) for name in names
        ]
        pairs = _named(tables, columns, by_file={column.name for column in columns})
    else:
        named = _listed("hypothesis", hypothesis)
        columns = [column for name in named for column in columns_of(tables, "system", name)]
        counts = Counter(column.name for column in columns)
        pairs = _named(tables, columns, by_file={name for name, count in counts.items() if count > 1})
    systems: dict[str, FileColumn] = {}
    for name, column in pairs:
        if name == SOURCE:
            raise UsageError(f"{SOURCE} is the name of the unchanged source")
        if name in systems:
            raise duplicate_system_error(name)
        systems[name] = column
    return systems


def _only(columns: Sequence[FileColumn]) -> FileColumn:
    """Return the only column; raises UsageError for several, which cannot have one name."""
    if len(columns) > 1:
        files = ", ".join(column.content.file.name for column in columns)
        name = columns[0].name
        file = Step(Hint(Option("table", "NAME=FILE")), 'geceval.read_table({"NAME": "FILE"})')
        raise UsageError(
            f"{files} have a column {name}: one name for several systems",
            hint=Hint(file, " names the system of a file; ", Option("hypothesis_column", name)),
        )
    return columns[0]


def _named(
    tables: Sequence[InputTable], columns: Sequence[FileColumn], by_file: Collection[str]
) -> list[tuple[str, FileColumn]]:
    """Return columns and the names of their systems.

    The table names them if it has a name; its file those whose columns are in ``by_file``, if several tables have
    systems or the name is a path.
    """
    numbers = Counter(column.content for column in columns)
    by_content = {table.content: table for table in tables}
    pairs = []
    for column in columns:
        table, name = by_content[column.content], column.name
        if table.is_named or (name in by_file and (len(numbers) > 1 or is_answer(name))):
            name = table.label if numbers[column.content] == 1 else f"{table.label} {name}"
        pairs.append((name, column))
    return pairs


# --- identifiers of rows ---

#: The value of ``--id`` for rows that are matched by position without a check.
NONE = "none"


def key_columns(contents: Iterable[FileContent], names: Sequence[str]) -> dict[FileContent, FileColumn]:
    """Return the column of identifiers of each table that has one.

    Args:
        contents: The files.
        names: Names of the column, best first; without any, the usual ones are used where they occur.

    Raises:
        UsageError: If a table has no column of these names.
    """
    keys = {}
    for content in contents:
        if content.is_table and len(content.names) > 1 and NONE not in names:
            known = (content.key,) if content.key else names or KEYS
            index = next((index for name in known if (index := content.position(name)) is not None), None)
            if index is not None:
                keys[content] = content.column(KEY, index)
            elif names:
                known_names = choices(listed_names(content.names))
                message = f"{content.file.name} has no column {' or '.join(names)}: choose from {known_names}"
                hint = Hint(
                    Option("id", f"{' '.join(names)} COL"),
                    ": a table is matched by the first of the columns that it has",
                )
                raise UsageError(message, hint=hint)
    return keys


def is_key(content: FileContent, name: str) -> bool:
    """Return whether a column may have identifiers of rows, by its name and its first values."""
    if not may_be_numbers(name):
        return may_be_key(name)
    [values] = next(content.cells([content.names.index(name)], HEAD), [[]])
    return all(str(value).strip().isdecimal() for value in plain_values(values))
