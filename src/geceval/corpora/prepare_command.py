"""``geceval prepare``: align, clean, normalise, detokenise and tokenise text."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable, Iterator
from operator import ne
from typing import TextIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from geceval._kernel import Text, divided_lines
from geceval.base.errors import InputError, MissingExtraError, UsageError
from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import LanguageChoice, first_lines
from geceval.cli.options import TargetOption, ThreadsOption
from geceval.cli.output import terminal_width, write_text, writing, writing_bytes
from geceval.cli.parsing import Command
from geceval.cli.stderr import note, note_cleaned, quantity, warn
from geceval.edits.languages import LANGUAGES
from geceval.edits.languages.language_options import AUTO, LanguageOptions
from geceval.tables.formats.terminal import as_text
from geceval.tables.table import plain_table
from geceval.text.files import check_standard_input, display_name, has_ending, is_m2
from geceval.text.inputs import CleaningOptions
from geceval.text.line_rules import CleanedLines
from geceval.text.tokenisers import TOKENISERS, make_tokeniser, tokenised

#: Number of lines in memory at a time.
PART = 1 << 14
#: Share of the source's words that a text to align must have, in their order.
ALIKE = 0.4
#: Number of lines of the test sets.
LINES = {"bea19": 4477, "conll14": 1312}


class PrepareRequest(ThreadsOption, TargetOption, CleaningOptions, CommandRequest):
    """Files and the steps that prepare them."""

    files: tuple[str, ...] = option(nargs="*", reads_file=True)
    source: str | None = option("-s", "--source", reads_file=True)
    align: str | None = option("--align", metavar="SOURCE", reads_file=True)
    diff: bool = option("--diff")
    language: str | None = option("--language", known=LANGUAGES, metavar="NAME", reads_file=True)
    submission: str | None = option("--submission", choices=LINES)
    list: bool = option("--list")

    def check(self) -> None:
        super().check()
        if self.list:
            return
        if self.language is not None and self.tokenise not in (None, AUTO):
            message = f"--language {self.language} selects a tokeniser, and --tokenise {self.tokenise} another one"
            raise UsageError(message, hint="omit one of them")
        for path in self.files:
            if is_m2(path):
                hint = "geceval m2 source and geceval m2 apply print its text"
                raise UsageError(f"{path}: an M2 file cannot be prepared: its edits count tokens", hint=hint)
        if self.submission == "bea19" and not str(self.target).endswith(".zip"):
            raise UsageError("--submission bea19 writes an archive", hint="-o FILE.zip")
        if self.diff and self.submission:
            raise UsageError("--diff writes no submission", hint="omit one of them")
        if self.align and self.source:
            raise UsageError("--align names the sentences, too", hint="omit -s")
        sentences = self.source or self.align
        if self.clean and sentences is None:
            raise UsageError("--clean requires the sentences that the texts correct", hint="-s FILE")
        if not (self.has_steps or self.align or self.clean or self.language or self.submission):
            raise UsageError("nothing to do", hint="--clean llm, --tokenise NAME, --normalise FORM, …")
        check_standard_input([*self.files, *filter(None, [sentences])])


def run(request: PrepareRequest) -> None:
    """Write the prepared texts, or the list of tokenisers."""
    if request.list:
        rows = [[name, _signed(name), _summary(name)] for name in TOKENISERS.names()]
        table = plain_table(["name", "in signatures", "description"], rows)
        write_text(request.target, as_text(table, width=terminal_width(request.target)))
        return
    language = LanguageChoice(
        LanguageOptions(language=request.language), lambda: first_lines(next(iter(request.files), None))
    )
    tokeniser = language.tokeniser(request.tokenise or (request.language and AUTO))
    preparation = request.preparation(tokeniser, request.threads)
    steps, files = preparation.steps, request.files or ("-",)
    joined = request.detokenise or ""
    cutter = make_tokeniser(joined) if joined.partition(":")[0] in TOKENISERS else None
    seen, changed, lost = 0, dict.fromkeys(steps, 0), list[str]()
    cleaned = CleanedLines()
    checked = request.submission and writing_submission(request.submission, files[0], request.target)
    with checked or writing(request.target) as out:
        for path in files:
            first = 1
            for lines, source in _aligned(path, request.align) if request.align else _parts(path, request.source):
                new = lines
                for key, (_, step) in steps.items():
                    old, new = new, step(new, source)
                    changed[key] += sum(map(ne, old, new))
                    if key == "clean" and source is not None:
                        cleaned += CleanedLines.of(old, new, source)
                    if key == "detok" and cutter is not None:
                        lost += [f"{path}:{first + at}" for at in tokenised(new, cutter).differing(old)]
                numbered = enumerate(zip(lines, new, strict=True), first)
                differences = (f"{path}:{n}\n- {line}\n+ {done}\n" for n, (line, done) in numbered if line != done)
                out.writelines(differences if request.diff else (f"{line}\n" for line in new))
                first += len(lines)
            seen += first - 1
    note(*(f"{changed[key]} of {seen} lines changed by {key}:{name}" for key, (name, _) in steps.items()))
    note_cleaned(cleaned, seen)
    if lost:
        note(f"detokenised, {len(lost)} of {seen} lines do not have the same tokens again: {', '.join(lost[:3])}")


def _aligned(path: str, align: str) -> Iterable[tuple[Text, Text]]:
    """Return a text in the lines of its sentences, and the sentences.

    Notes on stderr name the changes. Raises InputError if the text has too few of their words.
    """
    from geceval.text.reading.lines import read_lines

    source, text = Text(read_lines(align)), Text(read_lines(path))
    found = divided_lines(source, text)
    if found is None or found[2] < ALIKE:
        share = "too few" if found is None else f"{found[2]:.0%}"
        message = (
            f"not aligned: it has {share} of the words of {align} in their order (at least {ALIKE:.0%} are needed)"
        )
        raise InputError(message, path=path, hint="check that it corrects these sentences")
    lines, (merged, split, lost, doubtful), _ = found
    note(f"{path}: {len(text)} lines aligned with the {len(source)} lines of {align}")
    for report, places, what in (
        (note, merged, f"of {path} divided"),
        (note, split, f"of {align} joined from several"),
        (warn, lost, f"of {align} without text"),
        (warn, doubtful, f"of {align} beside a division with less than a third of their words"),
    ):
        if places:
            first = ", ".join(str(at + 1) for at in places[:3])
            report(f"{quantity(len(places), 'line')} {what}: {first}{', …' * (len(places) > 3)}")
    return [(lines, source)]


def _parts(path: str, source: str | None) -> Iterable[tuple[Text, Text | None]]:
    """Yield lines of a text, with the sentences that they correct if these are known."""
    from geceval.text.reading.file_columns import align_columns, text_columns
    from geceval.text.reading.lines import line_parts

    if source is None and not has_ending(path, ".para"):
        return ((lines, None) for lines in line_parts(path, PART))
    columns = text_columns([("source", source or path), ("system", path)])
    return ((Text(rows[columns[1]]), Text(rows[columns[0]])) for rows in align_columns(columns, PART))


def _signed(name: str) -> str:
    """Return the name in signatures or the missing package (placeholders: nothing)."""
    if name.endswith((":NAME", ":LANG")):
        return ""
    try:
        return make_tokeniser(name).name
    except MissingExtraError as error:
        return f"needs {error.hint}"


def _summary(name: str) -> str:
    """Return the first line of a tokeniser's docstring."""
    return str(TOKENISERS[name.partition(":")[0]].__doc__ or "").partition("\n")[0]


