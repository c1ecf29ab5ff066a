"""``geceval m2 diff``: two annotations of one text, edit by edit."""

from __future__ import annotations

from collections.abc import Sequence

from geceval.base.errors import UsageError
from geceval.base.requests import CommandRequest, option
from geceval.cli.m2.file_sets import stem
from geceval.cli.m2.m2_options import FilesArgument, annotators_option, files_argument
from geceval.cli.options import DigitsOption, FormatOption, format_option
from geceval.cli.output import write_report
from geceval.cli.parsing import Command
from geceval.text import m2
from geceval.text.files import display_name

EXAMPLES = """\
examples:
  geceval m2 diff anna.m2 ben.m2
  geceval m2 diff gold.m2 --annotators 0,1 --summary
  geceval m2 diff old.m2 new.m2 -f tsv | cut -f 1,4-6

An edit of both is {are→is =}, one of only the first {the→a <}, of only the second {+of >}; where the types
differ, {go→goes ~}. Exit status 0: nothing differs; 1: something does.
"""


class DiffRequest(DigitsOption, FormatOption, FilesArgument, CommandRequest):
    """The files, the annotators, and what is shown."""

    files: tuple[str, ...] = files_argument("two M2 files of the same sentences; or one with two annotators")
    annotators: tuple[int, ...] = annotators_option(
        "who is compared: one of the first file, one of the second; one number: of both (default: all of the same "
        "number, or the only one of each; of one file its two)"
    )
    types: bool = option("--types", help="show the types of all edits, not only where they differ")
    summary: bool = option("--summary", help="the tables alone, without the sentences")
    format: str | None = format_option("text", "tsv", "json", effect="files")

    def check(self) -> None:
        super().check()
        if len(self.files) > 2:
            raise UsageError(f"two files are compared, not {len(self.files)}")
        if len(self.annotators) > 2:
            raise UsageError(f"two annotators are compared, not {len(self.annotators)}")
        if len(self.annotators) == len(self.files) == 1:
            raise UsageError("of one file two annotators are compared: --annotators 0,1")


def run(request: DiffRequest) -> None:
    """Write the differences; the exit status is 1 if there are any, as that of diff."""
    from geceval.report.sentences.m2_diff_report import m2_diff_report

    files = request.files
    one = m2.Blocks.read(files[0])
    other = one if len(files) == 1 else m2.Blocks.read(files[1])
    found = m2.diff(one, other, _compared_annotators(request, one))
    names = _names(files, found.pairs[0])
    report = m2_diff_report(found, names, sentences=not request.summary, types=request.types)
    write_report(request.target, report, request.written_format, request.digits)
    if not found.is_equal:
        raise SystemExit(1)


def _names(paths: Sequence[str], annotators: Sequence[int]) -> list[str]:
    """The names of the two: of files, or their paths if the names are the same; or of annotators."""
    if len(paths) == 1:
        return [f"{stem(paths[0])}:{one}" for one in annotators]
    names = [stem(path) for path in paths]
    return names if names[0] != names[1] else [display_name(path) for path in paths]


def _compared_annotators(request: DiffRequest, blocks: m2.Blocks) -> tuple[int, int] | None:
    """The two annotators that are named, or the two of the only file."""
    if request.annotators:
        return request.annotators[0], request.annotators[-1]
    if len(request.files) == 2:
        return None
    there = blocks.table.annotators
    if len(there) != 2:
        known = ", ".join(map(str, there)) or "none"
        raise UsageError(f"which two annotators of {request.files[0]} are compared? it has {known}: --annotators ID,ID")
    return there[0], there[1]


DIFF = Command(DiffRequest, run, EXAMPLES)
