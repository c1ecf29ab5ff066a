"""``geceval prepare``: align, clean, normalise, detokenise and tokenise text."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import ne
from typing import Annotated, Literal, TextIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from cyclopts import Parameter

from geceval._kernel import Text, divided_lines
from geceval.base.arguments import counted
from geceval.base.caller_warnings import warn
from geceval.base.errors import InputError, MissingExtraError, UsageError
from geceval.base.hints import command_words
from geceval.commands.shared.corpus_options import AUTO, CleaningOptions
from geceval.commands.shared.language_choice import LanguageChoice, first_lines
from geceval.commands.shared.option_groups import OUTPUT, TEXT
from geceval.commands.shared.options import TargetOption, Threads
from geceval.commands.shared.run_warnings import note_cleaned
from geceval.edits.languages import LANGUAGES
from geceval.tables.table import plain_table
from geceval.tables.terminal import as_text
from geceval.terminal.messages import note, terminal_width
from geceval.terminal.writing import write_text, writing, writing_bytes
from geceval.text.files import check_standard_input, display_name, has_ending, is_m2
from geceval.text.line_rules import CleanedLines, make_rules
from geceval.text.preparation import Preparation
from geceval.text.reading.aligned_files import align_columns
from geceval.text.reading.file_kinds import TEXT_TABLES, endings_of
from geceval.text.reading.lines import line_parts
from geceval.text.reading.text_files import text_columns
from geceval.text.tokenisers import TOKENISERS, make_tokeniser, tokenised

#: Number of lines in memory at a time.
PART = 1 << 14
#: Share of the source's words that a text to align must have, in their order.
ALIKE = 0.4
#: Number of lines of the test sets.
LINES = {"bea19": 4477, "conll14": 1312}


Files = Annotated[
    tuple[str, ...],
    Parameter(name="FILE", help="texts to prepare, written one after another (default: standard input)"),
]


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class PrepareOutputOptions(TargetOption):
    """The file, and the form of its contents."""

    submission: Literal["bea19", "conll14"] | None = None
    """write a submission for a test set with the same number of lines: -o FILE.zip"""
    diff: bool = False
    """write the changed lines, before and after, instead of the texts"""
    list: bool = False
    """list the tokenisers and exit"""
    threads: Threads = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.submission == "bea19" and not str(self.target).endswith(".zip"):
            raise UsageError("--submission bea19 writes an archive", hint="-o FILE.zip")
        if self.diff and self.submission:
            raise UsageError("--diff and --submission exclude each other", hint="omit one of them")


@Parameter(name="*", group=TEXT)
@dataclass(frozen=True, kw_only=True)
class PrepareRequest:
    """The steps that prepare texts."""

    source: Annotated[str | None, Parameter(alias="-s", metavar="FILE")] = None
    """sentences that the texts correct (required by --clean)"""
    align: Annotated[str | None, Parameter(metavar="SOURCE")] = None
    """first divide and join the lines of each text to match the lines of SOURCE, the sentences that it corrects;
    implies -s SOURCE"""
    language: Annotated[
        str | None,
        Parameter(
            metavar="NAME",
            help=f"use the tokeniser of a language: {', '.join(LANGUAGES)}, spanish, ja, …, a table (FILE), or auto"
            " (detected from the first file); with --normalise letters, its letters only",
        ),
    ] = None
    cleaning: CleaningOptions = CleaningOptions()
    output: PrepareOutputOptions = PrepareOutputOptions()

    def __post_init__(self) -> None:
        cleaning = self.cleaning
        if self.output.list:
            return
        if self.language is not None and cleaning.tokenise not in (None, AUTO) and not self.unifies_letters:
            message = f"--language {self.language} selects a tokeniser, and --tokenise {cleaning.tokenise} another one"
            raise UsageError(message, hint="omit one of them")
        if self.align and self.source:
            raise UsageError("--align and -s exclude each other", hint="omit -s")
        is_guarded = cleaning.clean and any(rule.guarded for rule in make_rules(cleaning.clean).rules)
        if is_guarded and self.sentences is None:
            raise UsageError("--clean requires the sentences that the texts correct", hint="-s FILE")

    @property
    def unifies_letters(self) -> bool:
        """Whether the language is that of letters."""
        return "letters" in self.cleaning.normalise

    @property
    def sentences(self) -> str | None:
        """The file of the sentences that the texts correct."""
        return self.source or self.align


def prepare(files: Files = (), /, *, request: PrepareRequest = PrepareRequest()) -> None:
    """Write the prepared texts, or the list of tokenisers.

    Examples:
      geceval prepare --preset bea19 --submission bea19 raw.txt -o bea19.zip
      geceval prepare --clean llm -s source.txt raw.txt --diff
      geceval prepare --align source.txt paragraphs.txt -o sentences.txt
      geceval prepare --detokenise treebank --tokenise english system.txt

    documentation: docs/tokenisation.md
    """
    output, cleaning = request.output, request.cleaning
    if output.list:
        rows = [[name, _signed(name), _summary(name)] for name in TOKENISERS.names()]
        table = plain_table(["name", "in signatures", "description"], rows)
        write_text(output.target, as_text(table, width=terminal_width(output.target)))
        return
    if not (cleaning.has_steps or request.align or cleaning.clean or request.language or output.submission):
        raise UsageError("nothing to do", hint="--clean llm, --tokenise NAME, --normalise FORM, …")
    for path in files:
        if is_m2(path):
            hint = "geceval m2 source and geceval m2 apply print its text"
            raise UsageError(f"{path}: an M2 file cannot be prepared: its edits refer to tokens", hint=hint)
    check_standard_input([*files, *filter(None, [request.sentences])])
    language = LanguageChoice(request.language, lambda: first_lines(next(iter(files), None)))
    by_language = AUTO if request.language is not None and not request.unifies_letters else None
    tokeniser = language.tokeniser(cleaning.tokenise or by_language)
    preparation = cleaning.preparation(tokeniser, output.threads, language=request.language)
    preparation = preparation.of_source(language.head)
    steps, files = AppliedSteps(preparation, cleaning.detokenise), files or ("-",)
    breaks = preparation.joins_lines("systems")
    checked = output.submission and writing_submission(output.submission, files[0], output.target)
    with checked or writing(output.target) as out:
        for path in files:
            first = 1
            parts = _aligned(path, request.align, breaks) if request.align else _parts(path, request.source, breaks)
            for lines, source in parts:
                prepared = steps.apply(path, first, lines, source)
                numbered = enumerate(zip(lines, prepared, strict=True), first)
                marked = ((n, str(a).replace("\n", "\n- "), b) for n, (a, b) in numbered if a != b)
                differences = (f"{path}:{n}\n- {a}\n+ {b}\n" for n, a, b in marked)
                out.writelines(differences if output.diff else (f"{line}\n" for line in prepared))
                first += len(lines)
    steps.print_notes()


class AppliedSteps:
    """The steps of a preparation, with the numbers of lines that they change."""

    def __init__(self, preparation: Preparation, detokenise: str | None) -> None:
        self._steps, self._lines = preparation.steps, 0
        self._changed = dict.fromkeys(self._steps, 0)
        self._cleaned = CleanedLines()
        #: The tokeniser whose tokens are joined, and the lines that it divides into other tokens afterwards.
        joined = detokenise or ""
        self._cutter = make_tokeniser(joined) if joined.partition(":")[0] in TOKENISERS else None
        self._lost: list[str] = []

    def apply(self, path: str, first: int, lines: Text, source: Text | None) -> Text:
        """Return prepared lines of a file, of which ``first`` is the number of the first one, from 1."""
        for key, (_, step) in self._steps.items():
            old, lines = lines, step(lines, source)
            self._changed[key] += sum(map(ne, old, lines))
            if key == "clean" and source is not None:
                self._cleaned += CleanedLines.of(old, lines, source)
            if key == "detok" and self._cutter is not None:
                self._lost += [f"{path}:{first + index}" for index in tokenised(lines, self._cutter).differing(old)]
        self._lines += len(lines)
        return lines

    def print_notes(self) -> None:
        """Print the numbers of changed lines, of answers that were cut, and of lines whose tokens are lost."""
        total = self._lines
        note(*(f"{self._changed[key]} of {total} lines changed by {key}:{self._steps[key][0]}" for key in self._steps))
        note_cleaned(self._cleaned, total)
        if self._lost:
            places = ", ".join(self._lost[:3])
            note(f"detokenised: {len(self._lost)} of {total} lines have other tokens when tokenised: {places}")


def _aligned(path: str, align: str, breaks: bool) -> Iterable[tuple[Text, Text]]:
    """Return a text in the lines of its sentences, and the sentences.

    Notes on stderr name the changes. Raises InputError if the text has too few of their words.
    """
    columns = text_columns([("source", align), ("system", path)])
    source, text = (column.checked(column.all_values(), 0, breaks=breaks) for column in columns)
    divided = divided_lines(source, text)
    if divided is None or divided["word_share"] < ALIKE:
        share = "too few" if divided is None else f"{divided['word_share']:.0%}"
        message = (
            f"not aligned: it has {share} of the words of {align} in their order (at least {ALIKE:.0%} are needed)"
        )
        raise InputError(message, path=path, hint="check that it corrects these sentences")
    note(f"{path}: {len(text)} lines aligned with the {len(source)} lines of {align}")
    for report, lines, what in (
        (note, divided["merged"], f"of {path} divided"),
        (note, divided["split"], f"of {align} joined from several"),
        (warn, divided["lost"], f"of {align} without text"),
        (warn, divided["doubtful"], f"of {align} next to an uncertain split"),
    ):
        if lines:
            first = ", ".join(str(line + 1) for line in lines[:3])
            report(f"{counted(len(lines), 'line')} {what}: {first}{', …' * (len(lines) > 3)}")
    return [(divided["lines"], source)]


def _parts(path: str, source: str | None, breaks: bool) -> Iterable[tuple[Text, Text | None]]:
    """Yield lines of a text, with the sentences that they correct if these are known."""
    if source is None and not has_ending(path, *TEXT_TABLES):
        return ((lines, None) for lines in line_parts(path, PART))
    has_source = source is not None or has_ending(path, *endings_of("para"))
    columns = text_columns([("source", source or path), ("system", path)][not has_source :])
    texts = (
        [col.checked(rows.values[col], 0, breaks=breaks) for col in columns] for rows in align_columns(columns, PART)
    )
    return ((lines[-1], lines[0] if has_source else None) for lines in texts)


def _signed(name: str) -> str:
    """Return the name in signatures or the missing package (placeholders: nothing)."""
    if name.endswith((":NAME", ":LANG")):
        return ""
    try:
        return make_tokeniser(name).name
    except MissingExtraError as error:
        return f"needs {command_words(error.hint or '')}"


def _summary(name: str) -> str:
    """Return the first line of a tokeniser's docstring."""
    return str(TOKENISERS[name.partition(":")[0]].__doc__ or "").partition("\n")[0]


