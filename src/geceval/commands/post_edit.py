"""``geceval post-edit``: sheets in which people correct the outputs of systems."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from geceval.base.arguments import choices
from geceval.base.errors import UsageError
from geceval.commands.shared.option_groups import DATA
from geceval.commands.shared.options import TargetOption, written_as
from geceval.commands.shared.run_warnings import warn_of_corpus
from geceval.selection.post_editing import read_post_edits, sheet_rows
from geceval.terminal.messages import note
from geceval.terminal.writing import writing
from geceval.text.corpus import Corpus
from geceval.text.reading.corpus_files import read_lines_together
from geceval.text.system_files import systems_of


@Parameter(name="*", group=DATA)
@dataclass(frozen=True, kw_only=True)
class PostEditFiles:
    """Sentences, outputs, and the sheet that people edited."""

    source: Annotated[str, Parameter(alias=("-s", "--src"), metavar="FILE")]
    """sentences with errors, one per line"""
    systems: Annotated[tuple[str, ...], Parameter(alias=("-c", "--hyp"), metavar="FILE")]
    """corrections, one per line: FILE, FOLDER of files or NAME=FILE"""
    edited: Annotated[str | None, Parameter(metavar="SHEET")] = None
    """check an edited sheet, and write the references of a system"""
    system: Annotated[str | None, Parameter(metavar="NAME")] = None
    """with --edited and -o: system whose references are written"""

    def __post_init__(self) -> None:
        if self.system is not None and self.edited is None:
            raise UsageError("--system requires --edited", hint="--edited SHEET")


@written_as("csv", "tsv", help="format of the sheet")
class PostEditOutput(TargetOption):
    """Options of the output."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PostEditRequest:
    """Texts and a sheet."""

    files: PostEditFiles
    output: PostEditOutput = PostEditOutput()

    def __post_init__(self) -> None:
        if self.files.edited is not None and (self.files.system is None) == (self.output.target is not None):
            raise UsageError("--system NAME and -o FILE belong together", hint="--system NAME -o FILE.txt")


def post_edit(*, request: PostEditRequest) -> None:
    """Write a sheet to edit, or the references in an edited sheet.

    Examples:
      geceval post-edit -s source.txt -c A=sys1.txt B=sys2.txt -o sheet.xlsx
      geceval post-edit -s source.txt -c A=sys1.txt B=sys2.txt --edited sheet.xlsx
      geceval post-edit -s source.txt -c A=sys1.txt B=sys2.txt --edited sheet.xlsx --system A -o a.closest.txt
      geceval compare -i sheet.xlsx --system-column system

    documentation: docs/own-texts.md
    """
    files, output = request.files, request.output
    paths = systems_of(files.systems)
    roles = ["source", *(f"system {name}" for name in paths)]
    source, *texts = read_lines_together([files.source, *paths.values()], roles)
    systems = dict(zip(paths, texts, strict=True))
    if files.system is not None and files.system not in systems:
        raise UsageError(f"unknown system {files.system}: choose from {choices(systems)}")
    if files.edited is None:
        warn_of_corpus(Corpus(source, systems=systems))
        with writing(output.target) as out:
            separator = "\t" if output.written_format == "tsv" else ","
            csv.writer(out, delimiter=separator, lineterminator="\n").writerows(sheet_rows(source, systems))
        return
    edits = read_post_edits(files.edited, source, systems)
    for name, edits_of_system in edits.items():
        note(f"{name}: {edits_of_system.unchanged} of {len(source)} outputs are unchanged")
    if files.system is not None:
        with writing(output.target) as out:
            out.writelines(f"{line}\n" for line in edits[files.system].references)
