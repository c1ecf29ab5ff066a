"""``geceval m2 diff``: compare two annotations of a text, edit by edit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, option
from geceval.cli.options import DigitsOption, FormatOption
from geceval.cli.output import write_report
from geceval.cli.parsing import Command
from geceval.cli.stderr import reading
from geceval.corpora.m2.m2_diff_report import m2_diff_report
from geceval.corpora.m2.m2_options import ANNOTATORS, FilesArgument
from geceval.text.files import display_name, unpacked_name
from geceval.text.m2.blocks import Blocks
from geceval.text.m2.m2_differences import diff


class DiffRequest(DigitsOption, FormatOption, FilesArgument, CommandRequest):
    """Two annotations, and the output."""

    annotators: tuple[int, ...] = ANNOTATORS
    types: bool = option("--types")
    summary: bool = option("--summary")
    format: str | None = option("-f", "--format", choices=["text", "tsv", "json"], effect="files")

    def check(self) -> None:
        super().check()
        if len(self.files) > 2:
            raise UsageError(f"one or two files are required, not {len(self.files)}")
        if len(self.annotators) > 2:
            raise UsageError(f"one or two annotators are required, not {len(self.annotators)}")
        if len(self.annotators) == len(self.files) == 1:
            raise UsageError("one file requires two annotators", hint="--annotators 0,1")


def run(request: DiffRequest) -> None:
    """Write the differences; the exit status is 1 if there is a difference."""
    files = request.files
    with reading(files):
        one = Blocks.read(files[0])
        other = one if len(files) == 1 else Blocks.read(files[1])
        found = diff(one, other, _compared_annotators(request, one))
    names = _names(files, found.pairs[0])
    report = m2_diff_report(found, names, sentences=not request.summary, types=request.types)
    write_report(request.target, report, request.written_format, request.digits)
    if not found.is_equal:
        raise SystemExit(1)


def stem(path: str) -> str:
    """Return the name of a file without folder and endings: gold of data/gold.m2.gz."""
    name = "part" if path == "-" else Path(path).name
    return unpacked_name(name).removesuffix(".m2") or "part"


def _names(paths: Sequence[str], annotators: Sequence[int]) -> list[str]:
    """Return the names of the two annotations."""
    if len(paths) == 1:
        return [f"{stem(paths[0])}:{one}" for one in annotators]
    names = [stem(path) for path in paths]
    return names if names[0] != names[1] else [display_name(path) for path in paths]


def _compared_annotators(request: DiffRequest, blocks: Blocks) -> tuple[int, int] | None:
    """Return the annotators to compare; None for the default of two files."""
    if request.annotators:
        return request.annotators[0], request.annotators[-1]
    if len(request.files) == 2:
        return None
    there = blocks.table.annotators
    if len(there) != 2:
        known = ", ".join(map(str, there)) or "none"
        raise UsageError(f"two annotators are required; {request.files[0]} has {known}", hint="--annotators ID,ID")
    return there[0], there[1]


DIFF = Command(DiffRequest, run)