@contextlib.contextmanager
def writing_submission(test_set: str, path: str, target: str | None) -> Iterator[TextIO]:
    """Yield a stream for the lines of ``path``, and write them if all are valid.

    A target named ``.zip`` is an archive of one file, equal for equal lines.

    Raises:
        InputError: if the test set has another number of lines; names the first line that is missing or superfluous.
    """
    text, number, path = io.StringIO(newline="\n"), LINES[test_set], display_name(path)
    yield text
    lines = text.getvalue().split("\n")[:-1]
    if len(lines) != number:
        message = f"{quantity(len(lines), 'line')}, and the test set {test_set} has {number}"
        raise InputError(message, path=path, line=min(len(lines), number) + 1)
    if empty := [str(at) for at, line in enumerate(lines, 1) if not line.strip()]:
        warn(f"{path}: {quantity(len(empty), 'line')} without text: {', '.join(empty[:10])}")
    if sum(line[-2:-1].isalpha() and line[-1] in ".?!" for line in lines) > number // 2:
        warn(f"{path}: most full stops are part of a word, but tokens in the test set (hint: --preset {test_set})")
    if not str(target).endswith(".zip"):
        write_text(target, text.getvalue())
        return
    with writing_bytes(str(target)) as raw, ZipFile(raw, "w") as archive:
        entry = ZipInfo(f"{test_set}.txt")  # of 1980, and of no system
        entry.create_system = 0
        archive.writestr(entry, text.getvalue().encode("utf-8", "surrogateescape"), ZIP_DEFLATED)


COMMAND = Command(PrepareRequest, run)
