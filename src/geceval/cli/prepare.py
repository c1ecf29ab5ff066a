"""``geceval prepare``: tokenise, normalise and clean text."""

from __future__ import annotations

from geceval.base.errors import MissingExtraError, UsageError
from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import LanguageChoice, first_lines
from geceval.cli.options import TargetOption, ThreadsOption
from geceval.cli.output import terminal_width, write_text, writing
from geceval.cli.parsing import Command
from geceval.cli.submission import LINES, writing_submission
from geceval.edits.languages import LANGUAGES
from geceval.edits.languages.language_options import AUTO, LanguageOptions
from geceval.report.formats.terminal import as_text
from geceval.report.table import plain_table
from geceval.text.files import check_standard_input, is_m2
from geceval.text.inputs import CleaningOptions
from geceval.text.preparation import Preparation
from geceval.text.tokenisers import TOKENISERS, make_tokeniser

EXAMPLES = """\
examples:
  geceval prepare --preset bea19 raw.txt -o tokenised.txt
  geceval prepare --normalise nfc,quotes --whitespace repair raw.txt.gz
  geceval prepare --preset bea19 --submission bea19 raw.txt -o bea19.zip
  geceval prepare --list
"""

#: Number of lines in memory at a time.
PART = 1 << 14


class PrepareRequest(ThreadsOption, TargetOption, CleaningOptions, CommandRequest):
    """Files and the steps that prepare them."""

    files: tuple[str, ...] = option(
        nargs="*", help="texts to prepare, written one after another (default: standard input)", reads_file=True
    )
    language: str | None = option(
        "--language",
        metavar="NAME",
        help=f"use the tokeniser of a language: {', '.join(LANGUAGES)}, a table (FILE), or auto (detected from the "
        "first file)",
        reads_file=True,
    )
    submission: str | None = option(
        "--submission", choices=LINES, help="write a submission for a test set, if it has as many lines: -o FILE.zip"
    )
    list: bool = option("--list", help="list the tokenisers and exit")

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
        if not (self.tokenise or self.language or self.normalise or self.whitespace or self.submission):
            raise UsageError("nothing to do", hint="--tokenise NAME, --normalise FORM or --whitespace repair")
        check_standard_input(self.files)


def run(request: PrepareRequest) -> None:
    """Write the prepared texts, or the list of tokenisers."""
    if request.list:
        rows = [[name, _signed(name), _summary(name)] for name in TOKENISERS.names()]
        table = plain_table(["name", "in signatures", "description"], rows)
        write_text(request.target, as_text(table, width=terminal_width(request.target)))
        return
    from geceval.text.reading.lines import line_parts

    language = LanguageChoice(
        LanguageOptions(language=request.language), lambda: first_lines(next(iter(request.files), None))
    )
    tokeniser = language.tokeniser(request.tokenise or (request.language and AUTO))
    repair = request.whitespace is not None
    steps = Preparation(tokeniser, request.normalise, whitespace=repair, threads=request.threads)
    files = request.files or ("-",)
    checked = request.submission and writing_submission(request.submission, files[0], request.target)
    with checked or writing(request.target) as out:
        for path in files:
            for lines in line_parts(path, PART):
                out.writelines(f"{line}\n" for line in steps.cleaned("systems", lines))


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


COMMAND = Command(PrepareRequest, run, EXAMPLES, page="tokenisation.md")
