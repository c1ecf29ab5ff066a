"""``geceval tokenise``: raw text to tokens, as ``--tokenise`` of the other commands does it."""

from __future__ import annotations

from geceval.base.errors import MissingExtraError, UsageError
from geceval.base.requests import CommandRequest, option
from geceval.cli.inputs import LanguageChoice, first_lines
from geceval.cli.options import TargetOption, ThreadsOption
from geceval.cli.output import write_text, writing
from geceval.cli.parsing import Command
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
  geceval tokenise --with english raw.txt -o tokenised.txt
  decode | geceval tokenise --with treebank --normalise quotes,dashes > system.txt
  geceval tokenise --whitespace repair --normalise nfc raw.txt.gz
  geceval tokenise --list
"""

#: Lines in memory at a time.
PART = 1 << 14


class TokeniseRequest(ThreadsOption, TargetOption, CleaningOptions, CommandRequest):
    """The files, and what is done to them."""

    files: tuple[str, ...] = option(
        nargs="*", help="text, plain or compressed; one after another (default: standard input)", reads_file=True
    )
    tokeniser: str | None = option("--with", metavar="NAME", help="the tokeniser (default: none, tokens stay)")
    language: str | None = option(
        "--language",
        metavar="NAME",
        help=f"the tokeniser of this language: {', '.join(LANGUAGES)}, a table (FILE), or auto: guessed from the first "
        "file; in place of --with",
        reads_file=True,
    )
    list: bool = option("--list", help="list the tokenisers and stop")

    def check(self) -> None:
        if self.list:
            return
        if self.language is not None and self.tokeniser not in (None, AUTO):
            raise UsageError(f"--with {self.tokeniser} and --language {self.language}: give one of them")
        for path in self.files:
            if is_m2(path):
                raise UsageError(f"{path}: the edits of an M2 file count the tokens of its sentences as they are")
        if not (self.tokeniser or self.language or self.normalise or self.whitespace):
            raise UsageError("nothing to do", hint="--with NAME, --normalise FORM or --whitespace repair")
        check_standard_input(self.files)


def run(request: TokeniseRequest) -> None:
    """Write the texts, or the list of tokenisers."""
    if request.list:
        rows = [[name, _signed(name), _about(name)] for name in TOKENISERS.names()]
        write_text(request.target, as_text(plain_table(["name", "in signatures", "what it does"], rows)))
        return
    from geceval.text.reading.lines import line_parts

    language = LanguageChoice(
        LanguageOptions(language=request.language), lambda: first_lines(next(iter(request.files), None))
    )
    tokeniser = language.tokeniser(request.tokeniser or (request.language and AUTO))
    repair = request.whitespace is not None
    steps = Preparation(tokeniser, request.normalise, whitespace=repair, threads=request.threads)
    with writing(request.target) as out:
        for path in request.files or ["-"]:
            for lines in line_parts(path, PART):
                out.writelines(f"{line}\n" for line in steps.cleaned("systems", lines))


def _signed(name: str) -> str:
    """Return the name in signatures, or what is missing; nothing for a name with a place for another."""
    if name.endswith((":NAME", ":LANG")):
        return ""
    try:
        return make_tokeniser(name).name
    except MissingExtraError as error:
        return f"needs {error.hint}"


def _about(name: str) -> str:
    """Return the first line of a tokeniser's documentation."""
    return str(TOKENISERS[name.partition(":")[0]].__doc__ or "").partition("\n")[0]


COMMAND = Command(TokeniseRequest, run, EXAMPLES)
