"""``geceval m2 check|stats|source``: inspect M2 files."""

from __future__ import annotations

from itertools import chain, islice

from geceval.base.errors import InputError
from geceval.base.requests import CommandRequest
from geceval.cli.options import FormatOption, QuietOption, TargetOption
from geceval.cli.output import write_text, writing
from geceval.cli.parsing import Command
from geceval.cli.stderr import quantity, reading
from geceval.corpora.m2.m2_options import FilesArgument
from geceval.corpora.m2.m2_stats_report import m2_stats_report
from geceval.edits.gold_profiles import COMPARED, closest_profile
from geceval.tables.report import render
from geceval.text.files import display_name, is_read_once
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.m2_files import checked, read, read_pieces
from geceval.text.m2.m2_summary import stats_of


class CheckRequest(QuietOption, FilesArgument, CommandRequest):
    """The files to check."""


def check(request: CheckRequest) -> None:
    """Print all faults of all files, the size of each file, and its annotator.

    Raises:
        InputError: A file has a fault.
    """
    total = 0
    for path in request.files:
        with reading([path], quiet=request.quiet):
            found = checked(path)
        number = len(found.faults)
        for fault in found.faults:
            print(f"{fault.where}{fault.message}")
        total += number
        if not request.quiet:
            sizes = {"sentence": found.sentences, "edit": found.edits, "annotator": len(found.annotators)}
            contents = ", ".join(quantity(size, noun) for noun, size in sizes.items())
            print(f"{display_name(path)}: {contents}: {quantity(number, 'fault') if number else 'no faults'}")
            if not number and path != "-" and not is_read_once(path):
                print_closest_annotator(path)
    if total:
        raise InputError(f"{quantity(total, 'fault')} found")


def print_closest_annotator(path: str) -> None:
    """Print the annotator that finds most of a file's edits in its corrected text."""
    closest = closest_profile(Blocks.of(list(islice(read(path), COMPARED))))
    if closest is not None:
        print(f"{display_name(path)}: closest annotator: {closest}")


class StatsRequest(FormatOption, FilesArgument, CommandRequest):
    """The files, and the format."""


def stats(request: StatsRequest) -> None:
    """Write the counts of each file."""
    with reading(request.files):
        found = [(display_name(path), stats_of(read_pieces(path))) for path in request.files]
    write_text(request.target, render(m2_stats_report(found), request.written_format))


class SourceRequest(TargetOption, FilesArgument, CommandRequest):
    """The files."""


def source(request: SourceRequest) -> None:
    """Write the sentences of the files as text."""
    with writing(request.target) as out, reading(request.files, target=request.target):
        for blocks in chain.from_iterable(map(read_pieces, request.files)):
            out.writelines(f"{line}\n" for line in blocks.source)


CHECK = Command(CheckRequest, check)
STATS = Command(StatsRequest, stats)
SOURCE = Command(SourceRequest, source)