@contextlib.contextmanager
def writing_submission(test_set: str, path: str, target: str | None) -> Iterator[TextIO]:
    """Yield a stream for the lines of ``path``, and write them if all are valid.

    A target named ``.zip`` is an archive of one file, equal for equal lines.

    Raises:
        InputError: If the test set has another number of lines; names the first line that is missing or superfluous.
    """
    text, number, path = io.StringIO(newline="\n"), LINES[test_set], display_name(path)
    yield text
    lines = text.getvalue().split("\n")[:-1]
    if len(lines) != number:
        message = f"{counted(len(lines), 'line')}, but the test set {test_set} has {number}"
        raise InputError(message, path=path, line=min(len(lines), number) + 1)
    if empty := [str(n) for n, line in enumerate(lines, 1) if not line.strip()]:
        warn(f"{path}: {counted(len(empty), 'line')} without text: {', '.join(empty[:10])}")
    if sum(line[-2:-1].isalpha() and line[-1] in ".?!" for line in lines) > number // 2:
        warn(f"{path}: most full stops are part of a word, unlike in the test set (hint: --preset {test_set})")
    if not str(target).endswith(".zip"):
        write_text(target, text.getvalue())
        return
    with writing_bytes(str(target)) as raw, ZipFile(raw, "w") as archive:
        entry = ZipInfo(f"{test_set}.txt")  # of 1980, and of no system
        entry.create_system = 0
        archive.writestr(entry, text.getvalue().encode("utf-8", "surrogateescape"), ZIP_DEFLATED)
