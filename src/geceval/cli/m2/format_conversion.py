"""``geceval m2 convert``: convert M2 to other formats and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from operator import methodcaller
from typing import TextIO

from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, OptionGroup, option
from geceval.cli.m2.file_sets import output_folder, stem, write_together
from geceval.cli.m2.m2_options import FILES, ForceOption
from geceval.cli.options import QuietOption, TargetOption
from geceval.cli.output import format_of, writing
from geceval.cli.parsing import Command
from geceval.cli.stderr import collected, note, quantity, reading
from geceval.text import m2
from geceval.text.files import SUGGESTIONS, is_compressed, unpacked_name
from geceval.text.inputs import DIALECT, OFFSETS
from geceval.text.preparation import Preparation

#: Endings of names that determine a format; all other files are M2.
ENDINGS = {"jsonl": SUGGESTIONS, "brat": (".ann", ".txt")}
_NAMED = re.compile(r"\.(json|jsonl|ndjson|ann|txt)$")
READ = (*ENDINGS, "m2")
WRITTEN = ("m2", "errant", "cherrant", "jsonl", "spans", "languagetool", "brat")


class SuggestionOptions(OptionGroup, title="suggestions (jsonl)"):
    """Options of the texts that suggestions refer to."""

    source: str | None = option("-s", "--src", "--source", reads_file=True)
    tokenise: str | None = option("--preset", "--tokenise", metavar="NAME")
    offsets: m2.Offsets = OFFSETS

    def blocks(self, path: str) -> Iterator[m2.Block]:
        """Yield the blocks of a file."""
        from geceval.text.reading.formats import Suggestions
        from geceval.text.reading.lines import read_lines

        source = None if self.source is None else read_lines(self.source)
        return Suggestions(source, Preparation(tokenise=self.tokenise), self.offsets).blocks(path)


class ConvertRequest(QuietOption, ForceOption, TargetOption, CommandRequest):
    """The files, their format, and the format to write."""

    files: tuple[str, ...] = FILES
    from_format: str | None = option("--from", choices=READ)
    to_format: str | None = option("--to", choices=WRITTEN)
    dialect: m2.Dialect = DIALECT
    suggestions: SuggestionOptions = SuggestionOptions()

    @property
    def read_format(self) -> str:
        """The format of the input, by ``--from`` or the name of the first file."""
        return self.from_format or _format_of(unpacked_name(self.files[0])) or "m2"

    @property
    def written_format(self) -> str:
        """The format of the output, by ``--to`` or the ending; empty if unknown."""
        if self.to_format is None and self.target is not None and self.target.endswith(".txt"):
            return "brat"
        return format_of(self.target, self.to_format, ("", *WRITTEN), "--to")

    def check(self) -> None:
        super().check()
        read, written = self.read_format, self.written_format
        if not written:
            raise UsageError(f"a format is required: --to {', '.join(WRITTEN)}")
        if read != "brat" and len(self.files) > 1:
            raise UsageError("one file is required", hint="geceval m2 merge combines annotators")
        if read == "brat" and "-" in self.files:
            raise UsageError("stand-off is a pair of files and cannot be read from standard input")
        if self.dialect != "auto" and (read, written) != ("m2", "errant"):
            raise UsageError("--dialect requires --to errant")
        for name, facts, _ in self.suggestions.changed_options():
            if read != "jsonl":
                raise UsageError(f"{facts.name(name)} requires --from jsonl")
        if self.force and written != "brat":
            raise UsageError("--force requires --to brat")
        if written == "brat" and self.target in (None, "-"):
            raise UsageError("stand-off is a pair of files", hint="-o NAME writes NAME.txt and NAME.ann")
        if written == "brat" and is_compressed(str(self.target)):
            raise UsageError(f"--output {self.target}: stand-off is not compressed")


def _format_of(name: str) -> str | None:
    return next((known for known, endings in ENDINGS.items() if name.endswith(endings)), None)


def run(request: ConvertRequest) -> None:
    """Write the input in another format."""
    written = request.written_format
    with collected(quiet=request.quiet), reading(request.files, target=request.target, quiet=request.quiet):
        blocks = _read(request)
        if written == "brat":
            _write_standoff(request, blocks)
            return
        if written == "errant":
            blocks = _as_errant(request, blocks)
        elif written == "cherrant":
            blocks = m2.cherrant_blocks(blocks)
        with writing(request.target) as out:
            m2.WRITERS.get(written, m2.write)(blocks, out)


def _read(request: ConvertRequest) -> Iterable[m2.Block]:
    if request.read_format == "brat":
        return m2.read_standoff(request.files)
    if request.read_format == "m2":
        return m2.read(request.files[0])
    return request.suggestions.blocks(request.files[0])


def _as_errant(request: ConvertRequest, blocks: Iterable[m2.Block]) -> Iterable[m2.Block]:
    """Return the blocks in ERRANT's dialect, with notes on what it cannot express."""
    read = m2.Blocks.of(list(blocks))
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
    refused = sum(edit.type == m2.NOT_ANNOTATABLE for block in read for edit in block.edits)
    if refused:
        text = f"{quantity(refused, 'answer')} NA (cannot be corrected) left out, or a noop where there is no other"
        note(text, quiet=request.quiet)
    return made


def _write_standoff(request: ConvertRequest, blocks: Iterable[m2.Block]) -> None:
    """Write a pair of files for each annotator, all of them or none."""
    target = str(request.target)
    folder = output_folder(target)
    own = _NAMED.sub("", stem(request.files[0]))
    name = re.sub(r"\.(txt|ann)$", "", target) if folder is None else str(folder / own)
    if not name or name.endswith("/"):
        raise UsageError(f"{target!r} is not a name of files", hint="-o NAME for NAME.txt and NAME.ann, or a folder")
    files: dict[str, Callable[[TextIO], object]] = {}
    made = m2.to_standoff(list(blocks))
    for one in made:
        base = name if [one.annotator for one in made] == [0] else f"{name}.{one.annotator}"
        files[f"{base}.txt"] = methodcaller("write", one.text)
        files[f"{base}.ann"] = methodcaller("write", one.annotations)
    write_together(files, force=request.force)


CONVERT = Command(ConvertRequest, run)
