"""``geceval m2 convert``: convert M2 to and from other formats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from cyclopts import Group, Parameter

from geceval.base.arguments import counted
from geceval.base.errors import UsageError
from geceval.commands.m2.m2_options import File, without_misfits
from geceval.commands.shared.corpus_options import MisfitsOption, OffsetsOption
from geceval.commands.shared.option_values import changed, flag
from geceval.commands.shared.options import Quiet, Target
from geceval.commands.shared.output_formats import format_of
from geceval.terminal.messages import note
from geceval.terminal.progress import reading
from geceval.terminal.writing import writing
from geceval.text.files import has_kind, unpacked_name
from geceval.text.m2 import m2_files
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.edit import NOT_ANNOTATABLE, Block, Dialect, Misfits
from geceval.text.m2.m2_json import WRITERS
from geceval.text.m2.operations import cherrant_blocks
from geceval.text.preparation import Preparation
from geceval.text.reading.edit_files import SuggestionReader
from geceval.text.reading.file_kinds import EDIT_KINDS, SUGGESTIONS
from geceval.text.reading.lines import read_lines

FORMATS = Group.create_ordered("formats", sort_key=2)
Written = Literal["m2", "errant", "cherrant", "jsonl", "spans", "languagetool", "csv", "tsv"]
SUGGESTED = Group.create_ordered("suggestions (jsonl)", sort_key=5)


@Parameter(name="*", group=SUGGESTED)
@dataclass(frozen=True, kw_only=True)
class SuggestionOptions:
    """Options of the texts that suggestions refer to."""

    source: Annotated[str | None, Parameter(alias=("-s", "--src"), metavar="FILE")] = None
    """sentences of the suggestions, one per line (default: the texts in the file)"""
    tokenise: Annotated[str | None, Parameter(alias="--preset", metavar="NAME")] = None
    """tokenise sentences and suggestions: english, bea19, …"""
    offsets: Annotated[OffsetsOption, Parameter(group=SUGGESTED)] = "auto"

    def blocks(self, path: str, misfits: Misfits) -> Iterator[Block]:
        """Yield the blocks of a file."""
        source = None if self.source is None else read_lines(self.source)
        reader = SuggestionReader(Preparation(tokenise=self.tokenise), self.offsets, misfits)
        return reader.blocks(path, source)


@Parameter(name="*", group=FORMATS)
@dataclass(frozen=True, kw_only=True)
class ConvertRequest:
    """The formats to read and to write."""

    from_format: Annotated[Literal["jsonl", "m2"] | None, Parameter(name="--from")] = None
    """format of the input (default: by the ending, or m2)"""
    to_format: Annotated[Written | None, Parameter(name="--to")] = None
    """m2: M2 in the dialect of the input; errant, cherrant: M2 in that dialect; jsonl: one object per sentence; spans:
    jsonl with character offsets; languagetool: jsonl with LanguageTool's matches; csv, tsv: one row per edit (default:
    by the ending of -o)"""
    misfits: MisfitsOption = "error"
    dialect: Dialect = "auto"
    """dialect of M2 files: detected from T lines unless cherrant is given"""
    target: Target = None
    quiet: Quiet = False
    suggestions: SuggestionOptions = SuggestionOptions()

    def written_format(self) -> str:
        """Return the format of the output, by ``--to`` or the ending.

        Raises:
            UsageError: Neither names a format.
        """
        written = format_of(self.target, self.to_format, ("", *get_args(Written)), "--to")
        if not written:
            raise UsageError(f"a format is required: --to {', '.join(get_args(Written))}")
        return written

    def read_format(self, file: str) -> str:
        """Return the format of the input, by ``--from`` or the name of the file.

        Raises:
            UsageError: Options contradict it.
        """
        is_m2 = has_kind(file, "m2")
        is_json = not is_m2 and (unpacked_name(file).endswith(SUGGESTIONS) or has_kind(file, *EDIT_KINDS))
        read = self.from_format or ("jsonl" if is_json else "m2")
        if self.dialect != "auto" and (read, self.written_format()) != ("m2", "errant"):
            raise UsageError("--dialect requires --to errant")
        for name in changed(self.suggestions):
            if read != "jsonl":
                raise UsageError(f"{flag(name)} requires --from jsonl")
        return read


def convert(file: File, /, *, request: ConvertRequest = ConvertRequest()) -> None:
    """Write the input in another format.

    Examples:
      geceval m2 convert gold.m2 -o gold.jsonl
      geceval m2 convert gold.jsonl --to m2 > gold.m2
      geceval m2 convert system.m2 --to spans -o system.jsonl
      geceval m2 convert zh.m2 --to errant -o zh.errant.m2

    Content that the output format cannot represent causes an error or a warning;
    see docs/m2.md.
    """
    written, is_m2 = request.written_format(), request.read_format(file) == "m2"
    with reading([file], target=request.target):
        blocks: Iterable[Block] = m2_files.read(file) if is_m2 else request.suggestions.blocks(file, request.misfits)
        blocks = without_misfits(blocks, request.misfits)
        if written == "errant":
            blocks = _as_errant(request, blocks)
        elif written == "cherrant":
            blocks = cherrant_blocks(blocks)
        with writing(request.target) as out:
            WRITERS.get(written, m2_files.write)(blocks, out)


def _as_errant(request: ConvertRequest, blocks: Iterable[Block]) -> Iterable[Block]:
    """Return the blocks in ERRANT's dialect, with notes on what it cannot express."""
    original = Blocks.of(list(blocks), dialect=None)
    converted = original.as_errant(request.dialect)
    if converted is original:
        return converted
    further = sum(
        len({(target.annotator, target.alignment) for target in block.targets})
        - len({target.annotator for target in block.targets})
        for block in original
    )
    if further:
        text = f"{counted(further, 'further alignment')} of answers ignored: the first of each answer is kept"
        note(text)
    refused = sum(edit.type == NOT_ANNOTATABLE for block in original for edit in block.edits)
    if refused:
        text = f"{counted(refused, 'answer')} NA (cannot be corrected) ignored, or a noop if it is the only answer"
        note(text)
    return converted
