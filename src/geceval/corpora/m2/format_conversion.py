"""``geceval m2 convert``: convert M2 to other formats and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, OptionGroup, option
from geceval.cli.options import QuietOption, TargetOption
from geceval.cli.output import format_of, writing
from geceval.cli.parsing import Command
from geceval.cli.stderr import collected, note, quantity, reading
from geceval.corpora.m2.m2_options import FileArgument
from geceval.text.files import SUGGESTIONS, unpacked_name
from geceval.text.inputs import DIALECT, OFFSETS
from geceval.text.m2 import m2_files
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.cherrant_dialect import Dialect, cherrant_blocks
from geceval.text.m2.conversion.m2_json import WRITERS
from geceval.text.m2.conversion.suggestions import Offsets
from geceval.text.m2.edit import NOT_ANNOTATABLE, Block
from geceval.text.preparation import Preparation
from geceval.text.reading.formats import Suggestions
from geceval.text.reading.lines import read_lines

READ = ("jsonl", "m2")
WRITTEN = ("m2", "errant", "cherrant", "jsonl", "spans", "languagetool")


class SuggestionOptions(OptionGroup, title="suggestions (jsonl)"):
    """Options of the texts that suggestions refer to."""

    source: str | None = option("-s", "--src", "--source", reads_file=True)
    tokenise: str | None = option("--preset", "--tokenise", metavar="NAME")
    offsets: Offsets = OFFSETS

    def blocks(self, path: str) -> Iterator[Block]:
        """Yield the blocks of a file."""
        source = None if self.source is None else read_lines(self.source)
        return Suggestions(source, Preparation(tokenise=self.tokenise), self.offsets).blocks(path)


class ConvertRequest(QuietOption, TargetOption, FileArgument, CommandRequest):
    """The file, its format, and the format to write."""

    from_format: str | None = option("--from", choices=READ)
    to_format: str | None = option("--to", choices=WRITTEN)
    dialect: Dialect = DIALECT
    suggestions: SuggestionOptions = SuggestionOptions()

    @property
    def read_format(self) -> str:
        """The format of the input, by ``--from`` or the name of the file."""
        return self.from_format or ("jsonl" if unpacked_name(self.file).endswith(SUGGESTIONS) else "m2")

    @property
    def written_format(self) -> str:
        """The format of the output, by ``--to`` or the ending; empty if unknown."""
        return format_of(self.target, self.to_format, ("", *WRITTEN), "--to")

    def check(self) -> None:
        super().check()
        read, written = self.read_format, self.written_format
        if not written:
            raise UsageError(f"a format is required: --to {', '.join(WRITTEN)}")
        if self.dialect != "auto" and (read, written) != ("m2", "errant"):
            raise UsageError("--dialect requires --to errant")
        for name, facts, _ in self.suggestions.changed_options():
            if read != "jsonl":
                raise UsageError(f"{facts.name(name)} requires --from jsonl")


def run(request: ConvertRequest) -> None:
    """Write the input in another format."""
    written = request.written_format
    with collected(quiet=request.quiet), reading([request.file], target=request.target, quiet=request.quiet):
        blocks = _read(request)
        if written == "errant":
            blocks = _as_errant(request, blocks)
        elif written == "cherrant":
            blocks = cherrant_blocks(blocks)
        with writing(request.target) as out:
            WRITERS.get(written, m2_files.write)(blocks, out)


def _read(request: ConvertRequest) -> Iterable[Block]:
    return m2_files.read(request.file) if request.read_format == "m2" else request.suggestions.blocks(request.file)


def _as_errant(request: ConvertRequest, blocks: Iterable[Block]) -> Iterable[Block]:
    """Return the blocks in ERRANT's dialect, with notes on what it cannot express."""
    read = Blocks.of(list(blocks))
    made = read.as_errant(request.dialect)
    if made is read:
        return made
    further = sum(
        len({(target.annotator, target.alignment) for target in block.targets})
        - len({target.annotator for target in block.targets})
        for block in read
    )
    if further:
        text = f"{quantity(further, 'further alignment')} of answers left out: the first of each stays"
        note(text, quiet=request.quiet)
    refused = sum(edit.type == NOT_ANNOTATABLE for block in read for edit in block.edits)
    if refused:
        text = f"{quantity(refused, 'answer')} NA (cannot be corrected) left out, or a noop where there is no other"
        note(text, quiet=request.quiet)
    return made


CONVERT = Command(ConvertRequest, run)
